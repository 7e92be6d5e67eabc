#include "egosoft/file/written_mark.hpp"

#include <span>

#include "core/hasher.hpp"

namespace effigy::egosoft {
namespace {

constexpr std::string_view mark_start = "<!-- effigy ", mark_end = " -->";

std::string mark_of(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '\r');
    Hasher hasher;
    hasher.add(std::as_bytes(std::span(plain)));
    return std::string(mark_start) + hash_text(hasher.digest()) + std::string(mark_end);
}

std::string_view without_blanks_behind(std::string_view text) {
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

/// Where a mark begins that ends the text, fitting or not; npos if there is none.
std::size_t mark_in(std::string_view text) {
    const std::size_t at = text.rfind(mark_start);
    const bool is_last = at != std::string_view::npos && text.find(mark_end, at) == text.size() - mark_end.size();
    return is_last ? at : std::string_view::npos;
}

}  // namespace

std::string with_mark(std::string text) {
    const std::string_view line_end = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    const std::size_t old = mark_in(without_blanks_behind(text));
    if (old != std::string::npos) text.resize(old);
    if (!text.ends_with('\n')) text += line_end;
    return text.append(mark_of(text)).append(line_end);
}

bool has_valid_mark(std::string_view text) {
    text = without_blanks_behind(text);
    const std::size_t at = mark_in(text);
    return at != std::string_view::npos && text.substr(at) == mark_of(text.substr(0, at));
}

}  // namespace effigy::egosoft
