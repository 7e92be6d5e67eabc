#pragma once
/// Animation keys as arrays of floats in the scene's frame, and the engine's way of reading between them.

#include <array>
#include <cstdint>
#include <span>

#include "effigy/scene.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/file/key_times.hpp"
#include "emfx/file/transforms.hpp"

namespace effigy::emfx::bridge {

/// What was found in the keys of one motion.
struct KeyFindings {
    std::uint64_t bad_times = 0;
    std::uint64_t unsorted = 0;  ///< tracks
    std::uint64_t duplicates = 0;
    std::uint64_t negative = 0;
    std::uint64_t late = 0;     ///< tracks whose first key is after 0, and stays there
    std::uint64_t rebased = 0;  ///< tracks that were moved to 0
    float latest_start = 0;     ///< of those
    Repairs values;
};

/// One component of a track: keys, or one value that holds all the time.
struct Channel {
    std::size_t width = 3;
    Bulk<float> times;            ///< seconds, strictly increasing, from 0; empty: the value holds
    Bulk<float> values;           ///< `width` numbers for each time
    std::array<float, 4> pose{};  ///< without keys

    [[nodiscard]] bool keyed() const noexcept { return !times.empty(); }
};

/// Makes times strictly increasing, finite and not negative, and values fit them. Of keys that share a time the
/// first and the last one stay, the first one as close before as floats allow. A track that begins before 0 is cut
/// there.
void clean_times(Bulk<float>& times, Bulk<float>& values, std::size_t width, KeyFindings& findings);

/// What the scene subtracts from the times of a track, to let it begin at 0.
template <class Key>
[[nodiscard]] float start_of(const Bulk<Key>& keys, KeyFindings& findings) {
    const float start = span_of(keys).start();
    if (start != 0) ++findings.rebased;
    findings.latest_start = std::max(findings.latest_start, start);
    return start;
}

/// A rotation of any length.
[[nodiscard]] inline Quat unpacked(const Quat& q) noexcept { return q; }
[[nodiscard]] inline Quat unpacked(const xsm::PackedQuat& q) noexcept {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// Positions are mirrored. Numbers that are not finite become 0 in them, and 1 in scales, which would hide what they
/// are of.
enum class VectorKind : std::uint8_t { position, scale };

/// `start` is subtracted from all times.
[[nodiscard]] Channel vector_channel(std::span<const xsm::VectorKey> keys, float start, Vec3 pose, VectorKind kind,
                                     KeyFindings& findings);
template <class Rotation>
[[nodiscard]] Channel rotation_channel(std::span<const xsm::RotationKey<Rotation>> keys, float start, Rotation pose,
                                       KeyFindings& findings);
[[nodiscard]] Channel weight_channel(std::span<const xpm::WeightKey> keys, float start, float pose, float min_weight,
                                     float max_weight, KeyFindings& findings);

/// Reads a keyed channel at times that do not go back: numbers linearly, rotations by normalised linear
/// interpolation.
class Sampler {
public:
    /// With the engine's rule, times before the first key show the last one; without, the first one.
    Sampler(const Channel& channel, bool engine_rule) : channel_(channel), engine_rule_(engine_rule) {}
    /// Writes `width` numbers.
    void sample(float time, std::span<float> out);

private:
    const Channel& channel_;
    std::size_t next_ = 0;  ///< first key after the time
    bool engine_rule_;
};

/// The channel at other times by the engine's rule.
[[nodiscard]] Channel resampled(const Channel& channel, std::span<const float> times);

/// a(t) * b(t) for rotations. `united` is set if both have keys, so that the product had to be sampled: at the times
/// of both and, to `refine`, up to 63 times between where they turn far.
[[nodiscard]] Channel product(Channel a, Channel b, bool refine, bool& united);
/// How many keys the product will have at most.
[[nodiscard]] std::uint64_t product_size(const Channel& a, const Channel& b, bool refine);
/// The opposite rotation.
[[nodiscard]] Channel conjugated(Channel rotation);

/// Whether a value without keys is another one than the scene's rest; of rotations only what they do counts.
[[nodiscard]] bool differs(std::span<const float> pose, std::span<const float> rest);

/// All times of all channels, in order, each once.
[[nodiscard]] Bulk<float> united_times(std::span<const Channel* const> channels);

}  // namespace effigy::emfx::bridge
