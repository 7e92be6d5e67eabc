// Every XMF and ANI of the corpus comes back to the byte, straight and through a dump.

#include "corpus/corpus.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>

#include "core/json.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::test {
namespace {

/// Calls `use` with the bytes of each file whose start `is_wanted`; returns their number.
template <class Wanted, class Use>
std::size_t for_each_file(Wanted is_wanted, Use use) {
    std::size_t count = 0;
    for (const std::filesystem::path& path : corpus::paths()) {
        if (!is_wanted(corpus::head_of(path))) continue;
        SCOPED_TRACE(path.string());
        use(corpus::bytes_of(path));
        ++count;
    }
    return count;
}

template <class Format>
void expect_kept(const Bytes& bytes) {
    const auto loaded = Format::read(ByteSource(bytes), {});
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_FALSE(loaded->report.has_errors()) << to_string(loaded->report.diagnostics().front());
    EXPECT_EQ(Format::write(loaded->value, {}).value(), bytes);
    for (const bool expand : {false, true}) {
        const auto built = Format::build(Format::dump(loaded->value, {expand}).value(), false, {});
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_EQ(Format::write(*built, {}).value(), bytes) << "expand " << expand;
    }
}

TEST(Corpus, MeshesAreKept) {
    const std::size_t count = for_each_file(egosoft::looks_like_xmf, expect_kept<egosoft::XmfFormat>);
    if (count == 0) GTEST_SKIP() << corpus::has_no("XMF");
    std::cout << count << " XMF kept\n";
}

TEST(Corpus, AnimationsAreKept) {
    const std::size_t count =
        for_each_file([](auto head) { return egosoft::looks_like_ani(head, ""); }, expect_kept<egosoft::AniFormat>);
    if (count == 0) GTEST_SKIP() << corpus::has_no("ANI");
    std::cout << count << " ANI kept\n";
}

/// Where contents are recompressed at the level of the games' own tools, most streams come out as they were.
TEST(Corpus, RecompressedStreamsMeanTheSame) {
    std::size_t same = 0;
    const std::size_t count = for_each_file(egosoft::looks_like_xmf, [&](const Bytes& bytes) {
        xmf::File file = xmf::read(bytes)->value;
        file.data = {};
        const auto written = xmf::write(file);
        ASSERT_TRUE(written) << to_string(written.error());
        const auto again = xmf::read(*written);
        ASSERT_TRUE(again);
        for (std::size_t index = 0; index < file.buffers.size(); ++index)
            EXPECT_EQ(again->value.buffers[index].content, file.buffers[index].content);
        same += *written == bytes ? 1u : 0u;
    });
    if (count == 0) GTEST_SKIP() << corpus::has_no("XMF");
    std::cout << same << " of " << count << " XMF are the same bytes when compressed anew\n";
}

}  // namespace
}  // namespace effigy::test
