/// Puts X42 files together byte by byte, in either byte order.

#include "x42/raw_x42.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "egosoft/raw_bytes.hpp"

namespace effigy::test::x42 {

namespace {

class Writer {
public:
    explicit Writer(const Description& description) : in_(description), out_(description.big) {
        filling_ = description.filling;
    }

    Bytes all() {
        head();
        pack_header();
        skeleton();
        vertices();
        if (in_.form != MorphForm::plain) morphs();
        for (const char letter : in_.strings) out_.u8(static_cast<unsigned char>(letter));
        return out_.raw(in_.trailing).bytes();
    }

private:
    [[nodiscard]] bool wide() const { return in_.form == MorphForm::wide_6 || in_.form == MorphForm::wide_12; }

    void pad(unsigned width) {
        while (width-- != 0) out_.u8(in_.filling == 0 ? 0 : filling_++ & 255u);
    }
    void align(unsigned alignment) {
        while (out_.bytes().size() % alignment != 0) pad(1);
    }
    void range(RawRange range) { out_.f32(range.low).f32(range.high); }
    void floats(const auto& values) {
        for (const float value : values) out_.f32(value);
    }
    void u16s(const auto& values) {
        for (const unsigned value : values) out_.u16(value);
    }
    void u8s(const auto& values) {
        for (const auto value : values) out_.u8(static_cast<unsigned>(value) & 255u);
    }
    [[nodiscard]] std::uint32_t count(const char* of, std::size_t truth) const {
        const auto lie = in_.lies.find(of);
        return lie != in_.lies.end() ? lie->second : static_cast<std::uint32_t>(truth);
    }

    void head() {
        const std::string ident = !in_.ident.empty() ? in_.ident : in_.big ? "24WH" : "HW42";
        out_.text(ident, 4).u32(in_.version);
        out_.u16(in_.flags).u16(static_cast<std::uint16_t>(in_.base_frame)).u16(in_.frames);
        out_.u16(count("strings", in_.strings.size())).u16(count("bones", in_.bones.size()));
        out_.u16(count("animation_groups", in_.animation_groups.size()));
        out_.u16(count("positions", in_.positions.size())).u16(count("rotations", in_.rotations.size()));
        out_.u16(count("scales", in_.scales.size() / ((in_.flags & 0x100) != 0 ? 1 : 3)));
        out_.u16(count("keys", in_.keys.size())).u16(count("animations", in_.animations.size()));
        out_.u16(count("tags", in_.tags.size())).u16(count("influences", in_.influences.size()));
        out_.u16(count("lods", in_.lods.size())).u16(count("groups", in_.groups.size()));
        const std::uint32_t targets = count("targets", in_.targets.size());
        const std::uint32_t deltas = count("deltas", in_.morph_indices.size());
        if (in_.form == MorphForm::small_6 || in_.form == MorphForm::small_12) {
            out_.u16(targets);
        } else {
            pad(2);
        }
        out_.u32(count("vertices", in_.vertices.size())).u32(count("indices", in_.indices.size()));
        if (wide()) out_.u32(targets);
        if (in_.form != MorphForm::plain) out_.u32(deltas);
        floats(in_.bounds_low);
        floats(in_.bounds_high);
        floats(in_.sphere_center);
        out_.f32(in_.sphere_radius);
    }
    void pack_header() {
        for (const RawRange& one : in_.animation_positions) range(one);
        range(in_.animation_scales);
        for (const RawRange& one : in_.vertex_positions) range(one);
        for (const RawRange& one : in_.texcoord_ranges) range(one);
        if (in_.form == MorphForm::plain) return;
        for (const RawRange& one : in_.morph_ranges) range(one);
    }
    void skeleton() {
        align(8);
        for (const RawBone& bone : in_.bones) {
            out_.u16(bone.name).u16(bone.flags).u16(bone.parent);
            pad(2);
            out_.f32(bone.extent);
        }
        align(8);
        for (const RawAnimationGroup& group : in_.animation_groups) out_.u16s({group.name, group.begin, group.end});
        align(2);
        for (const auto& position : in_.positions) u16s(position);
        u16s(in_.scales);
        for (const auto& rotation : in_.rotations) {
            for (const int number : rotation) out_.u16(static_cast<std::uint16_t>(number));
        }
        align(8);
        for (const RawKey& key : in_.keys) out_.u16s({key.type, key.bone, key.frame, key.value});
        align(8);
        for (const RawAnimation& one : in_.animations)
            out_.u16s({one.name, one.first, one.last, one.loop_start, one.loop_end, one.rate});
        align(8);
        for (const RawTag& tag : in_.tags) {
            out_.u16(tag.name).u16(tag.bone);
            floats(tag.matrix);
        }
        align(8);
        for (const RawInfluence& influence : in_.influences) {
            out_.u16(influence.bone);
            pad(2);
            floats(influence.matrix);
        }
        align(8);
        for (const RawLod& lod : in_.lods) out_.u16s({lod.name, lod.first_group, lod.groups});
        align(8);
        for (const RawGroup& group : in_.groups) write(group);
    }
    void write(const RawGroup& group) {
        out_.u16s({group.material, group.surface, group.vertex_influences});
        out_.u16(static_cast<unsigned>(group.influences.size()));
        for (std::size_t place = 0; place < 60; ++place)
            out_.u16(place < group.influences.size() ? group.influences[place] : 0);
        out_.u16(group.type);
        pad(2);
        out_.u32s({group.first_vertex, group.vertices, group.first_index, group.elements});
    }
    void vertices() {
        align(2);
        for (const auto& vertex : in_.vertices) u16s(vertex);
        u8s(in_.blend);
        for (const auto& normal : in_.normals) u8s(normal);
        for (const auto& tangent : in_.tangents) u8s(tangent);
        if ((in_.flags & 4) != 0) align(2);
        for (const auto& texcoord : in_.texcoords) u16s(texcoord);
        if ((in_.flags & 8) != 0) align(4);
        for (const auto& color : in_.colors) u8s(color);
        align(4);
        u16s(in_.indices);
    }
    void morphs() {
        const bool large = in_.form == MorphForm::small_12 || in_.form == MorphForm::wide_12;
        align(8);
        for (const RawTarget& target : in_.targets) {
            out_.u16(target.name);
            if (large) {
                pad(2);
                out_.u32s({target.first, target.count});
            } else {
                out_.u16(target.first).u16(target.count);
            }
        }
        align(4);
        u16s(in_.morph_indices);
        align(2);
        for (const auto& position : in_.morph_positions) u16s(position);
        for (const auto& normal : in_.morph_normals) u8s(normal);
        for (const auto& tangent : in_.morph_tangents) u8s(tangent);
    }

    const Description& in_;
    RawBytes out_;
    unsigned filling_ = 0;
};

RawMatrix moved(float x, float y, float z) { return {1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z}; }

int byte_of(double value) { return static_cast<int>(std::lround(value * 127)); }

void add_vertex(Description& model, float x, float y, float z) {
    model.vertices.push_back(
        {pack(x, model.vertex_positions[0]), pack(y, model.vertex_positions[1]), pack(z, model.vertex_positions[2])});
}

constexpr double pi = 3.14159265358979323846;

/// A tube of `rings` rings of `sides` corners along the Y axis, up to a height of 30; as a new group.
void add_tube(Description& model, unsigned rings, unsigned sides, unsigned vertex_influences, const char* surface) {
    RawGroup group;
    group.material = name(model, "models/figure/body");
    group.surface = name(model, surface);
    group.vertex_influences = vertex_influences;
    group.influences = {0, 1, 2};
    group.first_vertex = static_cast<std::uint32_t>(model.vertices.size());
    group.vertices = rings * sides;
    group.first_index = static_cast<std::uint32_t>(model.indices.size());
    group.elements = (rings - 1) * sides * 6;
    for (unsigned ring = 0; ring < rings; ++ring) {
        const float height = 30.0f * static_cast<float>(ring) / static_cast<float>(rings - 1);
        for (unsigned side = 0; side < sides; ++side) {
            const double angle = 2 * pi * side / sides;
            add_vertex(model, static_cast<float>(5 * std::cos(angle)), height, static_cast<float>(5 * std::sin(angle)));
            const unsigned bone = std::min(2u, static_cast<unsigned>(height / 10.0f));
            if (vertex_influences == 1) model.blend.push_back(bone);
            if (vertex_influences == 2) {
                const unsigned weight = static_cast<unsigned>(255 - 20 * (ring % 5));
                for (const unsigned byte : {bone, weight, bone == 0 ? 1 : bone - 1}) model.blend.push_back(byte);
            }
        }
    }
    for (unsigned ring = 0; ring + 1 < rings; ++ring) {
        for (unsigned side = 0; side < sides; ++side) {
            const unsigned a = ring * sides + side, b = ring * sides + (side + 1) % sides;
            // Seen from outside, clockwise.
            for (const unsigned corner : {a, b, a + sides, b, b + sides, a + sides}) model.indices.push_back(corner);
        }
    }
    model.groups.push_back(group);
}

/// Four vertices in the plane of X and Z, which no bone moves, drawn without indices as a strip.
void add_plate(Description& model) {
    RawGroup group;
    group.material = name(model, "models/figure/plate");
    group.surface = name(model, "Plate");
    group.type = 5;
    group.first_vertex = static_cast<std::uint32_t>(model.vertices.size());
    group.vertices = group.elements = 4;
    // Clockwise as seen from above.
    for (const auto& [x, z] : {std::pair{-8.0f, -8.0f}, {8.0f, -8.0f}, {-8.0f, 8.0f}, {8.0f, 8.0f}})
        add_vertex(model, x, 1, z);
    model.groups.push_back(group);
}

float unpacked(unsigned code, RawRange range) {
    return static_cast<float>(code) * (range.high - range.low) / 65530.0f + range.low;
}

/// Away from the Y axis; up, where the plate is.
std::array<double, 3> normal_of(const Description& model, std::size_t vertex) {
    const auto& place = model.vertices[vertex];
    const double x = unpacked(place[0], model.vertex_positions[0]), z = unpacked(place[2], model.vertex_positions[2]);
    const double y = unpacked(place[1], model.vertex_positions[1]);
    const double length = std::sqrt(x * x + z * z);
    if ((y > 0.5 && y < 1.5) || length == 0) return {0, 1, 0};
    return {x / length, 0, z / length};
}

void add_animation(Description& model) {
    const auto position = [&](float x, float y, float z) {
        model.positions.push_back({pack(x, model.animation_positions[0]), pack(y, model.animation_positions[1]),
                                   pack(z, model.animation_positions[2])});
    };
    position(0, 0, 0);
    position(0, 10, 0);
    position(3, 0, 0);
    position(0, 0, -4);
    const bool uniform = (model.flags & 0x100) != 0;
    for (const float scale : {1.0f, 1.5f}) {
        for (int axis = 0; axis < (uniform ? 1 : 3); ++axis)
            model.scales.push_back(pack(axis == 1 ? 1.0f : scale, model.animation_scales));
    }
    const auto rotation = [&](int axis, double degrees) {
        std::array<int, 4> value{};
        const double half = degrees * pi / 360;
        value[static_cast<std::size_t>(axis)] = static_cast<int>(std::lround(32767 * std::sin(half)));
        value[3] = static_cast<int>(std::lround(32767 * std::cos(half)));
        model.rotations.push_back(value);
    };
    rotation(0, 0);
    rotation(0, 40);
    rotation(1, 120);
    rotation(2, -170);
    rotation(2, 0.2);
    const unsigned last = model.frames - 1;
    const std::vector<RawTracks> tracks{
        {{{{{0, 0}, {4, 2}, {7, 3}, {last, 0}}, {{0, 0}, {last, 0}}, {{0, 0}, {last, 4}}}}},
        {{{{{0, 1}, {last, 1}}, {{0, 0}, {5, 1}, {last, 0}}, {{0, 0}, {3, 1}, {6, 2}, {8, 1}, {last, 0}}}}},
        {{{{{0, 1}, {last, 1}}, {{0, 0}, {last, 0}}, {{0, 0}, {5, 3}, {last, 2}}}}}};
    model.keys = key_stream(tracks);
}

}  // namespace

Bytes make(const Description& description) { return Writer(description).all(); }

unsigned name(Description& description, const std::string& text) {
    const auto place = static_cast<unsigned>(description.strings.size());
    description.strings += text;
    description.strings += '\0';
    return place;
}

unsigned pack(float value, RawRange range) {
    return static_cast<unsigned>(std::lround((value - range.low) / (range.high - range.low) * 65530.0f));
}

void set_flags(Description& description, unsigned flags) {
    description.flags = flags;
    description.normals.clear();
    description.tangents.clear();
    description.texcoords.clear();
    description.colors.clear();
    for (std::size_t vertex = 0; vertex < description.vertices.size(); ++vertex) {
        const auto normal = normal_of(description, vertex);
        const unsigned number = static_cast<unsigned>(vertex);
        const bool up = normal[1] > 0.5;
        const std::array<double, 3> bitangent = up ? std::array<double, 3>{0, 0, -1} : std::array<double, 3>{0, 1, 0};
        const std::array<double, 3> tangent{bitangent[1] * normal[2] - bitangent[2] * normal[1],
                                            bitangent[2] * normal[0] - bitangent[0] * normal[2],
                                            bitangent[0] * normal[1] - bitangent[1] * normal[0]};
        if ((flags & 1) != 0)
            description.normals.push_back({byte_of(normal[0]), byte_of(normal[1]), byte_of(normal[2])});
        if ((flags & 2) != 0) {
            description.tangents.push_back({byte_of(tangent[0]), byte_of(tangent[1]), byte_of(tangent[2]), 127,
                                            byte_of(bitangent[0]), byte_of(bitangent[1]), byte_of(bitangent[2])});
        }
        if ((flags & 4) != 0) description.texcoords.push_back({number % 4 * 16000, number / 4 % 8 * 8000});
        if ((flags & 8) != 0) description.colors.push_back({number * 5 & 255, 255 - (number & 255), 128, 255});
    }
}

std::vector<RawKey> key_stream(const std::vector<RawTracks>& bones) {
    std::vector<RawKey> stream;
    std::vector<std::pair<unsigned, RawKey>> later;  // with the frame at which they are needed
    for (unsigned bone = 0; bone < bones.size(); ++bone) {
        for (unsigned type = 0; type < 3; ++type) {
            const auto& track = bones[bone].keys[type];
            for (std::size_t place = 0; place < track.size(); ++place) {
                const RawKey key{type, bone, track[place].first, track[place].second};
                if (place < 2) {
                    stream.push_back(key);
                } else {
                    later.emplace_back(track[place - 1].first, key);
                }
            }
        }
    }
    std::stable_sort(later.begin(), later.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    for (const auto& entry : later) stream.push_back(entry.second);
    return stream;
}

Description figure(unsigned flags, bool big) {
    Description model;
    model.big = big;
    model.flags = flags;
    model.frames = 12;
    const unsigned root = name(model, "root"), spine = name(model, "spine_base"), neck = name(model, "neck_base");
    model.bones = {{root, 0, none, 12}, {spine, 0, 0, 13}, {neck, 0, 1, 14}};
    model.animation_groups = {{name(model, "legs"), 0, 1}, {name(model, "torso"), 1, 3}};
    add_animation(model);
    model.animations = {{name(model, "walk"), 0, 7, 0, 7, 30}, {name(model, "back"), 11, 4, none, none, 15}};
    model.tags = {{name(model, "tag_weapon"), 2, moved(0, 5, 0)}, {name(model, "tag_floor"), none, moved(1, 2, 3)}};
    model.influences = {{0, raw_identity}, {1, moved(0, -10, 0)}, {2, moved(0, -20, 0)}};
    add_tube(model, 4, 4, 2, "Body");
    add_plate(model);
    add_tube(model, 2, 3, 1, "Body_low");
    model.lods = {{name(model, "high"), 0, 2}, {name(model, "low"), 2, 1}};
    set_flags(model, flags);
    return model;
}

Description morphing_figure(MorphForm form, unsigned flags, bool big) {
    Description model = figure(flags, big);
    model.version = 102;
    model.form = form;
    if (form == MorphForm::plain) return model;
    model.targets = {{name(model, "smile"), 0, 4}, {name(model, "swell"), 4, 8}};
    for (unsigned vertex = 12; vertex < 16; ++vertex) model.morph_indices.push_back(vertex);
    for (unsigned vertex = 0; vertex < 8; ++vertex) model.morph_indices.push_back(vertex);
    for (const unsigned vertex : model.morph_indices) {
        model.morph_positions.push_back({vertex * 4000, 65530 - vertex * 4000, 32765});
        if ((flags & 1) != 0) model.morph_normals.push_back({static_cast<int>(vertex), -3, 0});
        if ((flags & 2) != 0) model.morph_tangents.push_back({1, 2, static_cast<int>(vertex), 0, -1, -2, -3});
    }
    return model;
}

}  // namespace effigy::test::x42
