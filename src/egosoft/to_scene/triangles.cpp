/// The triangles of an XMF by material: ranges are clipped, and indices without vertices dropped.

#include "scene/triangles.hpp"

#include "effigy/egosoft_codes.hpp"

#include "egosoft/to_scene/mesh.hpp"

namespace effigy::egosoft::bridge {
namespace {

struct TriangleRange {
    std::uint64_t first = 0, end = 0;  ///< of indices
    Index material = no_index;         ///< its place in the file
};

/// The records' ranges as they are stated, by their first index.
std::vector<TriangleRange> stated_ranges(const xmf::File& file) {
    std::vector<TriangleRange> ranges;
    for (std::size_t i = 0; i < file.materials.size(); ++i) {
        const xmf::Material& record = file.materials[i];
        if (record.index_count == 0) continue;
        const std::uint64_t first = record.first_index;
        ranges.push_back({first, first + record.index_count, static_cast<Index>(i)});
    }
    std::stable_sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return ranges;
}

/// Whole triangles side by side, and what is between them.
std::vector<TriangleRange> triangle_ranges(const xmf::File& file, std::uint64_t count, const MeshNotes& notes) {
    std::uint64_t repaired = 0, uncovered = 0, cursor = 0;
    std::vector<TriangleRange> result;
    const auto leave_gap = [&](std::uint64_t end) {
        if (cursor >= end) return;
        if (!file.materials.empty()) uncovered += end - cursor;
        result.push_back({cursor, end, no_index});
    };
    for (const TriangleRange& stated : stated_ranges(file)) {
        TriangleRange range = stated;
        range.first = std::clamp((range.first + 2) / 3 * 3, cursor, count);
        range.end = std::clamp(range.end / 3 * 3, range.first, count);
        repaired += range.first != stated.first || range.end != stated.end ? 1u : 0u;
        if (range.first >= range.end) continue;
        leave_gap(range.first);
        result.push_back(range);
        cursor = range.end;
    }
    leave_gap(count);
    notes.count(codes::material_range, repaired, " ranges");
    notes.count(codes::material_gap, uncovered / 3, " triangles");
    return result;
}

/// All of them, as most meshes have one material, or a part.
Bulk<std::uint32_t> take(Bulk<std::uint32_t>& indices, const TriangleRange& range) {
    if (range.first == 0 && range.end == indices.size()) return std::move(indices);
    return {indices.begin() + static_cast<std::ptrdiff_t>(range.first),
            indices.begin() + static_cast<std::ptrdiff_t>(range.end)};
}

/// The first buffer of indices, or null.
const xmf::Buffer* index_buffer(const xmf::File& file, const MeshNotes& notes) {
    const auto first = std::find_if(file.buffers.begin(), file.buffers.end(), xmf::is_index_buffer);
    const auto number = std::count_if(first, file.buffers.end(), xmf::is_index_buffer);
    if (number > 1) {
        notes.note(codes::index_buffers, "There are several buffers of indices; the first one counts.",
                   std::to_string(number), "1");
    }
    return first == file.buffers.end() ? nullptr : &*first;
}

}  // namespace

Result<std::vector<Primitive>> triangles(const xmf::File& file, std::uint32_t vertex_count, const MeshNotes& notes) {
    std::vector<Primitive> primitives;
    const xmf::Buffer* const buffer = index_buffer(file, notes);
    if (buffer == nullptr) return primitives;
    // Of a damaged buffer only the number is left.
    const std::uint64_t there = buffer->content.size() / std::max(buffer->item_size, 1u);
    if (auto taken = notes.build.take(2 * there, 4, "indices"); !taken) return fail(std::move(taken.error()));
    Bulk<std::uint32_t> indices = xmf::indices(*buffer);
    std::uint64_t lost = indices.size() % 3 == 0 ? 0 : 1;
    for (const TriangleRange& range : triangle_ranges(file, indices.size() / 3 * 3, notes)) {
        Primitive primitive;
        primitive.vertex_count = vertex_count;
        primitive.material = range.material;
        primitive.indices = take(indices, range);
        lost += drop_bad_triangles(primitive.indices, vertex_count);
        if (!primitive.indices.empty()) primitives.push_back(std::move(primitive));
    }
    if (lost != 0) {
        notes.note(codes::triangle_index, {}, std::to_string(lost) + " triangles",
                   "indices below " + std::to_string(vertex_count));
    }
    return primitives;
}

}  // namespace effigy::egosoft::bridge
