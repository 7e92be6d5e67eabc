/// Puts avatars together byte by byte.

#include "arp/raw_arp.hpp"

#include <algorithm>
#include <cmath>

#include "egosoft/raw_bytes.hpp"

namespace effigy::test::arp {

namespace {

class Writer {
public:
    explicit Writer(const Description& figure) : figure_(figure), form_(figure.form) {}

    Bytes write() {
        string(figure_.version);
        out_.f32(figure_.scale);
        vector(figure_.volume_low);
        vector(figure_.volume_high);
        if (!form_.material_last) {
            reflectance();
            out_.f32(figure_.skeleton_offset);
        }
        count("meshes", figure_.meshes.size());
        for (const RawMesh& mesh : figure_.meshes) write_mesh(mesh);
        count("pose", figure_.default_pose.size());
        for (const RawPose& entry : figure_.default_pose) pose(entry);
        count("bones", figure_.bones.size());
        for (const RawBone& bone : figure_.bones) write_bone(bone);
        if (form_.material_last) {
            reflectance();
            string(figure_.texture);
            out_.f32(figure_.skeleton_offset);
        }
        if (form_.ambient == RawAmbient::before_texture) {
            count("frames", figure_.has_ambient ? figure_.frames.size() : 0);
            if (figure_.has_ambient && !figure_.frames.empty()) {
                out_.f32(figure_.frames_per_second);
                frames(false);
            }
        }
        texture();
        if (form_.ambient == RawAmbient::behind_texture && figure_.has_ambient) {
            count("frames", figure_.frames.size());
            frames(true);
        }
        out_.raw(figure_.trailing);
        return out_.bytes();
    }

private:
    void count(const char* what, std::size_t number) {
        const auto lie = figure_.lies.find(what);
        out_.u32(lie == figure_.lies.end() ? number : lie->second);
    }
    void string(const std::string& text) { out_.u32(text.size()).text(text, text.size()); }
    void vector(const RawVector& v) { out_.f32s({v[0], v[1], v[2]}); }
    void turn(const RawTurn& q) { out_.f32s({q[0], q[1], q[2], q[3]}); }
    void reflectance() {
        if (form_.one_reflectance) {
            out_.f32(figure_.reflectance[0]);
        } else {
            vector(figure_.reflectance);
        }
    }
    void pose(const RawPose& entry) {
        out_.text(entry.bone, 4);
        vector(entry.translation);
        turn(entry.rotation);
    }
    void write_bone(const RawBone& bone) {
        for (const std::string& name : {bone.name, bone.parent}) {
            if (form_.bone_strings) {
                string(name);
            } else {
                out_.text(name, 4);
            }
        }
        vector(bone.translation);
        turn(bone.rotation);
        turn(bone.inverse_twist);
        out_.f32(bone.length);
    }
    void write_point(const RawPoint& point) {
        count("links", point.links.size());
        for (const RawLink& link : point.links) vector(link.offset);
        for (const RawLink& link : point.links) vector(link.normal);
        for (const RawLink& link : point.links) {
            if (form_.raw_link_names) {
                out_.text(link.bone, 4);
            } else {
                string(link.bone);
            }
        }
        for (const RawLink& link : point.links) out_.f32(link.weight);
        for (const RawLink& link : point.links) out_.f32(link.distance);
        if (!form_.neighbours) return;
        out_.u32(point.neighbours.size());
        for (const std::uint32_t neighbour : point.neighbours) out_.u32(neighbour);
    }
    void duplicate_lists(const RawMesh& mesh) {
        std::vector<std::vector<std::uint32_t>> copies(mesh.points.size());
        for (std::size_t index = 0; index < mesh.duplicates.size(); ++index)
            copies[mesh.duplicates[index]].push_back(static_cast<std::uint32_t>(mesh.points.size() + index));
        count("duplicates", copies.size());
        for (const auto& list : copies) out_.u16(static_cast<unsigned>(list.size()));
        for (const auto& list : copies) {
            out_.u32(list.size());
            for (const std::uint32_t vertex : list) out_.u32(vertex);
        }
    }
    void duplicates(const RawMesh& mesh) {
        if (form_.duplicates == RawDuplicates::lists) return duplicate_lists(mesh);
        if (form_.duplicates != RawDuplicates::uncounted) count("duplicates", mesh.duplicates.size());
        for (const std::uint32_t point : mesh.duplicates) {
            if (form_.duplicates == RawDuplicates::u16) {
                out_.u16(point);
            } else {
                out_.u32(form_.duplicates == RawDuplicates::triples ? 3 * std::uint64_t{point} : point);
            }
        }
    }
    void write_mesh(const RawMesh& mesh) {
        out_.f32(mesh.switch_distance);
        count("points", mesh.points.size());
        for (const RawPoint& point : mesh.points) write_point(point);
        count("strip", mesh.strip.size());
        for (const unsigned index : mesh.strip) out_.u16(index);
        duplicates(mesh);
        count("texcoords", mesh.texcoords.size());
        for (const auto& pair : mesh.texcoords) out_.f32s({pair[0], pair[1]});
        count("targets", mesh.targets.size());
        for (const RawTarget& target : mesh.targets) {
            string(target.name);
            count("sets", target.sets.size());
            for (const RawSet& set : target.sets) {
                out_.u32(set.point).f32(set.weight);
                vector(set.offset);
                if (form_.morph_normals) vector(set.normal);
            }
        }
    }
    void frames(bool timed) {
        for (const RawFrame& frame : figure_.frames) {
            if (timed) out_.f32(frame.time);
            out_.u32(frame.morphs.size());
            for (const auto& [target, amount] : frame.morphs) out_.text(target, 4).f32(amount);
            out_.u32(frame.bones.size());
            for (const RawPose& entry : frame.bones) pose(entry);
        }
    }
    void texture() {
        bool has_image = figure_.embedded == 1;
        if (form_.texture_flag) {
            out_.u32(figure_.embedded);
        } else {
            string(figure_.texture);
            for (const unsigned flag : figure_.flags) out_.u8(flag);
            has_image = figure_.flags[0] != 0;
        }
        if (!has_image) return;
        out_.u32(figure_.image_size < 0 ? figure_.image.size() : static_cast<std::uint64_t>(figure_.image_size));
        out_.raw(figure_.image);
    }

    const Description& figure_;
    const RawForm& form_;
    RawBytes out_;
};

using Vector = std::array<double, 3>;
using Turn = std::array<double, 4>;

Turn product(const Turn& a, const Turn& b) {
    return {
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
Turn inverse(const Turn& q) { return {-q[0], -q[1], -q[2], q[3]}; }
Vector rotated(const Turn& q, const Vector& v) {
    const Turn result = product(product(q, {v[0], v[1], v[2], 0}), inverse(q));
    return {result[0], result[1], result[2]};
}
Turn about(unsigned axis, double degrees) {
    const double half = degrees * std::acos(-1.0) / 360;
    Turn q{0, 0, 0, std::cos(half)};
    q[axis] = std::sin(half);
    return q;
}
RawVector narrow(const Vector& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}
RawTurn narrow(const Turn& q) {
    return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

constexpr unsigned x = 0, y = 1, z = 2;

/// A bone of the figure: where it starts in its parent's frame, how it is turned in the T-pose, how much further at
/// rest, how long it is, and how thick its tube is (0: it has none).
struct FigureBone {
    const char* name;
    const char* parent;
    Vector start;
    Turn bind, further;
    double length, radius;
};

/// The model looks along +z and stands along +y; bones lie along their x. Left is +x.
std::vector<FigureBone> figure_bones(double head_turn) {
    const Turn none{0, 0, 0, 1};
    std::vector<FigureBone> bones{
        {"ROOT", "", {0, 0, 0}, about(z, 90), none, 2, 1.4},
        {"SPI1", "ROOT", {2, 0, 0}, none, about(y, 4), 1.5, 1.3},
        {"SPI2", "SPI1", {1.5, 0, 0}, none, about(z, 3), 1.5, 1.4},
        {"SPI3", "SPI2", {1.5, 0, 0}, none, about(y, -5), 1.5, 1.5},
        {"NEC1", "SPI3", {1.5, 0, 0}, none, about(y, 6), 1, 0.6},
        {"HEAD", "NEC1", {1, 0, 0}, about(x, head_turn), about(z, 5), 2, 0.9},
        {"LEYE", "HEAD", {1, -0.4, 0.7}, about(y, -90), none, 0, 0},
        {"REYE", "HEAD", {1, 0.4, 0.7}, about(y, -90), none, 0, 0},
    };
    const auto side = [&](const std::array<const char*, 7>& names, double sign) {
        bones.push_back({names[0], "SPI3", {1, -0.6 * sign, 0}, about(z, -90 * sign), about(z, -8 * sign), 1, 0.5});
        bones.push_back({names[1], names[0], {1, 0, 0}, none, product(about(z, -60 * sign), about(x, 25)), 3, 0.5});
        bones.push_back({names[2], names[1], {3, 0, 0}, none, product(about(y, -40), about(x, 10)), 2.5, 0.4});
        bones.push_back({names[3], names[2], {2.5, 0, 0}, none, about(y, 12), 1, 0.3});
        bones.push_back({names[4], "ROOT", {0, -0.8 * sign, 0}, about(z, 180), about(y, 7), 4.5, 0.7});
        bones.push_back({names[5], names[4], {4.5, 0, 0}, none, about(y, -9), 4, 0.5});
        bones.push_back({names[6], names[5], {4, 0, 0}, about(y, 80), none, 1.2, 0.3});
    };
    side({"LCLR", "LUPA", "LLRA", "LWRI", "LTHG", "LCLF", "LFOT"}, 1);
    side({"RCLR", "RUPA", "RLRA", "RWRI", "RTHG", "RCLF", "RFOT"}, -1);
    return bones;
}

std::size_t place_of(const std::vector<FigureBone>& bones, const std::string& name) {
    const auto found = std::find_if(bones.begin(), bones.end(), [&](const auto& bone) { return bone.name == name; });
    return static_cast<std::size_t>(found - bones.begin());
}

std::vector<RawFrameOfBone> bind_frames(const std::vector<FigureBone>& bones) {
    std::vector<RawFrameOfBone> frames;
    for (const FigureBone& bone : bones) {
        const std::size_t parent = place_of(bones, bone.parent);
        if (parent == bones.size()) {
            frames.push_back({bone.start, bone.bind});
            continue;
        }
        const RawFrameOfBone above = frames[parent];
        Vector start = rotated(above.rotation, bone.start);
        for (std::size_t axis = 0; axis < 3; ++axis) start[axis] += above.translation[axis];
        frames.push_back({start, product(above.rotation, bone.bind)});
    }
    return frames;
}

/// The tubes of all bones that have one, with what they hang on.
class Tubes {
public:
    explicit Tubes(double head_turn) : bones_(figure_bones(head_turn)), frames_(bind_frames(bones_)) {}

    RawMesh make() {
        for (std::size_t bone = 0; bone < bones_.size(); ++bone)
            if (bones_[bone].radius > 0) tube(bone);
        // The texture coordinates of the duplicates stand behind those of the points.
        mesh_.texcoords.insert(mesh_.texcoords.end(), seam_.begin(), seam_.end());
        const auto points = static_cast<unsigned>(mesh_.points.size());
        for (std::size_t place = 0; place < mesh_.strip.size(); ++place)
            if (is_duplicate_[place]) mesh_.strip[place] += points;
        return std::move(mesh_);
    }

private:
    static constexpr unsigned corners = 4;

    RawLink link(std::size_t bone, const Vector& position, const Vector& normal, double weight) const {
        const RawFrameOfBone& frame = frames_[bone];
        Vector from_bone;
        for (std::size_t axis = 0; axis < 3; ++axis) from_bone[axis] = position[axis] - frame.translation[axis];
        const Vector offset = rotated(inverse(frame.rotation), from_bone);
        return {bones_[bone].name, narrow(offset), narrow(rotated(inverse(frame.rotation), normal)),
                static_cast<float>(weight), static_cast<float>(std::max(0.0, offset[0]))};
    }
    /// Links of a point at `along` (0 to 1) of a bone: near its start they are shared with its parent.
    std::vector<RawLink> links(std::size_t bone, double along, const Vector& position, const Vector& normal) const {
        const std::size_t parent = place_of(bones_, bones_[bone].parent);
        if (parent == bones_.size() || along > 0.5) return {link(bone, position, normal, 1)};
        const double own = along == 0 ? 0.5 : 0.75;
        std::vector<RawLink> result{link(bone, position, normal, own)};
        const std::size_t above = place_of(bones_, bones_[parent].parent);
        const bool three = along == 0 && above != bones_.size();
        result.push_back(link(parent, position, normal, three ? 0.375 : 1 - own));
        if (three) result.push_back(link(above, position, normal, 0.125));
        // A link that counts for nothing may have any offset.
        if (three && bone % 2 == 0) result.push_back({"ROOT", {40, -30, 20}, {0, 1, 0}, 0, 40});
        return result;
    }
    void tube(std::size_t bone) {
        const RawFrameOfBone& frame = frames_[bone];
        const auto first = static_cast<unsigned>(mesh_.points.size());
        const auto first_seam = static_cast<unsigned>(mesh_.duplicates.size());
        constexpr std::array<double, 3> rings{0, 0.25, 1};
        for (const double along : rings) {
            const auto ring = static_cast<std::uint32_t>(mesh_.points.size());
            for (unsigned corner = 0; corner < corners; ++corner) {
                const double angle = corner * std::acos(-1.0) / 2;
                const Vector out = rotated(frame.rotation, {0, std::cos(angle), std::sin(angle)});
                Vector position = rotated(frame.rotation, {along * bones_[bone].length, 0, 0});
                for (std::size_t axis = 0; axis < 3; ++axis)
                    position[axis] += frame.translation[axis] + bones_[bone].radius * out[axis];
                RawPoint point{links(bone, along, position, out)};
                point.neighbours = {ring + (corner + 1) % corners, ring + (corner + 3) % corners};
                mesh_.points.push_back(std::move(point));
                mesh_.texcoords.push_back({static_cast<float>(corner) / corners, static_cast<float>(along)});
            }
            mesh_.duplicates.push_back(ring);
            seam_.push_back({1, static_cast<float>(along)});
        }
        for (unsigned segment = 0; segment + 1 < rings.size(); ++segment) {
            const unsigned lower = first + segment * corners;
            join(lower + corners);
            for (unsigned corner = 0; corner < corners; ++corner) {
                index(lower + corners + corner, false);
                index(lower + corner, false);
            }
            index(first_seam + segment + 1, true);
            index(first_seam + segment, true);
        }
    }
    void index(unsigned value, bool is_duplicate) {
        mesh_.strip.push_back(value);
        is_duplicate_.push_back(is_duplicate);
    }
    void join(unsigned next) {
        if (mesh_.strip.empty()) return;
        index(mesh_.strip.back(), is_duplicate_.back());
        index(next, false);
    }

    std::vector<FigureBone> bones_;
    std::vector<RawFrameOfBone> frames_;
    RawMesh mesh_;
    std::vector<std::array<float, 2>> seam_;
    std::vector<bool> is_duplicate_;
};

RawTurn inverse_twist(const Turn& q) {
    const double size = std::sqrt(q[0] * q[0] + q[3] * q[3]);
    return narrow(size == 0 ? Turn{0, 0, 0, 1} : Turn{-q[0] / size, 0, 0, q[3] / size});
}

/// Moves all points of the head's tube, whose first link is the head.
RawTarget head_target(const RawMesh& mesh, const std::string& name, const RawVector& offset) {
    RawTarget target{name};
    for (std::size_t point = 0; point < mesh.points.size(); ++point) {
        if (mesh.points[point].links.front().bone != "HEAD") continue;
        const float part = target.sets.size() % 2 == 0 ? 1.0f : 0.5f;
        target.sets.push_back({static_cast<std::uint32_t>(point),
                               0.5f,
                               {offset[0] * part, offset[1] * part, offset[2] * part},
                               {0, 0.6f, 0.8f}});
    }
    return target;
}

/// Files before 3.1 have frames with times; some fill names up with blanks.
std::vector<RawFrame> swaying(bool timed) {
    std::vector<RawFrame> frames;
    for (unsigned index = 0; index < 6; ++index) {
        const double angle = 5 * std::sin(index * std::acos(-1.0) / 3);
        RawFrame frame;
        frame.time = timed && index < 4 ? 40.0f * static_cast<float>(index) : 0;
        if (index == 2 || index == 3) frame.morphs = {{"eylc", 1.12f}, {timed ? "mo  " : "mo", 0.25f}};
        frame.bones = {{"SPI2", {3.4f, 0, 0}, narrow(about(y, angle))},
                       {"HEAD", {3.4f, 0, 0}, narrow(about(z, -angle))}};
        frames.push_back(std::move(frame));
    }
    return frames;
}

Bytes counted_bytes(std::size_t count) {
    RawBytes bytes;
    for (std::size_t index = 0; index < count; ++index) bytes.u8(static_cast<unsigned>(index + 1) & 0xff);
    return bytes.bytes();
}

}  // namespace

RawForm form_of(const std::string& version) {
    RawForm form;
    if (version >= "3.1") return form;
    form.bone_strings = true;
    form.ambient = RawAmbient::behind_texture;
    if (version >= "3.0") return form;
    form.neighbours = true;
    form.morph_normals = false;
    if (version >= "2.2") return form;
    form.duplicates = RawDuplicates::u16;
    form.ambient = RawAmbient::none;
    form.texture_flag = true;
    form.material_last = version == "2.0";
    return form;
}

Bytes make(const Description& description) { return Writer(description).write(); }

std::vector<RawFrameOfBone> figure_bind(double head_turn) { return bind_frames(figure_bones(head_turn)); }

Description figure(const std::string& version, double head_turn) {
    Description result;
    result.version = version;
    result.form = form_of(version);
    for (const FigureBone& bone : figure_bones(head_turn)) {
        const Turn rest = product(bone.bind, bone.further);
        result.bones.push_back({bone.name, bone.parent, narrow(bone.start), narrow(rest), inverse_twist(rest),
                                static_cast<float>(bone.length)});
        const Turn pose = product(rest, about(y, 3));
        result.default_pose.push_back({bone.name, narrow(bone.start), narrow(pose)});
    }
    RawMesh mesh = Tubes(head_turn).make();
    mesh.targets = {head_target(mesh, "jawd", {0, -0.2f, 0.1f}), head_target(mesh, "eylc", {0, 0, 0.3f}),
                    head_target(mesh, "mo", {0.1f, 0, 0})};
    mesh.targets[1].sets.resize(5);
    result.meshes.push_back(std::move(mesh));
    result.has_ambient = result.form.ambient != RawAmbient::none;
    result.frames = swaying(result.form.ambient == RawAmbient::behind_texture);
    return result;
}

Description small_figure(const std::string& version) {
    Description result;
    result.version = version;
    result.form = form_of(version);
    RawMesh mesh;
    mesh.points = {
        {{{"HEAD", {0, 1, 0}, {0, 1, 0}, 1, 0}}, {1, 2}},
        {{{"HEAD", {0.5f, 0, 1}, {0, 0, 1}, 0.75f, 0.5f}, {"ROOT", {2.5f, 0, 1}, {0, 0, 1}, 0.25f, 2.5f}}, {0}},
        {{{"ROOT", {1, -1, 0}, {0, -1, 0}, 1, 1}}, {}}};
    mesh.strip = {0, 1, 2, 3};
    mesh.duplicates = {1};
    mesh.texcoords = {{0, 0}, {0.5f, 0}, {1, 0}, {0.5f, 1}};
    mesh.targets = {{"jawd", {{0, 1, {0, 0.5f, 0}, {0, 0, 1}}, {1, 0.5f, {0.25f, 0, 0}, {0, 1, 0}}}}};
    result.meshes = {mesh};
    result.bones = {{"ROOT", "", {0, 0, 0}, narrow(about(z, 90)), {0, 0, 0, 1}, 2},
                    {"HEAD", "ROOT", {2, 0, 0}, narrow(about(x, 30)), narrow(about(x, -30)), 1}};
    result.default_pose = {{"ROOT", {0, 0, 0}, narrow(about(z, 90))}, {"HEAD", {2, 0, 0}, {0, 0, 0, 1}}};
    result.has_ambient = result.form.ambient != RawAmbient::none;
    result.frames = {{0, {{"jawd", 0.5f}}, {{"HEAD", {}, narrow(about(y, 5))}}}, {40, {}, {}}};
    return result;
}

Bytes jib(unsigned width, unsigned height) {
    return RawBytes().u32(width).u32(height).raw(counted_bytes(std::size_t{4} * width * height)).bytes();
}

Bytes old_image(unsigned width, unsigned height) {
    return RawBytes().u32(std::uint64_t{4} * width * height).raw(jib(width, height)).bytes();
}

std::vector<Fixture> all_fixtures() {
    std::vector<Fixture> fixtures;
    const auto add = [&](const char* name, const char* version, auto&& change) {
        Fixture fixture{name, small_figure(version)};
        change(fixture.description);
        fixtures.push_back(std::move(fixture));
    };
    const auto nothing = [](Description&) {};
    add("V31", "3.1", nothing);
    add("V30", "3.0", nothing);
    add("V22", "2.2", nothing);
    add("V21", "2.1", nothing);
    add("V20", "2.0", nothing);
    add("V31StillAndBare", "3.1", [](Description& d) {
        d.has_ambient = false;
        d.meshes[0].targets.clear();
    });
    add("V30WithoutAmbient", "3.0", [](Description& d) { d.has_ambient = false; });
    add("V22WithoutAmbient", "2.2", [](Description& d) { d.has_ambient = false; });
    add("V31Png", "3.1", [](Description& d) {
        d.flags = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        d.image = counted_bytes(77);
    });
    add("V31Jib", "3.1", [](Description& d) {
        d.flags = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
        d.image = jib(3, 2);
    });
    add("V30CompressedJib", "3.0", [](Description& d) {
        d.flags = {1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
        d.image = RawBytes().raw({0x1f, 0x8b, 8}).raw(counted_bytes(30)).bytes();
    });
    add("V20Image", "2.0", [](Description& d) {
        d.embedded = 1;
        d.image = old_image(3, 2);
    });
    add("V21ImageOfOtherSize", "2.1", [](Description& d) {
        d.embedded = 1;
        d.image = old_image(2, 2);
        d.image_size = 24;
    });
    add("V21CompressedImage", "2.1", [](Description& d) {
        d.embedded = 1;
        d.image = RawBytes().raw({0x1f, 0x8b, 8}).raw(counted_bytes(30)).bytes();
    });
    // Of four texels by its last number; the first one says the size of the texels, of all that is packed, or nothing.
    const auto add_packed = [&](const char* name, const char* version, unsigned size) {
        add(name, version, [size](Description& d) {
            d.embedded = 1;
            d.image = RawBytes().raw({0x1f, 0x8b, 8}).raw(counted_bytes(17)).u32(28).bytes();
            d.image_size = size;
        });
    };
    add_packed("V20CompressedImageOfTexels", "2.0", 16);
    add_packed("V21CompressedImageOfAll", "2.1", 28);
    add_packed("V21CompressedImageOfNothing", "2.1", 0);
    const auto vary = [&](const char* name, const char* version, auto&& change) {
        add(name, version, [&](Description& d) { change(d.form); });
    };
    vary("V31BoneStrings", "3.1", [](RawForm& f) { f.bone_strings = true; });
    vary("V30BoneCodes", "3.0", [](RawForm& f) { f.bone_strings = false; });
    vary("V21BoneCodes", "2.1", [](RawForm& f) { f.bone_strings = false; });
    vary("V31AmbientBehind", "3.1", [](RawForm& f) { f.ambient = RawAmbient::behind_texture; });
    vary("V30AmbientBefore", "3.0", [](RawForm& f) { f.ambient = RawAmbient::before_texture; });
    vary("V31OneReflectance", "3.1", [](RawForm& f) { f.one_reflectance = true; });
    vary("V20OneReflectance", "2.0", [](RawForm& f) { f.one_reflectance = true; });
    vary("V31RawLinkNames", "3.1", [](RawForm& f) { f.raw_link_names = true; });
    vary("V22RawLinkNames", "2.2", [](RawForm& f) { f.raw_link_names = true; });
    vary("V31Uncounted", "3.1", [](RawForm& f) { f.duplicates = RawDuplicates::uncounted; });
    vary("V30ShortDuplicates", "3.0", [](RawForm& f) { f.duplicates = RawDuplicates::u16; });
    vary("V30Neighbours", "3.0", [](RawForm& f) { f.neighbours = true; });
    vary("V22NoNeighbours", "2.2", [](RawForm& f) { f.neighbours = false; });
    vary("V21NoNeighbours", "2.1", [](RawForm& f) { f.neighbours = false; });
    vary("V30Page", "3.0", [](RawForm& f) {
        f.one_reflectance = f.raw_link_names = true;
        f.duplicates = RawDuplicates::uncounted;
    });
    vary("V22Page", "2.2", [](RawForm& f) {
        f.one_reflectance = f.raw_link_names = true;
        f.bone_strings = false;
        f.duplicates = RawDuplicates::uncounted;
    });
    vary("V21Triples", "2.1", [](RawForm& f) {
        f.material_last = true;
        f.duplicates = RawDuplicates::triples;
    });
    vary("V21Lists", "2.1", [](RawForm& f) { f.duplicates = RawDuplicates::lists; });
    vary("V20Lists", "2.0", [](RawForm& f) { f.duplicates = RawDuplicates::lists; });
    return fixtures;
}

}  // namespace effigy::test::arp
