/// `info` of actors (XAC): nodes, joints, meshes, bounds, materials, morph targets, levels of detail.

#include <algorithm>
#include <array>
#include <glm/vec4.hpp>
#include <map>
#include <set>

#include "emfx/file/info.hpp"
#include "emfx/file/transforms.hpp"
#include "scene/rest_bounds.hpp"

namespace effigy::emfx {

namespace {

constexpr std::array<const char*, 14> map_types{
    "unknown",   "ambient",        "diffuse",       "specular",   "opacity",    "bump",        "self-illumination",
    "shininess", "shine strength", "filter colour", "reflection", "refraction", "environment", "displacement"};

Json json_vector(const glm::dvec3& v) {
    return {json_number(static_cast<float>(v.x)), json_number(static_cast<float>(v.y)),
            json_number(static_cast<float>(v.z))};
}

/// World matrices of the bind pose in the scene's frame.
std::vector<glm::dmat4> world_matrices(const xac::File& file) {
    const bridge::Order order = bridge::order_of(file.header);
    std::vector<glm::dmat4> worlds;
    bridge::Repairs repairs;
    for (const xac::Node* node : xac::nodes(file)) {
        const glm::dmat4 own = bridge::matrix(bridge::local_transform(*node, repairs), order);
        worlds.push_back(node->parent < worlds.size() ? worlds[node->parent] * own : own);
    }
    return worlds;
}

std::size_t max_influences(const xac::Skinning& skinning) {
    std::size_t most = 0;
    for (const xac::VertexInfluences& vertex : skinning.vertices) most = std::max(most, vertex.influences.size());
    for (const xac::InfluenceRange& range : skinning.ranges) most = std::max<std::size_t>(most, range.count);
    return most;
}

/// The largest number of influences of a vertex, for each mesh that is skinned. Made once: a file may have very many
/// meshes, and a search for each of them would take the square of their number.
using Skinned = std::map<MeshKey, std::size_t>;

Skinned skinned_meshes(const xac::File& file) {
    Skinned most;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* skinning = std::get_if<xac::Skinning>(&chunk.record);
        if (skinning != nullptr && !most.contains(key_of(*skinning)))
            most.emplace(key_of(*skinning), max_influences(*skinning));
    }
    return most;
}

/// Bounds of the meshes that are drawn, in their bind pose, as the scene has them.
RestBounds bounds(const xac::File& file, const Skinned& skinned) {
    const std::vector<glm::dmat4> worlds = world_matrices(file);
    RestBounds result;
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* mesh = std::get_if<xac::Mesh>(&chunk.record);
        if (mesh == nullptr || mesh->is_collision != 0 || mesh->lod != 0) continue;
        const bool placed = !skinned.contains(key_of(*mesh)) && mesh->node < worlds.size();
        const glm::dmat4 world = placed ? worlds[mesh->node] : glm::dmat4(1);
        for (const xac::VertexLayer& layer : mesh->layers) {
            if (layer.type != xac::LayerType::position) continue;
            for (const Vec3& position : layer.as<Vec3>()) {
                result.add(glm::dvec3(world * glm::dvec4(position.x, position.y, -double{position.z}, 1)));
            }
        }
    }
    return result;
}

std::size_t count_layers(const xac::Mesh& mesh, std::initializer_list<xac::LayerType> types) {
    return static_cast<std::size_t>(
        std::count_if(mesh.layers.begin(), mesh.layers.end(), [&](const xac::VertexLayer& layer) {
            return std::find(types.begin(), types.end(), layer.type) != types.end();
        }));
}

Json mesh_info(const xac::Mesh& mesh, const Skinned& skinned, const std::vector<const xac::Node*>& nodes,
               const std::string& encoding) {
    // A long name shared by many meshes must not multiply the size of the file.
    constexpr std::size_t longest_name = 256;
    Json json;
    json["node"] = mesh.node < nodes.size() ? to_utf8(nodes[mesh.node]->name.substr(0, longest_name), encoding) : "";
    if (mesh.lod != 0) json["lod"] = mesh.lod;
    json["vertices"] = mesh.vertex_count;
    json["triangles"] = mesh.index_count / 3;
    json["submeshes"] = mesh.submeshes.size();
    json["uv_sets"] = count_layers(mesh, {xac::LayerType::uv});
    json["tangent_layers"] = count_layers(mesh, {xac::LayerType::tangent});
    json["color_layers"] = count_layers(mesh, {xac::LayerType::color32, xac::LayerType::color128});
    json["collision"] = mesh.is_collision != 0;
    const auto most = skinned.find(key_of(mesh));
    json["skinned"] = most != skinned.end();
    if (most != skinned.end()) json["max_influences"] = most->second;
    return json;
}

Json texture_info(const xac::MaterialLayer& layer, const std::string& encoding) {
    return {{"map", layer.map_type < map_types.size() ? map_types[layer.map_type] : "unknown"},
            {"texture", to_utf8(layer.texture, encoding)}};
}

Json material_info(const xac::StandardMaterial& material, const std::string& encoding) {
    Json json;
    json["name"] = to_utf8(material.name, encoding);
    json["kind"] = "standard";
    Json textures = Json::array();
    for (const xac::MaterialLayer& layer : material.layers) textures.push_back(texture_info(layer, encoding));
    json["textures"] = std::move(textures);
    return json;
}

Json material_info(const xac::FxMaterial& material, const std::string& encoding) {
    Json json;
    json["name"] = to_utf8(material.name, encoding);
    json["kind"] = "fx";
    json["effect"] = to_utf8(material.effect_file, encoding);
    Json textures = Json::array();
    for (const xac::BitmapParameter& bitmap : material.bitmaps) {
        textures.push_back({{"map", to_utf8(bitmap.name, encoding)}, {"texture", to_utf8(bitmap.value, encoding)}});
    }
    json["textures"] = std::move(textures);
    return json;
}

struct Contents {
    Json meshes = Json::array(), materials = Json::array(), targets = Json::array(), groups = Json::array(),
         lods = Json::array();
    std::uint64_t vertices = 0, triangles = 0;
    std::size_t limits = 0;
    std::set<std::uint32_t> joints;  ///< whatever numbers the file has
    std::vector<bool> is_joint;      ///< of its nodes, those in `joints`: influences are many, and name few

    void add(const xac::Influence& influence) {
        const bool is_node = influence.node < is_joint.size();
        if (is_node && is_joint[influence.node]) return;
        joints.insert(influence.node);
        if (is_node) is_joint[influence.node] = true;
    }
};

void add_record(Contents& contents, const Skinned& skinned, const xac::Record& record,
                const std::vector<const xac::Node*>& nodes, const std::string& encoding) {
    if (const auto* mesh = std::get_if<xac::Mesh>(&record)) {
        contents.meshes.push_back(mesh_info(*mesh, skinned, nodes, encoding));
        contents.vertices += mesh->vertex_count;
        contents.triangles += mesh->index_count / 3;
    }
    if (const auto* skinning = std::get_if<xac::Skinning>(&record)) {
        contents.is_joint.resize(nodes.size());
        for (const xac::Influence& influence : skinning->influences) contents.add(influence);
        for (const xac::VertexInfluences& vertex : skinning->vertices) {
            for (const xac::Influence& influence : vertex.influences) contents.add(influence);
        }
    }
    if (const auto* material = std::get_if<xac::StandardMaterial>(&record))
        contents.materials.push_back(material_info(*material, encoding));
    if (const auto* material = std::get_if<xac::FxMaterial>(&record))
        contents.materials.push_back(material_info(*material, encoding));
    if (std::holds_alternative<xac::Limit>(record)) ++contents.limits;
    if (const auto* list = std::get_if<xac::NodeGroups>(&record)) {
        for (const xac::NodeGroup& group : list->groups) contents.groups.push_back(to_utf8(group.name, encoding));
    }
    if (const auto* lod = std::get_if<xac::MeshLod>(&record)) {
        for (const xac::File& actor : lod->actor) contents.lods.push_back(info(actor, encoding));
    }
    for (const xac::MorphTarget& target : records_in(record, &xac::MorphTargets::targets)) {
        contents.targets.push_back({{"name", to_utf8(target.name, encoding)}, {"phoneme_sets", target.phoneme_sets}});
    }
}

/// Layers in chunks of their own, which may stand before their materials.
void add_layers(Json& materials, const xac::File& file, const std::string& encoding) {
    for (const xac::Chunk& chunk : file.chunks) {
        const auto* layer = std::get_if<xac::MaterialLayer>(&chunk.record);
        if (layer != nullptr && layer->material < materials.size())
            materials[layer->material]["textures"].push_back(texture_info(*layer, encoding));
    }
}

}  // namespace

Json info(const xac::File& file, const std::string& encoding) {
    Json json = info_head(file, "xac");
    if (const auto* record = find_record<xac::Info>(file)) {
        json["name"] = to_utf8(record->actor_name, encoding);
        json["producer"] = producer(*record, encoding);
    }
    const std::vector<const xac::Node*> nodes = xac::nodes(file);
    const Skinned skinned = skinned_meshes(file);
    Contents contents;
    for (const xac::Chunk& chunk : file.chunks) add_record(contents, skinned, chunk.record, nodes, encoding);
    add_layers(contents.materials, file, encoding);
    Json names = Json::array();
    for (const xac::Node* node : nodes) names.push_back(to_utf8(node->name, encoding));
    json["counts"] = {{"nodes", nodes.size()},
                      {"joints", contents.joints.size()},
                      {"meshes", contents.meshes.size()},
                      {"vertices", contents.vertices},
                      {"triangles", contents.triangles},
                      {"materials", contents.materials.size()},
                      {"morph_targets", contents.targets.size()},
                      {"lods", contents.lods.size()},
                      {"limits", contents.limits},
                      {"groups", contents.groups.size()}};
    const RestBounds box = bounds(file, skinned);
    if (!box.is_empty()) json["bounds"] = {{"min", json_vector(box.low)}, {"max", json_vector(box.high)}};
    json["nodes"] = std::move(names);
    json["meshes"] = std::move(contents.meshes);
    json["materials"] = std::move(contents.materials);
    json["morph_targets"] = std::move(contents.targets);
    json["groups"] = std::move(contents.groups);
    json["lods"] = std::move(contents.lods);
    return json;
}

}  // namespace effigy::emfx
