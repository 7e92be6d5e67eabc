/// Meshes of a component's parts: levels of detail, collision meshes, wrecks, borrowed ones.

#include <algorithm>
#include <cmath>
#include <set>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/file/formats.hpp"
#include "egosoft/to_scene/component.hpp"

namespace effigy::egosoft::bridge {
namespace {

std::string numbers(const Vec3& v) {
    // Adding 0 makes a zero of minus zero.
    return "(" + rounded_text(v.x + 0.0, 4) + ", " + rounded_text(v.y + 0.0, 4) + ", " + rounded_text(v.z + 0.0, 4) +
           ")";
}

std::string box_text(const Box& box) {
    return "centre " + numbers(box.center) + ", half size " + numbers(box.half_size);
}

float tolerance_for(float half_size) { return 0.01f * half_size + 1e-4f; }
float largest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }

bool alike(const Box& a, const Box& b) {
    const float tolerance = tolerance_for(std::max(largest(a.half_size), largest(b.half_size)));
    const auto near = [&](float one, float other) { return std::fabs(one - other) <= tolerance; };
    return near(a.center.x, b.center.x) && near(a.center.y, b.center.y) && near(a.center.z, b.center.z) &&
           near(a.half_size.x, b.half_size.x) && near(a.half_size.y, b.half_size.y) &&
           near(a.half_size.z, b.half_size.z);
}

bool holds(const Box& outer, const Box& inner) {
    const float tolerance = tolerance_for(largest(inner.half_size));
    const auto reaches = [&](float center, float half, float inner_center, float inner_half) {
        return std::fabs(center - inner_center) + inner_half <= half + tolerance;
    };
    return reaches(outer.center.x, outer.half_size.x, inner.center.x, inner.half_size.x) &&
           reaches(outer.center.y, outer.half_size.y, inner.center.y, inner.half_size.y) &&
           reaches(outer.center.z, outer.half_size.z, inner.center.z, inner.half_size.z);
}

struct StoredLevel {
    std::uint32_t number = 0;
    std::size_t mesh = 0;
};

/// The levels that the XML names and those that are there without being named, in order.
std::vector<StoredLevel> find_levels(PartMeshes& to, const Part& source, const MeshFolder& folder, bool may_lack) {
    std::set<std::uint32_t> listed;
    for (const Lod& lod : source.lods) listed.insert(lod.index);
    std::vector<StoredLevel> found;
    const auto look = [&](std::uint32_t number) {
        const auto mesh = to.store.find(folder, source.name + "-lod" + std::to_string(number));
        if (mesh) found.push_back({number, *mesh});
        return mesh.has_value();
    };
    for (const std::uint32_t number : listed) {
        if (!look(number) && !may_lack) to.missing.add(text(source.name) + "-lod" + std::to_string(number));
    }
    for (std::uint32_t number = 0; listed.contains(number) || look(number); ++number) continue;
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return found;
}

Result<std::vector<Level>> load_levels(PartMeshes& to, std::vector<StoredLevel> found, const std::string& part) {
    if (to.build.options.lod >= 0 && !found.empty()) {
        std::vector<std::uint32_t> numbers;
        numbers.reserve(found.size());
        for (const StoredLevel& level : found) numbers.push_back(level.number);
        found = {found[choose_level(to.build, part, numbers)]};
    }
    std::vector<Level> levels;
    for (const StoredLevel& level : found) {
        auto mesh = to.store.load(level.mesh);
        if (!mesh) return fail(std::move(mesh.error()));
        if (*mesh != no_index) levels.push_back({level.number, *mesh});
    }
    // Parts may borrow the same many levels again and again.
    if (auto taken = to.build.take(levels.size(), sizeof(Node), "nodes"); !taken) return fail(std::move(taken.error()));
    return levels;
}

// What the XML says about meshes, and what they are.

void compare_materials(PartMeshes& to, const Part& source, const StoredLevel& level) {
    const auto listed =
        std::find_if(source.lods.begin(), source.lods.end(), [&](const Lod& lod) { return lod.index == level.number; });
    const std::vector<std::string>& held = to.store.materials(level.mesh);
    if (listed == source.lods.end() || held.empty()) return;
    std::vector<MaterialReference> references = listed->materials;
    std::stable_sort(references.begin(), references.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    const bool same =
        std::equal(references.begin(), references.end(), held.begin(), held.end(),
                   [](const MaterialReference& one, const std::string& other) { return one.name == other; });
    if (same) return;
    to.other_materials.add(text(source.name) + "-lod" + std::to_string(level.number));
}

/// Boxes of parts that move hold all of their movement, and those of effects say little.
void compare_size(PartMeshes& to, const PlacedPart& placed, const Mesh& mesh) {
    const Part& part = *placed.part;
    const bool is_effect = placed.name.starts_with("fx_") || placed.name.starts_with("anim_");
    if (!part.size || placed.moves || is_effect || !part.reference.empty()) return;
    const auto bounds = bounds_of(mesh);
    if (!bounds || alike(*bounds, *part.size)) return;
    const Code code = holds(*part.size, *bounds) ? codes::size_differs.as(Severity::info) : codes::size_differs;
    to.build.note(code, "part " + text(part.name) + " / size", "The stated size is not that of the finest mesh.",
                  box_text(*part.size), box_text(*bounds));
}

void compare(PartMeshes& to, const PlacedPart& placed, const Part& source, const std::vector<StoredLevel>& found,
             const std::vector<Level>& levels) {
    for (const StoredLevel& level : found) compare_materials(to, source, level);
    const auto first = std::find_if(levels.begin(), levels.end(), [](const Level& one) { return one.number == 0; });
    if (first != levels.end()) compare_size(to, placed, to.build.scene.meshes[first->mesh]);
}

void place_wreck(PartMeshes& to, const std::vector<Level>& levels, const PlacedPart& placed, const std::string& name) {
    const Index node = place_levels(to.build, name, no_index, levels);
    if (node == no_index) return;
    Node& wreck = to.build.scene.nodes[node];
    wreck.hidden = true;
    wreck.follows = placed.node;
    wreck.local = to.nodes.rest_of(placed.node);
    set_record(wreck.extras, Json{{"kind", "wreck"}, {"part", text(placed.part->name)}});
    // A level stands where the node stands that it replaces.
    for (const Index level : wreck.lods) {
        to.build.scene.nodes[level].local = wreck.local;
        to.build.scene.nodes[level].follows = wreck.follows;
    }
}

Result<bool> add_collisions(PartMeshes& to, const PlacedPart& placed, const std::string& part, const MeshFolder& folder,
                            bool of_wreck) {
    bool any = false;
    for (int number = 0;; ++number) {
        const std::string stem = part + "-collision" + (number == 0 ? "" : std::to_string(number));
        const auto found = to.store.find(folder, stem);
        // Only the first one may be missing where there are others.
        if (!found && number > 0) return any;
        if (!found) continue;
        any = true;
        auto mesh = to.store.load(*found);
        if (!mesh) return fail(std::move(mesh.error()));
        if (*mesh == no_index) continue;
        if (auto taken = to.build.take(1, sizeof(Node), "nodes"); !taken) return fail(std::move(taken.error()));
        const Index node = place_hidden(to.build, text(stem), *mesh, placed.node, to.nodes.rest_of(placed.node));
        to.build.scene.nodes[node].collision = !of_wreck;  // a wreck is not there yet, and nothing hits it
        Json extras{{"kind", "collision"}, {"part", text(placed.part->name)}};
        if (of_wreck) extras["wreck"] = true;
        set_record(to.build.scene.nodes[node].extras, std::move(extras));
    }
}

/// Whether there are any.
Result<bool> add_levels(PartMeshes& to, PlacedPart& placed, const Part& source, const MeshFolder& folder,
                        bool is_wreck) {
    const std::vector<StoredLevel> found = find_levels(to, source, folder, false);
    auto levels = load_levels(to, found, text(placed.part->name));
    if (!levels) return fail(std::move(levels.error()));
    to.build.file = to.file;
    compare(to, placed, source, found, *levels);
    // What one level was preferred to is no more absent than what somebody deletes.
    const auto is_in = [](const auto& list, std::uint32_t number) {
        return std::any_of(list.begin(), list.end(), [&](const auto& level) { return level.number == number; });
    };
    for (const Lod& lod : source.lods) {
        const bool here = to.build.options.lod >= 0 ? is_in(found, lod.index) : is_in(*levels, lod.index);
        if (!here) placed.absent.push_back(lod.index);
    }
    if (is_wreck) {
        place_wreck(to, *levels, placed, text(placed.part->name));
    } else {
        (void)place_levels(to.build, text(placed.part->name), placed.node, *levels);
    }
    return !found.empty();
}

Result<void> add_wreck(PartMeshes& to, PlacedPart& placed, const Part& source, const MeshFolder& folder) {
    // A wreck that is a part of its own has its meshes there.
    placed.has_wreck = to.nodes.by_name.contains(lower(source.wreck));
    if (placed.has_wreck) return {};
    Part wreck;
    wreck.name = source.wreck;
    const std::vector<StoredLevel> found = find_levels(to, wreck, folder, true);
    if (found.empty()) to.missing.add(text(source.wreck) + "-lod0");
    auto levels = load_levels(to, found, text(source.wreck));
    if (!levels) return fail(std::move(levels.error()));
    placed.has_wreck = !levels->empty();
    place_wreck(to, *levels, placed, text(source.wreck));
    auto collisions = add_collisions(to, placed, source.wreck, folder, true);
    if (!collisions) return fail(std::move(collisions.error()));
    return {};
}

/// `source` is the part itself, or the one it borrows from.
Result<void> add_meshes(PartMeshes& to, PlacedPart& placed, const Part& source, const MeshFolder& folder) {
    const bool is_wreck = to.nodes.wrecks.contains(placed.name);
    auto levels = add_levels(to, placed, source, folder, is_wreck);
    if (!levels) return fail(std::move(levels.error()));
    auto collisions = add_collisions(to, placed, source.name, folder, is_wreck);
    if (!collisions) return fail(std::move(collisions.error()));
    if (!*levels && !*collisions) to.build.nothing_there.add(text(placed.part->name));
    return source.wreck.empty() ? Result<void>() : add_wreck(to, placed, source, folder);
}

}  // namespace

void expect_meshes(PartMeshes& to, const Part& part, const MeshFolder& folder) {
    const auto expect = [&](const std::string& stem) {
        if (const auto mesh = to.store.find(folder, stem)) to.store.expect(*mesh);
    };
    for (const Lod& lod : part.lods) expect(part.name + "-lod" + std::to_string(lod.index));
    expect(part.name + "-collision");
}

Result<void> add_part_meshes(PartMeshes& to, PlacedPart& placed, const MeshFolder& folder) {
    const Part& part = *placed.part;
    if (part.reference.empty()) return add_meshes(to, placed, part, folder);
    auto borrowed = to.store.borrow(part.reference);
    if (!borrowed) return fail(std::move(borrowed.error()));
    if (borrowed->part != nullptr)
        return add_meshes(to, placed, *borrowed->part, MeshFolder(borrowed->component->geometry));
    to.unborrowed[borrowed->problem].add(text(part.name));
    return {};
}

}  // namespace effigy::egosoft::bridge
