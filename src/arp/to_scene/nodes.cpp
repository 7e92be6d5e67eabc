/// Bones become nodes, and those of arms get helper joints for their twist. Rules: docs/conversion/arp.md, "Bones" and
/// "Arm twist".

#include <string>

#include "effigy/arp_codes.hpp"

#include "arp/to_scene/to_scene.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::bridge {
namespace {

struct ArmBone {
    std::string_view name;
    bool is_forearm;
};
constexpr std::array<ArmBone, 4> arm_bones{{{"LUPA", false}, {"LLRA", true}, {"RUPA", false}, {"RLRA", true}}};

class NodeBuilder {
public:
    NodeBuilder(Build& build, Avatar& avatar) : build_(build), avatar_(avatar), file_(*avatar.file) {}

    Result<void> add() {
        constexpr std::uint64_t max_text = 800;  // of a record in extras
        const std::size_t helpers = arm_bones.size() * twist_steps;
        auto taken = build_.take(file_.bones.size() + helpers + 1, sizeof(Node) + max_text, "nodes").and_then([&] {
            std::uint64_t names = 0;
            for (const Bone& bone : file_.bones) names += bone.name.size() + bone.parent.size();
            return build_.take(names, 8, "names");
        });
        if (!taken) return taken;
        const std::string& name = avatar_.name;
        avatar_.root = build_.add_node(name.empty() ? "avatar" : name, no_index);
        for (std::size_t bone = 0; bone < file_.bones.size(); ++bone) add_bone(bone);
        if (build_.options.arm_twist != ArmTwist::none) {
            for (const ArmBone& arm : arm_bones) add_helpers(arm);
        }
        report();
        return {};
    }

private:
    /// No bone: none before this one has the name.
    [[nodiscard]] std::size_t parent_of(const Bone& bone) {
        const std::string_view name = up_to_nul(bone.parent);
        if (name.empty()) return avatar_.no_bone();
        const std::size_t parent = avatar_.find(name);
        if (parent == avatar_.no_bone()) bad_parents_.add(build_.text(up_to_nul(bone.name)));
        return parent;
    }

    void add_bone(std::size_t number) {
        const Bone& bone = file_.bones[number];
        const std::string_view raw = up_to_nul(bone.name);
        const std::size_t parent = parent_of(bone);
        const Index above = parent == avatar_.no_bone() ? avatar_.root : avatar_.bone_nodes[parent];
        const Index node = build_.add_node(raw.empty() ? "bone" + std::to_string(number) : build_.text(raw), above);
        avatar_.bone_nodes.push_back(node);
        avatar_.parents.push_back(parent);
        if (!raw.empty() && !avatar_.bones.try_emplace(raw, number).second) repeated_.add(build_.text(raw));
        build_.scene.nodes[node].local = rest_of(bone);
        build_.scene.nodes[node].extras.json = bone_extras(file_, number);
    }

    Transform rest_of(const Bone& bone) {
        glm::dvec3 translation = wide(bone.translation);
        if (up_to_nul(bone.name) == "ROOT") translation.y += double{file_.skeleton_offset};
        if (!is_finite(translation)) ++not_finite_;
        Transform rest;
        rest.translation = narrow(translation * avatar_.metres);
        rest.rotation = narrow(unit(bone.rotation, bad_rotations_));
        return rest;
    }

    /// Of forearms the first bone below.
    [[nodiscard]] std::size_t driver_of(std::size_t bone, bool is_forearm) const {
        if (!is_forearm) return bone;
        for (std::size_t child = bone + 1; child < avatar_.parents.size(); ++child) {
            if (avatar_.parents[child] == bone) return child;
        }
        return avatar_.no_bone();
    }

    void add_helpers(const ArmBone& arm) {
        TwistedBone twisted;
        twisted.bone = avatar_.find(arm.name);
        if (twisted.bone == avatar_.no_bone() || !(file_.bones[twisted.bone].length > 0)) return;
        twisted.is_forearm = arm.is_forearm;
        twisted.driver = driver_of(twisted.bone, arm.is_forearm);
        if (twisted.driver == avatar_.no_bone()) return;
        twisted.first_joint = static_cast<std::uint32_t>(file_.bones.size() + avatar_.twists.size() * twist_steps);
        const Index bone = avatar_.bone_nodes[twisted.bone];
        for (std::size_t step = 0; step < twist_steps; ++step) {
            const std::string name = std::string(arm.name) + ".twist" + std::to_string(step + 1);
            twisted.helpers[step] = build_.add_node(name, bone);
            build_.scene.nodes[twisted.helpers[step]].extras.json = helper_extras(arm.name, step);
        }
        avatar_.twists.push_back(twisted);
    }

    void report() {
        build_.note_any(bad_parents_, codes::node_parent, "bones",
                        "No bone before these has the name of their parent; they hang at the avatar's root.");
        build_.note_any(repeated_, codes::arp_bone_repeated, "bones",
                        "Several bones have these names: points and motions reach the first one only.");
        build_.note_any(bad_rotations_, codes::rotation_zero, "bones",
                        "Rotations that have no length or are not finite become no rotation.");
        build_.note_any(not_finite_, codes::not_finite_replaced, "bones", "Numbers that are not finite become 0.");
    }

    Build& build_;
    Avatar& avatar_;
    const File& file_;
    NameList bad_parents_, repeated_;
    std::uint64_t bad_rotations_ = 0, not_finite_ = 0;
};

}  // namespace

Result<void> add_nodes(Build& build, Avatar& avatar) { return NodeBuilder(build, avatar).add(); }

}  // namespace effigy::arp::bridge
