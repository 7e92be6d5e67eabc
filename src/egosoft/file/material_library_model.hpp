#pragma once
/// A material library while files are laid over it: found by name, changed in place, given back as a list.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/material_library.hpp"

#include "core/xml.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/file/xml_selector.hpp"

namespace effigy::egosoft {

/// "collection.material" in lower case.
[[nodiscard]] std::string material_key(std::string_view collection, std::string_view name);

class LibraryModel {
public:
    /// With `has_base`, what a change selects must be there; without, it may be in a library that was not given.
    LibraryModel(std::vector<LibraryMaterial> materials, std::set<std::string, std::less<>> collections, bool has_base);

    /// Applies a file: a library or a <diff>. What cannot be applied is a finding; false if the limits are reached.
    [[nodiscard]] bool apply(XmlReader& reader);
    /// Whether the changes needed more comparisons than they may.
    [[nodiscard]] bool is_exhausted() const noexcept { return work_ > max_change_work; }
    [[nodiscard]] std::vector<LibraryMaterial> take();
    [[nodiscard]] std::set<std::string, std::less<>> take_collections() { return std::move(collections_); }

private:
    enum Level : std::size_t { library_level, collection_level, material_level, properties_level, property_level };

    /// One place in the tree of elements; pointers are null above their level.
    struct Place {
        const std::string* collection = nullptr;
        const LibraryMaterial* material = nullptr;
        const MaterialProperty* property = nullptr;
    };
    /// What a selector selects: collections, materials or properties, whatever its level asks for.
    struct Targets {
        bool library = false;
        std::vector<std::string> collections;
        std::vector<std::size_t> materials;
        std::vector<std::pair<std::size_t, std::vector<std::size_t>>> properties;  ///< of a material, rising

        [[nodiscard]] std::size_t count() const noexcept {
            std::size_t count = (library ? 1U : 0U) + collections.size() + materials.size();
            for (const auto& [index, chosen] : properties) count += chosen.size();
            return count;
        }
    };

    // Elements of a file.
    void add_collections(XmlReader& reader, pugi::xml_node parent);
    void add_materials(XmlReader& reader, pugi::xml_node parent, const std::string& collection);
    void add_properties(XmlReader& reader, pugi::xml_node parent, std::vector<MaterialProperty>& list);
    void put(XmlReader& reader, pugi::xml_node node, LibraryMaterial material);
    [[nodiscard]] LibraryMaterial read_material(XmlReader& reader, pugi::xml_node node, const std::string& collection);

    // Changes.
    [[nodiscard]] static std::optional<Level> level_of(const Selector& selector);
    void change(XmlReader& reader, pugi::xml_node node);
    void note_nothing(XmlReader& reader, pugi::xml_node node, const XmlChange& change);
    [[nodiscard]] bool create_missing(XmlReader& reader, pugi::xml_node node, const Selector& selector);
    void add(XmlReader& reader, pugi::xml_node node, const Targets& targets, Level level, ChangePosition position);
    void replace(XmlReader& reader, pugi::xml_node node, const Targets& targets, Level level);
    void remove(const Targets& targets, Level level);
    void set_attribute(XmlReader& reader, pugi::xml_node node, const Targets& targets, const std::string& attribute,
                       std::string_view value);
    void change_properties(XmlReader& reader, pugi::xml_node node, const Targets& targets, ChangePosition position,
                           bool keep);

    // Selecting.
    [[nodiscard]] Targets select(const Selector& selector, Level level);
    void select_in(const Selector& selector, Level level, std::size_t index, Targets& targets);
    [[nodiscard]] static bool matches(const Selector& selector, std::size_t step, std::size_t level,
                                      const Place& place);
    [[nodiscard]] std::vector<std::size_t> candidates(const Selector& selector) const;

    void forget(std::size_t index);
    void rename(std::size_t index, std::string_view name);
    void index_material(std::size_t index);

    struct Slot {
        LibraryMaterial material;
        bool alive = true;
        bool from_this_file = false;
    };
    std::vector<Slot> slots_;
    std::map<std::string, std::size_t, std::less<>> by_key_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_name_, by_collection_;  // may name dead slots
    std::set<std::string, std::less<>> collections_;
    bool has_base_;
    ChangesWithoutBase without_base_;
    std::uint64_t work_ = 0;
};

}  // namespace effigy::egosoft
