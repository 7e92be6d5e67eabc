#include "effigy/xsm.hpp"

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
    return {static_cast<float>(packed.x) * unit, static_cast<float>(packed.y) * unit, static_cast<float>(packed.z) * unit,
            static_cast<float>(packed.w) * unit};
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
