/// Catalogs: lines, extracting, packing.

#include "effigy/catalog.hpp"

#include <sys/stat.h>

#include "effigy/registry.hpp"

#include "egosoft/files.hpp"

namespace effigy::catalog {
namespace {

using test::bytes_of_text;
using test::catalog_line;
using test::code_of;
using test::codes_of;
using test::Folder;
using test::text_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string zeros(32, '0');

Loaded<Index> read_text(const std::string& text) {
    auto loaded = read(bytes_of_text(text));
    if (!loaded) {
        ADD_FAILURE() << to_string(loaded.error());
        return {};
    }
    return std::move(*loaded);
}

std::vector<std::string> paths_of(const Index& index) {
    std::vector<std::string> paths;
    for (const Entry& entry : index.entries) paths.emplace_back(index.path(entry));
    return paths;
}

TEST(Catalog, HasOneEntryALine) {
    const auto loaded = read_text(
        "assets/a b c.xml 10 1700000000 000102030405060708090a0b0c0d0e0F\r\n\r\n"
        "Assets\\B.XML 0 -5 " +
        zeros + "\n\nc 7 0 " + zeros);
    EXPECT_THAT(codes_of(loaded.report), IsEmpty());
    EXPECT_THAT(paths_of(loaded.value), ElementsAre("assets/a b c.xml", "Assets\\B.XML", "c"));
    const Bulk<Entry>& entries = loaded.value.entries;
    EXPECT_EQ(entries[0].size, 10U);
    EXPECT_EQ(entries[0].time, 1700000000);
    EXPECT_EQ(entries[0].md5[15], 15);
    EXPECT_EQ(entries[1].time, -5);
    EXPECT_EQ(entries[1].offset, 10U);
    EXPECT_EQ(entries[2].offset, 10U);
}

TEST(Catalog, PassesOverTheMarkOfUtf8) {
    const auto loaded = read_text("\xef\xbb\xbf" + ("a.xml 1 0 " + zeros) + "\nb.xml 2 0 " + zeros);
    EXPECT_THAT(codes_of(loaded.report), IsEmpty());
    EXPECT_THAT(paths_of(loaded.value), ElementsAre("a.xml", "b.xml"));
}

TEST(Catalog, ReadsEveryDigitOfASum) {
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    for (int letter = 0; letter < 256; ++letter) {
        if (letter == '\n') continue;
        const std::size_t value = letter == 0 ? std::string_view::npos : digits.find(static_cast<char>(letter));
        for (std::size_t place = 0; place < 32; ++place) {
            std::string sum = "00112233445566778899aAbBcCdDeEfF";
            sum[place] = static_cast<char>(letter);
            const auto loaded = read(bytes_of_text("a 1 1 " + sum + "x\nb 1 1 " + sum + "\n"));
            ASSERT_TRUE(loaded);
            // A space at the end belongs to the line's end, and one inside to no sum.
            ASSERT_EQ(loaded->value.entries.size(), value == std::string_view::npos ? 0U : 1U)
                << letter << " " << place;
            if (value == std::string_view::npos) continue;
            const unsigned byte = loaded->value.entries[0].md5[place / 2];
            EXPECT_EQ(place % 2 == 0 ? byte >> 4 : byte & 15U, value < 16 ? value : value - 6);
        }
    }
}

TEST(Catalog, ReportsLinesThatAreNone) {
    const std::string good = "a 5 1 " + zeros + "\n";
    const auto code = [&](const std::string& line) {
        const auto loaded = read_text(good + line + "\n" + good);
        EXPECT_EQ(loaded.value.entries.size(), 2U) << line;
        EXPECT_EQ(loaded.value.entries.back().offset, 5U) << line;
        if (loaded.report.diagnostics().size() != 1) return std::string("none");
        EXPECT_EQ(loaded.report.diagnostics()[0].offset, good.size()) << line;
        return loaded.report.diagnostics()[0].code;
    };
    const std::vector<std::string> wrong{"a",
                                         "a 5 1",
                                         "a 5 1 " + zeros.substr(1),
                                         "a 5 1 x" + zeros.substr(1),
                                         "a x 1 " + zeros,
                                         "a 5 x " + zeros,
                                         " 5 1 " + zeros,
                                         "5 1 " + zeros,
                                         "a 5  " + zeros,
                                         "a 1.5 1 " + zeros,
                                         std::string(5000, 'a') + " 5 1 " + zeros};
    for (const std::string& line : wrong) EXPECT_EQ(code(line), "catalog-line") << line;
    for (const std::string size : {"-1", "18446744073709551616", "9223372036854775808", "9223372036854775807"})
        EXPECT_EQ(code("a " + size + " 1 " + zeros), "catalog-size") << size;
}

TEST(Catalog, StaysWithinTheLimits) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "a 5 1 " + zeros + "\n";
    ReadOptions options;
    options.limits.count = 999;
    EXPECT_EQ(code_of(read(bytes_of_text(text), options)), "limit-count");
    options.limits = {};
    options.limits.memory = 50'000;
    EXPECT_EQ(code_of(read(bytes_of_text(text), options)), "limit-memory");
}

TEST(Catalog, GivesBytesWhoseSumIsRight) {
    const Folder folder;
    folder.write_catalog("01", {{"a", "hello"}, {"b", "world!"}});
    const auto index = read_file(folder / "01.cat");
    ASSERT_TRUE(index);
    const auto data = data_path(folder / "01.cat");
    EXPECT_EQ(data, folder / "01.dat");
    EXPECT_EQ(text_of(*extract(data, index->value.entries[1])), "world!");
    folder.write("01.dat", "helloworld?");
    EXPECT_EQ(code_of(extract(data, index->value.entries[0])), "fine");
    EXPECT_EQ(code_of(extract(data, index->value.entries[1])), "catalog-md5");
    EXPECT_EQ(text_of(*extract(data, index->value.entries[1], false)), "world?");
    folder.write("01.dat", "hello");
    EXPECT_EQ(code_of(extract(data, index->value.entries[1])), "catalog-data");
    Limits small;
    small.memory = 4;
    EXPECT_EQ(code_of(extract(data, index->value.entries[0], true, small)), "limit-memory");
    Entry huge;
    huge.offset = UINT64_MAX;
    huge.size = UINT64_MAX;
    EXPECT_EQ(code_of(extract(data, huge)), "catalog-data");
    EXPECT_EQ(code_of(extract(folder / "02.dat", index->value.entries[0])), "catalog-data");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(code_of(extract(folder / "pipe", index->value.entries[0])), "catalog-data");
}

TEST(Catalog, IsPackedAndReadBack) {
    const Folder folder;
    const std::string large(1'000'000, 'x');
    folder.write("mod/a b.xml", "first");
    folder.write("mod/large", large);
    const std::vector<Packed> files{
        {"assets/a b.xml", folder / "mod/a b.xml"}, {"gone.xml", {}}, {"large", folder / "mod/large"}};
    ASSERT_TRUE(pack(files, folder / "ext_01.cat"));
    const auto index = read_file(folder / "ext_01.cat");
    ASSERT_TRUE(index);
    EXPECT_THAT(codes_of(index->report), IsEmpty());
    EXPECT_THAT(paths_of(index->value), ElementsAre("assets/a b.xml", "gone.xml", "large"));
    EXPECT_EQ(index->value.entries[1].size, 0U);
    struct stat status {};
    ::stat((folder / "mod/large").c_str(), &status);
    EXPECT_EQ(index->value.entries[2].time, status.st_mtime);
    EXPECT_EQ(text_of(*extract(folder / "ext_01.dat", index->value.entries[0])), "first");
    EXPECT_EQ(text_of(*extract(folder / "ext_01.dat", index->value.entries[2])), large);
}

TEST(Catalog, IsPackedWholeOrNotAtAll) {
    const Folder folder;
    folder.write("a", "text");
    folder.write("empty", "");
    const auto code = [&](const std::vector<Packed>& files) { return code_of(pack(files, folder / "x.cat")); };
    for (const std::string path : {"../a", "/a", "c:\\a", "a/../../b", "", "C:a"})
        EXPECT_EQ(code({{"ok", folder / "a"}, {path, folder / "a"}}), "path-outside") << path;
    EXPECT_EQ(code({{"a\nb", folder / "a"}}), "pack-path");
    EXPECT_EQ(code({{"a", folder / "a"}, {"A", folder / "a"}}), "pack-duplicate");
    EXPECT_EQ(code({{"a", folder / "a"}, {"b", folder / "none"}}), "input-open");
    EXPECT_EQ(code({{"a", folder / "a"}, {"b", folder.path()}}), "input-open");
    EXPECT_EQ(code({{"a", folder / "a"}, {"b", folder / "empty"}}), "pack-empty");
    const std::vector<Packed> two{{"a", folder / "a"}, {"b", folder / "a"}};
    EXPECT_EQ(code_of(pack(two, folder / "x.cat", false, [](std::size_t done) { return done == 0; })),
              "limit-cancelled");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.cat"));
    EXPECT_FALSE(std::filesystem::exists(folder / "x.dat"));
}

TEST(Catalog, IsRecognisedByItsLines) {
    const auto id = [](const std::string& text, const std::string& name) {
        const Recognition found = recognize(std::as_bytes(std::span(text)), name);
        return std::string(found.format != nullptr ? found.format->id : "none");
    };
    std::string longer;
    while (longer.size() < 5000) longer += catalog_line("assets/some/file.xml", "content");
    EXPECT_EQ(id(longer.substr(0, 4096), "x"), "cat");
    EXPECT_EQ(id(catalog_line("a", "b"), "01"), "cat");
    EXPECT_EQ(id("hello\n" + catalog_line("a", "b"), "01"), "none");
    EXPECT_EQ(id("hello\n" + catalog_line("a", "b"), "01.CAT"), "cat");
    EXPECT_EQ(id("", "01.cat"), "cat");
    EXPECT_EQ(id("", "01"), "none");
}

TEST(Catalog, IsCheckedWithItsData) {
    const Folder folder;
    folder.write_catalog("01", {{"a", "hello"}, {"A", "world"}, {"../b", "x"}});
    folder.write("01.dat", "hell0worldx and more");
    const auto document = open_file(folder / "01.cat");
    ASSERT_TRUE(document);
    CheckContext context;
    context.path = folder / "01.cat";
    EXPECT_THAT(codes_of(document->value.check(context)),
                ElementsAre("catalog-duplicate", "path-outside", "catalog-md5", "catalog-data"));
}

TEST(Catalog, MayBeAnyBytes) {
    const std::string whole = catalog_line("assets/a b.xml", "hello") + catalog_line("b", "") + catalog_line("c", "x");
    for (std::size_t size = 0; size <= whole.size(); ++size) static_cast<void>(read_text(whole.substr(0, size)));
    std::string damaged = whole;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        damaged[at] = static_cast<char>(at * 37);
        static_cast<void>(read_text(damaged));
    }
}

}  // namespace
}  // namespace effigy::catalog
