/// Meshes that nobody edited, and edited ones that keep the layout of their file.

#include <iostream>

#include "egosoft/from_scene_files.hpp"
#include "egosoft/raw_xmf.hpp"

namespace {

using namespace effigy;
using namespace builders;
using effigy::test::RawMesh;

Result<Loaded<Scene>> scene_of(const Bytes& bytes) {
    egosoft::SceneInput input;
    input.meshes.push_back({{"part_main-lod0", bytes.size(), {}}, xmf::read(bytes)->value});
    return egosoft::to_scene(std::move(input));
}

TEST(EgosoftMeshBack, UntouchedFixturesAreTheSameToTheByte) {
    std::size_t same = 0, all = 0;
    for (const auto& fixture : effigy::test::sound_meshes()) {
        for (const bool big : {false, true}) {
            SCOPED_TRACE(fixture.name + (big ? ", big-endian" : ""));
            const Bytes bytes = fixture.bytes(big);
            auto loaded = scene_of(bytes);
            if (!loaded) continue;  // nothing in it can be shown
            leave_untouched(loaded->value);
            const auto made = egosoft::mesh_from_scene(loaded->value);
            ASSERT_TRUE(made) << to_string(made.error());
            const auto written = xmf::write(made->value);
            ASSERT_TRUE(written) << to_string(written.error());
            // No tool is known that compresses so; the contents are the same.
            const bool is_packed_otherwise =
                fixture.name == "Level0" || fixture.name == "Level1" || (fixture.name == "Level6" && big);
            EXPECT_EQ(*written == bytes, !is_packed_otherwise);
            const auto before = xmf::read(bytes), after = xmf::read(*written);
            ASSERT_EQ(before->value.buffers.size(), after->value.buffers.size());
            for (std::size_t i = 0; i < before->value.buffers.size(); ++i)
                EXPECT_EQ(before->value.buffers[i].content, after->value.buffers[i].content);
            same += *written == bytes ? 1u : 0u;
            ++all;
        }
    }
    EXPECT_GT(same, 40u);
    std::cout << same << " of " << all << " fixtures are the same to the byte\n";
}

TEST(EgosoftMeshBack, DamagedFilesBecomeSoundOnes) {
    for (const auto& lying : effigy::test::lying_meshes()) {
        SCOPED_TRACE(lying.fixture.name);
        auto loaded = scene_of(lying.fixture.bytes(false));
        if (!loaded) continue;
        leave_untouched(loaded->value);
        const auto made = egosoft::mesh_from_scene(loaded->value);
        if (!made) continue;
        EXPECT_FALSE(egosoft::check_mesh(made->value, false).has_errors());
        if (egosoft::check_mesh(xmf::read(lying.fixture.bytes(false))->value, false).has_errors()) {
            EXPECT_FALSE(made->report.diagnostics().empty()) << "nobody says that it is another file";
        }
        EXPECT_TRUE(xmf::write(made->value));
    }
}

/// As it comes back through a scene that nobody edited.
Loaded<xmf::File> back(const RawMesh& mesh) {
    auto loaded = scene_of(write_raw(mesh));
    EXPECT_TRUE(loaded);
    if (!loaded) return {};
    leave_untouched(loaded->value);
    auto made = egosoft::mesh_from_scene(loaded->value);
    EXPECT_TRUE(made);
    return made ? std::move(*made) : Loaded<xmf::File>();
}

TEST(EgosoftMeshBack, ElementsWithoutBytesAreKept) {
    RawMesh mesh = effigy::test::quad(false);
    mesh.buffers[0].elements.push_back({17, 0});
    const auto made = back(mesh);
    EXPECT_EQ(xmf::write(made.value).value(), write_raw(mesh));
    EXPECT_EQ(made.report.count("xmf-made-anew"), 0U);
}

TEST(EgosoftMeshBack, RecordsOfDamagedFilesAreRefusedAloud) {
    RawMesh crowded = effigy::test::quad(false), unknown = crowded, contradicting = crowded;
    crowded.buffers[0].element_count = 17;
    unknown.buffers[0].elements.push_back({99, 0});
    contradicting.buffers[1].format = 31;
    for (const RawMesh& mesh : {crowded, unknown, contradicting}) {
        const auto made = back(mesh);
        EXPECT_EQ(made.report.count("xmf-made-anew"), 1U);
        EXPECT_FALSE(egosoft::check_mesh(made.value, false).has_errors());
    }
    EXPECT_EQ(back(effigy::test::quad(false)).report.count("xmf-made-anew"), 0U);
}

/// Where normals have no alpha, the side of the bitangent is in the tangents' fourth number.
TEST(EgosoftMeshBack, BitangentsOfUnpackedTangentsKeepTheirSide) {
    using Type = xmf::ElementType;
    for (const bool with_fourth_normals : {false, true}) {
        VertexBytes content;
        for (int corner = 0; corner < 3; ++corner) {
            const float side = corner == 1 ? 1.f : -1.f;
            content.add(corner == 1 ? 1.f : 0.f, corner == 2 ? 1.f : 0.f, 0.f, 0.f, 0.f, 1.f);
            if (with_fourth_normals) content.add(side);
            content.add(1.f, 0.f, 0.f, with_fourth_normals ? 0.25f : side);
        }
        const Type normals = with_fourth_normals ? Type::float4 : Type::float3;
        const xmf::File before =
            file({vertices({element(Type::float3, xmf::Usage::position), element(normals, xmf::Usage::normal),
                            element(Type::float4, xmf::Usage::tangent)},
                           content),
                  indices({0, 1, 2})});
        auto loaded = scene_of(*xmf::write(before));
        ASSERT_TRUE(loaded);
        for (const Attribute& attribute : loaded->value.meshes[0].attributes) {
            if (attribute.semantic != Semantic::tangent) continue;
            const auto tangents = attribute.data.as<Vec4>();
            EXPECT_EQ(tangents[0].w, 1);
            EXPECT_EQ(tangents[1].w, -1);
        }
        leave_untouched(loaded->value);
        const auto made = egosoft::mesh_from_scene(loaded->value);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(made->value.buffers[0].content, before.buffers[0].content);
    }
}

/// P4h N T UVh C0 C2 in streams of their own, as X Rebirth has them.
xmf::File streams_of_halves() {
    constexpr std::uint16_t half_0 = 0, half_1 = 0x3c00, half_05 = 0x3800;
    VertexBytes positions, normals, tangents, uvs, first, second;
    const auto corner = [&](std::uint16_t x, std::uint16_t y) {
        positions.add(x, y, half_05, half_0);
        normals.add(color(128, 128, 0, 255));
        tangents.add(color(0, 128, 128, 0));
        uvs.add(x, y);
        first.add(color(1, 2, 3, 4));
        second.add(color(9, 8, 7, 6));
    };
    corner(half_0, half_0);
    corner(half_1, half_0);
    corner(half_0, half_1);
    xmf::File mesh = file(
        {stream(0, xmf::ElementType::half4, positions), stream(3, xmf::ElementType::color, normals),
         stream(4, xmf::ElementType::color, tangents), stream(6, xmf::ElementType::half2, uvs),
         stream(8, xmf::ElementType::color, first), stream(8, xmf::ElementType::color, second, 2), indices({0, 1, 2})},
        {material("ships.hull", 0, 3)});
    mesh.header.descriptor_size = 56;
    mesh.header.cull = 1;
    mesh.header.mesh_optimization = 1;
    return mesh;
}

TEST(EgosoftMeshBack, EditedMeshesKeepTheLayoutOfTheirFile) {
    const xmf::File before = streams_of_halves();
    Scene scene = convert(before).value;
    leave_untouched(scene);
    scene.meshes[0].extras.hash = 0;
    egosoft::FromSceneOptions options;
    const auto kept = egosoft::mesh_from_scene(scene, options);
    ASSERT_TRUE(kept) << to_string(kept.error());
    ASSERT_EQ(kept->value.buffers.size(), 7u);
    EXPECT_EQ(kept->value.header.descriptor_size, 56);
    EXPECT_EQ(kept->value.header.cull, 1);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(kept->value.buffers[i].content, before.buffers[i].content) << i;
    // The other game's layout where it is asked for.
    options.target = egosoft::Target::x4;
    EXPECT_EQ(egosoft::mesh_from_scene(scene, options)->value.buffers.size(), 2u);
    leave_untouched(scene);
    EXPECT_EQ(egosoft::mesh_from_scene(scene, options)->value.buffers.size(), 2u);
    options.target = egosoft::Target::x_rebirth;
    EXPECT_EQ(egosoft::mesh_from_scene(scene, options)->value.buffers.size(), 7u);
}

TEST(EgosoftMeshBack, AnotherMaterialChangesItsNameOnly) {
    const Bytes bytes = write_raw(effigy::test::quad(false));
    Scene scene = scene_of(bytes)->value;
    leave_untouched(scene);
    scene.materials[0].name = "new.paint";
    const auto made = egosoft::mesh_from_scene(scene);
    ASSERT_TRUE(made) << to_string(made.error());
    const Bytes written = xmf::write(made->value).value();
    ASSERT_EQ(written.size(), bytes.size());
    EXPECT_EQ(xmf::name_of(made->value.materials[0]), "new.paint");
    EXPECT_EQ(made->value.materials[1].name, xmf::read(bytes)->value.materials[1].name);
}

TEST(EgosoftMeshBack, TrianglesOfNoMaterialComeBackWithoutOne) {
    using Ranges = std::vector<xmf::Material>;
    for (const Ranges& materials : {Ranges{material("a.one", 3, 3), material("a.two", 9, 3)},
                                    Ranges{material("a.one", 0, 3), material("a.two", 6, 3)}}) {
        xmf::File source = quad();
        source.buffers[1] = indices({0, 1, 2, 2, 1, 3, 0, 2, 3, 0, 1, 3}, 2);
        source.materials = materials;
        Scene scene = scene_of(*xmf::write(source))->value;
        leave_untouched(scene);
        const auto made = egosoft::mesh_from_scene(scene);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(*xmf::write(made->value), *xmf::write(source));
        // One that has got a material since is written with it.
        for (Primitive& primitive : scene.meshes[0].primitives) primitive.material = 0;
        const auto whole = egosoft::mesh_from_scene(scene);
        ASSERT_EQ(whole->value.materials.size(), 1u);
        EXPECT_EQ(whole->value.materials[0].index_count, 12u);
    }
}

TEST(EgosoftMeshBack, WhatWasTurnedOrJoinedIsMadeAnew) {
    Scene scene = scene_of(write_raw(effigy::test::quad(false)))->value;
    leave_untouched(scene);
    const auto still = egosoft::mesh_from_scene(scene);
    scene.nodes[0].local.translation.x = 1;
    const auto moved = egosoft::mesh_from_scene(scene);
    ASSERT_TRUE(still && moved);
    EXPECT_NE(still->value.buffers[0].content, moved->value.buffers[0].content);
    scene.nodes.push_back(scene.nodes[0]);
    EXPECT_EQ(egosoft::mesh_from_scene(scene)->value.header.vertex_count, 2 * still->value.header.vertex_count);
}

}  // namespace
