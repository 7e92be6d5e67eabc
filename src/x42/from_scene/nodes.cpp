/// Which nodes become bones and tags.

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "effigy/playback.hpp"
#include "effigy/x42_codes.hpp"

#include "core/text.hpp"
#include "x42/from_scene/from_scene.hpp"
#include "x42/to_scene/math.hpp"

namespace effigy::x42::bridge {
namespace {

/// Where the format's models look, as Scene::facing says it.
constexpr double own_facing = -90;

bool is_identity(const glm::dmat4& matrix) noexcept { return matrix == glm::dmat4(1); }

class NodePlanner {
public:
    explicit NodePlanner(FileBuild& build) : build_(build), scene_(build.scene), plan_(build.nodes) {}

    Result<void> run() {
        const std::size_t count = scene_.nodes.size();
        constexpr std::uint64_t each = sizeof(NodeRecord) + 2 * sizeof(glm::dmat4) + 400;
        if (auto taken = build_.take(count, each, "nodes"); !taken) return taken;
        const playback::Skeleton skeleton = playback::make_skeleton(scene_);
        plan_.order = skeleton.nodes;
        plan_.parents.assign(count, no_index);
        for (std::size_t joint = 0; joint < skeleton.nodes.size(); ++joint) {
            const Index parent = skeleton.parents[joint];
            if (parent != no_index) plan_.parents[skeleton.nodes[joint]] = skeleton.nodes[parent];
        }
        read_records();
        find_rotation();
        mark();
        place();
        spare_uneven();
        place();
        sort_bones();
        find_tags();
        note_lost();
        if (plan_.bones.size() >= no_bone) {
            return fail(too_many("nodes", plan_.bones.size(), no_bone - 1u,
                                 "The scene has more bones than the format can count. Remove bones that no vertex "
                                 "needs."));
        }
        number_bones();
        plan_.bones_kept = are_kept();
        return {};
    }

private:
    void read_records() {
        is_own_ = is_own(scene_, build_.asset);
        plan_.records.resize(scene_.nodes.size());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
            const Json json = record_of(scene_.nodes[i].extras);
            NodeRecord& record = plan_.records[i];
            const auto number = [&](const char* name) -> std::optional<std::uint32_t> {
                const auto value = integer_at(json, name);
                return value && *value >= 0 && *value < no_bone ? std::optional(static_cast<std::uint32_t>(*value))
                                                                : std::nullopt;
            };
            record.name = text_at(json, "name");
            record.helper = flag_at(json, "helper");
            if (!is_own_) continue;  // other families have members of these names, too
            record.bone = number("bone");
            record.tag = number("tag");
            has_records_ = has_records_ || record.bone || record.tag;
        }
    }

    /// Readers of glTF do not know where models look, but records say that they come from this format.
    void find_rotation() {
        double facing = static_cast<double>(scene_.facing);
        if (!std::isfinite(facing) || is_own_) facing = own_facing;
        const double degrees = own_facing - facing;
        plan_.rotated = std::remainder(degrees, 360.0) != 0;
        if (plan_.rotated) plan_.rotation = glm::rotate(glm::dmat4(1), glm::radians(degrees), glm::dvec3(0, 1, 0));
    }

    /// Joints and what clips move.
    void mark() {
        is_bone_.assign(scene_.nodes.size(), false);
        animated_.assign(scene_.nodes.size(), false);
        joint_.assign(scene_.nodes.size(), false);
        for (const Clip& clip : scene_.clips) {
            for (const Track& track : clip.tracks) {
                if (track.node < scene_.nodes.size() && track.path != TrackPath::weights && !track.times.empty())
                    animated_[track.node] = true;
            }
        }
        for (const Node& node : scene_.nodes) {
            if (node.mesh == no_index || node.skin >= scene_.skins.size() || node.collision) continue;
            for (const Index joint : scene_.skins[node.skin].joints) {
                if (joint < scene_.nodes.size()) joint_[joint] = true;
            }
        }
        for (Index i = 0; i < scene_.nodes.size(); ++i) {
            const bool moves = animated_[i] && !plan_.records[i].tag;
            const bool own_joint = joint_[i] && !plan_.records[i].helper && !plan_.records[i].tag;
            is_bone_[i] = plan_.records[i].bone || moves || own_joint;
        }
        const bool draws = std::any_of(scene_.nodes.begin(), scene_.nodes.end(),
                                       [](const Node& node) { return node.mesh != no_index; });
        const bool has_any = std::find(is_bone_.begin(), is_bone_.end(), true) != is_bone_.end() || has_records_;
        // A skeleton by itself.
        if (!draws && !has_any) is_bone_.assign(scene_.nodes.size(), true);
    }

    void place() {
        plan_.within.assign(scene_.nodes.size(), plan_.rotation);
        plan_.rest.assign(scene_.nodes.size(), plan_.rotation);
        carrier_.assign(scene_.nodes.size(), no_index);
        for (const Index node : plan_.order) {
            const glm::dmat4 local = local_matrix(scene_.nodes[node]);
            const Index parent = plan_.parents[node];
            plan_.rest[node] = (parent == no_index ? plan_.rotation : plan_.rest[parent]) * local;
            if (is_bone_[node]) {
                carrier_[node] = node;
                plan_.within[node] = glm::dmat4(1);
            } else {
                carrier_[node] = parent == no_index ? no_index : carrier_[parent];
                plan_.within[node] = (parent == no_index ? plan_.rotation : plan_.within[parent]) * local;
            }
        }
    }

    /// Nodes between bones whose transform a bone below could not take in are bones, too.
    void spare_uneven() {
        for (auto node = plan_.order.rbegin(); node != plan_.order.rend(); ++node) {
            const Index parent = plan_.parents[*node];
            if (!is_bone_[*node] || parent == no_index || is_bone_[parent]) continue;
            if (!is_even(plan_.within[parent])) is_bone_[parent] = true;
        }
    }

    /// By animation groups, then in the order of the records; parents first.
    void sort_bones() {
        if (build_.records) {
            for (const AnimationGroup& group : build_.records->file.animation_groups)
                group_ends_.push_back(group.end_bone);
            std::sort(group_ends_.begin(), group_ends_.end());
        }
        std::vector<std::uint32_t>& ranks = plan_.ranks;
        ranks.assign(scene_.nodes.size(), 0);
        for (const Index node : plan_.order) {
            const Index parent = plan_.parents[node];
            ranks[node] = std::max(rank_of(node), parent == no_index ? 0 : ranks[parent]);
        }
        std::vector<Index> sorted;
        for (const Index node : plan_.order) {
            if (is_bone_[node]) sorted.push_back(node);
        }
        std::stable_sort(sorted.begin(), sorted.end(), [&](Index a, Index b) {
            const auto number = [&](Index node) { return plan_.records[node].bone.value_or(no_bone); };
            return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : number(a) < number(b);
        });
        std::vector<bool> done(scene_.nodes.size(), false);
        std::vector<Index> line;
        for (const Index first : sorted) {
            for (Index node = first; node != no_index && !done[node]; node = bone_above(node)) {
                done[node] = true;
                line.push_back(node);
            }
            plan_.bones.insert(plan_.bones.end(), line.rbegin(), line.rend());
            line.clear();
        }
    }

    [[nodiscard]] Index bone_above(Index node) const {
        const Index parent = plan_.parents[node];
        return parent == no_index ? no_index : carrier_[parent];
    }

    /// The animation group of a bone, counted by their bones' places.
    [[nodiscard]] std::uint32_t rank_of(Index node) const {
        const auto bone = plan_.records[node].bone;
        if (!bone) return 0;
        const auto behind = std::upper_bound(group_ends_.begin(), group_ends_.end(), *bone);
        return static_cast<std::uint32_t>(behind - group_ends_.begin());
    }

    void number_bones() {
        std::vector<std::uint16_t> numbers(scene_.nodes.size(), no_bone);
        for (std::size_t i = 0; i < plan_.bones.size(); ++i) numbers[plan_.bones[i]] = static_cast<std::uint16_t>(i);
        plan_.bone_of.assign(scene_.nodes.size(), no_bone);
        for (Index node = 0; node < scene_.nodes.size(); ++node) {
            if (carrier_[node] != no_index) plan_.bone_of[node] = numbers[carrier_[node]];
        }
    }

    void find_tags() {
        for (const Index node : plan_.order) {
            const NodeRecord& record = plan_.records[node];
            const bool named = is_named_tag(scene_.nodes[node]) && !record.bone && !record.helper;
            if (record.tag || (named && scene_.nodes[node].mesh == no_index)) plan_.tags.push_back(node);
        }
        std::stable_sort(plan_.tags.begin(), plan_.tags.end(), [&](Index a, Index b) {
            return plan_.records[a].tag.value_or(no_bone) < plan_.records[b].tag.value_or(no_bone);
        });
    }

    /// Nodes that are neither bones nor tags and carry nothing.
    void note_lost() {
        std::vector<bool> needed(scene_.nodes.size(), false);
        for (const Index tag : plan_.tags) needed[tag] = true;
        NameList lost;
        std::size_t lights = 0;
        for (auto node = plan_.order.rbegin(); node != plan_.order.rend(); ++node) {
            const Node& one = scene_.nodes[*node];
            lights += one.light != no_index ? 1u : 0u;
            const bool serves = needed[*node] || is_bone_[*node] || one.mesh != no_index || plan_.records[*node].helper;
            if (!serves) lost.add(label(scene_.nodes, one, "node"));
            if (plan_.parents[*node] != no_index) needed[plan_.parents[*node]] = true;
        }
        build_.note_any(
            lost, codes::x42_node_left_out, "nodes",
            "These nodes carry nothing, and are left out; a name that begins with \"tag_\" makes a tag of such a "
            "node.");
        build_.note_any(lights, codes::x42_light_left_out, "lights", "The format has no lights; they are lost.");
    }

    [[nodiscard]] bool are_kept() const {
        if (!build_.records || plan_.rotated || plan_.bones.size() != build_.records->file.bones.size()) return false;
        for (std::size_t i = 0; i < plan_.bones.size(); ++i) {
            const Index node = plan_.bones[i];
            const Index parent = plan_.parents[node];
            if (plan_.records[node].bone != i || !build_.untouched(scene_.nodes[node])) return false;
            if (parent != no_index && !is_identity(plan_.within[parent])) return false;
        }
        return true;
    }

    FileBuild& build_;
    const Scene& scene_;
    NodePlan& plan_;
    bool is_own_ = false;  ///< the scene comes from this format
    bool has_records_ = false;
    std::vector<bool> is_bone_, animated_, joint_;
    std::vector<Index> carrier_;             ///< of each node: the bone's node that it is or follows
    std::vector<std::uint32_t> group_ends_;  ///< of the records' animation groups, ascending
};

}  // namespace

bool is_named_tag(const Node& node) { return lower(cut(node.name, 4)) == "tag_"; }

bool is_even(const glm::dmat4& matrix) noexcept {
    constexpr double tolerance = 1e-6;
    const glm::dmat3 linear(matrix);
    const double size = glm::length(linear[0]);
    if (!(size > 0) || !(glm::determinant(linear) > 0)) return false;
    const glm::dmat3 unit = linear / size;
    return largest(glm::transpose(unit) * unit - glm::dmat3(1)) < tolerance;
}

bool is_own(const Scene& scene, const Json& asset) {
    const Json* const source = member(asset, "source");
    if (source != nullptr && text_at(*source, "format") == "x42") return true;
    const bool says_nothing = asset.size() == (asset.contains("facing") ? 1U : 0U);
    return says_nothing && scene.facing == static_cast<float>(own_facing);
}

Result<void> plan_nodes(FileBuild& build) { return NodePlanner(build).run(); }

}  // namespace effigy::x42::bridge
