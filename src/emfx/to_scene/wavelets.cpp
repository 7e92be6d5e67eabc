/// Compressed motions as ordinary ones: decoded, and thinned by what their quantisation leaves open.

#include "emfx/file/wavelets.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/motions.hpp"
#include "emfx/to_scene/to_scene.hpp"
#include "scene/keys.hpp"

namespace effigy::emfx::bridge {
namespace {

/// For each key by how much it may be off. All tracks of a motion have the same times.
template <class Key>
std::vector<float> errors_of(const xsm::Wavelet& wavelet, const Bulk<Key>& keys, xsm::WaveletBlock block) {
    constexpr bool rotates = std::is_same_v<Key, xsm::RotationKey<Quat>>;
    std::vector<float> errors(keys.size());
    std::size_t chunk = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        while (chunk + 1 < wavelet.chunks.size() && wavelet.chunks[chunk + 1].start_time <= keys[i].time) ++chunk;
        // A step on one component of a rotation turns by two, in radians.
        errors[i] = xsm::step_of(wavelet, wavelet.chunks[chunk], block) * (rotates ? 2 : 1);
    }
    return errors;
}

/// Thins tracks of one kind.
class WaveletThinner {
public:
    WaveletThinner(const xsm::Wavelet& wavelet, xsm::WaveletBlock block) : wavelet_(wavelet), block_(block) {}

    template <class Key>
    void thin(Bulk<Key>& keys) {
        if (keys.size() < 3) return;
        constexpr bool rotates = std::is_same_v<Key, xsm::RotationKey<Quat>>;
        constexpr std::size_t width = rotates ? 4 : 3;
        if (times_.empty()) {
            errors_ = errors_of(wavelet_, keys, block_);
            for (const Key& key : keys) times_.push_back(key.time);
        }
        values_.resize(width * keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i)
            std::copy_n(reinterpret_cast<const float*>(&keys[i].value), width, values_.data() + width * i);
        const auto kept = keys_to_keep(times_, values_, rotates ? TrackPath::rotation : TrackPath::translation, width,
                                       engine_rules.rotation, std::span<const float>(errors_));
        for (std::size_t i = 0; i < kept.size(); ++i) keys[i] = keys[kept[i]];
        keys.resize(kept.size());
    }

private:
    const xsm::Wavelet& wavelet_;
    xsm::WaveletBlock block_;
    std::vector<float> times_, errors_;
    Bulk<float> values_;
};

void thin(const xsm::Wavelet& wavelet, xsm::Submotions& motion) {
    WaveletThinner rotations(wavelet, xsm::WaveletBlock::rotations), positions(wavelet, xsm::WaveletBlock::positions),
        scales(wavelet, xsm::WaveletBlock::scales);
    for (xsm::Submotion& submotion : motion.submotions) {
        positions.thin(submotion.position_keys);
        rotations.thin(submotion.rotation_keys);
        scales.thin(submotion.scale_keys);
        rotations.thin(submotion.scale_rotation_keys);
    }
}

/// The decoded chunks of a motion, or nothing where one of them cannot be.
Result<std::optional<std::vector<xsm::Submotions>>> decoded_chunks(Context& context, const xsm::File& file) {
    std::vector<xsm::Submotions> all;
    bool is_whole = true;
    for (std::size_t i = 0; i < file.chunks.size(); ++i) {
        const auto* const wavelet = std::get_if<xsm::Wavelet>(&file.chunks[i].record);
        if (wavelet == nullptr) continue;
        std::vector<xsm::WaveletProblem> problems;
        auto keys = xsm::decode(*wavelet, file.header.big_endian(), context.budget, problems);
        if (!keys) return fail(std::move(keys.error()));
        is_whole = is_whole && !xsm::has_error(problems);
        for (xsm::WaveletProblem& problem : problems) {
            Diagnostic finding = xsm::finding_of(std::move(problem), i);
            finding.file = context.file;
            context.report.add(std::move(finding));
        }
        if (is_whole && !(context.options.resample > 0)) thin(*wavelet, *keys);
        all.push_back(std::move(*keys));
    }
    if (!is_whole) return std::nullopt;
    return all;
}

/// The motion with keys. Where its numbers stay, so does its chunk, so that the way back has nothing to compress.
std::optional<PackedMotion> unpack(Context& context, SkeletalMotion& motion, std::vector<xsm::Submotions> decoded) {
    const bool is_changed = context.options.retarget || context.options.resample > 0;
    std::optional<PackedMotion> packed;
    if (!is_changed) packed = PackedMotion{motion_record(motion), xsm::duration(motion.file)};
    auto next = decoded.begin();
    for (xsm::Chunk& chunk : motion.file.chunks) {
        const auto* const wavelet = std::get_if<xsm::Wavelet>(&chunk.record);
        if (wavelet == nullptr) continue;
        if (is_changed)
            chunk = xsm::chunk_of_keys(std::move(*next++), wavelet->maximum_time);
        else
            chunk.record = std::move(*next++);
    }
    return packed;
}

}  // namespace

Result<void> unpack_wavelets(Context& context, std::vector<SkeletalMotion>& motions) {
    std::vector<SkeletalMotion> whole;
    whole.reserve(motions.size());
    for (SkeletalMotion& motion : motions) {
        std::optional<PackedMotion> packed;
        if (xsm::has_wavelets(motion.file)) {
            context.file = motion.source.named();
            auto decoded = decoded_chunks(context, motion.file);
            if (!decoded) return fail(std::move(decoded.error()));
            if (!*decoded) continue;
            packed = unpack(context, motion, std::move(**decoded));
        }
        context.packed.push_back(std::move(packed));
        whole.push_back(std::move(motion));
    }
    motions = std::move(whole);
    return {};
}

}  // namespace effigy::emfx::bridge
