/// The bind pose of a signing avatar, recovered from points that several bones share: the steps and what is accepted.

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <limits>
#include <utility>

#include "effigy/arp_bind.hpp"

#include "arp/bind/problem.hpp"
#include "arp/file/units.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp {
namespace {

/// As fractions of the avatar's size. Rounding to floats alone makes residuals of up to 1.3e-5 in real files, so that
/// nothing is to be gained below this.
constexpr double exact_fraction = 1e-5;
/// The rest pose is off by more than ten times as much in real files that have another bind, and a bind that fits is
/// off by a tenth at most.
constexpr double near_enough = 1e-3;
/// A bind explains the points if so many of them are near enough: a few points were moved by hand after binding.
constexpr double fraction_that_fits = 0.9;
constexpr int max_trims = 3;
/// Where half of the points are farther off than this, small steps lead nowhere.
constexpr double hopeless = 0.05;

double quantile(std::vector<double> values, double fraction) {
    if (values.empty()) return 0;
    const auto place =
        std::min(values.size() - 1, static_cast<std::size_t>(fraction * static_cast<double>(values.size())));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

struct Fit {
    BindSolution solution;
    double worst = 0, median = 0, most = 0;  ///< of residuals; fraction_that_fits of them are at most `most`
    std::size_t worst_place = 0;

    Fit(const BindProblem& problem, BindSolution of) : solution(std::move(of)) {
        const std::vector<double> all = residuals(problem, solution.bones);
        if (all.empty()) return;
        worst_place = static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
        worst = all[worst_place];
        median = quantile(all, 0.5);
        most = quantile(all, fraction_that_fits);
    }
};

struct Box {
    glm::dvec3 low{std::numeric_limits<double>::infinity()}, high{-std::numeric_limits<double>::infinity()};
    [[nodiscard]] glm::dvec3 size() const { return glm::max(high - low, glm::dvec3(0)); }
};

/// Of all points, each at the weighted mean of its links.
Box box_of(const File& file, const Mesh& mesh, const std::vector<Frame>& bones) {
    Box box;
    for (PointCursor cursor(file, mesh); cursor.next();) {
        if (cursor.links().empty()) continue;
        glm::dvec3 place(0);
        for (const SharedLink& link : cursor.links()) place += link.weight * (bones[link.bone] * link.offset);
        box.low = glm::min(box.low, place);
        box.high = glm::max(box.high, place);
    }
    return box;
}

BindSolution rest_of(const BindProblem& problem) {
    BindSolution rest{problem.skeleton.rest(), {}};
    rest.sources.assign(rest.bones.size(), BindSource::stored);
    return rest;
}

/// The recipe, and what may be better where it leaves more than rounding errors. A candidate must make the worst
/// residual smaller, and must not pay for it with the others.
Fit best_fit(const BindProblem& problem, double size) {
    Fit best(problem, grow_by_constraints(problem));
    const auto offer = [&](Fit fit) {
        if (fit.worst < best.worst && fit.median <= std::max(best.median, exact_fraction * size)) best = std::move(fit);
    };
    if (best.worst <= exact_fraction * size) return best;
    const std::array<BindSolution, 3> starts{best.solution, grow_by_pairs(problem),
                                             grow_by_constraints(problem, GrowthOrder::free)};
    for (const BindSolution& start : starts) offer(Fit(problem, start));
    offer(Fit(problem, rest_of(problem)));
    for (BindSolution solution : starts) {
        if (best.worst <= exact_fraction * size || best.median > hopeless * size) break;
        refine(problem, solution);
        offer(Fit(problem, std::move(solution)));
    }
    return best;
}

/// Where no bind fits, a few points may have spoiled it for all: solved again without the worst ones.
Fit without_worst(const BindProblem& problem, Fit best, double size) {
    if (best.median > hopeless * size) return best;
    for (int round = 0; round < max_trims && best.most > near_enough * size; ++round) {
        const BindProblem kept = without_outliers(problem, residuals(problem, best.solution.bones), best.most);
        BindSolution solution = grow_by_constraints(kept);
        refine(kept, solution);
        Fit fit(problem, std::move(solution));
        if (!(fit.most < best.most)) break;
        best = std::move(fit);
    }
    return best;
}

/// What residuals are measured by. Of the points only where the file names no height: hair is not part of it.
double height_of(const File& file, const Box& points) {
    const double height = volume_height(file);
    return height > 0 ? height : points.size().y;
}

BoneFrame narrow_frame(const Frame& frame) {
    const glm::dquat q = glm::normalize(frame.rotation);
    return {{frame.translation.x, frame.translation.y, frame.translation.z}, {q.x, q.y, q.z, q.w}};
}

}  // namespace

Bind recover_bind(const File& file, std::size_t mesh) {
    static const Mesh no_mesh;
    const Mesh& points = mesh < file.meshes.size() ? file.meshes[mesh] : no_mesh;
    const BindProblem problem = problem_of(file, points);
    const double size = largest(box_of(file, points, problem.skeleton.rest()).size());
    Fit fit = without_worst(problem, best_fit(problem, size), size);
    settle_joints(problem, fit.solution, exact_fraction * size);
    Box box = box_of(file, points, fit.solution.bones);
    Bind bind;
    bind.fits = problem.points.empty() || fit.most <= near_enough * largest(box.size());
    if (!bind.fits) {
        fit = Fit(problem, rest_of(problem));
        box = box_of(file, points, fit.solution.bones);
    }
    for (const Frame& frame : fit.solution.bones) bind.bones.push_back(narrow_frame(frame));
    bind.sources = std::move(fit.solution.sources);
    bind.worst_residual = fit.worst;
    bind.median_residual = fit.median;
    bind.worst_point = problem.points.empty() ? 0 : problem.points[fit.worst_place];
    bind.shared_points = problem.points.size();
    bind.height = height_of(file, box);
    return bind;
}

}  // namespace effigy::arp
