/// Meshes at rest as OBJ and PLY can show them, checked, and what is lost of the scene.

#include "playback/still.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "effigy/core_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/problem.hpp"

namespace effigy {
namespace {

Diagnostic contradiction(std::string path, const char* message, std::string found = {}) {
    return problem_at(std::move(path), codes::output_scene, message, std::move(found));
}

/// Values as floats, e.g. a span of Vec3.
template <class T>
std::span<const float> numbers_of(std::span<const T> values) {
    return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float)};
}

template <class T>
Result<void> check_finite(std::span<const T> values, const std::string& path) {
    const auto numbers = numbers_of(values);
    const auto bad = std::find_if(numbers.begin(), numbers.end(), [](float value) { return !std::isfinite(value); });
    if (bad == numbers.end()) return {};
    auto failure = problem_at(path, codes::output_not_finite, "a number that is not finite cannot be written",
                              std::isnan(*bad) ? "NaN"
                              : *bad > 0       ? "infinity"
                                               : "-infinity");
    failure.expected = "a finite number";
    return fail(std::move(failure));
}

Result<void> check_primitive(const Scene& scene, const Mesh& mesh, const Primitive& primitive,
                             const std::string& path) {
    const std::uint64_t end = std::uint64_t{primitive.first_vertex} + primitive.vertex_count;
    if (end > mesh.vertex_count)
        return fail(contradiction(path, "the vertices are not all in the mesh", std::to_string(end)));
    if (!makes_whole(primitive.topology, primitive.indices.size())) {
        return fail(contradiction(path + " / indices", "the indices make no whole triangles or lines",
                                  std::to_string(primitive.indices.size())));
    }
    const auto astray = std::find_if(primitive.indices.begin(), primitive.indices.end(),
                                     [&](std::uint32_t index) { return index >= primitive.vertex_count; });
    if (astray != primitive.indices.end())
        return fail(contradiction(path + " / indices", "an index names no vertex", std::to_string(*astray)));
    if (primitive.material != no_index && primitive.material >= scene.materials.size())
        return fail(contradiction(path, "the material does not exist", std::to_string(primitive.material)));
    return {};
}

Result<void> check_materials(const Scene& scene) {
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const Material& material = scene.materials[i];
        const std::string path = "materials[" + std::to_string(i) + "]";
        for (const TextureSlot* slot :
             {&material.base_color_texture, &material.normal_texture, &material.emissive_texture}) {
            if (slot->used() && slot->image >= scene.images.size())
                return fail(contradiction(path, "the image does not exist", std::to_string(slot->image)));
        }
        const std::array<float, 10> values{material.base_color.r, material.base_color.g,
                                           material.base_color.b, material.base_color.a,
                                           material.emissive.x,   material.emissive.y,
                                           material.emissive.z,   material.roughness,
                                           material.metallic,     material.normal_texture.strength};
        if (auto finite = check_finite(std::span<const float>(values), path); !finite) return finite;
    }
    return {};
}

/// Null if the mesh has none.
Result<const Attribute*> attribute_of(const Mesh& mesh, Semantic semantic, std::uint32_t set, const std::string& path) {
    const Attribute* const whole = find_attribute(mesh, semantic, set);
    const bool is_there = std::any_of(mesh.attributes.begin(), mesh.attributes.end(),
                                      [&](const Attribute& one) { return one.semantic == semantic && one.set == set; });
    if (whole == nullptr && is_there) return fail(contradiction(path, "there is not one element for each vertex"));
    return whole;
}

/// Finite numbers of each element, after those that `out` has already.
template <class Element>
Result<void> read_attribute(const Attribute& attribute, Bulk<Element>& out, const std::string& path) {
    constexpr std::size_t width = sizeof(Element) / sizeof(float);
    auto* const numbers = reinterpret_cast<float*>(out.data());
    read_numbers(attribute.data, std::span(numbers, width * out.size()), width);
    return check_finite(std::span<const Element>(out), path);
}

Result<void> add_texcoords(const Scene& scene, StillMesh& still, const std::string& path) {
    const std::uint32_t set = shown_texcoords(scene, *still.mesh);
    const std::string place = path + " / TEXCOORD_" + std::to_string(set);
    const auto attribute = attribute_of(*still.mesh, Semantic::texcoord, set, place);
    if (!attribute) return fail(attribute.error());
    if (*attribute == nullptr) return {};
    if ((*attribute)->data.element != ElementType::vec2) return fail(contradiction(place, "these are not pairs"));
    still.texcoords.resize(still.mesh->vertex_count);
    if (auto done = read_attribute(**attribute, still.texcoords, place); !done) return done;
    for (Vec2& uv : still.texcoords) uv.y = 1 - uv.y;
    return {};
}

Result<void> add_colors(StillMesh& still, const std::string& path) {
    const std::string place = path + " / COLOR_0";
    const auto attribute = attribute_of(*still.mesh, Semantic::color, 0, place);
    if (!attribute) return fail(attribute.error());
    if (*attribute == nullptr) return {};
    const ElementType element = (*attribute)->data.element;
    if (element != ElementType::vec3 && element != ElementType::vec4)
        return fail(contradiction(place, "these are no colours"));
    still.colors.assign(still.mesh->vertex_count, {0, 0, 0, 1});
    return read_attribute(**attribute, still.colors, place);
}

Result<StillMesh> still_mesh(const Scene& scene, const playback::PosedMesh& posed) {
    StillMesh still;
    still.node = &scene.nodes[posed.node];
    still.mesh = &scene.meshes[posed.mesh];
    still.mirrored = posed.mirrored;
    still.vertices = posed.vertices;
    const std::string path = "meshes[" + std::to_string(posed.mesh) + "]";
    if (still.vertices.positions.size() != still.mesh->vertex_count)
        return fail(contradiction(path, "there is not one position for each vertex"));
    for (std::size_t i = 0; i < still.mesh->primitives.size(); ++i) {
        const std::string place = path + " / primitives[" + std::to_string(i) + "]";
        if (auto fits = check_primitive(scene, *still.mesh, still.mesh->primitives[i], place); !fits)
            return fail(std::move(fits.error()));
    }
    auto fits = check_finite(still.vertices.positions, path + " / POSITION")
                    .and_then([&] { return check_finite(still.vertices.normals, path + " / NORMAL"); })
                    .and_then([&] { return add_texcoords(scene, still, path); })
                    .and_then([&] { return add_colors(still, path); });
    if (!fits) return fail(std::move(fits.error()));
    return still;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many) + (count == 1 ? " is" : " are");
}

std::size_t count_attributes(const Scene& scene, Semantic semantic, std::size_t written) {
    std::size_t count = 0;
    for (const Mesh& mesh : scene.meshes) {
        const auto all = static_cast<std::size_t>(
            std::count_if(mesh.attributes.begin(), mesh.attributes.end(),
                          [&](const Attribute& attribute) { return attribute.semantic == semantic; }));
        count += all - std::min(all, written);
    }
    return count;
}

template <class List, class Counts>
std::size_t count_of(const List& list, Counts counts) {
    return static_cast<std::size_t>(std::count_if(list.begin(), list.end(), counts));
}

/// How a texture is laid on beyond its coordinates.
bool is_plain(const TextureSlot& slot) {
    return slot.offset == Vec2{} && slot.rotation == 0 && slot.scale == Vec2{1, 1} && slot.wrap_u == Wrap::repeat &&
           slot.wrap_v == Wrap::repeat;
}

class Losses {
public:
    Losses(const Scene& scene, const StillFormat& format) : scene_(scene), format_(format) {}

    Report collect() {
        note_nothing_drawn();
        add(scene_.clips.size(), "clip", "clips", "left out");
        add(scene_.skins.size(), "skin", "skins", "left out, with what binds vertices to joints");
        add_targets();
        add(scene_.lights.size(), "light", "lights", "left out");
        add_lines();
        add_nodes();
        add(count_attributes(scene_, Semantic::texcoord, 1), "further set of texture coordinates",
            "further sets of texture coordinates", "left out");
        add(count_attributes(scene_, Semantic::color, format_.colors ? 1 : 0), "set of vertex colours",
            "sets of vertex colours", "left out");
        add(count_attributes(scene_, Semantic::tangent, 0) + count_attributes(scene_, Semantic::custom, 0),
            "set of tangents or other numbers of vertices", "sets of tangents or other numbers of vertices", "left out",
            false);
        add_materials();
        add_extras();
        return std::move(report_);
    }

private:
    void add(std::size_t count, const std::string& one, const std::string& many, const std::string& what,
             bool is_seen = true) {
        if (count == 0) return;
        report_.add(problem_at({}, is_seen ? format_.code : format_.plain_code,
                               counted(count, one, many) + " " + what + ", as " + std::string(format_.name) +
                                   " has no place for " + (count == 1 ? "it" : "them")));
    }

    void note_nothing_drawn() {
        const auto is_drawn = [](const Node& node) { return node.mesh != no_index && !node.hidden; };
        if (scene_.nodes.empty() || std::any_of(scene_.nodes.begin(), scene_.nodes.end(), is_drawn)) return;
        report_.add(problem_at({}, format_.code, "no mesh is drawn: the file is written without a triangle"));
    }

    void add_targets() {
        std::size_t count = 0;
        for (const Mesh& mesh : scene_.meshes) count += mesh.targets.size();
        add(count, "morph target", "morph targets", "left out");
    }

    void add_lines() {
        if (format_.lines) return;
        std::size_t count = 0;
        for (const Mesh& mesh : scene_.meshes) {
            count += count_of(mesh.primitives, [](const Primitive& primitive) {
                return !primitive.indices.empty() && !has_triangles(primitive.topology);
            });
        }
        add(count, "group of lines or points", "groups of lines or points", "left out");
    }

    void add_nodes() {
        add(count_of(scene_.nodes, [](const Node& node) { return node.mesh != no_index && node.hidden; }),
            "hidden mesh", "hidden meshes", "left out (levels of detail, collision meshes)", false);
        add(count_of(scene_.nodes, [](const Node& node) { return node.mesh == no_index; }), "node without a mesh",
            "nodes without a mesh", "left out", false);
    }

    void add_materials() {
        if (!format_.materials) {
            add(scene_.materials.size(), "material", "materials", "left out");
            add(scene_.images.size(), "image", "images", "left out");
            return;
        }
        const auto& materials = scene_.materials;
        add(count_of(materials,
                     [](const Material& material) {
                         return material.metallic_roughness_texture.used() || material.occlusion_texture.used();
                     }),
            "map of metal, roughness or occlusion", "maps of metal, roughness or occlusion", "left out");
        add(count_of(materials,
                     [](const Material& material) {
                         return !is_plain(material.base_color_texture) || !is_plain(material.normal_texture) ||
                                !is_plain(material.emissive_texture);
                     }),
            "material that moves, turns or does not repeat its texture",
            "materials that move, turn or do not repeat their textures", "written without that");
        add(count_of(materials, [](const Material& material) { return material.double_sided; }),
            "material that shows both sides", "materials that show both sides", "written without that", false);
    }

    void add_extras() {
        const auto has = [](const auto& object) { return !object.extras.json.empty(); };
        const std::size_t count = count_of(scene_.nodes, has) + count_of(scene_.meshes, has) +
                                  count_of(scene_.skins, has) + count_of(scene_.materials, has) +
                                  count_of(scene_.clips, has) + (scene_.asset_extras.json.empty() ? 0u : 1u);
        add(count, "note of the source's own (extras)", "notes of the source's own (extras)", "left out", false);
    }

    const Scene& scene_;
    const StillFormat& format_;
    Report report_;
};

}  // namespace

std::uint32_t shown_texcoords(const Scene& scene, const Mesh& mesh) {
    for (const Primitive& primitive : mesh.primitives) {
        if (primitive.material >= scene.materials.size()) continue;
        const TextureSlot& slot = scene.materials[primitive.material].base_color_texture;
        if (slot.used() && find_attribute(mesh, Semantic::texcoord, slot.texcoord) != nullptr) return slot.texcoord;
    }
    return 0;
}

Result<Still> still_of(const Scene& scene) {
    if (auto fits = check_materials(scene); !fits) return fail(std::move(fits.error()));
    auto poser = playback::Poser::make(scene);
    if (!poser) return fail(std::move(poser.error()));
    Still still{std::move(*poser), {}};
    for (const playback::PosedMesh& posed : still.poser.meshes()) {
        auto mesh = still_mesh(scene, posed);
        if (!mesh) return fail(std::move(mesh.error()));
        still.meshes.push_back(std::move(*mesh));
    }
    return still;
}

Report still_losses(const Scene& scene, const StillFormat& format) { return Losses(scene, format).collect(); }

}  // namespace effigy
