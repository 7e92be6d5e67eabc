// X42: every byte comes back, every number is the one that was written, whatever the flags and the byte order.

#include <gtest/gtest.h>

#include "core/json.hpp"
#include "egosoft/raw_bytes.hpp"
#include "reports.hpp"
#include "x42/file/formats.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/raw_x42.hpp"

namespace effigy::test::x42 {
namespace {

using namespace effigy::x42;

void expect_dump_is_kept(const File& file, const Bytes& bytes) {
    for (const bool expand : {false, true}) {
        const auto nodes = parse_json(to_text(dump(file, {expand}).value()));
        ASSERT_TRUE(nodes);
        const auto built = effigy::x42::build(*nodes, false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(write(*built).value(), bytes);
    }
}

class AnyX42 : public testing::TestWithParam<std::tuple<Fixture, bool>> {
protected:
    [[nodiscard]] Description description() const {
        Description model = std::get<0>(GetParam()).description;
        model.big = std::get<1>(GetParam());
        return model;
    }
};
INSTANTIATE_TEST_SUITE_P(Files, AnyX42, testing::Combine(testing::ValuesIn(all_fixtures()), testing::Bool()),
                         [](const auto& tested) {
                             return std::get<0>(tested.param).name + (std::get<1>(tested.param) ? "Big" : "Little");
                         });

TEST_P(AnyX42, IsKept) {
    const Bytes bytes = make(description());
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
    EXPECT_EQ(loaded->value.big_endian, description().big);
    EXPECT_FALSE(is_cut_off(loaded->value));
    EXPECT_EQ(loaded->value.trailing, description().trailing);
    EXPECT_EQ(write(loaded->value).value(), bytes);
    expect_dump_is_kept(loaded->value, bytes);
}

/// The normalised file is the one that has zeros for padding.
TEST_P(AnyX42, IsNormalized) {
    Description model = description();
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    model.filling = 0;
    EXPECT_EQ(write(loaded->value, {.normalize = true}).value(), make(model));
    const auto built = effigy::x42::build(dump(loaded->value, {true}).value(), true, {});
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(write(*built).value(), make(model));
}

TEST_P(AnyX42, HasTheNumbersThatWereWritten) {
    const Description model = description();
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    const File& file = loaded->value;
    EXPECT_EQ(file.version, model.version);
    EXPECT_EQ(file.header.model_flags, model.flags);
    EXPECT_EQ(file.header.base_frame, model.base_frame);
    EXPECT_EQ(file.header.frame_count, model.frames);
    EXPECT_EQ(file.header.sphere_radius, model.sphere_radius);
    EXPECT_EQ(file.header.bounds_high.y, model.bounds_high[1]);
    EXPECT_EQ(file.pack.animation_positions[1].low, model.animation_positions[1].low);
    EXPECT_EQ(file.pack.animation_scales.high, model.animation_scales.high);
    EXPECT_EQ(file.pack.vertex_positions[1].high, model.vertex_positions[1].high);
    ASSERT_EQ(file.bones.size(), model.bones.size());
    for (std::size_t index = 0; index < file.bones.size(); ++index) {
        EXPECT_EQ(file.bones[index].name, model.bones[index].name);
        EXPECT_EQ(file.bones[index].parent, model.bones[index].parent);
        EXPECT_EQ(file.bones[index].extent, model.bones[index].extent);
    }
    ASSERT_EQ(file.keys.size(), model.keys.size());
    for (std::size_t index = 0; index < file.keys.size(); ++index) {
        EXPECT_EQ(static_cast<unsigned>(file.keys[index].type), model.keys[index].type);
        EXPECT_EQ(file.keys[index].bone, model.keys[index].bone);
        EXPECT_EQ(file.keys[index].frame, model.keys[index].frame);
        EXPECT_EQ(file.keys[index].value, model.keys[index].value);
    }
    ASSERT_EQ(file.animations.size(), model.animations.size());
    for (std::size_t index = 0; index < file.animations.size(); ++index) {
        EXPECT_EQ(file.animations[index].last_frame, model.animations[index].last);
        EXPECT_EQ(file.animations[index].loop_end, model.animations[index].loop_end);
        EXPECT_EQ(file.animations[index].frame_rate, model.animations[index].rate);
    }
    ASSERT_EQ(file.tags.size(), model.tags.size());
    for (std::size_t index = 0; index < file.tags.size(); ++index) {
        EXPECT_EQ(file.tags[index].bone, model.tags[index].bone);
        EXPECT_EQ(file.tags[index].matrix, model.tags[index].matrix);
    }
    ASSERT_EQ(file.influences.size(), model.influences.size());
    for (std::size_t index = 0; index < file.influences.size(); ++index)
        EXPECT_EQ(file.influences[index].mesh_to_bone, model.influences[index].matrix);
}

TEST_P(AnyX42, HasTheGeometryThatWasWritten) {
    const Description model = description();
    const auto loaded = read(make(model));
    ASSERT_TRUE(loaded);
    const File& file = loaded->value;
    ASSERT_EQ(file.groups.size(), model.groups.size());
    for (std::size_t index = 0; index < file.groups.size(); ++index) {
        const Group& group = file.groups[index];
        const RawGroup& raw = model.groups[index];
        EXPECT_EQ(group.surface, raw.surface);
        EXPECT_EQ(group.vertex_influences, raw.vertex_influences);
        ASSERT_EQ(group.influence_count, raw.influences.size());
        EXPECT_TRUE(std::equal(raw.influences.begin(), raw.influences.end(), group.influences.begin()));
        EXPECT_EQ(static_cast<unsigned>(group.type), raw.type);
        EXPECT_EQ(group.first_vertex, raw.first_vertex);
        EXPECT_EQ(group.vertex_count, raw.vertices);
        EXPECT_EQ(group.first_index, raw.first_index);
        EXPECT_EQ(group.element_count, raw.elements);
    }
    const auto expect_same = [](const auto& numbers, const auto& raw) {
        ASSERT_EQ(numbers.size(), raw.size());
        for (std::size_t index = 0; index < raw.size(); ++index)
            EXPECT_TRUE(std::equal(raw[index].begin(), raw[index].end(), numbers[index].begin())) << index;
    };
    expect_same(file.positions, model.positions);
    expect_same(file.rotations, model.rotations);
    expect_same(file.vertices, model.vertices);
    expect_same(file.normals, model.normals);
    expect_same(file.tangents, model.tangents);
    expect_same(file.texcoords, model.texcoords);
    expect_same(file.colors, model.colors);
    EXPECT_TRUE(std::equal(file.scales.begin(), file.scales.end(), model.scales.begin(), model.scales.end()));
    EXPECT_TRUE(std::equal(file.indices.begin(), file.indices.end(), model.indices.begin(), model.indices.end()));
    EXPECT_TRUE(std::equal(file.blend.begin(), file.blend.end(), model.blend.begin(), model.blend.end(),
                           [](std::byte left, unsigned right) { return std::to_integer<unsigned>(left) == right; }));
    EXPECT_EQ(std::string(file.strings.begin(), file.strings.end()), model.strings);
}

TEST(X42, IsKeptWithAllFlags) {
    for (unsigned flags = 0; flags < 0x20; ++flags) {
        for (const bool big : {false, true}) {
            const unsigned model_flags = (flags & 15U) | (flags & 16U) << 4;
            SCOPED_TRACE(std::to_string(model_flags) + (big ? ", big-endian" : ""));
            const Bytes bytes = make(figure(model_flags, big));
            const auto loaded = read(bytes);
            ASSERT_TRUE(loaded);
            EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
            EXPECT_EQ(write(loaded->value).value(), bytes);
            EXPECT_FALSE(check(loaded->value).has_errors()) << findings(check(loaded->value));
        }
    }
}

/// What the format has no number beyond.
TEST(X42, IsKeptAtTheLimits) {
    Description model = figure(0x100);
    constexpr unsigned most = 65535;
    model.frames = most;
    model.bones.resize(10922, {0, 0, 0, 1});
    model.keys.clear();
    for (unsigned key = 0; key < most; ++key) model.keys.push_back({key / 2 % 3, key / 6 % 10922, key, key});
    model.positions.resize(most, {1, 2, 3});
    model.scales.resize(most, 7);
    model.rotations.resize(most, {0, 0, 0, 32767});
    model.influences.resize(most);
    model.tags.resize(most, {0, none});
    model.animations.resize(most);
    model.animation_groups.resize(most);
    model.lods.resize(most);
    model.groups.resize(most, {0, 0, 0, {}, 4, 0, 0, not_indexed, 0});
    model.strings.resize(most, 'x');
    const Bytes bytes = make(model);
    const auto loaded = read(bytes);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_TRUE(loaded->report.empty()) << findings(loaded->report);
    EXPECT_EQ(loaded->value.keys.size(), most);
    EXPECT_EQ(loaded->value.groups.size(), most);
    EXPECT_EQ(write(loaded->value).value(), bytes);
    EXPECT_GT(info(loaded->value, "CP1252").size(), 0u);
    EXPECT_GT(check(loaded->value).diagnostics().size(), 0u);
}

TEST(X42, RefusesToWriteMoreThanItCanCount) {
    File file = read(make(figure()))->value;
    file.keys.resize(65536);
    const auto written = write(file);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "write-too-large");
    EXPECT_EQ(written.error().path, "header / key_count");
}

TEST(X42, RefusesToWriteWhatContradictsItself) {
    const File sound = read(make(figure()))->value;
    const auto expect_contradiction = [&](auto&& change, const char* path) {
        File file = sound;
        change(file);
        const auto written = write(file);
        ASSERT_FALSE(written) << path;
        EXPECT_EQ(written.error().code, "write-contradiction");
        EXPECT_EQ(written.error().path, path);
    };
    expect_contradiction([](File& file) { file.normals.pop_back(); }, "normals");
    expect_contradiction([](File& file) { file.blend.pop_back(); }, "blend");
    expect_contradiction([](File& file) { file.header.model_flags = 0x0b; }, "texcoords");
    expect_contradiction([](File& file) { file.vertices.push_back({}); }, "normals");
    expect_contradiction([](File& file) { file.missing[static_cast<std::size_t>(Section::colors)] = UINT64_MAX; },
                         "colors");
}

TEST(X42, NamesAreFound) {
    Description model = figure();
    model.strings += "open";
    const File file = read(make(model))->value;
    EXPECT_EQ(name_of(file, file.bones[1].name), "spine_base");
    EXPECT_EQ(name_of(file, static_cast<std::uint16_t>(file.strings.size() - 4)), "open");
    EXPECT_EQ(name_of(file, static_cast<std::uint16_t>(file.strings.size())), "");
    EXPECT_EQ(name_of(file, 0xffff), "");
}

TEST(X42, ScalesHaveOneNumberOrThree) {
    const File three = read(make(figure()))->value, one = read(make(figure(0x100)))->value;
    const Vec3 uneven = scale_at(three, 1), even = scale_at(one, 1);
    EXPECT_NEAR(uneven.x, 1.5f, 1e-4f);
    EXPECT_NEAR(uneven.y, 1.0f, 1e-4f);
    EXPECT_NEAR(even.x, 1.5f, 1e-4f);
    EXPECT_EQ(even.x, even.y);
}

TEST(X42, DumpsCanBeEdited) {
    const File file = read(make(figure()))->value;
    Json nodes = dump(file, {true}).value();
    for (Json& node : nodes) {
        if (node["name"] == "strings") node["value"].push_back("x");
    }
    const auto refused = effigy::x42::build(nodes, false, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "build-count");
    const auto built = effigy::x42::build(nodes, true, {});
    ASSERT_TRUE(built) << to_string(built.error());
    EXPECT_EQ(built->strings.size(), file.strings.size() + 1);
    const auto again = read(write(*built).value());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->value.strings, built->strings);
}

TEST(X42, DumpsOfOtherFormatsAreRefused) {
    Json nodes = dump(read(make(figure()))->value, {}).value();
    nodes[0]["value"] = "HW43";
    EXPECT_EQ(effigy::x42::build(nodes, false, {}).error().code, "build-value");
    nodes[0]["value"] = "HW42";
    nodes[1]["value"] = 100;
    EXPECT_EQ(effigy::x42::build(nodes, false, {}).error().code, "input-version");
}

TEST(X42, FindingsAreLocated) {
    const Bytes bytes = make(figure());
    const File file = read(bytes)->value;
    Report report;
    for (const char* path : {"version", "header / model_flags", "pack / texcoords[1]", "bone[1] / parent", "keys[2]",
                             "group[0]", "strings[3]"}) {
        Diagnostic diagnostic;
        diagnostic.code = path;
        diagnostic.path = path;
        report.add(diagnostic);
    }
    locate(file, report);
    const auto offset = [&](std::size_t index) { return report.diagnostics()[index].offset; };
    EXPECT_EQ(offset(0), 4u);
    EXPECT_EQ(offset(1), 8u);
    EXPECT_EQ(offset(2), 88u + 64);
    EXPECT_EQ(offset(3), 160u + 12 + 4);
    EXPECT_EQ(offset(4) % 8, 0u);
    EXPECT_EQ(offset(5) % 8, 0u);
    EXPECT_EQ(offset(6), bytes.size() - file.strings.size() + 3);
}

TEST(X42, HexMapNamesTheFields) {
    const std::string map = hex_map(read(make(figure()))->value, {}).value();
    for (const char* part : {"ident = \"HW42\"", "bone_count = 3", "bone[2]", "mesh_to_bone", "keys:", "strings:"})
        EXPECT_NE(map.find(part), std::string::npos) << part;
}

TEST(X42, InfoTellsWhatIsThere) {
    const Json json = info(read(make(figure(0x10f, true)))->value, "CP1252");
    EXPECT_EQ(json["format"], "x42");
    EXPECT_EQ(json["version"], "5");
    EXPECT_EQ(json["endian"], "big");
    EXPECT_EQ(json["flags"], Json({"normals", "tangents", "texcoords", "colors", "uniform_scale"}));
    EXPECT_EQ(json["frames"], 12);
    EXPECT_EQ(json["counts"]["bones"], 3);
    EXPECT_EQ(json["bones"][1]["name"], "spine_base");
    EXPECT_EQ(json["bones"][2]["parent"], 1);
    EXPECT_FALSE(json["bones"][0].contains("parent"));
    EXPECT_EQ(json["animations"][0]["loop"]["end"], 7);
    EXPECT_FALSE(json["animations"][1].contains("loop"));
    EXPECT_EQ(json["groups"][1]["type"], "triangle strip");
    EXPECT_EQ(json["groups"][1]["triangles"], 2);
    EXPECT_EQ(json["lods"][1]["name"], "low");
    EXPECT_EQ(json["materials"], Json({"models/figure/body", "models/figure/plate"}));
    EXPECT_FALSE(json.contains("morphs"));
}

}  // namespace
}  // namespace effigy::test::x42
