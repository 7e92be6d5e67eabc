/// Bones and tags become nodes.

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "core/text.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/to_scene/math.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {
namespace {

/// Rest transforms come from inverse matrices of floats: smaller errors are theirs.
constexpr double rest_tolerance = 1e-4;

/// Differences of rest transforms that can be seen.
constexpr double visible_difference = 1e-3;

class NodeBuilder {
public:
    NodeBuilder(Build& build, Model& model) : build_(build), model_(model), file_(*model.file) {}

    Result<void> add() {
        if (auto taken = take(); !taken) return taken;
        find_binds();
        set_root();
        for (std::size_t bone = 0; bone < file_.bones.size(); ++bone) add_bone(bone);
        for (std::size_t tag = 0; tag < file_.tags.size(); ++tag) add_tag(tag);
        report();
        return {};
    }

private:
    /// Many records may share one long name.
    Result<void> take() {
        constexpr std::uint64_t max_text = 400;  // of a record in extras
        return build_.take(file_.bones.size() + 2 * file_.tags.size(), sizeof(Node) + max_text, "nodes")
            .and_then([&] { return take_names(file_.bones); })
            .and_then([&] { return take_names(file_.tags); });
    }

    template <class Records>
    Result<void> take_names(const Records& records) {
        for (const auto& record : records) {
            if (auto taken = build_.take(name_of(file_, record.name).size(), 4, "names"); !taken) return taken;
        }
        return {};
    }

    /// Which record of its kind the node comes from, and its name's bytes where the node's name cannot have them.
    [[nodiscard]] std::string extras_of(const char* kind, std::size_t number, std::uint16_t name) const {
        Json json{{kind, number}};
        const std::string_view raw = name_of(file_, name);
        if (!is_utf8(raw)) json["name"] = json_text(raw);
        return to_text(json);
    }

    void find_binds() {
        binds_.assign(file_.bones.size(), nullptr);
        for (const Influence& influence : file_.influences) {
            if (influence.bone >= binds_.size()) continue;
            const Matrix*& first = binds_[influence.bone];
            if (first == nullptr) {
                first = &influence.mesh_to_bone;
            } else if (*first != influence.mesh_to_bone && !several_[influence.bone]++) {
                several_binds_.add(name_of_bone(influence.bone));
            }
        }
    }

    void set_root() {
        if (build_.root == no_index) {
            const std::string name = build_.text(model_.source->stem);
            build_.root = build_.add_node(name.empty() ? "model" : name, no_index);
            build_.scene.nodes[build_.root].extras.json = R"({"helper":true})";
            build_.worlds.emplace(build_.root, glm::dmat4(1));
        }
        model_.root = build_.root;
    }

    [[nodiscard]] std::string name_of_bone(std::size_t bone) const {
        const std::string_view raw = name_of(file_, file_.bones[bone].name);
        return raw.empty() ? "bone" + std::to_string(bone) : build_.text(raw);
    }

    /// The node that an earlier model gave a bone of this name.
    Index known_node(std::string_view raw) {
        if (raw.empty()) return no_index;
        const auto found = build_.bones.find(std::string(raw));
        return found == build_.bones.end() || !joined_.insert(found->second).second ? no_index : found->second;
    }

    void add_bone(std::size_t number) {
        const Bone& bone = file_.bones[number];
        const std::string_view raw = name_of(file_, bone.name);
        if ((bone.flags & inverse_parent_scale) != 0) parent_scale_.add(name_of_bone(number));
        Index parent = model_.root;
        if (bone.parent < number) {
            parent = model_.bone_nodes[bone.parent];
        } else if (bone.parent != no_bone) {
            bad_parents_.add(name_of_bone(number));
        }
        const Index known = known_node(raw);
        if (known != no_index) {
            model_.bone_nodes.push_back(known);
            compare_rest(number, known);
            return;
        }
        const Index node = build_.add_node(name_of_bone(number), parent);
        model_.bone_nodes.push_back(node);
        joined_.insert(node);
        if (!raw.empty()) build_.bones.try_emplace(std::string(raw), node);
        build_.scene.nodes[node].local = rest_of(number, parent);
        build_.scene.nodes[node].extras.json = extras_of("bone", number, bone.name);
        build_.worlds.emplace(node, build_.worlds.at(parent) * matrix_of(build_.scene.nodes[node].local));
    }

    /// Where the bone was when vertices were bound to it; nothing if no vertex was, or if it cannot be told.
    std::optional<glm::dmat4> bind_of(std::size_t bone, bool tell) {
        if (binds_[bone] == nullptr) return std::nullopt;
        auto bind = inverse(wide(*binds_[bone]));
        if (!bind && tell) flat_binds_.add(name_of_bone(bone));
        return bind;
    }

    Transform rest_of(std::size_t bone, Index parent) {
        const auto bind = bind_of(bone, true);
        if (!bind) return first_frame(bone);
        const auto above = inverse(build_.worlds.at(parent));
        const Split local = above ? split(*above * *bind) : Split{};
        if (!above || !(glm::length(wide(local.transform.rotation)) > 0.5)) {
            flat_binds_.add(name_of_bone(bone));
            return first_frame(bone);
        }
        if (local.residual > rest_tolerance) {
            sheared_.add(name_of_bone(bone));
            max_residual_ = std::max(max_residual_, local.residual);
        }
        return local.transform;
    }

    Transform first_frame(std::size_t bone) {
        Transform local = sample(file_, *model_.tracks, bone, 0);
        const auto repair = [&](float& value, float fallback) {
            if (std::isfinite(value)) return;
            ++not_finite_;
            value = fallback;
        };
        for (float* value : {&local.translation.x, &local.translation.y, &local.translation.z}) repair(*value, 0);
        for (float* value : {&local.scale.x, &local.scale.y, &local.scale.z}) repair(*value, 1);
        const double norm = glm::length(wide(local.rotation));
        if (!(norm > 1e-6) || !std::isfinite(norm)) {
            ++zero_rotations_;
            local.rotation = {};
            return local;
        }
        local.rotation = narrow(wide(local.rotation) / norm);
        return local;
    }

    void compare_rest(std::size_t bone, Index node) {
        const auto bind = bind_of(bone, false);
        if (!bind) return;
        const glm::dmat4& world = build_.worlds.at(node);
        if (!(difference(*bind, world) <= visible_difference)) other_rests_.add(name_of_bone(bone));
    }

    void add_tag(std::size_t number) {
        const Tag& tag = file_.tags[number];
        std::string name = build_.text(name_of(file_, tag.name));
        if (name.empty()) name = "tag" + std::to_string(number);
        Index parent = model_.root;
        if (tag.bone < model_.bone_nodes.size()) {
            parent = model_.bone_nodes[tag.bone];
        } else if (tag.bone != no_bone) {
            lost_tags_.add(name);
        }
        Transform local;
        if (!is_finite(tag.matrix)) {
            ++not_finite_;
        } else {
            const Split whole = split(wide(tag.matrix));
            local = whole.transform;
            if (!(whole.residual <= split_tolerance)) {
                // The tag is the lower one of two nodes; the upper one stretches along other axes.
                const Chain two = chain(wide(tag.matrix));
                parent = build_.add_node(name + ".scale", parent);
                build_.scene.nodes[parent].local = two.upper;
                build_.scene.nodes[parent].extras.json = R"({"helper":true})";
                local = {{}, two.lower, {1, 1, 1}};
                chained_tags_.add(name);
            }
        }
        const Index node = build_.add_node(std::move(name), parent);
        build_.scene.nodes[node].local = local;
        build_.scene.nodes[node].extras.json = extras_of("tag", number, tag.name);
    }

    void report() {
        build_.note_any(bad_parents_, codes::x42_parent_order.as(Severity::warning), "bones",
                        "The parents of these bones do not come before them; the bones become roots.");
        build_.note_any(lost_tags_, codes::x42_tag_bone.as(Severity::warning), "tags",
                        "These tags belong to bones that do not exist; they follow the model's root.");
        build_.note_any(
            parent_scale_, codes::x42_inverse_parent_scale, "bones",
            "These bones ask for their parent's scale to be divided out, which the game ignores and this too.");
        build_.note_any(flat_binds_, codes::x42_influence_singular, "bones",
                        "The inverse of these bones' first influences does not exist: they rest as in frame 0.");
        if (!sheared_.empty()) {
            build_.note(
                codes::x42_rest_shear, "bones",
                "Vertices were bound to these bones in a place with shear, which a node cannot hold; the bones rest in "
                "the nearest one. It shows only where nothing is animated.",
                sheared_.text() + "; " + number_text(static_cast<float>(max_residual_)) + " of the axes' length");
        }
        build_.note_any(
            several_binds_, codes::x42_several_binds, "influences",
            "Several influences of these bones have other matrices: the first one says how the bone rests.");
        build_.note_any(other_rests_, codes::binds_differ, "bones",
                        "These bones rest elsewhere in the first model, which decides.");
        build_.note_any(chained_tags_, codes::scale_baked, "tags",
                        "The matrices of these tags are more than one node can say: each is two nodes.");
        build_.note_any(not_finite_, codes::not_finite_replaced, "bones and tags",
                        "Numbers and matrices of rest transforms that are not finite are replaced.");
        build_.note_any(zero_rotations_, codes::rotation_zero, "bones",
                        "Rotations of no length become no rotation in the rest pose.");
    }

    Build& build_;
    Model& model_;
    const File& file_;
    std::vector<const Matrix*> binds_;  ///< matrix of each bone's first influence
    std::unordered_map<std::size_t, int> several_;
    std::unordered_set<Index> joined_;  ///< nodes that are bones of this model
    NameList bad_parents_, lost_tags_, parent_scale_, flat_binds_, sheared_, several_binds_, other_rests_,
        chained_tags_;
    double max_residual_ = 0;
    std::uint64_t not_finite_ = 0, zero_rotations_ = 0;
};

}  // namespace

Result<void> add_nodes(Build& build, Model& model) { return NodeBuilder(build, model).add(); }

}  // namespace effigy::x42::bridge
