/// Levels of detail of a large mesh: what all of them take together.

#include <benchmark/benchmark.h>
#include <cmath>
#include <numbers>

#include "effigy/levels.hpp"

namespace effigy::bench {
namespace {

template <class T>
void add(Mesh& mesh, Semantic semantic, ElementType element, const std::vector<T>& values) {
    Attribute& attribute = mesh.attributes.emplace_back();
    attribute.semantic = semantic;
    attribute.data.element = element;
    const auto* start = reinterpret_cast<const std::byte*>(values.data());
    attribute.data.bytes.assign(start, start + values.size() * sizeof(T));
}

/// A wavy ball with normals, texture coordinates and a seam: 4 * rows^2 triangles.
Scene make_ball(std::uint32_t rows) {
    std::vector<Vec3> positions, normals;
    std::vector<Vec2> texcoords;
    Primitive primitive;
    const std::uint32_t columns = 2 * rows;
    for (std::uint32_t row = 0; row <= rows; ++row) {
        for (std::uint32_t column = 0; column <= columns; ++column) {
            const double u = static_cast<double>(column) / columns, v = (row + 0.5) / (rows + 1);
            const double around = 2 * std::numbers::pi * (column == columns ? 0 : u), down = std::numbers::pi * v;
            const double radius = 1 + 0.02 * std::sin(9 * down) * std::sin(11 * around);
            const Vec3 normal{static_cast<float>(std::sin(down) * std::cos(around)), static_cast<float>(std::cos(down)),
                              static_cast<float>(-std::sin(down) * std::sin(around))};
            const auto scale = static_cast<float>(radius);
            positions.push_back({scale * normal.x, scale * normal.y, scale * normal.z});
            normals.push_back(normal);
            texcoords.push_back({static_cast<float>(u), static_cast<float>(v)});
            if (row == rows || column == columns) continue;
            const std::uint32_t i = row * (columns + 1) + column, below = i + columns + 1;
            for (const std::uint32_t index : {i, below, i + 1, i + 1, below, below + 1})
                primitive.indices.push_back(index);
        }
    }
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = primitive.vertex_count = static_cast<std::uint32_t>(positions.size());
    add(mesh, Semantic::position, ElementType::vec3, positions);
    add(mesh, Semantic::normal, ElementType::vec3, normals);
    add(mesh, Semantic::texcoord, ElementType::vec2, texcoords);
    mesh.primitives.push_back(std::move(primitive));
    scene.nodes.emplace_back().mesh = 0;
    return scene;
}

void levels(benchmark::State& state) {
    const Scene scene = make_ball(static_cast<std::uint32_t>(state.range(0)));
    LevelOptions options;
    options.ratios = usual_level_ratios(4);
    for (auto _ : state) {
        Scene made = scene;
        if (!make_levels(made, options)) state.SkipWithError("no levels");
    }
    state.counters["triangles"] = static_cast<double>(scene.meshes[0].primitives[0].indices.size() / 3);
}
BENCHMARK(levels)->Arg(50)->Arg(158)->Arg(500)->Unit(benchmark::kMillisecond);

void hulls(benchmark::State& state) {
    const Scene scene = make_ball(static_cast<std::uint32_t>(state.range(0)));
    LevelOptions options;
    options.collision = CollisionShape::hull;
    for (auto _ : state) {
        Scene made = scene;
        if (!make_levels(made, options)) state.SkipWithError("no hull");
    }
}
BENCHMARK(hulls)->Arg(158)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
