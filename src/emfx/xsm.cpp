#include "effigy/xsm.hpp"

#include <algorithm>
#include <array>
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
    return {static_cast<float>(packed.x) * unit, static_cast<float>(packed.y) * unit, static_cast<float>(packed.z) * unit,
            static_cast<float>(packed.w) * unit};
}

namespace {

// Roots and divisions are the dear part: in a block of their own they run four or more at a time.
constexpr std::size_t block_size = 64;

void decode_block(std::span<const RotationKey<PackedQuat>> keys, RotationKey<Quat>* result) {
    std::array<float, block_size> unit;
    unit.fill(1);
    for (std::size_t index = 0; index < keys.size(); ++index) {
        const auto [x, y, z, w] = keys[index].value;
        // Four squares of 16-bit numbers fit into 32 bits without a sign.
        const std::uint32_t square = static_cast<std::uint32_t>(x * x) + static_cast<std::uint32_t>(y * y) +
                                     static_cast<std::uint32_t>(z * z) + static_cast<std::uint32_t>(w * w);
        unit[index] = static_cast<float>(static_cast<std::int64_t>(square));
    }
    for (float& value : unit) value = 1.0f / std::sqrt(std::max(value, 1.0f));
    for (std::size_t index = 0; index < keys.size(); ++index) {
        const auto [x, y, z, w] = keys[index].value;
        const float scale = unit[index];
        result[index] = {{static_cast<float>(x) * scale, static_cast<float>(y) * scale, static_cast<float>(z) * scale,
                          static_cast<float>(w) * scale},
                         keys[index].time};
    }
}

}  // namespace

Bulk<RotationKey<Quat>> decode(std::span<const RotationKey<PackedQuat>> keys) {
    Bulk<RotationKey<Quat>> result(keys.size());
    for (std::size_t start = 0; start < keys.size(); start += block_size) {
        decode_block(keys.subspan(start, std::min(block_size, keys.size() - start)), result.data() + start);
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
