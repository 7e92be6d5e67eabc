/// Actors that nobody has edited come back byte for byte.

#include <cstdio>
#include <gtest/gtest.h>

#include "corpus/corpus.hpp"
#include "emfx/fixtures.hpp"
#include "emfx_scene/actor_back.hpp"
#include "emfx_scene/builders.hpp"
#include "proof/trip.hpp"

namespace {

using namespace effigy;
using namespace actor_back;

/// Empty if the bytes came back, else where they differ.
std::string trip(std::span<const std::byte> bytes) {
    auto file = xac::read(bytes);
    if (!file) return "not read";
    const auto before = xac::write(file->value);
    const auto after = xac::write(round_trip(file->value));
    if (!before || !after) return "not written: " + to_string(before ? after.error() : before.error());
    return difference(*before, *after);
}

TEST(EmfxActorExact, Corpus) {
    EFFIGY_NEEDS_CORPUS();
    std::size_t exact = 0, all = 0;
    for (const corpus::File* file : corpus::files_of("XAC ")) {
        ++all;
        const std::string where = trip(file->bytes);
        EXPECT_EQ(where, "") << file->path;
        exact += where.empty() ? 1u : 0u;
    }
    std::printf("corpus: %zu of %zu actors came back from the scene byte for byte\n", exact, all);
}

class Fixtures : public testing::TestWithParam<test::Fixture> {};

/// Most fixtures are one chunk and no figure: each stands behind a figure here, so that there is something to show.
TEST_P(Fixtures, ComeBackBehindAFigure) {
    constexpr std::ptrdiff_t header = 8;
    for (const bool big : {false, true}) {
        Bytes bytes = test::whole_actor(big);
        const Bytes more = GetParam().bytes(big);
        bytes.insert(bytes.end(), more.begin() + header, more.end());
        EXPECT_EQ(trip(bytes), "") << (big ? "big-endian" : "little-endian");
    }
}

INSTANTIATE_TEST_SUITE_P(Xac, Fixtures, testing::ValuesIn(test::xac_fixtures()),
                         [](const auto& fixture) { return fixture.param.name; });

TEST(EmfxActorExact, WholeActor) {
    EXPECT_EQ(trip(test::whole_actor(false)), "");
    EXPECT_EQ(trip(test::whole_actor(true)), "");
}

TEST(EmfxActorExact, SkinsThatShareANodeOrBindNothing) {
    using namespace builders;
    const auto bound_to = [](std::uint16_t node) {
        return skinning(1, {{influence(1, node)}, {influence(1, node)}, {influence(1, node)}});
    };
    const auto actor = [] { return ActorFile().nodes({node("a"), node("b", 0, {0, 1, 0})}).mesh(triangle(1)); };
    const auto exact = [](const ActorFile& file) { return trip(xac::write(file.file).value()); };
    EXPECT_EQ(exact(actor().skinning(bound_to(0)).mesh(triangle(1)).skinning(bound_to(1))), "");
    EXPECT_EQ(exact(actor().mesh(triangle(1)).skinning(bound_to(0)).skinning(bound_to(1))), "");
    EXPECT_EQ(exact(actor().mesh(triangle(1)).skinning(bound_to(0))), "") << "fewer skinnings";
    EXPECT_EQ(exact(actor().skinning(bound_to(0)).skinning(bound_to(1))), "") << "fewer meshes";
    EXPECT_EQ(exact(actor().skinning(skinning(1, {{}, {}, {}}))), "");
    EXPECT_EQ(exact(actor().skinning(skinning(1, {{influence(1, 0)}, {}, {influence(1, 1)}}))), "");
}

/// With their motions, through a .glb as it stands on disk.
TEST(EmfxActorExact, EveryFigureComesBackFromGlb) {
    for (const auto actor : {test::whole_actor, test::actor_of_2007, test::broken_actor}) {
        for (const auto motion : {test::whole_motion, test::motion_of_2007, test::still_motion}) {
            for (const bool big : {false, true}) {
                emfx::SceneInput input;
                input.actors.push_back({{"actor", 0, {}}, xac::read(actor(big)).value().value});
                input.motions.push_back({{"motion", 0, {}}, xsm::read(motion(!big)).value().value, {}});
                const auto scene = emfx::to_scene(std::move(input));
                ASSERT_TRUE(scene) << to_string(scene.error());
                const auto files = files_of(trip::scene_of(trip::glb_of(scene->value)));
                EXPECT_EQ(difference(actor(big), xac::write(files.value.actor).value()), "");
                ASSERT_EQ(files.value.motions.size(), 1u);
                EXPECT_EQ(difference(motion(!big), xsm::write(files.value.motions[0].file).value()), "");
            }
        }
    }
}

}  // namespace
