/// Runs that are killed, have no room, or meet each other.

#include <chrono>
#include <csignal>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "convert/batch_tree.hpp"

namespace effigy::test {
namespace {

using ::testing::IsEmpty;

class BatchInterrupted : public BatchTree {
protected:
    /// Runs in another process, which `prepare` is called in.
    template <class Prepare>
    [[nodiscard]] pid_t start(const batch::Options& options, Prepare&& prepare) const {
        const pid_t child = ::fork();
        if (child != 0) return child;
        prepare();
        const auto plan = batch::make_plan({text("in")}, options);
        const auto summary =
            plan ? batch::run(*plan, options, batch::convert_job) : Result<batch::Summary>(fail(plan.error()));
        ::_exit(!summary ? 2 : summary->totals.failed > 1 ? 1 : 0);
    }
    static int wait_for(pid_t child) {
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
};

TEST_F(BatchInterrupted, KilledAtAnyMomentEndsWithTheSameTree) {
    fill(24);
    (void)run("whole");
    const auto whole = files("whole");
    // How long a run takes here says when to kill it, so that kills fall into all parts of one.
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(wait_for(start(options("timed"), [] {})), 0);
    const auto takes = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    std::mt19937 random(20);
    unsigned killed = 0;
    for (unsigned round = 0; killed < 60; ++round) {
        const std::string output = "out" + std::to_string(round % 4);
        const pid_t child = start(options(output), [] {});
        std::this_thread::sleep_for(takes * (random() % 1000) / 900);
        ::kill(child, SIGKILL);
        killed += wait_for(child) > 128;
        if (round % 20 >= 16) std::filesystem::remove_all(path(output));  // and from the beginning
    }
    for (const std::string output : {"out0", "out1", "out2", "out3"}) {
        (void)run(output);
        EXPECT_EQ(files(output), whole) << output;
    }
    EXPECT_THAT(temporaries(), IsEmpty());
}

TEST_F(BatchInterrupted, KilledShardsEndWithTheSameTree) {
    fill(12);
    (void)run("whole");
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t number = 1; number <= 3; ++number) {
            batch::Options share = options();
            share.shard = {number, 3};
            const pid_t child = start(share, [] {});
            if (round < 2) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5 * number));
                ::kill(child, SIGKILL);
            }
            (void)wait_for(child);
        }
    }
    EXPECT_EQ(files(), files("whole"));
    EXPECT_THAT(temporaries(), IsEmpty());
}

// A limit on the size of files fails a write in the middle, as a full disk does.
TEST_F(BatchInterrupted, WithoutRoomNothingIsHalf) {
    fill(10);
    (void)run("whole");
    const auto whole = files("whole");
    std::uint64_t largest = 0;
    for (const auto& [name, content] : whole) largest = std::max<std::uint64_t>(largest, content.size());
    for (const std::uint64_t room : {largest - 1, largest / 2, std::uint64_t{700}, std::uint64_t{1}}) {
        const int code = wait_for(start(options(), [&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const struct rlimit limit { room, room };
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }));
        EXPECT_TRUE(code == 1 || code == 2) << code;
        EXPECT_THAT(temporaries(), IsEmpty());
        for (const auto& [name, content] : files()) {
            if (!name.ends_with('/')) EXPECT_EQ(content, whole.at(name));
        }
    }
    (void)run();
    EXPECT_EQ(files(), whole);
}

TEST_F(BatchInterrupted, TwoAtOnceAreToldApart) {
    fill(2);
    const auto busy = [&](batch::Shard first, batch::Shard second) {
        int begun[2] = {}, end[2] = {};
        EXPECT_EQ(::pipe(begun), 0);
        EXPECT_EQ(::pipe(end), 0);
        batch::Options waits = options();
        waits.shard = first;
        const pid_t child = ::fork();
        if (child == 0) {
            waits.event = [&](const batch::Event&) {};
            const auto plan = batch::make_plan({text("in")}, waits);
            (void)batch::run(*plan, waits, [&](const batch::Task& task) {
                char byte = 0;
                (void)!::write(begun[1], &byte, 1);
                (void)!::read(end[0], &byte, 1);
                return batch::convert_job(task);
            });
            char byte = 0;
            (void)!::write(begun[1], &byte, 1);  // where the share is empty
            ::_exit(0);
        }
        char byte = 0;
        EXPECT_EQ(::read(begun[0], &byte, 1), 1);
        batch::Options other = options();
        other.shard = second;
        const auto plan = batch::make_plan({text("in")}, other);
        const auto summary = batch::run(*plan, other, batch::convert_job);
        for (int i = 0; i < 8; ++i) EXPECT_EQ(::write(end[1], &byte, 1), 1);
        EXPECT_EQ(wait_for(child), 0);
        for (const int descriptor : {begun[0], begun[1], end[0], end[1]}) ::close(descriptor);
        return summary ? std::string() : summary.error().code;
    };
    EXPECT_EQ(busy({1, 1}, {1, 1}), codes::usage_busy);
    std::filesystem::remove_all(path("out"));
    EXPECT_EQ(busy({1, 1}, {1, 2}), codes::usage_busy);
    std::filesystem::remove_all(path("out"));
    const batch::Shard busy_share = [&] {
        batch::Options first = options("probe");
        first.shard = {1, 2};
        return batch::Shard{run(first, {text("in")}).totals.jobs != 0 ? 1u : 2u, 2};
    }();
    EXPECT_EQ(busy(busy_share, {3 - busy_share.number, 2}), "");
    std::filesystem::remove_all(path("out"));
    EXPECT_EQ(busy(busy_share, busy_share), codes::usage_busy);
    std::filesystem::remove_all(path("out"));
    EXPECT_EQ(busy(busy_share, {1, 3}), codes::usage_busy);
    EXPECT_EQ(run().totals.failed, 1u) << "and none is when they are gone";
}

}  // namespace
}  // namespace effigy::test
