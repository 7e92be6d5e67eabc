/// XML as text: where elements begin and end, and lines between them.

#include "egosoft/mod/xml_text.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

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

std::vector<pugi::xml_node> elements_of(pugi::xml_node parent) {
    std::vector<pugi::xml_node> elements;
    for (const pugi::xml_node node : parent.children()) {
        if (node.type() == pugi::node_element) elements.push_back(node);
    }
    return elements;
}

}  // namespace

Result<XmlText> open_list(std::string text, std::string_view list, const std::string& path, const Limits& limits) {
    auto file = XmlText::open(std::move(text), limits);
    if (file && file->root().name() != list && std::string_view(file->root().name()) != "diff") {
        file = fail(problem_at({}, codes::mod_list_root, "this file is not what the game reads under its name",
                               "<" + std::string(file->root().name()) + ">", "<" + std::string(list) + "> or <diff>"));
    }
    if (!file) file.error().file = path;
    return file;
}

Result<void> append_to_list(XmlText& file, std::string_view list, std::string_view element) {
    if (std::string_view(file.root().name()) != "diff") return file.append(file.root(), element);
    const std::string path = "/" + std::string(list);
    for (const pugi::xml_node add : file.root().children("add")) {
        const std::string_view where = add.attribute("sel").value(), pos = add.attribute("pos").value();
        const bool is_always = !add.attribute("if") && !add.attribute("type") && (pos.empty() || pos == "append");
        if (is_always && (where == path || where == "/" + path)) return file.append(add, element);
    }
    return file.append(file.root(), "<add sel=\"" + path + "\" />").and_then([&] {
        return file.append(file.root().last_child(), element);
    });
}

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

Result<XmlText> XmlText::open(std::string text, const Limits& limits) {
    Budget budget(limits, text.size());
    auto document = XmlDocument::parse(std::as_bytes(std::span(text)), budget);
    if (!document) return fail(std::move(document.error()));
    if (document->place(document->root()) == no_offset)
        return fail(problem_at({}, codes::mod_encoding, "this file cannot be extended as it is; save it as UTF-8"));
    return XmlText(std::move(text), std::move(*document), limits);
}

XmlText::XmlText(std::string text, XmlDocument document, const Limits& limits)
    : text_(std::move(text)), document_(std::move(document)), limits_(limits), line_break_(line_break_of(text_)) {}

std::size_t XmlText::place(pugi::xml_node node) const noexcept {
    return static_cast<std::size_t>(document_.place(node));
}

std::string XmlText::text() const {
    std::string result;
    std::size_t at = 0;
    for (const auto& [start, change] : changes_) {
        result.append(text_, at, start - at);
        result += change.text;
        result += change.tail;
        at = change.end;
    }
    return result.append(text_, at);
}

std::string XmlText::indented(std::string_view element, std::string_view indent) const {
    std::string result;
    for (const char c : element) {
        if (c == '\n') {
            result += line_break_;
            result += indent;
        } else {
            result += c;
        }
    }
    return result;
}

Result<pugi::xml_node> XmlText::settled(pugi::xml_node node) {
    std::vector<std::ptrdiff_t> way;  // numbers among elements, from the root down
    for (; node != root(); node = node.parent()) {
        const auto elements = elements_of(node.parent());
        way.insert(way.begin(), std::find(elements.begin(), elements.end(), node) - elements.begin());
    }
    auto again = open(text(), limits_);
    if (!again) return fail(std::move(again.error()));
    *this = std::move(*again);
    node = root();
    for (const std::ptrdiff_t number : way) node = elements_of(node)[static_cast<std::size_t>(number)];
    return node;
}

Result<void> XmlText::replace(pugi::xml_node old, std::string_view element) {
    Budget budget(limits_, element.size());
    const auto added = XmlDocument::parse(std::as_bytes(std::span(element)), budget);
    if (!added) return fail(added.error());
    const auto has_changes = [&] {
        const std::size_t start = place(old);
        const auto inside = changes_.lower_bound(start);
        return inside != changes_.end() && inside->first < end_of_element(text_, start);
    };
    if (is_new(old) || has_changes()) {
        const auto successor = settled(old);
        if (!successor) return fail(successor.error());
        old = *successor;
    }
    const std::size_t start = place(old);
    changes_[start] = {end_of_element(text_, start), indented(element, indent_at(text_, start))};
    pugi::xml_node parent = old.parent();
    parent.insert_copy_before(added->root(), old);
    parent.remove_child(old);
    return {};
}

/// Without the elements. The parent's end is found once, however many are appended.
XmlText::Change XmlText::start_of_appended(pugi::xml_node parent, std::size_t& start) const {
    const std::size_t begin = place(parent), end = end_of_element(text_, begin);
    const std::string outer(indent_at(text_, begin)), line(line_break_);
    const pugi::xml_node last = parent.last_child();
    const bool has_lines = last.type() == pugi::node_element && !indent_at(text_, place(last)).empty();
    const std::string inner = has_lines ? std::string(indent_at(text_, place(last))) : outer + "  ";
    if (text_[end - 2] == '/') {
        start = text_.find_last_not_of(" \t\r\n", end - 3) + 1;
        return {end, ">" + line, inner, outer + "</" + parent.name() + ">"};
    }
    const std::size_t close = text_.rfind("</", end - 1);
    start = text_.find_last_not_of(" \t", close - 1) + 1;
    const bool on_own_line = text_[start - 1] == '\n';
    return {close, on_own_line ? "" : line, inner, outer};
}

Result<void> XmlText::append(pugi::xml_node parent, std::string_view element) {
    Budget budget(limits_, element.size());
    const auto added = XmlDocument::parse(std::as_bytes(std::span(element)), budget);
    if (!added) return fail(added.error());
    auto known = appended_.find(parent.internal_object());
    if (known == appended_.end()) {
        const pugi::xml_node last = parent.last_child();
        if (is_new(parent) || (last.type() == pugi::node_element && is_new(last))) {
            const auto successor = settled(parent);
            if (!successor) return fail(successor.error());
            parent = *successor;
        }
        std::size_t start = 0;
        Change change = start_of_appended(parent, start);
        changes_[start] = std::move(change);
        known = appended_.emplace(parent.internal_object(), start).first;
    }
    Change& change = changes_[known->second];
    change.text += change.indent + indented(element, change.indent);
    change.text += line_break_;
    parent.append_copy(added->root());
    return {};
}

}  // namespace effigy::egosoft::mod
