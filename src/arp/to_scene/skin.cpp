/// Skins: links of points become joints and weights, and where joints were when points were bound to them.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/trigonometric.hpp>
#include <limits>

#include "effigy/arp_codes.hpp"

#include "arp/file/link_rules.hpp"
#include "arp/to_scene/meshes.hpp"
#include "core/text.hpp"
#include "scene/attributes.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

constexpr std::uint32_t nothing = 0xffffffff;
constexpr double normal_tolerance = 1;  ///< degrees

class PointBinder {
public:
    PointBinder(Build& build, const Avatar& avatar, const Mesh& mesh, std::span<const BoundBone> bones,
                MeshFindings& findings)
        : build_(build),
          avatar_(avatar),
          points_(mesh.points),
          bones_(bones),
          findings_(findings),
          places_(avatar.file->bones.size() + avatar.twists.size() * twist_steps, nothing) {}

    Result<BoundPoints> bind() {
        constexpr std::uint64_t point_size = 2 * sizeof(glm::dvec3) + sizeof(std::uint32_t);
        // A link of an arm is at most two joints; and growing arrays are copied.
        auto taken = build_.take(points_.size() + 1, point_size, "points").and_then([&] {
            return build_.take(points_.offsets.size() + points_.size(), 4 * sizeof(JointWeight), "weights");
        });
        if (!taken) return fail(std::move(taken.error()));
        name_bones();
        const Bulk<std::uint32_t> first = first_links(points_);
        bound_.positions.reserve(points_.size());
        bound_.normals.reserve(points_.size());
        bound_.first_shares.reserve(points_.size() + 1);
        for (std::size_t point = 0; point < points_.size(); ++point) {
            add_point(first[point], first[point + 1]);
        }
        bound_.first_shares.push_back(static_cast<std::uint32_t>(bound_.shares.size()));
        return std::move(bound_);
    }

private:
    void name_bones() {
        const auto& names = avatar_.file->link_names;
        std::vector<bool> used(names.size());
        for (const std::uint32_t name : points_.bones) {
            if (name < used.size()) used[name] = true;
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::size_t bone = avatar_.find(up_to_nul(names[i]));
            bones_of_names_.push_back(bone);
            if (bone == avatar_.no_bone() && used[i]) findings_.unknown_bones.add(build_.text(up_to_nul(names[i])));
        }
        twist_of_bones_.assign(avatar_.file->bones.size(), nullptr);
        for (const TwistedBone& twist : avatar_.twists) twist_of_bones_[twist.bone] = &twist;
    }

    [[nodiscard]] std::size_t bone_of(std::uint32_t link) const noexcept {
        const std::uint32_t name = points_.bones[link];
        return name < bones_of_names_.size() ? bones_of_names_[name] : avatar_.no_bone();
    }

    /// 0 for links that hold nothing.
    [[nodiscard]] double weight_of(std::uint32_t link) noexcept {
        const double weight = points_.weights[link];
        if (std::isfinite(weight) && weight >= 0) return bone_of(link) == avatar_.no_bone() ? 0 : weight;
        ++findings_.bad_weights;
        return 0;
    }

    void add_point(std::uint32_t first, std::uint32_t end) {
        glm::dvec3 position(0), normal(0);
        double sum = 0;
        std::size_t links = 0;
        weights_.clear();
        for (std::uint32_t link = first; link < end; ++link) {
            const double weight = weight_of(link);
            weights_.push_back(weight);
            if (weight == 0) {
                if (points_.weights[link] == 0) ++findings_.weightless;
                continue;
            }
            ++links;
            if (is_distance_off(points_.distances[link], points_.offsets[link])) ++findings_.distances;
            sum += weight;
            const BoundBone& bone = bones_[bone_of(link)];
            position += weight * (bone.translation + bone.rotation * wide(points_.offsets[link]));
            normal += weight * (bone.rotation * wide(points_.normals[link]));
        }
        bound_.first_shares.push_back(static_cast<std::uint32_t>(bound_.shares.size()));
        if (links == 0) {
            add_loose(first, end);
            return;
        }
        if (std::abs(sum - 1) > weight_tolerance) ++findings_.scaled;
        if (links > 1) look_at_normals(first, end, normal);
        place(position / sum, normal);
        share(first, end, sum, links);
    }

    /// How far the links' normals are from their mean.
    void look_at_normals(std::uint32_t first, std::uint32_t end, const glm::dvec3& mean) {
        double worst = 0;
        for (std::uint32_t link = first; link < end; ++link) {
            if (weights_[link - first] == 0) continue;
            const glm::dvec3 normal = bones_[bone_of(link)].rotation * wide(points_.normals[link]);
            const double angle = std::atan2(glm::length(glm::cross(normal, mean)), glm::dot(normal, mean));
            worst = std::max(worst, glm::degrees(angle));  // nothing for NaN
        }
        if (worst > normal_tolerance) ++findings_.normals_apart;
        findings_.worst_normal = std::max(findings_.worst_normal, worst);
    }

    void place(glm::dvec3 position, glm::dvec3 normal) {
        if (!is_finite(position)) {
            ++findings_.not_finite;
            position = glm::dvec3(0);
        }
        const double length = glm::length(normal);
        const bool good = std::isfinite(length) && length > 1e-6;
        bound_.positions.push_back(position);
        bound_.normals.push_back(good ? normal / length : glm::dvec3(0));
    }

    /// What no link holds follows the first bone, from where its first link puts it there.
    void add_loose(std::uint32_t first, std::uint32_t end) {
        ++findings_.loose;
        const BoundBone bone = bones_.empty() ? BoundBone{} : bones_.front();
        const bool any = first < end;
        place(any ? bone.translation + bone.rotation * wide(points_.offsets[first]) : glm::dvec3(0),
              any ? bone.rotation * wide(points_.normals[first]) : glm::dvec3(0));
        bound_.shares.push_back({0, 1});
        bound_.max_shares = std::max<std::size_t>(bound_.max_shares, 1);
    }

    /// Between two helper joints a link is shared by both, unless that makes more joints than viewers know. The
    /// heaviest first: many viewers read four.
    void share(std::uint32_t first, std::uint32_t end, double sum, std::size_t links) {
        const std::size_t before = bound_.shares.size();
        add_shares(first, end, sum, false);
        if (bound_.shares.size() - before > shares_in_set && links <= shares_in_set) {
            bound_.shares.resize(before);
            add_shares(first, end, sum, true);
        }
        std::stable_sort(bound_.shares.begin() + static_cast<std::ptrdiff_t>(before), bound_.shares.end(),
                         [](const JointWeight& a, const JointWeight& b) { return a.weight > b.weight; });
        bound_.max_shares = std::max(bound_.max_shares, bound_.shares.size() - before);
    }

    void add_shares(std::uint32_t first, std::uint32_t end, double sum, bool nearest) {
        first_share_ = bound_.shares.size();
        for (std::uint32_t link = first; link < end; ++link) {
            const double weight = weights_[link - first] / sum;
            if (weight == 0) continue;
            const std::size_t bone = bone_of(link);
            const TwistedBone* twist = twist_of_bones_[bone];
            if (twist == nullptr) {
                add_share(static_cast<std::uint32_t>(bone), weight);
                continue;
            }
            const double place = twist_steps * twist_fraction(*twist, link, first);
            const double low = nearest ? std::round(place) : std::floor(place);
            const double rest = nearest ? 0 : place - low;
            add_share(joint_of(*twist, low), weight * (1 - rest));
            if (rest > 0) add_share(joint_of(*twist, low + 1), weight * rest);
        }
        for (std::size_t i = first_share_; i < bound_.shares.size(); ++i) places_[bound_.shares[i].joint] = nothing;
    }

    /// How much of the bone's twist a link takes.
    [[nodiscard]] double twist_fraction(const TwistedBone& twist, std::uint32_t link,
                                        std::uint32_t first) const noexcept {
        const double along = double{points_.distances[link]} / double{avatar_.file->bones[twist.bone].length};
        const double fraction = along > 0 ? std::min(along, 1.0) : 0;  // 0 for NaN as well
        if (!twist.is_forearm) return 1 - fraction;
        if (link == first) return fraction;
        // Later links of the forearm: where the upper arm comes first the elbow is near, otherwise the hand.
        return bone_of(first) == avatar_.parents[twist.bone] ? 0 : 1;
    }

    static std::uint32_t joint_of(const TwistedBone& twist, double step) noexcept {
        const auto number = static_cast<std::uint32_t>(step);
        return number == 0 ? static_cast<std::uint32_t>(twist.bone) : twist.first_joint + number - 1;
    }

    void add_share(std::uint32_t joint, double weight) {
        if (!(weight > 0)) return;
        std::uint32_t& place = places_[joint];
        if (place != nothing) {
            bound_.shares[place].weight += weight;
            return;
        }
        place = static_cast<std::uint32_t>(bound_.shares.size());
        bound_.shares.push_back({joint, weight});
    }

    Build& build_;
    const Avatar& avatar_;
    const Points& points_;
    std::span<const BoundBone> bones_;
    MeshFindings& findings_;
    BoundPoints bound_;
    std::vector<std::size_t> bones_of_names_;
    std::vector<const TwistedBone*> twist_of_bones_;
    std::vector<double> weights_;        ///< of the point at work
    std::vector<std::uint32_t> places_;  ///< for each joint its place among the shares of the point at work
    std::size_t first_share_ = 0;
};

/// Joints and weights of one set of all vertices.
template <class Number>
void add_set(const Copies& copies, const BoundPoints& bound, std::uint32_t set, ComponentType component,
             effigy::Mesh& made) {
    const auto joints = add_attribute<Number>(made, Semantic::joints, ElementType::vec4, component, set);
    const auto weights = add_attribute<float>(made, Semantic::weights, ElementType::vec4, ComponentType::f32, set);
    for (std::size_t vertex = 0; vertex < made.vertex_count; ++vertex) {
        const std::uint32_t point = copies.points[vertex];
        const std::size_t first = bound.first_shares[point] + set * shares_in_set, end = bound.first_shares[point + 1];
        for (std::size_t k = 0; k < shares_in_set; ++k) {
            const JointWeight share = first + k < end ? bound.shares[first + k] : JointWeight{};
            const float weight = narrow(share.weight);
            weights[shares_in_set * vertex + k] = weight;
            joints[shares_in_set * vertex + k] = static_cast<Number>(weight > 0 ? share.joint : 0);
        }
    }
}

Mat4 inverse_bind(const BoundBone& bone, double metres) {
    const glm::dmat3 back = glm::transpose(bone.rotation);
    glm::dmat4 matrix(back);
    matrix[3] = glm::dvec4(-(back * bone.translation) * metres, 1);
    return narrow(matrix);
}

}  // namespace

Result<BoundPoints> bind_points(Build& build, const Avatar& avatar, const Mesh& mesh, std::span<const BoundBone> bones,
                                MeshFindings& findings) {
    return PointBinder(build, avatar, mesh, bones, findings).bind();
}

Result<bool> add_weights(Build& build, const Avatar& avatar, const Copies& copies, const BoundPoints& bound,
                         const std::string& path, effigy::Mesh& made) {
    const std::size_t joints = avatar.file->bones.size() + avatar.twists.size() * twist_steps;
    const bool small = joints <= std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;
    if (joints == 0) return false;
    if (joints > std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) {
        build.note(codes::arp_bone_count, "bones", "glTF has no numbers for so many joints: the mesh stands still.",
                   std::to_string(joints), "at most 65536");
        return false;
    }
    const std::size_t sets = (bound.max_shares + shares_in_set - 1) / shares_in_set;
    const std::uint64_t each = shares_in_set * (sizeof(float) + (small ? 1 : 2));
    auto taken = build.take(sets, made.vertex_count * each + sizeof(Attribute), "weights");
    if (!taken) return fail(std::move(taken.error()));
    if (sets > 1) {
        build.note(codes::arp_many_links, path,
                   "Points hang on more than four bones: viewers that read only JOINTS_0 show them wrongly.",
                   std::to_string(bound.max_shares));
    }
    for (std::uint32_t set = 0; set < sets; ++set) {
        if (small) {
            add_set<std::uint8_t>(copies, bound, set, ComponentType::u8, made);
        } else {
            add_set<std::uint16_t>(copies, bound, set, ComponentType::u16, made);
        }
    }
    return true;
}

Index add_skin(Build& build, const Avatar& avatar, std::span<const BoundBone> bones, const Bind& bind,
               std::string name) {
    Skin skin;
    skin.name = std::move(name);
    skin.skeleton = avatar.root;
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
        skin.joints.push_back(avatar.bone_nodes[bone]);
        skin.inverse_bind_matrices.push_back(inverse_bind(bones[bone], avatar.metres));
    }
    for (const TwistedBone& twist : avatar.twists) {
        for (const Index helper : twist.helpers) {
            skin.joints.push_back(helper);
            skin.inverse_bind_matrices.push_back(skin.inverse_bind_matrices[twist.bone]);
        }
    }
    skin.extras.json = skin_extras(bind);
    build.scene.skins.push_back(std::move(skin));
    return static_cast<Index>(build.scene.skins.size() - 1);
}

}  // namespace effigy::arp::bridge
