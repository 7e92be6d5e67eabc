/// Reading X42 against memcpy of as many bytes into freshly allocated blocks of the same sizes.

#include <cstring>
#include <memory>

#include "effigy/x42.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

constexpr std::uint32_t group_vertices = 60'000;

/// A hundred bytes of strings, 64 bones, long animation, and groups until the file has about `size` bytes.
x42::File make_model(std::size_t size, bool big_endian) {
    using namespace x42;
    File file;
    file.big_endian = big_endian;
    file.header.model_flags = has_normals | has_tangents | has_texcoords | has_colors;
    file.header.frame_count = 1000;
    file.strings.resize(100);
    file.bones.resize(64);
    file.positions.resize(20'000, {1, 2, 3});
    file.rotations.resize(20'000, {0, 0, 0, 32767});
    file.scales.resize(3, 32765);
    file.keys.resize(60'000);
    file.influences.resize(64);
    constexpr std::size_t vertex_size = 6 + 7 + 3 + 7 + 4 + 4 + 6 * 2;  // with six indices for each
    file.groups.resize(std::max<std::size_t>(1, size / (group_vertices * vertex_size)));
    for (std::size_t index = 0; index < file.groups.size(); ++index) {
        Group& group = file.groups[index];
        group.vertex_influences = max_weights;
        group.influence_count = max_influences;
        group.first_vertex = static_cast<std::uint32_t>(index) * group_vertices;
        group.vertex_count = group_vertices;
        group.first_index = group.first_vertex * 6;
        group.element_count = group_vertices * 6;
    }
    const std::size_t vertices = file.groups.size() * group_vertices;
    file.vertices.resize(vertices, {1, 2, 3});
    file.blend.resize(vertices * 7);
    file.normals.resize(vertices, {0, 127, 0});
    file.tangents.resize(vertices, {127, 0, 0, 127, 0, 0, 127});
    file.texcoords.resize(vertices, {7, 8});
    file.colors.resize(vertices, {255, 255, 255, 255});
    file.indices.resize(vertices * 6, 5);
    return file;
}

/// The arrays' sizes in the order of the file, and one for the headers.
std::vector<std::size_t> block_sizes(const x42::File& file, std::size_t total) {
    std::vector<std::size_t> sizes;
    const auto add = [&](const auto& array) {
        sizes.push_back(array.size() * sizeof array[0]);
        total -= sizes.back();
    };
    add(file.bones);
    add(file.positions);
    add(file.scales);
    add(file.rotations);
    add(file.keys);
    add(file.influences);
    add(file.groups);
    add(file.vertices);
    add(file.blend);
    add(file.normals);
    add(file.tangents);
    add(file.texcoords);
    add(file.colors);
    add(file.indices);
    add(file.strings);
    sizes.push_back(total);
    return sizes;
}

/// `make` gives a new block of a size.
void copy_in_blocks(std::span<const std::byte> bytes, const std::vector<std::size_t>& sizes, auto&& make) {
    std::vector<decltype(make(std::size_t{}))> blocks;
    blocks.reserve(sizes.size());
    const std::byte* from = bytes.data();
    for (const std::size_t size : sizes) {
        blocks.push_back(make(size));
        std::memcpy(&blocks.back()[0], from, size);
        from += size;
    }
    benchmark::DoNotOptimize(blocks.data());
    benchmark::ClobberMemory();
}

/// The blocks to copy to are the system's, or of the library's own kind, which has huge pages.
void read_model(benchmark::State& state) {
    const x42::File file = make_model(static_cast<std::size_t>(state.range(0)) * 1'000'000, state.range(1) != 0);
    const auto written = x42::write(file);
    if (!written) return state.SkipWithError("the model cannot be written");
    const Bytes& bytes = *written;
    const std::vector<std::size_t> sizes = block_sizes(file, bytes.size());
    const bool own_blocks = state.range(2) != 0;
    // The goal is for files that are stored as the machine has its numbers.
    run_pair(
        state, Ratio::speed, 0.6, [&] { benchmark::DoNotOptimize(x42::read(bytes)); },
        [&] {
            if (own_blocks) return copy_in_blocks(bytes, sizes, [](std::size_t block) { return Bytes(block); });
            copy_in_blocks(bytes, sizes,
                           [](std::size_t block) { return std::make_unique_for_overwrite<std::byte[]>(block); });
        });
    if (file.big_endian) state.counters.erase("goal_at_least");
    state.counters["MB"] = static_cast<double>(bytes.size()) / 1e6;
}
BENCHMARK(read_model)
    ->ArgNames({"MB", "big_endian", "own_blocks"})
    ->Args({4, 0, 0})
    ->Args({100, 0, 0})
    ->Args({100, 0, 1})
    ->Args({100, 1, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

}  // namespace
}  // namespace effigy::bench
