// Avatars that were edited on their way: the rest of what comes out is that of the scene, measured in numbers, whatever
// was scaled, turned or moved, and whatever the records of the old avatar say.

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>
#include <iomanip>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "effigy/arp_container.hpp"
#include "effigy/arp_scene.hpp"
#include "effigy/gltf.hpp"
#include "effigy/hashes.hpp"
#include "effigy/scene_access.hpp"

#include "arp/file/zip.hpp"
#include "avatars.hpp"
#include "contents.hpp"
#include "core/budget.hpp"
#include "core/json.hpp"
#include "reports.hpp"
#include "scene/records.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::test::arp {
namespace {

using effigy::arp::File;
using effigy::arp::NativeFiles;
using glm::dquat;
using glm::dvec3;

Bytes content(const std::string& name) { return read_bytes(std::string(EFFIGY_SIGNER) + "/" + name); }

const File& signer() {
    static const File file = effigy::arp::read(content("avatardef.jarp")).value().value;
    return file;
}

Scene scene_of(const File& file, bool with_motion = true) {
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, file, {}});
    if (with_motion) input.motions.push_back({{"hello", 0, {}}, cas::read(content("hello.cas.xml")).value().value});
    auto scene = effigy::arp::to_scene(std::move(input));
    EXPECT_TRUE(scene) << to_string(scene.error());
    return scene ? std::move(scene->value) : Scene{};
}

Node& node_of(Scene& scene, const std::string& name) {
    const auto found =
        std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& n) { return n.name == name; });
    EXPECT_NE(found, scene.nodes.end()) << name;
    return found == scene.nodes.end() ? scene.nodes.front() : *found;
}

/// Vertices of the first skinned mesh as a viewer shows them at rest, with a morph target at 1 or none.
std::vector<dvec3> shown(const Scene& scene, std::size_t target = ~std::size_t{0}) {
    const auto node = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                   [](const Node& n) { return n.skin != no_index && !n.hidden; });
    if (node == scene.nodes.end()) return {};
    const Mesh& mesh = scene.meshes[node->mesh];
    const Skin& skin = scene.skins[node->skin];
    const std::vector<glm::dmat4> worlds = rest_worlds(scene);
    const FloatView positions(mesh, Semantic::position);
    std::vector<dvec3> offsets(mesh.vertex_count, dvec3(0)), places;
    if (target < mesh.targets.size()) {
        for (std::size_t i = 0; i < mesh.targets[target].indices.size(); ++i)
            offsets[mesh.targets[target].indices[i]] = wide(mesh.targets[target].positions[i]);
    }
    InfluenceReader influences(mesh, skin.joints.size());
    std::vector<glm::dmat4> matrices;
    for (std::size_t i = 0; i < skin.joints.size(); ++i)
        matrices.push_back(worlds[skin.joints[i]] * wide(skin.inverse_bind_matrices[i]));
    for (std::size_t i = 0; i < mesh.vertex_count; ++i) {
        const dvec3 bound = dvec3(positions[i][0], positions[i][1], positions[i][2]) + offsets[i];
        dvec3 sum(0);
        double whole = 0;
        for (const VertexInfluence& one : influences.all(i)) {
            sum += one.weight * dvec3(matrices[one.joint] * glm::dvec4(bound, 1));
            whole += one.weight;
        }
        places.push_back(sum / whole);
    }
    return places;
}

/// Points of the file as players put them at rest, in metres.
std::vector<dvec3> played(const File& file) {
    std::vector<dvec3> places;
    std::vector<dquat> turns;
    const auto bone_called = [&](const std::string& name) {
        return effigy::arp::find_bone(file, name.substr(0, name.find('\0')));
    };
    for (const effigy::arp::Bone& bone : file.bones) {
        const std::size_t parent = bone.parent.c_str()[0] == 0 ? file.bones.size() : bone_called(bone.parent);
        dvec3 place = wide(bone.translation);
        if (parent >= turns.size()) place.y += double{file.skeleton_offset};
        const dquat turn = glm::normalize(wide(bone.rotation));
        places.push_back(parent < turns.size() ? places[parent] + turns[parent] * place : place);
        turns.push_back(parent < turns.size() ? turns[parent] * turn : turn);
    }
    const double metres = 1.8 / (double{file.volume_high.y} - double{file.volume_low.y});
    const effigy::arp::Points& points = file.meshes.front().points;
    std::vector<dvec3> result;
    std::size_t link = 0;
    for (const std::uint32_t count : points.link_counts) {
        dvec3 sum(0);
        for (const std::size_t end = link + count; link < end; ++link) {
            const std::size_t bone = bone_called(file.link_names[points.bones[link]]);
            if (points.weights[link] > 0)
                sum += double{points.weights[link]} * (places[bone] + turns[bone] * wide(points.offsets[link]));
        }
        result.push_back(sum * metres);
    }
    return result;
}

dvec3 origin_of(const effigy::arp::Container& container) {
    const auto* names = effigy::arp::find_entry(container, "names.json");
    if (names == nullptr) return dvec3(0);
    const auto* text = reinterpret_cast<const char*>(names->content.data());
    const auto json = Json::parse(text, text + names->content.size());
    if (!json.contains("origin")) return dvec3(0);
    return {json["origin"][0].get<double>(), json["origin"][1].get<double>(), json["origin"][2].get<double>()};
}

double worst_of(const std::vector<dvec3>& a, const std::vector<dvec3>& b, const dvec3& origin) {
    double worst = a.size() >= b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, glm::distance(a[i] - origin, b[i]));
    return worst;
}

struct Edit {
    const char* name;
    std::function<void(Scene&)> apply;
    bool is_even = true;  ///< all bones change alike: motion stays rigid, and the bind is as certain as it was
};

void put_above(Scene& scene, const Vec3& scale) {
    const auto wrapper = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = "Wrapper";
    scene.nodes[wrapper].local.scale = scale;
    for (Index i = 0; i < wrapper; ++i) {
        if (scene.nodes[i].parent == no_index) add_child(scene, wrapper, i);
    }
}

const std::vector<Edit>& edits() {
    static const Quat quarter{0, 0.38941834F, 0, 0.92106099F}, nod{0, 0, 0.19866933F, 0.98006658F};
    static const std::vector<Edit> all{
        {"nothing", [](Scene&) {}},
        {"root scaled",
         [](Scene& s) {
             s.nodes[0].local.scale = {1.1F, 1.1F, 1.1F};
         }},
        {"root doubled",
         [](Scene& s) {
             s.nodes[0].local.scale = {2, 2, 2};
         }},
        {"root scaled by little",
         [](Scene& s) {
             s.nodes[0].local.scale = {1.00002F, 1.00002F, 1.00002F};
         }},
        {"root turned", [](Scene& s) { s.nodes[0].local.rotation = quarter; }},
        {"root moved",
         [](Scene& s) {
             s.nodes[0].local.translation = {0, 0.5F, 0};
         }},
        {"root scaled unevenly",
         [](Scene& s) {
             s.nodes[0].local.scale = {1, 1.2F, 1};
         },
         false},
        {"root mirrored",
         [](Scene& s) {
             s.nodes[0].local.scale = {-1, 1, 1};
         }},
        {"scaled from above",
         [](Scene& s) {
             put_above(s, {1.1F, 1.1F, 1.1F});
         }},
        {"ROOT scaled",
         [](Scene& s) {
             node_of(s, "ROOT").local.scale = {1.1F, 1.1F, 1.1F};
         }},
        {"ROOT turned", [](Scene& s) { node_of(s, "ROOT").local.rotation = quarter; }},
        {"HEAD scaled",
         [](Scene& s) {
             node_of(s, "HEAD").local.scale = {1.3F, 1.3F, 1.3F};
         },
         false},
        {"HEAD turned", [](Scene& s) { node_of(s, "HEAD").local.rotation = nod; }},
        {"neck longer", [](Scene& s) { node_of(s, "NEC1").local.translation.x *= 1.5F; }},
        {"bind scaled",
         [](Scene& s) {
             for (Mat4& m : s.skins[0].inverse_bind_matrices)
                 for (int i = 0; i < 12; ++i) m.m[static_cast<std::size_t>(i)] *= 1.1F;
         }},
    };
    return all;
}

void expect_right(const Scene& edited, const File& original, const Edit& edit) {
    SCOPED_TRACE(edit.name);
    const auto files = effigy::arp::from_scene(edited);
    ASSERT_TRUE(files) << to_string(files.error());
    const File& made = files->value.container.avatar;
    const dvec3 origin = origin_of(files->value.container);
    const bool is_same = std::string_view(edit.name) == "nothing";
    // As it was, an avatar may have links that no bind explains.
    EXPECT_LT(worst_of(shown(edited), played(made), origin), is_same ? 1e-3 : 1e-5);
    EXPECT_EQ(files->report.count("arp-origin") > 0, origin != dvec3(0));
    if (edit.is_even) {
        // Nothing of this moves a bone in time.
        EXPECT_EQ(files->report.count("arp-translation-ignored"), 0u) << findings(files->report);
    }
    const Scene again = scene_of(made, false);
    for (const std::size_t target : {0U, 7U})
        EXPECT_LT(worst_of(shown(edited, target), shown(again, target), origin), edit.is_even ? 1e-4 : 2e-3) << target;
    if (is_same) {
        EXPECT_EQ(effigy::arp::write(made).value(), effigy::arp::write(original).value());
    }
}

TEST(ArpFromSceneEdit, RestIsThatOfTheScene) {
    const Scene whole = scene_of(signer());
    for (const Edit& edit : edits()) {
        Scene scene = whole;
        edit.apply(scene);
        expect_right(scene, signer(), edit);
    }
}

/// Without the sum behind them, as older versions wrote these records.
void make_old(Scene& scene) {
    for (Mesh& mesh : scene.meshes) {
        Json record = record_of(mesh.extras);
        Budget budget(Limits{}, 1U << 24U);
        Bytes exact = effigy::arp::unpacked(*bytes_at(record, "exact"), budget).value();
        exact.resize(exact.size() - 8);
        record["exact"] = json_bytes(effigy::arp::packed(exact));
        set_record(mesh.extras, std::move(record));
    }
}

TEST(ArpFromSceneEdit, OldRecordsCountWhereNothingWasEdited) {
    const Scene whole = scene_of(signer(), false);
    for (const std::size_t number : {0U, 1U, 11U, 14U}) {
        Scene scene = whole;
        make_old(scene);
        edits().at(number).apply(scene);
        expect_right(scene, signer(), edits().at(number));
    }
}

/// Whatever has changed beside it, a record makes the old numbers or none.
TEST(ArpFromSceneEdit, ARecordProvesThatItBelongs) {
    Scene scene = scene_of(signer(), false);
    edits().back().apply(scene);
    scene.skins[0].extras = {};
    expect_right(scene, signer(), edits().back());
}

cas::File motion_of(const Scene& scene) {
    auto files = effigy::arp::from_scene(scene);
    EXPECT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->value.motions.size(), 1u);
    return files->value.motions.empty() ? cas::File{} : std::move(files->value.motions.front().second);
}

Scene scene_with(cas::File motion) {
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, signer(), {}});
    input.motions.push_back({{"hello", 0, {}}, std::move(motion)});
    return std::move(effigy::arp::to_scene(std::move(input)).value().value);
}

double end_of(const cas::File& motion) { return motion.frames.back().time + motion.frames.back().duration; }

Clip& hello_of(Scene& scene) {
    return *std::find_if(scene.clips.begin(), scene.clips.end(), [](const Clip& clip) { return clip.name == "hello"; });
}

TEST(ArpFromSceneEdit, MotionKeepsItsLength) {
    const cas::File original = cas::read(content("hello.cas.xml")).value().value;
    cas::File motion = original;
    std::vector<std::size_t> counts;
    for (int round = 0; round < 3; ++round) {
        Scene scene = scene_with(std::move(motion));
        for (Track& track : hello_of(scene).tracks) track.values.back() *= 0.9999F;  // an edit
        motion = motion_of(scene);
        counts.push_back(motion.frames.size());
        EXPECT_EQ(end_of(motion), end_of(original));
        EXPECT_EQ(motion.frames.back().time, original.frames.back().time);
        for (const cas::Frame& frame : motion.frames) EXPECT_EQ(frame.time, std::round(frame.time)) << frame.time;
        for (const cas::Frame& frame : motion.frames) EXPECT_EQ(frame.duration, std::round(frame.duration));
    }
    // Frames that show nothing new have no keys in a clip.
    EXPECT_LE(counts.front(), original.frames.size());
    EXPECT_EQ(counts, std::vector(3, counts.front()));
}

/// Keyed at another rate up to the end, as modelling programs do, without its record.
void sample_at(Scene& scene, Clip& clip, double rate) {
    clip.extras = {};
    double end = 0;
    for (const Track& track : clip.tracks) end = std::max(end, double{track.times.back()});
    for (Track& track : clip.tracks) {
        const std::size_t width = value_width(scene, track);
        const Track from = track;
        const TrackSampler sampler(from, width, clip.rules);
        track.times.clear();
        track.values.clear();
        std::vector<double> value(width);
        for (int i = 0; i <= std::lround(end * rate); ++i) {
            sampler.at(i / rate, value);
            track.times.push_back(static_cast<float>(i / rate));
            for (const double number : value) track.values.push_back(static_cast<float>(number));
        }
    }
    clip.duration = 0;
}

TEST(ArpFromSceneEdit, MotionFromAnotherRateKeepsItsLength) {
    for (const double rate : {24.0, 30.0}) {
        cas::File motion = cas::read(content("hello.cas.xml")).value().value;
        const double end = end_of(motion);
        std::vector<std::size_t> counts;
        for (int round = 0; round < 2; ++round) {
            Scene scene = scene_with(std::move(motion));
            sample_at(scene, hello_of(scene), rate);
            motion = motion_of(scene);
            counts.push_back(motion.frames.size());
            EXPECT_EQ(end_of(motion), end) << rate;
        }
        EXPECT_EQ(counts, std::vector(2, counts.front())) << rate;
    }
}

std::set<std::string> names_in(const cas::File& motion) {
    std::set<std::string> names;
    for (const cas::Frame& frame : motion.frames) {
        for (const cas::BoneKey& bone : frame.bones) names.insert(bone.name);
        for (const cas::MorphKey& morph : frame.morphs) names.insert(morph.name);
    }
    return names;
}

TEST(ArpFromSceneEdit, MotionsNameWhatWasRenamed) {
    const cas::File original = cas::read(content("hello.cas.xml")).value().value;
    Scene scene = scene_with(original);
    EXPECT_EQ(motion_of(scene).text, original.text);
    node_of(scene, "LWRI").name = "HNDL";
    const auto target = std::find_if(scene.meshes[0].targets.begin(), scene.meshes[0].targets.end(),
                                     [](const MorphTarget& one) { return one.name == "smlc"; });
    ASSERT_NE(target, scene.meshes[0].targets.end());
    target->name = "grin";
    const auto names = names_in(motion_of(scene));
    EXPECT_EQ(names.count("HNDL") + names.count("grin"), 2u);
    EXPECT_EQ(names.count("LWRI") + names.count("smlc"), 0u);
    // What the avatar itself says, too.
    const File made = effigy::arp::from_scene(scene).value().value.container.avatar;
    const std::size_t bone = effigy::arp::find_bone(made, "HNDL");
    ASSERT_LT(bone, made.bones.size());
    EXPECT_EQ(effigy::arp::text_of(made.default_pose[bone].bone), "HNDL");
    for (const Diagnostic& finding : effigy::arp::check(made).diagnostics())
        EXPECT_EQ(finding.severity, Severity::info) << to_string(finding);  // no target smlc
}

/// A mesh that another program has remade: nothing tells what its targets were called.
TEST(ArpFromSceneEdit, MotionsNameTargetsOfMeshesWithoutARecord) {
    const cas::File original = cas::read(content("hello.cas.xml")).value().value;
    Scene scene = scene_with(original);
    scene.meshes[0].extras = {};
    EXPECT_EQ(motion_of(scene).text, original.text);
    for (MorphTarget& target : scene.meshes[0].targets) target.name.clear();
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    std::set<std::string> codes;
    for (const auto& target : files->value.container.avatar.meshes[0].morph_targets) codes.insert(target.name);
    std::size_t count = 0;
    for (const cas::Frame& frame : files->value.motions.front().second.frames) {
        for (const cas::MorphKey& morph : frame.morphs) EXPECT_TRUE(codes.contains(morph.name)) << morph.name;
        count += frame.morphs.size();
    }
    EXPECT_NE(count, 0U);
}

/// Clips move targets by their places.
TEST(ArpFromSceneEdit, MotionsOfBonesStayWhereTargetsHaveAnotherOrder) {
    const std::string json =
        "{\"signIndex\":0,\"gloss\":\"A\",\"baseFrameIndex\":0,\"frames\":[{\"time\":0,\"duration\":40,"
        "\"bones\":[{\"id4cc\":\"LWRI\",\"rot\":[0,0,0,1]}]},{\"time\":40,\"duration\":40,"
        "\"bones\":[{\"id4cc\":\"LWRI\",\"rot\":[0.6,0,0,0.8]}]}]}\n{}\n";
    const cas::File turning = cas::read(bytes_of_text(json)).value().value;
    const cas::File smiling = cas::read(content("hello.cas.xml")).value().value;
    for (const cas::File& motion : {turning, smiling}) {
        Scene scene = scene_with(motion);
        std::swap(scene.meshes[0].targets[0].name, scene.meshes[0].targets[1].name);
        EXPECT_EQ(motion_of(scene).text == motion.text, motion.text == turning.text);
    }
}

/// What a target is called now counts less than what another one has been called all along.
TEST(ArpFromSceneEdit, RenamedTargetsLeaveTheOthersTheirNames) {
    for (const char* name : {"M001", "smlc2x"}) {
        Scene scene = scene_of(signer(), false);
        auto& targets = scene.meshes[0].targets;
        ASSERT_GT(targets.size(), 3U);
        const std::string last = targets.back().name;
        targets[0].name = last;
        targets[1].name = "smlc1x";  // becomes M001
        const File made = effigy::arp::from_scene(scene).value().value.container.avatar;
        EXPECT_EQ(made.meshes[0].morph_targets.back().name, last);
        scene = scene_of(made, false);
        scene.meshes[0].targets[2].name = name;
        std::set<std::string> names;
        const File again = effigy::arp::from_scene(scene).value().value.container.avatar;
        for (const auto& target : again.meshes[0].morph_targets)
            EXPECT_TRUE(names.insert(target.name).second) << target.name;
    }
}

TEST(ArpFromSceneEdit, ASignThatBeginsWithTheLastFrameStays) {
    const std::string pose = "\"bones\":[{\"id4cc\":\"LWRI\",\"rot\":[0.6,0,0,0.8]}]";
    const std::string json =
        "{\"signIndex\":0,\"gloss\":\"A\",\"baseFrameIndex\":0,\"frames\":[{\"time\":0,\"duration\":40,"
        "\"bones\":[{\"id4cc\":\"LWRI\",\"rot\":[0,0,0,1]}]},{\"time\":40,\"duration\":40," +
        pose + "}]}\n{\"signIndex\":1,\"gloss\":\"B\",\"baseFrameIndex\":2,\"frames\":[{\"time\":80," + pose +
        "}]}\n{}\n";
    Scene scene = scene_with(cas::read(bytes_of_text(json)).value().value);
    node_of(scene, "HEAD").local.translation.x *= 1.5F;
    const cas::File made = motion_of(scene);
    ASSERT_EQ(made.frames.size(), 3U);
    ASSERT_EQ(made.signs.size(), 2U);
    EXPECT_EQ(made.signs[1].gloss, "B");
    EXPECT_EQ(made.signs[1].first_frame, 2U);
}

/// The share of triangles that look where their vertices' normals do.
double outward(const Scene& scene) {
    const effigy::Mesh& mesh = scene.meshes[0];
    const auto places = find_attribute(mesh, Semantic::position)->data.as<const Vec3>();
    const auto normals = find_attribute(mesh, Semantic::normal)->data.as<const Vec3>();
    double right = 0, all = 0;
    for (const Primitive& primitive : mesh.primitives) {
        const auto& indices = primitive.indices;
        for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
            const dvec3 a = wide(places[indices[i]]), b = wide(places[indices[i + 1]]),
                        c = wide(places[indices[i + 2]]);
            const dvec3 face = glm::cross(b - a, c - a);
            const double cosine = glm::dot(face, wide(normals[indices[i]]));
            right += cosine > 0 ? 1 : 0;
            all += cosine != 0 ? 1 : 0;
        }
    }
    return right / all;
}

TEST(ArpFromSceneEdit, MirroredFiguresAreNotInsideOut) {
    Scene scene = scene_of(signer(), false);
    const double before = outward(scene);
    EXPECT_GT(before, 0.9);
    scene.nodes[0].local.scale = {-1, 1, 1};
    EXPECT_NEAR(outward(scene_of(effigy::arp::from_scene(scene).value().value.container.avatar, false)), before, 0.05);
}

TEST(ArpFromSceneEdit, BonesThatPlayersAskForKeepTheirNames) {
    Scene scene = scene_of(signer(), false);
    node_of(scene, "HEAD").name = "Kopf";
    node_of(scene, "LUPA").name = "arm";
    const File made = effigy::arp::from_scene(scene).value().value.container.avatar;
    for (const char* code : {"HEAD", "LUPA"}) EXPECT_LT(effigy::arp::find_bone(made, code), made.bones.size()) << code;
    EXPECT_EQ(effigy::arp::find_bone(made, "Kopf"), made.bones.size());
    // Unless another is called so by now.
    node_of(scene, "NEC1").name = "HEAD";
    const File other = effigy::arp::from_scene(scene).value().value.container.avatar;
    EXPECT_LT(effigy::arp::find_bone(other, "Kopf"), other.bones.size());
}

TEST(ArpFromSceneEdit, SaysThatMeshesWantOtherAmounts) {
    Scene scene = scene_of(signer(), false);
    const auto found = std::ranges::find(scene.nodes, Index{0}, &Node::mesh);
    Node copy = *found;
    const auto carrier = static_cast<Index>(found - scene.nodes.begin()), twin = static_cast<Index>(scene.nodes.size());
    copy.name = "twin";
    copy.children.clear();
    if (copy.parent != no_index) scene.nodes[copy.parent].children.push_back(twin);
    scene.nodes.push_back(std::move(copy));
    scene.clips.clear();  // the ambient motion moves the first alone
    Clip& clip = scene.clips.emplace_back();
    clip.name = "smile";
    clip.duration = 1;
    Track& track = clip.tracks.emplace_back();
    track.node = carrier;
    track.path = TrackPath::weights;
    track.times = {0, 1};
    track.values.assign(2 * scene.meshes[0].targets.size(), 0.0F);
    track.values.back() = 1;
    EXPECT_EQ(effigy::arp::from_scene(scene).value().report.count("arp-weights-differ"), 1U);
    Track same = track;
    same.node = twin;
    clip.tracks.push_back(std::move(same));
    EXPECT_EQ(effigy::arp::from_scene(scene).value().report.count("arp-weights-differ"), 0U);
}

/// Two signs of two frames, between two that have none.
cas::File four_signs() {
    std::string json = "{\"signIndex\":0,\"gloss\":\"NONE\",\"frames\":[]}\n";
    for (int sign = 0; sign < 2; ++sign) {
        json += "{\"signIndex\":" + std::to_string(sign + 1) + ",\"gloss\":\"" + (sign == 0 ? "A" : "B") +
                "\",\"frames\":[";
        for (int i = 2 * sign; i < 2 * sign + 2; ++i)
            json += std::string(i % 2 == 0 ? "" : ",") + "{\"time\":" + std::to_string(400 * i) +
                    ",\"duration\":400,\"bones\":[{\"id4cc\":\"LWRI\",\"rot\":[0." + std::to_string(i) + ",0,0,1]}]}";
        json += "]}\n";
    }
    json += "{\"signIndex\":3,\"gloss\":\"END\",\"frames\":[]}\n{}\n";
    return cas::read(bytes_of_text(json)).value().value;
}

std::string signs_in(const cas::File& file) {
    std::string text;
    for (const cas::Sign& sign : file.signs) text += sign.gloss + " " + std::to_string(sign.first_frame) + " ";
    return text + "of " + std::to_string(file.frames.size());
}

TEST(ArpFromSceneEdit, SignsGoWhereTheirKeysGo) {
    const Scene scene = scene_with(four_signs());
    for (const float factor : {0.1F, 0.5F, 1.5F}) {
        Scene edited = scene;
        for (Track& track : hello_of(edited).tracks) {
            for (float& time : track.times) time *= factor;
        }
        hello_of(edited).duration *= factor;
        EXPECT_EQ(signs_in(motion_of(edited)), "NONE 0 A 0 B 2 END 4 of 4") << factor;
        EXPECT_EQ(effigy::arp::from_scene(edited).value().report.count("arp-sign-times"), 0U) << factor;
    }
}

TEST(ArpFromSceneEdit, SaysWhereSignsMayHaveBeenElsewhere) {
    Scene cut = scene_with(four_signs());
    for (Track& track : hello_of(cut).tracks) {
        track.values.resize(track.values.size() / track.times.size() * 2);
        track.times.resize(2);
    }
    hello_of(cut).duration = 0.8F;
    EXPECT_EQ(signs_in(motion_of(cut)), "NONE 0 A 0 B 2 END 2 of 2");
    EXPECT_EQ(effigy::arp::from_scene(cut).value().report.count("arp-sign-times"), 1U);
}

TEST(ArpFromSceneEdit, BonesOfTheSpineHaveItsNames) {
    Scene scene = scene_with(cas::read(content("hello.cas.xml")).value().value);
    node_of(scene, "SPI2").name = "MySpine";
    node_of(scene, "LWRI").name = "Hand.L";
    node_of(scene, "LTH1").name = "a long name";
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    const File& made = files->value.container.avatar;
    for (const char* code : {"SPI2", "LWRI"}) EXPECT_LT(effigy::arp::find_bone(made, code), made.bones.size()) << code;
    EXPECT_EQ(effigy::arp::find_bone(made, "LTH1"), made.bones.size());
    // Whom it concerns, and how often.
    EXPECT_NE(findings(files->report).find("found 3: MySpine, Hand.L, a long name"), std::string::npos)
        << findings(files->report);
}

const std::string asd =
    "<!-- by hand -->\n<avatarStaticData version=\"1.0\"><avatar name=\"a\"><skeleton scale=\"0.040\">"
    "<joint rotation=\"0 0 0 1.0\" name=\"ROOT\" position=\"0.000 0 0\">"
    "<joint name=\"HEAD\" position=\"1 2 3\" rotation=\"0 0 0 1\">"
    "<feature name=\"nose\" position=\"7 8 9\"/></joint></joint></skeleton></avatar></avatarStaticData>";
const std::string signs = "<nonmanuals><!-- why --><eye_gaze sigmlName = \"C01\" a='1.50'/></nonmanuals>\n";
const std::string config = "<config>\n  <!-- nothing yet -->\n</config>\n";

Scene scene_with_companions(const std::string& skeleton = asd) {
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}},
                             signer(),
                             {{"anna/asd.xml", bytes_of_text(skeleton)},
                              {"anna/nonmanuals.xml", bytes_of_text(signs)},
                              {"anna/config.xml", bytes_of_text(config)}}});
    return std::move(effigy::arp::to_scene(std::move(input)).value().value);
}

std::string beside(const NativeFiles& files, const std::string& name) {
    const auto* entry = effigy::arp::find_entry(files.container, name);
    if (entry == nullptr) return "nothing";
    return {reinterpret_cast<const char*>(entry->content.data()), entry->content.size()};
}

TEST(ArpFromSceneEdit, FilesBesideComeBack) {
    Scene scene = scene_with_companions();
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(beside(files->value, "asd.xml"), asd);
    EXPECT_EQ(beside(files->value, "nonmanuals.xml"), signs);
    EXPECT_EQ(beside(files->value, "config.xml"), config);
    const auto glb = gltf::write_glb(scene).value();
    const auto again = gltf::to_scene(gltf::read(glb).value().value).value().value;
    const auto later = effigy::arp::from_scene(again);
    ASSERT_TRUE(later) << to_string(later.error());
    for (const char* name : {"asd.xml", "nonmanuals.xml", "config.xml"})
        EXPECT_EQ(beside(later->value, name), beside(files->value, name)) << name;
    // Who edits the record means it.
    Json record = record_of(scene.nodes[0].extras);
    record["beside"]["nonmanuals"][0]["a"] = "2";
    set_record(scene.nodes[0].extras, std::move(record));
    const auto edited = effigy::arp::from_scene(scene);
    ASSERT_TRUE(edited) << to_string(edited.error());
    EXPECT_NE(beside(edited->value, "nonmanuals.xml").find("a=\"2\""), std::string::npos);
    EXPECT_EQ(beside(edited->value, "asd.xml"), asd);
}

TEST(ArpFromSceneEdit, FilesBesideFollowTheBones) {
    Scene scene = scene_with_companions();
    node_of(scene, "HEAD").local.scale = {1.1F, 1.1F, 1.1F};
    node_of(scene, "HEAD").local.translation.x *= 2;
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    const std::string text = beside(files->value, "asd.xml");
    EXPECT_NE(text.find("name=\"ROOT\" position=\"0.0 0.0 0.0\""), std::string::npos) << text;
    EXPECT_EQ(text.find("position=\"1 2 3\""), std::string::npos) << text;
    EXPECT_NE(text.find("<feature name=\"nose\" position=\"7.0 8.0 9.0\""), std::string::npos) << text;
    EXPECT_EQ(files->report.count("arp-features-kept"), 1u);
    EXPECT_EQ(beside(files->value, "nonmanuals.xml"), signs);
}

/// A joint for each bone of the signer, rotated from its rest, as in asd.xml of real avatars.
std::string posed_joints(std::size_t parent) {
    const auto& bones = signer().bones;
    const dquat pose(0.8, 0.6, 0, 0);
    std::string text;
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const std::string above = bones[i].parent.c_str();
        if ((above.empty() ? bones.size() : effigy::arp::find_bone(signer(), above)) != parent) continue;
        const dquat turn = glm::normalize(wide(bones[i].rotation)) * pose;
        const Vec3& place = bones[i].translation;
        std::ostringstream joint;
        joint << std::setprecision(9) << "<joint name=\"" << bones[i].name.c_str() << "\" position=\"" << place.x << ' '
              << place.y << ' ' << place.z << "\" rotation=\"" << turn.x << ' ' << turn.y << ' ' << turn.z << ' '
              << turn.w << "\">";
        text += joint.str() + posed_joints(i) + "</joint>\n";
    }
    return text;
}

std::string posed_skeleton() {
    return "<!-- by hand -->\n<avatarStaticData><avatar name=\"a\"><skeleton scale=\"0.04\">" +
           posed_joints(signer().bones.size()) + "</skeleton></avatar></avatarStaticData>";
}

struct PosedJoint {
    dvec3 place{0};
    dquat turn{1, 0, 0, 0};
};

std::map<std::string, PosedJoint> joints_in(const std::string& text) {
    std::map<std::string, PosedJoint> joints;
    const std::regex pattern(
        "<joint name=\"(\\w+)\" position=\"(\\S+) (\\S+) (\\S+)\" rotation=\"(\\S+) (\\S+) (\\S+) (\\S+)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
        const auto number = [&](std::size_t i) { return std::stod((*at)[i]); };
        joints[(*at)[1]] = {{number(2), number(3), number(4)}, {number(8), number(5), number(6), number(7)}};
    }
    return joints;
}

/// Joints of asd.xml that are elsewhere than they were.
std::set<std::string> moved_joints(const std::string& text) {
    std::set<std::string> moved;
    const auto before = joints_in(posed_skeleton()), now = joints_in(text);
    EXPECT_EQ(now.size(), before.size());
    for (const auto& [name, joint] : now) {
        const PosedJoint& old = before.at(name);
        if (glm::distance(joint.place, old.place) > 1e-4 || angle_between(joint.turn, old.turn) > 1e-4)
            moved.insert(name);
    }
    return moved;
}

std::string skeleton_beside(const Scene& scene, std::size_t kept = 0) {
    const auto files = effigy::arp::from_scene(scene);
    EXPECT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->report.count("arp-features-kept"), kept) << findings(files->report);
    return files ? beside(files->value, "asd.xml") : std::string();
}

TEST(ArpFromSceneEdit, JointsBesideMoveByWhatTheRestDoes) {
    Scene scene = scene_with_companions(posed_skeleton());
    Transform& head = node_of(scene, "HEAD").local;
    head.translation.x *= 2;
    const dquat nod = glm::angleAxis(0.3, dvec3(0, 0, 1));
    head.rotation = narrow(glm::normalize(wide(head.rotation) * nod));
    const std::string text = skeleton_beside(scene);
    EXPECT_EQ(moved_joints(text), std::set<std::string>{"HEAD"});
    const PosedJoint old = joints_in(posed_skeleton()).at("HEAD"), now = joints_in(text).at("HEAD");
    EXPECT_NEAR(now.place.x, 2 * old.place.x, 1e-4);
    EXPECT_LT(angle_between(now.turn, old.turn * nod), 1e-5);
}

TEST(ArpFromSceneEdit, JointsBesideStayUnderTheirOldParents) {
    const Scene whole = scene_with_companions(posed_skeleton());
    const auto place = [](const Scene& scene, const char* name) {
        const auto found =
            std::find_if(scene.nodes.begin(), scene.nodes.end(), [&](const Node& n) { return n.name == name; });
        return static_cast<Index>(found - scene.nodes.begin());
    };
    const Index chest = place(whole, "SPI3"), belly = place(whole, "SPI2"), hips = place(whole, "SPI1");
    const Index collar = place(whole, "LCLR");
    for (const float further : {0.0F, 0.05F}) {  // a bone between two
        Scene scene = whole;
        const auto between = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = "NEW1";
        scene.nodes[between].local.translation = {0.01F + further, 0, 0};
        scene.nodes[collar].local.translation.x -= 0.01F;
        add_child(scene, chest, between);
        add_child(scene, between, collar);
        const std::string text = skeleton_beside(scene);
        if (further == 0) {
            EXPECT_EQ(text, posed_skeleton());
        } else {
            EXPECT_EQ(moved_joints(text), std::set<std::string>{"LCLR"});
            const dvec3 moved = joints_in(text).at("LCLR").place - joints_in(posed_skeleton()).at("LCLR").place;
            EXPECT_NEAR(glm::distance(moved, dvec3(25 * further, 0, 0)), 0, 1e-3);
        }
    }
    Scene scene = whole;  // one bone less
    const dvec3 up = wide(scene.nodes[belly].local.translation);
    const dquat turn = wide(scene.nodes[belly].local.rotation);
    Transform& local = scene.nodes[chest].local;
    local.translation = narrow(up + turn * wide(local.translation));
    local.rotation = narrow(turn * wide(local.rotation));
    add_child(scene, hips, chest);
    scene.nodes[belly].extras = {};
    scene.nodes[belly].name = "gone";
    EXPECT_EQ(moved_joints(skeleton_beside(scene, 1)), std::set<std::string>());
    scene = whole;  // another parent, beside which the bone lies as it did beside the old one
    add_child(scene, belly, collar);
    EXPECT_EQ(moved_joints(skeleton_beside(scene)), std::set<std::string>{"LCLR"});
}

TEST(ArpFromSceneEdit, JointsBesideMayHaveHadOtherParents) {
    const auto bone = [](const char* name) { return signer().bones[effigy::arp::find_bone(signer(), name)]; };
    const dvec3 place =
        wide(bone("SPI2").translation) + glm::normalize(wide(bone("SPI2").rotation)) * wide(bone("SPI3").translation);
    std::ostringstream text;
    text << "<avatarStaticData><avatar><skeleton><joint name='SPI1' position='0 0 0' rotation='0 0 0 1'>"
         << "<joint name='SPI2' position='3 0 0' rotation='0 0 0 1'/><joint name='SPI3' position='" << place.x << ' '
         << place.y << ' ' << place.z << "' rotation='0 0 0 1'/></joint></skeleton></avatar></avatarStaticData>";
    EXPECT_EQ(skeleton_beside(scene_with_companions(text.str())), text.str());
}

TEST(ArpFromSceneEdit, FilesBesideThatNameRenamedTargetsAreSaid) {
    const auto said_after = [](const std::function<void(std::vector<MorphTarget>&)>& edit) {
        Scene scene = scene_with_companions();
        edit(scene.meshes[0].targets);
        const auto files = effigy::arp::from_scene(scene);
        EXPECT_TRUE(files) << to_string(files.error());
        std::string found;
        for (const Diagnostic& one : files ? files->report.diagnostics() : std::vector<Diagnostic>()) {
            if (one.code == "arp-renamed" && one.severity == Severity::warning && one.path == "nonmanuals.xml")
                found = one.found;
        }
        return found;
    };
    const std::string first = scene_with_companions().meshes[0].targets[0].name;
    EXPECT_EQ(said_after([](auto& targets) { targets[0].name = "smiling"; }), "1: " + first);
    EXPECT_EQ(said_after([](auto& targets) { std::swap(targets[0].name, targets[1].name); }), "");
}

TEST(ArpFromSceneEdit, OldNamesStayBesideTheAvatar) {
    const std::string names =
        "{\n \"effigy_names\": 1,\n \"bones\": [\n  [\n   \"LUPA\",\n   \"mixamorig:LeftArm\"\n  ]\n ],\n"
        " \"origin\": [\n  0.0,\n  1.5,\n  0.0\n ]\n}\n";
    effigy::arp::SceneInput input;
    input.avatars.push_back({{"anna", 0, {}}, signer(), {{"anna/names.json", bytes_of_text(names)}}});
    auto loaded = effigy::arp::to_scene(std::move(input));
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(loaded->report.count("arp-file-left-out"), 0u);
    const auto parsed = [](const std::string& text) { return Json::parse(text); };
    const auto files = effigy::arp::from_scene(loaded->value);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(parsed(beside(files->value, "names.json")), parsed(names));
    // New names join them, and moves add up.
    Scene scene = std::move(loaded->value);
    node_of(scene, "LWRI").name = "Hand.L";
    scene.nodes[0].local.translation = {0, 0.5F, 0};
    const auto edited = effigy::arp::from_scene(scene);
    ASSERT_TRUE(edited) << to_string(edited.error());
    const Json now = parsed(beside(edited->value, "names.json"));
    EXPECT_EQ(now["bones"], parsed(R"([["LUPA", "mixamorig:LeftArm"], ["LWRI", "Hand.L"]])"));
    EXPECT_NEAR(now["origin"][1].get<double>(), 2, 1e-6);
}

TEST(ArpFromSceneEdit, BytesBehindTheAvatarComeBack) {
    File file = signer();
    file.trailing = bytes_of_text("end");
    Scene scene = scene_of(file, false);
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(effigy::arp::write(files->value.container.avatar).value(), effigy::arp::write(file).value());
    EXPECT_EQ(files->report.count("arp-trailing"), 0U);
    Json record = record_of(scene.asset_extras);
    record["file"]["ends_at_texture"] = true;  // then they are in place of it
    set_record(scene.asset_extras, std::move(record));
    const auto whole = effigy::arp::from_scene(scene);
    ASSERT_TRUE(whole) << to_string(whole.error());
    EXPECT_TRUE(whole->value.container.avatar.trailing.empty());
    EXPECT_EQ(whole->report.count("arp-trailing"), 1U);
}

/// Two levels; the coarse one has its targets in another order, and one that the fine one lacks.
File two_levels() {
    File file = signer();
    effigy::arp::Mesh coarse = file.meshes.front();
    coarse.morph_targets.push_back(coarse.morph_targets.front());
    coarse.morph_targets.back().name = "only";
    std::swap(coarse.morph_targets[0], coarse.morph_targets[1]);
    file.meshes.push_back(std::move(coarse));
    for (effigy::arp::AmbientFrame& frame : file.ambient->frames) frame.morphs.push_back({{'o', 'n', 'l', 'y'}, 0.5F});
    return file;
}

TEST(ArpFromSceneEdit, LevelsKeepTheirOwnTargets) {
    const File file = two_levels();
    Scene scene = scene_of(file, false);
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(effigy::arp::write(files->value.container.avatar).value(), effigy::arp::write(file).value());
    node_of(scene, "HEAD").local.translation.x *= 1.5F;
    const auto edited = effigy::arp::from_scene(scene);
    ASSERT_TRUE(edited) << to_string(edited.error());
    const File& made = edited->value.container.avatar;
    ASSERT_EQ(made.meshes.size(), 2U);
    for (std::size_t level = 0; level < 2; ++level) {
        const auto &before = file.meshes[level].morph_targets, &now = made.meshes[level].morph_targets;
        ASSERT_EQ(now.size(), before.size()) << level;
        for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(now[i].name, before[i].name) << level << " " << i;
    }
    ASSERT_TRUE(made.ambient);
    for (const effigy::arp::AmbientFrame& frame : made.ambient->frames) {
        const auto only = std::ranges::find_if(
            frame.morphs, [](const auto& morph) { return effigy::arp::text_of(morph.target) == "only"; });
        ASSERT_NE(only, frame.morphs.end());
        EXPECT_NEAR(only->amount, 0.5, 1e-6);
    }
    EXPECT_EQ(edited->report.count("arp-weights-differ"), 0U);
}

TEST(ArpFromSceneEdit, ALevelWithoutAMeshIsNone) {
    Scene scene = scene_of(two_levels(), false);
    const auto fine = std::ranges::find_if(scene.nodes, [](const Node& node) { return !node.lods.empty(); });
    ASSERT_NE(fine, scene.nodes.end());
    Node& coarse = scene.nodes[fine->lods.front()];
    coarse.mesh = coarse.skin = no_index;
    scene.clips.clear();
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->value.container.avatar.meshes.size(), 1U);
}

/// Of points of two links, a forearm's among them: what players take of its twist, by which link stands first.
std::map<std::size_t, double> forearm_twists(const File& file) {
    const effigy::arp::Points& points = file.meshes.front().points;
    const auto bone_of = [&](std::size_t link) -> const effigy::arp::Bone& {
        return file.bones[effigy::arp::find_bone(file, file.link_names[points.bones[link]].c_str())];
    };
    const auto is_forearm = [&](std::size_t link) {
        const std::string_view name = bone_of(link).name.c_str();
        return name == "LLRA" || name == "RLRA";
    };
    std::map<std::size_t, double> twists;
    const auto first_links = effigy::arp::first_links(points);
    for (std::size_t point = 0; point < points.size(); ++point) {
        const std::size_t first = first_links[point], second = first + 1;
        if (points.link_counts[point] != 2 || is_forearm(first) == is_forearm(second)) continue;
        const effigy::arp::Bone& forearm = bone_of(is_forearm(first) ? first : second);
        if (is_forearm(first)) {
            twists[point] = std::min(double{points.distances[first]} / double{forearm.length}, 1.0);
        } else {
            twists[point] = std::string_view(bone_of(first).name.c_str()) == forearm.parent.c_str() ? 0 : 1;
        }
    }
    return twists;
}

/// The lightest link stands first.
TEST(ArpFromSceneEdit, ForearmsTwistAsTheyDid) {
    File file = signer();
    effigy::arp::Points& points = file.meshes.front().points;
    const auto sorted = forearm_twists(file);
    const auto first_links = effigy::arp::first_links(points);
    for (const auto& [point, twist] : sorted) {
        const std::size_t first = first_links[point], second = first + 1;
        std::swap(points.offsets[first], points.offsets[second]);
        std::swap(points.normals[first], points.normals[second]);
        std::swap(points.bones[first], points.bones[second]);
        std::swap(points.weights[first], points.weights[second]);
        std::swap(points.distances[first], points.distances[second]);
    }
    const auto before = forearm_twists(file);
    Scene scene = scene_of(file, false);
    node_of(scene, "HEAD").local.translation.x *= 1.5F;
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    const auto now = forearm_twists(files->value.container.avatar);
    std::size_t unlike = 0;
    for (const auto& [point, twist] : before) {
        ASSERT_TRUE(now.contains(point)) << point;
        EXPECT_NEAR(now.at(point), twist, 5e-3) << point;
        if (std::abs(sorted.at(point) - twist) > 0.1) ++unlike;
    }
    EXPECT_GT(unlike, 20U);
}

TEST(ArpFromSceneEdit, InfluencesThatAreNoneAreSaid) {
    Scene scene = scene_of(signer(), false);
    EXPECT_EQ(effigy::arp::from_scene(scene).value().report.count("skin-weight"), 0U);
    for (Attribute& one : scene.meshes[0].attributes) {
        if (one.set != 0) continue;
        if (one.semantic == Semantic::weights) one.data.as<float>()[1] = -0.25F;
        if (one.semantic == Semantic::joints) one.data.as<std::uint8_t>()[4] = 255;
    }
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->report.count("skin-weight"), 1U);
    EXPECT_EQ(files->report.count("skin-node"), 1U);
}

TEST(ArpFromSceneEdit, FoldersHaveACharacterForEach) {
    effigy::arp::FromSceneOptions options;
    options.name = "My \xC3\x84nna 2";
    const auto files = effigy::arp::from_scene(scene_of(signer(), false), options);
    ASSERT_TRUE(files) << to_string(files.error());
    EXPECT_EQ(files->value.container.entries.front().name, "My _nna 2/");
    EXPECT_NE(findings(files->report).find("My _nna 2/"), std::string::npos);
}

TEST(ArpFromSceneEdit, RestIsThatOfTheSceneCorpus) {
    EFFIGY_NEEDS_AVATARS();
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        const Scene whole = scene_of(file, false);
        for (const std::size_t number : {0U, 1U, 4U, 5U, 11U}) {
            const Edit& edit = edits().at(number);
            Scene scene = whole;
            edit.apply(scene);
            expect_right(scene, file, edit);
        }
    }
}

}  // namespace
}  // namespace effigy::test::arp
