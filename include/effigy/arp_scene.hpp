#pragma once
/// Signing avatars to the scene, and back. Rules: docs/conversion/arp.md, "Meaning".

#include <string>
#include <utility>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/arp_container.hpp"
#include "effigy/cas.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"
#include "effigy/source.hpp"

namespace effigy::arp {

/// One avatar, alone or from a container with what lies beside it.
struct AvatarInput {
    Source source;
    File file;
    /// From its container or folder: name, with or without folder, and content (texture, asd.xml, nonmanuals.xml,
    /// config.xml).
    std::vector<std::pair<std::string, Bytes>> companions;
    std::string name{};  ///< of nodes and materials; empty: the source's stem
};

/// An avatar with what lies beside it in its container: readable files, those of its own folder first, because the
/// first of a name counts.
[[nodiscard]] AvatarInput avatar_from(Source source, Container container);

struct MotionInput {
    Source source;
    cas::File file;
};

struct SceneInput {
    std::vector<AvatarInput> avatars;  ///< one; further ones are refused
    std::vector<MotionInput> motions;
};

/// What becomes of the players' twisting of arms: docs/conversion/arp.md, "Arm twist".
enum class ArmTwist : std::uint8_t {
    none,    ///< arms turn as their joints do
    joints,  ///< helper joints that clips turn by the formula of the Java player
    bake,    ///< as `joints`, with a key at each frame
};

struct SceneOptions {
    Limits limits;
    std::string encoding = "CP1252";  ///< of names that are not UTF-8
    int lod = -1;                     ///< level of detail to show; -1: level 0, with the others as MSFT_lod
    double resample = 0;              ///< bake every track at so many keys a second; 0: keep the keys
    ArmTwist arm_twist = ArmTwist::joints;
};

/// In metres; the avatar's own motion is the last clip. Fails with "arp-avatars" for several avatars, "nothing-to-show"
/// for none, and "limit-memory".
[[nodiscard]] Result<Loaded<Scene>> to_scene(SceneInput input, const SceneOptions& options = {});

struct FromSceneOptions {
    Limits limits{};
    std::string name = "avatar";  ///< of the avatar's folder in its container
    double height = 0;            ///< metres from the lowest point to the highest; 0: as it is
    /// Keys of clips are left out where interpolation between the others is off by no more than this: metres, radians.
    double max_error = 0;
    bool only_motions = false;  ///< no avatar is made, and the scene may be bones and clips alone
};

struct NativeFiles {
    /// The avatar with its texture, configuration, and the names of its bones and targets.
    Container container;
    std::vector<std::pair<std::string, cas::File>> motions;  ///< name of the clip, and the clip
};

/// The avatar that means the scene, version 3.1. Fails with "arp-..." if the scene is beyond the format, with the
/// number that is too large and what to do.
[[nodiscard]] Result<Loaded<NativeFiles>> from_scene(const Scene& scene, const FromSceneOptions& options = {});

}  // namespace effigy::arp
