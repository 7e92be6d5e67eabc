/// Playing an X42 model frame by frame, as its game does, on one core.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "effigy/x42_player.hpp"

#include "pair.hpp"
#include "playback_reference.hpp"

namespace effigy::bench {
namespace {

constexpr std::size_t bone_count = 64;
constexpr std::size_t frame_count = 1000;
constexpr std::size_t keys_of_track = 85;  ///< 16,320 in all
constexpr std::size_t palette = 4096;

/// Palettes of random numbers; rotations turn by up to `turn`.
x42::File make_palettes(float turn, std::mt19937& random) {
    const auto number = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); };
    const auto code = [&] { return static_cast<std::uint16_t>(random() % 65531); };
    const auto unit = [](float value) { return static_cast<std::int16_t>(std::lround(32767 * value)); };
    x42::File file;
    file.header.frame_count = frame_count;
    file.header.model_flags = x42::uniform_scale;
    file.pack.animation_positions = {x42::Range{-1, 1}, x42::Range{-1, 1}, x42::Range{-1, 1}};
    file.pack.animation_scales = {0.95f, 1.05f};
    for (std::size_t i = 0; i < palette; ++i) {
        const float angle = number(0, turn) / 2;
        const float height = number(-1, 1);
        const float radius = std::sqrt(1 - height * height) * std::sin(angle);
        file.positions.push_back({code(), code(), code()});
        file.scales.push_back(code());
        file.rotations.push_back({unit(radius), unit(height * std::sin(angle)), 0, unit(std::cos(angle))});
    }
    return file;
}

/// A tree of bones that all move, turn and stretch, each track with keys at frames of its own.
x42::File make_model(float turn) {
    std::mt19937 random(3);
    x42::File file = make_palettes(turn, random);
    std::vector<std::pair<std::uint16_t, x42::Key>> later;  // with the frame at which it is needed
    for (std::size_t bone = 0; bone < bone_count; ++bone) {
        x42::Bone& made = file.bones.emplace_back(x42::Bone());
        if (bone != 0) made.parent = static_cast<std::uint16_t>((bone - 1) / 2);
        for (std::uint16_t type = 0; type < 3; ++type) {
            std::uint16_t before = 0;
            for (std::size_t k = 0; k < keys_of_track; ++k) {
                constexpr std::size_t step = (frame_count - 1) / (keys_of_track - 1);
                const std::size_t frame = k == 0                   ? 0
                                          : k + 1 == keys_of_track ? frame_count - 1
                                                                   : k * step + random() % step;
                const x42::Key key{static_cast<x42::KeyType>(type), static_cast<std::uint16_t>(bone),
                                   static_cast<std::uint16_t>(frame), static_cast<std::uint16_t>(random() % palette)};
                if (k < 2) {
                    file.keys.push_back(key);
                } else {
                    later.emplace_back(before, key);
                }
                before = key.frame;
            }
        }
    }
    std::stable_sort(later.begin(), later.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [needed, key] : later) file.keys.push_back(key);
    return file;
}

/// The same model as a scene: a frame is a second.
Scene make_scene(const x42::File& file) {
    Scene scene;
    scene.nodes.resize(bone_count);
    Clip& clip = scene.clips.emplace_back();
    clip.duration = frame_count - 1;
    clip.rules.rotation = RotationRule::by_angle;
    clip.tracks.resize(3 * bone_count);
    for (Index bone = 1; bone < bone_count; ++bone) add_child(scene, file.bones[bone].parent, bone);
    for (const x42::Key& key : file.keys) {
        constexpr std::array paths{TrackPath::translation, TrackPath::scale, TrackPath::rotation};
        const auto type = static_cast<std::size_t>(key.type);
        Track& track = clip.tracks[3 * std::size_t{key.bone} + type];
        track.node = key.bone;
        track.path = paths[type];
        track.times.push_back(static_cast<float>(key.frame));
        const auto add = [&](std::initializer_list<float> numbers) {
            track.values.insert(track.values.end(), numbers);
        };
        if (key.type == x42::KeyType::rotation) {
            const Quat q = x42::unpack(file.rotations[key.value]);
            add({q.x, q.y, q.z, q.w});
        } else {
            const Vec3 v = key.type == x42::KeyType::scale
                               ? x42::scale_at(file, key.value)
                               : x42::unpack(file.positions[key.value], file.pack.animation_positions);
            add({v.x, v.y, v.z});
        }
    }
    return scene;
}

/// All frames forward, two pictures each; in degrees, how far keys may lie apart.
void play_x42(benchmark::State& state) {
    const x42::File file = make_model(static_cast<float>(state.range(0)) * 3.14159265f / 180);
    auto player = x42::Player::make(file);
    if (!player) return state.SkipWithError("the model was refused");
    const Scene scene = make_scene(file);
    const playback::Skeleton skeleton = playback::make_skeleton(scene);
    const playback::Animation animation = playback::bind(scene, skeleton, scene.clips.front());
    PlainPlayer plain(animation, skeleton);
    playback::Pose pose;
    pose.resize(bone_count);
    std::vector<Mat4> models(bone_count);
    const auto play = [&](int picture) {
        const x42::GroupFrame frame{picture / 2, picture / 2 + 1, picture % 2 == 0 ? 0 : 0.5f};
        return player->sample({&frame, 1}, x42::Beyond::hold, pose.span()) && player->models(pose.view(), models);
    };
    for (const int picture : {3, 1234, 1997}) {
        if (!play(picture)) return state.SkipWithError("a moment was refused");
        plain.play(picture / 2.0);
        std::vector<Mat4> by_bone(bone_count);
        for (std::size_t joint = 0; joint < bone_count; ++joint) by_bone[joint] = models[skeleton.nodes[joint]];
        if (!(max_difference(by_bone, plain.models()) < 1e-2))
            return state.SkipWithError("subject and reference differ");
    }
    constexpr int pictures = 2 * (frame_count - 1);
    run_pair(
        state, Ratio::speed, 3,
        [&] {
            for (int picture = 0; picture < pictures; ++picture) {
                benchmark::DoNotOptimize(play(picture));
                benchmark::ClobberMemory();
            }
        },
        [&] {
            for (int picture = 0; picture < pictures; ++picture) {
                plain.play(picture / 2.0);
                benchmark::ClobberMemory();
            }
        });
    state.counters["us/picture"] = 1e3 * state.counters["subject_ms"] / pictures;
}
BENCHMARK(play_x42)
    ->ArgName("degrees")
    ->Arg(20)
    ->Arg(90)
    ->Arg(360)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(31);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
