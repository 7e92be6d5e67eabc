/// Levels of detail: which mesh is which level of which, and the scene nodes that hold them (MSFT_lod).

#include <algorithm>
#include <glm/matrix.hpp>
#include <map>
#include <set>
#include <tuple>

#include "effigy/emfx_codes.hpp"

#include "emfx/file/formats.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/geometry.hpp"
#include "emfx/to_scene/to_scene.hpp"
#include "scene/triangles.hpp"

namespace effigy::emfx::bridge {
namespace {

/// One mesh in all its levels of detail, the finest first.
struct Group {
    bool collision = false;
    std::vector<std::size_t> jobs;
};

/// The skinnings of the meshes of one key, by their chunks.
struct KeySkinnings {
    std::size_t first;
    std::set<std::size_t> free;  ///< those that no mesh has taken

    /// The next one behind a mesh, or any that is free; the first one where there are more meshes than skinnings.
    std::size_t take(std::size_t mesh) {
        if (free.empty()) return first;
        auto found = free.upper_bound(mesh);
        if (found == free.end()) found = free.begin();
        return free.extract(found).value();
    }
};

std::map<MeshKey, KeySkinnings> skinnings_of(const xac::File& file) {
    std::map<MeshKey, KeySkinnings> skinnings;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const auto* skinning = std::get_if<xac::Skinning>(&file.chunks[i].record);
        if (skinning == nullptr) continue;
        const auto [place, is_new] = skinnings.try_emplace(key_of(*skinning), KeySkinnings{i, {}});
        place->second.free.insert(i);
    }
    return skinnings;
}

void collect_jobs(Context& context, std::size_t model_number) {
    const Model& model = context.models[model_number];
    std::map<MeshKey, KeySkinnings> skinnings = skinnings_of(*model.file);
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < model.file->chunks.size(); ++i) {
        auto* mesh = std::get_if<xac::Mesh>(&model.file->chunks[i].record);
        if (mesh == nullptr) continue;
        MeshJob job;
        job.model = model_number;
        job.chunk = i;
        job.mesh = mesh;
        job.level = model.base_level + mesh->lod;
        job.collision = mesh->is_collision != 0;
        const auto found = skinnings.find(key_of(*mesh));
        if (found != skinnings.end()) {
            job.skinning_chunk = found->second.take(i);
            job.skinning = std::get_if<xac::Skinning>(&model.file->chunks[job.skinning_chunk].record);
            used.insert(job.skinning_chunk);
        }
        if (mesh->node < model.to_skeleton.size()) {
            job.node = model.to_skeleton[mesh->node];
            job.keep_winding = is_mirrored(context.skeleton.nodes[job.node].world);
        } else {
            context.note(codes::mesh_node, "chunk[" + std::to_string(i) + "] mesh",
                         "The mesh names a node that does not exist; it hangs at the root of the scene.",
                         std::to_string(mesh->node), "less than " + std::to_string(model.records.size()));
        }
        context.jobs.push_back(job);
    }
    for (std::size_t i = 0; i < model.file->chunks.size(); ++i) {
        const bool is_skinning = std::holds_alternative<xac::Skinning>(model.file->chunks[i].record);
        if (is_skinning && !used.contains(i)) context.keep_chunk(model_number, i);
    }
}

std::vector<Group> group_jobs(const Context& context) {
    using Place = std::tuple<std::size_t, std::uint64_t, Index, bool>;
    using Key = std::tuple<std::size_t, Index, bool, std::size_t>;
    std::map<Place, std::size_t> ordinals;
    std::map<Key, std::size_t> numbers;
    std::vector<Group> groups;
    for (std::size_t i = 0; i < context.jobs.size(); ++i) {
        const MeshJob& job = context.jobs[i];
        const std::size_t part = context.models[job.model].part;
        const std::size_t ordinal = ordinals[{part, job.level, job.node, job.collision}]++;
        const auto [place, is_new] = numbers.try_emplace({part, job.node, job.collision, ordinal}, groups.size());
        if (is_new) groups.push_back({job.collision, {}});
        groups[place->second].jobs.push_back(i);
    }
    for (Group& group : groups) {
        std::stable_sort(group.jobs.begin(), group.jobs.end(),
                         [&](std::size_t a, std::size_t b) { return context.jobs[a].level < context.jobs[b].level; });
    }
    return groups;
}

std::string name_of(const Context& context, const MeshJob& job) {
    return job.node == no_index ? "mesh" : context.skeleton.nodes[job.node].name;
}

/// Leaves one level of each group if one is asked for: the wanted one, or the next finer one that exists.
void select_level(Context& context, std::vector<Group>& groups) {
    if (context.options.lod < 0) return;
    const auto wanted = static_cast<std::uint64_t>(context.options.lod);
    NameList others;
    for (Group& group : groups) {
        std::vector<std::size_t> chosen;
        for (const std::size_t job : group.jobs) {
            if (context.jobs[job].level <= wanted) chosen.assign(1, job);
        }
        group.jobs = std::move(chosen);
        if (group.jobs.empty() || group.collision) continue;
        const MeshJob& job = context.jobs[group.jobs.front()];
        if (job.level != wanted) others.add(name_of(context, job));
    }
    context.note_any(others, codes::lod_other, "nodes",
                     "The meshes of these nodes lack the level of detail that was asked for; the next finer one that "
                     "they have is shown.",
                     "level " + std::to_string(wanted));
}

/// Builds the meshes of the jobs that are shown in any way, in the order of the file; frees what is not needed.
Result<void> build(Context& context, const std::vector<Group>& groups) {
    std::vector<bool> wanted(context.jobs.size(), false);
    for (const Group& group : groups) {
        for (const std::size_t job : group.jobs) wanted[job] = true;
    }
    std::unordered_map<const xac::Skinning*, std::size_t> users;
    for (const MeshJob& job : context.jobs) ++users[job.skinning];
    for (std::size_t i = 0; i < context.jobs.size(); ++i) {
        MeshJob& job = context.jobs[i];
        context.file = context.models[job.model].source->named();
        if (wanted[i]) {
            auto mesh = add_mesh(context, job);
            if (!mesh) return fail(std::move(mesh.error()));
            job.scene_mesh = *mesh;
        }
        job.mesh->layers = {};
        job.mesh->submeshes = {};
        if (job.skinning == nullptr || --users[job.skinning] != 0) continue;
        job.skinning->influences = {};
        job.skinning->ranges = {};
        job.skinning->vertices = {};
    }
    return {};
}

/// Puts built meshes on nodes.
class Placer {
public:
    explicit Placer(Context& context) : context_(context), scene_(context.scene) {}

    void place(const Group& group) {
        std::vector<MeshJob*> jobs;
        for (const std::size_t job : group.jobs) {
            if (context_.jobs[job].scene_mesh != no_index) jobs.push_back(&context_.jobs[job]);
        }
        if (jobs.empty()) return;
        context_.file = context_.models[jobs.front()->model].source->named();
        if (group.collision) {
            for (MeshJob* job : jobs) place_collision(*job);
        } else if (context_.options.lod < 0 && jobs.front()->level != 0) {
            for (MeshJob* job : jobs) place_orphan(*job);
        } else {
            place_visible(jobs);
        }
    }

private:
    Index add(MeshJob& job, std::string name, Index parent) {
        job.scene_node = context_.add_node(std::move(name), parent);
        set(job);
        return job.scene_node;
    }

    void set(const MeshJob& job) {
        scene_.nodes[job.scene_node].mesh = job.scene_mesh;
        scene_.nodes[job.scene_node].skin = job.scene_skin;
    }

    Index add_hidden(MeshJob& job, std::string name) {
        const Index node = add(job, std::move(name), no_index);
        scene_.nodes[node].hidden = true;
        return node;
    }

    /// For nodes that only hold a mesh.
    Json place_record(const MeshJob& job) const {
        Json json{{"helper", true}};
        if (job.node != no_index) json["node"] = context_.skeleton.nodes[job.node].name;
        if (is_called_level(job)) json["level"] = job.level;
        return json;
    }

    /// The only level that is shown is the finest one of the scene.
    [[nodiscard]] bool is_called_level(const MeshJob& job) const { return job.level != 0 && context_.options.lod < 0; }

    /// ".mesh", ".mesh2", ... for meshes that need a node of their own.
    std::string own_name(const MeshJob& job) {
        const int number = ++meshes_[job.node];
        return name_of(context_, job) + ".mesh" + (number == 1 ? "" : std::to_string(number));
    }

    void place_visible(const std::vector<MeshJob*>& jobs) {
        MeshJob& base = *jobs.front();
        const bool skinned = base.scene_skin != no_index;
        const Index node = base.node == no_index ? no_index : context_.skeleton.nodes[base.node].last;
        if (!skinned && jobs.size() == 1 && node != no_index && scene_.nodes[node].mesh == no_index) {
            base.scene_node = node;
            set(base);
            return;
        }
        add(base, own_name(base), skinned ? no_index : node);
        set_record(scene_.nodes[base.scene_node].extras, place_record(base));
        for (std::size_t i = 1; i < jobs.size(); ++i) place_level(base, *jobs[i], skinned);
    }

    void place_level(const MeshJob& base, MeshJob& job, bool skinned) {
        const Index node = add_hidden(job, level_name(job));
        if ((job.scene_skin != no_index) == skinned) {
            set_record(scene_.nodes[node].extras, place_record(job));
            scene_.nodes[base.scene_node].lods.push_back(node);
            return;
        }
        set_in_world(job, node, place_record(job));
        context_.note(
            codes::lod_kind, "node " + name_of(context_, job),
            "This level of detail is skinned where level 0 is not, or the other way round; it is kept, hidden.",
            std::to_string(job.level));
    }

    std::string level_name(const MeshJob& job) const {
        return name_of(context_, job) + ".lod" + std::to_string(job.level);
    }

    void place_orphan(MeshJob& job) {
        set_in_world(job, add_hidden(job, level_name(job)), place_record(job));
        context_.note(codes::lod_without_base, "node " + name_of(context_, job), {}, std::to_string(job.level));
    }

    void place_collision(MeshJob& job) {
        const std::string level = is_called_level(job) ? ".lod" + std::to_string(job.level) : "";
        const Index node = add_hidden(job, name_of(context_, job) + ".collision" + level);
        scene_.nodes[node].collision = true;
        Json extras{{"collision", true}};
        if (job.node != no_index) extras["node"] = context_.skeleton.nodes[job.node].name;
        if (is_called_level(job)) extras["level"] = job.level;
        set_in_world(job, node, std::move(extras));
    }

    void set_in_world(MeshJob& job, Index node, Json extras) {
        place_in_world(job, node);
        if (job.is_baked) extras["baked"] = true;
        set_record(scene_.nodes[node].extras, extras);
    }

    /// A mesh that follows its node stands where the node rests; its vertices may have to be moved there.
    void place_in_world(MeshJob& job, Index node) {
        if (job.node == no_index || job.scene_skin != no_index) return;
        scene_.nodes[node].follows = context_.skeleton.nodes[job.node].last;
        const glm::dmat4& world = context_.skeleton.nodes[job.node].world;
        if (const auto transform = decompose(world)) {
            scene_.nodes[node].local = *transform;
            return;
        }
        bake(job, world);
        job.is_baked = true;
    }

    void bake(const MeshJob& job, const glm::dmat4& world) {
        Mesh& mesh = scene_.meshes[job.scene_mesh];
        const auto inverse = inverse_affine(world, 1e-15);
        const glm::dmat3 linear(world);
        const glm::dmat3 normal_matrix = inverse ? glm::transpose(glm::dmat3(*inverse)) : glm::dmat3(1);
        const float side = is_mirrored(world) ? -1.0f : 1.0f;
        for (Attribute& attribute : mesh.attributes) {
            if (attribute.semantic == Semantic::position) {
                for (Vec3& v : attribute.data.as<Vec3>()) v = narrow(glm::dvec3(world * glm::dvec4(v.x, v.y, v.z, 1)));
            } else if (attribute.semantic == Semantic::normal) {
                for (Vec3& v : attribute.data.as<Vec3>()) v = transformed(normal_matrix, v, {0, 0, 1});
            } else if (attribute.semantic == Semantic::tangent || attribute.custom_name.starts_with("_TANGENT_")) {
                for (Vec4& v : attribute.data.as<Vec4>()) {
                    const Vec3 direction = transformed(linear, {v.x, v.y, v.z}, {1, 0, 0});
                    v = {direction.x, direction.y, direction.z, side * v.w};
                }
            } else if (attribute.custom_name.starts_with("_BITANGENT_")) {
                for (Vec3& v : attribute.data.as<Vec3>()) v = transformed(linear, v, {0, 0, 0});
            }
        }
        if (is_mirrored(world)) {
            for (Primitive& primitive : mesh.primitives) reverse_winding(primitive.indices);
        }
        context_.note(
            codes::collision_baked, "node " + name_of(context_, job),
            "The node's transform has shear, which one glTF node cannot say; the mesh is stored in world space, "
            "and is computed anew on the way back if it is edited or a level of detail.");
    }

    static Vec3 transformed(const glm::dmat3& linear, Vec3 v, const glm::dvec3& fallback) {
        return narrow(direction_of(linear * glm::dvec3(v.x, v.y, v.z), fallback));
    }

    Context& context_;
    Scene& scene_;
    std::map<Index, int> meshes_;
};

}  // namespace

Result<void> add_meshes(Context& context) {
    for (std::size_t model = 0; model < context.models.size(); ++model) {
        context.file = context.models[model].source->named();
        collect_jobs(context, model);
    }
    std::vector<Group> groups = group_jobs(context);
    select_level(context, groups);
    if (auto built = build(context, groups); !built) return built;
    Placer placer(context);
    for (const Group& group : groups) placer.place(group);
    return {};
}

}  // namespace effigy::emfx::bridge
