// The way back of avatars: what became a scene and was not touched becomes the same avatar.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iostream>

#include "effigy/arp_bind.hpp"
#include "effigy/arp_codes.hpp"
#include "effigy/arp_scene.hpp"
#include "effigy/image.hpp"
#include "effigy/scene_access.hpp"

#include "arp/file/arp_format.hpp"
#include "arp/file/layout_elements.hpp"
#include "avatars.hpp"
#include "core/json.hpp"
#include "puppet.hpp"
#include "raw_arp.hpp"
#include "scene/records.hpp"

namespace effigy::test::arp {
namespace {

using effigy::arp::File;
using effigy::arp::NativeFiles;

Scene scene_of(const File& file, std::vector<std::pair<std::string, Bytes>> companions = {}) {
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, file, std::move(companions)});
    auto scene = effigy::arp::to_scene(std::move(input));
    EXPECT_TRUE(scene) << to_string(scene.error());
    if (!scene) return {};
    return std::move(scene->value);
}

Loaded<NativeFiles> back(const Scene& scene) {
    auto files = effigy::arp::from_scene(scene);
    EXPECT_TRUE(files) << to_string(files.error());
    return files ? std::move(*files) : Loaded<NativeFiles>{};
}

/// The first place where two files differ, or nothing.
std::string difference(const Bytes& a, const Bytes& b) {
    if (a == b) return {};
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return "at byte " + std::to_string(left - a.begin()) + " of " + std::to_string(a.size()) + " and " +
           std::to_string(b.size());
}

/// How far apart two files' numbers are.
struct Apart {
    double offsets = 0, normals = 0, weights = 0, texcoords = 0, morphs = 0, morph_normals = 0, ambient = 0;
    bool same_structure = true;
};

double apart(const Vec3& a, const Vec3& b) {
    return std::max({std::abs(double{a.x} - b.x), std::abs(double{a.y} - b.y), std::abs(double{a.z} - b.z)});
}

Apart compare(const File& a, const File& b) {
    Apart result;
    if (a.meshes.size() != b.meshes.size() || a.bones.size() != b.bones.size()) return {.same_structure = false};
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const auto &x = a.meshes[m].points, &y = b.meshes[m].points;
        result.same_structure = result.same_structure && x.link_counts == y.link_counts &&
                                a.meshes[m].duplicates == b.meshes[m].duplicates &&
                                a.meshes[m].strip == b.meshes[m].strip;
        for (std::size_t i = 0; i < std::min(x.offsets.size(), y.offsets.size()) && x.link_counts == y.link_counts;
             ++i) {
            const std::string &left = a.link_names[x.bones[i]], &right = b.link_names[y.bones[i]];
            if (left != right) {
                result.same_structure = false;
                continue;
            }
            result.offsets = std::max(result.offsets, apart(x.offsets[i], y.offsets[i]));
            result.normals = std::max(result.normals, apart(x.normals[i], y.normals[i]));
            result.weights = std::max(result.weights, std::abs(double{x.weights[i]} - y.weights[i]));
        }
    }
    return result;
}

TEST(ArpFromScene, FixturesComeBack) {
    std::size_t exact = 0, all = 0;
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const Bytes bytes = make(fixture.description);
        auto loaded = effigy::arp::read(bytes);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        const Loaded<NativeFiles> files = back(scene_of(loaded->value));
        const auto written = effigy::arp::write(files.value.container.avatar);
        ASSERT_TRUE(written) << to_string(written.error());
        EXPECT_EQ(files.report.count("arp-texture-embedded"), 0u);
        EXPECT_EQ(files.report.count("arp-version-old"), 0u);
        if (effigy::arp::has_image(loaded->value)) EXPECT_EQ(files.report.count("arp-texture-left-out"), 0u);
        EXPECT_EQ(files.value.container.avatar.version, loaded->value.version);
        ++all;
        const std::string differs = difference(bytes, *written);
        exact += differs.empty() ? 1 : 0;
        if (!differs.empty()) std::cout << fixture.name << ": differs " << differs << "\n";
    }
    std::cout << "fixtures: " << exact << " of " << all << " byte-exact\n";
    EXPECT_EQ(all - exact, 0u);
}

std::vector<RawPose> reversed(std::vector<RawPose> pose) {
    std::reverse(pose.begin(), pose.end());
    return pose;
}

/// The figure's default pose as files may have it: entries in another order, missing, of no bone or twice.
std::vector<std::vector<RawPose>> odd_poses() {
    const std::vector<RawPose> usual = figure().default_pose;
    std::vector<std::vector<RawPose>> poses{{}, reversed(usual), {usual.begin() + 3, usual.begin() + 5}, usual, usual};
    poses[3].insert(poses[3].begin() + 1, {"TAIL", {1, 2, 3}, {0, 0, 1, 0}});
    poses[4].push_back({usual[2].bone, {4, 5, 6}, {1, 0, 0, 0}});
    poses.push_back(usual);
    poses.back()[0].translation = {-0.0F, -0.0F, -0.0F};  // which equals that of the rest
    return poses;
}

TEST(ArpFromScene, DefaultPosesComeBackAsTheyAreListed) {
    for (const std::vector<RawPose>& pose : odd_poses()) {
        SCOPED_TRACE(pose.size());
        Description description = figure();
        description.default_pose = pose;
        const Bytes bytes = make(description);
        const Loaded<NativeFiles> files = back(scene_of(effigy::arp::read(bytes).value().value));
        EXPECT_EQ(difference(bytes, effigy::arp::write(files.value.container.avatar).value()), "");
    }
}

TEST(ArpFromScene, ListedDefaultPosesFollowTheBones) {
    Description description = figure();
    description.default_pose = reversed(description.default_pose);
    description.default_pose.push_back({"TAIL", {1, 2, 3}, {0, 0, 0, 1}});
    const File file = effigy::arp::read(make(description)).value().value;
    Scene scene = scene_of(file);
    const auto node_of = [&](const std::string& name) {
        return std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& n) { return n.name == name; });
    };
    ASSERT_NE(node_of("HEAD"), scene.nodes.end());
    ASSERT_NE(node_of("LWRI"), scene.nodes.end());
    node_of("HEAD")->local.translation.x *= 2;
    node_of("LWRI")->name = "HNDL";
    const File made = back(scene).value.container.avatar;
    ASSERT_EQ(made.default_pose.size(), file.default_pose.size());
    for (std::size_t i = 0; i < made.default_pose.size(); ++i) {
        const auto &before = file.default_pose[i], &after = made.default_pose[i];
        const std::string name(effigy::arp::text_of(before.bone));
        SCOPED_TRACE(name);
        EXPECT_EQ(effigy::arp::text_of(after.bone), name == "LWRI" ? "HNDL" : name);
        if (name == "HEAD") {
            EXPECT_EQ(after.translation, made.bones[effigy::arp::find_bone(made, name)].translation);
        } else {
            EXPECT_TRUE(after.translation == before.translation && after.rotation == before.rotation);
        }
    }
}

/// The image of the scene's only material, and where its vertices are in it.
std::pair<std::vector<std::byte>, std::vector<float>> look_of(const Scene& scene) {
    std::pair<std::vector<std::byte>, std::vector<float>> look;
    const auto picture = image::decode(scene.images.at(0).bytes);
    EXPECT_TRUE(picture) << to_string(picture.error());
    if (picture) look.first.assign(picture->rgba.begin(), picture->rgba.end());
    const FloatView places(scene.meshes.at(0), Semantic::texcoord);
    for (std::size_t i = 0; i < scene.meshes[0].vertex_count; ++i)
        look.second.insert(look.second.end(), {places[i][0], places[i][1]});
    return look;
}

TEST(ArpFromScene, EmbeddedImagesStayTheRightWayUp) {
    image::Picture picture;
    picture.width = picture.height = 2;
    for (const unsigned value : {10U, 20U, 30U, 40U}) picture.rgba.insert(picture.rgba.end(), 4, std::byte(value));
    const Bytes png = image::encode_png(picture).value();
    for (const auto& [png_flag, jib_flag, flipped] :
         std::vector<std::array<unsigned, 3>>{{1, 0, 0}, {1, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}}) {
        SCOPED_TRACE(std::to_string(png_flag) + std::to_string(jib_flag) + std::to_string(flipped));
        Description description = small_figure();
        description.flags = {1, 0, png_flag, 0, jib_flag, flipped, 0, 0, 0, 0, 0, 0};
        description.image = jib_flag != 0 ? jib(2, 2) : png;
        const Bytes bytes = make(description);
        Scene scene = scene_of(effigy::arp::read(bytes).value().value);
        EXPECT_EQ(difference(bytes, effigy::arp::write(back(scene).value.container.avatar).value()), "");
        // One that was edited lies beside the avatar.
        image::Picture edited = image::decode(scene.images[0].bytes).value();
        edited.rgba[0] = std::byte{99};
        scene.images[0].bytes = image::encode_png(edited).value();
        const Loaded<NativeFiles> files = back(scene);
        EXPECT_EQ(files.report.count("arp-texture-embedded"), 1u);
        const effigy::arp::Container& container = files.value.container;
        EXPECT_FALSE(effigy::arp::has_image(container.avatar));
        const auto* beside = effigy::arp::find_entry(container, "skin.png");
        ASSERT_NE(beside, nullptr);
        const Scene again = scene_of(container.avatar, {{beside->name, beside->content}});
        EXPECT_EQ(look_of(again), look_of(scene));
    }
}

/// Also where mesh and image no longer fit the old numbers.
TEST(ArpFromScene, EmbeddedImagesStayInEditedAvatars) {
    Description description = small_figure();
    description.flags = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
    description.image = jib(2, 2);
    for (auto& place : description.meshes[0].texcoords) place[1] = 0.25F;
    const File file = effigy::arp::read(make(description)).value().value;
    Scene scene = scene_of(file);
    scene.meshes[0].extras.hash ^= 1;
    const File made = back(scene).value.container.avatar;
    EXPECT_EQ(made.texture.image, file.texture.image);
    EXPECT_EQ(made.texture.flags, file.texture.flags);
    EXPECT_EQ(look_of(scene_of(made)).first, look_of(scene).first);
    for (const Vec2& place : made.meshes[0].texcoords) EXPECT_FLOAT_EQ(place.y, 0.25F);

    // What somebody has changed in the record is not trusted.
    for (const char* member : {"shown", "size"}) {
        Scene other = scene_of(file);
        Json record = record_of(other.asset_extras);
        record["file"]["image"][member] = 7;
        set_record(other.asset_extras, record);
        EXPECT_FALSE(effigy::arp::has_image(back(other).value.container.avatar)) << member;
    }
}

TEST(ArpFromScene, ListsMayNameThePointItself) {
    Description description = small_figure("2.1");
    description.form.duplicates = RawDuplicates::lists;
    File file = effigy::arp::read(make(description)).value().value;
    ASSERT_EQ(file.meshes[0].duplicates, (Bulk<std::uint32_t>{3}));
    file.meshes[0].duplicates = {0, 1, 3, 2};
    file.meshes[0].list_sizes = {1, 2, 1};
    file.meshes[0].list_counts = {1, 2, 1};
    const Bytes bytes = effigy::arp::write(file).value();
    const Scene scene = scene_of(effigy::arp::read(bytes).value().value);
    EXPECT_EQ(difference(bytes, effigy::arp::write(back(scene).value.container.avatar).value()), "");
}

TEST(ArpFromScene, AmbientMotionComesBackBesideAnEditedMesh) {
    File file = effigy::arp::read(make(small_figure())).value().value;
    Scene scene = scene_of(file);
    scene.meshes[0].extras.hash ^= 1;
    const Bytes bytes = effigy::arp::write(file).value();
    file.ambient = back(scene).value.container.avatar.ambient;
    EXPECT_EQ(difference(bytes, effigy::arp::write(file).value()), "");
}

TEST(ArpFromScene, AmbientMotionMayNameWhatIsNotThere) {
    for (const char* version : {"2.2", "3.0", "3.1"}) {
        SCOPED_TRACE(version);
        Description description = small_figure(version);
        description.frames[0].morphs.push_back({"th  ", 0.25f});
        description.frames[0].bones.push_back({"TAIL", {1, 2, 3}, {0, 0, 1, 0}});
        const Bytes bytes = make(description);
        const Scene scene = scene_of(effigy::arp::read(bytes).value().value);
        EXPECT_EQ(difference(bytes, effigy::arp::write(back(scene).value.container.avatar).value()), "");
    }
}

/// Whoever takes the texture away wants the colour; that it was not found is no edit.
TEST(ArpFromScene, RemovedTexturesLeaveTheColour) {
    const image::Picture green{2, 2, Bytes(16, std::byte{200}), false, {}};
    for (const bool is_embedded : {false, true}) {
        SCOPED_TRACE(is_embedded ? "embedded" : "named");
        Description description = small_figure();
        description.flags = {is_embedded ? 1U : 0U, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        const Bytes png = image::encode_png(green).value();
        if (is_embedded) description.image = png;
        const File file = effigy::arp::read(make(description)).value().value;
        Scene scene = scene_of(file, {{"skin.png", png}});
        ASSERT_EQ(scene.materials.size(), 1U);
        Material& material = scene.materials[0];
        material.base_color_texture = {};
        material.base_color = {1, 0, 0, 1};
        const Loaded<NativeFiles> files = back(scene);
        const effigy::arp::Container& container = files.value.container;
        const std::string name = container.avatar.texture.name.c_str();
        EXPECT_EQ(name, "avatar.png");
        EXPECT_EQ(files.report.count(effigy::arp::codes::arp_texture_left_out), 0U);
        const auto* beside = effigy::arp::find_entry(container, name);
        ASSERT_NE(beside, nullptr);
        const Bytes pixels = image::decode(beside->content).value().rgba;
        EXPECT_EQ(Bytes(pixels.begin(), pixels.begin() + 4),
                  (Bytes{std::byte{255}, std::byte{0}, std::byte{0}, std::byte{255}}));
        EXPECT_EQ(container.avatar.meshes[0].texcoords, file.meshes[0].texcoords);
        material.extras.json.insert(material.extras.json.size() - 1, R"(,"left_out":["base_color_texture"])");
        EXPECT_EQ(back(scene).value.container.avatar.texture.name, file.texture.name);
    }
}

TEST(ArpFromScene, CorpusComesBack) {
    EFFIGY_NEEDS_AVATARS();
    std::size_t exact = 0;
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        const Scene scene = scene_of(file);
        const std::size_t kept = scene.meshes.front().extras.json.size() + scene.clips.back().extras.json.size();
        const Loaded<NativeFiles> files = back(scene);
        const File& made = files.value.container.avatar;
        const auto written = effigy::arp::write(made);
        ASSERT_TRUE(written) << to_string(written.error());
        const std::string differs = difference(bytes, *written);
        exact += differs.empty() ? 1 : 0;
        const Apart far = compare(file, made);
        EXPECT_EQ(differs, "");
        std::cout << "corpus: " << name << ": " << (differs.empty() ? "byte-exact" : differs) << "; structure "
                  << far.same_structure << " offsets " << far.offsets << " normals " << far.normals << " weights "
                  << far.weights << ", kept in extras: " << kept << " bytes\n";
    }
    std::cout << "corpus: " << exact << " of " << avatars::all().size() << " avatars byte-exact\n";
}

}  // namespace
}  // namespace effigy::test::arp
