/// Files that appear whole or not at all.

#include "core/output.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "effigy/gltf.hpp"

#include "gltf/glb.hpp"
#include "gltf/rich_scene.hpp"

namespace effigy::test {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> text(std::string_view view) { return std::as_bytes(std::span(view)); }

// Standard output goes to a file for a while.
class RedirectedOutput {
public:
    explicit RedirectedOutput(const fs::path& path) : saved_(::dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(file, STDOUT_FILENO);
        ::close(file);
    }
    ~RedirectedOutput() {
        ::dup2(saved_, STDOUT_FILENO);
        ::close(saved_);
    }
    RedirectedOutput(const RedirectedOutput&) = delete;
    RedirectedOutput& operator=(const RedirectedOutput&) = delete;

private:
    int saved_;
};

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
}

TEST(OutputFile, AppearsOnCommitOnly) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(text("one ")));
    ASSERT_TRUE(file->write(text("two")));
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file->commit(true));
    EXPECT_EQ(read_text(path), "one two");
    EXPECT_EQ(count_files(folder.path()), 1u);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
    const TemporaryFolder folder;
    {
        auto file = OutputFile::create(folder.path() / "a");
        ASSERT_TRUE(file);
        ASSERT_TRUE(file->write(text("lost")));
        OutputFile moved = std::move(*file);
        EXPECT_EQ(count_files(folder.path()), 1u);
    }
    EXPECT_EQ(count_files(folder.path()), 0u);
}

TEST(OutputFile, WritesSmallAndLargePiecesInOrder) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    std::string expected;
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file);
    for (const std::size_t size : {1u, 262143u, 1u, 262144u, 5u, 1000000u, 0u, 262145u, 100u, 262043u, 262044u, 7u}) {
        const std::string piece(size, static_cast<char>('a' + size % 26));
        ASSERT_TRUE(file->write(text(piece)));
        expected += piece;
    }
    ASSERT_TRUE(file->commit(false));
    EXPECT_TRUE(read_text(path) == expected);
}

TEST(OutputFile, HoldsWhatWasWrittenWhateverWasReserved) {
    const TemporaryFolder folder;
    const std::string content(2'000'000, 'r');
    for (const std::uint64_t size : {0u, 1'500'000u, 2'000'000u, 5'000'000u}) {
        auto file = OutputFile::create(folder.path() / "a");
        ASSERT_TRUE(file && file->reserve(size) && file->write(text(content)) && file->commit(false));
        EXPECT_TRUE(read_text(folder.path() / "a") == content) << size;
    }
}

TEST(OutputFile, TakesPermissionsOfTheFileThatItReplaces) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a";
    std::ofstream(path) << "old";
    ::chmod(path.c_str(), 0640);
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->commit(false));
    EXPECT_EQ(mode_of(path), 0640u);

    const mode_t old_mask = ::umask(027);
    auto fresh = OutputFile::create(folder.path() / "b");
    ::umask(old_mask);
    ASSERT_TRUE(fresh);
    ASSERT_TRUE(fresh->commit(false));
    EXPECT_EQ(mode_of(folder.path() / "b"), 0640u);
}

TEST(OutputFile, FollowsLinks) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "real") << "old";
    fs::create_symlink("real", folder.path() / "link");
    auto file = OutputFile::create(folder.path() / "link");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(text("new")));
    ASSERT_TRUE(file->commit(false));
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
    EXPECT_EQ(read_text(folder.path() / "real"), "new");
}

TEST(OutputFile, AcceptsNamesAsLongAsTheFileSystemAllows) {
    const TemporaryFolder folder;
    auto file = OutputFile::create(folder.path() / std::string(255, 'n'));
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->commit(false));
}

TEST(OutputFile, RefusesFoldersAndMissingFolders) {
    const TemporaryFolder folder;
    const auto onto_folder = OutputFile::create(folder.path());
    ASSERT_FALSE(onto_folder);
    EXPECT_EQ(onto_folder.error().code, "output-create");
    EXPECT_EQ(onto_folder.error().file, folder.path().string());
    EXPECT_FALSE(onto_folder.error().found.empty());
    const auto nowhere = OutputFile::create(folder.path() / "missing" / "a");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, "output-create");
}

TEST(OutputFile, RefusesFoldersWithoutPermission) {
    if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
    const TemporaryFolder folder;
    ::chmod(folder.path().c_str(), 0500);
    const auto file = OutputFile::create(folder.path() / "a");
    ::chmod(folder.path().c_str(), 0700);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, "output-create");
}

TEST(OutputFile, RefusesFileSystemsWithoutFiles) {
    const auto file = OutputFile::create("/proc/effigy-output-test");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, "output-create");
}

TEST(OutputFile, WritesDevicesDirectly) {
    auto file = OutputFile::create("/dev/null");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(text("gone")));
    ASSERT_TRUE(file->commit(true));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, ReportsAFullDevice) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    auto file = OutputFile::create("/dev/full");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(text("no room")));
    const auto committed = file->commit(false);
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().code, "output-write");
    EXPECT_EQ(committed.error().file, "/dev/full");
    EXPECT_EQ(committed.error().message, "there is not enough room for the output");
}

// A limit on the size of files fails a write in the middle, as a full disk does.
TEST(OutputFile, LeavesNothingWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    struct rlimit old {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = old;
    small.rlim_cur = 4096;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto glb = gltf::write_file(rich_scene(), folder.path() / "s.glb");
    const auto gltf = gltf::write_file(rich_scene(), folder.path() / "s.gltf");
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);
    ASSERT_FALSE(glb);
    EXPECT_EQ(glb.error().code, "output-write");
    ASSERT_FALSE(gltf);
    EXPECT_EQ(gltf.error().code, "output-write");
    EXPECT_EQ(count_files(folder.path()), 0u);
}

TEST(OutputFile, WritesStandardOutput) {
    const TemporaryFolder folder;
    Result<Report> written;
    {
        const RedirectedOutput redirected(folder.path() / "out");
        written = gltf::write_file(rich_scene(), "-");
    }
    ASSERT_TRUE(written) << to_string(written.error());
    const auto expected = gltf::write_glb(rich_scene());
    const auto bytes = read_bytes(folder.path() / "out");
    ASSERT_TRUE(expected);
    ASSERT_EQ(bytes.size(), expected->size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), expected->begin()));
}

TEST(OutputFile, ReportsAFullStandardOutput) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    Result<Report> written;
    {
        const RedirectedOutput redirected("/dev/full");
        written = gltf::write_file(rich_scene(), "-");
    }
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "output-write");
    EXPECT_EQ(written.error().file, "-");
}

// A pipe takes less than it is given at once.
TEST(OutputFile, CopesWithShortWrites) {
    const TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { received = read_text(pipe); });
    const std::string sent(3'000'000, 'p');
    auto file = OutputFile::create(pipe);
    EXPECT_TRUE(file && file->write(text(sent)) && file->commit(true));
    reader.join();
    EXPECT_TRUE(received == sent);
}

TEST(OutputFile, RetractTakesBackNewFilesOnly) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "old") << "old";
    for (const char* name : {"old", "new"}) {
        auto file = OutputFile::create(folder.path() / name);
        ASSERT_TRUE(file && file->commit(false));
        file->retract();
    }
    EXPECT_TRUE(fs::exists(folder.path() / "old"));
    EXPECT_FALSE(fs::exists(folder.path() / "new"));
}

TEST(MemorySink, Appends) {
    Bytes bytes;
    const Sink sink = memory_sink(bytes);
    ASSERT_TRUE(sink(text("ab")) && sink({}) && sink(text("c")));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "abc");
}

}  // namespace
}  // namespace effigy::test
