/// Rules about materials and their textures: of components, whose XML may replace those of the meshes, and of meshes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/check/component.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/game/layers.hpp"
#include "egosoft/game/surroundings.hpp"

namespace effigy::egosoft {

namespace checks {

MaterialNames::MaterialNames(const CheckContext& context) : library(game_of(context.surroundings).materials) {
    if (library == nullptr) return;
    for (const LibraryMaterial& material : library->materials()) collections.insert(lower(material.collection));
}

bool MaterialNames::must_have(std::string_view name, const Scope& scope) const {
    const std::string collection = lower(name.substr(0, name.find('.')));
    return scope.game || collections.contains(collection) || scope.names.contains(collection);
}

namespace {

bool is_picture(const Location& location) {
    const std::string name = lower(location.name);
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    return ends(".png") || ends(".tga") || ends(".jpg") || ends(".jpeg");
}

/// The games put .gz and .dds behind what a material says.
bool has_ending(std::string_view texture) {
    const std::string name = lower(texture);
    return name.ends_with(".gz") || name.ends_with(".dds");
}

std::string texture_folder(std::string_view texture) {
    return std::string(folder_of(normal_path(texture).value_or("")));
}

}  // namespace

void TextureRules::look_at(const LibraryMaterial& material, const Place& place) {
    if (scope_->files == nullptr) return;
    Lack lack{material.collection + "." + material.name, {}, place};
    for (const MaterialProperty& property : material.properties) {
        if (lower(property.type) != "bitmap" || property.value.empty()) continue;
        if (!normal_path(property.value)) {
            outside_.insert(property.value);
        } else if (const auto found = find_texture(*scope_->files, property.value)) {
            folders_.insert(texture_folder(property.value));
            if (is_picture(*found)) pictures_.insert(property.value);
            if (has_ending(property.value)) endings_.insert(property.value);
        } else if (scope_->game || scope_->owns(property.value)) {
            lack.textures.push_back(property.value);
        } else {
            unresolved_.insert(property.value);
        }
    }
    if (!lack.textures.empty()) lacks_.push_back(std::move(lack));
}

void TextureRules::say_folders(const Place& place) {
    struct Wanted {
        std::set<std::string> textures;
        std::set<std::string> materials;
    };
    std::map<std::string, Wanted> wanted;
    for (const Lack& lack : lacks_) {
        for (const std::string& texture : lack.textures) {
            Wanted& folder = wanted[texture_folder(texture)];
            folder.textures.insert(lower(texture));
            folder.materials.insert(lack.material);
        }
    }
    std::erase_if(wanted,
                  [&](const auto& one) { return folders_.contains(one.first) || one.second.materials.size() < 2; });
    for (const auto& [folder, all] : wanted) {
        findings_->add(codes::material_texture_missing, place,
                       "none of " + count_text(all.textures.size(), "textures") + " of " +
                           listed({all.materials.begin(), all.materials.end()}, "material"),
                       folder);
    }
    for (Lack& lack : lacks_)
        std::erase_if(lack.textures,
                      [&](const std::string& texture) { return wanted.contains(texture_folder(texture)); });
}

void TextureRules::finish_library(const Place& place) {
    say_folders(place);
    for (const Lack& lack : lacks_) {
        if (!lack.textures.empty())
            findings_->add(codes::material_texture_missing, lack.place,
                           lack.material + " lacks " + listed(lack.textures, "texture"));
    }
    finish(place);
}

void TextureRules::finish_component(const Place& place) {
    std::set<std::string> materials, textures;
    for (const Lack& lack : lacks_) {
        materials.insert(lack.material);
        textures.insert(lack.textures.begin(), lack.textures.end());
    }
    if (!lacks_.empty()) {
        findings_->add(codes::material_texture_missing, place,
                       (materials.size() == 1 ? *materials.begin() + " lacks "
                                              : count_text(materials.size(), "materials") + " lack ") +
                           listed({textures.begin(), textures.end()}, "texture"));
    }
    finish(place);
}

void TextureRules::finish(const Place& place) {
    if (!outside_.empty())
        findings_->add(codes::path_outside, place, listed({outside_.begin(), outside_.end()}, "texture"), path_wanted);
    if (!pictures_.empty()) {
        findings_->add(codes::material_texture_form, place, listed({pictures_.begin(), pictures_.end()}, "picture"),
                       ".gz files, each a gzipped DDS");
    }
    if (!endings_.empty())
        findings_->add(codes::material_texture_ending, place, listed({endings_.begin(), endings_.end()}, "texture"));
    if (!unresolved_.empty())
        findings_->add(codes::material_texture_unresolved, place,
                       listed({unresolved_.begin(), unresolved_.end()}, "texture"));
}

namespace {

void note_unresolved(Findings& findings, Place place, const std::vector<std::string>& names) {
    if (!names.empty())
        findings.add(codes::material_unresolved.as(Severity::info), std::move(place), listed(names, "material"));
}

bool is_full_name(const std::string& name) { return name.find('.') != std::string::npos; }

std::vector<std::string> names_of(const Lod& lod) {
    std::vector<MaterialReference> ordered = lod.materials;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const MaterialReference& a, const MaterialReference& b) { return a.id < b.id; });
    std::vector<std::string> names;
    names.reserve(ordered.size());
    for (MaterialReference& reference : ordered) names.push_back(std::move(reference.name));
    return names;
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

constexpr std::uint64_t name_in_record = 8;

std::uint64_t name_offset(const xmf::File& file, std::size_t material) {
    const xmf::Header& header = file.header;
    return header.size + file.buffers.size() * header.descriptor_size + material * header.material_size +
           name_in_record;
}

class Materials {
public:
    explicit Materials(ComponentCheck& check) : check_(&check) {}

    void look_at(const std::string& name, const Place& place) {
        if (check_->scope.files == nullptr || (names_.library == nullptr && !check_->scope.is_mod)) return;
        if (!seen_.insert(lower(name)).second) return;
        const LibraryMaterial* material = names_.library == nullptr ? nullptr : names_.library->find(name);
        if (material != nullptr) {
            textures_.look_at(*material, place);
        } else if (names_.must_have(name, check_->scope)) {
            check_->findings.add(codes::material_unknown, place, name, "a material of the library");
        } else {
            unresolved_.push_back(name);
        }
    }

    void finish() {
        note_unresolved(check_->findings, check_->place, unresolved_);
        textures_.finish_component(check_->place);
    }

private:
    ComponentCheck* check_;
    MaterialNames names_{check_->context};
    std::set<std::string> seen_;
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

}  // namespace checks

Report check_mesh_materials(const xmf::File& file, const CheckContext& context) {
    Report report;
    const checks::MaterialNames names(context);
    if (names.library == nullptr || file.materials.empty() || context.path.empty()) return report;
    Findings findings(report);
    const checks::Scope scope = checks::scope_of(game_of(context.surroundings).files, root_of(context.path));
    std::vector<std::string> unresolved;
    for (std::size_t index = 0; index < file.materials.size(); ++index) {
        const std::string name(xmf::name_of(file.materials[index]));
        if (!checks::is_full_name(name) || names.library->find(name) != nullptr) continue;
        if (!names.must_have(name, scope)) {
            unresolved.push_back(name);
            continue;
        }
        const Place place{"material[" + std::to_string(index) + "] / name", checks::name_offset(file, index), ""};
        findings.add(codes::material_unknown, place, name, "a material of the library");
    }
    checks::note_unresolved(findings, {"materials", no_offset, ""}, unresolved);
    return report;
}

Report XmfFormat::check(const xmf::File& file, const CheckContext& context) {
    Report report = check_mesh(file, names_collision(context.path));
    report.append(check_mesh_materials(file, context));
    return report;
}

}  // namespace effigy::egosoft
