#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gltf/check.hpp"
#include "gltf/problem.hpp"

namespace effigy::gltf {
namespace {

bool is_none_or_in(Index index, std::size_t count) { return index == no_index || index < count; }

Result<void> check_finite(std::initializer_list<float> values, Steps steps, std::string_view object_name) {
    for (const float value : values) {
        if (!std::isfinite(value)) return not_finite(steps, object_name, value);
    }
    return {};
}

Result<void> check_finite(const Mat4& matrix, Steps steps, std::string_view object_name) {
    for (const float value : matrix.m) {
        if (!std::isfinite(value)) return not_finite(steps, object_name, value);
    }
    return {};
}

// glTF's matrices are affine. The last row of a node's matrix must say so; that of an inverse bind matrix is set.
bool is_affine(const Mat4& matrix) {
    return matrix.m[3] == 0 && matrix.m[7] == 0 && matrix.m[11] == 0 && matrix.m[15] == 1;
}

Result<void> check_transform(const Node& node, std::size_t number) {
    const Steps here = {{"nodes", number}};
    if (node.matrix) {
        if (!is_affine(*node.matrix)) return scene_problem(here, "the last row of the matrix is not 0, 0, 0, 1");
        return check_finite(*node.matrix, here, node.name);
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
        if (auto checked = check_finite(matrix, here, skin.name); !checked) return checked;
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
    if (auto checked = check_finite({color.r, color.g, color.b, color.a, material.metallic, material.roughness,
                                     emissive.x, emissive.y, emissive.z, material.alpha_cutoff},
                                    here, material.name);
        !checked) {
        return checked;
    }
    for (const float factor : {color.r, color.g, color.b, color.a, material.metallic, material.roughness}) {
        if (factor < 0 || factor > 1) {
            return scene_problem(here, "colour, metallic and roughness must lie between 0 and 1",
                                 std::to_string(factor));
        }
    }
    if (emissive.x < 0 || emissive.y < 0 || emissive.z < 0 || material.alpha_cutoff < 0) {
        return scene_problem(here, "emission and alpha cutoff must not be negative");
    }
    if (material.alpha_mode > AlphaMode::blend) return scene_problem(here, "there is no such alpha mode");
    if (material.occlusion_texture.used() &&
        (material.occlusion_texture.strength < 0 || material.occlusion_texture.strength > 1)) {
        return scene_problem(here, "the strength of occlusion must lie between 0 and 1");
    }
    for (const auto& [name, slot] : texture_slots(material)) {
        if (auto checked = check_slot(scene, material, number, name, *slot); !checked) return checked;
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
            return scene_problem(here, "the colour must lie between 0 and 1", std::to_string(part));
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

template <class Objects, class Check>
Result<void> check_each(const Scene& scene, const Objects& objects, Check check) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (auto checked = check(scene, i); !checked) return checked;
    }
    return {};
}

}  // namespace

Result<void> check_scene(const Scene& scene) {
    return check_each(scene, scene.nodes, check_node)
        .and_then([&] { return check_tree(scene); })
        .and_then([&] { return check_each(scene, scene.images, check_image); })
        .and_then([&] { return check_each(scene, scene.materials, check_material); })
        .and_then([&] { return check_each(scene, scene.meshes, check_mesh); })
        .and_then([&] { return check_each(scene, scene.skins, check_skin); })
        .and_then([&] { return check_each(scene, scene.lights, check_light); })
        .and_then([&] { return check_each(scene, scene.clips, check_clip); });
}

}  // namespace effigy::gltf
