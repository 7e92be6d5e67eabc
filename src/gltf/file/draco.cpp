/// Meshes under KHR_draco_mesh_compression: decoded within the limit of memory, attributes and indices as their
/// accessors state them.

#include "gltf/file/draco.hpp"

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

#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"

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
    if (decoder.Decode(options, &buffer, mesh.get()).ok()) return mesh;  // NOLINT(*-redundant-smartptr-get)
    if (decoder.over_budget()) return out_of_budget(path, budget);
    return refuse(path, codes::gltf_draco, "a compressed mesh is damaged: its bytes cannot be decompressed");
}

/// Draco believes the numbers of points and faces that it reads: here they are held to the limit.
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

/// The values of all points, as the accessor has them; false if one is beyond that type.
template <class Stored>
bool copy_values(const draco::Mesh& mesh, const draco::PointAttribute& attribute, Accessor& accessor) {
    const std::size_t components = component_count(accessor.element);
    Stored* destination = accessor.as<Stored>().data();
    for (std::uint32_t point = 0; point < mesh.num_points(); ++point, destination += components) {
        const auto value = attribute.mapped_index(draco::PointIndex(point));
        if (!attribute.ConvertValue<Stored>(value, static_cast<std::int8_t>(components), destination)) return false;
    }
    return true;
}

bool copy_values_as_stored(const draco::Mesh& mesh, const draco::PointAttribute& attribute, Accessor& accessor) {
    switch (accessor.component) {
        case ComponentType::i8:
            return copy_values<std::int8_t>(mesh, attribute, accessor);
        case ComponentType::u8:
            return copy_values<std::uint8_t>(mesh, attribute, accessor);
        case ComponentType::i16:
            return copy_values<std::int16_t>(mesh, attribute, accessor);
        case ComponentType::u16:
            return copy_values<std::uint16_t>(mesh, attribute, accessor);
        case ComponentType::u32:
            return copy_values<std::uint32_t>(mesh, attribute, accessor);
        default:
            return copy_values<float>(mesh, attribute, accessor);
    }
}

}  // namespace

Result<DracoMeshes::Mesh> DracoMeshes::mesh_of(std::uint64_t view) {
    const auto known = meshes_.find(view);
    if (known != meshes_.end()) return known->second;
    const auto bytes = buffers_.view(view);
    if (!bytes) return fail(bytes.error());
    auto mesh = decode_draco(bytes->bytes, element_path("bufferViews", view), budget_);
    if (mesh) meshes_.emplace(view, *mesh);
    return mesh;
}

Result<Accessor> DracoMeshes::attribute(const draco::Mesh& mesh, std::uint64_t id, std::uint64_t accessor) {
    const std::string path = element_path("accessors", accessor);
    const auto head = accessors_.head(accessor);
    if (!head) return fail(head.error());
    const draco::PointAttribute* const found =
        id > UINT32_MAX ? nullptr : mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    if (found == nullptr)
        return refuse(path, codes::gltf_draco, "a compressed mesh has no attribute of the number that the file names",
                      std::to_string(id));
    if (!budget_.take(mesh.num_points(), head->element_size())) return out_of_budget(path, budget_);
    Accessor values{{}, head->element, head->component, head->normalized};
    values.bytes.resize(mesh.num_points() * head->element_size());
    if (!copy_values_as_stored(mesh, *found, values))
        return refuse(path, codes::gltf_draco, "the values of a compressed mesh do not fit the type of their accessor");
    return values;
}

Result<Bulk<std::uint32_t>> DracoMeshes::indices(const draco::Mesh& mesh) {
    if (!budget_.take(mesh.num_faces(), 3 * sizeof(std::uint32_t))) return out_of_budget({}, budget_);
    Bulk<std::uint32_t> indices;
    indices.reserve(std::size_t{mesh.num_faces()} * 3);
    for (std::uint32_t i = 0; i < mesh.num_faces(); ++i) {
        for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(i))) {
            if (corner.value() >= mesh.num_points())
                return refuse({}, codes::gltf_draco, "a triangle of a compressed mesh has a corner that is no vertex",
                              std::to_string(corner.value()), "below " + std::to_string(mesh.num_points()));
            indices.push_back(corner.value());
        }
    }
    return indices;
}

Result<std::optional<DecodedPrimitive>> DracoMeshes::decode(const nlohmann::json& primitive) {
    const nlohmann::json* const extension = extension_of(primitive, "KHR_draco_mesh_compression");
    if (extension == nullptr) return std::nullopt;
    const auto view = whole_member(*extension, "bufferView");
    const nlohmann::json* const ids = member(*extension, "attributes");
    const nlohmann::json* const accessors = member(primitive, "attributes");
    if (!view || ids == nullptr || !ids->is_object() || accessors == nullptr)
        return refuse({}, codes::gltf_draco, "a compressed mesh does not say where its attributes are");
    const auto mesh = mesh_of(*view);
    if (!mesh) return fail(mesh.error());
    DecodedPrimitive decoded;
    for (const auto& [name, id] : ids->items()) {
        const auto accessor = whole_member(*accessors, name);
        const auto unique_id = whole_number(id);
        if (!accessor || !unique_id)
            return refuse({}, codes::gltf_draco, "an attribute of a compressed mesh has no number or no accessor",
                          shortened(name));
        auto values = attribute(**mesh, *unique_id, *accessor);
        if (!values) return fail(std::move(values.error()));
        decoded.attributes.emplace(name, std::move(*values));
    }
    auto corners = indices(**mesh);
    if (!corners) return fail(std::move(corners.error()));
    decoded.indices = std::move(*corners);
    return decoded;
}

}  // namespace effigy::gltf
