/// Compressed motions as clips: what they show, and that unedited ones come back byte for byte.

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "effigy/convert.hpp"
#include "effigy/emfx_scene.hpp"

#include "emfx_scene/builders.hpp"
#include "emfx_scene/motion_back.hpp"
#include "vectors.hpp"

namespace wavelets {
namespace {

using builders::bytes_of_motion;

Loaded<Scene> scene_of(xsm::File file, const emfx::SceneOptions& options = {}) {
    emfx::SceneInput input;
    input.motions.push_back({{"motion", 0, {}}, std::move(file), {}});
    return builders::convert(std::move(input), options);
}

/// From the file's frame to the scene's.
glm::dmat4 matrix_of(const std::vector<std::string>& words, std::size_t first) {
    const auto number = [&](std::size_t k) { return std::stod(words.at(first + k)); };
    const glm::dquat rotation(number(8), -number(5), -number(6), number(7));
    return glm::translate(glm::dmat4(1), glm::dvec3(number(1), number(2), -number(3))) *
           glm::mat4_cast(glm::normalize(rotation)) *
           glm::scale(glm::dmat4(1), glm::dvec3(number(10), number(11), number(12)));
}

/// "at" lines: vector, time, node, P x y z R x y z w S x y z.
TEST(WaveletScenes, ShowWhatTheEngineShows) {
    std::string name;
    Loaded<Scene> scene;
    for (const auto& line : expected("at")) {
        if (line.size() > 15) continue;  // scale rotations have a test of their own
        if (line[0] != name) scene = scene_of(read_vector(line[0]));
        name = line[0];
        ASSERT_EQ(scene.value.clips.size(), 1u);
        const double time = std::stod(line[1]);
        const Index node = builders::find(scene.value, line[2]);
        const glm::dmat4 shown = builders::world_at(scene.value, scene.value.clips[0], node, time);
        // By a step of positions, which reach 20 units at quality 90, and by what steps do at the borders of chunks.
        EXPECT_LT(builders::difference(shown, matrix_of(line, 3)), 8e-3) << name << " at " << time << " " << line[2];
    }
}

TEST(WaveletScenes, ComeBackByteForByte) {
    std::size_t count = 0;
    for (const auto& line : expected("samples")) {
        const Bytes bytes = bytes_of_vector(line[0]);
        Loaded<Scene> scene = scene_of(read_vector(line[0]));
        ASSERT_EQ(scene.value.clips.size(), 1u) << line[0];
        const emfx::NativeFiles back = builders::motions_back(scene.value, nullptr);
        ASSERT_EQ(back.motions.size(), 1u) << line[0];
        EXPECT_EQ(bytes_of_motion(back.motions[0].file), bytes) << line[0];
        ++count;
    }
    EXPECT_EQ(count, 52u);
}

TEST(WaveletScenes, ComeBackThroughGlb) {
    const Bytes bytes = bytes_of_vector("cdf97-mixed-be");
    std::vector<NewFile> made;
    const auto take = [&](std::vector<NewFile> files) -> Result<void> {
        made = std::move(files);
        return {};
    };
    OutputFiles glb("moved.glb"), xsm("moved.xsm");
    glb.take = xsm.take = take;
    ASSERT_TRUE(convert({InputFile("moved.xsm", bytes)}, glb));
    const Bytes as_glb = made.at(0).bytes;
    ASSERT_TRUE(convert({InputFile("moved.glb", as_glb)}, xsm));
    EXPECT_EQ(made.at(0).bytes, bytes);
    ConvertOptions options;
    options.values.set("wavelets", "off");
    ASSERT_TRUE(convert({InputFile("moved.glb", as_glb)}, xsm, options));
    const auto keys = xsm::read(made.at(0).bytes);
    ASSERT_TRUE(keys);
    EXPECT_FALSE(xsm::has_wavelets(keys->value));
    options.values.set("wavelets", "haar");
    options.values.set("quality", "50");
    const auto packed = convert({InputFile("moved.glb", as_glb)}, xsm, options);
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->report.count("motion-sampled"), 1u);
    const auto again = xsm::read(made.at(0).bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(wavelet_of(again->value).wavelet, 0);
    EXPECT_FLOAT_EQ(wavelet_of(again->value).position_quantization, 21);
}

/// From motion to motion there is no scene between: what the scene has no place for stays.
TEST(WaveletScenes, AreRecodedWithoutAScene) {
    std::vector<NewFile> made;
    OutputFiles output("other.xsm");
    output.take = [&](std::vector<NewFile> files) -> Result<void> {
        made = std::move(files);
        return {};
    };
    const Bytes bytes = bytes_of_vector("haar-mixed-le");
    ConvertOptions options;
    ASSERT_TRUE(convert({InputFile("one.xsm", bytes)}, output, options));
    EXPECT_EQ(made.at(0).bytes, bytes);
    options.values.set("wavelets", "off");
    ASSERT_TRUE(convert({InputFile("one.xsm", bytes)}, output, options));
    const auto keys = xsm::read(made.at(0).bytes);
    ASSERT_TRUE(keys);
    const auto wanted = xsm::decode(wavelet_of(read_vector("haar-mixed-le")), false);
    ASSERT_TRUE(wanted);
    const auto& list = std::get<xsm::Submotions>(keys->value.chunks.at(1).record);
    ASSERT_EQ(list.submotions.size(), wanted->value.submotions.size());
    EXPECT_EQ(list.submotions[3].rotation_keys.size(), wanted->value.submotions[3].rotation_keys.size());
    options.values.set("wavelets", "cdf97");
    ASSERT_TRUE(convert({InputFile("one.xsm", made.at(0).bytes)}, output, options));
    EXPECT_EQ(wavelet_of(xsm::read(made.at(0).bytes)->value).wavelet, 2);
}

TEST(WaveletScenes, AreThinnedWhereNothingMoves) {
    const xsm::File file = read_vector("haar-constant-le");
    const auto decoded = xsm::decode(wavelet_of(file), false);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->value.submotions[0].rotation_keys.size(), 12u);
    const Loaded<Scene> scene = scene_of(file);
    const Track* const track =
        builders::find(scene.value.clips.at(0), builders::find(scene.value, "node0"), TrackPath::rotation);
    ASSERT_NE(track, nullptr);
    EXPECT_EQ(track->times.size(), 2u);
    EXPECT_EQ(scene.value.clips[0].duration, 1);
}

/// Blocks are in the file's byte order, which no reader of another one can tell.
TEST(WaveletScenes, BecomeKeysForGamesThatHaveNoCompressedOnes) {
    for (const char* name : {"d4-mixed-be", "d4-mixed-le"}) {
        const xsm::File file = read_vector(name);
        const Loaded<Scene> scene = scene_of(file);
        auto keys = xsm::with_keys(file);
        ASSERT_TRUE(keys);
        keys->value.header.endian = 0;
        for (const auto target : {emfx::Target::eu3, emfx::Target::tree_of_savior}) {
            emfx::FromSceneOptions options;
            options.target = target;
            Report report;
            const emfx::NativeFiles back = builders::motions_back(scene.value, nullptr, options, &report);
            const xsm::File& made = back.motions.at(0).file;
            EXPECT_FALSE(made.header.big_endian());
            EXPECT_EQ(made.chunks.at(1).id, 202u);
            EXPECT_EQ(made.chunks.at(1).version, target == emfx::Target::eu3 ? 1u : 2u);
            EXPECT_EQ(report.count("emfx-chunk-version"), 0u);
            if (target == emfx::Target::eu3) EXPECT_EQ(bytes_of_motion(made), bytes_of_motion(keys->value));
            options.coding = emfx::MotionCoding::compressed;
            const emfx::NativeFiles packed = builders::motions_back(scene.value, nullptr, options, &report);
            EXPECT_TRUE(xsm::has_wavelets(packed.motions.at(0).file)) << "where that is asked for";
            EXPECT_FALSE(packed.motions[0].file.header.big_endian());
            EXPECT_EQ(report.count("emfx-chunk-version"), 1u);
        }
    }
    std::vector<NewFile> made;
    OutputFiles output("other.xsm");
    output.take = [&](std::vector<NewFile> files) -> Result<void> {
        made = std::move(files);
        return {};
    };
    ConvertOptions options;
    options.values.set("target", "eu3");
    options.values.set("wavelets", "off");
    ASSERT_TRUE(convert({InputFile("one.xsm", bytes_of_vector("d4-mixed-be"))}, output, options));
    EXPECT_FALSE(xsm::read(made.at(0).bytes)->value.header.big_endian());
}

TEST(WaveletScenes, EditedOnesAreLittleEndianForGames) {
    Loaded<Scene> scene = scene_of(read_vector("d4-mixed-be"));
    scene.value.clips.at(0).tracks.at(0).values.at(0) += 1;
    emfx::FromSceneOptions options;
    options.target = emfx::Target::victoria2;
    EXPECT_FALSE(builders::motions_back(scene.value, nullptr, options).motions.at(0).file.header.big_endian());
}

TEST(WaveletScenes, ResampledOnesBecomeKeys) {
    emfx::SceneOptions options;
    options.resample = 30;
    const Loaded<Scene> scene = scene_of(read_vector("d4-mixed-le"), options);
    const emfx::NativeFiles back = builders::motions_back(scene.value, nullptr);
    ASSERT_EQ(back.motions.size(), 1u);
    EXPECT_FALSE(xsm::has_wavelets(back.motions[0].file));
}

TEST(WaveletScenes, EditedOnesBecomeKeys) {
    Loaded<Scene> scene = scene_of(read_vector("d4-mixed-le"));
    scene.value.clips.at(0).tracks.at(0).values.at(0) += 1;
    const emfx::NativeFiles back = builders::motions_back(scene.value, nullptr);
    ASSERT_EQ(back.motions.size(), 1u);
    EXPECT_FALSE(xsm::has_wavelets(back.motions[0].file));
    emfx::FromSceneOptions options;
    options.coding = emfx::MotionCoding::compressed;
    const emfx::NativeFiles packed = builders::motions_back(scene.value, nullptr, options);
    EXPECT_TRUE(xsm::has_wavelets(packed.motions.at(0).file));
}

TEST(WaveletScenes, EditedOnesKeepWhatMovesOtherActors) {
    for (const char* name : {"d4-mixed-le", "d4-mixed-be"}) {
        const xsm::File file = read_vector(name);
        const auto decoded = xsm::decode(wavelet_of(file), file.header.big_endian());
        ASSERT_TRUE(decoded);
        const auto& all = decoded->value.submotions;
        ASSERT_GT(all.size(), 1u);
        builders::ActorFile actor;
        actor.nodes({builders::node(all[0].node_name)});
        Loaded<Scene> scene = builders::convert(actor, file);
        scene.value.clips.at(0).tracks.at(0).values.at(0) += 1;
        const emfx::NativeFiles back = builders::motions_back(scene.value, &actor.file);
        ASSERT_EQ(back.motions.size(), 1u);
        const auto& list = std::get<xsm::Submotions>(back.motions[0].file.chunks.back().record).submotions;
        ASSERT_EQ(list.size(), all.size());
        for (std::size_t i = 1; i < list.size(); ++i)
            EXPECT_EQ(bytes_of_motion(builders::motion({list[i]})), bytes_of_motion(builders::motion({all[i]}))) << i;
    }
}

TEST(WaveletScenes, BrokenOnesAreLeftOutAndNamed) {
    for (const auto& [name, code] : {std::pair("compressor-rice", "wavelet-rice"),
                                     {"stream-odd", "wavelet-stream"},
                                     {"samples-huge", "wavelet-size"},
                                     {"scale-nan", "not-finite"}}) {
        emfx::SceneInput input;
        input.motions.push_back({{"motion", 0, {}}, read_vector(name), {}});
        const auto alone = emfx::to_scene(std::move(input));
        ASSERT_FALSE(alone) << name;
        EXPECT_EQ(alone.error().code, code);
    }
    builders::ActorFile actor;
    actor.nodes({builders::node("node0")});
    const Loaded<Scene> scene = builders::convert(actor, read_vector("stream-odd"));
    EXPECT_EQ(scene.report.count("wavelet-stream"), 1u);
    EXPECT_TRUE(scene.value.clips.empty());
}

}  // namespace
}  // namespace wavelets
