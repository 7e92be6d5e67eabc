/// What is known for recovering a bind pose: skeleton, points with their links, outliers and residuals.

#include "arp/bind/problem.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <string_view>

#include "arp/file/names.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace {

/// More links of a point than these do not count: real ones have up to four, and pairs of them are looked at.
constexpr std::size_t max_links = 8;
/// Strips reach no further.
constexpr std::uint32_t max_points = 65536;

Frame local_of(const Bone& bone) {
    Frame frame;
    if (is_finite(wide(bone.translation))) frame.translation = wide(bone.translation);
    const glm::dquat rotation = wide(bone.rotation);
    const double length = glm::length(rotation);
    if (length > 0 && std::isfinite(length)) frame.rotation = rotation / length;
    return frame;
}

std::uint32_t find(const BonesByName& names, std::string_view name) {
    const auto found = names.find(up_to_nul(name));
    return found == names.end() ? Skeleton::none : found->second;
}

/// Parents before children; a bone that is its own ancestor loses its parent.
void put_in_order(Skeleton& skeleton) {
    enum class State : std::uint8_t { unseen, on_the_way, placed };
    std::vector<State> states(skeleton.parents.size(), State::unseen);
    std::vector<std::uint32_t> path;
    for (std::uint32_t start = 0; start < skeleton.parents.size(); ++start) {
        for (std::uint32_t bone = start; bone != Skeleton::none && states[bone] != State::placed;
             bone = skeleton.parents[bone]) {
            states[bone] = State::on_the_way;
            path.push_back(bone);
            const std::uint32_t parent = skeleton.parents[bone];
            if (parent != Skeleton::none && states[parent] == State::on_the_way)
                skeleton.parents[bone] = Skeleton::none;
        }
        for (; !path.empty(); path.pop_back()) {
            states[path.back()] = State::placed;
            skeleton.order.push_back(path.back());
        }
    }
}

void group_by_bone(BindProblem& problem) {
    problem.first_places.assign(problem.skeleton.parents.size() + 1, 0);
    for (const SharedLink& link : problem.links) ++problem.first_places[link.bone + 1];
    std::partial_sum(problem.first_places.begin(), problem.first_places.end(), problem.first_places.begin());
    std::vector<std::uint32_t> next(problem.first_places.begin(), problem.first_places.end() - 1);
    problem.bone_links.resize(problem.links.size());
    for (std::uint32_t k = 0; k < problem.links.size(); ++k) problem.bone_links[next[problem.links[k].bone]++] = k;
}

}  // namespace

std::vector<Frame> Skeleton::rest() const {
    std::vector<Frame> bones(parents.size());
    for (const std::uint32_t bone : order) bones[bone] = child_of(bone, bones);
    return bones;
}

Skeleton skeleton_of(const File& file) {
    Skeleton skeleton;
    const BonesByName names = bones_by_name(file);
    for (const Bone& bone : file.bones) {
        const std::string_view parent = up_to_nul(bone.parent);
        skeleton.parents.push_back(parent.empty() ? Skeleton::none : find(names, parent));
        skeleton.locals.push_back(local_of(bone));
    }
    put_in_order(skeleton);
    skeleton.root = find(names, "ROOT");
    if (skeleton.root == Skeleton::none && !skeleton.order.empty()) skeleton.root = skeleton.order.front();
    return skeleton;
}

PointCursor::PointCursor(const File& file, const Mesh& mesh) : points_(mesh.points) {
    const BonesByName names = bones_by_name(file);
    for (const std::string& name : file.link_names) bones_.push_back(find(names, name));
    size_ = std::min({points_.offsets.size(), points_.normals.size(), points_.bones.size(), points_.weights.size()});
}

bool PointCursor::next() {
    if (next_point_ == points_.size()) return false;
    const std::size_t end = std::min<std::size_t>(size_, next_link_ + points_.link_counts[next_point_]);
    links_.clear();
    double sum = 0;
    for (std::size_t k = next_link_; k < end && links_.size() < max_links; ++k) {
        if (!counts(k)) continue;
        const double weight = points_.weights[k];
        sum += weight;
        links_.push_back(
            {bones_[points_.bones[k]], 0, weight, wide(points_.offsets[k]), direction_of(wide(points_.normals[k]))});
    }
    for (SharedLink& link : links_) link.weight /= sum;
    next_link_ = end;
    ++next_point_;
    return true;
}

bool PointCursor::counts(std::size_t link) const {
    return points_.weights[link] > min_weight && std::isfinite(points_.weights[link]) &&
           is_finite(wide(points_.offsets[link])) && points_.bones[link] < bones_.size() &&
           bones_[points_.bones[link]] != Skeleton::none;
}

BindProblem problem_of(const File& file, const Mesh& mesh) {
    BindProblem problem;
    problem.skeleton = skeleton_of(file);
    problem.first_links.push_back(0);
    for (PointCursor cursor(file, mesh); cursor.next();) {
        if (cursor.point() == max_points) break;
        if (cursor.links().size() < 2) continue;
        for (SharedLink link : cursor.links()) {
            link.point = static_cast<std::uint32_t>(problem.points.size());
            problem.links.push_back(link);
        }
        problem.points.push_back(cursor.point());
        problem.first_links.push_back(static_cast<std::uint32_t>(problem.links.size()));
    }
    group_by_bone(problem);
    return problem;
}

BindProblem without_outliers(const BindProblem& problem, const std::vector<double>& residuals, double largest) {
    BindProblem kept;
    kept.skeleton = problem.skeleton;
    kept.first_links.push_back(0);
    for (std::size_t point = 0; point < problem.points.size(); ++point) {
        if (residuals[point] > largest) continue;
        for (std::uint32_t k = problem.first_links[point]; k < problem.first_links[point + 1]; ++k) {
            kept.links.push_back(problem.links[k]);
            kept.links.back().point = static_cast<std::uint32_t>(kept.points.size());
        }
        kept.points.push_back(problem.points[point]);
        kept.first_links.push_back(static_cast<std::uint32_t>(kept.links.size()));
    }
    group_by_bone(kept);
    return kept;
}

std::vector<double> residuals(const BindProblem& problem, const std::vector<Frame>& bones) {
    std::vector<double> result;
    result.reserve(problem.points.size());
    for (std::size_t point = 0; point < problem.points.size(); ++point) {
        const SharedLink& first = problem.links[problem.first_links[point]];
        const glm::dvec3 place = bones[first.bone] * first.offset;
        double worst = 0;
        for (std::size_t k = problem.first_links[point] + 1; k < problem.first_links[point + 1]; ++k) {
            const SharedLink& link = problem.links[k];
            worst = std::max(worst, glm::distance(bones[link.bone] * link.offset, place));
        }
        result.push_back(worst);
    }
    return result;
}

}  // namespace effigy::arp
