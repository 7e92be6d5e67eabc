/// A material library as a model that diff files (add, replace, remove) are applied to.

#include "egosoft/file/material_library_model.hpp"

#include <algorithm>
#include <array>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/file/xml_changes.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::array<std::string_view, 5> level_names{"materiallibrary", "collection", "material", "properties",
                                                      "property"};

/// An attribute that is kept, or null.
template <class Material>
auto material_attribute(Material& material, std::string_view name) noexcept -> decltype(&material.name) {
    if (name == "name") return &material.name;
    if (name == "shader") return &material.shader;
    if (name == "blendmode") return &material.blendmode;
    return nullptr;
}

template <class Property>
auto property_attribute(Property& property, std::string_view name) noexcept -> decltype(&property.name) {
    if (name == "name") return &property.name;
    if (name == "type") return &property.type;
    if (name == "value") return &property.value;
    return nullptr;
}

/// Whether the conditions of a step are on attributes that are kept.
bool has_kept_conditions(const SelectorStep& step) noexcept {
    const LibraryMaterial material;
    const MaterialProperty property;
    return std::all_of(step.conditions.begin(), step.conditions.end(), [&](const SelectorStep::Condition& condition) {
        if (step.name == "collection") return condition.attribute == "name";
        if (step.name == "material") return material_attribute(material, condition.attribute) != nullptr;
        return step.name == "property" && property_attribute(property, condition.attribute) != nullptr;
    });
}

/// Nothing for what no element of a library can be selected by.
std::optional<std::size_t> number_of_level(const Selector& selector) noexcept {
    if (!std::all_of(selector.steps.begin(), selector.steps.end(), has_kept_conditions)) return std::nullopt;
    const auto named = std::find(level_names.begin(), level_names.end(), selector.steps.back().name);
    if (named == level_names.end()) return std::nullopt;
    return static_cast<std::size_t>(named - level_names.begin());
}

const SelectorStep* step_named(const Selector& selector, std::string_view name) noexcept {
    for (const SelectorStep& step : selector.steps) {
        if (step.name == name) return &step;
    }
    return nullptr;
}

void not_understood(XmlReader& reader, pugi::xml_node change) {
    reader.add(codes::diff_selector, change,
               "this change is not understood and has no effect here; understood are <add>, <replace> and <remove> of "
               "elements of a material library, selected by names and attributes",
               shortened(change.attribute("sel").value()));
}

std::uint64_t size_of(const LibraryMaterial& material) noexcept {
    return 3 * (material.collection.size() + material.name.size()) + material.shader.size() + material.blendmode.size();
}

}  // namespace

std::string material_key(std::string_view collection, std::string_view name) {
    return lower(collection) + "." + lower(name);
}

LibraryModel::LibraryModel(std::vector<LibraryMaterial> materials, std::set<std::string, std::less<>> collections,
                           bool has_base)
    : collections_(std::move(collections)), has_base_(has_base) {
    slots_.reserve(materials.size());
    for (LibraryMaterial& each : materials) {
        slots_.push_back({std::move(each)});
        index_material(slots_.size() - 1);
    }
}

std::vector<LibraryMaterial> LibraryModel::take() {
    std::vector<LibraryMaterial> materials;
    for (Slot& slot : slots_) {
        if (slot.alive) materials.push_back(std::move(slot.material));
    }
    return materials;
}

bool LibraryModel::apply(XmlReader& reader) {
    if (reader.name(reader.root()) == level_names[library_level]) {
        add_collections(reader, reader.root());
    } else {
        for (const pugi::xml_node node : reader.root().children()) {
            if (node.type() == pugi::node_element && reader.ok() && !is_exhausted()) change(reader, node);
        }
        without_base_.note(reader, "a library that was not given");
    }
    return reader.ok() && !is_exhausted();
}

// --- elements of a file ---

void LibraryModel::add_collections(XmlReader& reader, pugi::xml_node parent) {
    for (const pugi::xml_node node : parent.children("collection")) {
        const std::string name = reader.text(node, "name");
        if (!reader.take_record<std::string>()) return;
        collections_.insert(name);
        add_materials(reader, node, name);
    }
}

void LibraryModel::add_materials(XmlReader& reader, pugi::xml_node parent, const std::string& name) {
    for (const pugi::xml_node node : parent.children("material")) {
        if (!reader.take_record<Slot>()) return;
        LibraryMaterial added = read_material(reader, node, name);
        if (reader.take(size_of(added))) put(reader, node, std::move(added));
    }
}

LibraryMaterial LibraryModel::read_material(XmlReader& reader, pugi::xml_node node, const std::string& owner) {
    LibraryMaterial read;
    read.collection = owner;
    read.name = reader.text(node, "name");
    read.shader = reader.text(node, "shader");
    read.blendmode = reader.text(node, "blendmode");
    read.place = reader.place(node);
    if (read.name.empty()) reader.add(codes::xml_name, node, "a material has no name; nothing can refer to it");
    for (const pugi::xml_node list : node.children("properties")) add_properties(reader, list, read.properties);
    return read;
}

/// A colour's numbers stand in attributes of their own; its value is the exporter's note of them.
static std::string property_value(XmlReader& reader, pugi::xml_node node) {
    if (!node.attribute("r")) return reader.text(node, "value");
    std::string numbers = reader.text(node, "r");
    for (const char* channel : {"g", "b", "a"}) numbers += ' ' + reader.text(node, channel);
    return numbers;
}

/// The attribute of a property, or one of a colour's four numbers; false for what is none, and for a colour's value.
static bool set_property(MaterialProperty& property, std::string_view attribute, std::string_view value) {
    std::string& numbers = property.value;
    const bool is_color = lower(property.type) == "color" && std::count(numbers.begin(), numbers.end(), ' ') == 3;
    const std::size_t channel =
        attribute.size() == 1 ? std::string_view("rgba").find(attribute) : std::string_view::npos;
    if (!is_color || (channel == std::string_view::npos && attribute != "value")) {
        std::string* const text = property_attribute(property, attribute);
        if (text != nullptr) *text = value;
        return text != nullptr;
    }
    if (channel == std::string_view::npos) return false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < channel; ++i) begin = numbers.find(' ', begin) + 1;
    numbers.replace(begin, std::min(numbers.find(' ', begin), numbers.size()) - begin, value);
    return true;
}

void LibraryModel::add_properties(XmlReader& reader, pugi::xml_node parent, std::vector<MaterialProperty>& list) {
    for (const pugi::xml_node node : parent.children("property")) {
        if (!reader.take_record<MaterialProperty>()) return;
        list.push_back({reader.text(node, "type"), reader.text(node, "name"), property_value(reader, node)});
    }
}

void LibraryModel::put(XmlReader& reader, pugi::xml_node node, LibraryMaterial added) {
    const auto known = by_key_.find(material_key(added.collection, added.name));
    if (known == by_key_.end()) {
        slots_.push_back({std::move(added), true, true});
        return index_material(slots_.size() - 1);
    }
    Slot& slot = slots_[known->second];
    if (slot.from_this_file) {
        reader.add(codes::library_duplicate, node, "the file has a second material of this name; the last one counts",
                   shortened(added.collection + "." + added.name));
    }
    if (slot.material.name != added.name) by_name_[added.name].push_back(known->second);
    if (slot.material.collection != added.collection) by_collection_[added.collection].push_back(known->second);
    slot.material = std::move(added);
    slot.from_this_file = true;
}

void LibraryModel::index_material(std::size_t index) {
    const LibraryMaterial& added = slots_[index].material;
    by_key_[material_key(added.collection, added.name)] = index;
    by_name_[added.name].push_back(index);
    by_collection_[added.collection].push_back(index);
    collections_.insert(added.collection);
}

void LibraryModel::forget(std::size_t index) {
    Slot& slot = slots_[index];
    const auto known = by_key_.find(material_key(slot.material.collection, slot.material.name));
    if (known != by_key_.end() && known->second == index) by_key_.erase(known);
    slot.alive = false;
    slot.material = {};
}

void LibraryModel::rename(std::size_t index, std::string_view name) {
    LibraryMaterial renamed = std::move(slots_[index].material);
    slots_[index].material = {};
    slots_[index].alive = false;
    by_key_.erase(material_key(renamed.collection, renamed.name));
    renamed.name = name;
    slots_.push_back({std::move(renamed), true, true});
    index_material(slots_.size() - 1);
}

// --- changes ---

std::optional<LibraryModel::Level> LibraryModel::level_of(const Selector& selector) {
    const auto number = number_of_level(selector);
    return number ? std::optional(static_cast<Level>(*number)) : std::nullopt;
}

void LibraryModel::change(XmlReader& reader, pugi::xml_node node) {
    const auto change = parse_change(node);
    const auto level = change ? level_of(change->selector) : std::nullopt;
    const auto condition_level = change && change->applies ? level_of(change->applies->selector) : level;
    if (!level || !condition_level) return not_understood(reader, node);
    if (change->applies) {
        const bool is_there = select(change->applies->selector, *condition_level).count() > 0;
        if (is_there == change->applies->is_negated) return;
    }
    const Targets targets = select(change->selector, *level);
    if (is_exhausted()) return;
    const std::size_t count = targets.count();
    if (count > 1) return note_several(reader, node, count);
    if (count == 0) return note_nothing(reader, node, *change);
    if (!change->selector.attribute.empty()) {
        set_attribute(reader, node, targets, change->selector.attribute,
                      change->kind == ChangeKind::remove ? "" : node.text().get());
    } else if (change->kind == ChangeKind::remove) {
        remove(targets, *level);
    } else if (change->kind == ChangeKind::replace) {
        replace(reader, node, targets, *level);
    } else {
        add(reader, node, targets, *level, change->position);
    }
}

/// A change that selects nothing: whole materials are taken where the library that it is for was not given.
void LibraryModel::note_nothing(XmlReader& reader, pugi::xml_node node, const XmlChange& change) {
    if (!has_base_ && create_missing(reader, node, change.selector)) return;
    if (change.is_silent) return;
    if (!has_base_) return without_base_.add(node);
    reader.add(codes::diff_no_match, node, "this change selects nothing, and has no effect",
               shortened(node.attribute("sel").value()));
}

/// Whole materials can be taken from a change even if the library that it is for was not given.
bool LibraryModel::create_missing(XmlReader& reader, pugi::xml_node node, const Selector& selector) {
    const SelectorStep* step = step_named(selector, level_names[collection_level]);
    const std::string* name = step != nullptr ? step->wanted("name") : nullptr;
    const bool is_removal = reader.name(node) == "remove" || !selector.attribute.empty();
    if (is_removal) return false;
    const std::size_t before = slots_.size();
    if (selector.steps.back().name == level_names[library_level] || node.child("collection"))
        add_collections(reader, node);
    if (name != nullptr && node.child("material")) {
        collections_.insert(*name);
        add_materials(reader, node, *name);
    }
    return slots_.size() != before || selector.steps.back().name == level_names[library_level];
}

void LibraryModel::add(XmlReader& reader, pugi::xml_node node, const Targets& targets, Level level,
                       ChangePosition position) {
    // Beside an element is in its parent; the order of collections and materials has no meaning.
    const bool beside = position == ChangePosition::before || position == ChangePosition::after;
    if (targets.library || (level == collection_level && beside)) return add_collections(reader, node);
    if (level == property_level) {
        if (beside) return change_properties(reader, node, targets, position, true);
        return not_understood(reader, node);
    }
    for (const std::string& name : targets.collections) add_materials(reader, node, name);
    for (const std::size_t index : targets.materials) {
        if (level == material_level && beside) {
            const std::string name = slots_[index].material.collection;
            add_materials(reader, node, name);
            continue;
        }
        std::vector<MaterialProperty> added;
        if (level == properties_level) add_properties(reader, node, added);
        for (const pugi::xml_node list : node.children("properties")) add_properties(reader, list, added);
        auto& list = slots_[index].material.properties;
        if (!reader.take_record<MaterialProperty>() || !reader.take(list.size() * sizeof(MaterialProperty))) return;
        work_ += list.size();
        if (is_exhausted()) return;
        list.insert(position == ChangePosition::prepend ? list.begin() : list.end(),
                    std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
        slots_[index].material.place = reader.place(node);
    }
}

void LibraryModel::replace(XmlReader& reader, pugi::xml_node node, const Targets& targets, Level level) {
    if (level == property_level) return change_properties(reader, node, targets, ChangePosition::append, false);
    if (targets.library) {
        remove(targets, level);
        for (const pugi::xml_node root : node.children("materiallibrary")) add_collections(reader, root);
    } else if (level == collection_level) {
        remove(targets, level);
        add_collections(reader, node);
    } else if (level == material_level) {
        std::set<std::string> names;
        for (const std::size_t index : targets.materials) names.insert(slots_[index].material.collection);
        remove(targets, level);
        for (const std::string& name : names) add_materials(reader, node, name);
    } else {
        for (const std::size_t index : targets.materials) {
            std::vector<MaterialProperty> added;
            for (const pugi::xml_node list : node.children("properties")) add_properties(reader, list, added);
            slots_[index].material.properties = std::move(added);
            slots_[index].material.place = reader.place(node);
        }
    }
}

void LibraryModel::remove(const Targets& targets, Level level) {
    if (targets.library) {
        slots_.clear();
        by_key_.clear();
        by_name_.clear();
        by_collection_.clear();
        collections_.clear();
    }
    for (const std::string& name : targets.collections) {
        const auto members = by_collection_.find(name);
        if (members != by_collection_.end()) {
            for (const std::size_t index : members->second) {
                if (slots_[index].alive && slots_[index].material.collection == name) forget(index);
            }
            by_collection_.erase(members);
        }
        collections_.erase(name);
    }
    for (const std::size_t index : targets.materials) {
        if (level == material_level) forget(index);
        if (level == properties_level) slots_[index].material.properties.clear();
    }
    for (const auto& [index, chosen] : targets.properties) {
        auto& list = slots_[index].material.properties;
        std::vector<MaterialProperty> kept;
        auto next = chosen.begin();
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (next != chosen.end() && *next == i) {
                ++next;
            } else {
                kept.push_back(std::move(list[i]));
            }
        }
        list = std::move(kept);
    }
}

/// Puts the properties of a change before, after or in the place of those that are selected.
void LibraryModel::change_properties(XmlReader& reader, pugi::xml_node node, const Targets& targets,
                                     ChangePosition position, bool keep) {
    for (const auto& [index, chosen] : targets.properties) {
        auto& list = slots_[index].material.properties;
        if (!reader.take(list.size() * sizeof(MaterialProperty))) return;
        std::vector<MaterialProperty> result;
        auto next = chosen.begin();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool is_chosen = next != chosen.end() && *next == i;
            if (is_chosen && position != ChangePosition::after) add_properties(reader, node, result);
            if (!is_chosen || keep) result.push_back(std::move(list[i]));
            if (is_chosen && position == ChangePosition::after) add_properties(reader, node, result);
            if (is_chosen) ++next;
        }
        list = std::move(result);
        slots_[index].material.place = reader.place(node);
    }
}

void LibraryModel::set_attribute(XmlReader& reader, pugi::xml_node node, const Targets& targets,
                                 const std::string& attribute, std::string_view value) {
    if (!targets.collections.empty()) return not_understood(reader, node);
    for (const std::size_t index : targets.materials) {
        if (!reader.take_record<Slot>() || !reader.take(value.size())) return;
        slots_[index].material.place = reader.place(node);
        if (attribute == "name") {
            rename(index, value);
        } else if (std::string* text = material_attribute(slots_[index].material, attribute)) {
            *text = value;
        }
    }
    for (const auto& [index, chosen] : targets.properties) {
        slots_[index].material.place = reader.place(node);
        for (const std::size_t i : chosen) {
            if (!reader.take(value.size())) return;
            if (!set_property(slots_[index].material.properties[i], attribute, value))
                return not_understood(reader, node);
        }
    }
}

// --- selecting ---

bool LibraryModel::matches(const Selector& selector, std::size_t step, std::size_t level, const Place& place) {
    const SelectorStep& wanted = selector.steps[step];
    if (wanted.name != level_names[level]) return false;
    for (const SelectorStep::Condition& condition : wanted.conditions) {
        const std::string* value =
            level == collection_level && condition.attribute == "name" ? place.collection : nullptr;
        if (level == material_level) value = material_attribute(*place.material, condition.attribute);
        if (level == property_level) value = property_attribute(*place.property, condition.attribute);
        if (value == nullptr || *value != condition.value) return false;
    }
    if (step == 0) return wanted.any_depth || level == 0;
    if (!wanted.any_depth) return level > 0 && matches(selector, step - 1, level - 1, place);
    for (std::size_t above = level; above-- > 0;) {
        if (matches(selector, step - 1, above, place)) return true;
    }
    return false;
}

std::vector<std::size_t> LibraryModel::candidates(const Selector& selector) const {
    const auto from = [](const auto& lists, const std::string& name) {
        const auto found = lists.find(name);
        return found == lists.end() ? std::vector<std::size_t>() : found->second;
    };
    const SelectorStep* by_material = step_named(selector, level_names[material_level]);
    const SelectorStep* by_collection = step_named(selector, level_names[collection_level]);
    if (const std::string* name = by_material != nullptr ? by_material->wanted("name") : nullptr)
        return from(by_name_, *name);
    if (const std::string* name = by_collection != nullptr ? by_collection->wanted("name") : nullptr)
        return from(by_collection_, *name);
    std::vector<std::size_t> all(slots_.size());
    for (std::size_t index = 0; index < all.size(); ++index) all[index] = index;
    return all;
}

LibraryModel::Targets LibraryModel::select(const Selector& selector, Level level) {
    Targets targets;
    const std::size_t last = selector.steps.size() - 1;
    if (level == library_level) {
        targets.library = matches(selector, last, library_level, {});
    } else if (level == collection_level) {
        const std::string* name = selector.steps.back().wanted("name");
        const auto known = name != nullptr ? collections_.find(*name) : collections_.end();
        if (known != collections_.end() && matches(selector, last, collection_level, {&*known})) {
            targets.collections.push_back(*known);
        }
        if (name == nullptr) {
            work_ += collections_.size();
            for (const std::string& each : collections_) {
                if (matches(selector, last, collection_level, {&each})) targets.collections.push_back(each);
            }
        }
    } else {
        for (const std::size_t index : candidates(selector)) {
            ++work_;
            if (slots_[index].alive && !is_exhausted()) select_in(selector, level, index, targets);
        }
        // Nearly all materials without properties have no list of them either.
        const auto has_none = [&](std::size_t index) { return slots_[index].material.properties.empty(); };
        if (level == properties_level && !std::all_of(targets.materials.begin(), targets.materials.end(), has_none))
            std::erase_if(targets.materials, has_none);
        // An index may name a slot twice.
        const auto sort_unique = [](auto& list) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        sort_unique(targets.materials);
        sort_unique(targets.properties);
    }
    return targets;
}

void LibraryModel::select_in(const Selector& selector, Level level, std::size_t index, Targets& targets) {
    const LibraryMaterial& owner = slots_[index].material;
    Place place{&owner.collection, &owner, nullptr};
    const std::size_t last = selector.steps.size() - 1;
    if (level != property_level) {
        if (matches(selector, last, level, place)) targets.materials.push_back(index);
        return;
    }
    std::vector<std::size_t> chosen;
    work_ += owner.properties.size();
    for (std::size_t i = 0; i < owner.properties.size(); ++i) {
        place.property = &owner.properties[i];
        if (matches(selector, last, level, place)) chosen.push_back(i);
    }
    if (!chosen.empty()) targets.properties.emplace_back(index, std::move(chosen));
}

}  // namespace effigy::egosoft
