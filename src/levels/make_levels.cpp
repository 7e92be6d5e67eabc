/// Which nodes of a scene get levels of detail and collision meshes, and the meshes themselves.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/matrix.hpp>
#include <map>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/levels.hpp"
#include "effigy/levels_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "levels/distance.hpp"
#include "levels/hull.hpp"
#include "levels/names.hpp"
#include "levels/simplify.hpp"
#include "scene/bridge.hpp"
#include "scene/triangles.hpp"
#include "scene/validate.hpp"
#include "scene/wide_math.hpp"

namespace effigy {
namespace levels {
namespace {

/// Up to so much more than a level was to have is nothing to talk about.
constexpr double near_enough = 1.1;

std::size_t triangles_of(const Mesh& mesh) {
    std::size_t count = 0;
    for (const Primitive& primitive : mesh.primitives) count += triangle_count(primitive);
    return count;
}

/// "0.25 %"
std::string percent(double part) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * part);
    return text.data();
}

/// What was made of one mesh, for all nodes that have it.
struct MadeMeshes {
    std::vector<Mesh> levels;
    std::optional<Mesh> collision;
};

class LevelMaker {
public:
    LevelMaker(Scene& scene, const LevelOptions& options)
        : scene_(scene), options_(options), state_(Budget(options.limits, size_of(scene))) {}

    Result<Report> run() {
        plan();
        std::size_t done = 0;
        for (const auto& [mesh, wishes] : wishes_) {
            if (options_.progress && !options_.progress(scene_.meshes[mesh].name, done++, wishes_.size()))
                return fail(problem_at("meshes", codes::limit_cancelled));
            if (auto made = make(mesh, wishes); !made) return fail(std::move(made.error()));
        }
        place();
        report();
        return std::move(state_.report);
    }

private:
    struct Wishes {
        bool levels = false, collision = false;
    };

    // --- which meshes

    void plan() {
        const VisibleMeshes visible(scene_);
        for (const Index node : visible.nodes()) {
            const Mesh& mesh = scene_.meshes[scene_.nodes[node].mesh];
            bool wants_levels = !options_.ratios.empty();
            if (wants_levels && visible.has_levels(node)) {
                kept_.add(scene_.nodes[node].name);
                wants_levels = false;
            }
            if (wants_levels && is_detail(scene_, node)) {
                details_.add(scene_.nodes[node].name);
                wants_levels = false;
            }
            const bool wants_collision = options_.collision != CollisionShape::none && !visible.has_collision(node);
            if ((!wants_levels && !wants_collision) || triangles_of(mesh) == 0) continue;
            const bool morphs = !mesh.targets.empty(), bends = scene_.nodes[node].skin != no_index;
            if (wants_levels && morphs) morphing_.add(mesh.name);
            if (wants_collision && bends) bending_.add(scene_.nodes[node].name);
            const Plan plan{node, wants_levels && !morphs, wants_collision && !bends};
            if (!plan.levels && !plan.collision) continue;
            Wishes& wishes = wishes_[scene_.nodes[node].mesh];
            wishes.levels = wishes.levels || plan.levels;
            wishes.collision = wishes.collision || plan.collision;
            plans_.push_back(plan);
        }
    }

    Result<void> make(Index index, const Wishes& wishes) {
        const Mesh& mesh = scene_.meshes[index];
        const std::uint64_t memory = memory_for(mesh);
        if (auto taken = state_.take(memory, 1, "levels of detail"); !taken) return taken;
        MadeMeshes& made = made_[index];
        if (wishes.levels) make_levels(mesh, made);
        if (wishes.collision) make_collision(mesh, made);
        state_.budget.give_back(memory);
        std::uint64_t bytes = made.collision ? bytes_of(*made.collision) : 0;
        for (const Mesh& level : made.levels) bytes += bytes_of(level);
        return state_.take(bytes, 1, "levels of detail");
    }

    static std::uint64_t bytes_of(const Mesh& mesh) {
        std::uint64_t bytes = 0;
        for (const Attribute& attribute : mesh.attributes) bytes += attribute.data.bytes.size();
        for (const Primitive& primitive : mesh.primitives) bytes += sizeof(std::uint32_t) * primitive.indices.size();
        return bytes;
    }

    // --- levels

    struct Attempt {
        std::vector<Mesh> levels;
        std::string counts, missed, equal;
        double farthest = 0;  ///< as part of the size
    };

    Attempt attempt(const Mesh& mesh, const TriangleTree& finest, double max_error) const {
        Attempt made;
        Simplifier simplifier(make_surface(mesh, Detail::all));
        const std::size_t all = simplifier.triangles().size();
        std::size_t last = all;
        made.counts = std::to_string(all);
        for (const double ratio : options_.ratios) {
            const double exact = ratio * static_cast<double>(all);
            simplifier.reduce(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(exact))), max_error);
            const std::size_t count = simplifier.triangles().size();
            if (static_cast<double>(count) > std::max(near_enough * exact, exact + 2))
                made.missed += (made.missed.empty() ? "" : ", ") + percent(ratio) + ": " +
                               percent(static_cast<double>(count) / static_cast<double>(all));
            if (count == 0 || count >= last) {
                made.equal += (made.equal.empty() ? "" : ", ") + percent(ratio);
                continue;
            }
            last = count;
            made.levels.push_back(mesh_of(mesh, simplifier.surface(), simplifier.triangles()));
            made.counts += ", " + std::to_string(count);
            constexpr std::size_t samples = 10'000;
            const double distance = distance_of(finest, TriangleTree(corners_of(made.levels.back())), samples);
            made.farthest = std::max(made.farthest, distance / simplifier.surface().size);
        }
        return made;
    }

    void make_levels(const Mesh& mesh, MadeMeshes& made) {
        const TriangleTree finest(corners_of(mesh));
        Attempt best = attempt(mesh, finest, options_.max_error);
        // The steps know what each has moved, and not quite what they have made together.
        double limit = options_.max_error;
        for (int tries = 0; best.farthest > options_.max_error && tries < 8; ++tries)
            best = attempt(mesh, finest, limit *= 0.7);
        if (!best.missed.empty()) missed_.add(mesh.name + " (" + best.missed + ")");
        if (!best.equal.empty()) equal_.add(mesh.name + " (" + best.equal + ")");
        if (!best.levels.empty()) levels_.add(mesh.name + " (" + best.counts + ": " + percent(best.farthest) + " off)");
        made.levels = std::move(best.levels);
    }

    // --- collision meshes

    Mesh cut_down(const Mesh& mesh) const {
        Simplifier simplifier(make_surface(mesh, Detail::shape));
        constexpr double any_error = 1;
        simplifier.reduce(options_.collision_triangles, any_error);
        return shape_of(mesh, simplifier.surface(), simplifier.triangles());
    }

    std::optional<Mesh> hull(const Mesh& mesh) const {
        auto hull = hull_of(mesh);
        // A hull of some of its vertices is one, too.
        if (hull && triangles_of(*hull) > options_.collision_triangles) hull = hull_of(cut_down(*hull));
        return hull;
    }

    void make_collision(const Mesh& mesh, MadeMeshes& made) {
        if (options_.collision == CollisionShape::hull) {
            made.collision = hull(mesh);
            if (!made.collision) flat_.add(mesh.name);
        }
        if (!made.collision && options_.collision != CollisionShape::mesh) made.collision = cut_down(mesh);
        if (!made.collision) {
            const Surface surface = make_surface(mesh, Detail::shape);
            made.collision = shape_of(mesh, surface, surface.triangles);
        }
        const std::size_t count = triangles_of(*made.collision);
        if (count == 0) {
            made.collision.reset();
            return;
        }
        collisions_.add(mesh.name + " (" + std::to_string(count) + ")");
        if (options_.collision != CollisionShape::mesh && count > options_.collision_triangles)
            large_.add(mesh.name + " (" + std::to_string(count) + ")");
    }

    // --- nodes

    void place() {
        std::map<Index, std::vector<Index>> levels;
        std::map<Index, Index> collisions;
        for (auto& [mesh, made] : made_) {
            for (std::size_t i = 0; i < made.levels.size(); ++i)
                levels[mesh].push_back(add_mesh(std::move(made.levels[i]), mesh, "-lod" + std::to_string(i + 1)));
            if (made.collision) collisions[mesh] = add_mesh(std::move(*made.collision), mesh, "-collision");
        }
        const auto worlds = world_matrices(scene_);
        for (const Plan& plan : plans_) {
            const Index mesh = scene_.nodes[plan.node].mesh;
            if (plan.levels) add_levels(plan.node, levels[mesh]);
            const auto collision = collisions.find(mesh);
            if (plan.collision && collision != collisions.end())
                add_collision(plan.node, collision->second, worlds[plan.node]);
        }
    }

    Index add_mesh(Mesh mesh, Index base, const std::string& mark) {
        mesh.name = stem_of(scene_.meshes[base].name) + mark;
        scene_.meshes.push_back(std::move(mesh));
        return static_cast<Index>(scene_.meshes.size() - 1);
    }

    Index add_hidden(Index base, Index mesh, const std::string& mark) {
        const auto index = static_cast<Index>(scene_.nodes.size());
        Node node;
        node.name = stem_of(scene_.nodes[base].name) + mark;
        node.mesh = mesh;
        node.hidden = true;
        scene_.nodes.push_back(std::move(node));
        return index;
    }

    /// A level stands where the node that it replaces stands.
    void add_levels(Index base, const std::vector<Index>& meshes) {
        for (const Index mesh : meshes) {
            const std::string mark = "-lod" + std::to_string(scene_.nodes[base].lods.size() + 1);
            const Index level = add_hidden(base, mesh, mark);
            scene_.nodes[level].local = scene_.nodes[base].local;
            scene_.nodes[level].matrix = scene_.nodes[base].matrix;
            scene_.nodes[level].skin = scene_.nodes[base].skin;
            scene_.nodes[base].lods.push_back(level);
        }
    }

    void add_collision(Index base, Index mesh, const std::array<double, 16>& world) {
        Node& node = scene_.nodes[add_hidden(base, mesh, "-collision")];
        node.collision = true;
        node.follows = base;
        Mat4 matrix;
        std::transform(world.begin(), world.end(), std::begin(matrix.m), [](double v) { return narrow(v); });
        if (matrix != Mat4{}) node.matrix = matrix;
    }

    void report() {
        state_.note_any(levels_, codes::levels_made, "meshes",
                        "These meshes got levels of detail: triangles of each, and how far they are off at most, as "
                        "part of the size.");
        state_.note_any(missed_, codes::level_ratio, "meshes",
                        "These meshes keep more triangles than asked for: what would go on is held by seams, borders "
                        "or --lod-error.");
        state_.note_any(equal_, codes::level_equal, "meshes");
        state_.note_any(kept_, codes::level_kept, "nodes");
        state_.note_any(details_, codes::level_detail, "nodes");
        state_.note_any(morphing_, codes::level_morphs, "meshes");
        state_.note_any(collisions_, codes::collision_made, "meshes", "These meshes got collision meshes (triangles).");
        state_.note_any(flat_, codes::collision_flat, "meshes");
        state_.note_any(large_, codes::collision_large, "meshes", {},
                        "at most " + std::to_string(options_.collision_triangles) + " triangles");
        state_.note_any(bending_, codes::collision_skinned, "nodes");
    }

    struct Plan {
        Index node;
        bool levels, collision;
    };

    Scene& scene_;
    const LevelOptions& options_;
    BridgeState state_;
    std::vector<Plan> plans_;
    std::map<Index, Wishes> wishes_;
    std::map<Index, MadeMeshes> made_;
    NameList levels_, missed_, equal_, morphing_, collisions_, flat_, large_, bending_, kept_, details_;
};

}  // namespace
}  // namespace levels

std::vector<double> usual_level_ratios(std::size_t count) {
    constexpr std::array<double, 3> usual{0.5, 0.25, 0.1};
    std::vector<double> ratios;
    for (std::size_t level = 1; level < count; ++level)
        ratios.push_back(level <= usual.size() ? usual[level - 1] : ratios.back() / 2);
    return ratios;
}

Result<Report> make_levels(Scene& scene, const LevelOptions& options) {
    return without_exceptions([&]() -> Result<Report> {
        if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
        auto checked = check_option("max_error", options.max_error, 0);
        for (const double ratio : options.ratios) {
            if (checked) checked = check_option("ratios", ratio, 0, 1);
        }
        if (!checked) return fail(std::move(checked.error()));
        return levels::LevelMaker(scene, options).run();
    });
}

}  // namespace effigy
