/// Standard input and output, closed pipes, Ctrl-C.

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/workspace.hpp"

namespace effigy::test {
namespace {

using ::testing::HasSubstr;

class CliStream : public Cli {};

TEST_F(CliStream, GivesTheSameGlbAsAFile) {
    expect_success("effigy convert soldier.xac walk.xsm -q -o x.glb");
    const Outcome run = expect_success("effigy convert soldier.xac walk.xsm -q --to glb -o -");
    EXPECT_TRUE(run.out == content("x.glb"));
    expect_success("effigy convert soldier.xac -o - --to xac | cmp - soldier.xac");
}

TEST_F(CliStream, ReadsAModelForConversion) {
    expect_success("effigy convert - walk.xsm -o x.glb < soldier.xac");
    EXPECT_EQ(glb_json(content("x.glb"))["animations"][0]["name"], "walk");
    expect_success("cat soldier.xac | effigy convert - --to xac -o - | cmp - soldier.xac");
    expect_success("effigy convert soldier.xac - -o y.glb < walk.xsm");
    EXPECT_EQ(glb_json(content("y.glb"))["animations"][0]["name"], "stdin");
}

TEST_F(CliStream, KeepsReportsOffTheOutput) {
    const Outcome run = expect_success("effigy convert soldier.xac --no-textures --to glb -o -");
    EXPECT_TRUE(glb_json(run.out).is_object());
    EXPECT_THAT(run.err, HasSubstr("--no-textures"));
    expect_failure("effigy convert soldier.xac --to glb -o - --json", 2, {"standard output"});
    expect_failure("effigy convert soldier.xac --to glb -o - --report -", 2, {"one file"});
    for (const char* format : {"gltf", "obj", "ply"}) {
        expect_failure(std::string("effigy convert soldier.xac -o - --to ") + format, 2,
                       {"standard output", "--to glb"});
    }
}

// No file ends what is none.
TEST_F(CliStream, IsNotReadToItsEndWhereItIsNoFile) {
    for (const char* const verb : {"info -", "dump -", "convert - --to glb -o -"})
        expect_failure(std::string("yes | effigy ") + verb, 3, {"no file of a format that effigy reads"});
    expect_failure("{ cat soldier.xac; yes; } | effigy info - --limit-memory 1MB", 4, {"--limit-memory"});
}

TEST_F(CliStream, WritesNothingWhenItFails) {
    EXPECT_EQ(expect_failure("effigy convert truncated.xac --to glb -o -", 1).out, "");
    EXPECT_EQ(expect_failure("effigy convert - --to glb -o - < foreign.xac", 3, {"O3DE"}).out, "");
    EXPECT_EQ(expect_failure("effigy build - -o - < notes.txt", 3).out, "");
    EXPECT_EQ(expect_failure("effigy dump - < /dev/null", 3).out, "");
}

// More output than a pipe holds, so that writing goes on after the reader is gone.
TEST_F(CliStream, EndsQuietlyWhenNobodyListens) {
    Json dump = Json::parse(content("soldier.json"));
    Json& chunks = dump["value"];
    const Json unknown = Json::parse(expect_success("effigy dump unknown.xac --json -q").out)["value"].back();
    for (int count = 0; count < 5000; ++count) chunks.push_back(unknown);
    write("many.json", dump.dump());
    expect_success("effigy build many.json -o many.xac");
    const Outcome run = expect_success("( effigy dump many.xac -q; echo $? > code ) | head -1");
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr("offset"));
    EXPECT_EQ(content("code"), "0\n");
}

TEST_F(CliStream, StopsWhenInterrupted) {
    std::array<int, 2> input{};
    ASSERT_EQ(::pipe2(input.data(), O_CLOEXEC), 0);
    const std::string folder = this->folder().string();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::dup2(input[0], STDIN_FILENO);
        const bool moved = ::chdir(folder.c_str()) == 0;
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDERR_FILENO);
        if (moved) ::execl(EFFIGY_PROGRAM, "effigy", "convert", "-", "-o", "x.glb", nullptr);
        ::_exit(127);
    }
    ::close(input[0]);
    // Once more has gone in than the pipe can hold, the program is reading, and has long been watching for signals.
    const std::string block = content("soldier.xac") + std::string(4 << 20, 'x');
    for (std::size_t sent = 0; sent < block.size();) {
        const ssize_t step = ::write(input[1], block.data() + sent, block.size() - sent);
        ASSERT_GT(step, 0);
        sent += static_cast<std::size_t>(step);
    }
    ::kill(child, SIGINT);
    ::close(input[1]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 4);
    EXPECT_FALSE(exists("x.glb"));
}

}  // namespace
}  // namespace effigy::test
