/// Compact files: what readers get of them is what the plain ones hold, exactly or within what is stated.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <webp/decode.h>

#include "effigy/diff.hpp"
#include "effigy/gltf.hpp"
#include "effigy/image.hpp"
#include "effigy/scene_access.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

constexpr std::uint32_t side = 48, count = side * side;

Attribute attribute(Semantic semantic, ElementType element, const std::vector<float>& values) {
    Attribute result;
    result.semantic = semantic;
    result.data = make_accessor<float>(element, ComponentType::f32, false, values);
    return result;
}

/// A wave that swings: enough of everything for compression to be worth it.
Scene wave() {
    std::vector<float> positions, normals, tangents, coordinates, tiled;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i % side), y = static_cast<float>(i / side), slope = std::cos(x / 5);
        const float length = std::hypot(slope, 1.0f);
        positions.insert(positions.end(), {x / 7, y / 7, std::sin(x / 5)});
        normals.insert(normals.end(), {-slope / length, 0, 1 / length});
        tangents.insert(tangents.end(), {1 / length, 0, slope / length, y > 9 ? 1.0f : -1.0f});
        coordinates.insert(coordinates.end(), {x / side, y / side});
        tiled.insert(tiled.end(), {x / 3, -y / 3});
    }
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = count;
    mesh.attributes = {attribute(Semantic::position, ElementType::vec3, positions),
                       attribute(Semantic::normal, ElementType::vec3, normals),
                       attribute(Semantic::tangent, ElementType::vec4, tangents),
                       attribute(Semantic::texcoord, ElementType::vec2, coordinates),
                       attribute(Semantic::texcoord, ElementType::vec2, tiled)};
    mesh.attributes.back().set = 1;
    Bulk<std::uint32_t> triangles, lines;
    for (std::uint32_t y = 0; y + 1 < side; ++y) {
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t at = y * side + x;
            for (const std::uint32_t corner : {at, at + 1, at + side, at + 1, at + side + 1, at + side})
                triangles.push_back(corner);
        }
        for (std::uint32_t x = 0; x < side; ++x) lines.push_back(y * side + x);
    }
    mesh.primitives = {{0, count, triangles, no_index}};
    MorphTarget target;
    target.name = "flat";
    for (std::uint32_t i = 0; i < count; i += 2) {
        target.indices.push_back(i);
        target.positions.push_back({0, 0, -std::sin(static_cast<float>(i) / 5)});
    }
    mesh.targets = {std::move(target)};
    Mesh& wire = scene.meshes.emplace_back(scene.meshes[0]);
    wire.targets.clear();
    wire.primitives = {{0, count, lines, no_index}};
    wire.primitives[0].topology = Topology::line_strip;
    scene.nodes.resize(2);
    scene.nodes[0].mesh = 0;
    scene.nodes[1].mesh = 1;
    Clip& clip = scene.clips.emplace_back();
    clip.name = "swing";
    for (const TrackPath path : {TrackPath::translation, TrackPath::rotation, TrackPath::scale}) {
        Track& track = clip.tracks.emplace_back();
        track.node = 1;
        track.path = path;
        for (int key = 0; key < 300; ++key) {
            const float time = static_cast<float>(key) / 30, angle = std::sin(time) / 4;
            track.times.push_back(time);
            if (path == TrackPath::rotation)
                track.values.insert(track.values.end(), {0, std::sin(angle), 0, std::cos(angle)});
            else
                track.values.insert(track.values.end(), {1, 1 + angle, 1});
        }
    }
    clip.duration = clip.tracks[0].times.back();
    return scene;
}

Bytes written(const Scene& scene, bool compact) {
    gltf::WriteOptions options;
    options.records = false;
    options.compact = compact;
    auto bytes = gltf::write_glb(scene, options);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    return bytes ? std::move(*bytes) : Bytes();
}

Scene read_back(const Bytes& bytes) {
    auto file = gltf::read(bytes);
    EXPECT_TRUE(file) << to_string(file.error());
    auto scene = gltf::to_scene(file->value);
    EXPECT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->report.count(Severity::error), 0U);
    return std::move(scene->value);
}

Scene without_textures(Scene scene) {
    for (Material& material : scene.materials) {
        for (TextureSlot* slot : {&material.base_color_texture, &material.metallic_roughness_texture,
                                  &material.normal_texture, &material.occlusion_texture, &material.emissive_texture})
            *slot = {};
    }
    scene.images.clear();
    return scene;
}

double greatest_difference(const Mesh& a, const Mesh& b, Semantic semantic, std::uint32_t set = 0) {
    const FloatView left(a, semantic, set), right(b, semantic, set);
    EXPECT_EQ(left.values().size(), right.values().size());
    double greatest = 0;
    for (std::size_t i = 0; i < std::min(left.values().size(), right.values().size()); ++i)
        greatest = std::max(greatest, std::abs(double{left.values()[i]} - double{right.values()[i]}));
    return greatest;
}

/// Each triangle as it begins with its lowest corner: which of the three is first means nothing.
std::vector<std::array<std::uint32_t, 3>> triangles_of(const Primitive& primitive) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        std::array corners{primitive.indices[i], primitive.indices[i + 1], primitive.indices[i + 2]};
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        triangles.push_back(corners);
    }
    return triangles;
}

TEST(Compact, MeansTheSame) {
    const Scene scene = wave();
    const Bytes plain = written(scene, false), compact = written(scene, true);
    EXPECT_LT(compact.size() * 3, plain.size()) << compact.size() << " of " << plain.size();
    const Scene back = read_back(compact);
    for (std::size_t number = 0; number < 2; ++number) {
        const Mesh &a = scene.meshes[number], &b = back.meshes.at(number);
        EXPECT_EQ(greatest_difference(a, b, Semantic::position), 0);
        EXPECT_LE(greatest_difference(a, b, Semantic::normal), 0.5001 / 127);
        EXPECT_LE(greatest_difference(a, b, Semantic::tangent), 0.5001 / 127);
        EXPECT_LE(greatest_difference(a, b, Semantic::texcoord), 0.5001 / 65535);
        EXPECT_EQ(greatest_difference(a, b, Semantic::texcoord, 1), 0) << "which is not between 0 and 1";
    }
    EXPECT_EQ(triangles_of(scene.meshes[0].primitives[0]), triangles_of(back.meshes[0].primitives[0]));
    EXPECT_EQ(scene.meshes[1].primitives[0].indices, back.meshes[1].primitives[0].indices);
    const MorphTarget &target = scene.meshes[0].targets[0], &target_back = back.meshes[0].targets.at(0);
    EXPECT_EQ(target.indices.size(), target_back.indices.size());
    EXPECT_TRUE(std::equal(target.positions.begin(), target.positions.end(), target_back.positions.begin(),
                           target_back.positions.end()));
    ASSERT_EQ(back.clips.size(), 1U);
    ASSERT_EQ(back.clips[0].tracks.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(scene.clips[0].tracks[i].path, back.clips[0].tracks[i].path);
        EXPECT_EQ(scene.clips[0].tracks[i].times, back.clips[0].tracks[i].times);
        EXPECT_EQ(scene.clips[0].tracks[i].values, back.clips[0].tracks[i].values);
    }
}

// The buffer that readers without the extension would want is not there.
TEST(Compact, SaysWhatReadersNeed) {
    const Gltf gltf = parse_glb(written(wave(), true));
    const std::set<std::string> required = gltf.json["extensionsRequired"];
    EXPECT_EQ(required, (std::set<std::string>{"EXT_meshopt_compression", "KHR_mesh_quantization"}));
    EXPECT_EQ(gltf.json["extensionsUsed"], gltf.json["extensionsRequired"]);
    ASSERT_EQ(gltf.json["buffers"].size(), 2U);
    EXPECT_EQ(gltf.json["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"], true);
    EXPECT_FALSE(gltf.json["buffers"][1].contains("uri"));
    std::set<std::string> modes;
    for (const auto& view : gltf.json["bufferViews"]) {
        if (!view.contains("extensions")) continue;
        const auto& stream = view["extensions"]["EXT_meshopt_compression"];
        modes.insert(stream["mode"].get<std::string>());
        EXPECT_EQ(view["buffer"], 1);
        EXPECT_EQ(stream["buffer"], 0);
        EXPECT_EQ(view["byteLength"], stream["count"].get<std::size_t>() * stream["byteStride"].get<std::size_t>());
        if (view.contains("byteStride")) {
            EXPECT_EQ(view["byteStride"], stream["byteStride"]);
        }
        EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(),
                  gltf.json["buffers"][1]["byteLength"].get<std::size_t>());
    }
    EXPECT_EQ(modes, (std::set<std::string>{"ATTRIBUTES", "INDICES", "TRIANGLES"}));
}

TEST(Compact, OfEverythingMeansTheSame) {
    const Scene scene = without_textures(rich_scene());
    const Scene plain = read_back(written(scene, false)), compact = read_back(written(scene, true));
    const auto difference = diff_scenes(plain, compact, {});
    ASSERT_TRUE(difference) << to_string(difference.error());
    for (const Diagnostic& finding : difference->diagnostics()) ADD_FAILURE() << to_string(finding);
}

// Pixel by pixel, in fewer bytes; and only where that is so.
TEST(Compact, PicturesAreWebP) {
    image::Picture picture;
    picture.width = 40;
    picture.height = 30;
    for (std::uint32_t i = 0; i < 40 * 30; ++i) {
        for (const std::uint32_t channel : {i % 40 * 6, i / 40 * 8, i % 7, i % 3 == 0 ? 0U : 255U})
            picture.rgba.push_back(static_cast<std::byte>(channel));
    }
    Scene scene = wave();
    scene.images.resize(2);
    for (Image& image : scene.images) image.mime_type = "image/png";
    scene.images[0].bytes = image::encode_png(picture).value();
    scene.images[1].bytes = Bytes(100, std::byte{7});
    scene.materials.resize(1);
    scene.materials[0].base_color_texture.image = 0;
    scene.materials[0].emissive_texture.image = 1;
    const Gltf gltf = parse_glb(written(scene, true));
    EXPECT_TRUE(std::set<std::string>(gltf.json["extensionsRequired"]).contains("EXT_texture_webp"));
    ASSERT_EQ(gltf.json["textures"].size(), 2U);
    EXPECT_EQ(gltf.json["textures"][0]["extensions"]["EXT_texture_webp"]["source"], 0);
    EXPECT_FALSE(gltf.json["textures"][0].contains("source"));
    EXPECT_EQ(gltf.json["textures"][1]["source"], 1) << "which is no picture";
    EXPECT_EQ(gltf.json["images"][0]["mimeType"], "image/webp");
    EXPECT_EQ(gltf.json["images"][1]["mimeType"], "image/png");
    const auto& view = gltf.json["bufferViews"][gltf.json["images"][0]["bufferView"].get<std::size_t>()];
    const auto size = view["byteLength"].get<std::size_t>();
    const auto* const data =
        reinterpret_cast<const std::uint8_t*>(gltf.binary.data()) + view["byteOffset"].get<std::size_t>();
    EXPECT_LT(size, scene.images[0].bytes.size());
    int width = 0, height = 0;
    const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> pixels(WebPDecodeRGBA(data, size, &width, &height),
                                                                    &WebPFree);
    ASSERT_EQ(width, 40);
    ASSERT_EQ(height, 30);
    EXPECT_EQ(std::memcmp(pixels.get(), picture.rgba.data(), picture.rgba.size()), 0);
    const auto said = image::dimensions(std::as_bytes(std::span(data, size)));
    ASSERT_TRUE(said);
    EXPECT_EQ(said->width, 40U);
    EXPECT_EQ(said->height, 30U);
}

TEST(Compact, SmallThingsStayAsTheyAre) {
    Scene scene;
    scene.nodes.resize(1);
    const Gltf gltf = parse_glb(written(scene, true));
    EXPECT_FALSE(gltf.json.contains("extensionsRequired"));
    EXPECT_FALSE(gltf.json.contains("buffers"));
}

TEST(Compact, IsTheSameOnEveryRun) { EXPECT_EQ(written(wave(), true), written(wave(), true)); }

}  // namespace
}  // namespace effigy::test
