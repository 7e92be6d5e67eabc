/// Indices of glTF's primitives; flat normals and tangents for those that have none.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"

#include "core/lists.hpp"
#include "gltf/file/content.hpp"
#include "gltf/read/mesh.hpp"
#include "scene/triangles.hpp"
#include "scene/wide_math.hpp"

namespace effigy::gltf {
namespace {

// Points, lines or triangles one by one, without those that have a corner that is no vertex. In strips and fans such an
// index begins anew, which is what it means elsewhere.
class Separator {
public:
    Separator(Primitive& primitive, std::uint32_t count) : primitive_(primitive), count_(count) {}

    void run() {
        const auto indices = std::exchange(primitive_.indices, {});
        const std::size_t step = step_of(primitive_.topology);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < indices.size(); i += step) {
            if (step != no_step) {
                add_element(std::span(indices).subspan(i, std::min(step, indices.size() - i)));
            } else if (indices[i] >= count_) {
                add_run(std::span(indices).subspan(begin, i - begin));
                begin = i + 1;
            }
        }
        if (step == no_step) add_run(std::span(indices).subspan(begin));
        primitive_.indices = std::move(kept_);
        primitive_.topology = single(primitive_.topology);
    }

private:
    static constexpr std::size_t no_step = 1;

    static std::size_t step_of(Topology topology) {
        if (topology == Topology::triangles) return 3;
        return topology == Topology::lines ? 2 : no_step;
    }
    static Topology single(Topology topology) {
        if (has_triangles(topology)) return Topology::triangles;
        return topology == Topology::points ? topology : Topology::lines;
    }

    void add_element(std::span<const std::uint32_t> corners) {
        if (std::any_of(corners.begin(), corners.end(), [&](std::uint32_t corner) { return corner >= count_; })) return;
        kept_.insert(kept_.end(), corners.begin(), corners.end());
    }

    void add_run(std::span<const std::uint32_t> indices) {
        if (primitive_.topology == Topology::points) return add_element(indices);
        if (primitive_.topology == Topology::line_strip) {
            for (std::size_t i = 0; i + 1 < indices.size(); ++i) add_element(indices.subspan(i, 2));
            return;
        }
        Primitive run;
        run.topology = primitive_.topology;
        run.indices.assign(indices.begin(), indices.end());
        for_each_triangle(run, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            for (const std::uint32_t corner : {a, b, c}) kept_.push_back(corner);
        });
    }

    Primitive& primitive_;
    std::uint32_t count_;
    Bulk<std::uint32_t> kept_;
};

class PrimitiveReader {
public:
    PrimitiveReader(Reading& reading, MeshSource& source, Mesh& mesh)
        : reading_(reading), source_(source), mesh_(mesh) {}

    Result<void> read() {
        for (PrimitiveSource& one : source_.primitives) {
            if (auto done = read(one); !done) return done;
        }
        return {};
    }

private:
    Result<void> read(PrimitiveSource& source) {
        const VertexRange& range = source_.ranges[source.range];
        auto indices = indices_of(source, range.count);
        if (!indices) return fail(std::move(indices.error()));
        const auto material = reading_.reference(*source.json, "material", "materials", source.path);
        if (!material) return fail(material.error());
        Primitive primitive{range.first, range.count, std::move(*indices), *material, source.topology};
        if (source.is_loop && !primitive.indices.empty()) primitive.indices.push_back(primitive.indices.front());
        if (auto repaired = repair(primitive, source.path); !repaired) return repaired;
        cut_to_whole(primitive, source.path);
        mesh_.primitives.push_back(std::move(primitive));
        return {};
    }

    Result<Bulk<std::uint32_t>> indices_of(PrimitiveSource& source, std::uint32_t count) {
        if (source.decoded_indices) return std::move(*source.decoded_indices);
        if (source.indices != no_index) {
            auto indices = reading_.asset.indices(source.indices);
            if (!source_.is_tentative) reading_.asset.spend(source.indices);
            return indices;
        }
        if (auto taken = reading_.take(count, sizeof(std::uint32_t), source.path); !taken) return fail(taken.error());
        Bulk<std::uint32_t> indices(count);
        std::iota(indices.begin(), indices.end(), 0u);
        return indices;
    }

    Result<void> repair(Primitive& primitive, const std::string& path) {
        const auto bad = find_not_below(primitive.indices, primitive.vertex_count);
        if (!bad) return {};
        const std::uint32_t found = primitive.indices[*bad];
        if (auto taken = reading_.take(primitive.indices.size(), 4 * sizeof(std::uint32_t), path); !taken) return taken;
        Separator(primitive, primitive.vertex_count).run();
        reading_.note(codes::gltf_index_range, path + " / indices",
                      "what has a corner that is none of the primitive's vertices is left out", std::to_string(found),
                      "below " + std::to_string(primitive.vertex_count));
        return {};
    }

    void cut_to_whole(Primitive& primitive, const std::string& path) {
        const std::size_t count = primitive.indices.size();
        if (makes_whole(primitive.topology, count)) return;
        const std::size_t step = primitive.topology == Topology::triangles ? 3
                                 : primitive.topology == Topology::lines   ? 2
                                                                           : count;
        primitive.indices.resize(step == count ? 0 : count - count % step);
        reading_.note(codes::gltf_indices_left, path + " / indices",
                      "the indices form no whole triangles or lines; what is left over is left out",
                      std::to_string(count) + " indices");
    }

    Reading& reading_;
    MeshSource& source_;
    Mesh& mesh_;
};

Attribute* find(Mesh& mesh, Semantic semantic) {
    return first_where(mesh.attributes, [&](const Attribute& attribute) { return attribute.semantic == semantic; });
}

using Primitives = std::vector<const Primitive*>;

// The primitives of each range.
std::vector<Primitives> by_range(const MeshSource& source, const Mesh& mesh) {
    std::vector<Primitives> ranges(source.ranges.size());
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        ranges[source.primitives[i].range].push_back(&mesh.primitives[i]);
    }
    return ranges;
}

// Of all triangles around each vertex, by area.
void fill_normals(const VertexRange& range, const Primitives& primitives, std::span<const Vec3> positions,
                  std::span<Vec3> normals) {
    std::vector<glm::dvec3> sums(range.count, glm::dvec3(0));
    for (const Primitive* const primitive : primitives) {
        for_each_triangle(*primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const glm::dvec3 p = wide(positions[range.first + a]);
            const glm::dvec3 normal =
                glm::cross(wide(positions[range.first + b]) - p, wide(positions[range.first + c]) - p);
            for (const std::uint32_t corner : {a, b, c}) sums[corner] += normal;
        });
    }
    for (std::uint32_t i = 0; i < range.count; ++i) normals[range.first + i] = narrow(direction_of(sums[i], {0, 0, 1}));
}

Vec4 tangent_of(const Vec3& normal) {
    const glm::dvec3 n = wide(normal);
    const glm::dvec3 axis = std::abs(n.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    const glm::dvec3 tangent = axis - n * glm::dot(axis, n);
    const double length = glm::length(tangent);
    const Vec3 unit = length > 1e-6 ? narrow(tangent / length) : Vec3{1, 0, 0};
    return {unit.x, unit.y, unit.z, 1};
}

}  // namespace

Result<void> read_primitives(Reading& reading, MeshSource& source, Mesh& mesh) {
    return PrimitiveReader(reading, source, mesh).read();
}

void fill_vectors(const MissingVectors& missing, const MeshSource& source, Mesh& mesh) {
    Attribute* const positions = find(mesh, Semantic::position);
    Attribute* const normals = find(mesh, Semantic::normal);
    Attribute* const tangents = find(mesh, Semantic::tangent);
    const auto primitives = missing.normals.empty() ? std::vector<Primitives>() : by_range(source, mesh);
    for (const std::size_t i : missing.normals) {
        fill_normals(source.ranges[i], primitives[i], positions->data.as<Vec3>(), normals->data.as<Vec3>());
    }
    for (const std::size_t i : missing.tangents) {
        const VertexRange& range = source.ranges[i];
        for (std::size_t vertex = range.first; vertex < std::size_t{range.first} + range.count; ++vertex) {
            const Vec3 normal = normals != nullptr ? normals->data.as<Vec3>()[vertex] : Vec3{0, 0, 1};
            tangents->data.as<Vec4>()[vertex] = tangent_of(normal);
        }
    }
}

}  // namespace effigy::gltf
