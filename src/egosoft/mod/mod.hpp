#pragma once
/// A mod in the making: the files that make a component known to the game. Facts: docs/conversion/egosoft.md, "A mod".

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/egosoft_scene.hpp"

#include "scene/bridge.hpp"

namespace effigy::egosoft::bridge {
struct Context;
}

namespace effigy::egosoft::mod {

/// What is asked for, with what follows from it.
struct Plan {
    std::string folder;      ///< of the mod, as the game spells it: "my_mod"
    std::string name;        ///< of the component
    std::string class_name;  ///< "ship_s"
    std::string collection;  ///< of new materials
    std::string place;       ///< of the component, from the mod's root: "assets/units/size_s"
    std::string title;       ///< for people
    std::string author;
    bool is_x4 = true;
    bool has_texts = false;  ///< names are in t/0001-l044.xml
    std::uint32_t text_page = 0;
    int first_text = 101;                              ///< in the page: the name; then the description
    std::map<std::string, std::string> connections{};  ///< of the component: the first one with each tag
    std::set<std::string> connection_names{};          ///< all of them, in lower case

    [[nodiscard]] std::string macro() const { return name + "_macro"; }
};

/// A file that is in the mod already; nothing if there is none. The path is from the mod's root.
using OldFile = std::function<std::optional<std::string>(const std::string& path)>;

/// Files on their way, on top of those that are there.
struct Output {
    OldFile old;
    Limits limits;
    const image::Library* originals = nullptr;  ///< the game's textures
    GreenChannel normal_map_green = GreenChannel::flip;
    std::vector<NamedFile> files{};
    Report report{};
    NameList macro_stubs{};  ///< what is new and does nothing yet, with what it lacks

    /// As it will be.
    [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
    void put(std::string path, std::string text);
    /// Unless one is there, which is the modder's.
    void offer(std::string path, std::string text);
};

inline constexpr std::string_view components_index = "index/components.xml", macros_index = "index/macros.xml";

/// Where an index of the mod says that its things are.
class Places {
public:
    Places(const Output& output, const std::string& folder, std::string_view index_path);

    /// From the mod's root, without ending; nothing for what is not indexed or elsewhere.
    [[nodiscard]] std::optional<std::string> known(const std::string& name) const;
    /// Where the mod has it already, or where the games have things of its class: "assets/units/size_s".
    [[nodiscard]] std::string of(const std::string& name, std::string_view class_name) const;

private:
    std::string folder_;                                   ///< of the mod
    std::unordered_map<std::string, std::string> values_;  ///< of the index, by names in lower case
};
/// What the mod has already under the name of a component, and where that goes.
class OldComponent {
public:
    OldComponent(const Output& output, const Places& places, const std::string& name, const std::string& class_name);

    /// Empty if there is none.
    [[nodiscard]] std::string class_name() const { return component_ ? component_->class_name : std::string(); }
    /// Nothing if there is none.
    [[nodiscard]] const std::optional<Component>& component() const noexcept { return component_; }
    /// Fails if `files`, of which the first is the component, would replace what somebody else has made or edited, and
    /// what is not the `source` that the scene was made of.
    [[nodiscard]] Result<void> spare(const Output& output, const std::string& source,
                                     const std::vector<NamedFile>& files) const;
    /// Of a component without records.
    void note_lost(Report& report, const Component& made) const;

private:
    std::vector<std::pair<std::string, std::string>> texts_{};  ///< of the files, by their paths
    std::optional<Component> component_{};
};
/// Names files of a component that is replaced that were not written anew, and that still count.
void note_left_files(bridge::Context& context, const Output& output, const Plan& plan, const OldComponent& old,
                     const Component& made);
/// What most entries of the mod's index of components call its folder; nothing without any.
[[nodiscard]] std::optional<std::string> indexed_folder(const OldFile& old, const Limits& limits);
/// "extensions\my_mod\assets\units\size_s\ship"
[[nodiscard]] std::string game_path(const Plan& plan, std::string_view path);
/// The same backwards, from the mod's root and with slashes; nothing for what is elsewhere or leads out.
[[nodiscard]] std::optional<std::string> own_path(const std::string& folder, std::string_view game_path);

/// Materials that the component's meshes have: places in the scene, and names in the files.
using MaterialNames = std::map<Index, std::string>;
/// All that the mod's library has, in lower case: "collection.material".
[[nodiscard]] std::set<std::string> own_materials(const Output& output);
/// Those that are not the game's, with their textures.
[[nodiscard]] Result<void> add_materials(Output& output, const Plan& plan, const Scene& scene,
                                         const MaterialNames& names);

void add_content(Output& output, const Plan& plan);
/// The components and their macros in both indexes.
[[nodiscard]] Result<void> add_indexes(Output& output, const std::vector<Plan>& plans,
                                       const std::vector<std::vector<std::string>>& macros);
/// The names of the macros: the component's own, and one of its storage if it has one. Those that `known` finds in
/// other files of the mod are the modder's, and are left out. One that does not fit the component any more is written
/// anew if nobody has edited it; else that is said.
[[nodiscard]] std::vector<std::string> add_macros(Output& output, const Plan& plan, const Places& known);
/// Says once which of them are to be filled in.
void note_macro_stubs(Output& output);
/// Where the component's own macro is, or will be.
[[nodiscard]] std::string macro_path(const Plan& plan, const Places& known);
/// Gives components the texts that their macros name, or numbers that the mod's page does not have yet.
void number_texts(const Output& output, const Places& known, std::vector<Plan>& plans);
/// "{page,id}" of one of the component's texts, counted from 0.
[[nodiscard]] std::string text_reference(const Plan& plan, int number);
/// Texts and wares with comments, for the modder to fill in.
[[nodiscard]] Result<void> add_stubs(Output& output, const std::vector<Plan>& plans);

}  // namespace effigy::egosoft::mod
