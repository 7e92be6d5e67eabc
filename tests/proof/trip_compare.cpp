/// Largest distances and differences between two .glb files.

#include "proof/trip_compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proof/trip_look.hpp"
#include "proof/trip_surface.hpp"

namespace trip {
namespace {

using glb::Vec3;

/// How far corners of the same triangle may lie apart to be found at all.
constexpr double reach = 2e-3;

/// "#0" and so on where it has no name.
std::string target_name(const glb::Mesh& mesh, std::size_t target) {
    return target < mesh.target_names.size() ? mesh.target_names[target] : "#" + std::to_string(target);
}

std::size_t target_count(const glb::Mesh& mesh) {
    return mesh.primitives.empty() ? 0 : mesh.primitives.front().targets.size();
}

const glb::Mesh* mesh_of(const glb::Document& document, const glb::Node& node) {
    return node.mesh == glb::none ? nullptr : &document.meshes.at(static_cast<std::size_t>(node.mesh));
}

/// Names of morph targets of what is drawn.
std::set<std::string> target_names(const glb::Document& document) {
    std::set<std::string> names;
    for (const glb::Node& node : document.nodes) {
        const glb::Mesh* mesh = node.in_scene ? mesh_of(document, node) : nullptr;
        for (std::size_t i = 0; mesh != nullptr && i < target_count(*mesh); ++i) names.insert(target_name(*mesh, i));
    }
    return names;
}

glb::Pose with_target(const glb::Document& document, const std::string& name) {
    glb::Pose pose = bare(document);
    for (glb::Node& node : pose.nodes) {
        const glb::Mesh* mesh = mesh_of(document, node);
        if (mesh == nullptr) continue;
        node.weights.assign(target_count(*mesh), 0);
        for (std::size_t i = 0; i < node.weights.size(); ++i)
            if (target_name(*mesh, i) == name || "#" + std::to_string(i) == name) node.weights[i] = 1;
    }
    return pose;
}

std::size_t level_count(const glb::Document& document) {
    std::size_t most = 0;
    for (const glb::Node& node : document.nodes) most = std::max(most, node.lods.size());
    return most;
}

/// Those in no scene that are not levels of detail.
bool hidden_meshes(const glb::Document& document) {
    std::set<int> levels;
    for (const glb::Node& node : document.nodes) levels.insert(node.lods.begin(), node.lods.end());
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
        const glb::Node& node = document.nodes[i];
        if (node.mesh != glb::none && !node.in_scene && levels.count(static_cast<int>(i)) == 0) return true;
    }
    return false;
}

bool has_original_vertices(const glb::Document& document) {
    const auto meshes = document.json.find("meshes");
    return meshes != document.json.end() && meshes->dump().find("\"_ORIGINAL_VERTEX\"") != std::string::npos;
}

/// Custom properties of all objects, by name.
std::set<std::string> properties_of(const glb::Document& document) {
    std::set<std::string> names;
    for (const char* const list : {"nodes", "meshes", "skins", "materials", "animations"}) {
        for (const auto& object : document.json.value(list, nlohmann::json::array())) {
            const auto extras = object.value("extras", nlohmann::json::object());
            for (const auto& [name, value] : extras.items()) {
                if (name != "effigy" && name != "targetNames" && name != "MSFT_screencoverage") names.insert(name);
            }
        }
    }
    return names;
}

class Comparer {
public:
    Comparer(const glb::Document& before, const glb::Document& after, const glb::Mat4& placed, const Renamed& renamed,
             const Tolerances& tolerances)
        : before_(before),
          after_(after),
          placed_(placed),
          renamed_(renamed),
          tolerances_(tolerances),
          has_targets_(!target_names(after).empty()),
          start_(has_targets_ ? bare(before) : glb::rest(before)),
          matching_(match({before, start_}, {after, bare(after)}, placed, reach)),
          looks_before_(before),
          looks_after_(after) {}

    Comparison run() {
        if (matching_.lost != 0 || matching_.made != 0) lost("triangles");
        const glb::Pose fresh = bare(after_);
        places("place", start_, fresh, tolerances_.place);
        normals(start_, fresh);
        for (const Pair& pair : matching_.pairs) {
            coordinates(pair);
            colors(pair);
            materials(pair);
            picture(pair);
        }
        beside();
        targets();
        clips();
        return result_;
    }

private:
    void lost(const std::string& what) { result_.lost.insert(what); }
    void note(const std::string& what, double error, double tolerance) {
        double& worst = result_.worst[what];
        worst = std::max(worst, error);
        if (!(error <= tolerance)) lost(what);
    }

    void places(const std::string& what, const glb::Pose& old, const glb::Pose& fresh, double tolerance) {
        double worst = 0;
        for (const auto& [one, other] : matching_.pairs)
            for (std::size_t c = 0; c < 3; ++c) {
                const glb::Vec4 at(place(before_, old, one, c), 1);
                worst = std::max(worst, glm::length(Vec3(placed_ * at) - place(after_, fresh, other, c)));
            }
        note(what, worst / matching_.size, tolerance);
    }

    void normals(const glb::Pose& old, const glb::Pose& fresh) {
        for (const auto& [one, other] : matching_.pairs)
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec3 a = glm::dmat3(placed_) * normal(before_, old, one, c), b = normal(after_, fresh, other, c);
                note("normals", 2 * std::asin(std::min(1.0, glm::length(a - b) / 2)), tolerances_.normal);
            }
    }

    void coordinates(const Pair& pair) {
        const auto& [one, other] = pair;
        const std::size_t used = looks_before_.of(one).set;
        for (std::size_t c = 0; c < 3; ++c) {
            const auto a = looks_before_.coordinates(one, c), b = looks_after_.coordinates(other, c);
            if (a && !b) lost("coordinates");
            if (a && b) note("coordinates", glm::length(*a - *b), tolerances_.coordinates);
            for (std::size_t set = 0; set < one.primitive->uvs.size(); ++set) {
                if (set == used) continue;
                const auto& sets = other.primitive->uvs;
                if (set >= sets.size()) {
                    lost("further coordinates");
                } else {
                    note("further coordinates",
                         glm::length(one.primitive->uvs[set].at(one.corners[c]) - sets[set].at(other.corners[c])),
                         tolerances_.coordinates);
                }
            }
        }
    }

    void colors(const Pair& pair) {
        const auto& [one, other] = pair;
        const std::size_t least = tolerances_.has_made_colors ? 0 : other.primitive->colors.size();
        const std::size_t sets = std::max(one.primitive->colors.size(), least);
        for (std::size_t set = 0; set < sets; ++set)
            for (std::size_t c = 0; c < 3; ++c) {
                const auto at = [&](const Triangle& triangle) {
                    return set < triangle.primitive->colors.size()
                               ? triangle.primitive->colors[set].at(triangle.corners[c])
                               : glb::Vec4(1);
                };
                note("colors", glm::length(at(one) - at(other)), tolerances_.color);
            }
    }

    void materials(const Pair& pair) {
        const Look &a = looks_before_.of(pair.before), &b = looks_after_.of(pair.after);
        if (tolerances_.names && a.name != b.name && !a.name.empty()) lost("material names");
        if (a.alpha != b.alpha) lost("alpha");
        note("cutoff", std::abs(a.cutoff - b.cutoff), tolerances_.material);
        if (a.texture != glb::none && a.wraps != b.wraps) lost("wrapping");
        if (a.is_double_sided != b.is_double_sided) lost("double sided");
        if (a.is_unlit != b.is_unlit) lost("unlit");
        if (a.has_relief != b.has_relief) lost("relief");
        note("relief", std::abs(a.relief - b.relief), tolerances_.material);
        if (a.has_occlusion != b.has_occlusion) lost("occlusion");
        if (a.has_metal_map != b.has_metal_map) lost("metal map");
        note("metallic", std::abs(a.metallic - b.metallic), tolerances_.material);
        note("roughness", std::abs(a.roughness - b.roughness), tolerances_.material);
        if (a.has_glow_map != b.has_glow_map) lost("glow");
        if (a.has_glow_map && b.has_glow_map && a.glow_set != b.glow_set) lost("glow place");
        note("glow", glm::length(a.glow - b.glow), tolerances_.material);
    }

    void picture(const Pair& pair) {
        const Look &one = looks_before_.of(pair.before), &other = looks_after_.of(pair.after);
        if (one.texture != glb::none && other.texture != glb::none && one.wraps != other.wraps) return;
        for (const Vec3& weights : {Vec3(1, 1, 1) / 3.0, Vec3(0.6, 0.25, 0.15), Vec3(0.1, 0.2, 0.7)}) {
            const auto a = looks_before_.shown(pair.before, weights), b = looks_after_.shown(pair.after, weights);
            if (a && b) note("picture", glm::length(*a - *b), tolerances_.picture);
        }
    }

    /// What is not drawn at rest.
    void beside() {
        if (hidden_meshes(before_) != hidden_meshes(after_)) lost("collision meshes");
        if (level_count(before_) != level_count(after_)) lost("levels");
        if (has_original_vertices(before_) && !has_original_vertices(after_)) lost("original vertices");
        const std::set<std::string> now = properties_of(after_);
        for (const std::string& name : properties_of(before_)) {
            if (now.count(name) == 0) lost("properties");
        }
    }

    void targets() {
        const std::set<std::string> old = target_names(before_), fresh = target_names(after_);
        for (const std::string& name : old) {
            const auto known = renamed_.targets.find(name);
            const std::string now = known == renamed_.targets.end() ? name : known->second;
            if (!has_targets_ || (fresh.count(now) == 0 && !name.starts_with('#'))) {
                lost("morph targets");
            } else {
                if (now != name) lost("target names");
                places("morph", with_target(before_, name), with_target(after_, now), tolerances_.morph);
            }
        }
        if (has_targets_ && !old.empty()) places("weights", glb::rest(before_), glb::rest(after_), tolerances_.morph);
    }

    const glb::Animation* counterpart(std::size_t number) {
        const glb::Animation& clip = before_.animations[number];
        for (const glb::Animation& other : after_.animations)
            if (other.name == clip.name) return &other;
        if (after_.animations.size() < before_.animations.size()) {
            lost("clips");
            return nullptr;
        }
        if (!clip.name.empty()) lost("clip names");
        return &after_.animations[number];
    }

    void clips() {
        for (std::size_t i = 0; i < before_.animations.size(); ++i) {
            const glb::Animation& clip = before_.animations[i];
            const glb::Animation* other = counterpart(i);
            if (other == nullptr) continue;
            note("clip durations", std::abs(clip.duration() - other->duration()), tolerances_.duration);
            for (const double time : moments(clip)) {
                glb::Pose old = glb::sample(before_, clip, time);
                if (!has_targets_)
                    for (std::size_t n = 0; n < old.nodes.size(); ++n) old.nodes[n].weights = start_.nodes[n].weights;
                places("motion", old, glb::sample(after_, *other, time), tolerances_.motion);
            }
        }
        if (before_.animations.size() < after_.animations.size()) lost("clip count");
    }

    const glb::Document& before_;
    const glb::Document& after_;
    const glb::Mat4& placed_;
    const Renamed& renamed_;
    const Tolerances& tolerances_;
    bool has_targets_;
    glb::Pose start_;  ///< of `before`: with targets that the format has not got as they are at rest
    Matching matching_;
    Looks looks_before_, looks_after_;
    Comparison result_;
};

/// How far a node is moved, turned or scaled from its rest.
double moved(const glb::Node& rest, const glb::Node& old, const glb::Node& fresh, glb::Path path) {
    switch (path) {
        case glb::Path::translation:
            return glm::length(old.translation - rest.translation - fresh.translation);
        case glb::Path::rotation: {
            const glb::Quat turn = glm::conjugate(fresh.rotation) * glm::conjugate(rest.rotation) * old.rotation;
            return 2 * std::asin(std::min(1.0, glm::length(Vec3(turn.x, turn.y, turn.z))));
        }
        case glb::Path::scale:
            return glm::length(old.scale / rest.scale - fresh.scale);
        case glb::Path::weights:
            break;
    }
    return 0;
}

}  // namespace

std::vector<double> moments(const glb::Animation& animation) {
    constexpr int count = 11;
    std::vector<double> times{0};
    for (int i = 0; i < count; ++i) times.push_back(animation.duration() * (i + 0.37) / count);
    times.push_back(animation.duration());
    return times;
}

Comparison compare(const glb::Document& before, const glb::Document& after, const glb::Mat4& placed,
                   const Renamed& renamed, const Tolerances& tolerances) {
    return Comparer(before, after, placed, renamed, tolerances).run();
}

Comparison compare_nodes(const glb::Document& before, const glb::Document& after, const Tolerances& tolerances) {
    Comparison result;
    const auto node_of = [&](const glb::Pose& pose, const std::string& name) {
        const auto is_same = [&](const glb::Node& node) { return node.name == name; };
        const auto found = std::find_if(pose.nodes.begin(), pose.nodes.end(), is_same);
        return found == pose.nodes.end() ? nullptr : &*found;
    };
    for (const glb::Animation& clip : before.animations) {
        const auto is_same = [&](const glb::Animation& other) { return other.name == clip.name; };
        const auto other = std::find_if(after.animations.begin(), after.animations.end(), is_same);
        if (other == after.animations.end()) {
            result.lost.insert("clips");
            continue;
        }
        double& duration = result.worst["clip durations"];
        duration = std::max(duration, std::abs(clip.duration() - other->duration()));
        if (duration > tolerances.duration) result.lost.insert("clip durations");
        for (const double time : moments(clip)) {
            const glb::Pose old = glb::sample(before, clip, time), fresh = glb::sample(after, *other, time);
            for (const glb::Channel& channel : clip.channels) {
                const auto number = static_cast<std::size_t>(channel.node);
                const glb::Node* same = node_of(fresh, before.nodes.at(number).name);
                double& worst = result.worst["motion"];
                worst = std::max(worst, same == nullptr
                                            ? std::numeric_limits<double>::infinity()
                                            : moved(before.nodes[number], old.nodes[number], *same, channel.path));
                if (worst > tolerances.motion) result.lost.insert("motion");
            }
        }
    }
    return result;
}

}  // namespace trip
