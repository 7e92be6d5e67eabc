/// From glTF to the games' files: reading a .glb, writing what a scene becomes, comparing two scenes.

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <zlib.h>

#include "effigy/diff.hpp"
#include "effigy/gltf.hpp"
#include "effigy/registry.hpp"
#include "effigy/xmf.hpp"

#include "generate.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

template <class T>
T need(Result<T> result) {
    if (!result) throw std::runtime_error(to_string(result.error()));
    return std::move(*result);
}

Scene scene_of_actor(std::uint64_t bytes, bool skinned) {
    const Bytes actor = need(xac::write(make_actor(bytes, skinned)));
    std::vector<SceneSource> sources;
    sources.push_back({need(open_bytes(actor, "sheet.xac")).value, "sheet.xac", 0, {}});
    return need(to_scene(std::move(sources))).value;
}

/// Without hashes there is nothing to compare the data with.
void forget_extras(Scene& scene) {
    for (Node& node : scene.nodes) node.extras = {};
    for (Mesh& mesh : scene.meshes) mesh.extras = {};
    for (Skin& skin : scene.skins) skin.extras = {};
    for (Material& material : scene.materials) material.extras = {};
    scene.asset_extras = {};
}

Scene read_glb(const Bytes& glb) {
    const gltf::File file = need(gltf::read(glb)).value;
    return need(gltf::to_scene(file)).value;
}

void copy_bytes(const Bytes& bytes) {
    const auto block = std::make_unique_for_overwrite<std::byte[]>(bytes.size());
    std::memcpy(block.get(), bytes.data(), bytes.size());
    benchmark::DoNotOptimize(block.get());
    benchmark::ClobberMemory();
}

/// A .glb of plain accessors to a scene, against one copy of its bytes into fresh memory.
void read_scene(benchmark::State& state) {
    Scene scene = scene_of_actor(100'000'000, true);
    if (state.range(0) == 0) forget_extras(scene);
    const Bytes glb = need(gltf::write_glb(scene));
    scene = {};
    run_pair(
        state, Ratio::time, 5, [&] { benchmark::DoNotOptimize(read_glb(glb)); }, [&] { copy_bytes(glb); });
    state.counters["MB"] = static_cast<double>(glb.size()) / 1e6;
}
BENCHMARK(read_scene)
    ->ArgName("hashes")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);

/// What hashes cost: reading with them against reading without.
void check_hashes(benchmark::State& state) {
    Scene scene = scene_of_actor(50'000'000, true);
    const Bytes with = need(gltf::write_glb(scene));
    forget_extras(scene);
    const Bytes without = need(gltf::write_glb(scene));
    scene = {};
    run_pair(
        state, Ratio::time, 1.25, [&] { benchmark::DoNotOptimize(read_glb(with)); },
        [&] { benchmark::DoNotOptimize(read_glb(without)); });
}
BENCHMARK(check_hashes)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(15);

/// A scene to an actor, from its record or (`derived`) anew, against reading that actor into a scene.
void write_actor(benchmark::State& state) {
    const Scene made = scene_of_actor(20'000'000, true);
    Scene scene = read_glb(need(gltf::write_glb(made)));
    if (state.range(0) != 0) forget_extras(scene);
    const Bytes actor = need(make_files(scene, "sheet.xac")).value.front().bytes;
    run_pair(
        state, Ratio::time, state.range(0) != 0 ? 5 : 2,
        [&] { benchmark::DoNotOptimize(make_files(scene, "sheet.xac")); },
        [&] {
            std::vector<SceneSource> sources;
            sources.push_back({need(open_bytes(actor, "sheet.xac")).value, "sheet.xac", 0, {}});
            benchmark::DoNotOptimize(to_scene(std::move(sources)));
        });
    state.counters["MB"] = static_cast<double>(actor.size()) / 1e6;
}
BENCHMARK(write_actor)
    ->ArgName("derived")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);

void compress_all(const std::vector<Bytes>& contents) {
    for (const Bytes& content : contents) {
        uLongf size = compressBound(static_cast<uLong>(content.size()));
        Bytes packed(size);
        benchmark::DoNotOptimize(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                           reinterpret_cast<const Bytef*>(content.data()),
                                           static_cast<uLong>(content.size()), Z_BEST_COMPRESSION));
    }
}

/// A scene to a mesh of Egosoft's, against nothing but compressing the same buffers.
void write_mesh(benchmark::State& state) {
    Scene scene = scene_of_actor(5'000'000, false);
    forget_extras(scene);
    const Bytes mesh = need(make_files(scene, "sheet.xmf")).value.front().bytes;
    std::vector<Bytes> contents;
    for (const xmf::Buffer& buffer : need(xmf::read(mesh)).value.buffers) contents.push_back(buffer.content);
    run_pair(
        state, Ratio::time, 1.5, [&] { benchmark::DoNotOptimize(make_files(scene, "sheet.xmf")); },
        [&] { compress_all(contents); });
    state.counters["MB"] = static_cast<double>(mesh.size()) / 1e6;
}
BENCHMARK(write_mesh)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(15);

/// Comparing a scene with itself, against reading it twice.
void compare(benchmark::State& state) {
    const Bytes glb = need(gltf::write_glb(scene_of_actor(20'000'000, true)));
    const Scene a = read_glb(glb), b = read_glb(glb);
    run_pair(
        state, Ratio::time, 1, [&] { benchmark::DoNotOptimize(diff_scenes(a, b)); },
        [&] {
            benchmark::DoNotOptimize(read_glb(glb));
            benchmark::DoNotOptimize(read_glb(glb));
        });
    state.counters["MB"] = static_cast<double>(glb.size()) / 1e6;
}
BENCHMARK(compare)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
