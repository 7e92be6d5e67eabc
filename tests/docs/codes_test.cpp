/// The tables of codes: each code once, each used, none written out anywhere else, and docs/diagnostics.md made of
/// them.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "contents.hpp"
#include "rule_tables.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

const fs::path root = EFFIGY_SOURCE_DIR;
const fs::path page_path = root / "docs" / "diagnostics.md";

/// A `//` behind a space or at the beginning of a line, to the end of the line; in texts of the sources it stands
/// behind a colon.
std::string without_comments(const std::string& source) {
    std::string result;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        for (std::size_t at = line.find("//"); at != std::string::npos; at = line.find("//", at + 1)) {
            if (at == 0 || line[at - 1] == ' ') line.resize(at);
        }
        result += line + "\n";
    }
    return result;
}

/// Sources of the library and the program by name, without their comments.
const std::map<std::string, std::string>& code_of_sources() {
    static const std::map<std::string, std::string> sources = [] {
        std::map<std::string, std::string> all;
        for (const char* folder : {"src", "apps"}) {
            for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
                const fs::path& path = entry.path();
                if (path.extension() == ".cpp" || path.extension() == ".hpp")
                    all[fs::relative(path, root).string()] = without_comments(read_text(path));
            }
        }
        return all;
    }();
    EXPECT_GT(sources.size(), 100u);
    return sources;
}

/// The longest run of such characters from `at` on.
std::string word_at(const std::string& text, std::size_t at, const char* characters) {
    return text.substr(at, text.find_first_not_of(characters, at) - at);
}

std::string severity_text(const Code& code) {
    std::string text(to_string(code.severity));
    if (code.other_severity != code.severity) text += ", " + std::string(to_string(code.other_severity));
    return text;
}

std::string table_of(const CodeSection& section) {
    std::string text = "| code | severity | applies to | what it means |\n|---|---|---|---|\n";
    for (const TableEntry& row : section.rows) {
        text += "| `" + std::string(row.code->name) + "` | " + severity_text(*row.code) + " | " +
                std::string(row.code->applies_to) + " | " + std::string(row.code->meaning) + " |\n";
    }
    return text;
}

/// The page with the tables that `<!-- codes: family section -->` stands before made anew. What stands between tables
/// is written by hand.
std::string made_anew(const std::string& page) {
    std::map<std::string, CodeSection> sections;
    for (CodeSection& section : code_sections()) sections[section.name] = section;
    const std::regex marker("<!-- codes: ([a-z0-9_ ]+) -->");
    std::istringstream lines(page);
    std::string result;
    bool in_table = false;
    for (std::string line; std::getline(lines, line);) {
        if (in_table && line.starts_with('|')) continue;
        in_table = false;
        result += line + "\n";
        std::smatch match;
        if (!std::regex_match(line, match, marker)) continue;
        const auto section = sections.extract(match[1].str());
        if (section.empty()) {
            ADD_FAILURE() << "there is no such section, or it stands on the page twice: " << line;
            continue;
        }
        result += table_of(section.mapped());
        in_table = true;
    }
    for (const auto& [name, section] : sections) ADD_FAILURE() << "docs/diagnostics.md has no place for " << name;
    return result;
}

TEST(Codes, PageIsMadeOfTheTables) {
    const std::string page = read_text(page_path);
    const std::string anew = made_anew(page);
    if (std::getenv("EFFIGY_UPDATE_DOCS") != nullptr) std::ofstream(page_path, std::ios::binary) << anew;
    EXPECT_EQ(read_text(page_path), anew)
        << "docs/diagnostics.md is not what the tables of codes say; renew it with "
           "EFFIGY_UPDATE_DOCS=1 test_docs --gtest_filter=Codes.PageIsMadeOfTheTables";
}

TEST(Codes, EachStandsOnceAndIsCalledWhatItSays) {
    std::set<std::string_view> seen;
    for (const CodeSection& section : code_sections()) {
        EXPECT_FALSE(section.rows.empty()) << section.name;
        for (const TableEntry& row : section.rows) {
            const Code& code = *row.code;
            EXPECT_TRUE(seen.insert(code.name).second) << code.name;
            std::string name(code.name);
            std::replace(name.begin(), name.end(), '-', '_');
            EXPECT_EQ(row.name, name);
            EXPECT_FALSE(code.applies_to.empty()) << code.name;
            EXPECT_TRUE(code.meaning.ends_with('.') || code.meaning.ends_with(".)")) << code.name;
            EXPECT_EQ(code.meaning.find('|'), std::string_view::npos) << code.name;
        }
    }
    EXPECT_GT(seen.size(), 800u);
}

TEST(Codes, EachIsReported) {
    std::set<std::string> used;
    const std::string prefix = "codes::";
    for (const auto& [path, code] : code_of_sources()) {
        for (std::size_t at = code.find(prefix); at != std::string::npos; at = code.find(prefix, at + 1))
            used.insert(word_at(code, at + prefix.size(), "abcdefghijklmnopqrstuvwxyz0123456789_"));
    }
    for (const CodeSection& section : code_sections()) {
        for (const TableEntry& row : section.rows)
            EXPECT_TRUE(used.contains(std::string(row.name))) << "nothing reports " << row.name;
    }
}

TEST(Codes, KindsThatProgramsActOnAreWhole) {
    for (const CodeSection& section : code_sections()) {
        for (const TableEntry& row : section.rows) {
            const std::string_view name = row.code->name;
            EXPECT_EQ(codes::is_limit(name), name.starts_with("limit-") || name == "out-of-memory") << name;
            EXPECT_EQ(codes::is_usage(name), name.starts_with("usage-")) << name;
        }
    }
}

/// A finding's code comes from a row, and what is done about a finding never hangs on letters of its code.
TEST(Codes, AreNotSpelledOutInSources) {
    std::set<std::string> all;
    for (const CodeSection& section : code_sections()) {
        for (const TableEntry& row : section.rows) all.insert(std::string(row.code->name));
    }
    for (const char* name : {"timestamp", "x42-version"}) all.erase(name);  // a kind of record and an option, too
    for (const auto& [path, code] : code_of_sources()) {
        for (std::size_t at = code.find('"'); at != std::string::npos; at = code.find('"', at + 1)) {
            const std::string word = word_at(code, at + 1, "abcdefghijklmnopqrstuvwxyz0123456789-");
            if (code[std::min(at + 1 + word.size(), code.size() - 1)] != '"') continue;
            EXPECT_FALSE(all.contains(word)) << path << ": " << word;
        }
        for (const char* use : {"code == \"", "code != \"", "code = \"", "code.starts_with(\"", "code.name == \""}) {
            for (std::size_t at = code.find(use); at != std::string::npos; at = code.find(use, at + 1)) {
                const char first = code[std::min(at + std::string(use).size(), code.size() - 1)];
                // A bone's code is in capitals.
                EXPECT_FALSE(first >= 'a' && first <= 'z') << path << ": " << code.substr(at, 40);
            }
        }
    }
}

}  // namespace
}  // namespace effigy::test
