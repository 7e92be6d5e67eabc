/// The results of all benchmarks as one JSON document, and as docs/performance.md.
/// usage: bench_report RESULTS.json... BENCH.json PERFORMANCE.md

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace effigy::bench {
namespace {

using Json = nlohmann::ordered_json;

/// What cases are held against, by how their names begin.
constexpr std::pair<std::string_view, std::string_view> references[] = {
    {"read_actor", "memcpy into fresh blocks"},
    {"read_motion_keys", "memcpy of the float keys into fresh blocks"},
    {"motion_to_scene", "memcpy of the scene's tracks into fresh blocks"},
    {"read_small_files", "open, read and close"},
    {"component", "reading the meshes and writing as many bytes"},
    {"convert_to_glb", "`cp` of the larger file"},
    {"info_on_small_file", "`true`"},
    {"read_scene", "one copy of the file's bytes"},
    {"check_hashes", "reading without hashes"},
    {"write_actor", "reading that actor into a scene"},
    {"write_mesh", "zlib's level 9 of the same buffers"},
    {"compare", "reading both"},
    {"read_avatars", "memcpy into fresh blocks"},
    {"recover_bind", "reading the avatar"},
    {"convert_avatar", "reading the avatar"},
    {"read_mesh", "libdeflate on the same streams"},
    {"list_catalog", "a scan for line feeds"},
    {"draw_picture", "F3D on the same model"},
};

std::string_view reference_of(std::string_view name) {
    for (const auto& [start, reference] : references) {
        if (name.substr(0, name.find('/')) == start) return reference;
    }
    return {};
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
           "| case | reference | ratio | goal | ms | ms of the reference |\n|---|---|---|---|---|---|\n";
    for (const Json& run : runs) {
        if (ratio(run).empty()) continue;
        out << "| " << case_name(run["name"].get<std::string>()) << " | "
            << reference_of(run["name"].get<std::string>()) << " | " << ratio(run) << " | " << goal(run) << " | "
            << number(run, "subject_ms") << " | " << number(run, "reference_ms") << " |\n";
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
