/// XML as text: where elements begin and end, and lines between them.

#include "egosoft/mod/xml_text.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"

namespace effigy::egosoft::mod {
namespace {

/// Behind the ">" of the tag that starts at `at`: one in quotes is no end.
std::size_t end_of_tag(std::string_view text, std::size_t at) noexcept {
    for (char quote = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at + 1;
        }
    }
    return text.size();
}

/// Behind a comment or the like; `at` itself if there is none.
std::size_t end_of_aside(std::string_view text, std::size_t at) noexcept {
    constexpr std::pair<std::string_view, std::string_view> asides[] = {
        {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (const auto& [start, end] : asides) {
        if (text.substr(at, start.size()) != start) continue;
        const std::size_t found = text.find(end, at + start.size());
        return found == std::string_view::npos ? text.size() : found + end.size();
    }
    return at;
}

std::string_view line_break_of(std::string_view text) noexcept {
    return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

/// What stands before a place on its line, if it is nothing but blanks.
std::string_view indent_at(std::string_view text, std::size_t at) noexcept {
    const std::size_t line = text.rfind('\n', at == 0 ? 0 : at - 1);
    const std::size_t start = line == std::string_view::npos ? 0 : line + 1;
    const std::string_view before = text.substr(start, at - start);
    return before.find_first_not_of(" \t") == std::string_view::npos ? before : std::string_view();
}

}  // namespace

std::size_t end_of_element(std::string_view text, std::size_t start) noexcept {
    std::size_t depth = 0;
    for (std::size_t at = start; at < text.size();) {
        const std::size_t behind = end_of_aside(text, at);
        if (behind != at || text[at] != '<') {
            at = std::max(behind, at + 1);
            continue;
        }
        const std::size_t end = end_of_tag(text, at);
        if (text.substr(at, 2) == "</") {
            --depth;
        } else if (text[end - 2] != '/') {
            ++depth;
        }
        at = end;
        if (depth == 0) return at;
    }
    return text.size();
}

std::string escaped(std::string_view value) {
    std::string result;
    for (const char c : value) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\n':
                result += "&#10;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

Result<XmlText> XmlText::open(std::string text, const Limits& limits) {
    Budget budget(limits, text.size());
    auto document = XmlDocument::parse(std::as_bytes(std::span(text)), budget);
    if (!document) return fail(std::move(document.error()));
    if (document->place(document->root()) == no_offset)
        return fail(problem_at({}, codes::mod_encoding, "this file cannot be extended as it is; save it as UTF-8"));
    return XmlText(std::move(text), std::move(*document), limits);
}

std::size_t XmlText::place(pugi::xml_node node) const noexcept {
    return static_cast<std::size_t>(document_.place(node));
}

Result<void> XmlText::change(std::size_t start, std::size_t end, std::string_view replacement) {
    std::string changed = text_.substr(0, start);
    changed += replacement;
    changed += text_.substr(end);
    auto again = open(std::move(changed), limits_);
    if (!again) return fail(std::move(again.error()));
    *this = std::move(*again);
    return {};
}

std::string XmlText::indented(std::string_view element, std::string_view indent) const {
    std::string result;
    for (const char c : element) {
        if (c == '\n') {
            result += line_break_of(text_);
            result += indent;
        } else {
            result += c;
        }
    }
    return result;
}

Result<void> XmlText::replace(pugi::xml_node old, std::string_view element) {
    const std::size_t start = place(old);
    return change(start, end_of_element(text_, start), indented(element, indent_at(text_, start)));
}

Result<void> XmlText::append(pugi::xml_node parent, std::string_view element) {
    const std::size_t start = place(parent), end = end_of_element(text_, start);
    const std::string outer(indent_at(text_, start)), line(line_break_of(text_));
    const pugi::xml_node last = parent.last_child();
    const bool has_lines = last.type() == pugi::node_element && !indent_at(text_, place(last)).empty();
    const std::string inner = has_lines ? std::string(indent_at(text_, place(last))) : outer + "  ";
    const std::string added = inner + indented(element, inner) + line;
    if (text_[end - 2] == '/') {
        const std::size_t slash = text_.find_last_not_of(" \t\r\n", end - 3) + 1;
        return change(slash, end, ">" + line + added + outer + "</" + parent.name() + ">");
    }
    const std::size_t close = text_.rfind("</", end - 1);
    const std::size_t content = text_.find_last_not_of(" \t", close - 1) + 1;
    const bool on_own_line = text_[content - 1] == '\n';
    return change(content, close, (on_own_line ? "" : line) + added + outer);
}

}  // namespace effigy::egosoft::mod
