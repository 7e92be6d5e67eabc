/// Measurements.

#include "blender/compare.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "effigy/poser.hpp"

#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::blender_test {
namespace {

/// Bones, parts, tags: what the game's own files know by name.
bool is_known(const Node& node) { return node.mesh == no_index && !node.hidden; }

playback::Bounds bounds_at(playback::Poser& poser, Index clip, double time) {
    const auto posed = poser.pose(clip, time, false);
    EXPECT_TRUE(posed) << (posed ? "" : to_string(posed.error()));
    return poser.bounds();
}

double box_distance(const playback::Bounds& a, const playback::Bounds& b) {
    const double size = glm::length(wide(a.high) - wide(a.low));
    return std::max(glm::length(wide(a.low) - wide(b.low)), glm::length(wide(a.high) - wide(b.high))) / size;
}

}  // namespace

std::map<std::string, std::string> parents(const Scene& scene) {
    std::map<std::string, std::string> result;
    for (const Node& node : scene.nodes) {
        if (is_known(node)) result[node.name] = node.parent == no_index ? "" : scene.nodes[node.parent].name;
    }
    return result;
}

Apart rests_apart(const Scene& a, const Scene& b) {
    std::map<std::string, glm::dmat4> places;
    for (const Node& node : a.nodes) {
        if (is_known(node)) places.emplace(node.name, local_matrix(node));
    }
    Apart apart;
    for (const Node& node : b.nodes) {
        const auto other = places.find(node.name);
        if (!is_known(node) || other == places.end()) continue;
        const glm::dmat4 now = local_matrix(node);
        const double place = largest(glm::dvec3(now[3] - other->second[3]));
        const double turn = largest(glm::dmat3(now) - glm::dmat3(other->second));
        if (place > apart.place || turn > apart.turn) apart.where = node.name;
        apart.place = std::max(apart.place, place);
        apart.turn = std::max(apart.turn, turn);
    }
    return apart;
}

double bounds_apart(const Scene& a, const Scene& b, std::size_t& clips) {
    auto poser_a = playback::Poser::make(a);
    auto poser_b = playback::Poser::make(b);
    EXPECT_TRUE(poser_a && poser_b);
    if (!poser_a || !poser_b) return 1;
    double most = box_distance(bounds_at(*poser_a, no_index, 0), bounds_at(*poser_b, no_index, 0));
    for (Index i = 0; i < a.clips.size(); ++i) {
        const auto same = [&](const Clip& clip) { return clip.name == a.clips[i].name; };
        const auto found = std::find_if(b.clips.begin(), b.clips.end(), same);
        if (found == b.clips.end()) continue;
        ++clips;
        const auto other = static_cast<Index>(found - b.clips.begin());
        for (int k = 0; k <= 8; ++k) {
            const double time = double{std::min(a.clips[i].duration, found->duration)} * k / 8;
            most = std::max(most, box_distance(bounds_at(*poser_a, i, time), bounds_at(*poser_b, other, time)));
        }
    }
    return most;
}

std::map<std::string, std::size_t> levels(const Scene& scene) {
    std::map<std::string, std::size_t> result;
    for (const Node& node : scene.nodes) {
        if (!node.hidden && !node.lods.empty()) result[node.name] = node.lods.size();
    }
    return result;
}

std::size_t collision_meshes(const Scene& scene) {
    return static_cast<std::size_t>(
        std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.collision; }));
}

}  // namespace effigy::blender_test
