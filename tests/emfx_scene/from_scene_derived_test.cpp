/// Scenes that say nothing of a file before: what is written means the same, and check finds nothing in it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "effigy/image.hpp"
#include "effigy/textures.hpp"

#include "corpus/corpus.hpp"
#include "emfx/fixtures.hpp"
#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"
#include "emfx_scene/corners.hpp"
#include "proof/trip.hpp"
#include "registry/new_files.hpp"
#include "scene/attributes.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

emfx::SceneOptions first_level() {
    emfx::SceneOptions options;
    options.lod = 0;
    return options;
}

/// Scene, file, scene: the largest distance at rest and in two poses.
double there_and_back(const Scene& scene, const emfx::FromSceneOptions& options = {}) {
    const Loaded<emfx::NativeFiles> files = files_of(scene, options);
    EXPECT_EQ(findings(files.value.actor), "");
    const Scene again = scene_of(files.value.actor);
    double worst = 0;
    for (const unsigned seed : {0u, 1u, 2u}) {
        const auto before = corners::drawn(scene, corners::worlds(scene, seed));
        const auto after = corners::drawn(again, corners::worlds(again, seed));
        worst = std::max(worst, corners::compare(before, after));
    }
    return worst;
}

TEST(EmfxActorDerived, Corpus) {
    EFFIGY_NEEDS_CORPUS();
    double worst = 0;
    std::size_t count = 0;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        auto read = xac::read(file->bytes);
        ASSERT_TRUE(read);
        Scene scene = scene_of(std::move(read->value), first_level());
        strip(scene);
        const double distance = there_and_back(scene);
        EXPECT_LT(distance, 2e-6);
        worst = std::max(worst, distance);
        ++count;
    }
    std::printf("corpus: %zu actors derived anew, largest distance %.2g of the model\n", count, worst);
}

TEST(EmfxActorDerived, WholeActor) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    Scene scene = scene_of(std::move(file->value), first_level());
    strip(scene);
    EXPECT_LT(there_and_back(scene), 1e-6);
}

xac::File with_opacity_map(const char* base, const char* map) {
    auto file = xac::read(test::whole_actor(false));
    EXPECT_TRUE(file);
    for (xac::Chunk& chunk : file->value.chunks) {
        auto* const material = std::get_if<xac::StandardMaterial>(&chunk.record);
        if (material == nullptr) continue;
        material->opacity = 1;
        material->layers.clear();
        for (const auto& [type, name] : {std::pair<std::uint8_t, const char*>{2, base}, {4, map}}) {
            auto& layer = material->layers.emplace_back();
            layer.map_type = type;
            layer.texture = name;
            layer.amount = 0.75f;
        }
    }
    return std::move(file->value);
}

/// The textures of the first standard material by what they are for, after the materials were edited.
std::map<int, std::string> layers_after(Scene scene, const std::function<void(Material&)>& edit) {
    for (Material& material : scene.materials) edit(material);
    std::map<int, std::string> layers;
    for (const xac::Chunk& chunk : files_of(scene).value.actor.chunks) {
        const auto* const material = std::get_if<xac::StandardMaterial>(&chunk.record);
        if (material == nullptr) continue;
        for (const xac::MaterialLayer& layer : material->layers) layers[layer.map_type] = layer.texture;
        break;
    }
    return layers;
}

/// A glTF material cannot have an opacity map of its own, so that it says nothing about one.
Scene whole_scene(bool big = false) {
    auto file = xac::read(test::whole_actor(big));
    EXPECT_TRUE(file);
    Scene scene = scene_of(std::move(file->value));
    set_untouched(scene);
    return scene;
}

/// Numbers of the nodes that meshes have.
std::vector<std::uint32_t> nodes_of_meshes(const xac::File& file) {
    std::vector<std::uint32_t> nodes;
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* mesh = std::get_if<xac::Mesh>(&chunk.record)) nodes.push_back(mesh->node);
    }
    return nodes;
}

TEST(EmfxActorDerived, MeshesStayOnNodesOfAnotherName) {
    const Scene whole = whole_scene();
    const auto before = nodes_of_meshes(files_of(whole).value.actor);
    ASSERT_FALSE(before.empty());
    for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
        for (const char* name : {"another", ""}) {
            Scene scene = whole;
            scene.nodes[i].name = name;
            for (Node& node : scene.nodes) node.follows = no_index;  // which glTF says by the name
            const auto files = files_of(scene);
            EXPECT_EQ(xac::check(files.value.actor).count("node-range"), 1u) << whole.nodes[i].name;  // info's own
            EXPECT_EQ(nodes_of_meshes(files.value.actor), before) << whole.nodes[i].name;
            EXPECT_EQ(files.report.count("emfx-level-node"), 0u) << whole.nodes[i].name;
        }
    }
}

TEST(EmfxActorDerived, NodesThatAreGivenANameThatIsTakenGetAnother) {
    const Scene whole = whole_scene();
    for (const auto& [renamed, name] : {std::pair{0u, 1u}, std::pair{1u, 0u}}) {
        Scene scene = whole;
        scene.nodes[renamed].name = whole.nodes[name].name;
        const auto files = files_of(scene);
        EXPECT_EQ(files.report.count("emfx-node-renamed"), 1u);
        EXPECT_EQ(xac::check(files.value.actor).count("node-name-duplicate"), 0u);
        // The one that kept its name may be the one that has to give it away.
        for (const Diagnostic& finding : files.report.diagnostics()) {
            if (finding.code != "emfx-node-renamed") continue;
            EXPECT_EQ(finding.severity, Severity::warning);
            EXPECT_EQ(finding.path, "node 1");
            EXPECT_NE(finding.message.find("node 0"), std::string::npos) << finding.message;
        }
    }
}

TEST(EmfxActorDerived, NodesOfOneNameOrNoneKeepItWhereTheFileHadThem) {
    builders::ActorFile actor;
    actor.nodes({builders::node("a"), builders::node("a"), builders::node(""), builders::node("b")});
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    const xac::File again = files_of(scene).value.actor;
    std::vector<std::string> names;
    for (const xac::Node* node : xac::nodes(again)) names.push_back(node->name);
    EXPECT_EQ(names, (std::vector<std::string>{"a", "a", "", "b"}));
}

TEST(EmfxActorDerived, MaterialsThatAreGoneLeaveTheDefaultOne) {
    Scene scene = whole_scene();
    while (!scene.materials.empty()) {
        scene.materials.pop_back();
        for (Mesh& mesh : scene.meshes) {
            for (Primitive& primitive : mesh.primitives) {
                if (primitive.material == scene.materials.size()) primitive.material = no_index;
            }
        }
        const Report found = xac::check(files_of(scene).value.actor);
        EXPECT_EQ(found.count("mesh-material-range"), 0u) << scene.materials.size();
    }
}

TEST(EmfxActorDerived, GamesGetTheVersionAndByteOrderThatTheyRead) {
    Scene scene = whole_scene(true);
    EXPECT_TRUE(files_of(scene).value.actor.header.big_endian());
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    EXPECT_FALSE(files_of(scene, options).value.actor.header.big_endian());
    // Of a chunk that nobody knows, it is not known how to turn its numbers.
    auto file = xac::read(test::whole_actor(true));
    ASSERT_TRUE(file);
    file->value.chunks.push_back({77, 1, std::nullopt, emfx::Opaque{Bytes(8)}, {}});
    scene = scene_of(std::move(file->value));
    const auto turned = files_of(scene, options);
    EXPECT_TRUE(turned.value.actor.header.big_endian());
    const auto says_so = [](const Diagnostic& one) {
        return one.code == "emfx-chunk-version" && one.message.find("big-endian") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(turned.report.diagnostics(), says_so));
    // Nor in a level of detail.
    using namespace builders;
    xac::MeshLod level;
    level.actor.push_back(ActorFile().nodes({node("a")}).mesh(triangle(0)).file);
    level.actor[0].header.endian = 1;
    level.actor[0].chunks.push_back({77, 1, std::nullopt, emfx::Opaque{Bytes(8)}, {}});
    scene = scene_of(ActorFile().nodes({node("a")}).mesh(triangle(0)).add(8, 1, std::move(level)).file);
    set_untouched(scene);
    const auto in_level = files_of(scene, options);
    EXPECT_FALSE(in_level.value.actor.header.big_endian());
    EXPECT_TRUE(std::ranges::any_of(in_level.report.diagnostics(), says_so));
    // What can be turned is not named for it, though the game's files may have none.
    ActorFile limited = ActorFile().nodes({node("a")}).add(13, 2, xac::MaterialInfo{1, 1, 1, 0});
    limited.add(77, 1, emfx::Opaque{Bytes(8)}).file.header.endian = 1;
    scene = scene_of(limited.file);
    set_untouched(scene);
    std::vector<std::string> named;
    const auto told = files_of(scene, options);
    for (const Diagnostic& one : told.report.diagnostics()) {
        if (one.code == "emfx-chunk-version") named.push_back(one.found);
    }
    ASSERT_EQ(named.size(), 2u);
    EXPECT_NE(named[0].find("id 77"), std::string::npos) << named[0];
    EXPECT_EQ(named[0].find("id 13"), std::string::npos) << named[0];
    EXPECT_EQ(named[1].find("id 77"), std::string::npos) << named[1];
}

/// Bytes of which nobody knows what numbers they are, in a layer or behind a record, would be the only ones that stay.
TEST(EmfxActorDerived, FilesWithBytesOfUnknownNumbersAreNotTurned) {
    using namespace builders;
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    xac::Mesh mesh = triangle(0);
    mesh.submeshes.front().bones = {0};
    const std::vector<xac::Influence> root{influence(1, 0)};
    const ActorFile plain = ActorFile().nodes({node("a")}).mesh(mesh).skinning(skinning(0, {root, root, root}));
    ActorFile layered = plain, trailed = plain;
    xac::VertexLayer strange = layer(xac::LayerType::uv, std::vector<std::uint32_t>(3, 0x01020304));
    strange.type = static_cast<xac::LayerType>(40);
    std::get<xac::Mesh>(layered.file.chunks[1].record).layers.push_back(std::move(strange));
    trailed.file.chunks.front().trailing = Bytes(4, std::byte{1});
    for (const auto& [actor, named] :
         {std::pair(plain, ""), std::pair(layered, "1: mesh v1 (id 1)"), std::pair(trailed, "1: nodes v1 (id 11)")}) {
        xac::File file = actor.file;
        file.header.endian = 1;
        Scene scene = scene_of(std::move(file));
        set_untouched(scene);
        const auto files = files_of(scene, options);
        const bool is_turned = std::string_view(named).empty();
        EXPECT_EQ(!files.value.actor.header.big_endian(), is_turned) << named;
        ASSERT_EQ(files.report.count("emfx-chunk-version"), is_turned ? 0u : 1u) << named;
        if (is_turned) continue;
        EXPECT_EQ(std::ranges::find(files.report.diagnostics(), "emfx-chunk-version", &Diagnostic::code)->found, named);
    }
}

TEST(EmfxActorDerived, GamesGetNoWrapperOfRisen) {
    auto file = xac::read(test::whole_actor(false));
    ASSERT_TRUE(file);
    file->value.wrapper_head = Bytes(140);
    file->value.wrapper_tail = Bytes(3);
    Scene scene = scene_of(std::move(file->value));
    set_untouched(scene);
    EXPECT_EQ(files_of(scene).value.actor.wrapper_head.size(), 140u);
    for (const auto target : {emfx::Target::eu3, emfx::Target::tree_of_savior}) {
        emfx::FromSceneOptions options;
        options.target = target;
        const xac::File actor = files_of(scene, options).value.actor;
        EXPECT_TRUE(actor.wrapper_head.empty() && actor.wrapper_tail.empty());
    }
}

using ChunkKinds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Ids and versions.
ChunkKinds kinds_in(const xac::File& actor) {
    ChunkKinds kinds;
    for (const xac::Chunk& chunk : actor.chunks) kinds.emplace_back(chunk.id, chunk.version);
    return kinds;
}

/// Where they say no more than those of the game's own files.
TEST(EmfxActorDerived, GamesGetVersionsThatTheirFilesHave) {
    using namespace builders;
    const std::vector<xac::Influence> root{influence(1, 0)};
    ActorFile actor;
    actor.add(7, 4, xac::Info{}).nodes({node("a")}).add(13, 2, xac::MaterialInfo{0, 1, 1, 0});
    actor.add(3, 3, xac::StandardMaterial{}).add(1, 2, triangle(0)).add(2, 4, skinning(0, {root, root, root}));
    emfx::FromSceneOptions options;
    options.target = emfx::Target::eu3;
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    EXPECT_EQ(kinds_in(files_of(scene).value.actor), kinds_in(actor.file));
    const auto fitted = files_of(scene, options);
    EXPECT_EQ(kinds_in(fitted.value.actor), (ChunkKinds{{7, 2}, {11, 1}, {13, 1}, {3, 2}, {1, 1}, {2, 3}}));
    EXPECT_EQ(fitted.report.count("emfx-chunk-version"), 0u);
    // Levels by number are in no version of theirs.
    xac::Mesh coarse = triangle(0);
    coarse.lod = 1;
    actor.add(1, 2, std::move(coarse));
    scene = scene_of(actor.file);
    set_untouched(scene);
    const auto told = files_of(scene, options);
    const ChunkKinds kept{{7, 2}, {11, 1}, {13, 2}, {3, 3}, {1, 2}, {2, 4}, {1, 2}};
    EXPECT_EQ(kinds_in(told.value.actor), kept);
    EXPECT_EQ(told.report.count("emfx-chunk-version"), 1u);
    std::get<xac::Info>(actor.file.chunks.front().record).lod_count = 2;
    scene = scene_of(actor.file);
    set_untouched(scene);
    EXPECT_EQ(kinds_in(files_of(scene, options).value.actor).front(), kinds_in(actor.file).front());
}

TEST(EmfxActorDerived, KeepsAnOpacityMapThatTheSceneCouldNotHave) {
    using Layers = std::map<int, std::string>;
    const xac::File aside = with_opacity_map("Body", "Mask"), same = with_opacity_map("Body", "body");
    const auto smooth = [](Material& material) { material.roughness = 0.5f; };
    EXPECT_EQ(layers_after(scene_of(aside), smooth), (Layers{{2, "Body"}, {4, "Mask"}}));
    EXPECT_EQ(layers_after(scene_of(same), smooth), (Layers{{2, "Body"}, {4, "body"}}));
    EXPECT_EQ(layers_after(scene_of(aside), [](Material& material) { material.base_color.a = 0.5f; }),
              (Layers{{2, "Body"}, {4, "Mask"}}));
    EXPECT_EQ(layers_after(scene_of(aside), [](Material& material) { material.alpha_mode = AlphaMode::blend; }),
              (Layers{{2, "Body"}, {4, "Body"}}))
        << "somebody wants the colour's own alpha";
    EXPECT_EQ(layers_after(scene_of(same), [](Material& material) { material.alpha_mode = AlphaMode::opaque; }),
              (Layers{{2, "Body"}}));
}

/// What loading textures takes away from a material nobody took away.
TEST(EmfxActorDerived, KeepsTexturesThatWereNotFound) {
    using Layers = std::map<int, std::string>;
    const auto smooth = [](Material& material) { material.roughness = 0.5f; };
    for (const char* opacity : {"body", "Mask"}) {
        const xac::File file = with_opacity_map("Body", opacity);
        Scene scene = scene_of(file);
        EXPECT_GT(load_textures(scene, {}).count("texture-missing"), 0u);
        EXPECT_FALSE(scene.materials.front().base_color_texture.used());
        EXPECT_EQ(layers_after(scene, smooth), (Layers{{2, "Body"}, {4, opacity}}));
        scene.materials.front().roughness = 0.5f;
        EXPECT_FALSE(with_flat_textures(scene, "type")) << "the texture is not here, but the game has it";
        EXPECT_EQ(files_of(scene).report.count("emfx-material-lost"), 0u);
        scene.materials.front().base_color.g = 0.25f;
        EXPECT_EQ(files_of(scene).report.count("emfx-material-lost"), 1u) << "the file's colour stays";
    }
}

TEST(EmfxActorDerived, KeepsAnOpacityMapThatWasOpaque) {
    using Layers = std::map<int, std::string>;
    Scene scene = scene_of(with_opacity_map("Body", "body"));
    const auto png = image::encode_png({1, 1, Bytes(4, std::byte{255}), false, {}});
    ASSERT_TRUE(png);
    TextureOptions textures;
    textures.source = [&](std::string_view name) -> Result<FoundTexture> {
        return FoundTexture{*png, std::string(name)};
    };
    EXPECT_EQ(load_textures(scene, textures).count("texture-without-alpha"), 1u);
    EXPECT_EQ(scene.materials.front().alpha_mode, AlphaMode::opaque);
    EXPECT_EQ(layers_after(scene, [](Material& material) { material.roughness = 0.5f; }),
              (Layers{{2, "Body"}, {4, "body"}}));
    EXPECT_EQ(layers_after(scene, [](Material& material) { material.base_color_texture = {}; }), Layers{});
}

TEST(EmfxActorDerived, ADotInTheNameOfATextureIsNoExtension) {
    for (const auto& [image, texture] : {std::pair("Skin.v2", "Skin.v2"), {"art/Skin.v2.DDS", "Skin.v2"}}) {
        Scene scene = scene_of(with_opacity_map(image, "nospec"));
        strip(scene);
        EXPECT_EQ(layers_after(scene, [](Material&) {})[2], texture);
    }
}

void paint(Scene& scene, std::uint8_t grey) {
    for (Image& image : scene.images) {
        image.bytes = image::encode_png({1, 1, Bytes(4, std::byte{grey}), false, {}}).value();
        image.mime_type = "image/png";
    }
}

/// Pictures have plain names; where one is written, materials name it, and else what they named.
TEST(EmfxActorDerived, MaterialsNameTheirPicturesAsTheyAreWritten) {
    const auto keep = [](Material&) {};
    const auto edit = [](Material& material) { material.roughness = 0.5f; };
    const auto names_after = [](Scene scene, const auto& edit_one) {
        return layers_after(std::move(scene), edit_one)[2];
    };
    Scene scene = scene_of(with_opacity_map("skin.v2", "nospec"));
    set_untouched(scene);
    EXPECT_EQ(names_after(scene, edit), "skin.v2") << "the game's own";
    paint(scene, 0);
    set_untouched(scene);
    EXPECT_EQ(names_after(scene, keep), "skin.v2");
    EXPECT_EQ(names_after(scene, edit), "skin_v2");
    // Somebody paints on it.
    Scene painted = trip::scene_of(trip::glb_of(scene));
    EXPECT_EQ(names_after(painted, keep), "skin.v2");
    paint(painted, 255);
    EXPECT_EQ(names_after(painted, keep), "skin_v2");
}

/// The first standard material once its roughness and its colour are these.
xac::StandardMaterial after(Scene scene, const Color& color) {
    scene.materials.front().roughness = 0.5f;
    scene.materials.front().base_color = color;
    for (const xac::Chunk& chunk : files_of(scene).value.actor.chunks) {
        if (const auto* material = std::get_if<xac::StandardMaterial>(&chunk.record)) return *material;
    }
    return {};
}

TEST(EmfxActorDerived, KeepsColoursThatSayNothing) {
    xac::File file = with_opacity_map("nospec", "nospec");
    for (xac::Chunk& chunk : file.chunks) {
        auto* const material = std::get_if<xac::StandardMaterial>(&chunk.record);
        if (material != nullptr) material->ambient = material->diffuse = material->emissive = {0, 0, 0, 1};
    }
    const Scene scene = scene_of(file);
    const xac::StandardMaterial kept = after(scene, {1, 1, 1, 1}), red = after(scene, {1, 0, 0, 1});
    EXPECT_EQ(kept.diffuse, (Color{0, 0, 0, 1}));
    EXPECT_EQ(kept.ambient, (Color{0, 0, 0, 1}));
    EXPECT_EQ(kept.shine_strength, 1) << "it was edited";
    EXPECT_EQ(red.diffuse, (Color{1, 0, 0, 1}));
}

TEST(EmfxActorDerived, BlackStaysBlack) {
    Scene scene = scene_of(with_opacity_map("nospec", "nospec"));
    strip(scene);
    for (Material& material : scene.materials) {
        material.base_color = {0, 0, 0, 1};
        material.emissive = {};
    }
    const Scene again = scene_of(files_of(scene).value.actor);
    ASSERT_FALSE(again.materials.empty());
    EXPECT_EQ(again.materials.front().base_color, (Color{0, 0, 0, 1}));
}

using TypedTextures = std::vector<std::pair<int, std::string>>;

/// An actor with one material, which has these textures.
xac::File with_textures(xac::StandardMaterial material, const TypedTextures& textures) {
    for (const auto& [type, name] : textures) {
        auto& layer = material.layers.emplace_back();
        layer.map_type = static_cast<std::uint8_t>(type);
        layer.texture = name;
        layer.amount = 0.75f;
    }
    builders::ActorFile actor;
    actor.nodes({builders::node("a")}).add(13, 1, xac::MaterialInfo{0, 1, 1, 0}).add(3, 2, std::move(material));
    xac::Mesh mesh = builders::triangle(0);
    mesh.layers.push_back(builders::layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
    return std::move(actor.mesh(std::move(mesh)).file);
}

/// The only material once it is renamed and edited, and what is lost with that.
struct EditedMaterial {
    xac::StandardMaterial record;
    std::string lost;
    Material again;  ///< read back

    [[nodiscard]] TypedTextures textures() const {
        TypedTextures all;
        for (const xac::MaterialLayer& layer : record.layers) all.emplace_back(layer.map_type, layer.texture);
        return all;
    }
};

EditedMaterial edited(
    const xac::File& file, const std::function<void(Material&)>& edit = [](Material&) {}) {
    Scene scene = scene_of(file);
    set_untouched(scene);
    scene.materials.front().name = "new";  // textures without pictures alone are no edit
    edit(scene.materials.front());
    const auto files = files_of(scene);
    EditedMaterial result;
    for (const Diagnostic& diagnostic : files.report.diagnostics())
        if (diagnostic.code == "emfx-material-lost") result.lost += diagnostic.found;
    for (const xac::Chunk& chunk : files.value.actor.chunks) {
        if (const auto* material = std::get_if<xac::StandardMaterial>(&chunk.record)) result.record = *material;
    }
    result.again = scene_of(files.value.actor).materials.at(0);
    return result;
}

TEST(EmfxActorDerived, KeepsTheEmissionThatNobodyEdits) {
    xac::StandardMaterial glowing;
    glowing.emissive = {0.2f, 0.4f, 0.6f, 1};
    const xac::File file = with_textures(glowing, {{2, "Body"}, {6, "Glow"}});
    const EditedMaterial kept = edited(file);
    EXPECT_EQ(kept.record.name, "new");
    EXPECT_EQ(kept.record.emissive, glowing.emissive);
    EXPECT_EQ(kept.record.layers.back().amount, 0.75f);
    const EditedMaterial unmapped = edited(file, [](Material& material) { material.emissive_texture = {}; });
    EXPECT_NEAR(unmapped.record.emissive.b, 0.75f, 1e-6) << "what it shone with, the map being gone";
    const EditedMaterial dark = edited(file, [](Material& material) { material.emissive = {}; });
    EXPECT_EQ(dark.record.emissive, (Color{0, 0, 0, 1}));
    EXPECT_EQ(dark.again.emissive, Vec3{});
}

TEST(EmfxActorDerived, EmissionKeepsItsHueAndStrength) {
    for (const TypedTextures& textures : {TypedTextures{{2, "Body"}}, TypedTextures{{2, "Body"}, {6, "Glow"}}}) {
        const xac::File file = with_textures({}, textures);
        for (const Vec3& emission : {Vec3{1, 0.5f, 0}, Vec3{4, 2, 0}, Vec3{0.1f, 0.3f, 0.2f}}) {
            const auto glow = [&](Material& material) { material.emissive = emission; };
            const EditedMaterial result = edited(file, glow);
            EXPECT_EQ(result.again.emissive, emission);
            EXPECT_EQ(result.lost, "");
        }
    }
}

TEST(EmfxActorDerived, TheAlphaOfOpaqueSurfacesDoesNotCount) {
    const auto fade = [](AlphaMode mode) {
        return [mode](Material& material) {
            material.base_color.a = 0.25f;
            material.alpha_mode = mode;
        };
    };
    const xac::File solid = with_textures({}, {});
    EXPECT_EQ(edited(solid, fade(AlphaMode::opaque)).record.opacity, 1);
    EXPECT_EQ(edited(solid, fade(AlphaMode::opaque)).again.alpha_mode, AlphaMode::opaque);
    EXPECT_EQ(edited(solid, fade(AlphaMode::blend)).record.opacity, 0.25f);
    xac::StandardMaterial glass;
    glass.opacity = 0.5f;
    const xac::File clear = with_textures(glass, {});
    EXPECT_EQ(edited(clear).record.opacity, 0.5f);
    EXPECT_EQ(edited(clear, [](Material& one) { one.alpha_mode = AlphaMode::opaque; }).record.opacity, 1);
}

/// Without the colour's texture it would become the colour.
TEST(EmfxActorDerived, AnOpacityMapGoesWithTheTextureOfTheColour) {
    const auto bare = [](Material& material) { material.base_color_texture = {}; };
    const EditedMaterial aside = edited(with_textures({}, {{2, "Body"}, {4, "Mask"}}), bare);
    EXPECT_EQ(aside.textures(), TypedTextures{});
    EXPECT_FALSE(aside.again.base_color_texture.used());
    EXPECT_NE(aside.lost.find("opacity map"), std::string::npos) << aside.lost;
    EXPECT_EQ(edited(with_textures({}, {{2, "Body"}, {4, "Body"}}), bare).lost.find("opacity map"), std::string::npos);
}

/// A texture of the colour beside it would hide the colour, and under another name make the surface opaque.
TEST(EmfxActorDerived, AnOpacityMapAloneStaysAlone) {
    xac::StandardMaterial dark;
    dark.diffuse = {0, 0, 0, 1};
    dark.ambient = {1, 1, 1, 1};
    for (const char* name : {"mask", "mask.dds"}) {
        const TypedTextures alone{{4, name}};
        const xac::File file = with_textures(dark, alone);
        const EditedMaterial kept = edited(file);
        EXPECT_EQ(kept.textures(), alone);
        EXPECT_EQ(kept.lost, "");
        EXPECT_EQ(kept.again.alpha_mode, AlphaMode::blend);
        EXPECT_EQ(kept.again.base_color, (Color{0, 0, 0, 1}));
        const EditedMaterial red = edited(file, [](Material& one) { one.base_color = {1, 0, 0, 1}; });
        EXPECT_EQ(red.textures(), alone);
        EXPECT_EQ(red.lost, "");
        EXPECT_EQ(red.again.base_color, (Color{1, 0, 0, 1}));
        const EditedMaterial solid = edited(file, [](Material& one) { one.alpha_mode = AlphaMode::opaque; });
        EXPECT_EQ(solid.textures(), (TypedTextures{{2, "mask"}})) << "shown as the colour";
    }
}

TEST(EmfxActorDerived, ANewOpacityMapIsCalledAsTheColour) {
    const auto blend = [](Material& material) { material.alpha_mode = AlphaMode::blend; };
    const EditedMaterial blended = edited(with_textures({}, {{2, "skin.dds"}}), blend);
    EXPECT_EQ(blended.textures(), (TypedTextures{{2, "skin.dds"}, {4, "skin.dds"}}));
    EXPECT_EQ(blended.again.alpha_mode, AlphaMode::blend);
}

TEST(EmfxActorDerived, EditedMaterialsKeepTexturesThatTheSceneDoesNotShow) {
    const TypedTextures twice{{2, "Body"},  {2, "Other"}, {4, "Mask"}, {4, "Second"},
                              {5, "Bumps"}, {5, "More"},  {6, "Glow"}, {6, "Fire"}};
    const xac::File file = with_textures({}, twice);
    EXPECT_EQ(edited(file).textures(), twice);
    const auto bare = [](Material& material) { material.base_color_texture = material.emissive_texture = {}; };
    EXPECT_EQ(edited(file, bare).textures(), (TypedTextures{{5, "Bumps"}, {5, "More"}}))
        << "none takes the place of one that was taken away";
    const TypedTextures empty{{2, "test256texture"}, {5, "None"}};
    EXPECT_EQ(edited(with_textures({}, empty)).textures(), empty);
    xac::StandardMaterial glass;
    glass.opacity = 0.5f;
    const TypedTextures both{{2, "Body"}, {4, "Body"}};
    EXPECT_EQ(edited(with_textures(glass, both)).textures(), both);
}

/// The material infos of an actor with two levels by fields, once a mesh of the first one has a new material.
std::map<std::uint32_t, std::uint32_t> counts_after(std::uint32_t version) {
    const auto info = [](std::uint32_t lod, std::uint32_t count) { return xac::MaterialInfo{lod, count, count, 0}; };
    const auto material = [](const char* name, std::uint32_t lod) {
        xac::StandardMaterial result;
        result.name = name;
        result.lod = lod;
        return result;
    };
    xac::Mesh coarse = builders::triangle(0);
    coarse.lod = 1;
    builders::ActorFile actor;
    actor.nodes({builders::node("a")}).add(13, version, info(0, version == 1 ? 3 : 2));
    actor.add(3, 3, material("first", 0)).add(3, 3, material("second", 0));
    if (version != 1) actor.add(13, version, info(1, 1));
    actor.add(3, 3, material("coarse", 1)).mesh(builders::triangle(0)).add(1, 2, std::move(coarse));
    Scene scene = scene_of(actor.file);
    scene.materials.emplace_back().name = "new";
    scene.meshes.front().primitives.front().material = static_cast<Index>(scene.materials.size() - 1);
    const xac::File back = files_of(scene).value.actor;
    EXPECT_EQ(xac::check(back).count("material-info-count"), 0u);
    std::map<std::uint32_t, std::uint32_t> counts;
    for (const xac::Chunk& chunk : back.chunks) {
        if (const auto* one = std::get_if<xac::MaterialInfo>(&chunk.record)) counts[one->lod] = one->total;
    }
    return counts;
}

TEST(EmfxActorDerived, CountsTheMaterialsOfEachLevel) {
    using Counts = std::map<std::uint32_t, std::uint32_t>;
    EXPECT_EQ(counts_after(2), (Counts{{0, 3}, {1, 1}}));
    EXPECT_EQ(counts_after(1), (Counts{{0, 4}}));
}

/// An actor of one engine with a motion, whose texture is not found, as the other one's target has it.
emfx::NativeFiles ported(xac::Record material, std::uint8_t order, emfx::Target target, const Vec3& scale = {1, 1, 1}) {
    const bool is_fx = std::holds_alternative<xac::FxMaterial>(material);
    xac::Node root = builders::node("a");
    root.scale = scale;
    builders::ActorFile actor(order);
    actor.nodes({root}).add(13, 1, xac::MaterialInfo{0, 1, is_fx ? 0u : 1u, is_fx ? 1u : 0u});
    actor.add(is_fx ? 5 : 3, 2, std::move(material)).mesh(builders::triangle(0));
    std::get<xac::Mesh>(actor.file.chunks.back().record)
        .layers.push_back(builders::layer<Vec2>(xac::LayerType::uv, {{0, 0}, {1, 0}, {0, 1}}));
    auto part = builders::submotion("a");
    part.pose_scale = scale;
    part.position_keys = {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}};
    emfx::SceneInput input = builders::input(std::move(actor));
    input.motions.push_back({{"run", 0, {}}, builders::motion({part}, order), {{0.5f, 0}, {1, 0}}});
    Scene scene = builders::convert(std::move(input)).value;
    EXPECT_EQ(load_textures(scene, {}).count("texture-missing"), 1u);
    emfx::FromSceneOptions options;
    options.target = target;
    return files_of(scene, options).value;
}

template <class Record>
const Record* first(const xac::File& file) {
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* record = std::get_if<Record>(&chunk.record)) return record;
    }
    return nullptr;
}

xac::FxMaterial effect_with_texture() {
    xac::FxMaterial effect;
    effect.name = "skin";
    effect.bitmaps = {{"DiffuseTex", "body.dds"}};
    return effect;
}

xac::StandardMaterial standard_with_texture() {
    xac::StandardMaterial standard;
    standard.name = "Standard";
    standard.layers.emplace_back().map_type = 2;
    standard.layers.back().texture = "Body";
    return standard;
}

TEST(EmfxActorDerived, EffectsBecomeStandardMaterialsForTheOtherEngine) {
    const emfx::NativeFiles files = ported(effect_with_texture(), 1, emfx::Target::eu3);
    EXPECT_EQ(xac::check(files.actor).count("material-info-count"), 0u);
    EXPECT_EQ(files.actor.header.multiplication_order, 0);
    EXPECT_EQ(first<xac::FxMaterial>(files.actor), nullptr);
    const auto* material = first<xac::StandardMaterial>(files.actor);
    ASSERT_NE(material, nullptr);
    EXPECT_EQ(material->name, "skin");
    ASSERT_EQ(material->layers.size(), 2u);
    EXPECT_EQ(material->layers[0].texture, "body");
    EXPECT_EQ(material->layers[1].texture, "nospec");
    EXPECT_EQ(first<xac::MaterialInfo>(files.actor)->standard, 1u);
    ASSERT_EQ(files.motions.size(), 1u);
    EXPECT_EQ(files.motions[0].file.header.multiplication_order, 0);
    EXPECT_EQ(files.motions[0].file.chunks.back().version, 1u);
    EXPECT_TRUE(files.ticks.empty());
    const emfx::NativeFiles same = ported(effect_with_texture(), 1, emfx::Target::tree_of_savior);
    EXPECT_EQ(same.actor.header.multiplication_order, 1);
    EXPECT_NE(first<xac::FxMaterial>(same.actor), nullptr);
    EXPECT_EQ(same.ticks.size(), 1u);
}

/// Version 1 has its textures in chunks of their own, which a material that is edited or lent has in itself.
TEST(EmfxActorDerived, KeepsTexturesOfChunksOfTheirOwn) {
    xac::StandardMaterial first_material, material, usual;
    first_material.name = "first";
    usual.name = "EMFX Default";
    material.name = "skin";
    xac::MaterialLayer body, mask, plain;
    plain.map_type = 2;
    plain.texture = "Plain";
    plain.material = 2;
    body.map_type = 2;
    body.texture = "Body";
    body.amount = 0.5f;
    mask.map_type = 3;
    mask.texture = "Mask";
    body.material = mask.material = 1;
    builders::ActorFile actor;
    xac::Mesh mesh = builders::triangle(0);
    mesh.submeshes[0].material = 1;
    actor.nodes({builders::node("a")}).add(3, 1, first_material).add(3, 1, material).add(3, 1, usual);
    actor.add(4, 2, body).add(4, 2, mask).add(4, 2, plain);
    actor.mesh(mesh);
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    const auto layers_of = [](const emfx::NativeFiles& files) -> std::vector<xac::MaterialLayer> {
        for (const xac::Chunk& chunk : files.actor.chunks) {
            const auto* const made = std::get_if<xac::StandardMaterial>(&chunk.record);
            if (made != nullptr && made->name == "skin") return made->layers;
        }
        return {};
    };
    EXPECT_TRUE(layers_of(files_of(scene).value).empty()) << "unedited";
    emfx::FromSceneOptions ported;
    ported.target = emfx::Target::tree_of_savior;
    const auto effects = files_of(scene, ported);
    const auto is_body = [](const xac::Chunk& chunk) {
        const auto* const effect = std::get_if<xac::FxMaterial>(&chunk.record);
        return effect != nullptr && !effect->bitmaps.empty() && effect->bitmaps[0].value == "Body.dds";
    };
    EXPECT_TRUE(std::ranges::any_of(effects.value.actor.chunks, is_body));
    const auto* const kept = first<xac::StandardMaterial>(effects.value.actor);
    ASSERT_NE(kept, nullptr);
    ASSERT_EQ(kept->layers.size(), 1u) << "unedited, and no effect in that game either";
    EXPECT_EQ(kept->layers[0].texture, "Plain");
    for (Material& one : scene.materials) one.double_sided = true;
    const auto edited = layers_of(files_of(scene).value);
    ASSERT_EQ(edited.size(), 2u);
    EXPECT_EQ(edited[0].texture, "Body");
    EXPECT_EQ(edited[0].amount, 0.5f);
    EXPECT_EQ(edited[1].texture, "Mask");
    for (const xac::MaterialLayer& layer : edited) EXPECT_EQ(layer.material, 1) << "whose layer it is";
}

/// Such a material is shown as blended.
TEST(EmfxActorDerived, KeepsTheTestOfEffectsThatBlendAsWell) {
    xac::FxMaterial effect;
    effect.name = "fx";
    effect.bools = {{1, "g_isAlphaBlendOn"}, {1, "g_isAlphaTestOn"}};
    builders::ActorFile actor;
    actor.nodes({builders::node("a")}).add(5, 1, effect).mesh(builders::triangle(0));
    Scene scene = scene_of(actor.file);
    set_untouched(scene);
    const auto flags = [&] {
        const emfx::NativeFiles files = files_of(scene).value;
        const auto& bools = first<xac::FxMaterial>(files.actor)->bools;
        return std::array{bools.at(0).value, bools.at(1).value};
    };
    scene.materials.at(0).double_sided = true;
    EXPECT_EQ(flags(), (std::array<std::uint8_t, 2>{1, 1}));
    scene.materials[0].alpha_mode = AlphaMode::mask;
    EXPECT_EQ(flags(), (std::array<std::uint8_t, 2>{0, 1}));
    scene.materials[0].alpha_mode = AlphaMode::opaque;
    EXPECT_EQ(flags(), (std::array<std::uint8_t, 2>{0, 0}));
}

TEST(EmfxActorDerived, StandardMaterialsBecomeEffectsForTheOtherEngine) {
    const emfx::NativeFiles files = ported(standard_with_texture(), 0, emfx::Target::tree_of_savior);
    EXPECT_EQ(xac::check(files.actor).count("material-info-count"), 0u);
    EXPECT_EQ(files.actor.header.multiplication_order, 1);
    EXPECT_EQ(first<xac::StandardMaterial>(files.actor)->name, "EMFX Default") << "as all actors of the game have it";
    EXPECT_EQ(first<xac::MaterialInfo>(files.actor)->standard, 1u);
    const auto* material = first<xac::FxMaterial>(files.actor);
    ASSERT_NE(material, nullptr);
    ASSERT_EQ(material->bitmaps.size(), 1u);
    EXPECT_EQ(material->bitmaps[0].value, "Body.dds");
    EXPECT_EQ(first<xac::MaterialInfo>(files.actor)->fx, 1u);
    EXPECT_EQ(files.motions.at(0).file.chunks.back().version, 2u);
    EXPECT_EQ(files.motions[0].file.header.multiplication_order, 1);
    EXPECT_EQ(files.ticks.size(), 1u);
    const auto uneven = ported(standard_with_texture(), 0, emfx::Target::tree_of_savior, {1, 2, 1});
    EXPECT_EQ(uneven.actor.header.multiplication_order, 0) << "it would show";
    const auto same = ported(standard_with_texture(), 1, emfx::Target::victoria2);
    EXPECT_EQ(same.actor.header.multiplication_order, 1);
    EXPECT_EQ(first<xac::StandardMaterial>(same.actor)->layers.size(), 1u);
}

/// Grey in all known files; white where it stands in for what glTF shows as white.
TEST(EmfxActorDerived, TheDefaultOfTheOtherEngineIsWhiteWhereItIsSeen) {
    Scene scene = scene_of(with_textures({}, {}));
    strip(scene);
    emfx::FromSceneOptions options;
    options.target = emfx::Target::tree_of_savior;
    const auto color = [&] { return first<xac::StandardMaterial>(files_of(scene, options).value.actor)->diffuse; };
    EXPECT_EQ(color(), (Color{0.5f, 0.5f, 0.5f, 1}));
    for (Primitive& primitive : scene.meshes.front().primitives) primitive.material = no_index;
    EXPECT_EQ(color(), (Color{1, 1, 1, 1}));
}

using Box = std::array<float, 16>;

std::map<std::string, Box> boxes_of(const xac::File& file) {
    std::map<std::string, Box> boxes;
    for (const xac::Chunk& chunk : file.chunks) {
        if (const auto* nodes = std::get_if<xac::Nodes>(&chunk.record)) {
            for (const xac::Node& node : nodes->nodes) boxes[node.name] = node.box;
        } else if (const auto* node = std::get_if<xac::Node>(&chunk.record)) {
            boxes[node->name] = node->box;
        }
    }
    return boxes;
}

double apart(const Box& a, const Box& b, std::array<std::size_t, 3> places) {
    double square = 0;
    for (const std::size_t i : places) square += std::pow(double{a[i]} - double{b[i]}, 2);
    return std::sqrt(square);
}
constexpr std::array<std::size_t, 3> extents{3, 7, 11}, centre{12, 13, 14};

/// As it is after modelling programs, which drop bulk data: a box for each node that had one, around the same vertices
/// but along other axes. Measured: centres up to 0.49 of half the diagonal apart, diagonals of 0.73 to 1.18 of it, but
/// for five nodes of a flag, each a third of the size of the one above, whose own boxes are in a space without sizes.
TEST(EmfxActorDerived, CorpusHasBoxesOfItsOwn) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t count = 0, others = 0;
    double farthest = 0, smallest = 1, largest = 1;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        SCOPED_TRACE(file->path.string());
        auto read = xac::read(file->bytes);
        ASSERT_TRUE(read);
        const auto own = boxes_of(read->value);
        Scene scene = scene_of(std::move(read->value));
        scene.asset_extras.bulk.clear();
        const auto derived = boxes_of(files_of(scene).value.actor);
        ASSERT_EQ(derived.size(), own.size());
        for (const auto& [name, box] : own) {
            const Box& found = derived.at(name);
            if (box == xac::Node::no_box) {
                EXPECT_EQ(found, box) << name;
            }
            if (!(box[3] >= 0)) continue;
            const double half = apart(box, {}, extents), found_half = apart(found, {}, extents);
            const double way = apart(found, box, centre) / half, size = found_half / half;
            ++count;
            if (!(way < 1 && size > 0.5 && size < 1.5)) {
                ++others;
                continue;
            }
            farthest = std::max(farthest, way);
            smallest = std::min(smallest, size);
            largest = std::max(largest, size);
        }
    }
    EXPECT_LE(50 * others, count);
    std::printf(
        "corpus: %zu boxes derived, all but %zu with centres up to %.2f of half the diagonal apart and diagonals of "
        "%.2f to %.2f\n",
        count, others, farthest, smallest, largest);
}

/// A joint at x = 10 that has turned about z, and a mesh that follows it, or that hangs on it.
Scene boxed(bool is_skinned) {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 3;
    const auto places = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    places[0] = {};
    places[1] = {2, 0, 0};
    places[2] = {0, 4, -6};
    mesh.primitives.emplace_back().vertex_count = 3;
    mesh.primitives[0].indices = {0, 1, 2};
    scene.nodes.resize(2);
    scene.nodes[0].name = "joint";
    scene.nodes[0].local.translation = {10, 0, 0};
    scene.nodes[0].local.rotation = {0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};
    scene.nodes[1].name = "body";
    if (!is_skinned) {
        scene.nodes[0].mesh = 0;
        return scene;
    }
    std::ranges::fill(add_attribute<std::uint8_t>(mesh, Semantic::joints, ElementType::vec4, ComponentType::u8), 0);
    const auto weights = add_attribute<float>(mesh, Semantic::weights, ElementType::vec4, ComponentType::f32);
    for (std::size_t i = 0; i < 12; ++i) weights[i] = i % 4 == 0 ? 1 : 0;
    // Turned back about z: (x, y) - (10, 0) becomes (y, 10 - x).
    Skin& skin = scene.skins.emplace_back();
    skin.joints = {0};
    skin.inverse_bind_matrices = {{{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1}}};
    scene.nodes[1].mesh = scene.nodes[1].skin = 0;
    return scene;
}

TEST(EmfxActorDerived, BoxesHoldWhatFollows) {
    const auto rigid = boxes_of(files_of(boxed(false)).value.actor);
    EXPECT_EQ(rigid.at("joint"), (Box{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 1, 2, 3, 1}));
    EXPECT_EQ(rigid.at("body"), xac::Node::no_box);
    const auto skinned = boxes_of(files_of(boxed(true)).value.actor);
    const Box wanted{1, 0, 0, 2, 0, 1, 0, 1, 0, 0, 1, 3, 2, 9, 3, 1};
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(skinned.at("joint")[i], wanted[i], 1e-5) << i;
    EXPECT_EQ(skinned.at("body"), xac::Node::no_box);
}

}  // namespace
