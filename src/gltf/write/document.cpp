/// The JSON of a glTF file: buffer views, accessors, nodes, skins, and the order of the buffer.

#include "gltf/write/document.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/hasher.hpp"
#include "core/json.hpp"
#include "core/problem.hpp"
#include "gltf/write/compact.hpp"
#include "gltf/write/record_text.hpp"
#include "scene/records.hpp"
#include "scene/validate.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

#ifndef EFFIGY_VERSION
#define EFFIGY_VERSION "0.1.0"
#endif

namespace effigy::gltf {
namespace {

void add_transform(Json& json, const Node& node) {
    if (node.matrix) {
        if (*node.matrix != Mat4{}) json["matrix"] = numbers(node.matrix->m);
        return;
    }
    const auto& [translation, rotation, scale] = node.local;
    if (translation != Vec3{}) {
        json["translation"] = numbers(std::array{translation.x, translation.y, translation.z});
    }
    const Quat unit = is_about_unit(rotation) ? rotation : narrow(usable_rotation(rotation));
    if (unit != Quat{}) json["rotation"] = numbers(std::array{unit.x, unit.y, unit.z, unit.w});
    if (scale != Vec3{1, 1, 1}) json["scale"] = numbers(std::array{scale.x, scale.y, scale.z});
}

// The share of the screen above which each level is drawn, and at the end the share below which nothing is. The
// formats that effigy reads know an order of levels, no sizes: each level takes over at half the size of the last.
Json screen_coverage(std::size_t levels) {
    Json coverage = Json::array();
    for (std::size_t i = 0; i < levels; ++i) coverage.push_back(std::exp2(-1.0 - static_cast<double>(i)));
    coverage.push_back(0.0);
    return coverage;
}

Result<Json> node_json(Document& document, const Scene& scene, std::size_t number, const nlohmann::json& hints) {
    const Node& node = scene.nodes[number];
    Json json = json_object(8);
    if (!node.name.empty()) json["name"] = node.name;
    add_transform(json, node);
    if (!node.children.empty()) json["children"] = node.children;
    const Index mesh = node.mesh == no_index ? no_index : document.mesh_numbers[node.mesh];
    if (mesh != no_index) json["mesh"] = mesh;
    if (mesh != no_index && node.skin != no_index) json["skin"] = node.skin;
    if (node.light != no_index) json["extensions"][lights_extension]["light"] = node.light;
    if (!node.lods.empty()) {
        document.extensions.insert("MSFT_lod");
        json["extensions"]["MSFT_lod"]["ids"] = node.lods;
        json["extras"]["MSFT_screencoverage"] = screen_coverage(node.lods.size());
    }
    std::uint64_t hash = hash_to_write(node, !node.extras.json.empty() || !hints.empty());
    if (const auto rest = rest_in(hints); rest && hash == hash_at(*rest)) hash = 0;  // the rest says it
    if (auto added = add_extras(document, json, node.extras, hash, {{"nodes", number}}, hints); !added) {
        return fail(std::move(added.error()));
    }
    return json;
}

// Where models look, if that is not what the record says.
nlohmann::json facing_hint(const Scene& scene) {
    const bool has_record = scene.asset_extras.json.find("\"facing\"") != std::string::npos;
    const double recorded = has_record ? number_at(record_of(scene.asset_extras), "facing").value_or(0) : 0;
    nlohmann::json hint = nlohmann::json::object();
    if (static_cast<float>(recorded) != scene.facing && std::abs(scene.facing) <= 360) hint["facing"] = scene.facing;
    return hint;
}

// Blender keeps the custom properties of scenes and drops those of the asset.
Result<Json> scene_json(Document& document, const Scene& scene) {
    Json json = Json::object();
    if (!scene.name.empty()) json["name"] = scene.name;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].parent == no_index && !scene.nodes[i].hidden) json["nodes"].push_back(i);
    }
    auto asset = nlohmann::json::parse(scene.asset_extras.json, nullptr, false);
    if (!asset.is_object()) return json;
    asset.erase("embedded");
    asset.update(facing_hint(scene));
    if (!scene.asset_extras.bulk.empty() && document.with_records)
        asset["view"] = document.add_record_view(scene.asset_extras.bulk);
    if (auto added = add_extras(document, json, {}, 0, {{"asset_extras"}}, asset); !added) {
        return fail(std::move(added.error()));
    }
    return json;
}

Result<Json> asset_json(Document& document, const Scene& scene) {
    Json json = {{"version", "2.0"}, {"generator", "effigy " EFFIGY_VERSION}};
    if (auto added = add_extras(document, json, scene.asset_extras, 0, {{"asset_extras"}}, facing_hint(scene));
        !added) {
        return fail(std::move(added.error()));
    }
    return json;
}

// Rounding may have touched the last row, which glTF wants to be exact.
Bytes exact_matrices(const std::vector<Mat4>& matrices) {
    Bytes bytes(matrices.size() * sizeof(Mat4));
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        Mat4 matrix = matrices[i];
        matrix.m[3] = matrix.m[7] = matrix.m[11] = 0;
        matrix.m[15] = 1;
        std::memcpy(bytes.data() + i * sizeof(Mat4), &matrix, sizeof(Mat4));
    }
    return bytes;
}

ArrayText buffers_text(const Document& document, const std::string& buffer_uri) {
    ArrayText buffers;
    if (document.buffer.size() != 0) {
        Json buffer = Json::object();
        if (!buffer_uri.empty()) buffer["uri"] = buffer_uri;
        buffer["byteLength"] = document.buffer.size();
        buffers.push_back(buffer);
    }
    if (document.fallback_size != 0) {
        buffers.push_back(
            {{"byteLength", document.fallback_size}, {"extensions", {{meshopt_extension_name, {{"fallback", true}}}}}});
    }
    return buffers;
}

tl::unexpected<Diagnostic> no_object(Steps steps) {
    return fail(problem_at(to_path(steps), codes::gltf_extras, "the extras are not the text of one JSON object"));
}

/// With the lists of a scene, whose elements are JSON in a file: what the default limit of memory is measured by.
std::uint64_t size_with_lists(const Scene& scene) noexcept {
    std::uint64_t size = size_of(scene);
    for (const Mesh& mesh : scene.meshes) {
        const std::uint64_t of_primitive = mesh.attributes.size() * sizeof(Attribute) + sizeof(Primitive);
        size += mesh.primitives.size() * (of_primitive + mesh.targets.size() * sizeof(MorphTarget));
    }
    for (const Clip& clip : scene.clips) size += clip.tracks.size() * sizeof(Track);
    return size;
}

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

Index Document::add_view(std::uint64_t offset, std::uint64_t size, ViewTarget target, std::size_t stride) {
    views.push_back({offset, size, stride, target});
    return static_cast<Index>(views.size() - 1);
}

Index Document::add_record_view(const Bytes& bulk) {
    const auto [known, is_new] = record_views.try_emplace(bulk.data(), no_index);
    if (is_new) {
        known->second = add_view(buffer.add(bytes_of(bulk)), bulk.size(), ViewTarget::none);
        views[known->second].is_record = true;
    }
    return known->second;
}

Index Document::add_accessor(const AccessorLayout& accessor) {
    accessors.push_back(accessor);
    return static_cast<Index>(accessors.size() - 1);
}

Result<void> add_extras(Document& document, Json& object, const Extras& extras, std::uint64_t hash, Steps steps,
                        const nlohmann::json& more) {
    const bool has_effigy = document.with_records && (!extras.json.empty() || !more.empty());
    if (!has_effigy && extras.other.empty()) return {};
    nlohmann::json members = more;
    if (has_effigy && hash != 0) members["hash"] = hash_text(hash);
    if (has_effigy && !extras.bulk.empty()) members["view"] = document.add_record_view(extras.bulk);
    auto text = has_effigy ? sorted_text(extras.json, members) : std::nullopt;
    if (text && extras.other.empty() && !object.contains("extras")) {
        object["extras"]["effigy"] = as_value(*text);
        return {};
    }
    // Sorted members: adding them to an object that keeps their order would take quadratic time.
    auto all = extras.other.empty() ? nlohmann::json::object() : parse_object(extras.other);
    if (!all) return no_object(steps);
    if (text) {
        (*all)["effigy"] = as_value(*text);
    } else if (has_effigy) {
        auto effigy = extras.json.empty() ? nlohmann::json::object() : parse_object(extras.json);
        if (!effigy) return no_object(steps);
        effigy->update(members);
        (*all)["effigy"] = std::move(*effigy);
    }
    if (object.contains("extras")) all->update(nlohmann::json(object["extras"]));
    object["extras"] = Json(*all);
    return {};
}

Result<void> add_skins(Document& document, const Scene& scene) {
    for (std::size_t i = 0; i < scene.skins.size(); ++i) {
        Skin skin = scene.skins[i];
        nlohmann::json hints = nlohmann::json::object();
        if (const auto more = document.more_joints.find(static_cast<Index>(i)); more != document.more_joints.end()) {
            hints["joints"] = skin.joints.size();
            append(skin.joints, more->second.nodes);
            append(skin.inverse_bind_matrices, more->second.inverse_bind_matrices);
        }
        const auto matrices = document.buffer.keep(exact_matrices(skin.inverse_bind_matrices));
        const Index view = document.add_view(document.buffer.add(matrices), matrices.size(), ViewTarget::none);
        Json json = Json::object();
        if (!skin.name.empty()) json["name"] = skin.name;
        json["inverseBindMatrices"] =
            document.add_accessor({.view = view, .count = skin.joints.size(), .element = ElementType::mat4});
        if (skin.skeleton != no_index) json["skeleton"] = skin.skeleton;
        json["joints"] = skin.joints;
        const std::uint64_t hash = hash_to_write(scene.skins[i], !skin.extras.json.empty() || !hints.empty());
        if (auto added = add_extras(document, json, skin.extras, hash, {{"skins", i}}, hints); !added) {
            return added;
        }
        document.skins.push_back(json);
    }
    return {};
}

Result<void> add_nodes(Document& document, const Scene& scene) {
    const std::vector<nlohmann::json> hints = node_hints(scene, document.more_joints);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        auto json = node_json(document, scene, i, hints[i]);
        if (!json) return fail(std::move(json.error()));
        document.nodes.push_back(*json);
    }
    return {};
}

Result<Document> lay_out(const Scene& scene, const std::optional<std::string>& image_stem,
                         const WriteOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    return lay_out_checked(scene, image_stem, options);
}

Result<Document> lay_out_checked(const Scene& scene, const std::optional<std::string>& image_stem,
                                 const WriteOptions& options) {
    Document document;
    document.memory.budget = Budget(options.limits, size_with_lists(scene));
    document.with_records = options.records && !options.compact;
    document.keep_colors = options.keep_colors;
    document.keeps_keys = options.keep_keys;
    document.is_compact = options.compact;
    document.more_joints = more_joints(scene);
    add_images(document, scene, image_stem);
    auto added = add_materials(document, scene)
                     .and_then([&] { return add_meshes(document, scene); })
                     .and_then([&] { return add_skins(document, scene); })
                     .and_then([&] { return add_lights(document, scene); })
                     .and_then([&] { return add_nodes(document, scene); })
                     .and_then([&] { return add_animations(document, scene); });
    if (!added) return fail(std::move(added.error()));
    return document;
}

Result<std::string> to_text(Document& document, const Scene& scene, const std::string& buffer_uri) {
    auto asset = asset_json(document, scene);
    if (!asset) return fail(std::move(asset.error()));
    Json json = {{"asset", std::move(*asset)}};
    if (!document.extensions.empty()) json["extensionsUsed"] = document.extensions;
    if (!document.required.empty()) json["extensionsRequired"] = document.required;
    if (!document.lights.empty())
        json["extensions"][lights_extension]["lights"] = as_value(std::move(document.lights).take());
    json["scene"] = 0;
    auto shown = scene_json(document, scene);
    if (!shown) return fail(std::move(shown.error()));
    json["scenes"].push_back(std::move(*shown));
    std::string text = effigy::to_text(json);
    text.pop_back();  // members follow
    const auto begin = [&](const char* name) { ((text += ",\"") += name) += "\":"; };
    const auto add = [&](const char* name, ArrayText array) {
        if (array.empty()) return;
        begin(name);
        text += std::move(array).take();
    };
    add("nodes", std::move(document.nodes));
    add("meshes", std::move(document.meshes));
    add("skins", std::move(document.skins));
    add("animations", std::move(document.animations));
    add("materials", std::move(document.materials));
    add("textures", std::move(document.textures));
    add("samplers", std::move(document.samplers));
    add("images", std::move(document.images));
    const auto add_layouts = [&](const char* name, auto layouts) {
        if (layouts.empty()) return;
        begin(name);
        add_text(text, layouts);
    };
    add_layouts("accessors", std::move(document.accessors));
    add_layouts("bufferViews", std::move(document.views));
    add("buffers", buffers_text(document, buffer_uri));
    text += '}';
    return text;
}

}  // namespace effigy::gltf
