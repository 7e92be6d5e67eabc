/// Puts points, bones, strips and expressions into an ARP file.

#include "avatar.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "body.hpp"
#include "face.hpp"
#include "motions.hpp"
#include "strip.hpp"

namespace signer {

namespace {

using namespace effigy;

arp::FourCC code(const std::string& name) {
    arp::FourCC code{};
    std::copy_n(name.begin(), std::min(name.size(), code.size()), code.begin());
    return code;
}

dvec3 ground() { return -joint("ROOT").position; }  // the pelvis is the origin of files

Vec3 to_direction(dvec3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

/// Offsets from bones as they stand in the T-pose. The file says nowhere where that is.
void add_points(arp::File& file, arp::Points& points, const Mesh& mesh) {
    for (const Joint& joint : skeleton()) file.link_names.push_back(joint.name);
    for (const Point& point : mesh.points) {
        points.link_counts.push_back(static_cast<std::uint32_t>(point.weights.size()));
        for (const Weight& weight : point.weights) {
            const Joint& joint = skeleton()[weight.bone];
            const dquat back = glm::conjugate(joint.rotation);
            const Vec3 offset = to_units(back * (dvec3(point.position) - joint.position));
            points.offsets.push_back(offset);
            points.normals.push_back(to_direction(back * dvec3(point.normal)));
            points.bones.push_back(static_cast<std::uint32_t>(weight.bone));
            points.weights.push_back(static_cast<float>(weight.weight));
            points.distances.push_back(std::max(offset.x, 0.0f));
        }
    }
}

/// A point that wears several texture coordinates has duplicates for all but the first.
void add_faces(arp::Mesh& out, const Mesh& mesh) {
    const std::size_t count = mesh.points.size();
    out.texcoords.resize(count);
    std::vector<bool> is_worn(count);
    std::map<std::array<float, 3>, std::uint16_t> vertices;
    const auto vertex = [&](const Corner& corner) {
        const std::array<float, 3> key{static_cast<float>(corner.point), corner.texcoord.x, corner.texcoord.y};
        if (const auto found = vertices.find(key); found != vertices.end()) return found->second;
        std::size_t index = corner.point;
        if (is_worn[index]) {
            index = out.texcoords.size();
            out.texcoords.emplace_back();
            out.duplicates.push_back(corner.point);
        } else {
            is_worn[index] = true;
        }
        out.texcoords[index] = {corner.texcoord.x, corner.texcoord.y};
        return vertices[key] = static_cast<std::uint16_t>(index);
    };
    std::vector<std::array<std::uint16_t, 3>> triangles;
    for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({vertex(a), vertex(b), vertex(c)});
    const std::vector<std::uint16_t> strip = one_strip(triangles);
    out.strip.assign(strip.begin(), strip.end());
}

/// In the head's frame: x to the left, y up, z ahead, however the bone stands.
void add_morph(arp::Mesh& out, const Mesh& mesh, const Expression& expression) {
    const double quarter = std::sqrt(0.5);
    const dquat back = glm::conjugate(joint("HEAD").rotation * dquat(quarter, 0, 0, -quarter));
    std::vector<vec3> positions;
    for (const Point& point : mesh.points) positions.push_back(point.position + displacement(expression, point));
    const std::vector<vec3> normals = smooth_normals(mesh, positions);
    arp::MorphTarget target{expression.name, {}};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const vec3 offset = positions[i] - mesh.points[i].position;
        if (glm::length(offset) < 2e-5f) continue;
        target.sets.push_back(
            {static_cast<std::uint32_t>(i), 1, to_units(back * dvec3(offset)), to_direction(back * dvec3(normals[i]))});
    }
    out.morph_targets.push_back(std::move(target));
}

arp::PoseEntry entry(const Pose& pose, std::size_t bone) {
    return {code(skeleton()[bone].name), to_units(local_translation(bone)), to_quat(local_rotation(pose, bone))};
}

arp::Bone rest_bone(const Pose& rest, std::size_t bone) {
    const Joint& joint = skeleton()[bone];
    const dquat rotation = local_rotation(rest, bone);
    const dquat twist = glm::normalize(dquat(rotation.w, -rotation.x, 0, 0));
    std::string parent = joint.parent == no_bone ? std::string(4, '\0') : skeleton()[joint.parent].name;
    return {joint.name,        std::move(parent), to_units(local_translation(bone)),
            to_quat(rotation), to_quat(twist),    static_cast<float>(joint.length * units_per_metre)};
}

arp::AmbientFrame ambient_frame(const Frame& frame) {
    arp::AmbientFrame result;
    for (const MorphAmount& morph : frame.morphs)
        result.morphs.push_back({code(morph.target), static_cast<float>(morph.amount)});
    for (const char* name : {"SPI2", "SPI3", "HEAD", "LEYE", "REYE"}) {
        const std::size_t index = bone(name);
        // What is put behind a bone's rotation turns about its own axes.
        const dquat stands = joint(name).rotation;
        const dquat turn = glm::conjugate(stands) * frame.pose.turns[index] * stands;
        result.bones.push_back({code(name), to_units(local_translation(index)), to_quat(turn)});
    }
    return result;
}

}  // namespace

Vec3 to_units(dvec3 metres) { return to_direction(metres * units_per_metre); }

Quat to_quat(const dquat& q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

arp::File make_avatar() {
    Mesh mesh = make_body();
    append(mesh, make_head());
    std::vector<vec3> positions;
    for (const Point& point : mesh.points) positions.push_back(point.position);
    const std::vector<vec3> normals = smooth_normals(mesh, positions);
    for (std::size_t i = 0; i < normals.size(); ++i) mesh.points[i].normal = normals[i];

    arp::File file;
    file.volume_low = to_units(ground() + dvec3(-1, 0, -0.5));
    file.volume_high = to_units(ground() + dvec3(1, 1.8, 0.5));  // without hair: players take this for 1.8 m
    file.reflectance = {0.75f, 0.75f, 0.75f};
    arp::Mesh& out = file.meshes.emplace_back();
    add_points(file, out.points, mesh);
    add_faces(out, mesh);
    for (const Expression& expression : expressions()) add_morph(out, mesh, expression);
    const Pose rest = rest_pose(), usual = default_pose();
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        file.bones.push_back(rest_bone(rest, i));
        file.default_pose.push_back(entry(usual, i));
    }
    arp::Ambient& ambient = file.ambient.emplace();
    for (const Frame& frame : ambient_motion()) ambient.frames.push_back(ambient_frame(frame));
    file.texture.name = texture_name;
    file.texture.flags[2] = 1;  // a PNG
    return file;
}

}  // namespace signer
