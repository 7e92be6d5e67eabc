// ARP: every byte comes back and every number is the one that was written, whatever the version and its variant.

#include <gtest/gtest.h>

#include "arp/file/formats.hpp"
#include "arp/raw_arp.hpp"
#include "core/json.hpp"
#include "reports.hpp"

namespace effigy::test::arp {
namespace {

using namespace effigy::arp;
using effigy::arp::Mesh;

Layout layout_of(const RawForm& form) {
    Layout layout;
    layout.material_first = !form.material_last;
    layout.reflectance_count = form.one_reflectance ? 1 : 3;
    layout.link_name_lengths = !form.raw_link_names;
    layout.adjacency = form.neighbours;
    layout.duplicates = static_cast<DuplicateForm>(form.duplicates);
    layout.morph_normals = form.morph_normals;
    layout.bone_name_lengths = form.bone_strings;
    layout.ambient = form.ambient == RawAmbient::none             ? AmbientForm::none
                     : form.ambient == RawAmbient::before_texture ? AmbientForm::counted
                                                                  : AmbientForm::timed;
    layout.texture = form.texture_flag ? TextureForm::flag : TextureForm::named;
    return layout;
}

void expect_dump_is_kept(const File& file, const Bytes& bytes) {
    for (const bool expand : {false, true}) {
        const auto nodes = parse_json(to_text(dump(file, {expand}).value()));
        ASSERT_TRUE(nodes);
        const auto built = effigy::arp::build(*nodes, false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(built->layout, file.layout);
        EXPECT_EQ(write(*built).value(), bytes);
        const auto normalized = effigy::arp::build(*nodes, true, {});
        ASSERT_TRUE(normalized) << to_string(normalized.error());
        EXPECT_EQ(write(*normalized).value(), write(file, {.normalize = true}).value());
    }
}

class AnyAvatar : public testing::TestWithParam<Fixture> {};
INSTANTIATE_TEST_SUITE_P(Files, AnyAvatar, testing::ValuesIn(all_fixtures()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(AnyAvatar, IsKept) {
    const Bytes bytes = make(GetParam().description);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(loaded->report.count(Severity::error) + loaded->report.count(Severity::warning), 0u)
        << findings(loaded->report);
    EXPECT_EQ(loaded->value.first_missing, Part::end);
    EXPECT_EQ(describe(loaded->value.layout), describe(layout_of(GetParam().description.form)));
    EXPECT_EQ(loaded->value.layout, layout_of(GetParam().description.form));
    EXPECT_EQ(write(loaded->value).value(), bytes);
    EXPECT_EQ(write(loaded->value, {.normalize = true}).value(), bytes);
    expect_dump_is_kept(loaded->value, bytes);
}

TEST_P(AnyAvatar, IsLaidOutAsItsVersionSaysOrElseSo) {
    const RawForm& form = GetParam().description.form;
    const auto loaded = read(make(GetParam().description));
    ASSERT_TRUE(loaded);
    const bool usual = layout_of(form) == layout_of(form_of(GetParam().description.version));
    EXPECT_EQ(loaded->report.count("arp-layout-other"), usual ? 0u : 1u);
    const std::string text = describe(loaded->value.layout);
    EXPECT_EQ(text.find(',') == std::string::npos, usual) << text;
    const Json json = info(loaded->value, "ISO-8859-1");
    EXPECT_EQ(json["layout"], text);
    EXPECT_EQ(json["bones"].size(), loaded->value.bones.size());
}

void expect_points(const Points& points, const RawMesh& raw, const File& file, bool neighbours) {
    ASSERT_EQ(points.size(), raw.points.size());
    const Bulk<std::uint32_t> first = first_links(points);
    ASSERT_EQ(first.size(), points.size() + 1);
    EXPECT_EQ(first.back(), points.weights.size());
    std::size_t neighbour = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
        ASSERT_EQ(points.link_counts[point], raw.points[point].links.size());
        for (std::size_t link = 0; link < points.link_counts[point]; ++link) {
            const std::size_t place = first[point] + link;
            const RawLink& expected = raw.points[point].links[link];
            EXPECT_EQ(points.offsets[place], (Vec3{expected.offset[0], expected.offset[1], expected.offset[2]}));
            EXPECT_EQ(points.normals[place], (Vec3{expected.normal[0], expected.normal[1], expected.normal[2]}));
            EXPECT_EQ(file.link_names.at(points.bones[place]), expected.bone);
            EXPECT_EQ(points.weights[place], expected.weight);
            EXPECT_EQ(points.distances[place], expected.distance);
        }
        if (!neighbours) continue;
        ASSERT_EQ(points.neighbour_counts[point], raw.points[point].neighbours.size());
        for (const std::uint32_t expected : raw.points[point].neighbours)
            EXPECT_EQ(points.neighbours[neighbour++], expected);
    }
}

TEST_P(AnyAvatar, HasTheMeshThatWasWritten) {
    const Description& description = GetParam().description;
    const auto loaded = read(make(description));
    ASSERT_TRUE(loaded);
    const File& file = loaded->value;
    ASSERT_EQ(file.meshes.size(), description.meshes.size());
    for (std::size_t index = 0; index < file.meshes.size(); ++index) {
        const Mesh& mesh = file.meshes[index];
        const RawMesh& raw = description.meshes[index];
        expect_points(mesh.points, raw, file, description.form.neighbours);
        EXPECT_TRUE(std::equal(mesh.strip.begin(), mesh.strip.end(), raw.strip.begin(), raw.strip.end()));
        const Bulk<std::uint32_t> duplicates = duplicate_points(mesh, file.layout);
        EXPECT_TRUE(std::equal(duplicates.begin(), duplicates.end(), raw.duplicates.begin(), raw.duplicates.end()));
        ASSERT_EQ(mesh.texcoords.size(), raw.texcoords.size());
        for (std::size_t place = 0; place < mesh.texcoords.size(); ++place)
            EXPECT_EQ(mesh.texcoords[place], (Vec2{raw.texcoords[place][0], raw.texcoords[place][1]}));
        ASSERT_EQ(mesh.morph_targets.size(), raw.targets.size());
        for (std::size_t target = 0; target < raw.targets.size(); ++target) {
            EXPECT_EQ(mesh.morph_targets[target].name, raw.targets[target].name);
            ASSERT_EQ(mesh.morph_targets[target].sets.size(), raw.targets[target].sets.size());
            for (std::size_t place = 0; place < raw.targets[target].sets.size(); ++place) {
                const MorphSet& set = mesh.morph_targets[target].sets[place];
                const RawSet& expected = raw.targets[target].sets[place];
                EXPECT_EQ(set.point, expected.point);
                EXPECT_EQ(set.weight, expected.weight);
                EXPECT_EQ(set.offset.y, expected.offset[1]);
                EXPECT_EQ(set.normal.z, description.form.morph_normals ? expected.normal[2] : 0.0f);
            }
        }
    }
}

TEST_P(AnyAvatar, HasTheRestThatWasWritten) {
    const Description& description = GetParam().description;
    const auto loaded = read(make(description));
    ASSERT_TRUE(loaded);
    const File& file = loaded->value;
    EXPECT_EQ(file.version, description.version);
    EXPECT_EQ(file.scale, description.scale);
    EXPECT_EQ(file.volume_low.x, description.volume_low[0]);
    EXPECT_EQ(file.volume_high.z, description.volume_high[2]);
    EXPECT_EQ(file.reflectance[0], description.reflectance[0]);
    EXPECT_EQ(file.reflectance[2], description.form.one_reflectance ? 0 : description.reflectance[2]);
    EXPECT_EQ(file.skeleton_offset, description.skeleton_offset);
    ASSERT_EQ(file.bones.size(), description.bones.size());
    for (std::size_t index = 0; index < file.bones.size(); ++index) {
        const RawBone& expected = description.bones[index];
        EXPECT_EQ(file.bones[index].name, expected.name);
        EXPECT_EQ(find_bone(file, expected.name), index);
        EXPECT_EQ(file.bones[index].parent.size(), description.form.bone_strings ? expected.parent.size() : 4u);
        EXPECT_EQ(file.bones[index].parent.substr(0, expected.parent.size()), expected.parent);
        EXPECT_EQ(file.bones[index].rotation.w, expected.rotation[3]);
        EXPECT_EQ(file.bones[index].inverse_twist.x, expected.inverse_twist[0]);
        EXPECT_EQ(file.bones[index].length, expected.length);
    }
    EXPECT_EQ(find_bone(file, "NONE"), file.bones.size());
    ASSERT_EQ(file.default_pose.size(), description.default_pose.size());
    EXPECT_EQ(text_of(file.default_pose.back().bone), description.default_pose.back().bone);
    EXPECT_EQ(file.ambient.has_value(), description.has_ambient);
    EXPECT_EQ(file.texture.image, description.image);
    const bool is_named = !description.form.texture_flag || description.form.material_last;
    EXPECT_EQ(file.texture.name, is_named ? description.texture : "");
}

TEST_P(AnyAvatar, HasTheMotionThatWasWritten) {
    const Description& description = GetParam().description;
    const auto loaded = read(make(description));
    ASSERT_TRUE(loaded);
    if (!description.has_ambient) return;
    const Ambient& ambient = *loaded->value.ambient;
    EXPECT_EQ(ambient.frames_per_second, 25);
    ASSERT_EQ(ambient.frames.size(), description.frames.size());
    for (std::size_t index = 0; index < ambient.frames.size(); ++index) {
        const AmbientFrame& frame = ambient.frames[index];
        const RawFrame& expected = description.frames[index];
        if (loaded->value.layout.ambient == AmbientForm::timed) {
            EXPECT_EQ(frame.time, expected.time);
        }
        ASSERT_EQ(frame.morphs.size(), expected.morphs.size());
        for (std::size_t place = 0; place < frame.morphs.size(); ++place)
            EXPECT_EQ(frame.morphs[place].amount, expected.morphs[place].second);
        ASSERT_EQ(frame.bones.size(), expected.bones.size());
        for (std::size_t place = 0; place < frame.bones.size(); ++place)
            EXPECT_EQ(frame.bones[place].rotation.y, expected.bones[place].rotation[1]);
    }
}

TEST(Avatar, IsKeptInEveryVersionAsAFigure) {
    const std::pair<const char*, const char*> versions[]{
        {"3.1", "3.1"}, {"3.0", "3.0"}, {"2.2", "2.2"},  {"2.1", "2.1"},  {"2.0", "2.0"},  {"3.15", "3.1"},
        {"3.2", "3.1"}, {"4.0", "3.1"}, {"3.01", "3.0"}, {"3.02", "3.0"}, {"2.20", "2.2"}, {"3.10", "3.1"},
        {"3", "3.0"},   {"3.", "3.0"},  {"10.0", "3.1"}, {"2.15", "2.1"}, {"3.1.2", "3.1"}};
    for (const auto& [version, form] : versions) {
        SCOPED_TRACE(version);
        Description description = figure(form);
        description.version = version;
        const Bytes bytes = make(description);
        const auto loaded = read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
        EXPECT_EQ(write(loaded->value).value(), bytes);
        EXPECT_EQ(loaded->value.layout, layout_of(description.form));
    }
}

TEST(Avatar, MayHaveSeveralMeshesInEveryVersion) {
    for (const char* version : {"3.1", "3.0", "2.2", "2.1", "2.0"}) {
        SCOPED_TRACE(version);
        Description description = small_figure(version);
        description.meshes.push_back(description.meshes[0]);
        description.meshes.push_back(figure(version).meshes[0]);
        for (const RawBone& bone : figure(version).bones) {
            if (bone.name != "ROOT" && bone.name != "HEAD") description.bones.push_back(bone);
        }
        description.meshes[1].switch_distance = 12.5f;
        const Bytes bytes = make(description);
        const auto loaded = read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
        ASSERT_EQ(loaded->value.meshes.size(), 3u);
        EXPECT_EQ(loaded->value.meshes[1].switch_distance, 12.5f);
        EXPECT_EQ(write(loaded->value).value(), bytes);
    }
}

/// 65536 vertices are as many as the strip can name.
TEST(Avatar, MayHaveAsManyVerticesAsTheStripCanName) {
    Description description = small_figure();
    RawMesh& mesh = description.meshes[0];
    mesh.points.resize(65535);
    mesh.texcoords.resize(65536);
    mesh.strip = {0, 1, 65534, 65535};
    const auto loaded = read(make(description));
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
    EXPECT_EQ(check(loaded->value).count("arp-vertex-count"), 0u);
    mesh.duplicates.push_back(3);
    mesh.texcoords.push_back({});
    const auto larger = read(make(description));
    ASSERT_TRUE(larger) << to_string(larger.error());
    EXPECT_EQ(check(larger->value).count("arp-vertex-count"), 1u);
}

TEST(Avatar, NumbersThatNameNoPointAreOneBehindTheLast) {
    Mesh mesh;
    mesh.points.link_counts.resize(3);
    mesh.duplicates = {0, 2, 3, 6, 7, 0xffffffff};
    using List = Bulk<std::uint32_t>;
    EXPECT_EQ(duplicate_points(mesh, {}), (List{0, 2, 3, 3, 3, 3}));
    Layout layout;
    layout.duplicates = DuplicateForm::triples;
    EXPECT_EQ(duplicate_points(mesh, layout), (List{0, 3, 1, 2, 3, 3}));
    layout.duplicates = DuplicateForm::lists;
    mesh.duplicates = {4, 0, 3, 9};
    mesh.list_sizes = {1, 2, 0};
    EXPECT_EQ(duplicate_points(mesh, layout), (List{1, 0, 3}));
}

TEST(Avatar, BlanksAndZerosEndANameOfFour) {
    EXPECT_EQ(text_of({'m', 'o', ' ', ' '}), "mo");
    EXPECT_EQ(text_of({'m', 'o', '\0', 'x'}), "mo");
    EXPECT_EQ(text_of({'H', 'E', 'A', 'D'}), "HEAD");
    EXPECT_EQ(text_of({}), "");
    EXPECT_EQ(text_of({' ', ' ', ' ', ' '}), "");
}

/// Two duplicates without a count, or two of 16 bits behind one.
TEST(Avatar, ThatFitsSeveralLayoutsIsRefused) {
    Description description = small_figure();
    description.form.duplicates = RawDuplicates::uncounted;
    description.meshes[0].duplicates = {2, 1};
    description.meshes[0].texcoords.push_back({1, 1});
    const auto loaded = read(make(description));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, "arp-layout-ambiguous");
    EXPECT_EQ(loaded.error().found, "3.1, duplicates without a count; 3.1, 16-bit duplicates");
}

/// Its number of duplicates is not one of them.
TEST(Avatar, WithATextureCoordinateTooManyIsDamaged) {
    for (const char* version : {"3.1", "3.0", "2.2", "2.1", "2.0"}) {
        SCOPED_TRACE(version);
        Description description = figure(version);
        description.meshes[0].texcoords.push_back({1, 1});
        const Bytes bytes = make(description);
        const auto loaded = read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        EXPECT_EQ(loaded->value.layout, layout_of(description.form));
        EXPECT_EQ(check(loaded->value).count("arp-texcoord-count"), 1u);
        EXPECT_EQ(write(loaded->value).value(), bytes);
    }
}

TEST(Avatar, WhatMakesNoDifferenceIsNotAmbiguous) {
    Description description = small_figure();
    description.form.one_reflectance = true;
    description.meshes[0].duplicates.clear();
    description.meshes[0].strip = {0, 1, 2};
    description.meshes[0].texcoords.resize(3);
    const Bytes bytes = make(description);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(describe(loaded->value.layout), "3.1, one number of reflectance");
    EXPECT_EQ(write(loaded->value).value(), bytes);
}

TEST(Avatar, ThatBreaksARuleIsReadByItsVersion) {
    Description description = small_figure();
    description.meshes[0].points[1].links[0].weight = 3;
    const Bytes bytes = make(description);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->report.count("arp-layout-doubtful"), 1u);
    EXPECT_EQ(loaded->report.diagnostics().front().found, "mesh[0] / weights");
    EXPECT_EQ(write(loaded->value).value(), bytes);
}

TEST(Avatar, KeepsWhatFollowsIt) {
    Description description = small_figure();
    description.trailing.resize(5, std::byte{7});
    const Bytes bytes = make(description);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->report.count("arp-trailing"), 1u);
    EXPECT_FALSE(loaded->report.has_errors());
    EXPECT_EQ(loaded->value.trailing, description.trailing);
    EXPECT_EQ(write(loaded->value).value(), bytes);
    expect_dump_is_kept(loaded->value, bytes);
    EXPECT_EQ(write(loaded->value, {.normalize = true})->size(), bytes.size() - 5);
}

TEST(Avatar, IsNotMistaken) {
    const auto code = [](std::initializer_list<unsigned> bytes) {
        Bytes raw;
        for (const unsigned byte : bytes) raw.push_back(static_cast<std::byte>(byte));
        const auto loaded = read(raw);
        return loaded ? "" : loaded.error().code;
    };
    EXPECT_EQ(code({}), "not-this-format");
    EXPECT_EQ(code({3, 0, 0}), "not-this-format");
    EXPECT_EQ(code({'P', 'K', 3, 4, 0, 0, 0, 0}), "not-this-format");
    EXPECT_EQ(code({17, 0, 0, 0, '3', '.', '1'}), "not-this-format");
    EXPECT_EQ(code({3, 0, 0, 0, '1', '.', '9'}), "input-version");
    EXPECT_EQ(code({0, 0, 0, 3, '3', '.', '1'}), "arp-string-form");
    EXPECT_EQ(code({0, 3, '3', '.', '1', 0, 0}), "arp-string-form");
    EXPECT_EQ(code({3, '3', '.', '1', 0, 0, 0}), "arp-string-form");
    EXPECT_EQ(code({'3', '.', '1', 0, 0, 0, 0}), "arp-string-form");
}

TEST(Avatar, IsRecognized) {
    EXPECT_TRUE(looks_like_avatar(make(small_figure())));
    EXPECT_TRUE(looks_like_avatar(make(small_figure("2.0"))));
    EXPECT_FALSE(looks_like_avatar({}));
    EXPECT_FALSE(looks_like_avatar(Bytes(64)));
    const auto opened = open_bytes(make(small_figure()), "any.name", {});
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->value.format().id, "jarp");
}

TEST(Avatar, CannotBeWrittenWhereItsPartsDisagree) {
    const File sound = read(make(small_figure("2.2")))->value;
    const auto code = [&](auto&& change) {
        File file = sound;
        change(file);
        const auto written = write(file);
        return written ? std::string() : written.error().code;
    };
    EXPECT_EQ(code([](File&) {}), "");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.weights.pop_back(); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.offsets.push_back({}); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.bones.clear(); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.bones[0] = 9; }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.neighbour_counts.clear(); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.meshes[0].points.neighbours.push_back(0); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.texture.image.resize(3); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) { f.first_missing = Part::strip, f.meshes.clear(); }), "write-contradiction");
    EXPECT_EQ(code([](File& f) {
                  f.layout.duplicates = DuplicateForm::u16;
                  f.meshes[0].duplicates[0] = 65536;
              }),
              "write-too-large");
    EXPECT_EQ(code([](File& f) {
                  f.layout.bone_name_lengths = false;
                  f.bones[0].name = "LONGER";
              }),
              "write-too-large");
}

TEST(Avatar, IsLocated) {
    const File file = read(make(small_figure()))->value;
    Report report;
    Diagnostic finding;
    finding.path = "mesh[0] / point[1] / weights[1]";
    report.add(finding);
    locate(file, report);
    // version, scale, volume, reflectance, offset, count; distance, count; point 0; of point 1 all before.
    const std::uint64_t expected = 7 + 4 + 24 + 12 + 4 + 4 + 4 + 4 + (4 + 24 + 8 + 8) + 4 + 48 + 16 + 4;
    EXPECT_EQ(report.diagnostics().front().offset, expected);
    EXPECT_NE(hex_map(file, {}).value().find("link_count"), std::string::npos);
}

}  // namespace
}  // namespace effigy::test::arp
