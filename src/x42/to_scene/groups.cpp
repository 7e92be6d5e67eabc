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

class GroupPlanner {
public:
    GroupPlanner(Build& build, const Model& model) : build_(build), file_(*model.file) {}

    Result<Geometry> plan() {
        if (auto taken = build_.take(file_.groups.size(), sizeof(std::optional<DrawnGroup>), "groups"); !taken) {
            return fail(std::move(taken.error()));
        }
        std::uint64_t blend = 0;
        for (std::size_t i = 0; i < file_.groups.size(); ++i) {
            const Group& group = file_.groups[i];
            const std::uint64_t names = name_of(file_, group.material).size() + name_of(file_, group.surface).size();
            if (auto taken = build_.take(names, 2, "names"); !taken) return fail(std::move(taken.error()));
            geometry_.groups.push_back(drawn(i, blend));
            const std::uint64_t size = blend_size(group);
            blend = size > without_limit - blend ? without_limit : blend + size;
        }
        note_loose_vertices();
        auto planned = plan_levels();
        report();
        if (!planned) return fail(std::move(planned.error()));
        return std::move(geometry_);
    }

private:
    /// For findings: names are optional, and damaged files have none.
    [[nodiscard]] std::string label(std::uint16_t name, const char* kind, std::size_t number) const {
        std::string text = build_.text(name_of(file_, name));
        return text.empty() ? kind + (" " + std::to_string(number)) : text;
    }

    std::optional<DrawnGroup> drawn(std::size_t number, std::uint64_t blend) {
        const Group& group = file_.groups[number];
        const auto name = [&] { return label(group.surface, "group", number); };
        if (!is_known(group.type)) {
            unknown_types_.add(std::to_string(static_cast<std::uint16_t>(group.type)) + " of " + name());
            return std::nullopt;
        }
        const auto shader = shader_of(build_, file_, group);
        if (!shader) {
            not_drawn_.add(name());
            return std::nullopt;
        }
        DrawnGroup result;
        result.number = number;
        result.topology = static_cast<Topology>(static_cast<std::uint16_t>(group.type));
        result.shader = *shader;
        result.first_vertex = group.first_vertex;
        result.vertex_count = existing(group.first_vertex, group.vertex_count, file_.vertices.size());
        if (result.vertex_count != group.vertex_count) short_vertices_.add(name());
        result.first_index = group.first_index;
        result.element_count = result.indexed() ? existing(group.first_index, group.element_count, file_.indices.size())
                                                : std::min(group.element_count, result.vertex_count);
        if (result.element_count != group.element_count) short_elements_.add(name());
        result.blend = blend;
        const std::uint64_t size = blend_size(group);
        result.has_blend = blend <= file_.blend.size() && size <= file_.blend.size() - blend;
        if (!result.has_blend && group.vertex_influences != 0) short_blend_.add(name());
        if (result.vertex_count != 0 && result.element_count != 0) return result;
        empty_.add(name());
        return std::nullopt;
    }

    void note_loose_vertices() {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
        for (const Group& group : file_.groups) {
            runs.emplace_back(group.first_vertex, std::uint64_t{group.first_vertex} + group.vertex_count);
        }
        std::sort(runs.begin(), runs.end());
        std::uint64_t loose = 0, reached = 0;
        const std::uint64_t all = file_.vertices.size();
        for (const auto& [begin, end] : runs) {
            if (begin > reached) loose += std::min(begin, all) - std::min(reached, all);
            reached = std::max(reached, end);
        }
        loose += all - std::min(reached, all);
        build_.note_any(loose, codes::x42_vertex_loose, "vertices", "Vertices are in no group; they are left out.");
    }

    /// The level to show if one is asked for: the wanted one, or the coarsest that there is.
    std::optional<std::size_t> wanted_level() {
        if (build_.options.lod < 0) return std::nullopt;
        const auto wanted = static_cast<std::size_t>(build_.options.lod);
        const std::size_t chosen = std::min(wanted, std::max<std::size_t>(file_.lods.size(), 1) - 1);
        if (chosen != wanted) {
            build_.note(codes::lod_other, "lods",
                        "The model lacks the level of detail that was asked for; the next one that it has is shown.",
                        "level " + std::to_string(chosen), "level " + std::to_string(wanted));
        }
        return chosen;
    }

    Result<void> plan_levels() {
        const std::size_t count = file_.groups.size();
        const auto wanted = wanted_level();
        std::vector<std::size_t> loose;
        if (file_.lods.empty()) {
            if (count == 0) return {};  // a skeleton
            for (std::size_t i = 0; i < count; ++i) loose.push_back(i);
            return add_level(std::nullopt, 0, 0, loose);
        }
        const auto range_of = [&](const Lod& lod) {
            return std::pair<std::size_t, std::size_t>(lod.first_group,
                                                       existing(lod.first_group, lod.group_count, count));
        };
        // +1 where a range begins, -1 where it ends: their sums say which groups are in one.
        std::vector<std::int64_t> steps(count + 1, 0);
        for (std::size_t i = 0; i < file_.lods.size(); ++i) {
            const Lod& lod = file_.lods[i];
            const auto [first, number] = range_of(lod);
            if (number != lod.group_count) short_levels_.add(label(lod.name, "level", i));
            if (number == 0) continue;
            ++steps[first];
            --steps[first + number];
        }
        std::int64_t depth = 0;
        for (std::size_t i = 0; i < count; ++i) {
            depth += steps[i];
            if (depth != 0) continue;
            loose.push_back(i);
            loose_groups_.add(label(file_.groups[i].surface, "group", i));
        }
        for (std::size_t i = 0; i < file_.lods.size(); ++i) {
            if (wanted && i != *wanted) continue;
            const auto [first, number] = range_of(file_.lods[i]);
            auto added = add_level(i, first, number, i == 0 ? loose : std::vector<std::size_t>());
            if (!added) return added;
        }
        return {};
    }

    Result<void> add_level(std::optional<std::size_t> lod, std::size_t first, std::size_t count,
                           const std::vector<std::size_t>& more) {
        // Levels may all claim all groups: what that would take is asked for before it is done.
        constexpr std::uint64_t each = sizeof(Piece) + sizeof(Primitive) + 2000;  // with the record in extras
        if (auto taken = build_.take(count + more.size(), each, "levels of detail"); !taken) return taken;
        Level level;
        level.lod = lod;
        level.number = static_cast<std::uint32_t>(lod.value_or(0));
        std::uint64_t vertices = 0, elements = 0;
        const auto add = [&](std::size_t number) -> Result<void> {
            const Group& group = file_.groups[number];
            const std::uint64_t names = name_of(file_, group.material).size() + name_of(file_, group.surface).size();
            level.groups.push_back(number);
            const auto& drawn = geometry_.groups[number];
            if (drawn) {
                level.pieces.push_back({&*drawn, static_cast<std::uint32_t>(vertices)});
                vertices += drawn->vertex_count;
                elements += drawn->element_count + std::uint64_t{1};  // turned strips may need one more
                note_blending(level, number);
            }
            // Levels that share a group read its weights again, and time must not grow any more than memory.
            const std::uint64_t weights = drawn && drawn->has_blend ? blend_size(group) : 0;
            return build_.take(weights, 4, "weights").and_then([&] { return build_.take(names, 4, "names"); });
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (auto added = add(first + i); !added) return added;
        }
        for (const std::size_t number : more) {
            if (auto added = add(number); !added) return added;
        }
        if (vertices > std::numeric_limits<std::uint32_t>::max() - 1) return build_.take(without_limit, 1, "vertices");
        auto taken = build_.take(vertices, bytes_of_vertex(level), "vertices").and_then([&] {
            return build_.take(elements, sizeof(std::uint32_t), "indices");
        });
        if (!taken) return taken;
        level.vertex_count = static_cast<std::uint32_t>(vertices);
        level.needs_still = level.skinned && (level.needs_still || has_static(level));
        geometry_.levels.push_back(std::move(level));
        return {};
    }

    void note_blending(Level& level, std::size_t number) {
        const Group& group = file_.groups[number];
        if (group.vertex_influences == 0) return;
        level.skinned = true;
        if (group.influence_count > group.influences.size()) long_palettes_.add(label(group.surface, "group", number));
        const std::size_t count = std::min<std::size_t>(group.influence_count, group.influences.size());
        const bool whole =
            std::all_of(group.influences.begin(), group.influences.begin() + static_cast<std::ptrdiff_t>(count),
                        [&](std::uint16_t place) { return place < file_.influences.size(); });
        if (!whole) bad_palettes_.add(label(group.surface, "group", number));
        level.needs_still = level.needs_still || !whole || count == 0;
    }

    [[nodiscard]] bool has_static(const Level& level) const {
        return std::any_of(level.pieces.begin(), level.pieces.end(), [&](const Piece& piece) {
            return file_.groups[piece.group->number].vertex_influences == 0;
        });
    }

    [[nodiscard]] std::uint64_t bytes_of_vertex(const Level& level) const {
        std::uint64_t bytes = sizeof(Vec3) + 3 * sizeof(PackedVec3);  // and its codes, twice and as text
        if (!file_.normals.empty() || !file_.tangents.empty()) bytes += sizeof(Vec3);
        if (!file_.normals.empty()) bytes += 3 * sizeof(PackedNormal);
        if (!file_.tangents.empty()) bytes += sizeof(Vec4) + 3 * sizeof(PackedTangent);
        if (!file_.texcoords.empty()) bytes += sizeof(Vec2) + 3 * sizeof(PackedVec2);
        if (!file_.colors.empty()) bytes += 4 * sizeof(PackedColor);
        return level.skinned ? bytes + 12 : bytes;
    }

    void report() {
        const auto note = [&](const NameList& names, const Code& code, const char* message) {
            build_.note_any(names, code, "groups", message);
        };
        note(unknown_types_, codes::x42_group_type.as(Severity::warning),
             "These groups are of a kind that is unknown or not allowed; they are left out.");
        note(short_vertices_, codes::x42_group_vertices.as(Severity::warning),
             "These groups have vertices that do not exist; they have those that do.");
        note(short_elements_, codes::x42_group_elements.as(Severity::warning),
             "These groups draw indices or vertices that they do not have; they draw those that they do.");
        note(short_blend_, codes::x42_array_size.as(Severity::warning),
             "The weights of these groups are not there; their vertices follow the first influence.");
        note(bad_palettes_, codes::x42_group_influence.as(Severity::warning),
             "These groups use influences that do not exist; what follows them stands still.");
        note(long_palettes_, codes::x42_group_palette.as(Severity::warning),
             "These groups say that they have more than 60 influences; they have the first 60.");
        note(short_levels_, codes::x42_lod_range.as(Severity::warning),
             "These levels of detail have groups that do not exist; they have those that do.");
        note(loose_groups_, codes::x42_lod_loose, "These groups are in no level of detail; they join the finest one.");
        note(not_drawn_, codes::x42_not_drawn, "A skin says that these surfaces are not drawn.");
        note(empty_, codes::x42_group_empty, "These groups have nothing to draw; they are left out.");
    }

    Build& build_;
    const File& file_;
    Geometry geometry_;
    NameList unknown_types_, short_vertices_, short_elements_, short_blend_, bad_palettes_, long_palettes_,
        short_levels_, loose_groups_, not_drawn_, empty_;
};

}  // namespace

Result<Geometry> plan_geometry(Build& build, const Model& model) { return GroupPlanner(build, model).plan(); }

}  // namespace effigy::x42::bridge
