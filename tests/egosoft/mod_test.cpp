/// Scenes as mods: what makes a component known to the game is written, and what a mod has already stays.

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <pugixml.hpp>
#include <random>
#include <string>
#include <vector>

#include "effigy/component.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/egosoft_scene.hpp"
#include "effigy/files.hpp"
#include "effigy/hashes.hpp"
#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"
#include "effigy/material_library.hpp"
#include "effigy/xmf.hpp"

#include "egosoft/mod/xml_text.hpp"
#include "egosoft/mod_files.hpp"
#include "egosoft/scene_builders.hpp"
#include "gltf/glb.hpp"
#include "scene/bridge.hpp"
#include "scene/texture_names.hpp"

namespace effigy::test {
namespace {

using namespace builders;
using testing::HasSubstr;
using testing::Not;

TEST(ModFromScene, HasAllThatMakesAPropKnown) {
    const Made made = made_mod("Buoy", "destructible");
    const std::string place = "assets/props/surfaceelements/";
    std::vector<std::string> names;
    for (const auto& [name, text] : made.files) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{place + "buoy.xml", place + "buoy_data/hull-collision.xmf",
                                               place + "buoy_data/hull-lod0.xmf", place + "macros/buoy_macro.xml",
                                               "content.xml", "index/components.xml", "index/macros.xml"}));
    EXPECT_THAT(made.files.at("content.xml"), HasSubstr("id=\"my_mod\""));
    EXPECT_THAT(made.files.at("content.xml"), HasSubstr("author=\"me &amp; you\""));
    EXPECT_THAT(
        made.files.at("index/components.xml"),
        HasSubstr("    <entry name=\"buoy\" value=\"extensions\\my_mod\\assets\\props\\surfaceelements\\buoy\" />\n"
                  "  </add>\n"));
    EXPECT_THAT(made.files.at("index/macros.xml"),
                HasSubstr("value=\"extensions\\my_mod\\assets\\props\\surfaceelements\\macros\\buoy_macro\""));
    const std::string& xml = made.files.at(place + "buoy.xml");
    EXPECT_THAT(xml, HasSubstr("geometry=\"extensions\\my_mod\\assets\\props\\surfaceelements\\buoy_data\""));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"container\" tags=\"contents\" value=\"0\" />"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"position\" tags=\"position\" value=\"1\" />"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"space\" tags=\"destructible\" />"));
    EXPECT_THAT(xml, HasSubstr("<layer />"));
    EXPECT_EQ(made.report.count(egosoft::codes::component_places_made), 0u);
}

TEST(ModFromScene, GivesShipsThePlacesThatTheGameLooksFor) {
    Scene scene = boat();
    Node& slot = scene.nodes.emplace_back();
    slot.name = "con_motor";
    slot.extras.other = R"({"tags":"engine small standard"})";
    slot.local.translation = {0, 0, -3};
    scene.nodes.emplace_back().name = "con_dockpos";
    const Made made = made_mod("ship_boat", "ship_s", {}, scene);
    const std::string& xml = made.files.at("assets/units/size_s/ship_boat.xml");
    EXPECT_THAT(xml, HasSubstr("<connection name=\"space\" tags=\"ship ship_s\" />"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_cockpit\" tags=\"cockpit cockpit_visible\">"));
    EXPECT_THAT(xml, Not(HasSubstr("con_engine_01"))) << "the scene has an engine";
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_primaryweapon_01\" tags=\"weapon small standard combat "
                               "platformcollision\">"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_dockpos\" tags=\"dockpos\" />")) << "by its name";
    EXPECT_EQ(made.report.count(egosoft::codes::component_places_made), 1u);
    const std::string& macro = made.files.at("assets/units/size_s/macros/ship_boat_macro.xml");
    EXPECT_THAT(macro, HasSubstr("<connection ref=\"con_storage01\">\n"
                                 "        <macro ref=\"storage_ship_boat_macro\" connection=\"ShipConnection\" />"));
    EXPECT_THAT(made.files.at("index/macros.xml"), HasSubstr("storage_ship_boat_macro"));
    // Every connection that a macro hangs something on is in the component.
    for (const char* const name : {"con_cockpit", "con_dock_xs", "con_storage01"})
        EXPECT_THAT(xml, HasSubstr("name=\"" + std::string(name) + "\"")) << name;
}

/// Ships have several engines and weapons, numbered from 1 on.
TEST(ModFromScene, KnowsNumberedEquipmentByItsName) {
    Scene scene = boat();
    for (const char* const name : {"con_primaryweapon_01", "con_primaryweapon_02", "con_engine_03", "con_nothing"})
        scene.nodes.emplace_back().name = name;
    const Made made = made_mod("ship_boat", "ship_s", {}, scene);
    const std::string& xml = made.files.at("assets/units/size_s/ship_boat.xml");
    for (const char* const name : {"con_primaryweapon_01", "con_primaryweapon_02"}) {
        EXPECT_THAT(xml, HasSubstr("<connection name=\"" + std::string(name) +
                                   "\" tags=\"weapon small standard combat platformcollision\" />"));
    }
    EXPECT_THAT(xml,
                HasSubstr("<connection name=\"con_engine_03\" tags=\"engine small standard platformcollision\" />"));
    EXPECT_THAT(xml, Not(HasSubstr("con_engine_01"))) << "the scene has an engine";
    ASSERT_EQ(made.report.count(egosoft::codes::component_tags_missing), 1u);
    for (const Diagnostic& finding : made.report.diagnostics()) {
        if (finding.code == egosoft::codes::component_tags_missing.name) {
            EXPECT_EQ(finding.found, "1: con_nothing");
        }
    }
}

/// Blender numbers the copies of an empty.
TEST(ModFromScene, KnowsCopiesOfEquipmentByItsName) {
    Scene scene = boat();
    for (const char* const name : {"con_engine_01", "con_engine_01.001", "con_primaryweapon_02.003"})
        scene.nodes.emplace_back().name = name;
    const Made made = made_mod("ship_boat", "ship_s", {}, scene);
    const std::string& xml = made.files.at("assets/units/size_s/ship_boat.xml");
    for (const char* const name : {"con_engine_01", "con_engine_01_001"}) {
        EXPECT_THAT(xml, HasSubstr("<connection name=\"" + std::string(name) +
                                   "\" tags=\"engine small standard platformcollision\" />"));
    }
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_primaryweapon_02_003\" tags=\"weapon small standard combat "
                               "platformcollision\" />"));
    EXPECT_THAT(xml, Not(HasSubstr("\"con_primaryweapon_01\""))) << "the scene has a weapon";
    EXPECT_EQ(made.report.count(egosoft::codes::component_tags_missing), 0u);
}

TEST(ModFromScene, KnowsCopiesOfOtherPlacesByTheirNames) {
    Scene scene = boat();
    for (const char* const name : {"con_cockpit.001", "con_dockpos", "con_dockpos.002", "Space.001"})
        scene.nodes.emplace_back().name = name;
    const Made made = made_mod("ship_boat", "ship_s", {}, scene);
    const std::string& xml = made.files.at("assets/units/size_s/ship_boat.xml");
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_cockpit_001\" tags=\"cockpit cockpit_visible\" />"));
    EXPECT_THAT(xml, Not(HasSubstr("\"con_cockpit\""))) << "the scene has a cockpit";
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_dockpos\" tags=\"dockpos\" />"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_dockpos_002\" tags=\"dockpos\" />"));
    EXPECT_THAT(xml, Not(HasSubstr("\"space\""))) << "the scene has that, too";
    EXPECT_EQ(made.report.count(egosoft::codes::component_tags_missing), 0u);
    EXPECT_THAT(made.files.at("assets/units/size_s/macros/ship_boat_macro.xml"),
                HasSubstr("<connection ref=\"con_cockpit_001\">"));
}

/// The connections of parts are called after them, which makes them no places.
TEST(ModFromScene, PartsAreNoPlacesWhateverTheyAreCalled) {
    Scene scene = boat();
    for (const char* const name : {"Cockpit", "Engine_01", "dock_xs"}) {
        scene.nodes.emplace_back().name = name;
        scene.nodes.back().mesh = 0;
    }
    scene.nodes.emplace_back().name = "con_cockpit";
    const Made made = made_mod("ship_boat", "ship_s", {}, scene);
    const std::string& xml = made.files.at("assets/units/size_s/ship_boat.xml");
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_cockpit\" tags=\"cockpit cockpit_visible\" />"))
        << "what somebody called so comes first";
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_cockpit_2\" tags=\"part\">"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_engine_01\" tags=\"part\">"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_engine_01_2\" tags=\"engine small standard "
                               "platformcollision\">"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_dock_xs\" tags=\"part\">"));
    EXPECT_THAT(xml, HasSubstr("<connection name=\"con_dock_xs_2\" tags=\"dock_xs\">"));
    const std::string& macro = made.files.at("assets/units/size_s/macros/ship_boat_macro.xml");
    EXPECT_THAT(macro, HasSubstr("<connection ref=\"con_cockpit\">"));
    EXPECT_THAT(macro, HasSubstr("<connection ref=\"con_dock_xs_2\">"));
}

TEST(ModFromScene, HasAllComponentsOfTheScene) {
    Scene scene = boat();
    scene.nodes.clear();
    scene.materials.resize(2);
    scene.materials[0].name = scene.materials[1].name = "paint";
    scene.meshes.push_back(scene.meshes[0]);
    for (const Index i : {Index{0}, Index{1}}) {
        const Index root =
            add(scene, i == 0 ? "Boat" : "Mast", i == 0 ? R"({"class":"ship_s"})" : R"({"class":"prop"})");
        for (Primitive& primitive : scene.meshes[i].primitives) primitive.material = i;
        scene.nodes[add(scene, "hull", {}, {}, root)].mesh = i;
        const Index collision = add(scene, "hull-collision", {});
        scene.nodes[collision].mesh = i;
        scene.nodes[collision].hidden = true;
    }
    egosoft::ModOptions options;
    options.stubs = true;
    const Made made = made_mod("fleet", {}, {}, scene, options);
    const std::string ship = "assets/units/size_s/", prop = "assets/props/surfaceelements/";
    for (const std::string& path :
         {ship + "boat.xml", ship + "boat_data/hull-collision.xmf", ship + "macros/boat_macro.xml", prop + "mast.xml",
          prop + "mast_data/hull-lod0.xmf", prop + "mast_data/hull-collision.xmf", prop + "macros/mast_macro.xml"})
        EXPECT_TRUE(made.files.contains(path)) << path;
    EXPECT_THAT(made.files.at(ship + "boat.xml"), HasSubstr("my_mod.paint\""));
    EXPECT_THAT(made.files.at(prop + "mast.xml"), HasSubstr("my_mod.paint_1\"")) << "another material";
    EXPECT_THAT(made.files.at(prop + "mast.xml"), HasSubstr("class=\"destructible\""));
    for (const char* index : {"index/components.xml", "index/macros.xml"}) {
        EXPECT_THAT(made.files.at(index), HasSubstr("size_s\\"));
        EXPECT_THAT(made.files.at(index), HasSubstr("surfaceelements\\"));
    }
    const std::string& library = made.files.at("libraries/material_library.xml");
    EXPECT_THAT(library, HasSubstr("\"paint\""));
    EXPECT_THAT(library, HasSubstr("\"paint_1\""));
    EXPECT_THAT(made.files.at("t/0001-l044.xml"), HasSubstr("<t id=\"201\">Mast</t>"));
    EXPECT_THAT(made.files.at(prop + "macros/mast_macro.xml"), HasSubstr(",201}"));
}

TEST(ModFromScene, SaysWhichMacrosAreToBeFilledIn) {
    const std::string code(egosoft::codes::mod_macro_stub.name);
    EXPECT_EQ(made_mod("drive", "engine").report.count(code), 1u);
    EXPECT_EQ(made_mod("buoy", "destructible").report.count(code), 0u);
    EXPECT_EQ(made_mod("ship_boat", "ship_s").report.count(code), 0u);
    const Texts first = made_mod("drive", "engine").files;
    EXPECT_EQ(made_mod("drive", "engine", first).report.count(code), 0u) << "the macro is the modder's now";
}

/// As check does of the mod that is written.
TEST(ModFromScene, SaysThatThereIsNoWreck) {
    const auto severity = [](const std::string& class_name, const Scene& scene) {
        for (const Diagnostic& one : made_mod("boat", class_name, {}, scene).report.diagnostics()) {
            if (one.code == egosoft::codes::wreck_absent.name) return std::string(to_string(one.severity));
        }
        return std::string();
    };
    EXPECT_EQ(severity("ship_m", boat()), "warning");
    EXPECT_EQ(severity("connectionmodule", boat()), "warning");
    EXPECT_EQ(severity("ship_s", boat()), "info");
    EXPECT_EQ(severity("prop", boat()), "");
    Scene scene = boat();
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes.back().name = "Hull_wreck";
    EXPECT_EQ(severity("ship_m", scene), "");
}

TEST(ModFromScene, HasAnIdWithoutBlanks) {
    for (const auto& [folder, id] : {std::pair("My Mod", "my_mod"), std::pair("ship-pack.2", "ship_pack_2")}) {
        egosoft::ModOptions options;
        options.folder = folder;
        options.scene.name = "buoy";
        const auto mod = egosoft::mod_from_scene(boat(), options);
        ASSERT_TRUE(mod);
        for (const egosoft::NamedFile& file : mod->value) {
            const std::string text = text_of(file.bytes);
            if (file.name == "content.xml") {
                EXPECT_THAT(text, HasSubstr("id=\"" + std::string(id) + "\""));
            }
            if (file.name == "index/macros.xml") {
                EXPECT_THAT(text, HasSubstr("extensions\\" + std::string(folder) + "\\assets"));
            }
            EXPECT_EQ(file.name.find(' '), std::string::npos) << file.name;
        }
    }
}

TEST(ModFromScene, NothingHitsPartsOfEngines) {
    Scene scene = boat();
    scene.nodes[add(scene, "cap", R"({"tags":"part noshadowcaster"})")].mesh = 0;
    const std::string place = "assets/props/engines/drive";
    const Made made = made_mod("drive", "engine", {}, scene);
    EXPECT_THAT(made.files.at(place + ".xml"), HasSubstr("<connection name=\"con_hull\" tags=\"part nocollision\">"));
    EXPECT_THAT(made.files.at(place + ".xml"), HasSubstr("<connection name=\"con_cap\" tags=\"part noshadowcaster\">"));
    EXPECT_FALSE(made.files.contains(place + "_data/hull-collision.xmf"));
    EXPECT_TRUE(made.files.contains(place + "_data/cap-collision.xmf")) << "as its tags say";
    EXPECT_THAT(made_mod("buoy", "prop", {}, scene).files.at("assets/props/surfaceelements/buoy.xml"),
                HasSubstr("<connection name=\"con_hull\" tags=\"part\">"));
}

TEST(ModFromScene, NamesAnimationsInLowerCase) {
    ani::Animation open = animation("part_main", "open");
    open.positions = {key(0, {}), key(1, {0, 1, 0})};
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {part("part_main")})}));
    input.components[0].file.components[0].name = "boat";
    input.components[0].file.components[0].geometry = "assets/props/boat_data";
    input.meshes.push_back(mesh("part_main-lod0"));
    input.animations.push_back(motion(animations({open})));
    const Scene scene = builders::convert(std::move(input)).value;
    egosoft::ModOptions options;
    const std::string place = "assets/props/surfaceelements/";
    EXPECT_TRUE(made_mod("boat", "destructible", {}, scene, options).files.contains(place + "boat_data.ani"));
    options.scene.target = egosoft::Target::x_rebirth;
    EXPECT_TRUE(made_mod("boat", "destructible", {}, scene, options).files.contains(place + "BOAT_DATA.ANI"));
}

TEST(ModFromScene, LeadsToItsOwnMeshes) {
    egosoft::SceneInput input;
    input.components.push_back(component({connection("con", {}, {part("part_main")})}));
    input.components[0].file.components[0].name = "boat";
    input.components[0].file.components[0].geometry = "extensions\\other\\assets\\props\\surfaceelements\\boat_data";
    input.meshes.push_back(mesh("part_main-lod0"));
    Scene scene = builders::convert(std::move(input)).value;
    leave_untouched(scene);
    EXPECT_THAT(made_mod("boat", "destructible", {}, scene).files.at("assets/props/surfaceelements/boat.xml"),
                HasSubstr("extensions\\my_mod\\assets\\props\\surfaceelements\\boat_data"));
}

/// A picture of noise as the game has it.
Bytes texture_of_game(std::uint32_t size, const image::DdsOptions& options = {}) {
    std::mt19937 random(7);
    image::Picture picture{size, size, Bytes(std::size_t{4} * size * size), false, {}};
    for (std::byte& byte : picture.rgba) byte = static_cast<std::byte>(random());
    image::drop_alpha(picture);
    return image::encode_dds(picture, options).value();
}

/// What a mod's textures are, by name, of a boat whose pictures of these names are `originals`, painted on or not.
std::map<std::string, Bytes> textures_of_mod(const std::map<std::string, Bytes>& originals, bool is_painted,
                                             GreenChannel green = GreenChannel::flip) {
    const TemporaryFolder folder;
    Scene scene = boat();
    scene.materials.resize(1);
    scene.materials[0].name = "paint";
    scene.meshes[0].primitives[0].material = 0;
    const std::size_t vertices = scene.meshes[0].vertex_count;
    scene.meshes[0].attributes.push_back(
        {Semantic::texcoord, 0, {}, {Bytes(vertices * 8), ElementType::vec2, ComponentType::f32, false}});
    for (const auto& [name, original] : originals) {
        EXPECT_TRUE(write_bytes(folder.path() / (name + ".gz"), image::gzip(original).value()));
        image::Picture picture = image::decode(original).value();
        if (name == "hull_normal" && green == GreenChannel::flip) image::flip_green(picture);
        if (is_painted) picture.rgba[0] ^= std::byte{0x40};
        TextureSlot& slot =
            name == "hull_normal" ? scene.materials[0].normal_texture : scene.materials[0].base_color_texture;
        slot.image = static_cast<Index>(scene.images.size());
        scene.images.push_back({name, "image/png", image::encode_png(picture).value(), {}, {}});
    }
    const image::Library library({folder.path()});
    egosoft::ModOptions options;
    options.originals = &library;
    options.normal_map_green = green;
    const Made made = made_mod("buoy", "destructible", {}, scene, options);
    std::map<std::string, Bytes> textures;
    for (const auto& [name, original] : originals) {
        const std::string& file = made.files.at("assets/textures/my_mod/" + name + ".gz");
        textures[name] = image::gunzip(std::as_bytes(std::span(file))).value();
    }
    return textures;
}

TEST(ModFromScene, TexturesOfTheGameGoInAsTheyAre) {
    const std::map<std::string, Bytes> originals{{"hull_diff", texture_of_game(64)},
                                                 {"hull_normal", texture_of_game(128)}};
    EXPECT_EQ(textures_of_mod(originals, false), originals);
    EXPECT_EQ(textures_of_mod(originals, false, GreenChannel::keep), originals) << "as it is in the scene";
    for (const auto& [name, painted] : textures_of_mod(originals, true)) EXPECT_NE(painted, originals.at(name)) << name;
}

TEST(ModFromScene, TexturesThatTheGameDoesNotLoadWellAreMadeAnew) {
    image::DdsOptions plain, single;
    plain.coding = image::DdsCoding::uncompressed;
    single.mips = false;
    for (const image::DdsOptions& options : {plain, single}) {
        const Bytes original = texture_of_game(64, options);
        const Bytes made = textures_of_mod({{"hull_diff", original}}, false).at("hull_diff");
        EXPECT_EQ(made, image::encode_dds(image::decode(original).value()).value());
    }
    EXPECT_NE(textures_of_mod({{"hull_diff", texture_of_game(20)}}, false).at("hull_diff"), texture_of_game(20));
}

TEST(ModFromScene, SmallTexturesAreEnlarged) {
    for (const bool is_painted : {false, true}) {
        const Bytes small = textures_of_mod({{"hull_diff", texture_of_game(16)}}, is_painted).at("hull_diff");
        EXPECT_EQ(image::decode(small).value().width, 512u);
        EXPECT_EQ(image::decode(small).value().height, 512u);
    }
    const image::Picture strip{1024, 32, Bytes(std::size_t{4} * 1024 * 32, std::byte{0x7F}), false, {}};
    const Bytes wide = textures_of_mod({{"hull_diff", image::encode_dds(strip).value()}}, false).at("hull_diff");
    EXPECT_EQ(image::decode(wide).value().width, 1024u);
    EXPECT_EQ(image::decode(wide).value().height, 64u);
}

/// The game has one set of coordinates for all textures.
TEST(ModFromScene, LeavesOutOcclusionOnOtherCoordinates) {
    Scene scene = boat();
    scene.materials.resize(1);
    scene.materials[0].name = "paint";
    scene.meshes[0].primitives[0].material = 0;
    for (const std::uint32_t set : {0u, 1u}) {
        scene.meshes[0].attributes.push_back(
            {Semantic::texcoord,
             set,
             {},
             {Bytes(scene.meshes[0].vertex_count * 8), ElementType::vec2, ComponentType::f32, false}});
    }
    const image::Picture white{64, 64, Bytes(64 * 64 * 4, std::byte{255}), false, {}};
    const image::Picture black{64, 64, Bytes(64 * 64 * 4, std::byte{0}), false, {}};
    scene.images.push_back({"base", "image/png", image::encode_png(white).value(), {}, {}});
    scene.images.push_back({"shadow", "image/png", image::encode_png(black).value(), {}, {}});
    scene.materials[0].base_color_texture.image = 0;
    scene.materials[0].occlusion_texture.image = 1;
    const auto brightness = [&](std::uint32_t set) {
        scene.materials[0].occlusion_texture.texcoord = set;
        const Made made = made_mod("buoy", "destructible", {}, scene);
        EXPECT_EQ(made.report.count(egosoft::codes::xmf_texture_placed), set);
        const std::string& file = made.files.at("assets/textures/my_mod/base_diff.gz");
        return std::to_integer<int>(
            image::decode(image::gunzip(std::as_bytes(std::span(file))).value()).value().rgba[0]);
    };
    EXPECT_EQ(brightness(0), 0);
    EXPECT_EQ(brightness(1), 255);
}

TEST(ModFromScene, EditedMaterialsOfMeshesThatAreKeptAreWritten) {
    for (const std::string old : {"arg_ships.hull", "my_mod.hull"}) {
        xmf::File file = quad();
        file.materials.push_back(material(old, 0, 6));
        egosoft::SceneInput input;
        input.components.push_back(component({connection("con", {}, {part("part_main")})}));
        input.meshes.push_back(mesh("part_main-lod0", file));
        Scene scene = builders::convert(std::move(input)).value;
        ASSERT_EQ(scene.materials.size(), 1u);
        scene.materials[0].extras.json = R"({"material_library":{}})";
        set_hashes(scene);
        leave_untouched(scene);
        const std::string library = "libraries/material_library.xml";
        const Texts library_there{{library,
                                   "<materiallibrary><collection name=\"my_mod\"><material name=\"hull\"/>"
                                   "</collection></materiallibrary>"}};
        EXPECT_EQ(made_mod("x", "destructible", {}, scene).files.contains(library), old == "my_mod.hull")
            << "whose library is not there";
        const Texts same = made_mod("x", "destructible", library_there, scene).files;
        scene.materials[0].roughness = 0.25f;
        const Texts edited = made_mod("x", "destructible", {}, scene).files;
        const std::string level = "assets/props/surfaceelements/x_data/part_main-lod0.xmf";
        EXPECT_THAT(same.at(level), HasSubstr(old));
        EXPECT_FALSE(same.contains(library));
        EXPECT_THAT(edited.at(level), HasSubstr("my_mod.hull"));
        EXPECT_THAT(edited.at(library), HasSubstr("name=\"Smoothness\" value=\"0.75\""));
    }
}

TEST(ModFromScene, MeshesWithoutAMaterialGetOne) {
    const std::string path = "libraries/material_library.xml";
    const std::string level = "assets/props/surfaceelements/buoy_data/";
    for (const bool has_other : {false, true}) {
        Scene scene = boat();
        for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = no_index;
        if (has_other) {
            scene.materials.resize(1);
            scene.materials[0].name = "default";
            scene.meshes.push_back(scene.meshes[0]);
            for (Primitive& primitive : scene.meshes[1].primitives) primitive.material = 0;
            scene.nodes[add(scene, "mast", "")].mesh = 1;
        } else {
            scene.materials.clear();
        }
        const Texts files = made_mod("buoy", "prop", {}, scene).files;
        EXPECT_THAT(files.at(level + "hull-lod0.xmf"), HasSubstr("my_mod.default"));
        EXPECT_THAT(files.at(path), HasSubstr("<material name=\"default\""));
        EXPECT_THAT(files.at(path), Not(HasSubstr("4294967295")));
        if (has_other) EXPECT_THAT(files.at(path), HasSubstr("<material name=\"default_0\""));
        const std::string own =
            "<materiallibrary><collection name=\"my_mod\"><material name=\"default\" />"
            "</collection></materiallibrary>";
        if (!has_other) EXPECT_FALSE(made_mod("buoy", "prop", {{path, own}}, scene).files.contains(path));
    }
}

/// Colours are pictures in mods.
TEST(ModFromScene, MeshesWithoutCoordinatesGetSome) {
    Scene scene = boat();
    scene.materials[0].name = "blue";
    scene.materials[0].base_color = {0, 0, 1, 1};
    const std::string level = "assets/props/surfaceelements/buoy_data/hull-";
    const Texts files = made_mod("buoy", "prop", {}, scene).files;
    const auto has_coordinates = [&](const std::string& name) {
        const auto raw = std::as_bytes(std::span(files.at(level + name)));
        const auto mesh = xmf::read(Bytes(raw.begin(), raw.end()));
        EXPECT_TRUE(mesh) << name;
        if (!mesh) return false;
        const auto placed = xmf::declaration(mesh->value.buffers.front());
        return std::any_of(placed.begin(), placed.end(),
                           [](const auto& one) { return one.element.usage == xmf::Usage::texcoord; });
    };
    EXPECT_TRUE(has_coordinates("lod0.xmf"));
    EXPECT_FALSE(has_coordinates("collision.xmf"));
}

TEST(ModFromScene, MaterialsThatTakeThePlacesOfOthersAreNamed) {
    Scene scene = boat();
    scene.materials[0].name = "Blue";
    const std::string path = "libraries/material_library.xml";
    const auto count = [&](const std::string& library) {
        const Made made = made_mod("buoy", "prop", {{path, library}}, scene);
        return made.report.count(egosoft::codes::mod_material_replaced);
    };
    const auto library_of = [](const std::string& material) {
        return "<diff><add sel=\"//materiallibrary\"><collection name=\"my_mod\">" + material +
               "</collection></add></diff>";
    };
    const Made first = made_mod("buoy", "prop", {}, scene);
    EXPECT_EQ(first.report.count(egosoft::codes::mod_material_replaced), 0u);
    const std::string& written = first.files.at(path);
    EXPECT_EQ(count(written), 0u);
    const std::size_t start = written.find("<material "), end = written.find("</collection>");
    std::string entry = written.substr(start, end - start);
    std::erase(entry, '\n');
    EXPECT_EQ(count(library_of(entry)), 0u) << "laid out otherwise";
    EXPECT_EQ(count(library_of("<material name=\"red\" shader=\"p1_glass.fx\"/>")), 0u);
    EXPECT_EQ(count(library_of("<material name=\"Blue\" shader=\"p1_glass.fx\"/>")), 1u);
    // What was read and edited replaces what it was read from.
    scene.materials[0].extras.json = R"({"material_library":{"properties":[]}})";
    EXPECT_EQ(count(library_of("<material name=\"blue\" shader=\"p1_glass.fx\"/>")), 0u);
}

/// A library says more than glTF can.
TEST(ModFromScene, EditedMaterialsKeepWhatNobodyEdited) {
    const std::string record =
        R"({"material_library":{"collection":"my_mod","name":"hull","shader":"P1_other.fx","blendmode":"NONE",)"
        R"("properties":[{"type":"BitMap","name":"diffuse_map","value":"assets\\hull_diff"},)"
        R"({"type":"Float","name":"normal_detailStr","value":"0.7"},)"
        R"({"type":"BitMap","name":"color_glow_map","value":"assets\\hull_glow"},)"
        R"({"type":"Float","name":"color_glowStr","value":"4.0"},)"
        R"({"type":"Float","name":"Smoothness","value":"0.6"}]}})";
    Scene scene = boat();
    scene.materials.resize(1);
    Material& paint = scene.materials[0];
    paint.name = "my_mod.hull";
    paint.extras.json = record;
    scene.images.resize(2);
    paint.base_color = {1, 1, 1, 1};
    paint.base_color_texture.image = 0;
    paint.emissive_texture.image = 1;
    paint.emissive = {1, 1, 1};
    paint.roughness = 0.4f;
    scene.meshes[0].primitives[0].material = 0;
    const std::string path = "libraries/material_library.xml";
    const auto library = [&] { return made_mod("buoy", "prop", {}, scene).files.at(path); };
    paint.double_sided = true;
    const std::string sides = library();
    for (const char* kept : {"shader=\"P1_other.fx\" blendmode=\"TWOSIDED\"", "value=\"assets\\hull_diff\"",
                             "name=\"normal_detailStr\" value=\"0.7\"", "name=\"color_glowStr\" value=\"4.0\"",
                             "name=\"Smoothness\" value=\"0.6\""})
        EXPECT_THAT(sides, HasSubstr(kept));
    EXPECT_THAT(sides, Not(HasSubstr("extensions\\my_mod\\assets\\textures")));
    paint.roughness = 0.25f;
    const std::string rough = library();
    EXPECT_THAT(rough, HasSubstr("name=\"Smoothness\" value=\"0.75\""));
    EXPECT_THAT(rough, Not(HasSubstr("value=\"0.6\"")));
    EXPECT_THAT(rough, HasSubstr("name=\"color_glowStr\" value=\"4.0\""));
}

/// The games read a colour's four numbers from attributes of their own.
TEST(ModFromScene, ColorsKeepTheirForm) {
    const std::map<std::string, std::string> forms{
        {"35 70 95 150", R"(r="35" g="70" b="95" a="150" />)"},
        {"(color 1 2 3)", R"x(value="(color 1 2 3)" />)x"},
        {"1 2 3", R"(value="1 2 3" />)"},
        {"1 2 3 ", R"(value="1 2 3 " />)"},
        {"1 2 3 4 5", R"(value="1 2 3 4 5" />)"},
        {"--.. 2 3 4", R"(value="--.. 2 3 4" />)"},
        {"nan 2 3 4", R"(value="nan 2 3 4" />)"},
        {"1e-5 2 3 4", R"(r="1e-5" g="2" b="3" a="4" />)"},
    };
    for (const auto& [numbers, form] : forms) {
        Scene scene = boat();
        Material& glass = scene.materials[0];
        glass.name = "my_mod.hull";
        glass.extras.json = R"({"material_library":{"properties":[{"type":"Color","name":"tint_color","value":")" +
                            numbers + R"("}]}})";
        const std::string text = made_mod("buoy", "prop", {}, scene).files.at("libraries/material_library.xml");
        EXPECT_THAT(text, HasSubstr(R"(<property type="Color" name="tint_color" )" + form));
        const auto raw = std::as_bytes(std::span(text));
        const auto again = egosoft::read_material_library(Bytes(raw.begin(), raw.end()));
        ASSERT_TRUE(again) << numbers;
        EXPECT_EQ(again->value.materials.at(0).properties.at(0).value, numbers);
    }
}

/// "my_mod.hull" with a library's record; the rest of the record begins with a comma.
Scene painted_boat(const std::string& shader, const std::string& blendmode, const std::string& more) {
    Scene scene = boat();
    scene.materials.resize(1);
    Material& paint = scene.materials[0];
    paint.name = "my_mod.hull";
    paint.extras.json = R"({"material_library":{"collection":"my_mod","name":"hull","shader":")" + shader +
                        R"(","blendmode":")" + blendmode +
                        R"(","properties":[{"type":"BitMap","name":"diffuse_map","value":"assets\\hull_diff"},)"
                        R"({"type":"BitMap","name":"color_glow_map","value":"assets\\hull_glow"},)"
                        R"({"type":"Float","name":"Smoothness","value":"0.6"}]})" +
                        more + "}";
    paint.roughness = 0.25f;
    for (Mesh& mesh : scene.meshes) {
        Attribute& attribute = mesh.attributes.emplace_back();
        attribute.semantic = Semantic::texcoord;
        attribute.data = {Bytes(sizeof(Vec2) * mesh.vertex_count), ElementType::vec2, ComponentType::f32, false};
    }
    scene.meshes[0].primitives[0].material = 0;
    return scene;
}

void add_picture(Scene& scene, std::byte color) {
    image::Picture picture;
    picture.width = picture.height = 64;
    picture.rgba.assign(std::size_t{64} * 64 * 4, color);
    scene.images.push_back({"", "image/png", *image::encode_png(picture), {}});
}

/// A boat of one material that was in no library, with two pictures.
Scene boat_with_new_paint() {
    Scene scene = painted_boat({}, {}, {});
    scene.materials[0].extras = {};
    scene.materials[0].name = "paint";
    add_picture(scene, std::byte{0x7f});
    add_picture(scene, std::byte{0x40});
    scene.images[0].name = "good";
    scene.images[1].name = "bad";
    scene.materials[0].base_color_texture.image = 0;
    return scene;
}

/// What the first warning about an image says; nothing without one.
std::string image_warning(const Report& report) {
    for (const Diagnostic& one : report.diagnostics()) {
        if (one.code == "image-kind") return one.path + ": " + one.message;
    }
    return {};
}

TEST(ModFromScene, DamagedPicturesAreLeftOut) {
    const std::string library = "libraries/material_library.xml", folder = "assets/textures/my_mod/";
    for (const auto member : {&Material::base_color_texture, &Material::normal_texture, &Material::emissive_texture,
                              &Material::metallic_roughness_texture, &Material::occlusion_texture}) {
        Scene scene = boat_with_new_paint();
        (scene.materials[0].*member).image = 1;
        scene.materials[0].emissive = {1, 1, 1};
        scene.images[1].bytes.resize(100);
        const Made made = made_mod("buoy", "prop", {}, scene);
        EXPECT_EQ(made.report.count(codes::image_kind), 1u);
        EXPECT_THAT(image_warning(made.report), HasSubstr("images[1] bad: The image ends before its last pixel."));
        for (const auto& [name, text] : made.files) EXPECT_THAT(name, Not(HasSubstr("bad")));
        EXPECT_THAT(made.files.at(library), HasSubstr("name=\"diffuse_map\""));
        EXPECT_EQ(made.files.contains(folder + "good_diff.gz"), member != &Material::base_color_texture);
        const bool glows = made.files.at(library).find("color_glow_map") != std::string::npos;
        EXPECT_EQ(glows, member != &Material::emissive_texture) << "not all of it";
    }
}

TEST(ModFromScene, PicturesThatAreTooLargeAreLeftOut) {
    Scene scene = boat_with_new_paint();
    const image::Picture large{2048, 2048, Bytes(std::size_t{4} * 2048 * 2048), false, {}};
    scene.images[1].bytes = image::encode_png(large).value();
    scene.materials[0].normal_texture.image = 1;
    egosoft::ModOptions options;
    options.scene.limits.memory = std::uint64_t{8} << 20;
    const Made made = made_mod("buoy", "prop", {}, scene, options);
    EXPECT_THAT(image_warning(made.report), HasSubstr("--limit-memory"));
    EXPECT_TRUE(made.files.contains("assets/textures/my_mod/good_diff.gz"));
}

TEST(ModFromScene, SaysWhatMaterialsOfTheGameCannotSay) {
    Scene scene = boat_with_new_paint();
    const auto lost = [&] {
        const Made made = made_mod("buoy", "prop", {}, scene);
        for (const Diagnostic& one : made.report.diagnostics()) {
            if (one.code == "mod-material-lost") return one.found;
        }
        return std::string();
    };
    Material& paint = scene.materials[0];
    paint.double_sided = true;
    paint.alpha_cutoff = 0.25f;
    paint.ior = 1.45f;
    EXPECT_EQ(lost(), "") << "nothing is cut off, and Blender's index of refraction is as good as glTF's";
    paint.alpha_mode = AlphaMode::mask;
    EXPECT_EQ(lost(), "1: my_mod.paint (alpha cutoff)");
    paint.alpha_cutoff = 0.5f;
    EXPECT_EQ(lost(), "");
    paint.unlit = true;
    paint.ior = 2;
    paint.base_color_texture.wrap_v = Wrap::clamp_to_edge;
    EXPECT_EQ(lost(), "1: my_mod.paint (unlit, refraction and reflection, wrapping of textures)");
    paint.name = "arg_ships.hull";  // whose entry is the game's
    paint.base_color_texture.image = no_index;
    EXPECT_EQ(lost(), "");
}

/// As Blender numbers copies of what is in no collection.
TEST(ModFromScene, NamesOfCopiesAreNoCollections) {
    Scene scene = painted_boat({}, {}, {});
    add_picture(scene, std::byte{0x7f});
    scene.materials[0].extras = {};
    scene.materials[0].name = "Green Paint.001";
    scene.materials[0].base_color_texture.image = 0;
    const Texts files = made_mod("buoy", "prop", {}, scene).files;
    EXPECT_THAT(files.at("libraries/material_library.xml"), HasSubstr("<material name=\"green_paint_001\""));
    EXPECT_THAT(files.at("assets/props/surfaceelements/buoy.xml"), HasSubstr("ref=\"my_mod.green_paint_001\""));
}

TEST(ModFromScene, WhatWasLeftOutOfMaterialsIsNoEdit) {
    const std::string path = "libraries/material_library.xml";
    Scene scene = painted_boat("p1_glass.fx", "ALPHA8_SINGLE",
                               R"(,"left_out":["base_color_texture","emissive_texture","alpha_mode"])");
    const Texts files = made_mod("buoy", "prop", {}, scene).files;
    for (const char* kept :
         {"shader=\"p1_glass.fx\" blendmode=\"ALPHA8_SINGLE\"", "assets\\hull_diff", "assets\\hull_glow", "0.75"})
        EXPECT_THAT(files.at(path), HasSubstr(kept));
    for (const auto& [name, text] : files) EXPECT_THAT(name, Not(HasSubstr("textures")));
    add_picture(scene, std::byte{0x7f});
    scene.materials[0].base_color_texture.image = 0;
    const std::string painted = made_mod("buoy", "prop", {}, scene).files.at(path);
    EXPECT_THAT(painted, Not(HasSubstr("assets\\hull_diff\""))) << "somebody gave it a picture";
    EXPECT_THAT(painted, HasSubstr("assets\\hull_glow"));
}

/// A boat whose library's record names textures of the mod itself.
Scene boat_with_own_textures(const std::string& more = {}) {
    Scene scene = painted_boat("p1_other.fx", "NONE", {});
    Material& paint = scene.materials[0];
    paint.extras.json =
        R"({"material_library":{"shader":"p1_other.fx","blendmode":"NONE","properties":[)"
        R"({"type":"BitMap","name":"diffuse_map","value":"extensions\\My_Mod\\assets\\textures\\My_Mod\\paint_diff"},)"
        R"({"type":"BitMap","name":"smooth_map","value":"extensions\\my_mod\\assets\\Shine"},)"
        R"({"type":"Float","name":"Smoothness","value":"0.5"})" +
        more + "]}}";
    paint.roughness = paint.metallic = 1;
    add_picture(scene, std::byte{0x7f});
    add_picture(scene, std::byte{0xc0});  // a smoothness of a quarter
    paint.base_color = {1, 1, 1, 1};
    paint.base_color_texture.image = 0;
    paint.metallic_roughness_texture.image = 1;
    scene.images[0].name = "paint";
    set_hashes(scene);
    leave_untouched(scene);
    return scene;
}

/// The red of the first pixel.
int red_of(const Texts& files, const std::string& name) {
    const auto file = files.find(name);
    if (file == files.end()) return -1;
    const Bytes dds = image::gunzip(std::as_bytes(std::span(file->second))).value();
    return std::to_integer<int>(image::decode(dds).value().rgba[0]);
}

TEST(ModFromScene, TexturesOfItsOwnThatAreNotThereAreWritten) {
    const std::string library = "libraries/material_library.xml";
    const std::string diffuse = "assets/textures/My_Mod/paint_diff.gz", shine = "assets/Shine.gz";
    const Scene scene = boat_with_own_textures();
    const Made made = made_mod("buoy", "prop", {}, scene);
    EXPECT_THAT(made.files.at(library), HasSubstr("\\My_Mod\\paint_diff\""));
    EXPECT_THAT(made.files.at(library), HasSubstr("name=\"Smoothness\" value=\"0.5\""));
    EXPECT_NEAR(red_of(made.files, diffuse), 0x7f, 4);
    EXPECT_NEAR(red_of(made.files, shine), 126, 4) << "which the number halves";
    EXPECT_EQ(made.report.count(egosoft::codes::mod_texture_missing), 0u);
    // Where the library stays, too.
    EXPECT_TRUE(made_mod("buoy", "prop", {{library, made.files.at(library)}}, scene).files.contains(shine));
    for (const char* there : {"assets/Shine.gz", "assets/Shine.dds"})
        EXPECT_FALSE(made_mod("buoy", "prop", {{there, "mine"}}, scene).files.contains(shine)) << there;
}

TEST(ModFromScene, TexturesOfItsOwnThatAreDamagedAreNamed) {
    Scene scene = boat_with_own_textures();
    scene.images[1].bytes.resize(100);
    const Made made = made_mod("buoy", "prop", {}, scene);
    EXPECT_THAT(image_warning(made.report), HasSubstr("images[1]"));
    EXPECT_EQ(made.report.count(egosoft::codes::mod_texture_missing), 1u);
}

TEST(ModFromScene, NewTexturesLeaveThoseThatStay) {
    Scene scene = boat_with_own_textures();
    scene.meshes.push_back(scene.meshes[0]);
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].name = "my_mod.other";
    scene.materials[1].extras.json.clear();
    scene.materials[1].base_color = {0, 0, 0, 1};
    scene.meshes[1].primitives[0].material = 1;
    scene.nodes[add(scene, "Other", "")].mesh = 1;
    std::swap(scene.materials[0], scene.materials[1]);
    const Texts files = made_mod("buoy", "prop", {}, scene).files;
    EXPECT_NEAR(red_of(files, "assets/textures/My_Mod/paint_diff.gz"), 0x7f, 4);
    EXPECT_EQ(red_of(files, "assets/textures/my_mod/paint_2_diff.gz"), 0);
}

TEST(ModFromScene, TexturesThatNobodyHasAreNamed) {
    const std::string more = R"(,{"type":"BitMap","name":"dirt_map","value":"extensions\\my_mod\\assets\\dirt"},)"
                             R"({"type":"BitMap","name":"normal_map","value":"extensions\\other\\assets\\bumps"},)"
                             R"({"type":"BitMap","name":"color_glow_map","value":"extensions\\my_mod\\..\\glow"})";
    const Scene scene = boat_with_own_textures(more);
    const Made made = made_mod("buoy", "prop", {}, scene);
    ASSERT_EQ(made.report.count(egosoft::codes::mod_texture_missing), 1u);
    for (const Diagnostic& one : made.report.diagnostics()) {
        if (one.code != "mod-texture-missing") continue;
        EXPECT_EQ(one.found, "1: extensions\\my_mod\\assets\\dirt");
    }
    for (const auto& [name, text] : made.files) EXPECT_THAT(name, Not(HasSubstr("glow")));
    EXPECT_EQ(
        made_mod("buoy", "prop", {{"assets/dirt.gz", ""}}, scene).report.count(egosoft::codes::mod_texture_missing),
        0u);
}

TEST(ModFromScene, PicturesAreNewAlsoWhereThereAreMore) {
    Scene scene = painted_boat("P1_other.fx", "NONE", "");
    Material& paint = scene.materials[0];
    paint.emissive_texture.image = 0;
    paint.emissive = {1, 1, 1};
    add_picture(scene, std::byte{0x10});
    const std::string hashes = Pictures(scene).hashes(paint);
    paint.extras.json.back() = ',';
    paint.extras.json += "\"pictures\":\"" + hashes + "\"}";
    add_picture(scene, std::byte{0x20});
    add_picture(scene, std::byte{0x30});
    paint.base_color_texture.image = 1;
    const auto library = [&] { return made_mod("buoy", "prop", {}, scene).files.at("libraries/material_library.xml"); };
    EXPECT_THAT(library(), HasSubstr("assets\\hull_glow")) << "the same picture";
    paint.emissive_texture.image = 2;
    EXPECT_THAT(library(), Not(HasSubstr("assets\\hull_glow")));
}

TEST(ModFromScene, ShadersGoWithTransparency) {
    const auto library = [](const Scene& scene) {
        return made_mod("buoy", "prop", {}, scene).files.at("libraries/material_library.xml");
    };
    Scene scene = painted_boat("my_glass.fx", "ALPHA8_SINGLE", "");
    scene.materials[0].alpha_mode = AlphaMode::opaque;
    EXPECT_THAT(library(scene), HasSubstr("shader=\"P1_complex_surface.fx\" blendmode=\"NONE\""));
    scene.materials[0].alpha_mode = AlphaMode::blend;
    scene.materials[0].double_sided = true;
    EXPECT_THAT(library(scene), HasSubstr("shader=\"my_glass.fx\""));
    EXPECT_THAT(library(scene), HasSubstr("blendmode=\"ALPHA8\"")) << "single is what shows one side";
}

/// Mods are other people's files.
TEST(ModFromScene, IndexesLeadNowhereElse) {
    const std::map<std::string, bool> values{{R"(extensions\my_mod\..\evil\buoy)", false},
                                             {R"(extensions\my_mod\evil\buoy)", true},
                                             {R"(extensions\my_mod\\evil\buoy)", true},
                                             {R"(extensions\\my_mod\\\evil\\buoy)", true}};
    for (const auto& [value, is_here] : values) {
        const Texts old{{"index/components.xml",
                         R"(<diff><add sel="/index"><entry name="buoy" value=")" + value + R"(" /></add></diff>)"}};
        const Texts files = made_mod("buoy", "prop", old, boat()).files;
        EXPECT_EQ(files.contains("evil/buoy.xml"), is_here) << value;
        for (const auto& [name, text] : files) {
            EXPECT_THAT(name, Not(HasSubstr("..")));
            EXPECT_FALSE(name.starts_with("/")) << name;
        }
    }
}

TEST(ModFromScene, MaterialsCalledAsItsFolderAreTheModsOwn) {
    Scene scene = boat();
    scene.materials[0].name = "my-mod.hull";
    const std::string place = "assets/props/surfaceelements/buoy.xml", library = "libraries/material_library.xml";
    const Made made = made_mod("buoy", "prop", {}, scene);
    EXPECT_THAT(made.files.at(place), HasSubstr("\"my_mod.hull\""));
    ASSERT_TRUE(made.files.contains(library));
    EXPECT_THAT(made.files.at(library), HasSubstr("<material name=\"hull\""));
    EXPECT_EQ(made.report.count(egosoft::codes::mod_material_foreign), 0u);
    // Where the mod has such a collection, it is that.
    const Texts old{{library,
                     "<materiallibrary><collection name=\"my-mod\"><material name=\"hull\"/>"
                     "</collection></materiallibrary>"}};
    EXPECT_THAT(made_mod("buoy", "prop", old, scene).files.at(place), HasSubstr("\"my-mod.hull\""));
}

TEST(ModFromScene, MaterialsOfTheGameThatWereEditedAreTheModsOwn) {
    Scene scene = boat();
    scene.materials.resize(2);
    scene.materials[0].name = "arg_ships.hull";
    scene.materials[1].name = "my_mod.hull";
    for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = 0;
    const std::string place = "assets/props/surfaceelements/buoy.xml";
    const Made named = made_mod("buoy", {}, {}, scene);
    EXPECT_THAT(named.files.at(place), HasSubstr("\"arg_ships.hull\"")) << "only named";
    EXPECT_EQ(named.report.count(egosoft::codes::mod_material_foreign), 1u);
    scene.materials[0].extras.json = R"({"material_library":{"name":"hull"}})";
    const Made edited = made_mod("buoy", {}, {}, scene);
    EXPECT_THAT(edited.files.at(place), HasSubstr("\"my_mod.hull_0\""));
    EXPECT_THAT(edited.files.at("libraries/material_library.xml"), HasSubstr("<material name=\"hull_0\""));
    EXPECT_EQ(edited.report.count(egosoft::codes::mod_material_own), 1u);
    set_hashes(scene);
    leave_untouched(scene);
    EXPECT_THAT(made_mod("buoy", {}, {}, scene).files.at(place), HasSubstr("\"arg_ships.hull\"")) << "unedited";
}

TEST(ModFromScene, MaterialsOfItsOtherCollectionsAreChangedInPlace) {
    const std::string library = "libraries/material_library.xml", place = "assets/props/surfaceelements/buoy.xml";
    const std::string other = "<material name=\"glass\" shader=\"p1_glass.fx\" blendmode=\"NONE\" />";
    const Texts old{{library, "<diff>\n  <add sel=\"/materiallibrary\">\n    <collection name=\"arg_ships\">\n      " +
                                  other +
                                  "\n      <material name=\"Hull\" shader=\"p1_x.fx\" blendmode=\"NONE\" />\n"
                                  "    </collection>\n  </add>\n</diff>\n"}};
    Scene scene = boat();
    scene.materials[0].extras.json =
        R"({"material_library":{"collection":"arg_ships","name":"hull","shader":"p1_x.fx","blendmode":"NONE",)"
        R"("properties":[{"type":"Float","name":"dirtStr","value":"3"}]}})";
    const Made made = made_mod("buoy", "prop", old, scene);
    EXPECT_THAT(made.files.at(place), HasSubstr("\"arg_ships.hull\""));
    const std::string& text = made.files.at(library);
    EXPECT_THAT(text, HasSubstr("<material name=\"hull\" shader=\"p1_x.fx\""));
    EXPECT_THAT(text, HasSubstr("name=\"dirtStr\" value=\"3\""));
    EXPECT_THAT(text, HasSubstr(other));
    EXPECT_THAT(text, Not(HasSubstr("\"Hull\"")));
    EXPECT_THAT(text, Not(HasSubstr("collection name=\"my_mod\"")));
    EXPECT_EQ(made.report.count(egosoft::codes::mod_material_own), 0u);
    EXPECT_EQ(made.report.count(egosoft::codes::mod_material_foreign), 0u);
    // A copy that was edited leaves the entry of what it was copied from.
    scene.materials[0].name = "arg_ships.hull.001";
    const Made copied = made_mod("buoy", "prop", old, scene);
    EXPECT_THAT(copied.files.at(place), HasSubstr("\"my_mod.hull\""));
    EXPECT_THAT(copied.files.at(library), HasSubstr("\"Hull\""));
    EXPECT_EQ(copied.report.count(egosoft::codes::mod_material_own), 1u);
    // What nobody has edited stays.
    scene.materials[0].name = "arg_ships.hull";
    set_hashes(scene);
    leave_untouched(scene);
    EXPECT_FALSE(made_mod("buoy", "prop", old, scene).files.contains(library));
}

TEST(ModFromScene, AddsToListsThatAreAlwaysThere) {
    const std::string other = "if=\"/index/entry[@name='dlc']\"";
    const std::string foreign =
        "<add sel=\"/wares/ware[@id='energycells']/production/primary\">\n    <ware ware=\"ore\" amount=\"1\" />\n  "
        "</add>";
    const Texts old{
        {"index/components.xml", "<diff>\n  <add sel=\"/index\" " + other + ">\n  </add>\n</diff>\n"},
        {"libraries/wares.xml", "<diff>\n  " + foreign + "\n</diff>\n"},
        {"libraries/material_library.xml", "<diff>\n  <add sel=\"/materiallibrary\" " + other +
                                               ">\n    <collection name=\"my_mod\" />\n  </add>\n</diff>\n"},
        {"t/0001-l044.xml",
         "<diff>\n  <add sel=\"/language\">\n    <page id=\"7\"><t id=\"1\">x</t></page>\n"
         "  </add>\n</diff>\n"}};
    Scene scene = boat();
    scene.materials.resize(1);
    scene.materials[0].name = "paint";
    for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = 0;
    egosoft::ModOptions options;
    options.stubs = true;
    const Texts files = made_mod("ship_boat", "ship_s", old, scene, options).files;
    EXPECT_THAT(files.at("index/components.xml"),
                HasSubstr(other + ">\n  </add>\n  <add sel=\"/index\">\n    <entry name=\"ship_boat\""));
    EXPECT_THAT(files.at("libraries/wares.xml"),
                HasSubstr(foreign + "\n  <add sel=\"/wares\">\n    <ware id=\"ship_boat\""));
    EXPECT_THAT(files.at("libraries/material_library.xml"),
                HasSubstr("<collection name=\"my_mod\" />\n  </add>\n  <add sel=\"/materiallibrary\">\n"
                          "    <collection name=\"my_mod\">\n      <material name=\"paint\""));
    const std::string& texts = files.at("t/0001-l044.xml");
    const std::string page = texts.substr(texts.rfind("<page id=\"") + 10, 8);
    EXPECT_THAT(texts, HasSubstr("<page id=\"7\"><t id=\"1\">x</t></page>\n    <page id=\"" + page));
    EXPECT_THAT(files.at("assets/units/size_s/macros/ship_boat_macro.xml"), HasSubstr("{" + page + ",101}"));
    EXPECT_THAT(texts, HasSubstr("<t id=\"101\">"));
}

/// A second time, there are two collections of the name, of which one has a condition.
TEST(ModFromScene, FindsMaterialsInAllCollectionsOfTheName) {
    const std::string path = "libraries/material_library.xml";
    const Texts old{{path,
                     "<diff>\n  <add sel=\"/materiallibrary\" if=\"/x[@a='b']\">\n"
                     "    <collection name=\"my_mod\" />\n  </add>\n</diff>\n"}};
    Scene scene = boat();
    scene.materials.resize(1);
    scene.materials[0].name = "paint";
    for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = 0;
    const std::string once = made_mod("buoy", "destructible", old, scene).files.at(path);
    EXPECT_EQ(made_mod("buoy", "destructible", {{path, once}}, scene).files.at(path), once);
    scene.materials[0].name = "metal";
    const std::string twice = made_mod("buoy", "destructible", {{path, once}}, scene).files.at(path);
    EXPECT_EQ(twice.find("<collection", twice.find("paint")), std::string::npos) << "no third collection";
    EXPECT_THAT(twice, HasSubstr("<material name=\"metal\""));
}

TEST(ModFromScene, LeavesMacrosThatStandInOtherFiles) {
    const std::string entry =
        "<entry name=\"Ship_Boat_macro\" value=\"extensions\\my_mod\\assets\\units\\size_s\\macros\" />";
    const std::string path = "assets/units/size_s/macros.xml";
    const Texts index{{"index/macros.xml", "<index>\n  " + entry + "\n</index>\n"}};
    Texts old = index;
    old[path] = "<macros><macro name=\"ship_boat_macro\" class=\"ship_s\" /></macros>";
    const std::string own = "assets/units/size_s/macros/ship_boat_macro.xml";
    const Made made = made_mod("ship_boat", "ship_s", old);
    EXPECT_FALSE(made.files.contains(own));
    EXPECT_FALSE(made.files.contains(path));
    EXPECT_FALSE(made.files.contains("assets/units/size_s/macros/storage_ship_boat_macro.xml"));
    EXPECT_THAT(made.files.at("index/macros.xml"), HasSubstr(entry));
    EXPECT_THAT(made.files.at("index/macros.xml"), Not(HasSubstr("storage")));
    EXPECT_EQ(made_mod("ship_boat", "engine", old).report.count(egosoft::codes::mod_macro_stub), 0u);
    old[path] = "<macros><macro name=\"other\" class=\"ship_s\" /></macros>";
    for (const Texts& there : {old, index}) {
        const Texts files = made_mod("ship_boat", "ship_s", there).files;
        EXPECT_TRUE(files.contains(own));
        EXPECT_THAT(files.at("index/macros.xml"), Not(HasSubstr(entry)));
    }
}

/// A macro that is there says what its storage is.
TEST(ModFromScene, ShipsWithAMacroGetNoStorage) {
    const std::string place = "assets/units/size_s/macros/", storage = place + "storage_ship_boat_macro.xml";
    Texts files = made_mod("ship_boat", "ship_s").files;
    ASSERT_TRUE(files.contains(storage));
    const std::string index = files.at("index/macros.xml");
    EXPECT_EQ(made_mod("ship_boat", "ship_s", files).files.at("index/macros.xml"), index) << "one that is there stays";
    const std::string macro = files.at(place + "ship_boat_macro.xml");
    const Texts made = made_mod("ship_boat", "ship_s", {{place + "ship_boat_macro.xml", macro}}).files;
    EXPECT_FALSE(made.contains(storage));
    EXPECT_THAT(made.at("index/macros.xml"), HasSubstr("\"ship_boat_macro\""));
    EXPECT_THAT(made.at("index/macros.xml"), Not(HasSubstr("storage")));
}

TEST(ModFromScene, OfXRebirthHasNothingThatOnlyX4Has) {
    egosoft::ModOptions options;
    options.scene.target = egosoft::Target::x_rebirth;
    const Made made = made_mod("boat", "ship_s", {}, boat(), options);
    EXPECT_THAT(made.files.at("assets/units/size_s/boat.xml"), Not(HasSubstr("con_cockpit")));
    EXPECT_THAT(made.files.at("assets/units/size_s/macros/boat_macro.xml"), Not(HasSubstr("<connections>")));
    EXPECT_FALSE(made.files.contains("assets/units/size_s/macros/storage_boat_macro.xml"));
}

std::string attributes_of(const std::string& xml, const std::string& name) {
    const std::size_t at = xml.find("name=\"" + name + "\""), end = xml.find("</connection>", at);
    return at == std::string::npos ? std::string() : xml.substr(at, end - at);
}

TEST(ModFromScene, MirrorsConnections) {
    Scene scene = boat();
    scene.nodes.clear();
    const Index root = add(scene, "boat", {}), hull = add(scene, "hull", {}, {}, root),
                wing = add(scene, "wing_left", {}, {3, 0, 0}, root);
    scene.nodes[hull].mesh = scene.nodes[wing].mesh = 0;
    scene.nodes[add(scene, "wing_right", {}, {-3, 0, 0}, root)].mesh = 0;
    const Index gun =
        add(scene, "con_gun_01", R"({"tags":"weapon small symmetry_left","group":"group_left"})", {2, 1, 4}, root);
    scene.nodes[gun].local.rotation = {0, 0.6f, 0, 0.8f};
    add(scene, "con_engine_left", R"({"tags":"engine"})", {1, 0, -4}, wing);
    add(scene, "con_dock", R"({"tags":"dock_xs"})", {0.001f, 2, 0}, root);
    add(scene, "con_pilot", R"({"tags":"npc pilot"})", {0.5f, 1, 0}, root);
    add(scene, "con_shield_01", R"({"tags":"shield"})", {1, 1, 0}, root);
    add(scene, "con_shield_02", R"({"tags":"shield"})", {-1, 1, 0.001f}, root);
    scene.lights.emplace_back().kind = LightKind::spot;
    scene.nodes[add(scene, "lamp_l", {}, {1, 0, 5}, root)].light = 0;
    const std::string place = "assets/props/surfaceelements/boat.xml";
    const std::string plain = made_mod("boat", {}, {}, scene).files.at(place);
    egosoft::ModOptions options;
    options.scene.mirror_axis = 0;
    const Made made = made_mod("boat", {}, {}, scene, options);
    const std::string xml = made.files.at(place);
    EXPECT_EQ(attributes_of(plain, "con_gun_02"), "");
    const std::string image = attributes_of(xml, "con_gun_02");
    EXPECT_THAT(image, HasSubstr("tags=\"weapon small symmetry_right\" group=\"group_right\""));
    EXPECT_THAT(image, HasSubstr("<position x=\"2\" y=\"1\" z=\"4\" />")) << "the file's x is the other way round";
    EXPECT_THAT(image, HasSubstr("<quaternion qx=\"0\" qy=\"0.6\" qz=\"0\""));
    const std::string engine = attributes_of(xml, "con_engine_right");
    EXPECT_THAT(engine, HasSubstr("parent=\"wing_right\""));
    EXPECT_THAT(engine, HasSubstr("<position x=\"1\" y=\"0\" z=\"-4\" />"));
    EXPECT_THAT(xml, HasSubstr("<spot name=\"lamp_r\""));
    EXPECT_THAT(xml, HasSubstr("angle=\"90\"")) << "X4's spots have one angle";
    EXPECT_THAT(xml, Not(HasSubstr("falloff=")));
    const auto count = [](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find("<connection ", at)) != std::string::npos; ++at) ++found;
        return found;
    };
    EXPECT_EQ(count(xml), count(plain) + 2) << "neither what lies in the middle, nor pilots, nor what has its image";
    EXPECT_EQ(made.report.count(egosoft::codes::connections_mirrored), 1u);
    options.scene.mirror_axis = 1;
    EXPECT_THAT(attributes_of(made_mod("boat", {}, {}, scene, options).files.at(place), "con_gun_02"),
                HasSubstr("<position x=\"-2\" y=\"-1\" z=\"4\" />"));
}

TEST(ModFromScene, ExtendsAModThatIsThere) {
    Texts mod = made_mod("buoy", "destructible").files;
    mod["content.xml"] = "<content id=\"mine\" />";
    mod["index/components.xml"] =
        "<?xml version=\"1.0\"?>\r\n<!-- mine </add> -->\r\n<diff>\r\n\t<add sel='/index'>\r\n"
        "\t\t<entry name=\"old\" value=\"a>b\"/> <!-- kept -->\r\n"
        "\t\t<entry   name=\"BUOY\" value=\"extensions\\my_mod\\assets\\my_place\\buoy\"/>\r\n\t</add>\r\n</diff>\r\n";
    const Made buoy = made_mod("buoy", "destructible", mod);
    EXPECT_FALSE(buoy.files.contains("content.xml"));
    EXPECT_TRUE(buoy.files.contains("assets/my_place/buoy.xml")) << "where the mod has it";
    EXPECT_EQ(buoy.files.at("index/components.xml"), mod["index/components.xml"]) << "nothing to say";
    const Made mast = made_mod("mast", "destructible", mod);
    std::string wanted = mod["index/components.xml"];
    wanted.insert(wanted.find("\t</add>\r\n</diff>"),
                  "\t\t<entry name=\"mast\" value=\"extensions\\my_mod\\assets\\props\\surfaceelements\\mast\" />\r\n");
    EXPECT_EQ(mast.files.at("index/components.xml"), wanted);
    EXPECT_FALSE(mast.files.contains("content.xml"));
    mod["assets/props/surfaceelements/macros/mast_macro.xml"] = "<macros />";
    EXPECT_FALSE(
        made_mod("mast", "destructible", mod).files.contains("assets/props/surfaceelements/macros/mast_macro.xml"))
        << "macros are the modder's";
}

TEST(ModFromScene, ReplacesEntriesThatLeadElsewhere) {
    Texts mod;
    mod["index/macros.xml"] =
        "<index>\n <entry name=\"a\" value=\"b\"/>\n <entry name='buoy_macro' value='x'/>\n</index>";
    const Made made = made_mod("buoy", "destructible", mod);
    EXPECT_EQ(made.files.at("index/macros.xml"),
              "<index>\n <entry name=\"a\" value=\"b\"/>\n <entry name=\"buoy_macro\" "
              "value=\"extensions\\my_mod\\assets\\props\\surfaceelements\\macros\\buoy_macro\" />\n</index>");
}

TEST(ModFromScene, StopsAtListsThatAreNone) {
    for (const std::string& broken : {std::string("<diff><add"), std::string("\xff\xfe<\0d\0/\0>\0", 8)}) {
        egosoft::ModOptions options;
        options.folder = "my_mod";
        options.scene.name = "buoy";
        options.old_file = [&](const std::string& path) {
            return path == "index/components.xml" ? std::optional(broken) : std::nullopt;
        };
        const auto made = egosoft::mod_from_scene(boat(), options);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().file, "index/components.xml");
    }
}

std::string appended(const std::string& text) {
    auto xml = egosoft::mod::XmlText::open(text, {});
    EXPECT_TRUE(xml);
    EXPECT_TRUE(xml && xml->append(xml->root(), "<new>\n  <in />\n</new>"));
    return xml ? xml->text() : std::string();
}

TEST(XmlText, GetsNewElementsOnLinesOfTheirOwn) {
    EXPECT_EQ(appended("<a/>"), "<a>\n  <new>\n    <in />\n  </new>\n</a>");
    EXPECT_EQ(appended("<a />\n"), "<a>\n  <new>\n    <in />\n  </new>\n</a>\n");
    EXPECT_EQ(appended("<a></a>"), "<a>\n  <new>\n    <in />\n  </new>\n</a>");
    EXPECT_EQ(appended("<a><b/></a>"), "<a><b/>\n  <new>\n    <in />\n  </new>\n</a>");
    EXPECT_EQ(appended("<a>\r\n\t<b x=\"</a>\"/>\r\n</a>"),
              "<a>\r\n\t<b x=\"</a>\"/>\r\n\t<new>\r\n\t  <in />\r\n\t</new>\r\n</a>");
    EXPECT_EQ(appended("<a>\n  <b/>\n  <!-- </a> -->\n</a>"),
              "<a>\n  <b/>\n  <!-- </a> -->\n  <new>\n    <in />\n  </new>\n</a>");
}

/// Elements in the order of the document.
pugi::xml_node element(pugi::xml_node root, std::size_t number) {
    return root.parent().find_node(
        [&](pugi::xml_node node) { return node.type() == pugi::node_element && number-- == 0; });
}

std::size_t count_elements(pugi::xml_node root) {
    std::size_t count = 0;
    while (element(root, count)) ++count;
    return count;
}

TEST(XmlText, ChangesLikeTextThatIsReadAnewEachTime) {
    std::mt19937 random(7);
    const std::vector<std::string> texts{"<a/>", "<a><b/><c><d/></c></a>", "<a>\r\n\t<b>\r\n\t\t<c/></b>\r\n</a>\r\n",
                                         "<!-- x --><a>\n  <b> text </b>\n  <c e='>'/>\n</a>\n"};
    for (int round = 0; round < 200; ++round) {
        const std::string& start = texts[static_cast<std::size_t>(round) % texts.size()];
        auto once = egosoft::mod::XmlText::open(start, {});
        ASSERT_TRUE(once);
        std::string anew = start;
        for (int step = 0; step < 12; ++step) {
            auto read = egosoft::mod::XmlText::open(anew, {});
            ASSERT_TRUE(read) << anew;
            const std::size_t count = count_elements(read->root());
            ASSERT_EQ(count, count_elements(once->root())) << anew;
            const std::size_t number = random() % count;
            const std::string added = "<n" + std::to_string(step) + ">\n  <in />\n</n" + std::to_string(step) + ">";
            if (random() % 4 == 0) {
                ASSERT_TRUE(read->replace(element(read->root(), number), added));
                ASSERT_TRUE(once->replace(element(once->root(), number), added));
            } else {
                ASSERT_TRUE(read->append(element(read->root(), number), added));
                ASSERT_TRUE(once->append(element(once->root(), number), added));
            }
            anew = read->text();
            ASSERT_EQ(once->text(), anew) << "round " << round << ", step " << step;
        }
    }
}

TEST(XmlText, RefusesWhatIsNoElement) {
    auto xml = egosoft::mod::XmlText::open("<a><b/></a>", {});
    ASSERT_TRUE(xml);
    EXPECT_FALSE(xml->append(xml->root(), "<b"));
    EXPECT_FALSE(xml->replace(xml->root().first_child(), "b"));
    EXPECT_EQ(xml->text(), "<a><b/></a>");
}

TEST(XmlText, KnowsWhereElementsEnd) {
    const std::string text = R"(<a><b c="/>"/><!-- </a> --><![CDATA[</a>]]><a></a></a><d/>)";
    EXPECT_EQ(egosoft::end_of_element(text, 0), text.size() - 4);
    EXPECT_EQ(egosoft::end_of_element(text, 3), text.find("<!--"));
}

}  // namespace
}  // namespace effigy::test
