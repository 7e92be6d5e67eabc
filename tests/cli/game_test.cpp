/// Models of Egosoft's games: materials, textures and the switches that say where they are.

#include <cstring>

#include "effigy/files.hpp"
#include "effigy/xmf.hpp"

#include "cli/fixtures.hpp"
#include "cli/shown_page.hpp"
#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
Bytes bytes_of_all(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

struct Vertex {
    Vec3 position;
    std::array<std::uint8_t, 4> normal{255, 128, 128, 255};  ///< blue, green, red: 0, 0, 1
    Vec2 texcoord;
    std::array<std::uint8_t, 4> color{128, 128, 128, 0};
};

/// One triangle of the material "ship.hull", with vertex colours whose alpha is 0.
xmf::File triangle() {
    xmf::Buffer vertices;
    vertices.format = 32;
    vertices.item_count = 3;
    vertices.item_size = sizeof(Vertex);
    vertices.element_count = 4;
    vertices.elements[0] = {xmf::ElementType::float3, xmf::Usage::position, 0, {}};
    vertices.elements[1] = {xmf::ElementType::color, xmf::Usage::normal, 0, {}};
    vertices.elements[2] = {xmf::ElementType::float2, xmf::Usage::texcoord, 0, {}};
    vertices.elements[3] = {xmf::ElementType::color, xmf::Usage::color, 0, {}};
    std::vector<Vertex> corners(3);
    corners[1].position = {0, 1, 0};
    corners[1].texcoord = {0, 1};
    corners[2].position = {1, 0, 0};
    corners[2].texcoord = {1, 0};
    vertices.content = bytes_of_all(corners);

    xmf::Buffer indices;
    indices.kind = xmf::index_buffer_kind;
    indices.format = xmf::index_format_16;
    indices.item_count = 3;
    indices.item_size = 2;
    indices.content = bytes_of_all<std::uint16_t>({0, 1, 2});

    xmf::Material material;
    material.index_count = 3;
    std::strcpy(material.name.data(), "ship.hull");
    xmf::File file;
    file.buffers = {vertices, indices};
    file.materials = {material};
    return file;
}

/// An actor whose material is in the library, as X Rebirth's are.
xac::File head() {
    xac::File file = soldier();
    for (xac::Chunk& chunk : file.chunks) {
        if (auto* material = std::get_if<xac::StandardMaterial>(&chunk.record)) {
            material->name = "ship.hull";
            material->layers.clear();
        }
    }
    return file;
}

constexpr const char* library = R"(<?xml version="1.0" encoding="utf-8"?>
<diff><add sel="/materiallibrary"><collection name="ship">
  <material name="hull" shader="P1_complex_surface.fx" blendmode="TWOSIDED"><properties>
    <property type="BitMap" name="diffuse_map" value="extensions\mod\assets\textures\hull_diff"/>
    <property type="BitMap" name="smooth_map" value="extensions\mod\assets\textures\hull_smooth"/>
    <property type="Float" name="Smoothness" value="0.5"/>
  </properties></material>
</collection></add></diff>
)";

constexpr const char* component = R"(<?xml version="1.0" encoding="utf-8"?>
<components><component name="crate" class="object">
  <source geometry="extensions\mod\assets\props\crate_data"/>
  <connections><connection name="con_part" tags="part"><parts><part name="part"><lods><lod index="0">
    <materials><material id="1" ref="ship.hull"/></materials>
  </lod></lods></part></parts></connection></connections>
</component></components>
)";

/// A mod in the folder mod/: a component with one part, and textures.
class CliGame : public Cli {
protected:
    CliGame() {
        expect_success("mkdir -p mod/libraries mod/assets/props/crate_data mod/assets/textures elsewhere");
        write("mod/content.xml", "<content id=\"mod\"/>");
        write("mod/libraries/material_library.xml", library);
        write("mod/assets/props/crate.xml", component);
        save("mod/assets/props/crate_data/part-lod0.xmf", xmf::write(triangle(), {.normalize = true}));
        save("elsewhere/head.xac", xac::write(head()));
        expect_success(
            "cd mod/assets && gzip -c ../../gfx/skin.png > textures/hull_diff.gz && gzip -c ../../gfx/skin.png > "
            "textures/Hull_Smooth.gz && cp props/crate_data/part-lod0.xmf ../../elsewhere");
    }

    void save(const std::string& name, const Result<Bytes>& bytes) const {
        ASSERT_TRUE(bytes) << to_string(bytes.error());
        const auto done = write_bytes(path(name), *bytes);
        ASSERT_TRUE(done) << to_string(done.error());
    }

    [[nodiscard]] Json converted(const std::string& arguments) const {
        expect_success("effigy convert " + arguments + " -o x.glb -q");
        return glb_json(content("x.glb"));
    }
};

TEST_F(CliGame, AModsComponentHasItsMaterials) {
    const Outcome run = expect_success("effigy convert mod/assets/props/crate.xml -o x.glb");
    EXPECT_THAT(run.err, Not(HasSubstr("warning")));
    const Json glb = glb_json(content("x.glb"));
    EXPECT_EQ(glb["images"].size(), 2U);
    const Json& material = glb["materials"][0];
    EXPECT_EQ(material["name"], "ship.hull");
    EXPECT_EQ(material["doubleSided"], true);
    EXPECT_TRUE(material["pbrMetallicRoughness"].contains("baseColorTexture"));
    EXPECT_TRUE(material["pbrMetallicRoughness"].contains("metallicRoughnessTexture"));
    EXPECT_EQ(material["extras"]["effigy"]["material_library"]["shader"], "P1_complex_surface.fx");
}

/// The same from a page's files alone as from where they lie.
void expect_same_as_page(const std::string& page, const std::string& glb) {
    const ShownPage shown = shown_page(page);
    EXPECT_TRUE(shown.glb() == glb);
    EXPECT_FALSE(shown.options.contains("game"));
    EXPECT_FALSE(shown.options.contains("materials"));
}

TEST_F(CliGame, APageHasWhatComesFromCatalogsAndMods) {
    // The part and a texture lie in the game's catalog, and game and mod have a library each.
    expect_success(
        "mkdir -p game/extensions/other/libraries && mv mod/assets/textures other_textures && "
        "mkdir -p pack/assets/props pack/extensions/mod/assets pack/libraries && "
        "mv other_textures pack/extensions/mod/assets/textures && "
        "mv mod/assets/props/crate_data pack/assets/props/crate_data && "
        "sed 's/\"hull\"/\"other\"/' mod/libraries/material_library.xml > pack/libraries/material_library.xml && "
        "effigy pack pack -o game/01.cat -q && rm -r pack && "
        "sed -i 's/extensions.mod.assets/assets/' mod/assets/props/crate.xml");
    const std::string mod = "mod/assets/props/crate.xml --game game";
    for (const std::string& arguments :
         {mod, std::string("mod/assets/props/crate.xml --game game --materials mod/libraries/material_library.xml"),
          std::string("assets/props/crate_data/part-lod0.xmf --game game --game mod")}) {
        const Outcome converted = expect_success("effigy convert " + arguments + " -o x.glb");
        EXPECT_THAT(converted.err, Not(HasSubstr("warning"))) << arguments;
        EXPECT_EQ(glb_json(content("x.glb"))["images"].size(), 2U) << arguments;
        expect_success("effigy view " + arguments + " -o x.html -q");
        expect_same_as_page(content("x.html"), content("x.glb"));
    }
}

TEST_F(CliGame, AMeshAloneNeedsTheLibrary) {
    const Outcome run = expect_success("effigy convert elsewhere/part-lod0.xmf -o x.glb");
    EXPECT_THAT(run.err, HasSubstr("[material-unresolved]"));
    EXPECT_THAT(run.err, HasSubstr("--game"));

    const std::string mesh = "elsewhere/part-lod0.xmf ";
    EXPECT_EQ(converted(mesh + "--game mod")["images"].size(), 2U);
    EXPECT_EQ(converted(mesh + "--materials mod/libraries/material_library.xml --textures mod")["images"].size(), 2U);
    const Outcome missing =
        expect_success("effigy convert " + mesh + "--materials mod/libraries/material_library.xml -o x.glb");
    EXPECT_THAT(missing.err, HasSubstr("[texture-missing]"));
    EXPECT_EQ(converted(mesh + "--game mod --no-textures").count("images"), 0U);
}

TEST_F(CliGame, InputsMayBeInTheGameOnly) {
    expect_success("mkdir game && effigy pack mod -o game/01.cat -q && mv mod elsewhere");
    const Json glb = converted("assets/props/crate.xml --game game");
    EXPECT_EQ(glb["images"].size(), 2U);
    EXPECT_EQ(glb["meshes"].size(), 1U);
    EXPECT_EQ(converted("'Assets\\PROPS\\crate_data\\part-lod0.xmf' --game game/01.cat")["meshes"].size(), 1U);
    expect_success(
        "effigy convert assets/props/crate_data/part-lod0.xmf -o copy.xmf --game game && cmp copy.xmf "
        "elsewhere/part-lod0.xmf");
    expect_failure("effigy convert assets/props/crate.xml -o x.glb", 3, {"assets/props/crate.xml"});
    expect_failure("effigy convert assets/props/../../crate.xml -o x.glb --game game", 3, {"crate.xml"});
    expect_failure("effigy convert assets/none.xml -o x.glb --game game", 3, {"neither here nor in the games"});
    for (const char* file : {"assets/props/crate.xml", "assets/props/crate_data/part-lod0.xmf"}) {
        const Json checked = run("effigy check --json --game game " + std::string(file)).json()["files"][0];
        EXPECT_EQ(checked["file"], file);
        EXPECT_TRUE(checked["format"].is_string()) << checked;
    }
    expect_failure("effigy check assets/none.xml --game game", 3, {"no game or mod has this file"});
}

TEST_F(CliGame, ActorsNameTheirMaterialsInTheLibraryToo) {
    EXPECT_EQ(converted("elsewhere/head.xac").count("images"), 0U);
    const Json glb = converted("elsewhere/head.xac --game mod");
    EXPECT_EQ(glb["images"].size(), 2U);
    EXPECT_EQ(glb["materials"][0]["doubleSided"], true);
    expect_success(
        "cp walk.xsm elsewhere && effigy pose elsewhere/head.xac elsewhere/walk.xsm --time 0.5 --game mod -o x.glb");
    EXPECT_EQ(glb_json(content("x.glb"))["images"].size(), 2U);
    // An actor alone says nothing about a library.
    const Outcome run = expect_success("effigy convert elsewhere/head.xac -o x.glb");
    EXPECT_THAT(run.err, Not(HasSubstr("material-unresolved")));
}

TEST_F(CliGame, ColorsAreCustomUnlessAskedFor) {
    const auto attributes = [&](const std::string& switches) {
        const Json glb = converted("elsewhere/part-lod0.xmf " + switches);
        return glb["meshes"][0]["primitives"][0]["attributes"];
    };
    EXPECT_FALSE(attributes("").contains("COLOR_0"));
    EXPECT_TRUE(attributes("--colors raw").contains("COLOR_0"));
}

TEST_F(CliGame, FilesThatSayWhatOthersMeanAreNoModels) {
    write("01.cat", "a.txt 0 1500000000 d41d8cd98f00b204e9800998ecf8427e\n");
    write("01.dat", "");
    expect_failure("effigy convert mod/libraries/material_library.xml -o x.glb", 2, {"nothing to show", "--materials"});
    expect_failure("effigy convert mod/assets/props/crate.xml mod/libraries/material_library.xml -o x.glb", 2,
                   {"--materials", "--game"});
    expect_failure("effigy convert 01.cat -o x.glb", 2, {"archive", "--game", "unpack"});
    expect_failure("effigy pose 01.cat -o x.glb", 2, {"archive"});
    expect_failure("effigy render 01.cat -o x.png", 2, {"archive"});
}

TEST_F(CliGame, EveryKindOfXmlIsCopied) {
    for (const char* name : {"mod/libraries/material_library.xml", "mod/assets/props/crate.xml"}) {
        expect_success(std::string("effigy convert ") + name + " -o copy.xml && cmp " + name + " copy.xml");
    }
    expect_success("effigy convert mod/assets/props/crate.xml -o COPY.XML");
}

TEST_F(CliGame, ComponentsAndModelsBecomeMeshes) {
    const std::string convert = "effigy convert ";
    expect_success(convert + "mod/assets/props/crate.xml -o x.xmf && cmp x.xmf elsewhere/part-lod0.xmf");
    expect_success(convert + "soldier.xac walk.xsm --textures gfx -o soldier.glb -q && mkdir out");
    for (const char* file : {"part_main-lod0.xmf", "old-lod0.xmf --target xrebirth", "part_main-collision.xmf",
                             "hull.xmf --collision mesh", "soldier_data.ani"}) {
        expect_success(convert + "soldier.glb -q -o out/" + file);
    }
    // Alone it is the mesh, wherever it stands.
    for (const char* words :
         {"soldier.glb -o out/alone.xmf --collision", "--collision soldier.glb -o out/alone.xmf",
          "soldier.glb --collision -o out/alone.xmf", "--collision=mesh soldier.glb -o out/alone.xmf"})
        expect_success(convert + "-q --overwrite " + words + " && cmp out/alone.xmf out/hull.xmf && rm out/alone.xmf");
    expect_failure(convert + "soldier.glb -o out/alone.xmf --collision=box", 2, {"box not in"});
    const Json found = expect_success("effigy check out/*.xmf out/*.ani --json").json();
    for (const Json& file : found["files"]) EXPECT_TRUE(file["findings"].empty()) << file.dump();
    for (const char* name : {"out/part_main-collision.xmf", "out/hull.xmf"})
        EXPECT_THAT(expect_success(std::string("effigy info ") + name).out, HasSubstr("P3, I32"));
    EXPECT_THAT(expect_success("effigy info out/old-lod0.xmf").out, HasSubstr("UVh"));
    // Another colour: the material is no longer the game's, and its pictures go along.
    expect_success(convert + "soldier.glb -o edited.gltf -q");
    Json edited = Json::parse(content("edited.gltf"));
    edited["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] = 0.25;
    write("edited.gltf", edited.dump());
    expect_success(convert + "edited.gltf -o out/edited.xmf -q");
    EXPECT_TRUE(exists("out/skin.png"));
}

TEST_F(CliGame, MeshesComeBackAsTheyWere) {
    expect_success("effigy convert elsewhere/part-lod0.xmf -o part-lod0.glb -q");
    expect_success("effigy convert part-lod0.glb -o x.xmf && cmp x.xmf elsewhere/part-lod0.xmf");
    EXPECT_THAT(expect_success("effigy convert part-lod0.glb --via xmf").err, Not(HasSubstr("diff-")));
    expect_failure("effigy convert part-lod0.glb -o x.xmf --target eu3", 2, {"--target eu3"});
    expect_failure("effigy convert part-lod0.glb -o x.ani", 1, {"nothing-to-show"});
}

TEST_F(CliGame, ComponentsComeBackAsTheyWere) {
    expect_success("effigy convert mod/assets/props/crate.xml -o crate.glb -q && mkdir new && cp -r mod new");
    expect_success(
        "rm -r new/mod/assets/props && effigy convert crate.glb -o new/mod/assets/props/crate.xml --no-textures");
    expect_success("diff -r mod new/mod");
    const Outcome edited = expect_success("effigy convert crate.glb -o new/mod/assets/units/size_m/ship_x.xml -q");
    EXPECT_TRUE(exists("new/mod/assets/units/size_m/ship_x_data/part-lod0.xmf"));
    EXPECT_THAT(content("new/mod/assets/units/size_m/ship_x.xml"),
                HasSubstr(R"(geometry="extensions\mod\assets\units\size_m\ship_x_data")"));
}

TEST_F(CliGame, ModelsBecomeComponents) {
    expect_success("effigy convert soldier.xac walk.xsm --textures gfx -o soldier.glb -q && mkdir new");
    write("new/content.xml", "<content id=\"new\"/>");
    const Outcome run = expect_success("effigy convert soldier.glb -o new/assets/props/soldier.xml");
    EXPECT_THAT(run.err, HasSubstr("[component-jcs]"));
    EXPECT_THAT(run.err, HasSubstr("[component-collision-made]"));
    const Json found = expect_success("effigy check new/assets/props/soldier.xml --json").json();
    for (const Json& finding : found["files"][0]["findings"]) EXPECT_EQ(finding["severity"], "info") << finding.dump();
    expect_success("effigy convert new/assets/props/soldier.xml -o again.glb -q");
    EXPECT_FALSE(glb_json(content("again.glb"))["meshes"].empty());
    expect_failure("effigy convert soldier.glb -o x.xml --target eu3", 2, {"--target eu3"});
    // Where one file cannot be written, none is.
    expect_success("mkdir -p old/soldier_data && touch old/SOLDIER_DATA.ANI && mkdir old/soldier.xml");
    expect_failure("effigy convert soldier.glb -o old/soldier.xml", 1, {"soldier.xml"});
    EXPECT_EQ(expect_success("ls old/soldier_data | wc -l").out, "0\n");
}

TEST_F(CliGame, RefusesWhatIsNotThere) {
    const std::string convert = "effigy convert elsewhere/part-lod0.xmf -o x.glb ";
    expect_failure(convert + "--game nowhere", 2, {"--game", "nowhere"});
    expect_failure(convert + "--materials nowhere.xml", 2, {"--materials", "nowhere.xml"});
    expect_failure(convert + "--materials mod", 2, {"--materials"});
    expect_failure(convert + "--colors some", 2, {"--colors"});
    expect_failure(convert + "--normal-map-layout up", 2, {"--normal-map-layout"});
    expect_failure("effigy convert mod -o x.glb", 2, {"is a folder"});
}

}  // namespace
}  // namespace effigy::test
