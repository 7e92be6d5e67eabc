/// Influences become the joints of one skin.

#include <algorithm>
#include <cstring>
#include <string>

#include "effigy/x42_codes.hpp"

#include "core/json.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/to_scene/math.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {
namespace {

class JointBuilder {
public:
    JointBuilder(Build& build, const Model& model) : build_(build), model_(model), file_(*model.file) {}

    Result<Joints> make(bool needs_still) {
        constexpr std::uint64_t max_each = sizeof(Mat4) + sizeof(Node) + 800;  // with its record in extras
        auto taken = build_.take(file_.influences.size() + 1, max_each, "joints");
        if (!taken) return fail(std::move(taken.error()));
        for (const Influence& influence : file_.influences) {
            std::uint16_t bone = influence.bone;
            if (bone != no_bone && bone >= model_.bone_nodes.size()) {
                ++lost_;
                bone = no_bone;
            }
            auto joint = joint_of(bone, influence.mesh_to_bone);
            if (!joint) return fail(std::move(joint.error()));
            joints_.of_influences.push_back(*joint);
        }
        joints_.still = find(no_bone, identity);
        if (needs_still && joints_.still == no_index) {
            auto joint = joint_of(no_bone, identity);
            if (!joint) return fail(std::move(joint.error()));
            joints_.still = *joint;
        }
        report();
        joints_.skin.name = build_.text(model_.source->stem);
        joints_.skin.skeleton = model_.root;
        joints_.joint_count = joints_.skin.joints.size();
        Json record = Json::object();
        std::uint32_t next = 0;
        const auto is_next = [&](std::uint32_t joint) { return joint == next++; };
        if (!std::ranges::all_of(joints_.of_influences, is_next)) record["influences"] = joints_.of_influences;
        joints_.skin.extras.json = to_text(record);
        return std::move(joints_);
    }

private:
    static std::string key_of(std::uint16_t bone, const Matrix& matrix) {
        std::string key(sizeof bone + sizeof matrix, '\0');
        std::memcpy(key.data(), &bone, sizeof bone);
        std::memcpy(key.data() + sizeof bone, matrix.data(), sizeof matrix);
        return key;
    }

    [[nodiscard]] std::uint32_t find(std::uint16_t bone, const Matrix& matrix) const {
        const auto found = numbers_.find(key_of(bone, matrix));
        return found == numbers_.end() ? no_index : found->second;
    }

    Result<std::uint32_t> joint_of(std::uint16_t bone, const Matrix& matrix) {
        const auto next = static_cast<std::uint32_t>(joints_.skin.joints.size());
        const auto [place, is_new] = numbers_.try_emplace(key_of(bone, matrix), next);
        if (!is_new) return place->second;
        Index node = bone == no_bone ? model_.root : model_.bone_nodes[bone];
        const Mat4 bind = bind_of(node, matrix);
        if (const int number = ++uses_[bone]; number > 1) {
            const std::string name = build_.scene.nodes[node].name + "." + std::to_string(number);
            if (auto taken = build_.take(name.size(), 2, "names"); !taken) return fail(std::move(taken.error()));
            node = build_.add_node(name, node);
            build_.scene.nodes[node].extras.json = R"({"helper":true})";
        }
        joints_.skin.joints.push_back(node);
        joints_.skin.inverse_bind_matrices.push_back(bind);
        return next;
    }

    Mat4 bind_of(Index node, const Matrix& matrix) {
        if (is_finite(matrix)) return narrow(wide(matrix));
        ++not_finite_;
        const auto rest = inverse(build_.worlds.at(node));
        return rest ? narrow(*rest) : Mat4{};
    }

    void report() {
        build_.note_any(lost_, codes::x42_influence_bone.as(Severity::warning), "influences",
                        "Influences of bones that do not exist follow the model's root.");
        build_.note_any(not_finite_, codes::not_finite_replaced, "influences",
                        "Matrices of influences that are not finite are replaced by those of the rest pose.");
    }

    Build& build_;
    const Model& model_;
    const File& file_;
    Joints joints_;
    std::unordered_map<std::string, std::uint32_t> numbers_;  ///< by bone and matrix
    std::unordered_map<std::uint16_t, int> uses_;             ///< joints of each bone
    std::uint64_t lost_ = 0, not_finite_ = 0;
};

}  // namespace

Result<Joints> make_joints(Build& build, const Model& model, bool needs_still) {
    return JointBuilder(build, model).make(needs_still);
}

}  // namespace effigy::x42::bridge
