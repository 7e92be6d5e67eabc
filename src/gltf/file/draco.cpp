/// Meshes under KHR_draco_mesh_compression: attributes and indices as their accessors state them.

#include "gltf/file/draco.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <draco/mesh/mesh.h>
#pragma GCC diagnostic pop

#include <string>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/draco_decoder.hpp"
#include "gltf/file/json_values.hpp"

namespace effigy::gltf {
namespace {

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
    auto mesh = decode_draco(bytes->bytes, place("bufferViews", view), budget_);
    if (mesh) meshes_.emplace(view, *mesh);
    return mesh;
}

Result<Accessor> DracoMeshes::attribute(const draco::Mesh& mesh, std::uint64_t id, std::uint64_t accessor) {
    const std::string path = place("accessors", accessor);
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
