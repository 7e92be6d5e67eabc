/// Reading of animation.cfg: frame ranges, loops and rates of animations.

#include "x42/file/config.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <system_error>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/x42_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::x42 {

namespace {

constexpr std::array<std::string_view, 5> known_words{"fixedlegs", "fixedtorso", "footsteps", "headoffset", "sex"};

std::optional<float> parse_float(std::string_view word) noexcept {
    if (word.starts_with('+')) word.remove_prefix(1);
    float number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
    return number;
}

/// Whole numbers, also where they are written as 12.0.
std::optional<std::int32_t> parse_frame(std::string_view word) noexcept {
    if (word.starts_with('+')) word.remove_prefix(1);
    std::int32_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc()) return std::nullopt;
    const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
    const bool is_whole = rest.empty() || (rest[0] == '.' && rest.find_first_not_of('0', 1) == std::string_view::npos);
    return is_whole ? std::optional(number) : std::nullopt;
}

bool begins_number(std::string_view word) noexcept {
    const std::size_t sign = word.starts_with('-') || word.starts_with('+') ? 1 : 0;
    return word.size() > sign && ((word[sign] >= '0' && word[sign] <= '9') || word[sign] == '.');
}

/// First frame, number of frames, frames of the loop, frame rate.
bool parse_numbers(std::span<const Word> words, ConfigAnimation& animation) {
    if (words.size() < 4) return false;
    const auto first = parse_frame(words[0].text), count = parse_frame(words[1].text),
               loop = parse_frame(words[2].text);
    const auto rate = parse_float(words[3].text);
    if (!first || !count || !loop || !rate) return false;
    animation.first_frame = *first;
    animation.frame_count = *count;
    animation.loop_frames = *loop;
    animation.frame_rate = *rate;
    return true;
}

/// Up to the first blank.
std::string_view first_word(std::string_view text) noexcept {
    const auto end =
        std::find_if(text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) <= ' '; });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void parse_setting(const TextLine& line, ParsedConfigLine& parsed) {
    const Word& word = line.words.front();
    parsed.is_known_word = std::find(known_words.begin(), known_words.end(), lower(word.text)) != known_words.end();
    const bool has_value = line.words.size() > 1 && !begins_number(line.words[1].text);
    if (!parsed.is_known_word && (!has_value || word.text.empty() || begins_number(word.text))) return;
    parsed.kind = ConfigLine::setting;
    parsed.words = line.words.size();
    parsed.word = word.text;
    for (std::size_t i = 1; i < line.words.size(); ++i) {
        if (i > 1) parsed.value += ' ';
        parsed.value += line.words[i].text;
    }
}

class ConfigReader {
public:
    ConfigReader(Loaded<AnimationConfig>& loaded, TextBudget& budget) : loaded_(loaded), budget_(budget) {}

    Result<void> read(std::string_view text) {
        return read_lines(text, Separator::blank, budget_, loaded_.report,
                          [&](const TextLine& line) { return add(line); });
    }

private:
    void note(const Code& code, const TextLine& line, std::string message) {
        loaded_.report.add(line_finding(code, line, std::move(message),
                                        "name, first frame, frames, frames that repeat, frames a second"));
    }

    Result<void> add(const TextLine& line) {
        ParsedConfigLine parsed = parse_config_line(line);
        if (line.open_quote) note(codes::config_line, line, "a quote is not closed; it ends with its line");
        switch (parsed.kind) {
            case ConfigLine::named:
            case ConfigLine::unnamed:
                return add_animation(line, std::move(parsed));
            case ConfigLine::setting:
                return add_setting(line, std::move(parsed));
            case ConfigLine::unknown:
                note(codes::config_line, line, "this line is neither an animation nor a setting and is left out");
        }
        return {};
    }

    Result<void> add_animation(const TextLine& line, ParsedConfigLine parsed) {
        auto& animations = loaded_.value.animations;
        if (line.words.size() > parsed.words) {
            note(codes::config_line, line,
                 "more words stand in the line of an animation than it has; they are left out");
        }
        if (parsed.animation.name.empty()) parsed.animation.name = "animation" + std::to_string(animations.size());
        if (auto taken = budget_.take_element(sizeof(ConfigAnimation), parsed.animation.name.size()); !taken)
            return taken;
        animations.push_back(std::move(parsed.animation));
        return {};
    }

    Result<void> add_setting(const TextLine& line, ParsedConfigLine parsed) {
        auto& settings = loaded_.value.settings;
        if (!parsed.is_known_word) {
            note(codes::config_setting, line, "this setting is not known; it is kept and means nothing here");
        }
        const std::size_t bytes = parsed.word.size() + parsed.value.size();
        if (auto taken = budget_.take_element(sizeof(settings[0]), bytes); !taken) return taken;
        settings.emplace_back(std::string(parsed.word), std::move(parsed.value));
        return {};
    }

    Loaded<AnimationConfig>& loaded_;
    TextBudget& budget_;
};

}  // namespace

ParsedConfigLine parse_config_line(const TextLine& line) {
    ParsedConfigLine parsed;
    const std::span<const Word> words(line.words);
    parsed.animation.line = line.number;
    if (!words[0].quoted && parse_numbers(words, parsed.animation)) {
        parsed.kind = ConfigLine::unnamed;
        parsed.words = 4;
        parsed.animation.name = first_word(line.remark);
    } else if (parse_numbers(words.subspan(1), parsed.animation)) {
        parsed.kind = ConfigLine::named;
        parsed.words = 5;
        parsed.animation.name = words[0].text;
    } else {
        parse_setting(line, parsed);
    }
    return parsed;
}

Result<Loaded<AnimationConfig>> read_animation_config(Bytes text, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<AnimationConfig>> {
        Loaded<AnimationConfig> loaded;
        TextBudget budget(options.limits, text.size());
        const std::string_view view = as_text(text);
        if (auto done = ConfigReader(loaded, budget).read(view); !done) return fail(std::move(done.error()));
        const AnimationConfig& config = loaded.value;
        if (config.animations.empty() && (config.settings.empty() || !is_text(view))) {
            return fail(problem_at({}, codes::not_this_format,
                                   "this is no animation.cfg: no line of it is an animation or a setting", {},
                                   "name, first frame, frames, frames that repeat, frames a second"));
        }
        loaded.value.text = std::move(text);
        return loaded;
    });
}

}  // namespace effigy::x42
