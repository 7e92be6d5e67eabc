#pragma once
/// Egosoft's games: where files that others name are found.

#include <string>
#include <vector>

#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"
#include "effigy/textures.hpp"

#include "common.hpp"

namespace effigy::app {

/// What the user says about it.
struct GameInput {
    std::vector<std::string> game, materials;

    void add(CLI::App& verb);  ///< --game, --materials
    [[nodiscard]] bool given() const noexcept { return !game.empty() || !materials.empty(); }
};

/// What speaks against the folders and libraries before anything is read; empty if nothing does.
[[nodiscard]] std::string game_problem(const GameInput& input);

struct Game {
    egosoft::GameFiles files;
    egosoft::MaterialLibrary materials;
    bool expected = false;  ///< the inputs' materials should be in the library
};

/// Opens the games and mods that the user named and, on top of them, those that the inputs of Egosoft's formats lie in.
[[nodiscard]] Result<Game> open_game(const GameInput& input, const std::vector<std::string>& inputs,
                                     const Limits& limits, Report& report);

/// Textures as materials name them: without extension. `files` must outlive it.
[[nodiscard]] TextureSource texture_source(const egosoft::GameFiles& files);

}  // namespace effigy::app
