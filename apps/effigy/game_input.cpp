#include "game_input.hpp"

#include <algorithm>
#include <array>

namespace effigy::app {

namespace {

bool is_egosoft(const std::string& path) {
    const FormatInfo* format = format_of_file(path);
    return format != nullptr && format->family == "egosoft";
}

Result<void> add_roots(Game& game, const std::vector<std::string>& inputs, Report& report) {
    for (const std::string& path : inputs) {
        std::error_code error;
        if (!std::filesystem::exists(path, error) || !is_egosoft(path)) continue;
        game.expected = true;
        auto added = game.files.add_root(egosoft::root_of(path));
        if (!added) return fail(std::move(added.error()));
        report.append(std::move(*added));
    }
    return {};
}

std::optional<egosoft::Location> find_texture(const egosoft::GameFiles& files, std::string_view name) {
    constexpr std::array<std::string_view, 6> extensions{".gz", ".dds", ".png", ".tga", ".jpg", ""};
    for (const std::string_view extension : extensions) {
        if (auto found = files.find(std::string(name) + std::string(extension))) return found;
    }
    return std::nullopt;
}

}  // namespace

void GameInput::add(CLI::App& verb) {
    verb.add_option("--game", game,
                    "Egosoft: folder of the game or of a mod, or a .cat, to find parts, materials and textures in; may "
                    "be repeated")
        ->allow_extra_args(false)
        ->option_text("DIR");
    verb.add_option("--materials", materials,
                    "Egosoft: material library to use besides those of the games and mods; may be repeated")
        ->allow_extra_args(false)
        ->option_text("FILE");
}

std::string game_problem(const GameInput& input) {
    std::error_code error;
    for (const std::string& path : input.game) {
        if (!std::filesystem::exists(path, error))
            return "--game wants a folder or a .cat; there is none called " + path;
    }
    for (const std::string& path : input.materials) {
        if (!std::filesystem::is_regular_file(path, error))
            return "--materials wants a material_library.xml; there is no file called " + path;
    }
    return {};
}

Result<Game> open_game(const GameInput& input, const std::vector<std::string>& inputs, const Limits& limits,
                       Report& report) {
    Game game;
    game.expected = input.given();
    auto files = egosoft::GameFiles::open({input.game.begin(), input.game.end()}, limits);
    if (!files) return fail(std::move(files.error()));
    game.files = std::move(files->value);
    report.append(std::move(files->report));
    if (auto added = add_roots(game, inputs, report); !added) return fail(std::move(added.error()));
    if (!game.expected) return game;
    auto materials =
        egosoft::load_material_library(game.files, {input.materials.begin(), input.materials.end()}, limits);
    if (!materials) return fail(std::move(materials.error()));
    game.materials = std::move(materials->value);
    report.append(std::move(materials->report));
    return game;
}

TextureSource texture_source(const egosoft::GameFiles& files) {
    if (files.empty()) return {};
    return [&files](std::string_view name) -> Result<FoundTexture> {
        const std::optional<egosoft::Location> place = find_texture(files, name);
        if (!place) return fail(make_error("file-missing", std::string(name), "no game or mod has this texture"));
        auto bytes = files.read(*place);
        if (!bytes) return fail(std::move(bytes.error()));
        return FoundTexture{std::move(*bytes), place->name};
    };
}

}  // namespace effigy::app
