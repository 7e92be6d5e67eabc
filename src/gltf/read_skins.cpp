#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gltf/asset_problems.hpp"
#include "gltf/content.hpp"
#include "gltf/json_values.hpp"
#include "gltf/read_context.hpp"
#include "gltf/read_extras.hpp"

namespace effigy::gltf {
namespace {

class SkinReader {
public:
    SkinReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), path_(place("skins", number)) {}

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
        for (const Value& value : list_member(json_, "joints")) {
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
        return refuse(path_ + " / joints", "gltf-skin", "the skin has no joints", "0", "at least 1");
    }

    // A node that is a joint twice gets a child that moves with it.
    Result<Index> add_twin(Index joint) {
        const std::size_t size = sizeof(Node) + reading_.scene.nodes[joint].name.size() + 64;
        if (auto taken = reading_.take(1, size, path_); !taken) return fail(std::move(taken.error()));
        if (twins_++ == 0) {
            reading_.note("gltf-joint-twice", path_ + " / joints",
                          "a node is a joint twice; for the second time it gets a child that moves with it",
                          std::to_string(joint), {}, Severity::info);
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
            return refuse(path_ + " / inverseBindMatrices", "gltf-skin",
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
        reading_.note("gltf-not-a-number", path_ + " / inverseBindMatrices",
                      "matrices with numbers that are not finite are replaced by none", std::to_string(bad));
    }

    Result<Skin> finish() {
        const auto skeleton = reading_.reference(json_, "skeleton", "nodes", path_);
        if (!skeleton) return fail(skeleton.error());
        skin_.skeleton = *skeleton;
        ReadExtras extras = read_extras(reading_, json_, path_, {}, {"joints"});
        if (!extras.hash.empty() && accessor_ != no_index) {
            Hasher hasher;
            if (auto hashed = reading_.asset.hash(accessor_, false, hasher); !hashed) {
                return fail(std::move(hashed.error()));
            }
            extras.compare(hasher.digest());
        }
        const auto own = whole_member(extras.known, "joints");
        if (own && extras.extras.untouched && *own != 0 && *own < skin_.joints.size()) {
            own_joints_ = static_cast<std::size_t>(*own);
        }
        if (extras.extras.json.empty()) extras.extras.untouched = false;
        skin_.extras = std::move(extras.extras);
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

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    for (const Attribute& attribute : mesh.attributes) {
        if (attribute.semantic == semantic && attribute.set == set) return &attribute;
    }
    return nullptr;
}

bool has_weight(const Accessor& weights, std::size_t component) {
    if (weights.component == ComponentType::f32) return weights.as<float>()[component] != 0;
    const std::size_t size = component_size(weights.component);
    const auto bytes = bytes_of(weights.bytes).subspan(component * size, size);
    return std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; });
}

// Joints beyond the skin: without a weight they become the first one. Returns the first that has a weight.
template <class T>
std::optional<T> repair_joints(Accessor& joints, const Accessor& weights, std::size_t count) {
    const auto values = joints.as<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < count) continue;
        if (has_weight(weights, i)) return values[i];
        values[i] = 0;
    }
    return std::nullopt;
}

bool follows_from(const Mesh& mesh, std::size_t first) {
    for (const Attribute& joints : mesh.attributes) {
        const Attribute* const weights =
            joints.semantic == Semantic::joints ? find(mesh, Semantic::weights, joints.set) : nullptr;
        if (weights == nullptr) continue;
        const bool is_small = joints.data.component == ComponentType::u8;
        const std::size_t count = joints.data.bytes.size() / component_size(joints.data.component);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t joint = is_small ? joints.data.as<std::uint8_t>()[i] : joints.data.as<std::uint16_t>()[i];
            if (joint >= first && has_weight(weights->data, i)) return true;
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
        const Attribute* const weights = find(mesh, Semantic::weights, joints.set);
        if (weights == nullptr) continue;
        std::optional<std::size_t> bad;
        if (joints.data.component == ComponentType::u8) {
            bad = repair_joints<std::uint8_t>(joints.data, weights->data, count);
        } else {
            bad = repair_joints<std::uint16_t>(joints.data, weights->data, count);
        }
        if (bad) {
            return refuse(place("meshes", number) + " / JOINTS_" + std::to_string(joints.set), "gltf-joint-range",
                          "a vertex follows a joint that its skin does not have", std::to_string(*bad),
                          "below " + std::to_string(count));
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
    }
    for (Index i = 0; i < own_joints.size(); ++i) drop_added_joints(reading.scene, i, own_joints[i]);
    return {};
}

}  // namespace effigy::gltf
