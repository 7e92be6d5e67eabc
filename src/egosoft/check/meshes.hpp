#pragma once
/// What the rules need to know of meshes; each file is read once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/options.hpp"
#include "effigy/xmf.hpp"

#include "egosoft/check/scope.hpp"

namespace effigy::egosoft::checks {

struct MeshSummary {
    std::string name;     ///< of its file
    std::string trouble;  ///< codes of what is wrong with the file itself, or empty
    bool is_read = false;
    bool collision = false;  ///< laid out as collision meshes are
    bool narrow_indices = false;
    std::uint64_t triangles = 0;
    std::optional<Box> bounds;
    std::vector<std::string> materials;  ///< of its ranges, in order
};

/// Of the positions, where they are finite.
[[nodiscard]] std::optional<Box> bounds_of(const xmf::File& file);

class MeshFiles {
public:
    MeshFiles(const Scope& scope, const Limits& limits) : scope_(&scope), limits_(limits) {}
    /// Null if there is no such file.
    [[nodiscard]] const MeshSummary* find(const std::string& path);

private:
    const Scope* scope_;
    Limits limits_;
    std::map<std::string, std::optional<MeshSummary>> known_;
};

}  // namespace effigy::egosoft::checks
