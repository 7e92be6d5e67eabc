/// Parts of a scene: which objects are whose is said in records, and the way back.

#include "effigy/parts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "effigy/scene_access.hpp"

#include "core/text.hpp"
#include "scene/extract.hpp"
#include "scene/join.hpp"
#include "scene/records.hpp"
#include "scene/worlds.hpp"

namespace effigy {
namespace {

// What is attached has its whole record inside of another one, where no format looks for its own:
// {"part": 1, "record": {...}}. What joined a model of its own format by names has {..., "part": 1}.
constexpr const char *part_key = "part", *record_key = "record", *local_key = "local", *attached_key = "attached";

std::size_t part_of(const Extras& extras) {
    const auto part = integer_at(object_of(extras.json), part_key);
    return part && *part > 0 ? static_cast<std::size_t>(*part) : 0;
}

void wrap(Extras& extras, std::size_t part) {
    extras.json =
        "{\"part\":" + std::to_string(part) + (extras.json.empty() ? "}" : ",\"record\":" + extras.json + "}");
}

void add_member(Extras& extras, const char* key, const Json& value) {
    extras.json.pop_back();
    extras.json += ",\"" + std::string(key) + "\":" + to_text(value) + "}";
}

void unwrap(Extras& extras) {
    const Json record = object_of(extras.json);
    const Json* const inner = member(record, record_key);
    extras.json = inner == nullptr ? std::string() : to_text(*inner);
}

template <class Object>
void wrap_all(std::vector<Object>& objects, std::size_t part) {
    for (Object& object : objects) wrap(object.extras, part);
}

Json local_json(const Transform& local) {
    Json numbers = json_numbers(local.translation);
    for (const Json& parts : {json_numbers(local.rotation), json_numbers(local.scale)})
        numbers.insert(numbers.end(), parts.begin(), parts.end());
    return numbers;
}

std::optional<Transform> local_of(const Json& numbers) {
    std::array<float, 10> all{};
    if (!numbers.is_array() || numbers.size() != all.size()) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto number = float_from_json(numbers[i]);
        if (!number) return std::nullopt;
        all[i] = *number;
    }
    return Transform{{all[0], all[1], all[2]}, {all[3], all[4], all[5], all[6]}, {all[7], all[8], all[9]}};
}

/// Who owns what: 0 is the first model.
struct Owners {
    std::vector<std::size_t> nodes, meshes, materials, clips;
    std::vector<Json> parts;  ///< what the records say of each but the first
    std::set<std::size_t> attached;

    explicit Owners(const Scene& scene) {
        Json asset = record_of(scene.asset_extras);
        if (const Json* const list = member(asset, "parts"); list != nullptr && list->is_array()) {
            for (const Json& part : *list) parts.push_back(part);
        }
        find_lost_parts(scene);
        const auto owner = [&](const Extras& extras) {
            const std::size_t part = part_of(extras);
            return part <= parts.size() ? part : 0;
        };
        for (const Node& node : scene.nodes) nodes.push_back(owner(node.extras));
        for (const Mesh& mesh : scene.meshes) meshes.push_back(owner(mesh.extras));
        for (const Material& material : scene.materials) materials.push_back(owner(material.extras));
        for (const Clip& clip : scene.clips) clips.push_back(owner(clip.extras));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (flag_at(parts[i], attached_key)) attached.insert(i + 1);
        }
        // What programs add to a part is its own.
        for (const Index index : parents_first(scene)) {
            const Index parent = scene.nodes[index].parent;
            if (nodes[index] == 0 && parent != no_index && attached.contains(nodes[parent]))
                nodes[index] = nodes[parent];
        }
    }

    /// Modelling programs drop what is said of the whole, and keep what is said of objects.
    void find_lost_parts(const Scene& scene) {
        const auto look_at = [&](const Extras& extras) {
            const std::size_t part = part_of(extras);
            if (part <= parts.size() || part > scene.nodes.size()) return;
            parts.resize(part, Json::object());
            if (const auto name = text_at(object_of(extras.json), attached_key))
                parts.back() = Json{{"name", *name}, {attached_key, true}};
        };
        for (const Node& node : scene.nodes) look_at(node.extras);
        for (const Mesh& mesh : scene.meshes) look_at(mesh.extras);
    }

    [[nodiscard]] std::string name(std::size_t part) const {
        const Json& record = parts[part - 1];
        const Json* const source = member(record, "source");
        const auto name = source == nullptr ? text_at(record, "name") : text_at(*source, "name");
        const std::string stem = std::filesystem::path(name.value_or("")).stem().string();
        return stem.empty() ? "part" + std::to_string(part) : plain_text(stem, "-_ .");
    }
};

template <class Object>
void unwrap_all(std::vector<Object>& objects) {
    for (Object& object : objects) unwrap(object.extras);
}

Scene first_of(const Scene& scene, const Owners& owners) {
    Extraction kept;
    kept.nodes.assign(scene.nodes.size(), false);
    kept.bare.assign(scene.nodes.size(), false);
    std::set<Index> joints;
    for (const Skin& skin : scene.skins) joints.insert(skin.joints.begin(), skin.joints.end());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        const bool is_others = node.mesh < scene.meshes.size() && owners.meshes[node.mesh] != 0;
        const bool only_holds = is_others && node.children.empty() && !joints.contains(static_cast<Index>(i)) &&
                                flag_at(object_of(node.extras.json), "helper");
        kept.nodes[i] = owners.nodes[i] == 0 && !only_holds;
        kept.bare[i] = is_others;
    }
    for (const std::size_t owner : owners.materials) kept.materials.push_back(owner == 0);
    for (const std::size_t owner : owners.clips) kept.clips.push_back(owner == 0);
    Scene first = extract(scene, std::move(kept));
    Json asset = record_of(scene.asset_extras);
    asset.erase("parts");
    for (const std::size_t part : owners.attached) {
        asset["attachments"].push_back(
            {{"name", owners.name(part)}, {"node", text_at(owners.parts[part - 1], "node").value_or("")}});
    }
    first.asset_extras.json.clear();
    first.asset_extras.bulk.clear();
    if (!asset.empty()) set_record(first.asset_extras, std::move(asset));
    return first;
}

Scene attached_of(const Scene& scene, const Owners& owners, std::size_t part) {
    Extraction kept;
    kept.move_roots = false;
    for (const std::size_t owner : owners.nodes) kept.nodes.push_back(owner == part);
    for (const std::size_t owner : owners.clips) kept.clips.push_back(owner == part);
    Scene one = extract(scene, std::move(kept));
    for (Node& node : one.nodes) {
        const Json record = object_of(node.extras.json);
        const Json* const local = member(record, local_key);
        if (const auto old = local == nullptr ? std::nullopt : local_of(*local)) {
            node.local = *old;
            node.matrix.reset();
        }
    }
    unwrap_all(one.nodes);
    unwrap_all(one.meshes);
    unwrap_all(one.skins);
    unwrap_all(one.materials);
    unwrap_all(one.clips);
    const Json* const asset = member(owners.parts[part - 1], record_key);
    one.asset_extras = {};
    if (asset != nullptr && asset->is_object()) set_record(one.asset_extras, *asset);
    return one;
}

/// What joined by names has its own meshes on nodes that are shared: all that the file named, and what its skins need.
Scene joined_of(const Scene& scene, const Owners& owners, std::size_t part) {
    std::set<std::string> names;
    if (const Json* const list = member(owners.parts[part - 1], "nodes"); list != nullptr && list->is_array()) {
        for (const Json& name : *list) {
            if (name.is_string()) names.insert(name.get<std::string>());
        }
    }
    Extraction kept;
    kept.nodes.assign(scene.nodes.size(), false);
    kept.bare.assign(scene.nodes.size(), false);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        const bool is_own = node.mesh < scene.meshes.size() && owners.meshes[node.mesh] == part;
        kept.nodes[i] = is_own || names.contains(node.name);
        kept.bare[i] = !is_own;
    }
    Scene one = extract(scene, std::move(kept));
    // Their numbers are those of another file.
    for (Node& node : one.nodes) node.extras = {};
    for (Mesh& mesh : one.meshes) mesh.extras = {};
    for (Skin& skin : one.skins) skin.extras = {};
    one.asset_extras = {};
    return one;
}

/// Nodes from `first` on hang on one before them.
void hang(Scene& scene, Index first, Index parent) {
    const glm::dmat4 place = rest_worlds(scene)[parent];
    for (Index i = first; i < scene.nodes.size(); ++i) {
        Node& node = scene.nodes[i];
        if (node.parent != no_index) continue;
        if (!node.hidden) {
            add_child(scene, parent, i);
        } else {
            // What stands in the world at rest stands where the part is now.
            node.matrix = narrow(place * local_matrix(node));
            if (node.follows == no_index) node.follows = parent;
        }
    }
}

}  // namespace

void attach_scene(Scene& scene, Scene part, Index node, std::string name) {
    Json asset = record_of(scene.asset_extras);
    Json& parts = asset["parts"];
    if (!parts.is_array()) parts = Json::array();
    const std::size_t number = parts.size() + 1;
    parts.push_back({{"name", name},
                     {attached_key, true},
                     {"node", node < scene.nodes.size() ? scene.nodes[node].name : ""},
                     {record_key, record_of(part.asset_extras)}});
    wrap_all(part.nodes, number);
    wrap_all(part.meshes, number);
    wrap_all(part.skins, number);
    wrap_all(part.materials, number);
    wrap_all(part.clips, number);
    for (Node& one : part.nodes) {
        add_member(one.extras, attached_key, name);
        const bool moves = one.parent == no_index && one.hidden && !one.matrix;
        if (moves) add_member(one.extras, local_key, local_json(one.local));
    }
    const auto first = static_cast<Index>(scene.nodes.size());
    append_unchanged(scene, std::move(part));
    if (node < first) hang(scene, first, node);
    scene.asset_extras.json.clear();
    scene.asset_extras.bulk.clear();
    set_record(scene.asset_extras, std::move(asset));
}

std::vector<NamedScene> split_scene(const Scene& scene) {
    const Owners owners(scene);
    std::vector<NamedScene> scenes;
    if (owners.parts.empty()) return {{scene.name, scene}};
    scenes.push_back({scene.name, first_of(scene, owners)});
    for (std::size_t part = 1; part <= owners.parts.size(); ++part) {
        const bool is_attached = owners.attached.contains(part);
        NamedScene one{owners.name(part),
                       is_attached ? attached_of(scene, owners, part) : joined_of(scene, owners, part)};
        one.scene.name = one.name;
        if (!one.scene.nodes.empty()) scenes.push_back(std::move(one));
    }
    return scenes;
}

}  // namespace effigy
