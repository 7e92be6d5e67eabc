#pragma once
/// Lines of words, as the text files beside a model have them: blanks and tabs, quotes, // and /* */ comments, any kind
/// of line end.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/x42_companions.hpp"

#include "core/budget.hpp"
#include "core/unique_names.hpp"

namespace effigy::x42 {

struct Word {
    std::string_view text;  ///< without its quotes
    bool quoted = false;
    bool comma = false;  ///< a comma by itself
};

struct TextLine {
    /// More words than any line with a meaning has; those beyond are left out.
    static constexpr std::size_t max_words = 16;

    std::uint32_t number = 0;  ///< from 1
    std::uint64_t offset = 0;
    std::string_view text;  ///< all of it
    std::vector<Word> words;
    bool open_quote = false;
    std::string_view remark;  ///< what stands behind the first //
};

/// How words end.
enum class Separator : std::uint8_t {
    blank,  ///< at blanks and comments
    comma,  ///< at blanks and commas; comments begin between words only, for words are paths
};

class TextLines {
public:
    TextLines(std::string_view text, Separator separator) noexcept;

    /// The next line that has words; false at the end.
    [[nodiscard]] bool next(TextLine& line);
    /// At the end: whether a comment was never closed.
    [[nodiscard]] bool open_comment() const noexcept { return in_comment_; }

private:
    void split(TextLine& line);
    [[nodiscard]] std::size_t word_end(std::string_view text, std::size_t from) const noexcept;

    std::string_view text_;
    std::size_t place_ = 0;
    std::uint32_t number_ = 0;
    Separator separator_;
    bool in_comment_ = false;
};

/// No zeros and no other control characters than those of text.
[[nodiscard]] bool is_text(std::string_view text) noexcept;

/// A finding about a line.
[[nodiscard]] Diagnostic line_finding(const Code& code, const TextLine& line, std::string message,
                                      std::string expected = {});

[[nodiscard]] Diagnostic open_comment_finding();

/// What a text may cost: its bytes, and elements that are made of its lines.
class TextBudget {
public:
    TextBudget(const Limits& limits, std::uint64_t size) noexcept : budget_(limits, size), limits_(limits) {}

    [[nodiscard]] Result<void> take_text(std::uint64_t size);
    /// One more element with strings of so many bytes.
    [[nodiscard]] Result<void> take_element(std::size_t size, std::size_t string_bytes);

private:
    Budget budget_;
    Limits limits_;
    std::uint64_t count_ = 0;
};

/// Calls `add(line)` for each line that has words, until it fails.
template <class Add>
[[nodiscard]] Result<void> read_lines(std::string_view text, Separator separator, TextBudget& budget, Report& report,
                                      Add&& add) {
    if (auto taken = budget.take_text(text.size()); !taken) return taken;
    TextLines lines(text, separator);
    TextLine line;
    while (lines.next(line)) {
        if (Result<void> done = add(line); !done) return done;
    }
    if (lines.open_comment()) report.add(open_comment_finding());
    return {};
}

// Lines of animation.cfg.

/// Frames a second that an animation may credibly have.
inline constexpr double min_frame_rate = 0.001, max_frame_rate = 240;

[[nodiscard]] constexpr bool is_credible_rate(double rate) noexcept {
    return rate >= min_frame_rate && rate <= max_frame_rate;
}

/// A credible rate as a model can say it.
[[nodiscard]] inline std::uint16_t whole_rate(double rate) noexcept {
    return static_cast<std::uint16_t>(std::max(1.0, std::round(rate)));
}

/// What lines call the animations of a model, in their order: each has a name, and one of its own.
class LineNames {
public:
    [[nodiscard]] std::string add(std::string_view raw);

private:
    UniqueNames names_{UniqueNames::Case::counts, "."};
};

enum class ConfigLine : std::uint8_t {
    named,    ///< name and four numbers, as in Space Trader
    unnamed,  ///< four numbers, as in Quake III; a remark is the name
    setting,
    unknown,
};

struct ParsedConfigLine {
    ConfigLine kind = ConfigLine::unknown;
    ConfigAnimation animation;  ///< of the first two kinds; its name may be empty
    std::size_t words = 0;      ///< that have a meaning; more may follow
    bool is_known_word = true;  ///< of settings
    std::string_view word;      ///< of settings
    std::string value;          ///< of settings: its words, with a blank between them
};

[[nodiscard]] ParsedConfigLine parse_config_line(const TextLine& line);

// Lines of .skin files.

enum class SkinLine : std::uint8_t {
    surface,    ///< surface and shader
    tag,        ///< a tag, which has no shader
    no_shader,  ///< a surface without a shader
    unknown,
};

struct ParsedSkinLine {
    SkinLine kind = SkinLine::unknown;
    std::string_view surface, shader;
    bool has_comma = false;
    bool has_more = false;  ///< words that mean nothing
};

[[nodiscard]] ParsedSkinLine parse_skin_line(const TextLine& line) noexcept;

/// By the name: "tag_weapon".
[[nodiscard]] bool is_tag(std::string_view surface) noexcept;

}  // namespace effigy::x42
