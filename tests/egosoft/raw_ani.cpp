/// Puts ANI files together byte by byte.

#include "egosoft/raw_ani.hpp"

namespace effigy::test {

namespace {

void write_key(RawBytes& file, const RawKey& key) {
    file.f32s({key.x, key.y, key.z}).u32s({key.interpolation, key.interpolation, key.interpolation}).f32(key.time);
    for (const float value : {key.x, key.y, key.z}) file.f32s({key.time + 0.1f, value, key.time - 0.1f, value});
    const bool tcb = key.interpolation == 7;
    file.f32s({tcb ? 0.5f : 0.0f, 0, 0, 0, 0}).u32(0).f32s({0, 0, 0, 0, 0, 0}).u32(0);
}

RawAnimations with_offset(std::uint32_t offset) {
    RawAnimations file = landing_gear();
    file.key_offset = offset;
    return file;
}

RawAnimations with_count(std::uint32_t count) {
    RawAnimations file = landing_gear();
    file.animations[0].count = count;
    return file;
}

RawAnimations with_gap() {
    RawAnimations file = landing_gear();
    file.gap = RawBytes().repeat(0xab, 7).bytes();
    return file;
}

RawAnimations with_trailing() {
    RawAnimations file = landing_gear();
    file.trailing = RawBytes().repeat(0xcd, 130).bytes();
    return file;
}

RawAnimations without_keys() {
    RawAnimations file;
    file.animations = {{"part_main", "loop", 2}, {"part_main", "gun_firing", 0}};
    return file;
}

RawAnimations empty(std::uint32_t offset) {
    RawAnimations file;
    file.key_offset = offset;
    return file;
}

}  // namespace

Bytes write_raw(const RawAnimations& file) {
    RawBytes bytes;
    const auto count = static_cast<std::uint32_t>(file.animations.size());
    const std::uint32_t start = 16 + 160 * count + static_cast<std::uint32_t>(file.gap.size());
    bytes.u32(count).u32(file.key_offset.value_or(start)).u32(file.version).u32(0);
    for (const RawAnimation& animation : file.animations) {
        for (const std::string& name : {animation.part, animation.state})
            bytes.raw(RawBytes().text(name, name.size()).u8(0).resize(64, animation.name_filling).bytes());
        for (const auto& track : animation.tracks) {
            const bool lies = animation.count && &track == &animation.tracks.front();
            bytes.u32(lies ? *animation.count : static_cast<std::uint32_t>(track.size()));
        }
        bytes.f32(animation.duration).u32s({0, 0});
    }
    bytes.raw(file.gap);
    for (const RawAnimation& animation : file.animations) {
        for (const auto& track : animation.tracks) {
            for (const RawKey& key : track) write_key(bytes, key);
        }
    }
    return bytes.raw(file.trailing).bytes();
}

RawAnimations landing_gear() {
    RawAnimations file;
    file.animations.resize(2);
    RawAnimation& opening = file.animations[0];
    opening = {"anim_gear", "landinggears_activating", 2, {}, 0xcc, {}};
    opening.tracks[0] = {{0, 0, 0, 0, 1}, {1, 0, -1, 0, 2}, {2, 0, -2, 0.5f, 5}};
    opening.tracks[1] = {{0, 0, 0, 0, 5}, {1, 3.5f, 0, 0, 6}, {2, 9.5f, 0, 0, 7}};
    opening.tracks[2] = {{0, 1, 1, 1, 2}};
    RawAnimation& loop = file.animations[1];
    loop = {"anim_gear", "loop", 1, {}, 0, {}};
    loop.tracks[3] = {{0, 1, 1, 1, 2}};
    loop.tracks[4] = {{0.5f, 2, 2, 2, 2}};
    return file;
}

std::vector<AniFixture> all_animations() {
    return {{"LandingGear", landing_gear()},
            {"WithoutKeys", without_keys()},
            {"Empty", empty(16)},
            {"EmptyWithOffset0", empty(0)},
            {"OffsetIntoTable", with_offset(20), "ani-key-offset"},
            {"Offset0", with_offset(0), "ani-key-offset"},
            {"OffsetBeyondEnd", with_offset(0xfffffff0), "ani-key-offset"},
            {"Gap", with_gap(), "ani-gap"},
            {"Trailing", with_trailing(), "ani-trailing"},
            {"TooManyKeys", with_count(0xffffffff), "ani-keys-missing"},
            {"OneKeyTooMany", with_count(4), "ani-keys-missing"}};
}

}  // namespace effigy::test
