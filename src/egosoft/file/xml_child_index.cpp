/// Indexes the children of an element when they are first asked for, and follows what changes in them.

#include "egosoft/file/xml_child_index.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

namespace effigy::egosoft {

namespace {

constexpr std::ptrdiff_t many_children = 32;  // fewer are looked at as soon
constexpr std::size_t max_attributes = 4;     // changes go by one or two

std::size_t child_key(std::string_view name, std::string_view value) {
    const std::hash<std::string_view> hash;
    return hash(name) * 31 + hash(value);
}

bool has_indexed(pugi::xml_node node, const std::string& attribute) {
    return node.type() == pugi::node_element && node.attribute(attribute.c_str());
}

std::size_t child_key(pugi::xml_node element, const std::string& attribute) {
    return child_key(element.name(), element.attribute(attribute.c_str()).value());
}

}  // namespace

const ChildIndex::Elements* ChildIndex::index_of(pugi::xml_node parent, const std::string& attribute,
                                                 std::uint64_t& work) {
    const auto children = parent.children();
    const auto known = parents_.find(parent.internal_object());
    if (known == parents_.end()) {
        if (std::distance(children.begin(), children.end()) < many_children) return nullptr;
    } else {
        if (const auto found = known->second.find(attribute); found != known->second.end()) return &found->second;
        if (known->second.size() == max_attributes) return nullptr;
    }
    Elements& elements = parents_[parent.internal_object()][attribute];
    for (const pugi::xml_node child : children) {
        ++work;
        if (has_indexed(child, attribute)) elements.emplace(child_key(child, attribute), child);
    }
    return &elements;
}

std::vector<pugi::xml_node> ChildIndex::find(pugi::xml_node parent, const SelectorStep& step, std::uint64_t& work) {
    const SelectorStep::Condition& condition = step.conditions.front();
    std::vector<pugi::xml_node> found;
    if (const Elements* const elements = index_of(parent, condition.attribute, work)) {
        const auto [first, last] = elements->equal_range(child_key(step.name, condition.value));
        for (auto one = first; one != last; ++one) found.push_back(one->second);
    } else {
        found.assign(parent.children().begin(), parent.children().end());
    }
    work += 1 + found.size();
    return found;
}

void ChildIndex::add(pugi::xml_node element) {
    const auto known = parents_.find(element.parent().internal_object());
    if (known == parents_.end()) return;
    for (auto& [attribute, elements] : known->second) {
        if (has_indexed(element, attribute)) elements.emplace(child_key(element, attribute), element);
    }
}

void ChildIndex::remove(pugi::xml_node element, std::uint64_t& work) {
    const auto known = parents_.find(element.parent().internal_object());
    if (known == parents_.end()) return;
    for (auto& [attribute, elements] : known->second) {
        if (!has_indexed(element, attribute)) continue;
        const auto [first, last] = elements.equal_range(child_key(element, attribute));
        const auto own = std::find_if(first, last, [&](const auto& one) {
            ++work;
            return one.second == element;
        });
        if (own != last) elements.erase(own);
    }
}

void ChildIndex::forget_below(pugi::xml_node element) {
    for (pugi::xml_node node = element; node;) {
        parents_.erase(node.internal_object());
        if (node.first_child()) {
            node = node.first_child();
            continue;
        }
        while (node != element && !node.next_sibling()) node = node.parent();
        node = node == element ? pugi::xml_node() : node.next_sibling();
    }
}

}  // namespace effigy::egosoft
