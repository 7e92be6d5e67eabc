#pragma once
/// A folder with small files, and the program run in it as a user would.

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "temporary_folder.hpp"

namespace effigy::test {

using Json = nlohmann::json;

struct Outcome {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out, err;

    /// Standard output as JSON; fails the test if it is none.
    [[nodiscard]] Json json() const;
};

/// Each test gets a fresh folder that fixtures.hpp's fill() has filled.
class Cli : public ::testing::Test {
protected:
    Cli();

    /// A shell command, in the folder, with the program as `effigy` on its path and nothing on standard input.
    [[nodiscard]] Outcome run(const std::string& command) const;

    /// A run that fails with the code, says all of these words on standard error, and changes no file.
    Outcome expect_failure(const std::string& command, int code, const std::vector<std::string>& words = {}) const;
    /// A run that succeeds.
    Outcome expect_success(const std::string& command) const;

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder() / name; }
    [[nodiscard]] std::string content(const std::string& name) const;
    void write(const std::string& name, const std::string& content) const;
    [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
    /// All files below the folder by relative name, with their contents.
    [[nodiscard]] std::map<std::string, std::string> files() const;
    [[nodiscard]] std::filesystem::path folder() const { return root_ / "work"; }

private:
    TemporaryFolder root_;
};

/// The JSON chunk of a GLB.
[[nodiscard]] Json glb_json(const std::string& glb);

/// The bytes that a bulk part of a record in the GLB stands for: docs/gltf.md, "Bulk data".
[[nodiscard]] std::string bulk_of(const std::string& glb, const Json& record, const Json& part);

}  // namespace effigy::test
