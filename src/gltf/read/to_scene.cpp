/// From glTF to a scene: the order of the steps.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "effigy/gltf_codes.hpp"

#include "core/guard.hpp"
#include "core/text.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "gltf/read/mesh.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/texture_coordinates.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {
namespace {

void add_custom(Value& all, const Value& object) {
    const Value* const extras = member(object, "extras");
    if (extras == nullptr || !extras->is_object()) return;
    for (const auto& [name, value] : extras->items()) {
        if (name != "effigy") all.emplace(name, value);
    }
}

// What Blender keeps is the scene's, so that records stand there as well.
void read_asset_extras(Reading& reading) {
    const Value& root = reading.asset.json();
    const Value& asset = object_member(root, "asset");
    const Value& scenes = reading.asset.array("scenes");
    ReadExtras extras = read_extras(reading, asset, "asset");
    for (std::size_t i = 0; i < scenes.size() && extras.extras.json.empty(); ++i) {
        ReadExtras of_scene = read_extras(reading, scenes[i], element_path("scenes", i));
        extras.extras.json = std::move(of_scene.extras.json);
        extras.extras.bulk = std::move(of_scene.extras.bulk);
    }
    static_cast<void>(read_extras(reading, root, "JSON"));  // for what it notes
    // Custom properties of scenes and of the whole file become the asset's; of one name, the first counts.
    Value custom = extras.extras.other.empty() ? Value::object() : Value::parse(extras.extras.other, nullptr, false);
    for (const Value& scene : scenes) add_custom(custom, scene);
    add_custom(custom, root);
    std::string text = custom.empty() ? std::string() : to_text(custom);
    if (!nested_too_deep(text)) extras.extras.other = std::move(text);
    Scene& scene = reading.scene;
    scene.asset_extras = std::move(extras.extras);
    if (scene.asset_extras.json.find("\"facing\"") == std::string::npos) return;
    const double facing = number_at(record_of(scene.asset_extras), "facing").value_or(0);
    if (std::abs(facing) <= 360) scene.facing = static_cast<float>(facing);
}

std::uint64_t size_of(const Mesh& mesh) {
    std::uint64_t size =
        sizeof(Mesh) + mesh.name.size() + size_of(mesh.extras) + mesh.extras.other.size() + 4 * mesh.weights.size();
    for (const Attribute& attribute : mesh.attributes)
        size += sizeof(Attribute) + attribute.custom_name.size() + attribute.data.bytes.size();
    for (const Primitive& primitive : mesh.primitives) size += sizeof(Primitive) + bytes_of(primitive.indices).size();
    for (const MorphTarget& target : mesh.targets) {
        size += sizeof(MorphTarget) + target.name.size() + bytes_of(target.indices).size() +
                bytes_of(target.positions).size() + bytes_of(target.normals).size() + bytes_of(target.tangents).size();
    }
    return size;
}

// In glTF a node may have weights of its own for its mesh's targets, in the scene it may not. Nodes that want other
// weights than the first one with the mesh get copies.
class NodeWeights {
public:
    explicit NodeWeights(Reading& reading) : reading_(reading), scene_(reading.scene) {}

    Result<void> run() {
        const Value& array = reading_.asset.array("nodes");
        for (std::size_t i = 0; i < array.size(); ++i) {
            Node& node = scene_.nodes[i];
            if (node.mesh == no_index || scene_.meshes[node.mesh].targets.empty()) continue;
            auto mesh_of_node = mesh_for(node.mesh, list_member(array[i], "weights"));
            if (!mesh_of_node) return fail(std::move(mesh_of_node.error()));
            node.mesh = *mesh_of_node;
        }
        return {};
    }

private:
    // Weights without the zeros at their end: no longer than they stand in the file, however many targets there are.
    using Weights = std::vector<float>;
    struct Known {
        std::vector<float> whole_defaults;  // as they stood in the file
        Weights defaults;
        Index usual = no_index;  // the mesh with them
        std::map<Weights, Index> variants;
    };

    static Weights without_zeros(std::vector<float> weights) {
        while (!weights.empty() && weights.back() == 0) weights.pop_back();
        return weights;
    }

    Known& known(Index mesh) {
        const auto [known, is_new] = known_.try_emplace(mesh);
        if (!is_new) return known->second;
        known->second.whole_defaults = scene_.meshes[mesh].weights;
        known->second.defaults = without_zeros(known->second.whole_defaults);
        return known->second;
    }

    Result<Index> mesh_for(Index mesh, const Value& list) {
        Known& all = known(mesh);
        if (!list.empty()) {
            const std::size_t most = std::min(list.size(), scene_.meshes[mesh].targets.size());
            return variant(mesh, all, without_zeros(weights_of(list, most)));
        }
        if (all.usual != no_index) return all.usual;
        return variant(mesh, all, all.defaults).map([&](Index usual) { return all.usual = usual; });
    }

    Result<Index> variant(Index mesh, Known& all, Weights weights) {
        const auto same = all.variants.find(weights);
        if (same != all.variants.end()) return same->second;
        Index number = mesh;
        if (!all.variants.empty()) {
            auto copied = copy(mesh);
            if (!copied) return copied;
            number = *copied;
        }
        Mesh& changed = scene_.meshes[number];
        changed.weights = weights == all.defaults ? all.whole_defaults : weights;
        if (!changed.weights.empty() || !all.whole_defaults.empty()) changed.weights.resize(changed.targets.size());
        all.variants.emplace(std::move(weights), number);
        return number;
    }

    Result<Index> copy(Index mesh) {
        auto taken = reading_.take(1, size_of(scene_.meshes[mesh]), element_path("meshes", mesh));
        if (!taken) return fail(std::move(taken.error()));
        Mesh copy = scene_.meshes[mesh];
        scene_.meshes.push_back(std::move(copy));
        return static_cast<Index>(scene_.meshes.size() - 1);
    }

    Reading& reading_;
    Scene& scene_;
    std::map<Index, Known> known_;
};

void note_unused_meshes(Reading& reading) {
    std::vector<bool> is_used(reading.scene.meshes.size());
    for (const Node& node : reading.scene.nodes) {
        if (node.mesh != no_index) is_used[node.mesh] = true;
    }
    NameList names;
    for (std::size_t i = 0; i < is_used.size(); ++i) {
        if (!is_used[i]) names.add(shortened(reading.scene.meshes[i].name));
    }
    if (names.empty()) return;
    reading.note(codes::gltf_mesh_unused, "meshes",
                 "meshes that hang on no node are shown nowhere; other formats than glTF leave them out", names.text());
}

Result<void> read_all(Reading& reading, const SceneOptions& options) {
    read_asset_extras(reading);
    return read_images(reading)
        .and_then([&] { return read_materials(reading); })
        .and_then([&] { return read_meshes(reading); })
        .and_then([&] { return read_lights(reading); })
        .and_then([&] { return read_nodes(reading, options.scene); })
        .and_then([&] { return read_skins(reading); })
        .and_then([&] { return NodeWeights(reading).run(); })
        .and_then([&] { return read_animations(reading); })
        .map([&] {
            note_unused_meshes(reading);
            reading.hints.resize(reading.scene.nodes.size());  // skins have added nodes that are not in the file
            turn_bones_back(reading);
            find_lost_facing(reading);
            note_lost_properties(reading);
            restore(reading);
            hide_again(reading);
        });
}

/// `spent`: the same file, if memory of its buffer may be given back; else null.
Result<Loaded<Scene>> convert(const File& file, File* spent, const SceneOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<Scene>> {
        Report report;
        auto asset = Asset::open(file, options, report, spent);
        if (!asset) return fail(std::move(asset.error()));
        Reading reading{*asset, options.limits};
        reading.report = std::move(report);
        if (auto read = read_all(reading, options); !read) return fail(std::move(read.error()));
        reading.report.append(fit_texture_coordinates(reading.scene));
        if (auto checked = check_structure(reading.scene); !checked) return fail(std::move(checked.error()));
        note_inside_out(reading);
        return Loaded<Scene>{std::move(reading.scene), std::move(reading.report)};
    });
}

}  // namespace

Result<Loaded<Scene>> to_scene(const File& file, const SceneOptions& options) {
    return convert(file, nullptr, options);
}

Result<Loaded<Scene>> to_scene(File&& file, const SceneOptions& options) { return convert(file, &file, options); }

Result<Loaded<Scene>> read_scene(const std::filesystem::path& path, SceneOptions options) {
    ReadOptions read_options;
    read_options.limits = options.limits;
    auto file = read_file(path, read_options);
    if (!file) return fail(std::move(file.error()));
    options.folder = path.parent_path();
    auto scene = to_scene(std::move(file->value), options);
    if (!scene) {
        scene.error().file = path.string();
        return scene;
    }
    scene->report.name_file(path.string());
    Report report = std::move(file->report);
    report.append(std::move(scene->report));
    scene->report = std::move(report);
    return scene;
}

}  // namespace effigy::gltf
