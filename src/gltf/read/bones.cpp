/// Bones of scenes that effigy wrote, as modelling programs leave them: turned where they stand, and without a scale.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "scene/wide_math.hpp"
#include "scene/wide_matrix.hpp"

namespace effigy::gltf {
namespace {

/// A node's transform with its numbers wide.
struct WidePlace {
    glm::dvec3 translation;
    glm::dquat rotation;
    glm::dvec3 scale;
};

WidePlace wide_place(const Transform& local) {
    return {wide(local.translation), glm::normalize(wide(local.rotation)), wide(local.scale)};
}

/// The 24 rotations that carry axes to axes; Blender turns bones by such ones.
using Turns = std::vector<glm::dquat>;

Turns quarter_turns() {
    Turns turns;
    const auto add = [&](const glm::dquat& turn) {
        const auto is_same = [&](const glm::dquat& known) { return std::fabs(glm::dot(known, turn)) > 0.999; };
        if (std::none_of(turns.begin(), turns.end(), is_same)) turns.push_back(glm::normalize(turn));
    };
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            for (int z = 0; z < 4; ++z) {
                const glm::dvec3 quarters(x, y, z);
                add(glm::dquat(quarters * (std::acos(-1.0) / 2)));
            }
        }
    }
    return turns;
}

const glm::dquat no_turn(1, 0, 0, 0);

/// Of a quarter turn: the numbers in another order, each with its sign.
glm::dvec3 turned_scale(const glm::dquat& turn, const glm::dvec3& scale) {
    const glm::dmat3 axes = glm::mat3_cast(turn);
    return glm::matrixCompMult(axes, axes) * scale;
}

/// How bones stand now.
struct Finding {
    Turns turns;                                       ///< of each node against what it was
    std::vector<std::pair<Index, Transform>> at_rest;  ///< what they are given back
    std::size_t known = 0, standing = 0, turned = 0, turned_by_others = 0;

    /// Where poses of binding and rest differ by quarter turns, what explains more with fewer turns is true.
    [[nodiscard]] bool is_better_than(const Finding& other) const noexcept {
        return standing != other.standing ? standing > other.standing : turned < other.turned;
    }
};

/// Bones of which effigy said where they stood. A turned one stands at (parent's turn)^-1 x old place x (its turn), and
/// everything that is said in its frame with it: children, keys, the matrix by which it is bound.
class Bones {
public:
    explicit Bones(Reading& reading) : reading_(reading), scene_(reading.scene), quarters_(quarter_turns()) {}

    void run() {
        const std::vector<bool> is_joint = joints_of(scene_);
        std::vector<Index> joints = parents_first(scene_);
        std::erase_if(joints, [&](Index node) { return !is_joint[node]; });
        Finding rested = find(joints, false), bound = find(joints, true);
        found_ = bound.is_better_than(rested) ? std::move(bound) : std::move(rested);
        if (found_.turned > 0) turn_back();
        for (const auto& [node, rest] : found_.at_rest) scene_.nodes[node].local = rest;
        report();
    }

private:
    /// What is found out if bones stand where they rested, or if they stand where they were bound.
    Finding find(const std::vector<Index>& joints, bool expects_binds) {
        found_ = Finding{Turns(scene_.nodes.size(), no_turn), {}};
        for (const Index joint : joints) look_at(joint, expects_binds);
        return std::move(found_);
    }

    void look_at(Index index, bool expects_binds) {
        const Node& node = scene_.nodes[index];
        const auto rest = rest_in(reading_.hints[index]);
        if (!rest || node.matrix) return;
        ++found_.known;
        const auto bind = expects_binds ? rest_in(reading_.hints[index], "bind") : std::nullopt;
        const WidePlace now = below(node, wide_place(node.local));
        if (stands_at(index, now, bind.value_or(*rest))) {
            ++found_.standing;
            const bool is_untouched = node.extras.hash != 0 && node.extras.hash == hash_of(node);
            if (!is_untouched && has_scale_of(node, *rest)) found_.at_rest.emplace_back(index, *rest);
        } else {
            edited(index, now, *rest);
        }
        if (found_.turns[index] != no_turn) ++found_.turned;
    }

    /// As it would be below the parent without its turn.
    [[nodiscard]] WidePlace below(const Node& node, const WidePlace& place) const {
        const glm::dquat& turn = node.parent == no_index ? no_turn : found_.turns[node.parent];
        return {turn * place.translation, turn * place.rotation, place.scale};
    }

    /// Whether it is there, but for a quarter turn, which is noted then.
    bool stands_at(Index index, const WidePlace& now, const Transform& expected) {
        const WidePlace old = wide_place(expected);
        const double size = std::max(1.0, largest(old.translation));
        if (largest(now.translation - old.translation) > 1e-4 * size) return false;
        const glm::dquat turn = glm::conjugate(old.rotation) * now.rotation;
        const glm::dquat& quarter = nearest(turn);
        if (angle_between(turn, quarter) > 5e-4) return false;
        found_.turns[index] = quarter;
        return true;
    }

    [[nodiscard]] const glm::dquat& nearest(const glm::dquat& turn) const {
        return *std::max_element(quarters_.begin(), quarters_.end(), [&](const glm::dquat& a, const glm::dquat& b) {
            return std::fabs(glm::dot(a, turn)) < std::fabs(glm::dot(b, turn));
        });
    }

    /// A bone has no scale of its own.
    [[nodiscard]] static bool has_scale_of(const Node& node, const Transform& rest) {
        const glm::dvec3 scale = wide(node.local.scale);
        const double size = std::max(1.0, largest(wide(rest.scale)));
        return largest(scale - 1.0) < 1e-4 || largest(scale - wide(rest.scale)) < 1e-4 * size;
    }

    /// Somebody has moved it; by less than an eighth of a turn, so that the rest is the program's.
    void edited(Index index, const WidePlace& now, const Transform& rest) {
        const glm::dquat turn = glm::conjugate(wide_place(rest).rotation) * now.rotation;
        const glm::dquat& quarter = nearest(turn);
        const double angle = angle_between(turn, quarter);
        if (angle < 0.4) found_.turns[index] = quarter;
        if (angle > 0.01) ++found_.turned_by_others;
    }

    void turn_back() {
        for (Index i = 0; i < scene_.nodes.size(); ++i) turn_back(scene_.nodes[i], found_.turns[i]);
        for (Skin& skin : scene_.skins) {
            for (std::size_t i = 0; i < skin.joints.size(); ++i) {
                const glm::dquat& turn = found_.turns[skin.joints[i]];
                Mat4& bind = skin.inverse_bind_matrices[i];
                if (turn != no_turn) bind = narrow(glm::mat4_cast(turn) * wide(bind));
            }
        }
        for (Clip& clip : scene_.clips) {
            for (Track& track : clip.tracks) turn_back(track);
        }
    }

    [[nodiscard]] bool is_concerned(const Node& node, const glm::dquat& turn) const {
        return turn != no_turn || (node.parent != no_index && found_.turns[node.parent] != no_turn);
    }

    void turn_back(Node& node, const glm::dquat& turn) const {
        if (!is_concerned(node, turn)) return;
        if (node.matrix) {
            const glm::dquat& above = node.parent == no_index ? no_turn : found_.turns[node.parent];
            node.matrix = narrow(glm::mat4_cast(above) * wide(*node.matrix) * glm::mat4_cast(glm::conjugate(turn)));
            return;
        }
        const WidePlace place = below(node, wide_place(node.local));
        node.local = {narrow(place.translation), narrow(place.rotation * glm::conjugate(turn)),
                      narrow(turned_scale(turn, place.scale))};
    }

    void turn_back(Track& track) const {
        const Node& node = scene_.nodes[track.node];
        const glm::dquat& turn = found_.turns[track.node];
        if (track.path == TrackPath::weights || !is_concerned(node, turn)) return;
        const glm::dquat& above = node.parent == no_index ? no_turn : found_.turns[node.parent];
        const std::size_t width = track.path == TrackPath::rotation ? 4 : 3;
        for (std::size_t at = 0; at + width <= track.values.size(); at += width) {
            float* const v = track.values.data() + at;
            if (width == 4) {
                const Quat turned = narrow(above * glm::dquat(v[3], v[0], v[1], v[2]) * glm::conjugate(turn));
                std::tie(v[0], v[1], v[2], v[3]) = std::tuple(turned.x, turned.y, turned.z, turned.w);
                continue;
            }
            const glm::dvec3 old(v[0], v[1], v[2]);
            const Vec3 turned = narrow(track.path == TrackPath::scale ? turned_scale(turn, old) : above * old);
            std::tie(v[0], v[1], v[2]) = std::tuple(turned.x, turned.y, turned.z);
        }
    }

    void report() {
        if (found_.turned > 0) {
            reading_.note(codes::gltf_bones_turned_back, "nodes",
                          std::string("The program that this file comes from had turned bones; they stand as in the "
                                      "game's file again. What leaves them alone: ") +
                              what_to_tick,
                          std::to_string(found_.turned) + " of " + std::to_string(found_.known) + " bones");
        }
        if (2 * found_.turned_by_others <= found_.known) return;
        reading_.note(codes::gltf_bones_turned, "nodes",
                      std::string("Most bones are turned otherwise than in the game's file, and its motions do not fit "
                                  "them. If nobody wanted that, begin anew with ") +
                          what_to_tick,
                      std::to_string(found_.turned_by_others) + " of " + std::to_string(found_.known) + " bones");
    }

    Reading& reading_;
    Scene& scene_;
    Turns quarters_;
    Finding found_;
};

}  // namespace

void turn_bones_back(Reading& reading) {
    if (std::any_of(reading.hints.begin(), reading.hints.end(),
                    [](const Value& hint) { return rest_in(hint).has_value(); }))
        Bones(reading).run();
}

}  // namespace effigy::gltf
