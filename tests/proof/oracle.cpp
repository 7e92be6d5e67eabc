/// Reads XAC, XSM and XPM from their bytes.

#include "proof/oracle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace oracle {
namespace {

[[noreturn]] void refuse(const char* why) { throw std::runtime_error(std::string("oracle: ") + why); }

/// Reads numbers of either byte order, one after the other.
class Cursor {
public:
    Cursor(ByteView bytes, bool big_endian)
        : bytes_(bytes), swap_(big_endian == (std::endian::native == std::endian::little)) {}

    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - offset_; }
    void seek(std::size_t offset) { offset_ = offset; }

    ByteView take(std::size_t count) {
        if (count > left()) refuse("the file ends early");
        offset_ += count;
        return bytes_.subspan(offset_ - count, count);
    }
    template <class T>
    T number() {
        std::array<std::byte, sizeof(T)> raw{};
        std::ranges::copy(take(sizeof(T)), raw.begin());
        if (swap_) std::ranges::reverse(raw);
        return std::bit_cast<T>(raw);
    }
    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint16_t u16() { return number<std::uint16_t>(); }
    std::uint32_t u32() { return number<std::uint32_t>(); }
    double f32() { return static_cast<double>(number<float>()); }
    double i16() { return std::max(number<std::int16_t>() / 32767.0, -1.0); }
    Vec2 vec2() {
        const double x = f32(), y = f32();
        return {x, y};
    }
    Vec3 vec3() {
        const double x = f32(), y = f32(), z = f32();
        return {x, y, z};
    }
    Vec4 vec4() {
        const double x = f32(), y = f32(), z = f32(), w = f32();
        return {x, y, z, w};
    }
    Quat quat(bool packed = false) {
        const double x = packed ? i16() : f32(), y = packed ? i16() : f32();
        const double z = packed ? i16() : f32(), w = packed ? i16() : f32();
        const Quat q(w, x, y, z);
        return glm::length(q) > 0 ? glm::normalize(q) : Quat(1, 0, 0, 0);
    }
    std::string string() {
        const ByteView raw = take(u32());
        std::string text(raw.size(), '\0');
        if (!raw.empty()) std::memcpy(text.data(), raw.data(), raw.size());
        return text;
    }
    void skip(std::size_t count) { take(count); }

private:
    ByteView bytes_;
    bool swap_;
    std::size_t offset_ = 0;
};

struct ChunkHead {
    std::uint32_t id = 0, size = 0, version = 0;
};

struct FileHead {
    bool big_endian = false;
    int multiplication_order = 0;
};

FileHead file_head(ByteView bytes, std::string_view magic) {
    if (bytes.size() < 8 || std::memcmp(bytes.data(), magic.data(), 4) != 0) refuse("wrong magic");
    return {bytes[6] != std::byte{0}, bytes[7] == std::byte{0} ? 0 : 1};
}

// The parts of an actor ---------------------------------------------------------------------------------------------

Node read_node(Cursor& in, std::uint32_t version) {
    Node node;
    node.bind.rotation = in.quat();
    node.bind.scale_rotation = in.quat();
    node.bind.position = in.vec3();
    node.bind.scale = in.vec3();
    in.skip(12);                    // shear
    in.skip(version >= 4 ? 8 : 4);  // masks of levels of detail
    node.parent = in.u32();
    if (version >= 4) in.skip(4);   // number of children
    if (version >= 2) in.skip(4);   // flags
    if (version >= 3) in.skip(64);  // box
    if (version >= 4) in.skip(4);   // importance
    node.name = in.string();
    return node;
}

void read_layer(Cursor& in, Mesh& mesh, std::uint32_t vertex_count) {
    const std::uint32_t type = in.u32(), element_size = in.u32();
    const bool deformations_and_scale = (in.u8(), in.u8() != 0);
    in.skip(2);
    const std::size_t end = in.offset() + std::size_t{element_size} * vertex_count;
    const auto each = [&](auto& values, auto read_one) {
        values.resize(vertex_count);
        for (auto& value : values) value = read_one();
    };
    if (type == 0) each(mesh.positions, [&] { return in.vec3(); });
    if (type == 1) each(mesh.normals, [&] { return in.vec3(); });
    if (type == 2 && !deformations_and_scale) each(mesh.tangents.emplace_back(), [&] { return in.vec4(); });
    if (type == 3) each(mesh.uvs.emplace_back(), [&] { return in.vec2(); });
    if (type == 5) each(mesh.originals, [&] { return in.u32(); });
    in.seek(end);
}

Mesh read_mesh(Cursor& in, std::uint32_t version) {
    Mesh mesh;
    mesh.node = in.u32();
    if (version >= 2) mesh.lod = in.u32();
    mesh.original_count = in.u32();
    const std::uint32_t vertex_count = in.u32();
    in.skip(4);  // number of indices
    const std::uint32_t submesh_count = in.u32(), layer_count = in.u32();
    mesh.collision = in.u8() != 0;
    in.skip(3);
    for (std::uint32_t i = 0; i < layer_count; ++i) read_layer(in, mesh, vertex_count);
    std::uint32_t first_vertex = 0;
    for (std::uint32_t i = 0; i < submesh_count; ++i) {
        Submesh& submesh = mesh.submeshes.emplace_back();
        const std::uint32_t index_count = in.u32();
        submesh.first_vertex = first_vertex;
        submesh.vertex_count = in.u32();
        first_vertex += submesh.vertex_count;
        in.skip(4);  // material
        const std::uint32_t bone_count = in.u32();
        submesh.indices.resize(index_count);
        for (std::uint32_t& index : submesh.indices) index = in.u32();
        in.skip(std::size_t{4} * bone_count);
    }
    return mesh;
}

Influence read_influence(Cursor& in) {
    Influence influence;
    influence.weight = in.f32();
    influence.node = in.u16();
    in.skip(2);
    return influence;
}

void read_skinning(Cursor& in, std::uint32_t version, std::vector<Mesh>& meshes) {
    const std::uint32_t node = in.u32(), lod = version >= 4 ? in.u32() : 0;
    if (version >= 3) in.skip(4);  // number of nodes in use
    const std::uint32_t influence_count = version >= 2 ? in.u32() : 0;
    const bool collision = in.u8() != 0;
    in.skip(3);
    const auto mesh = std::ranges::find_if(meshes, [&](const Mesh& candidate) {
        return candidate.node == node && candidate.lod == lod && candidate.collision == collision;
    });
    if (mesh == meshes.end()) return;
    mesh->skinned = true;
    mesh->influences.resize(mesh->original_count);
    if (version == 1) {
        for (auto& list : mesh->influences) {
            list.resize(in.u8());
            for (Influence& influence : list) influence = read_influence(in);
        }
        return;
    }
    std::vector<Influence> table(influence_count);
    for (Influence& influence : table) influence = read_influence(in);
    for (auto& list : mesh->influences) {
        const std::uint32_t first = in.u32(), count = in.u32();
        for (std::uint32_t i = 0; i < count; ++i) list.push_back(table.at(first + i));
    }
}

MorphTarget read_target(Cursor& in) {
    MorphTarget target;
    target.range_min = in.f32();
    target.range_max = in.f32();
    target.lod = in.u32();
    const std::uint32_t deformation_count = in.u32(), transform_count = in.u32();
    target.phoneme_sets = in.u32();
    target.name = in.string();
    for (std::uint32_t i = 0; i < deformation_count; ++i) {
        Deformation& deformation = target.deformations.emplace_back();
        deformation.node = in.u32();
        const double low = in.f32(), high = in.f32();
        const std::uint32_t count = in.u32();
        const auto offset = [&] { return low + (high - low) * in.u16() / 65535.0; };
        const auto direction = [&] { return in.u8() / 127.5 - 1.0; };
        const auto triple = [](auto one) {
            const double x = one(), y = one(), z = one();
            return Vec3(x, y, z);
        };
        for (std::uint32_t v = 0; v < count; ++v) deformation.positions.push_back(triple(offset));
        for (std::uint32_t v = 0; v < count; ++v) deformation.normals.push_back(triple(direction));
        for (std::uint32_t v = 0; v < count; ++v) deformation.tangents.push_back(triple(direction));
        for (std::uint32_t v = 0; v < count; ++v) deformation.vertices.push_back(in.u32());
    }
    in.skip(std::size_t{60} * transform_count);
    return target;
}

/// The size of a standard material leaves its layers out; all other sizes are right.
std::size_t end_of_chunk(Cursor in, const ChunkHead& chunk) {
    const std::size_t end = in.offset() + chunk.size;
    if (chunk.id != 3 || chunk.version == 1) return end;
    in.skip(chunk.version == 3 ? 87 : 83);
    const std::uint8_t layer_count = in.u8();
    in.string();
    for (std::uint8_t i = 0; i < layer_count; ++i) {
        in.skip(28);
        in.string();
    }
    return in.offset();
}

std::uint32_t node_named(const std::vector<Node>& nodes, std::string_view name) {
    const auto found = std::ranges::find(nodes, name, &Node::name);
    return found == nodes.end() ? no_node : static_cast<std::uint32_t>(std::distance(nodes.begin(), found));
}

/// Puts the meshes of an embedded actor on the nodes of the same name.
void join_level(Actor& actor, Actor level, std::uint32_t number) {
    std::vector<std::uint32_t> place(level.nodes.size());
    for (std::size_t i = 0; i < level.nodes.size(); ++i) {
        place[i] = node_named(actor.nodes, level.nodes[i].name);
        if (place[i] != no_node) continue;
        Node node = level.nodes[i];
        if (node.parent != no_node) node.parent = place.at(node.parent);
        place[i] = static_cast<std::uint32_t>(actor.nodes.size());
        actor.nodes.push_back(node);
    }
    for (Mesh& mesh : level.meshes) {
        mesh.node = place.at(mesh.node);
        mesh.lod = number;
        for (auto& list : mesh.influences)
            for (Influence& influence : list) influence.node = place.at(influence.node);
        actor.meshes.push_back(std::move(mesh));
    }
}

// The parts of a motion ---------------------------------------------------------------------------------------------

Submotion read_submotion(Cursor& in, std::uint32_t record_version) {
    const bool packed = record_version >= 3;
    Submotion motion;
    motion.pose.rotation = in.quat(packed);
    in.quat(packed);  // of the bind pose
    motion.pose.scale_rotation = in.quat(packed);
    in.quat(packed);
    motion.pose.position = in.vec3();
    motion.pose.scale = in.vec3();
    motion.bind_position = in.vec3();
    motion.bind_scale = in.vec3();
    motion.positions.resize(in.u32());
    motion.rotations.resize(in.u32());
    motion.scales.resize(in.u32());
    motion.scale_rotations.resize(in.u32());
    if (record_version >= 2) in.skip(4);
    motion.name = in.string();
    const auto keys = [&](auto& track, auto read_one) {
        for (auto& key : track) {
            key.value = read_one();
            key.time = in.f32();
        }
    };
    keys(motion.positions, [&] { return in.vec3(); });
    keys(motion.rotations, [&] { return in.quat(packed); });
    keys(motion.scales, [&] { return in.vec3(); });
    keys(motion.scale_rotations, [&] { return in.quat(packed); });
    return motion;
}

WeightTrack read_weight_track(Cursor& in) {
    WeightTrack track;
    track.pose_weight = in.f32();
    const double low = in.f32(), high = in.f32();
    in.skip(4);
    track.keys.resize(in.u32());
    track.name = in.string();
    for (auto& key : track.keys) {
        key.time = in.f32();
        key.value = low + (high - low) * in.u16() / 65535.0;
        in.skip(2);
    }
    return track;
}

template <class Handle>
void each_chunk(Cursor in, Handle handle) {
    in.seek(8);
    while (in.left() >= 12) {
        ChunkHead chunk;
        chunk.id = in.u32();
        chunk.size = in.u32();
        chunk.version = in.u32();
        handle(in, chunk);
    }
}

// Meaning -----------------------------------------------------------------------------------------------------------

Vec3 between(const Vec3& a, const Vec3& b, double part, Interpolation) { return a + (b - a) * part; }
double between(double a, double b, double part, Interpolation) { return a + (b - a) * part; }
Quat between(const Quat& a, Quat b, double part, Interpolation interpolation) {
    if (glm::dot(a, b) < 0) b = -b;
    if (interpolation == Interpolation::slerp) return glm::normalize(glm::slerp(a, b, part));
    return glm::normalize(a * (1 - part) + b * part);
}

/// The engine's search: a time outside the keys gives the last one; of keys with one time, the later counts.
template <class T>
T sample(const std::vector<Key<T>>& keys, const T& pose, double time, Interpolation interpolation) {
    if (keys.empty()) return pose;
    const auto after = std::ranges::upper_bound(keys, time, {}, &Key<T>::time);
    if (after == keys.begin() || after == keys.end()) return keys.back().value;
    const Key<T>& before = *std::prev(after);
    const double part = (time - before.time) / (after->time - before.time);
    return between(before.value, after->value, part, interpolation);
}

template <class T>
void start_at_zero(std::vector<Key<T>>& keys) {
    // Times are floats, in files as in the engine.
    const float first = keys.empty() ? 0 : static_cast<float>(keys.front().time);
    for (Key<T>& key : keys) key.time = static_cast<double>(static_cast<float>(key.time) - first);
}

template <class T>
double last_time(const std::vector<Key<T>>& keys) {
    return keys.empty() ? 0 : keys.back().time;
}

}  // namespace

Actor read_actor(ByteView bytes) {
    const FileHead head = file_head(bytes, "XAC ");
    Actor actor;
    actor.multiplication_order = head.multiplication_order;
    std::vector<Actor> levels;
    each_chunk(Cursor(bytes, head.big_endian), [&](Cursor& in, const ChunkHead& chunk) {
        const std::size_t end = end_of_chunk(in, chunk);
        if (chunk.id == 0) actor.nodes.push_back(read_node(in, chunk.version));
        if (chunk.id == 11) {
            actor.nodes.resize(in.u32());
            in.skip(4);
            for (Node& node : actor.nodes) node = read_node(in, 4);
        }
        if (chunk.id == 1) actor.meshes.push_back(read_mesh(in, chunk.version));
        if (chunk.id == 2) read_skinning(in, chunk.version, actor.meshes);
        if (chunk.id == 9) actor.targets.push_back(read_target(in));
        if (chunk.id == 12) {
            std::uint32_t left = in.u32();
            in.skip(4);
            for (; left > 0; --left) actor.targets.push_back(read_target(in));
        }
        if (chunk.id == 8) {
            in.skip(4);
            const std::uint32_t size = in.u32();
            levels.push_back(read_actor(in.take(size)));
        }
        in.seek(end);
    });
    for (std::size_t i = 0; i < levels.size(); ++i)
        join_level(actor, std::move(levels[i]), static_cast<std::uint32_t>(i + 1));
    return actor;
}

Motion read_motion(ByteView bytes, Times times) {
    const FileHead head = file_head(bytes, "XSM ");
    Motion motion;
    each_chunk(Cursor(bytes, head.big_endian), [&](Cursor& in, const ChunkHead& chunk) {
        const std::size_t end = in.offset() + chunk.size;
        if (chunk.id == 200) {
            motion.submotions.push_back(read_submotion(in, chunk.version));
        } else if (chunk.id == 202) {
            for (std::uint32_t left = in.u32(); left > 0; --left)
                motion.submotions.push_back(read_submotion(in, chunk.version + 1));
        } else {
            in.seek(end);
        }
    });
    for (Submotion& submotion : motion.submotions) {
        if (times == Times::from_zero) {
            start_at_zero(submotion.positions);
            start_at_zero(submotion.rotations);
            start_at_zero(submotion.scales);
            start_at_zero(submotion.scale_rotations);
        }
        motion.duration = std::max({motion.duration, last_time(submotion.positions), last_time(submotion.rotations),
                                    last_time(submotion.scales), last_time(submotion.scale_rotations)});
    }
    return motion;
}

MorphMotion read_morph_motion(ByteView bytes, Times times) {
    const FileHead head = file_head(bytes, "XPM ");
    MorphMotion motion;
    each_chunk(Cursor(bytes, head.big_endian), [&](Cursor& in, const ChunkHead& chunk) {
        const std::size_t end = in.offset() + chunk.size;
        if (chunk.id == 100) motion.tracks.push_back(read_weight_track(in));
        if (chunk.id == 102)
            for (std::uint32_t left = in.u32(); left > 0; --left) motion.tracks.push_back(read_weight_track(in));
        in.seek(end);
    });
    for (WeightTrack& track : motion.tracks) {
        if (times == Times::from_zero) start_at_zero(track.keys);
        motion.duration = std::max(motion.duration, last_time(track.keys));
    }
    return motion;
}

Mat4 matrix(const Transform& transform, int multiplication_order) {
    const glm::dmat3 rotation = glm::mat3_cast(transform.rotation);
    const glm::dmat3 frame = glm::mat3_cast(transform.scale_rotation);
    const glm::dmat3 axes(transform.scale.x, 0, 0, 0, transform.scale.y, 0, 0, 0, transform.scale.z);
    const glm::dmat3 scale = frame * axes * glm::transpose(frame);
    Mat4 result(multiplication_order == 0 ? rotation * scale : scale * rotation);
    result[3] = Vec4(transform.position, 1);
    return result;
}

std::vector<Transform> bind_pose(const Actor& actor) {
    std::vector<Transform> pose;
    for (const Node& node : actor.nodes) pose.push_back(node.bind);
    return pose;
}

Motion retargeted(const Actor& actor, Motion motion) {
    const auto submotion_of = [&](const Node& node) {
        return std::ranges::find(motion.submotions, node.name, &Submotion::name);
    };
    std::vector<bool> moved;
    for (const Node& node : actor.nodes) moved.push_back(submotion_of(node) != motion.submotions.end());
    for (std::size_t i = 0; i < actor.nodes.size(); ++i) {
        if (!moved[i]) continue;
        bool below = false;
        for (std::uint32_t above = actor.nodes[i].parent; above != no_node; above = actor.nodes[above].parent)
            below = below || moved[above];
        Submotion& submotion = *submotion_of(actor.nodes[i]);
        const Transform& bind = actor.nodes[i].bind;
        const double height = submotion.bind_position.y;
        const double ratio = std::abs(height) > 1e-4 ? bind.position.y / height : 0;
        const bool is_scaled = !below && ratio > 0 && ratio <= 10;
        const double factor = is_scaled ? ratio : 1;
        const Vec3 shift = is_scaled ? Vec3(0) : bind.position - submotion.bind_position;
        const Vec3 stretch = bind.scale - submotion.bind_scale;
        submotion.pose.position = factor * submotion.pose.position + shift;
        for (auto& key : submotion.positions) key.value = factor * key.value + shift;
        submotion.pose.scale += stretch;
        for (auto& key : submotion.scales) key.value += stretch;
    }
    return motion;
}

std::vector<Transform> pose_at(const Actor& actor, const Motion& motion, double time, Interpolation interpolation) {
    std::vector<Transform> pose = bind_pose(actor);
    for (std::size_t i = 0; i < pose.size(); ++i) {
        const auto found = std::ranges::find(motion.submotions, actor.nodes[i].name, &Submotion::name);
        if (found == motion.submotions.end()) continue;
        pose[i].position = sample(found->positions, found->pose.position, time, interpolation);
        pose[i].rotation = sample(found->rotations, found->pose.rotation, time, interpolation);
        pose[i].scale = sample(found->scales, found->pose.scale, time, interpolation);
        pose[i].scale_rotation = sample(found->scale_rotations, found->pose.scale_rotation, time, interpolation);
    }
    return pose;
}

std::vector<Mat4> world_matrices(const Actor& actor, const std::vector<Transform>& local) {
    std::vector<Mat4> world;
    for (std::size_t i = 0; i < local.size(); ++i) {
        const std::uint32_t parent = actor.nodes[i].parent;
        const Mat4 own = matrix(local[i], actor.multiplication_order);
        world.push_back(parent < i ? world[parent] * own : own);
    }
    return world;
}

std::vector<double> weights_at(const Actor& actor, const MorphMotion* motion, double time) {
    std::vector<double> weights;
    for (const MorphTarget& target : actor.targets) {
        double weight = 0;
        if (motion != nullptr) {
            const auto track = std::ranges::find(motion->tracks, target.name, &WeightTrack::name);
            if (track != motion->tracks.end())
                weight = sample(track->keys, track->pose_weight, time, Interpolation::nlerp);
        }
        weights.push_back(std::clamp(weight, target.range_min, target.range_max));
    }
    return weights;
}

Drawing::Drawing(const Actor& actor) : actor_(&actor), bind_world_(world_matrices(actor, bind_pose(actor))) {
    for (const Mat4& bind : bind_world_) inverse_bind_.push_back(glm::inverse(bind));
}

Mat4 Drawing::vertex_matrix(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world) const {
    if (!mesh.skinned) return world.at(mesh.node);
    const std::vector<Influence>& influences = mesh.influences_of(vertex);
    if (influences.empty()) return world.at(mesh.node) * inverse_bind_.at(mesh.node);
    Mat4 sum(0.0);
    double total = 0;
    for (const Influence& influence : influences) {
        sum += influence.weight * (world.at(influence.node) * inverse_bind_.at(influence.node));
        total += influence.weight;
    }
    return sum / total;
}

Vec3 Drawing::morphed(Vec3 value, Offsets offsets, const Mesh& mesh, std::size_t vertex,
                      const std::vector<double>& weights) const {
    for (std::size_t t = 0; t < weights.size(); ++t) {
        if (weights[t] == 0) continue;
        for (const Deformation& deformation : actor_->targets[t].deformations) {
            if (deformation.node != mesh.node || mesh.collision || actor_->targets[t].lod != mesh.lod) continue;
            for (std::size_t i = 0; i < deformation.vertices.size(); ++i)
                if (deformation.vertices[i] == vertex) value += weights[t] * (deformation.*offsets)[i];
        }
    }
    return value;
}

Vec3 Drawing::position(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world,
                       const std::vector<double>& weights) const {
    const Vec3 place = morphed(mesh.positions.at(vertex), &Deformation::positions, mesh, vertex, weights);
    return Vec3(vertex_matrix(mesh, vertex, world) * Vec4(place, 1));
}

Vec3 Drawing::normal(const Mesh& mesh, std::size_t vertex, const std::vector<Mat4>& world,
                     const std::vector<double>& weights) const {
    const Vec3 unit = glm::normalize(mesh.normals.at(vertex));
    const Vec3 facing = morphed(unit, &Deformation::normals, mesh, vertex, weights);
    const glm::dmat3 linear(vertex_matrix(mesh, vertex, world));
    return mesh.skinned ? linear * facing : glm::transpose(glm::inverse(linear)) * facing;
}

bool fits(const Actor& actor, const Motion& motion) {
    return std::ranges::any_of(motion.submotions, [&](const Submotion& submotion) {
        return node_named(actor.nodes, submotion.name) != no_node;
    });
}

}  // namespace oracle
