/// Palettes, key stream and animations.

#include <algorithm>
#include <cmath>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::checks {

namespace {

constexpr std::size_t types = 3;

const char* palette_name(std::size_t type) noexcept {
    constexpr std::array<const char*, types> names{"positions", "scales", "rotations"};
    return names[type];
}

/// What one track has shown so far.
struct Track {
    Key last;
    Key before_last;
    std::uint32_t count = 0;
    bool in_order = true;
};

class KeyCheck {
public:
    explicit KeyCheck(const Context& context)
        : context_(context),
          file_(context.file),
          sizes_{file_.positions.size(), file_.scales.size() / scale_width(file_.header), file_.rotations.size()},
          tracks_(types * file_.bones.size()) {
        for (std::size_t type = 0; type < types; ++type) used_[type].resize(sizes_[type]);
    }

    void run() {
        const std::size_t head = 2 * tracks_.size();
        if (file_.keys.size() < head && file_.missing[static_cast<std::size_t>(Section::keys)] == 0)
            context_.findings.add(codes::x42_keys_short, "keys", std::to_string(file_.keys.size()),
                                  std::to_string(head) + " or more");
        for (std::size_t index = 0; index < file_.keys.size(); ++index) check_key(index, head);
        report_keys();
        report_tracks();
        report_palettes();
    }

private:
    void check_key(std::size_t index, std::size_t head) {
        const Key& key = file_.keys[index];
        const auto type = static_cast<std::size_t>(key.type);
        const bool known_type = type < types, known_bone = key.bone < file_.bones.size();
        if (!known_type) type_.hit(index);
        if (!known_bone) bone_.hit(index);
        if (key.frame >= file_.header.frame_count && file_.header.frame_count != 0) frame_.hit(index);
        if (known_type && key.value >= sizes_[type]) value_.hit(index);
        if (known_type && key.value < sizes_[type]) used_[type][key.value] = true;
        if (!known_type || !known_bone) return;
        const std::size_t track = types * key.bone + type;
        const std::size_t place = index < head ? index / 2 : track;
        if (place != track) head_.hit(index);
        follow(tracks_[place], index, index >= head);
    }

    void follow(Track& track, std::size_t index, bool merged) {
        const Key& key = file_.keys[index];
        if (track.count != 0) {
            if (key.frame < track.last.frame || (key.frame == track.last.frame && key.value != track.last.value)) {
                order_.hit(index);
                track.in_order = false;
            } else if (key.frame == track.last.frame && track.count > 1 && file_.header.frame_count > 1) {
                // Every track has to have its first two, also one that never changes.
                repeated_.hit(index);
            }
            if (merged) check_need(track.last.frame, index);
        } else if (key.frame != 0) {
            first_.hit(index);
        }
        track.before_last = track.last;
        track.last = key;
        ++track.count;
    }

    /// A key is needed from the frame of the key before it in its track.
    void check_need(std::uint16_t frame, std::size_t index) {
        if (frame < need_) need_order_.hit(index);
        need_ = std::max(need_, frame);
    }

    template <class Text>
    void say(const Code& code, const Tally& tally, Text&& found, const std::string& expected = {}) {
        if (!tally) return;
        const auto first = static_cast<std::size_t>(tally.first);
        context_.findings.add(code, element_path("keys", first), first_of(found(file_.keys[first]), tally.count),
                              expected);
    }

    void report_keys() {
        const auto frame = [](const Key& key) { return "frame " + std::to_string(key.frame); };
        const auto track = [](const Key& key) {
            return "type " + std::to_string(static_cast<unsigned>(key.type)) + " of bone " + std::to_string(key.bone);
        };
        const auto frame_of_track = [&](const Key& key) { return frame(key) + ", " + track(key); };
        say(
            codes::x42_key_type, type_, [](const Key& key) { return std::to_string(static_cast<unsigned>(key.type)); },
            "0, 1 or 2");
        say(
            codes::x42_key_bone, bone_, [](const Key& key) { return std::to_string(key.bone); },
            below(file_.bones.size()));
        say(
            codes::x42_key_value, value_, [](const Key& key) { return std::to_string(key.value); },
            value_ ? below(sizes_[static_cast<std::size_t>(file_.keys[static_cast<std::size_t>(value_.first)].type)])
                   : std::string());
        say(codes::x42_key_frame, frame_, frame, below(file_.header.frame_count));
        say(codes::x42_key_head, head_, track);
        say(codes::x42_key_order, order_, frame_of_track);
        say(codes::x42_key_repeated, repeated_, frame_of_track);
        say(codes::x42_key_need_order, need_order_, frame_of_track);
        say(codes::x42_key_first, first_, frame_of_track, "frame 0");
    }

    void report_tracks() {
        Tally early;
        for (std::size_t index = 0; index < tracks_.size(); ++index) {
            const Track& track = tracks_[index];
            if (track.in_order && track.count > 1 && track.last.value != track.before_last.value &&
                track.last.frame + 1 < file_.header.frame_count)
                early.hit(index);
        }
        if (!early) return;
        const Track& first = tracks_[static_cast<std::size_t>(early.first)];
        context_.findings.add(codes::x42_key_last, "keys",
                              first_of("frame " + std::to_string(first.last.frame) + ", type " +
                                           std::to_string(static_cast<unsigned>(first.last.type)) + " of bone " +
                                           std::to_string(first.last.bone),
                                       early.count),
                              "frame " + std::to_string(file_.header.frame_count - 1));
    }

    void report_palettes() {
        for (std::size_t type = 0; type < types; ++type) {
            Tally unused;
            for (std::size_t value = 0; value < used_[type].size(); ++value)
                if (!used_[type][value]) unused.hit(value);
            // A scale is one number or three of the block.
            const auto width = type == static_cast<std::size_t>(KeyType::scale) ? scale_width(file_.header) : 1;
            if (unused)
                context_.findings.add(codes::x42_value_unused,
                                      element_path(palette_name(type), static_cast<std::size_t>(unused.first) * width),
                                      first_of("value " + std::to_string(unused.first), unused.count));
        }
        report_rotations();
    }

    void report_rotations() {
        Tally wrong;
        const auto length = [&](std::size_t index) {
            const Quat q = unpack(file_.rotations[index]);
            return std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
        };
        for (std::size_t index = 0; index < file_.rotations.size(); ++index)
            if (std::abs(length(index) - 1) > max_length_error) wrong.hit(index);
        if (!wrong) return;
        const auto first = static_cast<std::size_t>(wrong.first);
        context_.findings.add(codes::x42_rotation_length, element_path("rotations", first),
                              first_of("length " + number_text(static_cast<float>(length(first))), wrong.count), "1");
    }

    const Context& context_;
    const File& file_;
    std::array<std::size_t, types> sizes_;
    std::array<std::vector<bool>, types> used_;
    std::vector<Track> tracks_;
    std::uint16_t need_ = 0;
    Tally type_, bone_, value_, frame_, head_, order_, repeated_, need_order_, first_;
};

class AnimationCheck {
public:
    /// `base`: see animation_base().
    AnimationCheck(const Context& context, std::size_t index, std::int64_t base)
        : context_(context), animation_(context.file.animations[index]), index_(index), base_(base) {}

    void run() {
        check_name(context_, animation_.name, path("name"));
        bool fine = check_frame(animation_.first_frame, "first_frame");
        fine = check_frame(animation_.last_frame, "last_frame") && fine;
        if (animation_.loop_start != no_loop) check_loop(fine);
        // The unit is doubtful; more than this is frames a second for nobody.
        if (animation_.frame_rate == 0 || animation_.frame_rate > max_frame_rate)
            context_.findings.add(codes::x42_frame_rate, path("frame_rate"), std::to_string(animation_.frame_rate),
                                  "1 to " + std::to_string(max_frame_rate));
    }

private:
    static constexpr std::uint16_t max_frame_rate = 240;

    std::string path(const char* field) const { return field_path("animation", index_, field); }

    /// Whether the model has the frame.
    bool check_frame(std::uint16_t frame, const char* field) {
        const Header& header = context_.file.header;
        const std::int64_t number = frame - base_;
        if (number >= 0 && number < header.frame_count) return true;
        if (header.frame_count != 0)
            context_.findings.add(codes::x42_animation_range, path(field), std::to_string(frame),
                                  std::to_string(base_) + " to " + std::to_string(base_ + header.frame_count - 1));
        return false;
    }

    void check_loop(bool animation_fine) {
        bool fine = check_frame(animation_.loop_start, "loop_start");
        fine = check_frame(animation_.loop_end, "loop_end") && fine;
        if (!fine || !animation_fine) return;
        const bool backward = animation_.last_frame < animation_.first_frame;
        if (backward ? animation_.loop_end > animation_.loop_start : animation_.loop_end < animation_.loop_start)
            context_.findings.add(codes::x42_loop_order, path("loop_end"), std::to_string(animation_.loop_end),
                                  std::to_string(animation_.loop_start) + (backward ? " or less" : " or more"));
        const auto [low, high] = std::minmax(animation_.first_frame, animation_.last_frame);
        const auto [loop_low, loop_high] = std::minmax(animation_.loop_start, animation_.loop_end);
        if (loop_low < low || loop_high > high)
            context_.findings.add(codes::x42_loop_range, path("loop_start"),
                                  std::to_string(loop_low) + " to " + std::to_string(loop_high),
                                  "within " + std::to_string(low) + " to " + std::to_string(high));
    }

    const Context& context_;
    const Animation& animation_;
    std::size_t index_;
    std::int64_t base_;
};

}  // namespace

void check_keys(const Context& context) { KeyCheck(context).run(); }

void check_animations(const Context& context) {
    const std::int64_t base = animation_base(context.file);
    if (base != context.file.header.base_frame)
        context.findings.add(codes::animation_base_frame, "header / base_frame",
                             std::to_string(context.file.header.base_frame));
    Duplicates duplicates(context, "animation", false);
    for (std::size_t index = 0; index < context.file.animations.size(); ++index) {
        AnimationCheck(context, index, base).run();
        duplicates.add(context.file.animations[index].name, index);
    }
    duplicates.report();
}

}  // namespace effigy::x42::checks
