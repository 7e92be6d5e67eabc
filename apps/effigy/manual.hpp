#pragma once
/// The manual page and the completions of shells, made from the same declarations as --help.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace effigy::app {

struct ManualFile {
    std::string name;
    std::string text;
};

/// effigy.1 for man, effigy for bash, _effigy for zsh, effigy.fish.
[[nodiscard]] std::vector<ManualFile> manual_files(const CLI::App& program, const std::string& version);

/// `effigy manual FOLDER`, which --help does not list: it is for those who build and package.
void add_manual(CLI::App& program, std::function<int()>& chosen);

}  // namespace effigy::app
