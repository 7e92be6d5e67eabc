#include "playback/still.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "core/problem.hpp"

namespace effigy {
namespace {

Diagnostic contradiction(std::string path, const char* message, std::string found = {}) {
    return problem_at(std::move(path), "output-scene", message, std::move(found));
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
    auto failure = problem_at(path, "output-not-finite", "a number that is not finite cannot be written",
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

const Attribute* find(const Mesh& mesh, Semantic semantic, std::uint32_t set) {
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(), [&](const Attribute& attribute) {
        return attribute.semantic == semantic && attribute.set == set;
    });
    return found == mesh.attributes.end() ? nullptr : &*found;
}

template <class Component>
float component_at(std::span<const std::byte> bytes, std::size_t index, float divisor) {
    Component value;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return static_cast<float>(value) / divisor;
}

/// The attribute's numbers as floats, fractions included; nothing if it is of a type that is not meant for this.
std::optional<Bulk<float>> read_numbers(const Accessor& data) {
    Bulk<float> numbers(data.bytes.size() / component_size(data.component));
    const auto fill = [&](auto read, float divisor) {
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = read(data.bytes, i, divisor);
    };
    if (data.component == ComponentType::f32) {
        fill(component_at<float>, 1.0f);
    } else if (data.component == ComponentType::u8 && data.normalized) {
        fill(component_at<std::uint8_t>, 255.0f);
    } else if (data.component == ComponentType::u16 && data.normalized) {
        fill(component_at<std::uint16_t>, 65535.0f);
    } else {
        return std::nullopt;
    }
    return numbers;
}

Result<Bulk<float>> read_attribute(const Mesh& mesh, const Attribute& attribute, const std::string& path) {
    if (attribute.data.count() != mesh.vertex_count)
        return fail(
            contradiction(path, "there is not one element for each vertex", std::to_string(attribute.data.count())));
    auto numbers = read_numbers(attribute.data);
    if (!numbers) return fail(contradiction(path, "the numbers are of a type that does not fit"));
    if (auto finite = check_finite(std::span<const float>(*numbers), path); !finite)
        return fail(std::move(finite.error()));
    return std::move(*numbers);
}

Result<void> add_texcoords(const Scene& scene, StillMesh& still, const std::string& path) {
    const std::uint32_t set = shown_texcoords(scene, *still.mesh);
    const Attribute* const attribute = find(*still.mesh, Semantic::texcoord, set);
    if (attribute == nullptr) return {};
    const std::string place = path + " / TEXCOORD_" + std::to_string(set);
    if (attribute->data.element != ElementType::vec2) return fail(contradiction(place, "these are not pairs"));
    const auto numbers = read_attribute(*still.mesh, *attribute, place);
    if (!numbers) return fail(numbers.error());
    still.texcoords.resize(still.mesh->vertex_count);
    for (std::size_t i = 0; i < still.texcoords.size(); ++i)
        still.texcoords[i] = {(*numbers)[2 * i], 1 - (*numbers)[2 * i + 1]};
    return {};
}

Result<void> add_colors(StillMesh& still, const std::string& path) {
    const Attribute* const attribute = find(*still.mesh, Semantic::color, 0);
    if (attribute == nullptr) return {};
    const std::string place = path + " / COLOR_0";
    const bool has_alpha = attribute->data.element == ElementType::vec4;
    if (!has_alpha && attribute->data.element != ElementType::vec3)
        return fail(contradiction(place, "these are no colours"));
    const auto numbers = read_attribute(*still.mesh, *attribute, place);
    if (!numbers) return fail(numbers.error());
    const std::size_t width = has_alpha ? 4 : 3;
    still.colors.resize(still.mesh->vertex_count);
    for (std::size_t i = 0; i < still.colors.size(); ++i) {
        const float* const color = numbers->data() + width * i;
        still.colors[i] = {color[0], color[1], color[2], has_alpha ? color[3] : 1};
    }
    return {};
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
            Severity::info);
        add_materials();
        add_extras();
        return std::move(report_);
    }

private:
    void add(std::size_t count, const std::string& one, const std::string& many, const std::string& what,
             Severity severity = Severity::warning) {
        if (count == 0) return;
        Diagnostic finding;
        finding.code = format_.code;
        finding.severity = severity;
        finding.message = counted(count, one, many) + " " + what + ", as " + std::string(format_.name) +
                          " has no place for " + (count == 1 ? "it" : "them");
        report_.add(std::move(finding));
    }

    void note_nothing_drawn() {
        const auto is_drawn = [](const Node& node) { return node.mesh != no_index && !node.hidden; };
        if (scene_.nodes.empty() || std::any_of(scene_.nodes.begin(), scene_.nodes.end(), is_drawn)) return;
        Diagnostic finding;
        finding.code = format_.code;
        finding.severity = Severity::warning;
        finding.message = "no mesh is drawn: the file is written without a triangle";
        report_.add(std::move(finding));
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
            "hidden mesh", "hidden meshes", "left out (levels of detail, collision meshes)", Severity::info);
        add(count_of(scene_.nodes, [](const Node& node) { return node.mesh == no_index; }), "node without a mesh",
            "nodes without a mesh", "left out", Severity::info);
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
            "material that shows both sides", "materials that show both sides", "written without that", Severity::info);
    }

    void add_extras() {
        const auto has = [](const auto& object) { return !object.extras.json.empty(); };
        const std::size_t count = count_of(scene_.nodes, has) + count_of(scene_.meshes, has) +
                                  count_of(scene_.skins, has) + count_of(scene_.materials, has) +
                                  count_of(scene_.clips, has) + (scene_.asset_extras.json.empty() ? 0u : 1u);
        add(count, "note of the source's own (extras)", "notes of the source's own (extras)", "left out",
            Severity::info);
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
        if (slot.used() && find(mesh, Semantic::texcoord, slot.texcoord) != nullptr) return slot.texcoord;
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
