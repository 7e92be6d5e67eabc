#pragma once
/// X42 to the scene, and back. Rules: docs/conversion/x42.md, "To a scene".

#include <string>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"
#include "effigy/x42.hpp"
#include "effigy/x42_companions.hpp"

namespace effigy::x42 {

struct ModelInput {
    Source source;
    File file;
};

struct ConfigInput {
    Source source;
    AnimationConfig config;
};

struct SkinInput {
    Source source;
    Skin skin;
};

struct SceneInput {
    std::vector<ModelInput> models;  ///< the first gives nodes and rest transforms; later ones join by bone name
    std::vector<ConfigInput> configs;
    std::vector<SkinInput> skins;
};

struct SceneOptions {
    Limits limits;
    /// Code page of strings that are not UTF-8, as iconv names it.
    std::string encoding = "CP1252";
    /// Level of detail to show; -1: level 0, with the others as MSFT_lod.
    int lod = -1;
    /// Bake every track at this rate by the game's own interpolation; 0: keep the keys.
    double resample = 0;
    /// Frames a second of all animations; 0: what the files say, or default_frame_rate where they say nothing credible.
    double frames_per_second = 0;
};

inline constexpr double default_frame_rate = 30;

/// Images are named, not loaded: see effigy/textures.hpp. Everything that is lost, replaced or baked stands in the
/// report. Fails if nothing can be shown.
[[nodiscard]] Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options = {});

struct FromSceneOptions {
    Limits limits{};
    std::string encoding = "CP1252";  ///< of names
    double frames_per_second = 0;     ///< keys stand at whole frames; 0: what extras say, or default_frame_rate
    /// Keys are left out where the game's interpolation between the others is off by no more than this: units of
    /// length, radians, factors. 0: as many as fit. More are left out where a limit of the format asks for it, and
    /// reported.
    double max_error = 0;
    std::uint32_t max_bones = 60;  ///< of one group: what the game's loader takes
    /// Where new textures will lie, from the game's root: "models/players/hero/". Shaders are called after it then, and
    /// each material of a mesh has a surface of its own, because skins tell shaders apart by surfaces.
    std::string shader_folder{};
};

struct NativeFiles {
    File model;
    AnimationConfig config;  ///< the clips as ranges of frames
};

/// The files that mean the scene. Sections of objects that are untouched since they were read from such a file come
/// back as they were; everything else is derived. What the file cannot hold stands in the report. Fails with "x42-..."
/// if the scene is beyond the format, with the number that is too large and what to do.
[[nodiscard]] Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options = {});

}  // namespace effigy::x42
