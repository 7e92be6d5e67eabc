/// Compressed motions as keys: which samples become keys, their times, and the end of the motion.

#include <algorithm>
#include <limits>
#include <utility>

#include "core/guard.hpp"
#include "core/problem.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/file/wavelets.hpp"

namespace effigy::xsm {
namespace {

/// The keys that a chunk gives: its first samples.
struct ChunkKeys {
    std::size_t first = 0;  ///< key
    std::uint32_t count = 0;
};

/// Where the samples of a motion stand in its tracks, which all have the same times.
struct KeyPlan {
    std::vector<ChunkKeys> chunks;
    std::size_t count = 0;
    /// A last key at the end of the motion, between a sample of a chunk and the next one.
    bool has_end = false;
    std::size_t end_chunk = 0;
    std::uint32_t end_sample = 0;
    float end_part = 0;
};

float sample_time(const Wavelet& wavelet, std::size_t chunk, std::uint32_t sample) noexcept {
    return wavelet.chunks[chunk].start_time + static_cast<float>(sample) * wavelet.sample_spacing;
}

/// The last sample of a chunk is the first one of the next once more; a chunk that begins too early takes the place of
/// the samples that come later.
KeyPlan plan_of(const Wavelet& wavelet) {
    KeyPlan plan;
    plan.chunks.resize(wavelet.chunks.size());
    float next_start = std::numeric_limits<float>::infinity();
    for (std::size_t chunk = plan.chunks.size(); chunk-- > 0;) {
        std::uint32_t& count = plan.chunks[chunk].count;
        for (; count < wavelet.samples_per_chunk; ++count) {
            const float time = sample_time(wavelet, chunk, count);
            if (!(time <= wavelet.maximum_time) || !(time + wavelet.sample_spacing / 2 < next_start)) break;
        }
        next_start = std::min(next_start, wavelet.chunks[chunk].start_time);
    }
    for (ChunkKeys& keys : plan.chunks) {
        keys.first = plan.count;
        plan.count += keys.count;
    }
    const auto last =
        std::find_if(plan.chunks.rbegin(), plan.chunks.rend(), [](const auto& keys) { return keys.count != 0; });
    if (last == plan.chunks.rend()) return plan;
    plan.end_chunk = static_cast<std::size_t>(plan.chunks.rend() - last) - 1;
    plan.end_sample = last->count - 1;
    const float rest = wavelet.maximum_time - sample_time(wavelet, plan.end_chunk, plan.end_sample);
    plan.has_end = rest > 0;
    plan.end_part = std::min(rest / wavelet.sample_spacing, 1.0f);
    plan.count += plan.has_end ? 1 : 0;
    return plan;
}

Quat between(const Quat& a, Quat b, float part) noexcept {
    if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0) b = {-b.x, -b.y, -b.z, -b.w};
    const auto mix = [&](float from, float to) { return from * (1 - part) + to * part; };
    const SampleRow mixed{SampleRow::Lanes{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)}};
    return unit_sample(mixed).value_or(a);
}
Vec3 between(const Vec3& a, const Vec3& b, float part) noexcept {
    const auto mix = [&](float from, float to) { return from * (1 - part) + to * part; };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

/// Neighbours on one half of the sphere: between these runs the engine's interpolation.
void align_signs(Bulk<RotationKey<Quat>>& keys) noexcept {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const Quat& a = keys[i - 1].value;
        Quat& b = keys[i].value;
        if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0) b = {-b.x, -b.y, -b.z, -b.w};
    }
}

class KeyMaker {
public:
    KeyMaker(const Wavelet& wavelet, bool big_endian, Budget& budget)
        : wavelet_(wavelet), is_big_endian_(big_endian), budget_(budget) {}

    Result<Submotions> run(std::vector<WaveletProblem>& problems) {
        if (!budget_.take(wavelet_.submotions.size(), sizeof(Submotion)) ||
            !budget_.take(wavelet_.chunks.size(), sizeof(ChunkKeys)))
            return fail(no_memory());
        Submotions result;
        result.submotions.reserve(wavelet_.submotions.size());
        for (const WaveletSubmotion& submotion : wavelet_.submotions) result.submotions.push_back(pose_of(submotion));
        if (!has_tracks()) return result;
        plan_ = plan_of(wavelet_);
        if (auto room = take_keys(); !room) return fail(std::move(room.error()));
        resize(result);
        WaveletReader reader(wavelet_, is_big_endian_);
        for (std::size_t chunk = 0; chunk < wavelet_.chunks.size(); ++chunk) {
            if (auto problem = reader.open(chunk)) {
                problems.push_back(std::move(*problem));
                return result;
            }
            for (std::size_t i = 0; i < result.submotions.size(); ++i)
                add(reader, chunk, wavelet_.mappings[i], result.submotions[i]);
        }
        for (Submotion& submotion : result.submotions) {
            align_signs(submotion.rotation_keys);
            align_signs(submotion.scale_rotation_keys);
        }
        if (replaced_ != 0)
            problems.push_back({codes::wavelet_values, "wavelet_chunks", std::to_string(replaced_) + " samples",
                                "finite numbers, and rotations that have a length"});
        return result;
    }

private:
    static Submotion pose_of(const WaveletSubmotion& from) {
        Submotion to;
        copy_poses(from, to, [](const PackedQuat& rotation) { return decode(rotation); });
        return to;
    }

    static Diagnostic no_memory() {
        return problem_at({}, codes::limit_memory,
                          "A compressed motion needs more memory than the limit allows; raise it with --limit-memory.");
    }

    [[nodiscard]] bool has_tracks() const noexcept {
        if (wavelet_.chunks.empty()) return false;
        return std::any_of(wavelet_.mappings.begin(), wavelet_.mappings.end(),
                           [](const WaveletMapping& mapping) { return emfx::has_movement(mapping); });
    }

    Result<void> take_keys() {
        std::uint64_t each = 0;
        for (const WaveletMapping& mapping : wavelet_.mappings) {
            each += mapping.position_track != no_track ? sizeof(VectorKey) : 0;
            each += mapping.scale_track != no_track ? sizeof(VectorKey) : 0;
            each += mapping.rotation_track != no_track ? sizeof(RotationKey<Quat>) : 0;
            each += mapping.scale_rotation_track != no_track ? sizeof(RotationKey<Quat>) : 0;
        }
        if (!budget_.take(WaveletReader::size_for(wavelet_)) || !budget_.take(plan_.count, each))
            return fail(no_memory());
        return {};
    }

    void resize(Submotions& result) const {
        for (std::size_t i = 0; i < result.submotions.size(); ++i) {
            const WaveletMapping& mapping = wavelet_.mappings[i];
            Submotion& submotion = result.submotions[i];
            if (mapping.position_track != no_track) submotion.position_keys.resize(plan_.count);
            if (mapping.scale_track != no_track) submotion.scale_keys.resize(plan_.count);
            if (mapping.rotation_track != no_track) submotion.rotation_keys.resize(plan_.count);
            if (mapping.scale_rotation_track != no_track) submotion.scale_rotation_keys.resize(plan_.count);
        }
    }

    void add(WaveletReader& reader, std::size_t chunk, const WaveletMapping& mapping, Submotion& to) {
        const auto vector = [](const Vec3& pose) {
            return [&pose](const SampleRow& row) { return moved_by(pose, row); };
        };
        const auto rotation = [](const SampleRow& row) { return unit_sample(row); };
        // Behind the rotations stand the scale rotations.
        const std::size_t frame = std::size_t{wavelet_.rotation_track_count} + mapping.scale_rotation_track;
        if (mapping.position_track != no_track)
            fill(chunk, reader.samples(WaveletBlock::positions, mapping.position_track), to.pose_position,
                 to.position_keys, vector(to.pose_position));
        if (mapping.rotation_track != no_track)
            fill(chunk, reader.samples(WaveletBlock::rotations, mapping.rotation_track), to.pose_rotation,
                 to.rotation_keys, rotation);
        if (mapping.scale_track != no_track)
            fill(chunk, reader.samples(WaveletBlock::scales, mapping.scale_track), to.pose_scale, to.scale_keys,
                 vector(to.pose_scale));
        if (mapping.scale_rotation_track != no_track)
            fill(chunk, reader.samples(WaveletBlock::rotations, frame), to.pose_scale_rotation, to.scale_rotation_keys,
                 rotation);
    }

    template <class Key, class Value, class Convert>
    void fill(std::size_t chunk, std::span<const SampleRow> rows, const Value& pose, Bulk<Key>& keys, Convert convert) {
        const auto value = [&](std::uint32_t sample) {
            const auto found = convert(rows[sample]);
            replaced_ += found ? 0 : 1;
            return found.value_or(pose);
        };
        const ChunkKeys& range = plan_.chunks[chunk];
        Key* const out = keys.data() + range.first;
        for (std::uint32_t i = 0; i < range.count; ++i) out[i] = {value(i), sample_time(wavelet_, chunk, i)};
        if (!plan_.has_end || chunk != plan_.end_chunk) return;
        const Value last = keys[plan_.count - 2].value;
        const bool has_next = plan_.end_sample + 1 < wavelet_.samples_per_chunk;
        keys[plan_.count - 1] = {has_next ? between(last, value(plan_.end_sample + 1), plan_.end_part) : last,
                                 wavelet_.maximum_time};
    }

    const Wavelet& wavelet_;
    bool is_big_endian_;
    Budget& budget_;
    KeyPlan plan_;
    std::uint64_t replaced_ = 0;
};

}  // namespace

Result<Submotions> decode(const Wavelet& wavelet, bool big_endian, Budget& budget,
                          std::vector<WaveletProblem>& problems) {
    problems = problems_of(wavelet);
    if (has_error(problems)) return Submotions{};
    return KeyMaker(wavelet, big_endian, budget).run(problems);
}

Result<Loaded<Submotions>> decode(const Wavelet& wavelet, bool big_endian, const Limits& limits) {
    return without_exceptions([&]() -> Result<Loaded<Submotions>> {
        std::uint64_t size = 0;
        for (const WaveletChunk& chunk : wavelet.chunks) {
            for (const WaveletBlock block : wavelet_blocks) size += block_of(chunk, block).size();
        }
        Budget budget(limits, size);
        std::vector<WaveletProblem> problems;
        auto motion = decode(wavelet, big_endian, budget, problems);
        if (!motion) return fail(std::move(motion.error()));
        Loaded<Submotions> loaded{std::move(*motion), {}};
        for (WaveletProblem& problem : problems) {
            Diagnostic found = problem_at(std::move(problem.path), problem.code, {}, std::move(problem.found),
                                          std::move(problem.expected));
            if (problem.is_error()) return fail(std::move(found));
            loaded.report.add(std::move(found));
        }
        return loaded;
    });
}

}  // namespace effigy::xsm
