#pragma once
/// The way back: what its steps share. Rules: docs/conversion/egosoft.md, "From a scene".

#include <cstdint>
#include <functional>
#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effigy/egosoft_scene.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "egosoft/to_scene/to_scene.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/texture_names.hpp"
#include "scene/validate.hpp"
#include "scene/worlds.hpp"

namespace effigy::egosoft::bridge {

class ComponentDocument;
struct SourceText;

/// A conversion at work.
struct Context : BridgeState {
    Context(Budget memory, const Scene& from, const FromSceneOptions& settings)
        : BridgeState(memory), scene(from), options(settings) {
        for (const Material& material : scene.materials) ++name_counts[lower(material.name)];
    }

    const Scene& scene;
    FromSceneOptions options;
    Untouched untouched{scene};
    Pictures pictures{scene};
    NameList named_materials{};                     ///< names of the format's form that materials got
    NameList taken_materials{};                     ///< names of other collections that the mod's own now replace
    std::map<Index, std::string> material_names{};  ///< those that were asked for
    std::set<Index> kept_materials{};               ///< those that files go on naming as they did
    std::set<std::string> new_names{};
    /// Whether the library of the mod that is written has a material of this name, in lower case; null: there is none.
    std::function<bool(const std::string&)> is_in_library{};
    std::unordered_map<std::string, std::size_t> name_counts{};  ///< of the scene's materials, in lower case
    std::unordered_map<std::string, std::size_t> file_places{};  ///< in the list of all files, by lower-case name
    std::map<Index, Json> mesh_records{};                        ///< those that were asked for
    std::optional<Json> asset_record{};
    /// By Plan::text: those that several components go into. They are written when all have.
    std::map<const SourceText*, std::shared_ptr<ComponentDocument>> documents{};

    /// effigy's member of a mesh's extras, which is read once however many nodes have the mesh.
    [[nodiscard]] const Json& record_of_mesh(Index mesh);
    /// effigy's member of the scene's own extras, which is read once, too.
    [[nodiscard]] const Json& record_of_asset();
    /// What is said once for all files.
    void note_once();
};
[[nodiscard]] Context start(const Scene& scene, const FromSceneOptions& options);

/// Where all nodes stand at rest, in the format's facing.
[[nodiscard]] std::vector<glm::dmat4> worlds_of(const Scene& scene);

/// A mesh of the scene where one of its nodes has it.
struct Piece {
    Index node = no_index;
    Index mesh = no_index;
    glm::dmat4 place{1};  ///< into the file's mesh, still in the scene's frame
};

/// What the pieces of one file mean together, in the scene's frame.
struct Geometry {
    struct Custom {
        std::size_t width = 1;
        std::vector<float> values;
    };
    struct Range {
        Index material = no_index;
        std::string name{};       ///< of the material, in the file
        std::uint32_t count = 0;  ///< of indices
    };

    std::uint32_t count = 0;  ///< of vertices
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    std::vector<std::vector<Vec2>> texcoords;
    std::map<std::string, Custom> customs;  ///< by name; colours are there as "_COLOR_n"
    Bulk<std::uint32_t> indices;
    std::vector<Range> ranges;
    std::optional<float> normal_sign{};  ///< 0 or 1: the normals' alpha where there are no tangents
    std::uint64_t not_finite = 0;        ///< numbers of positions that have become 0

    /// Bytes of a vertex in these lists.
    [[nodiscard]] std::uint64_t vertex_size() const noexcept;
};

/// What vertices without colours get in this set, 0 to 1. In X4 that is a clean surface, white with no dirt in its
/// alpha, which the paint mask in set 1 gives to paint; in X Rebirth, middle grey as in most of its own meshes.
[[nodiscard]] Vec4 default_color(unsigned set, Target target) noexcept;
/// Exactly what one mesh says, with nothing repaired but positions, which are finite; `texcoords` and `colors` of its
/// record give its sets' numbers. `target`: of the file. `reports`: what the format cannot hold, unless that was said
/// of the same mesh before.
[[nodiscard]] Result<Geometry> gather(Context& context, const std::vector<Piece>& pieces, Target target, bool reports,
                                      const std::string& path);
/// What a layout has room for.
struct MeshNeeds {
    xmf::ElementType position = xmf::ElementType::float3;
    bool normals = true, tangents = true;
    bool sound_tangents = true;  ///< those that contradict the texture coordinates are not wanted
};
/// Makes what the games need: normals and tangents of unit length, triangles with an area, finite numbers.
[[nodiscard]] Result<void> complete(Context& context, Geometry& geometry, const MeshNeeds& needs,
                                    const std::string& path);
/// Gives all vertices tangents, by the first set of texture coordinates where they have none that can be used.
[[nodiscard]] Result<void> complete_tangents(Context& context, Geometry& geometry, bool sound, const std::string& path);
/// Twice the area of the triangle whose indices begin at `at`, along its normal.
[[nodiscard]] glm::dvec3 face_of(const Geometry& geometry, std::size_t at);
/// Positions only, each once.
void reduce_to_collision(Geometry& geometry);

/// Header, descriptors and records without contents.
struct MeshRecord {
    xmf::File file;
    Json json;
};
/// What a mesh's extras say of its file, if that makes sense.
[[nodiscard]] std::optional<MeshRecord> mesh_record_from(const Extras& extras);
/// Which game a file is of, as far as its header tells.
[[nodiscard]] Target target_of(const xmf::File& file) noexcept;
/// "_COLOR_1": 1.
[[nodiscard]] std::optional<unsigned> color_number(const std::string& name);
/// As the target's own files are laid out.
[[nodiscard]] xmf::File target_layout(const Geometry& geometry, Target target);
[[nodiscard]] xmf::File collision_layout(Target target);
/// A layout from a file for other contents: clean header, one section.
[[nodiscard]] xmf::File reused_layout(const xmf::File& old);

/// What extras say of a mesh beside its layout.
struct Remembered {
    const Json* record = nullptr;  ///< null: nothing
    bool untouched = false;        ///< all of it holds; else only what the vertices still bear out
};
/// A part of a direction as packed types store it, 0..1. What lies halfway between two steps, as 0 does, becomes the
/// lower one: 127, which is what nearly all files have there.
[[nodiscard]] inline float packed_unit(float part) noexcept {
    const float unit = (part + 1) / 2;
    return unit == 0.5F ? 0.499999F : unit;
}
/// Fills the buffers of vertices.
void fill_vertices(Context& context, xmf::File& file, const Geometry& geometry, Remembered remembered,
                   const std::string& path);
void fill_indices(xmf::File& file, const Geometry& geometry, bool wide);

/// One mesh file of these pieces.
[[nodiscard]] Result<xmf::File> make_mesh(Context& context, const std::vector<Piece>& pieces, bool collision,
                                          const std::string& path);
/// What a node's mesh is for, by extras, flags and names.
enum class MeshRole : std::uint8_t { none, visible, level, collision, wreck };
[[nodiscard]] std::vector<MeshRole> roles_of(const Scene& scene);

// from_scene/names.cpp
/// The name that the format has for a material.
[[nodiscard]] std::string material_name(Context& context, Index material);
/// ASCII without what paths and XML cannot have.
[[nodiscard]] std::string plain_name(std::string_view name, std::string_view fallback);
/// "part_main_001" for a copy that a modelling program calls "part_main.001": the games have no dots in names.
[[nodiscard]] std::string name_of_copy(std::string name);

}  // namespace effigy::egosoft::bridge
