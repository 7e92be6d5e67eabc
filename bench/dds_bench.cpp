/// Writing DDS against memcpy of the same pixels: levels alone, and with each way to hold them. Writing PNG against
/// zlib.

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>
#include <zlib.h>

#include "effigy/image.hpp"

#include "pair.hpp"

namespace effigy::bench {
namespace {

/// Spots, waves and grain, with or without an edge of alpha: no two blocks are the same.
image::Picture make_texture(std::uint32_t side, bool alpha) {
    image::Picture picture;
    picture.width = picture.height = side;
    picture.has_alpha = alpha;
    picture.rgba.resize(std::size_t{side} * side * 4);
    std::uint32_t grain = 1;
    for (std::uint32_t index = 0; index < side * side; ++index) {
        const auto x = static_cast<float>(index % side), y = static_cast<float>(index / side);
        grain = grain * 1664525u + 1013904223u;
        const float wave = 90 * std::sin(0.031f * x) * std::cos(0.027f * y) + static_cast<float>(grain >> 27u);
        const float opacity = 128 + 300 * std::sin(0.05f * x + 0.03f * y);
        std::byte* const pixel = picture.rgba.data() + std::size_t{index} * 4;
        for (int channel = 0; channel < 3; ++channel)
            pixel[channel] = static_cast<std::byte>(std::lround(120 + wave * static_cast<float>(3 - channel) / 3));
        pixel[3] = static_cast<std::byte>(alpha ? std::lround(std::min(std::max(opacity, 0.0f), 255.0f)) : 255);
    }
    return picture;
}

struct Case {
    const char* name;
    image::DdsOptions options;
    bool alpha;
    double goal;  ///< copies of the pixels that it may take as long as
};

void write_dds(benchmark::State& state, const Case& one) {
    const auto side = static_cast<std::uint32_t>(state.range(0));
    const image::Picture picture = make_texture(side, one.alpha);
    const double megapixels = static_cast<double>(side) * side / 1e6;
    run_pair(
        state, Ratio::time, one.goal, [&] { benchmark::DoNotOptimize(image::encode_dds(picture, one.options)); },
        [&] {
            const auto block = std::make_unique_for_overwrite<std::byte[]>(picture.rgba.size());
            std::memcpy(block.get(), picture.rgba.data(), picture.rgba.size());
            benchmark::DoNotOptimize(block.get());
            benchmark::ClobberMemory();
        });
    state.counters["ms_per_megapixel"] = state.counters["subject_ms"] / megapixels;
}

/// The pixels of a texture whose blocks were decoded, and others.
void write_png(benchmark::State& state, bool was_compressed) {
    image::Picture picture = make_texture(static_cast<std::uint32_t>(state.range(0)), false);
    if (was_compressed)
        picture = *image::decode(*image::encode_dds(picture, {.coding = image::DdsCoding::bc1, .filtering = {}}));
    std::vector<Bytef> stream(compressBound(static_cast<uLong>(picture.rgba.size())));
    std::size_t png_size = 0;
    uLongf size = 0;
    run_pair(
        state, Ratio::speed, 1.5, [&] { png_size = image::encode_png(picture)->size(); },
        [&] {
            size = stream.size();
            benchmark::DoNotOptimize(compress2(stream.data(), &size,
                                               reinterpret_cast<const Bytef*>(picture.rgba.data()),
                                               static_cast<uLong>(picture.rgba.size()), 6));
        });
    state.counters["size_to_zlib"] = static_cast<double>(png_size) / static_cast<double>(size);
}

void register_cases() {
    using image::DdsCoding;
    using image::Role;
    const Case cases[]{
        {"levels of colour", {.coding = DdsCoding::uncompressed, .filtering = {}}, false, 150},
        {"levels of tested alpha", {.coding = DdsCoding::uncompressed, .filtering = {.alpha_cutoff = 0.5f}}, true, 220},
        {"levels of normals", {.coding = DdsCoding::uncompressed, .filtering = {.role = Role::normal}}, false, 200},
        {"BC1", {.coding = DdsCoding::bc1, .filtering = {}}, false, 12000},
        {"BC3", {.coding = DdsCoding::bc3, .filtering = {}}, true, 12000},
        {"BC3, gzip", {.coding = DdsCoding::bc3, .filtering = {}, .gzip = true}, true, 12500},
        {"BC4", {.coding = DdsCoding::bc4, .filtering = {.role = Role::linear}}, false, 600},
        {"BC5", {.coding = DdsCoding::bc5, .filtering = {.role = Role::normal}}, false, 900},
    };
    for (const bool was_compressed : {false, true}) {
        benchmark::RegisterBenchmark(was_compressed ? "PNG of a texture" : "PNG", write_png, was_compressed)
            ->ArgName("side")
            ->Arg(1024)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(9);
    }
    for (const Case& one : cases) {
        for (const int side : {512, 4096}) {
            benchmark::RegisterBenchmark(one.name, write_dds, one)
                ->ArgName("side")
                ->Arg(side)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond)
                ->Iterations(side == 512 ? 15 : 3);
        }
    }
}

}  // namespace
}  // namespace effigy::bench

int main(int argc, char** argv) {
    effigy::bench::register_cases();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
