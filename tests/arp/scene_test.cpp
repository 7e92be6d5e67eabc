// Avatars become scenes: each rule of docs/conversion/arp.md, "Meaning", on generated figures and on the corpus.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <tuple>

#include "effigy/arp_bind.hpp"
#include "effigy/arp_scene.hpp"
#include "effigy/gltf.hpp"
#include "effigy/image.hpp"
#include "effigy/poser.hpp"

#include "../gltf/glb.hpp"
#include "arp/file/arp_format.hpp"
#include "arp/file/zip.hpp"
#include "avatars.hpp"
#include "core/json.hpp"
#include "raw_arp.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"

namespace effigy::test::arp {
namespace {

using effigy::arp::ArmTwist;
using effigy::arp::File;
using effigy::arp::SceneInput;
using effigy::arp::SceneOptions;

File read(const Description& description) {
    auto loaded = effigy::arp::read(make(description));
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    return loaded ? std::move(loaded->value) : File{};
}

SceneInput input_of(File file) {
    SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, std::move(file), {}});
    return input;
}

Loaded<Scene> convert(SceneInput input, const SceneOptions& options = {}) {
    auto scene = effigy::arp::to_scene(std::move(input), options);
    EXPECT_TRUE(scene) << to_string(scene.error());
    if (!scene) return {};
    const auto written = gltf::write_glb(scene->value);
    EXPECT_TRUE(written) << to_string(written.error());
    return std::move(*scene);
}

Loaded<Scene> convert(const Description& description, const SceneOptions& options = {}) {
    return convert(input_of(read(description)), options);
}

Index find(const Scene& scene, const std::string& name) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return i;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
}

template <class T>
std::span<const T> attribute(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0) {
    for (const Attribute& one : mesh.attributes) {
        if (one.semantic == semantic && one.set == set) return one.data.as<T>();
    }
    return {};
}

const Track* track(const Clip& clip, Index node, TrackPath path) {
    for (const Track& one : clip.tracks) {
        if (one.node == node && one.path == path) return &one;
    }
    return nullptr;
}

glm::dquat turn(double x, double y, double z, double degrees) {
    return glm::angleAxis(glm::radians(degrees), glm::normalize(glm::dvec3(x, y, z)));
}

// The figure's file as it is, in double precision: what players compute.

std::string bone_name(const File& file, std::size_t bone) {
    const std::string& raw = file.bones[bone].name;
    return raw.substr(0, raw.find('\0'));
}

struct Posed {
    std::vector<glm::dquat> local;  ///< of bones
    std::vector<glm::dvec3> places;
    std::vector<glm::dquat> turns;
};

std::size_t parent_of(const File& file, std::size_t bone) {
    const std::string& raw = file.bones[bone].parent;
    return effigy::arp::find_bone(file, raw.substr(0, raw.find('\0')));
}

Posed pose(const File& file, const std::vector<glm::dquat>& local) {
    Posed posed{local, {}, {}};
    for (std::size_t i = 0; i < file.bones.size(); ++i) {
        const std::size_t parent = parent_of(file, i);
        const glm::dvec3 t = wide(file.bones[i].translation);
        const bool is_root = parent >= i;
        posed.places.push_back(is_root ? t : posed.places[parent] + posed.turns[parent] * t);
        posed.turns.push_back(is_root ? local[i] : posed.turns[parent] * local[i]);
    }
    return posed;
}

std::vector<glm::dquat> rest_of(const File& file) {
    std::vector<glm::dquat> local;
    for (const effigy::arp::Bone& bone : file.bones) local.push_back(glm::normalize(wide(bone.rotation)));
    return local;
}

/// The Java player's turn of a link about the bone, as a rotation behind the bone's.
glm::dquat twist_of(const File& file, const Posed& posed, std::uint32_t link, std::uint32_t first) {
    const auto& points = file.meshes[0].points;
    const auto bone_at = [&](std::uint32_t at) {
        return effigy::arp::find_bone(file, std::string(file.link_names[points.bones[at]].c_str()));
    };
    const std::size_t bone = bone_at(link);
    const std::string name = bone_name(file, bone);
    const bool upper = name == "LUPA" || name == "RUPA", lower = name == "LLRA" || name == "RLRA";
    const glm::dquat none(1, 0, 0, 0);
    if (!upper && !lower) return none;
    std::size_t driver = bone;
    if (lower) {
        for (driver = bone + 1; driver < file.bones.size() && parent_of(file, driver) != bone;) ++driver;
    }
    const glm::dquat& local = posed.local[driver];
    glm::dquat q = glm::normalize(glm::dquat(local.w, local.x, 0, 0)) * wide(file.bones[driver].inverse_twist);
    if (q.w < 0) q = -q;
    const double v = std::clamp(double{points.distances[link]} / double{file.bones[bone].length}, 0.0, 1.0);
    if (upper) return glm::slerp(none, glm::conjugate(q), 1 - v);
    if (link == first) return glm::slerp(none, q, v);
    return bone_at(first) == parent_of(file, bone) ? none : q;
}

glm::dvec3 place_of(const File& file, const Posed& posed, std::uint32_t first, std::uint32_t end, bool twisted) {
    const auto& points = file.meshes[0].points;
    glm::dvec3 place(0);
    double sum = 0;
    for (std::uint32_t link = first; link < end; ++link) {
        const double weight = points.weights[link];
        if (weight == 0) continue;
        const std::size_t bone = effigy::arp::find_bone(file, std::string(file.link_names[points.bones[link]].c_str()));
        const glm::dquat twist = twisted ? twist_of(file, posed, link, first) : glm::dquat(1, 0, 0, 0);
        place += weight * (posed.places[bone] + posed.turns[bone] * twist * wide(points.offsets[link]));
        sum += weight;
    }
    return place / sum;
}

/// The largest distance, in units, between a scene's first mesh now and the formula.
double distance(const File& file, const Posed& posed, const playback::Poser& poser, double metres, bool twisted) {
    const auto first = effigy::arp::first_links(file.meshes[0].points);
    const auto duplicates = effigy::arp::duplicate_points(file.meshes[0], file.layout);
    const auto& positions = poser.meshes()[0].vertices.positions;
    double largest = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::size_t points = file.meshes[0].points.size();
        const std::size_t point = i < points ? i : duplicates[i - points];
        const glm::dvec3 place = place_of(file, posed, first[point], first[point + 1], twisted);
        largest = std::max(largest, glm::length(wide(positions[i]) / metres - place));
    }
    return largest;
}

effigy::cas::File motion_of(const File& file, const std::vector<glm::dquat>& local) {
    effigy::cas::File motion;
    auto& frame = motion.frames.emplace_back();
    frame.duration = 40;
    for (std::size_t i = 0; i < local.size(); ++i) {
        frame.bones.push_back({bone_name(file, i), std::nullopt, narrow(local[i])});
    }
    return motion;
}

/// Each joint turned by up to 30 degrees.
std::vector<glm::dquat> random_pose(const File& file, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<glm::dquat> local = rest_of(file);
    for (glm::dquat& one : local) {
        // Braces: in the order in which they stand, with every compiler.
        const glm::dvec3 axis{number(random), number(random), number(random) + 1e-3};
        one = one * turn(axis.x, axis.y, axis.z, 30 * number(random));
    }
    return local;
}

playback::Poser poser_of(const Scene& scene) {
    auto poser = playback::Poser::make(scene);
    EXPECT_TRUE(poser) << to_string(poser.error());
    return std::move(*poser);
}

constexpr double figure_metres = 1.8 / 20;

TEST(ArpScene, BonesRestAsStoredInMetres) {
    Description description = figure();
    description.skeleton_offset = 2;
    const File file = read(description);
    const auto [scene, report] = convert(description);
    const Node& root = scene.nodes[find(scene, "ROOT")];
    EXPECT_EQ(scene.nodes[root.parent].name, "anna");
    EXPECT_NEAR(root.local.translation.y, (double{file.bones[0].translation.y} + 2) * figure_metres, 1e-6);
    for (std::size_t i = 1; i < file.bones.size(); ++i) {
        const Node& node = scene.nodes[find(scene, bone_name(file, i))];
        EXPECT_EQ(scene.nodes[node.parent].name, bone_name(file, parent_of(file, i)));
        EXPECT_NEAR(node.local.translation.x, double{file.bones[i].translation.x} * figure_metres, 1e-6);
        EXPECT_NEAR(glm::length(wide(node.local.rotation)), 1, 1e-6);
    }
    EXPECT_EQ(report.count("arp-bind"), 1u);
    EXPECT_FALSE(report.has_errors());
}

/// Findings name the file with its folder; nothing in the scene does.
TEST(ArpScene, IsCalledAfterTheFileWithoutItsFolder) {
    SceneInput input = input_of(read(figure()));
    input.avatars[0].source = {"anna", 0, {}, "some/where/anna.jar"};
    const auto made = to_scene(std::move(input));
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->value.name, "anna");
    EXPECT_EQ(made->value.nodes[0].name, "anna");
}

TEST(ArpScene, SkinIsTheFormulaInEveryPose) {
    for (const std::string version : {"3.1", "2.0"}) {
        const File file = read(figure(version, 25));
        const double metres = version == "3.1" ? figure_metres : 1 / 39.37;
        SceneInput input = input_of(file);
        for (unsigned seed = 0; seed < 4; ++seed) {
            input.motions.push_back({{"pose", 0, {}}, motion_of(file, random_pose(file, seed))});
        }
        SceneOptions options;
        options.arm_twist = ArmTwist::none;
        const Scene scene = convert(std::move(input), options).value;
        auto poser = poser_of(scene);
        ASSERT_EQ(poser.meshes().size(), 1u);
        EXPECT_LT(distance(file, pose(file, rest_of(file)), poser, metres, false), 20 * 2e-5);
        for (unsigned seed = 0; seed < 4; ++seed) {
            const auto clip = static_cast<Index>(seed);
            ASSERT_TRUE(poser.pose(clip, 0));
            EXPECT_LT(distance(file, pose(file, random_pose(file, seed)), poser, metres, false), 20 * 2e-5);
        }
    }
}

TEST(ArpScene, HelperJointsTwistArmsAsTheFormulaDoes) {
    const File file = read(figure());
    std::vector<glm::dquat> local = rest_of(file);
    for (const char* name : {"LUPA", "LWRI", "RUPA", "RWRI"}) {
        const std::size_t bone = effigy::arp::find_bone(file, name);
        ASSERT_LT(bone, file.bones.size());
        local[bone] = local[bone] * turn(1, 0, 0, 40);
    }
    const Posed posed = pose(file, local);
    for (const ArmTwist twist : {ArmTwist::joints, ArmTwist::bake}) {
        SceneInput input = input_of(file);
        input.motions.push_back({{"pose", 0, {}}, motion_of(file, local)});
        SceneOptions options;
        options.arm_twist = twist;
        const Scene scene = convert(std::move(input), options).value;
        auto poser = poser_of(scene);
        // Helpers change nothing at rest.
        EXPECT_LT(distance(file, pose(file, rest_of(file)), poser, figure_metres, false), 20 * 2e-5);
        ASSERT_TRUE(poser.pose(0, 0));
        const double untwisted = distance(file, posed, poser, figure_metres, false);
        const double twisted = distance(file, posed, poser, figure_metres, true);
        EXPECT_GT(untwisted, 0.1);
        EXPECT_LT(twisted, 0.05 * untwisted);
        EXPECT_NE(scene.nodes[find(scene, "LLRA.twist4")].extras.json.find("\"helper\":true"), std::string::npos);
    }
}

TEST(ArpScene, MorphsAreInTheFrameOfTheBoundHead) {
    const double head_turn = 40;
    Description description = figure("3.1", head_turn);
    description.scale = 2;
    const File file = read(description);
    const Scene scene = convert(description).value;
    const Mesh& mesh = scene.meshes[0];
    const auto bind = effigy::arp::recover_bind(file, 0);
    const auto& r = bind.bones[effigy::arp::find_bone(file, "HEAD")].rotation;
    const glm::dquat head = glm::dquat(r[3], r[0], r[1], r[2]) * turn(0, 0, 1, -90);
    // The turn is really there.
    EXPECT_GT(glm::degrees(angle_between(head, glm::dquat(1, 0, 0, 0))), 20);
    ASSERT_EQ(mesh.targets.size(), 3u);
    EXPECT_EQ(mesh.targets[0].name, "jawd");
    const auto normals = attribute<Vec3>(mesh, Semantic::normal);
    const auto& sets = file.meshes[0].morph_targets[0].sets;
    const auto duplicates = effigy::arp::duplicate_points(file.meshes[0], file.layout);
    const auto& target = mesh.targets[0];
    std::size_t copies = 0;
    for (std::size_t i = 0; i < target.indices.size(); ++i) {
        const std::uint32_t vertex = target.indices[i];
        const std::size_t points = file.meshes[0].points.size();
        const std::uint32_t point = vertex < points ? vertex : duplicates[vertex - points];
        copies += vertex < points ? 0 : 1;
        const auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& one) { return one.point == point; });
        ASSERT_NE(set, sets.end());
        const glm::dvec3 offset = head * wide(set->offset) * 2.0 * figure_metres;
        EXPECT_LT(glm::length(wide(target.positions[i]) - offset), 1e-5);
        const glm::dvec3 end = wide(normals[vertex]) + wide(target.normals[i]);
        EXPECT_LT(glm::length(end - head * wide(set->normal)), 1e-5);
    }
    EXPECT_GT(copies, 0u);
    EXPECT_EQ(target.indices.size(), sets.size() + copies);
}

TEST(ArpScene, AmbientMotionTurnsTheRestAndLoops) {
    const Description description = figure();
    const File file = read(description);
    const Scene scene = convert(description).value;
    ASSERT_EQ(scene.clips.size(), 1u);
    const Clip& clip = scene.clips[0];
    EXPECT_EQ(clip.name, "ambient");
    EXPECT_NE(clip.extras.json.find("\"loop\":true"), std::string::npos);
    EXPECT_FLOAT_EQ(clip.duration, static_cast<float>(file.ambient->frames.size()) / 25.0F);
    std::size_t compared = 0;
    for (const Track& one : clip.tracks) {
        EXPECT_NE(one.path, TrackPath::translation);
        if (one.path != TrackPath::rotation) continue;
        const Node& node = scene.nodes[one.node];
        for (std::size_t key = 0; key < one.times.size(); ++key) {
            const auto frame =
                static_cast<std::size_t>(std::lround(double{one.times[key]} * 25)) % file.ambient->frames.size();
            glm::dquat delta(1, 0, 0, 0);
            for (const auto& entry : file.ambient->frames[frame].bones) {
                if (effigy::arp::text_of(entry.bone) == node.name) delta = glm::normalize(wide(entry.rotation));
            }
            const glm::dquat value(one.values[4 * key + 3], one.values[4 * key], one.values[4 * key + 1],
                                   one.values[4 * key + 2]);
            EXPECT_LT(angle_between(value, glm::normalize(wide(node.local.rotation)) * delta), 1e-5);
            ++compared;
        }
    }
    EXPECT_GT(compared, 0u);
    EXPECT_TRUE(std::any_of(clip.tracks.begin(), clip.tracks.end(),
                            [](const Track& one) { return one.path == TrackPath::weights; }));
}

/// Before 3.1 frames have times: 0 on a later one is 40 ms after the one before, and blanks fill names up.
TEST(ArpScene, OldAmbientMotionHasItsOwnTimes) {
    const auto last_and_duration = [](const Description& description) {
        const auto [scene, report] = convert(description);
        EXPECT_EQ(report.count("motion-unmatched") + report.count("arp-frame-time"), 0u);
        const Clip& clip = scene.clips.at(0);
        const Track* weights = track(clip, find(scene, "anna.mesh"), TrackPath::weights);
        EXPECT_NE(weights, nullptr);
        const float most = weights == nullptr ? 0 : *std::max_element(weights->values.begin(), weights->values.end());
        EXPECT_FLOAT_EQ(most, 1.12F);
        const Track* head = track(clip, find(scene, "HEAD"), TrackPath::rotation);
        return std::pair(head == nullptr ? 0 : head->times.at(head->times.size() - 2), clip.duration);
    };
    for (const char* version : {"2.2", "3.0"}) {
        SCOPED_TRACE(version);
        Description description = figure(version);
        auto [last, duration] = last_and_duration(description);
        EXPECT_FLOAT_EQ(last, 0.2F);
        EXPECT_FLOAT_EQ(duration, 0.24F);
        description.frames[3].time = 500;
        std::tie(last, duration) = last_and_duration(description);
        EXPECT_FLOAT_EQ(last, 0.58F);
        EXPECT_FLOAT_EQ(duration, 0.62F);
    }
}

TEST(ArpScene, SignsAreClips) {
    Description description = figure();
    description.skeleton_offset = 1;
    SceneInput input = input_of(read(description));
    effigy::cas::File motion;
    motion.signs = {{"HELLO", 0}, {"WORLD", 2}};
    motion.frames.resize(4);
    const double times[] = {100, 140, 180, 300};
    for (std::size_t i = 0; i < 4; ++i) {
        motion.frames[i].time = times[i];
        motion.frames[i].duration = 40;
        motion.frames[i].complete = i == 0;
    }
    const Quat aside = narrow(turn(0, 1, 0, 20)), back = narrow(turn(0, 1, 0, -20));
    motion.frames[0].bones = {{"ROOT", Vec3{1, 2, 3}, Quat{}}, {"HEAD", Vec3{9, 9, 9}, aside}, {"TAIL", {}, aside}};
    motion.frames[3].bones = {{"HEAD", {}, back}};
    motion.frames[1].morphs = {{"jawd", 1.25F}, {"tail", 1}};
    input.motions.push_back({{"hello", 0, {}}, motion});
    const auto [scene, report] = convert(std::move(input));
    const Clip& clip = scene.clips.front();
    EXPECT_EQ(clip.name, "hello");
    EXPECT_FLOAT_EQ(clip.duration, 0.24F);
    const Track* root = track(clip, find(scene, "ROOT"), TrackPath::translation);
    ASSERT_NE(root, nullptr);
    EXPECT_NEAR(root->values[0], figure_metres, 1e-6);
    EXPECT_NEAR(root->values[1], 3 * figure_metres, 1e-6);
    EXPECT_EQ(track(clip, find(scene, "HEAD"), TrackPath::translation), nullptr);
    const Track* head = track(clip, find(scene, "HEAD"), TrackPath::rotation);
    ASSERT_NE(head, nullptr);
    // It stays until the frame before the one that turns it.
    ASSERT_EQ(head->times.size(), 3u);
    EXPECT_FLOAT_EQ(head->times[1], 0.08F);
    EXPECT_FLOAT_EQ(head->times[2], 0.2F);
    EXPECT_FLOAT_EQ(head->values[5], aside.y);
    EXPECT_FLOAT_EQ(head->values[9], back.y);
    const Track* morphs = track(clip, find(scene, "anna.mesh"), TrackPath::weights);
    ASSERT_NE(morphs, nullptr);
    EXPECT_FLOAT_EQ(*std::max_element(morphs->values.begin(), morphs->values.end()), 1.25F);
    EXPECT_EQ(report.count("motion-unmatched"), 1u);
    const auto extras = parse_json(clip.extras.json);
    ASSERT_TRUE(extras);
    EXPECT_EQ(report.count("arp-translation-ignored"), 1u);
    EXPECT_EQ((*extras)["signs"][1]["gloss"], "WORLD");
    EXPECT_NEAR((*extras)["signs"][1]["time"].get<double>(), 0.08, 1e-6);
}

TEST(ArpScene, TimesThatStartAnewFollowOneAnother) {
    SceneInput input = input_of(read(figure()));
    effigy::cas::File motion;
    for (int i = 0; i < 4; ++i) {
        auto& frame = motion.frames.emplace_back();
        frame.time = i % 2 * 40;
        frame.duration = 50;
        frame.bones = {{"HEAD", {}, narrow(turn(0, 1, 0, 10 * i))}};
    }
    input.motions.push_back({{"stream", 0, {}}, motion});
    const auto [scene, report] = convert(std::move(input));
    const Track* head = track(scene.clips.front(), find(scene, "HEAD"), TrackPath::rotation);
    ASSERT_NE(head, nullptr);
    ASSERT_EQ(head->times.size(), 5u);
    EXPECT_FLOAT_EQ(head->times[2], 0.09F);
    EXPECT_FLOAT_EQ(head->times[3], 0.13F);
    // The last frame lasts.
    EXPECT_FLOAT_EQ(head->times[4], 0.18F);
    EXPECT_EQ(report.count("arp-frame-time"), 1u);
}

TEST(ArpScene, ResamplingGivesSteadyKeys) {
    SceneOptions options;
    options.resample = 50;
    const Scene scene = convert(figure(), options).value;
    for (const Track& one : scene.clips[0].tracks) {
        ASSERT_GT(one.times.size(), 2u);
        EXPECT_FLOAT_EQ(one.times[1], 0.02F);
    }
}

TEST(ArpScene, StripsBecomeTrianglesWithoutJoins) {
    Description description = small_figure();
    description.meshes[0].strip = {0, 1, 2, 2, 3, 3, 0, 1};
    const Scene scene = convert(description).value;
    const Bulk<std::uint32_t>& indices = scene.meshes[0].primitives[0].indices;
    const Bulk<std::uint32_t> expected{0, 1, 2, 3, 1, 0};
    EXPECT_EQ(indices, expected);
}

TEST(ArpScene, TextureCoordinatesAreTurnedByTheFlags) {
    Description description = small_figure();
    const auto v_of = [](const Description& d) {
        return attribute<Vec2>(convert(d).value.meshes[0], Semantic::texcoord)[3].y;
    };
    EXPECT_FLOAT_EQ(v_of(description), 0);
    description.flags[5] = 1;
    EXPECT_FLOAT_EQ(v_of(description), 1);
    description.flags = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_FLOAT_EQ(v_of(description), 1);
}

TEST(ArpScene, TexturesAreEmbeddedBesideOrNamed) {
    image::Picture picture;
    picture.width = picture.height = 2;
    picture.rgba.assign(16, std::byte{200});
    const Bytes png = image::encode_png(picture).value();

    Scene scene = convert(small_figure()).value;
    ASSERT_EQ(scene.images.size(), 1u);
    EXPECT_EQ(scene.images[0].name, "skin.png");
    EXPECT_TRUE(scene.images[0].bytes.empty());
    EXPECT_FALSE(scene.materials[0].double_sided);
    EXPECT_NE(scene.materials[0].extras.json.find("reflectance"), std::string::npos);

    SceneInput input = input_of(read(small_figure()));
    input.avatars[0].companions.emplace_back("SKIN.PNG", png);
    scene = convert(std::move(input)).value;
    EXPECT_EQ(scene.images[0].bytes, png);

    Description description = small_figure();
    description.flags[0] = 1;
    description.image = png;
    scene = convert(description).value;
    EXPECT_EQ(scene.images[0].bytes, png);
    EXPECT_EQ(convert(description).report.count("arp-texture-embedded"), 0u);
    description.flags = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    description.image = jib(3, 2);
    const auto repacked = convert(description);
    EXPECT_EQ(repacked.value.images[0].mime_type, "image/png");
    EXPECT_EQ(repacked.report.count("arp-texture-embedded"), 1u);
    description.image = jib(3, 3);
    description.image.resize(10);
    const auto damaged = convert(description);
    EXPECT_EQ(damaged.report.count("texture-damaged"), 1u);
}

TEST(ArpScene, LevelsOfDetailReplaceTheFirstMesh) {
    Description description = figure();
    description.meshes.push_back(description.meshes[0]);
    const Scene scene = convert(description).value;
    ASSERT_EQ(scene.meshes.size(), 2u);
    const Node& base = scene.nodes[find(scene, "anna.mesh0")];
    ASSERT_EQ(base.lods.size(), 1u);
    EXPECT_TRUE(scene.nodes[base.lods[0]].hidden);
    EXPECT_EQ(base.parent, no_index);
    EXPECT_EQ(base.local, Transform{});
    SceneOptions options;
    options.lod = 7;
    const auto coarse = convert(description, options);
    EXPECT_EQ(coarse.value.meshes.size(), 1u);
    EXPECT_EQ(coarse.value.meshes[0].name, "anna.mesh1");
    EXPECT_EQ(coarse.report.count("lod-other"), 1u);
}

TEST(ArpScene, ManyLinksTakeSeveralSets) {
    Description description = figure();
    auto& links = description.meshes[0].points[0].links;
    const RawLink first = links[0];
    links.clear();
    for (std::size_t i = 0; i < 6; ++i) {
        RawLink link = first;
        link.bone = description.bones[i].name;
        link.weight = i == 5 ? 0.5F : 0.1F;
        links.push_back(link);
    }
    SceneOptions options;
    options.arm_twist = ArmTwist::none;
    const auto [scene, report] = convert(description, options);
    const auto low = attribute<float>(scene.meshes[0], Semantic::weights, 0);
    const auto high = attribute<float>(scene.meshes[0], Semantic::weights, 1);
    ASSERT_FALSE(high.empty());
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += double{low[k]} + double{high[k]};
    EXPECT_NEAR(sum, 1, 1e-6);
    // The heaviest first.
    EXPECT_FLOAT_EQ(low[0], 0.5F);
    EXPECT_FLOAT_EQ(high[1], 0.1F);
    EXPECT_EQ(high[2], 0);
    EXPECT_EQ(report.count("arp-many-links"), 1u);
}

TEST(ArpScene, UnitsOfFilesWithoutHeight) {
    Description description = small_figure();
    description.volume_high = description.volume_low;
    const auto [scene, report] = convert(description);
    EXPECT_EQ(report.count("arp-volume"), 1u);
    EXPECT_FLOAT_EQ(scene.nodes[find(scene, "HEAD")].local.translation.x, 2);
    const Scene old = convert(small_figure("2.2")).value;
    EXPECT_NEAR(old.nodes[find(old, "HEAD")].local.translation.x, 2 / 39.37, 1e-6);
}

TEST(ArpScene, ExtrasKeepWhatHasNoPlace) {
    SceneInput input = input_of(read(figure()));
    const auto text = [](std::string_view characters) {
        Bytes bytes(characters.size());
        std::transform(characters.begin(), characters.end(), bytes.begin(),
                       [](char letter) { return static_cast<std::byte>(letter); });
        return bytes;
    };
    input.avatars[0].companions.emplace_back(
        "asd.xml", text(R"(<avatarStaticData><avatar><skeleton scale="0.5"><joint name="ROOT" position="0 1 0"
        rotation="0 0 0 1"><joint name="HEAD" position="2 0 0" rotation="0 0 0 1"/></joint></skeleton></avatar>
        </avatarStaticData>)"));
    input.avatars[0].companions.emplace_back(
        "nonmanuals.xml",
        text(R"(<nonmanuals><nose sigmlName="WR"><par_morph><morph name="nswr" amount="0.5" parts="2" element="x"
        timing="x m t 0.1 - s 0.1 l x"/></par_morph></nose></nonmanuals>)"));
    const Scene scene = convert(input).value;
    const auto extras = parse_json(scene.asset_extras.json);
    ASSERT_TRUE(extras);
    EXPECT_EQ((*extras)["humanoid"]["hips"], "ROOT");
    EXPECT_EQ((*extras)["humanoid"]["leftLowerArm"], "LLRA");
    EXPECT_FALSE((*extras)["file"]["default_pose"].empty());
    EXPECT_EQ((*extras)["file"]["version"], "3.1");
    EXPECT_EQ((*extras)["file"]["texture_name"], "skin.png");
    const Json beside = record_of(scene.nodes[0].extras)["beside"];
    EXPECT_EQ(beside["skeleton"]["joints"].size(), 2u);
    EXPECT_EQ(beside["skeleton"]["joints"][1]["parent"], 0);
    EXPECT_EQ(beside["files"].size(), 2u);
    EXPECT_EQ(beside["nonmanuals"][0]["parts"][0]["parts"][0]["name"], "nswr");
    EXPECT_NE(scene.nodes[find(scene, "HEAD")].extras.json.find("inverse_twist"), std::string::npos);
    EXPECT_NE(scene.skins[0].extras.json.find("worst_residual"), std::string::npos);

    input.avatars[0].companions[0].second = text("<avatarStaticData>");
    EXPECT_EQ(convert(std::move(input)).report.count("arp-companion"), 1u);
}

/// Weights of sets: one where all are equal, else those of the points in their order.
TEST(ArpScene, ExtrasKeepTheWeightsOfMorphSets) {
    Description description = figure();
    auto& sets = description.meshes[0].targets[0].sets;
    for (RawSet& set : description.meshes[0].targets[1].sets) set.weight = 1;
    std::swap(sets[0], sets[1]);
    sets[0].weight = 0.25F;
    const Scene scene = convert(description).value;
    const Json extras = record_of(scene.meshes[0].extras);
    const Json& targets = extras["targets"];
    ASSERT_EQ(targets.size(), 2u);
    EXPECT_EQ(targets[0]["target"], 0);
    EXPECT_EQ(targets[1]["target"], 2);
    EXPECT_EQ(targets[1]["weights"], 0.5);
    Budget budget(Limits{}, 1000);
    const auto stored = bytes_at(targets[0], "weights");
    ASSERT_TRUE(stored);
    const auto bytes = effigy::arp::unpacked(*stored, budget);
    ASSERT_TRUE(bytes);
    ASSERT_EQ(bytes->size(), sizeof(float) * sets.size());
    std::array<float, 3> weights{};
    std::memcpy(weights.data(), bytes->data(), sizeof weights);
    EXPECT_EQ(weights, (std::array<float, 3>{0.5F, 0.25F, 0.5F}));
    EXPECT_FALSE(effigy::arp::unpacked(std::span(*stored).first(stored->size() - 1), budget));
    EXPECT_FALSE(effigy::arp::unpacked(std::span(*stored).first(7), budget));
}

TEST(ArpScene, VerticesKnowTheirPoint) {
    const Description description = figure();
    const Scene scene = convert(description).value;
    const effigy::Mesh& mesh = scene.meshes[0];
    const auto found = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                    [](const Attribute& one) { return one.custom_name == "_ORIGINAL_VERTEX"; });
    ASSERT_NE(found, mesh.attributes.end());
    const auto numbers = found->data.as<float>();
    const RawMesh& raw = description.meshes[0];
    ASSERT_EQ(numbers.size(), raw.points.size() + raw.duplicates.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t expected = i < raw.points.size() ? i : raw.duplicates[i - raw.points.size()];
        EXPECT_EQ(static_cast<std::size_t>(numbers[i]), expected);
    }
}

/// What has no place in glTF and none in extras has a line in the report.
TEST(ArpScene, LossesAreReported) {
    const auto count = [](const Description& description, const char* code) {
        return convert(description).report.count(code);
    };
    const Description sound = figure();
    for (const char* code : {"arp-weight-sum", "arp-distance", "arp-normals-apart", "arp-neighbours",
                             "arp-texcoord-count", "arp-translation-ignored"}) {
        EXPECT_EQ(count(sound, code), 0u) << code;
    }
    EXPECT_EQ(count(sound, "arp-weight-zero"), 1u);
    EXPECT_EQ(count(figure("2.2"), "arp-neighbours"), 1u);
    const auto changed = [&](auto&& change) {
        Description description = sound;
        change(description);
        return description;
    };
    auto& first = sound.meshes[0].points[0].links[0];
    EXPECT_EQ(first.weight, 1);
    EXPECT_EQ(count(changed([](Description& d) { d.meshes[0].points[0].links[0].weight = 0.9F; }), "arp-weight-sum"),
              1u);
    EXPECT_EQ(count(changed([](Description& d) { d.meshes[0].points[0].links[0].distance += 1; }), "arp-distance"), 1u);
    EXPECT_EQ(count(changed([](Description& d) { d.meshes[0].texcoords.resize(310); }), "arp-texcoord-count"), 1u);
    EXPECT_EQ(count(changed([](Description& d) {
                        for (RawPoint& point : d.meshes[0].points) {
                            if (point.links.size() == 2) point.links[0].normal = {1, 0, 0};
                        }
                    }),
                    "arp-normals-apart"),
              1u);
    EXPECT_EQ(count(changed([](Description& d) {
                        d.frames[1].bones[0].translation = {9, 0, 0};
                    }),
                    "arp-translation-ignored"),
              1u);
}

Json record_of_file(const Description& description) {
    return record_of(convert(description).value.asset_extras)["file"];
}

TEST(ArpScene, DefaultPosesOfOtherBonesAreKept) {
    Description description = small_figure();
    for (std::size_t i = 0; i < description.default_pose.size(); ++i) {
        description.default_pose[i].translation = description.bones[i].translation;
        description.default_pose[i].rotation = description.bones[i].rotation;
    }
    EXPECT_TRUE(record_of_file(description)["default_pose"].empty());
    std::swap(description.default_pose[0], description.default_pose[1]);
    const Json pose = record_of_file(description)["default_pose"];
    ASSERT_EQ(pose.size(), 2u);
    EXPECT_EQ(pose[0][0], "HEAD");
    EXPECT_EQ(pose[1][0], "ROOT");
}

TEST(ArpScene, RecordsSayHowAFileIsLaidOut) {
    const auto duplicates = [](RawDuplicates form) {
        Description description = figure("2.1");
        description.form.duplicates = form;
        description.form.material_last = form == RawDuplicates::triples;
        return record_of_file(description);
    };
    EXPECT_FALSE(duplicates(RawDuplicates::u32).contains("duplicates_u32"));
    EXPECT_EQ(duplicates(RawDuplicates::triples)["duplicates_triples"], true);
    EXPECT_EQ(duplicates(RawDuplicates::triples)["material_behind_skeleton"], true);
    EXPECT_EQ(duplicates(RawDuplicates::lists)["duplicates_lists"], true);
}

TEST(ArpScene, OneAvatarAndNotOnlyMotions) {
    SceneInput input = input_of(read(small_figure()));
    input.avatars.push_back(input.avatars[0]);
    auto refused = effigy::arp::to_scene(input);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "arp-avatars");
    SceneInput motion;
    motion.motions.push_back({{"hello", 0, {}}, {}});
    refused = effigy::arp::to_scene(motion);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "nothing-to-show");
}

TEST(ArpScene, MemoryIsBounded) {
    // One target moves a point with many duplicates, often.
    Description description = small_figure();
    description.meshes[0].duplicates.assign(20000, 0);
    description.meshes[0].texcoords.assign(20003, {0, 0});
    description.meshes[0].targets[0].sets.assign(2000, {});
    SceneOptions options;
    options.limits.memory = 64 << 20;
    const auto refused = effigy::arp::to_scene(input_of(read(description)), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
}

TEST(ArpScene, DamagedFilesBecomeFiniteScenes) {
    const File good = read(figure());
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1, 1e38F};
    for (const float value : bad) {
        File file = good;
        file.scale = file.skeleton_offset = value;
        file.bones[1].translation.x = file.bones[2].rotation.w = file.bones[7].length = value;
        file.bones[3].parent = "none";
        file.bones[4].name = file.bones[5].name;
        auto& mesh = file.meshes[0];
        mesh.points.offsets[0].x = mesh.points.normals[1].y = mesh.points.weights[2] = value;
        mesh.points.distances[3] = value;
        mesh.points.bones[4] = 0xffffffff;
        mesh.strip[5] = 0xffff;
        mesh.duplicates[0] = 0xffffffff;
        mesh.texcoords[1].y = value;
        mesh.morph_targets[0].sets[0].offset.z = mesh.morph_targets[0].sets[1].normal.z = value;
        mesh.morph_targets[0].sets[2].point = 0xffffffff;
        mesh.morph_targets[1].sets[0] = mesh.morph_targets[1].sets[1];
        file.ambient->frames_per_second = value;
        file.ambient->frames[1].bones[0].rotation.x = value;
        const auto scene = convert(input_of(file));
        EXPECT_EQ(scene.report.count("arp-duplicate-range"), 1u);
        EXPECT_FALSE(scene.report.has_errors());
        EXPECT_EQ(scene.report.count("arp-bone-repeated"), 1u);
        EXPECT_EQ(scene.report.count("arp-morph-repeated"), 1u);
        for (const Attribute& one : scene.value.meshes[0].attributes) {
            if (one.data.component != ComponentType::f32) continue;
            const auto numbers = one.data.as<float>();
            EXPECT_TRUE(
                std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); }));
        }
    }
    EXPECT_TRUE(effigy::arp::to_scene(input_of(File{})).error().code == "nothing-to-show");
}

TEST(ArpScene, EveryVariantConverts) {
    for (const Fixture& fixture : all_fixtures()) {
        SCOPED_TRACE(fixture.name);
        const auto loaded = effigy::arp::read(make(fixture.description));
        if (!loaded) continue;  // ambiguous ones are another test's
        const auto scene = convert(input_of(loaded->value));
        EXPECT_EQ(scene.value.meshes.size(), fixture.description.meshes.size());
    }
}

// The corpus, and the Khronos validator where it is installed.

/// What a container would hold beside an avatar.
std::vector<std::pair<std::string, Bytes>> beside(const std::filesystem::path& directory) {
    std::vector<std::pair<std::string, Bytes>> files;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
        const std::string extension = entry.path().extension().string();
        if (!entry.is_regular_file() || (extension != ".png" && extension != ".xml")) continue;
        const auto bytes = read_bytes(entry.path());
        files.emplace_back(entry.path().filename().string(), Bytes(bytes.begin(), bytes.end()));
    }
    return files;
}

int run(const std::string& command, const std::filesystem::path& output) {
    return std::system((command + " > '" + output.string() + "' 2>&1").c_str());
}

const std::filesystem::path tools = std::filesystem::path(EFFIGY_SOURCE_DIR) / "tests" / "tools";

bool has_validator(const std::filesystem::path& log) {
    if (run("node --version", log) != 0) return false;
    const char* const named = std::getenv("GLTF_VALIDATOR");
    return std::filesystem::exists((named != nullptr ? std::filesystem::path(named) : tools) / "node_modules" /
                                   "gltf-validator");
}

void expect_valid(const Scene& scene, const TemporaryFolder& folder) {
    const auto path = folder.path() / "avatar.glb", log = folder.path() / "log.txt";
    const auto written = gltf::write_file(scene, path);
    ASSERT_TRUE(written) << to_string(written.error());
    const std::string command = "node '" + (tools / "validate.mjs").string() + "' '" + path.string() + "'";
    EXPECT_EQ(run(command, log), 0) << read_text(log);
}

TEST(ArpScene, ValidatorFindsNothing) {
    const TemporaryFolder folder;
    if (!has_validator(folder.path() / "log.txt")) GTEST_SKIP() << "no node or gltf-validator: see tests/tools";
    SceneInput input = input_of(read(figure()));
    input.motions.push_back({{"pose", 0, {}}, motion_of(input.avatars[0].file, random_pose(read(figure()), 1))});
    expect_valid(convert(std::move(input)).value, folder);
    Description levels = figure("3.0");
    levels.meshes.push_back(levels.meshes[0]);
    expect_valid(convert(levels).value, folder);
}

/// What skins are without twist: skin_proof_test.cpp.
TEST(ArpScene, CorpusConvertsAndTwistsArms) {
    EFFIGY_NEEDS_AVATARS();
    const TemporaryFolder temporary;
    const bool validates = has_validator(temporary.path() / "log.txt");
    for (const avatars::Avatar& avatar : avatars::all()) {
        SCOPED_TRACE(avatar.name);
        const File& file = avatar.file;
        const auto local = random_pose(file, 7);
        SceneInput input = input_of(file);
        input.avatars[0].companions = beside(avatar.folder());
        input.motions.push_back({{"pose", 0, {}}, motion_of(file, local)});
        SceneOptions plain;
        plain.arm_twist = ArmTwist::none;
        const double height = double{file.volume_high.y} - double{file.volume_low.y};
        const auto off = [&](const Scene& scene) {
            auto poser = poser_of(scene);
            EXPECT_TRUE(poser.pose(0, 0));
            return distance(file, pose(file, local), poser, 1.8 / height, true);
        };
        const double untwisted = off(convert(input, plain).value);
        const Scene scene = convert(std::move(input)).value;
        const double twisted = off(scene);
        EXPECT_LT(twisted, 0.2 * untwisted + effigy::arp::recover_bind(file, 0).worst_residual + 1e-5 * height);
        std::cout << "corpus: " << avatar.name << ": twisted arms are " << 100 * twisted / height
                  << " % of the height off with helper joints, " << 100 * untwisted / height << " % without\n";
        if (validates) expect_valid(scene, temporary);
    }
    std::cout << "corpus: " << avatars::all().size() << " avatars converted" << (validates ? " and validated" : "")
              << "\n";
}

}  // namespace
}  // namespace effigy::test::arp
