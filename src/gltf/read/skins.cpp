/// Skins from glTF: joints, inverse bind matrices, joints that programs added.

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/content.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"

namespace effigy::gltf {
namespace {

class SkinReader {
public:
    SkinReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), path_(element_path("skins", number)) {}

    Result<Skin> read() {
        skin_.name = name_of(json_);
        return read_joints().and_then([&] { return read_matrices(); }).and_then([&] { return finish(); });
    }

    /// Joints beyond these were added by the writer, for other programs; 0: none were.
    [[nodiscard]] std::size_t own_joints() const noexcept { return own_joints_; }

private:
    Result<void> read_joints() {
        std::set<Index> known;
        const std::size_t count = reading_.asset.array("nodes").size();
        for (const Value& value : reading_.list(json_, "joints", path_)) {
            const auto joint = reading_.target_of(value, "nodes", count, path_ + " / joints");
            if (!joint) return fail(joint.error());
            if (known.insert(*joint).second) {
                skin_.joints.push_back(*joint);
                continue;
            }
            auto twin = add_twin(*joint);
            if (!twin) return fail(std::move(twin.error()));
            skin_.joints.push_back(*twin);
        }
        if (!skin_.joints.empty()) return {};
        return refuse(path_ + " / joints", codes::gltf_skin, "the skin has no joints", "0", "at least 1");
    }

    // A node that is a joint twice gets a child that moves with it.
    Result<Index> add_twin(Index joint) {
        const std::size_t size = sizeof(Node) + reading_.scene.nodes[joint].name.size() + 64;
        if (auto taken = reading_.take(1, size, path_); !taken) return fail(std::move(taken.error()));
        if (twins_++ == 0) {
            reading_.note(codes::gltf_joint_twice, path_ + " / joints",
                          "a node is a joint twice; for the second time it gets a child that moves with it",
                          std::to_string(joint));
        }
        Scene& scene = reading_.scene;
        const auto twin = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = scene.nodes[joint].name + ".twin";
        scene.nodes[twin].extras.json = R"({"helper":true})";
        scene.nodes[twin].parent = joint;
        scene.nodes[joint].children.push_back(twin);
        return twin;
    }

    Result<void> read_matrices() {
        skin_.inverse_bind_matrices.resize(skin_.joints.size());
        auto number = reading_.reference(json_, "inverseBindMatrices", "accessors", path_);
        if (!number) return fail(std::move(number.error()));
        accessor_ = *number;
        if (accessor_ == no_index) return {};
        auto data = reading_.asset.floats(accessor_);
        if (!data) return fail(std::move(data.error()));
        if (data->element != ElementType::mat4 || data->count() < skin_.joints.size()) {
            return refuse(path_ + " / inverseBindMatrices", codes::gltf_skin,
                          "there is not one inverse bind matrix for each joint", std::to_string(data->count()),
                          std::to_string(skin_.joints.size()));
        }
        std::memcpy(skin_.inverse_bind_matrices.data(), data->bytes.data(), skin_.joints.size() * sizeof(Mat4));
        repair_matrices();
        return {};
    }

    void repair_matrices() {
        std::size_t bad = 0;
        for (Mat4& matrix : skin_.inverse_bind_matrices) {
            if (!find_not_finite(matrix.m)) continue;
            matrix = {};
            ++bad;
        }
        if (bad == 0) return;
        reading_.note(codes::gltf_not_a_number, path_ + " / inverseBindMatrices",
                      "matrices with numbers that are not finite are replaced by none", std::to_string(bad));
    }

    Result<Skin> finish() {
        const auto skeleton = reading_.reference(json_, "skeleton", "nodes", path_);
        if (!skeleton) return fail(skeleton.error());
        skin_.skeleton = *skeleton;
        ReadExtras extras = read_extras(reading_, json_, path_, {}, {"joints"});
        skin_.extras = std::move(extras.extras);
        const auto own = whole_member(extras.known, "joints");
        if (!own || *own == 0 || *own >= skin_.joints.size()) return std::move(skin_);
        Skin before;
        before.inverse_bind_matrices.assign(skin_.inverse_bind_matrices.begin(),
                                            skin_.inverse_bind_matrices.begin() + static_cast<std::ptrdiff_t>(*own));
        if (skin_.extras.hash == hash_of(before)) own_joints_ = static_cast<std::size_t>(*own);
        return std::move(skin_);
    }

    Reading& reading_;
    const Value& json_;
    std::string path_;
    Skin skin_;
    Index accessor_ = no_index;
    std::size_t twins_ = 0;
    std::size_t own_joints_ = 0;
};

// Joints beyond the skin: without a weight they become the first one. Returns the first that has a weight.
template <class T>
std::optional<T> repair_joints(Accessor& joints, std::span<const float> weights, std::size_t count) {
    const auto values = joints.as<T>();
    for (std::size_t i = 0; i < std::min(values.size(), weights.size()); ++i) {
        if (values[i] < count) continue;
        if (weights[i] != 0) return values[i];
        values[i] = 0;
    }
    return std::nullopt;
}

bool follows_from(const Mesh& mesh, std::size_t first) {
    for (const Attribute& joints : mesh.attributes) {
        if (joints.semantic != Semantic::joints) continue;
        const NumberView<std::uint32_t> places(&joints);
        const FloatView weights(mesh, Semantic::weights, joints.set);
        for (std::size_t i = 0; i < std::min(places.values().size(), weights.values().size()); ++i) {
            if (places.values()[i] >= first && weights.values()[i] != 0) return true;
        }
    }
    return false;
}

// Joints that the writer added go again, unless vertices have been bound to them since.
void drop_added_joints(Scene& scene, Index number, std::size_t own) {
    Skin& skin = scene.skins[number];
    if (own == 0) return;
    for (const Node& node : scene.nodes) {
        if (node.skin == number && follows_from(scene.meshes[node.mesh], own)) return;
    }
    skin.joints.resize(own);
    skin.inverse_bind_matrices.resize(own);
}

Result<void> check_joints(Mesh& mesh, std::size_t number, std::size_t count) {
    for (Attribute& joints : mesh.attributes) {
        if (joints.semantic != Semantic::joints) continue;
        const FloatView weights(mesh, Semantic::weights, joints.set);
        if (weights.empty()) continue;
        std::optional<std::size_t> bad;
        if (joints.data.component == ComponentType::u8) {
            bad = repair_joints<std::uint8_t>(joints.data, weights.values(), count);
        } else {
            bad = repair_joints<std::uint16_t>(joints.data, weights.values(), count);
        }
        if (bad) {
            return refuse(element_path("meshes", number) + " / JOINTS_" + std::to_string(joints.set),
                          codes::gltf_joint_range, "a vertex follows a joint that its skin does not have",
                          std::to_string(*bad), "below " + std::to_string(count));
        }
    }
    return {};
}

}  // namespace

Result<void> read_skins(Reading& reading) {
    const Value& skins = reading.asset.array("skins");
    if (auto taken = reading.take(skins.size(), sizeof(Skin), "skins"); !taken) return taken;
    std::vector<std::size_t> own_joints;
    for (std::size_t i = 0; i < skins.size(); ++i) {
        SkinReader reader(reading, skins[i], i);
        auto skin = reader.read();
        if (!skin) return fail(std::move(skin.error()));
        reading.scene.skins.push_back(std::move(*skin));
        own_joints.push_back(reader.own_joints());
    }
    std::map<Index, std::size_t> joints;  // that each skinned mesh can count on
    for (const Node& node : reading.scene.nodes) {
        if (node.skin == no_index) continue;
        const std::size_t count = reading.scene.skins[node.skin].joints.size();
        const auto [known, is_new] = joints.try_emplace(node.mesh, count);
        if (!is_new) known->second = std::min(known->second, count);
    }
    for (const auto& [mesh, count] : joints) {
        if (auto checked = check_joints(reading.scene.meshes[mesh], mesh, count); !checked) return checked;
        normalize_weights(reading, mesh);
    }
    for (Index i = 0; i < own_joints.size(); ++i) drop_added_joints(reading.scene, i, own_joints[i]);
    return {};
}

}  // namespace effigy::gltf
