/// The program as a whole: conversion against cp, and how soon a small file is answered.

#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "child.hpp"
#include "generate.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

const std::string program = EFFIGY_PROGRAM;

class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("effigy-bench-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

/// Made by a child: the peak memory of this process would be counted for every program that it starts.
bool write_actor(std::uint64_t bytes, bool skinned, const std::string& path) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(xac::write_file(make_actor(bytes, skinned), path) ? 0 : 1);
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Time and peak memory of a conversion to GLB, against cp of the larger of the two files; both make a new file.
void convert_to_glb(benchmark::State& state) {
    const Folder folder;
    const std::string actor = folder.file("actor.xac"), glb = folder.file("actor.glb"), copy = folder.file("copy");
    if (!write_actor(100'000'000, state.range(0) != 0, actor)) return state.SkipWithError("no input");
    const std::vector<std::string> convert{program, "convert", actor, "--no-textures", "-q", "-o", glb};
    const ChildRun first = run_child(convert);
    if (!first.succeeded) return state.SkipWithError("the conversion failed");
    const std::uint64_t larger = std::max(std::filesystem::file_size(actor), std::filesystem::file_size(glb));
    const std::string& source = std::filesystem::file_size(glb) == larger ? folder.file("larger") : actor;
    if (source != actor) std::filesystem::copy_file(glb, source);
    std::uint64_t peak = first.peak_bytes;
    const std::uint64_t baseline = run_child({program, "formats"}).peak_bytes;
    Times times;
    for (auto _ : state) {
        std::filesystem::remove(glb);
        const ChildRun subject = run_child(convert);
        std::filesystem::remove(copy);
        const ChildRun reference = run_child({"cp", source, copy});
        if (!subject.succeeded || !reference.succeeded) return state.SkipWithError("a run failed");
        times.subject.push_back(subject.seconds);
        times.reference.push_back(reference.seconds);
        peak = std::max(peak, subject.peak_bytes);
        state.SetIterationTime(subject.seconds);
    }
    report(state, times, Ratio::time, 1.3);
    state.counters["MB"] = static_cast<double>(larger) / 1e6;
    state.counters["memory_ratio"] = static_cast<double>(peak - baseline) / static_cast<double>(larger);
    state.counters["memory_goal_at_most"] = 1.2;
}
BENCHMARK(convert_to_glb)
    ->ArgName("skinned")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(21);

/// How much longer `effigy info` takes on a small file than a program that does nothing.
void info_on_small_file(benchmark::State& state) {
    const Folder folder;
    const std::string actor = folder.file("actor.xac");
    if (!write_actor(2000, true, actor)) return state.SkipWithError("no input");
    Times times;
    for (auto _ : state) {
        times.subject.push_back(run_child({program, "info", actor}).seconds);
        times.reference.push_back(run_child({"true"}).seconds);
        state.SetIterationTime(times.subject.back());
    }
    report(state, times, Ratio::time, 0);
    std::vector<double> differences;
    for (std::size_t index = 0; index < times.subject.size(); ++index)
        differences.push_back(1e3 * (times.subject[index] - times.reference[index]));
    state.counters.erase("goal_at_most");
    state.counters["above_true_ms"] = quantile(differences, 0.5);
    state.counters["goal_at_most_ms"] = 1;
}
BENCHMARK(info_on_small_file)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(101);

#ifdef EFFIGY_MAKE_FIGURE
/// A picture of the example character, textured, with a little over 20,000 triangles, of 512 x 512 pixels, 16 rays a
/// pixel, from the start of the program to its end, against F3D, which draws the same model's GLB with OpenGL.
void draw_picture(benchmark::State& state) {
    const Folder folder;
    const std::string actor = folder.file("figure.xac"), glb = folder.file("figure.glb");
    const bool made = run_child({EFFIGY_MAKE_FIGURE, folder.file(""), "1.4"}).succeeded &&
                      run_child({program, "convert", actor, "-o", glb}).succeeded;
    if (!made) return state.SkipWithError("no input");
    const std::vector<std::string> render{program, "render", actor, "--size", "512", "-o", folder.file("effigy.png")};
    const std::vector<std::string> f3d{
        "xvfb-run", "-a", "f3d", "--resolution", "512,512", "--output", folder.file("f3d.png"), glb};
    if (!run_child(render).succeeded) return state.SkipWithError("no picture; is libembree3 installed?");
    if (!run_child(f3d).succeeded) return state.SkipWithError("no picture by F3D; are f3d and xvfb installed?");
    Times times;
    for (auto _ : state) {
        times.subject.push_back(run_child(render).seconds);
        times.reference.push_back(run_child(f3d).seconds);
        state.SetIterationTime(times.subject.back());
    }
    report(state, times, Ratio::time, 1);
    state.counters["rays_per_pixel"] = 16;
}
BENCHMARK(draw_picture)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(21);
#endif

}  // namespace
}  // namespace effigy::bench

BENCHMARK_MAIN();
