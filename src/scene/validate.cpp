/// What may be in a scene: nodes and their tree, skins, materials, images, lights, clips.

#include "scene/validate.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "scene/finite.hpp"
#include "scene/material_slots.hpp"
#include "scene/problem.hpp"
#include "scene/worlds.hpp"

namespace effigy {
namespace {

bool is_none_or_in(Index index, std::size_t count) { return index == no_index || index < count; }

Result<void> check_finite(std::span<const float> values, Steps steps, std::string_view object_name) {
    const auto bad = find_not_finite(values);
    return bad ? not_finite(steps, object_name, values[*bad]) : Result<void>();
}

Result<void> check_finite(std::initializer_list<float> values, Steps steps, std::string_view object_name) {
    return check_finite(std::span(values.begin(), values.size()), steps, object_name);
}

// glTF's matrices are affine. The last row of a node's matrix must say so; that of an inverse bind matrix is set.
bool is_affine(const Mat4& matrix) {
    return matrix.m[3] == 0 && matrix.m[7] == 0 && matrix.m[11] == 0 && matrix.m[15] == 1;
}

Result<void> check_transform(const Node& node, std::size_t number) {
    const Steps here = {{"nodes", number}};
    if (node.matrix) {
        if (!is_affine(*node.matrix)) return scene_problem(here, "the last row of the matrix is not 0, 0, 0, 1");
        return check_finite(node.matrix->m, here, node.name);
    }
    const auto& [translation, rotation, scale] = node.local;
    return check_finite({translation.x, translation.y, translation.z, rotation.x, rotation.y, rotation.z, rotation.w,
                         scale.x, scale.y, scale.z},
                        here, node.name);
}

Result<void> check_node(const Scene& scene, std::size_t number) {
    const Node& node = scene.nodes[number];
    const Steps here = {{"nodes", number}};
    if (!is_none_or_in(node.parent, scene.nodes.size())) return scene_problem(here, "there is no such parent");
    for (const Index child : node.children) {
        if (child >= scene.nodes.size() || scene.nodes[child].parent != number) {
            return scene_problem(here, "a child does not name this node as its parent", std::to_string(child));
        }
    }
    for (const Index level : node.lods) {
        if (level >= scene.nodes.size() || level == number) {
            return scene_problem(here, "a level of detail is not another node", std::to_string(level));
        }
    }
    if (!is_none_or_in(node.mesh, scene.meshes.size())) return scene_problem(here, "there is no such mesh");
    if (!is_none_or_in(node.skin, scene.skins.size())) return scene_problem(here, "there is no such skin");
    if (!is_none_or_in(node.light, scene.lights.size())) return scene_problem(here, "there is no such light");
    if (!is_none_or_in(node.follows, scene.nodes.size())) return scene_problem(here, "there is no node to follow");
    if (node.skin != no_index && node.mesh == no_index) return scene_problem(here, "there is a skin without a mesh");
    return check_transform(node, number);
}

// Every node must be met exactly once from the roots: no cycle, no child that is listed twice or not at all.
Result<void> check_tree(const Scene& scene) {
    std::vector<Index> open;
    std::vector<bool> met(scene.nodes.size(), false);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].parent == no_index) open.push_back(static_cast<Index>(i));
    }
    while (!open.empty()) {
        const Index number = open.back();
        open.pop_back();
        if (met[number]) return scene_problem({{"nodes", number}}, "the node is its parent's child twice");
        met[number] = true;
        const auto& children = scene.nodes[number].children;
        open.insert(open.end(), children.begin(), children.end());
    }
    const auto lost = std::find(met.begin(), met.end(), false);
    if (lost == met.end()) return {};
    return scene_problem({{"nodes", static_cast<std::size_t>(lost - met.begin())}},
                         "the node is its own ancestor, or its parent does not list it");
}

/// A node that is a level of detail of its own levels, or of theirs.
std::optional<Index> find_circling_level(const Scene& scene) {
    enum class Visit : std::uint8_t { not_yet, on_the_way, done };
    std::vector<Visit> visits(scene.nodes.size(), Visit::not_yet);
    struct Stop {
        Index node;
        std::size_t next;
    };
    std::vector<Stop> way;
    const auto enter = [&](Index node) {
        visits[node] = Visit::on_the_way;
        way.push_back({node, 0});
    };
    for (Index first = 0; first < scene.nodes.size(); ++first) {
        if (!scene.nodes[first].lods.empty() && visits[first] == Visit::not_yet) enter(first);
        while (!way.empty()) {
            const Index node = way.back().node;
            if (way.back().next == scene.nodes[node].lods.size()) {
                visits[node] = Visit::done;
                way.pop_back();
                continue;
            }
            const Index level = scene.nodes[node].lods[way.back().next++];
            if (visits[level] == Visit::on_the_way) return level;
            if (visits[level] == Visit::not_yet) enter(level);
        }
    }
    return std::nullopt;
}

Result<void> check_levels(const Scene& scene) {
    const auto node = find_circling_level(scene);
    return node ? scene_problem({{"nodes", *node}}, "its levels of detail lead back to it") : Result<void>();
}

Result<void> check_skin(const Scene& scene, std::size_t number) {
    const Skin& skin = scene.skins[number];
    const Steps here = {{"skins", number}};
    if (skin.joints.empty()) return scene_problem(here, "the skin has no joints");
    if (skin.joints.size() != skin.inverse_bind_matrices.size()) {
        return scene_problem(here, "there is not one inverse bind matrix for each joint",
                             std::to_string(skin.inverse_bind_matrices.size()), std::to_string(skin.joints.size()));
    }
    std::set<Index> joints;
    for (const Index joint : skin.joints) {
        if (joint >= scene.nodes.size()) return scene_problem(here, "a joint is no node", std::to_string(joint));
        if (!joints.insert(joint).second) return scene_problem(here, "a joint stands there twice");
    }
    if (!is_none_or_in(skin.skeleton, scene.nodes.size())) return scene_problem(here, "there is no such skeleton node");
    for (const Mat4& matrix : skin.inverse_bind_matrices) {
        if (auto checked = check_finite(matrix.m, here, skin.name); !checked) return checked;
    }
    return {};
}

Result<void> check_slot(const Scene& scene, const Material& material, std::size_t number, const char* name,
                        const TextureSlot& slot) {
    if (!slot.used()) return {};
    const Steps here = {{"materials", number}, {name}};
    if (slot.image >= scene.images.size()) return scene_problem(here, "there is no such image");
    for (const Wrap wrap : {slot.wrap_u, slot.wrap_v}) {
        if (wrap != Wrap::repeat && wrap != Wrap::clamp_to_edge && wrap != Wrap::mirrored_repeat) {
            return scene_problem(here, "there is no such way to wrap",
                                 std::to_string(static_cast<std::uint32_t>(wrap)));
        }
    }
    return check_finite({slot.offset.x, slot.offset.y, slot.rotation, slot.scale.x, slot.scale.y, slot.strength}, here,
                        material.name);
}

Result<void> check_material(const Scene& scene, std::size_t number) {
    const Material& material = scene.materials[number];
    const Steps here = {{"materials", number}};
    const Color& color = material.base_color;
    const Vec3& emissive = material.emissive;
    if (auto checked =
            check_finite({color.r, color.g, color.b, color.a, material.metallic, material.roughness, emissive.x,
                          emissive.y, emissive.z, material.alpha_cutoff, material.ior, material.specular,
                          material.specular_color.x, material.specular_color.y, material.specular_color.z},
                         here, material.name);
        !checked) {
        return checked;
    }
    for (const float factor : {color.r, color.g, color.b, color.a, material.metallic, material.roughness}) {
        if (factor < 0 || factor > 1) {
            return scene_problem(here, "colour, metallic and roughness must lie between 0 and 1", number_text(factor));
        }
    }
    const Vec3& tint = material.specular_color;
    const bool refracts = material.ior == 0 || material.ior >= 1;
    if (!refracts || material.specular < 0 || material.specular > 1 || tint.x < 0 || tint.y < 0 || tint.z < 0) {
        return scene_problem(here, "refraction or reflection is out of range", material.name);
    }
    if (emissive.x < 0 || emissive.y < 0 || emissive.z < 0 || material.alpha_cutoff < 0) {
        return scene_problem(here, "emission and alpha cutoff must not be negative");
    }
    if (material.alpha_mode > AlphaMode::blend) return scene_problem(here, "there is no such alpha mode");
    if (material.occlusion_texture.used() &&
        (material.occlusion_texture.strength < 0 || material.occlusion_texture.strength > 1)) {
        return scene_problem(here, "the strength of occlusion must lie between 0 and 1");
    }
    for (const auto& named : slots_of(material)) {
        if (auto checked = check_slot(scene, material, number, named.gltf_name, *named.slot); !checked) return checked;
    }
    return {};
}

Result<void> check_light(const Scene& scene, std::size_t number) {
    constexpr float widest = 1.5707964f;  // a right angle
    const Light& light = scene.lights[number];
    const Steps here = {{"lights", number}};
    if (auto checked = check_finite({light.color.x, light.color.y, light.color.z, light.intensity, light.range,
                                     light.inner_cone, light.outer_cone},
                                    here, light.name);
        !checked) {
        return checked;
    }
    if (light.kind > LightKind::spot) return scene_problem(here, "there is no such kind of light");
    for (const float part : {light.color.x, light.color.y, light.color.z}) {
        if (part < 0 || part > 1) {
            return scene_problem(here, "the colour must lie between 0 and 1", number_text(part));
        }
    }
    if (light.intensity < 0 || light.range < 0) return scene_problem(here, "intensity and range must not be negative");
    if (light.kind != LightKind::spot) return {};
    if (light.inner_cone < 0 || light.inner_cone >= light.outer_cone || light.outer_cone > widest) {
        return scene_problem(here, "the inner cone must be inside the outer one, and that within a right angle");
    }
    return {};
}

Result<void> check_image(const Scene& scene, std::size_t number) {
    const Image& image = scene.images[number];
    if (image.bytes.empty() || image.mime_type == "image/png" || image.mime_type == "image/jpeg") return {};
    return scene_problem({{"images", number}}, "glTF knows PNG and JPEG images only", image.mime_type);
}

Result<void> check_track(const Scene& scene, const Track& track, Steps here) {
    if (track.node >= scene.nodes.size()) return scene_problem(here, "there is no such node");
    const Node& node = scene.nodes[track.node];
    std::size_t components = 3;
    switch (track.path) {
        case TrackPath::translation:
        case TrackPath::scale:
            break;
        case TrackPath::rotation:
            components = 4;
            break;
        case TrackPath::weights:
            components = node.mesh == no_index ? 0 : scene.meshes[node.mesh].targets.size();
            break;
        default:
            return scene_problem(here, "there is no such path");
    }
    if (components == 0) return scene_problem(here, "the weights belong to a node without morph targets");
    if (track.path != TrackPath::weights && node.matrix) {
        return scene_problem(here, "a node with a matrix cannot be animated");
    }
    if (track.interpolation > Interpolation::cubic_spline) return scene_problem(here, "there is no such interpolation");
    // In-tangent, value and out-tangent.
    if (track.interpolation == Interpolation::cubic_spline) components *= 3;
    if (track.values.size() / components != track.times.size() || track.values.size() % components != 0) {
        return scene_problem(here, "there is not one value for each time", std::to_string(track.values.size()),
                             std::to_string(track.times.size()) + " x " + std::to_string(components));
    }
    return {};
}

Result<void> check_clip(const Scene& scene, std::size_t number) {
    const Clip& clip = scene.clips[number];
    std::set<std::pair<Index, TrackPath>> targets;
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
        const Track& track = clip.tracks[i];
        const Steps here = {{"clips", number}, {"tracks", i}};
        if (auto checked = check_track(scene, track, here); !checked) return checked;
        if (!targets.emplace(track.node, track.path).second) {
            return scene_problem(here, "an earlier track of the clip moves the same thing");
        }
    }
    return {};
}

Result<void> check_rotation(const Scene& scene, std::size_t number) {
    if (scene.nodes[number].matrix || is_about_unit(scene.nodes[number].local.rotation)) return {};
    return scene_problem({{"nodes", number}}, "the rotation is not of unit length");
}

/// Keys of formats that turn by angle may have any length.
Result<void> check_rotations(const Scene& scene, std::size_t clip, std::size_t number) {
    const Track& track = scene.clips[clip].tracks[number];
    const bool is_free = scene.clips[clip].rules.rotation == RotationRule::by_angle;
    if (track.path != TrackPath::rotation || track.interpolation == Interpolation::cubic_spline || is_free) return {};
    for (std::size_t key = 0; key < track.times.size(); ++key) {
        const float* const q = track.values.data() + 4 * key;
        if (is_about_unit({q[0], q[1], q[2], q[3]})) continue;
        return scene_problem({{"clips", clip}, {"tracks", number}, {"values", 4 * key}},
                             "the rotation is not of unit length");
    }
    return {};
}

class Validation {
public:
    Validation(const Scene& scene, bool with_values) : scene_(scene), with_values_(with_values) {}

    Report run() {
        each(scene_.nodes, check_node);
        const bool has_nodes = report_.empty();
        if (has_nodes) add(check_tree(scene_));
        if (has_nodes) add(check_levels(scene_));
        each(scene_.images, check_image);
        each(scene_.materials, check_material);
        validate_meshes(scene_, with_values_, report_);
        each(scene_.skins, check_skin);
        each(scene_.lights, check_light);
        if (!has_nodes) return std::move(report_);
        each(scene_.clips, check_clip);
        if (with_values_ && report_.empty()) check_values();
        return std::move(report_);
    }

private:
    void add(const Result<void>& checked) {
        if (!checked) report_.add(checked.error());
    }

    template <class Objects, class Check>
    void each(const Objects& objects, Check check) {
        for (std::size_t i = 0; i < objects.size(); ++i) add(check(scene_, i));
    }

    /// Of a scene whose arrays fit.
    void check_values() {
        each(scene_.nodes, check_rotation);
        for (std::size_t clip = 0; clip < scene_.clips.size(); ++clip) {
            for (std::size_t i = 0; i < scene_.clips[clip].tracks.size(); ++i) {
                add(check_keys(scene_, clip, i));
                add(check_rotations(scene_, clip, i));
            }
        }
    }

    const Scene& scene_;
    bool with_values_;
    Report report_;
};

}  // namespace

Result<void> check_keys(const Scene& scene, std::size_t clip, std::size_t number) {
    const Track& track = scene.clips[clip].tracks[number];
    const Bulk<float>& times = track.times;
    const std::string& name = scene.clips[clip].name;
    return check_finite(times, {{"clips", clip}, {"tracks", number}, {"times"}}, name)
        .and_then([&]() -> Result<void> {
            const bool rise = std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end();
            if (rise && (times.empty() || times.front() >= 0)) return {};
            return scene_problem({{"clips", clip}, {"tracks", number}, {"times"}},
                                 "the times begin below zero or do not increase");
        })
        .and_then([&] {
            return check_finite(track.values, {{"clips", clip}, {"tracks", number}, {"values"}}, name);
        });
}

Report validate(const Scene& scene) { return Validation(scene, true).run(); }

Result<void> check_structure(const Scene& scene) {
    Report report = Validation(scene, false).run();
    if (report.empty()) return {};
    return fail(std::move(report.diagnostics().front()));
}

}  // namespace effigy
