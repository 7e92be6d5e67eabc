/// XML as text: where elements begin and end, and lines between them.

#include "egosoft/file/xml_places.hpp"

#include <algorithm>
#include <utility>

namespace effigy::egosoft {
namespace {

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

}  // namespace

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

std::size_t end_of_element(std::string_view text, std::size_t start) noexcept {
    std::size_t depth = 0;
    for (std::size_t at = start; at < text.size(); at = std::min(text.find('<', at), text.size())) {
        if (const std::size_t behind = end_of_aside(text, at); behind != at) {
            at = behind;
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

std::string_view line_break_of(std::string_view text) noexcept {
    return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

std::string_view indent_at(std::string_view text, std::size_t at) noexcept {
    constexpr auto none = std::string_view::npos;
    const std::size_t before = at == 0 ? none : text.find_last_not_of(" \t", at - 1);
    const std::size_t start = before == none ? 0 : before + 1;
    return before == none || text[before] == '\n' ? text.substr(start, at - start) : std::string_view();
}

std::string indented(std::string_view lines, std::string_view line_break, std::string_view indent) {
    std::string result;
    for (const char c : lines) {
        if (c == '\n') {
            result += line_break;
            result += indent;
        } else {
            result += c;
        }
    }
    return result;
}

std::vector<pugi::xml_node> elements_of(pugi::xml_node parent) {
    std::vector<pugi::xml_node> elements;
    for (const pugi::xml_node node : parent.children()) {
        if (node.type() == pugi::node_element) elements.push_back(node);
    }
    return elements;
}

bool says_same(pugi::xml_node a, pugi::xml_node b) {
    const auto is_same = [](const pugi::xml_attribute& one, const pugi::xml_attribute& other) {
        return std::string_view(one.name()) == other.name() && std::string_view(one.value()) == other.value();
    };
    const auto mine = a.attributes(), theirs = b.attributes();
    const std::vector<pugi::xml_node> elements = elements_of(a), others = elements_of(b);
    return std::string_view(a.name()) == b.name() &&
           std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), is_same) &&
           std::equal(elements.begin(), elements.end(), others.begin(), others.end(), says_same);
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

}  // namespace effigy::egosoft
