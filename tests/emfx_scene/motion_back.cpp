/// Writes motions of a scene alone.

#include "motion_back.hpp"

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "effigy/hashes.hpp"

#include "core/json.hpp"
#include "emfx/file/transforms.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "scene/records.hpp"

namespace builders {

using namespace effigy;
using emfx::bridge::NodeMap;

namespace {

Json object_in(const std::string& text) {
    return text.empty() ? Json::object() : parse_json(text).value_or(Json::object());
}

/// `<node>.scale` above it.
bool is_link(const Scene& scene, Index node) {
    const Node& one = scene.nodes[node];
    if (one.children.size() != 1 || object_in(one.extras.json).value("helper", false) != true) return false;
    return one.name == scene.nodes[one.children[0]].name + ".scale";
}

xac::Node record_of(const Scene& scene, Index node, Index link, int order) {
    const Transform& local = scene.nodes[link == no_index ? node : link].local;
    xac::Node record;
    record.name = emfx::bridge::to_raw(scene.nodes[node].name, "CP1252");
    record.position = {local.translation.x, local.translation.y, -local.translation.z};
    record.scale = local.scale;
    const auto to_file = [](const glm::dquat& q) { return narrow(glm::dquat(q.w, -q.x, -q.y, q.z)); };
    const glm::dquat upper = wide(local.rotation);
    if (link == no_index) {
        record.rotation = to_file(upper);
        if (order == 1) record.scale_rotation = record.rotation;
    } else {
        const glm::dquat lower = wide(scene.nodes[node].local.rotation);
        record.rotation = to_file(upper * lower);
        record.scale_rotation = to_file(order == 1 ? upper : glm::conjugate(lower));
    }
    return record;
}

xac::File actor_of(const Scene& scene, NodeMap& map, const xac::File* actor) {
    xac::File result;
    if (actor != nullptr) result = *actor;
    xac::Nodes made;
    const std::vector<const xac::Node*> records = xac::nodes(result);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Json extras = object_in(scene.nodes[i].extras.json);
        if (is_link(scene, i) || (actor == nullptr && extras.value("helper", false))) continue;
        if (actor != nullptr && !extras.contains("index")) continue;
        emfx::bridge::MappedNode& mapped = map.nodes[i];
        const Index parent = scene.nodes[i].parent;
        if (parent != no_index && is_link(scene, parent)) {
            mapped.helper = parent;
            map.nodes[parent].helper_of = i;
        }
        if (actor != nullptr) {
            mapped.number = extras["index"].get<std::uint32_t>();
            mapped.raw_name = records.at(mapped.number)->name;
        } else {
            mapped.number = static_cast<std::uint32_t>(made.nodes.size());
            made.nodes.push_back(record_of(scene, i, mapped.helper, map.multiplication_order));
            mapped.raw_name = made.nodes.back().name;
        }
    }
    if (actor == nullptr) result.chunks.push_back({11, 1, std::nullopt, std::move(made), {}});
    result.header.multiplication_order = map.multiplication_order;
    return result;
}

}  // namespace

void mark_untouched(Scene& scene) { set_hashes(scene); }

emfx::NativeFiles motions_back(const Scene& scene, const xac::File* actor, const emfx::FromSceneOptions& options,
                               Report* report) {
    NodeMap map;
    map.nodes.resize(scene.nodes.size());
    if (actor != nullptr) map.multiplication_order = actor->header.multiplication_order;
    for (const Mesh& mesh : scene.meshes) {
        auto& targets = map.targets.emplace_back();
        const Json extras = object_in(mesh.extras.json);
        for (std::size_t i = 0; i < mesh.targets.size(); ++i) {
            auto& target = targets.emplace_back();
            target.raw_name = mesh.targets[i].name;
            if (!extras.contains("targets") || !extras["targets"].is_array() || i >= extras["targets"].size()) continue;
            const Json& record = extras["targets"][i];
            target.range_min = float_from_json(record.value("range_min", Json(0.0f))).value_or(0);
            target.range_max = float_from_json(record.value("range_max", Json(1.0f))).value_or(1);
        }
    }
    emfx::bridge::cover_weights(scene, Untouched(scene), map);
    emfx::NativeFiles files;
    files.actor = actor_of(scene, map, actor);
    Report unused;
    const Encodings encodings =
        encodings_of(record_of(scene.asset_extras), options.encoding, emfx::SceneOptions().encoding);
    emfx::bridge::add_motions(scene, Untouched(scene), map, options, encodings, files,
                              report == nullptr ? unused : *report);
    return files;
}

namespace {

/// All numbers of a track at a moment.
std::vector<double> track_at(const Track& track, const ClipRules& rules, double time) {
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t stride = track.values.size() / track.times.size();
    const std::size_t width = stride / (cubic ? 3 : 1);
    const auto number = [&](std::size_t key, std::size_t group, std::size_t k) {
        return static_cast<double>(track.values[key * stride + (cubic ? group : 0) * width + k]);
    };
    const auto next = std::upper_bound(track.times.begin(), track.times.end(), time,
                                       [](double t, float key) { return t < static_cast<double>(key); });
    const auto after = static_cast<std::size_t>(next - track.times.begin());
    std::size_t from = after == 0 ? 0 : after - 1;
    if (after == 0 && rules.last_before_first) from = track.times.size() - 1;
    const bool outside = after == 0 || after == track.times.size() || track.interpolation == Interpolation::step;
    const std::size_t to = outside ? from : after;
    const double length = static_cast<double>(track.times[to]) - static_cast<double>(track.times[from]);
    const double t = length > 0 ? (time - static_cast<double>(track.times[from])) / length : 0;
    std::vector<double> value(width);
    if (track.path == TrackPath::rotation && !cubic) {
        const auto key = [&](std::size_t i) {
            return glm::normalize(glm::dquat(number(i, 0, 3), number(i, 0, 0), number(i, 0, 1), number(i, 0, 2)));
        };
        const glm::dquat a = key(from);
        glm::dquat b = key(to);
        if (glm::dot(a, b) < 0) b = -b;
        const glm::dquat q =
            glm::normalize(rules.rotation == RotationRule::nlerp ? a * (1 - t) + b * t : glm::slerp(a, b, t));
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t k = 0; k < width; ++k) {
        const double t2 = t * t, t3 = t2 * t;
        value[k] = !cubic
                       ? (1 - t) * number(from, 0, k) + t * number(to, 0, k)
                       : (2 * t3 - 3 * t2 + 1) * number(from, 1, k) + length * (t3 - 2 * t2 + t) * number(from, 2, k) +
                             (3 * t2 - 2 * t3) * number(to, 1, k) + length * (t3 - t2) * number(to, 0, k);
    }
    return value;
}

const Track* track_of(const Clip& clip, Index node, TrackPath path) {
    for (const Track& track : clip.tracks) {
        if (track.node == node && track.path == path) return &track;
    }
    return nullptr;
}

}  // namespace

glm::dmat4 world_at(const Scene& scene, const Clip& clip, Index node, double time) {
    const Transform& rest = scene.nodes[node].local;
    glm::dvec3 translation = wide(rest.translation), scale = wide(rest.scale);
    glm::dquat rotation = wide(rest.rotation);
    if (const Track* track = track_of(clip, node, TrackPath::translation)) {
        const auto v = track_at(*track, clip.rules, time);
        translation = {v[0], v[1], v[2]};
    }
    if (const Track* track = track_of(clip, node, TrackPath::scale)) {
        const auto v = track_at(*track, clip.rules, time);
        scale = {v[0], v[1], v[2]};
    }
    if (const Track* track = track_of(clip, node, TrackPath::rotation)) {
        const auto v = track_at(*track, clip.rules, time);
        rotation = glm::normalize(glm::dquat(v[3], v[0], v[1], v[2]));
    }
    const glm::dmat4 local =
        glm::translate(glm::dmat4(1), translation) * glm::mat4_cast(rotation) * glm::scale(glm::dmat4(1), scale);
    const Index parent = scene.nodes[node].parent;
    return parent == no_index ? local : world_at(scene, clip, parent, time) * local;
}

double weight_at(const Scene& scene, const Clip& clip, Index node, std::size_t target, double time) {
    if (const Track* track = track_of(clip, node, TrackPath::weights)) {
        return track_at(*track, clip.rules, time)[target];
    }
    const Mesh& mesh = scene.meshes[scene.nodes[node].mesh];
    return mesh.weights.empty() ? 0 : static_cast<double>(mesh.weights[target]);
}

Bytes bytes_of_motion(const xsm::File& file) {
    auto bytes = xsm::write(file);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? *bytes : Bytes{};
}

Bytes bytes_of_motion(const xpm::File& file) {
    auto bytes = xpm::write(file);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? *bytes : Bytes{};
}

}  // namespace builders
