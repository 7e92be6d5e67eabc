/// The engine's own way to play frames, against a plain computation.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "effigy/poser.hpp"
#include "effigy/x42_player.hpp"
#include "effigy/x42_scene.hpp"

#include "gltf/write/fit_rotations.hpp"
#include "playback/allocations.hpp"
#include "x42/player/tracks.hpp"

namespace effigy::x42 {
namespace {

using playback::Pose;

const std::filesystem::path reference = std::filesystem::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference";
const std::vector<std::string> reference_names{"le_full", "be_full", "le_uniform", "le_nonorm", "le_notc"};

File read_reference(const std::string& name) {
    auto loaded = read_file(reference / (name + ".x42"));
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return loaded ? std::move(loaded->value) : File();
}

Player make_player(const File& file) {
    auto player = Player::make(file);
    if (!player) throw std::runtime_error(to_string(player.error()));
    return std::move(*player);
}

Pose make_pose(const Player& player) {
    Pose pose;
    pose.resize(player.bone_count());
    return pose;
}

/// As the game is asked for a moment: the whole frame before it, the one behind that, and the rest.
GroupFrame at(double frame) {
    const auto whole = static_cast<std::int32_t>(std::floor(frame));
    return {whole, whole + 1, static_cast<float>(frame - whole)};
}

void sample_all(Player& player, const GroupFrame& frame, Pose& pose, Beyond beyond = Beyond::hold) {
    const std::vector<GroupFrame> frames(player.group_count(), frame);
    const auto sampled = player.sample(frames, beyond, pose.span());
    ASSERT_TRUE(sampled) << to_string(sampled.error());
}

// ---- The original's own numbers ----

/// Lines of one word in an .expected.txt: its numbers by time and number.
std::map<std::pair<double, std::size_t>, std::vector<double>> expected_lines(const std::string& name,
                                                                             const std::string& word) {
    std::map<std::pair<double, std::size_t>, std::vector<double>> lines;
    std::ifstream file(reference / (name + ".expected.txt"));
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string first;
        double time = 0;
        std::size_t number = 0;
        fields >> first;
        if (first != word || !(fields >> time >> number)) continue;
        std::vector<double>& numbers = lines[{time, number}];
        for (double value = 0; fields >> value;) numbers.push_back(value);
    }
    return lines;
}

/// Axes and origin in the game's space.
std::vector<double> in_game_space(const Mat4& model) {
    std::vector<double> numbers;
    for (std::size_t column = 0; column < 4; ++column) {
        const float* m = model.m.data() + 4 * column;
        for (const float number : {-m[0], m[2], m[1]}) numbers.push_back(static_cast<double>(number));
    }
    return numbers;
}

Mat4 product(const Mat4& a, const Matrix& b) {
    Mat4 result;
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            float sum = column == 3 ? a.m[12 + row] : 0;
            for (std::size_t k = 0; k < 3; ++k) sum += a.m[4 * k + row] * b[3 * column + k];
            result.m[4 * column + row] = sum;
        }
    }
    return result;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

TEST(X42Player, PosesAsTheGameDoes) {
    for (const std::string& name : reference_names) {
        SCOPED_TRACE(name);
        const File file = read_reference(name);
        Player player = make_player(file);
        Pose pose = make_pose(player);
        std::vector<Mat4> models(player.bone_count());
        double worst_bone = 0;
        double worst_tag = 0;
        const auto show = [&](double time) {
            sample_all(player, at(time), pose);
            ASSERT_TRUE(player.models(pose.view(), models));
        };
        const auto bones = expected_lines(name, "pose");
        const auto tags = expected_lines(name, "tag");
        ASSERT_EQ(bones.size(), 7u * file.bones.size());
        ASSERT_EQ(tags.size(), 7u * file.tags.size());
        for (const auto& [place, numbers] : bones) {
            show(place.first);
            worst_bone = std::max(worst_bone, difference(in_game_space(models[place.second]), numbers));
        }
        for (const auto& [place, numbers] : tags) {
            show(place.first);
            const Tag& tag = file.tags[place.second];
            const Mat4 bone = tag.bone == no_bone ? Mat4() : models[tag.bone];
            worst_tag = std::max(worst_tag, difference(in_game_space(product(bone, tag.matrix)), numbers));
        }
        EXPECT_LT(worst_bone, 5e-3);
        EXPECT_LT(worst_tag, 5e-3);
        RecordProperty(name + "_bones", std::to_string(worst_bone));
        RecordProperty(name + "_tags", std::to_string(worst_tag));
    }
}

/// The largest difference between bones of the scene's only clip and of the player, over all of its time.
double clip_error(const Scene& scene, const File& file, double rate) {
    Player player = make_player(file);
    auto poser = playback::Poser::make(scene);
    EXPECT_TRUE(poser) << to_string(poser.error());
    if (!poser) return INFINITY;
    Pose pose = make_pose(player);
    std::vector<Mat4> models(player.bone_count());
    double worst = 0;
    for (double time = 0; time <= static_cast<double>(scene.clips[0].duration); time += 0.013) {
        EXPECT_TRUE(poser->pose(0, time, false));
        sample_all(player, at(file.animations[0].first_frame + time * rate), pose);
        EXPECT_TRUE(player.models(pose.view(), models));
        for (std::size_t bone = 0; bone < models.size(); ++bone) {
            const std::string_view name = name_of(file, file.bones[bone].name);
            const auto node = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                           [&](const Node& candidate) { return candidate.name == name; });
            const auto number = static_cast<std::size_t>(node - scene.nodes.begin());
            const Mat4& shown = poser->models()[poser->skeleton().joints.at(number)];
            worst = std::max(worst, difference(in_game_space(shown), in_game_space(models[bone])));
        }
    }
    return worst;
}

TEST(X42Player, ReadersOfAGlbTurnBonesAsTheGameDoes) {
    for (const std::string& name : reference_names) {
        SCOPED_TRACE(name);
        const File file = read_reference(name);
        SceneInput input;
        input.models.push_back({Source{name, 0, {}}, file});
        SceneOptions options;
        options.frames_per_second = 10;
        auto converted = to_scene(std::move(input), options);
        ASSERT_TRUE(converted) << to_string(converted.error());
        Scene& scene = converted->value;
        ASSERT_EQ(scene.clips.size(), 1u);
        Clip& clip = scene.clips[0];
        ASSERT_EQ(clip.rules.rotation, RotationRule::by_angle);
        EXPECT_LT(clip_error(scene, file, options.frames_per_second), 5e-3);

        std::vector<Track> tracks = clip.tracks;
        for (Track& track : tracks) {
            if (!gltf::needs_fitting(clip, track)) continue;
            gltf::FittedTrack fitted = gltf::fit_rotations(track);
            track.times = std::move(fitted.times);
            track.values = std::move(fitted.values);
        }
        clip.rules.rotation = RotationRule::slerp;
        // Without the inserted keys readers are far off; with them, all that differs is the length of rotations.
        EXPECT_GT(clip_error(scene, file, options.frames_per_second), 1);
        clip.tracks = std::move(tracks);
        EXPECT_LT(clip_error(scene, file, options.frames_per_second), 1e-2);
    }
}

TEST(X42Player, BothByteOrdersPlayAlike) {
    Player little = make_player(read_reference("le_full"));
    Player big = make_player(read_reference("be_full"));
    Pose a = make_pose(little);
    Pose b = make_pose(big);
    for (double frame = 0; frame < 39; frame += 0.37) {
        sample_all(little, at(frame), a);
        sample_all(big, at(frame), b);
        EXPECT_EQ(a.translations, b.translations);
        EXPECT_EQ(a.rotations, b.rotations);
        EXPECT_EQ(a.scales, b.scales);
    }
}

// ---- Made files ----

struct SpareKey {
    int frame;
    int value;
};
using SpareTrack = std::vector<SpareKey>;

/// Palettes of random numbers, and tracks that are put into the stream as an exporter does.
class Maker {
public:
    static constexpr std::size_t palette = 40;

    explicit Maker(std::size_t bones, std::uint32_t seed = 1) : random_(seed), tracks_(3 * bones, {{0, 0}, {39, 0}}) {
        file.header.frame_count = 40;
        for (std::size_t i = 0; i < bones; ++i) {
            Bone bone;
            bone.parent = i == 0 ? no_bone : static_cast<std::uint16_t>((i - 1) / 2);
            file.bones.push_back(bone);
        }
        file.pack.animation_positions = {Range{-50, 50}, Range{-20, 70}, Range{0, 10}};
        file.pack.animation_scales = {0.5f, 2};
        const auto code = [&](auto limit) { return static_cast<decltype(limit)>(random_() % 65530); };
        for (std::size_t i = 0; i < palette; ++i) {
            file.positions.push_back({code(std::uint16_t{}), code(std::uint16_t{}), code(std::uint16_t{})});
            for (int k = 0; k < 3; ++k) file.scales.push_back(code(std::uint16_t{}));
            file.rotations.push_back(rotation());
        }
    }

    SpareTrack& track(std::size_t bone, KeyType type) { return tracks_[3 * bone + static_cast<std::size_t>(type)]; }

    /// Random keys everywhere.
    void fill() {
        for (SpareTrack& track : tracks_) {
            track = {{0, value()}};
            while (track.back().frame < 39) {
                const int next = track.back().frame + 1 + static_cast<int>(random_() % 9);
                track.push_back({std::min(next, 39), random_() % 5 == 0 ? track.back().value : value()});
            }
        }
    }

    const File& make() {
        struct Needed {
            int since;
            Key key;
        };
        file.keys.clear();
        std::vector<Needed> later;
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            for (std::size_t k = 0; k < tracks_[i].size(); ++k) {
                const SpareKey& spare = tracks_[i][k];
                const Key key{static_cast<KeyType>(i % 3), static_cast<std::uint16_t>(i / 3),
                              static_cast<std::uint16_t>(spare.frame), static_cast<std::uint16_t>(spare.value)};
                if (k < 2) {
                    file.keys.push_back(key);
                } else {
                    later.push_back({tracks_[i][k - 1].frame, key});
                }
            }
        }
        std::stable_sort(later.begin(), later.end(),
                         [](const Needed& a, const Needed& b) { return a.since < b.since; });
        for (const Needed& needed : later) file.keys.push_back(needed.key);
        return file;
    }

    int value() { return static_cast<int>(random_() % palette); }
    double number(double low, double high) {
        return low + (high - low) * static_cast<double>(random_()) / 4294967295.0;
    }

    File file;

private:
    PackedQuat rotation() {
        std::array<double, 4> q{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)};
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        PackedQuat packed{};
        for (std::size_t i = 0; i < 4; ++i) packed[i] = static_cast<std::int16_t>(32767 * q[i] / length);
        return packed;
    }

    std::mt19937 random_;
    std::vector<SpareTrack> tracks_;
};

/// Another way to the same numbers: a track is searched from its start, and all is done in double precision.
class Oracle {
public:
    Oracle(const File& file, std::size_t bone) : file_(file) {
        for (const Key& key : file.keys) {
            if (key.bone == bone) tracks_[static_cast<std::size_t>(key.type)].push_back(key);
        }
    }

    [[nodiscard]] std::vector<double> at(double frame) const {
        std::vector<double> all;
        for (std::size_t type = 0; type < 3; ++type) {
            const std::vector<double> value = track_at(type, frame);
            all.insert(all.end(), value.begin(), value.end());
        }
        return all;
    }

private:
    [[nodiscard]] std::vector<double> value_of(std::size_t type, std::size_t place) const {
        if (type == 2) {
            const PackedQuat& q = file_.rotations[place];
            return {q[0] / 32767.0, q[1] / 32767.0, q[2] / 32767.0, q[3] / 32767.0};
        }
        std::vector<double> value;
        for (std::size_t i = 0; i < 3; ++i) {
            const Range range = type == 0 ? file_.pack.animation_positions[i] : file_.pack.animation_scales;
            const int code = type == 0 ? file_.positions[place][i] : file_.scales[3 * place + i];
            const double low = static_cast<double>(range.low);
            value.push_back(code * (static_cast<double>(range.high) - low) / 65530 + low);
        }
        return value;
    }

    [[nodiscard]] std::vector<double> track_at(std::size_t type, double frame) const {
        const std::vector<Key>& keys = tracks_[type];
        std::size_t upper = 1;
        while (upper + 1 < keys.size() && keys[upper].frame < frame) ++upper;
        const Key& from = keys[upper - 1];
        const Key& to = keys[upper];
        std::vector<double> a = value_of(type, from.value);
        std::vector<double> b = value_of(type, to.value);
        if (from.value == to.value) return a;
        const double part = (frame - from.frame) / (to.frame - from.frame);
        double first = 1 - part;
        double second = part;
        double cosine = 1;
        if (type == 2) {
            cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
            for (double& number : b) number = cosine < 0 ? -number : number;
            cosine = std::abs(cosine);
            if (cosine < 0.2) {
                const double angle = std::acos(cosine);
                first = std::sin(first * angle) / std::sin(angle);
                second = std::sin(second * angle) / std::sin(angle);
            }
        }
        double square = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = first * a[i] + second * b[i];
            square += a[i] * a[i];
        }
        if (type == 2 && cosine >= 0.2 && cosine < 1 - 1e-5) {
            for (double& number : a) number /= std::sqrt(square);
        }
        return a;
    }

    const File& file_;
    std::array<std::vector<Key>, 3> tracks_;
};

std::vector<double> numbers_of(const Vec3& t, const Vec3& s, const Quat& r) {
    std::vector<double> all;
    for (const float number : {t.x, t.y, t.z, s.x, s.y, s.z, r.x, r.y, r.z, r.w})
        all.push_back(static_cast<double>(number));
    return all;
}

std::vector<double> numbers_of(const Pose& pose, std::size_t bone) {
    return numbers_of(pose.translations[bone], pose.scales[bone], pose.rotations[bone]);
}

TEST(X42Player, AgreesWithDoublesInAnyOrderOfFrames) {
    Maker maker(9);
    maker.fill();
    const File& file = maker.make();
    const Tracks tracks(file);
    EXPECT_EQ(tracks.left_out(), 0u);
    Player forward = make_player(file);
    Player jumping = make_player(file);
    Pose a = make_pose(forward);
    Pose b = make_pose(jumping);
    for (double frame = 0; frame < 39; frame += 0.0625) {
        sample_all(jumping, at(maker.number(0, 39)), b);
        sample_all(forward, at(frame), a);
        sample_all(jumping, at(frame), b);
        EXPECT_EQ(a.translations, b.translations);
        EXPECT_EQ(a.rotations, b.rotations);
        EXPECT_EQ(a.scales, b.scales);
        for (std::size_t bone = 0; bone < 9; ++bone) {
            const std::vector<double> expected = Oracle(file, bone).at(frame);
            EXPECT_LT(difference(numbers_of(a, bone), expected), 2e-5) << frame;
            const Transform alone = sample(file, tracks, bone, frame);
            EXPECT_LT(difference(numbers_of(alone.translation, alone.scale, alone.rotation), expected), 2e-5);
        }
    }
}

TEST(X42Player, GoesOnBeyondTheKeys) {
    Maker maker(1);
    maker.track(0, KeyType::position) = {{10, 1}, {20, 2}, {30, 5}};
    maker.track(0, KeyType::rotation) = {{5, 1}, {6, 2}};
    maker.track(0, KeyType::scale) = {{10, 3}, {12, 3}};
    const File& file = maker.make();
    Player player = make_player(file);
    Pose pose = make_pose(player);
    const Tracks tracks(file);
    for (const double frame : {0.0, 4.5, 5.0, 6.0, 9.0, 12.5, 30.0, 31.25, 38.5}) {
        sample_all(player, at(frame), pose);
        const std::vector<double> expected = Oracle(file, 0).at(frame);
        EXPECT_LT(difference(numbers_of(pose, 0), expected), 1e-4) << frame;
        const Transform alone = sample(file, tracks, 0, frame);
        EXPECT_LT(difference(numbers_of(alone.translation, alone.scale, alone.rotation), expected), 1e-4) << frame;
    }
}

TEST(X42Player, GoesFarBeyondTheKeys) {
    Maker maker(1);
    maker.file.header.frame_count = 0xffff;
    maker.file.rotations[1] = {0, 0, 0, 32767};
    maker.file.rotations[2] = {32767, 0, 0, 3000};  // an arc
    maker.track(0, KeyType::rotation) = {{0, 1}, {1, 2}};
    maker.track(0, KeyType::scale) = {{65535, 4}, {65535, 4}};
    const File& file = maker.make();
    Player player = make_player(file);
    Pose pose = make_pose(player);
    for (const double frame : {800.0, 1500.5, 60000.25}) {
        sample_all(player, at(frame), pose);
        // An angle of so many turns has lost some digits by then.
        EXPECT_LT(difference(numbers_of(pose, 0), Oracle(file, 0).at(frame)), 1e-2) << frame;
    }
}

TEST(X42Player, HoldsOrWrapsAndCountsFromTheBaseFrame) {
    Maker maker(3);
    maker.fill();
    maker.file.header.base_frame = -7;
    Player player = make_player(maker.make());
    const auto pose_of = [&](std::int32_t from, std::int32_t to, float part, Beyond beyond) {
        Pose pose = make_pose(player);
        sample_all(player, {from, to, part}, pose, beyond);
        return pose;
    };
    const auto same = [](const Pose& a, const Pose& b) {
        return a.translations == b.translations && a.rotations == b.rotations && a.scales == b.scales;
    };
    const auto key_frame = [&](double frame) {
        const GroupFrame place = at(frame);
        return pose_of(place.from - 7, place.to - 7, place.fraction, Beyond::hold);
    };
    EXPECT_LT(difference(numbers_of(key_frame(12.5), 2), Oracle(maker.file, 2).at(12.5)), 2e-5);
    EXPECT_TRUE(same(pose_of(-100, -99, 0.5f, Beyond::hold), key_frame(0)));
    EXPECT_TRUE(same(pose_of(-100, -99, 0.5f, Beyond::wrap), key_frame(0)));
    EXPECT_TRUE(same(pose_of(500, 501, 0.5f, Beyond::hold), key_frame(39)));
    EXPECT_TRUE(same(pose_of(33 + 40 * 5, 33 + 40 * 5, 0.5f, Beyond::wrap), key_frame(0)));
    EXPECT_TRUE(same(pose_of(3 + 40 * 5, 4 + 40 * 5, 0.25f, Beyond::wrap), key_frame(10.25)));
    EXPECT_TRUE(same(pose_of(INT32_MIN, INT32_MIN, 0, Beyond::wrap), key_frame(0)));
    EXPECT_TRUE(same(pose_of(INT32_MAX, INT32_MAX, 0, Beyond::hold), key_frame(39)));
}

TEST(X42Player, MixesPosesOfFramesThatLieApart) {
    Maker maker(2);
    maker.fill();
    Player player = make_player(maker.make());
    Pose from = make_pose(player);
    Pose to = make_pose(player);
    Pose mixed = make_pose(player);
    // Jumps, backwards, and from the last frame to the first.
    for (const GroupFrame frame : {GroupFrame{3, 17, 0.3f}, {17, 3, 0.3f}, {5, 4, 0.75f}, {39, 40, 0.5f}}) {
        sample_all(player, {frame.from, frame.from, 0}, from, Beyond::wrap);
        sample_all(player, {frame.to, frame.to, 0}, to, Beyond::wrap);
        sample_all(player, frame, mixed, Beyond::wrap);
        for (std::size_t bone = 0; bone < 2; ++bone) {
            const float x =
                from.translations[bone].x + frame.fraction * (to.translations[bone].x - from.translations[bone].x);
            EXPECT_FLOAT_EQ(mixed.translations[bone].x, x);
            const Quat turned = mix(from.rotations[bone], to.rotations[bone], frame.fraction);
            EXPECT_NEAR(mixed.rotations[bone].x, turned.x, 1e-6);
            EXPECT_NEAR(mixed.rotations[bone].w, turned.w, 1e-6);
            const float y = from.scales[bone].y + frame.fraction * (to.scales[bone].y - from.scales[bone].y);
            EXPECT_FLOAT_EQ(mixed.scales[bone].y, y);
        }
    }
}

TEST(X42Player, GroupsPlayApart) {
    Maker maker(6);
    maker.fill();
    maker.file.animation_groups = {{0, 0, 2}, {0, 2, 5}};
    const File& file = maker.make();
    Player player = make_player(file);
    ASSERT_EQ(player.group_count(), 2u);
    Pose pose = make_pose(player);
    const std::vector<GroupFrame> frames{at(3.5), at(20.25)};
    ASSERT_TRUE(player.sample(frames, Beyond::hold, pose.span()));
    for (std::size_t bone = 0; bone < 6; ++bone) {
        const double frame = bone >= 2 && bone < 5 ? 20.25 : 3.5;  // bone 5 is in no group
        EXPECT_LT(difference(numbers_of(pose, bone), Oracle(file, bone).at(frame)), 2e-5) << bone;
    }

    Pose other = make_pose(player);
    sample_all(player, at(30), other);
    const Pose before = pose;
    ASSERT_TRUE(player.blend(pose.span(), other.view(), std::vector<float>{0, 0.25f}));
    EXPECT_EQ(pose.translations[0], before.translations[0]);
    EXPECT_EQ(pose.translations[5], before.translations[5]);
    EXPECT_EQ(pose.rotations[3], mix(before.rotations[3], other.rotations[3], 0.25f));
    EXPECT_FLOAT_EQ(pose.scales[4].z, 0.75f * before.scales[4].z + 0.25f * other.scales[4].z);
}

TEST(X42Player, OffsetsComeOnTop) {
    Maker maker(2);
    maker.fill();
    Player player = make_player(maker.make());
    Pose pose = make_pose(player);
    sample_all(player, at(7.5), pose);
    const Pose before = pose;
    const float half = std::sqrt(0.5f);
    const std::vector<BoneOffset> offsets{{1, {1, 2, 3}, {0, half, 0, half}, {0.5f, 0, -0.25f}}};
    ASSERT_TRUE(Player::apply(offsets, pose.span()));
    EXPECT_EQ(pose.translations[0], before.translations[0]);
    EXPECT_EQ(pose.translations[1],
              (Vec3{before.translations[1].x + 1, before.translations[1].y + 2, before.translations[1].z + 3}));
    EXPECT_FLOAT_EQ(pose.scales[1].x, before.scales[1].x + 0.5f);
    // A quarter turn about Y from the left: z becomes x, x becomes -z.
    std::vector<Mat4> models(2);
    std::vector<Mat4> turned(2);
    Pose at_rest = before;
    at_rest.scales[1] = pose.scales[1];
    at_rest.translations[1] = pose.translations[1];
    for (Pose* one : {&at_rest, &pose}) {
        one->rotations[0] = {};
        one->translations[0] = {};
        one->scales[0] = {1, 1, 1};
    }
    ASSERT_TRUE(player.models(at_rest.view(), models));
    ASSERT_TRUE(player.models(pose.view(), turned));
    for (const std::size_t column : {std::size_t{0}, std::size_t{4}, std::size_t{8}}) {
        EXPECT_NEAR(turned[1].m[column], models[1].m[column + 2], 1e-5);
        EXPECT_NEAR(turned[1].m[column + 1], models[1].m[column + 1], 1e-5);
        EXPECT_NEAR(turned[1].m[column + 2], -models[1].m[column], 1e-5);
    }
}

TEST(X42Player, ScaleComesFirstAndParentsMoveChildren) {
    Maker maker(2);
    Player player = make_player(maker.make());
    Pose pose = make_pose(player);
    const float half = std::sqrt(0.5f);
    pose.translations.assign(2, Vec3{10, 0, 0});
    pose.rotations.assign(2, Quat{0, 0, half, half});  // x becomes y
    pose.scales.assign(2, Vec3{2, 1, 1});
    std::vector<Mat4> models(2);
    ASSERT_TRUE(player.models(pose.view(), models));
    // The child's origin, 10 along the parent's x, which is doubled and then turned.
    EXPECT_NEAR(models[1].m[12], 10, 1e-5);
    EXPECT_NEAR(models[1].m[13], 20, 1e-5);
    EXPECT_NEAR(models[1].m[0], -2, 1e-5);
}

TEST(X42Player, AllocatesNothingWhilePlaying) {
    Maker maker(20);
    maker.fill();
    Player player = make_player(maker.make());
    Pose pose = make_pose(player);
    Pose other = make_pose(player);
    std::vector<Mat4> models(20);
    const std::vector<GroupFrame> frames{{3, 4, 0.5f}};
    const std::vector<GroupFrame> jump{{30, 4, 0.5f}};
    const std::vector<float> weights{0.5f};
    const std::vector<BoneOffset> offsets{{3, {1, 2, 3}, {}, {}}};
    bool is_fine = true;
    const int count = test::count_allocations([&] {
        is_fine = player.sample(frames, Beyond::wrap, pose.span()) && player.sample(jump, Beyond::hold, other.span()) &&
                  player.blend(pose.span(), other.view(), weights) && Player::apply(offsets, pose.span()) &&
                  player.models(pose.view(), models);
    });
    EXPECT_TRUE(is_fine);
    EXPECT_EQ(count, 0);
}

// ---- What is refused ----

std::string refusal(const File& file) {
    const auto player = Player::make(file);
    return player ? "" : player.error().code;
}

TEST(X42Player, RefusesStreamsThatLeadNowhere) {
    Maker maker(3);
    maker.fill();
    const File good = maker.make();
    ASSERT_EQ(refusal(good), "");
    const auto with = [&](auto&& damage) {
        File file = good;
        damage(file);
        return refusal(file);
    };
    const std::string refused = "x42-not-playable";
    EXPECT_EQ(with([](File& f) { f.keys[20].bone = 3; }), refused);
    EXPECT_EQ(with([](File& f) { f.keys[20].value = Maker::palette; }), refused);
    EXPECT_EQ(with([](File& f) { f.keys[20].type = static_cast<KeyType>(3); }), refused);
    EXPECT_EQ(with([](File& f) { f.keys.resize(17); }), refused);
    EXPECT_EQ(with([](File& f) { f.keys.clear(); }), refused);
    EXPECT_EQ(with([](File& f) { std::swap(f.keys[0], f.keys[2]); }), refused);
    EXPECT_EQ(with([](File& f) { f.bones[1].parent = 1; }), refused);
    EXPECT_EQ(with([](File& f) { f.bones[1].parent = 70; }), refused);
    EXPECT_EQ(with([](File& f) { f.animation_groups = {{0, 0, 4}}; }), refused);
    EXPECT_EQ(with([](File& f) { f.animation_groups = {{0, 2, 1}}; }), refused);
    EXPECT_EQ(with([](File& f) { f.animation_groups.resize(33); }), refused);
    EXPECT_EQ(with([](File& f) { f.positions.clear(); }), refused);
    EXPECT_EQ(with([](File& f) { f.header.frame_count = 0; }), "");
    EXPECT_EQ(refusal(File()), "");
}

TEST(X42Player, PlaysFilesWithoutFramesOrBones) {
    Maker maker(1);
    maker.fill();
    maker.file.header.frame_count = 0;
    Player player = make_player(maker.make());
    Pose pose = make_pose(player);
    for (const Beyond beyond : {Beyond::hold, Beyond::wrap}) {
        sample_all(player, at(17.5), pose, beyond);
        EXPECT_LT(difference(numbers_of(pose, 0), Oracle(maker.file, 0).at(0)), 2e-5);
    }
    Player empty = make_player(File());
    EXPECT_EQ(empty.group_count(), 1u);
    Pose nothing;
    sample_all(empty, at(3), nothing);
    EXPECT_TRUE(empty.models(nothing.view(), {}));
}

TEST(X42Player, RefusesWhatDoesNotFit) {
    Maker maker(2);
    Player player = make_player(maker.make());
    Pose pose = make_pose(player);
    Pose small;
    small.resize(1);
    const std::vector<GroupFrame> one{at(1)};
    const auto code = [](const Result<void>& result) { return result ? "" : result.error().code; };
    EXPECT_EQ(code(player.sample({}, Beyond::hold, pose.span())), "playback-size");
    EXPECT_EQ(code(player.sample(one, Beyond::hold, small.span())), "playback-size");
    for (const float part : {-0.5f, 1.5f, std::nanf("")}) {
        const std::vector<GroupFrame> bad{{0, 1, part}};
        for (const Result<void>& refused : {player.sample(bad, Beyond::hold, pose.span()),
                                            player.blend(pose.span(), pose.view(), std::vector<float>{part})}) {
            ASSERT_EQ(code(refused), "playback-value");
            EXPECT_EQ(refused.error().found, part < 0 ? "-0.5" : part > 1 ? "1.5" : "nan");
        }
    }
    EXPECT_EQ(code(player.blend(pose.span(), small.view(), std::vector<float>{0})), "playback-size");
    EXPECT_EQ(code(player.blend(pose.span(), pose.view(), {})), "playback-size");
    EXPECT_EQ(code(Player::apply(std::vector<BoneOffset>{{2, {}, {}, {}}}, pose.span())), "playback-index");
    EXPECT_EQ(code(Player::apply(std::vector<BoneOffset>(1), pose.span())), "playback-index");
    std::vector<Mat4> models(1);
    EXPECT_EQ(code(player.models(pose.view(), models)), "playback-size");
}

TEST(X42Tracks, LeaveOutWhatCannotBePlayed) {
    Maker maker(2);
    maker.track(0, KeyType::position) = {{0, 1}, {5, 2}, {5, 3}, {4, 1}, {9, 4}};
    maker.make();
    File& file = maker.file;
    file.keys.push_back({KeyType::rotation, 2, 50, 0});
    file.keys.push_back({KeyType::rotation, 1, 50, Maker::palette});
    file.keys.push_back({static_cast<KeyType>(700), 1, 50, 0});
    file.keys.push_back({KeyType::position, 0, 9, 4});  // says nothing new
    const Tracks tracks(file);
    EXPECT_EQ(tracks.left_out(), 5u);
    const auto keys = tracks.keys(0, KeyType::position);
    ASSERT_EQ(keys.size(), 3u);
    EXPECT_EQ(keys[1].value, 2);
    EXPECT_EQ(keys[2].frame, 9);
    EXPECT_EQ(tracks.keys(1, KeyType::rotation).size(), 2u);
}

TEST(X42Tracks, AtRestWithoutKeys) {
    File file;
    file.bones.resize(1, Bone());
    EXPECT_EQ(sample(file, Tracks(file), 0, 5), Transform());
    file.keys.push_back({KeyType::position, 0, 3, 0});
    file.positions.push_back({65530, 0, 0});
    file.pack.animation_positions[0] = {0, 8};
    EXPECT_EQ(sample(file, Tracks(file), 0, 5).translation, (Vec3{8, 0, 0}));
}

}  // namespace
}  // namespace effigy::x42
