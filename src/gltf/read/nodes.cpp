/// Nodes from glTF: matrices taken apart, trees checked, levels of detail (MSFT_lod).

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/hashes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::gltf {

namespace {

void read_kind(Reading& reading, Light& light, const Value& json, const std::string& path) {
    const std::string_view kind = text_member(json, "type");
    if (kind == "directional") light.kind = LightKind::directional;
    if (kind == "spot") light.kind = LightKind::spot;
    if (kind == "point" || light.kind != LightKind::point) return;
    reading.note(codes::gltf_value, path + " / type", "there is no such kind of light; it shines to all sides",
                 std::string(kind.substr(0, 80)), "directional, point or spot");
}

void read_cone(Reading& reading, Light& light, const Value& json, const std::string& path) {
    constexpr float right_angle = 1.5707964f;
    const Value& spot = object_member(json, "spot");
    const Light usual;
    light.inner_cone = reading.number(spot, "innerConeAngle", usual.inner_cone, path + " / spot");
    light.outer_cone = reading.number(spot, "outerConeAngle", usual.outer_cone, path + " / spot");
    if (light.inner_cone >= 0 && light.inner_cone < light.outer_cone && light.outer_cone <= right_angle) return;
    reading.note(codes::gltf_range, path + " / spot",
                 "the inner cone is not within the outer one, or that is wider than a right angle; the usual ones are "
                 "used");
    light.inner_cone = usual.inner_cone;
    light.outer_cone = usual.outer_cone;
}

Light read_light(Reading& reading, const Value& json, std::size_t number) {
    const std::string path =
        std::string("extensions / ") + lights_extension + " / lights[" + std::to_string(number) + "]";
    Light light;
    light.name = name_of(json);
    read_kind(reading, light, json, path);
    const auto color = reading.numbers<3>(json, "color", {1, 1, 1}, path);
    const auto part = [&](std::size_t i) { return std::clamp(color[i], 0.0f, 1.0f); };
    light.color = {part(0), part(1), part(2)};
    light.intensity = std::max(0.0f, reading.number(json, "intensity", 1, path));
    light.range = std::max(0.0f, reading.number(json, "range", 0, path));
    if (light.kind == LightKind::spot) read_cone(reading, light, json, path);
    light.extras = read_extras(reading, json, path).extras;
    return light;
}

}  // namespace

Result<void> read_lights(Reading& reading) {
    const Value* const extension = extension_of(reading.asset.json(), lights_extension);
    if (extension == nullptr) return {};
    const Value& lights = list_member(*extension, "lights");
    if (auto taken = reading.take(lights.size(), sizeof(Light), "lights"); !taken) return taken;
    for (std::size_t i = 0; i < lights.size(); ++i) {
        reading.scene.lights.push_back(read_light(reading, lights[i], i));
    }
    return {};
}

namespace {

// Translation, rotation and scale that say the same as a matrix, if there are any.
std::optional<Transform> split(const Mat4& matrix) {
    constexpr double tolerance = 1e-6;
    const glm::dmat3 axes(wide(matrix));
    glm::dvec3 scale(glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2]));
    if (!(scale.x > 0 && scale.y > 0 && scale.z > 0)) return std::nullopt;
    if (glm::determinant(axes) < 0) scale.x = -scale.x;
    const glm::dmat3 turned(axes[0] / scale.x, axes[1] / scale.y, axes[2] / scale.z);
    const glm::dquat rotation = glm::normalize(glm::quat_cast(turned));
    const glm::dmat3 again = glm::mat3_cast(rotation) * diagonal(scale);
    for (int column = 0; column < 3; ++column) {
        if (!(largest(again[column] - axes[column]) <= tolerance * std::abs(scale[column]))) return std::nullopt;
    }
    return Transform{{matrix.m[12], matrix.m[13], matrix.m[14]}, narrow(rotation), narrow(scale)};
}

class NodeReader {
public:
    explicit NodeReader(Reading& reading) : reading_(reading), array_(reading.asset.array("nodes")) {}

    Result<void> read(int scene) {
        if (auto taken = reading_.take(array_.size(), sizeof(Node), "nodes"); !taken) return taken;
        nodes().resize(array_.size());
        reading_.hints.resize(array_.size());
        for (std::size_t i = 0; i < array_.size(); ++i) {
            if (auto done = read_node(i); !done) return done;
        }
        if (cameras_ != 0) {
            reading_.note(codes::gltf_camera_lost, "nodes", "cameras have no place in the scene and are left out",
                          std::to_string(cameras_));
        }
        return check_tree().and_then([&] { return show(scene); });
    }

private:
    std::vector<Node>& nodes() { return reading_.scene.nodes; }

    Result<void> read_node(std::size_t number) {
        const Value& json = array_[number];
        const std::string path = element_path("nodes", number);
        Node& node = nodes()[number];
        node.name = name_of(json);
        read_transform(node, json, path);
        ReadExtras extras = read_extras(reading_, json, path, {"MSFT_screencoverage"},
                                        {"bind", "follows", "hidden", "level_of", "mesh", "rest"});
        reading_.hints[number] = std::move(extras.known);
        node.extras = std::move(extras.extras);
        if (const auto rest = rest_in(reading_.hints[number]); rest && node.extras.hash == 0)
            node.extras.hash = hash_at(*rest);
        node.collision = is_collision(extras.effigy);
        const bool untouched = node.extras.hash != 0 && node.extras.hash == hash_of(node);
        if (node.matrix && !untouched) {
            if (const auto transform = split(*node.matrix)) set_transform(node, *transform);
        }
        if (!untouched) repair_rotation(node, path);
        if (member(json, "camera") != nullptr) ++cameras_;
        return read_references(node, json, path)
            .and_then([&] { return read_children(number, json, path); })
            .and_then([&] { return read_levels(number, json, path); });
    }

    void read_transform(Node& node, const Value& json, const std::string& path) {
        const Mat4 identity;
        if (member(json, "matrix") != nullptr) {
            Mat4 matrix{reading_.numbers<16>(json, "matrix", identity.m, path)};
            for (const std::size_t i : {3u, 7u, 11u, 15u}) matrix.m[i] = identity.m[i];
            if (matrix != identity) node.matrix = matrix;
            return;
        }
        const auto translation = reading_.numbers<3>(json, "translation", {0, 0, 0}, path);
        const auto rotation = reading_.numbers<4>(json, "rotation", {0, 0, 0, 1}, path);
        const auto scale = reading_.numbers<3>(json, "scale", {1, 1, 1}, path);
        node.local = {{translation[0], translation[1], translation[2]},
                      {rotation[0], rotation[1], rotation[2], rotation[3]},
                      {scale[0], scale[1], scale[2]}};
    }

    static void set_transform(Node& node, const Transform& transform) {
        node.matrix.reset();
        node.local = transform;
    }

    void repair_rotation(Node& node, const std::string& path) {
        if (is_about_unit(node.local.rotation)) return;
        reading_.note(codes::gltf_rotation, path + " / rotation", "the rotation is not of unit length; it is made so");
        node.local.rotation = unit(node.local.rotation);
    }

    Result<void> read_references(Node& node, const Value& json, const std::string& path) {
        const auto mesh = reading_.reference(json, "mesh", "meshes", path);
        if (!mesh) return fail(mesh.error());
        const auto skin = reading_.reference(json, "skin", "skins", path);
        if (!skin) return fail(skin.error());
        node.mesh = *mesh;
        node.skin = *mesh == no_index ? no_index : *skin;
        const Value* const lights = extension_of(json, lights_extension);
        if (lights == nullptr) return {};
        const auto light = reading_.reference(*lights, "light", "lights", reading_.scene.lights.size(), path);
        if (!light) return fail(light.error());
        node.light = *light;
        return {};
    }

    Result<void> read_children(std::size_t number, const Value& json, const std::string& path) {
        for (const Value& value : reading_.list(json, "children", path)) {
            const auto child = reading_.target_of(value, "nodes", array_.size(), path + " / children");
            if (!child) return fail(child.error());
            if (nodes()[*child].parent != no_index) {
                return refuse(path + " / children", codes::gltf_tree, "a node is a child twice; glTF wants a tree",
                              element_path("nodes", *child));
            }
            nodes()[*child].parent = static_cast<Index>(number);
            nodes()[number].children.push_back(*child);
        }
        return {};
    }

    Result<void> read_levels(std::size_t number, const Value& json, const std::string& path) {
        const Value* const extension = extension_of(json, "MSFT_lod");
        if (extension == nullptr) return {};
        for (const Value& value : list_member(*extension, "ids")) {
            const auto level = reading_.target_of(value, "nodes", array_.size(), path + " / extensions / MSFT_lod");
            if (!level) return fail(level.error());
            if (*level == number) {
                return refuse(path + " / extensions / MSFT_lod", codes::gltf_tree, "a node is its own level of detail");
            }
            nodes()[number].lods.push_back(*level);
        }
        return {};
    }

    // Every node has one parent at most, so that whoever is not met from the roots is in a ring.
    Result<void> check_tree() {
        std::vector<Index> open;
        std::size_t met = 0;
        for (std::size_t i = 0; i < nodes().size(); ++i) {
            if (nodes()[i].parent == no_index) open.push_back(static_cast<Index>(i));
        }
        while (!open.empty()) {
            const Node& node = nodes()[open.back()];
            open.pop_back();
            ++met;
            open.insert(open.end(), node.children.begin(), node.children.end());
        }
        if (met == nodes().size()) return {};
        return refuse("nodes", codes::gltf_tree, "some nodes are their own ancestors; glTF wants a tree",
                      std::to_string(nodes().size() - met) + " nodes");
    }

    Result<Index> choose(int wanted) {
        const Value& scenes = reading_.asset.array("scenes");
        if (wanted >= 0) {
            if (static_cast<std::size_t>(wanted) < scenes.size()) return static_cast<Index>(wanted);
            return refuse("scenes", codes::gltf_scene_missing, {}, std::to_string(wanted),
                          "below " + std::to_string(scenes.size()));
        }
        auto usual = reading_.reference(reading_.asset.json(), "scene", "scenes", "JSON");
        if (!usual || *usual != no_index || scenes.empty()) return usual;
        return Index{0};
    }

    // What is in no scene is hidden; without any scene everything but levels of detail is shown.
    Result<void> show(int wanted) {
        const auto chosen = choose(wanted);
        if (!chosen) return fail(chosen.error());
        std::vector<bool> is_shown(nodes().size(), *chosen == no_index);
        if (*chosen != no_index) {
            const Value& scene = reading_.asset.array("scenes")[*chosen];
            reading_.scene.name = name_of(scene);
            for (const Value& value : reading_.list(scene, "nodes", element_path("scenes", *chosen))) {
                const auto node = reading_.target_of(value, "nodes", array_.size(), element_path("scenes", *chosen));
                if (!node) return fail(node.error());
                is_shown[root_of(*node)] = true;
            }
        }
        std::vector<bool> is_level(nodes().size());
        for (const Node& node : nodes()) {
            for (const Index level : node.lods) is_level[level] = true;
        }
        std::size_t without_scene = 0;
        for (std::size_t i = 0; i < nodes().size(); ++i) {
            Node& node = nodes()[i];
            node.hidden = node.parent == no_index && (is_level[i] || !is_shown[i]);
            const bool is_meant = is_level[i] || node.collision || is_set(reading_.hints[i], "hidden");
            if (node.hidden && !is_meant) ++without_scene;
        }
        note_scenes(*chosen, without_scene);
        return {};
    }

    // A scene ought to list roots only. The way up is short in any sane file, and each node is asked once.
    Index root_of(Index node) {
        std::vector<Index> way;
        while (!known_root_.contains(node) && nodes()[node].parent != no_index) {
            way.push_back(node);
            node = nodes()[node].parent;
        }
        const auto known = known_root_.find(node);
        const Index root = known == known_root_.end() ? node : known->second;
        for (const Index one : way) known_root_.emplace(one, root);
        return root;
    }

    void note_scenes(Index chosen, std::size_t without_scene) {
        const std::size_t count = reading_.asset.array("scenes").size();
        if (count > 1) {
            reading_.note(codes::gltf_scenes, element_path("scenes", chosen),
                          "the file has several scenes; nodes that are only in others are hidden (--scene chooses one)",
                          std::to_string(count) + " scenes");
        } else if (without_scene != 0) {
            reading_.note(
                codes::gltf_scenes, element_path("scenes", chosen),
                "nodes that are not listed in the scene are hidden, as in every viewer",
                std::to_string(without_scene) + (without_scene == 1 ? " node" : " nodes") + ", and what is below");
        }
    }

    Reading& reading_;
    const Value& array_;
    std::map<Index, Index> known_root_;
    std::size_t cameras_ = 0;
};

}  // namespace

Result<void> read_nodes(Reading& reading, int scene) { return NodeReader(reading).read(scene); }

}  // namespace effigy::gltf
