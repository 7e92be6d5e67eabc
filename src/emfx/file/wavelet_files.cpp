/// Whole motions from keys to wavelets and back.

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "emfx/file/container_write.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/file/wavelets.hpp"

namespace effigy::xsm {
namespace {

std::uint64_t memory_of(const File& file) {
    const auto size = emfx::measure_file(file, false);
    return size ? *size : 0;
}

Result<void> unpack_chunk(File& file, std::size_t index, Budget& budget, Report& report) {
    Chunk& chunk = file.chunks[index];
    const auto& wavelet = std::get<Wavelet>(chunk.record);
    std::vector<WaveletProblem> problems;
    auto keys = decode(wavelet, file.header.big_endian(), budget, problems);
    if (!keys) return fail(std::move(keys.error()));
    for (WaveletProblem& problem : problems) {
        const bool is_error = problem.is_error();
        Diagnostic finding = finding_of(std::move(problem), index);
        if (is_error) return fail(std::move(finding));
        report.add(std::move(finding));
    }
    chunk = chunk_of_keys(std::move(*keys), wavelet.maximum_time);
    return {};
}

Result<void> unpack_all(File& file, Budget& budget, Report& report) {
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        if (!std::holds_alternative<Wavelet>(file.chunks[i].record)) continue;
        if (auto done = unpack_chunk(file, i, budget, report); !done) return done;
    }
    return {};
}

/// All submotions, in the order of the file, and where the first one stood; their chunks are gone.
struct TakenSubmotions {
    Submotions all;
    std::size_t place = 0;
    bool is_any = false;
};

TakenSubmotions take_submotions(File& file) {
    TakenSubmotions taken;
    std::vector<Chunk> rest;
    for (Chunk& chunk : file.chunks) {
        bool has_submotions = false;
        for (Submotion& one : emfx::records_in(chunk.record, &Submotions::submotions)) {
            taken.all.submotions.push_back(std::move(one));
            has_submotions = true;
        }
        for (const PackedSubmotion& one : emfx::records_in(chunk.record, &PackedSubmotions::submotions)) {
            taken.all.submotions.push_back(float_submotion(one));
            has_submotions = true;
        }
        if (!has_submotions) {
            rest.push_back(std::move(chunk));
        } else if (!std::exchange(taken.is_any, true)) {
            taken.place = rest.size();
        }
    }
    file.chunks = std::move(rest);
    return taken;
}

std::string text_of_error(const WaveletError& error) {
    return "position " + number_text(static_cast<float>(error.position)) + ", rotation " +
           number_text(static_cast<float>(error.rotation * 180 / std::numbers::pi)) + " degrees, scale " +
           number_text(static_cast<float>(error.scale));
}

}  // namespace

Diagnostic finding_of(WaveletProblem problem, std::size_t chunk) {
    return problem_at("chunk[" + std::to_string(chunk) + "] wavelet / " + problem.path, problem.code, {},
                      std::move(problem.found), std::move(problem.expected));
}

Chunk chunk_of_keys(Submotions motion, float duration) {
    const auto moves = [](const Submotion& submotion) { return emfx::has_movement(submotion); };
    if (duration > 0 && !motion.submotions.empty() && !std::ranges::any_of(motion.submotions, moves)) {
        Submotion& first = motion.submotions.front();
        first.position_keys = {{first.pose_position, 0}, {first.pose_position, duration}};
    }
    return {202, 1, std::nullopt, std::move(motion), {}};
}

Submotion float_submotion(const PackedSubmotion& from) {
    Submotion to;
    copy_poses(from, to, [](const PackedQuat& rotation) { return decode(rotation); });
    to.position_keys = from.position_keys;
    to.rotation_keys = decode(from.rotation_keys);
    to.scale_keys = from.scale_keys;
    to.scale_rotation_keys = decode(from.scale_rotation_keys);
    return to;
}

bool has_wavelets(const File& file) noexcept {
    return std::any_of(file.chunks.begin(), file.chunks.end(),
                       [](const Chunk& chunk) { return std::holds_alternative<Wavelet>(chunk.record); });
}

Result<Loaded<File>> with_keys(File file, const Limits& limits) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        if (!has_wavelets(file)) return Loaded<File>{std::move(file), {}};
        Report report;
        Budget budget(limits, memory_of(file));
        if (auto done = unpack_all(file, budget, report); !done) return fail(std::move(done.error()));
        (void)emfx::set_wrapped_size(file.wrapper_head, file, false);
        return Loaded<File>{std::move(file), std::move(report)};
    });
}

Result<Loaded<File>> with_wavelets(File file, const WaveletOptions& options, const Limits& limits) {
    return without_exceptions([&]() -> Result<Loaded<File>> {
        Report report;
        Budget budget(limits, memory_of(file));
        if (auto done = unpack_all(file, budget, report); !done) return fail(std::move(done.error()));
        TakenSubmotions taken = take_submotions(file);
        if (!taken.is_any) return Loaded<File>{std::move(file), std::move(report)};
        auto encoded = encode(taken.all, file.header.big_endian(), options, limits);
        if (!encoded) return fail(std::move(encoded.error()));
        file.chunks.insert(file.chunks.begin() + static_cast<std::ptrdiff_t>(taken.place),
                           {203, 1, std::nullopt, std::move(encoded->wavelet), {}});
        (void)emfx::set_wrapped_size(file.wrapper_head, file, false);
        report.add(problem_at("chunk[" + std::to_string(taken.place) + "] wavelet", codes::motion_sampled, {},
                              "off by at most: " + text_of_error(encoded->error)));
        return Loaded<File>{std::move(file), std::move(report)};
    });
}

}  // namespace effigy::xsm
