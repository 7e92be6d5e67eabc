/// Puts surfaces, bones and frames into an X42 file.

#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "body.hpp"
#include "motions.hpp"

namespace trader {

namespace {

using namespace effigy;

/// The game's characters look along -X; what is modelled looks along +Z.
vec3 to_file(vec3 v) { return {-v.z, v.y, v.x}; }
quat to_file(quat q) { return {q.w, -q.z, q.y, q.x}; }

Vec3 stored(vec3 v) { return {v.x, v.y, v.z}; }
vec3 loaded(Vec3 v) { return {v.x, v.y, v.z}; }

// ---- names ----

/// Names of a file: each string stands there once.
class Names {
public:
    std::uint16_t add(std::string_view text) {
        const auto [entry, fresh] = places_.try_emplace(std::string(text), static_cast<std::uint16_t>(strings.size()));
        if (fresh) {
            strings.insert(strings.end(), text.begin(), text.end());
            strings.push_back('\0');
        }
        return entry->second;
    }
    Bulk<char> strings;

private:
    std::map<std::string, std::uint16_t> places_;
};

// ---- packing ----

/// The smallest range that holds one component of all values.
template <class Vector>
x42::Range range_of(std::span<const Vector> values, int component) {
    x42::Range range{values.front()[component], values.front()[component]};
    for (const Vector& value : values) {
        range.low = std::min(range.low, value[component]);
        range.high = std::max(range.high, value[component]);
    }
    return range;
}

std::uint16_t packed(float value, const x42::Range& range) {
    const float span = range.high - range.low;
    return span > 0 ? static_cast<std::uint16_t>(std::lround((value - range.low) / span * 65530)) : std::uint16_t{0};
}

std::int16_t packed_16(float value) { return static_cast<std::int16_t>(std::lround(value * 32767)); }
std::int8_t packed_8(float value) { return static_cast<std::int8_t>(std::lround(value * 127)); }
x42::PackedNormal packed_direction(vec3 v) { return {packed_8(v.x), packed_8(v.y), packed_8(v.z)}; }

// ---- motion ----

/// The values of one type, each once.
template <class Value, class Palette>
class PaletteWriter {
public:
    explicit PaletteWriter(Palette& palette) : palette_(palette) {}
    std::uint16_t add(const Value& value) {
        const auto [entry, fresh] = places_.try_emplace(value, static_cast<std::uint16_t>(palette_.size()));
        if (fresh) palette_.push_back(value);
        return entry->second;
    }

private:
    Palette& palette_;
    std::map<Value, std::uint16_t> places_;
};

/// The keys of a track from its value at every frame: where it stands still, only the ends of the rest.
std::vector<x42::Key> keys_of(x42::KeyType type, Bone bone, const std::vector<std::uint16_t>& values) {
    std::vector<x42::Key> keys;
    const std::size_t last = values.size() - 1;
    for (std::size_t frame = 0; frame <= last; ++frame) {
        const bool rests =
            frame > 0 && frame < last && values[frame] == values[frame - 1] && values[frame] == values[frame + 1];
        if (!rests) keys.push_back({type, bone, static_cast<std::uint16_t>(frame), values[frame]});
    }
    return keys;
}

/// The first two keys of each track in their order, then all others by the frame from which on they are needed.
Bulk<x42::Key> key_stream(const std::vector<std::vector<x42::Key>>& tracks) {
    Bulk<x42::Key> stream;
    std::vector<std::pair<std::uint16_t, x42::Key>> later;
    for (const std::vector<x42::Key>& keys : tracks) {
        stream.push_back(keys[0]);
        stream.push_back(keys[1]);
        for (std::size_t i = 2; i < keys.size(); ++i) later.emplace_back(keys[i - 1].frame, keys[i]);
    }
    std::stable_sort(later.begin(), later.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [needed, key] : later) stream.push_back(key);
    return stream;
}

vec3 local_position(const Pose& pose, Bone bone) {
    const Joint& here = skeleton()[bone];
    return to_file(bone == here.parent ? here.position + pose.shift : here.position - joint(here.parent));
}

void add_motion(x42::File& file) {
    std::vector<Pose> poses;
    for (int frame = 0; frame < frame_count(); ++frame) poses.push_back(pose_at(frame));
    std::vector<vec3> places;
    for (const Pose& pose : poses)
        for (int bone = 0; bone < bone_count; ++bone) places.push_back(local_position(pose, static_cast<Bone>(bone)));
    x42::PackHeader& pack = file.pack;
    for (int axis = 0; axis < 3; ++axis)
        pack.animation_positions[static_cast<std::size_t>(axis)] = range_of<vec3>(places, axis);
    pack.animation_scales = {1, 1};
    file.scales = {0};  // nothing ever changes its size

    PaletteWriter<x42::PackedVec3, Bulk<x42::PackedVec3>> positions(file.positions);
    PaletteWriter<x42::PackedQuat, Bulk<x42::PackedQuat>> rotations(file.rotations);
    std::vector<std::vector<x42::Key>> tracks;
    for (std::uint16_t number = 0; number < bone_count; ++number) {
        const auto bone = static_cast<Bone>(number);
        std::vector<std::uint16_t> moves, turns;
        quat before(1, 0, 0, 0);
        for (const Pose& pose : poses) {
            const vec3 place = local_position(pose, bone);
            moves.push_back(positions.add({packed(place.x, pack.animation_positions[0]),
                                           packed(place.y, pack.animation_positions[1]),
                                           packed(place.z, pack.animation_positions[2])}));
            quat turn = glm::normalize(to_file(pose.turns[bone]));
            if (glm::dot(before, turn) < 0) turn = -turn;
            before = turn;
            turns.push_back(
                rotations.add({packed_16(turn.x), packed_16(turn.y), packed_16(turn.z), packed_16(turn.w)}));
        }
        tracks.push_back(keys_of(x42::KeyType::position, bone, moves));
        tracks.push_back(keys_of(x42::KeyType::scale, bone, std::vector<std::uint16_t>(poses.size(), 0)));
        tracks.push_back(keys_of(x42::KeyType::rotation, bone, turns));
    }
    file.keys = key_stream(tracks);
    file.header.frame_count = static_cast<std::uint16_t>(frame_count());
}

void add_animations(x42::File& file, Names& names) {
    for (const Clip& clip : clips()) {
        if (clip.name_in_model == nullptr) continue;
        x42::Animation animation;
        animation.name = names.add(clip.name_in_model);
        animation.first_frame = static_cast<std::uint16_t>(clip.first);
        animation.last_frame = static_cast<std::uint16_t>(clip.first + clip.count - 1);
        if (clip.loops) {
            animation.loop_start = animation.first_frame;
            animation.loop_end = animation.last_frame;
        }
        animation.frame_rate = frame_rate;
        file.animations.push_back(animation);
    }
}

// ---- bones ----

x42::Matrix matrix(vec3 x, vec3 y, vec3 z, vec3 origin) {
    return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, origin.x, origin.y, origin.z};
}
x42::Matrix moved(vec3 by) { return matrix({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, by); }

void add_bones(x42::File& file, Names& names) {
    for (std::uint16_t i = 0; i < bone_count; ++i) {
        const Joint& here = skeleton()[i];
        x42::Bone bone;
        bone.name = names.add(here.name);
        bone.parent = here.parent == i ? x42::no_bone : std::uint16_t{here.parent};
        file.bones.push_back(bone);
        x42::Influence influence;  // one for each bone: back from where it was modelled
        influence.bone = i;
        influence.mesh_to_bone = moved(to_file(-here.position));
        file.influences.push_back(influence);
    }
    file.animation_groups.push_back({names.add("legs"), legs_begin, torso_begin});
    file.animation_groups.push_back({names.add("torso"), torso_begin, bone_count});
}

void add_tags(x42::File& file, Names& names) {
    // What is held looks along -X as everything does: here along the fingers, with the thumb above.
    const vec3 along = arm_direction() * vec3(-1, 1, 1), thumb{0, 0, 1};
    const vec3 x = to_file(-along), y = to_file(thumb);
    file.tags.push_back({names.add("tag_weapon"), r_hand, matrix(x, y, glm::cross(x, y), to_file(along * 2.5f))});
    file.tags.push_back({names.add("tag_eye"), head, moved(to_file(vec3(0, 44, 7) - joint(head)))});
}

// ---- meshes ----

struct Mesh {
    Shape shape;
    std::vector<Weights> weights;
    std::vector<std::uint32_t> strip;  ///< instead of the shape's triangles
};

/// Rows of quads as one strip; triangles without area lead from row to row. Clockwise, as the game wants it.
void add_strip(std::vector<std::uint32_t>& strip, std::uint32_t first, int around, int along) {
    const auto row = static_cast<std::uint32_t>(around + 1);
    for (int j = 0; j < along; ++j) {
        const std::uint32_t low = first + static_cast<std::uint32_t>(j) * row;
        if (!strip.empty()) strip.insert(strip.end(), {strip.back(), low});
        for (std::uint32_t i = 0; i < row; ++i) strip.insert(strip.end(), {low + i, low + row + i});
    }
}

void add_patch(Mesh& mesh, const Patch& patch, int level, bool on_the_right) {
    const int around = std::max(patch.around >> level, 6), along = std::max(patch.along >> level, 4);
    const auto first = static_cast<std::uint32_t>(mesh.shape.vertices.size());
    const float inset = 2.0f / 1024;  // as wide as what the texture repeats
    const Chart chart{patch.chart.corner + inset, patch.chart.size - 2 * inset};
    Shape shape;
    surfaces::add(shape, patch.surface, around, along, chart);
    for (surfaces::Vertex& vertex : shape.vertices) {
        vertex.position = vec3(patch.frame * vec4(vertex.position, 1));
        vertex.normal = glm::mat3(patch.frame) * vertex.normal;
        vertex.tangent = vec4(glm::mat3(patch.frame) * vec3(vertex.tangent), vertex.tangent.w);
        Weights weights = patch.weights(vertex.position);
        if (on_the_right) {
            for (Weight& weight : weights) weight.bone = mirrored(weight.bone);
            vertex.position.x = -vertex.position.x;
            vertex.normal.x = -vertex.normal.x;
            vertex.tangent.x = -vertex.tangent.x;
            vertex.tangent.w = -vertex.tangent.w;
        }
        mesh.shape.vertices.push_back(vertex);
        mesh.weights.push_back(std::move(weights));
    }
    for (std::size_t i = 0; i < shape.indices.size(); i += 3) {
        const std::uint32_t a = shape.indices[i], b = shape.indices[i + 1], c = shape.indices[i + 2];
        const auto meet = [&](std::uint32_t one, std::uint32_t other) {  // at a pole
            return glm::distance(shape.vertices[one].position, shape.vertices[other].position) < 1e-3f;
        };
        if (meet(a, b) || meet(b, c) || meet(c, a)) continue;
        const std::uint32_t second = on_the_right ? b : c, third = on_the_right ? c : b;  // clockwise
        mesh.shape.indices.insert(mesh.shape.indices.end(), {first + a, first + second, first + third});
    }
    add_strip(mesh.strip, first, around, along);
}

Mesh make_mesh(std::size_t group, int level) {
    Mesh mesh;
    for (const Patch& patch : patches()) {
        if (patch.group != group) continue;
        add_patch(mesh, patch, level, false);
        if (patch.is_paired) add_patch(mesh, patch, level, true);
    }
    return mesh;
}

/// The bones that the vertices follow, as places in the group's palette.
std::map<Bone, std::uint8_t> palette_of(const Mesh& mesh, x42::Group& group) {
    std::map<Bone, std::uint8_t> palette;
    for (const Weights& weights : mesh.weights)
        for (const Weight& weight : weights) palette.try_emplace(weight.bone, std::uint8_t{0});
    for (auto& [bone, place] : palette) {
        place = static_cast<std::uint8_t>(group.influence_count);
        group.influences[group.influence_count++] = bone;  // influences stand in the order of the bones
    }
    return palette;
}

/// Index and weight of all but the last, and the last one's index; its weight is what is left.
void add_blend(Bytes& blend, const Weights& weights, std::size_t most, const std::map<Bone, std::uint8_t>& palette) {
    int left = 255;
    for (std::size_t i = 0; i < most; ++i) {
        const bool is_there = i < weights.size();
        blend.push_back(static_cast<std::byte>(is_there ? palette.at(weights[i].bone) : 0));
        if (i + 1 == most) continue;
        const bool is_last = i + 1 >= weights.size();
        const int share = !is_there ? 0 : is_last ? left : static_cast<int>(std::lround(weights[i].weight * 255));
        blend.push_back(static_cast<std::byte>(std::min(share, left)));
        left -= std::min(share, left);
    }
}

/// Everything about the vertices that is not packed by a range.
void add_vertices(x42::File& file, const Mesh& mesh) {
    for (const surfaces::Vertex& vertex : mesh.shape.vertices) {
        const vec3 normal = vertex.normal, tangent(vertex.tangent);
        const vec3 bitangent = glm::cross(normal, tangent) * vertex.tangent.w;
        const x42::PackedNormal t = packed_direction(to_file(tangent)), b = packed_direction(to_file(bitangent));
        file.normals.push_back(packed_direction(to_file(normal)));
        file.tangents.push_back({t[0], t[1], t[2], packed_8(vertex.tangent.w), b[0], b[1], b[2]});
        const auto light = static_cast<std::uint8_t>(std::lround(255 * openness(vertex.position, normal)));
        file.colors.push_back({light, light, light, 255});
    }
}

void reach_out(x42::File& file, const Mesh& mesh) {
    for (std::size_t i = 0; i < mesh.weights.size(); ++i) {
        for (const Weight& weight : mesh.weights[i]) {
            float& extent = file.bones[weight.bone].extent;
            extent = std::max(extent, glm::distance(mesh.shape.vertices[i].position, joint(weight.bone)));
        }
    }
}

void pack_vertices(x42::File& file, std::span<const vec3> positions, std::span<const vec2> texcoords) {
    x42::PackHeader& pack = file.pack;
    for (std::size_t axis = 0; axis < 3; ++axis)
        pack.vertex_positions[axis] = range_of(positions, static_cast<int>(axis));
    for (std::size_t axis = 0; axis < 2; ++axis) pack.texcoords[axis] = range_of(texcoords, static_cast<int>(axis));
    for (const vec3 p : positions)
        file.vertices.push_back({packed(p.x, pack.vertex_positions[0]), packed(p.y, pack.vertex_positions[1]),
                                 packed(p.z, pack.vertex_positions[2])});
    for (const vec2 uv : texcoords)
        file.texcoords.push_back({packed(uv.x, pack.texcoords[0]), packed(uv.y, pack.texcoords[1])});
}

void add_bounds(x42::File& file) {
    const auto& [x, y, z] = file.pack.vertex_positions;
    const vec3 low(x.low, y.low, z.low), high(x.high, y.high, z.high), center = (low + high) * 0.5f;
    file.header.bounds_low = stored(low);
    file.header.bounds_high = stored(high);
    file.header.sphere_center = stored(center);
    for (const x42::PackedVec3& vertex : file.vertices) {
        const vec3 p = loaded(unpack(vertex, file.pack.vertex_positions));
        file.header.sphere_radius = std::max(file.header.sphere_radius, glm::distance(p, center));
    }
}

void add_meshes(x42::File& file, Names& names) {
    std::vector<vec3> positions;
    std::vector<vec2> texcoords;
    for (const int level : {0, 1}) {
        file.lods.push_back({names.add(level == 0 ? "fine" : "coarse"), static_cast<std::uint16_t>(file.groups.size()),
                             static_cast<std::uint16_t>(groups().size())});
        for (std::size_t number = 0; number < groups().size(); ++number) {
            const Group& about = groups()[number];
            const Mesh mesh = make_mesh(number, level);
            const auto& indices = about.is_strip ? mesh.strip : mesh.shape.indices;
            x42::Group group;
            group.material = names.add(about.texture == Texture::shell ? "models/players/trader/shell"
                                                                       : "models/players/trader/suit");
            group.surface = names.add(about.surface);
            group.vertex_influences = static_cast<std::uint16_t>(about.max_weights);
            group.type = about.is_strip ? x42::PrimitiveType::triangle_strip : x42::PrimitiveType::triangles;
            group.first_vertex = static_cast<std::uint32_t>(positions.size());
            group.vertex_count = static_cast<std::uint32_t>(mesh.shape.vertices.size());
            group.first_index = static_cast<std::uint32_t>(file.indices.size());
            group.element_count = static_cast<std::uint32_t>(indices.size());
            const auto palette = palette_of(mesh, group);
            for (const Weights& weights : mesh.weights) add_blend(file.blend, weights, about.max_weights, palette);
            for (const std::uint32_t index : indices) file.indices.push_back(static_cast<std::uint16_t>(index));
            for (const surfaces::Vertex& vertex : mesh.shape.vertices) {
                positions.push_back(to_file(vertex.position));
                texcoords.push_back(vertex.uv);
            }
            add_vertices(file, mesh);
            reach_out(file, mesh);
            file.groups.push_back(group);
        }
    }
    pack_vertices(file, positions, texcoords);
    add_bounds(file);
}

}  // namespace

x42::File make_model() {
    x42::File file;
    Names names;
    file.header.model_flags =
        x42::has_normals | x42::has_tangents | x42::has_texcoords | x42::has_colors | x42::uniform_scale;
    add_bones(file, names);
    add_motion(file);
    add_animations(file, names);
    add_tags(file, names);
    add_meshes(file, names);
    file.strings = std::move(names.strings);
    return file;
}

}  // namespace trader
