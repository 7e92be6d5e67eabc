/// Meshes as scene meshes: vertex layers become attributes, submeshes primitives.

#include <algorithm>
#include <array>
#include <map>

#include "effigy/emfx_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/lists.hpp"
#include "emfx/file/formats.hpp"
#include "emfx/to_scene/extras.hpp"
#include "emfx/to_scene/geometry.hpp"
#include "emfx/to_scene/to_scene.hpp"
#include "scene/finite.hpp"
#include "scene/triangles.hpp"

namespace effigy::emfx::bridge {
namespace {

using xac::LayerType;

/// Bytes of one element as the type wants it; 0 if the type has no place in glTF.
std::uint32_t natural_size(LayerType type) {
    return type < LayerType::cloth ? layer_sizes[static_cast<std::size_t>(type)] : 0;
}

bool is_usable(const xac::Mesh& mesh, const xac::VertexLayer& layer) {
    const std::uint64_t size = natural_size(layer.type);
    return size != 0 && layer.element_size == size && layer.is_scale == 0 &&
           layer.data.size() == size * mesh.vertex_count;
}

/// The first usable layer of a type.
xac::VertexLayer* usable(xac::Mesh& mesh, LayerType type) {
    return first_where(mesh.layers, [&](const auto& layer) { return layer.type == type && is_usable(mesh, layer); });
}

bool has_triangles(const xac::Mesh& mesh) {
    std::uint64_t first = 0;
    for (const xac::Submesh& submesh : mesh.submeshes) {
        const std::uint64_t room = mesh.vertex_count - std::min<std::uint64_t>(first, mesh.vertex_count);
        const std::uint64_t count = std::min<std::uint64_t>(submesh.vertex_count, room);
        const auto& indices = submesh.indices;
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            if (indices[i] < count && indices[i + 1] < count && indices[i + 2] < count) return true;
        }
        first += submesh.vertex_count;
    }
    return false;
}

/// Submeshes become primitives. Their records lose what these say; all indices of those that lose triangles are kept.
void take_submeshes(Context& context, const MeshJob& job, const std::string& path, Mesh& mesh, Json& record) {
    xac::Mesh& source = *job.mesh;
    Json kept = Json::array();
    std::uint64_t first = 0;
    std::uint64_t dropped = 0;
    const Model& model = context.models[job.model];
    for (std::size_t i = 0; i < source.submeshes.size(); ++i) {
        xac::Submesh& submesh = source.submeshes[i];
        Primitive primitive;
        const std::uint64_t room = source.vertex_count - std::min<std::uint64_t>(first, source.vertex_count);
        primitive.first_vertex = static_cast<std::uint32_t>(source.vertex_count - room);
        primitive.vertex_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(submesh.vertex_count, room));
        primitive.indices = std::move(submesh.indices);
        primitive.material = find_material(model, source.lod, submesh.material);
        first += submesh.vertex_count;
        if (primitive.indices.size() % 3 != 0 || find_not_below(primitive.indices, primitive.vertex_count)) {
            kept.push_back({{"submesh", i}, {"bytes", json_bytes(bytes_of(primitive.indices))}});
            dropped += drop_bad_triangles(primitive.indices, primitive.vertex_count);
        }
        if (primitive.material == no_index) {
            context.note(codes::material_missing, path + " / submesh[" + std::to_string(i) + "]",
                         "The submesh names a material that does not exist; it gets none.",
                         std::to_string(submesh.material));
        }
        if (primitive.indices.empty()) continue;
        Json& own = record["submeshes"][i];
        if (primitive.indices.size() == own["index_count"]) own.erase("index_count");
        mesh.primitives.push_back(std::move(primitive));
    }
    if (!kept.empty()) record["kept_indices"] = std::move(kept);
    context.note_any(dropped, codes::triangle_index, path,
                     "Triangles whose indices are out of range or incomplete are left out.", " triangles");
    if (first != source.vertex_count) {
        context.note(codes::mesh_vertex_count, path, {}, std::to_string(first), std::to_string(source.vertex_count));
    }
}

/// A collision mesh whose vertices will be moved to where its node puts them.
bool will_move(const Context& context, const MeshJob& job) {
    return job.collision && job.node != no_index && job.scene_skin == no_index &&
           !decompose(context.skeleton.nodes[job.node].world);
}

/// Layers that stand otherwise once they are moved, which cannot be undone to the bit, or at all.
Json unmoved_layers(const xac::Mesh& mesh) {
    Json list = Json::array();
    for (std::size_t i = 0; i < mesh.layers.size(); ++i) {
        const xac::VertexLayer& layer = mesh.layers[i];
        const bool moves = layer.type == LayerType::position || layer.type == LayerType::normal ||
                           layer.type == LayerType::tangent || layer.type == LayerType::bitangent;
        if (moves && is_usable(mesh, layer)) list.push_back({{"layer", i}, {"bytes", json_bytes(layer.data)}});
    }
    return list;
}

/// Moves the layers of one mesh out of the file, one after the other, and makes attributes of them. The record gets
/// those that have no place, and numbers from before they were repaired.
class LayerTaker {
public:
    LayerTaker(Context& context, const MeshJob& job, const std::string& path, Mesh& mesh)
        : context_(context), job_(job), source_(*job.mesh), path_(path), mesh_(mesh) {}

    void run(xac::VertexLayer& positions, Json& record) {
        take_positions(positions);
        take_normals();
        take_tangents();
        take_layers();
        context_.note_repairs({replaced_, 0}, path_);
        std::stable_sort(mesh_.attributes.begin(), mesh_.attributes.end(),
                         [](const Attribute& a, const Attribute& b) { return a.semantic < b.semantic; });
        if (!kept_.empty()) record["kept_layers"] = std::move(kept_);
        for (const auto& [layer, old] : old_values_) {
            if (!old.empty()) record["old_values"].push_back(old_values_record(layer, old));
        }
    }

private:
    Attribute& add(Semantic semantic, std::uint32_t set, ElementType element, Bytes bytes,
                   ComponentType component = ComponentType::f32) {
        Attribute& attribute = mesh_.attributes.emplace_back();
        attribute.semantic = semantic;
        attribute.set = set;
        attribute.data = Accessor{std::move(bytes), element, component, false};
        return attribute;
    }

    Attribute& add_custom(std::string name, ElementType element, Bytes bytes) {
        Attribute& attribute = add(Semantic::custom, 0, element, std::move(bytes));
        attribute.custom_name = std::move(name);
        return attribute;
    }

    /// Moves a layer's bytes out and mirrors them.
    Bytes take(xac::VertexLayer& layer, Mirror which) {
        Bytes bytes = std::move(layer.data);
        layer.data = Bytes();
        replaced_ +=
            mirror({reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)}, which, old_values(layer));
        return bytes;
    }

    OldValues& old_values(const xac::VertexLayer& layer) {
        return old_values_[static_cast<std::size_t>(&layer - source_.layers.data())];
    }

    void take_positions(xac::VertexLayer& layer) {
        main_layers_[0] = &layer;
        add(Semantic::position, 0, ElementType::vec3, take(layer, Mirror::third_of_three));
    }

    void take_normals() {
        xac::VertexLayer* layer = usable(source_, LayerType::normal);
        if (layer == nullptr) return;
        main_layers_[1] = layer;
        Attribute& normals = add(Semantic::normal, 0, ElementType::vec3, take(*layer, Mirror::third_of_three));
        const auto changed = repair_normals(normals.data.as<Vec3>(), mesh_.attributes.front().data.as<const Vec3>(),
                                            mesh_.primitives, job_.keep_winding, old_values(*layer));
        if (changed == 0) return;
        context_.note(codes::normal_repaired, path_,
                      "Normals that are not unit are normalised; those of no length are made from the triangles.",
                      std::to_string(changed) + " of " + std::to_string(source_.vertex_count));
    }

    void take_tangents() {
        xac::VertexLayer* layer = usable(source_, LayerType::tangent);
        if (layer == nullptr) return;
        main_layers_[2] = layer;
        ++tangent_layers_;
        Bytes bytes = take(*layer, Mirror::third_of_four);
        const Attribute* normals = find_attribute(mesh_, Semantic::normal);
        if (normals == nullptr) {
            add_custom("_TANGENT_0", ElementType::vec4, std::move(bytes));
            context_.note(codes::tangent_without_normal, path_,
                          "glTF allows tangents only beside normals; they become the attribute _TANGENT_0.");
            return;
        }
        const std::span<const Vec3> directions = normals->data.as<Vec3>();
        Attribute& tangents = add(Semantic::tangent, 0, ElementType::vec4, std::move(bytes));
        const auto changed = repair_tangents(tangents.data.as<Vec4>(), directions, old_values(*layer));
        if (changed == 0) return;
        context_.note(codes::tangent_repaired, path_,
                      "Tangents that are not unit are normalised, those of no length get some direction along the "
                      "surface, and w becomes +1 or -1.",
                      std::to_string(changed) + " of " + std::to_string(source_.vertex_count));
    }

    void take_layers() {
        for (std::size_t i = 0; i < source_.layers.size(); ++i) {
            xac::VertexLayer& layer = source_.layers[i];
            if (std::find(main_layers_.begin(), main_layers_.end(), &layer) != main_layers_.end()) continue;
            if (!is_usable(source_, layer) || !take_layer(layer)) keep(layer, i);
        }
    }

    /// Returns false if the layer has no place in glTF.
    bool take_layer(xac::VertexLayer& layer) {
        switch (layer.type) {
            case LayerType::tangent:
                add_custom("_TANGENT_" + std::to_string(tangent_layers_++), ElementType::vec4,
                           take(layer, Mirror::third_of_four));
                return true;
            case LayerType::bitangent:
                add_custom("_BITANGENT_" + std::to_string(bitangent_layers_++), ElementType::vec3,
                           take(layer, Mirror::third_of_three));
                return true;
            case LayerType::uv:
                add(Semantic::texcoord, uv_layers_++, ElementType::vec2, take(layer, Mirror::none));
                return true;
            case LayerType::color32:
                take_packed_colors(layer);
                return true;
            case LayerType::color128:
                take_colors(layer);
                return true;
            case LayerType::original_vertex:
                return take_original_vertices(layer);
            default:
                return false;
        }
    }

    void take_packed_colors(xac::VertexLayer& layer) {
        Attribute& colors =
            add(Semantic::color, color_layers_++, ElementType::vec4, std::move(layer.data), ComponentType::u8);
        colors.data.normalized = true;
        layer.data = Bytes();
    }

    void take_colors(xac::VertexLayer& layer) {
        Attribute& colors = add(Semantic::color, color_layers_++, ElementType::vec4, take(layer, Mirror::none));
        const auto changed = clamp_unit(colors.data.as<float>(), old_values(layer));
        if (changed == 0) return;
        context_.note(codes::color_clamped, path_, {}, std::to_string(changed) + " numbers");
    }

    /// glTF has no 32-bit integers for vertices; floats hold whole numbers up to 2^24.
    bool take_original_vertices(xac::VertexLayer& layer) {
        if (has_original_vertices_) return false;
        const std::span<std::uint32_t> numbers{reinterpret_cast<std::uint32_t*>(layer.data.data()),
                                               layer.data.size() / sizeof(std::uint32_t)};
        std::uint32_t joined = 0;
        for (const std::uint32_t value : numbers) joined |= value;
        if (joined >= 1u << 24) {
            context_.note(codes::original_vertices_kept, path_,
                          "Original vertex numbers are too large for glTF; they are kept in extras.");
            return false;
        }
        has_original_vertices_ = true;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto value = static_cast<float>(static_cast<std::int32_t>(numbers[i]));
            std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, &layer.data[i * sizeof value]);
        }
        add_custom("_ORIGINAL_VERTEX", ElementType::scalar, std::move(layer.data));
        layer.data = Bytes();
        return true;
    }

    void keep(xac::VertexLayer& layer, std::size_t number) {
        const bool misfit = natural_size(layer.type) != 0 && layer.is_scale == 0 && !is_usable(source_, layer);
        context_.note(misfit ? codes::layer_size : codes::layer_kept,
                      path_ + " / layer[" + std::to_string(number) + "]",
                      misfit ? "The layer's size does not fit its type or the vertex count; it is kept in extras only."
                             : "The layer has no place in glTF; it is kept in extras only.",
                      "type " + std::to_string(static_cast<std::uint32_t>(layer.type)) + ", " +
                          std::to_string(layer.data.size()) + " bytes");
        kept_.push_back({{"layer", number}, {"bytes", json_bytes(layer.data)}});
        layer.data = Bytes();
    }

    Context& context_;
    const MeshJob& job_;
    xac::Mesh& source_;
    const std::string& path_;
    Mesh& mesh_;
    Json kept_;
    std::map<std::size_t, OldValues> old_values_;           ///< by layer
    std::array<const xac::VertexLayer*, 3> main_layers_{};  ///< of positions, normals, tangents: already moved
    std::uint64_t replaced_ = 0;
    std::uint32_t tangent_layers_ = 0, bitangent_layers_ = 0, uv_layers_ = 0, color_layers_ = 0;
    bool has_original_vertices_ = false;
};

/// Which node the mesh hangs on, where that is another file's: the first one's node of the same name.
void set_owner(Json& record, const Context& context, const MeshJob& job) {
    if (job.node == no_index) return;
    const SkeletonNode& node = context.skeleton.nodes[job.node];
    if (node.model == job.model) return;
    record["owner"] = node.file_index;
    if (node.model != 0) record["owner_model"] = node.model;
}

Index leave_out(Context& context, const MeshJob& job, const Code& code, const std::string& path,
                const std::string& message) {
    context.keep_chunk(job.model, job.chunk);
    if (job.skinning != nullptr) context.keep_chunk(job.model, job.skinning_chunk);
    context.note(code, path, message + " It is left out.");
    return no_index;
}

}  // namespace

Result<Index> add_mesh(Context& context, MeshJob& job) {
    const std::string path = "chunk[" + std::to_string(job.chunk) + "] mesh";
    xac::VertexLayer* const positions = usable(*job.mesh, LayerType::position);
    if (positions == nullptr)
        return leave_out(context, job, codes::mesh_no_positions, path, "The mesh has no usable positions.");
    Json record = mesh_record(*job.mesh, job.skinning);
    record["chunk"] = job.chunk;
    if (job.skinning != nullptr) record["skinning"]["chunk"] = job.skinning_chunk;
    if (job.level != 0) record["level"] = job.level;
    set_model(record, job.model);
    set_owner(record, context, job);
    if (const std::size_t part = context.models[job.model].part; part != 0) record["part"] = part;
    Mesh mesh;
    mesh.vertex_count = job.mesh->vertex_count;
    mesh.name = job.node == no_index ? "mesh" : context.skeleton.nodes[job.node].name;
    // The name is copied to nodes and skins as well; a long one shared by many meshes must stay within the limit.
    if (auto room = context.take(4, mesh.name.size(), "names of meshes"); !room) return fail(std::move(room.error()));
    if (!has_triangles(*job.mesh))
        return leave_out(context, job, codes::mesh_empty, path, "The mesh has no usable triangles.");
    take_submeshes(context, job, path, mesh, record);
    std::vector<Attribute> joints;
    // The original vertex numbers are needed as they are, so skinning comes first.
    if (auto skinned = add_skin(context, job, mesh, joints, record["skinning"]); !skinned) {
        return fail(std::move(skinned.error()));
    }
    // A mirror image is turned inside out, so the triangles are turned over, unless the node mirrors once more and the
    // viewer will turn them over itself.
    if (job.scene_skin != no_index) job.keep_winding = false;
    for (Primitive& primitive : mesh.primitives) {
        if (!job.keep_winding) reverse_winding(primitive.indices);
    }
    if (will_move(context, job)) {
        if (auto room = context.take(mesh.vertex_count, 64, "vertices as they were"); !room)
            return fail(std::move(room.error()));
        record["unmoved_layers"] = unmoved_layers(*job.mesh);
    }
    LayerTaker(context, job, path, mesh).run(*positions, record);
    for (Attribute& attribute : joints) mesh.attributes.push_back(std::move(attribute));
    if (job.skinning == nullptr) record.erase("skinning");
    set_record(mesh.extras, std::move(record));
    context.scene.meshes.push_back(std::move(mesh));
    return static_cast<Index>(context.scene.meshes.size() - 1);
}

}  // namespace effigy::emfx::bridge
