/// Meshes, one for each level of detail, and the nodes that carry them.

#include <algorithm>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "scene/records.hpp"
#include "x42/to_scene/geometry.hpp"

namespace effigy::x42::bridge {
namespace {

class MeshBuilder {
public:
    MeshBuilder(Build& build, const Model& model) : build_(build), model_(model), file_(*model.file) {}

    Result<void> add() {
        auto geometry = plan_geometry(build_, model_);
        if (!geometry) return fail(std::move(geometry.error()));
        geometry_ = std::move(*geometry);
        note_sizes();
        return add_joints()
            .and_then([&] {
                for (const Level& level : geometry_.levels) add_level(level);
                wind();
                finish_vertices();
                return add_morphs(build_, model_, meshes_);
            })
            .map([&] {
                report();
                place();
            });
    }

private:
    void note_sizes() {
        const auto check = [&](std::size_t size, std::uint16_t flag, const char* path) {
            const bool wanted = (file_.header.model_flags & flag) != 0 && !file_.vertices.empty();
            if (size == file_.vertices.size() || (size == 0 && !wanted)) return;
            build_.note(codes::x42_array_size.as(Severity::warning), path,
                        "There is not one element for each vertex; the model goes without.", std::to_string(size),
                        std::to_string(file_.vertices.size()));
        };
        check(file_.normals.size(), has_normals, "normals");
        check(file_.tangents.size(), has_tangents, "tangents");
        check(file_.texcoords.size(), has_texcoords, "texcoords");
        check(file_.colors.size(), has_colors, "colors");
    }

    Result<void> add_joints() {
        const auto any = [&](auto&& test) {
            return std::any_of(geometry_.levels.begin(), geometry_.levels.end(), test);
        };
        if (!any([](const Level& level) { return level.skinned; })) return {};
        auto joints = make_joints(build_, model_, any([](const Level& level) { return level.needs_still; }));
        if (!joints) return fail(std::move(joints.error()));
        joints_ = std::move(*joints);
        return {};
    }

    [[nodiscard]] std::string name_of_level(const Level& level) const {
        const std::string own_stem = build_.text(model_.source->stem);
        const std::string& stem = own_stem.empty() ? build_.scene.nodes[model_.root].name : own_stem;
        const std::string name = level.lod ? build_.text(name_of(file_, file_.lods[*level.lod].name)) : "mesh";
        return stem + "." + (name.empty() ? "lod" + std::to_string(level.number) : name);
    }

    /// With the winding of the file, and without what needs the final one.
    void add_level(const Level& level) {
        Mesh mesh;
        mesh.name = name_of_level(level);
        mesh.vertex_count = level.vertex_count;
        const bool textured = is_textured(file_);
        for (const Piece& piece : level.pieces) {
            Primitive primitive;
            primitive.first_vertex = piece.first_vertex;
            primitive.vertex_count = piece.group->vertex_count;
            primitive.topology = piece.group->topology;
            primitive.indices = elements_of(file_, *piece.group, findings_);
            if (primitive.indices.empty()) continue;
            primitive.material = material_of(build_, piece.group->shader, textured);
            mesh.primitives.push_back(std::move(primitive));
        }
        if (mesh.primitives.empty()) {
            build_.note(codes::mesh_empty, mesh.name, "The level of detail has nothing to draw; it is left out.");
            return;
        }
        add_vertices(file_, level, mesh, findings_);
        meshes_.push_back({&level, std::move(mesh)});
    }

    void wind() {
        Vote vote;
        for (LevelMesh& one : meshes_) judge_winding(one.mesh, vote);
        if (vote.is_contradicted()) {
            winding_kept_ = true;
            build_.note(codes::x42_winding_kept, "indices",
                        "Triangles turn the other way round than those of known files, as their normals show; they are "
                        "left as they are.",
                        vote.text() + " triangles");
            return;
        }
        for (LevelMesh& one : meshes_) {
            for (Primitive& primitive : one.mesh.primitives) reverse_winding(primitive);
        }
    }

    void finish_vertices() {
        Vote vote;
        for (LevelMesh& one : meshes_) {
            repair_normals(one.mesh, findings_);
            add_tangents(file_, *one.level, one.mesh, findings_);
            judge_bitangents(one.mesh, vote);
            if (one.level->skinned) add_weights(file_, joints_, *one.level, one.mesh, findings_);
        }
        if (!vote.is_contradicted()) return;
        for (LevelMesh& one : meshes_) {
            for (Vec4& tangent : elements<Vec4>(one.mesh, Semantic::tangent)) tangent.w = -tangent.w;
        }
        build_.note(
            codes::x42_bitangents_turned, "tangents",
            "The file's bitangents run along v, as its triangles show; they are turned round, as glTF has them.",
            vote.text() + " triangles");
    }

    void report() {
        build_.note_any(findings_.not_finite, codes::not_finite_replaced, "vertices",
                        "Numbers that are not finite become 0.");
        build_.note_any(findings_.bad_normals, codes::normal_repaired, "normals",
                        "Normals of no length become those of their faces.");
        build_.note_any(findings_.bad_tangents, codes::tangent_repaired, "tangents",
                        "Tangents that say no direction, or no side, are replaced.");
        build_.note_any(findings_.heavy, codes::x42_weight_sum, "blend",
                        "The weights of these vertices add up to more than 1; they are made smaller.");
        build_.note_any(findings_.many, codes::x42_group_weights.as(Severity::warning), "blend",
                        "These vertices have more than four influences; the strongest four remain.");
        build_.note_any(findings_.repeated, codes::x42_blend_repeated, "blend",
                        "Vertices that follow one bone in one place twice get the sum of both weights.");
        build_.note_any(
            findings_.bad_blend, codes::x42_blend_index.as(Severity::warning), "blend",
            "These vertices follow influences that their group does not have; the first one takes their place.");
        build_.note_any(
            findings_.astray, codes::x42_index_range.as(Severity::warning), "indices",
            "These indices lead outside their group; lists lose what they draw, strips and fans end there.");
        build_.note_any(findings_.incomplete, codes::x42_group_incomplete, "indices",
                        "These indices are left over: they make no whole primitive.");
    }

    /// Skinned meshes hang on nodes of their own at the root of the scene, and so do all levels but the finest.
    void place() {
        Index base = no_index;
        if (!joints_.skin.joints.empty() && any_skinned()) {
            build_.scene.skins.push_back(std::move(joints_.skin));
            skin_ = static_cast<Index>(build_.scene.skins.size() - 1);
        }
        for (LevelMesh& one : meshes_) {
            const bool skinned = one.level->skinned;
            set_record(one.mesh.extras, extras_of(*one.level, one.mesh));
            const bool at_root = skinned || base != no_index;
            const Index node = build_.add_node(one.mesh.name, at_root ? no_index : model_.root);
            build_.scene.nodes[node].mesh = static_cast<Index>(build_.scene.meshes.size());
            if (skinned) build_.scene.nodes[node].skin = skin_;
            build_.scene.meshes.push_back(std::move(one.mesh));
            if (base == no_index) {
                base = node;
                continue;
            }
            build_.scene.nodes[node].hidden = true;
            build_.scene.nodes[base].lods.push_back(node);
        }
    }

    [[nodiscard]] bool any_skinned() const {
        return std::any_of(meshes_.begin(), meshes_.end(), [](const LevelMesh& one) { return one.level->skinned; });
    }

    [[nodiscard]] Json extras_of(const Level& level, const Mesh& mesh) const {
        Json json = Json::object();
        if (level.lod) json = {{"lod", *level.lod}, {"name", json_text(name_of(file_, file_.lods[*level.lod].name))}};
        Json& groups = json["groups"] = Json::array();
        std::size_t next = 0;
        for (const std::size_t number : level.groups) {
            groups.push_back({{"surface", json_text(name_of(file_, file_.groups[number].surface))}});
            if (number != next) groups.back()["group"] = number;
            next = number + 1;
            const auto& drawn = geometry_.groups[number];
            if (!drawn) groups.back()["drawn"] = false;
            const bool other_shader = drawn && drawn->shader != name_of(file_, file_.groups[number].material);
            if (other_shader) groups.back()["shader"] = json_text(drawn->shader);
        }
        if (winding_kept_) json["winding"] = "kept";
        Json codes = codes_record(file_, joints_, level, mesh);
        if (!codes.empty()) json["codes"] = std::move(codes);
        return json;
    }

    Build& build_;
    const Model& model_;
    const File& file_;
    Geometry geometry_;
    Joints joints_;
    MeshFindings findings_;
    std::vector<LevelMesh> meshes_;
    Index skin_ = no_index;
    bool winding_kept_ = false;
};

}  // namespace

Result<void> add_meshes(Build& build, const Model& model) { return MeshBuilder(build, model).add(); }

}  // namespace effigy::x42::bridge
