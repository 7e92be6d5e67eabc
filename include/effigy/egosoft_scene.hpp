#pragma once
/// Egosoft's files to the scene, and back. Rules: docs/conversion/egosoft.md, "Meaning".

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "effigy/ani.hpp"
#include "effigy/component.hpp"
#include "effigy/game_files.hpp"
#include "effigy/image.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"
#include "effigy/textures.hpp"
#include "effigy/xmf.hpp"

namespace effigy::egosoft {

struct MeshInput {
    Source source;  ///< its stem names the part: "part_main-lod0"
    xmf::File file;
};

struct AnimationInput {
    Source source;
    ani::File file;
};

struct ComponentInput {
    Source source;
    ComponentFile file;
};

/// Meshes alone make one node each; a component takes its meshes and animations from `files`, or from those given here
/// where their names are the same.
struct SceneInput {
    std::vector<ComponentInput> components;
    std::vector<MeshInput> meshes;
    std::vector<AnimationInput> animations;
    const GameFiles* files = nullptr;
};

enum class ColorExport : std::uint8_t {
    custom,  ///< as _COLOR_n, which no viewer multiplies with the surface: its alpha is often 0
    vertex,  ///< as COLOR_n, as it is
};

struct SceneOptions {
    Limits limits;
    /// Level of detail to show; -1: level 0, with the others as MSFT_lod.
    int lod = -1;
    /// Bake every track at this rate; 0: keep the keys where glTF reads them alike.
    double resample = 0;
    ColorExport colors = ColorExport::custom;
};

/// Materials have their names only: see resolve_materials(). Everything that is lost, replaced or sampled stands in the
/// report. Fails if nothing can be shown.
[[nodiscard]] Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options = {});

/// Which game a file is written for: layouts of vertices, collision meshes and headers.
enum class Target : std::uint8_t { x4, x_rebirth };

/// What is made of a scene.
enum class Product : std::uint8_t {
    component,  ///< the whole scene: nodes as connections and parts, each part's meshes, lights, and clips as one ANI
    mesh,       ///< what mesh_from_scene() makes
    animation,  ///< what animation_from_scene() makes
};

struct FromSceneOptions {
    Limits limits{};
    Product product = Product::component;
    std::string name{};    ///< of the component, or of the file
    std::string folder{};  ///< of a component's XML, from the root of the mod ("assets/units/size_m"), or empty
    /// Meshes that are not of this game's kind are laid out anew; without one, meshes from files keep the layout that
    /// they had, and others get that of X4.
    std::optional<Target> target{};
    bool collision = false;       ///< of a single mesh: a collision mesh
    bool makes_collision = true;  ///< of a component: parts that have no collision mesh get one where games want it
    std::string collection{};     ///< of materials whose names have none; empty: the scene's name, or the component's
    std::string class_name{};     ///< of a component; empty: what the scene says, or a guess by the folder
    /// Names in lower case, as the game's own tools want them, and for new ships the connections for crew and equipment
    /// that the game looks for.
    bool for_mod = false;
    /// Makes connections and lights of a component that stand on one side of x (0), y (1) or z (2) on the other side,
    /// too.
    std::optional<int> mirror_axis{};
    /// Keys are left out where interpolation between the others is off by no more than this: metres, radians, factors.
    double max_error = 0;
};

struct NamedFile {
    std::string name;  ///< from where the first file is: "x.xml", "x_data/part_main-lod0.xmf", "X_DATA.ANI"
    Bytes bytes;
};

struct NativeFiles {
    std::vector<NamedFile> files;              ///< first the one that was asked for, then what belongs to it
    std::string folder;                        ///< of a component's meshes, from the root: "assets/units/size_m/x_data"
    std::map<Index, std::string> materials{};  ///< that its meshes have, with their names in the files
};

/// Connections, tags and sizes that extras know come back.
[[nodiscard]] Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options = {});

struct ModOptions {
    FromSceneOptions scene{};  ///< its name is the component's; several have their own
    std::string folder{};      ///< of the mod, as it is called below "extensions"
    std::string title{}, author{};
    bool textures = true;  ///< and the library's entries of materials that are not the game's
    bool stubs = false;    ///< texts and a ware, for the modder to fill in
    GreenChannel normal_map_green = GreenChannel::flip;  ///< flip: glTF's green-up normal maps become DirectX-style
    /// Whose files go in as they are where they have a texture's pixels; null: none.
    const image::Library* originals = nullptr;
    /// What the mod has already, by the path from its root; nothing for what it has not. Indexes and libraries are
    /// extended; content.xml and macros stay as they are, but for macros that no longer fit and that nobody has edited.
    std::function<std::optional<std::string>(const std::string& path)> old_file{};
    bool replaces_others = false;  ///< components of these names, too, that were not written by effigy or edited since
    /// Whether the game has a component of the name; nothing: it is not known.
    std::function<bool(const std::string& name)> is_in_game{};
};

/// A mod, or what is added to one: component, meshes, macros, indexes. Names are from the mod's root. Fails with
/// "mod-component-foreign" where a component would be replaced that somebody else has made or edited, unless the scene
/// was made of it as it is.
[[nodiscard]] Result<Loaded<std::vector<NamedFile>>> mod_from_scene(const Scene& scene, const ModOptions& options);

/// The scene's shown meshes as one mesh file, in the space of the scene; hidden ones (levels, collision) only if
/// nothing else is there.
[[nodiscard]] Result<Loaded<xmf::File>> mesh_from_scene(const Scene& scene, const FromSceneOptions& options = {});

/// The clips of the scene: each moves the nodes that it names as parts.
[[nodiscard]] Result<Loaded<ani::File>> animation_from_scene(const Scene& scene, const FromSceneOptions& options = {});

}  // namespace effigy::egosoft
