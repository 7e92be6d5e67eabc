/// Surfaces, tangents, joints and the rest pose of the .glb, measured against the files' own numbers.

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

#include "corpus/corpus.hpp"
#include "proof/convert.hpp"
#include "proof/measure.hpp"
#include "proof/synthetic.hpp"

namespace {

constexpr double rest_limit = 1e-5;  ///< of the model's size

double percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const std::string& name, const measure::Surface& surface, const measure::Joints& joints, double error) {
    std::printf(
        "%-44s faces %6zu: %5.1f %% agree; corners with normals %5.1f %% = %5.1f %% drawn; tangents %5.1f %% = %5.1f "
        "%%; "
        "bitangents %5.1f %% = %5.1f %%; borderline %zu; joint to vertex %.4f = %.4f; rest error %.1e\n",
        name.c_str(), surface.faces, percent(surface.agreeing_faces, surface.faces),
        percent(surface.agreeing_normals, surface.corners), percent(surface.drawn_normals, surface.corners),
        percent(surface.agreeing_tangents, surface.tangent_corners),
        percent(surface.drawn_tangents, surface.tangent_corners),
        percent(surface.agreeing_bitangents, surface.tangent_corners),
        percent(surface.drawn_bitangents, surface.tangent_corners), surface.borderline, joints.distance,
        joints.drawn_distance, error);
}

struct Measured {
    measure::Surface surface;
    std::size_t meshes = 0;
};

/// Everything that can be said about an actor at rest.
Measured expect_same_geometry(const std::string& name, convert::ByteView bytes) {
    SCOPED_TRACE(name);
    const oracle::Actor actor = oracle::read_actor(bytes);
    const oracle::Drawing drawing(actor);
    const glb::Document document = glb::read(convert::to_glb({{bytes}, {}, {}}));
    const glb::Pose pose = glb::rest(document);
    const double size = measure::size_of(drawing, drawing.bind_world());

    const measure::Matching matching = measure::match_meshes(drawing, document, size);
    EXPECT_TRUE(matching.missing.empty()) << matching.missing.size() << " are not drawn, first " << matching.missing[0];
    double error = 0;
    for (const measure::Match& match : matching.matches) {
        EXPECT_LE(match.error, rest_limit) << "mesh of " << measure::decoded(actor.nodes[match.mesh->node].name);
        error = std::max(error, match.error);
        EXPECT_EQ(match.mesh->collision || match.mesh->lod > 0, !document.nodes[match.node].in_scene)
            << "mesh of " << measure::decoded(actor.nodes[match.mesh->node].name) << ", level " << match.mesh->lod;
    }
    EXPECT_LE(measure::compare_nodes(actor, drawing.bind_world(), pose, size), rest_limit);

    const measure::Surface surface = measure::compare_surface(drawing, document, matching, size);
    EXPECT_EQ(surface.contradictions, 0u);
    EXPECT_LE(surface.borderline, surface.corners / 33) << "too much that cannot be told";
    EXPECT_EQ(surface.other_triangles, 0u);
    EXPECT_EQ(surface.lost_tangents, 0u);

    const measure::Joints joints = measure::compare_joints(drawing, document, matching, size);
    EXPECT_EQ(joints.links, joints.drawn_links);
    EXPECT_NEAR(joints.distance, joints.drawn_distance, 1e-5 * size);
    EXPECT_LE(joints.error, rest_limit);
    print(name, surface, joints, error);
    return {surface, matching.matches.size()};
}

TEST(Geometry, CorpusIsDrawnAsTheFilesMeanIt) {
    EFFIGY_NEEDS_CORPUS();
    Measured sum;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        const Measured one = expect_same_geometry(file->path.filename().string(), file->bytes);
        sum.surface.add(one.surface);
        sum.meshes += one.meshes;
    }
    std::printf(
        "corpus: %zu actors, %zu meshes, %zu faces, %zu corners with normals, %zu with tangents, %zu borderline\n",
        corpus::files_of("XAC ").size(), sum.meshes, sum.surface.faces, sum.surface.corners,
        sum.surface.tangent_corners, sum.surface.borderline);
}

/// What the oracle's own reading must show on real files if its conventions are right.
TEST(Geometry, TheOracleReadsTheCorpusSensibly) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t nearer = 0, skinned = 0;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        const oracle::Actor actor = oracle::read_actor(file->bytes);
        const std::vector<oracle::Mat4> world = oracle::world_matrices(actor, oracle::bind_pose(actor));
        oracle::Actor conjugated = actor;
        for (oracle::Node& node : conjugated.nodes) node.bind.rotation = glm::conjugate(node.bind.rotation);
        const std::vector<oracle::Mat4> other = oracle::world_matrices(conjugated, oracle::bind_pose(conjugated));
        double distance = 0, other_distance = 0;
        for (const oracle::Mesh& mesh : actor.meshes)
            for (std::size_t v = 0; mesh.skinned && v < mesh.positions.size(); ++v)
                for (const oracle::Influence& influence : mesh.influences_of(v)) {
                    distance += glm::length(oracle::Vec3(world.at(influence.node)[3]) - mesh.positions[v]);
                    other_distance += glm::length(oracle::Vec3(other.at(influence.node)[3]) - mesh.positions[v]);
                }
        if (distance == other_distance) continue;  // no skin, or no rotation in the skeleton
        ++skinned;
        nearer += distance < other_distance;
    }
    EXPECT_EQ(nearer, skinned) << "joints lie nearer to their vertices than with rotations the other way round";
    std::printf("joints nearer than with conjugate rotations: %zu of %zu actors\n", nearer, skinned);
}

struct Variant {
    const char* name;
    synthetic::ActorOptions options;
};

std::vector<Variant> variants() {
    using synthetic::Scales;
    return {
        {"uniform", {1, false, 0, Scales::uniform, false, false, false, false}},
        {"uniform_big_endian", {2, true, 1, Scales::uniform, false, false, false, false}},
        {"stretched_scale_first", {3, false, 0, Scales::stretched, false, false, false, false}},
        {"stretched_rotation_first", {4, true, 1, Scales::stretched, false, false, false, false}},
        {"turned_scale_first", {5, true, 0, Scales::turned, false, false, false, false}},
        {"turned_rotation_first", {6, false, 1, Scales::turned, false, false, false, false}},
        {"morphs", {7, false, 0, Scales::uniform, true, false, false, false}},
        {"embedded_level", {8, false, 1, Scales::uniform, false, true, false, false}},
        {"later_versions_big_endian", {9, true, 0, Scales::uniform, true, false, false, true}},
        {"older_versions", {12, false, 1, Scales::turned, true, false, true, false}},
        {"older_versions_big_endian", {13, true, 0, Scales::uniform, true, false, true, false}},
        {"everything", {10, false, 1, Scales::turned, true, true, false, false}},
    };
}

class SyntheticGeometry : public testing::TestWithParam<Variant> {};

TEST_P(SyntheticGeometry, IsDrawnAsTheFileMeansIt) {
    const std::vector<std::byte> bytes = synthetic::actor(GetParam().options);
    const Measured measured = expect_same_geometry(GetParam().name, bytes);
    EXPECT_GE(measured.meshes, 5u);
    EXPECT_GT(measured.surface.tangent_corners, 500u);
    // The file itself has surfaces of both kinds, so that a turned sign cannot hide.
    EXPECT_GT(measured.surface.agreeing_normals, 0u);
    EXPECT_LT(measured.surface.agreeing_normals, measured.surface.corners);
    EXPECT_LT(measured.surface.agreeing_bitangents, measured.surface.tangent_corners);
}

INSTANTIATE_TEST_SUITE_P(All, SyntheticGeometry, testing::ValuesIn(variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

/// Parts are joined by the names of their nodes: the first actor's nodes carry the vertices of both, and each skin
/// starts from its own file's bind.
TEST(Geometry, PartsStandOnTheSkeletonOfTheFirst) {
    const auto body_bytes = synthetic::actor({14, false, 0, synthetic::Scales::uniform, false, false, false, false});
    const auto part_bytes = synthetic::actor({15, true, 0, synthetic::Scales::uniform, false, false, false, false});
    const oracle::Actor body = oracle::read_actor(body_bytes), part = oracle::read_actor(part_bytes);
    const oracle::Drawing body_drawing(body), part_drawing(part);
    const glb::Document document = glb::read(convert::to_glb({{body_bytes, part_bytes}, {}, {}}));
    const double size = measure::size_of(body_drawing, body_drawing.bind_world());
    std::size_t meshes = 0;
    for (const oracle::Drawing* drawing : {&body_drawing, &part_drawing})
        for (const measure::Match& match :
             measure::match_meshes(*drawing, body_drawing.bind_world(), document, size).matches) {
            EXPECT_LE(match.error, rest_limit) << "mesh of node " << match.mesh->node;
            ++meshes;
        }
    EXPECT_EQ(meshes, 10u);
}

/// The sum of a target's offsets for each vertex of a submesh, mirrored.
std::vector<oracle::Vec3> meant_offsets(const oracle::MorphTarget& target, const oracle::Mesh& mesh,
                                        const oracle::Submesh& submesh,
                                        std::vector<oracle::Vec3> oracle::Deformation::*which) {
    std::vector<oracle::Vec3> offsets(submesh.vertex_count, oracle::Vec3(0));
    for (const oracle::Deformation& deformation : target.deformations)
        for (std::size_t i = 0; deformation.node == mesh.node && i < deformation.vertices.size(); ++i) {
            const std::uint32_t vertex = deformation.vertices[i] - submesh.first_vertex;
            if (vertex < submesh.vertex_count) offsets[vertex] += (deformation.*which)[i] * oracle::Vec3(1, 1, -1);
        }
    return offsets;
}

double max_difference(const std::vector<oracle::Vec3>& meant, const std::vector<glb::Vec3>& drawn) {
    double worst = 0;
    for (std::size_t i = 0; i < meant.size(); ++i)
        worst = std::max(worst, glm::length(meant[i] - (drawn.empty() ? glb::Vec3(0) : drawn.at(i))));
    return worst;
}

TEST(Geometry, MorphOffsetsAreTheFiles) {
    for (const bool big_endian : {false, true}) {
        const auto bytes = synthetic::actor({11, big_endian, 0, synthetic::Scales::uniform, true, false, false, false});
        const oracle::Actor actor = oracle::read_actor(bytes);
        const oracle::Drawing drawing(actor);
        const glb::Document document = glb::read(convert::to_glb({{bytes}, {}, {}}));
        std::size_t compared = 0;
        for (const measure::Match& match : measure::match_meshes(drawing, document, 1).matches) {
            std::vector<const oracle::MorphTarget*> targets;
            for (const oracle::MorphTarget& target : actor.targets)
                if (!match.mesh->collision && std::ranges::any_of(target.deformations, [&](const auto& one) {
                        return one.node == match.mesh->node;
                    }))
                    targets.push_back(&target);
            for (const auto& [submesh, primitive] : match.parts) {
                ASSERT_EQ(primitive->targets.size(), targets.size());
                for (std::size_t t = 0; t < targets.size(); ++t) {
                    const glb::Target& drawn = primitive->targets[t];
                    const auto meant = [&, part = submesh](auto which) {
                        return meant_offsets(*targets[t], *match.mesh, *part, which);
                    };
                    EXPECT_LE(max_difference(meant(&oracle::Deformation::positions), drawn.positions), 1e-6);
                    EXPECT_LE(max_difference(meant(&oracle::Deformation::normals), drawn.normals), 1e-6);
                    EXPECT_LE(max_difference(meant(&oracle::Deformation::tangents), drawn.tangents), 1e-6);
                    ++compared;
                }
            }
        }
        EXPECT_EQ(compared, 10u) << "2 submeshes each of 2 meshes, one with 3 targets, one with 2";
    }
}

/// The instruments themselves: each kind of mistake in a .glb must show.
class Sabotage : public testing::Test {
protected:
    Sabotage()
        : bytes_(synthetic::actor({5, false, 1, synthetic::Scales::turned, false, false, false, false})),
          actor_(oracle::read_actor(bytes_)),
          drawing_(actor_),
          document_(glb::read(convert::to_glb({{bytes_}, {}, {}}))),
          size_(measure::size_of(drawing_, drawing_.bind_world())) {}

    [[nodiscard]] measure::Matching match() const { return measure::match_meshes(drawing_, document_, size_); }
    [[nodiscard]] measure::Surface surface() const {
        return measure::compare_surface(drawing_, document_, match(), size_);
    }
    [[nodiscard]] double worst_rest() const {
        double worst = 0;
        for (const measure::Match& one : match().matches) worst = std::max(worst, one.error);
        return worst;
    }
    template <class Change>
    void each_primitive(Change change) {
        for (glb::Mesh& mesh : document_.meshes)
            for (glb::Primitive& primitive : mesh.primitives) change(primitive);
    }

    std::vector<std::byte> bytes_;
    oracle::Actor actor_;
    oracle::Drawing drawing_;
    glb::Document document_;
    double size_;
};

TEST_F(Sabotage, NothingIsFoundInAnUntouchedFile) {
    EXPECT_EQ(surface().contradictions, 0u);
    EXPECT_LE(worst_rest(), rest_limit);
}

TEST_F(Sabotage, WindingShows) {
    each_primitive([](glb::Primitive& primitive) {
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3)
            std::swap(primitive.indices[i], primitive.indices[i + 1]);
    });
    EXPECT_GT(surface().contradictions, 100u);
}

TEST_F(Sabotage, TangentSignShows) {
    each_primitive([](glb::Primitive& primitive) {
        for (glb::Vec4& tangent : primitive.tangents.at(0)) tangent.w = -tangent.w;
    });
    EXPECT_GT(surface().contradictions, 100u);
}

TEST_F(Sabotage, TangentDirectionShows) {
    each_primitive([](glb::Primitive& primitive) {
        for (glb::Vec4& tangent : primitive.tangents.at(0)) tangent = glb::Vec4(-glb::Vec3(tangent), -tangent.w);
    });
    EXPECT_GT(surface().contradictions, 100u);
}

TEST_F(Sabotage, TextureFlipShows) {
    each_primitive([](glb::Primitive& primitive) {
        for (glb::Vec2& uv : primitive.uvs.at(0)) uv.y = 1 - uv.y;
    });
    EXPECT_GT(surface().contradictions, 100u);
}

TEST_F(Sabotage, UnmirroredPositionsShow) {
    each_primitive([](glb::Primitive& primitive) {
        for (glb::Vec3& position : primitive.positions) position.z = -position.z;
    });
    EXPECT_GT(worst_rest(), 100 * rest_limit);
}

TEST_F(Sabotage, OneTurnedNodeShows) {
    glb::Node& node = document_.nodes.at(2);
    node.rotation = node.rotation * glm::angleAxis(1e-3, glb::Vec3(0, 1, 0));
    EXPECT_GT(measure::compare_nodes(actor_, drawing_.bind_world(), glb::rest(document_), size_), rest_limit);
}

TEST_F(Sabotage, ExchangedJointsShow) {
    for (glb::Skin& skin : document_.skins) {
        std::swap(skin.joints.at(0), skin.joints.at(1));
        std::swap(skin.inverse_bind.at(0), skin.inverse_bind.at(1));
    }
    EXPECT_LE(worst_rest(), rest_limit) << "at rest the vertices stay";
    EXPECT_GT(measure::compare_joints(drawing_, document_, match(), size_).error, rest_limit);
}

}  // namespace
