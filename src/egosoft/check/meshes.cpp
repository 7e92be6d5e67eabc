/// Meshes that a component's parts name, found and summed up: bounds, triangles, materials, what was wrong in them.

#include "egosoft/check/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include "effigy/xmf.hpp"

namespace effigy::egosoft::checks {

namespace {

/// The codes of severity error, each once.
void add_codes(const Report& report, std::set<std::string>& codes) {
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity == Severity::error) codes.insert(finding.code);
    }
}

std::string joined(const std::set<std::string>& codes) {
    std::string text;
    for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
    return text;
}

struct Corners {
    Vec3 least{INFINITY, INFINITY, INFINITY}, most{-INFINITY, -INFINITY, -INFINITY};

    void add(float x, float y, float z) {
        least = {std::min(least.x, x), std::min(least.y, y), std::min(least.z, z)};
        most = {std::max(most.x, x), std::max(most.y, y), std::max(most.z, z)};
    }
};

}  // namespace

std::optional<Box> bounds_of(const xmf::File& file) {
    Corners corners;
    for (const xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer) || buffer.item_size == 0) continue;
        for (const xmf::PlacedElement& placed : xmf::declaration(buffer)) {
            if (placed.element.usage != xmf::Usage::position || placed.element.usage_index != 0) continue;
            const std::byte* vertex = buffer.content.data() + placed.offset;
            for (std::size_t left = buffer.content.size() / buffer.item_size; left != 0; --left) {
                const Vec4 position = xmf::decode(placed.element.type, vertex);
                if (std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z))
                    corners.add(position.x, position.y, position.z);
                if (left != 1) vertex += buffer.item_size;
            }
        }
    }
    if (corners.least.x > corners.most.x) return std::nullopt;
    const auto half = [](float least, float most) { return (most - least) / 2; };
    const Vec3 a = corners.least, b = corners.most;
    const Vec3 size{half(a.x, b.x), half(a.y, b.y), half(a.z, b.z)};
    return Box{{a.x + size.x, a.y + size.y, a.z + size.z}, size};
}

namespace {

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
        summary.narrow_indices = summary.narrow_indices || buffer.item_size == 2;
    }
    for (const xmf::Material& material : file.materials) summary.materials.emplace_back(xmf::name_of(material));
    summary.collision = is_for_collision(file);
    summary.bounds = bounds_of(file);
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
