#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/guard.hpp"
#include "gltf/asset_problems.hpp"
#include "gltf/check.hpp"
#include "gltf/read_context.hpp"
#include "gltf/read_extras.hpp"
#include "gltf/read_mesh.hpp"
#include "scene/texture_coordinates.hpp"

namespace effigy::gltf {
namespace {

void read_asset_extras(Reading& reading) {
    static const Value nothing = Value::object();
    const auto asset = reading.asset.json().find("asset");
    ReadExtras extras = read_extras(reading, asset == reading.asset.json().end() ? nothing : *asset, "asset");
    // There is no data that somebody could have edited.
    extras.extras.untouched = !extras.extras.json.empty();
    reading.scene.asset_extras = std::move(extras.extras);
}

std::uint64_t size_of(const Mesh& mesh) {
    std::uint64_t size = sizeof(Mesh);
    for (const Attribute& attribute : mesh.attributes) size += sizeof(Attribute) + attribute.data.bytes.size();
    for (const Primitive& primitive : mesh.primitives) size += sizeof(Primitive) + bytes_of(primitive.indices).size();
    for (const MorphTarget& target : mesh.targets) {
        size += sizeof(MorphTarget) + bytes_of(target.indices).size() + bytes_of(target.positions).size() +
                bytes_of(target.normals).size() + bytes_of(target.tangents).size();
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
            auto mesh_of_node = mesh_with(node.mesh, wanted(node.mesh, list_member(array[i], "weights")));
            if (!mesh_of_node) return fail(std::move(mesh_of_node.error()));
            node.mesh = *mesh_of_node;
        }
        return {};
    }

private:
    std::vector<float> wanted(Index mesh, const Value& list) {
        const std::vector<float>& defaults = defaults_of(mesh);
        if (list.empty()) return defaults;
        std::vector<float> weights = weights_of(list, scene_.meshes[mesh].targets.size());
        const bool is_nothing = std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 0; });
        return is_nothing && defaults.empty() ? defaults : weights;
    }

    // As they stood in the file.
    const std::vector<float>& defaults_of(Index mesh) {
        return defaults_.try_emplace(mesh, scene_.meshes[mesh].weights).first->second;
    }

    Result<Index> mesh_with(Index mesh, const std::vector<float>& weights) {
        static_cast<void>(defaults_of(mesh));
        const auto [known, is_new] = variants_.try_emplace({mesh, weights}, mesh);
        if (!is_new) return known->second;
        if (used_.insert(mesh).second) {
            scene_.meshes[mesh].weights = weights;
            return mesh;
        }
        if (auto taken = reading_.take(1, size_of(scene_.meshes[mesh]), place("meshes", mesh)); !taken) {
            return fail(std::move(taken.error()));
        }
        known->second = static_cast<Index>(scene_.meshes.size());
        Mesh copy = scene_.meshes[mesh];
        copy.weights = weights;
        scene_.meshes.push_back(std::move(copy));
        return known->second;
    }

    Reading& reading_;
    Scene& scene_;
    std::map<Index, std::vector<float>> defaults_;
    std::map<std::pair<Index, std::vector<float>>, Index> variants_;
    std::set<Index> used_;
};

Result<void> read_all(Reading& reading, const SceneOptions& options) {
    read_asset_extras(reading);
    return read_images(reading)
        .and_then([&] { return read_materials(reading); })
        .and_then([&] { return read_meshes(reading); })
        .and_then([&] { return read_lights(reading); })
        .and_then([&] { return read_nodes(reading, options.scene); })
        .and_then([&] { return read_skins(reading); })
        .and_then([&] { return NodeWeights(reading).run(); })
        .and_then([&] { return read_animations(reading); });
}

}  // namespace

Result<Loaded<Scene>> to_scene(const File& file, const SceneOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<Scene>> {
        Report report;
        auto asset = Asset::open(file, options, report);
        if (!asset) return fail(std::move(asset.error()));
        Reading reading{*asset};
        reading.report = std::move(report);
        if (auto read = read_all(reading, options); !read) return fail(std::move(read.error()));
        reading.report.append(fit_texture_coordinates(reading.scene));
        if (auto checked = check_scene(reading.scene); !checked) return fail(std::move(checked.error()));
        return Loaded<Scene>{std::move(reading.scene), std::move(reading.report)};
    });
}

Result<Loaded<Scene>> read_scene(const std::filesystem::path& path, SceneOptions options) {
    ReadOptions read_options;
    read_options.limits = options.limits;
    auto file = read_file(path, read_options);
    if (!file) return fail(std::move(file.error()));
    options.folder = path.parent_path();
    auto scene = to_scene(file->value, options);
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
