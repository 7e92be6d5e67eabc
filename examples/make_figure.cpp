// Builds the example character with the public API and writes it: an actor, two skeletal motions, a morph motion, a
// texture and a list of step events. Usage: make_figure FOLDER

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "effigy/image.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "figure/body.hpp"
#include "figure/face.hpp"
#include "figure/motions.hpp"
#include "figure/texture.hpp"

namespace {

using namespace effigy;
using namespace figure;

Vec3 stored(glm::vec3 v) { return {v.x, v.y, v.z}; }
Quat stored(glm::quat q) { return {q.x, q.y, q.z, q.w}; }

enum Material : std::uint32_t { painted, glossy, glowing };
Material material_of(Part part) { return part == Part::eye ? glossy : part == Part::flame ? glowing : painted; }

// ---- meshes ----

template <class T>
xac::VertexLayer layer(xac::LayerType type, const std::vector<T>& values, bool deforms) {
    xac::VertexLayer result;
    result.type = type;
    result.element_size = sizeof(T);
    result.enable_deformations = deforms ? 1 : 0;
    result.data.resize(values.size() * sizeof(T));
    std::memcpy(result.data.data(), values.data(), result.data.size());
    return result;
}

/// A mesh together with the way from its vertices back to the shape's.
struct BuiltMesh {
    xac::Mesh mesh;
    std::vector<std::uint32_t> originals;
};

/// Orders the vertices by material, because a submesh owns one run of them.
std::vector<std::uint32_t> vertex_order(const RenderShape& rendered, Material material) {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(rendered.uv.size(), false);
    for (const Triangle& triangle : rendered.triangles) {
        if (material_of(triangle.part) != material) continue;
        for (const std::uint32_t corner : triangle.corners) {
            if (!seen[corner]) order.push_back(corner);
            seen[corner] = true;
        }
    }
    return order;
}

BuiltMesh build_mesh(const Shape& shape, const RenderShape& rendered, Bone node) {
    BuiltMesh result;
    std::vector<glm::vec3> positions, normals;
    std::vector<glm::vec2> uvs;
    std::vector<glm::vec4> tangents;
    std::vector<std::uint32_t> place(rendered.uv.size());
    for (const Material material : {painted, glossy, glowing}) {
        const auto order = vertex_order(rendered, material);
        if (order.empty()) continue;
        xac::Submesh submesh;
        submesh.material = material;
        submesh.vertex_count = static_cast<std::uint32_t>(order.size());
        std::set<std::uint32_t> bones;
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            const std::uint32_t original = rendered.original[order[i]];
            place[order[i]] = i;  // indices count from the submesh's first vertex
            result.originals.push_back(original);
            positions.push_back(shape.positions[original]);
            normals.push_back(shape.normals[original]);
            uvs.push_back(rendered.uv[order[i]]);
            tangents.push_back(rendered.tangents[order[i]]);
            if (!shape.weights.empty())
                for (const Weight& weight : shape.weights[original]) bones.insert(weight.bone);
        }
        for (const Triangle& triangle : rendered.triangles)
            if (material_of(triangle.part) == material)
                for (const std::uint32_t corner : triangle.corners) submesh.indices.push_back(place[corner]);
        submesh.bones.assign(bones.begin(), bones.end());
        result.mesh.index_count += static_cast<std::uint32_t>(submesh.indices.size());
        result.mesh.submeshes.push_back(std::move(submesh));
    }
    result.mesh.node = node;
    result.mesh.original_vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    result.mesh.vertex_count = static_cast<std::uint32_t>(positions.size());
    using enum xac::LayerType;  // engines expect this order
    result.mesh.layers = {layer(original_vertex, result.originals, false), layer(position, positions, true),
                          layer(normal, normals, true), layer(uv, uvs, false), layer(tangent, tangents, true)};
    return result;
}

xac::Skinning build_skinning(const Shape& shape, Bone node) {
    xac::Skinning skinning;
    skinning.node = node;
    std::set<Bone> bones;
    for (const Weights& weights : shape.weights) {  // one range for each vertex of the shape, not for each split copy
        skinning.ranges.push_back(
            {static_cast<std::uint32_t>(skinning.influences.size()), static_cast<std::uint32_t>(weights.size())});
        for (const Weight& weight : weights) {
            skinning.influences.push_back({weight.weight, weight.bone, {}});
            bones.insert(weight.bone);
        }
    }
    skinning.local_bone_count = static_cast<std::uint32_t>(bones.size());
    return skinning;
}

// ---- morph targets ----

xac::PackedDirection pack_direction(glm::vec3 delta) {
    xac::PackedDirection packed;
    for (int i = 0; i < 3; ++i)
        packed.value[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(std::lround((glm::clamp(delta[i], -1.0f, 1.0f) + 1) * 127.5f));
    return packed;
}

xac::MorphTarget build_target(const Expression& expression, const Shape& rest, const Shape& moved,
                              const BuiltMesh& built) {
    xac::MorphDeformation deformation;
    deformation.node = face;
    for (std::size_t i = 0; i < rest.positions.size(); ++i) {
        const glm::vec3 delta = moved.positions[i] - rest.positions[i];
        for (int axis = 0; axis < 3; ++axis) {
            deformation.min_value = std::min(deformation.min_value, delta[axis]);
            deformation.max_value = std::max(deformation.max_value, delta[axis]);
        }
    }
    const float span = deformation.max_value - deformation.min_value;
    for (std::uint32_t vertex = 0; vertex < built.originals.size(); ++vertex) {
        const std::uint32_t original = built.originals[vertex];
        const glm::vec3 delta = moved.positions[original] - rest.positions[original];
        if (glm::length(delta) < 1e-5f) continue;
        xac::PackedPosition position;
        for (int axis = 0; axis < 3; ++axis)
            position.value[static_cast<std::size_t>(axis)] =
                static_cast<std::uint16_t>(std::lround((delta[axis] - deformation.min_value) / span * 65535));
        deformation.vertices.push_back(vertex);
        deformation.positions.push_back(position);
        deformation.normals.push_back(pack_direction(moved.normals[original] - rest.normals[original]));
        deformation.tangents.push_back(pack_direction({}));
    }
    xac::MorphTarget target;
    target.name = expression.name;
    target.phoneme_sets = expression.phonemes;
    target.deformations.push_back(std::move(deformation));
    return target;
}

xac::MorphTargets build_targets(const Shape& rest, const BuiltMesh& built, float detail) {
    xac::MorphTargets targets;
    for (const Expression& expression : expressions())
        targets.targets.push_back(build_target(expression, rest, make_face(expression, detail), built));
    return targets;
}

// ---- nodes and materials ----

xac::Nodes build_nodes() {
    xac::Nodes nodes;
    nodes.root_count = 1;
    for (std::uint16_t i = 0; i < bone_count; ++i) {
        const Joint& joint = skeleton()[i];
        xac::Node node;
        node.name = joint.name;
        if (i == root) {
            node.position = stored(joint.position);
            node.rotation = stored(joint.rotation);
        } else {  // files hold transforms relative to the parent
            const Joint& parent = skeleton()[joint.parent];
            const glm::quat back = glm::conjugate(parent.rotation);
            node.parent = joint.parent;
            node.position = stored(back * (joint.position - parent.position));
            node.rotation = stored(glm::normalize(back * joint.rotation));
            ++nodes.nodes[joint.parent].child_count;
        }
        nodes.nodes.push_back(std::move(node));
    }
    return nodes;
}

xac::Limit build_limit(Bone node, float min_degrees, float max_degrees) {
    xac::Limit limit;
    limit.node = node;
    limit.rotation_min = {glm::radians(min_degrees), 0, 0};
    limit.rotation_max = {glm::radians(max_degrees), 0, 0};
    limit.scale_min = limit.scale_max = {1, 1, 1};
    limit.flags.fill(1);
    return limit;
}

xac::StandardMaterial build_material(const char* name, Color diffuse, float shine, bool textured) {
    xac::StandardMaterial material;
    material.name = name;
    material.ambient = {0.2f, 0.2f, 0.2f, 1};
    material.diffuse = diffuse;
    material.specular = {shine, shine, shine, 1};
    material.shine = 64 * shine;
    material.shine_strength = shine;
    if (textured) {
        xac::MaterialLayer slot;
        slot.map_type = 2;  // diffuse
        slot.texture = "figure_diffuse";
        material.layers.push_back(slot);
        material.padding = 1;
    }
    return material;
}

// ---- the actor ----

void add(xac::File& file, std::uint32_t id, std::uint32_t version, xac::Record record) {
    file.chunks.push_back({id, version, {}, std::move(record), {}});
}

BuiltMesh add_mesh(xac::File& file, const Shape& shape, Bone node, Canvas* canvas) {
    const RenderShape rendered = unwrap(shape);
    if (canvas != nullptr) canvas->paint(shape, rendered);
    BuiltMesh built = build_mesh(shape, rendered, node);
    add(file, 1, 1, built.mesh);
    if (!shape.weights.empty()) add(file, 2, 3, build_skinning(shape, node));
    return built;
}

void add_head_of_file(xac::File& file) {
    xac::Info info;
    info.source_application = "effigy example";
    info.actor_name = "figure";
    add(file, 7, 2, info);
    add(file, 11, 1, build_nodes());
    add(file, 6, 1, build_limit(l_forearm, 0, 145));
    add(file, 6, 1, build_limit(r_forearm, 0, 145));
    add(file, 6, 1, build_limit(l_calf, -150, 0));
    add(file, 6, 1, build_limit(r_calf, -150, 0));
    add(file, 13, 1, xac::MaterialInfo{0, 3, 3, 0});
    add(file, 3, 2, build_material("painted_wood", {1, 1, 1, 1}, 0.1f, true));
    add(file, 3, 2, build_material("eyes", {1, 1, 1, 1}, 0.9f, true));
    xac::StandardMaterial glow = build_material("lantern_glow", {1, 0.75f, 0.35f, 1}, 0.2f, false);
    glow.emissive = {1, 0.6f, 0.2f, 1};
    add(file, 3, 2, glow);
}

void add_helpers(xac::File& file) {
    xac::NodeGroups groups;
    groups.groups.push_back({0,
                             {},
                             "upper_body",
                             {spine, chest, neck, head, l_clavicle, l_upper_arm, l_forearm, l_hand, r_clavicle,
                              r_upper_arm, r_forearm, r_hand}});
    add(file, 10, 1, std::move(groups));
    xac::NodeMotionSources sources;
    for (std::uint16_t i = 0; i < bone_count; ++i) sources.sources.push_back(mirrored(static_cast<Bone>(i)));
    add(file, 14, 1, std::move(sources));
    add(file, 15, 1, xac::AttachmentNodes{{r_grip}});
}

xac::File build_actor(float detail, Canvas* canvas) {
    xac::File file;
    add_head_of_file(file);
    add_mesh(file, make_body(detail), body, canvas);
    const Shape rest = make_face(neutral_expression(), detail);
    const BuiltMesh head_mesh = add_mesh(file, rest, face, canvas);
    add_mesh(file, make_hat(detail), hat, canvas);
    add_mesh(file, make_lantern(detail), lantern, canvas);
    if (detail < 1) return file;  // levels of detail hold meshes only

    BuiltMesh hull = build_mesh(make_hull(), unwrap(make_hull()), root);
    hull.mesh.is_collision = 1;
    add(file, 1, 1, std::move(hull.mesh));
    add(file, 12, 1, build_targets(rest, head_mesh, detail));
    add_helpers(file);
    xac::MeshLod lod;
    lod.level = 1;
    lod.actor.push_back(build_actor(detail / 2, nullptr));
    add(file, 8, 1, std::move(lod));
    return file;
}

// ---- files ----

bool report(const Result<void>& result) {
    if (!result) std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
    return result.has_value();
}

bool write_bytes(const Bytes& bytes, const std::filesystem::path& path) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) std::fprintf(stderr, "%s: cannot be written\n", path.string().c_str());
    return static_cast<bool>(file);
}

bool make_all(const std::filesystem::path& folder, float detail) {
    Canvas canvas(1024);
    const xac::File actor = build_actor(detail, &canvas);
    const auto texture = image::encode_png(canvas.finish());
    if (!texture) return report(tl::make_unexpected(texture.error()));
    return report(xac::write_file(actor, folder / "figure.xac")) &&
           report(xsm::write_file(make_walk(), folder / "walk.xsm")) &&
           report(xsm::write_file(make_wave(), folder / "wave.xsm")) &&
           report(xpm::write_file(make_talk(), folder / "talk.xpm")) &&
           write_bytes(make_step_events(), folder / "walk.xsmtime") &&
           write_bytes(*texture, folder / "figure_diffuse.png");
}

}  // namespace

int main(int argument_count, char** arguments) {
    const float detail = argument_count == 3 ? std::strtof(arguments[2], nullptr) : 1;
    if (argument_count < 2 || argument_count > 3 || !(detail >= 0.5f && detail <= 4)) {
        std::fprintf(stderr,
                     "usage: make_figure FOLDER [DETAIL]\nDETAIL from 0.5 to 4 for fewer or more triangles (1)\n");
        return 2;
    }
    std::error_code error;
    std::filesystem::create_directories(arguments[1], error);
    return make_all(arguments[1], detail) ? 0 : 1;
}
