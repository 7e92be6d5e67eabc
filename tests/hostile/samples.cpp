/// The fixtures of every family as files to be damaged.

#include "hostile/samples.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "effigy/xac.hpp"

#include "arp/raw_arp.hpp"
#include "arp/raw_zip.hpp"
#include "contents.hpp"
#include "egosoft/raw_ani.hpp"
#include "egosoft/raw_xmf.hpp"
#include "emfx/fixtures.hpp"
#include "gltf_read/rich_asset.hpp"
#include "x42/raw_x42.hpp"

namespace effigy::harness {
namespace {

Document sound(const Bytes& bytes) { return std::move(open_bytes(bytes, "sound")->value); }

/// The figure's nodes: motions of joints play as well on it as on the whole, in less time.
Bytes skeleton() {
    xac::File file = std::move(xac::read(test::whole_actor(false))->value);
    std::erase_if(file.chunks, [](const auto& chunk) {
        return std::holds_alternative<xac::Mesh>(chunk.record) || std::holds_alternative<xac::Skinning>(chunk.record) ||
               std::holds_alternative<xac::MaterialInfo>(chunk.record) ||
               std::holds_alternative<xac::StandardMaterial>(chunk.record) ||
               std::holds_alternative<xac::MorphTargets>(chunk.record);
    });
    return xac::write(file).value();
}

Document model_document(const Document& motion) {
    static const Bytes whole = test::whole_actor(false), bare = skeleton();
    return sound(motion.format().id == "xsm" ? bare : whole);
}

std::vector<Document> model_of_motion(const Document& motion) {
    std::vector<Document> model;
    if (motion.format().role == Role::motion) model.push_back(model_document(motion));
    return model;
}

/// Checks only look at it, so that one does for all of a kind.
const Document* checked_model(const Document& motion) {
    if (motion.format().role != Role::motion) return nullptr;
    static std::map<std::string_view, Document> models;
    auto found = models.find(motion.format().id);
    if (found == models.end()) found = models.emplace(motion.format().id, model_document(motion)).first;
    return &found->second;
}

Sample text_sample(std::string name, std::string_view format, std::string_view text) {
    Sample sample{std::move(name), demands_of(format), test::bytes_of_text(text)};
    sample.dump_every = sample.scene_every = 4;
    return sample;
}

}  // namespace

std::vector<Sample> emfx_samples() {
    std::vector<Sample> samples;
    for (const test::Fixture& fixture : test::all_fixtures()) {
        for (const bool big : {false, true}) {
            Sample sample{fixture.name + (big ? "_big" : ""), {}, fixture.bytes(big)};
            const auto magic = std::to_integer<char>(sample.bytes[2]);
            sample.demands = demands_of(magic == 'C'                                    ? "xac"
                                        : std::to_integer<char>(sample.bytes[1]) == 'S' ? "xsm"
                                                                                        : "xpm");
            sample.dense = sample.bytes.size();
            sample.demands.model = model_of_motion;
            sample.demands.check_model = checked_model;
            sample.wrong_scenes = sample.wrongs.size();
            sample.readable_from = 8;
            samples.push_back(std::move(sample));
        }
    }
    return samples;
}

std::vector<Sample> egosoft_samples() {
    constexpr std::array<std::string_view, 9> small{"Quad",       "Collision",    "MultiStream",
                                                    "EveryType",  "Descriptor47", "Header40",
                                                    "Material20", "Uncompressed", "Sections"};
    std::vector<Sample> samples;
    const auto add_mesh = [&](const test::XmfFixture& fixture) {
        Sample sample{fixture.name, demands_of("xmf"), fixture.bytes(fixture.name == "EveryType")};
        sample.dense = sample.bytes.size();
        sample.wrongs.push_back({0x80});
        sample.scene_every = 15;  // odd: another byte of a number each time
        samples.push_back(std::move(sample));
    };
    for (const test::XmfFixture& fixture : test::sound_meshes()) {
        if (std::ranges::find(small, fixture.name) != small.end()) add_mesh(fixture);
    }
    for (const test::LyingFixture& lying : test::lying_meshes()) {
        if (lying.fixture.name != "Bomb") add_mesh(lying.fixture);
    }
    for (const test::AniFixture& fixture : test::all_animations()) {
        Sample sample{"Ani" + fixture.name, demands_of("ani"), test::write_raw(fixture.file)};
        sample.dense = sample.bytes.size();
        sample.wrongs.push_back({0x80});
        sample.scene_every = 15;  // odd: another byte of a number each time
        samples.push_back(std::move(sample));
    }
    samples.push_back(text_sample("Component", "component", R"(<?xml version="1.0"?><components>
<component name="ship" class="ship_s"><source geometry="a\b"/><connections><connection name="c" tags="part">
<offset><position x="1" y="2" z="3"/><quaternion qx="0" qy="0" qz="0" qw="1"/></offset>
<parts><part name="p"><lods><lod index="0"/></lods></part></parts></connection></connections></component></components>)"));
    samples.push_back(text_sample("MaterialLibrary", "material-library",
                                  R"(<materiallibrary><collection name="a"><material name="b" shader="s"><properties>
<property type="Float" name="p" value="1"/></properties></material></collection></materiallibrary>)"));
    samples.push_back(text_sample("Index", "index", R"(<index><entry name="a" value="b\c"/></index>)"));
    samples.push_back(text_sample("Catalog", "cat",
                                  "assets/a b.xmf 12 1500000000 0123456789abcdef0123456789abcdef\n"
                                  "md/c.xml 3 1500000000 00000000000000000000000000000000\n"));
    return samples;
}

std::vector<Sample> x42_samples() {
    constexpr std::array<std::string_view, 5> small{"Empty", "EmptyWithStrings", "Weights", "MorphsSmall6",
                                                    "MorphsWide12"};
    std::vector<test::x42::Fixture> fixtures;
    for (const test::x42::Fixture& fixture : test::x42::all_fixtures()) {
        if (std::ranges::find(small, fixture.name) != small.end()) fixtures.push_back(fixture);
    }
    fixtures.push_back({"UniformBig", test::x42::figure(0x10f, true)});
    fixtures.push_back({"PositionsOnly", test::x42::figure(0)});
    std::vector<Sample> samples;
    for (const test::x42::Fixture& fixture : fixtures) {
        Sample sample{"X42" + fixture.name, demands_of("x42"), test::x42::make(fixture.description)};
        sample.dense = 192;                           // the headers; sections hold many alike
        sample.dump_every = sample.scene_every = 15;  // odd: another byte of a number each time
        const bool is_version_5 = fixture.description.version == 101;
        if (is_version_5) sample.readable_from = 160;
        // Checks of candidates for version 6 have tables of fixed size.
        if (!is_version_5) sample.slack = 512 * 1024;
        samples.push_back(std::move(sample));
    }
    samples.push_back(text_sample("AnimationConfig", "animation-cfg",
                                  "// a comment\n\nBOTH_DEATH1\t0 31 0 25\r\nLEGS_RUN 100 -12 12 18.5 // fast\n"));
    samples.push_back(text_sample("Skin", "skin", "h_head,models/players/x/head.tga\nbody,nodraw\r\n// none\n"));
    return samples;
}

std::vector<Sample> arp_samples() {
    std::vector<Sample> samples;
    for (const test::arp::Fixture& fixture : test::arp::all_fixtures()) {
        Sample sample{"Arp" + fixture.name, demands_of("jarp"), test::arp::make(fixture.description)};
        sample.wrongs = {{0xff}, {1, true}, {0xff, true}};
        sample.dense = sample.bytes.size();
        sample.dump_every = 7;
        sample.scene_every = 21;
        samples.push_back(std::move(sample));
    }
    const Bytes avatar = test::arp::make(test::arp::small_figure());
    Sample jar{"Jar", demands_of("jar"),
               test::raw_zip({test::deflated("pia/avatardef.jarp", test::text_from(avatar)),
                              test::stored("pia/face.png", "what is this")})};
    jar.dump_every = jar.scene_every = 7;
    samples.push_back(std::move(jar));
    samples.push_back(text_sample("CasXml", "cas", R"(<?xml version="1.0"?><CAS version="2.1" avatar="pia">
<frames count="1" signCount="1"><signStart index="0" gloss="HELLO"/><frame index="0" time="0" duration="40">
<morph name="aaa" amount="0.5"/><limbRotation/></frame></frames></CAS>)"));
    samples.push_back(text_sample("CasJson", "cas", R"({"signIndex": 0, "gloss": "HELLO \"}", "baseFrameIndex": 0,
"frames": [{"time": 0, "duration": 40, "morphs": [{"id4cc": "aaa", "amount": 0.5}],
"bones": [{"id4cc": "ROOT", "trans": [0, 1.5, -2], "rot": [0, 0, 0.6, 0.8]}]}]}{})"));
    return samples;
}

std::vector<Sample> gltf_samples() {
    std::vector<Sample> samples;
    const gltf_test::AssetBuilder asset = gltf_test::rich_asset();
    for (const auto& [name, format, text] :
         {std::tuple("Glb", "glb", asset.glb()), std::tuple("Gltf", "gltf", asset.gltf())}) {
        Sample sample{name, demands_of(format), test::bytes_of_text(text)};
        sample.dump_every = 15;
        if (sample.demands.format == "glb") {
            sample.wrongs = {{0xff}, {1, true}, {0xff, true}, {8, true}, {0}, {0x80, true}};
            sample.wrong_scenes = 4;
            sample.dense = sample.bytes.size();
            sample.min_scenes = sample.bytes.size() / 10 + 1;
            sample.readable_from = 4;
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace effigy::harness
