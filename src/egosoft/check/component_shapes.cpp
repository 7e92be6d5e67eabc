/// Rules about baked collision shapes (.jcs), which only the game's own tool can make.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/component.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kinds[] = {"hull.jcs", "mesh.jcs"};

/// Checking out or unpacking writes files in any order.
constexpr std::chrono::minutes tolerance{1};

bool is_older(const Location& shape, const Location& mesh) {
    if (shape.in_catalog || mesh.in_catalog) return false;
    std::error_code error;
    const fs::file_time_type made = fs::last_write_time(shape.file, error);
    if (error) return false;
    const fs::file_time_type changed = fs::last_write_time(mesh.file, error);
    return !error && made + tolerance < changed;
}

/// "part_main" of "part_main-hull.jcs", or nothing.
std::string shape_owner(const std::string& name) {
    for (const std::string_view kind : kinds) {
        if (name.size() > kind.size() + 1 && name.ends_with(kind) && name[name.size() - kind.size() - 1] == '-')
            return name.substr(0, name.size() - kind.size() - 1);
    }
    return {};
}

/// Names of the files in a folder, in lower case and order.
std::set<std::string> names_in(const fs::path& folder) {
    constexpr std::size_t max_names = 100'000;
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && names.size() < max_names;
         entry.increment(error))
        names.insert(lower(entry->path().filename().string()));
    return names;
}

void check_orphans(ComponentCheck& check, const fs::path& folder) {
    std::set<std::string> owners;
    for (const PlacedPart& part : check.parts) {
        if (!has_own_meshes(*part.part)) continue;
        owners.insert(lower(part.part->name));
        owners.insert(lower(part.part->wreck));
    }
    const std::set<std::string> names = names_in(folder);
    std::vector<std::string> orphans;
    for (const std::string& name : names) {
        const std::string owner = shape_owner(name);
        const bool has_mesh = names.contains(owner + "-lod0.xmf") || names.contains(owner + "-collision.xmf");
        if (!owner.empty() && !owners.contains(owner) && !has_mesh) orphans.push_back(name);
    }
    if (!orphans.empty()) check.findings.add(codes::jcs_orphan, check.place, listed(orphans, "file"));
}

}  // namespace

void check_shapes(ComponentCheck& check) {
    if (check.geometry != Geometry::here) return;
    std::vector<std::string> shapes, older, alone;
    std::size_t unneeded = 0;
    std::set<std::string> seen;
    std::optional<fs::path> folder;
    for (const PlacedPart& part : check.parts) {
        if (!has_own_meshes(*part.part) || !seen.insert(lower(part.part->name)).second) continue;
        const auto lod = check.scope.find(check.mesh_path(part.part->name, "lod0.xmf"));
        const auto collision = check.scope.find(check.mesh_path(part.part->name, "collision.xmf"));
        if (lod && !lod->in_catalog) folder = lod->file.parent_path();
        const std::size_t before = shapes.size();
        for (const std::string_view kind : kinds) {
            const auto shape = check.scope.find(check.mesh_path(part.part->name, kind));
            if (!shape) continue;
            const std::string name = part.part->name + "-" + std::string(kind);
            shapes.push_back(name);
            if (collision && is_older(*shape, *collision)) older.push_back(name);
            if (has_tag(*part.connection, "nocollision")) ++unneeded;
        }
        if (shapes.size() == before + 1) alone.push_back(shapes.back());
    }
    if (!shapes.empty()) {
        const std::string without = ", " + std::to_string(unneeded) + " of them of parts tagged nocollision";
        check.findings.add(codes::jcs_rebake, check.place,
                           listed(shapes, "file") + (unneeded == 0 ? std::string() : without));
    }
    if (!alone.empty()) check.findings.add(codes::jcs_alone, check.place, listed(alone, "file"));
    if (!older.empty()) check.findings.add(codes::jcs_older, check.place, listed(older, "file"));
    if (folder) check_orphans(check, *folder);
}

}  // namespace effigy::egosoft::checks
