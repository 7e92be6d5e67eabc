/// Hashes of nodes, meshes, skins, lights, materials and clips: docs/gltf.md, "Hashes".

#include "effigy/hashes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <type_traits>

#include "core/hasher.hpp"
#include "scene/attribute_names.hpp"
#include "scene/material_slots.hpp"
#include "scene/morph_slices.hpp"
#include "scene/validate.hpp"

namespace effigy {
namespace {

// -0 equals 0, is not written where 0 is the default, and must not hash otherwise.
template <class T>
T or_default(const T& value, const T& usual) {
    return value == usual ? usual : value;
}

template <class T>
void add(Hasher& hasher, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    hasher.add(std::as_bytes(std::span<const T, 1>(&value, 1)));
}

void add_numbers(Hasher& hasher, std::span<const float> values) { hasher.add(std::as_bytes(values)); }

std::uint64_t hash_of(std::span<const float> values) {
    Hasher hasher;
    add_numbers(hasher, values);
    return hasher.digest();
}

void add(Hasher& hasher, const std::string& text) {
    add(hasher, std::uint64_t{text.size()});
    hasher.add(std::as_bytes(std::span(text)));
}

// Sorted by name: glTF does not keep the order.
void add_attributes(Hasher& hasher, const Mesh& mesh, std::span<const VertexRun> spans) {
    std::map<std::string, const Accessor*> attributes;
    for (const Attribute& attribute : mesh.attributes) attributes.emplace(attribute_name(attribute), &attribute.data);
    for (const auto& [name, data] : attributes) {
        add(hasher, name);
        const auto bytes = bytes_of(data->bytes);
        const std::size_t stride = data->stride();
        for (const VertexRun& span : spans) {
            const std::size_t begin = std::min(bytes.size(), span.first * stride);
            hasher.add(bytes.subspan(begin, std::min(bytes.size() - begin, span.count * stride)));
        }
    }
}

// Listed vertices that stay are not found again where the accessor is a full one.
void add_slice(Hasher& hasher, const MorphSlice& slice) {
    for (const auto& offsets : slice.offsets) {
        if (offsets.empty()) continue;
        for (std::size_t i = 0; i < slice.indices.size(); ++i) {
            if (!slice.is_sparse && !is_moved(offsets[i])) continue;
            add(hasher, slice.indices[i] - slice.range.first);
            add_numbers(hasher, std::array{offsets[i].x, offsets[i].y, offsets[i].z});
        }
    }
}

void add_slot(Hasher& hasher, const Scene& scene, const TextureSlot& slot, bool has_strength) {
    const bool is_there = is_written(scene, slot);
    add(hasher, std::uint8_t{is_there});
    if (!is_there) return;
    add(hasher, scene.images[slot.image].name);
    add(hasher, slot.texcoord);
    add(hasher, slot.wrap_u);
    add(hasher, slot.wrap_v);
    const Vec2 offset = or_default(slot.offset, Vec2{}), scale = or_default(slot.scale, Vec2{1, 1});
    add_numbers(hasher, std::array{offset.x, offset.y, or_default(slot.rotation, 0.0f), scale.x, scale.y,
                                   has_strength ? slot.strength : 1.0f});
}

bool has_drawn_mesh(const Scene& scene, Index node) {
    if (node >= scene.nodes.size() || scene.nodes[node].mesh >= scene.meshes.size()) return false;
    const auto& primitives = scene.meshes[scene.nodes[node].mesh].primitives;
    return std::any_of(primitives.begin(), primitives.end(), is_drawn);
}

template <class List, class Hash>
void set_hashes(List& objects, Hash&& hash) {
    for (auto& object : objects) object.extras.hash = object.extras.json.empty() ? 0 : hash(object);
}

template <class Object>
bool has_hash(const Object& object, std::uint64_t hash) {
    return object.extras.hash != 0 && object.extras.hash == hash;
}

// The answer for an object that stands in `list`; no for any other.
template <class Answers, class Object, class Hash>
bool ask(Answers& answers, const std::vector<Object>& list, const Object& object, Hash&& hash) {
    using Answer = typename Answers::value_type;
    const std::less<const Object*> before;
    if (before(&object, list.data()) || !before(&object, list.data() + answers.size())) return false;
    auto& answer = answers[static_cast<std::size_t>(&object - list.data())];
    if (answer == Answer::open) {
        const bool has_record = !object.extras.json.empty() && object.extras.hash != 0;
        answer = has_record && object.extras.hash == hash() ? Answer::yes : Answer::no;
    }
    return answer == Answer::yes;
}

}  // namespace

std::uint64_t hash_of(const Node& node) {
    if (node.matrix && *node.matrix != Mat4{}) return hash_of(std::span<const float>(node.matrix->m));
    const Transform usual;
    const Transform& local = node.matrix ? usual : node.local;
    const Vec3 translation = or_default(local.translation, usual.translation);
    const Quat rotation = or_default(local.rotation, usual.rotation);
    const Vec3 scale = or_default(local.scale, usual.scale);
    return hash_of(std::array{translation.x, translation.y, translation.z, rotation.x, rotation.y, rotation.z,
                              rotation.w, scale.x, scale.y, scale.z});
}

std::uint64_t hash_of(const Mesh& mesh) {
    Hasher hasher;
    const std::vector<VertexRun> spans = vertex_runs(mesh);
    add_attributes(hasher, mesh, spans);
    for (const Primitive& primitive : mesh.primitives) {
        if (is_drawn(primitive)) hasher.add(bytes_of(primitive.indices));
    }
    for (const MorphTarget& target : mesh.targets) {
        for (const VertexRun& span : spans) add_slice(hasher, slice_of(target, span));
    }
    return hasher.digest();
}

// glTF wants the last row to be exact.
std::uint64_t hash_of(const Skin& skin) {
    Hasher hasher;
    for (Mat4 matrix : skin.inverse_bind_matrices) {
        matrix.m[3] = matrix.m[7] = matrix.m[11] = 0;
        matrix.m[15] = 1;
        add_numbers(hasher, std::span<const float>(matrix.m));
    }
    return hasher.digest();
}

std::uint64_t hash_of(const Light& light) {
    const Light usual;
    const bool is_spot = light.kind == LightKind::spot;
    const Vec3 color = or_default(light.color, usual.color);
    const float range = light.kind == LightKind::directional ? usual.range : or_default(light.range, usual.range);
    return hash_of(std::array{color.x, color.y, color.z, light.intensity, range,
                              is_spot ? light.inner_cone : usual.inner_cone,
                              is_spot ? light.outer_cone : usual.outer_cone});
}

std::uint64_t hash_of(const Scene& scene, const Material& material) {
    Hasher hasher;
    add(hasher, material.name);
    const bool cuts = material.alpha_mode == AlphaMode::mask;
    const Color& color = material.base_color;
    // glTF's factor ends at 1; what shines more has a strength.
    const Vec3 emissive = or_default(material.emissive, Vec3{});
    const float strength = std::max({emissive.x, emissive.y, emissive.z, 1.0f});
    add_numbers(hasher, std::array{color.r, color.g, color.b, color.a, material.metallic, material.roughness,
                                   emissive.x / strength, emissive.y / strength, emissive.z / strength, strength,
                                   cuts ? material.alpha_cutoff : 0.5f});
    add(hasher,
        std::array{static_cast<std::uint8_t>(material.alpha_mode), static_cast<std::uint8_t>(material.double_sided),
                   static_cast<std::uint8_t>(material.unlit)});
    add_slot(hasher, scene, material.base_color_texture, false);
    add_slot(hasher, scene, material.metallic_roughness_texture, false);
    add_slot(hasher, scene, material.normal_texture, true);
    add_slot(hasher, scene, material.occlusion_texture, true);
    add_slot(hasher, scene, material.emissive_texture, false);
    if (!reflects_as_usual(material)) {  // Older files know nothing of this.
        const Vec3& tint = material.specular_color;
        add_numbers(hasher, std::array{material.ior, material.specular, tint.x, tint.y, tint.z});
    }
    return hasher.digest();
}

// Tracks without keys say nothing, and neither do weights of a mesh that is not drawn.
std::uint64_t hash_of(const Scene& scene, const Clip& clip) {
    Hasher hasher;
    for (const Track& track : clip.tracks) {
        if (track.times.empty()) continue;
        if (track.path == TrackPath::weights && !has_drawn_mesh(scene, track.node)) continue;
        add_numbers(hasher, std::span<const float>(track.times));
        add_numbers(hasher, std::span<const float>(track.values));
        if (track.interpolation != Interpolation::linear) add(hasher, track.interpolation);
    }
    return hasher.digest();
}

void set_hashes(Scene& scene) {
    set_hashes(scene.nodes, [](const Node& node) { return hash_of(node); });
    set_hashes(scene.meshes, [](const Mesh& mesh) { return hash_of(mesh); });
    set_hashes(scene.skins, [](const Skin& skin) { return hash_of(skin); });
    set_hashes(scene.materials, [&](const Material& material) { return hash_of(scene, material); });
    set_hashes(scene.lights, [](const Light& light) { return hash_of(light); });
    set_hashes(scene.clips, [&](const Clip& clip) { return hash_of(scene, clip); });
}

Untouched::Untouched(const Scene& scene)
    : scene_(scene),
      nodes_(scene.nodes.size()),
      meshes_(scene.meshes.size()),
      skins_(scene.skins.size()),
      materials_(scene.materials.size()),
      lights_(scene.lights.size()),
      clips_(scene.clips.size()) {}

bool Untouched::operator()(const Node& node) const {
    return ask(nodes_, scene_.nodes, node, [&] { return hash_of(node); });
}
bool Untouched::operator()(const Mesh& mesh) const {
    return ask(meshes_, scene_.meshes, mesh, [&] { return hash_of(mesh); });
}
bool Untouched::operator()(const Skin& skin) const {
    return ask(skins_, scene_.skins, skin, [&] { return hash_of(skin); });
}
bool Untouched::operator()(const Material& material) const {
    return ask(materials_, scene_.materials, material, [&] { return hash_of(scene_, material); });
}
bool Untouched::operator()(const Light& light) const {
    return ask(lights_, scene_.lights, light, [&] { return hash_of(light); });
}
bool Untouched::operator()(const Clip& clip) const {
    return ask(clips_, scene_.clips, clip, [&] { return hash_of(scene_, clip); });
}

KeepMaterials::KeepMaterials(Scene& scene) : scene_(scene) {
    for (const Material& material : scene.materials) {
        untouched_.push_back(material.extras.json.empty() || has_hash(material, hash_of(scene, material)));
        if (untouched_.back()) hashes_.insert(material.extras.hash);
    }
}

// Those that were added are variants of others.
KeepMaterials::~KeepMaterials() {
    for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
        Material& material = scene_.materials[i];
        const bool kept = i < untouched_.size() ? untouched_[i] : hashes_.contains(material.extras.hash);
        if (kept && !material.extras.json.empty()) material.extras.hash = hash_of(scene_, material);
    }
}

}  // namespace effigy
