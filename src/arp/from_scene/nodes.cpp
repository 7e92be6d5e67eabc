/// Nodes of a scene in space and time, in double precision, which of them draw something, and which are
/// an avatar's bones: joints, what clips move, and nodes between them.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <set>

#include "effigy/arp_codes.hpp"

#include "arp/from_scene/from_scene.hpp"
#include "scene/triangles.hpp"
#include "scene/worlds.hpp"

namespace effigy::arp::native {
namespace {

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

bool has_area(const effigy::Mesh& mesh) {
    return std::any_of(mesh.primitives.begin(), mesh.primitives.end(), [](const Primitive& primitive) {
        return has_triangles(primitive.topology) && !primitive.indices.empty();
    });
}

/// Primitives of points and lines.
std::size_t count_without_area(const effigy::Mesh& mesh) {
    return static_cast<std::size_t>(std::count_if(
        mesh.primitives.begin(), mesh.primitives.end(),
        [](const Primitive& primitive) { return !has_triangles(primitive.topology) && !primitive.indices.empty(); }));
}

/// What a node draws itself.
std::optional<DrawnMesh> drawn_on(const Scene& scene, Index node) {
    if (node >= scene.nodes.size()) return std::nullopt;
    const Node& carrier = scene.nodes[node];
    if (carrier.mesh >= scene.meshes.size()) return std::nullopt;
    const bool has_joints = find_attribute(scene.meshes[carrier.mesh], Semantic::joints) != nullptr;
    const bool is_skinned =
        carrier.skin < scene.skins.size() && has_joints && !scene.skins[carrier.skin].joints.empty();
    return DrawnMesh{node, carrier.mesh, is_skinned ? carrier.skin : no_index};
}

/// Nodes that clips move, if there is something on them or below.
void add_moving(const Scene& scene, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels,
                const std::vector<bool>& helpers, std::vector<bool>& is_bone) {
    std::vector<bool> carries(is_bone.begin(), is_bone.end());
    for (const auto& level : levels) {
        for (const DrawnMesh& drawn : level) {
            if (drawn.skin == no_index) carries[drawn.node] = true;
        }
    }
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        const Index parent = scene.nodes[*node].parent;
        if (carries[*node] && parent < carries.size()) carries[parent] = true;
    }
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.node < carries.size() && carries[track.node] && !helpers[track.node] &&
                track.path != TrackPath::weights) {
                is_bone[track.node] = true;
            }
        }
    }
}

/// Of a figure without joints: what nothing moves hangs on a bone of its own, or it would follow what moves.
void add_still(const Scene& scene, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels,
               std::vector<bool>& is_bone) {
    std::vector<bool> held = is_bone;
    if (std::find(held.begin(), held.end(), true) == held.end()) return;
    std::vector<Index> tops(held.size());
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        tops[node] = parent < tops.size() ? tops[parent] : node;
        if (parent < held.size() && held[parent]) held[node] = true;
    }
    for (const auto& level : levels) {
        for (const DrawnMesh& drawn : level) {
            if (!held[drawn.node]) is_bone[tops[drawn.node]] = true;
        }
    }
}

/// Trees in which clips move something, from where they branch or move.
void add_moving_trees(const Scene& scene, const Tree& tree, std::vector<bool>& is_bone) {
    std::vector<bool> moves(is_bone.size());
    for (const Clip& clip : scene.clips) {
        for (const Track& track : clip.tracks) {
            if (track.node < moves.size() && track.path != TrackPath::weights) moves[track.node] = true;
        }
    }
    std::vector<bool> leads = moves;
    std::vector<std::size_t> children(is_bone.size());
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        const Index parent = scene.nodes[*node].parent;
        if (parent >= leads.size()) continue;
        ++children[parent];
        if (leads[*node]) leads[parent] = true;
    }
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        const bool is_below = parent < is_bone.size() && is_bone[parent];
        is_bone[node] = is_below || (leads[node] && (moves[node] || children[node] > 1));
    }
}

/// Of bones with nothing on them: the joints that they were, or what moves where none are known.
void add_bare(const Scene& scene, const Tree& tree, const std::vector<bool>& helpers, std::vector<bool>& is_bone) {
    for (const Skin& skin : scene.skins) {
        for (const Index joint : skin.joints) {
            if (joint < is_bone.size() && !helpers[joint]) is_bone[joint] = true;
        }
    }
    if (std::find(is_bone.begin(), is_bone.end(), true) == is_bone.end()) add_moving_trees(scene, tree, is_bone);
}

/// Nodes between bones are bones.
void add_between(const Scene& scene, const Tree& tree, const std::vector<bool>& helpers, std::vector<bool>& is_bone) {
    std::vector<bool> below(is_bone.size()), above(is_bone.size());
    for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
        const Index parent = scene.nodes[*node].parent;
        if (parent < below.size() && (below[*node] || is_bone[*node])) below[parent] = true;
    }
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        if (parent < above.size() && (above[parent] || is_bone[parent])) above[node] = true;
        if (below[node] && above[node] && !helpers[node]) is_bone[node] = true;
    }
}

/// Those that hold a vertex by some weight.
void mark_joints(const effigy::Mesh& mesh, const Skin& skin, std::vector<bool>& moves) {
    InfluenceReader influences(mesh, skin.joints.size());
    if (influences.empty()) return;
    for (std::size_t vertex = 0; vertex < mesh.vertex_count; ++vertex) {
        for (const VertexInfluence& one : influences.all(vertex)) {
            if (const Index joint = skin.joints[one.joint]; joint < moves.size()) moves[joint] = true;
        }
    }
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
    tree.worlds = rest_worlds(scene);
    if (scene.facing == 0 || !std::isfinite(scene.facing)) return tree;
    tree.rotation = glm::rotate(glm::dmat4(1), glm::radians(-double{scene.facing}), glm::dvec3(0, 1, 0));
    for (glm::dmat4& world : tree.worlds) world = tree.rotation * world;
    return tree;
}

Frame rigid_part(const glm::dmat4& world) {
    const glm::dvec3 place(world[3]);
    return {effigy::is_finite(place) ? place : glm::dvec3(0), rotation_in(glm::dmat3(world))};
}

Sampler::Sampler(const Scene& scene, const Tree& tree, const Clip& clip)
    : scene_(scene), tree_(tree), clip_(clip), has_track_(scene.nodes.size()), worlds_(tree.worlds) {
    for (const Track& track : clip.tracks) {
        const std::size_t width = value_width(scene, track);
        samplers_.emplace_back(track, width, clip.rules);
        values_.emplace_back(width);
        if (width == 0) {
            ++odd_;
            continue;
        }
        end_ = std::max(end_, double{track.times.back()});
        if (track.path == TrackPath::weights) {
            weight_tracks_.try_emplace(track.node, values_.size() - 1);
            continue;
        }
        has_track_[track.node] = true;
        if (track.path == TrackPath::scale) scales_ = scales_ || resizes(track, scene.nodes[track.node]);
    }
    // What moves a node moves all below it.
    moves_ = has_track_;
    for (const Index i : tree.order) {
        const Index parent = scene.nodes[i].parent;
        if (parent < moves_.size() && moves_[parent]) moves_[i] = true;
    }
}

void Sampler::watch(std::span<const Index> nodes) {
    std::vector<bool> watched(moves_.size());
    for (Index node : nodes) {
        for (; node < watched.size() && !watched[node]; node = scene_.nodes[node].parent) watched[node] = true;
    }
    for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i] = moves_[i] && watched[i];
}

std::vector<double> Sampler::key_times() const {
    std::set<double> times;
    for (std::size_t i = 0; i < clip_.tracks.size(); ++i) {
        if (samplers_[i].width() == 0) continue;
        for (const float time : clip_.tracks[i].times) times.insert(double{time});
    }
    return {times.begin(), times.end()};
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
        if (samplers_[i].width() == 0) continue;
        samplers_[i].at(time, values_[i]);
        if (track.path == TrackPath::weights) continue;
        auto& local = locals[track.node];
        const Transform& rest = scene_.nodes[track.node].local;
        if (!local) local = Local{wide(rest.translation), usable_rotation(rest.rotation), wide(rest.scale)};
        const std::vector<double>& v = values_[i];
        if (track.path == TrackPath::rotation) {
            local->rotation = {v[3], v[0], v[1], v[2]};
        } else {
            (track.path == TrackPath::scale ? local->scale : local->translation) = {v[0], v[1], v[2]};
        }
    }
    for (const Index i : tree_.order) {
        if (!moves_[i]) continue;
        const Index parent = scene_.nodes[i].parent;
        const auto& moved = locals[i];
        const glm::dmat4 local =
            moved ? matrix_of(moved->translation, moved->rotation, moved->scale) : local_matrix(scene_.nodes[i]);
        worlds_[i] = (parent < worlds_.size() ? worlds_[parent] : tree_.rotation) * local;
    }
}

std::vector<double> Sampler::weights(Index node) const {
    if (const auto track = weight_tracks_.find(node); track != weight_tracks_.end()) return values_[track->second];
    const Index mesh = node < scene_.nodes.size() ? scene_.nodes[node].mesh : no_index;
    if (mesh >= scene_.meshes.size()) return {};
    const auto& rest = scene_.meshes[mesh].weights;
    return {rest.begin(), rest.end()};
}

std::vector<std::vector<DrawnMesh>> drawn_meshes(Build& build, const Tree& tree) {
    const Scene& scene = build.source;
    const std::vector<bool> hidden = hidden_nodes(scene);
    std::vector<Index> seen;
    std::size_t levels = 1, collision = 0, points = 0;
    for (const Index node : tree.order) {
        const Node& carrier = scene.nodes[node];
        if (carrier.collision && drawn_on(scene, node)) ++collision;
        if (hidden[node] || carrier.collision || !drawn_on(scene, node)) continue;
        seen.push_back(node);
        levels = std::max(levels, std::min<std::size_t>(carrier.lods.size(), 15) + 1);
    }
    build.note_any(collision, codes::arp_collision_left_out, "nodes",
                   "Avatars have no collision meshes; these are left out.");
    std::sort(seen.begin(), seen.end());
    std::vector<std::vector<DrawnMesh>> result(levels);
    for (std::size_t level = 0; level < levels; ++level) {
        for (const Index node : seen) {
            const auto& lods = scene.nodes[node].lods;
            auto drawn = drawn_on(scene, node);
            if (level > 0 && !lods.empty()) drawn = drawn_on(scene, lods[std::min(level, lods.size()) - 1]);
            if (drawn && has_area(scene.meshes[drawn->mesh])) {
                result[level].push_back(*drawn);
            } else if (drawn && level == 0) {
                points += count_without_area(scene.meshes[drawn->mesh]);
            }
        }
    }
    build.note_any(points, codes::arp_not_triangles, "nodes", "Meshes that have nothing else are left out.",
                   " primitives");
    return result;
}

BoneNodes find_bone_nodes(const Scene& scene, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels) {
    BoneNodes found;
    std::vector<bool>& is_bone = found.is_bone;
    std::vector<bool> helpers(scene.nodes.size());
    is_bone.assign(scene.nodes.size(), false);
    for (const Index i : tree.order) {
        const Json record = record_of(scene.nodes[i].extras);
        helpers[i] = flag_at(record, "helper") && member(record, "twist_of") != nullptr;
        if (whole_in(record, "bone") && member(record, "inverse_twist") != nullptr) {
            is_bone[i] = true;
            found.recorded.push_back({i, record});
        }
    }
    for (const auto& level : levels) {
        for (const DrawnMesh& drawn : level) {
            if (drawn.skin == no_index) continue;
            for (const Index joint : scene.skins[drawn.skin].joints) {
                if (joint < is_bone.size() && !helpers[joint]) is_bone[joint] = true;
            }
        }
    }
    const bool is_bare = std::all_of(levels.begin(), levels.end(), [](const auto& level) { return level.empty(); });
    if (is_bare && found.recorded.empty()) add_bare(scene, tree, helpers, is_bone);
    const bool is_rigid = std::find(is_bone.begin(), is_bone.end(), true) == is_bone.end();
    add_moving(scene, tree, levels, helpers, is_bone);
    if (is_rigid) add_still(scene, tree, levels, is_bone);
    add_between(scene, tree, helpers, is_bone);
    return found;
}

std::vector<bool> nodes_that_move(const Scene& scene, const std::vector<bool>& is_bone,
                                  const std::vector<DrawnMesh>& drawn) {
    std::vector<bool> moves(scene.nodes.size());
    for (const DrawnMesh& one : drawn) {
        if (one.skin != no_index) {
            mark_joints(scene.meshes[one.mesh], scene.skins[one.skin], moves);
            continue;
        }
        Index node = one.node;
        while (node < is_bone.size() && !is_bone[node]) node = scene.nodes[node].parent;
        if (node < moves.size()) moves[node] = true;
    }
    return moves;
}

}  // namespace effigy::arp::native
