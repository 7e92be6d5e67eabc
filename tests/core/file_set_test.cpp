/// Names of files that some system takes for the same.

#include "core/file_set.hpp"

#include <gtest/gtest.h>

namespace effigy {
namespace {

TEST(FileNames, TellsApartNamesThatSomeSystemTakesForOne) {
    FileNames names;
    EXPECT_EQ(names.add("model", "skin", ".png"), "model_skin.png");
    EXPECT_EQ(names.add("model", "Skin", ".png"), "model_Skin_2.png");
    EXPECT_EQ(names.add("model", "skin", ".png"), "model_skin_3.png");
    EXPECT_EQ(names.add("model", "skin", ".jpg"), "model_skin.jpg");
    EXPECT_EQ(names.add("model", "skin_2", ".png"), "model_skin_2_2.png");
}

TEST(FileNames, ManyAlikeCostNoMoreThanOthers) {
    constexpr std::size_t count = 200000;
    FileNames names;
    for (std::size_t i = 1; i < count; ++i) (void)names.add("model", "skin", ".png");
    EXPECT_EQ(names.add("model", "SKIN", ".png"), "model_SKIN_200000.png");
}

}  // namespace
}  // namespace effigy
