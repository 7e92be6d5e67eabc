/// The rules of compressed motions, and the way from a block's bytes to samples.

#include "emfx/file/wavelets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/text.hpp"
#include "emfx/file/wavelet_code.hpp"

namespace effigy::xsm {
namespace {

constexpr std::uint32_t most_samples = 65536;

/// 1 / 32767.
constexpr float whole_step = 1.0f / 32767.0f;

std::string text_of(std::integral auto value) { return std::to_string(value); }
std::string text_of(float value) { return number_text(value); }

std::string chunk_path(std::size_t index, const char* field) {
    return "wavelet_chunk[" + std::to_string(index) + "] / " + field;
}

std::uint64_t due_bytes(const Wavelet& wavelet, const WaveletBlockInfo& info) noexcept {
    return std::uint64_t{wavelet.samples_per_chunk} * info.tracks * info.components * sizeof(std::int16_t);
}

/// Collects what is wrong with one motion.
class WaveletRules {
public:
    explicit WaveletRules(const Wavelet& wavelet) : wavelet_(wavelet) {}

    std::vector<WaveletProblem> run() {
        check_kind();
        check_samples();
        check_counts();
        if (!has_error(problems_)) check_blocks();
        check_mappings();
        check_numbers();
        if (!has_error(problems_)) check_oddities();
        return std::move(problems_);
    }

private:
    void add(const Code& code, std::string path, std::string found, std::string expected) {
        problems_.push_back({code, std::move(path), std::move(found), std::move(expected)});
    }

    void check_kind() {
        if (wavelet_.compressor == 1) add(codes::wavelet_rice, "compressor", "1 (Rice)", "0 (Huffman)");
        if (wavelet_.compressor > 1)
            add(codes::wavelet_coder, "compressor", text_of(wavelet_.compressor), "0 (Huffman)");
        if (wavelet_.wavelet >= transform_names.size())
            add(codes::wavelet_coder, "wavelet", text_of(wavelet_.wavelet), "0 (Haar), 1 (D4) or 2 (CDF 9/7)");
    }

    void check_samples() {
        const std::uint32_t samples = wavelet_.samples_per_chunk;
        if (!std::has_single_bit(samples) || samples < 2 || samples > most_samples)
            add(codes::wavelet_size, "samples_per_chunk", text_of(samples), "a power of two from 2 to 65536");
    }

    void check_counts() {
        const std::pair<const char*, std::uint32_t> counts[] = {
            {"rotation_track_count", wavelet_.rotation_track_count},
            {"scale_rotation_track_count", wavelet_.scale_rotation_track_count},
            {"scale_track_count", wavelet_.scale_track_count},
            {"position_track_count", wavelet_.position_track_count}};
        for (const auto& [name, count] : counts) {
            if (count > wavelet_.submotions.size())
                add(codes::wavelet_size, name, text_of(count), "at most " + text_of(wavelet_.submotions.size()));
        }
        if (has_error(problems_)) return;
        for (const WaveletBlock block : wavelet_blocks) {
            const WaveletBlockInfo info = info_of(wavelet_, block);
            if (info.decompressed_bytes != due_bytes(wavelet_, info))
                add(codes::wavelet_size, info.bytes_name, text_of(info.decompressed_bytes),
                    text_of(due_bytes(wavelet_, info)) + ": samples of all tracks");
        }
    }

    void check_blocks() {
        for (std::size_t i = 0; i < wavelet_.chunks.size(); ++i) {
            for (const WaveletBlock block : wavelet_blocks) {
                const WaveletBlockInfo info = info_of(wavelet_, block);
                const std::uint64_t size = block_of(wavelet_.chunks[i], block).size();
                const std::uint64_t due = due_bytes(wavelet_, info);
                if (due <= most_decoded(size) && (due == 0 || size != 0)) continue;
                return add(codes::wavelet_stream, chunk_path(i, info.name), text_of(size) + " bytes",
                           "what decodes to " + text_of(due) + " bytes");
            }
        }
    }

    void check_mappings() {
        const std::size_t nodes = wavelet_.submotions.size();
        if (wavelet_.mappings.size() != nodes)
            return add(codes::wavelet_mapping, "mappings", text_of(wavelet_.mappings.size()), text_of(nodes));
        // The exporter wrote the mapping of a motion without length as if there were tracks.
        if (wavelet_.chunks.empty()) return;
        for (std::size_t i = 0; i < nodes; ++i) {
            const WaveletMapping& mapping = wavelet_.mappings[i];
            check_track(i, mapping.position_track, wavelet_.position_track_count);
            check_track(i, mapping.rotation_track, wavelet_.rotation_track_count);
            check_track(i, mapping.scale_rotation_track, wavelet_.scale_rotation_track_count);
            check_track(i, mapping.scale_track, wavelet_.scale_track_count);
        }
    }
    void check_track(std::size_t node, std::uint16_t track, std::uint32_t count) {
        if (track == no_track || track < count || is_mapping_wrong_) return;
        is_mapping_wrong_ = true;
        add(codes::wavelet_mapping, "mappings[" + text_of(node) + "]", "track " + text_of(track),
            "one of " + text_of(count) + ", or none (65535)");
    }

    void check_number(float value, std::string path) {
        if (!std::isfinite(value)) add(codes::not_finite, std::move(path), text_of(value), "a finite number");
    }
    void check_numbers() {
        for (const WaveletBlock block : wavelet_blocks) {
            const WaveletBlockInfo info = info_of(wavelet_, block);
            check_number(info.quantization, info.quantization_name);
        }
        check_number(wavelet_.sample_spacing, "sample_spacing");
        check_number(wavelet_.seconds_per_chunk, "seconds_per_chunk");
        check_number(wavelet_.maximum_time, "maximum_time");
        if (wavelet_.sample_spacing <= 0)
            add(codes::wavelet_size, "sample_spacing", text_of(wavelet_.sample_spacing), "more than 0");
        for (std::size_t i = 0; i < wavelet_.chunks.size() && !has_error(problems_); ++i) {
            const WaveletChunk& chunk = wavelet_.chunks[i];
            check_number(chunk.start_time, chunk_path(i, "start_time"));
            for (const WaveletBlock block : wavelet_blocks)
                check_number(scale_of(chunk, block), chunk_path(i, info_of(wavelet_, block).scale_name));
        }
    }

    // --- what a careful reader can bear ---

    void check_oddities() {
        const std::uint64_t offset = std::uint64_t{4} * wavelet_.samples_per_chunk * wavelet_.rotation_track_count;
        if (wavelet_.scale_rotation_offset != offset)
            add(codes::wavelet_offset, "scale_rotation_offset", text_of(wavelet_.scale_rotation_offset),
                text_of(offset));
        for (const WaveletBlock block : wavelet_blocks) check_scales(block);
        check_times();
    }

    void check_scales(WaveletBlock block) {
        const WaveletBlockInfo info = info_of(wavelet_, block);
        if (info.tracks == 0) return;
        if (info.quantization <= 0)
            return add(codes::wavelet_scale, info.quantization_name, text_of(info.quantization), "1 to 40.6");
        for (std::size_t i = 0; i < wavelet_.chunks.size(); ++i) {
            const float scale = scale_of(wavelet_.chunks[i], block);
            if (scale < 0)
                return add(codes::wavelet_scale, chunk_path(i, info.scale_name), text_of(scale), "0 or more");
        }
    }

    void check_times() {
        const float length = wavelet_.seconds_per_chunk, end = wavelet_.maximum_time;
        const float filled = wavelet_.sample_spacing * static_cast<float>(wavelet_.samples_per_chunk - 1);
        if (wavelet_.chunks.empty() || length <= 0) return;
        if (std::fabs(filled - length) > 1e-3f * length)
            return add(codes::wavelet_times, "sample_spacing", text_of(wavelet_.sample_spacing),
                       text_of(length / static_cast<float>(wavelet_.samples_per_chunk - 1)));
        float start = 0;
        for (std::size_t i = 0; i < wavelet_.chunks.size(); ++i, start += length) {
            const float found = wavelet_.chunks[i].start_time;
            if (std::fabs(found - start) > 1e-2f * length)
                return add(codes::wavelet_times, chunk_path(i, "start_time"), text_of(found), text_of(start));
        }
        if (end < 0 || end > start + 1e-2f * length)
            add(codes::wavelet_times, "maximum_time", text_of(end), "0 to " + text_of(start));
    }

    const Wavelet& wavelet_;
    std::vector<WaveletProblem> problems_;
    bool is_mapping_wrong_ = false;
};

std::int16_t value_at(const std::byte* bytes, std::size_t index, bool is_swapped) noexcept {
    std::uint16_t value = 0;
    std::memcpy(&value, bytes + sizeof value * index, sizeof value);
    if (is_swapped) value = static_cast<std::uint16_t>(value << 8 | value >> 8);
    return static_cast<std::int16_t>(value);
}

/// Values of a track, one component after the other, as rows.
template <std::size_t components>
void take_rows(const std::byte* bytes, bool is_swapped, float scale, float factor, std::span<SampleRow> rows) noexcept {
    const std::size_t count = rows.size();
    for (std::size_t i = 0; i < count; ++i) {
        SampleRow::Lanes lanes{};
        for (std::size_t k = 0; k < components; ++k)
            lanes[k] = static_cast<float>(value_at(bytes, k * count + i, is_swapped));
        rows[i].lanes = lanes * scale * factor;
    }
}

std::optional<WaveletProblem> stream_problem(CodeEnd end, std::string path, std::uint64_t due) {
    if (end == CodeEnd::exact) return std::nullopt;
    const char* const found = end == CodeEnd::early  ? "fewer bytes before the end mark"
                              : end == CodeEnd::late ? "more bytes before the end mark"
                                                     : "no end mark";
    return WaveletProblem{codes::wavelet_stream, std::move(path), found, text_of(due) + " bytes and the end mark"};
}

}  // namespace

bool has_error(std::span<const WaveletProblem> problems) noexcept {
    return std::any_of(problems.begin(), problems.end(), [](const auto& problem) { return problem.is_error(); });
}

WaveletBlockInfo info_of(const Wavelet& wavelet, WaveletBlock block) noexcept {
    switch (block) {
        case WaveletBlock::rotations:
            return {"rotations",
                    "decompressed_rotation_bytes",
                    "rotation_scale",
                    "rotation_quantization",
                    wavelet.decompressed_rotation_bytes,
                    wavelet.rotation_quantization,
                    std::uint64_t{wavelet.rotation_track_count} + wavelet.scale_rotation_track_count,
                    4};
        case WaveletBlock::positions:
            return {"positions",
                    "decompressed_position_bytes",
                    "position_scale",
                    "position_quantization",
                    wavelet.decompressed_position_bytes,
                    wavelet.position_quantization,
                    wavelet.position_track_count,
                    3};
        case WaveletBlock::scales:
            break;
    }
    return {"scales",
            "decompressed_scale_bytes",
            "scale_scale",
            "scale_quantization",
            wavelet.decompressed_scale_bytes,
            wavelet.scale_quantization,
            wavelet.scale_track_count,
            3};
}

const Bytes& block_of(const WaveletChunk& chunk, WaveletBlock block) noexcept {
    return block == WaveletBlock::rotations   ? chunk.rotations
           : block == WaveletBlock::positions ? chunk.positions
                                              : chunk.scales;
}

float scale_of(const WaveletChunk& chunk, WaveletBlock block) noexcept {
    return block == WaveletBlock::rotations   ? chunk.rotation_scale
           : block == WaveletBlock::positions ? chunk.position_scale
                                              : chunk.scale_scale;
}

float step_of(const Wavelet& wavelet, const WaveletChunk& chunk, WaveletBlock block) noexcept {
    return std::fabs(whole_step * scale_of(chunk, block) * info_of(wavelet, block).quantization);
}

std::vector<WaveletProblem> problems_of(const Wavelet& wavelet) { return WaveletRules(wavelet).run(); }

WaveletReader::WaveletReader(const Wavelet& wavelet, bool big_endian)
    : wavelet_(wavelet),
      is_swapped_(big_endian),
      transform_(static_cast<Transform>(wavelet.wavelet), wavelet.samples_per_chunk),
      coefficients_(wavelet.samples_per_chunk) {}

std::uint64_t WaveletReader::size_for(const Wavelet& wavelet) noexcept {
    std::uint64_t size = std::uint64_t{3} * wavelet.samples_per_chunk * sizeof(SampleRow);
    for (const WaveletBlock block : wavelet_blocks) size += due_bytes(wavelet, info_of(wavelet, block)) + code_slack;
    return size;
}

std::optional<WaveletProblem> WaveletReader::open(std::size_t chunk) {
    chunk_ = chunk;
    for (const WaveletBlock block : wavelet_blocks) {
        const WaveletBlockInfo info = info_of(wavelet_, block);
        const auto due = static_cast<std::size_t>(due_bytes(wavelet_, info));
        const Bytes& bytes = block_of(wavelet_.chunks[chunk], block);
        if (due == 0 && bytes.empty()) continue;
        Bytes& out = decoded_[static_cast<std::size_t>(block)];
        out.resize(due + code_slack);
        if (auto problem = stream_problem(read_codes(bytes, out, due), chunk_path(chunk, info.name), due))
            return problem;
    }
    return std::nullopt;
}

std::span<const SampleRow> WaveletReader::samples(WaveletBlock block, std::size_t track) {
    const float scale = whole_step * scale_of(wavelet_.chunks[chunk_], block);
    const std::byte* const bytes = decoded_[static_cast<std::size_t>(block)].data();
    const std::size_t size = sizeof(std::int16_t) * wavelet_.samples_per_chunk * track;
    if (block == WaveletBlock::rotations)
        take_rows<4>(bytes + 4 * size, is_swapped_, scale, wavelet_.rotation_quantization, coefficients_);
    else if (block == WaveletBlock::positions)
        take_rows<3>(bytes + 3 * size, is_swapped_, scale, wavelet_.position_quantization, coefficients_);
    else
        take_rows<3>(bytes + 3 * size, is_swapped_, scale, wavelet_.scale_quantization, coefficients_);
    return transform_.inverse(coefficients_);
}

std::optional<Quat> unit_sample(const SampleRow& row) noexcept {
    const auto [x, y, z, w] = row.numbers();
    const float square = x * x + y * y + z * z + w * w;
    if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
    const float unit = 1.0f / std::sqrt(square);
    return std::isfinite(unit) ? std::optional(Quat{x * unit, y * unit, z * unit, w * unit}) : std::nullopt;
}

std::optional<Vec3> moved_by(const Vec3& pose, const SampleRow& row) noexcept {
    const Vec3 sum{pose.x + row.lanes[0], pose.y + row.lanes[1], pose.z + row.lanes[2]};
    const bool is_finite = std::isfinite(sum.x) && std::isfinite(sum.y) && std::isfinite(sum.z);
    return is_finite ? std::optional(sum) : std::nullopt;
}

}  // namespace effigy::xsm
