#pragma once
/// EMFXActorType: the grammar of `interface/*.gfx`, the text files of Paradox's games that name a model's motions.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "registry/rows.hpp"

namespace effigy::emfx {

/// A member of an entry: where its value stands in the text.
struct DefinitionMember {
    std::string key;  ///< in lower case
    std::size_t begin = 0, end = 0;
    std::vector<DefinitionMember> members{};  ///< of a block
    std::size_t key_begin = 0;
};

[[nodiscard]] const DefinitionMember* find_member(const std::vector<DefinitionMember>& members, std::string_view key);

struct DefinitionEntry {
    std::size_t begin = 0, end = 0;  ///< from "EMFXActorType" to behind its brace
    std::vector<DefinitionMember> members;

    [[nodiscard]] const DefinitionMember* find(std::string_view key) const { return find_member(members, key); }
    /// The block `animation = { name = "<state>" ... }`, or null.
    [[nodiscard]] const DefinitionMember* find_animation(std::string_view text, std::string_view state) const;
};

/// Nothing in the text is trusted: what is no entry is passed over.
[[nodiscard]] std::vector<DefinitionEntry> definition_entries(std::string_view text);

/// Which motions each entry names: FamilyRow::declarations.
[[nodiscard]] std::vector<DeclaredMotions> declared_motions(std::string_view text);

/// The value as it stands; empty for null.
[[nodiscard]] std::string_view value_of(std::string_view text, const DefinitionMember* member);
/// "gfx/anims/soldier.xac" of "\"gfx\\anims\\Soldier.xac\"", also with slashes doubled, or "/" or "./" before it.
[[nodiscard]] std::string path_of(std::string_view value);
/// "soldier.xac" of it.
[[nodiscard]] std::string file_of(std::string_view value);

}  // namespace effigy::emfx
