/// The documentation keeps up with the code: links, references and the code that it shows.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/registry.hpp"

#include "contents.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

const fs::path root = EFFIGY_SOURCE_DIR;

bool is_source(const fs::path& path) { return path.extension() == ".cpp" || path.extension() == ".hpp"; }

std::vector<fs::path> sources(std::initializer_list<const char*> folders) {
    std::vector<fs::path> found;
    for (const char* folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.is_regular_file() && is_source(entry.path())) found.push_back(entry.path());
        }
    }
    return found;
}

std::vector<fs::path> pages() {
    std::vector<fs::path> found;
    const auto add = [&](const auto& entry) {
        if (entry.is_regular_file() && entry.path().extension() == ".md") found.push_back(entry.path());
    };
    for (const auto& entry : fs::directory_iterator(root)) add(entry);
    for (const char* folder : {"docs", "examples"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
    }
    return found;
}

template <class Visit>
void for_each_match(const std::string& text, const std::regex& pattern, Visit&& visit) {
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) visit(*match);
}

std::string without_code_blocks(const std::string& page) {
    std::string text;
    bool inside = false;
    for (std::size_t start = 0; start < page.size();) {
        const std::size_t end = std::min(page.find('\n', start), page.size());
        const std::string_view line(page.data() + start, end - start);
        const bool fence = line.starts_with("```");
        if (!inside && !fence) text.append(line).append("\n");
        inside = inside != fence;
        start = end + 1;
    }
    return text;
}

/// Headings as GitHub names them in links: lower case, words joined by hyphens, no punctuation.
std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (c == ' ') {
            anchor += '-';
        }
    }
    return anchor;
}

const std::set<std::string>& headings(const fs::path& page) {
    static std::map<fs::path, std::set<std::string>> pages;
    const auto [known, is_new] = pages.try_emplace(fs::canonical(page));
    std::set<std::string>& found = known->second;
    if (!is_new) return found;
    for_each_match("\n" + without_code_blocks(read_text(page)), std::regex(R"re(\n#+ ([^\n]+))re"),
                   [&](const std::smatch& match) { found.insert(match[1].str()); });
    return found;
}

std::set<std::string> anchors(const fs::path& page) {
    std::set<std::string> found;
    for (const std::string& heading : headings(page)) found.insert(anchor_of(heading));
    return found;
}

TEST(Pages, LinksLeadSomewhere) {
    const std::regex link(R"re(\]\(([^)\s]+)\))re");
    std::size_t count = 0;
    for (const fs::path& page : pages()) {
        for_each_match(without_code_blocks(read_text(page)), link, [&](const std::smatch& match) {
            const std::string target = match[1].str();
            if (target.find("://") != std::string::npos) return;
            ++count;
            const std::size_t hash = target.find('#');
            const std::string file = target.substr(0, hash);
            const fs::path path = file.empty() ? page : page.parent_path() / file;
            EXPECT_TRUE(fs::exists(path)) << page << ": " << target;
            if (hash == std::string::npos || !fs::exists(path)) return;
            EXPECT_TRUE(anchors(path).contains(target.substr(hash + 1))) << page << ": " << target;
        });
    }
    EXPECT_GT(count, 20u);
}

/// `docs/formats/xac.md, "All chunks"` in a comment.
TEST(Sources, ReferencesToPagesLeadSomewhere) {
    const std::regex reference(R"re(docs/([a-z0-9_/-]+\.md)(?:, ("[^"\n]+"(?: and "[^"\n]+")*))?)re");
    std::size_t count = 0;
    for (const fs::path& path : sources({"include", "src", "apps", "examples"})) {
        const std::string text = read_text(path);
        if (text.find("docs/") == std::string::npos) continue;
        for_each_match(text, reference, [&](const std::smatch& match) {
            ++count;
            const fs::path page = root / "docs" / match[1].str();
            ASSERT_TRUE(fs::exists(page)) << path << ": " << match[0].str();
            for_each_match(match[2].str(), std::regex(R"re("([^"]+)")re"), [&](const std::smatch& section) {
                EXPECT_TRUE(headings(page).contains(section[1].str())) << path << ": " << section[1].str();
            });
        });
    }
    EXPECT_GT(count, 10u);
}

TEST(Readme, ShowsTheExampleThatIsBuilt) {
    const std::string code = "```cpp\n" + read_text(root / "examples" / "first_use.cpp") + "```\n";
    EXPECT_NE(read_text(root / "README.md").find(code), std::string::npos);
}

#if defined(EFFIGY_PROGRAM) && defined(EFFIGY_MAKE_FIGURE)
/// Blocks that begin with "$ COMMAND" show what that command prints in the folder of the examples.
TEST(Readme, ShowsWhatTheProgramPrints) {
    const TemporaryFolder temporary;
    const fs::path& folder = temporary.path();
    const std::string setup =
        "cd '" + folder.string() + "' && PATH='" + fs::path(EFFIGY_PROGRAM).parent_path().string() + "':$PATH && ";
    ASSERT_EQ(std::system((setup + "'" EFFIGY_MAKE_FIGURE "' . > made").c_str()), 0);
    ASSERT_EQ(std::system((setup + "'" EFFIGY_MAKE_SHIP "' courier > made").c_str()), 0);
    ASSERT_EQ(std::system((setup + "'" EFFIGY_MAKE_SIGNER "' signer > made").c_str()), 0);
    ASSERT_EQ(std::system((setup + "'" EFFIGY_MAKE_TRADER "' trader > made").c_str()), 0);
    const std::regex block("\n```\n\\$ ([^\n]+)\n((?:[^\n]*\n)*?)```");
    std::size_t count = 0;
    for_each_match(read_text(root / "README.md"), block, [&](const std::smatch& match) {
        ++count;
        EXPECT_EQ(std::system((setup + "(" + match[1].str() + ") > printed 2>&1").c_str()), 0) << match[1].str();
        EXPECT_EQ(read_text(folder / "printed"), match[2].str()) << match[1].str();
    });
    EXPECT_GE(count, 5u);
}
#endif

/// The library of the compiler that makes the module has none.
TEST(Sources, UseOnlyTheAlgorithmsOverRangesThatTheModuleHas) {
    const std::string own = read_text(root / "web/module/std/algorithm");
    for (const fs::path& path : sources({"src", "include", "apps"})) {
        const std::string text = read_text(path);
        constexpr std::string_view mark = "std::ranges::";
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
            at += mark.size();
            const std::string name = text.substr(at, text.find_first_of("(;<", at) - at);
            EXPECT_NE(own.find(" " + name + "("), std::string::npos)
                << path << ": std::ranges::" << name << " is not in web/module/std/algorithm";
        }
    }
}

}  // namespace
}  // namespace effigy::test
