/// Primitives as X42 groups of vertices, indices and bones, split at the limits of one group; vertices and influences
/// of the model while they are packed.

#include <algorithm>
#include <array>
#include <cstring>
#include <glm/geometric.hpp>

#include "x42/from_scene/mesh_parts.hpp"
#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::size_t max_vertices = 65536;  ///< that indices of 16 bits tell apart

PrimitiveType type_of(std::size_t width) noexcept {
    return width == 3 ? PrimitiveType::triangles : width == 2 ? PrimitiveType::lines : PrimitiveType::points;
}

}  // namespace

bool GroupWriter::has_room(std::span<const SourceVertex> corners) const {
    if (weights_.size() + corners.size() > max_vertices) return false;
    std::vector<std::uint16_t> more;
    for (const SourceVertex& corner : corners) {
        for (const Weight& weight : corner.weights) {
            const auto number = static_cast<std::uint16_t>(weight.joint);
            const bool known = std::find(palette_.begin(), palette_.end(), number) != palette_.end();
            if (!known && std::find(more.begin(), more.end(), number) == more.end()) more.push_back(number);
        }
    }
    return palette_.size() + more.size() <= max_bones_;
}

std::uint16_t GroupWriter::put(const SourceVertex& vertex) {
    std::vector<Weight> weights = vertex.weights;
    for (Weight& weight : weights) {
        influences_.reach(weight.joint, vertex.vertex.position);
        const auto number = static_cast<std::uint16_t>(weight.joint);
        const auto place = std::find(palette_.begin(), palette_.end(), number);
        weight.joint = static_cast<std::uint32_t>(place - palette_.begin());
        if (place == palette_.end()) palette_.push_back(number);
    }
    weights_.push_back(std::move(weights));
    vertices_.add(vertex.vertex);
    return static_cast<std::uint16_t>(weights_.size() - 1);
}

void GroupWriter::add(std::span<const std::uint32_t> corners, std::span<const SourceVertex> vertices, bool indexed) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto known = indexed ? places_.find(corners[i]) : places_.end();
        const std::uint16_t place = known != places_.end() ? known->second : put(vertices[i]);
        if (!indexed) continue;
        places_.try_emplace(corners[i], place);
        indices_.push_back(place);
    }
}

void GroupWriter::flush(std::uint16_t material, std::uint16_t surface, PrimitiveType type) {
    if (weights_.empty()) return;
    Group group;
    group.material = material;
    group.surface = surface;
    group.type = type;
    group.influence_count = static_cast<std::uint16_t>(palette_.size());
    std::copy(palette_.begin(), palette_.end(), group.influences.begin());
    for (const auto& weights : weights_)
        group.vertex_influences = std::max(group.vertex_influences, static_cast<std::uint16_t>(weights.size()));
    group.vertex_count = static_cast<std::uint32_t>(weights_.size());
    group.first_vertex = static_cast<std::uint32_t>(vertices_.size() - weights_.size());
    group.element_count = group.vertex_count;
    if (type != PrimitiveType::points) {
        group.first_index = static_cast<std::uint32_t>(file_.indices.size());
        group.element_count = static_cast<std::uint32_t>(indices_.size());
        file_.indices.insert(file_.indices.end(), indices_.begin(), indices_.end());
    }
    std::array<std::uint8_t, max_influences> places{};
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint8_t>(i);
    for (const auto& weights : weights_) append_blend(weights, group.vertex_influences, places, file_.blend);
    file_.groups.push_back(group);
    places_.clear();
    palette_.clear();
    weights_.clear();
    indices_.clear();
}

void GroupWriter::write(std::uint16_t material, std::uint16_t surface, std::span<const std::uint32_t> corners,
                        std::size_t width, const std::function<SourceVertex(std::uint32_t)>& source) {
    const PrimitiveType type = type_of(width);
    std::vector<SourceVertex> vertices;  // of corners that the open group lacks
    for (std::size_t i = 0; i + width <= corners.size(); i += width) {
        const auto element = corners.subspan(i, width);
        const auto load = [&] {
            vertices.clear();
            for (const std::uint32_t corner : element) {
                const bool known = width != 1 && places_.contains(corner);
                vertices.push_back(known ? SourceVertex() : source(corner));
            }
        };
        load();
        if (!has_room(vertices)) {
            flush(material, surface, type);
            load();
        }
        add(element, vertices, width != 1);
    }
    flush(material, surface, type);
}

void ModelVertices::add(const ModelVertex& vertex) {
    positions_.push_back(narrow(vertex.position));
    sources_.push_back(vertex.source);
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
    // A bone that scales has units of its own, and bounds are the model's.
    const auto bone_to_mesh = inverse_affine(mesh_to_bone, 1e-30);
    if (bone_to_mesh) one.origin = glm::dvec3((*bone_to_mesh)[3]);
    std::string key(sizeof one.record, '\0');
    std::memcpy(key.data(), &one.record, sizeof one.record);
    const auto [place, is_new] = numbers_.try_emplace(std::move(key), all_.size());
    if (is_new) all_.push_back(one);
    return place->second;
}

void Influences::reach(std::size_t influence, const glm::dvec3& position) {
    One& one = all_[influence];
    one.reach = std::max(one.reach, glm::distance(one.origin, position));
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
