/// A game's folders, catalogs and extensions laid over one another as one tree of files.

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "egosoft/game/index_paths.hpp"
#include "egosoft/game/load_order.hpp"
#include "egosoft/game/on_disk.hpp"
#include "egosoft/game/placed_layer.hpp"

namespace effigy::egosoft {

namespace {

namespace fs = std::filesystem;

struct Group {
    bool is_extension = false;
};

/// An entry of a catalog, by its path.
struct CatalogPlace {
    std::uint64_t hash = 0;
    std::uint32_t layer = 0, entry = 0;  ///< of equal paths, the last one counts

    friend auto operator<=>(const CatalogPlace&, const CatalogPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

/// What all layers have under one prefix: a game has hundreds of them, and most questions are about files of one.
struct Tree {
    std::vector<CatalogPlace> places;  ///< sorted
    std::vector<std::size_t> others;   ///< the layers that are no catalogs, the last one on top
};

struct FoundInLayer {
    Answer answer{};
    std::size_t layer = 0;
};

/// "extensions/name/" of a file in one, else nothing.
std::string extension_in(const std::string& normal) {
    return normal.substr(0, normal.size() - without_extension_folder(normal).size());
}

}  // namespace

struct GameFiles::State {
    Limits limits;
    Files files;  ///< what locations in memory are names of
    std::vector<fs::path> roots, real_roots;
    std::vector<PlacedLayer> layers;  ///< the last one is on top
    std::vector<Group> groups;
    std::set<std::string, std::less<>> extension_names;
    /// Folders are read, and indexes gathered, when they are first needed.
    mutable std::recursive_mutex mutex;
    mutable std::optional<IndexPaths> components, macros;
    mutable std::map<std::string, Tree, std::less<>> trees;  ///< by prefix
    mutable std::size_t indexed = 0;                         ///< how many layers are in the trees
    std::function<void(const std::string& path, std::span<const std::byte> bytes)> taken;
    mutable std::map<std::string, std::vector<std::string>> places_taken;  ///< names of those read under one path

    Result<Report> add(const fs::path& root);
    void add_game(const fs::path& folder, Report& report);
    void add_extension(const ExtensionFolder& extension, bool is_root, Report& report);
    void add_catalog(const fs::path& file, std::vector<std::string> prefixes, bool replaces_base, Report& report);
    void add_folder(const fs::path& folder, std::vector<std::string> prefixes);
    void add_extensions(std::map<std::string, MemoryFiles>&& by_prefix);

    [[nodiscard]] Answer find(std::string_view path) const;
    void index_layers() const;
    [[nodiscard]] Answer find_normal(const std::string& path) const;
    [[nodiscard]] FoundInLayer find_below(const std::string& prefix, std::string_view path) const;
    [[nodiscard]] std::optional<std::string> without_unknown_extension(const std::string& path) const;
    [[nodiscard]] Answer find_in_extensions(const std::string& path) const;
    [[nodiscard]] Answer find_in_group(std::size_t group, const std::string& path) const;
    [[nodiscard]] Answer find_replacement(const std::string& path) const;
    [[nodiscard]] Result<Bytes> read(const Location& location) const;
    void tell(const Location& location, std::span<const std::byte> bytes) const;
};

// --- roots ---

void GameFiles::State::add_catalog(const fs::path& file, std::vector<std::string> prefixes, bool replaces_base,
                                   Report& report) {
    auto opened = CatalogLayer::open(file, limits);
    if (!opened) {
        Diagnostic diagnostic = std::move(opened.error());
        diagnostic.file = file.string();
        return report.add(std::move(diagnostic));
    }
    report.append(std::move(opened->report));
    layers.push_back({nullptr, std::move(opened->value), {}, std::move(prefixes), groups.size() - 1, replaces_base});
}

void GameFiles::State::add_folder(const fs::path& folder, std::vector<std::string> prefixes) {
    layers.push_back(
        {std::make_unique<FolderLayer>(folder), nullptr, {}, std::move(prefixes), groups.size() - 1, false});
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): what a moved std::unique_ptr held is not lost

void GameFiles::State::add_game(const fs::path& folder, Report& report) {
    groups.push_back({false});
    for (const fs::path& file : catalogs_in(folder, "")) add_catalog(file, {""}, false, report);
    add_folder(folder, {""});
    const fs::path extensions = entry_named(folder, "extensions");
    if (extensions.empty()) return;
    std::error_code ignored;
    const fs::path real_root = fs::canonical(folder, ignored);
    std::vector<ExtensionFolder> inside;
    for (const fs::path& extension : folders_in(extensions)) {
        const fs::path real = fs::canonical(extension, ignored);
        if (std::mismatch(real_root.begin(), real_root.end(), real.begin(), real.end()).first == real_root.end()) {
            inside.push_back({extension, content_of(extension, limits)});
            continue;
        }
        report.add(file_problem(extension.string(), codes::path_outside.as(Severity::warning),
                                "this extension is a link that leads out of the game's folder; it is left "
                                "out. Name its folder as well to use it"));
    }
    for (const ExtensionFolder& extension : in_load_order(std::move(inside))) add_extension(extension, false, report);
}

void GameFiles::State::add_extension(const ExtensionFolder& extension, bool is_root, Report& report) {
    groups.push_back({true});
    const fs::path& folder = extension.folder;
    std::error_code ignored;
    const fs::path named = folder.filename().empty() || folder.filename() == "." || folder.filename() == ".."
                               ? fs::canonical(folder, ignored)
                               : folder;
    const std::string name = lower(named.filename().string());
    std::vector<std::string> prefixes;
    if (is_root) prefixes.emplace_back();
    for (const std::string& known : {name, extension.content.id}) {
        const std::string prefix = std::string(extensions_folder) + known + "/";
        if (known.empty() || std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end()) continue;
        prefixes.push_back(prefix);
        extension_names.insert(known);
    }
    for (const fs::path& file : catalogs_in(folder, "subst_")) add_catalog(file, {""}, true, report);
    for (const fs::path& file : catalogs_in(folder, "ext_")) add_catalog(file, prefixes, false, report);
    add_folder(folder, prefixes);
}

/// Those of files in memory; they are known by their folders only.
void GameFiles::State::add_extensions(std::map<std::string, MemoryFiles>&& by_prefix) {
    std::vector<LoadedExtension> extensions;
    std::vector<std::pair<std::string, MemoryFiles>> named;
    for (auto& [prefix, memory] : by_prefix) {
        const auto content = memory.find("content.xml");
        const auto bytes = content != memory.end() ? files.read(content->second.location.name) : Result<Bytes>(Bytes());
        const std::string name(extension_of(prefix));
        ExtensionContent said = bytes && !bytes->empty() ? read_extension_content(*bytes, limits) : ExtensionContent();
        extensions.push_back({{name, std::move(said.id)}, std::move(said.dependencies)});
        extension_names.insert(name);
        named.emplace_back(prefix, std::move(memory));
    }
    for (const std::size_t number : load_order(extensions)) {
        groups.push_back({true});
        layers.push_back(
            {nullptr, nullptr, std::move(named[number].second), {named[number].first}, groups.size() - 1, false});
    }
}

/// Takes layers that were added into the trees: whoever only lists files needs none.
void GameFiles::State::index_layers() const {
    std::map<Tree*, std::size_t> sorted;
    for (std::size_t number = indexed; number < layers.size(); ++number) {
        for (const std::string& prefix : layers[number].prefixes) {
            Tree& tree = trees[prefix];
            if (layers[number].catalog == nullptr) {
                tree.others.push_back(number);
                continue;
            }
            sorted.try_emplace(&tree, tree.places.size());
            for (const auto& [hash, entry] : layers[number].catalog->hashes())
                tree.places.push_back({hash, static_cast<std::uint32_t>(number), entry});
        }
    }
    for (const auto& [tree, size] : sorted) {
        const auto added = tree->places.begin() + static_cast<std::ptrdiff_t>(size);
        std::sort(added, tree->places.end());
        std::inplace_merge(tree->places.begin(), added, tree->places.end());
    }
    indexed = layers.size();
}

Result<Report> GameFiles::State::add(const fs::path& root) {
    std::error_code error;
    const fs::path real = fs::canonical(root, error);
    if (error) {
        Diagnostic diagnostic =
            file_problem(root.string(), codes::input_open, "the folder or catalog cannot be opened");
        diagnostic.found = error.message();
        return fail(std::move(diagnostic));
    }
    if (std::find(real_roots.begin(), real_roots.end(), real) != real_roots.end()) return Report();
    Report report;
    if (fs::is_regular_file(real, error)) {
        auto opened = CatalogLayer::open(root, limits);
        if (!opened) return fail(std::move(opened.error()));
        groups.push_back({false});
        report.append(std::move(opened->report));
        layers.push_back({nullptr, std::move(opened->value), {}, {""}, groups.size() - 1, false});
    } else if (!fs::is_directory(real, error)) {
        return fail(file_problem(root.string(), codes::input_open, "this is neither a folder nor a catalog"));
    } else if (is_extension(root)) {
        add_extension({root, content_of(root, limits)}, true, report);
    } else {
        add_game(root, report);
    }
    roots.push_back(root);
    real_roots.push_back(real);
    components.reset();
    macros.reset();
    return report;
}

// --- finding ---

FoundInLayer GameFiles::State::find_below(const std::string& prefix, std::string_view path) const {
    const auto known = trees.find(prefix);
    if (known == trees.end()) return {};
    const Tree& tree = known->second;
    FoundInLayer found;
    const std::uint64_t hash = hash_of_path(path);
    auto place = std::upper_bound(tree.places.begin(), tree.places.end(), CatalogPlace{hash, UINT32_MAX, UINT32_MAX});
    while (found.answer.presence == Presence::absent && place != tree.places.begin() && (--place)->hash == hash)
        found = {layers[place->layer].catalog->answer_if(place->entry, path), place->layer};
    for (auto number = tree.others.rbegin(); number != tree.others.rend(); ++number) {
        if (is_final(found.answer) && *number < found.layer) break;
        Answer answer = layers[*number].find(path);
        if (is_final(answer) || (answer.presence == Presence::outside && !is_final(found.answer)))
            found = {std::move(answer), *number};
    }
    return found;
}

Answer GameFiles::State::find_normal(const std::string& path) const {
    FoundInLayer found = find_below({}, path);
    if (const std::string prefix = extension_in(path); !prefix.empty()) {
        FoundInLayer own = find_below(prefix, std::string_view(path).substr(prefix.size()));
        const bool is_above = is_final(own.answer) ? !is_final(found.answer) || own.layer > found.layer
                                                   : found.answer.presence == Presence::absent;
        if (is_above) found = std::move(own);
    }
    if (found.answer.presence != Presence::absent) found.answer.listed.location.path = path;
    return std::move(found.answer);
}

std::optional<std::string> GameFiles::State::without_unknown_extension(const std::string& path) const {
    const std::string_view name = extension_of(path);
    if (name.empty() || extension_names.contains(name)) return std::nullopt;
    return std::string(without_extension_folder(path));
}

Answer GameFiles::State::find(std::string_view path) const {
    const auto normal = normal_path(path);
    if (!normal) return {Presence::outside, {}, 0, nullptr};
    const std::lock_guard lock(mutex);
    index_layers();
    Answer answer = find_normal(*normal);
    if (is_final(answer)) return answer;
    const auto shorter = without_unknown_extension(*normal);
    if (!shorter) return answer;
    Answer other = find_normal(*shorter);
    if (other.presence == Presence::absent) other = find_in_extensions(*shorter);
    return other.presence == Presence::absent ? answer : other;
}

/// In whichever extension has it, as folders of the Workshop are called by numbers and their paths are not.
Answer GameFiles::State::find_in_extensions(const std::string& path) const {
    FoundInLayer found;
    for (const auto& [prefix, tree] : trees) {
        FoundInLayer own = prefix.empty() ? FoundInLayer() : find_below(prefix, path);
        if (!is_final(own.answer) || (is_final(found.answer) && own.layer < found.layer)) continue;
        own.answer.listed.location.path = prefix + path;
        found = std::move(own);
    }
    return std::move(found.answer);
}

Answer GameFiles::State::find_in_group(std::size_t group, const std::string& path) const {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (layer->group != group || layer->replaces_base) continue;
        Answer answer = layer->find(layer->below(path));
        if (is_final(answer)) {
            answer.listed.path = layer->prefixes.front() + answer.listed.path;
            answer.listed.location.path = path;
            return answer;
        }
    }
    return {};
}

Answer GameFiles::State::find_replacement(const std::string& path) const {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (!layer->replaces_base) continue;
        Answer answer = layer->find(path);
        if (answer.presence == Presence::absent) continue;
        answer.listed.location.path = path;
        return answer;
    }
    return {};
}

Result<Bytes> GameFiles::State::read(const Location& location) const {
    if (location.in_memory) return files.read(location.name);
    if (!location.in_catalog) return read_plain(location.file, limits);
    catalog::Entry entry;
    entry.offset = location.offset;
    entry.size = location.size;
    bool is_known = false;
    for (const PlacedLayer& layer : layers) {
        if (layer.catalog == nullptr || layer.catalog->data() != location.file) continue;
        const catalog::Entry* known = layer.catalog->entry_at(location.offset, location.size);
        if (known == nullptr) continue;
        entry = *known;
        is_known = true;
    }
    return catalog::extract(location.file, entry, is_known, limits);
}

void GameFiles::State::tell(const Location& location, std::span<const std::byte> bytes) const {
    if (!taken || location.path.empty()) return;
    const std::lock_guard lock(mutex);
    std::vector<std::string>& places = places_taken[location.path];
    auto place = std::find(places.begin(), places.end(), location.name);
    if (place == places.end()) place = places.insert(place, location.name);
    const auto number = place - places.begin();
    taken(number == 0 ? location.path : "extensions/layer" + std::to_string(number) + "/" + location.path, bytes);
}

// --- the public face ---

GameFiles::GameFiles() : state_(std::make_unique<State>()) {}
GameFiles::GameFiles(GameFiles&&) noexcept = default;
GameFiles& GameFiles::operator=(GameFiles&&) noexcept = default;
GameFiles::~GameFiles() = default;

Result<Loaded<GameFiles>> GameFiles::open(const std::vector<fs::path>& roots, const Limits& limits) {
    Loaded<GameFiles> loaded;
    loaded.value.state_->limits = limits;
    for (const fs::path& root : roots) {
        auto added = loaded.value.add_root(root);
        if (!added) return fail(std::move(added.error()));
        loaded.report.append(std::move(*added));
    }
    return loaded;
}

Result<Report> GameFiles::add_root(const fs::path& root) {
    return without_exceptions([&] { return state_->add(root); });
}

Result<Report> GameFiles::add_files(const Files& files, const fs::path& root) {
    return without_exceptions([&]() -> Result<Report> {
        State& state = *state_;
        state.files = files;
        state.groups.push_back({false});
        PlacedLayer layer{nullptr, nullptr, {}, {""}, state.groups.size() - 1, false};
        const std::string start = root.empty() || root == "." ? "" : root.generic_string() + "/";
        std::map<std::string, MemoryFiles> extensions;
        for (const std::string& name : files.list ? files.list() : std::vector<std::string>()) {
            const auto normal =
                name.starts_with(start) ? normal_path(std::string_view(name).substr(start.size())) : std::nullopt;
            if (!normal) continue;
            const std::string extension = extension_in(*normal), below = normal->substr(extension.size());
            MemoryFiles& memory = extension.empty() ? layer.memory : extensions[extension];
            memory.try_emplace(below, Listed{below, {name, name, 0, 0, false, true, {}}});
        }
        state.layers.push_back(std::move(layer));
        state.add_extensions(std::move(extensions));
        state.roots.push_back(root);
        state.real_roots.push_back(root);
        state.components.reset();
        state.macros.reset();
        return Report();
    });
}

void GameFiles::on_read(std::function<void(const std::string& path, std::span<const std::byte> bytes)> taken) {
    state_->taken = std::move(taken);
}

std::optional<Location> GameFiles::find(std::string_view path) const {
    Answer answer = state_->find(path);
    return answer.presence == Presence::found ? std::optional(std::move(answer.listed.location)) : std::nullopt;
}

Result<Bytes> GameFiles::read(std::string_view path) const {
    const Answer answer = state_->find(path);
    if (answer.presence == Presence::found) return read(answer.listed.location);
    const std::string shown = shortened(path);
    if (answer.presence == Presence::outside)
        return fail(file_problem(shown, codes::path_outside,
                                 "this path leads out of the folders that were named, and is not followed"));
    if (answer.presence == Presence::deleted)
        return fail(file_problem(shown, codes::file_missing, "there was such a file, but a catalog deletes it"));
    return fail(file_problem(shown, codes::file_missing, "there is no such file in the folders and catalogs"));
}

Result<Bytes> GameFiles::read(const Location& location) const {
    return without_exceptions([&]() -> Result<Bytes> {
        auto bytes = state_->read(location);
        if (bytes) state_->tell(location, *bytes);
        return bytes;
    });
}

std::vector<Listed> GameFiles::list(std::string_view pattern) const {
    std::vector<Listed> files;
    visit_layers(pattern, [&](LayerEntry entry) {
        if (!entry.overridden && !entry.deletes) files.push_back(std::move(entry.listed));
    });
    return files;
}

void GameFiles::visit_layers(std::string_view pattern, const std::function<void(LayerEntry entry)>& visit) const {
    const std::lock_guard lock(state_->mutex);
    visit_matches(state_->layers, pattern, visit);
}

std::vector<LayerEntry> GameFiles::list_layers(std::string_view pattern) const {
    std::vector<LayerEntry> entries;
    visit_layers(pattern, [&](LayerEntry entry) { entries.push_back(std::move(entry)); });
    return entries;
}

std::vector<Listed> GameFiles::layers(std::string_view path) const {
    std::vector<Listed> files;
    const auto normal = normal_path(path);
    if (!normal) return files;
    const std::lock_guard lock(state_->mutex);
    Answer replacement = state_->find_replacement(*normal);
    for (std::size_t group = 0; group < state_->groups.size(); ++group) {
        Answer answer = state_->find_in_group(group, *normal);
        // The game's own file comes first, so a substitute takes the place of the first one only.
        if (!state_->groups[group].is_extension && replacement.presence != Presence::absent)
            answer = std::exchange(replacement, {});
        if (answer.presence == Presence::found) files.push_back(std::move(answer.listed));
    }
    return files;
}

std::vector<Location> layered_files(const GameFiles& files, std::string_view path) {
    std::vector<Location> found;
    const auto add = [&](Location location) {
        const auto is_same = [&](const Location& other) {
            return other.file == location.file && other.offset == location.offset && other.name == location.name;
        };
        if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(std::move(location));
    };
    std::vector<Listed> layers = files.layers(path);
    // An extension's own file lies below what others have for it, in whatever order their names are.
    if (!extension_of(normal_path(path).value_or("")).empty()) {
        std::stable_partition(layers.begin(), layers.end(), [](const Listed& layer) {
            return lower(layer.path).find("/extensions/") == std::string::npos;
        });
    }
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) add(std::move(layer->location));
    // Where a mod is unpacked under another name, only this finds its files.
    if (auto top = files.find(path)) add(std::move(*top));
    return found;
}

bool GameFiles::empty() const noexcept { return state_->layers.empty(); }

const std::vector<fs::path>& GameFiles::roots() const noexcept { return state_->roots; }

std::string find_component(const GameFiles& files, std::string_view name) {
    const GameFiles::State& state = *files.state_;
    const std::lock_guard lock(state.mutex);
    if (!state.components) state.components = read_paths(files, "index/components.xml", state.limits);
    return path_in(*state.components, name);
}

std::string find_macro(const GameFiles& files, std::string_view name) {
    const GameFiles::State& state = *files.state_;
    const std::lock_guard lock(state.mutex);
    if (!state.macros) state.macros = read_paths(files, "index/macros.xml", state.limits);
    return path_in(*state.macros, name);
}

}  // namespace effigy::egosoft
