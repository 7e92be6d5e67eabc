/// Conversions in memory: companions and textures are found in the files that were given, and nothing goes to the disk.

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "effigy/effigy.hpp"
#include "effigy/gltf.hpp"
#include "effigy/xac.hpp"
#include "effigy/xsm.hpp"

#include "contents.hpp"

namespace effigy::test {
namespace {

/// One triangle whose material names a texture.
Bytes actor() {
    xac::File file;
    file.header.magic = {'X', 'A', 'C', ' '};
    const auto add = [&](std::uint32_t id, std::uint32_t version, auto record) {
        xac::Chunk chunk;
        chunk.id = id;
        chunk.version = version;
        chunk.record = std::move(record);
        file.chunks.push_back(std::move(chunk));
    };
    xac::Nodes nodes;
    nodes.nodes.resize(1);
    nodes.nodes[0].name = "root";
    nodes.root_count = 1;
    add(11, 1, std::move(nodes));
    return xac::write(file).value();
}

/// Files by name, and how often each was read.
struct Folder {
    std::map<std::string, Bytes> content;
    std::vector<std::string> asked{};

    Files files() {
        return {[this](const std::string& name) -> Result<Bytes> {
                    asked.push_back(name);
                    if (const auto found = content.find(name); found != content.end()) return found->second;
                    Diagnostic missing;
                    missing.code = "file-missing";
                    missing.message = "there is no such file";
                    missing.file = name;
                    return fail(std::move(missing));
                },
                [this] {
                    std::vector<std::string> names;
                    for (const auto& [name, bytes] : content) names.push_back(name);
                    return names;
                }};
    }
};

Bytes picture() {
    image::Picture picture;
    picture.width = picture.height = 1;
    picture.rgba.assign(4, std::byte{200});
    return image::encode_png(picture).value();
}

/// A triangle in glTF's own text, whose buffer and picture lie beside it.
Folder triangle() {
    Folder folder;
    Bytes buffer(36 + 24);
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, coordinates[] = {0, 0, 1, 0, 0, 1};
    std::copy_n(reinterpret_cast<const std::byte*>(positions), 36, buffer.begin());
    std::copy_n(reinterpret_cast<const std::byte*>(coordinates), 24, buffer.begin() + 36);
    folder.content["models/data.bin"] = std::move(buffer);
    folder.content["models/red.png"] = picture();
    folder.content["secret.bin"] = Bytes(60);
    folder.content["models/a.gltf"] = bytes_of_text(R"({"asset":{"version":"2.0"},"scene":0,
        "scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"thing"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
        "textures":[{"source":0}],"images":[{"uri":"red.png"}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
                     {"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
        "buffers":[{"uri":"data.bin","byteLength":60}]})");
    return folder;
}

struct Taken {
    std::vector<NewFile> files;
    OutputFiles to(const char* path) {
        OutputFiles output(path);
        output.take = [this](std::vector<NewFile> made) -> Result<void> {
            files = std::move(made);
            return {};
        };
        return output;
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const NewFile& file : files) all.push_back(file.name);
        return all;
    }
};

TEST(Convert, FindsWhatLiesBesideAnInputInMemory) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    const auto loaded = load_scene({"models/a.gltf"}, options);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_FALSE(loaded->report.has_errors());
    ASSERT_EQ(loaded->value.images.size(), 1U);
    EXPECT_EQ(loaded->value.images[0].bytes, picture());
    EXPECT_EQ(loaded->value.meshes.at(0).vertex_count, 3U);
}

TEST(Convert, StaysInTheFolderOfAnInputInMemory) {
    Folder folder = triangle();
    std::string text = text_of(folder.content["models/a.gltf"]);
    text.replace(text.find("data.bin"), 8, "../secret.bin");
    folder.content["models/a.gltf"] = bytes_of_text(text);
    ConvertOptions options;
    options.files = folder.files();
    const auto refused = load_scene({"models/a.gltf"}, options);
    EXPECT_FALSE(refused && !refused->report.has_errors());
    EXPECT_EQ(std::count(folder.asked.begin(), folder.asked.end(), "secret.bin"), 0);
    options.values.set("allow-outside");
    const auto allowed = load_scene({"models/a.gltf"}, options);
    EXPECT_TRUE(allowed) << to_string(allowed.error());
}

TEST(Convert, FilesOfAGameStayInMemoryAndComeBack) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    Taken game;
    const auto made = convert({"models/a.gltf"}, game.to("out/thing.xac"), options);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_THAT(game.names(), testing::Contains("thing.xac"));
    EXPECT_THAT(game.names(), testing::Contains("red.png"));
    EXPECT_EQ(game.names(), made->files);
    Folder written;
    for (const NewFile& file : game.files) written.content[file.name] = file.bytes;
    options.files = written.files();
    Taken glb;
    const auto back = convert({"thing.xac"}, glb.to("back.glb"), options);
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_EQ(back->scene->images.size(), 1U) << "its texture is found in the list";
    EXPECT_EQ(back->report.count("texture-missing"), 0U);
}

/// The files that the triangle becomes.
Folder files_for_game(const char* output) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    Taken game;
    EXPECT_TRUE(convert({"models/a.gltf"}, game.to(output), options));
    Folder written;
    for (const NewFile& file : game.files) written.content[file.name] = file.bytes;
    return written;
}

/// The files of a model that an actor became, with and without its scene.
TEST(Convert, FilesOfAGameAreTheSameWithoutTheirScene) {
    Folder folder = files_for_game("thing.xac");
    ConvertOptions options;
    options.files = folder.files();
    Taken glb;
    ASSERT_TRUE(convert({"thing.xac"}, glb.to("thing.glb"), options));
    folder.content["thing.glb"] = glb.files.at(0).bytes;
    for (const char* const target : {"", "hoi3", "eu3"}) {
        options.values = OptionValues();
        if (*target != '\0') options.values.set("target", target);
        Taken kept, spent;
        options.keep_scene = true;
        const auto whole = convert({"thing.glb"}, kept.to(*target != '\0' ? "mod/" : "back.xac"), options);
        options.keep_scene = false;
        const auto rest = convert({"thing.glb"}, spent.to(*target != '\0' ? "mod/" : "back.xac"), options);
        ASSERT_TRUE(whole && rest) << target;
        EXPECT_FALSE(whole->scene->meshes.at(0).attributes.at(0).data.bytes.empty());
        EXPECT_TRUE(rest->scene->meshes.at(0).attributes.at(0).data.bytes.empty());
        ASSERT_EQ(kept.names(), spent.names());
        for (std::size_t i = 0; i < kept.files.size(); ++i)
            EXPECT_TRUE(kept.files[i].bytes == spent.files[i].bytes) << kept.files[i].name;
        EXPECT_EQ(rest->report.diagnostics().size(), whole->report.diagnostics().size());
    }
}

/// A game's own has no other meshes.
TEST(Convert, WhatIsOnlyHitNeedsNoMeshesToSee) {
    Folder written = files_for_game("thing.xac");
    ConvertOptions options;
    auto hull = xac::read(written.content["thing.xac"]);
    ASSERT_TRUE(hull) << to_string(hull.error());
    for (xac::Chunk& chunk : hull->value.chunks) {
        if (auto* const mesh = std::get_if<xac::Mesh>(&chunk.record)) mesh->is_collision = 1;
    }
    written.content["hull.xac"] = xac::write(hull->value).value();
    options.files = written.files();
    Taken glb, back;
    const auto there = convert({"hull.xac"}, glb.to("hull.glb"), options);
    ASSERT_TRUE(there) << to_string(there.error());
    EXPECT_EQ(there->scene->meshes.size(), 1U);
    written.content["hull.glb"] = glb.files.at(0).bytes;
    const auto again = convert({"hull.glb"}, back.to("back.xac"), options);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->report.count("scene-shows-nothing"), 0U);
}

/// Wrecks and collision meshes are hidden where a game has them, by the names that it has for them.
TEST(Convert, MeshesThatAGameShowsBesideTheirPartAreNamed) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    const auto loaded = load_scene({"models/a.gltf"}, options);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Scene scene = loaded->value;
    for (const char* const name : {"Thing_wreck", "thing_collision", "wing_wreck"}) {
        const Node node = scene.nodes.front();
        scene.nodes.push_back(node);
        scene.nodes.back().name = name;
    }
    const std::pair<const char*, std::size_t> outputs[]{{"a.xac", 1}, {"a.x42", 1}, {"a.xml", 0}, {"a.glb", 0}};
    for (const auto& [output, count] : outputs) {
        Taken taken;
        const auto saved = save_scene(scene, taken.to(output), options);
        ASSERT_TRUE(saved) << output << ": " << to_string(saved.error());
        EXPECT_EQ(saved->report.count("mesh-shown-beside"), count) << output;
        for (const Diagnostic& one : saved->report.diagnostics())
            EXPECT_TRUE(one.code != "mesh-shown-beside" || one.found == "2: Thing_wreck, thing_collision") << one.found;
    }
}

TEST(Convert, ComponentsFindTheirPartsInMemory) {
    Folder written = files_for_game("/thing.xml");
    ConvertOptions options;
    options.files = written.files();
    const auto back = load_scene({"thing.xml"}, options);
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_FALSE(back->value.meshes.empty());
}

TEST(Convert, SeveralFilesAreGivenToTheCaller) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    Taken gltf, obj;
    ASSERT_TRUE(convert({"models/a.gltf"}, gltf.to("x.gltf"), options));
    EXPECT_THAT(gltf.names(), testing::ElementsAre("x.gltf", testing::EndsWith(".png"), "x.bin"));
    ASSERT_TRUE(convert({"models/a.gltf"}, obj.to("x.obj"), options));
    EXPECT_THAT(obj.names(), testing::ElementsAre("x.obj", testing::EndsWith(".png"), "x.mtl"));
}

TEST(Convert, SameFormatIsTheSameBytes) {
    const Bytes bytes = actor();
    Taken copy;
    const auto done = convert({{"a.xac", bytes}}, copy.to("b.xac"));
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(copy.files.at(0).bytes, bytes);
    EXPECT_FALSE(done->scene);
}

TEST(Convert, IsCancelledBetweenSteps) {
    Folder folder = triangle();
    std::vector<std::string> steps;
    ConvertOptions options;
    options.files = folder.files();
    options.progress = [&](const Step& step) {
        steps.emplace_back(step.what);
        return steps.size() < 2;
    };
    Taken taken;
    const auto done = convert({"models/a.gltf"}, taken.to("x.glb"), options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "limit-cancelled");
    EXPECT_THAT(steps, testing::ElementsAre("reading", "writing"));
    EXPECT_TRUE(taken.files.empty());
}

TEST(Convert, WritesNothingIfTheCallerRefuses) {
    Folder folder = triangle();
    ConvertOptions options;
    options.files = folder.files();
    options.before_output = [](const Report&) -> Result<void> {
        Diagnostic no;
        no.code = "output-write";
        return fail(std::move(no));
    };
    Taken taken;
    EXPECT_EQ(convert({"models/a.gltf"}, taken.to("x.glb"), options).error().code, "output-write");
    EXPECT_TRUE(taken.files.empty());
}

TEST(Convert, SaysWhatSpeaksAgainstIt) {
    const InputFile input("a.xac", actor());
    Taken taken;
    const auto code = [&](const std::vector<InputFile>& inputs, const OutputFiles& output) {
        const auto done = convert(inputs, output);
        return done ? std::string() : done.error().code;
    };
    EXPECT_EQ(code({input}, taken.to("x.unknown")), "usage-output");
    EXPECT_EQ(code({input, input}, taken.to("x.glb")), "usage-input");
    EXPECT_EQ(code({}, taken.to("x.glb")), "usage-input");
    EXPECT_EQ(code({input}, OutputFiles()), "usage-output");
    EXPECT_EQ(code({"nowhere.xac"}, taken.to("x.glb")), "input-open");
    EXPECT_TRUE(taken.files.empty());
}

TEST(Convert, DifferencesOfFilesInMemory) {
    const Bytes a = actor();
    const auto same = diff_files({"a.xac", a}, {"b.xac", a});
    ASSERT_TRUE(same);
    EXPECT_TRUE(same->identical);
}

/// What glTF says of a material may be an edit; a game's own files say names only.
TEST(Convert, MaterialsOfGltfAreNoGames) {
    Scene shown;
    shown.nodes.emplace_back().name = "root";
    for (const bool is_gltf : {false, true}) {
        ConvertOptions options;
        const InputFile input(is_gltf ? "a.glb" : "a.xac", is_gltf ? gltf::write_glb(shown).value() : actor());
        auto sources = open_sources({input}, options);
        ASSERT_TRUE(sources) << to_string(sources.error());
        bool was_asked = false;
        Surroundings game;
        game.finish = [&](Scene&) {
            was_asked = true;
            return Report();
        };
        sources->value.surroundings.push_back(std::move(game));
        ASSERT_TRUE(load_scene(std::move(sources->value), options));
        EXPECT_EQ(was_asked, !is_gltf);
    }
}

}  // namespace
}  // namespace effigy::test
