#pragma once
/// X42 to the scene. Rules: docs/formats/x42.md, "Meaning".

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

}  // namespace effigy::x42
