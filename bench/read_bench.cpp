/// Reading: actors into owned memory, motions to float keys, many small files.

#include <array>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include "effigy/emfx_scene.hpp"
#include "effigy/files.hpp"

#include "generate.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

using Block = std::unique_ptr<std::byte[]>;

/// memcpy of `bytes` into freshly allocated blocks of `sizes`, freed at the end.
void copy_in_blocks(std::span<const std::byte> bytes, const std::vector<std::size_t>& sizes) {
    std::vector<Block> blocks;
    blocks.reserve(sizes.size());
    const std::byte* from = bytes.data();
    for (const std::size_t size : sizes) {
        blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
        std::memcpy(blocks.back().get(), from, size);
        from += size;
    }
    benchmark::DoNotOptimize(blocks.data());
    benchmark::ClobberMemory();
}

/// The sizes of the bulk arrays of a file, and one more for the rest, which together are `total`.
std::vector<std::size_t> block_sizes(const xac::File& file, std::size_t total) {
    std::vector<std::size_t> sizes;
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) {
            for (const xac::VertexLayer& layer : mesh->layers) sizes.push_back(layer.data.size());
            for (const xac::Submesh& submesh : mesh->submeshes) sizes.push_back(submesh.indices.size() * 4);
        }
        if (const auto* skinning = std::get_if<xac::Skinning>(&chunk.record)) {
            sizes.push_back(skinning->influences.size() * 8);
            sizes.push_back(skinning->ranges.size() * 8);
        }
    }
    for (const std::size_t size : sizes) total -= size;
    sizes.push_back(total);
    return sizes;
}

void read_actor(benchmark::State& state) {
    const xac::File file = make_actor(100'000'000, state.range(0) != 0);
    const Bytes bytes = *xac::write(file);
    const std::vector<std::size_t> sizes = block_sizes(file, bytes.size());
    run_pair(
        state, Ratio::speed, 0.6, [&] { benchmark::DoNotOptimize(xac::read(bytes)); },
        [&] { copy_in_blocks(bytes, sizes); });
    state.counters["MB"] = static_cast<double>(bytes.size()) / 1e6;
}
BENCHMARK(read_actor)
    ->ArgName("skinned")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

/// Copies of `sizes` bytes each, from a buffer of as many bytes.
void compare_with_copy(benchmark::State& state, double goal, const std::vector<std::size_t>& sizes, auto&& subject) {
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    const Bytes source(total);
    run_pair(state, Ratio::speed, goal, subject, [&] { copy_in_blocks(source, sizes); });
    state.counters["MB"] = static_cast<double>(total) / 1e6;
}

constexpr std::uint32_t tracks = 60;

/// From bytes to float keys. Packed rotations are decoded, float ones are there once they have been read.
void read_motion_keys(benchmark::State& state) {
    const bool packed = state.range(0) != 0;
    const auto keys = static_cast<std::uint32_t>(state.range(1));
    const Bytes bytes = *xsm::write(make_motion(tracks, keys, packed));
    std::vector<std::size_t> sizes;
    for (std::uint32_t track = 0; track < tracks; ++track) {
        sizes.push_back(keys * sizeof(xsm::VectorKey));
        sizes.push_back(keys * sizeof(xsm::RotationKey<Quat>));
    }
    compare_with_copy(state, 0.6, sizes, [&] {
        auto motion = xsm::read(bytes);
        std::vector<Bulk<xsm::RotationKey<Quat>>> rotations;
        if (const auto* list = std::get_if<xsm::PackedSubmotions>(&motion->value.chunks.back().record)) {
            for (const xsm::PackedSubmotion& submotion : list->submotions)
                rotations.push_back(xsm::decode(submotion.rotation_keys));
        }
        benchmark::DoNotOptimize(motion);
        benchmark::DoNotOptimize(rotations.data());
    });
}
/// Keys a track: a long game motion, one that fills a level-2 cache, and one of the size of the actor above.
constexpr std::array<std::int64_t, 3> key_counts{120, 4000, 40000};

BENCHMARK(read_motion_keys)
    ->ArgNames({"packed", "keys"})
    ->ArgsProduct({{0, 1}, {key_counts.begin(), key_counts.end()}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(51);

/// All the way to the scene's tracks: mirrored, unit, signs made continuous, times made strictly increasing.
void motion_to_scene(benchmark::State& state) {
    const auto keys = static_cast<std::uint32_t>(state.range(1));
    const Bytes bytes = *xsm::write(make_motion(tracks, keys, state.range(0) != 0));
    const auto convert = [&] {
        emfx::SceneInput input;
        input.motions.push_back({{"motion", 0, ""}, xsm::read(bytes)->value, {}});
        return emfx::to_scene(std::move(input));
    };
    const auto scene = convert();
    if (!scene) return state.SkipWithError("the motion cannot be converted");
    std::vector<std::size_t> sizes;
    for (const Track& track : scene->value.clips.front().tracks) {
        sizes.push_back(track.times.size() * 4);
        sizes.push_back(track.values.size() * 4);
    }
    compare_with_copy(state, 0, sizes, [&] { benchmark::DoNotOptimize(convert()); });
    state.counters.erase("goal_at_least");
}
BENCHMARK(motion_to_scene)
    ->ArgNames({"packed", "keys"})
    ->ArgsProduct({{0, 1}, {key_counts.begin(), key_counts.end()}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

void read_whole(const std::filesystem::path& path, std::span<std::byte> buffer) {
    const int descriptor = ::open(path.c_str(), O_RDONLY);
    benchmark::DoNotOptimize(::read(descriptor, buffer.data(), buffer.size()));
    ::close(descriptor);
}

void read_small_files(benchmark::State& state) {
    constexpr int files = 200;
    const auto folder = std::filesystem::temp_directory_path() / ("effigy-bench-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    xac::File file = make_actor(2000, true);
    std::get<xac::Nodes>(file.chunks[1].record).nodes.resize(16);
    const Bytes bytes = *xac::write(file);
    std::vector<std::filesystem::path> paths;
    for (int index = 0; index < files; ++index) {
        paths.push_back(folder / (std::to_string(index) + ".xac"));
        if (!write_bytes(paths.back(), bytes)) return state.SkipWithError("the files cannot be written");
    }
    std::vector<std::byte> buffer(bytes.size());
    run_pair(
        state, Ratio::speed, 0.7,
        [&] {
            for (const auto& path : paths) benchmark::DoNotOptimize(xac::read_file(path));
        },
        [&] {
            for (const auto& path : paths) read_whole(path, buffer);
        });
    state.counters["bytes"] = static_cast<double>(bytes.size());
    std::filesystem::remove_all(folder);
}
BENCHMARK(read_small_files)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(200);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
