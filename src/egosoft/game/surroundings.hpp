#pragma once
/// What the family keeps in Surroundings: the game, its mods and their library of materials.

#include <optional>
#include <string_view>

#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"
#include "effigy/registry.hpp"

#include "registry/rows.hpp"

namespace effigy::egosoft {

struct Game {
    const GameFiles* files = nullptr;
    const MaterialLibrary* materials = nullptr;  ///< null: names of materials are not looked up
};

/// Nothing is known where they were made by another family, or not at all.
[[nodiscard]] Game game_of(const Surroundings* surroundings) noexcept;
/// What `game` points to must outlive them.
[[nodiscard]] Surroundings surroundings_of(const Game& game);

/// A texture as materials name it: without extension, or with.
[[nodiscard]] std::optional<Location> find_texture(const GameFiles& files, std::string_view name);

/// FamilyRow::open_surroundings: the switches --game and --materials, and the roots that inputs lie in.
[[nodiscard]] Result<Loaded<Surroundings>> open_surroundings(const SurroundingsRequest& request);

}  // namespace effigy::egosoft
