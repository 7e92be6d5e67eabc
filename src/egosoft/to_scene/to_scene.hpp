#pragma once
/// From Egosoft's files to the scene: what the parts of the bridge share. docs/diagnostics.md lists the findings.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "effigy/egosoft_scene.hpp"

#include "core/text.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"

namespace effigy::egosoft::bridge {

/// One kind of repair in several meshes, which is said once.
struct Repairs {
    NameList meshes;
    std::uint64_t count = 0;

    void add(std::uint64_t number, const std::string& mesh) {
        if (number != 0) meshes.add(mesh);
        count += number;
    }
};

struct Build : SceneBuild {
    Build(const SceneOptions& scene_options, Budget memory) : SceneBuild(memory), options(scene_options) {}

    const SceneOptions& options;
    std::unordered_map<std::string, Index> materials;  ///< by name as it is in the file
    Json animation_files = Json::array();              ///< what no clip holds of them
    // What is said once for all files.
    NameList unknown_signs;   ///< meshes whose tangents lack the sign of mirrored UVs
    NameList other_levels;    ///< parts that lack the level asked for
    NameList area_lights;     ///< lights that glTF cannot say
    NameList spot_lights;     ///< lights whose direction and cone are inferred
    NameList keyless;         ///< "part / state" without keys
    NameList longer_tracks;   ///< "part / state" whose keys go on after the stated duration
    NameList sampled_tracks;  ///< "part / state / path"
    NameList nothing_there;   ///< parts without any mesh
    std::string absent;       ///< the component whose own meshes are missing, and their folder
    Repairs bad_numbers, bad_normals, bad_tangents;
    double sampled_error = 0;
    std::uint64_t rotations = 0;  ///< tracks of angles that became quaternions
    double rotation_error = 0;    ///< radians

    void note_once();
};

/// What the arrays of a mesh take.
[[nodiscard]] std::uint64_t bulk_size(const xmf::File& file);
/// UTF-8 of a name in a file.
[[nodiscard]] std::string text(std::string_view raw);

// to_scene/space.cpp: into the scene's frame, which negates x.
[[nodiscard]] Transform to_scene(const Offset& offset, std::uint64_t& not_finite) noexcept;
/// `parent` then `child`; neither scales.
[[nodiscard]] Transform combined(const Transform& parent, const Transform& child) noexcept;

/// "part_main-lod2" taken apart.
struct MeshName {
    enum class Kind : std::uint8_t { plain, level, collision };
    std::string part;
    Kind kind = Kind::plain;
    std::uint32_t number = 0;  ///< of the level, or of the collision mesh
};
[[nodiscard]] MeshName parse_mesh_name(std::string_view stem);

/// A file's mesh on its way to the scene, of which it knows nothing: any thread may make it.
struct MeshBuild : BridgeState {
    /// `memory`: of which all that is taken beyond what is taken now is the mesh's.
    MeshBuild(const SceneOptions& scene_options, Budget memory, std::string_view stem)
        : BridgeState(memory), options(scene_options), taken_before(memory.used()) {
        file = text(stem);
    }

    const SceneOptions& options;
    std::uint64_t taken_before;
    std::optional<Mesh> mesh;              ///< its primitives' materials are places in `materials`
    std::vector<xmf::Material> materials;  ///< as they are in the file
    std::uint64_t bad_numbers = 0, bad_normals = 0, bad_tangents = 0;
    bool has_unknown_sign = false;
};

// to_scene/mesh.cpp
/// Nothing but findings if the file has nothing that can be shown.
[[nodiscard]] Result<void> make_mesh(MeshBuild& build, const Source& source, const xmf::File& file);
/// What was made, in the scene; no_index if nothing can be shown.
[[nodiscard]] Result<Index> add_mesh(Build& build, MeshBuild made);
/// Both, of a file that the caller gave, and which is empty then.
[[nodiscard]] Result<Index> add_given(Build& build, MeshInput& input);

/// The boxes that `<size>` is compared with, in the file's frame.
[[nodiscard]] std::optional<Box> bounds_of(const Mesh& mesh);

/// A mesh on its way to its part.
struct Level {
    std::uint32_t number = 0;
    Index mesh = no_index;
};
/// The level to show among those that are there, in ascending order; notes it if it is not the one asked for.
[[nodiscard]] std::size_t choose_level(Build& build, const std::string& part, const std::vector<std::uint32_t>& levels);
/// Shows the first of the levels under `parent`; the others are its levels of detail.
Index place_levels(Build& build, const std::string& part, Index parent, const std::vector<Level>& levels);
/// A hidden node that stands where `part_node` rests and moves with it.
Index place_hidden(Build& build, std::string name, Index mesh, Index part_node, const Transform& rest);

// to_scene/parts.cpp: meshes without a component.
using PartNodes = std::unordered_map<std::string, std::vector<Index>>;  ///< by lower-case name
/// With `animated`, parts and their meshes are two nodes, so that levels of detail move alike.
[[nodiscard]] Result<PartNodes> add_lone_meshes(Build& build, std::vector<MeshInput>& meshes, bool animated);

// to_scene/component.cpp
[[nodiscard]] Result<void> add_components(Build& build, SceneInput& input);

/// How often things of a file have a name.
using NameCounts = std::unordered_map<std::string, std::uint64_t>;

// to_scene/lights.cpp
/// `counts`: of the component's names so far.
void add_lights(Build& build, const std::vector<Light>& lights, Index parent, NameCounts& counts);
/// What its node is called: a light without a name is called as its kind.
[[nodiscard]] std::string shown_name(const Light& light);
/// What glTF says of a light; nothing for kinds that it does not know.
[[nodiscard]] std::optional<effigy::Light> scene_light(const Light& source);
/// From where lights of the files shine to where those of glTF do, and back but for the sign.
[[nodiscard]] Quat flipped(const Quat& q);

// to_scene/motions.cpp
/// A range of frames in which a part's only state has a name of its own.
struct NamedRange {
    std::string part;  ///< lower case
    AnimationRange range;
};
[[nodiscard]] Result<void> add_motions(Build& build, const AnimationInput& input, const PartNodes& parts,
                                       const std::vector<NamedRange>& ranges);
/// A node for each part that the file names.
[[nodiscard]] PartNodes nodes_from_motions(Build& build, const AnimationInput& input);
/// Lower-case names of the parts that have keys in any state.
[[nodiscard]] std::unordered_set<std::string> moving_parts(const ani::File& file);

// to_scene/extras.cpp: what glTF has no place for, as JSON for `extras.effigy`. Fields are named as in the headers of
// the formats.
/// Where a file came from, and its header, descriptors and material records.
[[nodiscard]] Json mesh_record(const Source& source, const xmf::File& file);
[[nodiscard]] Json component_record(const Component& component);
[[nodiscard]] Json connection_record(const Connection& connection);
[[nodiscard]] Json part_record(const Part& part);
/// What connections, parts and lights are called in the file, whatever becomes of their nodes' names; those of one name
/// are told apart by how many of it stand before them.
void record_name(Json& record, std::string_view name, NameCounts& counts);
[[nodiscard]] Json light_record(const Light& light);
/// How a part moves in a state, as the file has it; `index` is its place there.
[[nodiscard]] Json animation_record(const ani::Animation& animation, std::size_t index);
/// A range of frames that was cut from a state; its keys are there.
[[nodiscard]] Json range_record(const ani::Animation& animation, std::size_t index, const AnimationRange& range);
/// What no clip holds: the header, and animations that became none.
[[nodiscard]] Json animation_file_record(const ani::File& file, const std::vector<bool>& in_clips);
/// asset.extras.effigy.
[[nodiscard]] Json asset_record(const SceneInput& input);

}  // namespace effigy::egosoft::bridge
