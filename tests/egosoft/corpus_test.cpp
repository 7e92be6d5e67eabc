// Every XMF and ANI of the corpus comes back to the byte, straight and through a dump.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <iterator>

#include "core/json.hpp"
#include "egosoft/formats.hpp"

namespace effigy::test {
namespace {

std::filesystem::path folder() {
    const char* named = std::getenv("EFFIGY_CORPUS");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named)
                                              : std::filesystem::path(EFFIGY_SOURCE_DIR) / "../shared/samples";
}

Bytes bytes_of_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    Bytes bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char letter) { return static_cast<std::byte>(letter); });
    return bytes;
}

/// Calls `use` with the bytes of each file whose start `is_wanted`; returns their number.
template <class Wanted, class Use>
std::size_t for_each_file(Wanted is_wanted, Use use) {
    std::size_t count = 0;
    std::error_code failed;
    const auto options = std::filesystem::directory_options::follow_directory_symlink |
                         std::filesystem::directory_options::skip_permission_denied;
    for (auto entry = std::filesystem::recursive_directory_iterator(folder(), options, failed);
         !failed && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failed)) {
        if (!entry->is_regular_file()) continue;
        std::ifstream stream(entry->path(), std::ios::binary);
        std::array<char, 4096> head{};
        stream.read(head.data(), head.size());
        const auto read = std::as_bytes(std::span(head)).first(static_cast<std::size_t>(stream.gcount()));
        if (!is_wanted(read)) continue;
        SCOPED_TRACE(entry->path().string());
        use(bytes_of_file(entry->path()));
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
    if (count == 0) GTEST_SKIP() << "no XMF in " << folder() << " (EFFIGY_CORPUS names another folder)";
    std::cout << count << " XMF kept\n";
}

TEST(Corpus, AnimationsAreKept) {
    const std::size_t count =
        for_each_file([](auto head) { return egosoft::looks_like_ani(head, ""); }, expect_kept<egosoft::AniFormat>);
    if (count == 0) GTEST_SKIP() << "no ANI in " << folder() << " (EFFIGY_CORPUS names another folder)";
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
    if (count == 0) GTEST_SKIP() << "no XMF in " << folder() << " (EFFIGY_CORPUS names another folder)";
    std::cout << same << " of " << count << " XMF are the same bytes when compressed anew\n";
}

}  // namespace
}  // namespace effigy::test
