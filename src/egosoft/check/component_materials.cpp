/// Rules about a component's materials: those of the XML, those of the meshes, the library, the textures.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"
#include "effigy/material_library.hpp"

#include "egosoft/check/part.hpp"
#include "egosoft/check/textures.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft::checks {

namespace {

bool is_full_name(const std::string& name) { return name.find('.') != std::string::npos; }

std::string collection_of(const std::string& name) { return lower(name.substr(0, name.find('.'))); }

std::vector<std::string> names_of(const Lod& lod) {
    std::vector<MaterialReference> ordered = lod.materials;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const MaterialReference& a, const MaterialReference& b) { return a.id < b.id; });
    std::vector<std::string> names;
    names.reserve(ordered.size());
    for (MaterialReference& reference : ordered) names.push_back(std::move(reference.name));
    return names;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

bool is_same(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const std::string& one, const std::string& other) { return lower(one) == lower(other); });
}

/// The names that the ranges of a mesh get: those of the XML in their order, where they are names of materials.
std::vector<std::string> names_in_use(std::vector<std::string> in_xml, const std::vector<std::string>& in_mesh) {
    for (std::size_t index = 0; index < in_mesh.size(); ++index) {
        if (index >= in_xml.size()) {
            in_xml.push_back(in_mesh[index]);
        } else if (!is_full_name(in_xml[index])) {
            in_xml[index] = in_mesh[index];
        }
    }
    std::erase_if(in_xml, [](const std::string& name) { return !is_full_name(name); });
    return in_xml;
}

class Materials {
public:
    explicit Materials(ComponentCheck& check) : check_(&check) {
        if (game_of(check.context.surroundings).materials == nullptr) return;
        for (const LibraryMaterial& material : game_of(check.context.surroundings).materials->materials())
            collections_.insert(lower(material.collection));
    }

    void look_at(const std::string& name, const Place& place) {
        const MaterialLibrary* library = game_of(check_->context.surroundings).materials;
        if (library == nullptr || !seen_.insert(lower(name)).second) return;
        if (const LibraryMaterial* material = library->find(name)) {
            textures_.look_at(*material, place);
        } else if (check_->scope.game || collections_.contains(collection_of(name))) {
            check_->findings.add(codes::material_unknown, place, name, "a material of the library");
        } else {
            unresolved_.push_back(name);
        }
    }

    void finish() {
        if (!unresolved_.empty())
            check_->findings.add(codes::material_unresolved.as(Severity::info), check_->place,
                                 listed(unresolved_, "material"));
        textures_.finish(check_->place);
    }

private:
    ComponentCheck* check_;
    std::set<std::string> collections_, seen_;
    std::vector<std::string> unresolved_;
    TextureRules textures_{check_->scope, check_->findings};
};

}  // namespace

void check_materials(ComponentCheck& check) {
    Materials materials(check);
    for (const PlacedPart& part : check.parts) {
        for (const Lod& lod : part.part->lods) {
            const Place place{part.place.path + " / lod[" + std::to_string(lod.index) + "]", lod.place, ""};
            std::vector<std::string> in_xml = names_of(lod);
            const MeshSummary* mesh = nullptr;
            if (check.geometry == Geometry::here && has_own_meshes(*part.part)) {
                mesh = check.meshes.find(check.mesh_path(part.part->name, "lod" + std::to_string(lod.index) + ".xmf"));
            }
            const std::vector<std::string> in_mesh = mesh != nullptr ? mesh->materials : std::vector<std::string>();
            if (!in_xml.empty() && !in_mesh.empty() && !is_same(in_xml, in_mesh))
                check.findings.add(codes::material_list_differs, place, joined(in_xml), joined(in_mesh));
            for (const std::string& name : names_in_use(std::move(in_xml), in_mesh)) materials.look_at(name, place);
        }
    }
    materials.finish();
}

}  // namespace effigy::egosoft::checks
