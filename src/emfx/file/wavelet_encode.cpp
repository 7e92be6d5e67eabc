/// Keys as compressed motions: sampled at even times, transformed, quantised and coded.

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/guard.hpp"
#include "core/option_range.hpp"
#include "core/problem.hpp"
#include "emfx/file/key_times.hpp"
#include "emfx/file/wavelet_code.hpp"
#include "emfx/file/wavelets.hpp"

namespace effigy::xsm {
namespace {

constexpr float whole_range = 32767;

std::array<float, 4> numbers_of(const Vec3& v) noexcept { return {v.x, v.y, v.z, 0}; }
std::array<float, 4> numbers_of(const Quat& q) noexcept { return {q.x, q.y, q.z, q.w}; }

float dot_of(const SampleRow& a, const SampleRow& b) noexcept {
    const auto [x, y, z, w] = SampleRow{a.lanes * b.lanes}.numbers();
    return x + y + z + w;
}

/// Keys as the engine reads them, at times that do not go back: from 0 on, rotations by the shorter way.
template <class Key>
class KeySampler {
public:
    static constexpr bool rotates = std::is_same_v<Key, RotationKey<Quat>>;

    explicit KeySampler(const Bulk<Key>& keys) {
        for (const Key& key : keys) {
            const SampleRow row{std::bit_cast<SampleRow::Lanes>(numbers_of(key.value))};
            if (std::isfinite(key.time) && std::isfinite(dot_of(row, row))) keys_.push_back(key);
        }
        const auto earlier = [](const Key& a, const Key& b) { return a.time < b.time; };
        if (!std::is_sorted(keys_.begin(), keys_.end(), earlier)) std::stable_sort(keys_.begin(), keys_.end(), earlier);
        const float start = emfx::span_of(keys_).start();
        for (Key& key : keys_) key.time -= start;
    }

    [[nodiscard]] bool empty() const noexcept { return keys_.empty(); }
    [[nodiscard]] std::span<const Key> keys() const noexcept { return keys_; }
    /// Chunks overlap by their last sample, and by what rounding adds to it.
    void rewind_to(float time) noexcept {
        while (next_ > 0 && keys_[next_ - 1].time > time) --next_;
    }

    [[nodiscard]] SampleRow at(float time) noexcept {
        while (next_ < keys_.size() && keys_[next_].time <= time) ++next_;
        const SampleRow before = row(next_ == 0 ? 0 : next_ - 1);
        if (next_ == 0 || next_ == keys_.size() || keys_[next_ - 1].time == time) return before;
        SampleRow after = row(next_);
        const float from = keys_[next_ - 1].time;
        const float part = (time - from) / (keys_[next_].time - from);
        if (rotates && dot_of(before, after) < 0) after.lanes = -after.lanes;
        return {before.lanes * (1 - part) + after.lanes * part};
    }

private:
    [[nodiscard]] SampleRow row(std::size_t key) const noexcept {
        return {std::bit_cast<SampleRow::Lanes>(numbers_of(keys_[key].value))};
    }

    Bulk<Key> keys_;
    std::size_t next_ = 0;  ///< first key after the time
};

SampleRow unit_row(const SampleRow& row) noexcept {
    const Quat q = unit_sample(row).value_or(Quat{});
    return SampleRow{SampleRow::Lanes{q.x, q.y, q.z, q.w}};
}

PackedQuat packed_pose(const Quat& q) noexcept {
    const auto part = [](float value) {
        return std::isfinite(value)
                   ? static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0f, 1.0f) * whole_range))
                   : std::int16_t{0};
    };
    return {part(q.x), part(q.y), part(q.z), part(q.w)};
}

/// One track of a block on its way.
template <class Key>
struct TrackSource {
    KeySampler<Key> sampler;
    SampleRow pose{};  ///< what is subtracted
    bool is_unit = false;
    SampleRow last{};
};

class WaveletMaker {
public:
    WaveletMaker(const Submotions& motion, bool big_endian, const WaveletOptions& options, Budget& budget)
        : motion_(motion),
          is_swapped_(big_endian),
          options_(options),
          budget_(budget),
          transform_(options.transform, options.samples_per_chunk) {}

    Result<Wavelet> run() {
        const std::size_t most = no_track;
        if (motion_.submotions.size() > most)
            return fail(problem_at("submotions", effigy::codes::write_too_large, {},
                                   std::to_string(motion_.submotions.size()), "at most " + std::to_string(most)));
        if (auto room = take_room(); !room) return fail(std::move(room.error()));
        set_head();
        for (const Submotion& submotion : motion_.submotions) add_node(submotion);
        set_counts();
        add_chunks();
        set_sizes();
        return std::move(wavelet_);
    }

private:
    [[nodiscard]] std::size_t samples() const noexcept { return options_.samples_per_chunk; }

    Result<void> take_room() {
        for (const Submotion& submotion : motion_.submotions) {
            emfx::each_track(submotion, [&](const auto& track) {
                length_ = std::max(length_, emfx::span_of(track).length());
                key_bytes_ += track.size() * sizeof track[0];
                tracks_ += track.empty() ? 0u : 1u;
            });
        }
        const double chunks =
            static_cast<double>(length_) * options_.samples_per_second / static_cast<double>(samples()) + 2;
        const double each = sizeof(WaveletChunk) + 64 + 12.0 * static_cast<double>(tracks_ * samples());
        const double all = chunks * each + 48.0 * static_cast<double>(tracks_ * samples()) +
                           static_cast<double>(key_bytes_) + 256.0 * static_cast<double>(motion_.submotions.size());
        most_chunks_ = chunks < 4e9 ? static_cast<std::size_t>(chunks) : 0;
        if (all < 1e18 && budget_.take(static_cast<std::uint64_t>(all))) return {};
        return fail(problem_at({}, effigy::codes::limit_memory,
                               "Compressing this motion needs more memory than the limit allows; raise it with "
                               "--limit-memory."));
    }

    void set_head() {
        wavelet_.samples_per_chunk = options_.samples_per_chunk;
        const auto factor = static_cast<float>(1 + (100 - options_.quality) * 0.4);
        wavelet_.position_quantization = wavelet_.rotation_quantization = wavelet_.scale_quantization = factor;
        wavelet_.seconds_per_chunk = static_cast<float>(static_cast<double>(samples()) / options_.samples_per_second);
        wavelet_.sample_spacing = wavelet_.seconds_per_chunk / static_cast<float>(samples() - 1);
        wavelet_.maximum_time = length_;
        wavelet_.wavelet = static_cast<std::uint8_t>(options_.transform);
        wavelet_.submotions.reserve(motion_.submotions.size());
    }

    void add_node(const Submotion& from) {
        WaveletSubmotion& to = wavelet_.submotions.emplace_back();
        copy_poses(from, to, packed_pose);
        wavelet_.mappings.push_back({
            add_track(positions_, from.position_keys, &from.pose_position),
            add_track(rotations_, from.rotation_keys, nullptr),
            add_track(frames_, from.scale_rotation_keys, nullptr),
            add_track(scales_, from.scale_keys, &from.pose_scale),
        });
    }

    template <class Key>
    std::uint16_t add_track(std::vector<TrackSource<Key>>& tracks, const Bulk<Key>& keys, const Vec3* pose) {
        KeySampler<Key> sampler(keys);
        if (sampler.empty()) return no_track;
        TrackSource<Key>& track = tracks.emplace_back(TrackSource<Key>{std::move(sampler)});
        if (pose != nullptr) track.pose.lanes = SampleRow::Lanes{pose->x, pose->y, pose->z, 0};
        if constexpr (KeySampler<Key>::rotates) track.is_unit = &tracks == &rotations_;
        return static_cast<std::uint16_t>(tracks.size() - 1);
    }

    /// Without length there are no samples, and the tracks that nodes name do not exist.
    void set_counts() {
        if (!(length_ > 0)) return drop_tracks();
        const auto count = [](const auto& tracks) { return static_cast<std::uint32_t>(tracks.size()); };
        const auto n = options_.samples_per_chunk;
        wavelet_.rotation_track_count = count(rotations_);
        wavelet_.scale_rotation_track_count = count(frames_);
        wavelet_.scale_track_count = count(scales_);
        wavelet_.position_track_count = count(positions_);
        wavelet_.decompressed_rotation_bytes = 8 * n * (count(rotations_) + count(frames_));
        wavelet_.decompressed_position_bytes = 6 * n * count(positions_);
        wavelet_.decompressed_scale_bytes = 6 * n * count(scales_);
        wavelet_.scale_rotation_offset = 4 * n * count(rotations_);
    }
    /// One key is a pose.
    void drop_tracks() {
        for (std::size_t i = 0; i < wavelet_.mappings.size(); ++i) {
            WaveletSubmotion& node = wavelet_.submotions[i];
            const auto [position, rotation, frame, scale] = wavelet_.mappings[i];
            const auto vector = [](const auto& track) { return track.sampler.keys().back().value; };
            if (position != no_track) node.pose_position = vector(positions_[position]);
            if (scale != no_track) node.pose_scale = vector(scales_[scale]);
            if (rotation != no_track) node.pose_rotation = packed_pose(vector(rotations_[rotation]));
            if (frame != no_track) node.pose_scale_rotation = packed_pose(vector(frames_[frame]));
            wavelet_.mappings[i] = {no_track, no_track, no_track, no_track};
        }
    }

    void add_chunks() {
        if (!(length_ > 0)) return;
        float start = 0;
        for (; start < length_ && wavelet_.chunks.size() < most_chunks_; start += wavelet_.seconds_per_chunk)
            add_chunk(start);
        // The engine looks for a chunk at the very end of the motion.
        if (start <= length_ && !options_.as_exporter) add_chunk(start);
    }

    void add_chunk(float start) {
        WaveletChunk& chunk = wavelet_.chunks.emplace_back();
        chunk.start_time = start;
        rows_.clear();
        take_samples(rotations_, start);
        take_samples(frames_, start);
        chunk.rotation_scale = compress(4, wavelet_.rotation_quantization, chunk.rotations);
        take_samples(positions_, start);
        chunk.position_scale = compress(3, wavelet_.position_quantization, chunk.positions);
        take_samples(scales_, start);
        chunk.scale_scale = compress(3, wavelet_.scale_quantization, chunk.scales);
        const auto bits = [&](const Bytes& block) {
            return is_swapped_ ? static_cast<std::uint32_t>(8 * block.size()) : 0u;
        };
        chunk.rotation_bits = bits(chunk.rotations);
        chunk.position_bits = bits(chunk.positions);
        chunk.scale_bits = bits(chunk.scales);
    }

    template <class Key>
    void take_samples(std::vector<TrackSource<Key>>& tracks, float start) {
        for (TrackSource<Key>& track : tracks) {
            track.sampler.rewind_to(start);
            float time = start;
            for (std::size_t i = 0; i < samples(); ++i, time += wavelet_.sample_spacing) {
                SampleRow row = track.sampler.at(time);
                if (track.is_unit) row = unit_row(row);
                if (KeySampler<Key>::rotates && !options_.as_exporter) {
                    if (dot_of(row, track.last) < 0) row.lanes = -row.lanes;
                    track.last = row;
                }
                rows_.push_back({row.lanes - track.pose.lanes});
            }
        }
    }

    /// The rows that were taken as a block; what they were divided by.
    float compress(std::size_t components, float factor, Bytes& block) {
        if (rows_.empty()) return 1;
        float largest = 0;
        for (std::size_t track = 0; track < rows_.size(); track += samples())
            transform_.forward(std::span(rows_).subspan(track, samples()));
        for (const SampleRow& row : rows_) {
            for (const float number : row.numbers()) largest = std::max(largest, std::fabs(number));
        }
        const float shrink = largest > 0.000001f ? 1.0f / largest : 1.0f;
        values_.resize(rows_.size() * components);
        std::int16_t* out = values_.data();
        for (std::size_t track = 0; track < rows_.size(); track += samples()) {
            for (std::size_t k = 0; k < components; ++k) {
                for (std::size_t i = 0; i < samples(); ++i)
                    *out++ = quantised(rows_[track + i].lanes[k] * shrink * whole_range / factor);
            }
        }
        write_codes(std::as_bytes(std::span(values_)), block);
        block.shrink_to_fit();
        rows_.clear();
        return largest;
    }

    [[nodiscard]] std::int16_t quantised(float value) const noexcept {
        const float whole = options_.as_exporter ? std::trunc(value) : std::round(value);
        const auto bits =
            static_cast<std::uint16_t>(static_cast<std::int16_t>(std::clamp(whole, -whole_range, whole_range)));
        return static_cast<std::int16_t>(is_swapped_ ? static_cast<std::uint16_t>(bits << 8 | bits >> 8) : bits);
    }

    /// What the exporter said for people to read.
    void set_sizes() {
        const auto narrow_size = [](std::uint64_t size) {
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, UINT32_MAX));
        };
        constexpr std::uint64_t chunk_head = 40, mapping_size = 8, rate = 30;
        std::uint64_t size = 0;
        for (const WaveletChunk& chunk : wavelet_.chunks)
            size += chunk.rotations.size() + chunk.positions.size() + chunk.scales.size();
        const std::uint64_t overhead = chunk_head * wavelet_.chunks.size();
        const std::uint64_t keys = static_cast<std::uint64_t>(length_ * static_cast<float>(rate)) + 1;
        wavelet_.chunk_overhead = narrow_size(overhead);
        wavelet_.compressed_size = narrow_size(size + overhead + mapping_size * wavelet_.mappings.size());
        wavelet_.optimized_size = narrow_size(key_bytes_);
        wavelet_.uncompressed_size =
            narrow_size(keys * ((rotations_.size() + frames_.size()) * sizeof(RotationKey<Quat>) +
                                (positions_.size() + scales_.size()) * sizeof(VectorKey)));
    }

    const Submotions& motion_;
    bool is_swapped_;
    WaveletOptions options_;
    Budget& budget_;
    TrackTransform transform_;
    Wavelet wavelet_;
    float length_ = 0;
    std::uint64_t key_bytes_ = 0, tracks_ = 0;
    std::size_t most_chunks_ = 0;
    std::vector<TrackSource<RotationKey<Quat>>> rotations_, frames_;
    std::vector<TrackSource<VectorKey>> positions_, scales_;
    Bulk<SampleRow> rows_;
    Bulk<std::int16_t> values_;
};

template <class Key>
double distance_of(const SampleRow& a, const SampleRow& b) noexcept {
    double squares = 0;
    const auto one = a.numbers(), other = b.numbers();
    const double sign = KeySampler<Key>::rotates && dot_of(a, b) < 0 ? -1 : 1;
    for (std::size_t k = 0; k < one.size(); ++k) {
        const double apart = static_cast<double>(one[k]) - sign * static_cast<double>(other[k]);
        squares += apart * apart;
    }
    const double length = std::sqrt(squares);
    return KeySampler<Key>::rotates ? 4 * std::asin(std::min(length / 2, 1.0)) : length;
}

template <class Key>
void widen_error(const Bulk<Key>& wanted, const Bulk<Key>& found, double& error) {
    if (wanted.empty() || found.empty()) return;
    const KeySampler<Key> keys(wanted);
    KeySampler<Key> sampler(found);
    for (const Key& key : keys.keys()) {
        SampleRow row{std::bit_cast<SampleRow::Lanes>(numbers_of(key.value))}, shown = sampler.at(key.time);
        if (KeySampler<Key>::rotates) {
            row = unit_row(row);
            shown = unit_row(shown);
        }
        error = std::max(error, distance_of<Key>(row, shown));
    }
}

WaveletError error_of(const Submotions& wanted, const Submotions& found) {
    WaveletError error;
    for (std::size_t i = 0; i < wanted.submotions.size() && i < found.submotions.size(); ++i) {
        const Submotion &a = wanted.submotions[i], &b = found.submotions[i];
        widen_error(a.position_keys, b.position_keys, error.position);
        widen_error(a.rotation_keys, b.rotation_keys, error.rotation);
        widen_error(a.scale_keys, b.scale_keys, error.scale);
        widen_error(a.scale_rotation_keys, b.scale_rotation_keys, error.rotation);
    }
    return error;
}

/// What is no number of samples becomes the next one that is, and qualities beyond the range its end.
Result<WaveletOptions> sound_options(WaveletOptions options) {
    auto checked = check_option("samples_per_second", options.samples_per_second, 0.001, 1e6);
    if (!std::isfinite(options.quality)) checked = check_option("quality", options.quality, 1, 100);
    if (!checked) return fail(std::move(checked.error()));
    options.samples_per_chunk = std::bit_ceil(std::clamp(options.samples_per_chunk, 2u, 65536u));
    options.quality = std::clamp(options.quality, 1.0, 100.0);
    return options;
}

std::uint64_t size_of_keys(const Submotions& motion) {
    std::uint64_t size = 0;
    for (const Submotion& submotion : motion.submotions)
        emfx::each_track(submotion, [&](const auto& track) { size += track.size() * sizeof track[0]; });
    return size;
}

}  // namespace

Result<Encoded> encode(const Submotions& motion, bool big_endian, const WaveletOptions& options, const Limits& limits) {
    return without_exceptions([&]() -> Result<Encoded> {
        const auto sound = sound_options(options);
        if (!sound) return fail(sound.error());
        Budget budget(limits, size_of_keys(motion));
        auto wavelet = WaveletMaker(motion, big_endian, *sound, budget).run();
        if (!wavelet) return fail(std::move(wavelet.error()));
        std::vector<WaveletProblem> problems;
        const auto again = decode(*wavelet, big_endian, budget, problems);
        if (!again) return fail(again.error());
        return Encoded{std::move(*wavelet), error_of(motion, *again)};
    });
}

}  // namespace effigy::xsm
