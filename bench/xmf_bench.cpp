/// Reading XMF against nothing but decompressing the same streams into freshly allocated buffers.

#include <cmath>
#include <cstring>
#include <libdeflate.h>
#include <memory>

#include "effigy/xmf.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

template <class T>
void put(Bytes& bytes, T value) {
    const auto* start = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), start, start + sizeof value);
}

/// A wavy sheet of side x side vertices with P3 N T UVf C0, as a ship's hull has them.
xmf::File make_sheet(std::uint32_t side) {
    xmf::File file;
    file.buffers.resize(2);
    xmf::Buffer& vertices = file.buffers[0];
    vertices.format = 32;
    vertices.item_count = side * side;
    vertices.item_size = 32;
    vertices.element_count = 5;
    using xmf::ElementType;
    using xmf::Usage;
    vertices.elements[0] = {ElementType::float3, Usage::position, 0, {}};
    vertices.elements[1] = {ElementType::color, Usage::normal, 0, {}};
    vertices.elements[2] = {ElementType::color, Usage::tangent, 0, {}};
    vertices.elements[3] = {ElementType::float2, Usage::texcoord, 0, {}};
    vertices.elements[4] = {ElementType::color, Usage::color, 0, {}};
    for (std::uint32_t index = 0; index < side * side; ++index) {
        const auto x = static_cast<float>(index % side), z = static_cast<float>(index / side);
        put(vertices.content, Vec3{0.37f * x, std::sin(0.21f * x) * std::cos(0.17f * z), 0.41f * z});
        put(vertices.content, 0x0080ff80u + index % 7 * 0x010001u);
        put(vertices.content, 0x00ff8080u - index % 5 * 0x010000u);
        put(vertices.content, Vec2{x / static_cast<float>(side), z / static_cast<float>(side)});
        put(vertices.content, 0x66808080u + index % 31);
    }
    xmf::Buffer& indices = file.buffers[1];
    indices.kind = xmf::index_buffer_kind;
    const bool wide = side * side > 65536;
    indices.format = wide ? xmf::index_format_32 : xmf::index_format_16;
    indices.item_size = wide ? 4 : 2;
    indices.item_count = 6 * (side - 1) * (side - 1);
    for (std::uint32_t row = 0; row + 1 < side; ++row) {
        for (std::uint32_t column = 0; column + 1 < side; ++column) {
            const std::uint32_t corner = row * side + column;
            for (const std::uint32_t vertex :
                 {corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1}) {
                wide ? put(indices.content, vertex) : put(indices.content, static_cast<std::uint16_t>(vertex));
            }
        }
    }
    file.materials.resize(1);
    file.materials[0].index_count = indices.item_count;
    std::memcpy(file.materials[0].name.data(), "hull.panel", 10);
    return file;
}

void inflate_streams(const xmf::File& file) {
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    std::vector<std::unique_ptr<std::byte[]>> blocks;
    for (const xmf::Buffer& buffer : file.buffers) {
        blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(buffer.content.size()));
        const libdeflate_result result =
            libdeflate_zlib_decompress(decompressor.get(), file.data.data() + buffer.data_offset, buffer.stored_size,
                                       blocks.back().get(), buffer.content.size(), nullptr);
        benchmark::DoNotOptimize(result);
    }
    benchmark::DoNotOptimize(blocks.data());
    benchmark::ClobberMemory();
}

/// The sheet several times over, as meshes have it whose vertices lie in several buffers.
xmf::File make_sheets(std::uint32_t side, std::size_t count) {
    xmf::File file = make_sheet(side);
    const std::vector<xmf::Buffer> one = file.buffers;
    for (std::size_t i = 1; i < count; ++i) file.buffers.insert(file.buffers.end(), one.begin(), one.end());
    return file;
}

void read_mesh(benchmark::State& state) {
    const auto sheets = static_cast<std::size_t>(state.range(1));
    const auto written = xmf::write(make_sheets(static_cast<std::uint32_t>(state.range(0)), sheets));
    if (!written) return state.SkipWithError("the mesh cannot be written");
    const Bytes& bytes = *written;
    const xmf::File file = xmf::read(bytes)->value;
    // Small files take microseconds: many make one measurement.
    const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{4} << 20) / bytes.size());
    run_pair(
        state, Ratio::speed, sheets > 1 ? 1.7 : 0.9,
        [&] {
            for (std::size_t repeat = 0; repeat < repeats; ++repeat) benchmark::DoNotOptimize(xmf::read(bytes));
        },
        [&] {
            for (std::size_t repeat = 0; repeat < repeats; ++repeat) inflate_streams(file);
        });
    state.counters["kB"] = static_cast<double>(bytes.size()) / 1e3;
    state.counters["items"] = static_cast<double>(file.buffers[0].item_count);
}
/// From a crate over the median of the known files to more than their largest; several buffers are read on several
/// cores, against one.
BENCHMARK(read_mesh)
    ->ArgNames({"side", "sheets"})
    ->Args({5, 1})
    ->Args({20, 1})
    ->Args({64, 1})
    ->Args({200, 1})
    ->Args({450, 1})
    ->Args({450, 2})
    ->Args({450, 4})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25);

}  // namespace
}  // namespace effigy::bench
