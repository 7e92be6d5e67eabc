/// Reading of animation.cfg (frame ranges, loops and rates of animations) and .skin files (shaders by surface).

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "effigy/x42_codes.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "x42/file/companion_text.hpp"

namespace effigy::x42 {

namespace {

constexpr std::array<std::string_view, 5> known_words{"fixedlegs", "fixedtorso", "footsteps", "headoffset", "sex"};

std::optional<float> parse_float(std::string_view word) noexcept {
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto number = number_from<float>(word);
    return number && std::isfinite(*number) ? number : std::nullopt;
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

constexpr const char* config_form = "name, first frame, frames, frames that repeat, frames a second";
constexpr const char* skin_form = "surface,shader or tag_name,";

Result<void> add_animation(const TextLine& line, ParsedConfigLine parsed, Loaded<AnimationConfig>& loaded,
                           TextBudget& budget) {
    auto& animations = loaded.value.animations;
    if (line.words.size() > parsed.words) {
        loaded.report.add(line_finding(codes::config_line, line,
                                       "more words stand in the line of an animation than it has; they are left out",
                                       config_form));
    }
    if (parsed.animation.name.empty()) parsed.animation.name = "animation" + std::to_string(animations.size());
    if (auto taken = budget.take_element(sizeof(ConfigAnimation), parsed.animation.name.size()); !taken) return taken;
    animations.push_back(std::move(parsed.animation));
    return {};
}

/// A setting, or the surface of a skin.
Result<void> add_pair(std::vector<std::pair<std::string, std::string>>& pairs, std::string_view first,
                      std::string_view second, TextBudget& budget) {
    if (auto taken = budget.take_element(sizeof(pairs[0]), first.size() + second.size()); !taken) return taken;
    pairs.emplace_back(first, second);
    return {};
}

Result<void> add_config_line(const TextLine& line, Loaded<AnimationConfig>& loaded, TextBudget& budget) {
    const auto note = [&](const Code& code, const char* message) {
        loaded.report.add(line_finding(code, line, message, config_form));
    };
    ParsedConfigLine parsed = parse_config_line(line);
    if (line.open_quote) note(codes::config_line, "a quote is not closed; it ends with its line");
    switch (parsed.kind) {
        case ConfigLine::named:
        case ConfigLine::unnamed:
            return add_animation(line, std::move(parsed), loaded, budget);
        case ConfigLine::setting:
            if (!parsed.is_known_word)
                note(codes::config_setting, "this setting is not known; it is kept and means nothing here");
            return add_pair(loaded.value.settings, parsed.word, parsed.value, budget);
        case ConfigLine::unknown:
            note(codes::config_line, "this line is neither an animation nor a setting and is left out");
    }
    return {};
}

Result<void> add_skin_line(const TextLine& line, Loaded<Skin>& loaded, TextBudget& budget) {
    const auto note = [&](const char* message) {
        loaded.report.add(line_finding(codes::skin_line, line, message, skin_form));
    };
    const ParsedSkinLine parsed = parse_skin_line(line);
    if (line.open_quote) note("a quote is not closed; it ends with its line");
    if (parsed.kind == SkinLine::unknown) {
        note("this line names no surface and is left out");
        return {};
    }
    if (parsed.kind == SkinLine::no_shader) note("a surface has no shader; it is not drawn");
    if (parsed.has_more) note("more words stand in the line than a surface and its shader; they are left out");
    return add_pair(loaded.value.surfaces, parsed.surface, parsed.shader, budget);
}

/// A text whose lines `add(line, loaded, budget)` takes; `problem(file, is_text)` says what keeps it from being one.
template <class File, class Add, class Problem>
Result<Loaded<File>> read_text(Bytes text, const ReadOptions& options, Separator separator, Add&& add,
                               Problem&& problem) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        Loaded<File> loaded;
        TextBudget budget(options.limits, text.size());
        const std::string_view view = as_text(text);
        auto done = read_lines(view, separator, budget, loaded.report,
                               [&](const TextLine& line) { return add(line, loaded, budget); });
        if (!done) return fail(std::move(done.error()));
        if (auto found = problem(loaded.value, is_text(view))) return fail(std::move(*found));
        loaded.value.text = std::move(text);
        return loaded;
    });
}

}  // namespace

std::string LineNames::add(std::string_view raw) {
    std::string name(raw.empty() ? "animation" : raw);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '"' || static_cast<unsigned char>(c) < ' '; }, '_');
    return names_.add(name);
}

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

bool is_tag(std::string_view surface) noexcept { return lower(surface.substr(0, 4)) == "tag_"; }

ParsedSkinLine parse_skin_line(const TextLine& line) noexcept {
    ParsedSkinLine parsed;
    const std::vector<Word>& words = line.words;
    if (words.empty() || words[0].comma || words[0].text.empty()) return parsed;
    parsed.surface = words[0].text;
    parsed.has_comma = words.size() > 1 && words[1].comma;
    std::size_t next = parsed.has_comma ? 2 : 1;
    if (next < words.size() && !words[next].comma) parsed.shader = words[next++].text;
    parsed.has_more = next < words.size();
    if (is_tag(parsed.surface)) {
        parsed.kind = SkinLine::tag;
    } else if (!parsed.shader.empty()) {
        parsed.kind = SkinLine::surface;
    } else {
        parsed.kind = parsed.has_comma ? SkinLine::no_shader : SkinLine::unknown;
    }
    return parsed;
}

Result<Loaded<AnimationConfig>> read_animation_config(Bytes text, const ReadOptions& options) {
    const auto problem = [](const AnimationConfig& config, bool is_plain) -> std::optional<Diagnostic> {
        if (!config.animations.empty() || (!config.settings.empty() && is_plain)) return std::nullopt;
        return problem_at({}, codes::not_this_format,
                          "this is no animation.cfg: no line of it is an animation or a setting", {}, config_form);
    };
    return read_text<AnimationConfig>(std::move(text), options, Separator::blank, add_config_line, problem);
}

Result<Loaded<Skin>> read_skin(Bytes text, const ReadOptions& options) {
    const auto problem = [](const Skin& skin, bool is_plain) -> std::optional<Diagnostic> {
        if (!skin.surfaces.empty() && is_plain) return std::nullopt;
        return problem_at({}, codes::not_this_format, "this is no .skin file: no line of it names a surface", {},
                          "surface,shader");
    };
    return read_text<Skin>(std::move(text), options, Separator::comma, add_skin_line, problem);
}

}  // namespace effigy::x42
