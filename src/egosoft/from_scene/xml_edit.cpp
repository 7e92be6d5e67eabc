/// Elements and attributes of components, changed only where they say something else.

#include <algorithm>
#include <glm/gtc/quaternion.hpp>

#include "core/text.hpp"
#include "egosoft/from_scene/xml.hpp"
#include "scene/wide_math.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// What an attribute can hold in UTF-8.
std::string attribute_text(std::string_view raw) {
    std::string result = text(raw);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return result;
}

}  // namespace

bool same_place(const glm::dvec3& a, const glm::dvec3& b) {
    return glm::distance(a, b) <= 1e-5 + 1e-6 * std::max(glm::length(a), glm::length(b));
}

bool same_rotation(const glm::dquat& a, const glm::dquat& b) {
    constexpr double tolerance = 1e-5;  // radians
    return angle_between(a, b) <= tolerance;
}

void XmlEdit::set(pugi::xml_node node, const char* attribute, std::string_view value) {
    const std::string wanted = attribute_text(value);
    pugi::xml_attribute found = node.attribute(attribute);
    if (found && wanted == found.value()) return;
    if (!found) found = node.append_attribute(attribute);
    found.set_value(wanted.c_str());
    changed_ = true;
}

void XmlEdit::set(pugi::xml_node node, const char* attribute, double value) {
    // Adding 0 makes a zero of minus zero.
    set(node, attribute, number_text(static_cast<double>(narrow(value) + 0.0f)));
}

void XmlEdit::set_name(pugi::xml_node node, const std::string& name) {
    if (!name.empty() || node.attribute("name")) set(node, "name", name);
}

pugi::xml_node XmlEdit::child(pugi::xml_node parent, const char* name) {
    const pugi::xml_node found = parent.child(name);
    return found ? found : add(parent, name);
}

pugi::xml_node XmlEdit::add(pugi::xml_node parent, const char* name) {
    changed_ = true;
    return parent.append_child(name);
}

void XmlEdit::remove(pugi::xml_node node) { changed_ = node.parent().remove_child(node) || changed_; }

void XmlEdit::remove_attribute(pugi::xml_node node, const char* attribute) {
    changed_ = node.remove_attribute(attribute) || changed_;
}

void XmlEdit::move(pugi::xml_node node, pugi::xml_node parent) { changed_ = !!parent.append_move(node) || changed_; }

pugi::xml_node XmlEdit::copy(pugi::xml_node node) {
    changed_ = true;
    return node.parent().append_copy(node);
}

void XmlEdit::remove_children(pugi::xml_node parent, const char* name) {
    while (const pugi::xml_node one = parent.child(name)) remove(one);
}

void XmlEdit::set_offset(pugi::xml_node parent, const Offset* old, const glm::dmat4& place) {
    std::uint64_t not_finite = 0;
    const Transform was = old == nullptr ? Transform() : to_scene(*old, not_finite);
    const glm::dvec3 position(place[3]);
    const bool same_position = same_place(wide(was.translation), position);
    const bool is_turned = !same_rotation(wide(was.rotation), glm::quat_cast(glm::dmat3(place)));
    if (same_position && !is_turned && not_finite == 0) return;
    changed_ = true;
    if (!same_position || !parent.child("offset").child("position"))
        set_position(parent, {0.0 - position.x, position.y, position.z});
    if (is_turned) set_rotation(parent.child("offset"), place);
}

void XmlEdit::set_position(pugi::xml_node parent, const glm::dvec3& position) {
    pugi::xml_node offset = parent.child("offset");
    if (!offset) offset = parent.prepend_child("offset");
    const pugi::xml_node element = child(offset, "position");
    set(element, "x", position.x);
    set(element, "y", position.y);
    set(element, "z", position.z);
}

void XmlEdit::set_rotation(pugi::xml_node offset, const glm::dmat4& place) {
    const glm::dquat rotation = glm::normalize(glm::quat_cast(glm::dmat3(place)));
    remove_children(offset, "rotation");
    const pugi::xml_node element = child(offset, "quaternion");
    set(element, "qx", rotation.x);
    set(element, "qy", 0.0 - rotation.y);
    set(element, "qz", 0.0 - rotation.z);
    set(element, "qw", rotation.w);
}

}  // namespace effigy::egosoft::bridge
