/// Lists as text: changes at their places.

#include "egosoft/mod/xml_text.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"

namespace effigy::egosoft::mod {

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
    changes_[start] = {end_of_element(text_, start), indented(element, line_break_, indent_at(text_, start))};
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
    change.text += change.indent + indented(element, line_break_, change.indent);
    change.text += line_break_;
    parent.append_copy(added->root());
    return {};
}

}  // namespace effigy::egosoft::mod
