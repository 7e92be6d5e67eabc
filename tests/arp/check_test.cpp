// Each rule is broken once, and nothing else is said.

#include <algorithm>
#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/arp.hpp"

#include "arp/check/rules.hpp"
#include "arp/file/formats.hpp"
#include "avatars.hpp"
#include "rule_tables.hpp"

namespace effigy::test {
namespace {

using arp::File;
using arp::FourCC;
using arp::Part;
using Codes = std::set<std::string>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

FourCC code(std::string_view text) {
    FourCC code{};
    std::copy(text.begin(), text.end(), code.begin());
    return code;
}

/// Which all known avatars have.
constexpr std::string_view morph_names =
    "th fv aaa eee ooo mbp smlc smlo eylc eyrc eyls eyrs eywl eywr llpc llpd ulpu ulpd ulpl ulpr lbrd lbru rbrd rbru "
    "jawd jawf jawl jawr jsch puff lpuf pufr cgng nsfl nsps nswr tngl tngo tngr tchn dtnl tllp tulp chkr kiss pout";

void add_bone(File& file, std::string_view name, std::string_view parent, Vec3 translation, float length) {
    constexpr float half = 0.70710678F;
    const bool root = parent.empty();
    arp::Bone bone;
    bone.name = name;
    bone.parent = root ? std::string(4, '\0') : std::string(parent);
    bone.translation = translation;
    bone.rotation = root ? Quat{0, 0, half, half} : Quat{0.6F, 0, 0, 0.8F};
    bone.inverse_twist = root ? Quat{} : Quat{-0.6F, 0, 0, 0.8F};
    bone.length = length;
    file.default_pose.push_back({code(name), translation, bone.rotation});
    file.bones.push_back(std::move(bone));
}

void add_bones(File& file) {
    add_bone(file, "ROOT", "", {}, 2);
    add_bone(file, "HEAD", "ROOT", {2, 0, 0}, 3);
    add_bone(file, "ENO7", "HEAD", {0, 3, 0}, 0);
    add_bone(file, "LUPA", "ROOT", {0, 2, 0}, 1);
    add_bone(file, "LLRA", "LUPA", {1, 0, 0}, 1);
    add_bone(file, "RUPA", "ROOT", {0, -2, 0}, 1);
    add_bone(file, "RLRA", "RUPA", {1, 0, 0}, 1);
}

void add_link(arp::Points& points, std::uint32_t bone, float weight) {
    const float along = static_cast<float>(points.offsets.size()) - 1;
    points.offsets.push_back({along, 1, 2});
    points.normals.push_back({0, 0, 1});
    points.bones.push_back(bone);
    points.weights.push_back(weight);
    points.distances.push_back(std::max(0.0F, along));
}

/// A square of four points, one of them twice; the last hangs on two bones.
arp::Mesh make_mesh() {
    arp::Mesh mesh;
    mesh.points.link_counts = {1, 1, 1, 2};
    for (int point = 0; point < 3; ++point) add_link(mesh.points, 0, 1);
    add_link(mesh.points, 0, 0.25F);
    add_link(mesh.points, 1, 0.75F);
    mesh.strip = {0, 1, 2, 3, 3, 4};
    mesh.duplicates = {2};
    mesh.texcoords = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5F, 0.5F}};
    std::string name;
    for (const char letter : std::string(morph_names) + ' ') {
        if (letter != ' ') {
            name += letter;
            continue;
        }
        mesh.morph_targets.push_back({name, {{3, 1, {0, 1, 0}, {0, 1, 0}}, {0, 0.5F, {1, 0, 0}, {1, 0, 0}}}});
        name.clear();
    }
    return mesh;
}

File sound() {
    File file;
    file.volume_low = {-1, 0, -1};
    file.volume_high = {1, 18, 1};
    file.reflectance = {0.75F, 0.75F, 0.75F};
    add_bones(file);
    file.link_names = {"ROOT", "HEAD"};
    file.meshes.push_back(make_mesh());
    arp::Ambient ambient;
    for (int frame = 0; frame < 2; ++frame)
        ambient.frames.push_back({0, {{code("eylc"), 1.1F}}, {{code("HEAD"), {9, 9, 9}, {}}}});
    file.ambient = std::move(ambient);
    file.texture.name = "skin.png";
    file.texture.flags[2] = 1;
    return file;
}

File sound_timed() {
    File file = sound();
    file.version = "3.0";
    file.layout = {};
    file.layout.bone_name_lengths = true;
    file.layout.ambient = arp::AmbientForm::timed;
    file.bones[0].parent.clear();
    file.ambient->frames[1].time = 40;
    return file;
}

File sound_with_neighbours() {
    File file = sound();
    file.layout.adjacency = true;
    arp::Points& points = file.meshes[0].points;
    points.neighbour_counts = {1, 0, 0, 2};
    points.neighbours = {1, 0, 2};
    return file;
}

File sound_embedded() {
    File file = sound();
    file.texture.flags = {1, 0, 0, 0, 1};
    for (const int byte : {1, 0, 0, 0, 1, 0, 0, 0, 10, 20, 30, 255})
        file.texture.image.push_back(static_cast<std::byte>(byte));
    file.texture.stored_size = static_cast<std::uint32_t>(file.texture.image.size());
    return file;
}

Codes codes_of(const Report& report) {
    Codes codes;
    for (const Diagnostic& finding : report.diagnostics()) {
        EXPECT_NE(finding.message, "") << finding.code;
        codes.insert(finding.code);
    }
    return codes;
}

struct Case {
    const char* code;
    std::function<void(File&)> change;
    Codes others = {};  ///< that follow of necessity
    File (*base)() = &sound;
};

void add_file_cases(std::vector<Case>& cases) {
    cases.push_back({"arp-missing", [](File& f) {
                         f.first_missing = Part::texture;
                         f.texture = {};
                         f.trailing.resize(7, std::byte{1});
                     }});
    cases.push_back({"arp-version", [](File& f) { f.version = "3.2"; }});
    cases.push_back({"arp-version", [](File& f) { f.version = "x"; }});
    cases.push_back({"arp-version-old", [](File&) {}, {}, &sound_timed});
    cases.push_back({"arp-layout", [](File& f) { f.layout.duplicates = arp::DuplicateForm::u16; }});
    cases.push_back({"arp-not-finite", [](File& f) { f.scale = nan; }});
    cases.push_back({"arp-not-finite", [](File& f) { f.volume_low.x = infinity; }});
    cases.push_back({"arp-not-finite", [](File& f) { f.reflectance[2] = nan; }});
    cases.push_back({"arp-scale", [](File& f) { f.scale = 0; }});
    cases.push_back({"arp-volume", [](File& f) { f.volume_high.y = f.volume_low.y; }});
    cases.push_back({"arp-reflectance", [](File& f) { f.reflectance[1] = 1.5F; }});
    cases.push_back({"arp-skeleton-offset", [](File& f) { f.skeleton_offset = 1; }});
    cases.push_back({"arp-trailing", [](File& f) { f.trailing.resize(1, std::byte{0}); }});
    cases.push_back({"arp-texture-name", [](File& f) { f.texture.name.clear(); }});
    cases.push_back({"arp-texture-flags", [](File& f) { f.texture.flags[1] = 1; }});
    cases.push_back({"arp-texture-flags", [](File& f) { f.texture.flags[11] = 1; }});
    cases.push_back({"arp-texture-flags", [](File& f) { f.texture.flags[5] = 2; }});
    cases.push_back({"arp-texture-flags", [](File& f) { f.texture.flags[4] = 1; }});
    cases.push_back({"arp-texture-tga", [](File& f) { f.texture.flags = {0, 0, 0, 1}; }});
    cases.push_back({"arp-texture-embedded", [](File&) {}, {}, &sound_embedded});
    cases.push_back(
        {"arp-texture-size", [](File& f) { f.texture.image.pop_back(); }, {"arp-texture-embedded"}, &sound_embedded});
    cases.push_back({"arp-array-size", [](File& f) { f.texture.image.resize(4, std::byte{0}); }});
}

void add_mesh_cases(std::vector<Case>& cases) {
    cases.push_back({"arp-mesh-missing", [](File& f) {
                         f.meshes.clear();
                         f.ambient->frames.clear();
                     }});
    cases.push_back({"arp-meshes", [](File& f) { f.meshes.push_back(make_mesh()); }});
    cases.push_back({"arp-not-finite", [](File& f) { f.meshes[0].switch_distance = nan; }});
    cases.push_back({"arp-not-finite", [](File& f) { f.meshes[0].texcoords[1].y = nan; }});
    cases.push_back({"arp-strip-index", [](File& f) { f.meshes[0].strip.push_back(5); }});
    cases.push_back({"arp-strip-empty", [](File& f) { f.meshes[0].strip = {0, 1, 0, 1}; }});
    cases.push_back({"arp-vertex-unused", [](File& f) { f.meshes[0].strip.pop_back(); }});
    cases.push_back({"arp-duplicate-range", [](File& f) { f.meshes[0].duplicates[0] = 4; }});
    cases.push_back({"arp-vertex-count",
                     [](File& f) {
                         f.meshes[0].duplicates.resize(65533, 0);
                         f.meshes[0].texcoords.resize(65537, {0, 0});
                     },
                     {"arp-vertex-unused"}});
    cases.push_back({"arp-texcoord-count", [](File& f) { f.meshes[0].texcoords.pop_back(); }});
    cases.push_back({"arp-array-size", [](File& f) { f.meshes[0].points.weights.pop_back(); }});
    cases.push_back({"arp-array-size", [](File& f) { f.meshes[0].points.link_counts[0] = 0xffffffff; }});
    cases.push_back({"arp-array-size", [](File& f) { f.meshes[0].list_sizes.resize(3, 0); }});
    cases.push_back({"arp-neighbour-range",
                     [](File& f) { f.meshes[0].points.neighbours[2] = 4; },
                     {"arp-layout"},
                     &sound_with_neighbours});
    cases.push_back({"arp-array-size",
                     [](File& f) { f.meshes[0].points.neighbours.pop_back(); },
                     {"arp-layout"},
                     &sound_with_neighbours});
}

void add_point_cases(std::vector<Case>& cases) {
    const auto add = [&](const char* code, void (*change)(arp::Points&)) {
        cases.push_back({code, [change](File& f) { change(f.meshes[0].points); }});
    };
    add("arp-point-loose", [](arp::Points& p) {
        p.link_counts = {0, 1, 2, 2};
        p.weights[1] = p.weights[2] = 0.5F;
        p.bones[2] = 1;
    });
    add("arp-weight-negative", [](arp::Points& p) {
        p.weights[3] = -1;
        p.weights[4] = 2;
    });
    add("arp-weight-sum", [](arp::Points& p) { p.weights[4] = 0.7F; });
    add("arp-weight-zero", [](arp::Points& p) {
        p.weights[3] = 0;
        p.weights[4] = 1;
        p.offsets[3] = {99, 99, 99};
        p.normals[3] = {};
    });
    add("arp-normal-length", [](arp::Points& p) { p.normals[1] = {}; });
    add("arp-distance", [](arp::Points& p) { p.distances[0] = -1; });
    add("arp-link-repeated", [](arp::Points& p) { p.bones[4] = 0; });
    add("arp-link-name", [](arp::Points& p) { p.bones[4] = 2; });
    add("arp-not-finite", [](arp::Points& p) { p.offsets[1].z = nan; });
    add("arp-not-finite", [](arp::Points& p) { p.normals[1].z = infinity; });
    add("arp-not-finite", [](arp::Points& p) { p.distances[1] = infinity; });
    cases.push_back({"arp-link-bone", [](File& f) { f.link_names[1] = "NECK"; }});
    cases.push_back({"arp-link-many", [](File& f) {
                         f.link_names = {"ROOT", "HEAD", "LUPA", "LLRA", "RUPA"};
                         arp::Points& points = f.meshes[0].points;
                         points.link_counts[3] = 5;
                         for (std::size_t link = 3; link < 5; ++link) points.weights[link] = 0.2F;
                         for (std::uint32_t bone = 2; bone < 5; ++bone) add_link(points, bone, 0.2F);
                     }});
}

void add_morph_cases(std::vector<Case>& cases) {
    const auto add = [&](const char* code, void (*change)(std::vector<arp::MorphTarget>&)) {
        cases.push_back({code, [change](File& f) { change(f.meshes[0].morph_targets); }});
    };
    add("arp-morph-name", [](auto& targets) { targets.push_back({"smile", {}}); });
    add("arp-morph-name", [](auto& targets) { targets.push_back({"", {}}); });
    add("arp-morph-duplicate", [](auto& targets) { targets.push_back({"th", {}}); });
    add("arp-morph-missing", [](auto& targets) { targets.pop_back(); });
    add("arp-morph-point", [](auto& targets) { targets[1].sets[0].point = 4; });
    add("arp-morph-repeated", [](auto& targets) { targets[1].sets[0].point = 0; });
    add("arp-morph-normal-length", [](auto& targets) { targets[1].sets[0].normal = {0, 0, 1.5F}; });
    add("arp-normal-length", [](auto& targets) { targets[1].sets[0].normal = {}; });
    add("arp-not-finite", [](auto& targets) { targets[1].sets[0].offset.y = nan; });
}

void add_bone_cases(std::vector<Case>& cases) {
    const auto remove_bones = [](File& f, std::size_t first) {
        f.bones.erase(f.bones.begin() + static_cast<std::ptrdiff_t>(first), f.bones.end());
        f.default_pose.resize(f.bones.size());
    };
    const auto rename = [](File& f, std::size_t bone, const char* name) {
        for (arp::Bone& other : f.bones)
            if (other.parent == f.bones[bone].name) other.parent = name;
        f.bones[bone].name = name;
        f.default_pose[bone].bone = code(name);
    };
    cases.push_back({"arp-bone-missing", [=](File& f) {
                         remove_bones(f, 0);
                         f.ambient.reset();
                     }});
    cases.push_back({"arp-bone-name", [=](File& f) { rename(f, 2, "E 7"); }});
    cases.push_back({"arp-bone-name", [=](File& f) { rename(f, 2, ""); }});
    cases.push_back({"arp-bone-duplicate", [=](File& f) { rename(f, 2, "HEAD"); }});
    cases.push_back({"arp-parent-missing", [](File& f) { f.bones[2].parent = "NECK"; }});
    cases.push_back({"arp-parent-order", [](File& f) {
                         f.bones[1].parent = "ENO7";
                         f.bones[2].parent = "ROOT";
                     }});
    cases.push_back({"arp-root-several", [](File& f) { f.bones[5].parent.assign(4, '\0'); }});
    cases.push_back({"arp-root-missing", [=](File& f) {
                         rename(f, 0, "HIPS");
                         f.link_names[0] = "HIPS";
                     }});
    cases.push_back({"arp-head-missing", [=](File& f) {
                         rename(f, 1, "SKUL");
                         f.link_names[1] = "SKUL";
                         f.ambient.reset();
                     }});
    cases.push_back({"arp-arm-missing", [=](File& f) { remove_bones(f, 6); }});
    cases.push_back({"arp-bone-length", [](File& f) { f.bones[1].length = 4; }});
    cases.push_back({"arp-bone-length", [](File& f) {
                         f.bones[4].length = 0;
                         f.link_names[1] = "LLRA";
                     }});
    cases.push_back({"arp-inverse-twist", [](File& f) { f.bones[1].inverse_twist = f.bones[1].rotation; }});
    const auto turn = [](float size) { return [size](File& f) { f.default_pose[3].rotation = {0, 0, 0, size}; }; };
    cases.push_back({"arp-rotation-length", turn(1.005F)});
    cases.push_back({"arp-rotation-scaled", turn(1.5F)});
    cases.push_back({"arp-rotation-none", turn(0)});
    cases.push_back({"arp-not-finite", turn(nan)});
    cases.push_back({"arp-not-finite", [](File& f) { f.default_pose[0].translation.x = nan; }});
    cases.push_back({"arp-not-finite", [](File& f) { f.bones[2].length = infinity; }});
    cases.push_back({"arp-pose-bones", [](File& f) { f.default_pose.pop_back(); }});
    cases.push_back({"arp-pose-bones", [](File& f) { f.default_pose[2].bone = code("HEAD"); }});
    cases.push_back({"arp-pose-translation", [](File& f) { f.default_pose[2].translation.x += 1; }});
}

void add_ambient_cases(std::vector<Case>& cases) {
    cases.push_back({"arp-ambient-rate", [](File& f) { f.ambient->frames_per_second = 0; }});
    cases.push_back({"arp-ambient-time",
                     [](File& f) {
                         f.ambient->frames[0].time = 100;
                         f.ambient->frames[1].time = 100;
                     },
                     {"arp-version-old"},
                     &sound_timed});
    cases.push_back({"arp-ambient-bone", [](File& f) { f.ambient->frames[1].bones[0].bone = code("TAIL"); }});
    cases.push_back({"arp-ambient-morph", [](File& f) { f.ambient->frames[1].morphs[0].target = code("zzzz"); }});
    cases.push_back({"arp-not-finite", [](File& f) { f.ambient->frames[1].morphs[0].amount = nan; }});
    cases.push_back({"arp-rotation-none", [](File& f) { f.ambient->frames[1].bones[0].rotation.w = 0; }});
    cases.push_back({"arp-array-size", [](File& f) { f.layout.ambient = arp::AmbientForm::none; }, {"arp-layout"}});
}

std::vector<Case> cases() {
    std::vector<Case> all;
    add_file_cases(all);
    add_mesh_cases(all);
    add_point_cases(all);
    add_morph_cases(all);
    add_bone_cases(all);
    add_ambient_cases(all);
    return all;
}

TEST(ArpCheck, SoundFilesHaveNoFindings) {
    EXPECT_EQ(codes_of(arp::check(sound())), Codes{});
    EXPECT_EQ(codes_of(arp::check(sound_timed())), Codes{"arp-version-old"});
    EXPECT_EQ(codes_of(arp::check(sound_with_neighbours())), Codes{"arp-layout"});
    EXPECT_EQ(codes_of(arp::check(sound_embedded())), Codes{"arp-texture-embedded"});
}

TEST(ArpCheck, FindsWhatIsBroken) {
    for (const Case& one : cases()) {
        File file = one.base();
        one.change(file);
        Codes expected = one.others;
        expected.insert(one.code);
        SCOPED_TRACE(one.code);
        const Report report = arp::check(file);
        EXPECT_EQ(codes_of(report), expected);
    }
}

TEST(ArpCheckRules, AreAllTested) {
    Codes tested;
    for (const Case& one : cases()) tested.insert(one.code);
    expect_all_tested(codes_in({"arp avatar"}), tested);
}

TEST(ArpCheck, ArmsOfNoLengthMatterWherePointsHangOnThem) {
    const auto of_length = [](float length, const char* linked) {
        File file = sound();
        file.bones[4].length = length;
        file.link_names[1] = linked;
        return arp::check(file);
    };
    EXPECT_TRUE(of_length(0, "HEAD").empty());
    EXPECT_TRUE(of_length(1, "LLRA").empty());
    const Report report = of_length(0, "LLRA");
    ASSERT_EQ(report.diagnostics().size(), 1u);
    EXPECT_EQ(report.diagnostics()[0].severity, Severity::warning);
    EXPECT_EQ(report.diagnostics()[0].path, "bone[4] / length");
}

// What is no mistake though it looks like one.
TEST(ArpCheck, AllowsWhatTheFormatAllows) {
    const auto after = [](File file, auto&& change) {
        change(file);
        return codes_of(arp::check(file));
    };
    // Rounding.
    EXPECT_EQ(after(sound(), [](File& f) { f.meshes[0].points.weights[0] = 1.000003F; }), Codes{});
    EXPECT_EQ(after(sound(), [](File& f) { f.bones[0].rotation.w += 6e-4F; }), Codes{});
    // A link that weighs nothing is none, whatever it hangs on.
    EXPECT_EQ(after(sound(),
                    [](File& f) {
                        f.meshes[0].points.weights[3] = 0;
                        f.meshes[0].points.weights[4] = 1;
                        f.meshes[0].points.bones[3] = 1;
                    }),
              Codes{"arp-weight-zero"});
    // A quaternion and its negative turn alike.
    EXPECT_EQ(after(sound(), [](File& f) { f.bones[1].inverse_twist = {0.6F, 0, 0, -0.8F}; }), Codes{});
    // A bone's length goes to one of its children.
    EXPECT_EQ(after(sound(),
                    [](File& f) {
                        f.bones[3].translation = f.default_pose[3].translation = {0, 5, 0};
                    }),
              Codes{});
    // No ambient motion, and one that amounts to more than the whole target.
    EXPECT_EQ(after(sound(), [](File& f) { f.ambient.reset(); }), Codes{});
    // Times that are left out.
    EXPECT_EQ(after(sound_timed(), [](File& f) { f.ambient->frames[1].time = 0; }), Codes{"arp-version-old"});
    // Names filled up with blanks in old ambient motion.
    EXPECT_EQ(after(sound_timed(),
                    [](File& f) {
                        f.ambient->frames[0].morphs[0].target = {'t', 'h', ' ', ' '};
                    }),
              Codes{"arp-version-old"});
}

TEST(ArpCheck, CutOffFilesAreNotBlamedForWhatIsMissing) {
    const auto after = [](Part part, auto&& change) {
        File file = sound();
        file.first_missing = part;
        file.texture = {};
        file.ambient.reset();
        if (part <= Part::default_pose) file.bones.clear();
        if (part <= Part::default_pose) file.default_pose.clear();
        change(file);
        return codes_of(arp::check(file));
    };
    const Codes missing{"arp-missing"};
    EXPECT_EQ(after(Part::header, [](File& f) { f = File{}, f.first_missing = Part::header; }), missing);
    EXPECT_EQ(after(Part::points, [](File& f) { f.meshes.clear(); }), missing);
    EXPECT_EQ(after(Part::points, [](File& f) { f.mesh_count = 2; }), missing);
    EXPECT_EQ(after(Part::strip,
                    [](File& f) {
                        f.meshes[0].strip.clear(), f.meshes[0].duplicates.clear();
                        f.meshes[0].texcoords.clear(), f.meshes[0].morph_targets.clear();
                    }),
              missing);
    EXPECT_EQ(after(Part::texcoords, [](File& f) { f.meshes[0].texcoords.clear(); }), missing);
    EXPECT_EQ(after(Part::morph_targets, [](File& f) { f.meshes[0].morph_targets.clear(); }), missing);
    EXPECT_EQ(after(Part::default_pose, [](File&) {}), missing);
    EXPECT_EQ(after(Part::bones, [](File& f) { f.bones.clear(); }), missing);
    EXPECT_EQ(after(Part::ambient, [](File&) {}), missing);
}

TEST(ArpCheck, EmptyFileIsNotSound) {
    EXPECT_EQ(codes_of(arp::check(File{})),
              (Codes{"arp-mesh-missing", "arp-bone-missing", "arp-texture-name", "arp-volume"}));
}

TEST(ArpCheck, BulkDamageIsOneFinding) {
    File file = sound();
    for (std::uint16_t& index : file.meshes[0].strip) index = 9;
    for (Vec3& normal : file.meshes[0].points.normals) normal = {};
    const Report report = arp::check(file);
    EXPECT_EQ(report.count("arp-strip-index"), 1u);
    EXPECT_EQ(report.count("arp-normal-length"), 1u);
}

TEST(ArpCheck, OffsetsAreThoseOfTheFile) {
    File file = sound();
    file.meshes[0].points.weights[4] = 0.5F;
    file.bones[2].parent = "NECK";
    const Report report = arp::check(file);
    ASSERT_EQ(report.diagnostics().size(), 2u);
    const auto bytes = arp::write(file);
    ASSERT_TRUE(bytes) << to_string(bytes.error());
    for (const Diagnostic& finding : report.diagnostics()) {
        EXPECT_LT(finding.offset, bytes->size()) << to_string(finding);
        if (finding.code != "arp-parent-missing") continue;
        const auto* text = reinterpret_cast<const char*>(bytes->data()) + finding.offset;
        EXPECT_EQ(std::string_view(text, 4), "NECK");
    }
}

/// Everything names everything: what takes too long for one of them never ends for all.
TEST(ArpCheck, CopesWithManyOfEverything) {
    constexpr std::uint32_t many = 200'000;
    File file = sound();
    arp::Points& points = file.meshes[0].points;
    points = {};
    points.link_counts = {many};
    for (std::uint32_t link = 0; link < many; ++link) add_link(points, link % 2, 1);
    file.meshes[0].morph_targets.resize(many, {"th", {}});
    file.meshes[0].duplicates.resize(many, 0xffffffff);
    file.bones.resize(many, file.bones[1]);
    file.default_pose.resize(many, file.default_pose[1]);
    const Report report = arp::check(file);
    EXPECT_TRUE(report.has_errors());
    EXPECT_LE(report.diagnostics().size(), 3 * codes_in({"arp avatar"}).size());
}

/// As many meshes and names of bones: neither is gone through for each of the other.
TEST(ArpCheck, CopesWithMeshesThatShareNames) {
    constexpr std::size_t many = 50'000;
    File file = sound();
    for (std::size_t index = 0; index < many; ++index) file.link_names.push_back(std::to_string(index));
    arp::Mesh mesh;
    mesh.points.link_counts = {1};
    add_link(mesh.points, 0, 1);
    mesh.strip = {0xffff};
    file.meshes.assign(many, mesh);
    const Report report = arp::check(file);
    EXPECT_EQ(report.count("arp-strip-index"), many);
    EXPECT_EQ(report.count("arp-link-repeated"), 0u);
}

/// Numbers of a file in memory may be any.
TEST(ArpCheck, SurvivesAnyNumbers) {
    std::minstd_rand random(5);
    const auto scramble = [&](auto& array) {
        if (array.empty()) return;
        if (random() % 3 == 0) array.resize(random() % (2 * array.size() + 1));
        auto* bytes = reinterpret_cast<unsigned char*>(array.data());
        const std::size_t size = array.size() * sizeof(array[0]);
        for (std::size_t hits = random() % 3; size != 0 && hits != 0; --hits)
            bytes[random() % size] = static_cast<unsigned char>(random() % 4 == 0 ? 255 : random());
    };
    constexpr std::array<File (*)(), 4> bases{&sound, &sound_timed, &sound_with_neighbours, &sound_embedded};
    for (int round = 0; round < 4000; ++round) {
        File file = bases[random() % bases.size()]();
        file.layout.duplicates = static_cast<arp::DuplicateForm>(random() % 5);
        file.first_missing = random() % 3 == 0 ? static_cast<Part>(random() % 13) : Part::end;
        arp::Mesh& mesh = file.meshes[0];
        scramble(mesh.points.link_counts);
        scramble(mesh.points.offsets);
        scramble(mesh.points.bones);
        scramble(mesh.points.neighbour_counts);
        scramble(mesh.points.neighbours);
        scramble(mesh.strip);
        scramble(mesh.duplicates);
        scramble(mesh.morph_targets[0].sets);
        scramble(file.default_pose);
        scramble(file.ambient->frames[0].bones);
        scramble(file.ambient->frames[0].morphs);
        scramble(file.texture.image);
        if (random() % 2 == 0) mesh.list_sizes.resize(mesh.points.size(), static_cast<std::uint32_t>(random() % 3));
        if (random() % 4 == 0) file.bones.resize(random() % 8);
        if (random() % 4 == 0) file.link_names.resize(random() % 3);
        if (random() % 8 == 0) file.meshes.clear();
        const Report report = arp::check(file);
        EXPECT_LE(report.diagnostics().size(), 3 * codes_in({"arp avatar"}).size());
    }
}

TEST(ArpCheck, CorpusHasNoErrors) {
    EFFIGY_NEEDS_AVATARS();
    for (const auto& [name, bytes, file, read] : avatars::all()) {
        SCOPED_TRACE(name);
        const Report report = arp::check(file);
        EXPECT_FALSE(report.has_errors());
        for (const Diagnostic& finding : report.diagnostics())
            if (finding.severity != Severity::info) std::cout << to_string(finding) << '\n';
    }
    std::cout << "corpus: " << avatars::all().size() << " avatars checked\n";
}

}  // namespace
}  // namespace effigy::test
