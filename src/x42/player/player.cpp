/// X42 animations played as the game plays them: by frames, groups and blends instead of seconds.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "effigy/x42_codes.hpp"
#include "effigy/x42_player.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "playback/checks.hpp"
#include "playback/kernels.hpp"
#include "playback/vector_math.hpp"
#include "x42/player/tracks.hpp"

namespace effigy::x42 {
namespace {

constexpr std::size_t track_kinds = key_types.size();

tl::unexpected<Diagnostic> not_playable(std::string path, std::string message, std::string found,
                                        std::string expected) {
    return fail(problem_at(std::move(path), codes::x42_not_playable, std::move(message), std::move(found),
                           std::move(expected)));
}

Result<void> check_key(const File& file, std::size_t number) {
    const Key& key = file.keys[number];
    const auto type = static_cast<std::size_t>(key.type);
    if (type >= track_kinds) {
        return not_playable(element_path("key", number) + " / type", "a key is of no known type", std::to_string(type),
                            "0, 1 or 2");
    }
    if (key.bone >= file.bones.size()) {
        return not_playable(element_path("key", number) + " / bone", "a key moves a bone that does not exist",
                            std::to_string(key.bone), "less than " + std::to_string(file.bones.size()));
    }
    if (key.value >= palette_size(file, key.type)) {
        return not_playable(element_path("key", number) + " / value", "a key has a value that does not exist",
                            std::to_string(key.value), "less than " + std::to_string(palette_size(file, key.type)));
    }
    return {};
}

/// The stream begins with two keys of each track, in the order of the tracks.
Result<void> check_keys(const File& file) {
    const std::size_t head = 2 * track_kinds * file.bones.size();
    if (file.keys.size() < head) {
        return not_playable("keys", "the key stream is too short for two keys of each track",
                            std::to_string(file.keys.size()), "at least " + std::to_string(head));
    }
    for (std::size_t i = 0; i < file.keys.size(); ++i) {
        if (auto fits = check_key(file, i); !fits) return fits;
        const std::size_t track = i / 2;
        const Key& key = file.keys[i];
        if (i >= head || (key.bone == track / track_kinds && key.type == key_types[track % track_kinds])) continue;
        return not_playable(element_path("key", i), "a track's first two keys do not stand in their place",
                            "bone " + std::to_string(key.bone), "bone " + std::to_string(track / track_kinds));
    }
    return {};
}

Result<std::vector<Index>> parents_of(const File& file) {
    std::vector<Index> parents;
    parents.reserve(file.bones.size());
    for (const Bone& bone : file.bones) {
        const std::size_t number = parents.size();
        if (bone.parent != no_bone && bone.parent >= number) {
            return not_playable(element_path("bone", number) + " / parent", "a bone does not come after its parent",
                                std::to_string(bone.parent), "less than " + std::to_string(number));
        }
        parents.push_back(bone.parent == no_bone ? no_index : bone.parent);
    }
    return parents;
}

/// The group of each bone.
Result<std::vector<std::uint8_t>> groups_of(const File& file) {
    if (file.animation_groups.size() > max_animation_groups) {
        return not_playable("animation_groups", "there are more animation groups than the game can play",
                            std::to_string(file.animation_groups.size()),
                            "at most " + std::to_string(max_animation_groups));
    }
    std::vector<std::uint8_t> groups(file.bones.size(), 0);
    for (std::size_t i = 0; i < file.animation_groups.size(); ++i) {
        const AnimationGroup& group = file.animation_groups[i];
        if (group.begin_bone > group.end_bone || group.end_bone > groups.size()) {
            return not_playable(element_path("animation_group", i), "an animation group has bones that do not exist",
                                std::to_string(group.begin_bone) + ".." + std::to_string(group.end_bone),
                                "within 0.." + std::to_string(groups.size()));
        }
        std::fill(groups.begin() + group.begin_bone, groups.begin() + group.end_bone, static_cast<std::uint8_t>(i));
    }
    return groups;
}

/// One track and where it was last.
struct TrackCursor {
    const TrackKey* keys = nullptr;
    std::uint32_t count = 2;  ///< at least 2
    std::uint32_t upper = 1;  ///< see upper_key()

    [[nodiscard]] TrackPlace find(double frame) noexcept {
        // Mostly time stays between two keys, or passes one.
        if (!holds(upper, frame)) {
            upper = upper + 1 < count && holds(upper + 1, frame)
                        ? upper + 1
                        : static_cast<std::uint32_t>(upper_key({keys, count}, frame));
        }
        return place_between({keys, count}, upper, frame);
    }

private:
    [[nodiscard]] bool holds(std::uint32_t key, double frame) const noexcept {
        return keys[key - 1].frame < frame && frame <= keys[key].frame;
    }
};

/// A group's frames as the key stream counts them.
struct Moment {
    double first = 0;
    double second = 0;      ///< a pose of its own that is mixed in, if it is ...
    bool is_apart = false;  ///< ... apart from the first one
    float fraction = 0;
};

/// Farther beyond its keys than this a track's rotation is not left to vector instructions, whose sines are good for
/// some thousand turns only.
constexpr float max_fraction = 1000;

}  // namespace

/// Palettes unpacked, and where each track was last.
struct Player::State {
    std::int64_t base_frame = 0;
    std::int64_t last_frame = 0;
    std::vector<Index> parents;
    std::vector<std::uint8_t> groups;  ///< of each bone
    Bulk<TrackKey> keys;
    std::vector<TrackCursor> positions_of, scales_of, rotations_of;  ///< one for each bone
    Bulk<Vec3> positions, scales;
    Bulk<Quat> rotations;
    std::vector<Moment> moments;  ///< one for each group
    Bulk<Quat> targets;           ///< one for each bone
    Bulk<float> fractions;        ///< likewise

    explicit State(const File& file)
        : base_frame(file.header.base_frame),
          last_frame(std::max<std::int64_t>(file.header.frame_count, 1) - 1),
          moments(std::max<std::size_t>(file.animation_groups.size(), 1)),
          targets(file.bones.size()),
          fractions(file.bones.size()) {
        for (const PackedVec3& value : file.positions)
            positions.push_back(unpack(value, file.pack.animation_positions));
        for (std::size_t i = 0; i < palette_size(file, KeyType::scale); ++i) scales.push_back(scale_at(file, i));
        for (const PackedQuat& value : file.rotations) rotations.push_back(unpack(value));
        add_tracks(Tracks(file), file.bones.size());
    }

    void read(std::span<const GroupFrame> frames, Beyond beyond) noexcept {
        for (std::size_t i = 0; i < moments.size(); ++i) {
            const std::int64_t from = key_frame(frames[i].from, beyond);
            const std::int64_t to = key_frame(frames[i].to, beyond);
            const bool is_apart = to != from && to != from + 1;
            const double within =
                is_apart ? 0 : static_cast<double>(frames[i].fraction) * static_cast<double>(to - from);
            moments[i] = {static_cast<double>(from) + within, static_cast<double>(to), is_apart, frames[i].fraction};
        }
    }

    void sample(const playback::PoseSpan& pose) noexcept {
        for (std::size_t bone = 0; bone < parents.size(); ++bone) {
            const double frame = moments[groups[bone]].first;
            pose.translations[bone] = value_at(positions_of[bone], positions, frame);
            pose.scales[bone] = value_at(scales_of[bone], scales, frame);
            const TrackPlace place = rotations_of[bone].find(frame);
            const bool is_near = std::fabs(place.fraction) < max_fraction;
            pose.rotations[bone] = is_near ? rotations[place.from] : rotation_at(place);
            targets[bone] = is_near ? rotations[place.to] : pose.rotations[bone];
            fractions[bone] = place.fraction;
        }
        playback::kernels::mix_rotations(RotationRule::by_angle, pose.rotations, targets.data(), fractions.data(),
                                         pose.rotations.data());
        for (std::size_t bone = 0; bone < parents.size(); ++bone) {
            if (moments[groups[bone]].is_apart) mix_in(bone, moments[groups[bone]], pose);
        }
    }

private:
    /// Each of them with two keys at least.
    void add_tracks(const Tracks& tracks, std::size_t bones) {
        std::array<std::vector<TrackCursor>*, track_kinds> cursors{&positions_of, &scales_of, &rotations_of};
        std::vector<std::size_t> begins;
        for (std::size_t track = 0; track < track_kinds * bones; ++track) {
            const auto own = tracks.keys(track / track_kinds, key_types[track % track_kinds]);
            begins.push_back(keys.size());
            keys.insert(keys.end(), own.begin(), own.end());
            // Of equal value, so that its frame does not matter as long as it is another one.
            if (own.size() == 1) keys.push_back({static_cast<std::uint16_t>(own[0].frame ^ 1), own[0].value});
        }
        begins.push_back(keys.size());
        for (std::size_t track = 0; track < track_kinds * bones; ++track) {
            const auto count = static_cast<std::uint32_t>(begins[track + 1] - begins[track]);
            cursors[track % track_kinds]->push_back({keys.data() + begins[track], count});
        }
    }

    /// A frame of the artist's counting as one of the key stream.
    [[nodiscard]] std::int64_t key_frame(std::int32_t frame, Beyond beyond) const noexcept {
        const std::int64_t from_base = std::max<std::int64_t>(frame - base_frame, 0);
        return beyond == Beyond::wrap ? from_base % (last_frame + 1) : std::min(from_base, last_frame);
    }

    [[nodiscard]] static Vec3 value_at(TrackCursor& cursor, const Bulk<Vec3>& values, double frame) noexcept {
        const TrackPlace place = cursor.find(frame);
        return mixed(values[place.from], values[place.to], place.fraction);
    }
    [[nodiscard]] Quat rotation_at(const TrackPlace& place) const noexcept {
        return mix(rotations[place.from], rotations[place.to], place.fraction);
    }

    void mix_in(std::size_t bone, const Moment& moment, const playback::PoseSpan& pose) noexcept {
        const Vec3 translation = value_at(positions_of[bone], positions, moment.second);
        const Quat rotation = rotation_at(rotations_of[bone].find(moment.second));
        const Vec3 scale = value_at(scales_of[bone], scales, moment.second);
        pose.translations[bone] = mixed(pose.translations[bone], translation, moment.fraction);
        pose.rotations[bone] = mix(pose.rotations[bone], rotation, moment.fraction);
        pose.scales[bone] = mixed(pose.scales[bone], scale, moment.fraction);
    }
};

Player::Player(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Player::Player(Player&&) noexcept = default;
Player& Player::operator=(Player&&) noexcept = default;
Player::~Player() = default;

Result<Player> Player::make(const File& file) {
    return without_exceptions([&]() -> Result<Player> {
        if (auto fits = check_keys(file); !fits) return fail(std::move(fits.error()));
        auto parents = parents_of(file);
        if (!parents) return fail(std::move(parents.error()));
        auto groups = groups_of(file);
        if (!groups) return fail(std::move(groups.error()));
        auto state = std::make_unique<State>(file);
        state->parents = std::move(*parents);
        state->groups = std::move(*groups);
        return Player(std::move(state));
    });
}

Result<void> Player::sample(std::span<const GroupFrame> frames, Beyond beyond, const playback::PoseSpan& pose) {
    if (auto fits = playback::check_sizes({{"frames", frames.size(), group_count()}}); !fits) return fits;
    if (auto fits = playback::check_pose("pose", pose, bone_count()); !fits) return fits;
    for (const GroupFrame& frame : frames) {
        if (frame.fraction >= 0 && frame.fraction <= 1) continue;
        return playback::wrong_value("frames.fraction", number_text(double{frame.fraction}), "0..1");
    }
    state_->read(frames, beyond);
    state_->sample(pose);
    return {};
}

Result<void> Player::blend(const playback::PoseSpan& pose, const playback::PoseView& other,
                           std::span<const float> weights) const {
    if (auto fits = playback::check_pose("pose", pose, bone_count()); !fits) return fits;
    if (auto fits = playback::check_pose("other", other, bone_count()); !fits) return fits;
    if (auto fits = playback::check_sizes({{"weights", weights.size(), group_count()}}); !fits) return fits;
    for (const float weight : weights) {
        if (!(weight >= 0 && weight <= 1)) return playback::wrong_value("weights", number_text(double{weight}), "0..1");
    }
    for (std::size_t bone = 0; bone < bone_count(); ++bone) {
        const float weight = weights[state_->groups[bone]];
        pose.translations[bone] = mixed(pose.translations[bone], other.translations[bone], weight);
        pose.rotations[bone] = mix(pose.rotations[bone], other.rotations[bone], weight);
        pose.scales[bone] = mixed(pose.scales[bone], other.scales[bone], weight);
    }
    return {};
}

Result<void> Player::apply(std::span<const BoneOffset> offsets, const playback::PoseSpan& pose) {
    if (auto fits = playback::check_pose("pose", pose, pose.size()); !fits) return fits;
    for (const BoneOffset& offset : offsets) {
        if (offset.bone >= pose.size())
            return playback::wrong_index("offsets.bone", offset.bone, "less than " + std::to_string(pose.size()));
    }
    for (const BoneOffset& offset : offsets) {
        Vec3& translation = pose.translations[offset.bone];
        Quat& rotation = pose.rotations[offset.bone];
        Vec3& scale = pose.scales[offset.bone];
        translation = playback::add(translation, offset.translation);
        rotation = playback::multiply(offset.rotation, rotation);
        scale = playback::add(scale, offset.scale);
    }
    return {};
}

Result<void> Player::models(const playback::PoseView& pose, std::span<Mat4> out) const {
    return playback::LocalToModelJob{state_->parents, pose, {}, out, playback::Kernel::vector}.run();
}

std::size_t Player::bone_count() const noexcept { return state_->parents.size(); }
std::size_t Player::group_count() const noexcept { return state_->moments.size(); }

}  // namespace effigy::x42
