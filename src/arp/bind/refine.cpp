/// A recovered bind pose refined over all bones at once, as springs between links that should meet in one point.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <utility>

#include "arp/bind/problem.hpp"

// Between any two links of a point there is a spring, and all bones move at once until the springs are as short as they
// can be. Solving one bone after the other finds the same in the end, but takes thousands of rounds where few points on
// a line hold a limb, as hinges do. What such points leave open, springs at the joints decide, each as strong as one
// point's: wherever the bind is certain, nearly all joints are where the stored skeleton has them.

namespace effigy::arp {
namespace {

/// Real avatars have some 200 pairs of bones that share points. With more than this nothing is refined: the work stays
/// small whatever a file says.
constexpr std::size_t max_pairs = 1024;
/// A strip reaches 65,536 points; with four links each they have fewer springs.
constexpr std::size_t max_springs = 400'000;
constexpr int max_steps = 20;
/// Joints are as stored, or they say nothing: bones are turned by them only if so little is left of the distances.
constexpr double fraction_of_joints = 0.01;  // squared
constexpr int max_iterations = 300;          // of conjugate gradients, for one step

/// A small movement: along the axes, and about them through the bone's center. Forces and torques likewise.
struct Twist {
    glm::dvec3 move{0}, turn{0};
};

double dot(const std::vector<Twist>& a, const std::vector<Twist>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += glm::dot(a[k].move, b[k].move) + glm::dot(a[k].turn, b[k].turn);
    return sum;
}

void add(std::vector<Twist>& to, const std::vector<Twist>& v, double factor) {
    for (std::size_t k = 0; k < to.size(); ++k) {
        to[k].move += factor * v[k].move;
        to[k].turn += factor * v[k].turn;
    }
}

/// How forces on one bone follow from movements of another, summed over springs: their ends are at `arm` from the
/// bones' centers.
struct Coupling {
    double springs = 0;
    glm::dvec3 arms_a{0}, arms_b{0};
    glm::dmat3 turning{0};

    void add(const glm::dvec3& arm_a, const glm::dvec3& arm_b) {
        springs += 1;
        arms_a += arm_a;
        arms_b += arm_b;
        turning += glm::dmat3(glm::dot(arm_a, arm_b)) - glm::outerProduct(arm_b, arm_a);
    }
    [[nodiscard]] Twist on_a(const Twist& b) const {
        return {springs * b.move + glm::cross(b.turn, arms_b), glm::cross(arms_a, b.move) + turning * b.turn};
    }
    [[nodiscard]] Twist on_b(const Twist& a) const {
        return {springs * a.move + glm::cross(a.turn, arms_a), glm::cross(arms_b, a.move) + a.turn * turning};
    }
};

/// Where a spring is fixed to a bone.
struct End {
    std::uint32_t bone = 0;
    glm::dvec3 offset{0};
};

struct Spring {
    std::uint32_t a = 0, b = 0;  ///< ends; the bone of the first one is smaller
    std::uint32_t pair = 0;
};

class Springs {
public:
    /// Of the points' links or of joints only, for the bones that move.
    Springs(const BindProblem& problem, const std::vector<bool>& moves, bool points);

    [[nodiscard]] bool empty() const noexcept { return springs_.empty(); }
    /// Twice the energy.
    [[nodiscard]] double energy(const std::vector<Frame>& bones) const;
    /// The step of Gauss and Newton from here, damped as Levenberg and Marquardt have it.
    void prepare(const std::vector<Frame>& bones);
    [[nodiscard]] std::vector<Frame> step(const std::vector<Frame>& bones, double damping) const;

private:
    const BindProblem& problem_;
    std::vector<End> ends_;  ///< the links, then joints
    std::vector<Spring> springs_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  ///< of slots; Skeleton::none: it does not move
    std::vector<std::uint32_t> slots_;                            ///< of bones, in the lists below
    std::vector<glm::dvec3> centers_;
    std::vector<Coupling> own_;
    std::vector<Coupling> couplings_;  ///< of pairs
    std::vector<Twist> forces_;

    void add_spring(std::uint32_t a, std::uint32_t b);
    void add_points();
    void add_joints(const std::vector<bool>& moves);
    [[nodiscard]] bool find_pairs();
    [[nodiscard]] std::vector<glm::dvec3> places(const std::vector<Frame>& bones) const;
    [[nodiscard]] std::uint32_t slot(std::uint32_t end) const { return slots_[ends_[end].bone]; }
    void find_centers(const std::vector<glm::dvec3>& places);
    [[nodiscard]] glm::dmat3 damped_turning(std::size_t slot, double damping) const;
    [[nodiscard]] std::vector<Twist> times(const std::vector<Twist>& v, double damping) const;
    [[nodiscard]] std::vector<Twist> solve(double damping) const;
};

Springs::Springs(const BindProblem& problem, const std::vector<bool>& moves, bool points)
    : problem_(problem), slots_(moves.size(), Skeleton::none) {
    if (points) add_points();
    add_joints(moves);
    if (springs_.size() > max_springs || !find_pairs()) {
        springs_.clear();
        return;
    }
    std::uint32_t count = 0;
    for (std::uint32_t bone = 0; bone < slots_.size(); ++bone)
        if (moves[bone]) slots_[bone] = count++;
    for (auto& [a, b] : pairs_) a = slots_[a], b = slots_[b];
    centers_.resize(count);
}

void Springs::add_points() {
    for (const SharedLink& link : problem_.links) ends_.push_back({link.bone, link.offset});
    for (std::uint32_t a = 0; a < problem_.links.size() && springs_.size() <= max_springs; ++a)
        for (std::uint32_t b = a + 1; b < problem_.first_links[problem_.links[a].point + 1]; ++b) add_spring(a, b);
}

void Springs::add_spring(std::uint32_t a, std::uint32_t b) {
    if (ends_[a].bone == ends_[b].bone) return;
    if (ends_[a].bone > ends_[b].bone) std::swap(a, b);
    springs_.push_back({a, b, 0});
}

/// Bones that neither move nor share points follow their parents: nothing pulls at their joints.
void Springs::add_joints(const std::vector<bool>& moves) {
    const Skeleton& skeleton = problem_.skeleton;
    const auto is_placed = [&](std::uint32_t bone) {
        return moves[bone] || problem_.shares(bone) || bone == skeleton.root;
    };
    for (std::uint32_t bone = 0; bone < skeleton.parents.size(); ++bone) {
        const std::uint32_t parent = skeleton.parents[bone];
        if (parent == Skeleton::none || !is_placed(bone) || !is_placed(parent)) continue;
        if (!moves[bone] && !moves[parent]) continue;
        const auto end = static_cast<std::uint32_t>(ends_.size());
        ends_.push_back({parent, skeleton.locals[bone].translation});
        ends_.push_back({bone, glm::dvec3(0)});
        add_spring(end, end + 1);
    }
}

/// The pairs of bones that springs are between; false: too many.
bool Springs::find_pairs() {
    const auto bones_of = [&](const Spring& spring) { return std::pair(ends_[spring.a].bone, ends_[spring.b].bone); };
    for (const Spring& spring : springs_) pairs_.push_back(bones_of(spring));
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    if (pairs_.size() > max_pairs) return false;
    for (Spring& spring : springs_) {
        const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), bones_of(spring)) - pairs_.begin();
        spring.pair = static_cast<std::uint32_t>(place);
    }
    return true;
}

std::vector<glm::dvec3> Springs::places(const std::vector<Frame>& bones) const {
    std::vector<glm::dvec3> places;
    places.reserve(ends_.size());
    for (const End& end : ends_) places.push_back(bones[end.bone] * end.offset);
    return places;
}

double Springs::energy(const std::vector<Frame>& bones) const {
    const std::vector<glm::dvec3> at = places(bones);
    double sum = 0;
    for (const Spring& spring : springs_) {
        const glm::dvec3 apart = at[spring.b] - at[spring.a];
        sum += glm::dot(apart, apart);
    }
    return sum;
}

/// About the mean of their springs' ends, bones move and turn independently of each other.
void Springs::find_centers(const std::vector<glm::dvec3>& at) {
    std::vector<double> counts(centers_.size(), 0);
    std::fill(centers_.begin(), centers_.end(), glm::dvec3(0));
    for (const Spring& spring : springs_)
        for (const std::uint32_t end : {spring.a, spring.b})
            if (slot(end) != Skeleton::none) {
                centers_[slot(end)] += at[end];
                counts[slot(end)] += 1;
            }
    for (std::size_t k = 0; k < centers_.size(); ++k)
        if (counts[k] > 0) centers_[k] /= counts[k];
}

void Springs::prepare(const std::vector<Frame>& bones) {
    const std::vector<glm::dvec3> at = places(bones);
    find_centers(at);
    own_.assign(centers_.size(), {});
    forces_.assign(centers_.size(), {});
    couplings_.assign(pairs_.size(), {});
    for (const Spring& spring : springs_) {
        const auto pull = [&](std::uint32_t end, std::uint32_t other) {
            const std::uint32_t k = slot(end);
            if (k == Skeleton::none) return;
            const glm::dvec3 arm = at[end] - centers_[k], force = at[other] - at[end];
            own_[k].add(arm, arm);
            forces_[k].move += force;
            forces_[k].turn += glm::cross(arm, force);
        };
        pull(spring.a, spring.b);
        pull(spring.b, spring.a);
        const auto [a, b] = pairs_[spring.pair];
        if (a != Skeleton::none && b != Skeleton::none)
            couplings_[spring.pair].add(at[spring.a] - centers_[a], at[spring.b] - centers_[b]);
    }
}

glm::dmat3 Springs::damped_turning(std::size_t slot, double damping) const {
    const glm::dmat3& turning = own_[slot].turning;
    return turning + glm::dmat3(damping * (turning[0][0] + turning[1][1] + turning[2][2]));
}

std::vector<Twist> Springs::times(const std::vector<Twist>& v, double damping) const {
    std::vector<Twist> result(v.size());
    for (std::size_t k = 0; k < v.size(); ++k)
        result[k] = {(1 + damping) * own_[k].springs * v[k].move, damped_turning(k, damping) * v[k].turn};
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto [a, b] = pairs_[k];
        if (a == Skeleton::none || b == Skeleton::none) continue;
        const Twist on_a = couplings_[k].on_a(v[b]), on_b = couplings_[k].on_b(v[a]);
        result[a].move -= on_a.move;
        result[a].turn -= on_a.turn;
        result[b].move -= on_b.move;
        result[b].turn -= on_b.turn;
    }
    return result;
}

/// The inverse, or zero: points that are all in one place do not turn their bone.
glm::dmat3 inverse_or_zero(const glm::dmat3& matrix) {
    const double determinant = glm::determinant(matrix);
    return determinant > 0 && std::isfinite(determinant) ? glm::inverse(matrix) : glm::dmat3(0);
}

/// Conjugate gradients; the single bones' own answers are the preconditioner.
std::vector<Twist> Springs::solve(double damping) const {
    std::vector<glm::dmat3> turnings;
    for (std::size_t k = 0; k < own_.size(); ++k) turnings.push_back(inverse_or_zero(damped_turning(k, damping)));
    const auto alone = [&](const std::vector<Twist>& v) {
        std::vector<Twist> result(v.size());
        for (std::size_t k = 0; k < v.size(); ++k)
            if (own_[k].springs > 0) result[k] = {v[k].move / own_[k].springs, turnings[k] * v[k].turn};
        return result;
    };
    std::vector<Twist> answer(forces_.size()), left = forces_, direction = alone(left);
    double size = dot(left, direction);
    const double enough = 1e-16 * size;
    for (int k = 0; k < max_iterations && size > enough; ++k) {
        const std::vector<Twist> product = times(direction, damping);
        const double along = dot(direction, product);
        if (!(along > 0)) break;
        add(answer, direction, size / along);
        add(left, product, -size / along);
        std::vector<Twist> next = alone(left);
        const double next_size = dot(left, next);
        add(next, direction, next_size / size);
        direction = std::move(next);
        size = next_size;
    }
    return answer;
}

std::vector<Frame> Springs::step(const std::vector<Frame>& bones, double damping) const {
    const std::vector<Twist> twists = solve(damping);
    std::vector<Frame> result = bones;
    for (const std::uint32_t bone : problem_.skeleton.order) {
        const std::uint32_t k = slots_[bone];
        if (k == Skeleton::none) {
            if (bone != problem_.skeleton.root && !problem_.shares(bone))
                result[bone] = problem_.skeleton.child_of(bone, result);
            continue;
        }
        const double angle = glm::length(twists[k].turn);
        const glm::dquat turn = angle > 0 ? glm::angleAxis(angle, twists[k].turn / angle) : glm::dquat(1, 0, 0, 0);
        result[bone].rotation = glm::normalize(turn * bones[bone].rotation);
        result[bone].translation = centers_[k] + twists[k].move + turn * (bones[bone].translation - centers_[k]);
    }
    return result;
}

/// Steps until they no longer help.
void relax(Springs& springs, std::vector<Frame>& bones) {
    double energy = springs.energy(bones), damping = 1e-6;
    bool moved = true;
    for (int step = 0; step < max_steps && energy > 0; ++step) {
        if (moved) springs.prepare(bones);
        std::vector<Frame> next = springs.step(bones, damping);
        const double next_energy = springs.energy(next);
        moved = next_energy < energy;
        damping = std::clamp(moved ? damping / 10 : damping * 100, 1e-12, 1e6);
        if (!moved) continue;
        const bool enough = next_energy > 0.999 * energy;
        bones = std::move(next);
        energy = next_energy;
        if (enough) return;
    }
}

/// Bones that share no points, but have some below them that do.
std::vector<bool> bones_in_between(const BindProblem& problem) {
    const Skeleton& skeleton = problem.skeleton;
    std::vector<bool> found(skeleton.parents.size(), false);
    for (auto bone = skeleton.order.rbegin(); bone != skeleton.order.rend(); ++bone)
        if (const std::uint32_t parent = skeleton.parents[*bone]; parent != Skeleton::none)
            found[parent] = found[parent] || found[*bone] || problem.shares(*bone);
    for (std::uint32_t bone = 0; bone < found.size(); ++bone)
        if (problem.shares(bone) || bone == skeleton.root) found[bone] = false;
    return found;
}

}  // namespace

void refine(const BindProblem& problem, BindSolution& solution) {
    std::vector<bool> moves(problem.skeleton.parents.size());
    for (std::uint32_t bone = 0; bone < moves.size(); ++bone)
        moves[bone] = bone != problem.skeleton.root && problem.shares(bone);
    Springs springs(problem, moves, true);
    if (!springs.empty()) relax(springs, solution.bones);
}

void settle_joints(const BindProblem& problem, BindSolution& solution, double exact) {
    const std::vector<bool> moves = bones_in_between(problem);
    Springs springs(problem, moves, false);
    const double before = springs.empty() ? 0 : springs.energy(solution.bones);
    if (!(before > exact * exact)) return;
    std::vector<Frame> bones = solution.bones;
    relax(springs, bones);
    if (!(springs.energy(bones) < fraction_of_joints * before)) return;
    solution.bones = std::move(bones);
    for (std::size_t bone = 0; bone < moves.size(); ++bone)
        if (moves[bone]) solution.sources[bone] = BindSource::rotation;
}

}  // namespace effigy::arp
