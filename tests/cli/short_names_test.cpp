/// Names under the pictures of a sheet: what tells them apart stays readable.

#include "short_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace effigy::app {
namespace {

using ::testing::ElementsAre;

std::vector<std::u32string> in_room(const std::vector<std::u32string>& names, std::size_t room) {
    return shortened(names, [=](const std::u32string& text) { return text.size() <= room; });
}

TEST(ShortNames, LoseTheFoldersThatAllShare) {
    EXPECT_THAT(without_common_path({"a/b/x.xac", "a/b/c/y.xac", "./a/b/z.xac"}),
                ElementsAre("x.xac", "c/y.xac", "z.xac"));
    EXPECT_THAT(without_common_path({"a/b/x.xac"}), ElementsAre("x.xac"));
    EXPECT_THAT(without_common_path({"one/x.xac", "two/x.xac"}), ElementsAre("one/x.xac", "two/x.xac"));
    EXPECT_THAT(without_common_path({"/m/one/x.xac", "/m/one_more/x.xac"}), ElementsAre("one/x.xac", "one_more/x.xac"));
    EXPECT_THAT(without_common_path({}), ElementsAre());
}

TEST(ShortNames, KeepTheirEndsWhereThoseDiffer) {
    EXPECT_THAT(in_room({U"Generic_Western_1400.xac", U"Generic_Western_1700.xac", U"short.xac"}, 12),
                ElementsAre(U"…rn_1400.xac", U"…rn_1700.xac", U"short.xac"));
}

TEST(ShortNames, KeepTheMiddleWhereTheyEndAlike) {
    EXPECT_THAT(in_room({U"units/ship_alpha_data/part_main-lod0.xmf", U"units/ship_beta_data/part_main-lod0.xmf"}, 16),
                ElementsAre(U"…alpha_d…od0.xmf", U"…beta_da…od0.xmf"));
    EXPECT_THAT(in_room({U"alpha/part_main-lod0.xmf", U"beta/part_main-lod0.xmf"}, 12),
                ElementsAre(U"alpha/…0.xmf", U"beta/p…0.xmf"));
}

TEST(ShortNames, StayApartInAFolderOfManyAlike) {
    std::vector<std::u32string> names;
    for (char32_t a = U'a'; a <= U'z'; ++a) {
        for (const char32_t* rest : {U"_body_of_a_soldier.xac", U"_head_of_a_soldier.xac"})
            names.push_back(std::u32string(U"the_same_long_beginning_for_all_") + a + rest);
    }
    const std::vector<std::u32string> short_ones = in_room(names, 14);
    for (const std::u32string& name : short_ones) EXPECT_LE(name.size(), 14U);
    EXPECT_EQ(std::set(short_ones.begin(), short_ones.end()).size(), names.size());
}

TEST(ShortNames, TakeAnything) {
    EXPECT_THAT(in_room({U"", U"same_name", U"same_name"}, 5), ElementsAre(U"", ::testing::_, ::testing::_));
    EXPECT_THAT(in_room({U"long_name"}, 0), ElementsAre(U""));
    EXPECT_THAT(in_room({U"long_name"}, 1), ElementsAre(U""));
}

}  // namespace
}  // namespace effigy::app
