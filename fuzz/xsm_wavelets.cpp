// Any bytes as the blocks of a compressed motion whose sizes go together, and as keys to be compressed.

#include "effigy/xsm_wavelets.hpp"

#include "check.hpp"

using namespace effigy;

namespace {

xsm::Wavelet wavelet_of(std::span<const std::byte> head, std::span<const std::byte> block) {
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(head[i]); };
    xsm::Wavelet wavelet;
    wavelet.samples_per_chunk = 2u << at(0) % 6;
    wavelet.wavelet = static_cast<std::uint8_t>(at(1) % 3);
    wavelet.rotation_track_count = at(2) % 4;
    wavelet.scale_rotation_track_count = at(3) % 2;
    wavelet.position_track_count = at(4) % 4;
    wavelet.decompressed_rotation_bytes =
        8 * wavelet.samples_per_chunk * (wavelet.rotation_track_count + wavelet.scale_rotation_track_count);
    wavelet.decompressed_position_bytes = 6 * wavelet.samples_per_chunk * wavelet.position_track_count;
    wavelet.position_quantization = wavelet.rotation_quantization = wavelet.scale_quantization = 1;
    wavelet.sample_spacing = 0.1f;
    wavelet.seconds_per_chunk = 0.1f * static_cast<float>(wavelet.samples_per_chunk - 1);
    wavelet.maximum_time = 0.05f * static_cast<float>(at(5));
    wavelet.submotions.resize(4);
    for (std::uint16_t node = 0; node < 4; ++node) {
        const auto track = [&](std::uint32_t count) { return node < count ? node : std::uint16_t{0xffff}; };
        wavelet.mappings.push_back({track(wavelet.position_track_count), track(wavelet.rotation_track_count),
                                    track(wavelet.scale_rotation_track_count), 0xffff});
    }
    const std::size_t middle = block.size() * at(6) / 256;
    xsm::WaveletChunk& chunk = wavelet.chunks.emplace_back();
    chunk.rotation_scale = chunk.position_scale = chunk.scale_scale = 1;
    chunk.rotations.assign(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(middle));
    chunk.positions.assign(block.begin() + static_cast<std::ptrdiff_t>(middle), block.end());
    return wavelet;
}

void compress(std::span<const std::byte> head, std::span<const std::byte> bytes) {
    xsm::Submotions motion;
    xsm::Submotion& submotion = motion.submotions.emplace_back();
    submotion.rotation_keys.resize(bytes.size() / sizeof submotion.rotation_keys[0]);
    if (!submotion.rotation_keys.empty())
        std::memcpy(submotion.rotation_keys.data(), bytes.data(),
                    submotion.rotation_keys.size() * sizeof submotion.rotation_keys[0]);
    xsm::WaveletOptions options;
    options.transform = static_cast<xsm::Transform>(std::to_integer<std::uint32_t>(head[1]) % 3);
    options.samples_per_chunk = std::to_integer<std::uint32_t>(head[0]);
    options.quality = std::to_integer<std::uint32_t>(head[2]);
    const bool is_big_endian = std::to_integer<std::uint32_t>(head[3]) % 2 != 0;
    const auto encoded = xsm::encode(motion, is_big_endian, options, fuzz::small_limits());
    if (!encoded) return fuzz::demand(encoded.error().code == "limit-memory");
    fuzz::demand(xsm::decode(encoded->wavelet, is_big_endian, fuzz::small_limits()).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t head_size = 8;
    const auto input = fuzz::as_input(data, size);
    if (input.size() < head_size) return 0;
    const auto decoded = xsm::decode(wavelet_of(input, input.subspan(head_size)), size % 2 != 0, fuzz::small_limits());
    if (decoded) {
        for (const xsm::Submotion& submotion : decoded->value.submotions) {
            for (std::size_t i = 1; i < submotion.rotation_keys.size(); ++i)
                fuzz::demand(submotion.rotation_keys[i - 1].time < submotion.rotation_keys[i].time);
        }
    }
    compress(input, input.subspan(head_size));
    return 0;
}
