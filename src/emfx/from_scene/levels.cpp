/// Levels of detail: which file a mesh goes to.

#include <algorithm>
#include <map>
#include <span>

#include "emfx/file/namesakes.hpp"
#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// The embedded actors, in the order in which to_scene() numbers them.
class LevelReader {
public:
    explicit LevelReader(Build& build) : build_(build) {}

    void run() {
        const Json base = build_.files.front().json;
        add_embedded(base, build_.options.limits.depth);
        for (std::size_t level = 1; level < build_.files.size(); ++level) {
            FileParts& file = build_.files[level];
            for (std::size_t i = 0; i < chunks_of(file.json).size(); ++i) read_chunk(file, i);
        }
    }

private:
    void add_embedded(const Json& file, std::uint32_t depth) {
        for (const Json& chunk : chunks_of(file)) {
            const Json* record = member(chunk, "record");
            const Json* actor = record == nullptr ? nullptr : member(*record, "actor");
            if (actor == nullptr || !actor->is_object() || depth == 0) continue;
            FileParts parts;
            parts.json = *actor;
            parts.level = build_.files.size();
            build_.files.push_back(std::move(parts));
            add_embedded(*actor, depth - 1);
        }
    }

    void read_chunk(FileParts& file, std::size_t index) {
        const Json& chunk = chunks_of(file.json)[index];
        const auto id = number_member(chunk, "id").value_or(no_number);
        const auto version = static_cast<std::uint32_t>(number_member(chunk, "version").value_or(1));
        const Json* json = member(chunk, "record");
        if (json == nullptr || id > 11 || member(*json, "bytes") != nullptr) return;
        auto record = XacFormat::make_record(static_cast<std::uint32_t>(id), version);
        if (!record) return;
        if (auto* nodes = std::get_if<xac::Nodes>(&*record)) {
            if (read_record(build_, *json, version, *nodes)) {
                for (xac::Node& node : nodes->nodes) file.nodes.push_back(std::move(node));
            }
        } else if (auto* node = std::get_if<xac::Node>(&*record)) {
            if (read_record(build_, *json, version, *node)) file.nodes.push_back(std::move(*node));
        } else if (auto* standard = std::get_if<xac::StandardMaterial>(&*record)) {
            (void)read_record(build_, *json, version, *standard);
            file.materials.push_back({std::move(*standard), version, index, true});
        } else if (auto* fx = std::get_if<xac::FxMaterial>(&*record)) {
            (void)read_record(build_, *json, version, *fx);
            file.materials.push_back({std::move(*fx), version, index, true});
        }
    }

    Build& build_;
};

class FileAdder {
public:
    explicit FileAdder(Build& build) : build_(build) {}

    Result<void> run() {
        if (build_.files.size() > 1) collect_names();
        for (const xac::Node& node : build_.files.front().nodes) node_bytes_ += sizeof node + node.name.size();
        for (std::size_t i = 1; i < build_.files.size(); ++i) fill_old(build_.files[i]);
        for (std::size_t i = 1; i < build_.files.size(); ++i) known_.try_emplace(build_.files[i].level, i);
        for (MeshPlace& place : build_.places) choose(place);
        return out_of_memory_ ? Result<void>(fail(build_.memory_limit())) : Result<void>{};
    }

private:
    using Numbers = std::map<NumberedName, std::uint32_t>;

    /// A node that has been renamed or follows another one by now is still the one that it was of its namesakes.
    void collect_names() {
        Namesakes namesakes;
        for (const ActorNode& node : build_.nodes) {
            const NumberedName counted = namesakes.add(node.record.name);
            const auto before = static_cast<std::size_t>(node.namesake == 0 ? counted.second : node.namesake - 1);
            names_.emplace_back(counted.first, before);
        }
        numbers_ = numbers_of(names_);
    }

    void fill_old(FileParts& file) {
        const std::size_t materials = build_.scene.materials.size();
        const FileParts& base = build_.files.front();
        out_of_memory_ = out_of_memory_ || !build_.budget.take(materials + names_.size(), sizeof no_number);
        if (out_of_memory_) return;
        file.material_numbers.assign(materials, no_number);
        const std::vector<NumberedName> names = numbered(file.nodes);
        // Names belong to no record.
        const auto is_known = [&](const NumberedName& name) { return numbers_.contains(name); };
        file.are_nodes_raw = base.are_nodes_raw && std::ranges::all_of(names, is_known);
        if (file.are_nodes_raw) {
            file.numbering.actor = numbers_in(numbers_of(names), names_);  // without any nodes as well
            return;
        }
        // The actor's nodes have changed; those of its levels follow.
        file.numbering.old = numbers_in(numbers_, names);
        for (std::uint32_t& number : file.numbering.old) number = number < base.nodes.size() ? number : no_number;
        find_renamed(file);
        copy_nodes(file);
    }

    /// The node of a level whose name nobody has now is the actor's of the same number and parent, if that one has a
    /// name which the level does not know.
    void find_renamed(FileParts& level) const {
        const std::vector<xac::Node>& nodes = build_.files.front().nodes;
        std::vector<std::uint32_t>& now = level.numbering.old;
        std::vector<bool> is_found(nodes.size());
        for (const std::uint32_t number : now) {
            if (number < nodes.size()) is_found[number] = true;
        }
        for (std::size_t i = 0; i < std::min(now.size(), build_.renumbered.size()); ++i) {
            const std::uint32_t number = build_.renumbered[i];
            if (now[i] != no_number || number >= nodes.size() || is_found[number]) continue;
            if (level.numbering.of_old(level.nodes[i].parent) == nodes[number].parent) now[i] = number;
        }
    }

    /// The actor's, with their names, which may be long.
    void copy_nodes(FileParts& file) {
        out_of_memory_ = out_of_memory_ || !build_.budget.take(node_bytes_);
        if (!out_of_memory_) file.nodes = build_.files.front().nodes;
    }

    static std::vector<NumberedName> numbered(const std::vector<xac::Node>& nodes) {
        Namesakes namesakes;
        std::vector<NumberedName> names;
        for (const xac::Node& node : nodes) names.push_back(namesakes.add(node.name));
        return names;
    }

    static Numbers numbers_of(std::span<const NumberedName> names) {
        Numbers numbers;
        for (std::uint32_t i = 0; i < names.size(); ++i) numbers.emplace(names[i], i);
        return numbers;
    }

    /// For each of `names` the number of its equal, as to_scene() joins nodes, or no_number.
    static std::vector<std::uint32_t> numbers_in(const Numbers& known, std::span<const NumberedName> names) {
        std::vector<std::uint32_t> numbers;
        for (const NumberedName& name : names) {
            const auto found = known.find(name);
            numbers.push_back(found == known.end() ? no_number : found->second);
        }
        return numbers;
    }

    void choose(MeshPlace& place) {
        const LevelStorage wanted = build_.options.levels;
        const OldMesh& old = build_.old_meshes[place.mesh];
        const std::size_t old_file = old_level_of(build_, old);
        if (wanted != LevelStorage::fields && old_file != 0 && place.level != 0) {
            place.file = old_file;
            place.lod = static_cast<std::uint32_t>(std::min<std::uint64_t>(old.lod, no_number));
        } else if (wanted == LevelStorage::fields ||
                   (wanted == LevelStorage::by_target && old.has_layers && old.model == 0 && old.lod == place.level)) {
            place.lod = static_cast<std::uint32_t>(std::min<std::uint64_t>(place.level, no_number));
        } else if (place.level != 0) {
            place.file = file_of(place.level);
        }
    }

    /// The embedded actor of that level, or a new one with the actor's nodes.
    std::size_t file_of(std::uint64_t level) {
        const auto [known, is_new] = known_.try_emplace(level, build_.files.size());
        if (is_new) add_level(level);
        return known->second;
    }

    void add_level(std::uint64_t level) {
        FileParts parts;
        parts.level = level;
        const std::size_t materials = build_.scene.materials.size();
        out_of_memory_ = out_of_memory_ || !build_.budget.take(materials, sizeof no_number);
        if (!out_of_memory_) parts.material_numbers.assign(materials, no_number);
        copy_nodes(parts);
        build_.files.push_back(std::move(parts));
    }

    Build& build_;
    std::vector<NumberedName> names_;             ///< of the actor's nodes, and of those that only levels have
    Numbers numbers_;                             ///< of `names_`
    std::map<std::uint64_t, std::size_t> known_;  ///< files of levels
    std::uint64_t node_bytes_ = 0;                ///< of a copy of the actor's nodes
    bool out_of_memory_ = false;
};

}  // namespace

std::size_t old_level_of(const Build& build, const OldMesh& mesh) noexcept {
    return mesh.has_layers && mesh.model < build.files.size() ? static_cast<std::size_t>(mesh.model) : 0;
}

void read_levels(Build& build) { LevelReader(build).run(); }

Result<void> add_files(Build& build) { return FileAdder(build).run(); }

}  // namespace effigy::emfx::bridge
