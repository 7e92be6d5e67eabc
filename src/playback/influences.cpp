/// Skin influences of vertices (JOINTS_n, WEIGHTS_n) in batches by their number.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/playback.hpp"
#include "effigy/scene_access.hpp"

#include "core/guard.hpp"
#include "playback/checks.hpp"

namespace effigy::playback {
namespace {

/// JOINTS_n with its WEIGHTS_n.
struct InfluenceSet {
    std::uint32_t number = 0;
    const Attribute* joints = nullptr;
    const Attribute* weights = nullptr;
};

/// Its numbers, for each vertex as many as it has influences in this set.
struct InfluenceNumbers {
    std::uint32_t number = 0;
    NumberView<std::uint32_t> joints;
    FloatView weights;
};

std::string name_of(const char* name, const InfluenceSet& set) { return name + std::to_string(set.number); }

Result<void> check_types(const InfluenceSet& set) {
    const Accessor& joints = set.joints->data;
    const Accessor& weights = set.weights->data;
    if (joints.component != ComponentType::u8 && joints.component != ComponentType::u16 &&
        joints.component != ComponentType::u32) {
        return wrong_value(name_of("JOINTS_", set), "another component type", "8, 16 or 32 bits without sign");
    }
    if (weights.component != ComponentType::f32 &&
        !(weights.normalized && (weights.component == ComponentType::u8 || weights.component == ComponentType::u16))) {
        return wrong_value(name_of("WEIGHTS_", set), "another component type",
                           "floats, or 8 or 16 bits without sign, normalised");
    }
    return {};
}

Result<void> check_set(const InfluenceSet& set, std::size_t vertices) {
    if (set.weights == nullptr) return wrong_size(name_of("WEIGHTS_", set), 0, std::to_string(vertices));
    if (set.joints == nullptr) return wrong_size(name_of("JOINTS_", set), 0, std::to_string(vertices));
    if (auto fits = check_types(set); !fits) return fits;
    const std::size_t width = component_count(set.joints->data.element);
    if (component_count(set.weights->data.element) != width) {
        return wrong_size(name_of("WEIGHTS_", set) + " element", component_count(set.weights->data.element),
                          std::to_string(width));
    }
    for (const Accessor* data : {&set.joints->data, &set.weights->data}) {
        if (data->bytes.size() == vertices * data->stride()) continue;
        return wrong_size(name_of(data == &set.joints->data ? "JOINTS_" : "WEIGHTS_", set), data->count(),
                          std::to_string(vertices));
    }
    return {};
}

/// By ascending number; of several attributes of one name the first counts.
Result<std::vector<InfluenceNumbers>> find_sets(const Mesh& mesh) {
    std::map<std::uint32_t, InfluenceSet> by_number;
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic != Semantic::joints && attribute.semantic != Semantic::weights) continue;
        InfluenceSet& set = by_number[attribute.set];
        set.number = attribute.set;
        const Attribute*& place = attribute.semantic == Semantic::joints ? set.joints : set.weights;
        if (place == nullptr) place = &attribute;
    }
    std::vector<InfluenceNumbers> sets;
    for (auto& [number, set] : by_number) {
        if (auto fits = check_set(set, mesh.vertex_count); !fits) return fail(std::move(fits.error()));
        sets.push_back({number, NumberView<std::uint32_t>(set.joints), FloatView(set.weights)});
    }
    return sets;
}

Result<void> check_influence(std::uint32_t set, std::uint32_t joint, float weight, std::size_t joint_count) {
    if (!std::isfinite(weight)) {
        return wrong_value("WEIGHTS_" + std::to_string(set), std::to_string(weight), "a finite number");
    }
    constexpr std::size_t max_joints = std::numeric_limits<std::uint16_t>::max() + std::size_t{1};
    const std::size_t limit = std::min(joint_count, max_joints);
    if (joint < limit) return {};
    return wrong_index("JOINTS_" + std::to_string(set), joint, "less than " + std::to_string(limit));
}

/// How many influences of each vertex have weight; at least one, which is then made up.
Result<Bulk<std::uint32_t>> count_influences(const Mesh& mesh, const std::vector<InfluenceNumbers>& sets,
                                             std::size_t joint_count) {
    if (mesh.vertex_count != 0 && joint_count == 0) return wrong_size("joints", 0, "at least 1");
    Bulk<std::uint32_t> counts(mesh.vertex_count, 0);
    for (const InfluenceNumbers& set : sets) {
        const auto joints = set.joints.values();
        const auto weights = set.weights.values();
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] == 0) continue;
            if (auto fits = check_influence(set.number, joints[i], weights[i], joint_count); !fits)
                return fail(std::move(fits.error()));
            ++counts[i / set.weights.width()];
        }
    }
    for (std::uint32_t& count : counts) count = std::max(count, 1u);
    return counts;
}

/// Where the next vertex of a batch and its influences go.
struct Places {
    std::size_t vertex = 0;
    std::size_t influence = 0;
};

/// Makes the batches, and says where each begins, by the number of influences.
std::vector<Places> lay_out(const Bulk<std::uint32_t>& counts, Influences& result) {
    std::vector<std::uint32_t> vertices_with;
    for (const std::uint32_t count : counts) {
        if (count >= vertices_with.size()) vertices_with.resize(count + std::size_t{1});
        ++vertices_with[count];
    }
    std::vector<Places> places(vertices_with.size());
    Places next;
    for (std::size_t count = 1; count < vertices_with.size(); ++count) {
        places[count] = next;
        next.vertex += vertices_with[count];
        next.influence += count * vertices_with[count];
    }
    result.vertices.resize(next.vertex);
    result.joints.resize(next.influence);
    result.weights.resize(next.influence);
    for (std::size_t count = 1; count < vertices_with.size(); ++count) {
        const std::size_t size = vertices_with[count];
        if (size == 0) continue;
        const Places& begin = places[count];
        result.batches.push_back({static_cast<std::uint32_t>(count),
                                  std::span(result.vertices).subspan(begin.vertex, size),
                                  std::span(result.joints).subspan(begin.influence, size * count),
                                  std::span(result.weights).subspan(begin.influence, size * count)});
    }
    return places;
}

void fill(const std::vector<InfluenceNumbers>& sets, const Bulk<std::uint32_t>& counts, std::vector<Places> places,
          Influences& result) {
    for (std::size_t vertex = 0; vertex < counts.size(); ++vertex) {
        Places& place = places[counts[vertex]];
        result.vertices[place.vertex++] = static_cast<std::uint32_t>(vertex);
        std::size_t next = place.influence;
        place.influence += counts[vertex];
        result.joints[next] = 0;
        result.weights[next] = 1;
        for (const InfluenceNumbers& set : sets) {
            const auto joints = set.joints[vertex];
            const auto weights = set.weights[vertex];
            for (std::size_t i = 0; i < weights.size(); ++i) {
                if (weights[i] == 0) continue;
                result.joints[next] = static_cast<std::uint16_t>(joints[i]);
                result.weights[next++] = weights[i];
            }
        }
    }
}

Result<Influences> collect(const Mesh& mesh, std::size_t joint_count) {
    const Result<std::vector<InfluenceNumbers>> sets = find_sets(mesh);
    if (!sets) return fail(sets.error());
    const Result<Bulk<std::uint32_t>> counts = count_influences(mesh, *sets, joint_count);
    if (!counts) return fail(counts.error());
    Influences result;
    std::vector<Places> places = lay_out(*counts, result);
    fill(*sets, *counts, std::move(places), result);
    return result;
}

}  // namespace

Result<Influences> make_influences(const Mesh& mesh, std::size_t joint_count) {
    return without_exceptions([&] { return collect(mesh, joint_count); });
}

}  // namespace effigy::playback
