/// The game and its mods as what a conversion may look things up in: files, textures, the library of materials.

#include "egosoft/game/surroundings.hpp"

#include <array>
#include <memory>
#include <utility>

#include "effigy/program_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {
namespace {

struct World : Game {
    GameFiles own_files;
    MaterialLibrary own_materials;
    bool expected = false;  ///< the materials of scenes should be in the library
};

bool is_change(const Bytes& bytes, const Limits& limits) {
    const auto reader = XmlReader::open(bytes, {limits});
    return reader && reader->name(reader->root()) == "diff";
}

/// A mod's changes to a component have the component's path: what they are for is looked for below them.
std::optional<Location> find_file(const GameFiles& files, std::string_view name) {
    auto top = files.find(name);
    if (!lower(name).ends_with(".xml")) return top;
    const std::vector<Location> layers = layered_files(files, name);
    if (layers.size() < 2) return top;
    for (const Location& layer : layers) {
        Location unnamed = layer;
        unnamed.path.clear();  // looking at it is not taking it
        const auto bytes = files.read(unnamed);
        if (!bytes || xml_kind(*bytes) != XmlKind::component) return top;
        if (!is_change(*bytes, {})) return layer;
    }
    return top;
}

template <class Find>
TextureSource source_of(const std::shared_ptr<const World>& world, Find find) {
    return [world, find](std::string_view name) -> Result<FoundTexture> {
        const std::optional<Location> place = find(*world->files, name);
        if (!place) return fail(problem_at({}, codes::file_missing, "no game or mod has this file", std::string(name)));
        auto bytes = world->files->read(*place);
        if (!bytes) return fail(std::move(bytes.error()));
        return FoundTexture{std::move(*bytes), place->name, place->in_memory ? std::filesystem::path() : place->file};
    };
}

std::vector<ArchivedFile> archived_in(const GameFiles& files) {
    std::vector<ArchivedFile> archived;
    files.visit_layers("**", [&](LayerEntry entry) {
        if (!entry.catalog.empty() && !entry.deletes && !entry.overridden)
            archived.push_back({std::move(entry.listed.path), entry.listed.location.size, entry.time,
                                entry.md5 ? "md5:" + catalog::to_hex(*entry.md5) : std::string()});
    });
    return archived;
}

Surroundings surroundings_of(const std::shared_ptr<const World>& world) {
    Surroundings surroundings{"egosoft", world};
    if (world->files != nullptr && !world->files->empty()) {
        surroundings.file = source_of(world, find_file);
        surroundings.texture = source_of(world, find_texture);
        surroundings.archived = [world] { return archived_in(*world->files); };
    }
    surroundings.finish = [world](Scene& scene) {
        return resolve_materials(scene, world->own_materials, world->expected);
    };
    return surroundings;
}

Diagnostic wrong_path(const char* option, const char* wanted, const std::filesystem::path& path) {
    return problem_at(std::string("options / ") + option, codes::usage_option,
                      std::string("--") + option + " wants " + wanted + " called " + path.string(), path.string());
}

Result<void> check_paths(const std::vector<std::filesystem::path>& games,
                         const std::vector<std::filesystem::path>& libraries) {
    std::error_code error;
    for (const std::filesystem::path& path : games) {
        if (!std::filesystem::exists(path, error))
            return fail(wrong_path("game", "a folder or a .cat; there is none", path));
    }
    for (const std::filesystem::path& path : libraries) {
        if (!std::filesystem::is_regular_file(path, error))
            return fail(wrong_path("materials", "a material_library.xml; there is no file", path));
    }
    return {};
}

/// Games, and over them the roots.
Result<Loaded<GameFiles>> open_files(const std::vector<std::filesystem::path>& games,
                                     const std::vector<std::filesystem::path>& roots, const Files* memory,
                                     const Limits& limits) {
    auto opened = GameFiles::open(games, limits);
    if (!opened) return opened;
    for (const std::filesystem::path& root : roots) {
        auto added = memory != nullptr ? opened->value.add_files(*memory, root) : opened->value.add_root(root);
        if (!added) return fail(std::move(added.error()));
        opened->report.append(std::move(*added));
    }
    return opened;
}

/// Libraries that were named count last: as those of extensions do.
void take_libraries(const std::vector<std::filesystem::path>& libraries, const SurroundingsRequest& request) {
    std::size_t number = 0;
    for (const std::filesystem::path& path : libraries) {
        if (const auto bytes = read_plain(path, request.limits))
            request.taken("extensions/named" + std::to_string(number++) + "/libraries/material_library.xml", *bytes);
    }
}

}  // namespace

std::optional<Location> find_texture(const GameFiles& files, std::string_view name) {
    constexpr std::array<std::string_view, 6> extensions{".gz", ".dds", ".png", ".tga", ".jpg", ""};
    for (const std::string_view extension : extensions) {
        if (auto found = files.find(std::string(name) + std::string(extension))) return found;
    }
    return std::nullopt;
}

Game game_of(const Surroundings* surroundings) noexcept {
    if (surroundings == nullptr || surroundings->family != "egosoft" || surroundings->world == nullptr) return {};
    const Game& game = *static_cast<const World*>(surroundings->world.get());
    return game;
}

Surroundings surroundings_of(const Game& game) {
    auto world = std::make_shared<World>();
    static_cast<Game&>(*world) = game;
    return surroundings_of(std::shared_ptr<const World>(std::move(world)));
}

Result<Loaded<Surroundings>> open_surroundings(const SurroundingsRequest& request) {
    const std::vector<std::string> game = request.options.list("game"), more = request.options.list("materials");
    const std::vector<std::filesystem::path> games(game.begin(), game.end()), libraries(more.begin(), more.end());
    if (auto checked = check_paths(games, libraries); !checked) return fail(std::move(checked.error()));
    auto world = std::make_shared<World>();
    const Files* const memory = request.files != nullptr && request.files->read ? request.files : nullptr;
    auto opened = open_files(games, request.roots, memory, request.limits);
    if (!opened) return fail(std::move(opened.error()));
    world->own_files = std::move(opened->value);
    Report report = std::move(opened->report);
    if (request.taken) world->own_files.on_read(request.taken);
    world->expected = !games.empty() || !libraries.empty() || !request.roots.empty();
    if (world->expected) {
        auto materials = load_material_library(world->own_files, libraries, request.limits);
        if (!materials) return fail(std::move(materials.error()));
        world->own_materials = std::move(materials->value);
        report.append(std::move(materials->report));
        if (request.taken) take_libraries(libraries, request);
    }
    world->files = &world->own_files;
    if (!world->own_materials.empty()) world->materials = &world->own_materials;
    Surroundings surroundings = surroundings_of(std::shared_ptr<const World>(std::move(world)));
    if (!games.empty() && !request.roots.empty() && memory == nullptr) {
        // A game around the roots is no part of them, and what they have is called as in themselves.
        surroundings.archived = [roots = request.roots, limits = request.limits] {
            const auto own = open_files({}, roots, nullptr, limits);
            return own ? archived_in(own->value) : std::vector<ArchivedFile>();
        };
    }
    return Loaded<Surroundings>{std::move(surroundings), std::move(report)};
}

}  // namespace effigy::egosoft
