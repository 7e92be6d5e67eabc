/// File to scene and back: nothing was edited, so that every byte comes back.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <set>
#include <string>

#include "effigy/gltf.hpp"
#include "effigy/x42_scene.hpp"

#include "corpus/corpus.hpp"
#include "gltf/glb.hpp"
#include "scene/records.hpp"
#include "scene/triangles.hpp"
#include "x42/file/x42_format.hpp"
#include "x42/from_scene_files.hpp"
#include "x42/raw_x42.hpp"
#include "x42/scene_files.hpp"

namespace effigy::test::x42 {
namespace {

namespace fs = std::filesystem;

/// The bytes after the way there and back, or none.
Bytes there_and_back(const Bytes& bytes) {
    auto read = effigy::x42::read(bytes);
    if (!read) return {};
    effigy::x42::SceneInput input;
    input.models.push_back(model("file", std::move(read->value)));
    auto scene = effigy::x42::to_scene(std::move(input));
    if (!scene) return {};
    set_untouched(scene->value);
    const auto made = effigy::x42::from_scene(scene->value);
    EXPECT_TRUE(made) << to_string(made.error());
    if (!made) return {};
    const auto written = effigy::x42::write(made->value.model);
    EXPECT_TRUE(written) << to_string(written.error());
    return written ? *written : Bytes();
}

TEST(X42FromSceneSame, ReferenceFilesComeBack) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference")) {
        if (entry.path().extension() != ".x42") continue;
        const Bytes bytes = read_bytes(entry.path());
        EXPECT_EQ(there_and_back(bytes), bytes) << entry.path();
    }
}

TEST(X42FromSceneSame, FiguresComeBack) {
    for (const unsigned flags : {0u, 1u, 2u, 3u, 4u, 5u, 8u, all_flags, all_flags | 0x100u}) {
        for (const bool big : {false, true}) {
            const Bytes bytes = make(figure(flags, big));
            EXPECT_EQ(there_and_back(bytes), bytes) << flags << (big ? " big" : "");
        }
    }
}

TEST(X42FromSceneSame, LevelsWithoutGroupsComeBack) {
    Description model = figure(all_flags);
    model.groups.clear();
    model.vertices.clear();
    model.blend.clear();
    model.indices.clear();
    set_flags(model, all_flags);
    for (RawLod& lod : model.lods) lod.first_group = lod.groups = 0;
    model.lods.resize(1);
    const Bytes bytes = make(model);
    EXPECT_EQ(there_and_back(bytes), bytes);
}

/// As they were written before byte order, padding and trailing bytes stood beside them.
TEST(X42FromSceneSame, RecordsInTheByteOrderOfTheFileAreRead) {
    Description model = figure(all_flags, true);
    model.filling = 9;
    model.trailing = Bytes(3, std::byte{5});
    const Bytes bytes = make(model);
    const File file = effigy::x42::read(bytes).value().value;
    Scene scene = convert(file).value;
    set_untouched(scene);
    Json record = record_of(scene.asset_extras);
    EXPECT_EQ(record.erase("big_endian") + record.erase("trailing"), 2u);
    record["file"] = json_bytes(effigy::x42::write_frame(file).value());
    record["padding"] = json_bytes(std::as_bytes(std::span(file.padding)));
    set_record(scene.asset_extras, record);
    const auto made = effigy::x42::from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes);
}

/// Models that nothing moves; the game refuses them with an error of its own, and a scene says nothing of it.
TEST(X42FromSceneSame, FilesWithoutFramesComeBack) {
    for (const unsigned flags : {0u, all_flags}) {
        auto file = effigy::x42::read(make(figure(flags)));
        ASSERT_TRUE(file);
        file->value.header.frame_count = 0;
        const auto bytes = effigy::x42::write(file->value);
        ASSERT_TRUE(bytes);
        EXPECT_EQ(there_and_back(*bytes), *bytes);
    }
}

/// Such a file is written no more once something of it is made anew.
TEST(X42FromSceneSame, EditedFilesHaveFrames) {
    auto file = effigy::x42::read(make(figure(all_flags)));
    ASSERT_TRUE(file);
    file->value.header.frame_count = 0;
    const Scene scene = convert(std::move(file->value)).value;
    const auto frames = [&](const std::function<void(Scene&)>& edit) {
        Scene edited = scene;
        edit(edited);
        const auto made = effigy::x42::from_scene(edited);
        EXPECT_TRUE(made);
        return made ? made->value.model.header.frame_count : -1;
    };
    EXPECT_GT(frames([](Scene& edited) { edited.meshes.at(0).primitives.at(0).indices.clear(); }), 0);
    EXPECT_GT(frames([](Scene& edited) { edited.nodes.at(edited.skins.at(0).joints.at(0)).name = "other"; }), 0);
    EXPECT_EQ(frames([](Scene&) {}), 0);
}

TEST(X42FromSceneSame, RenamedClipsAreRenamedInTheFile) {
    Scene scene = convert(effigy::x42::read(make(figure(all_flags))).value().value).value;
    ASSERT_FALSE(scene.clips.empty());
    const std::string name = scene.clips.front().name;
    const auto written = [&](const std::string& renamed) {
        scene.clips.front().name = renamed;
        const auto made = effigy::x42::from_scene(scene);
        EXPECT_TRUE(made);
        const auto& model = made->value.model;
        return std::string(effigy::x42::name_of(model, model.animations.at(0).name));
    };
    EXPECT_EQ(written("jump"), "jump");
    EXPECT_EQ(written(name + ".2"), name + ".2");
    EXPECT_EQ(written(name + ".001"), name) << "as programs number what they have already";
    scene.clips.back().name = name;
    EXPECT_EQ(written(name + ".001"), name + ".001") << "a copy beside the clip itself";
}

/// The file's strings, once for each clip, after its key stream was kept or made anew.
std::vector<std::string> clip_names(const Scene& scene, const effigy::x42::FromSceneOptions& options = {}) {
    const auto made = effigy::x42::from_scene(scene, options);
    EXPECT_TRUE(made);
    std::vector<std::string> names;
    if (!made) return names;
    for (const auto& animation : made->value.model.animations)
        names.emplace_back(effigy::x42::name_of(made->value.model, animation.name));
    return names;
}

TEST(X42FromSceneSame, ClipsWithoutANameOrOfOneNameKeepIt) {
    using Names = std::vector<std::string>;
    effigy::x42::File file = effigy::x42::read(make(figure(all_flags))).value().value;
    file.strings.push_back('\0');
    file.animations[0].name = file.animations[1].name = static_cast<std::uint16_t>(file.strings.size() - 1);
    const Bytes nameless = effigy::x42::write(file).value();
    EXPECT_EQ(there_and_back(nameless), nameless);
    Scene scene = convert(file).value;
    ASSERT_EQ(scene.clips.size(), 2u);
    EXPECT_EQ(scene.clips[1].name, "animation.2");
    EXPECT_EQ(effigy::x42::from_scene(scene)->value.config.animations.at(1).name, "animation.2");
    scene.clips[0].extras.hash = 0;
    EXPECT_EQ(clip_names(scene), (Names{"", ""})) << "one is edited";
    scene.clips[0].name = "walk";
    EXPECT_EQ(clip_names(scene), (Names{"walk", ""}));
    file.animations[1].name = file.animations[0].name = file.bones[0].name;
    const std::string name(effigy::x42::name_of(file, file.bones[0].name));
    scene = convert(file).value;
    scene.clips[0].extras.hash = 0;
    EXPECT_EQ(clip_names(scene), (Names{name, name}));
}

/// As many clips as the file gave, all of them untouched.
TEST(X42FromSceneSame, CopiesStandForNoOtherClip) {
    Scene scene = convert(effigy::x42::read(make(figure(all_flags))).value().value).value;
    scene.clips[1] = scene.clips[0];
    scene.clips[1].name = "walk.001";
    EXPECT_EQ(clip_names(scene), (std::vector<std::string>{"walk", "walk.001"}));
}

/// As programs number them where the clip itself is gone.
TEST(X42FromSceneSame, CopiesOfAClipHaveNamesOfTheirOwn) {
    using Names = std::vector<std::string>;
    effigy::x42::File file = effigy::x42::read(make(figure(all_flags))).value().value;
    const auto names_of_copies = [&](const std::string& shown) {
        Scene scene = convert(file).value;
        scene.clips[1] = scene.clips[0];
        scene.clips[0].name = shown + ".001";
        scene.clips[1].name = shown + ".002";
        return clip_names(scene);
    };
    EXPECT_EQ(names_of_copies("walk"), (Names{"walk", "walk.2"}));
    file.strings.push_back('\0');
    file.animations[0].name = static_cast<std::uint16_t>(file.strings.size() - 1);
    EXPECT_EQ(names_of_copies("animation"), (Names{"", "animation.002"}));
}

/// All files of animations are called alike, and lines of two may have one number.
TEST(X42FromSceneSame, LinesOfTwoFilesAreNoCopies) {
    Scene scene = convert(effigy::x42::read(make(figure(all_flags))).value().value).value;
    scene.clips[0].extras.hash = 0;
    scene.clips[1] = scene.clips[0];
    for (const int first : {0, 1}) {
        auto record = nlohmann::json::parse(scene.clips[0].extras.json);
        record.update({{"kind", "config"}, {"line", 3}, {"source", "animation"}, {"first_frame", first}});
        scene.clips[static_cast<std::size_t>(first)].extras.json = record.dump();
    }
    EXPECT_EQ(clip_names(scene), (std::vector<std::string>{"walk", "walk"}));
}

TEST(X42FromSceneSame, NamesThatClipsKeepAreNotGivenToThoseBeforeThem) {
    Scene scene = convert(effigy::x42::read(make(figure(all_flags))).value().value).value;
    set_untouched(scene);
    scene.clips[0].name = scene.clips[1].name = "back";
    EXPECT_EQ(clip_names(scene), (std::vector<std::string>{"back.2", "back"}));
    scene.clips[0].extras.hash = 0;
    EXPECT_EQ(clip_names(scene), (std::vector<std::string>{"back.2", "back"}));
}

/// Clips of the model that is made of the scene, read again with its animation.cfg.
std::size_t clips_again(const Scene& scene) {
    const auto made = effigy::x42::from_scene(scene);
    EXPECT_TRUE(made);
    if (!made) return 0;
    effigy::x42::SceneInput input;
    input.models.push_back(model("file", made->value.model));
    input.configs.push_back({{}, effigy::x42::read_animation_config(made->value.config.text).value().value});
    return convert(std::move(input)).value.clips.size();
}

TEST(X42FromSceneSame, ConfigsDoubleNoClips) {
    for (const std::string name : {"", "walk", "a \"b\""}) {
        effigy::x42::File file = effigy::x42::read(make(figure(all_flags))).value().value;
        const auto place = static_cast<std::uint16_t>(file.strings.size());
        file.strings.insert(file.strings.end(), name.c_str(), name.c_str() + name.size() + 1);
        std::swap(file.animations[0], file.animations[1]);
        file.animations[0].name = file.animations[1].name = place;
        effigy::x42::SceneInput input;
        input.models.push_back(model("file", std::move(file)));
        input.configs.push_back({{}, {}});
        input.configs[0].config.animations.push_back({.name = name, .frame_count = 3, .frame_rate = 10});
        Scene scene = convert(std::move(input)).value;
        ASSERT_EQ(scene.clips.size(), 3u);
        set_untouched(scene);
        EXPECT_EQ(clips_again(scene), 3u) << name;
        scene.clips[0].extras.hash = 0;
        EXPECT_EQ(clips_again(scene), 3u) << name;
    }
}

TEST(X42FromSceneSame, RenamedMaterialsAreRenamedInTheFile) {
    const Bytes bytes = make(figure(all_flags));
    for (const bool is_edited : {false, true}) {
        Scene scene = convert(effigy::x42::read(bytes).value().value).value;
        const std::string name = scene.materials.at(0).name;
        if (is_edited) scene.meshes.at(0).attributes.at(0).data.as<Vec3>()[0].x += 1e-3f;
        const auto written = [&](const std::string& renamed) {
            scene.materials[0].name = renamed;
            const auto made = effigy::x42::from_scene(scene);
            EXPECT_TRUE(made);
            std::set<std::string> shaders;
            for (const auto& group : made->value.model.groups)
                shaders.emplace(effigy::x42::name_of(made->value.model, group.material));
            return shaders;
        };
        EXPECT_TRUE(written(name).contains(name));
        EXPECT_TRUE(written("models/other").contains("models/other"));
        EXPECT_FALSE(written("models/other").contains(name));
        EXPECT_TRUE(written(name + ".001").contains(name)) << "as programs number materials of one name";
    }
}

TEST(X42FromSceneSame, NamesOfMaterialsThatBlenderCutsAreStillTheirs) {
    effigy::x42::File file = effigy::x42::read(make(figure(all_flags))).value().value;
    const std::string name = "models/" + std::string(80, 'x');
    for (auto& group : file.groups) group.material = static_cast<std::uint16_t>(file.strings.size());
    file.strings.insert(file.strings.end(), name.begin(), name.end());
    file.strings.push_back('\0');
    Scene scene = convert(file).value;
    for (const std::string& cut : {name.substr(0, 63), name.substr(0, 59) + ".001", name.substr(0, 40)}) {
        for (auto& material : scene.materials) material.name = cut;
        const auto made = effigy::x42::from_scene(scene);
        ASSERT_TRUE(made);
        const auto shader = effigy::x42::name_of(made->value.model, made->value.model.groups.at(0).material);
        EXPECT_EQ(shader, cut.size() == 40 ? cut : name) << cut;
    }
}

TEST(X42FromSceneSame, NamesKeepTheCodePageInWhichTheyWereRead) {
    effigy::x42::File file = effigy::x42::read(make(figure(all_flags))).value().value;
    const std::string name = "\xE1\xE5\xE3";  // of CP1251; three letters of CP1252, too
    file.animations[0].name = file.bones[0].name = static_cast<std::uint16_t>(file.strings.size());
    file.strings.insert(file.strings.end(), name.begin(), name.end());
    file.strings.push_back('\0');
    const Bytes bytes = effigy::x42::write(file).value();
    effigy::x42::SceneOptions russian;
    russian.encoding = "CP1251";
    Scene scene = convert(std::move(file), russian).value;
    EXPECT_EQ(scene.clips[0].name, "\xD0\xB1\xD0\xB5\xD0\xB3");
    const auto made = effigy::x42::from_scene(scene);
    ASSERT_TRUE(made);
    EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes);
    scene.clips[0].extras.hash = 0;
    EXPECT_EQ(clip_names(scene)[0], name);
}

TEST(X42FromSceneSame, MorphingFiguresComeBack) {
    for (const MorphForm form : {MorphForm::small_6, MorphForm::small_12, MorphForm::wide_6, MorphForm::wide_12}) {
        const Bytes bytes = make(morphing_figure(form));
        EXPECT_EQ(there_and_back(bytes), bytes);
    }
}

Vec3 offset_of(const MorphTarget& target, const Bulk<Vec3>& offsets, std::uint32_t vertex) {
    const auto place = std::lower_bound(target.indices.begin(), target.indices.end(), vertex);
    if (offsets.empty() || place == target.indices.end() || *place != vertex) return {};
    return offsets[static_cast<std::size_t>(place - target.indices.begin())];
}

/// Vertices of the mesh; strips come back as lists.
std::vector<std::uint32_t> corners_of(const Primitive& primitive) {
    std::vector<std::uint32_t> corners;
    if (!has_triangles(primitive.topology)) return corners;
    for_each_triangle(primitive, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (const std::uint32_t index : {a, b, c}) corners.push_back(primitive.first_vertex + index);
    });
    return corners;
}

/// What a target does to the corners of triangles otherwise in one mesh than in the other.
std::string corners_apart(const Mesh& a, const Mesh& b, std::size_t number) {
    const MorphTarget &from = a.targets[number], &to = b.targets[number];
    if (from.name != to.name || a.primitives.size() != b.primitives.size()) return "other names or primitives";
    std::string apart;
    for (std::size_t p = 0; p < a.primitives.size(); ++p) {
        const auto ones = corners_of(a.primitives[p]), others = corners_of(b.primitives[p]);
        if (ones.size() != others.size()) return "other triangles";
        for (std::size_t i = 0; i < ones.size(); ++i) {
            const auto compare = [&](const char* what, const Bulk<Vec3>& of_a, const Bulk<Vec3>& of_b, float most) {
                const Vec3 x = offset_of(from, of_a, ones[i]), y = offset_of(to, of_b, others[i]);
                if (std::max({std::abs(x.x - y.x), std::abs(x.y - y.y), std::abs(x.z - y.z)}) > most)
                    apart += what + std::to_string(i) + " ";
            };
            compare("place ", from.positions, to.positions, 1e-3f);
            compare("normal ", from.normals, to.normals, 1e-5f);
            compare("tangent ", from.tangents, to.tangents, 1e-5f);
        }
    }
    return apart;
}

/// All forms of version 6 with one offset of one target edited.
TEST(X42FromSceneSame, EditedMorphTargetsAreWritten) {
    for (const MorphForm form : {MorphForm::small_6, MorphForm::small_12, MorphForm::wide_6, MorphForm::wide_12}) {
        Scene scene = convert(std::move(effigy::x42::read(make(morphing_figure(form)))->value)).value;
        ASSERT_FALSE(scene.meshes.at(0).targets.empty());
        MorphTarget& edited = scene.meshes[0].targets[0];
        ASSERT_FALSE(edited.positions.empty());
        edited.positions[0].y += 0.25f;
        scene.meshes[0].targets.push_back(edited);
        scene.meshes[0].targets.back().name = "new one";
        scene.meshes[0].weights.push_back(0);
        const auto made = effigy::x42::from_scene(scene);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(made->report.count("x42-morphs-left-out"), 0u);
        const auto bytes = effigy::x42::write(made->value.model);
        ASSERT_TRUE(bytes) << to_string(bytes.error());
        auto read = effigy::x42::read(*bytes);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->report.count("x42-morphs-undetermined"), 0u);
        EXPECT_EQ(read->value.version, effigy::x42::version_6);
        const Scene again = convert(std::move(read->value)).value;
        ASSERT_EQ(again.meshes.size(), scene.meshes.size());
        for (std::size_t level = 0; level < scene.meshes.size(); ++level) {
            ASSERT_EQ(again.meshes[level].targets.size(), scene.meshes[0].targets.size());
            for (std::size_t target = 0; target < scene.meshes[level].targets.size(); ++target)
                EXPECT_EQ(corners_apart(scene.meshes[level], again.meshes[level], target), "") << level;
        }
    }
}

/// A model as a scene that has been a .glb in between.
Scene read_from_glb(const Bytes& bytes) {
    const Scene scene = convert(std::move(effigy::x42::read(bytes).value().value)).value;
    const auto file = gltf::read(gltf::write_glb(scene).value());
    auto again = gltf::to_scene(file.value().value);
    EXPECT_TRUE(again) << to_string(again.error());
    return again ? std::move(again->value) : Scene();
}

void draw_points(RawGroup& group) {
    group.type = 0;
    group.first_index = not_indexed;
    group.elements = group.vertices;
}

/// glTF has no tangents for points: a mesh of nothing else has none in it.
TEST(X42FromSceneSame, TangentsOfPointsComeBackFromGlb) {
    Description points = figure(3), mixed = figure(all_flags);
    for (RawGroup& group : points.groups) draw_points(group);
    points.indices.clear();
    mixed.indices.resize(mixed.groups.at(2).first_index);
    draw_points(mixed.groups.at(2));
    for (const Description& model : {points, mixed}) {
        const Bytes bytes = make(model);
        Scene scene = read_from_glb(bytes);
        const auto made = effigy::x42::from_scene(scene);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes) << model.flags;
        EXPECT_EQ(made->report.count("tangent-repaired"), 0u);
        scene.meshes.back().extras.hash = 0;
        const auto edited = effigy::x42::from_scene(scene);
        ASSERT_TRUE(edited) << to_string(edited.error());
        EXPECT_EQ(edited->report.count("tangent-repaired"), 1u) << "the record is for vertices as they were";
    }
}

/// Beside triangles in one mesh; with and without a target that moves both.
TEST(X42FromSceneSame, MorphedPointsComeBackFromGlb) {
    for (const bool moves_both : {false, true}) {
        Description model = morphing_figure(MorphForm::small_12);
        draw_points(model.groups.at(0));
        if (moves_both) {
            ++model.targets.back().count;
            model.morph_indices.push_back(model.groups.at(1).first_vertex + 1);
            model.morph_positions.push_back({1, 2, 3});
            model.morph_normals.push_back({4, 5, 6});
            model.morph_tangents.push_back({7, 8, 9, 0, 1, 2, 3});
        }
        const Bytes bytes = make(model);
        const auto made = effigy::x42::from_scene(read_from_glb(bytes));
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes) << moves_both;
    }
}

TEST(X42FromSceneSame, IndicesThatNoGroupUsesComeBackFromGlb) {
    Description model = figure(all_flags);
    for (RawGroup& group : model.groups) {
        if (group.first_index != not_indexed) group.first_index += 2;
    }
    model.indices.insert(model.indices.begin(), {7, 65535});
    model.indices.insert(model.indices.end(), {0, 1, 2});
    const Bytes bytes = make(model);
    Scene scene = read_from_glb(bytes);
    const auto made = effigy::x42::from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes);
    // Without them the meshes are made anew.
    auto record = nlohmann::json::parse(scene.asset_extras.json);
    ASSERT_EQ(record.erase("loose_indices"), 1u);
    scene.asset_extras.json = record.dump();
    const auto anew = effigy::x42::from_scene(scene);
    ASSERT_TRUE(anew) << to_string(anew.error());
    EXPECT_NE(effigy::x42::write(anew->value.model).value(), bytes);
    EXPECT_FALSE(effigy::x42::check(anew->value.model).has_errors());
}

/// As the format's description has them, and as no key stream has them.
TEST(X42FromSceneSame, AnimationsComeBackWhateverTheyCountFrom) {
    for (const int base : {1, -3}) {
        for (const unsigned last : {11u, 40u}) {
            Description model = figure(all_flags);
            model.base_frame = base;
            model.animations.at(0).last = last;
            const Bytes bytes = make(model);
            const auto made = effigy::x42::from_scene(read_from_glb(bytes));
            ASSERT_TRUE(made) << to_string(made.error());
            EXPECT_EQ(effigy::x42::write(made->value.model).value(), bytes) << base << " " << last;
            EXPECT_EQ(made->report.count("x42-records-unused"), 0u);
            // Lines count from the base frame, and these animations from 0.
            if (last == 11u) {
                EXPECT_EQ(made->value.config.animations.at(0).first_frame, base);
            }
        }
    }
}

/// The same through a .glb: the reader compares hashes.
TEST(X42FromSceneSame, ReferenceFilesComeBackFromGlb) {
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(EFFIGY_SOURCE_DIR) / "tests" / "x42" / "reference")) {
        if (entry.path().extension() != ".x42") continue;
        SCOPED_TRACE(entry.path().string());
        const Bytes bytes = read_bytes(entry.path());
        auto read = effigy::x42::read(bytes);
        ASSERT_TRUE(read);
        const Scene scene = convert(std::move(read->value)).value;
        const auto glb = gltf::write_glb(scene);
        ASSERT_TRUE(glb);
        const auto file = gltf::read(*glb);
        ASSERT_TRUE(file);
        const auto again = gltf::to_scene(file->value);
        ASSERT_TRUE(again) << to_string(again.error());
        EXPECT_EQ(again->value.facing, scene.facing);
        const auto made = effigy::x42::from_scene(again->value);
        ASSERT_TRUE(made) << to_string(made.error());
        const auto written = effigy::x42::write(made->value.model);
        ASSERT_TRUE(written);
        EXPECT_EQ(*written, bytes);
    }
}

TEST(X42FromSceneSame, RatesThatAreRoundedAreNamed) {
    for (const double rate : {12.0, 12.5}) {
        effigy::x42::SceneOptions options;
        options.frames_per_second = rate;
        const Scene scene = convert(std::move(effigy::x42::read(make(figure(all_flags)))->value), options).value;
        const auto made = effigy::x42::from_scene(scene);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(made->value.model.animations.at(0).frame_rate, std::round(rate));
        EXPECT_EQ(made->report.count("x42-frame-rate-rounded"), rate == 12 ? 0u : 1u);
    }
    effigy::x42::SceneOptions read;
    effigy::x42::FromSceneOptions written;
    read.frames_per_second = written.frames_per_second = 30.25;
    Scene scene = convert(std::move(effigy::x42::read(make(figure(all_flags)))->value), read).value;
    set_untouched(scene);
    EXPECT_EQ(finding(effigy::x42::from_scene(scene, written)->report, "x42-frame-rate-rounded").found, "2: walk, back")
        << "also where the file says 30 as it is";
}

/// A line of animation.cfg that says more exactly what the file says changes nothing in it.
TEST(X42FromSceneSame, RatesThatStayAreNotNamed) {
    const Bytes bytes = make(figure(all_flags));
    effigy::x42::SceneInput input;
    input.models.push_back(model("file", std::move(effigy::x42::read(bytes)->value)));
    input.configs.push_back({{}, {}});
    input.configs[0].config.animations.push_back({"walk", 0, 8, 8, 30.25f, 1});
    Scene scene = convert(std::move(input)).value;
    ASSERT_EQ(scene.clips.size(), 2u);
    set_untouched(scene);
    const auto kept = effigy::x42::from_scene(scene);
    ASSERT_TRUE(kept) << to_string(kept.error());
    EXPECT_EQ(effigy::x42::write(kept->value.model).value(), bytes);
    EXPECT_EQ(kept->report.count("x42-frame-rate-rounded"), 0u);
    scene.clips[0].extras.hash = 0;
    EXPECT_EQ(effigy::x42::from_scene(scene)->report.count("x42-frame-rate-rounded"), 1u) << "made anew";
}

/// Odd files, and what of them the way back makes anew.
TEST(X42FromSceneSame, FixturesComeBackOrAreMadeSound) {
    std::size_t same = 0, sound = 0, none = 0;
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = make(fixture.description), back = there_and_back(bytes);
        if (back.empty()) {
            ++none;
            continue;
        }
        if (back == bytes) {
            ++same;
            continue;
        }
        ++sound;
        std::cout << "made anew: " << fixture.name << "\n";
        const auto read = effigy::x42::read(back);
        ASSERT_TRUE(read);
        EXPECT_FALSE(read->report.has_errors());
        EXPECT_FALSE(effigy::x42::check(read->value).has_errors());
    }
    std::cout << "fixtures: " << same << " byte-exact, " << sound << " made anew, " << none << " without a scene\n";
    EXPECT_GT(same, sound);
}

TEST(X42FromSceneSame, CorpusComesBack) {
    std::size_t files = 0, same = 0;
    for (const fs::path& path : corpus::paths()) {
        if (path.extension() != ".x42") continue;
        const Bytes bytes = corpus::bytes_of(path);
        ++files;
        if (there_and_back(bytes) == bytes) ++same;
    }
    if (files == 0) GTEST_SKIP() << corpus::has_no("X42");
    std::cout << "corpus: x42 there and back: " << same << " of " << files << " byte-exact\n";
    EXPECT_EQ(same, files);
}

}  // namespace
}  // namespace effigy::test::x42
