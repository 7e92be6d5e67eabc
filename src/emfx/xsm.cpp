#include "effigy/xsm.hpp"

#include <cmath>

#include "emfx/container.hpp"

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

namespace {

template <class Key>
float last_time(const Bulk<Key>& keys, float latest) noexcept {
    for (const Key& key : keys) latest = key.time > latest ? key.time : latest;
    return latest;
}

template <class Rotation>
float last_time(const BasicSubmotion<Rotation>& submotion, float latest) noexcept {
    latest = last_time(submotion.position_keys, latest);
    latest = last_time(submotion.rotation_keys, latest);
    latest = last_time(submotion.scale_keys, latest);
    return last_time(submotion.scale_rotation_keys, latest);
}

template <class Rotation>
float last_time(const BasicSubmotions<Rotation>& list, float latest) noexcept {
    for (const auto& submotion : list.submotions) latest = last_time(submotion, latest);
    return latest;
}

float last_time(const Wavelet& wavelet, float latest) noexcept {
    return wavelet.maximum_time > latest ? wavelet.maximum_time : latest;
}

float last_time(const Opaque&, float latest) noexcept { return latest; }
float last_time(const MotionInfo&, float latest) noexcept { return latest; }
float last_time(const MotionEvents&, float latest) noexcept { return latest; }
float last_time(const Timestamp&, float latest) noexcept { return latest; }

}  // namespace

float duration(const File& file) noexcept {
    float latest = 0;
    for (const Chunk& chunk : file.chunks) {
        latest = std::visit([&](const auto& record) { return last_time(record, latest); }, chunk.record);
    }
    return latest;
}

}  // namespace effigy::xsm
