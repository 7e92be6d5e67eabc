#pragma once
/// ANI files written by hand from the tables of docs/formats/ani.md, true or lying.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "egosoft/raw_bytes.hpp"

namespace effigy::test {

struct RawKey {
    float time = 0, x = 0, y = 0, z = 0;
    unsigned interpolation = 2;
};

struct RawAnimation {
    std::string part, state;
    float duration = 1;
    std::array<std::vector<RawKey>, 5> tracks = {};  ///< positions, rotations, scales, before, after
    unsigned name_filling = 0;
    std::optional<std::uint32_t> count = {};  ///< of positions: a lie
};

struct RawAnimations {
    std::vector<RawAnimation> animations = {};
    unsigned version = 1;
    std::optional<std::uint32_t> key_offset = {};
    Bytes gap = {}, trailing = {};
};

[[nodiscard]] Bytes write_raw(const RawAnimations& file);

struct AniFixture {
    std::string name;
    RawAnimations file;
    std::string code = {};  ///< the finding of reading, if there is one
};

[[nodiscard]] std::vector<AniFixture> all_animations();

/// Keys of every kind of interpolation, a turn of more than one round, and names with garbage behind.
[[nodiscard]] RawAnimations landing_gear();

}  // namespace effigy::test
