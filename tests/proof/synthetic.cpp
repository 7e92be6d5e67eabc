/// Makes actors and motions with what real files have not shown.

#include "proof/synthetic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <string>
#include <string_view>

namespace synthetic {
namespace {

using oracle::Quat;
using oracle::Vec3;
using Bytes = std::vector<std::byte>;

class Writer {
public:
    explicit Writer(bool big_endian) : big_endian_(big_endian) {}

    [[nodiscard]] const Bytes& bytes() const noexcept { return bytes_; }
    [[nodiscard]] bool big_endian() const noexcept { return big_endian_; }

    template <class T>
    void number(T value) {
        auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
        if (big_endian_ == (std::endian::native == std::endian::little)) std::ranges::reverse(raw);
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    }
    void u8(std::size_t value) { number(static_cast<std::uint8_t>(value)); }
    void u16(std::size_t value) { number(static_cast<std::uint16_t>(value)); }
    void u32(std::size_t value) { number(static_cast<std::uint32_t>(value)); }
    void f32(double value) { number(static_cast<float>(value)); }
    void vec3(const Vec3& v) {
        for (int i = 0; i < 3; ++i) f32(v[i]);
    }
    void quat(const Quat& q, bool packed = false) {
        for (const double c : {q.x, q.y, q.z, q.w}) {
            if (packed)
                number(static_cast<std::int16_t>(c * 32767));
            else
                f32(c);
        }
    }
    void pad(std::size_t count) { bytes_.insert(bytes_.end(), count, std::byte{0xcd}); }
    void string(std::string_view text) {
        u32(text.size());
        for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    }
    void append(const Bytes& bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void header(std::string_view magic, int multiplication_order) {
        for (const char c : magic) bytes_.push_back(static_cast<std::byte>(c));
        u8(1);
        u8(0);
        u8(big_endian_ ? 1 : 0);
        u8(static_cast<std::size_t>(multiplication_order));
    }
    void chunk(std::size_t id, std::size_t version, const Writer& payload) {
        u32(id);
        u32(payload.bytes().size());
        u32(version);
        append(payload.bytes());
    }

private:
    bool big_endian_;
    Bytes bytes_;
};

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}

    /// The engine's own numbers, not a standard distribution: those differ between libraries.
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
    }
    std::size_t below(std::size_t count) { return engine_() % count; }
    bool once_in(std::size_t count) { return below(count) == 0; }
    Vec3 vector(double most) {
        const double x = between(-most, most), y = between(-most, most), z = between(-most, most);
        return {x, y, z};
    }
    Quat rotation(double max_angle) {
        const double angle = between(-max_angle, max_angle);
        return glm::angleAxis(angle, glm::normalize(vector(1) + Vec3(0, 1e-3, 0)));
    }
    Vec3 scale(Scales scales) {
        if (scales == Scales::uniform) return Vec3(between(0.6, 1.6));
        const double x = between(0.6, 1.6), y = between(0.6, 1.6), z = between(0.6, 1.6);
        return {x, y, z};
    }

private:
    std::mt19937 engine_;
};

constexpr std::size_t node_count = 12;
constexpr std::size_t mirroring_node = 4;  ///< with children
constexpr std::size_t grid = 5;            ///< vertices along a side of each patch
constexpr std::size_t patch_size = grid * grid;

std::string node_name(std::size_t node) {
    return node == 3 ? "S\xe4"
                       "bel"
                     : "node_" + std::to_string(node);  // one that is not UTF-8
}

std::size_t parent_of(std::size_t node) {
    constexpr std::array<std::size_t, node_count> parents{oracle::no_node, 0, 1, 2, 1, 4, 5, 4,
                                                          oracle::no_node, 8, 9, 0};
    return parents[node];
}

void write_info(Writer& file) {
    Writer info(file.big_endian());
    info.u32(0);
    info.u32(oracle::no_node);
    info.u8(3);
    info.u8(1);
    info.pad(2);
    info.f32(0);
    for (const char* text : {"maker", "C:\\figure.max", "Jan  1 2010", "figure"}) info.string(text);
    file.chunk(7, 2, info);
}

/// The older chunks hold one node each, without masks of motions, children and importance.
void write_node(Writer& nodes, Random& random, Scales scales, std::size_t i, bool older) {
    nodes.quat(random.rotation(3));
    nodes.quat(scales == Scales::turned ? random.rotation(1.5) : Quat(1, 0, 0, 0));
    nodes.vec3(random.vector(1));
    nodes.vec3(random.scale(scales) * (i == mirroring_node ? -1.0 : 1.0));
    nodes.vec3(Vec3(-1));
    nodes.u32(oracle::no_node);
    if (!older) nodes.u32(oracle::no_node);
    nodes.u32(parent_of(i));
    std::size_t children = 0;
    for (std::size_t k = 0; k < node_count; ++k) children += parent_of(k) == i;
    if (!older) nodes.u32(children);
    nodes.u8(1);
    nodes.pad(3);
    for (std::size_t k = 0; k < 16; ++k) nodes.f32(k % 5 == 0 ? 1 : 0);
    if (!older) nodes.f32(1);
    nodes.string(node_name(i));
}

void write_nodes(Writer& file, Random& random, Scales scales, bool older) {
    Writer list(file.big_endian());
    list.u32(node_count);
    list.u32(2);
    for (std::size_t i = 0; i < node_count; ++i) {
        Writer single(file.big_endian());
        write_node(older ? single : list, random, scales, i, older);
        if (older) file.chunk(0, 3, single);
    }
    if (!older) file.chunk(11, 1, list);
}

void write_materials(Writer& file, bool later) {
    Writer totals(file.big_endian());
    if (later) totals.u32(0);
    for (const std::size_t count : {1u, 1u, 0u}) totals.u32(count);
    file.chunk(13, later ? 2 : 1, totals);

    Writer material(file.big_endian());
    if (later) material.u32(0);
    for (int i = 0; i < 16; ++i) material.f32(0.5);
    for (const double value : {10.0, 0.5, 1.0, 1.5}) material.f32(value);
    for (const unsigned value : {0u, 0u, 70u, 0u}) material.u8(value);
    material.string("plain");
    file.chunk(3, later ? 3 : 2, material);
}

/// A bumpy patch with two UV sets. Most normals and tangents agree with it, some on purpose do not.
struct Patch {
    std::array<Vec3, patch_size> positions, normals;
    std::array<std::array<oracle::Vec2, patch_size>, 2> uvs;
    std::array<std::array<oracle::Vec4, patch_size>, 2> tangents;
    std::vector<std::size_t> indices;
};

Patch make_patch(Random& random) {
    Patch patch;
    const Quat turn = random.rotation(3);
    const Vec3 place = random.vector(1);
    for (std::size_t v = 0; v < patch_size; ++v) {
        const double x = static_cast<double>(v % grid) / (grid - 1), y = static_cast<double>(v / grid) / (grid - 1);
        patch.positions[v] = place + turn * Vec3(x, y, random.between(-0.05, 0.05));
        const double side = random.once_in(6) ? -1 : 1;
        patch.normals[v] = turn * glm::normalize(Vec3(0, 0, side) + random.vector(0.3));
        // The first set mirrors its texture, the second does not.
        patch.uvs[0][v] = {1.5 - x, y};
        patch.uvs[1][v] = {y * 2, 0.25 - x};
        const std::array<Vec3, 2> along_u{Vec3(-1, 0, 0), Vec3(0, 1, 0)}, along_v{Vec3(0, 1, 0), Vec3(-1, 0, 0)};
        for (std::size_t set = 0; set < 2; ++set) {
            const Vec3 tangent = turn * glm::normalize(along_u[set] + random.vector(0.2));
            const bool fits = glm::dot(glm::cross(patch.normals[v], tangent), turn * along_v[set]) > 0;
            patch.tangents[set][v] = oracle::Vec4(tangent, fits != random.once_in(8) ? 1 : -1);
        }
    }
    patch.tangents[0][7] = oracle::Vec4(0, 0, 0, 1);
    patch.tangents[0][8] *= oracle::Vec4(2.5, 2.5, 2.5, 1);
    patch.tangents[0][13] *= oracle::Vec4(0.1, 0.1, 0.1, 1);
    patch.normals[6] *= 0.5;
    patch.normals[11] = Vec3(0);
    for (std::size_t y = 0; y + 1 < grid; ++y)
        for (std::size_t x = 0; x + 1 < grid; ++x) {
            const std::size_t a = y * grid + x, b = a + 1, c = a + grid, d = c + 1;
            for (const std::size_t index : {a, b, c, b, d, c}) patch.indices.push_back(index);
        }
    for (std::size_t i = 0; i < 3; ++i) patch.indices.push_back(0);  // no area
    return patch;
}

enum class Versions { older, common, later };

struct MeshPlace {
    std::size_t node = 0;
    bool collision = false;
    std::size_t lod = 0;
};

void write_layer(Writer& mesh, std::size_t type, std::size_t element_size, bool deforms) {
    mesh.u32(type);
    mesh.u32(element_size);
    mesh.u8(deforms ? 1 : 0);
    mesh.u8(0);
    mesh.pad(2);
}

/// Two submeshes of one patch each; original vertices stand in reverse order.
void write_mesh(Writer& file, Random& random, const MeshPlace& place, bool later, bool is_skinned) {
    const std::array<Patch, 2> patches{make_patch(random), make_patch(random)};
    Writer mesh(file.big_endian());
    mesh.u32(place.node);
    if (later) mesh.u32(place.lod);
    mesh.u32(2 * patch_size);
    mesh.u32(2 * patch_size);
    mesh.u32(patches[0].indices.size() + patches[1].indices.size());
    mesh.u32(2);
    mesh.u32(7);
    mesh.u8(place.collision ? 1 : 0);
    mesh.pad(3);
    write_layer(mesh, 5, 4, false);
    for (std::size_t v = 0; v < 2 * patch_size; ++v) mesh.u32(2 * patch_size - 1 - v);
    write_layer(mesh, 0, 12, true);
    for (const Patch& patch : patches)
        for (const Vec3& v : patch.positions) mesh.vec3(v);
    write_layer(mesh, 1, 12, true);
    for (const Patch& patch : patches)
        for (const Vec3& v : patch.normals) mesh.vec3(v);
    for (std::size_t set = 0; set < 2; ++set) {
        write_layer(mesh, 3, 8, false);
        for (const Patch& patch : patches)
            for (const oracle::Vec2& uv : patch.uvs[set]) {
                mesh.f32(uv.x);
                mesh.f32(uv.y);
            }
    }
    for (std::size_t set = 0; set < 2; ++set) {
        write_layer(mesh, 2, 16, true);
        for (const Patch& patch : patches)
            for (const oracle::Vec4& tangent : patch.tangents[set]) {
                mesh.vec3(Vec3(tangent));
                mesh.f32(tangent.w);
            }
    }
    for (const Patch& patch : patches) {
        mesh.u32(patch.indices.size());
        mesh.u32(patch_size);
        mesh.u32(0);
        mesh.u32(is_skinned ? node_count : 0);
        for (const std::size_t index : patch.indices) mesh.u32(index);
        for (std::size_t i = 0; is_skinned && i < node_count; ++i) mesh.u32(i);
    }
    file.chunk(1, later ? 2 : 1, mesh);
}

/// Up to six influences; one vertex names a node twice, one has no influences at all, the weights of one do
/// not add up.
void write_skinning(Writer& file, Random& random, const MeshPlace& place, Versions versions) {
    std::vector<oracle::Influence> table;
    std::vector<std::array<std::size_t, 2>> ranges;
    for (std::size_t v = 0; v < 2 * patch_size; ++v) {
        const std::size_t count = v == 9 ? 0 : v == 10 ? 2 : 1 + random.below(6);
        ranges.push_back({table.size(), count});
        const std::size_t first_node = random.below(node_count);
        double left = v == 12 ? 0.4 : 1;
        for (std::size_t i = 0; i < count; ++i) {
            const double weight = i + 1 == count ? left : left * random.between(0.2, 0.8);
            const std::size_t node = v == 10 ? first_node : (first_node + 5 * i) % node_count;
            table.push_back({static_cast<std::uint32_t>(node), weight});
            left -= weight;
        }
    }
    Writer skinning(file.big_endian());
    skinning.u32(place.node);
    if (versions == Versions::later) skinning.u32(place.lod);
    if (versions != Versions::older) {
        skinning.u32(node_count);
        skinning.u32(table.size());
    }
    skinning.u8(place.collision ? 1 : 0);
    skinning.pad(3);
    const auto write = [&](const oracle::Influence& influence) {
        skinning.f32(influence.weight);
        skinning.u16(influence.node);
        skinning.pad(2);
    };
    if (versions == Versions::older) {
        for (const auto& [first, count] : ranges) {
            skinning.u8(count);
            for (std::size_t i = 0; i < count; ++i) write(table[first + i]);
        }
        file.chunk(2, 1, skinning);
        return;
    }
    for (const oracle::Influence& influence : table) write(influence);
    for (const auto& [first, count] : ranges) {
        skinning.u32(first);
        skinning.u32(count);
    }
    file.chunk(2, versions == Versions::later ? 4 : 3, skinning);
}

constexpr std::array<std::size_t, 2> morphed_nodes{2, 6};  ///< one rigid, one skinned
constexpr std::array<std::array<double, 2>, 3> target_ranges{{{0, 1}, {-0.5, 2}, {0, 0.75}}};

void write_target(Writer& targets, Random& random, std::size_t t) {
    const std::size_t mesh_count = t == 2 ? 1 : 2;
    targets.f32(target_ranges[t][0]);
    targets.f32(target_ranges[t][1]);
    targets.u32(0);
    targets.u32(mesh_count);
    targets.u32(0);
    targets.u32(t);
    targets.string("target_" + std::to_string(t));
    for (std::size_t m = 0; m < mesh_count; ++m) {
        std::vector<std::size_t> vertices;
        for (std::size_t v = t; v < 2 * patch_size; v += 1 + random.below(4)) vertices.push_back(v);
        if (t == 1) std::ranges::reverse(vertices);
        targets.u32(morphed_nodes[m]);
        targets.f32(-0.4);
        targets.f32(0.3);
        targets.u32(vertices.size());
        for (std::size_t i = 0; i < 3 * vertices.size(); ++i) targets.u16(random.below(65536));
        for (std::size_t i = 0; i < 6 * vertices.size(); ++i) targets.u8(random.below(256));
        for (const std::size_t v : vertices) targets.u32(v);
    }
}

void write_morphs(Writer& file, Random& random, bool older) {
    Writer list(file.big_endian());
    list.u32(target_ranges.size());
    list.u32(0);
    for (std::size_t t = 0; t < target_ranges.size(); ++t) {
        Writer single(file.big_endian());
        write_target(older ? single : list, random, t);
        if (older) file.chunk(9, 1, single);
    }
    if (!older) file.chunk(12, 1, list);
}

void write_meshes(Writer& file, Random& random, Versions versions, std::size_t lod) {
    const bool later = versions == Versions::later;
    const bool own_field = later && lod > 0;
    for (const MeshPlace& place : {MeshPlace{2, false, lod}, MeshPlace{5, false, lod}, MeshPlace{2, true, lod}}) {
        if (own_field && place.collision) continue;
        write_mesh(file, random, place, later, false);
    }
    for (const MeshPlace& place : {MeshPlace{6, false, lod}, MeshPlace{9, false, lod}}) {
        write_mesh(file, random, place, later, true);
        write_skinning(file, random, place, versions);
    }
}

Bytes make_actor(const ActorOptions& options, bool is_level) {
    Random random(options.seed);
    Writer file(options.big_endian);
    file.header("XAC ", options.multiplication_order);
    write_info(file);
    write_nodes(file, random, options.scales, options.older_versions);
    write_materials(file, options.later_versions);
    if (is_level) random = Random(options.seed + 1000);  // the same nodes under other meshes
    const Versions versions = options.older_versions   ? Versions::older
                              : options.later_versions ? Versions::later
                                                       : Versions::common;
    write_meshes(file, random, versions, 0);
    if (versions == Versions::later) write_meshes(file, random, versions, 1);
    if (options.morphs && !is_level) write_morphs(file, random, options.older_versions);
    if (options.embedded_level && !is_level) {
        const Bytes inner = make_actor(options, true);
        Writer level(options.big_endian);
        level.u32(0);
        level.u32(inner.size());
        level.append(inner);
        file.chunk(8, 1, level);
    }
    return file.bytes();
}

// Motions -----------------------------------------------------------------------------------------------------------

/// Rising times from 0, the last of them twice in some tracks.
std::vector<double> key_times(Random& random, const MotionOptions& options) {
    std::vector<double> times;
    const std::size_t count = 2 + random.below(8);
    double time = options.late_start && random.once_in(2) ? 0.15 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        times.push_back(time);
        if (!(i > 0 && random.once_in(6))) time += options.step * static_cast<double>(1 + random.below(3));
    }
    return times;
}

std::vector<oracle::Key<Quat>> rotation_keys(Random& random, const MotionOptions& options) {
    std::vector<oracle::Key<Quat>> keys;
    Quat rotation = random.rotation(3);
    for (const double time : key_times(random, options)) {
        keys.push_back({time, random.once_in(4) ? -rotation : rotation});
        rotation = rotation * random.rotation(options.swing);
    }
    return keys;
}

oracle::Submotion make_submotion(Random& random, const MotionOptions& options, const std::string& name) {
    oracle::Submotion motion;
    motion.name = name;
    motion.pose = {random.vector(1), random.rotation(3), random.scale(options.scales), Quat(1, 0, 0, 0)};
    if (!random.once_in(4)) motion.rotations = rotation_keys(random, options);
    if (!random.once_in(3))
        for (const double time : key_times(random, options)) motion.positions.push_back({time, random.vector(1)});
    if (random.once_in(3))
        for (const double time : key_times(random, options))
            motion.scales.push_back({time, random.scale(options.scales)});
    if (options.scales == Scales::turned) {
        motion.pose.scale_rotation = random.rotation(1.5);
        if (random.once_in(3)) motion.scale_rotations = rotation_keys(random, options);
    }
    return motion;
}

void write_submotion(Writer& file, const oracle::Submotion& motion, bool packed) {
    const Quat none(1, 0, 0, 0);
    for (const Quat& q : {motion.pose.rotation, none, motion.pose.scale_rotation, none}) file.quat(q, packed);
    for (const Vec3& v : {motion.pose.position, motion.pose.scale, Vec3(0), Vec3(1)}) file.vec3(v);
    for (const std::size_t count :
         {motion.positions.size(), motion.rotations.size(), motion.scales.size(), motion.scale_rotations.size()})
        file.u32(count);
    file.f32(0);
    file.string(motion.name);
    const auto vectors = [&](const std::vector<oracle::Key<Vec3>>& keys) {
        for (const auto& key : keys) {
            file.vec3(key.value);
            file.f32(key.time);
        }
    };
    const auto rotations = [&](const std::vector<oracle::Key<Quat>>& keys) {
        for (const auto& key : keys) {
            file.quat(key.value, packed);
            file.f32(key.time);
        }
    };
    vectors(motion.positions);
    rotations(motion.rotations);
    vectors(motion.scales);
    rotations(motion.scale_rotations);
}

void write_motion_info(Writer& file, bool skeletal) {
    Writer info(file.big_endian());
    if (skeletal) {
        info.f32(1);
        info.f32(1e8);
    }
    info.u32(30);
    info.u8(3);
    info.u8(1);
    info.pad(2);
    for (const char* text : {"maker", "C:\\figure.max", "Jan  1 2010", ""}) info.string(text);
    if (skeletal)
        file.chunk(201, 2, info);
    else
        file.chunk(101, 1, info);
}

}  // namespace

Bytes actor(const ActorOptions& options) { return make_actor(options, false); }

Bytes motion(const oracle::Actor& actor, const MotionOptions& options) {
    Random random(options.seed);
    std::vector<oracle::Submotion> submotions;
    for (std::size_t i = 0; i < actor.nodes.size(); ++i)
        if (i % 5 != 4) submotions.push_back(make_submotion(random, options, actor.nodes[i].name));
    submotions.push_back(make_submotion(random, options, "no such node"));
    submotions.push_back(make_submotion(random, options, actor.nodes.front().name));  // the first one counts

    Writer file(options.big_endian);
    file.header("XSM ", options.multiplication_order);
    write_motion_info(file, true);
    if (options.single_chunks) {
        for (const oracle::Submotion& submotion : submotions) {
            Writer chunk(options.big_endian);
            write_submotion(chunk, submotion, options.packed);
            file.chunk(200, options.packed ? 3 : 2, chunk);
        }
        return file.bytes();
    }
    Writer list(options.big_endian);
    list.u32(submotions.size());
    for (const oracle::Submotion& submotion : submotions) write_submotion(list, submotion, options.packed);
    file.chunk(202, options.packed ? 2 : 1, list);
    return file.bytes();
}

Bytes morph_motion(const oracle::Actor& actor, unsigned seed, bool big_endian) {
    Random random(seed);
    const MotionOptions timing;
    Writer list(big_endian);
    list.u32(actor.targets.size() + 1);
    for (std::size_t t = 0; t <= actor.targets.size(); ++t) {
        const std::vector<double> times = t == 1 ? std::vector<double>{} : key_times(random, timing);
        list.f32(0.25);
        list.f32(-1);
        list.f32(2);
        list.u32(0);
        list.u32(times.size());
        list.string(t < actor.targets.size() ? actor.targets[t].name : "no such target");
        for (const double time : times) {
            list.f32(time);
            list.u16(random.below(65536));
            list.pad(2);
        }
    }
    Writer file(big_endian);
    file.header("XPM ", 0);
    write_motion_info(file, false);
    file.chunk(102, 1, list);
    return file.bytes();
}

}  // namespace synthetic
