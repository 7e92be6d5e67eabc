/// Runs over folders: two threads against one and against a loop of single conversions; memory, and what a run costs
/// that finds everything unchanged. Look-ups in a game of half a million files.

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "effigy/catalog.hpp"
#include "effigy/game_files.hpp"

#include "child.hpp"
#include "generate.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

namespace fs = std::filesystem;

const std::string program = EFFIGY_PROGRAM;

/// `count` actors in folders of a hundred; of each size there are many, so that making them takes no time.
class Tree {
public:
    Tree(std::size_t count, const std::vector<std::uint64_t>& sizes)
        : path_(fs::temp_directory_path() / ("effigy-bench-" + std::to_string(::getpid()))) {
        fs::create_directories(path_ / "source");
        for (const std::uint64_t size : sizes) write_actor(size);
        for (std::size_t number = 0; number < count; ++number) {
            const fs::path folder = path_ / "in" / std::to_string(number / 100);
            if (number % 100 == 0) fs::create_directories(folder);
            fs::copy_file(source(sizes[number % sizes.size()]), folder / (std::to_string(number) + ".xac"));
        }
    }
    ~Tree() { fs::remove_all(path_); }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] std::vector<std::string> run(const std::string& threads) const {
        return {program, "convert", path("in"), "-o", path("out/"), "--to", "glb", "-q", "-j", threads};
    }
    /// The same as a shell would.
    [[nodiscard]] std::vector<std::string> loop() const {
        const std::string script = "cd '" + path("in") + "' && for f in */*.xac; do mkdir -p \"" + path("out") +
                                   "/${f%/*}\" && '" + program + "' convert \"$f\" -q -o \"" + path("out") +
                                   "/${f%.xac}.glb\"; done";
        return {"sh", "-c", script};
    }
    void forget() const { fs::remove_all(path_ / "out"); }

private:
    [[nodiscard]] fs::path source(std::uint64_t size) const { return path_ / "source" / std::to_string(size); }
    /// By a child: the peak memory of this process would be counted for every program that it starts.
    void write_actor(std::uint64_t size) const {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(xac::write_file(make_actor(size, true), source(size)) ? 0 : 1);
        int status = 0;
        ::waitpid(child, &status, 0);
    }

    fs::path path_;
};

/// As files of games are: a tenth is small, a tenth is large.
const std::vector<std::uint64_t> real_sizes{8'000,  20'000,  30'000,  40'000,  60'000,
                                            80'000, 110'000, 150'000, 250'000, 500'000};

void compare(benchmark::State& state, const Tree& tree, const std::vector<std::string>& reference, double goal) {
    Times times;
    const auto timed = [&](const std::vector<std::string>& command) {
        tree.forget();
        const ChildRun run = run_child(command);
        if (!run.succeeded) state.SkipWithError("a run failed");
        return run.seconds;
    };
    (void)timed(tree.run("2"));
    for (auto _ : state) {
        times.subject.push_back(timed(tree.run("2")));
        times.reference.push_back(timed(reference));
        state.SetIterationTime(times.subject.back());
    }
    report(state, times, Ratio::speed, goal);
}

void two_threads_against_one(benchmark::State& state) {
    const Tree tree(2'000, real_sizes);
    compare(state, tree, tree.run("1"), 1.8);
}
BENCHMARK(two_threads_against_one)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);

void two_threads_against_a_loop(benchmark::State& state) {
    const Tree tree(2'000, real_sizes);
    compare(state, tree, tree.loop(), 3);
}
BENCHMARK(two_threads_against_a_loop)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);

/// A first run and one that finds all unchanged, with the memory that they take at most.
void many_files(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const Tree tree(count, {8'000});
    ChildRun first, second;
    for (auto _ : state) {
        tree.forget();
        first = run_child(tree.run("2"));
        second = run_child(tree.run("2"));
        if (!first.succeeded || !second.succeeded) return state.SkipWithError("a run failed");
        state.SetIterationTime(first.seconds);
    }
    state.counters["us_a_file"] = first.seconds * 1e6 / static_cast<double>(count);
    state.counters["us_unchanged"] = second.seconds * 1e6 / static_cast<double>(count);
    state.counters["peak_MB"] = static_cast<double>(first.peak_bytes) / 1e6;
    state.counters["peak_MB_unchanged"] = static_cast<double>(second.peak_bytes) / 1e6;
}
BENCHMARK(many_files)->Arg(100)->Arg(10'000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1);

/// Half a million entries in ten catalogs, asked for 100,000 files that are there and as many that are not.
void look_up_in_game(benchmark::State& state) {
    const fs::path folder = fs::temp_directory_path() / ("effigy-bench-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const auto path_of = [](unsigned number) {
        return "assets/units/size_" + std::to_string(number % 7) + "/ship_" + std::to_string(number / 100) +
               "_data/part_" + std::to_string(number) + "-lod0.xmf";
    };
    for (unsigned catalog = 0; catalog < 10; ++catalog) {
        const std::string name = (catalog < 9 ? "0" : "") + std::to_string(catalog + 1);
        std::ofstream text(folder / (name + ".cat"));
        for (unsigned number = 0; number < 50'000; ++number)
            text << path_of(catalog * 50'000 + number) << " 1 1700000000 " << std::string(32, 'a') << "\n";
        std::ofstream(folder / (name + ".dat")) << std::string(50'000, 'x');
    }
    const double start = now();
    const auto game = egosoft::GameFiles::open({folder});
    const double opened = now() - start;
    std::int64_t found = 0;
    for (auto _ : state) {
        for (unsigned number = 0; number < 100'000; ++number) {
            found += game->value.find(path_of(number * 5)).has_value();
            found += game->value.find(path_of(600'000 + number)).has_value();
        }
    }
    fs::remove_all(folder);
    if (!game || found != 100'000 * state.iterations()) return state.SkipWithError("files were not found");
    state.counters["open_ms"] = opened * 1e3;
    state.counters["ns_a_look_up"] =
        benchmark::Counter(200'000 * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(look_up_in_game)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
