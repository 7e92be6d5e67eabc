/// The rule of `match` on the motions that games use with their own models.

#include <gtest/gtest.h>

#include "effigy/match.hpp"

#include "corpus/corpus.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

/// A game's actor and its own motions lie in a folder of their own; `misc` and the like are mixed.
bool is_pair(const fs::path& model, const fs::path& motion) {
    const std::string folder = model.parent_path().filename().string();
    const bool is_own_folder = folder.starts_with("eu3-") || folder.starts_with("tos-");
    if (is_own_folder && model.extension() == ".xac") return model.parent_path() == motion.parent_path();
    return model.parent_path() == motion.parent_path() && model.stem() == motion.stem();
}

TEST(MatchCorpus, FindsTheGamesOwnPairs) {
    EFFIGY_NEEDS_CORPUS();
    std::vector<InputFile> files;
    for (const corpus::File& file : corpus::files()) {
        if (file.magic != "XPM ") files.emplace_back(corpus::folder() / file.path);
    }
    const auto matches = match_motions(files);
    ASSERT_TRUE(matches) << to_string(matches.error());
    std::size_t pairs = 0, found = 0, proposed = 0, first = 0, firsts = 0;
    for (const ModelMotions& model : matches->models) {
        if (model.model.stem().string().ends_with("_hair")) continue;  // a part that hangs on the model of its folder
        std::size_t own = 0;
        for (const InputFile& file : files)
            own += file.path.extension() == ".xsm" && is_pair(model.model, file.path) ? 1 : 0;
        std::size_t own_found = 0, strong = 0;
        for (const FittingMotion& motion : model.motions) {
            if (motion.fit.is_weak) continue;
            const bool is_own = is_pair(model.model, motion.file);
            own_found += is_own ? 1 : 0;
            if (own != 0 && strong < own && is_own) ++first;
            ++strong;
        }
        if (own == 0) continue;
        pairs += own;
        firsts += own;
        found += own_found;
        proposed += strong;
    }
    if (pairs == 0) GTEST_SKIP() << corpus::has_no("folder with a model and its motions");
    std::printf("[          ] %zu of %zu pairs found, %zu proposed for these models, %zu of %zu first\n", found, pairs,
                proposed, first, firsts);
    EXPECT_EQ(found, pairs);
}

}  // namespace
}  // namespace effigy::test
