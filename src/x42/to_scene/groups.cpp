/// Which groups are drawn, and in which levels of detail.

#include <algorithm>
#include <limits>

#include "effigy/x42_codes.hpp"

#include "x42/file/x42_format.hpp"
#include "x42/to_scene/geometry.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint64_t without_limit = std::numeric_limits<std::uint64_t>::max();

/// How much of a range exists.
std::uint32_t existing(std::uint64_t first, std::uint32_t count, std::size_t size) noexcept {
    return first >= size ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(count, size - first));
}

/// Names of groups and levels that something is wrong with, by what it is.
struct GroupFindings {
    NameList unknown_types, short_vertices, short_elements, short_blend, bad_palettes, long_palettes, short_levels,
        loose_groups, not_drawn, empty;
};

/// For findings: names are optional, and damaged files have none.
std::string label_of(const Build& build, const File& file, std::uint16_t name, const char* kind, std::size_t number) {
    std::string text = build.text(name_of(file, name));
    return text.empty() ? kind + (" " + std::to_string(number)) : text;
}

/// Bytes of a group's names.
std::uint64_t name_size(const File& file, const Group& group) {
    return name_of(file, group.material).size() + name_of(file, group.surface).size();
}

std::optional<DrawnGroup> drawn_group(Build& build, const File& file, std::size_t number, std::uint64_t blend,
                                      GroupFindings& findings) {
    const Group& group = file.groups[number];
    const auto name = [&] { return label_of(build, file, group.surface, "group", number); };
    if (!is_known(group.type)) {
        findings.unknown_types.add(std::to_string(static_cast<std::uint16_t>(group.type)) + " of " + name());
        return std::nullopt;
    }
    const auto shader = shader_of(build, file, group);
    if (!shader) {
        findings.not_drawn.add(name());
        return std::nullopt;
    }
    DrawnGroup result;
    result.number = number;
    result.topology = static_cast<Topology>(static_cast<std::uint16_t>(group.type));
    result.shader = *shader;
    result.first_vertex = group.first_vertex;
    result.vertex_count = existing(group.first_vertex, group.vertex_count, file.vertices.size());
    if (result.vertex_count != group.vertex_count) findings.short_vertices.add(name());
    result.first_index = group.first_index;
    result.element_count = result.indexed() ? existing(group.first_index, group.element_count, file.indices.size())
                                            : std::min(group.element_count, result.vertex_count);
    if (result.element_count != group.element_count) findings.short_elements.add(name());
    result.blend = blend;
    const std::uint64_t size = blend_size(group);
    result.has_blend = blend <= file.blend.size() && size <= file.blend.size() - blend;
    if (!result.has_blend && group.vertex_influences != 0) findings.short_blend.add(name());
    if (result.vertex_count != 0 && result.element_count != 0) return result;
    findings.empty.add(name());
    return std::nullopt;
}

/// Vertices that are in no group.
std::uint64_t loose_vertices(const File& file) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (const Group& group : file.groups) {
        runs.emplace_back(group.first_vertex, std::uint64_t{group.first_vertex} + group.vertex_count);
    }
    std::sort(runs.begin(), runs.end());
    std::uint64_t loose = 0, reached = 0;
    const std::uint64_t all = file.vertices.size();
    for (const auto& [begin, end] : runs) {
        if (begin > reached) loose += std::min(begin, all) - std::min(reached, all);
        reached = std::max(reached, end);
    }
    return loose + all - std::min(reached, all);
}

/// The level to show if one is asked for: the wanted one, or the coarsest that there is.
std::optional<std::size_t> wanted_level(Build& build, const File& file) {
    if (build.options.lod < 0) return std::nullopt;
    const auto wanted = static_cast<std::size_t>(build.options.lod);
    const std::size_t chosen = std::min(wanted, std::max<std::size_t>(file.lods.size(), 1) - 1);
    if (chosen != wanted) {
        build.note(codes::lod_other, "lods",
                   "The model lacks the level of detail that was asked for; the next one that it has is shown.",
                   "level " + std::to_string(chosen), "level " + std::to_string(wanted));
    }
    return chosen;
}

std::uint64_t bytes_of_vertex(const File& file, bool skinned) {
    std::uint64_t bytes = sizeof(Vec3) + 3 * sizeof(PackedVec3);  // and its codes, twice and as text
    if (!file.normals.empty() || !file.tangents.empty()) bytes += sizeof(Vec3);
    if (!file.normals.empty()) bytes += 3 * sizeof(PackedNormal);
    if (!file.tangents.empty()) bytes += sizeof(Vec4) + 3 * sizeof(PackedTangent);
    if (!file.texcoords.empty()) bytes += sizeof(Vec2) + 3 * sizeof(PackedVec2);
    if (!file.colors.empty()) bytes += 4 * sizeof(PackedColor);
    return skinned ? bytes + 12 : bytes;
}

/// How much of a level's groups exists.
std::uint32_t existing_groups(const File& file, const Lod& lod) noexcept {
    return existing(lod.first_group, lod.group_count, file.groups.size());
}

/// Groups that are in no level of detail.
std::vector<std::size_t> loose_groups(const Build& build, const File& file, GroupFindings& findings) {
    // +1 where a range begins, -1 where it ends: their sums say which groups are in one.
    std::vector<std::int64_t> steps(file.groups.size() + 1, 0);
    for (std::size_t i = 0; i < file.lods.size(); ++i) {
        const Lod& lod = file.lods[i];
        const std::uint32_t count = existing_groups(file, lod);
        if (count != lod.group_count) findings.short_levels.add(label_of(build, file, lod.name, "level", i));
        if (count == 0) continue;
        ++steps[lod.first_group];
        --steps[std::size_t{lod.first_group} + count];
    }
    std::vector<std::size_t> loose;
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < file.groups.size(); ++i) {
        depth += steps[i];
        if (depth != 0) continue;
        loose.push_back(i);
        if (!file.lods.empty()) findings.loose_groups.add(label_of(build, file, file.groups[i].surface, "group", i));
    }
    return loose;
}

void add_blending(const Build& build, const File& file, std::size_t number, Level& level, GroupFindings& findings) {
    const Group& group = file.groups[number];
    if (group.vertex_influences == 0) return;
    level.skinned = true;
    const auto name = [&] { return label_of(build, file, group.surface, "group", number); };
    if (group.influence_count > group.influences.size()) findings.long_palettes.add(name());
    const std::size_t count = std::min<std::size_t>(group.influence_count, group.influences.size());
    const bool whole =
        std::all_of(group.influences.begin(), group.influences.begin() + static_cast<std::ptrdiff_t>(count),
                    [&](std::uint16_t place) { return place < file.influences.size(); });
    if (!whole) findings.bad_palettes.add(name());
    level.needs_still = level.needs_still || !whole || count == 0;
}

/// Completes a level that has its groups.
Result<void> add_pieces(Build& build, const File& file, const Geometry& geometry, Level& level,
                        GroupFindings& findings) {
    std::uint64_t vertices = 0, elements = 0;
    bool has_static = false;
    for (const std::size_t number : level.groups) {
        const Group& group = file.groups[number];
        const auto& drawn = geometry.groups[number];
        if (drawn) {
            level.pieces.push_back({&*drawn, static_cast<std::uint32_t>(vertices)});
            vertices += drawn->vertex_count;
            elements += drawn->element_count + std::uint64_t{1};  // turned strips may need one more
            has_static = has_static || group.vertex_influences == 0;
            add_blending(build, file, number, level, findings);
        }
        // Levels that share a group read its weights again, and time must not grow any more than memory.
        const std::uint64_t weights = drawn && drawn->has_blend ? blend_size(group) : 0;
        auto taken =
            build.take(weights, 4, "weights").and_then([&] { return build.take(name_size(file, group), 4, "names"); });
        if (!taken) return taken;
    }
    if (vertices > std::numeric_limits<std::uint32_t>::max() - 1) return build.take(without_limit, 1, "vertices");
    level.vertex_count = static_cast<std::uint32_t>(vertices);
    level.needs_still = level.skinned && (level.needs_still || has_static);
    return build.take(vertices, bytes_of_vertex(file, level.skinned), "vertices").and_then([&] {
        return build.take(elements, sizeof(std::uint32_t), "indices");
    });
}

/// Groups that are in no level, or all where the file has no levels, are in the finest one.
Result<void> add_levels(Build& build, const File& file, Geometry& geometry, GroupFindings& findings) {
    const auto wanted = wanted_level(build, file);
    const std::vector<std::size_t> loose = loose_groups(build, file, findings);
    if (file.lods.empty() && loose.empty()) return {};  // a skeleton
    for (std::size_t i = 0; i < std::max<std::size_t>(file.lods.size(), 1); ++i) {
        if (wanted && i != *wanted) continue;
        Level level;
        level.number = static_cast<std::uint32_t>(i);
        if (!file.lods.empty()) level.lod = i;
        const std::uint32_t own = level.lod ? existing_groups(file, file.lods[i]) : 0;
        // Levels may all claim all groups: what that would take is asked for before it is done.
        constexpr std::uint64_t each = sizeof(Piece) + sizeof(Primitive) + 2000;  // with the record in extras
        const std::size_t more = i == 0 ? loose.size() : 0;
        if (auto taken = build.take(own + more, each, "levels of detail"); !taken) return taken;
        for (std::uint32_t k = 0; k < own; ++k) level.groups.push_back(std::size_t{file.lods[i].first_group} + k);
        if (i == 0) level.groups.insert(level.groups.end(), loose.begin(), loose.end());
        if (auto added = add_pieces(build, file, geometry, level, findings); !added) return added;
        geometry.levels.push_back(std::move(level));
    }
    return {};
}

void report_groups(Build& build, const GroupFindings& findings) {
    const auto note = [&](const NameList& names, const Code& code, const char* message) {
        build.note_any(names, code, "groups", message);
    };
    note(findings.unknown_types, codes::x42_group_type.as(Severity::warning),
         "These groups are of a kind that is unknown or not allowed; they are left out.");
    note(findings.short_vertices, codes::x42_group_vertices.as(Severity::warning),
         "These groups have vertices that do not exist; they have those that do.");
    note(findings.short_elements, codes::x42_group_elements.as(Severity::warning),
         "These groups draw indices or vertices that they do not have; they draw those that they do.");
    note(findings.short_blend, codes::x42_array_size.as(Severity::warning),
         "The weights of these groups are not there; their vertices follow the first influence.");
    note(findings.bad_palettes, codes::x42_group_influence.as(Severity::warning),
         "These groups use influences that do not exist; what follows them stands still.");
    note(findings.long_palettes, codes::x42_group_palette.as(Severity::warning),
         "These groups say that they have more than 60 influences; they have the first 60.");
    note(findings.short_levels, codes::x42_lod_range.as(Severity::warning),
         "These levels of detail have groups that do not exist; they have those that do.");
    note(findings.loose_groups, codes::x42_lod_loose,
         "These groups are in no level of detail; they join the finest one.");
    note(findings.not_drawn, codes::x42_not_drawn, "A skin says that these surfaces are not drawn.");
    note(findings.empty, codes::x42_group_empty, "These groups have nothing to draw; they are left out.");
}

}  // namespace

Result<Geometry> plan_geometry(Build& build, const Model& model) {
    const File& file = *model.file;
    if (auto taken = build.take(file.groups.size(), sizeof(std::optional<DrawnGroup>), "groups"); !taken) {
        return fail(std::move(taken.error()));
    }
    Geometry geometry;
    GroupFindings findings;
    std::uint64_t blend = 0;
    for (std::size_t i = 0; i < file.groups.size(); ++i) {
        const Group& group = file.groups[i];
        if (auto taken = build.take(name_size(file, group), 2, "names"); !taken) return fail(std::move(taken.error()));
        geometry.groups.push_back(drawn_group(build, file, i, blend, findings));
        const std::uint64_t size = blend_size(group);
        blend = size > without_limit - blend ? without_limit : blend + size;
    }
    build.note_any(loose_vertices(file), codes::x42_vertex_loose, "vertices",
                   "Vertices are in no group; they are left out.");
    auto added = add_levels(build, file, geometry, findings);
    report_groups(build, findings);
    if (!added) return fail(std::move(added.error()));
    return geometry;
}

}  // namespace effigy::x42::bridge
