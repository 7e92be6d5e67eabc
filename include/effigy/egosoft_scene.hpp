#pragma once
/// Egosoft's files to the scene. Rules: docs/formats/xmf.md, "Meaning".

#include <cstdint>
#include <vector>

#include "effigy/ani.hpp"
#include "effigy/component.hpp"
#include "effigy/game_files.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"
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

}  // namespace effigy::egosoft
