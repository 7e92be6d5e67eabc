/// Morph targets from glTF: offsets of positions, normals and tangents, sparse or not.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/file/accessors.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/content.hpp"
#include "gltf/read/mesh.hpp"
#include "scene/morph_slices.hpp"

namespace effigy::gltf {
namespace {

// The offsets of one attribute in one range.
struct Part {
    Bulk<std::uint32_t> positions;  // in the range, strictly increasing
    Bulk<Vec3> offsets;
};
using Parts = std::array<Part, 3>;

class TargetReader {
public:
    TargetReader(Reading& reading, const MeshSource& source, Mesh& mesh)
        : reading_(reading), source_(source), mesh_(mesh), order_(source.ranges.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(),
                  [&](std::size_t a, std::size_t b) { return source_.ranges[a].first < source_.ranges[b].first; });
    }

    Result<void> read() {
        std::size_t most = 0, least = SIZE_MAX;
        for (const VertexRange& range : source_.ranges) {
            most = std::max(most, range.targets.size());
            least = std::min(least, range.targets.size());
        }
        if (most != 0 && least != most) {
            reading_.note(codes::gltf_counts.as(Severity::warning), source_.path,
                          "the primitives do not have equally many morph targets; the missing ones move nothing",
                          std::to_string(least), std::to_string(most));
        }
        constexpr std::size_t smallest_array = 32;  // what the system takes for one of a few bytes
        constexpr std::size_t arrays = 4;           // of a target
        if (auto taken = reading_.take(most, sizeof(MorphTarget) + arrays * smallest_array, source_.path); !taken)
            return taken;
        for (std::size_t i = 0; i < most; ++i) {
            if (auto done = read_target(i); !done) return done;
        }
        return {};
    }

private:
    Result<void> read_target(std::size_t number) {
        std::erase_if(order_, [&](std::size_t range) { return number >= source_.ranges[range].targets.size(); });
        std::vector<Parts> ranges(order_.size());
        std::array<bool, 3> moves{};
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            for (std::size_t part = 0; part < 3; ++part) {
                if (auto read = read_part(ranges[i][part], source_.ranges[order_[i]], number, part); !read) return read;
                if (!has_[part]) ranges[i][part] = {};
                moves[part] = moves[part] || !ranges[i][part].positions.empty();
            }
        }
        MorphTarget& target = mesh_.targets.emplace_back();
        std::uint32_t end = 0;  // of the ranges so far, which may overlap
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const VertexRange& range = source_.ranges[order_[i]];
            append(target, ranges[i], range.first, end, moves);
            end = std::max(end, range.first + range.count);
        }
        return {};
    }

    [[nodiscard]] bool has(Semantic semantic) const { return find_attribute(mesh_, semantic) != nullptr; }

    Result<void> read_part(Part& part, const VertexRange& range, std::size_t target, std::size_t kind) {
        const Index number = range.targets[target][kind];
        if (number == no_index) return {};
        const std::string path = range.path + " / " + element_path("targets", target) + " / " + target_names[kind];
        auto sparse = reading_.asset.sparse(number);
        if (!sparse) return fail(std::move(sparse.error()));
        if (sparse->has_value()) return take_sparse(part, std::move(**sparse), range, path);
        auto data = reading_.asset.floats(number);
        if (!data) return fail(std::move(data.error()));
        if (auto checked = check(*data, data->count(), range, path); !checked) return checked;
        return take_dense(part, *data, path);
    }

    static Result<void> check(const Accessor& data, std::size_t count, const VertexRange& range,
                              const std::string& path) {
        if (data.element != ElementType::vec3) {
            return refuse(path, codes::gltf_attribute_type, "offsets of morph targets must have three components each");
        }
        if (count == range.count) return {};
        return refuse(path, codes::gltf_counts, "the morph target does not have as many elements as its primitive",
                      std::to_string(count), std::to_string(range.count));
    }

    Result<void> take_sparse(Part& part, SparseElements sparse, const VertexRange& range, const std::string& path) {
        if (auto checked = check(sparse.values, sparse.count, range, path); !checked) return checked;
        const bool is_float = sparse.values.component == ComponentType::f32;
        if (auto taken = reading_.take(sparse.positions.size(), 2 * sizeof(Vec3), path); !taken) return taken;
        const Accessor values = is_float ? std::move(sparse.values) : to_floats(sparse.values);
        part.positions = std::move(sparse.positions);
        part.offsets.resize(part.positions.size());
        if (!part.offsets.empty()) std::memcpy(part.offsets.data(), values.bytes.data(), values.bytes.size());
        repair(part, path);
        return {};
    }

    Result<void> take_dense(Part& part, const Accessor& data, const std::string& path) {
        const auto offsets = data.as<Vec3>();
        const auto count = static_cast<std::size_t>(
            std::count_if(offsets.begin(), offsets.end(), [](const Vec3& v) { return is_moved(v); }));
        if (auto taken = reading_.take(count, 2 * (sizeof(Vec3) + sizeof(std::uint32_t)), path); !taken) return taken;
        part.positions.reserve(count);
        part.offsets.reserve(count);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            if (!is_moved(offsets[i])) continue;
            part.positions.push_back(static_cast<std::uint32_t>(i));
            part.offsets.push_back(offsets[i]);
        }
        repair(part, path);
        return {};
    }

    void repair(Part& part, const std::string& path) {
        const std::span<float> values(reinterpret_cast<float*>(part.offsets.data()), part.offsets.size() * 3);
        if (!find_not_finite(values)) return;
        for (float& value : values) value = std::isfinite(value) ? value : 0;
        reading_.note(codes::gltf_not_a_number, path, "numbers that are not finite are replaced by 0");
    }

    // What moves in any way moves in all ways that the target knows, if only by zero.
    static void append(MorphTarget& target, const Parts& parts, std::uint32_t first, std::uint32_t end,
                       const std::array<bool, 3>& moves) {
        const std::array<Bulk<Vec3>*, 3> to{&target.positions, &target.normals, &target.tangents};
        std::array<std::size_t, 3> next{};
        for (;;) {
            std::uint32_t vertex = no_index;
            for (std::size_t i = 0; i < 3; ++i) {
                if (next[i] < parts[i].positions.size()) vertex = std::min(vertex, parts[i].positions[next[i]]);
            }
            if (vertex == no_index) return;
            const bool is_new = first + vertex >= end;
            if (is_new) target.indices.push_back(first + vertex);
            for (std::size_t i = 0; i < 3; ++i) {
                const bool is_here = next[i] < parts[i].positions.size() && parts[i].positions[next[i]] == vertex;
                if (is_new && moves[i]) to[i]->push_back(is_here ? parts[i].offsets[next[i]] : Vec3{});
                if (is_here) ++next[i];
            }
        }
    }

    Reading& reading_;
    const MeshSource& source_;
    Mesh& mesh_;
    std::vector<std::size_t> order_;  // of the ranges in the mesh, those that have no more targets left out
    // Offsets need something to be added to.
    std::array<bool, 3> has_{has(Semantic::position), has(Semantic::normal), has(Semantic::tangent)};
};

}  // namespace

Result<void> read_targets(Reading& reading, const MeshSource& source, Mesh& mesh) {
    return TargetReader(reading, source, mesh).read();
}

}  // namespace effigy::gltf
