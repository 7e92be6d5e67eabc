/// Nodes of a scene in space and time, in double precision.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <set>

#include "arp/from_scene.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::arp::native {
namespace {

glm::dquat unit(const glm::dquat& raw) noexcept {
    const double length = glm::length(raw);
    return std::isfinite(length) && length > 1e-12 ? raw / length : glm::dquat(1, 0, 0, 0);
}

glm::dmat4 matrix_of(const glm::dvec3& translation, const glm::dquat& rotation, const glm::dvec3& scale) {
    glm::dmat4 matrix(glm::mat3_cast(rotation) * diagonal(scale));
    matrix[3] = glm::dvec4(translation, 1);
    return matrix;
}

bool has_finite_elements(const glm::dmat4& matrix) noexcept {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            if (!std::isfinite(matrix[column][row])) return false;
        }
    }
    return true;
}

glm::dmat4 local_of(const Node& node) {
    const auto& [t, r, s] = node.local;
    const glm::dmat4 matrix = node.matrix ? wide(*node.matrix) : matrix_of(wide(t), unit(wide(r)), wide(s));
    return has_finite_elements(matrix) ? matrix : glm::dmat4(1);
}

/// The nearest one; quickly where there is no shear.
glm::dquat rotation_in(const glm::dmat3& given) noexcept {
    // No rotation is the nearest to a mirrored frame; the one with all axes turned round goes along with it.
    const glm::dmat3 linear = glm::determinant(given) < 0 ? -given : given;
    const glm::dvec3 sizes(glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2]));
    constexpr double least = 1e-12, square = 1e-10;
    if (sizes.x > least && sizes.y > least && sizes.z > least) {
        const glm::dmat3 axes(linear[0] / sizes.x, linear[1] / sizes.y, linear[2] / sizes.z);
        const double off = std::max({std::abs(glm::dot(axes[0], axes[1])), std::abs(glm::dot(axes[1], axes[2])),
                                     std::abs(glm::dot(axes[2], axes[0]))});
        if (off < square && glm::determinant(axes) > 0) return glm::normalize(glm::quat_cast(axes));
    }
    return nearest_rotation(linear);
}

std::size_t width_of(const Scene& scene, const Track& track) {
    if (track.node >= scene.nodes.size()) return 0;
    std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
    if (track.path == TrackPath::weights) {
        const Index mesh = scene.nodes[track.node].mesh;
        width = mesh < scene.meshes.size() ? scene.meshes[mesh].targets.size() : 0;
    }
    const std::size_t parts = track.interpolation == Interpolation::cubic_spline ? 3 : 1;
    if (track.times.empty() || track.values.size() / track.times.size() != width * parts ||
        track.values.size() % track.times.size() != 0) {
        return 0;
    }
    const auto is_bad = [](float value) { return !std::isfinite(value); };
    if (std::any_of(track.values.begin(), track.values.end(), is_bad)) return 0;
    if (std::any_of(track.times.begin(), track.times.end(), is_bad)) return 0;
    const auto descends = [](float a, float b) { return a >= b; };
    return std::adjacent_find(track.times.begin(), track.times.end(), descends) == track.times.end() ? width : 0;
}

/// Modelling programs write scales that stay as they are, up to rounding.
bool resizes(const Track& track, const Node& node) {
    const Vec3& scale = node.local.scale;
    const std::array rest{scale.x, scale.y, scale.z};
    for (std::size_t i = 0; i < track.values.size(); ++i) {
        const bool is_tangent = track.interpolation == Interpolation::cubic_spline && i / 3 % 3 != 1;
        const float usual = is_tangent ? 0 : rest[i % 3];
        if (!(std::abs(track.values[i] - usual) <= 1e-4f * std::max(1.0f, std::abs(usual)))) return true;
    }
    return false;
}

}  // namespace

Tree tree_of(const Scene& scene) {
    const std::size_t count = scene.nodes.size();
    Tree tree;
    std::vector<std::vector<Index>> children(count);
    for (Index i = 0; i < count; ++i) {
        const Index parent = scene.nodes[i].parent;
        if (parent < count) {
            children[parent].push_back(i);
        } else {
            tree.order.push_back(i);
        }
    }
    for (std::size_t next = 0; next < tree.order.size(); ++next) {
        const std::vector<Index>& below = children[tree.order[next]];
        tree.order.insert(tree.order.end(), below.begin(), below.end());
    }
    tree.worlds.assign(count, glm::dmat4(1));
    for (const Index i : tree.order) {
        const Index parent = scene.nodes[i].parent;
        const glm::dmat4 local = local_of(scene.nodes[i]);
        tree.worlds[i] = parent < count ? tree.worlds[parent] * local : local;
    }
    return tree;
}

Frame rigid_part(const glm::dmat4& world) {
    const glm::dvec3 place(world[3]);
    return {effigy::is_finite(place) ? place : glm::dvec3(0), rotation_in(glm::dmat3(world))};
}

Sampler::Sampler(const Scene& scene, const Tree& tree, const Clip& clip)
    : scene_(scene), tree_(tree), clip_(clip), moves_(scene.nodes.size()), worlds_(tree.worlds) {
    for (const Track& track : clip.tracks) {
        const std::size_t width = width_of(scene, track);
        widths_.push_back(width);
        values_.emplace_back(width);
        if (width == 0) {
            ++odd_;
            continue;
        }
        end_ = std::max(end_, double{track.times.back()});
        if (track.path == TrackPath::weights) continue;
        moves_[track.node] = true;
        if (track.path == TrackPath::scale) scales_ = scales_ || resizes(track, scene.nodes[track.node]);
    }
    // What moves a node moves all below it.
    for (const Index i : tree.order) {
        const Index parent = scene.nodes[i].parent;
        if (parent < moves_.size() && moves_[parent]) moves_[i] = true;
    }
}

std::vector<double> Sampler::key_times() const {
    std::set<double> times;
    for (std::size_t i = 0; i < clip_.tracks.size(); ++i) {
        if (widths_[i] == 0) continue;
        for (const float time : clip_.tracks[i].times) times.insert(double{time});
    }
    return {times.begin(), times.end()};
}

void Sampler::read(const Track& track, std::size_t width, double time, std::vector<double>& result) const {
    const auto& times = track.times;
    const auto after = std::upper_bound(times.begin(), times.end(), time,
                                        [](double wanted, float key) { return wanted < double{key}; });
    const std::size_t last = times.size() - 1;
    const std::size_t key = after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
    const std::size_t next = std::min(key + 1, last);
    const bool is_cubic = track.interpolation == Interpolation::cubic_spline;
    const auto value = [&](std::size_t at, std::size_t i, std::size_t part) {
        return double{track.values[(is_cubic ? at * 3 + part : at) * width + i]};
    };
    const double span = double{times[next]} - double{times[key]};
    // Times of formats in milliseconds fall on keys but for their rounding to floats.
    const double near = 1.2e-7 * std::max(1.0, std::abs(time));
    if (double{times[next]} - time < near) time = times[next];
    double part = span > 0 ? std::clamp((time - double{times[key]}) / span, 0.0, 1.0) : 0;
    if (track.interpolation == Interpolation::step) part = 0;
    if (is_cubic) {
        const double p2 = part * part, p3 = p2 * part;
        for (std::size_t i = 0; i < width; ++i) {
            result[i] = (2 * p3 - 3 * p2 + 1) * value(key, i, 1) + span * (p3 - 2 * p2 + part) * value(key, i, 2) +
                        (3 * p2 - 2 * p3) * value(next, i, 1) + span * (p3 - p2) * value(next, i, 0);
        }
    } else if (track.path == TrackPath::rotation && part > 0) {
        const auto quat = [&](std::size_t at) {
            return unit({value(at, 3, 0), value(at, 0, 0), value(at, 1, 0), value(at, 2, 0)});
        };
        const glm::dquat turned = glm::slerp(quat(key), quat(next), part);
        result = {turned.x, turned.y, turned.z, turned.w};
    } else {
        for (std::size_t i = 0; i < width; ++i)
            result[i] = part > 0 ? value(key, i, 0) + part * (value(next, i, 0) - value(key, i, 0)) : value(key, i, 0);
    }
}

void Sampler::go_to(double time) {
    struct Local {
        glm::dvec3 translation;
        glm::dquat rotation;
        glm::dvec3 scale;
    };
    std::vector<std::optional<Local>> locals(scene_.nodes.size());
    for (std::size_t i = 0; i < clip_.tracks.size(); ++i) {
        const Track& track = clip_.tracks[i];
        if (widths_[i] == 0) continue;
        read(track, widths_[i], time, values_[i]);
        if (track.path == TrackPath::weights) continue;
        auto& local = locals[track.node];
        const Transform& rest = scene_.nodes[track.node].local;
        if (!local) local = Local{wide(rest.translation), unit(wide(rest.rotation)), wide(rest.scale)};
        const std::vector<double>& v = values_[i];
        if (track.path == TrackPath::rotation) {
            local->rotation = unit({v[3], v[0], v[1], v[2]});
        } else {
            (track.path == TrackPath::scale ? local->scale : local->translation) = {v[0], v[1], v[2]};
        }
    }
    for (const Index i : tree_.order) {
        if (!moves_[i]) continue;
        const Index parent = scene_.nodes[i].parent;
        const auto& moved = locals[i];
        const glm::dmat4 local =
            moved ? matrix_of(moved->translation, moved->rotation, moved->scale) : local_of(scene_.nodes[i]);
        worlds_[i] = parent < worlds_.size() ? worlds_[parent] * local : local;
    }
}

std::vector<double> Sampler::weights(Index node) const {
    for (std::size_t i = 0; i < clip_.tracks.size(); ++i) {
        if (widths_[i] != 0 && clip_.tracks[i].node == node && clip_.tracks[i].path == TrackPath::weights)
            return values_[i];
    }
    const Index mesh = node < scene_.nodes.size() ? scene_.nodes[node].mesh : no_index;
    if (mesh >= scene_.meshes.size()) return {};
    const auto& rest = scene_.meshes[mesh].weights;
    return {rest.begin(), rest.end()};
}

}  // namespace effigy::arp::native
