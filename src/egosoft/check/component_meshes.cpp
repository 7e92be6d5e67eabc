/// Rules about a component's meshes: their folder, levels of detail, collision, wrecks, sizes; and the files summed up.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"
#include "effigy/xmf.hpp"

#include "core/text.hpp"
#include "egosoft/check/check.hpp"
#include "egosoft/check/component.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft::checks {

namespace {

std::string lod_name(std::uint32_t index) { return "lod" + std::to_string(index) + ".xmf"; }

/// The folder of the checked file below the root, as a normal path.
std::string own_folder(const ComponentCheck& check) {
    if (check.context.path.empty()) return {};
    std::error_code error;
    const std::filesystem::path below = std::filesystem::relative(check.context.path, check.scope.root, error);
    return normal_path(below.parent_path().generic_string()).value_or("");
}

/// The meshes' folder is meant to lie beside the component, in the same mod.
bool is_beside(const ComponentCheck& check) {
    return folder_of(without_extension_folder(check.folder)) == own_folder(check);
}

/// A file of the folder, or nothing.
std::optional<Location> any_file(const ComponentCheck& check) {
    for (const PlacedPart& part : check.parts) {
        if (!has_own_meshes(*part.part)) continue;
        for (const Lod& lod : part.part->lods) {
            auto location = check.scope.find(check.mesh_path(part.part->name, lod_name(lod.index)));
            if (location) return location;
        }
    }
    std::vector<Listed> files = check.scope.files->list(check.folder + "/*");
    return files.empty() ? std::nullopt : std::optional<Location>(std::move(files.front().location));
}

/// A component and its folder that were copied without the folders above them.
std::optional<Location> any_file_beside(ComponentCheck& check) {
    const std::string own = own_folder(check);
    const std::string name = check.folder.substr(check.folder.rfind('/') + 1);
    std::string beside = own.empty() ? name : own + "/" + name;
    std::swap(beside, check.folder);
    std::optional<Location> file = any_file(check);
    if (!file) check.folder = std::move(beside);
    return file;
}

/// A folder that is called like a component of the mod's own index is meant to be the mod's.
bool is_own_by_name(const ComponentCheck& check) {
    const std::string name = lower(check.component.name), folder = check.folder.substr(check.folder.rfind('/') + 1);
    if (name.empty() || folder != name + "_data") return false;
    const std::string path = find_component(*check.scope.files, name);
    return !path.empty() && check.scope.owns(path);
}

Geometry where_is(const ComponentCheck& check, const std::optional<Location>& file) {
    if (file) return Geometry::here;
    if (check.scope.game || check.scope.owns(check.folder + "/") || is_beside(check) || is_own_by_name(check))
        return Geometry::missing;
    return Geometry::outside;
}

/// Compares the spelling in the XML with that on the disk, folder by folder from the end, as far as they are the same.
void check_spelling(const ComponentCheck& check, const Location& file) {
    if (file.in_catalog) return;
    const std::string wanted = with_slashes(check.component.geometry), real = file.file.parent_path().generic_string();
    std::string_view a = wanted, b = real;
    while (!a.empty() && a.back() == '/') a.remove_suffix(1);
    const auto last = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    while (!a.empty() && !b.empty() && lower(last(a)) == lower(last(b))) {
        if (last(a) != last(b))
            return check.findings.add(codes::geometry_case, check.place, std::string(last(a)), std::string(last(b)));
        a = folder_of(a);
        b = folder_of(b);
    }
}

/// The meshes of the levels of detail that the XML names, in the order of their numbers.
std::vector<const MeshSummary*> check_levels_are_there(ComponentCheck& check, const PlacedPart& part) {
    std::vector<const Lod*> lods;
    for (const Lod& lod : part.part->lods) lods.push_back(&lod);
    std::sort(lods.begin(), lods.end(), [](const Lod* a, const Lod* b) { return a->index < b->index; });
    std::vector<const MeshSummary*> found;
    for (const Lod* lod : lods) {
        const std::string path = check.mesh_path(part.part->name, lod_name(lod->index));
        const MeshSummary* mesh = check.meshes.find(path);
        const Place place{part.place.path + " / lod[" + std::to_string(lod->index) + "]", lod->place, ""};
        if (mesh == nullptr) {
            check.findings.add(codes::lod_missing, place, "nothing", path);
        } else if (!mesh->trouble.empty()) {
            check.findings.add(codes::mesh_damaged, place, mesh->trouble + " in " + mesh->name);
        } else {
            found.push_back(mesh);
        }
    }
    for (std::size_t index = 0; index < lods.size(); ++index) {
        if (lods[index]->index == index) continue;
        check.findings.add(codes::lod_gap, part.place, "level " + std::to_string(lods[index]->index),
                           "level " + std::to_string(index));
        break;
    }
    return found;
}

/// What is said once of a component, with the parts that it is true of.
struct Tallied {
    std::vector<std::string> equal, single, without_uv, without_color, without_levels;
    bool hull_without_color = false;
};

void check_order(ComponentCheck& check, const PlacedPart& part, const std::vector<const MeshSummary*>& levels,
                 Tallied& tallied) {
    for (std::size_t index = 1; index < levels.size(); ++index) {
        const std::uint64_t before = levels[index - 1]->triangles, here = levels[index]->triangles;
        if (here == before) tallied.equal.push_back(levels[index]->name);
        if (here <= before) continue;
        check.findings.add(codes::lod_order, part.place, std::to_string(here) + " triangles in " + levels[index]->name,
                           "fewer than " + std::to_string(before));
    }
}

void check_unnamed_levels(ComponentCheck& check, const PlacedPart& part) {
    constexpr std::uint32_t max_levels = 8;
    std::vector<std::string> unnamed;
    for (std::uint32_t index = 0; index < max_levels; ++index) {
        const auto is_it = [&](const Lod& lod) { return lod.index == index; };
        const std::vector<Lod>& lods = part.part->lods;
        if (std::any_of(lods.begin(), lods.end(), is_it)) continue;
        if (auto file = check.scope.find(check.mesh_path(part.part->name, lod_name(index))))
            unnamed.push_back(name_of(*file));
    }
    if (!unnamed.empty()) check.findings.add(codes::lod_unnamed, part.place, listed(unnamed, "file"));
}

bool has_baked_shapes(const ComponentCheck& check, const std::string& part) {
    return check.scope.find(check.mesh_path(part, "hull.jcs")) || check.scope.find(check.mesh_path(part, "mesh.jcs"));
}

void check_collision_mesh(ComponentCheck& check, const PlacedPart& part, const MeshSummary& mesh) {
    if (mesh.is_read && !mesh.collision) {
        check.findings.add(codes::collision_layout, part.place, mesh.name,
                           "positions as three floats, indices, no materials");
    } else if (!mesh.trouble.empty()) {
        check.findings.add(codes::mesh_damaged, part.place, mesh.trouble + " in " + mesh.name);
    }
}

void check_collision(ComponentCheck& check, const PlacedPart& part) {
    const std::string& name = part.part->name;
    const MeshSummary* mesh = check.meshes.find(check.mesh_path(name, "collision.xmf"));
    if (mesh != nullptr) {
        check_collision_mesh(check, part, *mesh);
    } else if (collides(check, part) && !has_baked_shapes(check, name)) {
        check.findings.add(codes::collision_missing, part.place, "nothing", check.mesh_path(name, "collision.xmf"));
    }
    const MeshSummary* second = check.meshes.find(check.mesh_path(name, "collision1.xmf"));
    if (second != nullptr) check_collision_mesh(check, part, *second);
}

void check_wreck(ComponentCheck& check, const PlacedPart& part) {
    const std::string& wreck = part.part->wreck;
    if (wreck.empty()) return;
    if (check.names.contains(lower(wreck))) return;
    const MeshSummary* mesh = check.meshes.find(check.mesh_path(wreck, "lod0.xmf"));
    if (mesh == nullptr) {
        return check.findings.add(codes::wreck_missing, part.place, "nothing", check.mesh_path(wreck, "lod0.xmf"));
    }
    if (!mesh->trouble.empty())
        check.findings.add(codes::mesh_damaged, part.place, mesh->trouble + " in " + mesh->name);
    const std::string collision = check.mesh_path(wreck, "collision.xmf");
    if (check.meshes.find(collision) == nullptr && !has_baked_shapes(check, wreck))
        check.findings.add(codes::wreck_collision_missing, part.place, "nothing", collision);
}

bool moves(const PlacedPart& part) {
    const Connection& connection = *part.connection;
    return has_tag(connection, "animation") || has_tag(connection, "fx") || !connection.animations.empty() ||
           part.part->name.starts_with("anim_") || part.part->name.starts_with("fx_");
}

std::string text_of(const Box& box) {
    const auto triple = [](const Vec3& v) {
        return rounded_text(v.x, 4) + " " + rounded_text(v.y, 4) + " " + rounded_text(v.z, 4);
    };
    return "center " + triple(box.center) + ", half size " + triple(box.half_size);
}

/// How far the size falls short of the mesh, and how far it goes beyond, at the worst of six sides.
struct Deviation {
    float small = 0, large = 0;
};

Deviation deviation_of(const Box& size, const Box& mesh) {
    Deviation worst;
    const auto axis = [&](float center, float half, float mesh_center, float mesh_half) {
        const float below = (mesh_center - mesh_half) - (center - half),
                    above = (center + half) - (mesh_center + mesh_half);
        worst.small = std::max({worst.small, -below, -above});
        worst.large = std::max({worst.large, below, above});
    };
    axis(size.center.x, size.half_size.x, mesh.center.x, mesh.half_size.x);
    axis(size.center.y, size.half_size.y, mesh.center.y, mesh.half_size.y);
    axis(size.center.z, size.half_size.z, mesh.center.z, mesh.half_size.z);
    return worst;
}

/// `size` of moving parts and effects holds all that they sweep; `size_raw` is then meant to be the mesh's own.
void check_size(ComponentCheck& check, const PlacedPart& part, const MeshSummary& mesh) {
    const bool is_swept = moves(part);
    const std::optional<Box>& size = is_swept ? part.part->size_raw : part.part->size;
    if (!size || !mesh.bounds) return;
    constexpr float fraction = 0.01F, rounding = 0.001F;
    const Vec3& half = mesh.bounds->half_size;
    const float tolerance = fraction * 2 * std::max({half.x, half.y, half.z}) + rounding;
    const Deviation deviation = deviation_of(*size, *mesh.bounds);
    const bool is_small = deviation.small > tolerance;
    if (!is_small && deviation.large <= tolerance) return;
    const Code code = is_swept ? codes::size_raw_differs : is_small ? codes::size_small : codes::size_large;
    check.findings.add(code, part.place, text_of(*size), text_of(*mesh.bounds));
}

bool is_ship(const ComponentCheck& check) { return check.component.class_name.starts_with("ship_"); }

/// Parts that matter less the smaller the letter of their tag have one level.
bool is_detail(const PlacedPart& part) {
    const std::vector<std::string>& tags = part.connection->tags;
    return std::any_of(tags.begin(), tags.end(), [](const std::string& tag) { return tag.starts_with("detail_"); });
}

void tally(const ComponentCheck& check, const PlacedPart& part, const MeshSummary& mesh, Tallied& tallied) {
    constexpr std::uint64_t many = 5'000;
    const std::string& name = part.part->name;
    const bool is_hull = is_ship(check) && !moves(part) && !is_detail(part);
    if (is_hull && part.part->lods.size() == 1 && mesh.triangles > many) tallied.single.push_back(name);
    if (!mesh.has_uv) tallied.without_uv.push_back(name);
    const bool is_window = std::any_of(mesh.materials.begin(), mesh.materials.end(), is_glass);
    if (mesh.has_color || is_window) return;
    tallied.without_color.push_back(name);
    tallied.hull_without_color = tallied.hull_without_color || !moves(part);
}

/// Triggers and what is there for collision only are not seen.
bool is_seen(const PlacedPart& part) {
    static constexpr std::string_view unseen[] = {"collision", "collisiononly", "triggerpart", "lookatanim"};
    return std::none_of(std::begin(unseen), std::end(unseen),
                        [&](std::string_view tag) { return has_tag(*part.connection, tag); });
}

void check_has_levels(ComponentCheck& check, const PlacedPart& part, Tallied& tallied) {
    if (!part.part->lods.empty() || !part.part->reference.empty() || !is_seen(part)) return;
    const auto file = check.scope.find(check.mesh_path(part.part->name, lod_name(0)));
    if (!file) return tallied.without_levels.push_back(part.part->name);
    check.findings.add(codes::part_levels_missing.as(Severity::warning), part.place,
                       name_of(*file) + " without <lod index=\"0\">");
}

/// Parts without <lods> may have meshes all the same, which conversions show.
bool has_unlisted_meshes(const ComponentCheck& check) {
    return std::any_of(check.parts.begin(), check.parts.end(), [&](const PlacedPart& part) {
        return part.part->lods.empty() && part.part->reference.empty() &&
               check.scope.find(check.mesh_path(part.part->name, lod_name(0)));
    });
}

}  // namespace

void check_geometry(ComponentCheck& check) {
    const auto has_meshes = [](const PlacedPart& part) { return has_own_meshes(*part.part); };
    const auto count = std::count_if(check.parts.begin(), check.parts.end(), has_meshes);
    if (check.scope.files == nullptr) return;
    const std::string& spelled = check.component.geometry;
    const auto normal = normal_path(spelled);
    if (!normal) return check.findings.add(codes::path_outside, check.place, spelled, path_wanted);
    check.folder = *normal;
    while (check.folder.ends_with('/')) check.folder.pop_back();
    if (check.folder.empty()) {
        if (count != 0) check.findings.add(codes::geometry_missing, check.place, spelled, "a folder below the game's");
        return;
    }
    if (is_beside(check)) check.scope.names.emplace(extension_of(check.folder));
    if (count == 0 && !has_unlisted_meshes(check)) return;
    std::optional<Location> file = any_file(check);
    const bool is_elsewhere = !file.has_value();
    if (is_elsewhere) file = any_file_beside(check);
    // A component and its meshes may be copied somewhere, but in a mod the path counts.
    if (is_elsewhere && file && check.scope.is_mod)
        check.findings.add(codes::geometry_missing, check.place, spelled, "the path to " + check.folder);
    check.geometry = where_is(check, file);
    if (file) check_spelling(check, *file);
    if (check.geometry == Geometry::missing)
        check.findings.add(codes::geometry_missing, check.place, "nothing", check.folder);
    if (check.geometry == Geometry::outside)
        check.findings.add(codes::geometry_unresolved, check.place, check.folder, "");
}

void check_meshes(ComponentCheck& check) {
    if (check.geometry != Geometry::here) return;
    Tallied tallied;
    for (const PlacedPart& part : check.parts) {
        check_has_levels(check, part, tallied);
        if (!has_own_meshes(*part.part)) continue;
        const std::vector<const MeshSummary*> levels = check_levels_are_there(check, part);
        check_order(check, part, levels, tallied);
        check_unnamed_levels(check, part);
        check_collision(check, part);
        check_wreck(check, part);
        const MeshSummary* first = check.meshes.find(check.mesh_path(part.part->name, "lod0.xmf"));
        if (first == nullptr || !first->trouble.empty()) continue;
        check_size(check, part, *first);
        tally(check, part, *first, tallied);
    }
    const auto say = [&](const Code& code, const std::vector<std::string>& names, std::string_view noun) {
        if (!names.empty()) check.findings.add(code, check.place, listed(names, noun));
    };
    say(codes::lod_equal, tallied.equal, "level");
    say(codes::part_level_single, tallied.single, "part");
    if (!check.is_indexed) return;
    say(codes::part_levels_missing, tallied.without_levels, "part");
    say(codes::mesh_uv_missing, tallied.without_uv, "part");
    say(tallied.hull_without_color ? codes::mesh_color_missing : codes::mesh_color_missing.as(Severity::info),
        tallied.without_color, "part");
}

namespace {

/// The codes of severity error, each once.
void add_codes(const Report& report, std::set<std::string>& codes) {
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity == Severity::error) codes.insert(finding.code);
    }
}

/// Positions that no declaration describes.
bool is_for_collision(const xmf::File& file) {
    const auto is_plain = [](const xmf::Buffer& buffer) {
        return xmf::is_index_buffer(buffer) || (buffer.kind == 0 && buffer.element_count == 0 &&
                                                buffer.format == static_cast<std::uint32_t>(xmf::ElementType::float3));
    };
    return xmf::is_collision_mesh(file) && std::all_of(file.buffers.begin(), file.buffers.end(), is_plain);
}

void summarize(const xmf::File& file, MeshSummary& summary) {
    for (const xmf::Buffer& buffer : file.buffers) {
        if (!xmf::is_index_buffer(buffer)) continue;
        summary.triangles += xmf::item_count(buffer) / 3;
    }
    const auto has = [&](xmf::Usage usage) {
        return std::any_of(file.buffers.begin(), file.buffers.end(), [&](const xmf::Buffer& buffer) {
            const std::vector<xmf::PlacedElement> elements = xmf::declaration(buffer);
            return std::any_of(elements.begin(), elements.end(),
                               [&](const xmf::PlacedElement& placed) { return placed.element.usage == usage; });
        });
    };
    summary.has_uv = has(xmf::Usage::texcoord);
    summary.has_color = has(xmf::Usage::color);
    for (const xmf::Material& material : file.materials) summary.materials.emplace_back(xmf::name_of(material));
    summary.collision = is_for_collision(file);
    summary.bounds = box_of(file);
}

MeshSummary read_summary(const GameFiles& files, const Location& location, const Limits& limits) {
    MeshSummary summary;
    summary.name = name_of(location);
    const Result<Bytes> bytes = files.read(location);
    if (!bytes) {
        summary.trouble = bytes.error().code;
        return summary;
    }
    const auto loaded = xmf::read(*bytes, {limits});
    if (!loaded) {
        summary.trouble = loaded.error().code;
        return summary;
    }
    std::set<std::string> codes;
    add_codes(loaded->report, codes);
    add_codes(xmf::check(loaded->value), codes);
    summary.trouble = joined(codes);
    summary.is_read = true;
    summarize(loaded->value, summary);
    return summary;
}

}  // namespace

const MeshSummary* MeshFiles::find(const std::string& path) {
    const auto [entry, is_new] = known_.try_emplace(path);
    if (is_new) {
        if (auto location = scope_->find(path)) entry->second = read_summary(*scope_->files, *location, limits_);
    }
    return entry->second ? &*entry->second : nullptr;
}

}  // namespace effigy::egosoft::checks
