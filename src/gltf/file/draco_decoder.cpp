/// Draco's decoder, held to the limit of memory.

#include "gltf/file/draco_decoder.hpp"

// Draco's headers do not keep to this project's warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#pragma GCC diagnostic pop

#include <cstdint>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "gltf/file/asset_problems.hpp"

namespace effigy::gltf {
namespace {

constexpr std::uint16_t bitstream_of_gltf = DRACO_BITSTREAM_VERSION(2, 2);

/// A decoder that asks for memory before it uses it: for the faces when their number is read, and for the attributes
/// when it is known what they consist of. Both are rough upper bounds of what the library needs for its tables.
template <class Base, bool has_corner_table>
class Bounded : public Base {
public:
    explicit Bounded(Budget& budget) noexcept : budget_(budget) {}
    [[nodiscard]] bool over_budget() const noexcept { return over_budget_; }

protected:
    bool DecodeConnectivity() override { return can_hold_faces() && Base::DecodeConnectivity(); }
    bool DecodeAllAttributes() override { return can_hold_attributes() && Base::DecodeAllAttributes(); }

private:
    bool take(std::uint64_t count, std::uint64_t size) noexcept {
        over_budget_ = !budget_.take(count, size);
        return !over_budget_;
    }
    bool can_hold_faces() {
        if (this->bitstream_version() != bitstream_of_gltf) return false;
        draco::DecoderBuffer ahead = *this->buffer();
        std::uint32_t first = 0, second = 0;  // faces and points, in either order
        std::uint8_t tables = 0;
        if (!draco::DecodeVarint(&first, &ahead) || !draco::DecodeVarint(&second, &ahead)) return false;
        if (has_corner_table && !ahead.Decode(&tables)) return false;
        return take(std::uint64_t{first} + second, 128 + 64 * std::uint64_t{tables});
    }
    bool can_hold_attributes() {
        const draco::PointCloud& points = *this->point_cloud();
        for (std::int32_t i = 0; i < points.num_attributes(); ++i) {
            const auto components = static_cast<std::uint64_t>(points.attribute(i)->num_components());
            if (!take(points.num_points(), 16 + 24 * components)) return false;
        }
        return true;
    }

    Budget& budget_;
    bool over_budget_ = false;
};

template <class Decoder>
Result<std::shared_ptr<const draco::Mesh>> run(std::span<const std::byte> bytes, const std::string& path,
                                               Budget& budget) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Decoder decoder(budget);
    const draco::DecoderOptions options;
    auto mesh = std::make_shared<draco::Mesh>();
    if (decoder.Decode(options, &buffer, mesh.get()).ok()) return mesh;
    if (decoder.over_budget()) return out_of_budget(path, budget);
    return refuse(path, codes::gltf_draco, "a compressed mesh is damaged: its bytes cannot be decompressed");
}

}  // namespace

Result<std::shared_ptr<const draco::Mesh>> decode_draco(std::span<const std::byte> bytes, const std::string& path,
                                                        Budget& budget) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::DracoHeader header{};
    const bool is_mesh =
        draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok() && header.encoder_type == draco::TRIANGULAR_MESH;
    if (is_mesh && header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING)
        return run<Bounded<draco::MeshEdgebreakerDecoder, true>>(bytes, path, budget);
    if (is_mesh && header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
        return run<Bounded<draco::MeshSequentialDecoder, false>>(bytes, path, budget);
    return refuse(path, codes::gltf_draco, "the bytes of a compressed mesh are no mesh of Draco's");
}

}  // namespace effigy::gltf
