/// Compressed motions of EMotion FX: 60 joints for 10 minutes, decoded against memcpy of the keys that come out, and
/// where the time goes; compressed; and as a clip.

#include <cmath>
#include <cstring>
#include <vector>

#include "effigy/emfx_scene.hpp"
#include "effigy/xsm_wavelets.hpp"

#include "emfx/file/wavelet_code.hpp"
#include "emfx/file/wavelets.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

constexpr std::size_t joint_count = 60;
constexpr double seconds = 600, keys_per_second = 30;

/// Each joint swings about its own axis, the first one walks as well.
xsm::Submotions make_motion() {
    xsm::Submotions motion;
    const auto count = static_cast<std::size_t>(seconds * keys_per_second) + 1;
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        xsm::Submotion& submotion = motion.submotions.emplace_back();
        submotion.node_name = "joint" + std::to_string(joint);
        submotion.rotation_keys.resize(count);
        for (std::size_t key = 0; key < count; ++key) {
            const double time = static_cast<double>(key) / keys_per_second, phase = 0.7 * static_cast<double>(joint);
            const auto swing = [&](double speed) { return 0.3 * std::sin(speed * time + phase); };
            const double x = swing(2.1), y = swing(3.3), z = swing(1.2), w = std::sqrt(1 - x * x - y * y - z * z);
            submotion.rotation_keys[key] = {
                {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w)},
                static_cast<float>(time)};
            if (joint != 0) continue;
            submotion.position_keys.push_back({{static_cast<float>(10 * swing(1)), static_cast<float>(10 + swing(4)),
                                                static_cast<float>(20 * swing(0.5))},
                                               static_cast<float>(time)});
        }
    }
    return motion;
}

xsm::WaveletOptions options_of(const benchmark::State& state) {
    xsm::WaveletOptions options;
    options.transform = static_cast<xsm::Transform>(state.range(0));
    options.quality = static_cast<double>(state.range(1));
    options.samples_per_second = static_cast<double>(state.range(2));
    return options;
}

const xsm::Submotions& motion() {
    static const xsm::Submotions made = make_motion();
    return made;
}

Limits wide_limits() {
    Limits limits;
    limits.memory = std::uint64_t{4} << 30;
    return limits;
}

/// To blocks of the library's own kind, all of which are there at the end, as those of decoded keys are.
void copy_keys(const xsm::Submotions& from) {
    std::vector<Bulk<xsm::RotationKey<Quat>>> blocks;
    blocks.reserve(from.submotions.size());
    for (const xsm::Submotion& submotion : from.submotions) {
        const auto& keys = submotion.rotation_keys;
        std::memcpy(blocks.emplace_back(keys.size()).data(), keys.data(), keys.size() * sizeof keys[0]);
    }
    benchmark::DoNotOptimize(blocks.data());
    benchmark::ClobberMemory();
}

/// Without a chunk's transforms and keys.
void read_code(const xsm::Wavelet& wavelet) {
    Bytes out;
    for (const xsm::WaveletChunk& chunk : wavelet.chunks) {
        out.resize(wavelet.decompressed_rotation_bytes + xsm::code_slack);
        benchmark::DoNotOptimize(xsm::read_codes(chunk.rotations, out, wavelet.decompressed_rotation_bytes));
    }
}

/// With what the code takes, but no keys.
void read_samples(const xsm::Wavelet& wavelet) {
    xsm::WaveletReader reader(wavelet, false);
    for (std::size_t chunk = 0; chunk < wavelet.chunks.size(); ++chunk) {
        (void)reader.open(chunk);
        for (std::size_t track = 0; track < wavelet.rotation_track_count; ++track)
            benchmark::DoNotOptimize(reader.samples(xsm::WaveletBlock::rotations, track).data());
    }
}

void decode_motion(benchmark::State& state) {
    const auto encoded = xsm::encode(motion(), false, options_of(state), wide_limits());
    if (!encoded) return state.SkipWithError("the motion cannot be compressed");
    const xsm::Wavelet& wavelet = encoded->wavelet;
    const auto decoded = xsm::decode(wavelet, false, wide_limits());
    if (!decoded) return state.SkipWithError("the motion cannot be decoded");
    run_pair(
        state, Ratio::time, 60, [&] { benchmark::DoNotOptimize(xsm::decode(wavelet, false, wide_limits())); },
        [&] { copy_keys(decoded->value); });
    const auto time_of = [&](auto work) {
        std::vector<double> times;
        for (int i = 0; i < 15; ++i) {
            const double start = now();
            work(wavelet);
            times.push_back(1e3 * (now() - start));
        }
        return quantile(times, 0.5);
    };
    std::size_t size = 0, keys = 0;
    for (const xsm::WaveletChunk& chunk : wavelet.chunks)
        size += 40 + chunk.rotations.size() + chunk.positions.size() + chunk.scales.size();
    for (const xsm::Submotion& submotion : decoded->value.submotions) keys += submotion.rotation_keys.size();
    state.counters["code_ms"] = time_of(read_code);
    state.counters["code_and_samples_ms"] = time_of(read_samples);
    state.counters["ns_a_key"] = 1e6 * state.counters["subject_ms"] / static_cast<double>(keys);
    state.counters["bytes_a_key"] = static_cast<double>(size) / static_cast<double>(keys);
    state.counters["position_error"] = encoded->error.position;
    state.counters["rotation_error"] = encoded->error.rotation;
}
BENCHMARK(decode_motion)
    ->ArgNames({"transform", "quality", "rate"})
    ->ArgsProduct({{0, 1, 2}, {100, 50, 1}, {12}})
    ->Args({1, 90, 60})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);

void encode_motion(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(xsm::encode(motion(), false, options_of(state), wide_limits()));
}
BENCHMARK(encode_motion)
    ->ArgNames({"transform", "quality", "rate"})
    ->ArgsProduct({{0, 1, 2}, {100}, {12}})
    ->Unit(benchmark::kMillisecond);

void compressed_motion_to_scene(benchmark::State& state) {
    xsm::File file;
    auto encoded = xsm::encode(motion(), false, options_of(state), wide_limits());
    if (!encoded) return state.SkipWithError("the motion cannot be compressed");
    file.chunks.push_back({203, 1, std::nullopt, std::move(encoded->wavelet), {}});
    for (auto _ : state) {
        emfx::SceneInput input;
        input.motions.push_back({{"motion", 0, {}}, file, {}});
        emfx::SceneOptions options;
        options.limits = wide_limits();
        benchmark::DoNotOptimize(emfx::to_scene(std::move(input), options));
    }
}
BENCHMARK(compressed_motion_to_scene)
    ->ArgNames({"transform", "quality", "rate"})
    ->Args({1, 90, 12})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
