#pragma once
/// Whether the textures that a library's materials name are there.

#include <set>
#include <string>

#include "effigy/material_library.hpp"

#include "egosoft/check/rules.hpp"
#include "egosoft/check/scope.hpp"

namespace effigy::egosoft::checks {

class TextureRules {
public:
    TextureRules(const Scope& scope, Findings& findings) : scope_(&scope), findings_(&findings) {}
    /// One finding for a material, whatever its textures.
    void look_at(const LibraryMaterial& material, const Place& place);
    /// Says how many textures may be the game's.
    void finish(const Place& place);

private:
    const Scope* scope_;
    Findings* findings_;
    std::set<std::string> unresolved_;
};

}  // namespace effigy::egosoft::checks
