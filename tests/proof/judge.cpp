/// Writes files for the Khronos validator, runs it, and reads what it says.

#include "proof/judge.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>

namespace judge {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Standard output and the exit code of a shell command.
struct Outcome {
    int code = -1;
    std::string output;
};

Outcome run(const std::string& command) {
    Outcome outcome;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return outcome;
    char block[4096];
    for (std::size_t count = 0; (count = fread(block, 1, sizeof block, pipe)) > 0;) outcome.output.append(block, count);
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

std::string validator() { return "node " + quoted(std::string(EFFIGY_SOURCE_DIR) + "/tests/tools/validate.mjs"); }

/// The lines about rejected files only.
std::string complaints(const std::string& output) {
    std::string result;
    for (std::size_t start = 0; start < output.size();) {
        const std::size_t end = std::min(output.find('\n', start), output.size());
        const std::string line = output.substr(start, end - start);
        if (line.find(": ok: ") == std::string::npos) result += line + "\n";
        start = end + 1;
    }
    return result.substr(0, 10000);
}

}  // namespace

void Judge::add(const std::string& name, const convert::Input& input) {
    SCOPED_TRACE(name);
    try {
        add(name, convert::to_glb(input));
    } catch (const std::exception& problem) {
        ADD_FAILURE() << problem.what();
    }
}

void Judge::add(const std::string& name, const effigy::Scene& scene) {
    SCOPED_TRACE(name);
    try {
        add(name, convert::to_glb(scene));
    } catch (const std::exception& problem) {
        ADD_FAILURE() << problem.what();
    }
}

void Judge::add(const std::string& name, const effigy::Bytes& glb) {
    const fs::path path = folder_.path() / (std::to_string(count_++) + " " + name + ".glb");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));
    paths_.push_back(path);
    if (paths_.size() == 100) judge();
}

void Judge::judge() {
    if (paths_.empty()) return;
    std::string command = validator();
    for (const fs::path& path : paths_) command += " " + quoted(path.string());
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << complaints(outcome.output);
    for (const fs::path& path : paths_) fs::remove(path);
    paths_.clear();
}

std::string no_validator() {
    const Outcome usage = run(validator());
    if (usage.code == 2) return {};  // without files the script explains its use
    const std::size_t error = std::min(usage.output.find("Error:"), usage.output.size());
    return "the glTF validator does not run (npm ci in tests/tools installs it): " +
           usage.output.substr(error, usage.output.find('\n', error) - error);
}

}  // namespace judge
