/// Rules for ANI files: header, states, keys in order, finite numbers, known interpolations.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/rules.hpp"
#include "core/text.hpp"
#include "egosoft/file/layout_ani.hpp"

namespace effigy::egosoft {

namespace {

using ani::Animation;
using ani::Key;

bool finite(const Key& key) noexcept {
    const auto fine = [](float number) { return std::isfinite(number); };
    if (!fine(key.value.x) || !fine(key.value.y) || !fine(key.value.z) || !fine(key.time)) return false;
    if (std::find(key.interpolation.begin(), key.interpolation.end(), ani::Interpolation::bezier) ==
        key.interpolation.end())
        return true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (key.interpolation[axis] != ani::Interpolation::bezier) continue;
        for (const ani::Handle& handle : key.handles[axis]) {
            if (!fine(handle.value)) return false;
        }
    }
    return true;
}

bool is_known(ani::Interpolation kind) noexcept {
    using enum ani::Interpolation;
    return kind == step || kind == linear || kind == bezier || kind == bezier_linear_time || kind == tcb;
}

class AnimationCheck {
public:
    AnimationCheck(const ani::File& file, Report& report) : file_(file), findings_(report) {}

    void run() {
        if (file_.header.version != 1)
            findings_.add(codes::ani_version, "version", std::to_string(file_.header.version), "1");
        for (std::size_t index = 0; index < file_.animations.size(); ++index) check_animation(index);
    }

private:
    void check_animation(std::size_t index) {
        const Animation& animation = file_.animations[index];
        check_names(index);
        if (!std::isfinite(animation.duration) || animation.duration < 0)
            findings_.add(codes::ani_duration, animation_path(index, "duration"), number_text(animation.duration),
                          "0 or more");
        ani::for_each_track(animation, [&](const char*, const std::string& name, const auto& keys, std::uint32_t) {
            // Exporters write the scale and the angles of one time, one after the other.
            const bool has_pairs = name == "pre_scales" || name == "post_scales";
            check_keys(keys, "keys[" + std::to_string(index) + "] / " + name, animation.duration, has_pairs);
        });
    }

    void check_names(std::size_t index) {
        const Animation& animation = file_.animations[index];
        const std::string_view part = ani::part_of(animation), state = ani::state_of(animation);
        for (const bool of_part : {true, false}) {
            if ((of_part ? part : state).size() == animation.part.size())
                findings_.add(codes::ani_name_end, animation_path(index, of_part ? "part" : "state"), {},
                              "at most 63 characters");
        }
        if (part.empty()) findings_.add(codes::ani_name_empty, animation_path(index, "part"), "\"\"", "a part's name");
        if (!names_.emplace(part, state).second) {
            findings_.add(codes::ani_repeated, animation_path(index, "part"),
                          std::string(part) + ", " + std::string(state));
        }
    }

    void check_keys(const Bulk<Key>& keys, const std::string& path, float duration, bool has_pairs) {
        Tally order, repeated, negative, late, infinite, unknown, rare;
        // Exporters round times to frames: half a frame is neither lateness nor haste.
        constexpr float half_frame = 0.5f / 30;
        const float end = duration + half_frame;
        for (std::size_t index = 0; index < keys.size(); ++index) {
            const Key& key = keys[index];
            if (index != 0 && key.time < keys[index - 1].time) order.hit(index);
            const bool is_second = has_pairs && index % 2 == 1;
            if (index != 0 && key.time == keys[index - 1].time && !is_second) repeated.hit(index);
            if (key.time <= -half_frame) negative.hit(index);
            if (key.time > end) late.hit(index);
            if (!finite(key)) infinite.hit(index);
            for (const ani::Interpolation kind : key.interpolation) {
                if (!is_known(kind)) {
                    unknown.hit(index);
                } else if (kind == ani::Interpolation::tcb || kind == ani::Interpolation::bezier_linear_time) {
                    rare.hit(index);
                }
            }
        }
        const auto say = [&](const Code& code, const Tally& tally, auto&& found) {
            if (!tally) return;
            const auto first = static_cast<std::size_t>(tally.first);
            findings_.add(code, path + "[" + std::to_string(first) + "]", first_of(found(first), tally.count));
        };
        const auto time = [&](std::size_t at) { return number_text(keys[at].time) + " s"; };
        const auto after = [&](std::size_t at) { return time(at) + " after " + time(at - 1); };
        const auto kinds = [&](std::size_t at) {
            return joined(keys[at].interpolation, ", ",
                          [](ani::Interpolation kind) { return std::to_string(static_cast<std::uint32_t>(kind)); });
        };
        say(codes::ani_key_order, order, after);
        say(codes::ani_key_repeated, repeated, after);
        say(codes::ani_key_negative, negative, time);
        say(codes::ani_key_late, late, time);
        say(codes::ani_not_finite, infinite, [](std::size_t) { return std::string("a key"); });
        say(codes::ani_interpolation, unknown, kinds);
        say(codes::ani_interpolation_rare, rare, kinds);
    }

    const ani::File& file_;
    Findings findings_;
    std::set<std::pair<std::string_view, std::string_view>> names_;
};

}  // namespace

}  // namespace effigy::egosoft

namespace effigy::ani {

Report check(const File& file) {
    Report report;
    egosoft::check_places(file, report);
    egosoft::AnimationCheck(file, report).run();
    egosoft::locate(file, report);
    return report;
}

}  // namespace effigy::ani
