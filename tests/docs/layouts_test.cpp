/// What is made of the layout functions is what stands in the pages.

#include "docs/layouts.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

#include "contents.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

const fs::path docs = fs::path(EFFIGY_SOURCE_DIR) / "docs";

/// The page with what stands between `<!-- layout: NAME -->` and `<!-- end -->` made anew.
std::string with_tables(const fs::path& path, const std::string& page) {
    const std::string begin = "<!-- layout: ", end = "\n<!-- end -->";
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, done)) {
        const std::size_t name_at = at + begin.size(), name_end = page.find(" -->", name_at);
        const std::size_t line = page.find('\n', name_end), stop = page.find(end, name_end) + 1;
        if (name_end == std::string::npos || line == std::string::npos || stop == 0 ||
            page.substr(line, stop - line).find(begin) != std::string::npos) {
            ADD_FAILURE() << path << ": a marker without its end: " << page.substr(at, 60);
            break;
        }
        const std::string name = page.substr(name_at, name_end - name_at);
        const RecordLayout record = find_layout(name);
        EXPECT_FALSE(record.variants.empty()) << path << ": there is no layout " << name;
        result += page.substr(done, line + 1 - done);
        if (!record.variants.empty()) result += layout_table(record, page.substr(line + 1, stop - line - 1));
        done = stop;
    }
    return result + page.substr(done);
}

TEST(Layouts, TablesOfPagesAreMadeOfThem) {
    for (const auto& entry : fs::recursive_directory_iterator(docs)) {
        if (entry.path().extension() != ".md") continue;
        const std::string page = read_text(entry.path());
        const std::string anew = with_tables(entry.path(), page);
        if (std::getenv("EFFIGY_UPDATE_DOCS") != nullptr && anew != page)
            std::ofstream(entry.path(), std::ios::binary) << anew;
        EXPECT_EQ(read_text(entry.path()), anew)
            << entry.path() << " has tables that are not what the layouts say; renew them with EFFIGY_UPDATE_DOCS=1 "
            << "test_docs --gtest_filter=Layouts.*";
    }
}

/// The file with what stands between lines `# layout: PART` and `# end` made anew, as far in as they are.
std::string with_parts(const fs::path& path, const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    bool skipping = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t in = std::min(line.find_first_not_of(' '), line.size());
        const std::string_view rest = std::string_view(line).substr(in);
        skipping = skipping && rest != "# end";
        if (skipping) continue;
        result += line + "\n";
        if (!rest.starts_with("# layout: ")) continue;
        skipping = true;
        std::istringstream made(kaitai_part(path.stem().string(), std::string(rest.substr(10))));
        for (std::string new_line; std::getline(made, new_line);) result += std::string(in, ' ') + new_line + "\n";
    }
    EXPECT_FALSE(skipping) << path << ": a marker without its end";
    return result;
}

TEST(Layouts, DescriptionsForKaitaiAreMadeOfThem) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(docs / "formats" / "kaitai")) {
        if (entry.path().extension() != ".ksy") continue;
        ++count;
        const std::string text = read_text(entry.path());
        const std::string anew = with_parts(entry.path(), text);
        if (std::getenv("EFFIGY_UPDATE_DOCS") != nullptr && anew != text)
            std::ofstream(entry.path(), std::ios::binary) << anew;
        EXPECT_EQ(read_text(entry.path()), anew) << entry.path() << " is not what the layouts say; renew it with "
                                                 << "EFFIGY_UPDATE_DOCS=1 test_docs --gtest_filter=Layouts.*";
    }
    EXPECT_EQ(count, 7u);
}

TEST(Layouts, HaveNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const RecordLayout& record : record_layouts()) {
        EXPECT_TRUE(names.insert(record.name).second) << record.name;
        EXPECT_FALSE(record.variants.empty()) << record.name;
        for (const Variant& variant : record.variants) EXPECT_FALSE(variant.fields.empty()) << record.name;
    }
    EXPECT_GT(names.size(), 60u);
    if (std::getenv("EFFIGY_SHOW_LAYOUTS") == nullptr) return;
    for (const RecordLayout& record : record_layouts())
        std::printf("%s\n%s\n", record.name.c_str(), layout_table(record, "").c_str());
}

TEST(Layouts, TablesKeepWhatIsWrittenByHand) {
    const RecordLayout record = find_layout("emfx/header");
    const std::string table = layout_table(record, "");
    EXPECT_NE(table.find("| 6 | u8 | endian | |\n"), std::string::npos) << table;
    std::string noted = table;
    noted.replace(noted.find("| endian | |"), 12, "| endian | 0 little, 1 big |");
    EXPECT_EQ(layout_table(record, noted), noted);
    noted.replace(noted.find("0 little, 1 big"), 15, "`a|b`, <!-- fact n | m -->7<!-- /fact --> \\| 8");
    EXPECT_EQ(layout_table(record, noted), noted);
    EXPECT_EQ(layout_table(record, ""), table);
}

}  // namespace
}  // namespace effigy::test
