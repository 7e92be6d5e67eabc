/// Primitives as X42 groups of vertices, indices and bones, split at the limits of one group.

#include "x42/from_scene/group_writer.hpp"

#include <algorithm>
#include <array>

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

}  // namespace effigy::x42::bridge
