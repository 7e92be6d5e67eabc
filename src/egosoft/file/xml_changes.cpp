/// The changes (<diff>) that extensions make to XML files of the game: understood, and applied to a file's elements.

#include "egosoft/file/xml_changes.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/egosoft_codes.hpp"

#include "core/budget.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

namespace {

bool is_true(std::string_view text) { return text == "1" || lower(text) == "true"; }

std::optional<ChangeKind> kind_named(std::string_view name) {
    constexpr std::array<std::string_view, 3> names{"add", "replace", "remove"};
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<ChangeKind>(found - names.begin()));
}

std::optional<ChangePosition> position_named(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"", "prepend", "before", "after"};
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<ChangePosition>(found - names.begin()));
}

std::size_t levels_above(pugi::xml_node node) {
    std::size_t levels = 0;
    for (; node; node = node.parent()) ++levels;
    return levels;
}

std::size_t levels_below(pugi::xml_node root) {
    std::size_t level = 1, deepest = 1;
    for (pugi::xml_node node = root; node;) {
        deepest = std::max(deepest, level);
        if (const pugi::xml_node child = node.first_child()) {
            node = child;
            ++level;
            continue;
        }
        for (; node != root && !node.next_sibling(); --level) node = node.parent();
        if (node == root) break;
        node = node.next_sibling();
    }
    return deepest;
}

bool fits(pugi::xml_node node, const SelectorStep& step) {
    if (node.type() != pugi::node_element || step.name != node.name()) return false;
    return std::all_of(step.conditions.begin(), step.conditions.end(), [&](const SelectorStep::Condition& condition) {
        const pugi::xml_attribute attribute = node.attribute(condition.attribute.c_str());
        return attribute && condition.value == attribute.value();
    });
}

/// By what lists know their elements: "material hull", "ware energycells". Empty for elements without name and id.
std::string key_in_list(pugi::xml_node node) {
    for (const char* const attribute : {"name", "id"}) {
        if (const pugi::xml_attribute named = node.attribute(attribute))
            return std::string(node.name()) + " " + named.value();
    }
    return {};
}

bool is_list_of_named(pugi::xml_node node) {
    bool has_some = false;
    for (const pugi::xml_node child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        if (key_in_list(child).empty()) return false;
        has_some = true;
    }
    return has_some;
}

using NodePair = std::pair<pugi::xml_node, pugi::xml_node>;

/// Lists that both have go to `open`.
void unite_list(pugi::xml_node into, pugi::xml_node from, std::vector<NodePair>& open) {
    std::unordered_map<std::string, pugi::xml_node> known;
    for (const pugi::xml_node node : into.children()) {
        if (std::string key = key_in_list(node); !key.empty()) known.try_emplace(std::move(key), node);
    }
    for (const pugi::xml_node node : from.children()) {
        if (node.type() != pugi::node_element) continue;
        const auto same = known.find(key_in_list(node));
        if (same == known.end()) {
            into.append_copy(node);
        } else if (is_list_of_named(node)) {
            open.emplace_back(same->second, node);
        } else {
            const pugi::xml_node old = std::exchange(same->second, into.insert_copy_before(node, same->second));
            into.remove_child(old);
        }
    }
}

Diagnostic too_much_work() {
    return problem_at({}, codes::limit_changes,
                      "the changes to a file of the game need more comparisons than is reasonable");
}

void set_attribute(pugi::xml_node target, const std::string& name, const char* value) {
    pugi::xml_attribute attribute = target.attribute(name.c_str());
    if (!attribute) attribute = target.append_attribute(name.c_str());
    attribute.set_value(value);
}

}  // namespace

std::optional<XmlChange> parse_change(pugi::xml_node node) {
    const auto kind = kind_named(node.name());
    const auto position = position_named(node.attribute("pos").value());
    auto selector = parse_selector(node.attribute("sel").value());
    const std::string_view type = node.attribute("type").value(), applies = node.attribute("if").value();
    if (!kind || !position || !selector) return std::nullopt;
    if (*kind == ChangeKind::add && !selector->attribute.empty()) return std::nullopt;
    if (!type.empty()) {
        if (*kind != ChangeKind::add || !type.starts_with('@') || type.size() == 1) return std::nullopt;
        selector->attribute = type.substr(1);
    }
    XmlChange change{*kind, *position, std::move(*selector), {}, is_true(node.attribute("silent").value())};
    if (!applies.empty()) {
        change.applies = parse_selector_condition(applies);
        if (!change.applies) return std::nullopt;
    }
    return change;
}

void note_several(XmlReader& reader, pugi::xml_node change, std::size_t count) {
    reader.add(codes::diff_several, change,
               "this change selects several elements or attributes; the game skips it, and it has no effect here",
               shortened(change.attribute("sel").value()) + ": " + std::to_string(count), "a selector of exactly one");
}

void ChangesWithoutBase::note(XmlReader& reader, std::string_view base) const {
    if (count == 0) return;
    const std::string others = count == 1 ? "" : " and " + std::to_string(count - 1) + " more";
    reader.add(codes::diff_base, first,
               "changes in this file are for " + std::string(base) + ", and have no effect here",
               shortened(first.attribute("sel").value()) + others);
}

Result<ChangedXml> ChangedXml::open(const Bytes& text, const Limits& limits) {
    ChangedXml changed;
    changed.limits_ = limits;
    {
        // Within limits first, which what follows does not know.
        Budget budget(limits, text.size());
        const auto parsed = XmlDocument::parse(text, budget);
        if (!parsed) return fail(parsed.error());
        changed.used_ = budget.used();
    }
    if (!changed.document_->load_buffer(text.data(), text.size(), pugi::parse_full))
        return fail(problem_at({}, codes::xml_syntax, "this is no well-formed XML"));
    pugi::xml_attribute encoding = changed.document_->first_child().attribute("encoding");
    if (changed.document_->first_child().type() == pugi::node_declaration && encoding) encoding.set_value("utf-8");
    return changed;
}

Limits ChangedXml::limits_left() const noexcept {
    Limits left = limits_;
    // 0 is no limit.
    if (left.memory != 0) left.memory = left.memory > used_ ? left.memory - used_ : 1;
    return left;
}

Result<Report> ChangedXml::apply(const Bytes& text) {
    auto reader = XmlReader::open(text, {limits_left()});
    if (!reader) return fail(std::move(reader.error()));
    used_ += text.size();
    const std::string_view root = reader->name(reader->root());
    if (root == document_->document_element().name()) {
        unite(reader->root());
        return work_ <= max_change_work ? Result<Report>(std::move(reader->report())) : fail(too_much_work());
    }
    if (root != "diff") return fail(unexpected_root(*reader, "<diff>"));
    for (const pugi::xml_node node : reader->root().children()) {
        if (node.type() == pugi::node_element && work_ <= max_change_work && !is_too_deep_) change(*reader, node);
    }
    if (is_too_deep_)
        return fail(problem_at({}, codes::limit_depth, "changes nest elements deeper than any file nests them", {},
                               "at most " + std::to_string(max_xml_levels) + " levels"));
    if (work_ > max_change_work) return fail(too_much_work());
    return std::move(reader->report());
}

void ChangedXml::unite(pugi::xml_node other) {
    index_.clear();
    std::vector<NodePair> open{{document_->document_element(), other}};
    while (!open.empty() && work_ <= max_change_work) {
        const NodePair next = open.back();
        open.pop_back();
        for (const pugi::xml_node list : {next.first, next.second})
            work_ += static_cast<std::uint64_t>(std::distance(list.begin(), list.end()));
        unite_list(next.first, next.second, open);
    }
}

void ChangedXml::change(XmlReader& reader, pugi::xml_node node) {
    const auto change = parse_change(node);
    const std::string selector = shortened(node.attribute("sel").value());
    if (!change)
        return reader.add(codes::diff_selector, node,
                          "this change is not understood and has no effect here; understood are <add>, <replace> and "
                          "<remove> of what names and attributes select",
                          selector);
    if (change->applies && select(change->applies->selector, true).empty() != change->applies->is_negated) return;
    const auto targets = select(change->selector, change->kind != ChangeKind::add);
    if (targets.size() > 1) return note_several(reader, node, targets.size());
    if (targets.empty() && change->is_silent) return;
    if (targets.empty())
        return reader.add(codes::diff_no_match, node, "this change selects nothing, and has no effect", selector);
    pugi::xml_node target = targets.front();
    const std::string& attribute = change->selector.attribute;
    ++changes_;
    if (attribute.empty()) return change_elements(*change, node, target);
    index_.remove(target, work_);
    if (change->kind == ChangeKind::remove)
        target.remove_attribute(attribute.c_str());
    else
        set_attribute(target, attribute, node.text().get());
    index_.add(target);
}

void ChangedXml::change_elements(const XmlChange& change, pugi::xml_node node, pugi::xml_node target) {
    if (change.kind != ChangeKind::remove && levels_above(target) + levels_below(node) > max_xml_levels) {
        is_too_deep_ = true;
        return;
    }
    const bool beside = change.kind == ChangeKind::replace || change.position == ChangePosition::before ||
                        change.position == ChangePosition::after;
    pugi::xml_node parent = beside ? target.parent() : target;
    // Each child is put behind the one before it.
    pugi::xml_node last = change.position == ChangePosition::after ? target : pugi::xml_node();
    for (const pugi::xml_node child : node.children()) {
        if (change.kind == ChangeKind::remove) break;
        if (last) {
            last = parent.insert_copy_after(child, last);
            index_.add(last);
        } else if (beside) {
            index_.add(parent.insert_copy_before(child, target));
        } else if (change.position == ChangePosition::prepend) {
            last = parent.prepend_copy(child);
            index_.add(last);
        } else {
            index_.add(parent.append_copy(child));
        }
    }
    if (change.kind == ChangeKind::add) return;
    index_.remove(target, work_);
    index_.forget_below(target);
    target.parent().remove_child(target);
}

void ChangedXml::select_children(pugi::xml_node parent, const SelectorStep& step, std::vector<pugi::xml_node>& found) {
    const auto look_at = [&](pugi::xml_node child) {
        if (fits(child, step)) found.push_back(child);
    };
    if (!step.conditions.empty()) {
        for (const pugi::xml_node child : index_.find(parent, step, work_)) look_at(child);
        return;
    }
    for (const pugi::xml_node child : parent.children()) {
        ++work_;
        look_at(child);
    }
}

void ChangedXml::select_below(pugi::xml_node top, const SelectorStep& step, std::vector<pugi::xml_node>& found) {
    for (pugi::xml_node node = top.first_child(); node;) {
        ++work_;
        if (fits(node, step)) found.push_back(node);
        if (node.first_child()) {
            node = node.first_child();
            continue;
        }
        while (node != top && !node.next_sibling()) node = node.parent();
        node = node == top ? pugi::xml_node() : node.next_sibling();
    }
}

std::vector<pugi::xml_node> ChangedXml::select(const Selector& selector, bool with_attribute) {
    std::vector<pugi::xml_node> chosen{document_->root()};
    for (const SelectorStep& step : selector.steps) {
        std::vector<pugi::xml_node> found;
        for (const pugi::xml_node node : chosen) {
            if (work_ > max_change_work) return {};
            step.any_depth ? select_below(node, step, found) : select_children(node, step, found);
        }
        // What is below two of those that were chosen counts once.
        std::unordered_set<const void*> known;
        std::erase_if(found, [&](pugi::xml_node node) { return !known.insert(node.internal_object()).second; });
        chosen = std::move(found);
    }
    if (with_attribute && !selector.attribute.empty())
        std::erase_if(chosen, [&](pugi::xml_node node) { return !node.attribute(selector.attribute.c_str()); });
    return chosen;
}

Bytes ChangedXml::text() const {
    TextWriter printer;
    document_->save(printer, "  ", pugi::format_indent, pugi::encoding_utf8);
    const auto raw = std::as_bytes(std::span(printer.text));
    return {raw.begin(), raw.end()};
}

}  // namespace effigy::egosoft
