/// The results of all benchmarks as one JSON document, and as docs/performance.md.
/// usage: bench_report RESULTS.json... BENCH.json PERFORMANCE.md

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace effigy::bench {
namespace {

using Json = nlohmann::ordered_json;

/// What is known of cases, by how their names begin. Bounds are what profiles showed.
struct Known {
    std::string_view name, reference, bound{};
};
constexpr Known known[] = {
    {"read_actor", "memcpy into fresh blocks", "memory: pages are cleared, then filled"},
    {"read_motion_keys", "memcpy of the float keys into fresh blocks",
     "packed keys: the square roots and divisions of four at a time; few keys: a visit for each field"},
    {"motion_to_scene", "memcpy of the scene's tracks into fresh blocks",
     "rotations made unit and continuous; keys that would not come back are kept; the clip's hash"},
    {"read_small_files", "open, read and close",
     "a visit for each field; an allocation for each name and list: copying what was read instead of reading it comes "
     "to 0.71"},
    {"component", "reading the meshes and writing as many bytes",
     "small meshes: the JSON of records, its allocations; large ones: inflating them"},
    {"convert_to_glb", "`cp` of the larger file",
     "memory: read into cleared pages, and written from there, where `cp` stays in the kernel; the weights of skins"},
    {"info_on_small_file", "`true`", "loading 17 MB of program and the C library"},
    {"read_scene", "one copy of the file's bytes"},
    {"check_hashes", "reading without hashes"},
    {"write_actor", "reading that actor into a scene", "anew: which vertices seams alone keep apart, and their joints"},
    {"write_mesh", "zlib's level 9 of the same buffers"},
    {"compare", "reading both"},
    {"read_avatars", "memcpy into fresh blocks"},
    {"recover_bind", "reading the avatar"},
    {"convert_avatar", "reading the avatar",
     "what makes it come back to the bit, the recovered bind pose, compressing the record"},
    {"read_mesh", "libdeflate on the same streams, into fresh blocks",
     "1 kB: allocations; copying what was read instead of reading it comes to 0.93"},
    {"list_catalog", "a scan for line feeds"},
    {"draw_picture", "F3D on the same model"},
    {"two_threads_against_one", "the same with `-j1`", "JSON and its allocations, and making files"},
    {"two_threads_against_a_loop", "a shell loop of single conversions"},
    {"levels of", "memcpy of the pixels", "averages in floating point, colours as light"},
    {"PNG", "zlib's level 6 of the same pixels", "libdeflate"},
    {"BC", "memcpy of the pixels", "BC1, BC3: libsquish's search for the best end points"},
    {"skin_beside_ozz", "ozz-animation's SkinningJob, which does not normalise",
     "normalising, a fifth; a million vertices: memory"},
    {"skin", "the same by plain code"},
    {"sample_to_model", "the same in double precision with a binary search"},
    {"play_x42", "the same in double precision with a binary search"},
    {"decode_motion", "memcpy of the keys", "Huffman's code, about half; the transforms, a third"},
    {"read_model", "memcpy into fresh blocks"},
};

Known known_of(std::string_view name) {
    const auto found = std::find_if(std::begin(known), std::end(known),
                                    [&](const Known& one) { return name.substr(0, one.name.size()) == one.name; });
    return found == std::end(known) ? Known{} : *found;
}

std::string number(const Json& run, const char* member, const char* format = "%.3g") {
    const auto found = run.find(member);
    if (found == run.end() || !found->is_number()) return {};
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, found->get<double>());
    return text.data();
}

/// What belongs to a case, without how it was run.
std::string case_name(const std::string& name) { return name.substr(0, name.find("/iterations:")); }

std::string goal(const Json& run) {
    if (const std::string at_most = number(run, "goal_at_most"); !at_most.empty() && at_most != "0")
        return "≤ " + at_most;
    if (const std::string at_least = number(run, "goal_at_least"); !at_least.empty() && at_least != "0")
        return "≥ " + at_least;
    return {};
}

std::string ratio(const Json& run) {
    const std::string middle = number(run, "ratio");
    return middle.empty() ? middle : middle + " (" + number(run, "low") + " to " + number(run, "high") + ")";
}

void write_ratios(std::ostream& out, const std::vector<Json>& runs) {
    out << "\n## Ratios\n\nSpeeds are those of the reference over those of effigy's time (more is better, goal ≥), "
           "times "
           "the reverse (less is better,\ngoal ≤): the median, and in brackets the quartiles, pair by pair.\n\n"
           "| case | reference | ratio | goal | ms | ms of the reference | bound by |\n|---|---|---|---|---|---|---|\n";
    for (const Json& run : runs) {
        if (ratio(run).empty()) continue;
        const auto name = run["name"].get<std::string>();
        const Known about = known_of(name);
        out << "| " << case_name(name) << " | " << about.reference << " | " << ratio(run) << " | " << goal(run) << " | "
            << number(run, "subject_ms") << " | " << number(run, "reference_ms") << " | " << about.bound << " |\n";
    }
}

void write_batches(std::ostream& out, const std::vector<Json>& runs) {
    out << "\n## Runs over folders\n\nActors of 8 kB to GLB on two threads, then the same again, which finds all "
           "unchanged.\n\n"
           "| case | µs a file | µs unchanged | MB at most | MB unchanged |\n|---|---|---|---|---|\n";
    for (const Json& run : runs) {
        if (!run.contains("us_a_file")) continue;
        out << "| " << case_name(run["name"].get<std::string>()) << " | " << number(run, "us_a_file") << " | "
            << number(run, "us_unchanged") << " | " << number(run, "peak_MB") << " | "
            << number(run, "peak_MB_unchanged") << " |\n";
    }
}

void write_growth(std::ostream& out, const std::vector<Json>& runs) {
    out << "\n## Growth\n\nThe program from its start to its end with n, 2n and 4n of what grows; memory is what it "
           "uses "
           "beyond a run that does nothing.\nAn exponent of 1 is proportional growth, the goal is at most 1.1. The "
           "last "
           "column is memory over the larger of input and\noutput at 4n, with a goal of at most 1.2.\n\n"
           "| case | n | ms at n, 2n, 4n | exponent | MB at n, 2n, 4n | exponent | memory "
           "|\n|---|---|---|---|---|---|---|\n";
    const auto three = [](const Json& run, const std::string& unit) {
        return number(run, (unit + "_1n").c_str()) + ", " + number(run, (unit + "_2n").c_str()) + ", " +
               number(run, (unit + "_4n").c_str());
    };
    for (const Json& run : runs) {
        if (!run.contains("exponent_time")) continue;
        const std::string name = case_name(run["name"].get<std::string>());
        const std::size_t slash = name.rfind('/');
        out << "| " << name.substr(name.find('/') + 1, slash - name.find('/') - 1) << " | " << number(run, "n", "%.0f")
            << " " << name.substr(slash + 1) << " | " << three(run, "ms") << " | " << number(run, "exponent_time")
            << " | " << three(run, "MB") << " | " << number(run, "exponent_memory") << " | "
            << number(run, "memory_ratio") << " |\n";
    }
}

int run(const std::vector<std::string>& arguments) {
    std::vector<Json> runs;
    int cores = 0;
    for (std::size_t i = 0; i + 2 < arguments.size(); ++i) {
        std::ifstream in(arguments[i]);
        const Json json = Json::parse(in, nullptr, false);
        if (!json.is_object() || !json.contains("benchmarks")) {
            std::cerr << "not the results of a benchmark: " << arguments[i] << "\n";
            return 1;
        }
        cores = json["context"].value("num_cpus", 0);
        for (const Json& one : json["benchmarks"]) runs.push_back(one);
    }
    std::ofstream(arguments[arguments.size() - 2]) << Json{{"cores", cores}, {"benchmarks", runs}}.dump(1) << "\n";
    std::ofstream out(arguments.back());
    out << "# Performance\n\nWritten by `./dev bench`; each ratio is of two things that one run did in turn, so that a "
           "busy "
           "machine slows both. Cores of the\nmachine: "
        << cores
        << ". Times are of that machine only. How many instructions fixed cases take is compared in every "
           "`./dev test`\n(`tests/counts`).\n";
    write_ratios(out, runs);
    write_batches(out, runs);
    write_growth(out, runs);
    return out.flush().good() ? 0 : 1;
}

}  // namespace
}  // namespace effigy::bench

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() >= 3) return effigy::bench::run(arguments);
    std::cerr << "usage: bench_report RESULTS.json... BENCH.json PERFORMANCE.md\n";
    return 2;
}
