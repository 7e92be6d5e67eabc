#pragma once
/// CAS: motion of signing avatars, as XML 2.1 and as a stream of JSON. Facts: docs/formats/cas.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::cas {

struct BoneKey {
    std::string name;                 ///< raw
    std::optional<Vec3> translation;  ///< local, in units of the avatar; not given: as in the frame before
    std::optional<Quat> rotation;     ///< likewise; as stored, of unit length but for rounding
};

struct MorphKey {
    std::string name;
    float amount = 0;  ///< may be above 1
};

struct Frame {
    double time = 0;       ///< milliseconds
    double duration = 0;   ///< milliseconds
    bool complete = true;  ///< it names all bones; false: those that change
    std::vector<BoneKey> bones;
    std::vector<MorphKey> morphs;  ///< all that are not 0
};

struct Sign {
    std::string gloss;
    std::uint32_t first_frame = 0;
};

/// Where the signer is to be looked at from. What the numbers mean is the players' own.
struct Camera {
    double cx = 0, cy = 0, r = 0, theta = 0, phi = 0, fov = 0;
};

/// The text is the file, and alone is written; the rest was read from it, and changes nothing in it.
struct File {
    Bytes text;
    bool is_json = false;
    std::string version, avatar;
    std::optional<Camera> camera;  ///< XML only
    std::vector<Sign> signs;
    std::vector<Frame> frames;
};

/// XML or JSON, by the first character. What is wrong with one value leaves out that value, with a warning. Fails with
/// "not-this-format", "xml-..." or "limit-...".
[[nodiscard]] Result<Loaded<File>> read(Bytes text, const ReadOptions& options = {});

}  // namespace effigy::cas
