/// The elements of parts: levels of detail with their materials, sizes, lights.

#include <cmath>
#include <map>
#include <unordered_set>

#include "core/text.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// The old one, which may hang on another connection now, or a new one.
pugi::xml_node part_element(XmlEdit& edit, pugi::xml_node connection, const OldPart* old) {
    if (old == nullptr) return edit.add(edit.child(connection, "parts"), "part");
    if (old->node.parent().parent() == connection) return old->node;
    const pugi::xml_node parts = edit.child(connection, "parts");
    edit.move(old->node, parts);
    return parts.last_child();
}

/// Of a part that was taken from another component's scene.
void write_recorded(XmlEdit& edit, pugi::xml_node node, const Json& record) {
    if (const auto reference = text_at(record, "reference"); reference && !reference->empty())
        edit.set(node, "ref", *reference);
    if (const auto pivot = offset_at(record, "pivot")) {
        std::uint64_t not_finite = 0;
        edit.set_offset(edit.child(node, "pivot"), nullptr, matrix_of(to_scene(*pivot, not_finite)));
    }
}

void write_materials(XmlEdit& edit, pugi::xml_node lod, const std::vector<std::string>& materials) {
    const std::vector<pugi::xml_node> listed = elements(lod, "materials", "material");
    for (std::size_t i = materials.size(); i < listed.size(); ++i) edit.remove(listed[i]);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        const pugi::xml_node material =
            i < listed.size() ? listed[i] : edit.add(edit.child(lod, "materials"), "material");
        if (listed.size() != materials.size()) edit.set(material, "id", std::to_string(i + 1));
        if (lower(material.attribute("ref").value()) != lower(text(materials[i])))
            edit.set(material, "ref", materials[i]);
    }
}

/// `may_omit`: files may have levels that their XML does not name.
void write_levels(XmlEdit& edit, pugi::xml_node node, const PlannedPart& part, bool may_omit, NameList& absent) {
    std::map<std::string, const PlannedMesh*> levels;
    for (const PlannedMesh& level : part.levels) levels.emplace(std::to_string(level.number), &level);
    std::unordered_set<std::string> were_absent;
    for (const Json& one : list_at(part.record, "absent_levels")) were_absent.insert(to_text(one));
    for (const pugi::xml_node lod : elements(node, "lods", "lod")) {
        const std::string index = lod.attribute("index").as_string("0");
        const auto found = levels.find(index);
        if (found != levels.end()) {
            if (found->second->other_materials) write_materials(edit, lod, found->second->materials);
            levels.erase(found);
        } else if (were_absent.contains(index)) {
            absent.add(part.name + "-lod" + index);
        } else {
            edit.remove(lod);
        }
    }
    for (const PlannedMesh& level : part.levels) {
        if (!levels.contains(std::to_string(level.number)) || (level.kept && may_omit)) continue;
        const pugi::xml_node lod = edit.add(edit.child(node, "lods"), "lod");
        edit.set(lod, "index", std::to_string(level.number));
        write_materials(edit, lod, level.materials);
    }
}

bool holds(const Box& outer, const Box& inner) {
    const auto fits = [](float center, float half, float inner_center, float inner_half) {
        return std::fabs(inner_center - center) + inner_half <= half * 1.01f + 1e-3f;
    };
    return fits(outer.center.x, outer.half_size.x, inner.center.x, inner.half_size.x) &&
           fits(outer.center.y, outer.half_size.y, inner.center.y, inner.half_size.y) &&
           fits(outer.center.z, outer.half_size.z, inner.center.z, inner.half_size.z);
}

void write_box(XmlEdit& edit, pugi::xml_node node, const Box& box) {
    const auto write = [&](const char* name, const Vec3& v) {
        const pugi::xml_node element = edit.child(node, name);
        edit.set(element, "x", v.x);
        edit.set(element, "y", v.y);
        edit.set(element, "z", v.z);
    };
    write("max", box.half_size);
    write("center", box.center);
}

void write_sizes(XmlEdit& edit, pugi::xml_node node, const Part* old, const PlannedPart& part) {
    if (part.levels.empty() || !part.levels.front().box) return;
    const Box& box = *part.levels.front().box;
    if (part.is_new_mover && old != nullptr && !old->size_raw) write_box(edit, edit.child(node, "size_raw"), box);
    if (part.levels.front().kept && old != nullptr) {
        // Only new ways that the part goes can need more room.
        if (old->size && part.swept && !holds(*old->size, *part.swept))
            write_box(edit, node.child("size"), box_around(*old->size, *part.swept));
        return;
    }
    // A file may do without either.
    if (old == nullptr || old->size) write_box(edit, edit.child(node, "size"), part.swept.value_or(box));
    if (old == nullptr ? part.swept.has_value() : old->size_raw.has_value())
        write_box(edit, edit.child(node, "size_raw"), box);
}

}  // namespace

void write_part(Context& context, ComponentDocument& document, pugi::xml_node connection, const PlannedPart& part,
                NameList& absent) {
    XmlEdit& edit = document.edit;
    const Part* const old = part.old != nullptr ? part.old->thing : nullptr;
    const pugi::xml_node node = part_element(edit, connection, part.old);
    edit.set_name(node, part.name);
    if (old == nullptr && part.known) write_recorded(edit, node, part.record);
    const bool borrows = node.attribute("ref");
    if (!part.wreck.empty() && !borrows) edit.set(node, "wreck", part.wreck);
    if (part.lost_wreck && node.attribute("wreck")) edit.remove_attribute(node, "wreck");
    if (part.known) edit.set_offset(node, old != nullptr && old->offset ? &*old->offset : nullptr, part.offset);
    if (!borrows) {
        write_levels(edit, node, part, old != nullptr, absent);
        write_sizes(edit, node, old, part);
    }
    write_lights(edit, context, part.lights, node);
}

}  // namespace effigy::egosoft::bridge
