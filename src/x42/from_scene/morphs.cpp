/// Morph targets as version 6 has them: offsets of the model's vertices, target by target.

#include <algorithm>
#include <unordered_map>

#include "x42/from_scene/from_scene.hpp"
#include "x42/from_scene/mesh_parts.hpp"
#include "x42/to_scene/geometry.hpp"
#include "x42/to_scene/packing.hpp"

namespace effigy::x42::bridge {
namespace {

constexpr std::uint64_t countable = 65536;  ///< vertices that an index tells apart

/// How much the bitangent changes where normal and tangent do: i8[3] at the end of a tangent.
PackedNormal bitangent_offset(const PackedNormal& normal, const PackedTangent& tangent, const Vec3& normal_offset,
                              const Vec3& tangent_offset) {
    const glm::dvec3 n = wide(unpack(normal)), t = wide(unpack(PackedNormal{tangent[0], tangent[1], tangent[2]}));
    const double side = tangent[3] < 0 ? -1 : 1;
    return pack_normal(side * (glm::cross(n + wide(normal_offset), t + wide(tangent_offset)) - glm::cross(n, t)));
}

}  // namespace

void MorphWriter::add(const Mesh& mesh, const Placement& placement, std::span<const std::uint32_t> sources,
                      std::size_t first) {
    if (mesh.targets.empty()) return;
    std::unordered_multimap<std::uint32_t, std::size_t> places;
    for (std::size_t i = 0; i < sources.size(); ++i) places.emplace(sources[i], first + i);
    std::unordered_map<std::string, std::size_t> seen;
    for (const effigy::MorphTarget& target : mesh.targets) {
        const auto [number, is_new] = numbers_.try_emplace({target.name, seen[target.name]++}, targets_.size());
        if (is_new) targets_.push_back({target.name, {}});
        const auto offset = [](const Bulk<Vec3>& all, std::size_t i) {
            return i < all.size() ? wide(all[i]) : glm::dvec3(0);
        };
        for (std::size_t i = 0; i < target.indices.size(); ++i) {
            const auto [from, end] = places.equal_range(target.indices[i]);
            for (auto place = from; place != end; ++place) {
                const glm::dmat3 linear(placement.matrix);
                targets_[number->second].deltas.push_back({place->second, narrow(linear * offset(target.positions, i)),
                                                           narrow(placement.normals * offset(target.normals, i)),
                                                           narrow(linear * offset(target.tangents, i))});
            }
        }
    }
}

std::uint64_t MorphWriter::put_into(File& file, const File& old, Names& names) {
    std::uint64_t lost = 0, count = 0;
    std::array<ValueRange, 3> ranges;
    for (Target& target : targets_) {
        lost += std::erase_if(target.deltas, [](const Delta& delta) { return delta.vertex >= countable; });
        std::sort(target.deltas.begin(), target.deltas.end(),
                  [](const Delta& a, const Delta& b) { return a.vertex < b.vertex; });
        count += target.deltas.size();
        for (const Delta& delta : target.deltas)
            ranges[0].add(delta.position.x), ranges[1].add(delta.position.y), ranges[2].add(delta.position.z);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        file.pack.morph_positions[axis] = ranges[axis].range(&old.pack.morph_positions[axis]);
    Morphs& morphs = file.morphs;
    const bool is_small = old.morphs.layout == MorphLayout::small && count < 65536;
    morphs.layout = is_small ? MorphLayout::small : MorphLayout::large;
    morphs.wide_counts = old.morphs.wide_counts || targets_.size() > 65535;
    file.version = old.version;
    for (const Target& target : targets_) {
        morphs.targets.push_back({names.add(target.name), 0, static_cast<std::uint32_t>(morphs.indices.size()),
                                  static_cast<std::uint32_t>(target.deltas.size())});
        for (const Delta& delta : target.deltas) put(delta, file);
    }
    return lost;
}

void MorphWriter::put(const Delta& delta, File& file) {
    Morphs& morphs = file.morphs;
    morphs.indices.push_back(static_cast<std::uint16_t>(delta.vertex));
    morphs.positions.push_back(pack(wide(delta.position), file.pack.morph_positions));
    const PackedNormal normal = pack_normal(wide(delta.normal)), tangent = pack_normal(wide(delta.tangent));
    if ((file.header.model_flags & has_normals) != 0) morphs.normals.push_back(normal);
    if ((file.header.model_flags & has_tangents) == 0) return;
    const PackedNormal side =
        bitangent_offset(file.normals[delta.vertex], file.tangents[delta.vertex], delta.normal, delta.tangent);
    morphs.tangents.push_back({tangent[0], tangent[1], tangent[2], 0, side[0], side[1], side[2]});
}

}  // namespace effigy::x42::bridge
