#pragma once
/// The text files beside an X42 model: which frames are which animation, and which surface wears which shader.
/// Facts: docs/formats/x42.md, "Files beside a model".

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::x42 {

/// A line of `animation.cfg`.
struct ConfigAnimation {
    std::string name;              ///< raw bytes
    std::int32_t first_frame = 0;  ///< as the artist counts: Header::base_frame has not been subtracted
    std::int32_t frame_count = 0;  ///< negative: so many frames, played backwards
    std::int32_t loop_frames = 0;  ///< so many of the last ones repeat; 0: it plays once
    float frame_rate = 0;          ///< frames a second
    std::uint32_t line = 0;        ///< from 1
};

/// `animation.cfg`: the text is the file, the rest was read from it.
struct AnimationConfig {
    Bytes text;
    std::vector<ConfigAnimation> animations;
    /// Lines with other words: ("sex", "m"), ("footsteps", "boot"), ("fixedlegs", "").
    std::vector<std::pair<std::string, std::string>> settings;
};

/// Lines that cannot be understood are findings; fails only if the text is no such file at all.
[[nodiscard]] Result<Loaded<AnimationConfig>> read_animation_config(Bytes text, const ReadOptions& options = {});

/// `default.skin`: the text is the file.
struct Skin {
    Bytes text;
    /// (surface, shader), raw bytes; a tag's line has no shader.
    std::vector<std::pair<std::string, std::string>> surfaces;
};

[[nodiscard]] Result<Loaded<Skin>> read_skin(Bytes text, const ReadOptions& options = {});

}  // namespace effigy::x42
