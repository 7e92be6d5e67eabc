/// Meshes, wherever they come from, as groups, levels of detail, vertices and influences.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"

#include "core/text.hpp"
#include "scene/level_names.hpp"
#include "scene/texture_names.hpp"
#include "scene/triangles.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/from_scene/mesh_parts.hpp"
#include "x42/to_scene/math.hpp"
#include "x42/to_scene/mesh_codes.hpp"

namespace effigy::x42::bridge {
namespace {

/// What a mesh's extras say.
struct MeshRecord {
    std::string level;  ///< of detail: its name
    Surfaces surfaces;
};

class MeshMaker {
public:
    explicit MeshMaker(FileBuild& build) : build_(build), scene_(build.scene), plan_(build.nodes), file_(build.file) {}

    Result<void> run() {
        find_parts();
        ModelVertices vertices(find_sections());
        const std::size_t max_bones = std::clamp<std::size_t>(
            build_.options.max_bones == 0 ? max_influences : build_.options.max_bones, 12, max_influences);
        GroupWriter writer(file_, vertices, influences_, max_bones);
        for (std::size_t level = 0; level < level_count_; ++level) {
            if (auto done = write_level(level, vertices, writer); !done) return done;
        }
        if (auto fits = check_limits(vertices); !fits) return fits;
        vertices.pack_into(file_, build_.records ? &build_.records->file.pack : nullptr);
        influences_.put_into(file_);
        if (has_morphs()) lost_offsets_ = morphs_.put_into(file_, build_.records->file, build_.names);
        report();
        return {};
    }

private:
    void find_parts() {
        const std::vector<bool> hidden = hidden_nodes(scene_);
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const Node& node = scene_.nodes[i];
            if (node.mesh >= scene_.meshes.size()) continue;
            if (node.collision) {
                ++collision_;
            } else if (!hidden[i]) {
                bases_.push_back(i);
                level_count_ = std::max(level_count_, 1 + node.lods.size());
            }
        }
    }

    [[nodiscard]] Part part_of(Index base, std::size_t level) const {
        const auto& lods = scene_.nodes[base].lods;
        Index node = base;
        if (level > 0 && !lods.empty()) node = lods[std::min(level, lods.size()) - 1];
        if (node >= scene_.nodes.size() || scene_.nodes[node].mesh >= scene_.meshes.size()) return {};
        const Index skin = scene_.nodes[node].skin;
        const bool has_skin = skin < scene_.skins.size() && !scene_.skins[skin].joints.empty();
        return {node, &scene_.meshes[scene_.nodes[node].mesh], has_skin ? &scene_.skins[skin] : nullptr, base};
    }

    /// A section is there for all vertices, if it is there for any.
    [[nodiscard]] VertexSections find_sections() {
        VertexSections sections;
        for (const Mesh& mesh : scene_.meshes) {
            for (const Attribute& attribute : mesh.attributes) {
                sections.normals |= attribute.semantic == Semantic::normal;
                sections.tangents |= attribute.semantic == Semantic::tangent;
                sections.texcoords |= attribute.semantic == Semantic::texcoord;
                sections.colors |= attribute.semantic == Semantic::color && attribute.set == 0;
                if (attribute.set != 0 &&
                    (attribute.semantic == Semantic::texcoord || attribute.semantic == Semantic::color))
                    further_.add(label(scene_.meshes, mesh, "mesh"));
                if (attribute.semantic == Semantic::custom) further_.add(label(scene_.meshes, mesh, "mesh"));
            }
            // Of a picture of one colour all places are alike, but there have to be some.
            sections.texcoords |=
                !build_.plain_shader.empty() && std::ranges::any_of(mesh.primitives, [](const Primitive& primitive) {
                    return primitive.material == no_index;
                });
            if (!mesh.targets.empty() && !has_morphs()) morphing_.add(label(scene_.meshes, mesh, "mesh"));
        }
        sections.normals |= sections.tangents;
        return sections;
    }

    /// A file of version 6 stays one, so far as it is known how it is stored.
    [[nodiscard]] bool has_morphs() const {
        return build_.records && build_.records->file.version != version_5 &&
               build_.records->file.morphs.layout != MorphLayout::undetermined;
    }

    Result<void> write_level(std::size_t level, const ModelVertices& vertices, GroupWriter& writer) {
        Lod lod;
        lod.first_group = static_cast<std::uint16_t>(file_.groups.size());
        std::string name;
        for (const Index base : bases_) {
            const Part part = part_of(base, level);
            if (part.mesh == nullptr) continue;
            const MeshRecord& record = record_of_mesh(*part.mesh);
            if (name.empty()) name = record.level;
            if (auto done = write_part(part, record, vertices, writer); !done) return done;
        }
        if (file_.groups.size() > 0xffff) {
            return fail(too_many("meshes", file_.groups.size(), 0xffff,
                                 "The meshes become more groups than the format can count. Join meshes of one "
                                 "material."));
        }
        lod.group_count = static_cast<std::uint16_t>(file_.groups.size() - lod.first_group);
        if (lod.group_count == 0) return {};
        lod.name = build_.names.add(name.empty() ? "lod" + std::to_string(level) : name);
        file_.lods.push_back(lod);
        return {};
    }

    /// Many nodes may share a mesh, whose extras are as long as they like.
    const MeshRecord& record_of_mesh(const Mesh& mesh) {
        const auto [found, is_new] = records_.try_emplace(&mesh);
        MeshRecord& record = found->second;
        if (!is_new) return record;
        const Json extras = record_of(mesh.extras);
        if (member(extras, "lod") != nullptr) record.level = text_at(extras, "name").value_or("");
        record.surfaces = surfaces_of(build_, mesh, extras, surfaces_);
        if (has_lost_tangents(mesh, extras)) bare_points_.add(label(scene_.meshes, mesh, "mesh"));
        note_odd_numbers(mesh);
        return record;
    }

    void note_odd_numbers(const Mesh& mesh) {
        const std::string path = "meshes[" + std::to_string(&mesh - scene_.meshes.data()) + "] " + mesh.name;
        build_.note_any(count_not_finite(mesh), codes::not_finite_replaced, path,
                        "Numbers that are not finite become 0.", " numbers");
        build_.note_any(count_bad_weights(mesh), codes::skin_weight, path,
                        "Weights that are negative or not finite are left out.", " weights");
    }

    /// The file's tangents of points are in the record only, which is for vertices that are as they were.
    static bool has_lost_tangents(const Mesh& mesh, const Json& extras) {
        const Json* const codes = member(extras, "codes");
        const bool are_recorded = codes != nullptr && member(*codes, "tangents") != nullptr;
        return are_recorded && has_points_only(mesh) && Values(mesh, Semantic::tangent).empty();
    }

    Result<void> write_part(const Part& part, const MeshRecord& record, const ModelVertices& vertices,
                            GroupWriter& writer) {
        std::uint64_t corners = 0;
        for (const Primitive& primitive : part.mesh->primitives) corners += 3 * std::uint64_t{primitive.indices.size()};
        // One mesh may hang on many nodes, and in many levels.
        auto taken = build_.take(part.mesh->vertex_count, 120, "vertices").and_then([&] {
            return build_.take(corners, 16, "indices");
        });
        if (!taken) return taken;
        const Placement placement = place(part);
        PartSource source(part, placement);
        if (!source.drawable()) return {};
        const std::size_t first = vertices.size();
        for (std::size_t i = 0; i < part.mesh->primitives.size(); ++i) write_primitive(part, i, record, source, writer);
        lost_weights_ += source.lost();
        return has_morphs() ? add_morphs(part, placement, vertices, first) : Result<void>();
    }

    Result<void> add_morphs(const Part& part, const Placement& placement, const ModelVertices& vertices,
                            std::size_t first) {
        std::uint64_t offsets = 0;
        for (const auto& target : part.mesh->targets) offsets += target.indices.size();
        if (auto taken = build_.take(offsets + vertices.size() - first, 80, "morph targets"); !taken) return taken;
        morphs_.add(*part.mesh, placement, vertices.sources().subspan(first), first);
        return {};
    }

    void write_primitive(const Part& part, std::size_t number, const MeshRecord& record, PartSource& source,
                         GroupWriter& writer) {
        const Primitive& primitive = part.mesh->primitives[number];
        std::vector<std::uint32_t> corners;
        const std::size_t width = corners_of(primitive, part.mesh->vertex_count, source.mirrored(), corners);
        if (corners.empty()) return;
        const Material* const material =
            primitive.material < scene_.materials.size() ? &scene_.materials[primitive.material] : nullptr;
        const TextureSlot* const slot =
            material != nullptr && material->base_color_texture.used() ? &material->base_color_texture : nullptr;
        const Values& texcoords = source.texcoords(slot == nullptr ? 0 : slot->texcoord);
        const std::string shown = build_.shader(primitive.material);
        const std::uint16_t shader = build_.names.add(record.surfaces.shader_of(number, shown));
        const std::uint16_t surface = build_.names.add(surface_of(part, number, record));
        writer.write(shader, surface, corners, width,
                     [&](std::uint32_t vertex) { return source.at(vertex, texcoords, slot); });
    }

    [[nodiscard]] std::string surface_of(const Part& part, std::size_t number, const MeshRecord& record) {
        if (const std::string* const surface = record.surfaces.of(number)) return *surface;
        const std::string& name = !part.mesh->name.empty() ? part.mesh->name : scene_.nodes[part.node].name;
        return build_.options.shader_folder.empty() ? name : own_surface(name, part.mesh->primitives[number].material);
    }

    /// One for each material that surfaces of the name have.
    [[nodiscard]] std::string own_surface(const std::string& name, Index material) {
        std::string& surface = own_surfaces_[{name, material}];
        if (surface.empty()) surface = surface_names_.add(plain_text(name, "-_."));
        return surface;
    }

    /// Vertices of the mesh, wound as the format has it; how many of them make a primitive.
    static std::size_t corners_of(const Primitive& primitive, std::uint32_t vertex_count, bool mirrored,
                                  std::vector<std::uint32_t>& corners) {
        const std::uint64_t first = primitive.first_vertex;
        const auto add = [&](std::initializer_list<std::uint32_t> element) {
            for (const std::uint32_t index : element) {
                if (first + index >= vertex_count) return;
            }
            for (const std::uint32_t index : element) corners.push_back(static_cast<std::uint32_t>(first + index));
        };
        const auto& indices = primitive.indices;
        if (has_triangles(primitive.topology)) {
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                mirrored ? add({a, b, c}) : add({a, c, b});
            });
            return 3;
        }
        if (primitive.topology == Topology::points) {
            for (const std::uint32_t index : indices) add({index});
            return 1;
        }
        const std::size_t step = primitive.topology == Topology::lines ? 2 : 1;
        for (std::size_t i = 0; i + 1 < indices.size(); i += step) add({indices[i], indices[i + 1]});
        return 2;
    }

    Placement place(const Part& part) {
        Placement placement = part.skin != nullptr ? place_skinned(*part.skin) : place_rigid(part);
        const glm::dmat3 linear(placement.matrix);
        const double volume = glm::determinant(linear);
        placement.mirrored = volume < 0;
        if (!std::isfinite(volume) || volume == 0) return placement;
        // Skins move normals as they move positions, in glTF's viewers and in the game.
        placement.normals = part.skin != nullptr ? linear : glm::transpose(glm::inverse(linear));
        return placement;
    }

    /// Vertices go to where the node rests in the model; what moves them are the bone's steps from there.
    /// A level that does not move by itself goes with the finest one.
    Placement place_rigid(const Part& part) {
        const Index node = part.node;
        Placement placement;
        placement.matrix = plan_.rest[node];
        std::uint16_t bone = plan_.bone_of[node];
        if (bone == no_bone || plan_.bones[bone] != node) bone = plan_.bone_of[part.base];
        if (bone == no_bone) return placement;
        const auto back = inverse(plan_.rest[plan_.bones[bone]]);
        if (!back) placement.matrix = plan_.within[node];
        placement.influences.push_back(influences_.add(bone, back ? *back : glm::dmat4(1)));
        return placement;
    }

    /// Vertices go to where the first joint that can tell has them at rest, and the matrices of all joints back again.
    Placement place_skinned(const effigy::Skin& skin) {
        Placement placement;
        std::optional<glm::dmat4> back;
        for (std::size_t joint = 0; joint < skin.joints.size() && !back; ++joint) {
            const glm::dmat4& rest = plan_.rest[skin.joints[joint]];
            placement.matrix = rest * wide(skin.inverse_bind_matrices[joint]);
            // Where they are already, but for rounding.
            const double tolerance = 1e-4 * (1 + largest(glm::dvec3(rest[3])));
            if (difference(placement.matrix, glm::dmat4(1)) <= tolerance) placement.matrix = glm::dmat4(1);
            back = inverse(placement.matrix);
        }
        if (!back) placement.matrix = glm::dmat4(1);
        std::vector<glm::dmat4> binds;
        for (std::size_t joint = 0; joint < skin.joints.size(); ++joint) {
            const Index node = skin.joints[joint];
            const glm::dmat4& within = plan_.within[node];
            const bool moved = placement.matrix != glm::dmat4(1) || within != glm::dmat4(1);
            const glm::dmat4 bind = wide(skin.inverse_bind_matrices[joint]);
            binds.push_back(moved ? within * bind * back.value_or(glm::dmat4(1)) : bind);
            const std::size_t same = within == glm::dmat4(1) ? joint : first_like(skin, binds);
            placement.influences.push_back(same < joint ? placement.influences[same]
                                                        : influences_.add(plan_.bone_of[node], binds.back()));
        }
        return placement;
    }

    /// The first joint on the last one's bone that says the same but for rounding: programs make tags joints.
    [[nodiscard]] std::size_t first_like(const effigy::Skin& skin, const std::vector<glm::dmat4>& binds) const {
        const glm::dmat4& last = binds.back();
        const double tolerance = 1e-5 * (1 + largest(glm::dvec3(last[3])));
        const std::uint16_t bone = plan_.bone_of[skin.joints[binds.size() - 1]];
        std::size_t joint = 0;
        while (plan_.bone_of[skin.joints[joint]] != bone || difference(binds[joint], last) > tolerance) ++joint;
        return joint;
    }

    Result<void> check_limits(const ModelVertices& vertices) {
        if (influences_.size() > 0xffff) {
            return fail(too_many("skins", influences_.size(), 0xffff,
                                 "The skins have more joints than the format can count. Join skins or remove joints."));
        }
        if (vertices.size() > 0xfffffffe || file_.indices.size() > 0xfffffffe) {
            return fail(too_many("meshes", std::max(vertices.size(), file_.indices.size()), 0xfffffffe,
                                 "The meshes have more vertices or indices than the format can count."));
        }
        return {};
    }

    void note_surfaces(const std::set<std::string>& surfaces, const char* message) {
        NameList names;
        for (const std::string& surface : surfaces) names.add(shortened(to_utf8(surface, build_.encodings.front())));
        build_.note_any(names, codes::x42_surface_lost, "meshes", message);
    }

    void report() {
        std::set<std::string> lost;
        std::set_difference(surfaces_.recorded.begin(), surfaces_.recorded.end(), surfaces_.found.begin(),
                            surfaces_.found.end(), std::inserter(lost, lost.end()));
        note_surfaces(
            lost,
            "Edited meshes have no part that is known to be these surfaces of the file, by its material: lines "
            "of a .skin for them do nothing.");
        note_surfaces(surfaces_.hidden,
                      "A .skin beside the model had hidden these surfaces, and edited meshes come back without them. "
                      "Convert the model without the .skin to keep them.");
        build_.note_any(lost_weights_, codes::x42_weights_left_out, "meshes",
                        "These vertices follow more than four joints; the strongest four remain.");
        build_.note_any(collision_, codes::x42_collision_left_out, "nodes",
                        "The format has no collision meshes; these are left out.");
        build_.note_any(
            further_, codes::x42_sets_left_out, "meshes",
            "The format has one set of texture coordinates and one of colours; further ones of these meshes are lost, "
            "but for the one that the colour's texture uses; so are attributes that only some programs know.");
        build_.note_any(
            morphing_, codes::x42_morphs_left_out, "meshes",
            "Version 5, the only one that the game loads, has no morph targets: these meshes are as they look at "
            "rest. Make "
            "poses that the game needs bones or meshes of their own.");
        build_.note_any(
            bare_points_, codes::tangent_repaired, "meshes",
            "The model was edited, and a scene has no tangents for these meshes of points: those that the file had are "
            "lost. They come back only with a model that is as it was.");
        build_.note_any(lost_offsets_, codes::x42_morphs_left_out, "meshes",
                        "Morph targets can move the model's first 65536 vertices only: offsets of others are lost.");
    }

    FileBuild& build_;
    const Scene& scene_;
    const NodePlan& plan_;
    File& file_;
    Influences influences_;
    std::vector<Index> bases_;
    std::size_t level_count_ = 0;
    MorphWriter morphs_;
    std::map<const Mesh*, MeshRecord> records_;
    std::map<std::pair<std::string, Index>, std::string> own_surfaces_;
    UniqueNames surface_names_{UniqueNames::Case::is_ignored};
    KnownSurfaces surfaces_;
    NameList further_, morphing_, bare_points_;
    std::uint64_t lost_weights_ = 0, collision_ = 0, lost_offsets_ = 0;
};

}  // namespace

namespace {

/// Programs number materials of one name, which those with and without textures may have, and Blender cuts names, with
/// their numbers, after 63 bytes at the end of a character.
bool is_name_of(std::string_view shader, std::string_view material, const Encodings& encodings) {
    const std::string_view name = without_copy_number(material);
    constexpr std::size_t least = 56, most = 63;
    return std::ranges::any_of(encodings, [&](const std::string& encoding) {
        const std::string shown = to_utf8(shader, encoding);
        return shown == material || shown == name ||
               (material.size() <= most && name.size() >= least && shown.starts_with(name) && shown.size() > most);
    });
}

/// What of a material its shader is to show.
using Look = std::tuple<Index, float, float, float, float>;

Look look_of(const Material& material) {
    const auto& color = material.base_color;
    return {material.base_color_texture.image, color.r, color.g, color.b, color.a};
}

/// Names that materials give: another one for each of those that are called alike and look different.
class OwnShaders {
public:
    void take(const std::string& name, const Material& material) {
        names_.take(name);
        known_.try_emplace({name, look_of(material)}, name);
    }
    [[nodiscard]] std::string add(const std::string& wish, const Material& material) {
        const auto [place, is_new] = known_.try_emplace({wish, look_of(material)});
        if (is_new) place->second = names_.add(wish);
        return place->second;
    }

private:
    UniqueNames names_;
    std::map<std::pair<std::string, Look>, std::string> known_;
};

/// A shader has one script: materials that share a texture and want other ones than the first get numbers.
void part_scripts(const std::vector<Material>& materials, const std::vector<bool>& are_new,
                  std::vector<std::string>& shaders) {
    using Script = std::tuple<AlphaMode, bool, bool>;
    UniqueNames names(UniqueNames::Case::is_ignored);
    for (const std::string& shader : shaders) names.take(shader);
    std::map<std::string, std::map<Script, std::string>> known;
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        if (!are_new[i]) continue;
        const Material& one = materials[i];
        std::map<Script, std::string>& scripts = known[lower(shaders[i])];
        const bool is_first = scripts.empty();
        const auto [place, is_added] = scripts.try_emplace({one.alpha_mode, one.double_sided, one.unlit});
        if (is_added) place->second = is_first ? shaders[i] : names.add(shaders[i]);
        shaders[i] = place->second;
    }
}

}  // namespace

std::vector<std::string> shaders_of(const Scene& scene, const std::string& folder, const Encodings& encodings) {
    const Untouched untouched(scene);
    const std::vector<std::string> textures = texture_names(scene, texture_marks_without_blanks);
    const std::vector<Index> added = new_images(scene, "shader", named_slots);
    std::vector<std::string> shaders;
    std::vector<bool> is_own;   ///< a material's name, which no file had
    std::vector<bool> are_new;  ///< a texture's
    OwnShaders names;
    for (const Material& one : scene.materials) {
        const auto shader = text_at(record_of(one.extras), "shader");
        const Index image = one.base_color_texture.image;
        const bool is_new =
            std::binary_search(added.begin(), added.end(), image) && !is_known(untouched, one, "shader");
        const std::string own = folder.empty() ? one.name : folder + plain_text(one.name, "-_");
        const bool keeps_name = shader && is_name_of(*shader, one.name, encodings);
        shaders.push_back(is_new ? folder + textures[image] : keeps_name ? *shader : own);
        are_new.push_back(is_new);
        is_own.push_back(!is_new && !shader && !one.name.empty());
        if (!is_own.back()) names.take(shaders.back(), one);
    }
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        if (is_own[i]) shaders[i] = names.add(shaders[i], scene.materials[i]);
    }
    if (!folder.empty()) part_scripts(scene.materials, are_new, shaders);
    return shaders;
}

std::string plain_shader_of(const std::string& folder, const std::vector<std::string>& shaders) {
    if (folder.empty()) return {};
    UniqueNames names(UniqueNames::Case::is_ignored);
    for (const std::string& shader : shaders) names.take(shader);
    return names.add(folder + "plain");
}

Result<void> make_meshes(FileBuild& build) { return MeshMaker(build).run(); }

}  // namespace effigy::x42::bridge
