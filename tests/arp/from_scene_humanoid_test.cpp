// Figures of other tools become avatars: a humanoid with joint frames, names, materials and influences as no avatar
// has them goes to an avatar and back, and is compared with itself in numbers.

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <numeric>

#include "effigy/arp_scene.hpp"
#include "effigy/image.hpp"
#include "effigy/registry.hpp"

#include "arp/file/arp_format.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "avatars.hpp"
#include "core/json.hpp"
#include "puppet.hpp"
#include "reports.hpp"
#include "scene/attributes.hpp"
#include "scene/wide_math.hpp"

namespace effigy::test::arp {
namespace {

using effigy::arp::File;
using effigy::arp::NativeFiles;
using effigy::arp::native::tree_of;
using glm::dquat;
using glm::dvec2;
using glm::dvec3;
using puppets::Dice;

struct JointPlan {
    const char *name, *code, *parent;
    dvec3 place;  ///< metres, feet at 0
};
const std::vector<JointPlan>& plan() {
    static const std::vector<JointPlan> joints{
        {"mixamorig:Hips", "ROOT", "", {0, 1, 0}},
        {"mixamorig:Spine", "SPI1", "mixamorig:Hips", {0, 1.1, 0}},
        {"mixamorig:Spine1", "SPI2", "mixamorig:Spine", {0, 1.2, 0.01}},
        {"mixamorig:Spine2", "SPI3", "mixamorig:Spine1", {0, 1.3, 0}},
        {"mixamorig:Neck", "NEC1", "mixamorig:Spine2", {0, 1.45, 0}},
        {"mixamorig:Head", "HEAD", "mixamorig:Neck", {0, 1.55, 0.02}},
        {"mixamorig:HeadTop_End", "Q001", "mixamorig:Head", {0, 1.75, 0.02}},
        {"mixamorig:LeftShoulder", "LCLR", "mixamorig:Spine2", {0.05, 1.4, 0}},
        {"mixamorig:LeftArm", "LUPA", "mixamorig:LeftShoulder", {0.18, 1.4, 0}},
        {"mixamorig:LeftForeArm", "LLRA", "mixamorig:LeftArm", {0.45, 1.35, 0.02}},
        {"mixamorig:LeftHand", "LWRI", "mixamorig:LeftForeArm", {0.7, 1.3, 0.06}},
        {"mixamorig:LeftHandIndex1", "LIF1", "mixamorig:LeftHand", {0.8, 1.29, 0.08}},
        {"mixamorig:LeftHandIndex2", "LIF2", "mixamorig:LeftHandIndex1", {0.84, 1.28, 0.08}},
        {"mixamorig:RightShoulder", "RCLR", "mixamorig:Spine2", {-0.05, 1.4, 0}},
        {"mixamorig:RightArm", "RUPA", "mixamorig:RightShoulder", {-0.18, 1.4, 0}},
        {"mixamorig:RightForeArm", "RLRA", "mixamorig:RightArm", {-0.45, 1.35, 0.02}},
        {"mixamorig:RightHand", "RWRI", "mixamorig:RightForeArm", {-0.7, 1.3, 0.06}},
        {"mixamorig:LeftUpLeg", "LTHG", "mixamorig:Hips", {0.1, 0.95, 0}},
        {"mixamorig:LeftLeg", "LCLF", "mixamorig:LeftUpLeg", {0.1, 0.5, 0.02}},
        {"mixamorig:LeftFoot", "LFOT", "mixamorig:LeftLeg", {0.1, 0.08, 0}},
        {"mixamorig:RightUpLeg", "RTHG", "mixamorig:Hips", {-0.1, 0.95, 0}},
        {"mixamorig:RightLeg", "RCLF", "mixamorig:RightUpLeg", {-0.1, 0.5, 0.02}},
        {"mixamorig:RightFoot", "RFOT", "mixamorig:RightLeg", {-0.1, 0.08, 0}},
    };
    return joints;
}

glm::dmat4 matrix_of(const dvec3& place, const dquat& turn, double scale = 1) {
    glm::dmat4 matrix(glm::mat3_cast(turn) * scale);
    matrix[3] = glm::dvec4(place, 1);
    return matrix;
}

Index node_of(const Scene& scene, const std::string& name) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return i;
    }
    return no_index;
}

Image picture_of(const std::string& name, const std::array<std::array<int, 4>, 4>& colors) {
    image::Picture picture;
    picture.width = picture.height = 8;
    picture.rgba.resize(8 * 8 * 4);
    for (std::size_t y = 0; y < 8; ++y) {
        for (std::size_t x = 0; x < 8; ++x) {
            const auto& color = colors[(y / 4) * 2 + x / 4];
            for (std::size_t k = 0; k < 4; ++k) picture.rgba[(y * 8 + x) * 4 + k] = static_cast<std::byte>(color[k]);
        }
    }
    Image image;
    image.name = name;
    image.mime_type = "image/png";
    image.bytes = image::encode_png(picture).value();
    return image;
}

/// In centimetres below a node that makes metres of them and lays them upright, as FBX exporters do. Rests are turned
/// away from the bind.
class Humanoid {
public:
    Scene scene;

    explicit Humanoid(unsigned seed) : dice_(seed) {
        scene.name = "figure";
        add_materials();
        add_joints();
        add_body();
        add_glasses();
        add_clips();
    }

private:
    Dice dice_;
    std::map<std::string, glm::dmat4> binds_;  // of joints, in the mesh's space: centimetres, Z up
    Skin skin_;

    static dvec3 to_file(const dvec3& p) { return 100.0 * dvec3(p.x, -p.z, p.y); }

    void add_materials() {
        scene.images.push_back(
            picture_of("skin", {{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {90, 80, 70, 255}}}));
        scene.images.push_back(
            picture_of("cloth", {{{10, 200, 10, 255}, {20, 20, 200, 255}, {200, 20, 20, 255}, {5, 5, 5, 255}}}));
        for (const char* name : {"skin", "cloth", "plain"}) scene.materials.emplace_back().name = name;
        scene.materials[0].base_color_texture.image = 0;
        scene.materials[1].base_color_texture.image = 1;
        scene.materials[1].base_color = {0.5f, 1, 0.25f, 1};
        scene.materials[2].base_color = {0.2f, 0.4f, 0.8f, 1};
    }

    void add_joints() {
        scene.nodes.emplace_back().name = "Armature";
        scene.nodes[0].local.scale = {0.01f, 0.01f, 0.01f};
        const dquat upright = glm::angleAxis(-puppets::pi / 2, dvec3(1, 0, 0));
        scene.nodes[0].local.rotation = narrow(upright);
        std::map<std::string, dquat> turns;
        for (const JointPlan& joint : plan()) {
            turns[joint.name] = dice_.turn(180);  // the joint's own axes
            binds_[joint.name] = matrix_of(to_file(joint.place), turns[joint.name]);
            const std::string parent = joint.parent;
            const glm::dmat4 local =
                (parent.empty() ? glm::dmat4(1) : glm::inverse(binds_[parent])) * binds_[joint.name];
            Node node;
            node.name = joint.name;
            node.local.translation = narrow(dvec3(local[3]));
            // The rest is not the bind.
            node.local.rotation = narrow(glm::normalize(glm::quat_cast(glm::dmat3(local)) * dice_.turn(25)));
            const auto index = static_cast<Index>(scene.nodes.size());
            scene.nodes.push_back(node);
            add_child(scene, parent.empty() ? 0 : node_of(scene, parent), index);
            skin_.joints.push_back(index);
            skin_.inverse_bind_matrices.push_back(narrow(glm::inverse(binds_[joint.name])));
        }
    }

    /// Rings of points along each bone, with up to six influences.
    void add_body() {
        Mesh mesh;
        mesh.name = "Body";
        std::vector<dvec3> places, normals;
        std::vector<dvec2> coordinates;
        std::vector<std::vector<std::pair<int, double>>> holds;
        std::array<std::vector<std::uint32_t>, 3> faces;
        const auto joint_of = [&](const std::string& name) {
            for (std::size_t i = 0; i < plan().size(); ++i) {
                if (plan()[i].name == name) return static_cast<int>(i);
            }
            return 0;
        };
        for (std::size_t j = 1; j < plan().size(); ++j) {
            const JointPlan& joint = plan()[j];
            const int parent = joint_of(joint.parent);
            const dvec3 from = plan()[static_cast<std::size_t>(parent)].place, along = joint.place - from;
            const dvec3 side = glm::normalize(glm::cross(along, dvec3(0.3, 0.2, 0.9)));
            const dvec3 up = glm::normalize(glm::cross(side, along));
            constexpr int around = 6, rings = 4;
            const auto first = static_cast<std::uint32_t>(places.size());
            for (int ring = 0; ring < rings; ++ring) {
                for (int k = 0; k <= around; ++k) {
                    const double angle = 2 * puppets::pi * (k % around) / around, t = ring / double{rings - 1};
                    const dvec3 out = std::cos(angle) * side + std::sin(angle) * up;
                    places.push_back(from + t * along + 0.03 * out);
                    normals.push_back(out);
                    coordinates.emplace_back((0.5 + k) / 8, (0.5 + ring) / 8);  // texels' middles; a seam at the end
                    auto& hold = holds.emplace_back();
                    hold = {{parent, 1 - 0.6 * t}, {static_cast<int>(j), 0.6 * t}};
                    if (ring == rings - 1 && j > 4) {
                        for (int extra = 0; extra < 4; ++extra) hold.emplace_back(extra, 0.01 * (extra + 1));
                    }
                }
            }
            auto& list = faces[j % 3];
            for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
                for (std::uint32_t k = 0; k < around; ++k) {
                    const std::uint32_t a = first + ring * (around + 1) + k, b = a + 1, c = a + around + 1, d = c + 1;
                    list.insert(list.end(), {a, b, c, b, d, c});
                }
            }
        }
        fill(mesh, places, normals, coordinates, holds);
        for (std::size_t material = 0; material < faces.size(); ++material) {
            Primitive& primitive = mesh.primitives.emplace_back();
            primitive.vertex_count = mesh.vertex_count;
            primitive.material = static_cast<Index>(material);
            primitive.indices.assign(faces[material].begin(), faces[material].end());
        }
        add_targets(mesh, places);
        Node node;
        node.name = "Body";
        node.mesh = 0;
        node.skin = 0;
        scene.nodes.push_back(node);
        scene.meshes.push_back(std::move(mesh));
        scene.skins.push_back(skin_);
    }

    static void fill(Mesh& mesh, const std::vector<dvec3>& places, const std::vector<dvec3>& normals,
                     const std::vector<dvec2>& coordinates,
                     const std::vector<std::vector<std::pair<int, double>>>& holds) {
        mesh.vertex_count = static_cast<std::uint32_t>(places.size());
        const auto position = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
        for (std::size_t i = 0; i < places.size(); ++i) position[i] = narrow(to_file(places[i]));
        const auto normal = add_attribute<Vec3>(mesh, Semantic::normal, ElementType::vec3, ComponentType::f32);
        for (std::size_t i = 0; i < places.size(); ++i) normal[i] = narrow(to_file(normals[i]) / 100.0);
        const auto place = add_attribute<Vec2>(mesh, Semantic::texcoord, ElementType::vec2, ComponentType::f32);
        for (std::size_t i = 0; i < places.size(); ++i)
            place[i] = {static_cast<float>(coordinates[i].x), static_cast<float>(coordinates[i].y)};
        for (std::uint32_t set = 0; set < 2; ++set) {
            const auto joints =
                add_attribute<std::uint8_t>(mesh, Semantic::joints, ElementType::vec4, ComponentType::u8, set);
            for (std::size_t i = 0; i < places.size(); ++i) {
                for (std::size_t k = 0; k < 4; ++k)
                    joints[4 * i + k] =
                        static_cast<std::uint8_t>(4 * set + k < holds[i].size() ? holds[i][4 * set + k].first : 0);
            }
            const auto weights =
                add_attribute<float>(mesh, Semantic::weights, ElementType::vec4, ComponentType::f32, set);
            for (std::size_t i = 0; i < places.size(); ++i) {
                for (std::size_t k = 0; k < 4; ++k)
                    weights[4 * i + k] =
                        4 * set + k < holds[i].size() ? static_cast<float>(holds[i][4 * set + k].second) : 0.0f;
            }
        }
    }

    void add_targets(Mesh& mesh, const std::vector<dvec3>& places) {
        for (const char* name : {"smile_long_name", "blink"}) {
            MorphTarget& target = mesh.targets.emplace_back();
            target.name = name;
            for (std::uint32_t i = 0; i < places.size(); ++i) {
                if (places[i].y < 1.5) continue;
                target.indices.push_back(i);
                // Both sides of a seam move alike.
                const dvec3 wave = 90.0 * places[i] + dvec3(name[0], 1, 2);
                target.positions.push_back(narrow(2.0 * glm::sin(wave)));
                target.normals.push_back(narrow(0.2 * glm::cos(wave)));
            }
            mesh.weights.push_back(0);
        }
    }

    /// A rigid mesh on the head, mirrored and larger than it should be.
    void add_glasses() {
        Mesh mesh;
        mesh.name = "Glasses";
        const std::vector<dvec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        mesh.vertex_count = 4;
        const auto position = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
        for (std::size_t i = 0; i < 4; ++i) position[i] = narrow(corners[i]);
        Primitive& primitive = mesh.primitives.emplace_back();
        primitive.vertex_count = 4;
        primitive.indices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
        primitive.material = 2;
        Node node;
        node.name = "Glasses";
        node.mesh = static_cast<Index>(scene.meshes.size());
        node.local.translation = {1, 5, 2};
        node.local.rotation = narrow(dice_.turn(90));
        node.local.scale = {-4, 3, 2};
        scene.nodes.push_back(node);
        add_child(scene, node_of(scene, "mixamorig:Head"), static_cast<Index>(scene.nodes.size() - 1));
        scene.meshes.push_back(std::move(mesh));
    }

    void add_clips() {
        for (const char* name : {"Ambient", "wave"}) {
            Clip& clip = scene.clips.emplace_back();
            clip.name = name;
            clip.duration = 2;
            for (const char* bone : {"mixamorig:Head", "mixamorig:LeftArm", "mixamorig:LeftForeArm"}) {
                Track& track = clip.tracks.emplace_back();
                track.node = node_of(scene, bone);
                track.path = TrackPath::rotation;
                track.times = {0, 1, 2};
                const dquat rest = wide(scene.nodes[track.node].local.rotation);
                for (const dquat& turn : {rest, rest * dice_.turn(10, 20), rest}) {
                    const Quat q = narrow(turn);
                    track.values.insert(track.values.end(), {q.x, q.y, q.z, q.w});
                }
            }
            Track& track = clip.tracks.emplace_back();
            track.node = node_of(scene, "Body");
            track.path = TrackPath::weights;
            track.times = {0, 1, 2};
            track.values = {0, 0, 0.5f, 1, 0, 0};
        }
    }
};

// What a viewer shows, in double precision: vertices of all that is drawn, with their texture coordinates.

struct Seen {
    std::vector<dvec3> places, normals;
    std::vector<dvec2> coordinates;
    std::vector<Index> materials;
};

template <class T>
std::span<const T> attribute(const Mesh& mesh, Semantic semantic, std::uint32_t set = 0) {
    for (const Attribute& one : mesh.attributes) {
        if (one.semantic == semantic && one.set == set) return one.data.as<T>();
    }
    return {};
}

glm::dmat4 wide_matrix(const Mat4& matrix) {
    glm::dmat4 result(1);
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r) result[c][r] = double{matrix.m[static_cast<std::size_t>(4 * c + r)]};
    return result;
}

Seen see(const Scene& scene, const std::string& target = {}) {
    const auto tree = tree_of(scene);
    Seen seen;
    for (const Index n : tree.order) {
        const Node& node = scene.nodes[n];
        if (node.mesh == no_index || node.hidden) continue;
        const Mesh& mesh = scene.meshes[node.mesh];
        std::vector<dvec3> places, normals;
        for (const Vec3& p : attribute<Vec3>(mesh, Semantic::position)) places.push_back(wide(p));
        for (const Vec3& p : attribute<Vec3>(mesh, Semantic::normal)) normals.push_back(wide(p));
        for (const MorphTarget& morph : mesh.targets) {
            if (morph.name != target) continue;
            for (std::size_t i = 0; i < morph.indices.size(); ++i) {
                places[morph.indices[i]] += wide(morph.positions[i]);
                normals[morph.indices[i]] += wide(morph.normals[i]);
            }
        }
        const auto coordinates = attribute<Vec2>(mesh, Semantic::texcoord);
        std::vector<Index> materials(mesh.vertex_count, no_index);
        for (const Primitive& primitive : mesh.primitives)
            for (const std::uint32_t i : primitive.indices) materials[primitive.first_vertex + i] = primitive.material;
        for (std::size_t i = 0; i < places.size(); ++i) {
            glm::dmat4 to = tree.worlds[n];
            if (node.skin != no_index) {
                // The heaviest four, as avatars have them.
                std::vector<std::pair<double, std::size_t>> holds;
                for (std::uint32_t set = 0; set < 2; ++set) {
                    const auto joints = attribute<std::uint8_t>(mesh, Semantic::joints, set);
                    const auto weights = attribute<float>(mesh, Semantic::weights, set);
                    for (std::size_t k = 0; k < 4 && !joints.empty(); ++k) {
                        if (weights[4 * i + k] <= 0) continue;
                        const auto same = std::find_if(holds.begin(), holds.end(),
                                                       [&](const auto& h) { return h.second == joints[4 * i + k]; });
                        if (same != holds.end())
                            same->first += double{weights[4 * i + k]};
                        else
                            holds.emplace_back(double{weights[4 * i + k]}, joints[4 * i + k]);
                    }
                }
                std::stable_sort(holds.begin(), holds.end(),
                                 [](const auto& a, const auto& b) { return a.first > b.first; });
                if (holds.size() > 4) holds.resize(4);
                double sum = 0;
                for (const auto& [weight, joint] : holds) sum += weight;
                to = glm::dmat4(0);
                const Skin& skin = scene.skins[node.skin];
                for (const auto& [weight, joint] : holds)
                    to += (weight / sum) * tree.worlds[skin.joints[joint]] *
                          wide_matrix(skin.inverse_bind_matrices[joint]);
            }
            seen.places.emplace_back(to * glm::dvec4(places[i], 1));
            seen.normals.push_back(
                normals.empty() ? dvec3(0) : glm::normalize(glm::transpose(glm::inverse(glm::dmat3(to))) * normals[i]));
            seen.coordinates.push_back(coordinates.empty() ? dvec2(0) : dvec2(coordinates[i].x, coordinates[i].y));
            seen.materials.push_back(materials[i]);
        }
    }
    return seen;
}

struct Trip {
    Scene source, result;
    File file;
    Report report;
    dvec3 origin{0};
    std::vector<std::size_t> partner;  ///< of each vertex of the source: one of the result
};

/// Vertices in the same place, of the same colour: those of a seam have two.
void find_partners(Trip& trip) {
    const Seen from = see(trip.source), to = see(trip.result);
    // Partners are nearby, so that only those are tried whose x is.
    std::vector<std::size_t> by_x(to.places.size());
    std::iota(by_x.begin(), by_x.end(), std::size_t{0});
    std::sort(by_x.begin(), by_x.end(), [&](auto a, auto b) { return to.places[a].x < to.places[b].x; });
    double worst = 0;
    for (std::size_t i = 0; i < from.places.size(); ++i) {
        const dvec3 wanted = from.places[i] - trip.origin;
        std::size_t best = 0;
        double least = 1e-3;
        auto next = std::lower_bound(by_x.begin(), by_x.end(), wanted.x - least,
                                     [&](std::size_t k, double x) { return to.places[k].x < x; });
        for (; next != by_x.end() && to.places[*next].x <= wanted.x + least; ++next) {
            const double far = glm::distance(wanted, to.places[*next]);
            if (far >= least) continue;
            if (from.normals[i] != dvec3(0) && glm::distance(from.normals[i], to.normals[*next]) >= 1e-3) continue;
            least = far;
            best = *next;
        }
        trip.partner.push_back(best);
        worst = std::max(worst, least);
    }
    std::cout << "at rest: off by at most " << worst << " m\n";
    EXPECT_LT(worst, 2e-6);
}

Trip travel(Scene scene, const effigy::arp::FromSceneOptions& options = {}) {
    Trip trip;
    trip.source = std::move(scene);
    auto files = effigy::arp::from_scene(trip.source, options);
    EXPECT_TRUE(files) << to_string(files.error());
    if (!files) return trip;
    trip.file = files->value.container.avatar;
    trip.report = files->report;
    auto bytes = effigy::arp::write_container(files->value.container);
    EXPECT_TRUE(bytes) << to_string(bytes.error());
    auto read = effigy::arp::read_container(std::move(*bytes));
    EXPECT_TRUE(read) << to_string(read.error());
    if (const auto* names = effigy::arp::find_entry(read->value, "names.json")) {
        const auto json = Json::parse(reinterpret_cast<const char*>(names->content.data()),
                                      reinterpret_cast<const char*>(names->content.data() + names->content.size()));
        if (json.contains("origin"))
            trip.origin = {json["origin"][0].get<double>(), json["origin"][1].get<double>(),
                           json["origin"][2].get<double>()};
    }
    effigy::arp::SceneInput input;
    input.avatars.push_back(effigy::arp::avatar_from({"figure", 0, {}}, std::move(read->value)));
    for (auto& [name, motion] : files->value.motions) input.motions.push_back({{name, 0, {}}, motion});
    effigy::arp::SceneOptions settings;
    settings.arm_twist = effigy::arp::ArmTwist::none;
    auto result = effigy::arp::to_scene(std::move(input), settings);
    EXPECT_TRUE(result) << to_string(result.error());
    if (result) trip.result = std::move(result->value);
    return trip;
}

TEST(ArpFromSceneHumanoid, HasNothingToComplainAbout) {
    const Trip trip = travel(Humanoid(1).scene);
    std::cout << findings(trip.report);
    EXPECT_EQ(findings(effigy::arp::check(trip.file)), "");
    EXPECT_EQ(trip.file.version, "3.1");
    for (const char* code : {"arp-links-left-out", "arp-renamed", "arp-target-added", "arp-atlas", "arp-origin"})
        EXPECT_EQ(trip.report.count(code) > 0, true) << code;
}

TEST(ArpFromSceneHumanoid, BonesHaveCodes) {
    const Trip trip = travel(Humanoid(1).scene);
    for (const JointPlan& joint : plan()) {
        const std::size_t bone = effigy::arp::find_bone(trip.file, joint.code);
        ASSERT_LT(bone, trip.file.bones.size()) << joint.name;
        const std::string parent(trip.file.bones[bone].parent.c_str());
        const std::string wanted = joint.parent;
        for (const JointPlan& other : plan()) {
            if (wanted == other.name) {
                EXPECT_EQ(parent, other.code) << joint.name;
            }
        }
    }
}

TEST(ArpFromSceneHumanoid, BonesRunAlongX) {
    const Trip trip = travel(Humanoid(2).scene);
    for (const auto& [from, to] : {std::pair("LUPA", "LLRA"), std::pair("SPI1", "SPI2"), std::pair("RTHG", "RCLF")}) {
        const auto& child = trip.file.bones[effigy::arp::find_bone(trip.file, to)];
        const auto& parent = trip.file.bones[effigy::arp::find_bone(trip.file, from)];
        EXPECT_NEAR(child.translation.x, parent.length, 1e-4) << from;
        EXPECT_NEAR(child.translation.y, 0, 1e-4) << from;
        EXPECT_NEAR(child.translation.z, 0, 1e-4) << from;
    }
}

TEST(ArpFromSceneHumanoid, StandsAndMovesAlike) {
    Trip trip = travel(Humanoid(3).scene);
    find_partners(trip);
    const auto from_rest = tree_of(trip.source), to_rest = tree_of(trip.result);
    Dice dice(5);
    double worst = 0, worst_normal = 0;
    for (int pose = 0; pose < 10; ++pose) {
        Scene from = trip.source, to = trip.result;
        for (const JointPlan& joint : plan()) {
            const Index a = node_of(from, joint.name), b = node_of(to, joint.code);
            ASSERT_NE(b, no_index) << joint.code;
            const dquat turn = dice.turn(40);
            const auto world = [](const glm::dmat4& m) { return effigy::arp::native::rigid_part(m).rotation; };
            const dquat axes = glm::conjugate(world(from_rest.worlds[a])) * world(to_rest.worlds[b]);
            from.nodes[a].local.rotation = narrow(glm::normalize(wide(from.nodes[a].local.rotation)) * turn);
            to.nodes[b].local.rotation =
                narrow(glm::normalize(wide(to.nodes[b].local.rotation)) * (glm::conjugate(axes) * turn * axes));
        }
        const Seen x = see(from), y = see(to);
        for (std::size_t i = 0; i < x.places.size(); ++i) {
            worst = std::max(worst, glm::distance(x.places[i] - trip.origin, y.places[trip.partner[i]]));
            if (x.normals[i] != dvec3(0) && !std::isnan(x.normals[i].x))
                worst_normal = std::max(worst_normal, glm::distance(x.normals[i], y.normals[trip.partner[i]]));
        }
    }
    std::cout << "in random poses: off by at most " << worst << " m, normals by " << worst_normal << "\n";
    EXPECT_LT(worst, 1e-5);
}

TEST(ArpFromSceneHumanoid, MorphsAlike) {
    Trip trip = travel(Humanoid(4).scene);
    find_partners(trip);
    for (const auto& [from, to] : {std::pair("smile_long_name", "smil"), std::pair("blink", "blin")}) {
        const Seen x = see(trip.source, from), y = see(trip.result, to), still = see(trip.source);
        double worst = 0, moved = 0;
        for (std::size_t i = 0; i < x.places.size(); ++i) {
            worst = std::max(worst, glm::distance(x.places[i] - trip.origin, y.places[trip.partner[i]]));
            moved = std::max(moved, glm::distance(x.places[i], still.places[i]));
        }
        std::cout << from << ": moves " << moved << " m, off by at most " << worst << " m\n";
        EXPECT_GT(moved, 0.01);
        EXPECT_LT(worst, 1e-5);
    }
}

dvec3 color_at(const Scene& scene, Index material, const dvec2& place) {
    const Material& one = scene.materials[material];
    if (one.base_color_texture.image == no_index) return {one.base_color.r, one.base_color.g, one.base_color.b};
    const auto picture = image::decode(scene.images[one.base_color_texture.image].bytes).value();
    const auto x = static_cast<std::size_t>(std::clamp(place.x * picture.width, 0.0, picture.width - 1.0));
    const auto y = static_cast<std::size_t>(std::clamp(place.y * picture.height, 0.0, picture.height - 1.0));
    dvec3 color(0);
    const std::array<float, 3> factor{one.base_color.r, one.base_color.g, one.base_color.b};
    for (int k = 0; k < 3; ++k) {
        const double value =
            std::to_integer<int>(picture.rgba[(y * picture.width + x) * 4 + static_cast<std::size_t>(k)]) / 255.0;
        const double light = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        color[k] = light * double{factor[static_cast<std::size_t>(k)]};
    }
    return color;
}

TEST(ArpFromSceneHumanoid, IsColoredAlike) {
    Trip trip = travel(Humanoid(5).scene);
    const Seen x = see(trip.source), y = see(trip.result);
    double worst = 0;
    for (std::size_t i = 0; i < x.places.size(); ++i) {
        const dvec3 wanted = color_at(trip.source, x.materials[i], x.coordinates[i]);
        double least = 1e9;
        for (std::size_t k = 0; k < y.places.size(); ++k) {
            if (glm::distance(x.places[i] - trip.origin, y.places[k]) > 1e-5) continue;
            const dvec3 found = color_at(trip.result, y.materials[k], y.coordinates[k]);
            least = std::min(least, glm::distance(wanted, found));
        }
        worst = std::max(worst, least);
    }
    std::cout << "colours: off by at most " << worst << " of 1\n";
    EXPECT_LT(worst, 0.01);
}

/// `is_straight`: from one rotation to the next on a line, not at constant speed.
Seen pose(const Scene& scene, const Clip& clip, double time, bool is_straight = false) {
    Scene posed = scene;
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation) continue;
        std::size_t k = 0;
        while (k + 1 < track.times.size() && double{track.times[k + 1]} <= time + 1e-6) ++k;
        const auto at = [&](std::size_t key) {
            return dquat(track.values[4 * key + 3], track.values[4 * key], track.values[4 * key + 1],
                         track.values[4 * key + 2]);
        };
        dquat turn = at(k);
        if (k + 1 < track.times.size()) {
            double part = (time - double{track.times[k]}) / (double{track.times[k + 1]} - double{track.times[k]});
            part = std::clamp(part, 0.0, 1.0);
            turn = is_straight ? at(k) * (1 - part) + at(k + 1) * part : glm::slerp(at(k), at(k + 1), part);
        }
        posed.nodes[track.node].local.rotation = narrow(glm::normalize(turn));
    }
    return see(posed);
}

double difference(const Trip& trip, const Seen& from, const Seen& to) {
    double worst = 0;
    for (std::size_t i = 0; i < from.places.size(); ++i)
        worst = std::max(worst, glm::distance(from.places[i] - trip.origin, to.places[trip.partner[i]]));
    return worst;
}

/// Those of EMotion FX and X42, which both go straight from one key to another that is as near as this.
TEST(ArpFromSceneHumanoid, MovesByTheRulesOfTheClip) {
    for (const ClipRules rules : {ClipRules{RotationRule::nlerp, true}, ClipRules{RotationRule::by_angle, false}}) {
        Scene scene = Humanoid(6).scene;
        Clip& clip = scene.clips[1];
        clip.rules = rules;
        clip.duration = 1;
        Track track;
        track.path = TrackPath::rotation;
        track.node = std::find_if(clip.tracks.begin(), clip.tracks.end(), [](const Track& one) {
                         return one.path == TrackPath::rotation;
                     })->node;
        const Quat rest = scene.nodes[track.node].local.rotation;
        const Quat turned = narrow(wide(rest) * glm::angleAxis(glm::radians(100.0), dvec3(0, 0, 1)));
        track.times = {0, 1};
        track.values = {rest.x, rest.y, rest.z, rest.w, turned.x, turned.y, turned.z, turned.w};
        clip.tracks.assign(1, track);
        Trip trip = travel(std::move(scene));
        find_partners(trip);
        const auto wave = std::find_if(trip.result.clips.begin(), trip.result.clips.end(),
                                       [](const Clip& one) { return one.name == "wave"; });
        ASSERT_NE(wave, trip.result.clips.end());
        double worst = 0, by_arc = 0;
        for (const double time : {0.0, 0.2, 0.4, 0.8, 1.0}) {
            const Seen shown = pose(trip.result, *wave, time);
            worst = std::max(worst, difference(trip, pose(trip.source, trip.source.clips[1], time, true), shown));
            by_arc = std::max(by_arc, difference(trip, pose(trip.source, trip.source.clips[1], time), shown));
        }
        EXPECT_LT(worst, 1e-5);
        EXPECT_GT(by_arc, 1e-3);
    }
}

TEST(ArpFromSceneHumanoid, MovesAlikeInClips) {
    Trip trip = travel(Humanoid(6).scene);
    ASSERT_TRUE(trip.file.ambient.has_value());
    EXPECT_EQ(trip.file.ambient->frames.size(), 50u);
    ASSERT_EQ(trip.result.clips.size(), 2u);
    find_partners(trip);
    for (const std::size_t from_clip : {0U, 1U}) {
        const std::string to_clip = from_clip == 0 ? "ambient" : "wave";
        const auto found = std::find_if(trip.result.clips.begin(), trip.result.clips.end(),
                                        [&](const Clip& clip) { return clip.name == to_clip; });
        ASSERT_NE(found, trip.result.clips.end()) << to_clip;
        double worst = 0;
        for (const double time : {0.0, 0.48, 1.0, 1.52}) {
            worst = std::max(worst, difference(trip, pose(trip.source, trip.source.clips[from_clip], time),
                                               pose(trip.result, *found, time)));
        }
        std::cout << to_clip << ": off by at most " << worst << " m\n";
        EXPECT_LT(worst, 1e-5);
    }
}

/// Where joints are at a moment of a clip, in the avatar.
std::map<std::string, glm::dmat4> joints_at(const Trip& trip, const std::string& name, double time) {
    Scene posed = trip.result;
    for (const Clip& clip : trip.result.clips) {
        for (const Track& track : clip.tracks) {
            if (clip.name != name || track.path != TrackPath::rotation) continue;
            std::vector<double> q(4);
            TrackSampler(track, 4, clip.rules).at(time, q);
            posed.nodes[track.node].local.rotation = narrow(dquat(q[3], q[0], q[1], q[2]));
        }
    }
    std::map<std::string, glm::dmat4> joints;
    const auto tree = tree_of(posed);
    for (const JointPlan& joint : plan()) joints[joint.code] = tree.worlds[node_of(posed, joint.code)];
    return joints;
}

TEST(ArpFromSceneHumanoid, LooksAheadWhereverItsFormatLooks) {
    const Trip ahead = travel(Humanoid(7).scene);
    Scene scene = Humanoid(7).scene;
    scene.facing = -90;
    Quat& turn = scene.nodes[0].local.rotation;
    turn = narrow(glm::angleAxis(-puppets::pi / 2, dvec3(0, 1, 0)) * wide(turn));
    const Trip sideways = travel(std::move(scene));
    for (const std::string clip : {"", "wave", "ambient"}) {
        const auto expected = joints_at(ahead, clip, 1), found = joints_at(sideways, clip, 1);
        for (const auto& [code, world] : expected) {
            EXPECT_LT(glm::distance(dvec3(world[3]), dvec3(found.at(code)[3])), 1e-5) << clip << " " << code;
            EXPECT_LT(largest(glm::dmat3(world) - glm::dmat3(found.at(code))), 1e-5) << clip << " " << code;
        }
    }
}

TEST(ArpFromSceneHumanoid, OddSizesAreNamed) {
    Scene scene = Humanoid(1).scene;
    EXPECT_EQ(travel(scene).report.count("arp-figure-height"), 0u);
    scene.nodes[0].local.scale = {1, 1, 1};  // centimetres taken for metres
    const Trip trip = travel(scene);
    EXPECT_EQ(trip.report.count("arp-figure-height"), 1u);
    EXPECT_NE(findings(trip.report).find("--height 1.8"), std::string::npos);
    effigy::arp::FromSceneOptions options;
    options.height = 1.8;
    EXPECT_EQ(travel(scene, options).report.count("arp-figure-height"), 0u);
}

TEST(ArpFromSceneHumanoid, HeightIsSet) {
    effigy::arp::FromSceneOptions options;
    options.height = 1.2;
    const Trip trip = travel(Humanoid(7).scene, options);
    const Seen seen = see(trip.result);
    double low = 1e9, high = -1e9;
    for (const dvec3& place : seen.places) {
        low = std::min(low, place.y);
        high = std::max(high, place.y);
    }
    EXPECT_NEAR(high - low, 1.2, 1e-5);
    EXPECT_EQ(findings(effigy::arp::check(trip.file)), "");
}

TEST(ArpFromSceneHumanoid, FilesOfEachFormat) {
    const Scene scene = Humanoid(8).scene;
    const auto names_of = [&](const char* path) {
        const auto files = make_files(scene, path);
        EXPECT_TRUE(files) << to_string(files.error());
        std::string names;
        for (const NewFile& file : files ? files->value : std::vector<NewFile>()) {
            names += file.name + " ";
            if (file.name.ends_with(".json") || file.name.ends_with(".png")) continue;
            const auto read = open_bytes(file.bytes, file.name);
            EXPECT_TRUE(read) << file.name;
            if (read) {
                EXPECT_EQ(findings(read->report) + findings(read->value.check()), "") << file.name;
            }
        }
        return names;
    };
    EXPECT_EQ(names_of("f.jar"), "f.jar f_wave.cas.xml ");
    EXPECT_EQ(names_of("f.jarp"), "f.jarp f.png f.names.json f_wave.cas.xml ");
    EXPECT_EQ(names_of("wave.cas"), "wave.cas ");
    Scene still = scene;
    still.clips.clear();
    const auto none = make_files(still, "wave.cas");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, "arp-clip-choice");
}

cas::File motion_alone(const Scene& scene) {
    effigy::arp::FromSceneOptions options;
    options.only_motions = true;
    auto files = effigy::arp::from_scene(scene, options);
    EXPECT_TRUE(files) << to_string(files.error());
    if (!files || files->value.motions.size() != 1) return {};
    EXPECT_TRUE(files->value.container.entries.empty());
    EXPECT_EQ(findings(files->report), "");
    return std::move(files->value.motions.front().second);
}

TEST(ArpFromSceneHumanoid, MotionsNeedBonesOnly) {
    Scene scene = Humanoid(9).scene;
    const Bytes whole = effigy::arp::from_scene(scene)->value.motions.at(0).second.text;
    EXPECT_EQ(motion_alone(scene).text, whole);
    for (Clip& clip : scene.clips)
        std::erase_if(clip.tracks, [](const Track& track) { return track.path == TrackPath::weights; });
    const cas::File still_face = motion_alone(scene);
    for (Node& node : scene.nodes) node.mesh = node.skin = no_index;
    scene.meshes.clear();
    EXPECT_EQ(motion_alone(scene).text, still_face.text);
    ASSERT_FALSE(effigy::arp::from_scene(scene));
    EXPECT_EQ(effigy::arp::from_scene(scene).error().code, "nothing-to-show");

    scene.skins.clear();
    const cas::File bare = motion_alone(scene);
    ASSERT_EQ(bare.frames.size(), still_face.frames.size());
    const auto place_of = [](const cas::Frame& frame, const char* name) {
        return std::find_if(frame.bones.begin(), frame.bones.end(), [&](const auto& key) { return key.name == name; });
    };
    for (const char* name : {"ROOT", "SPI2", "LUPA", "LWRI", "RLRA"}) {
        const auto before = place_of(still_face.frames[0], name), after = place_of(bare.frames[0], name);
        ASSERT_NE(before, still_face.frames[0].bones.end()) << name;
        ASSERT_NE(after, bare.frames[0].bones.end()) << name;
        EXPECT_EQ(before->rotation, after->rotation) << name;
    }
}

struct RigBone {
    std::string name, parent;
    dvec3 place;  ///< metres
    bool moves = true;
};
using Rig = std::vector<RigBone>;

std::array<std::size_t, 2> place_in(const Rig& rig, const RigBone& bone) {
    const auto above =
        std::find_if(rig.begin(), rig.end(), [&](const RigBone& one) { return one.name == bone.parent; });
    return {static_cast<std::size_t>(&bone - rig.data()), static_cast<std::size_t>(above - rig.begin())};
}

/// A triangle on each bone that moves some; all of them are joints, as Blender writes them.
Scene skinned(const Rig& rig) {
    Scene scene;
    Skin skin;
    std::vector<std::uint16_t> holders;
    for (const RigBone& bone : rig) {
        const auto [index, above] = place_in(rig, bone);
        Node& node = scene.nodes.emplace_back();
        node.name = bone.name;
        node.local.translation = narrow(above < rig.size() ? bone.place - rig[above].place : bone.place);
        if (above < rig.size()) add_child(scene, static_cast<Index>(above), static_cast<Index>(index));
        skin.joints.push_back(static_cast<Index>(index));
        skin.inverse_bind_matrices.push_back(narrow(glm::inverse(matrix_of(bone.place, dquat(1, 0, 0, 0)))));
        if (bone.moves) holders.insert(holders.end(), 3, static_cast<std::uint16_t>(index));
    }
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = static_cast<std::uint32_t>(holders.size());
    const auto position = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    const auto joints = add_attribute<std::uint16_t>(mesh, Semantic::joints, ElementType::vec4, ComponentType::u16);
    const auto weights = add_attribute<float>(mesh, Semantic::weights, ElementType::vec4, ComponentType::f32);
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = mesh.vertex_count;
    for (std::uint32_t i = 0; i < mesh.vertex_count; ++i) {
        position[i] = narrow(rig[holders[i]].place + dvec3(i % 3 == 1 ? 0.02 : 0, i % 3 == 2 ? 0.02 : 0, 0));
        // Without weight, the first joint is named by all and holds none of them.
        for (std::size_t k = 0; k < 4; ++k) {
            joints[4 * i + k] = k == 0 ? holders[i] : std::uint16_t{0};
            weights[4 * i + k] = k == 0 ? 1.0F : 0.0F;
        }
        primitive.indices.push_back(i);
    }
    scene.skins.push_back(std::move(skin));
    Node& body = scene.nodes.emplace_back();
    body.name = "Body";
    body.mesh = body.skin = 0;
    return scene;
}

using Codes = std::map<std::string, std::string>;  ///< what bones of these codes are called in the rig

Codes codes_of(const Rig& rig) {
    Codes codes;
    const auto files = effigy::arp::from_scene(skinned(rig));
    EXPECT_TRUE(files) << to_string(files.error());
    if (!files) return codes;
    EXPECT_EQ(findings(effigy::arp::check(files->value.container.avatar)), "");
    const auto* names = effigy::arp::find_entry(files->value.container, "names.json");
    if (names == nullptr) return codes;
    const char* text = reinterpret_cast<const char*>(names->content.data());
    const auto json = Json::parse(text, text + names->content.size());
    for (const auto& pair : json["bones"]) codes[pair[0].get<std::string>()] = pair[1].get<std::string>();
    return codes;
}

void expect_codes(const Rig& rig, const Codes& expected) {
    Codes codes = codes_of(rig);
    for (const auto& [code, name] : expected) EXPECT_EQ(codes[code], name) << code;
}

/// The trunk's bones are numbered from the pelvis to the head.
Rig rigify_trunk(const std::string& mark, const std::string& top, bool moves = true) {
    Rig rig;
    for (int i = 0; i < 7; ++i) {
        const std::string parent = rig.empty() ? top : rig.back().name;
        rig.push_back({mark + "spine" + (i == 0 ? "" : ".00" + std::to_string(i)), parent, {0, 1 + 0.1 * i, 0}, moves});
    }
    return rig;
}

/// Limbs of the left side; those that move the skin are in two pieces, of which the second twists.
Rig rigify_limbs(const std::string& mark, const std::string& chest, const std::string& pelvis, bool has_pieces,
                 bool moves = true) {
    Rig rig;
    const auto add = [&](const std::string& name, const std::string& parent, const dvec3& place) {
        rig.push_back({mark + name, parent, place, moves});
    };
    const std::string upper = mark + "upper_arm.L", lower = mark + "forearm.L", hand = mark + "hand.L";
    add("shoulder.L", chest, {0.05, 1.4, 0});
    add("upper_arm.L", mark + "shoulder.L", {0.15, 1.4, 0});
    if (has_pieces) add("upper_arm.L.001", upper, {0.28, 1.4, 0});
    add("forearm.L", has_pieces ? upper + ".001" : upper, {0.4, 1.4, 0});
    if (has_pieces) add("forearm.L.001", lower, {0.5, 1.4, 0});
    add("hand.L", has_pieces ? lower + ".001" : lower, {0.6, 1.4, 0});
    for (const std::string finger : {"f_index", "thumb"}) {
        for (int i = 1; i <= 3; ++i) {
            const std::string number = ".0" + std::to_string(i) + ".L";
            const std::string above = mark + finger + ".0" + std::to_string(i - 1) + ".L";
            add(finger + number, i == 1 ? hand : above, {0.65 + 0.03 * i, 1.4, finger == "thumb" ? 0.05 : 0.02});
        }
    }
    add("thigh.L", pelvis, {0.1, 0.95, 0});
    add("shin.L", mark + "thigh.L", {0.1, 0.5, 0.02});
    add("foot.L", mark + "shin.L", {0.1, 0.1, 0});
    return rig;
}

void append(Rig& rig, const Rig& more) { rig.insert(rig.end(), more.begin(), more.end()); }

Codes rigify_codes(const std::string& mark) {
    return {{"ROOT", mark + "spine"},        {"SPI1", mark + "spine.001"},    {"SPI2", mark + "spine.002"},
            {"SPI3", mark + "spine.003"},    {"NEC1", mark + "spine.004"},    {"HEAD", mark + "spine.006"},
            {"LCLR", mark + "shoulder.L"},   {"LUPA", mark + "upper_arm.L"},  {"LLRA", mark + "forearm.L"},
            {"LWRI", mark + "hand.L"},       {"LIF1", mark + "f_index.01.L"}, {"LIF2", mark + "f_index.02.L"},
            {"LIF3", mark + "f_index.03.L"}, {"LTH1", mark + "thumb.01.L"},   {"LTH2", mark + "thumb.02.L"},
            {"LTH3", mark + "thumb.03.L"},   {"LTHG", mark + "thigh.L"},      {"LCLF", mark + "shin.L"},
            {"LFOT", mark + "foot.L"}};
}

/// All bones of a rig that Rigify has made: controls and what stands between them are above those with the skin.
Rig generated_rig() {
    Rig rig{{"root", "", {0, 0, 0}, false},
            {"hips", "root", {0, 1, 0}, false},
            {"neck", "hips", {0, 1.4, 0}, false},
            {"head", "neck", {0, 1.6, 0}, false},
            {"MCH-spine", "hips", {0, 1, 0}, false}};
    append(rig, rigify_trunk("ORG-", "MCH-spine", false));
    append(rig, rigify_limbs("ORG-", "ORG-spine.003", "ORG-spine", false, false));
    append(rig, rigify_limbs("", "ORG-spine.003", "ORG-spine", false, false));
    append(rig, rigify_trunk("DEF-", "root"));
    append(rig, rigify_limbs("DEF-", "ORG-shoulder.L", "ORG-spine", true));
    return rig;
}

TEST(ArpFromSceneHumanoid, BonesThatMoveNothingComeLast) { expect_codes(generated_rig(), rigify_codes("DEF-")); }

/// Motions of such a rig, which have no skin with them, are those of its avatar.
TEST(ArpFromSceneHumanoid, BonesWithoutSkinAreKnownByTheirMark) {
    namespace native = effigy::arp::native;
    const Rig rig = generated_rig();
    native::NamedBones bones;
    for (const RigBone& bone : rig) {
        const std::size_t above = place_in(rig, bone)[1];
        bones.names.push_back(bone.name);
        bones.parents.push_back(above < rig.size() ? above : native::none);
    }
    bones.moves.assign(rig.size(), false);
    const Scene scene;
    const effigy::arp::FromSceneOptions options;
    const native::Build build(Budget(options.limits, 0), scene, options);
    const std::vector<std::string> codes = native::human_codes(build, bones);
    Codes found;
    for (std::size_t i = 0; i < codes.size(); ++i) found[codes[i]] = rig[i].name;
    for (const auto& [code, name] : rigify_codes("DEF-")) EXPECT_EQ(found[code], name) << code;
}

/// Without those that move nothing, arms, legs and the face hang on nothing.
TEST(ArpFromSceneHumanoid, BonesOfTheSkinAloneAreKnown) {
    Rig rig = rigify_trunk("DEF-", "");
    append(rig, rigify_limbs("DEF-", "", "", true));
    rig.push_back({"DEF-forehead.L", "", {0.03, 1.8, 0.1}});
    rig.push_back({"DEF-forehead.L.001", "", {0.05, 1.82, 0.1}});
    expect_codes(rig, rigify_codes("DEF-"));
}

TEST(ArpFromSceneHumanoid, RigsBeforeTheyAreGeneratedAreKnown) {
    Rig rig = rigify_trunk("", "");
    append(rig, rigify_limbs("", "spine.003", "spine", false));
    rig.push_back({"face", "spine.006", {0, 1.65, 0.05}});
    rig.push_back({"forehead.L", "face", {0.03, 1.8, 0.1}});
    rig.push_back({"eye.L", "face", {0.03, 1.7, 0.1}});
    Codes codes = rigify_codes("");
    codes["LEYE"] = "eye.L";
    expect_codes(rig, codes);
}

/// Any spine may have as many bones, and an animal's begins at its tail.
TEST(ArpFromSceneHumanoid, OtherSpinesAreNoWholeTrunks) {
    Rig rig{{"pelvis", "", {0, 0.9, 0}}};
    append(rig, rigify_trunk("", "pelvis"));
    rig.push_back({"neck", "spine.006", {0, 1.7, 0}});
    rig.push_back({"head", "neck", {0, 1.8, 0}});
    expect_codes(rig, {{"ROOT", "pelvis"}, {"NEC1", "neck"}, {"HEAD", "head"}, {"SPI1", "spine"}});
    Rig animal = rigify_trunk("", "");
    animal.push_back({"spine.007", "spine.006", {0, 1.7, 0}});
    EXPECT_EQ(codes_of(animal)["HEAD"], "spine.007");
}

/// A bone that no vertex hangs on is one of the row all the same, unless one of the same name has vertices.
TEST(ArpFromSceneHumanoid, FingersKeepTheirOrder) {
    Rig rig{{"Hips", "", {0, 1, 0}}, {"LeftHand", "Hips", {0.6, 1.4, 0}}};
    rig.push_back({"LeftHandIndex1", "LeftHand", {0.7, 1.4, 0}, false});
    rig.push_back({"LeftHandIndex2", "LeftHandIndex1", {0.73, 1.4, 0}});
    rig.push_back({"LeftHandIndex3", "LeftHandIndex2", {0.76, 1.4, 0}, false});
    expect_codes(rig, {{"LIF1", "LeftHandIndex1"}, {"LIF2", "LeftHandIndex2"}, {"LIF3", "LeftHandIndex3"}});
}

/// What is highest on one side is a brow or hair.
TEST(ArpFromSceneHumanoid, HeadsAreInTheMiddle) {
    const Rig rig{{"base", "", {0, 1, 0}}, {"skull", "base", {0, 1.6, 0}}, {"forehead.L", "skull", {0.03, 1.8, 0.1}}};
    expect_codes(rig, {{"HEAD", "skull"}});
}

/// Real avatars of which nothing but glTF's own data is left: everything is derived anew.
TEST(ArpFromSceneHumanoid, CorpusWithoutExtras) {
    EFFIGY_NEEDS_AVATARS();
    for (const auto& [name, bytes, file, report] : avatars::all()) {
        SCOPED_TRACE(name);
        effigy::arp::SceneInput input;
        input.avatars.push_back({{"avatar", 0, {}}, file, {}});
        effigy::arp::SceneOptions settings;
        settings.arm_twist = effigy::arp::ArmTwist::none;
        auto scene = effigy::arp::to_scene(std::move(input), settings);
        ASSERT_TRUE(scene) << to_string(scene.error());
        scene->value.asset_extras = {};
        scene->value.clips.clear();
        for (Node& node : scene->value.nodes) node.extras = {};
        for (Mesh& mesh : scene->value.meshes) mesh.extras = {};
        for (Material& material : scene->value.materials) material.extras = {};
        Trip trip = travel(std::move(scene->value));
        find_partners(trip);
        const auto from_rest = tree_of(trip.source), to_rest = tree_of(trip.result);
        Dice dice(9);
        double worst = 0;
        for (int pose = 0; pose < 3; ++pose) {
            Scene from = trip.source, to = trip.result;
            for (const auto& bone : file.bones) {
                const std::string code = bone.name.c_str();
                const Index a = node_of(from, code), b = node_of(to, code);
                ASSERT_NE(b, no_index) << code;
                const dquat turn = dice.turn(30);
                const auto world = [](const glm::dmat4& m) { return effigy::arp::native::rigid_part(m).rotation; };
                const dquat axes = glm::conjugate(world(from_rest.worlds[a])) * world(to_rest.worlds[b]);
                from.nodes[a].local.rotation =
                    narrow(glm::normalize(glm::normalize(wide(from.nodes[a].local.rotation)) * turn));
                to.nodes[b].local.rotation = narrow(glm::normalize(glm::normalize(wide(to.nodes[b].local.rotation)) *
                                                                   (glm::conjugate(axes) * turn * axes)));
            }
            const Seen x = see(from), y = see(to);
            for (std::size_t i = 0; i < x.places.size(); ++i)
                worst = std::max(worst, glm::distance(x.places[i] - trip.origin, y.places[trip.partner[i]]));
        }
        std::cout << "corpus: " << name << ": in random poses off by at most " << worst << " m of 1.8\n";
        EXPECT_LT(worst, 1e-4 * 1.8);
    }
}

/// A mirrored joint's frame turns with it, also where it is sheared as well.
TEST(ArpFromSceneHumanoid, MirroredFramesTurnAlong) {
    Dice dice(12);
    for (const dvec3& scale : {dvec3(-1, 1, 1), dvec3(-2, -2, -2), dvec3(1, 0.5, -3)}) {
        glm::dmat4 joint = matrix_of({1, 2, 3}, dice.turn(170));
        for (int axis = 0; axis < 3; ++axis) joint[axis] *= scale[axis];
        joint = matrix_of({}, dice.turn(30)) * joint;
        const dquat at_rest = effigy::arp::native::rigid_part(joint).rotation;
        for (int i = 0; i < 10; ++i) {
            const dquat turn = dice.turn(170);
            const dquat turned = effigy::arp::native::rigid_part(matrix_of({}, turn) * joint).rotation;
            EXPECT_LT(angle_between(turned, turn * at_rest), 1e-6);
        }
    }
}

/// Players divide by the length of upper arms.
TEST(ArpFromSceneHumanoid, ArmsThatEndInStumpsHaveALength) {
    Scene scene = Humanoid(14).scene;
    for (const char* name : {"ForeArm", "Hand", "HandIndex1", "HandIndex2"}) {
        Node& node = scene.nodes.at(node_of(scene, std::string("mixamorig:Left") + name));
        node.name = std::string("lump in ") + name;
        node.local.translation = {};
    }
    const auto files = effigy::arp::from_scene(scene);
    ASSERT_TRUE(files) << to_string(files.error());
    const File& file = files->value.container.avatar;
    const auto& arm = file.bones.at(effigy::arp::find_bone(file, "LUPA"));
    const auto& lower = file.bones.at(effigy::arp::find_bone(file, "LLRA"));
    EXPECT_NEAR(arm.length, 25 * 0.13 / 2, 0.01) << "half of what it is away from the shoulder";
    EXPECT_NEAR(lower.translation.x, arm.length, 1e-5);
    EXPECT_EQ(files->report.count("arp-bone-added"), 1u);
    EXPECT_EQ(findings(effigy::arp::check(file)), "");
}

/// Turning a bone below one of uneven scale shears it, which bones cannot; other clips say nothing.
TEST(ArpFromSceneHumanoid, ShearInClipsIsReported) {
    EXPECT_EQ(travel(Humanoid(13).scene).report.count("arp-scale-lost"), 0u);
    Scene scene = Humanoid(13).scene;
    scene.nodes[node_of(scene, "mixamorig:Hips")].local.scale = {1, 2, 1};
    EXPECT_GT(travel(std::move(scene)).report.count("arp-scale-lost"), 0u);
}

TEST(ArpFromSceneHumanoid, PointsAndLinesAreReported) {
    Scene scene = Humanoid(17).scene;
    EXPECT_EQ(travel(scene).report.count("arp-not-triangles"), 0u);
    Mesh dots;
    dots.vertex_count = 1;
    add_attribute<Vec3>(dots, Semantic::position, ElementType::vec3, ComponentType::f32)[0] = {0, 1, 0};
    dots.primitives.push_back({0, 1, {0}, no_index, Topology::points});
    const auto node = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = "Dots";
    scene.nodes[node].mesh = static_cast<Index>(scene.meshes.size());
    scene.meshes.push_back(std::move(dots));
    add_child(scene, node_of(scene, "mixamorig:Head"), node);
    EXPECT_EQ(travel(scene).report.count("arp-not-triangles"), 1u);
}

/// Elements of XML are not nested without end.
TEST(ArpFromSceneHumanoid, DeepSkeletonsHaveNoFileForTools) {
    Scene scene = Humanoid(18).scene;
    const auto has_joints = [](const effigy::arp::NativeFiles& files) {
        return effigy::arp::find_entry(files.container, "asd.xml") != nullptr;
    };
    auto made = effigy::arp::from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_TRUE(has_joints(made->value));
    EXPECT_EQ(made->report.count("arp-skeleton-deep"), 0u);
    Index above = node_of(scene, "mixamorig:Head");
    for (int i = 0; i < 300; ++i) {
        const auto node = static_cast<Index>(scene.nodes.size());
        scene.nodes.emplace_back().name = "plait" + std::to_string(i);
        scene.nodes[node].local.translation = {0, 0.001F, 0};
        add_child(scene, above, node);
        scene.skins[0].joints.push_back(node);
        scene.skins[0].inverse_bind_matrices.push_back(Mat4{});
        above = node;
    }
    made = effigy::arp::from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_FALSE(has_joints(made->value));
    EXPECT_EQ(made->report.count("arp-skeleton-deep"), 1u);
}

/// Signing takes minutes, in which all joints move in all frames.
TEST(ArpFromSceneHumanoid, LongClipsNeedNoOtherLimit) {
    Scene scene = Humanoid(16).scene;
    const auto joints = scene.skins[0].joints;
    const std::size_t frames = 180'000 / joints.size();
    Clip& clip = scene.clips[1];
    clip.tracks.clear();
    for (const Index joint : joints) {
        Track& track = clip.tracks.emplace_back();
        track.node = joint;
        track.path = TrackPath::rotation;
        const dquat rest = wide(scene.nodes[joint].local.rotation);
        for (std::size_t i = 0; i < frames; ++i) {
            track.times.push_back(static_cast<float>(i) / 25);
            const Quat q = narrow(rest * glm::angleAxis(0.1 * static_cast<double>(i % 3), dvec3(1, 0, 0)));
            track.values.insert(track.values.end(), {q.x, q.y, q.z, q.w});
        }
    }
    clip.duration = clip.tracks[0].times.back();
    const auto made = effigy::arp::from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    ASSERT_EQ(made->value.motions.size(), 1u);
    EXPECT_GE(made->value.motions[0].second.frames.size() + 1, frames);
    effigy::arp::FromSceneOptions options;
    options.limits.memory = std::uint64_t{16} << 20;
    const auto refused = effigy::arp::from_scene(scene, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "limit-memory");
}

/// What a pelvis takes along is said, whether bones or meshes were beside it.
TEST(ArpFromSceneHumanoid, MeshesBesideTheBonesAreReported) {
    Scene scene = Humanoid(15).scene;
    EXPECT_EQ(travel(scene).report.count("arp-mesh-beside"), 0u);
    const auto sign = static_cast<Index>(scene.nodes.size());
    scene.nodes.emplace_back().name = "Sign";
    scene.nodes[sign].mesh = 0;
    const Trip trip = travel(scene);
    EXPECT_NE(findings(trip.report).find("1: Sign) [arp-mesh-beside]"), std::string::npos) << findings(trip.report);
    EXPECT_EQ(trip.report.count("arp-mesh-beside"), 1u);
    add_child(scene, node_of(scene, "mixamorig:LeftHand"), sign);
    EXPECT_EQ(travel(scene).report.count("arp-mesh-beside"), 0u);
}

/// Without bones, texture coordinates, normals: what players need by name is added.
TEST(ArpFromSceneHumanoid, AnyTriangleIsAFigure) {
    Scene scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.vertex_count = 3;
    const auto position = add_attribute<Vec3>(mesh, Semantic::position, ElementType::vec3, ComponentType::f32);
    position[0] = {0, 0, 0};
    position[1] = {1, 0, 0};
    position[2] = {0, 1, 0};
    Primitive& primitive = mesh.primitives.emplace_back();
    primitive.vertex_count = 3;
    primitive.indices = {0, 1, 2};
    scene.nodes.emplace_back().mesh = 0;
    const Trip trip = travel(scene);
    std::cout << findings(trip.report);
    EXPECT_EQ(findings(effigy::arp::check(trip.file)), "");
    EXPECT_EQ(trip.report.count("arp-mesh-beside"), 0u);
    const Seen seen = see(trip.result);
    ASSERT_EQ(seen.places.size(), 3u);
}

}  // namespace
}  // namespace effigy::test::arp
