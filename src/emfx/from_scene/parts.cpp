/// Splits triangles of one material until each part needs few enough joints (bone palettes) and vertices.

#include <algorithm>
#include <set>
#include <span>

#include "effigy/emfx_codes.hpp"

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {
namespace {

/// A part that may take more triangles.
struct OpenPart {
    Part part;
    std::set<std::uint32_t> bones;
};

/// Triangles go to the first of the last few parts that has room: few parts, and no search through all of them.
class Splitter {
public:
    Splitter(std::vector<Part>& result, std::uint32_t max_bones) : result_(result), max_bones_(max_bones) {}

    void add(const Part& from, std::size_t corner, const std::set<std::uint32_t>& bones) {
        OpenPart* target = nullptr;
        for (OpenPart& open : open_) {
            if (target == nullptr && has_room(open, bones)) target = &open;
        }
        if (target == nullptr) {
            if (open_.size() == max_open) close_first();
            target = &open_.emplace_back();
            target->part.material = from.material;
        }
        for (std::size_t k = 0; k < 3; ++k) target->part.corners.push_back(from.corners[corner + k]);
        target->bones.insert(bones.begin(), bones.end());
    }

    void close() {
        while (!open_.empty()) close_first();
    }

private:
    static constexpr std::size_t max_open = 8;

    [[nodiscard]] bool has_room(const OpenPart& open, const std::set<std::uint32_t>& bones) const {
        std::size_t fresh = 0;
        for (const std::uint32_t bone : bones) fresh += open.bones.contains(bone) ? 0u : 1u;
        return open.bones.size() + fresh <= max_bones_;
    }

    void close_first() {
        result_.push_back(std::move(open_.front().part));
        open_.erase(open_.begin());
    }

    std::vector<Part>& result_;
    std::uint32_t max_bones_;
    std::vector<OpenPart> open_;
};

/// Triangles in their order, until the next one has no room.
class VertexSplitter {
public:
    VertexSplitter(std::vector<Part>& result, std::uint32_t max_vertices, bool is_flat)
        : result_(result), max_vertices_(max_vertices), is_flat_(is_flat) {}

    void add(const Part& from) {
        open(from.material);
        for (std::size_t corner = 0; corner + 2 < from.corners.size(); corner += 3) {
            const auto triangle = std::span(from.corners).subspan(corner, 3);
            if (count_ + fresh(triangle) > max_vertices_) open(from.material);
            count_ += fresh(triangle);
            for (const std::uint32_t vertex : triangle) {
                part_of(vertex) = result_.size();
                result_.back().corners.push_back(vertex);
            }
        }
    }

private:
    void open(Index material) {
        result_.emplace_back().material = material;
        count_ = 0;
    }

    /// The part that took a vertex last, counted from 1.
    std::size_t& part_of(std::uint32_t vertex) {
        if (vertex >= part_of_.size()) part_of_.resize(vertex + std::size_t{1});
        return part_of_[vertex];
    }

    /// Vertices of a triangle that the open part lacks; one that a triangle names twice counts twice.
    std::uint32_t fresh(std::span<const std::uint32_t> triangle) {
        if (is_flat_) return 3;
        return static_cast<std::uint32_t>(std::count_if(
            triangle.begin(), triangle.end(), [&](std::uint32_t vertex) { return part_of(vertex) != result_.size(); }));
    }

    std::vector<Part>& result_;
    std::uint32_t max_vertices_;
    bool is_flat_;
    std::uint32_t count_ = 0;
    std::vector<std::size_t> part_of_;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdull;
}

std::uint64_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof bits, reinterpret_cast<std::byte*>(&bits));
    return bits;
}

}  // namespace

void split_long_parts(std::vector<Part>& parts, std::uint32_t max_vertices, bool is_flat) {
    const auto fits = [&](const Part& part) { return part.corners.size() <= max_vertices; };
    if (std::ranges::all_of(parts, fits)) return;
    std::vector<Part> result;
    VertexSplitter splitter(result, max_vertices, is_flat);
    for (Part& part : parts) fits(part) ? result.push_back(std::move(part)) : splitter.add(part);
    parts = std::move(result);
}

Result<void> split_parts(std::vector<Part>& parts, const std::string& path, std::uint32_t max_bones,
                         const InfluencesOf& influences) {
    std::vector<Part> result;
    for (const Part& part : parts) {
        Splitter splitter(result, max_bones);
        for (std::size_t corner = 0; corner + 2 < part.corners.size(); corner += 3) {
            std::set<std::uint32_t> bones;
            for (std::size_t k = 0; k < 3; ++k) {
                for (const xac::Influence& influence : influences(part.corners[corner + k]))
                    bones.insert(influence.node);
            }
            if (bones.size() > max_bones) {
                return fail(beyond(codes::emfx_palette, path,
                                   "One triangle alone is moved by more nodes than a submesh may have; reduce the "
                                   "influences of its vertices, or allow more.",
                                   bones.size(), max_bones));
            }
            splitter.add(part, corner, bones);
        }
        splitter.close();
    }
    parts = std::move(result);
    return {};
}

std::vector<std::uint64_t> morph_keys(const Mesh& mesh) {
    std::vector<std::uint64_t> keys;
    if (mesh.targets.empty()) return keys;
    keys.assign(mesh.vertex_count, 0);
    for (std::size_t t = 0; t < mesh.targets.size(); ++t) {
        const MorphTarget& target = mesh.targets[t];
        for (std::size_t i = 0; i < target.indices.size() && i < target.positions.size(); ++i) {
            const Vec3& offset = target.positions[i];
            if (target.indices[i] >= keys.size() || offset == Vec3{}) continue;
            std::uint64_t& key = keys[target.indices[i]];
            for (const float number : {offset.x, offset.y, offset.z}) key = mixed(key, bits_of(number));
            key = mixed(key, t);
        }
    }
    return keys;
}

}  // namespace effigy::emfx::bridge
