/// Changes that never end are refused after as many comparisons as they may take, which is many.

#include "effigy/material_library.hpp"

#include "egosoft/file/xml_changes.hpp"
#include "egosoft/files.hpp"

namespace effigy::egosoft {
namespace {

using test::bytes_of_text;
using test::code_of;

std::string diff_of(std::size_t count, const std::string& change) {
    std::string text = "<diff>";
    for (std::size_t i = 0; i < count; ++i) text += change;
    return text + "</diff>";
}

TEST(XmlChanges, RefuseToCompareForEver) {
    auto file = ChangedXml::open(bytes_of_text("<a><c/></a>"), {});
    ASSERT_TRUE(file);
    EXPECT_EQ(code_of(file->apply(bytes_of_text(diff_of(40'000, "<add sel=\"//c\"><e/></add>")))), "limit-changes");
}

/// Each looks at what it names, and not at the whole list.
TEST(XmlChanges, ManyOfALongListAreNotTooMany) {
    constexpr int count = 20'000;
    std::string text = "<a><b n='c'>", changes = "<diff>";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "<m n='" + number + "'/>";
        changes += "<replace sel=\"/a/b[@n='c']/m[@n='" + number + "']\"><m n='" + number + "' x='1'/></replace>";
    }
    auto file = ChangedXml::open(bytes_of_text(text + "</b></a>"), {});
    ASSERT_TRUE(file);
    const auto report = file->apply(bytes_of_text(changes + "</diff>"));
    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_TRUE(report->empty());
    EXPECT_EQ(file->changes(), std::size_t{count});
}

TEST(MaterialLibrary, RefusesToCompareForEver) {
    std::string text = "<materiallibrary><collection name=\"c\">";
    for (int i = 0; i < 30'000; ++i) text += "<material name=\"m" + std::to_string(i) + "\"/>";
    MaterialLibrary library;
    ASSERT_TRUE(library.add(bytes_of_text(text + "</collection></materiallibrary>")));
    const std::string changes = diff_of(20'000, "<remove sel=\"//material[@shader='x']\"/>");
    EXPECT_EQ(code_of(library.add(bytes_of_text(changes))), "limit-changes");
    EXPECT_EQ(library.materials().size(), 30'000U);
}

}  // namespace
}  // namespace effigy::egosoft
