/// The ray tracer's library is there or it is not.

#include "render/embree_library.hpp"
#include "stage.hpp"

namespace effigy::render::test {
namespace {

TEST(LibraryTest, AMissingLibraryIsNamedWithThePackageThatHasIt) {
    const auto library = open_embree("libembree3-that-is-nowhere.so.3");
    ASSERT_FALSE(library);
    EXPECT_EQ(library.error().code, "render-unavailable");
    EXPECT_NE(library.error().message.find("libembree"), std::string::npos);
    EXPECT_NE(library.error().message.find("nothing else needs it"), std::string::npos);
}

TEST(LibraryTest, ALibraryOfAnotherKindIsRefused) {
    const auto library = open_embree("libz.so.1");
    ASSERT_FALSE(library);
    EXPECT_EQ(library.error().code, "render-unavailable");
}

TEST(LibraryTest, OpeningFailsExactlyWhereAComponentIsMissing) {
    const std::string missing = missing_component();
    const Scene scene;
    const auto renderer = Renderer::open(scene);
    EXPECT_EQ(missing.empty(), renderer.has_value());
    if (renderer) return;
    EXPECT_EQ(renderer.error().code, "render-unavailable");
    EXPECT_EQ(renderer.error().message, missing);
}

}  // namespace
}  // namespace effigy::render::test
