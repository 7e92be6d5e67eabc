/// Groups and levels of detail.

#include <algorithm>
#include <span>

#include "effigy/x42_codes.hpp"

#include "x42/check/rules.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::checks {

namespace {

/// The greatest index of any range, quickly enough for 65535 groups that share all of them.
class Greatest {
public:
    explicit Greatest(const Bulk<std::uint16_t>& indices) : indices_(indices) {
        for (std::size_t begin = 0; begin < indices.size(); begin += block)
            blocks_.push_back(of(indices_.subspan(begin, std::min(block, indices.size() - begin))));
    }

    /// The range must lie within and not be empty.
    [[nodiscard]] std::uint16_t in(std::size_t begin, std::size_t end) const noexcept {
        const std::size_t first = (begin + block - 1) / block, last = end / block;
        if (first >= last) return of(indices_.subspan(begin, end - begin));
        return std::max({of(indices_.subspan(begin, first * block - begin)),
                         of(std::span(blocks_).subspan(first, last - first)),
                         of(indices_.subspan(last * block, end - last * block))});
    }

private:
    static constexpr std::size_t block = 1024;
    static std::uint16_t of(std::span<const std::uint16_t> values) noexcept {
        std::uint16_t greatest = 0;
        for (const std::uint16_t value : values) greatest = std::max(greatest, value);
        return greatest;
    }
    std::span<const std::uint16_t> indices_;
    std::vector<std::uint16_t> blocks_;
};

/// Whether so many elements make whole primitives, and what would.
bool makes_whole(PrimitiveType type, std::uint32_t elements) noexcept {
    switch (type) {
        case PrimitiveType::lines:
            return elements % 2 == 0;
        case PrimitiveType::line_strip:
            return elements != 1;
        case PrimitiveType::triangles:
            return elements % 3 == 0;
        case PrimitiveType::triangle_strip:
        case PrimitiveType::triangle_fan:
            return elements == 0 || elements > 2;
        default:
            return true;
    }
}

class GroupCheck {
public:
    explicit GroupCheck(const Context& context)
        : context_(context), file_(context.file), greatest_(context.file.indices) {}

    void run() {
        for (std::size_t index = 0; index < file_.groups.size(); ++index) {
            const Group& group = file_.groups[index];
            check_name(context_, group.material, field_path("group", index, "material"));
            check_name(context_, group.surface, field_path("group", index, "surface"));
            check_palette(group, index);
            check_elements(group, index);
        }
        check_vertices();
        report_indices();
    }

private:
    void add(const Code& code, std::size_t group, const char* field, std::uint64_t found, std::string expected = {}) {
        context_.findings.add(code, field_path("group", group, field), std::to_string(found), std::move(expected));
    }

    void check_palette(const Group& group, std::size_t index) {
        if (group.influence_count > max_influences)
            add(codes::x42_group_palette, index, "influence_count", group.influence_count, at_most(max_influences));
        const std::size_t count = std::min<std::size_t>(group.influence_count, max_influences);
        for (std::size_t place = 0; place < count; ++place) {
            if (group.influences[place] < file_.influences.size()) continue;
            context_.findings.add(codes::x42_group_influence, field_path("group", index, "influences"),
                                  std::to_string(group.influences[place]) + " at place " + std::to_string(place),
                                  below(file_.influences.size()));
            break;
        }
        if (group.vertex_influences > max_weights)
            add(codes::x42_group_weights, index, "vertex_influences", group.vertex_influences, at_most(max_weights));
        if (group.vertex_influences == 0 && !is_static(group, count))
            add(codes::x42_group_static, index, "influence_count", group.influence_count, "the model itself, or none");
    }

    bool is_static(const Group& group, std::size_t count) const {
        for (std::size_t place = 0; place < count; ++place) {
            if (group.influences[place] >= file_.influences.size()) continue;
            const Influence& influence = file_.influences[group.influences[place]];
            if (influence.bone != no_bone || influence.mesh_to_bone != identity) return false;
        }
        return true;
    }

    void check_elements(const Group& group, std::size_t index) {
        if (!is_known(group.type)) add(codes::x42_group_type, index, "type", static_cast<unsigned>(group.type));
        if (!makes_whole(group.type, group.element_count))
            add(codes::x42_group_incomplete, index, "element_count", group.element_count);
        if (group.first_index == no_indices) {
            if (group.element_count > group.vertex_count)
                add(codes::x42_group_elements, index, "element_count", group.element_count,
                    at_most(group.vertex_count));
            return;
        }
        if (group.type == PrimitiveType::points)
            add(codes::x42_group_points, index, "first_index", group.first_index, std::to_string(no_indices));
        if (group.vertex_count > reachable)
            add(codes::x42_group_wide, index, "vertex_count", group.vertex_count, at_most(reachable));
        check_indices(group, index);
    }

    void check_indices(const Group& group, std::size_t index) {
        const std::uint64_t end = std::uint64_t{group.first_index} + group.element_count;
        const std::uint64_t most = announced(file_, Section::indices, file_.indices.size());
        if (end > most) {
            add(codes::x42_group_elements, index, "element_count", end, at_most(most));
        } else if (end <= file_.indices.size() && group.element_count != 0 &&
                   greatest_.in(group.first_index, static_cast<std::size_t>(end)) >= group.vertex_count) {
            astray_.hit(index);
        }
    }

    void report_indices() {
        if (!astray_) return;
        const Group& group = file_.groups[static_cast<std::size_t>(astray_.first)];
        std::size_t place = group.first_index;
        while (file_.indices[place] < group.vertex_count) ++place;
        const std::string more =
            astray_.count > 1 ? ", and in " + count_text(astray_.count - 1, "groups more") : std::string();
        context_.findings.add(
            codes::x42_index_range, element_path("indices", place),
            std::to_string(file_.indices[place]) + " in " + element_path("group", astray_.first) + more,
            below(group.vertex_count));
    }

    /// In the order of their places: the file's order is free.
    void check_vertices() {
        struct Run {
            std::uint64_t begin, end;
            std::size_t group;
        };
        std::vector<Run> runs;
        const std::uint64_t most = announced(file_, Section::vertices, file_.vertices.size());
        for (std::size_t index = 0; index < file_.groups.size(); ++index) {
            const Group& group = file_.groups[index];
            const std::uint64_t end = std::uint64_t{group.first_vertex} + group.vertex_count;
            if (end > most) add(codes::x42_group_vertices, index, "vertex_count", end, at_most(most));
            if (group.vertex_count != 0) runs.push_back({group.first_vertex, end, index});
        }
        std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.group < b.group;
        });
        Tally shared, loose;
        std::uint64_t reached = 0;
        const auto leave_out = [&](std::uint64_t begin, std::uint64_t end) {
            if (begin >= end) return;
            if (!loose) loose.first = begin;
            loose.count += end - begin;
        };
        for (const Run& run : runs) {
            if (run.begin < reached) shared.hit(run.group);
            leave_out(reached, std::min<std::uint64_t>(run.begin, file_.vertices.size()));
            reached = std::max(reached, run.end);
        }
        leave_out(reached, file_.vertices.size());
        if (shared)
            context_.findings.add(codes::x42_group_overlap, field_path("group", shared.first, "first_vertex"),
                                  count_text(shared.count, "groups"));
        if (loose)
            context_.findings.add(codes::x42_vertex_loose, element_path("vertices", loose.first),
                                  count_text(loose.count, "vertices"));
    }

    static constexpr std::uint32_t reachable = 65536;

    const Context& context_;
    const File& file_;
    Greatest greatest_;
    Tally astray_;
};

void check_lods(const Context& context) {
    const File& file = context.file;
    Coverage levels(file.groups.size());
    std::uint16_t last_first = 0;
    const std::uint64_t most = announced(file, Section::groups, file.groups.size());
    for (std::size_t index = 0; index < file.lods.size(); ++index) {
        const Lod& lod = file.lods[index];
        check_name(context, lod.name, field_path("lod", index, "name"));
        const std::uint32_t end = std::uint32_t{lod.first_group} + lod.group_count;
        if (end > most)
            context.findings.add(codes::x42_lod_range, field_path("lod", index, "group_count"), std::to_string(end),
                                 at_most(most));
        const std::size_t last = std::min<std::size_t>(end, file.groups.size());
        if (lod.first_group < last) levels.add(lod.first_group, last);
        if (lod.group_count == 0) continue;
        if (lod.first_group < last_first)
            context.findings.add(codes::x42_lod_order, field_path("lod", index, "first_group"),
                                 std::to_string(lod.first_group), std::to_string(last_first) + " or more");
        last_first = std::max(last_first, lod.first_group);
    }
    Tally loose, shared;
    levels.each([&](std::size_t group, std::int64_t count) {
        if (count == 0) loose.hit(group);
        if (count > 1) shared.hit(group);
    });
    if (loose)
        context.findings.add(codes::x42_lod_loose, element_path("group", loose.first),
                             first_of("no level", loose.count));
    if (shared)
        context.findings.add(codes::x42_lod_overlap, element_path("group", shared.first),
                             first_of("several levels", shared.count));
}

}  // namespace

void check_groups(const Context& context) {
    GroupCheck(context).run();
    check_lods(context);
}

}  // namespace effigy::x42::checks
