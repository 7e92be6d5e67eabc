/// Compresses meshes by Draco's own encoder.

#include "draco_encoder.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <draco/compression/expert_encode.h>
#include <draco/core/encoder_buffer.h>
#include <draco/mesh/mesh.h>
#pragma GCC diagnostic pop

#include <gtest/gtest.h>

namespace effigy::gltf_test {
namespace {

template <class T>
void add_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data,
                   std::uint8_t components, std::span<const T> values) {
    draco::GeometryAttribute description;
    description.Init(type, nullptr, components, data, false, static_cast<std::int64_t>(components * sizeof(T)), 0);
    const int id = mesh.AddAttribute(description, true, mesh.num_points());
    for (std::uint32_t i = 0; i < mesh.num_points(); ++i)
        mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), &values[std::size_t{i} * components]);
    mesh.attribute(id)->set_unique_id(static_cast<std::uint32_t>(id));
}

}  // namespace

std::string draco_encoded(const DracoInput& input, bool edgebreaker) {
    draco::Mesh mesh;
    mesh.set_num_points(static_cast<std::uint32_t>(input.positions.size() / 3));
    add_attribute(mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, input.positions);
    add_attribute(mesh, draco::GeometryAttribute::TEX_COORD, draco::DT_FLOAT32, 2, input.texcoords);
    add_attribute(mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT16, 4, input.joints);
    for (std::size_t i = 0; i + 2 < input.indices.size(); i += 3) {
        draco::Mesh::Face face;
        for (int k = 0; k < 3; ++k) face[static_cast<std::size_t>(k)] = input.indices[i + static_cast<std::size_t>(k)];
        mesh.AddFace(face);
    }
    draco::ExpertEncoder encoder(mesh);
    encoder.SetEncodingMethod(edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING : draco::MESH_SEQUENTIAL_ENCODING);
    encoder.SetSpeedOptions(5, 5);
    draco::EncoderBuffer buffer;
    const draco::Status status = encoder.EncodeToBuffer(&buffer);
    EXPECT_TRUE(status.ok()) << status.error_msg();
    return {buffer.data(), buffer.size()};
}

}  // namespace effigy::gltf_test
