#pragma once
/// A component in the scene, in steps: the nodes of its connections and parts, then the meshes of the parts; and where
/// the files come from that it names: the caller, or the game.

#include <deque>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "egosoft/game/changed.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {

/// The folder of a component's meshes under the names that it may have.
class MeshFolder {
public:
    /// As the component spells it; and only its last step, for a component that lies beside its folder.
    explicit MeshFolder(const std::string& geometry);

    [[nodiscard]] const std::vector<std::string>& candidates() const noexcept { return candidates_; }
    /// Its last step.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    std::vector<std::string> candidates_;
    std::string name_;
};

/// Lays over a component of the game what its extensions change in it; false if it is another file, or nothing does.
[[nodiscard]] Result<bool> lay_changes_over(Build& build, const GameFiles& files, ComponentInput& input);
void note_applied(Build& build, const ChangedComponents& changed, const std::string& component);

class Store {
public:
    Store(Build& build, SceneInput& input);

    /// A number for load(), if there is such a mesh. `stem`: "part_main-lod0".
    [[nodiscard]] std::optional<std::size_t> find(const MeshFolder& folder, const std::string& stem);
    /// load() will be asked for it, after those that were expected before: other threads make its mesh meanwhile.
    void expect(std::size_t number) { expected_.push_back(number); }
    /// The scene mesh, made once; no_index if it is damaged or empty, which is reported.
    [[nodiscard]] Result<Index> load(std::size_t number);
    /// Names of the materials of a mesh that was loaded, in the file's order.
    [[nodiscard]] const std::vector<std::string>& materials(std::size_t number) const;

    /// The animations of a component: those given that are named after its folder, or all if there is one component
    /// only; else those in the game's files.
    [[nodiscard]] Result<std::vector<const AnimationInput*>> animations(const MeshFolder& folder, bool only_component);

    struct Borrowed {
        const Component* component = nullptr;
        const Part* part = nullptr;
        std::string problem;  ///< why there is none
    };
    /// The part that "component.part" leads to in the end.
    [[nodiscard]] Result<Borrowed> borrow(const std::string& reference);

    /// Says which changes of mods count for nothing here: of a component that is not the one in the game's files.
    Result<void> note_changes(const Component& component);
    /// A component has its meshes there.
    void remember(const MeshFolder& folder);
    /// Meshes in the components' folders that none of them has.
    void note_strays();
    void note_unused_inputs();

private:
    struct Entry {
        MeshInput* given = nullptr;
        Location location;
        std::string stem;
        bool in_batch = false;
        bool loaded = false;
        Index mesh = no_index;
        std::vector<std::string> materials;
    };

    /// A file that was read, and what a mesh is made of beside it.
    struct Stored {
        Source source;
        std::string name;  ///< of the file, for findings
        Result<Bytes> bytes;
    };
    struct StoredMesh {
        std::uint64_t file_size = 0;
        std::uint64_t decoded_size = 0;
        Result<MeshBuild> mesh;
        std::optional<xmf::File> file{};  ///< of which the mesh is still to be made
    };
    /// Meshes that one thread makes: as many as are worth one.
    struct Batch {
        std::vector<std::size_t> numbers;
        std::future<std::vector<StoredMesh>> meshes;
    };
    [[nodiscard]] Stored read_stored(const Entry& entry);
    [[nodiscard]] static StoredMesh make(Stored file, const SceneOptions& options, Budget memory);
    [[nodiscard]] StoredMesh take_made(std::size_t number);
    [[nodiscard]] Batch start_batch();
    std::optional<std::size_t> enter(Entry entry, const std::string& key);
    [[nodiscard]] std::optional<Location> locate(const MeshFolder& folder, const std::string& rest) const;
    /// Remembers a file that lies beside the component and is another one than what is used.
    void note_beside(const MeshFolder& folder, const std::string& rest, Location used);
    struct ReadComponents {
        ComponentFile file;
        std::unordered_map<std::string, const Component*> by_name;  ///< lower case
    };
    [[nodiscard]] Result<const Component*> component(const std::string& name);
    /// Null if there is none.
    [[nodiscard]] Result<const Component*> read_component(const std::string& name);
    /// Reads a file with the changes of extensions, once.
    Result<const Component*> read_changed_in(const ChangedFile& changed, const std::string& name);
    /// Reads a file that may hold the component, once.
    Result<const Component*> read_component_in(const Location& location, const std::string& name);
    Result<void> read_component_file(const Location& location, ReadComponents& read);
    Result<void> read_animation(const Location& location, const std::string& name,
                                std::unique_ptr<AnimationInput>& animation);
    [[nodiscard]] std::vector<std::string> strays(const MeshFolder& folder) const;
    [[nodiscard]] const Part* part_of(const Component& component, const std::string& lower_name);
    [[nodiscard]] Result<Bytes> read(const Location& location);
    /// A file that cannot be read is reported and missing; only a reached limit ends the conversion.
    Result<void> pass_over(Diagnostic problem, const std::string& name);

    Build& build_;
    SceneInput& input_;
    std::size_t ahead_;                                  ///< how many batches are made before they are asked for
    std::unordered_map<std::string, MeshInput*> given_;  ///< by lower-case stem
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<Entry> entries_;
    std::deque<std::size_t> expected_;
    std::deque<Batch> batches_;
    std::unordered_map<std::size_t, StoredMesh> made_;
    NameList beside_;  ///< files that lie beside components, where others of the game are used
    std::unordered_map<std::string, const Component*> components_;  ///< by lower-case name
    std::unordered_map<const Component*, std::unordered_map<std::string, const Part*>> parts_;
    std::map<std::string, std::pair<std::string, MeshFolder>> folders_;  ///< by name: who has it first
    // Files are read once, however many components name them; a null is a file that cannot be read.
    std::unordered_map<std::string, ReadComponents> read_components_;
    std::unordered_map<std::string, std::unique_ptr<AnimationInput>> read_animations_;
};

/// A part that stands in the scene.
struct PlacedPart {
    const Part* part = nullptr;
    std::string name;  ///< lower case
    Index node = no_index;
    bool moves = false;
    std::vector<std::uint32_t> absent{};  ///< levels that the XML names and the scene lacks
    bool has_wreck = false;
};

struct ComponentNodes {
    Index root = no_index;
    std::vector<PlacedPart> parts{};
    PartNodes by_name{};
    std::unordered_set<std::string> wrecks{};  ///< parts that are wrecks of others, in lower case
    std::vector<NamedRange> ranges{};
    NameCounts light_names{};
    std::vector<Transform> rest{};  ///< in the scene, of the nodes from the root on
    std::uint64_t not_finite = 0;

    [[nodiscard]] const Transform& rest_of(Index node) const { return rest[node - root]; }
};
/// `moving` are the lower-case names of parts with keys.
[[nodiscard]] Result<ComponentNodes> add_component_nodes(Build& build, const ComponentInput& input,
                                                         const Component& component,
                                                         const std::unordered_set<std::string>& moving);

/// Where the meshes of parts come from, and what is found on the way.
struct PartMeshes {
    Build& build;
    Store& store;
    const ComponentNodes& nodes;
    std::string file;  ///< of the component, for findings
    NameList missing{}, other_materials{};
    std::map<std::string, NameList> unborrowed{};  ///< parts by what is wrong with what they borrow
};
/// Those of the part's own that are named: what others find is made when it is needed.
void expect_meshes(PartMeshes& to, const Part& part, const MeshFolder& folder);
/// Levels of detail, collision meshes and the wreck of a part, which may borrow them from another component.
[[nodiscard]] Result<void> add_part_meshes(PartMeshes& to, PlacedPart& placed, const MeshFolder& folder);

}  // namespace effigy::egosoft::bridge
