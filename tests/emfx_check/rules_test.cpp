/// The table of rules and the cases of the other tests say the same.

#include <gtest/gtest.h>
#include <set>

#include "files.hpp"
#include "rule_tables.hpp"

namespace effigy::test {
namespace {

TEST(Rules, AreAllTested) {
    std::set<std::string> tested;
    for (const auto& one : xac_cases()) tested.insert(one.code);
    for (const auto& one : xsm_cases()) tested.insert(one.code);
    for (const auto& one : xsm_cases_with_actor()) tested.insert(one.code);
    for (const auto& one : xpm_cases()) tested.insert(one.code);
    for (const auto& one : xpm_cases_with_actor()) tested.insert(one.code);
    tested.insert({"lod-depth", "skin-overlap", "text-mixed"});  // tests of their own
    tested.insert("declared-size");                              // tested where files are read
    expect_all_tested(codes_in({"emfx file", "emfx nodes", "emfx meshes", "emfx skinning", "emfx materials",
                                "emfx levels", "emfx morphs", "emfx motions"}),
                      tested);
    for (const Code& shared :
         {codes::skin_node, codes::skin_weight, codes::morph_vertex, emfx::codes::skin_repeated_joint})
        EXPECT_TRUE(tested.contains(std::string(shared.name))) << shared.name;
}

}  // namespace
}  // namespace effigy::test
