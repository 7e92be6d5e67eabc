/// Meshes derived from what the scene has.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "effigy/emfx_codes.hpp"
#include "effigy/textures.hpp"

#include "emfx/from_scene/build.hpp"
#include "emfx/to_scene/geometry.hpp"
#include "scene/attributes.hpp"
#include "scene/triangles.hpp"
#include "scene/validate.hpp"

namespace effigy::emfx::bridge {
namespace {

using xac::LayerType;

/// Bytes of one element, whether the engine deforms it.
xac::VertexLayer make_layer(LayerType type, std::uint32_t element_size, std::size_t vertices) {
    xac::VertexLayer layer;
    layer.type = type;
    layer.element_size = element_size;
    layer.enable_deformations =
        type == LayerType::position || type == LayerType::normal || type == LayerType::tangent ? 1 : 0;
    layer.data.resize(element_size * vertices);
    return layer;
}

template <class T>
std::span<T> elements(xac::VertexLayer& layer) {
    return {reinterpret_cast<T*>(layer.data.data()), layer.data.size() / sizeof(T)};
}

float finite_or_zero(float value) { return std::isfinite(value) ? value : 0.0f; }

void fill_shape(NativeMesh& native, const MeshPlace& place) {
    xac::Mesh& mesh = native.mesh;
    mesh.node = place.number;
    mesh.lod = place.lod;
    mesh.is_collision = place.collision ? 1 : 0;
    mesh.vertex_count = static_cast<std::uint32_t>(native.sources.size());
    mesh.index_count = 0;
    for (const xac::Submesh& submesh : mesh.submeshes) {
        mesh.index_count += static_cast<std::uint32_t>(submesh.indices.size());
    }
}

/// Returns how many sets there are.
std::uint32_t add_uvs(NativeMesh& native, const Mesh& source) {
    std::uint32_t set = 0;
    for (;; ++set) {
        const FloatView uvs(source, Semantic::texcoord, set);
        if (uvs.empty()) return set;
        xac::VertexLayer layer = make_layer(LayerType::uv, sizeof(Vec2), native.sources.size());
        const std::span<Vec2> out = elements<Vec2>(layer);
        for (std::size_t v = 0; v < out.size(); ++v) {
            const std::span<const float> uv = uvs[native.sources[v]];
            out[v] = {finite_or_zero(uv[0]), finite_or_zero(uv[1])};
        }
        native.mesh.layers.push_back(std::move(layer));
    }
}

bool wants_tangents(const Build& build, const Mesh& source) {
    const Target target = build.options.target;
    if (is_paradox(target) || target == Target::tree_of_savior) return true;
    if (find_attribute(source, Semantic::tangent, 0) != nullptr) return true;
    return std::any_of(source.primitives.begin(), source.primitives.end(), [&](const Primitive& primitive) {
        return primitive.material != no_index && build.scene.materials[primitive.material].normal_texture.used();
    });
}

std::vector<Vec2> uv_layer(xac::Mesh& mesh, std::uint32_t set) {
    for (xac::VertexLayer& layer : mesh.layers) {
        if (layer.type != LayerType::uv || set-- != 0) continue;
        const auto uvs = elements<Vec2>(layer);
        return {uvs.begin(), uvs.end()};
    }
    return {};
}

template <class Component>
void add_color_layer(NativeMesh& native, LayerType type, const FloatView& colors, float one) {
    xac::VertexLayer layer = make_layer(type, 4 * sizeof(Component), native.sources.size());
    const std::span<Component> out = elements<Component>(layer);
    for (std::size_t v = 0; v < native.sources.size(); ++v) {
        const std::span<const float> color = colors[native.sources[v]];
        for (std::size_t k = 0; k < 4; ++k) {
            const float value = k < color.size() ? color[k] : 1.0f;
            const float scaled = std::clamp(finite_or_zero(value), 0.0f, 1.0f) * one;
            out[4 * v + k] = static_cast<Component>(std::is_integral_v<Component> ? std::round(scaled) : scaled);
        }
    }
    native.mesh.layers.push_back(std::move(layer));
}

void add_colors(NativeMesh& native, const Mesh& source) {
    for (std::uint32_t set = 0;; ++set) {
        const Attribute* colors = find_attribute(source, Semantic::color, set);
        if (colors == nullptr) return;
        if (colors->data.component == ComponentType::u8) {
            add_color_layer<std::uint8_t>(native, LayerType::color32, FloatView(colors), 255.0f);
        } else {
            add_color_layer<float>(native, LayerType::color128, FloatView(colors), 1.0f);
        }
    }
}

/// Each number once, in order. Most are all of a run of numbers, which is found without sorting.
std::vector<std::uint32_t> sorted_once(std::span<const std::uint32_t> numbers) {
    if (numbers.empty()) return {};
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    const std::uint32_t first = *least;
    std::vector<std::uint32_t> result;
    if (*greatest - first > 8 * numbers.size()) {
        result.assign(numbers.begin(), numbers.end());
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }
    std::vector<bool> is_there(*greatest - first + 1, false);
    for (const std::uint32_t number : numbers) is_there[number - first] = true;
    for (std::uint32_t i = 0; i < is_there.size(); ++i) {
        if (is_there[i]) result.push_back(first + i);
    }
    return result;
}

/// The influences of original vertices.
struct InfluenceTable {
    Bulk<xac::Influence> influences{};
    Bulk<xac::InfluenceRange> ranges{};

    [[nodiscard]] Influences operator[](std::size_t vertex) const {
        return Influences(influences).subspan(ranges[vertex].first, ranges[vertex].count);
    }
    void add(Influences list) {
        ranges.push_back({static_cast<std::uint32_t>(influences.size()), static_cast<std::uint32_t>(list.size())});
        influences.insert(influences.end(), list.begin(), list.end());
    }
};

/// Which joints each submesh needs.
void fill_palettes(xac::Mesh& mesh, const InfluenceTable& table, std::size_t node_count) {
    const auto originals = elements<std::uint32_t>(mesh.layers.front());
    std::size_t first = 0;
    for (xac::Submesh& submesh : mesh.submeshes) {
        std::vector<bool> used(node_count, false);
        for (std::size_t v = first; v < first + submesh.vertex_count; ++v) {
            for (const xac::Influence& influence : table[originals[v]]) used[influence.node] = true;
        }
        submesh.bones.clear();
        for (std::uint32_t node = 0; node < node_count; ++node) {
            if (used[node]) submesh.bones.push_back(node);
        }
        first += submesh.vertex_count;
    }
}

void add_skinning(NativeMesh& native, InfluenceTable table, std::size_t node_count) {
    fill_palettes(native.mesh, table, node_count);
    xac::Skinning& skinning = native.skinning.emplace();
    skinning.node = native.mesh.node;
    skinning.lod = native.mesh.lod;
    skinning.is_for_collision_mesh = native.mesh.is_collision;
    std::vector<bool> used(node_count, false);
    for (const xac::Influence& influence : table.influences) used[influence.node] = true;
    skinning.local_bone_count = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), true));
    skinning.influences = std::move(table.influences);
    skinning.ranges = std::move(table.ranges);
}

/// Layers that only the record of the file's mesh has, but for vertex numbers, which are made anew.
void list_lost_layers(const Mesh& source, NameList& lost) {
    const Json record = record_of(source.extras);
    const Json& layers = list_at(record, "layers");
    for (const Json& kept : list_at(record, "kept_layers")) {
        const auto number = number_member(kept, "layer");
        if (!number || *number >= layers.size()) continue;
        const auto type = number_member(layers[static_cast<std::size_t>(*number)], "type").value_or(0);
        if (type != static_cast<std::uint64_t>(LayerType::original_vertex))
            lost.add("layer " + std::to_string(*number) + " of type " + std::to_string(type));
    }
}

/// Whether it is the tangents of one of so many sets.
bool is_tangent_of(const std::string& name, std::ptrdiff_t sets) {
    for (std::ptrdiff_t set = 0; set < sets; ++set) {
        if (name == "_TANGENT_" + std::to_string(set)) return true;
    }
    return false;
}

void note_lost(Build& build, const Mesh& source, const xac::Mesh& made, const std::string& path) {
    const auto sets = std::count_if(made.layers.begin(), made.layers.end(),
                                    [](const auto& layer) { return layer.type == LayerType::tangent; });
    NameList lost;
    for (const Attribute& attribute : source.attributes) {
        if (attribute.semantic != Semantic::custom || attribute.custom_name == "_ORIGINAL_VERTEX" ||
            is_tangent_of(attribute.custom_name, sets))
            continue;
        lost.add(attribute.custom_name);
    }
    list_lost_layers(source, lost);
    if (lost.empty()) return;
    build.note(
        codes::emfx_attribute, path,
        "Actors have no place for these vertex attributes; such layers of a file stay with unedited meshes only.",
        lost.text());
}

class NewMesh {
public:
    NewMesh(Build& build, std::size_t place)
        : build_(build),
          place_(build.places[place]),
          file_(build.files[place_.file]),
          source_(build.scene.meshes[place_.mesh]),
          skin_(build, place_),
          path_("meshes[" + std::to_string(place_.mesh) + "] " + source_.name) {
        native_.place = place;
    }

    Result<std::optional<NativeMesh>> run() {
        find_placement();
        if (find_attribute(source_, Semantic::position, 0) == nullptr) return nothing("has no positions");
        collect_parts();
        if (parts_.empty()) return nothing("has no triangles");
        if (const std::uint32_t bones = skin_limits(build_.options).bones; skin_.is_skinned() && bones != 0) {
            if (auto split = split_parts(parts_, path_, bones, influences_of()); !split)
                return fail(std::move(split.error()));
        }
        if (const std::uint32_t vertices = skin_limits(build_.options).vertices; vertices != 0)
            split_long_parts(parts_, vertices, is_flat());
        if (auto room = lay_out(); !room) return fail(std::move(room.error()));
        fill_shape(native_, place_);
        add_layers();
        if (skin_.is_skinned()) add_skinning(native_, std::move(table_), build_.nodes.size());
        skin_.report(path_);
        note_lost(build_, source_, native_.mesh, path_);
        build_.note_any(count_not_finite(source_), codes::emfx_not_finite, path_, {}, " numbers");
        return std::optional<NativeMesh>(std::move(native_));
    }

private:
    std::optional<NativeMesh> nothing(const char* why) {
        build_.note(codes::emfx_mesh_empty, path_, std::string("The mesh ") + why + "; it is left out.");
        return std::nullopt;
    }

    // --- where the mesh stands

    void find_placement() {
        if (skin_.is_skinned() && !skin_.is_bound_to_node()) {
            keep_winding_ = is_mirrored(skin_.placement(0));
            return;
        }
        const glm::dmat4 world = rest_world(build_, place_);
        keep_winding_ = is_mirrored(world);
        if (place_.number >= build_.nodes.size()) return;
        const ActorNode& node = build_.nodes[place_.number];
        const glm::dmat4& owner = build_.worlds[node.scene_node];
        if (!skin_.is_bound_to_node()) clockwise_ = !is_mirrored(owner);
        if (world != owner) {
            const auto inverse = inverse_affine(owner, 1e-30);
            if (inverse) native_.placement = *inverse * world;
        }
        // Where the actor has the node, which may be elsewhere than at rest in the scene.
        if (skin_.is_bound_to_node()) native_.placement = node.world * native_.placement;
        if (is_close(native_.placement, glm::dmat4(1), 1e-6)) native_.placement = glm::dmat4(1);
    }

    glm::dmat4 placement(std::uint32_t vertex) {
        return skin_.is_skinned() && !skin_.is_bound_to_node() ? skin_.placement(vertex) : native_.placement;
    }

    // --- triangles

    void collect_parts() {
        std::uint64_t lines = 0;
        for (const Primitive& primitive : source_.primitives) {
            if (!has_triangles(primitive.topology)) {
                ++lines;
                continue;
            }
            Part part;
            part.material = primitive.material;
            for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                const std::uint32_t first = primitive.first_vertex;
                part.corners.push_back(first + a);
                part.corners.push_back(first + (keep_winding_ ? b : c));
                part.corners.push_back(first + (keep_winding_ ? c : b));
            });
            if (!part.corners.empty()) parts_.push_back(std::move(part));
        }
        if (lines == 0) return;
        build_.note(codes::emfx_topology, path_, {}, std::to_string(lines) + " primitives");
    }

    [[nodiscard]] InfluencesOf influences_of() {
        return [this](std::uint32_t vertex) { return skin_.influences(vertex); };
    }

    /// As glTF has it: without normals each triangle is flat, and so has vertices of its own.
    [[nodiscard]] bool is_flat() const { return find_attribute(source_, Semantic::normal, 0) == nullptr; }

    /// One run of vertices for each part.
    Result<void> lay_out() {
        const bool flat = is_flat();
        std::uint64_t corners = 0;
        for (const Part& part : parts_) corners += part.corners.size();
        if (!build_.budget.take(corners, 128)) return fail(build_.memory_limit());
        if (corners > 0xffffffffu) {
            return fail(beyond(codes::emfx_vertex_count, path_, "The mesh has too many triangles; split it.", corners,
                               0xffffffffu));
        }
        std::vector<std::uint32_t> local(source_.vertex_count, no_number);
        for (Part& part : parts_) {
            xac::Submesh& submesh = native_.mesh.submeshes.emplace_back();
            submesh.material = material_number(file_, part.material, place_.lod);
            if (submesh.material == no_number) submesh.material = default_material(file_, place_.lod);
            const std::size_t first = native_.sources.size();
            submesh.indices.resize(part.corners.size());
            if (flat) {
                native_.sources.insert(native_.sources.end(), part.corners.begin(), part.corners.end());
                for (std::size_t i = 0; i < part.corners.size(); ++i)
                    submesh.indices[i] = static_cast<std::uint32_t>(i);
            } else {
                const std::vector<std::uint32_t> used = sorted_once(part.corners);
                for (std::size_t i = 0; i < used.size(); ++i) local[used[i]] = static_cast<std::uint32_t>(i);
                for (std::size_t i = 0; i < part.corners.size(); ++i) submesh.indices[i] = local[part.corners[i]];
                native_.sources.insert(native_.sources.end(), used.begin(), used.end());
            }
            submesh.vertex_count = static_cast<std::uint32_t>(native_.sources.size() - first);
            part.corners = {};
        }
        return {};
    }

    // --- layers, in the exporters' order

    void add_layers() {
        make_frame();
        add_originals();
        add_vectors(LayerType::position, positions_);
        add_vectors(LayerType::normal, normals_);
        const std::uint32_t uv_sets = add_uvs(native_, source_);
        add_tangents(uv_sets);
        add_colors(native_, source_);
    }

    /// Positions and normals where the actor has them, in the scene's frame.
    void make_frame() {
        const std::size_t count = native_.sources.size();
        const FloatView positions(source_, Semantic::position), normals(source_, Semantic::normal);
        positions_.resize(count);
        normals_.resize(count);
        for (std::size_t v = 0; v < count; ++v) {
            const std::uint32_t source = native_.sources[v];
            if (v == 0 || skin_.differs()) set_matrices(placement(source));
            positions_[v] = vector_of(positions[source]);
            if (!is_identity_) {
                const glm::dvec3 p = wide(positions_[v]);
                positions_[v] = narrow(glm::dvec3(matrix_ * glm::dvec4(p, 1)));
            }
            normals_[v] = normals.empty() ? Vec3{} : vector_of(normals[source]);
            if (!is_identity_) normals_[v] = narrow(normal_matrix_ * wide(normals_[v]));
        }
        if (skin_.is_skinned() && !skin_.differs()) native_.placement = matrix_;
        make_unit();
    }

    void set_matrices(const glm::dmat4& matrix) {
        matrix_ = matrix;
        is_identity_ = matrix == glm::dmat4(1);
        side_ = is_mirrored(matrix) ? -1.0f : 1.0f;
        const auto inverse = inverse_affine(matrix, 1e-30);
        normal_matrix_ = inverse ? glm::transpose(glm::dmat3(*inverse)) : glm::dmat3(matrix);
    }

    /// Of the first three numbers of an element.
    static Vec3 vector_of(std::span<const float> element) {
        return {finite_or_zero(element[0]), finite_or_zero(element[1]), finite_or_zero(element[2])};
    }

    /// Far enough from 1 to be noticed, and not nothing.
    static bool is_off(double length) { return std::abs(length - 1) > 5e-4 && length > 1e-12; }

    /// Normals that are not unit are made so, missing ones from the triangles.
    void make_unit() {
        for (Vec3& normal : normals_) {
            const double length = glm::length(wide(normal));
            if (is_off(length)) normal = narrow(wide(normal) / length);
        }
        OldValues old;
        repair_normals(normals_, positions_, primitives(), clockwise_, old);
    }
    [[nodiscard]] std::vector<Primitive> primitives() const {
        std::vector<Primitive> result;
        std::uint32_t first = 0;
        for (const xac::Submesh& submesh : native_.mesh.submeshes) {
            Primitive& primitive = result.emplace_back();
            primitive.first_vertex = first;
            primitive.vertex_count = submesh.vertex_count;
            primitive.indices = submesh.indices;
            first += submesh.vertex_count;
        }
        return result;
    }

    void add_vectors(LayerType type, std::span<const Vec3> vectors) {
        xac::VertexLayer layer = make_layer(type, sizeof(Vec3), vectors.size());
        const std::span<Vec3> out = elements<Vec3>(layer);
        for (std::size_t v = 0; v < vectors.size(); ++v) out[v] = {vectors[v].x, vectors[v].y, -vectors[v].z};
        native_.mesh.layers.push_back(std::move(layer));
    }

    /// Vertices that only seams keep apart are one original vertex.
    void add_originals() {
        const std::vector<std::uint64_t> moves = morph_keys(source_);
        const std::size_t count = native_.sources.size();
        xac::VertexLayer layer = make_layer(LayerType::original_vertex, 4, count);
        const std::span<std::uint32_t> out = elements<std::uint32_t>(layer);
        const std::size_t mask = std::bit_ceil(2 * count + 1) - 1;
        std::vector<std::uint32_t> slots(mask + 1, no_number);  // originals by the hash of their bytes
        std::vector<std::uint32_t> firsts;                      // of each original, the first vertex
        std::string key, other;
        for (std::size_t v = 0; v < count; ++v) {
            const Influences own = skin_.is_skinned() ? skin_.influences(native_.sources[v]) : Influences();
            write_key(key, v, moves, own);
            std::size_t slot = std::hash<std::string_view>()(key) & mask;
            for (; slots[slot] != no_number; slot = (slot + 1) & mask) {
                write_key(other, firsts[slots[slot]], moves, table_[slots[slot]]);
                if (other == key) break;
            }
            if (slots[slot] == no_number) {
                slots[slot] = static_cast<std::uint32_t>(firsts.size());
                firsts.push_back(static_cast<std::uint32_t>(v));
                table_.add(own);
            }
            out[v] = slots[slot];
        }
        native_.mesh.original_vertex_count = static_cast<std::uint32_t>(firsts.size());
        native_.mesh.layers.push_back(std::move(layer));
    }

    /// What vertices of one original have in common.
    void write_key(std::string& key, std::size_t vertex, const std::vector<std::uint64_t>& moves,
                   Influences own) const {
        const auto append = [&](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
        key.clear();
        append(positions_[vertex]);
        if (!moves.empty()) append(moves[native_.sources[vertex]]);
        for (const xac::Influence& influence : own) append(influence);
    }

    /// One layer for each set of texture coordinates, or none.
    void add_tangents(std::uint32_t uv_sets) {
        if (!wants_tangents(build_, source_)) return;
        std::uint32_t made = 0;
        for (std::uint32_t set = 0; set < uv_sets; ++set) {
            const Attribute* tangents = set == 0 ? find_attribute(source_, Semantic::tangent, 0) : nullptr;
            if (tangents == nullptr) tangents = find_attribute(source_, "_TANGENT_" + std::to_string(set));
            if (tangents != nullptr && tangents->data.element == ElementType::vec4) {
                add_tangent_layer(FloatView(tangents));
            } else {
                make_tangent_layer(set);
                ++made;
            }
        }
        if (made == 0) return;
        build_.note(codes::emfx_tangents, path_,
                    "The mesh lacks tangents that the target or a normal map wants; they are computed from the "
                    "texture coordinates.",
                    std::to_string(made) + " sets");
    }

    void add_tangent_layer(const FloatView& tangents) {
        xac::VertexLayer layer = make_layer(LayerType::tangent, sizeof(Vec4), native_.sources.size());
        const std::span<Vec4> out = elements<Vec4>(layer);
        for (std::size_t v = 0; v < out.size(); ++v) {
            const std::uint32_t source = native_.sources[v];
            if (skin_.differs()) set_matrices(placement(source));
            Vec3 direction = vector_of(tangents[source]);
            if (!is_identity_) direction = narrow(glm::dmat3(matrix_) * wide(direction));
            if (const double length = glm::length(wide(direction)); is_off(length)) {
                direction = narrow(wide(direction) / length);
            }
            out[v] = {direction.x, direction.y, direction.z, side_ * tangents[source][3]};
        }
        OldValues old;
        repair_tangents(out, normals_, old);
        for (Vec4& tangent : out) tangent.z = -tangent.z;
        native_.mesh.layers.push_back(std::move(layer));
    }

    /// Computed by the service that knows how, in a scene of just this mesh.
    void make_tangent_layer(std::uint32_t set) {
        Scene scene;
        scene.images.emplace_back();
        Material& material = scene.materials.emplace_back();
        material.normal_texture.image = 0;
        Mesh& mesh = scene.meshes.emplace_back();
        mesh.vertex_count = native_.mesh.vertex_count;
        const auto add = [&](Semantic semantic, ElementType element, const auto& values) {
            using Element = typename std::remove_cvref_t<decltype(values)>::value_type;
            std::copy(values.begin(), values.end(),
                      add_attribute<Element>(mesh, semantic, element, ComponentType::f32).begin());
        };
        add(Semantic::position, ElementType::vec3, positions_);
        add(Semantic::normal, ElementType::vec3, normals_);
        add(Semantic::texcoord, ElementType::vec2, uv_layer(native_.mesh, set));
        mesh.primitives = primitives();
        for (Primitive& primitive : mesh.primitives) {
            primitive.material = 0;
            if (clockwise_) reverse_winding(primitive.indices);
        }
        (void)generate_missing_tangents(scene);
        xac::VertexLayer layer = make_layer(LayerType::tangent, sizeof(Vec4), native_.sources.size());
        const std::span<Vec4> out = elements<Vec4>(layer);
        const Attribute* made = find_attribute(scene.meshes.front(), Semantic::tangent, 0);
        if (made != nullptr) {
            std::memcpy(layer.data.data(), made->data.bytes.data(), layer.data.size());
        } else {
            std::fill(out.begin(), out.end(), Vec4{});
            OldValues old;
            repair_tangents(out, normals_, old);
        }
        for (Vec4& tangent : out) tangent.z = -tangent.z;
        native_.mesh.layers.push_back(std::move(layer));
    }

    Build& build_;
    const MeshPlace& place_;
    FileParts& file_;
    const Mesh& source_;
    SkinReader skin_;
    std::string path_;
    NativeMesh native_;
    std::vector<Part> parts_;
    bool keep_winding_ = false;  ///< triangles stay as the scene has them
    bool clockwise_ = true;      ///< what becomes of them, in the scene's frame
    glm::dmat4 matrix_{1};
    glm::dmat3 normal_matrix_{1};
    float side_ = 1;  ///< of the bitangent, which a mirror image turns over
    bool is_identity_ = true;
    std::vector<Vec3> positions_, normals_;  ///< in the scene's frame
    InfluenceTable table_;
};

}  // namespace

Result<std::optional<NativeMesh>> new_mesh(Build& build, std::size_t place) { return NewMesh(build, place).run(); }

}  // namespace effigy::emfx::bridge
