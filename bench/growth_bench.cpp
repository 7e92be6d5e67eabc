/// How time and memory of the program grow with what files hold: vertices, keys, nodes, parts, entries. Each case at n,
/// 2n and 4n; the exponent is that of a power of n.

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "child.hpp"
#include "generate.hpp"
#include "pair.hpp"

namespace effigy::bench {
namespace {

namespace fs = std::filesystem;

const std::string program = EFFIGY_PROGRAM;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("effigy-growth-" + std::to_string(::getpid()))) {
        fs::create_directory(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    fs::path path_;
};

/// By a child: what this process has used at most would be counted for every program that it starts.
bool in_child(const std::function<bool()>& make) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(make() ? 0 : 1);
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool converts(const std::string& from, const std::string& to) {
    return run_child({program, "convert", from, "--no-textures", "--overwrite", "-q", "-o", to}).succeeded;
}

/// Bytes a vertex in generated actors.
constexpr std::uint64_t rigid = 76, skinned = 116;

bool make_actor_file(const Folder& folder, std::uint64_t vertices, bool has_skin) {
    return in_child([&] {
        return xac::write_file(make_actor(vertices * (has_skin ? skinned : rigid), has_skin), folder / "in.xac")
            .has_value();
    });
}

bool make_motion_file(const Folder& folder, std::uint32_t nodes, std::uint32_t keys) {
    return in_child([&] { return xsm::write_file(make_motion(nodes, keys, true), folder / "in.xsm").has_value(); });
}

/// A component whose parts have the same small mesh each.
bool add_component(const fs::path& folder, const std::string& inside, const fs::path& mesh, const std::string& name,
                   std::uint64_t parts) {
    const std::string geometry = inside + name + "_data";
    const fs::path meshes = folder / geometry;
    fs::remove_all(meshes);
    fs::create_directories(meshes);
    std::ofstream xml(folder / (inside + name + ".xml"));
    xml << R"(<components><component name=")" << name << R"(" class="ship_l"><source geometry=")" << geometry
        << R"("/><connections>)";
    for (std::uint64_t i = 0; i < parts; ++i) {
        const std::string part = "part_" + std::to_string(i);
        fs::copy_file(mesh, meshes / (part + "-lod0.xmf"));
        xml << "<connection name=\"con_" << part << R"(" tags="part"><parts><part name=")" << part
            << R"("><lods><lod index="0"/></lods></part></parts></connection>)";
    }
    xml << "</connections></component></components>";
    return xml.flush().good();
}

bool make_mesh(const Folder& folder) {
    return make_actor_file(folder, 400, false) && converts(folder / "in.xac", folder / "mesh.xmf");
}

bool make_component(const Folder& folder, std::uint64_t parts) {
    return make_mesh(folder) && add_component(folder / "", "", folder / "mesh.xmf", "ship", parts);
}

bool make_catalog(const Folder& folder, std::uint64_t entries) {
    std::ofstream catalog(folder / "01.cat");
    for (std::uint64_t i = 0; i < entries; ++i)
        catalog << "assets/units/ship_" << i % 977 << "_data/part " << i << "-lod0.xmf 0 1700000000 "
                << "00000000000000000000000000000000\n";
    return std::ofstream(folder / "01.dat").good() && catalog.flush().good();
}

/// Beside a game of half a million files.
bool make_mod(const Folder& folder, std::uint64_t components) {
    fs::create_directories(folder / "mod/assets");
    fs::create_directories(folder / "game");
    if (!make_mesh(folder) || !make_catalog(folder, 500'000)) return false;
    for (const char* name : {"01.cat", "01.dat"}) fs::rename(folder / name, fs::path(folder / "game") / name);
    std::ofstream(folder / "mod/content.xml") << R"(<content id="mod" version="100"/>)";
    for (std::uint64_t i = 0; i < components; ++i) {
        const std::string name = "ship_" + std::to_string(i);
        if (!add_component(folder / "mod", "assets/", folder / "mesh.xmf", name, 4)) return false;
    }
    return true;
}

struct Case {
    std::string name, grows;
    std::uint64_t smallest;
    std::function<bool(const Folder&, std::uint64_t)> make;
    std::vector<std::string> command;  ///< "in.*" and "out.*" are files of the folder
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto actor = [](bool has_skin) {
        return [has_skin](const Folder& folder, std::uint64_t n) { return make_actor_file(folder, n, has_skin); };
    };
    const auto glb = [actor](const Folder& folder, std::uint64_t n) {
        return actor(true)(folder, n) && converts(folder / "in.xac", folder / "in.glb");
    };
    const auto other = [actor](const std::string& name) {
        return [actor, name](const Folder& folder, std::uint64_t n) {
            return actor(true)(folder, n) && converts(folder / "in.xac", folder / name);
        };
    };
    const auto keys = [](const Folder& folder, std::uint64_t n) {
        return make_motion_file(folder, 60, static_cast<std::uint32_t>(n));
    };
    const auto nodes = [](const Folder& folder, std::uint64_t n) {
        return make_motion_file(folder, static_cast<std::uint32_t>(n), 60);
    };
    const std::vector<std::string> quiet{"--no-textures", "--overwrite", "-q", "-o"};
    const auto convert = [&](const std::string& from, const std::string& to) {
        std::vector<std::string> command{"convert", from};
        command.insert(command.end(), quiet.begin(), quiet.end());
        command.push_back(to);
        return command;
    };
    constexpr std::uint64_t many = 250'000, some = 10'000;  // an avatar and a model of X42 hold no more than 65,535
    for (const std::string verb : {"info", "check", "dump"})
        all.push_back({verb + " xac", "vertices", many, actor(true), {verb, "in.xac"}});
    all.push_back({"convert xac glb", "vertices", many, actor(true), convert("in.xac", "out.glb")});
    all.push_back({"convert glb xac", "vertices", many, glb, convert("in.glb", "out.xac")});
    all.push_back({"convert glb xmf", "vertices", some, glb, convert("in.glb", "out.xmf")});
    all.push_back({"convert glb obj", "vertices", many, glb, convert("in.glb", "out.obj")});
    all.push_back({"convert glb x42", "vertices", some, glb, convert("in.glb", "out.x42")});
    all.push_back({"convert glb jar", "vertices", some, glb, convert("in.glb", "out.jar")});
    all.push_back({"convert xmf glb", "vertices", some, other("in.xmf"), convert("in.xmf", "out.glb")});
    all.push_back({"convert x42 glb", "vertices", some, other("in.x42"), convert("in.x42", "out.glb")});
    all.push_back({"convert jar glb", "vertices", some, other("in.jar"), convert("in.jar", "out.glb")});
    all.push_back({"diff xac glb", "vertices", many, glb, {"diff", "in.xac", "in.glb"}});
    for (const std::string verb : {"info", "check"})
        all.push_back({verb + " xsm", "keys", some, keys, {verb, "in.xsm"}});
    all.push_back({"convert xsm glb", "keys", some, keys, convert("in.xsm", "out.glb")});
    all.push_back({"convert xsm glb", "nodes", 2'000, nodes, convert("in.xsm", "out.glb")});
    all.push_back({"convert component glb", "parts", 250, make_component, convert("in.component", "out.glb")});
    all.push_back({"check mod", "components", 125, make_mod, {"check", "in.mod", "--game", "in.game", "-q"}});
    all.push_back({"ls cat", "entries", 100'000, make_catalog, {"ls", "in.catalog"}});
    return all;
}

std::string place(const Folder& folder, const std::string& argument) {
    if (argument == "in.component") return folder / "ship.xml";
    if (argument == "in.catalog") return folder / "01.cat";
    if (argument == "in.mod" || argument == "in.game") return folder / argument.substr(3);
    return argument.starts_with("in.") || argument.starts_with("out.") ? folder / argument : argument;
}

void growth(benchmark::State& state, const Case& one) {
    constexpr std::size_t runs = 5;
    const std::uint64_t baseline = run_child({program, "formats"}).peak_bytes;
    std::array<double, 3> seconds{}, bytes{};
    double larger = 0;
    for (auto _ : state) {
        for (std::size_t step = 0; step < 3; ++step) {
            const Folder folder;
            if (!one.make(folder, one.smallest << step)) return state.SkipWithError("no input");
            std::vector<std::string> command{program};
            for (const std::string& argument : one.command) command.push_back(place(folder, argument));
            std::vector<double> times;
            for (std::size_t run = 0; run < runs; ++run) {
                const ChildRun child = run_child(command);
                // What is compared may differ, which is no failure.
                if (!child.succeeded && one.command.front() != "diff" && one.command.front() != "check")
                    return state.SkipWithError("a run failed");
                times.push_back(child.seconds);
                const double used = static_cast<double>(std::max(child.peak_bytes, baseline) - baseline);
                bytes[step] = std::max(bytes[step], used);
            }
            seconds[step] = quantile(times, 0);
            for (const std::string& argument : command) {
                std::error_code error;
                const auto size = argument == program ? 0 : fs::file_size(argument, error);
                if (step == 2 && !error) larger = std::max(larger, static_cast<double>(size));
            }
        }
        state.SetIterationTime(seconds.back());
    }
    const auto exponent = [](const std::array<double, 3>& values) {
        return std::log2(std::max(values[2], 1e-9) / std::max(values[0], 1e-9)) / 2;
    };
    state.counters["n"] = static_cast<double>(one.smallest);
    for (std::size_t step = 0; step < 3; ++step) {
        const std::string size = std::to_string(1U << step) + "n";
        state.counters["ms_" + size] = 1e3 * seconds[step];
        state.counters["MB_" + size] = bytes[step] / 1e6;
    }
    state.counters["exponent_time"] = exponent(seconds);
    state.counters["exponent_memory"] = exponent(bytes);
    state.counters["exponent_goal_at_most"] = 1.1;
    if (larger > 0) {
        state.counters["memory_ratio"] = bytes[2] / larger;
        state.counters["memory_goal_at_most"] = 1.2;
    }
}

}  // namespace
}  // namespace effigy::bench

int main(int argc, char** argv) {
    using namespace effigy::bench;
    for (const Case& one : cases()) {
        benchmark::RegisterBenchmark(("growth/" + one.name + "/" + one.grows).c_str(), growth, one)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
