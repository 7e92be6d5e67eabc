/// Names in old code pages, and ticks of definitions.

#include <array>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace {

TEST(Text, NodeNamesAreDecodedAndTheirBytesKept) {
    const auto scene =
        builders::convert(builders::ActorFile().nodes({builders::node("S\xE4"
                                                                      "bel")}));
    EXPECT_EQ(scene.value.nodes.at(0).name,
              "S\xC3\xA4"
              "bel");
    EXPECT_NE(scene.value.nodes.at(0).extras.json.find(R"("name_bytes":"U+RiZWw=")"), std::string::npos)
        << scene.value.nodes.at(0).extras.json;
    effigy::emfx::SceneOptions options;
    options.encoding = "none such";
    EXPECT_EQ(
        builders::convert(builders::ActorFile().nodes({builders::node("x")}), options).report.count("encoding-unknown"),
        1u);
}

TEST(Ticks, AreReadExactly) {
    const std::vector<std::uint8_t> bytes{0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 7, 1, 0, 0, 0, 0, 9, 0};
    const auto ticks = effigy::emfx::read_ticks(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(ticks);
    ASSERT_EQ(ticks->size(), 2u);
    EXPECT_EQ(ticks->at(0).time, 1.0f);
    EXPECT_EQ(ticks->at(0).value, 263);
    EXPECT_EQ(ticks->at(1).value, 9);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(effigy::emfx::read_ticks(std::as_bytes(std::span(bytes)).first(size))) << size;
    }
    std::vector<std::uint8_t> many(bytes.begin(), bytes.begin() + 8);
    many[7] = 0xff;
    EXPECT_FALSE(effigy::emfx::read_ticks(std::as_bytes(std::span(many))));
}

}  // namespace
