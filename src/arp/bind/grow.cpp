/// Bones bound one after the other, each fitted to those that are solved already: by constraints or by pairs of links.

#include <algorithm>
#include <queue>
#include <utility>

#include "arp/bind/problem.hpp"

namespace effigy::arp {
namespace {

/// Bones are solved one after the other; the order is what the two ways differ in.
struct Growth {
    const BindProblem& problem;
    std::vector<bool> solved;
    BindSolution solution;

    explicit Growth(const BindProblem& of)
        : problem(of), solved(of.skeleton.parents.size(), false), solution{of.skeleton.rest(), {}} {
        solution.sources.assign(solved.size(), BindSource::stored);
    }
    void place(std::uint32_t bone, const Frame& frame, BindSource source) {
        solution.bones[bone] = frame;
        solution.sources[bone] = source;
        solved[bone] = true;
    }
    [[nodiscard]] Frame stored(std::uint32_t bone) const { return problem.skeleton.child_of(bone, solution.bones); }
    [[nodiscard]] bool ready(std::uint32_t bone) const {
        const std::uint32_t parent = problem.skeleton.parents[bone];
        return !solved[bone] && (parent == Skeleton::none || solved[parent]);
    }
};

/// A bone against all solved ones that it shares points with. False: it has to wait for its parent.
bool solve(Growth& growth, std::uint32_t bone) {
    RigidFit points, all;
    const BindProblem& problem = growth.problem;
    problem.for_links_of(bone, [&](std::uint32_t k) {
        const SharedLink& own = problem.links[k];
        problem.for_others(k, [&](const SharedLink& other) {
            if (!growth.solved[other.bone]) return;
            const Frame& frame = growth.solution.bones[other.bone];
            points.add_point(own.offset, frame * other.offset, 1);
            all.add_point(own.offset, frame * other.offset, 1);
            all.add_direction(own.normal, frame.rotation * other.normal, 2);
        });
    });
    const Frame stored = growth.stored(bone);
    if (points.points() >= min_points && points.spread() > min_spread) {
        growth.place(bone, points.freely(stored.rotation), BindSource::rigid);
    } else if (!growth.ready(bone)) {
        return false;
    } else if (points.points() > 0) {
        growth.place(bone, all.about(stored.translation, stored.rotation), BindSource::rotation);
    } else {
        growth.place(bone, stored, BindSource::stored);
    }
    return true;
}

struct Candidate {
    std::size_t constraints = 0;
    std::uint32_t bone = 0;
    friend bool operator<(const Candidate& a, const Candidate& b) {
        return a.constraints != b.constraints ? a.constraints < b.constraints : a.bone > b.bone;
    }
};

/// Bones that may be solved, the one with most constraints first: those whose parent is solved, and in free order those
/// that do not need it. Entries that have become too small stay inside and are skipped.
class Candidates {
public:
    Candidates(const Growth& growth, GrowthOrder order)
        : growth_(growth), order_(order), constraints_(growth.solved.size(), 0) {
        children_.resize(growth.solved.size());
        for (const std::uint32_t bone : growth.problem.skeleton.order) {
            const std::uint32_t parent = growth.problem.skeleton.parents[bone];
            if (parent != Skeleton::none) children_[parent].push_back(bone);
            offer(bone);
        }
    }

    /// What a bone tells the others once it is solved.
    void solved(std::uint32_t bone) {
        const BindProblem& problem = growth_.problem;
        std::vector<std::uint32_t> touched;
        problem.for_links_of(bone, [&](std::uint32_t k) {
            problem.for_others(k, [&](const SharedLink& other) {
                ++constraints_[other.bone];
                touched.push_back(other.bone);
            });
        });
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const std::uint32_t other : touched) offer(other);
        for (const std::uint32_t child : children_[bone]) offer(child);
    }

    [[nodiscard]] std::uint32_t next() {
        while (!queue_.empty()) {
            const Candidate top = queue_.top();
            queue_.pop();
            if (!growth_.solved[top.bone] && top.constraints == constraints_[top.bone]) return top.bone;
        }
        return Skeleton::none;
    }

private:
    const Growth& growth_;
    GrowthOrder order_;
    std::vector<std::size_t> constraints_;
    std::vector<std::vector<std::uint32_t>> children_;
    std::priority_queue<Candidate> queue_;

    void offer(std::uint32_t bone) {
        const bool free = order_ == GrowthOrder::free && !growth_.solved[bone] && constraints_[bone] >= min_points;
        if (free || growth_.ready(bone)) queue_.push({constraints_[bone], bone});
    }
};

/// Two links of one point, of two bones.
struct PairLink {
    std::uint32_t low_bone = 0, high_bone = 0;
    std::uint32_t low = 0, high = 0;
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> bones() const { return {low_bone, high_bone}; }
};

std::vector<PairLink> pair_links(const BindProblem& problem) {
    std::vector<PairLink> pairs;
    for (std::uint32_t a = 0; a < problem.links.size(); ++a) {
        const SharedLink& link = problem.links[a];
        for (std::uint32_t b = a + 1; b < problem.first_links[link.point + 1]; ++b)
            if (link.bone < problem.links[b].bone) {
                pairs.push_back({link.bone, problem.links[b].bone, a, b});
            } else if (link.bone > problem.links[b].bone) {
                pairs.push_back({problem.links[b].bone, link.bone, b, a});
            }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const PairLink& a, const PairLink& b) { return a.bones() < b.bones(); });
    return pairs;
}

/// What one bone tells of another.
struct Edge {
    double score = 0;  ///< number and spread of the points
    std::uint32_t from = 0, to = 0;
    Frame step;  ///< from the frame of `to` to that of `from`
};

struct LowerScore {
    const std::vector<Edge>* edges;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
        return (*edges)[a].score != (*edges)[b].score ? (*edges)[a].score < (*edges)[b].score : a > b;
    }
};

Frame inverse(const Frame& frame) {
    const glm::dquat back = glm::conjugate(frame.rotation);
    return {-(back * frame.translation), back};
}

std::vector<Edge> edges_of(const BindProblem& problem) {
    std::vector<Edge> edges;
    const std::vector<PairLink> pairs = pair_links(problem);
    for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
        RigidFit fit;
        for (end = begin; end < pairs.size() && pairs[end].bones() == pairs[begin].bones(); ++end)
            fit.add_point(problem.links[pairs[end].high].offset, problem.links[pairs[end].low].offset, 1);
        if (fit.points() < min_points || !(fit.spread() > min_spread)) continue;
        const double score = static_cast<double>(fit.points()) * fit.area();
        const Frame step = fit.freely(glm::dquat(1, 0, 0, 0));
        edges.push_back({score, pairs[begin].low_bone, pairs[begin].high_bone, step});
        edges.push_back({score, pairs[begin].high_bone, pairs[begin].low_bone, inverse(step)});
    }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
    return edges;
}

}  // namespace

BindSolution grow_by_constraints(const BindProblem& problem, GrowthOrder order) {
    Growth growth(problem);
    if (problem.skeleton.root == Skeleton::none) return std::move(growth.solution);
    growth.place(problem.skeleton.root, growth.solution.bones[problem.skeleton.root], BindSource::stored);
    Candidates candidates(growth, order);
    candidates.solved(problem.skeleton.root);
    for (std::uint32_t bone = candidates.next(); bone != Skeleton::none; bone = candidates.next())
        if (solve(growth, bone)) candidates.solved(bone);
    return std::move(growth.solution);
}

BindSolution grow_by_pairs(const BindProblem& problem) {
    Growth growth(problem);
    if (problem.skeleton.root == Skeleton::none) return std::move(growth.solution);
    const std::vector<Edge> edges = edges_of(problem);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, LowerScore> queue(LowerScore{&edges});
    const auto spread_from = [&](std::uint32_t bone) {
        const auto begin = std::lower_bound(edges.begin(), edges.end(), bone,
                                            [](const Edge& edge, std::uint32_t from) { return edge.from < from; });
        for (auto edge = begin; edge != edges.end() && edge->from == bone; ++edge)
            if (!growth.solved[edge->to]) queue.push(static_cast<std::uint32_t>(edge - edges.begin()));
        for (; !queue.empty();) {
            const Edge& best = edges[queue.top()];
            queue.pop();
            if (growth.solved[best.to]) continue;
            growth.place(best.to, growth.solution.bones[best.from] * best.step, BindSource::rigid);
            return best.to;
        }
        return Skeleton::none;
    };
    const auto grow_from = [&](std::uint32_t bone) {
        growth.place(bone, growth.stored(bone), BindSource::stored);
        while (bone != Skeleton::none) bone = spread_from(bone);
    };
    // A root below other bones keeps its stored place all the same.
    growth.place(problem.skeleton.root, growth.solution.bones[problem.skeleton.root], BindSource::stored);
    for (std::uint32_t bone = problem.skeleton.root; bone != Skeleton::none;) bone = spread_from(bone);
    for (const std::uint32_t bone : problem.skeleton.order)
        if (!growth.solved[bone]) grow_from(bone);
    return std::move(growth.solution);
}

}  // namespace effigy::arp
