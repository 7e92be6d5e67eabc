#pragma once
/// EMotion FX to the scene. Rules: docs/formats/emfx.md, "Meaning".

#include <string>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::emfx {

using effigy::Source;

struct Actor {
    Source source;
    xac::File file;
};

/// A tick beside a motion (`.xsmtime`).
struct TimedValue {
    float time = 0;  ///< seconds
    std::uint16_t value = 0;
};

struct SkeletalMotion {
    Source source;
    xsm::File file;
    std::vector<TimedValue> ticks;
};

struct MorphMotion {
    Source source;
    xpm::File file;
};

struct SceneInput {
    std::vector<Actor> actors;  ///< the first gives nodes and rest transforms; later ones join by node name
    std::vector<SkeletalMotion> motions;
    std::vector<MorphMotion> morph_motions;
};

struct SceneOptions {
    Limits limits;
    /// Code page of strings that are not UTF-8, as iconv names it.
    std::string encoding = "CP1252";
    /// Morph normal and tangent offsets span -1..1 or -2..2.
    float morph_normal_range = 1;
    /// Level of detail to show; -1: level 0, with the others as MSFT_lod.
    int lod = -1;
    /// Bake every track at this rate by the engine's own interpolation; 0: keep the keys.
    double resample = 0;
    /// Add the difference between the actor's and the motion's bind pose to positions and scales, as the engine does
    /// on request: docs/formats/emfx.md, "Retargeting".
    bool retarget = false;
};

/// Bulk data is moved from the files into the scene. Images are named, not loaded: see effigy/textures.hpp.
/// Everything that is lost, replaced or baked stands in the report. Fails if nothing can be shown.
[[nodiscard]] Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options = {});

/// A `.xsmtime` file; fails if the bytes are none.
[[nodiscard]] Result<std::vector<TimedValue>> read_ticks(std::span<const std::byte> bytes);

}  // namespace effigy::emfx
