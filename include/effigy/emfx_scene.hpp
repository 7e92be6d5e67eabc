#pragma once
/// EMotion FX to the scene, and back. Rules: docs/conversion/emfx.md, "To a scene".

#include <string>
#include <vector>

#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"
#include "effigy/xsm_wavelets.hpp"

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
    /// Leave the times of keys as they stand. Otherwise every track begins at 0, as the engine plays it:
    /// docs/formats/xsm.md, "Key times".
    bool keep_key_times = false;
    /// Add the difference between the actor's and the motion's bind pose to positions and scales, as the engine does
    /// on request: docs/formats/xsm.md, "Retargeting".
    bool retarget = false;
};

/// Bulk data is moved from the files into the scene. Images are named, not loaded: see effigy/textures.hpp.
/// Everything that is lost, replaced or baked stands in the report. Fails if nothing can be shown.
[[nodiscard]] Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options = {});

/// Which game a file is written for: versions of chunks, multiplication order, names of textures, kind of materials.
enum class Target : std::uint8_t { any, victoria2, eu3, tree_of_savior, x_rebirth, hoi3 };
/// Games of one engine of Paradox's, whose files follow the same rules.
[[nodiscard]] constexpr bool is_paradox(Target target) noexcept {
    return target == Target::victoria2 || target == Target::eu3 || target == Target::hoi3;
}

/// Where levels of detail are written.
enum class LevelStorage : std::uint8_t {
    by_target,  ///< as the target's own files have them
    embedded,   ///< whole actors in the actor (chunk 8)
    fields,     ///< level numbers in meshes, materials and skins (mesh v2, skinning v4, material v3)
};

/// How skeletal motions are written.
enum class MotionCoding : std::uint8_t {
    kept,        ///< unedited ones as they were, all others as keys
    keys,        ///< as keys
    compressed,  ///< with wavelets (chunk 203 of XSM)
};

struct FromSceneOptions {
    Limits limits{};
    std::string encoding = "CP1252";  ///< of names where the target does not read UTF-8
    Target target = Target::any;
    LevelStorage levels = LevelStorage::by_target;
    std::uint32_t max_bones = 0;  ///< joints of one submesh; meshes with more are split; 0: what the target takes
    float morph_normal_range = 1;
    /// Keys are left out where linear interpolation between the others is off by no more than this: units of length,
    /// radians, factors, weights. 0: every key is kept.
    double max_error = 0;
    MotionCoding coding = MotionCoding::kept;  ///< of skeletal motions
    xsm::WaveletOptions wavelets{};            ///< where they are compressed
};

template <class File>
struct Named {
    std::string name;  ///< of the clip, UTF-8
    File file;
};

struct NativeFiles {
    xac::File actor;
    std::vector<Named<xsm::File>> motions;
    std::vector<Named<xpm::File>> morph_motions;
    std::vector<Named<std::vector<TimedValue>>> ticks;  ///< of motions of the same name
};

/// The files that mean the scene. Records of objects that are untouched since they were read from such files come back
/// as they were; everything else is derived. What the files cannot hold stands in the report. Fails with "emfx-..." if
/// the scene is beyond the format, with the number that is too large and what to do.
[[nodiscard]] Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options = {});
/// The same, in less memory: vertices and indices of untouched meshes are moved out of the scene, the rest of it stays.
[[nodiscard]] Result<Loaded<NativeFiles>> from_scene(Scene&& scene, const FromSceneOptions& options = {});

/// A `.xsmtime` file; fails if the bytes are none.
[[nodiscard]] Result<std::vector<TimedValue>> read_ticks(std::span<const std::byte> bytes);
[[nodiscard]] Bytes write_ticks(std::span<const TimedValue> ticks);

}  // namespace effigy::emfx
