// A file read through its window gives the bytes that memory gives.

#include "core/byte_source.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

namespace effigy {
namespace {

constexpr std::size_t window = 64 * 1024;

class TemporaryFile {
public:
    explicit TemporaryFile(const Bytes& bytes) {
        std::string pattern = (std::filesystem::temp_directory_path() / "effigy-source-XXXXXX").string();
        const int descriptor = mkstemp(pattern.data());
        EXPECT_GE(descriptor, 0);
        ::close(descriptor);
        path_ = pattern;
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

Bytes noise(std::size_t size) {
    Bytes bytes(size);
    std::uint32_t state = 1;
    for (std::byte& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

/// The same steps on both: reads, peeks and seeks of many sizes, also at and past the limit.
void expect_alike(ByteSource& memory, ByteSource& file, std::uint32_t seed) {
    std::mt19937 random(seed);
    const std::uint64_t size = memory.size();
    ASSERT_EQ(file.size(), size);
    const std::size_t sizes[]{0, 1, 2, 4, 12, 100, 4096, window - 1, window, window + 1, 2 * window, 3 * window + 5};
    Bytes left(3 * window + 5), right(left.size());
    for (int step = 0; step < 500; ++step) {
        ASSERT_EQ(memory.position(), file.position());
        ASSERT_EQ(memory.remaining(), file.remaining());
        const std::size_t wanted = sizes[random() % std::size(sizes)];
        std::memset(left.data(), 0, wanted);
        std::memset(right.data(), 0, wanted);
        switch (random() % 8) {
            case 0: {
                const std::uint64_t position = random() % (memory.limit() + 1);
                memory.seek(position);
                file.seek(position);
                break;
            }
            case 1:
                ASSERT_EQ(memory.peek(left.data(), wanted), file.peek(right.data(), wanted));
                break;
            case 2: {
                const std::uint64_t limit = memory.position() + random() % (size - memory.position() + 1);
                memory.set_limit(limit);
                file.set_limit(limit);
                break;
            }
            case 3:
                memory.set_limit(size);
                file.set_limit(size);
                break;
            default:
                ASSERT_EQ(memory.read(left.data(), wanted), file.read(right.data(), wanted));
                break;
        }
        ASSERT_EQ(std::memcmp(left.data(), right.data(), wanted), 0) << "step " << step;
        if (memory.position() == size) {
            memory.seek(0);
            file.seek(0);
        }
    }
    EXPECT_FALSE(memory.broken());
    EXPECT_FALSE(file.broken());
}

TEST(ByteSource, FileIsLikeMemory) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, window - 1, window, window + 1, 5 * window + 77}) {
        const Bytes bytes = noise(size);
        const TemporaryFile file(bytes);
        auto opened = ByteSource::open(file.path());
        ASSERT_TRUE(opened);
        ByteSource memory{std::span<const std::byte>(bytes)};
        expect_alike(memory, *opened, static_cast<std::uint32_t>(size));
    }
}

TEST(ByteSource, ReadsNothingPastItsLimit) {
    const Bytes bytes = noise(10);
    ByteSource source{std::span<const std::byte>(bytes)};
    source.set_limit(4);
    Bytes target(5);
    EXPECT_FALSE(source.read(target.data(), 5));
    EXPECT_EQ(source.position(), 0u);
    EXPECT_TRUE(source.read(target.data(), 4));
    EXPECT_EQ(source.remaining(), 0u);
    EXPECT_FALSE(source.peek(target.data(), 1));
    EXPECT_FALSE(source.read(target.data(), std::uint64_t{1} << 32));
}

TEST(ByteSource, AFileThatShrinksIsBroken) {
    const TemporaryFile file(noise(3 * window));
    auto source = ByteSource::open(file.path());
    ASSERT_TRUE(source);
    std::filesystem::resize_file(file.path(), window);
    Bytes target(3 * window);
    EXPECT_FALSE(source->read(target.data(), target.size()));
    EXPECT_TRUE(source->broken());
}

TEST(ByteSource, OnlyRegularFilesAreOpened) {
    EXPECT_EQ(ByteSource::open("/no/such/file").error().code, "input-open");
    EXPECT_EQ(ByteSource::open("/tmp").error().code, "input-open");
    EXPECT_EQ(ByteSource::open("/dev/zero").error().code, "input-open");
}

}  // namespace
}  // namespace effigy
