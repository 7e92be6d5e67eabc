/// Lines and words of animation.cfg and .skin files as the game's parser sees them: blanks, quotes, comments.

#include "x42/file/companion_text.hpp"

#include <algorithm>

#include "effigy/x42_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::x42 {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// As the game's parser sees them: every control character is a blank.
bool is_blank(char letter) noexcept { return static_cast<unsigned char>(letter) <= ' '; }

bool begins_comment(std::string_view text, std::size_t place) noexcept {
    return text[place] == '/' && place + 1 < text.size() && (text[place + 1] == '/' || text[place + 1] == '*');
}

/// Where the line that begins at `from` ends, without its line end.
std::size_t line_end(std::string_view text, std::size_t from) noexcept {
    return std::min(text.find_first_of("\r\n", from), text.size());
}

std::size_t behind_line_end(std::string_view text, std::size_t end) noexcept {
    if (end == text.size()) return end;
    return end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
}

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

TextLines::TextLines(std::string_view text, Separator separator) noexcept
    : text_(text), place_(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0), separator_(separator) {}

bool TextLines::next(TextLine& line) {
    while (place_ < text_.size()) {
        const std::size_t end = line_end(text_, place_);
        line.number = ++number_;
        line.offset = place_;
        line.text = text_.substr(place_, end - place_);
        split(line);
        place_ = behind_line_end(text_, end);
        if (!line.words.empty()) return true;
    }
    return false;
}

std::size_t TextLines::word_end(std::string_view text, std::size_t from) const noexcept {
    const bool by_comma = separator_ == Separator::comma;
    std::size_t end = from;
    while (end < text.size() && !is_blank(text[end]) && text[end] != '"') {
        if (by_comma ? text[end] == ',' : begins_comment(text, end)) break;
        ++end;
    }
    return end;
}

void TextLines::split(TextLine& line) {
    line.words.clear();
    line.open_quote = false;
    line.remark = {};
    const std::string_view text = line.text;
    const auto add = [&](Word word) {
        if (line.words.size() < TextLine::max_words) line.words.push_back(word);
    };
    for (std::size_t place = 0; place < text.size();) {
        if (in_comment_) {
            const std::size_t end = text.find("*/", place);
            if (end == std::string_view::npos) return;
            in_comment_ = false;
            place = end + 2;
        } else if (is_blank(text[place])) {
            ++place;
        } else if (begins_comment(text, place)) {
            if (text[place + 1] == '/') {
                line.remark = trimmed(text.substr(place + 2));
                return;
            }
            in_comment_ = true;
            place += 2;
        } else if (text[place] == '"') {
            const std::size_t end = std::min(text.find('"', place + 1), text.size());
            line.open_quote = line.open_quote || end == text.size();
            add({text.substr(place + 1, end - place - 1), true, false});
            place = std::min(end + 1, text.size());
        } else if (separator_ == Separator::comma && text[place] == ',') {
            add({text.substr(place, 1), false, true});
            ++place;
        } else {
            const std::size_t end = word_end(text, place);
            add({text.substr(place, end - place), false, false});
            place = end;
        }
    }
}

bool is_text(std::string_view text) noexcept {
    return std::none_of(text.begin(), text.end(), [](char letter) {
        constexpr std::string_view usual = "\t\n\v\f\r\x1a";  // the last one ends files of DOS
        return static_cast<unsigned char>(letter) < ' ' && usual.find(letter) == std::string_view::npos;
    });
}

Diagnostic line_finding(const Code& code, const TextLine& line, std::string message, std::string expected) {
    Diagnostic finding = problem_at("line[" + std::to_string(line.number) + "]", code, std::move(message),
                                    shortened(trimmed(line.text)), std::move(expected));
    finding.offset = line.offset;
    finding.length = line.text.size();
    return finding;
}

Diagnostic open_comment_finding() {
    return problem_at({}, codes::companion_comment, "a comment is never closed: all that follows it is left out", {},
                      "*/");
}

Result<void> TextBudget::take_text(std::uint64_t size) {
    if (budget_.take(size)) return {};
    return fail(
        problem_at({}, codes::limit_memory, "the file is larger than the memory limit; raise it with --limit-memory"));
}

Result<void> TextBudget::take_element(std::size_t size, std::size_t string_bytes) {
    if (++count_ > limits_.count) {
        return fail(problem_at({}, codes::limit_count, "the file has more lines than the limits allow", {},
                               "at most " + std::to_string(limits_.count)));
    }
    if (string_bytes > limits_.string) {
        return fail(problem_at({}, codes::limit_string, "a word is longer than the limits allow",
                               std::to_string(string_bytes), "at most " + std::to_string(limits_.string)));
    }
    // An array that grows is there twice for a moment.
    if (budget_.take(2 * size + string_bytes)) return {};
    return fail(problem_at({}, codes::limit_memory,
                           "reading this file needs more memory than the limit allows; raise it with --limit-memory"));
}

}  // namespace effigy::x42
