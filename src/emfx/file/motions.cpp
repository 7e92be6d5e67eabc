/// Reading and writing motions (XSM, XPM), decoding 16-bit rotations, and how long motions take.

#include <algorithm>
#include <cmath>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/file/container.hpp"
#include "emfx/file/key_times.hpp"

namespace effigy::xsm {

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return emfx::read_container<emfx::XsmFormat>(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return emfx::read_container_file<emfx::XsmFormat>(path, options);
}

Result<Bytes> write(const File& file, const WriteOptions& options) { return emfx::write_container(file, options); }

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return emfx::write_container_file(file, path, options);
}

Quat decode(PackedQuat packed) noexcept {
    constexpr float unit = 1.0f / 32767.0f;
    return {static_cast<float>(packed.x) * unit, static_cast<float>(packed.y) * unit,
            static_cast<float>(packed.z) * unit, static_cast<float>(packed.w) * unit};
}

Bulk<RotationKey<Quat>> decode(std::span<const RotationKey<PackedQuat>> keys) {
    Bulk<RotationKey<Quat>> result(keys.size());
    for (std::size_t index = 0; index < keys.size(); ++index) {
        const auto [packed, time] = keys[index];
        const auto x = static_cast<float>(packed.x), y = static_cast<float>(packed.y);
        const auto z = static_cast<float>(packed.z), w = static_cast<float>(packed.w);
        const float square = x * x + y * y + z * z + w * w;
        const float unit = 1.0f / std::sqrt(square > 0 ? square : 1.0f);
        result[index] = {{x * unit, y * unit, z * unit, w * unit}, time};
    }
    return result;
}

float duration(const File& file) noexcept {
    float longest = emfx::length_of_tracks(file, false);
    for (const Chunk& chunk : file.chunks) {
        if (const auto* wavelet = std::get_if<Wavelet>(&chunk.record)) {
            longest = std::max(longest, wavelet->maximum_time);
        }
    }
    return longest;
}

}  // namespace effigy::xsm

namespace effigy::xpm {

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return emfx::read_container<emfx::XpmFormat>(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return emfx::read_container_file<emfx::XpmFormat>(path, options);
}

Result<Bytes> write(const File& file, const WriteOptions& options) { return emfx::write_container(file, options); }

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return emfx::write_container_file(file, path, options);
}

float duration(const File& file) noexcept { return emfx::length_of_tracks(file, false); }

}  // namespace effigy::xpm
