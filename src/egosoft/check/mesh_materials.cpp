/// Rules about a mesh by itself and the library: a component may still give its ranges other materials.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "effigy/egosoft_codes.hpp"
#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"

#include "egosoft/check/check.hpp"
#include "egosoft/check/rules.hpp"
#include "egosoft/check/scope.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

namespace {

constexpr std::uint64_t name_in_record = 8;

std::uint64_t name_offset(const xmf::File& file, std::size_t material) {
    const xmf::Header& header = file.header;
    return header.size + file.buffers.size() * header.descriptor_size + material * header.material_size +
           name_in_record;
}

std::set<std::string> collections_of(const MaterialLibrary& library) {
    std::set<std::string> names;
    for (const LibraryMaterial& material : library.materials()) names.insert(lower(material.collection));
    return names;
}

}  // namespace

}  // namespace checks

Report check_mesh_materials(const xmf::File& file, const CheckContext& context) {
    Report report;
    if (game_of(context.surroundings).materials == nullptr || file.materials.empty() || context.path.empty())
        return report;
    Findings findings(report);
    const checks::Scope scope = checks::scope_of(game_of(context.surroundings).files, root_of(context.path));
    const std::set<std::string> collections = checks::collections_of(*game_of(context.surroundings).materials);
    std::vector<std::string> unresolved;
    for (std::size_t index = 0; index < file.materials.size(); ++index) {
        const std::string name(xmf::name_of(file.materials[index]));
        const std::size_t dot = name.find('.');
        if (dot == std::string::npos || game_of(context.surroundings).materials->find(name) != nullptr) continue;
        if (!scope.game && !collections.contains(lower(name.substr(0, dot)))) {
            unresolved.push_back(name);
            continue;
        }
        const Place place{"material[" + std::to_string(index) + "] / name", checks::name_offset(file, index), ""};
        findings.add(codes::material_unknown, place, name, "a material of the library");
    }
    if (!unresolved.empty())
        findings.add(codes::material_unresolved.as(Severity::info), {"materials", no_offset, ""},
                     checks::listed(unresolved, "material"));
    return report;
}

}  // namespace effigy::egosoft
