/// The files that a component names (meshes, animations, other components, materials), found, read and remembered.

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "effigy/egosoft_codes.hpp"

#include "core/beside.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/to_scene/component.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::string last_step(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// Bytes of files from which on a thread costs little beside making their meshes.
constexpr std::uint64_t worth_a_thread = 256 * 1024;

/// Bytes of a decoded file up to which its mesh is made on the thread as well: the blocks of larger ones cost more
/// there than is gained.
constexpr std::uint64_t max_beside = 64 * 1024;

std::string key_of(const Location& location) { return location.file.string() + ":" + std::to_string(location.offset); }

}  // namespace

MeshFolder::MeshFolder(const std::string& geometry) {
    const std::string path = path_with_slashes(geometry);
    if (path.empty()) return;
    name_ = last_step(path);
    candidates_ = {path};
    if (name_ != path) candidates_.push_back(name_);
}

Store::Store(Build& build, SceneInput& input)
    : build_(build), input_(input), ahead_(threads_beside(build.options.limits)) {
    for (MeshInput& mesh : input.meshes) given_.try_emplace(lower(mesh.source.stem), &mesh);
    for (const ComponentInput& one : input.components) {
        for (const Component& component : one.file.components) {
            components_.try_emplace(lower(component.name), &component);
        }
    }
}

std::optional<std::size_t> Store::enter(Entry entry, const std::string& key) {
    const auto [place, is_new] = numbers_.try_emplace(key, entries_.size());
    if (is_new) entries_.push_back(std::move(entry));
    return place->second;
}

std::optional<Location> Store::locate(const MeshFolder& folder, const std::string& rest) const {
    if (input_.files == nullptr) return std::nullopt;
    for (const std::string& candidate : folder.candidates()) {
        if (auto found = input_.files->find(candidate + rest)) return found;
    }
    return std::nullopt;
}

void Store::note_beside(const MeshFolder& folder, const std::string& rest, Location used) {
    auto beside = input_.files->find(folder.name() + rest);
    if (!beside || key_of(*beside) == key_of(used)) return;
    const auto are_same = [&] {
        const bool have_sizes = !beside->in_memory && !used.in_memory;
        if (have_sizes && beside->size != used.size) return false;
        beside->path.clear();  // looking at them is not taking them
        used.path.clear();
        const auto bytes = input_.files->read(*beside), others = input_.files->read(used);
        return !bytes || !others || *bytes == *others;
    };
    if (!are_same()) beside_.add(text(folder.name() + rest));
}

std::optional<std::size_t> Store::find(const MeshFolder& folder, const std::string& stem) {
    Entry entry;
    entry.stem = stem;
    if (const auto given = given_.find(lower(stem)); given != given_.end()) {
        entry.given = given->second;
        return enter(std::move(entry), "given:" + lower(stem));
    }
    const auto location = locate(folder, "/" + stem + ".xmf");
    if (!location) return std::nullopt;
    entry.location = *location;
    if (!numbers_.contains(key_of(*location))) note_beside(folder, "/" + stem + ".xmf", *location);
    return enter(std::move(entry), key_of(*location));
}

Result<void> Store::pass_over(Diagnostic problem, const std::string& name) {
    if (is_limit(problem)) return fail(std::move(problem));
    if (problem.file.empty()) problem.file = name;
    build_.report.add(std::move(problem));
    return {};
}

Result<Bytes> Store::read(const Location& location) {
    auto bytes = input_.files->read(location);
    if (!bytes) return bytes;
    build_.budget.add_input(bytes->size());
    if (auto taken = build_.take(bytes->size(), 1, "a file that is read"); !taken)
        return fail(std::move(taken.error()));
    return bytes;
}

Store::Stored Store::read_stored(const Entry& entry) {
    return {{entry.stem, 0, {}}, entry.location.name, read(entry.location)};
}

Store::StoredMesh Store::make(Stored file, const SceneOptions& options, Budget memory) {
    if (!file.bytes) return {0, 0, fail(std::move(file.bytes.error()))};
    file.source.size = file.bytes->size();
    auto loaded = xmf::read(*file.bytes, {options.limits});
    if (!loaded) return {file.source.size, 0, fail(std::move(loaded.error()))};
    file.bytes = Bytes();
    const std::uint64_t size = bulk_size(loaded->value);
    MeshBuild build(options, memory, file.source.stem);
    build.budget.add_input(size);
    if (auto taken = build.take(size, 1, "a mesh"); !taken) return {file.source.size, size, fail(taken.error())};
    loaded->report.name_file(file.name);
    build.report.append(std::move(loaded->report));
    if (size > max_beside) return {file.source.size, size, std::move(build), std::move(loaded->value)};
    if (auto done = make_mesh(build, file.source, loaded->value); !done)
        return {file.source.size, size, fail(std::move(done.error()))};
    build.budget.give_back(size);
    return {file.source.size, size, std::move(build)};
}

/// Files are read here, so that whoever is told what is read hears it in one order: only making meshes of them is
/// another thread's.
Store::Batch Store::start_batch() {
    Batch batch;
    std::vector<Stored> files;
    for (std::uint64_t size = 0; size < worth_a_thread && !expected_.empty(); expected_.pop_front()) {
        Entry& entry = entries_[expected_.front()];
        if (entry.loaded || entry.in_batch || entry.given != nullptr) continue;
        entry.in_batch = true;
        batch.numbers.push_back(expected_.front());
        files.push_back(read_stored(entry));
        if (files.back().bytes) size += files.back().bytes->size();
    }
    batch.meshes =
        start_beside([files = std::move(files), &options = build_.options, memory = build_.budget]() mutable {
            std::vector<StoredMesh> meshes;
            for (Stored& file : files) {
                meshes.push_back(make(std::move(file), options, memory));
                if (meshes.back().mesh) memory = meshes.back().mesh->budget;
            }
            return meshes;
        });
    return batch;
}

Store::StoredMesh Store::take_made(std::size_t number) {
    const Entry& entry = entries_[number];
    while (entry.in_batch && !made_.contains(number)) {
        Batch batch = std::move(batches_.front());
        batches_.pop_front();
        std::vector<StoredMesh> meshes = batch.meshes.get();
        for (std::size_t i = 0; i < meshes.size(); ++i) made_.emplace(batch.numbers[i], std::move(meshes[i]));
    }
    auto known = made_.extract(number);
    std::optional<Stored> file;
    if (!known) file = read_stored(entry);
    while (batches_.size() < ahead_ && !expected_.empty()) batches_.push_back(start_batch());
    return known ? std::move(known.mapped()) : make(std::move(*file), build_.options, build_.budget);
}

Result<Index> Store::load(std::size_t number) {
    Entry& entry = entries_[number];
    if (entry.loaded) return entry.mesh;
    entry.loaded = true;
    const auto name_materials = [&](const std::vector<xmf::Material>& materials) {
        for (const xmf::Material& material : materials) entry.materials.emplace_back(xmf::name_of(material));
    };
    const auto remember = [&](Result<Index> mesh) {
        if (mesh) entry.mesh = *mesh;
        return mesh;
    };
    if (entry.given != nullptr) {
        name_materials(entry.given->file.materials);
        return remember(add_given(build_, *entry.given));
    }
    StoredMesh stored = take_made(number);
    build_.budget.give_back(stored.file_size);
    if (!stored.mesh)
        return pass_over(std::move(stored.mesh.error()), entry.location.name).map([] { return no_index; });
    build_.budget.add_input(stored.decoded_size);
    if (stored.file) {
        const auto done = make_mesh(*stored.mesh, {entry.stem, stored.file_size, {}}, *stored.file);
        if (!done) return fail(done.error());
        stored.mesh->budget.give_back(stored.decoded_size);
        stored.file.reset();
    }
    name_materials(stored.mesh->materials);
    return remember(add_mesh(build_, std::move(*stored.mesh)));
}

const std::vector<std::string>& Store::materials(std::size_t number) const { return entries_[number].materials; }

Result<std::vector<const AnimationInput*>> Store::animations(const MeshFolder& folder, bool only_component) {
    std::vector<const AnimationInput*> found;
    for (const AnimationInput& given : input_.animations) {
        if (only_component || lower(given.source.stem) == lower(folder.name())) found.push_back(&given);
    }
    if (!found.empty()) return found;
    const auto location = locate(folder, ".ani");
    if (!location) return found;
    const auto [place, is_new] = read_animations_.try_emplace(key_of(*location));
    if (is_new) {
        note_beside(folder, ".ani", *location);
        if (auto read = read_animation(*location, folder.name(), place->second); !read)
            return fail(std::move(read.error()));
    }
    if (place->second != nullptr) found.push_back(place->second.get());
    return found;
}

Result<void> Store::read_animation(const Location& location, const std::string& name,
                                   std::unique_ptr<AnimationInput>& animation) {
    const Result<Bytes> bytes = read(location);
    if (!bytes) return pass_over(bytes.error(), location.name);
    auto loaded = ani::read(*bytes, {build_.options.limits});
    if (!loaded) return pass_over(std::move(loaded.error()), location.name);
    loaded->report.name_file(location.name);
    build_.report.append(std::move(loaded->report));
    animation = std::make_unique<AnimationInput>(AnimationInput{{name, bytes->size(), {}}, std::move(loaded->value)});
    return {};
}

Result<void> Store::read_component_file(const Location& location, ReadComponents& read) {
    Result<Bytes> bytes = this->read(location);
    if (!bytes) return pass_over(std::move(bytes.error()), location.name);
    auto loaded = read_components(std::move(*bytes), {build_.options.limits});
    if (!loaded) return pass_over(std::move(loaded.error()), location.name);
    loaded->report.name_file(location.name);
    build_.report.append(std::move(loaded->report));
    read.file = std::move(loaded->value);
    for (const Component& component : read.file.components) read.by_name.try_emplace(lower(component.name), &component);
    return {};
}

Result<const Component*> Store::read_component_in(const Location& location, const std::string& name) {
    const auto [place, is_new] = read_components_.try_emplace(key_of(location));
    if (is_new) {
        if (auto read = read_component_file(location, place->second); !read) return fail(std::move(read.error()));
    }
    const auto found = place->second.by_name.find(lower(name));
    return found == place->second.by_name.end() ? nullptr : found->second;
}

Result<void> Store::note_changes(const Component& component) {
    if (input_.files == nullptr) return {};
    const std::string path = find_component(*input_.files, component.name);
    const std::vector<Location> files = path.empty() ? std::vector<Location>() : layered_files(*input_.files, path);
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
        auto bytes = read(files[i]);
        auto loaded = bytes ? read_components(std::move(*bytes), {build_.options.limits})
                            : Result<Loaded<ComponentFile>>(fail(std::move(bytes.error())));
        if (!loaded) {
            if (auto passed = pass_over(std::move(loaded.error()), files[i].name); !passed) return passed;
            continue;
        }
        const auto holds = [&](const Component& one) { return lower(one.name) == lower(component.name); };
        if (std::any_of(loaded->value.components.begin(), loaded->value.components.end(), holds)) return {};
        loaded->report.name_file(files[i].name);
        build_.report.append(std::move(loaded->report));
    }
    return {};
}

Result<const Component*> Store::read_changed_in(const ChangedFile& changed, const std::string& name) {
    const auto [place, is_new] = read_components_.try_emplace(key_of(changed.base) + " with changes");
    ReadComponents& known = place->second;
    if (is_new) {
        auto loaded = [&]() -> Result<Loaded<ChangedComponents>> {
            const Result<Bytes> base = read(changed.base);
            if (!base) return fail(base.error());
            return read_changed(*input_.files, changed, *base, build_.options.limits);
        }();
        if (!loaded)
            return pass_over(std::move(loaded.error()), changed.base.name).map([]() -> const Component* { return {}; });
        build_.report.append(std::move(loaded->report));
        note_applied(build_, loaded->value, name);
        known.file = std::move(loaded->value.file);
        for (const Component& one : known.file.components) known.by_name.try_emplace(lower(one.name), &one);
    }
    const auto found = known.by_name.find(lower(name));
    return found == known.by_name.end() ? nullptr : found->second;
}

Result<const Component*> Store::read_component(const std::string& name) {
    if (input_.files == nullptr) return nullptr;
    const std::string path = find_component(*input_.files, name);
    if (path.empty()) return nullptr;
    if (const auto changed = changed_file(*input_.files, path, build_.options.limits)) {
        auto found = read_changed_in(*changed, name);
        if (!found || *found != nullptr) return found;
    }
    for (const Location& location : layered_files(*input_.files, path)) {
        auto found = read_component_in(location, name);
        if (!found || *found != nullptr) return found;
    }
    return nullptr;
}

Result<const Component*> Store::component(const std::string& name) {
    const auto known = components_.find(lower(name));
    if (known != components_.end()) return known->second;
    auto read = read_component(name);
    if (read) components_.emplace(lower(name), *read);
    return read;
}

const Part* Store::part_of(const Component& component, const std::string& lower_name) {
    const auto [place, is_new] = parts_.try_emplace(&component);
    if (is_new) {
        for (const Connection& connection : component.connections) {
            for (const Part& part : connection.parts) place->second.try_emplace(lower(part.name), &part);
        }
    }
    const auto found = place->second.find(lower_name);
    return found == place->second.end() ? nullptr : found->second;
}

Result<Store::Borrowed> Store::borrow(const std::string& reference) {
    const auto nothing = [](std::string problem) { return Borrowed{nullptr, nullptr, std::move(problem)}; };
    std::set<std::string> passed;
    std::string next = reference;
    while (passed.insert(lower(next)).second) {
        if (passed.size() > build_.options.limits.depth) return nothing("the references lead on too far");
        const std::size_t dot = next.find('.');
        if (dot == std::string::npos || dot == 0) return nothing("\"" + text(next) + "\" names no part");
        const std::string name = next.substr(0, dot), part_name = next.substr(dot + 1);
        auto found = component(name);
        if (!found) return fail(std::move(found.error()));
        if (*found == nullptr) return nothing("the component " + text(name) + " is not there");
        const Part* part = part_of(**found, lower(part_name));
        if (part == nullptr) return nothing("the component " + text(name) + " has no part " + text(part_name));
        if (part->reference.empty()) return Borrowed{*found, part, {}};
        next = part->reference;
    }
    return nothing("the references lead round in a circle");
}

void Store::remember(const MeshFolder& folder) {
    if (input_.files == nullptr || folder.candidates().empty()) return;
    constexpr std::size_t max_folders = 16;  // each is looked for among all files of the game
    if (folders_.size() < max_folders) folders_.try_emplace(lower(folder.candidates().front()), build_.file, folder);
}

void Store::note_strays() {
    for (const auto& [name, used] : folders_) {
        NameList names;
        for (const std::string& stem : strays(used.second)) names.add(text(stem));
        build_.file = used.first;
        build_.note_any(names, codes::mesh_unused, "geometry",
                        "Meshes in the component's folder belong to none of its parts; they are left out.");
    }
    build_.file.clear();
    build_.note_any(beside_, codes::mesh_beside, "geometry",
                    "Other files of these names lie where the component says, and those are taken. If the ones beside "
                    "the component are meant, put them where it says, below its own folder.");
}

std::vector<std::string> Store::strays(const MeshFolder& folder) const {
    std::vector<std::string> result, places = folder.candidates();
    const std::string below(without_extension_folder(lower(places.front())));
    if (below.size() != places.front().size()) places.insert(places.begin() + 1, below);
    for (const std::string& place : places) {
        const std::vector<Listed> listed = input_.files->list(place + "/*.xmf");
        for (const Listed& file : listed) {
            std::string stem = std::filesystem::path(file.path).stem().string();
            // A mesh that was given stands for the one of its name in the folder.
            if (numbers_.contains(key_of(file.location)) || numbers_.contains("given:" + lower(stem))) continue;
            // What is listed may lie below another layer's file, or be no file of the extension's but the game's own.
            const auto location = locate(folder, "/" + stem + ".xmf");
            if (location && !numbers_.contains(key_of(*location))) result.push_back(std::move(stem));
        }
        if (!listed.empty()) break;
    }
    return result;
}

void Store::note_unused_inputs() {
    NameList unused;
    for (const MeshInput& mesh : input_.meshes) {
        if (!numbers_.contains("given:" + lower(mesh.source.stem))) unused.add(text(mesh.source.stem));
    }
    build_.note_any(unused, codes::mesh_unmatched, "meshes",
                    "Meshes are named by no part of the component; they are left out.");
}

}  // namespace effigy::egosoft::bridge
