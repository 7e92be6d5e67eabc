/// Records in extras that lie, and damage in files that were written: a result or a diagnostic, never a crash.

#include <functional>

#include "core/json.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/from_scene_files.hpp"
#include "egosoft/raw_ani.hpp"
#include "egosoft/raw_xmf.hpp"

namespace {

using namespace effigy;
using namespace builders;

Scene mesh_scene() {
    egosoft::SceneInput input;
    input.meshes.push_back(mesh("part_main-lod0", xmf::read(write_raw(effigy::test::quad(false)))->value));
    Scene scene = convert(std::move(input)).value;
    leave_untouched(scene);
    return scene;
}

Scene motion_scene() {
    egosoft::SceneInput input;
    input.animations.push_back(motion(ani::read(write_raw(effigy::test::landing_gear()))->value));
    Scene scene = convert(std::move(input)).value;
    leave_untouched(scene);
    return scene;
}

/// Whatever is made can be written, and is without errors.
void expect_harmless(const Scene& scene) {
    egosoft::FromSceneOptions options;
    options.limits.memory = std::uint64_t{64} << 20;
    if (const auto made = egosoft::mesh_from_scene(scene, options)) {
        EXPECT_FALSE(egosoft::check_mesh(made->value, false).has_errors());
        const auto written = xmf::write(made->value);
        EXPECT_TRUE(written) << to_string(written.error());
    }
    if (const auto made = egosoft::animation_from_scene(scene, options)) {
        EXPECT_FALSE(ani::check(made->value).has_errors());
        EXPECT_TRUE(ani::write(made->value));
    }
}

using TextOf = std::function<std::string&(Scene&)>;

/// Letters of the text become others.
void damage_letters(Scene whole, const TextOf& text_of, std::size_t most) {
    const std::size_t size = text_of(whole).size();
    const std::size_t step = std::max<std::size_t>(size / most, 1);
    for (std::size_t i = 0; i < size; i += step) {
        for (const char letter : {'0', '9', '-', '"', 'z'}) {
            Scene scene = whole;
            text_of(scene)[i] = letter;
            expect_harmless(scene);
            if (testing::Test::HasFailure()) FAIL() << "letter " << i << " is " << letter;
        }
    }
}

/// Calls `visit` with each value of the tree.
void for_each_value(Json& json, const std::function<void(Json&)>& visit) {
    if (json.is_structured()) {
        std::size_t number = 0;
        for (auto& member : json) {
            if (++number <= 20) for_each_value(member, visit);
        }
    }
    visit(json);
}

/// Each value of the record in turn becomes something else.
void replace_values(const Scene& whole, const TextOf& text_of) {
    Scene copy = whole;
    const Json record = parse_json(text_of(copy)).value();
    Json many = Json::array();
    for (int i = 0; i < 500; ++i) many.push_back(Json::object());
    const std::vector<Json> others{nullptr,
                                   -1,
                                   0xffffffffu,
                                   1e300,
                                   INT64_MAX,
                                   UINT64_MAX,
                                   "text",
                                   "AAAA",
                                   "\xc3\xa9=",
                                   Json::array(),
                                   Json::object(),
                                   true,
                                   Json{{"bits", "0x7fc00001"}},
                                   many};
    std::size_t count = 0;
    Json counted = record;
    for_each_value(counted, [&](Json&) { ++count; });
    for (std::size_t at = 0; at < count; ++at) {
        // A third of them for each value, another one for its neighbours.
        for (std::size_t which = at % 3; which < others.size(); which += 3) {
            const Json& other = others[which];
            Json changed = record;
            std::size_t number = 0;
            for_each_value(changed, [&](Json& value) {
                if (number++ == at) value = other;
            });
            text_of(copy) = to_text(changed);
            expect_harmless(copy);
            if (testing::Test::HasFailure()) FAIL() << "value " << at << " is " << to_text(other).substr(0, 100);
        }
    }
}

TEST(EgosoftHostileExtras, OfMeshes) {
    const TextOf text = [](Scene& scene) -> std::string& { return scene.meshes[0].extras.json; };
    damage_letters(mesh_scene(), text, 150);
    replace_values(mesh_scene(), text);
}

TEST(EgosoftHostileExtras, OfMeshesThatWereEdited) {
    Scene scene = mesh_scene();
    scene.meshes[0].extras.hash = 0;
    replace_values(scene, [](Scene& one) -> std::string& { return one.meshes[0].extras.json; });
}

TEST(EgosoftHostileExtras, OfClipsAndAssets) {
    const TextOf clip = [](Scene& scene) -> std::string& { return scene.clips[0].extras.json; };
    const TextOf asset = [](Scene& scene) -> std::string& { return scene.asset_extras.json; };
    damage_letters(motion_scene(), clip, 100);
    damage_letters(motion_scene(), asset, 100);
    replace_values(motion_scene(), clip);
    replace_values(motion_scene(), asset);
}

TEST(EgosoftHostileExtras, CountlessBuffersAreRefusedAtOnce) {
    Scene scene = mesh_scene();
    Json json = parse_json(scene.meshes[0].extras.json).value();
    json["buffers"] = Json::array();
    for (int i = 0; i < 100000; ++i) json["buffers"].push_back(nullptr);
    scene.meshes[0].extras.json = to_text(json);
    egosoft::FromSceneOptions options;
    const auto made = egosoft::mesh_from_scene(scene, options);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->value.buffers.size(), 2u);
}

TEST(EgosoftHostileExtras, LayoutsOfManyBuffersAreLimited) {
    Scene scene = mesh_scene();
    Json json = parse_json(scene.meshes[0].extras.json).value();
    const Json one = json["buffers"][0];
    while (json["buffers"].size() < 255) json["buffers"].push_back(one);
    scene.meshes[0].extras.json = to_text(json);
    scene.meshes[0].extras.hash = 0;
    egosoft::FromSceneOptions options;
    options.limits.memory = std::uint64_t{8} << 20;
    Mesh& mesh = scene.meshes[0];
    mesh.vertex_count *= 1000;
    for (Attribute& attribute : mesh.attributes) {
        const auto once = attribute.data.bytes;
        for (int i = 1; i < 1000; ++i)
            attribute.data.bytes.insert(attribute.data.bytes.end(), once.begin(), once.end());
    }
    const auto made = egosoft::mesh_from_scene(scene, options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit-memory");
}

TEST(EgosoftHostileExtras, MemoryIsLimited) {
    egosoft::FromSceneOptions options;
    options.limits.memory = 1000;
    const auto mesh = egosoft::mesh_from_scene(mesh_scene(), options);
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().code, "limit-memory");
    EXPECT_NE(mesh.error().message.find("--limit-memory"), std::string::npos) << mesh.error().message;
}

TEST(EgosoftWrittenFiles, DamageIsReadAsSafelyAsInOthers) {
    Scene scene = mesh_scene();
    forget_extras(scene);
    const Bytes bytes = xmf::write(made_mesh(scene).value).value();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const unsigned value : {0x00u, 0x80u, 0xffu}) {
            Bytes damaged = bytes;
            damaged[at] = static_cast<std::byte>(value);
            ReadOptions options;
            options.limits.memory = std::uint64_t{1} << 20;
            const auto read = egosoft::XmfFormat::read(ByteSource(damaged), options);
            if (!read) continue;
            EXPECT_EQ(xmf::write(read->value).value(), damaged) << at;
            (void)egosoft::check_mesh(read->value, false);
        }
        const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
        if (const auto read = xmf::read(part)) {
            EXPECT_EQ(xmf::write(read->value).value(), part) << at;
        }
    }
}

}  // namespace
