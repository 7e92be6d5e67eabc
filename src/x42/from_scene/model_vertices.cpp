/// Vertices of an X42 model before and while they are packed: positions, normals, tangents, influences.

#include "x42/from_scene/model_vertices.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>

#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {

void ModelVertices::add(const ModelVertex& vertex) {
    positions_.push_back(narrow(vertex.position));
    if (sections_.normals) normals_.push_back(pack_normal(vertex.normal));
    if (sections_.tangents) tangents_.push_back(pack_tangent(vertex.normal, vertex.tangent, vertex.side));
    if (sections_.texcoords) texcoords_.push_back({narrow(vertex.texcoord.x), narrow(vertex.texcoord.y)});
    if (sections_.colors) colors_.push_back(vertex.color);
}

void ModelVertices::pack_positions(File& file, const PackHeader* old) const {
    std::array<ValueRange, 3> ranges;
    for (const Vec3& v : positions_) {
        ranges[0].add(v.x);
        ranges[1].add(v.y);
        ranges[2].add(v.z);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        file.pack.vertex_positions[axis] = ranges[axis].range(old == nullptr ? nullptr : &old->vertex_positions[axis]);
    glm::dvec3 low(0), high(0);
    for (const Vec3& v : positions_) {
        file.vertices.push_back(pack(wide(v), file.pack.vertex_positions));
        const glm::dvec3 there = wide(unpack(file.vertices.back(), file.pack.vertex_positions));
        low = file.vertices.size() == 1 ? there : glm::min(low, there);
        high = file.vertices.size() == 1 ? there : glm::max(high, there);
    }
    const glm::dvec3 center = 0.5 * (low + high);
    double radius = 0;
    for (const PackedVec3& packed : file.vertices)
        radius = std::max(radius, glm::distance(center, wide(unpack(packed, file.pack.vertex_positions))));
    file.header.bounds_low = narrow(low);
    file.header.bounds_high = narrow(high);
    file.header.sphere_center = narrow(center);
    file.header.sphere_radius = narrow(radius * (1 + 1e-6));
}

void ModelVertices::pack_into(File& file, const PackHeader* old) const {
    pack_positions(file, old);
    file.normals = normals_;
    file.tangents = tangents_;
    file.colors = colors_;
    std::array<ValueRange, 2> ranges;
    for (const Vec2& place : texcoords_) {
        ranges[0].add(place.x);
        ranges[1].add(place.y);
    }
    for (std::size_t axis = 0; axis < 2; ++axis)
        file.pack.texcoords[axis] = ranges[axis].range(old == nullptr ? nullptr : &old->texcoords[axis]);
    for (const Vec2& place : texcoords_) {
        file.texcoords.push_back({pack(static_cast<double>(place.x), file.pack.texcoords[0]),
                                  pack(static_cast<double>(place.y), file.pack.texcoords[1])});
    }
    const auto set = [&](bool has, std::uint16_t flag) {
        if (has) file.header.model_flags |= flag;
    };
    set(sections_.normals, has_normals);
    set(sections_.tangents, has_tangents);
    set(sections_.texcoords, has_texcoords);
    set(sections_.colors, has_colors);
}

std::size_t Influences::add(std::uint16_t bone, const glm::dmat4& mesh_to_bone) {
    One one;
    one.record.bone = bone;
    for (std::size_t i = 0; i < one.record.mesh_to_bone.size(); ++i)
        one.record.mesh_to_bone[i] = narrow(mesh_to_bone[static_cast<int>(i / 3)][static_cast<int>(i % 3)]);
    one.matrix = mesh_to_bone;
    std::string key(sizeof one.record, '\0');
    std::memcpy(key.data(), &one.record, sizeof one.record);
    const auto [place, is_new] = numbers_.try_emplace(std::move(key), all_.size());
    if (is_new) all_.push_back(one);
    return place->second;
}

void Influences::reach(std::size_t influence, const glm::dvec3& position) {
    One& one = all_[influence];
    one.reach = std::max(one.reach, glm::length(glm::dvec3(one.matrix * glm::dvec4(position, 1))));
}

void Influences::put_into(File& file) const {
    for (Bone& bone : file.bones) bone.extent = 0;
    for (const One& one : all_) {
        file.influences.push_back(one.record);
        if (one.record.bone >= file.bones.size()) continue;
        float& extent = file.bones[one.record.bone].extent;
        extent = std::max(extent, narrow(one.reach));
    }
}

}  // namespace effigy::x42::bridge
