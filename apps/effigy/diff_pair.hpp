#pragma once
/// Two files on the command line, compared.

#include <string>
#include <vector>

#include "effigy/diff.hpp"

#include "common.hpp"
#include "game_input.hpp"

namespace effigy::app {

struct DiffInput {
    CommonOptions common;
    GameInput game;
    std::vector<std::string> textures;  ///< folders; empty: pictures are not compared
    DiffOptions options;
};

/// What came of a pair.
struct PairOutcome {
    std::string a, b;                ///< as the user named them; empty: there is no such file in that folder
    std::string format_a, format_b;  ///< ids
    std::vector<Diagnostic> damage;  ///< what was noticed while the files were read
    Report report;                   ///< differences, and what could not be compared
    bool identical = false;          ///< byte by byte
    int code = exit_code::fine;
};

[[nodiscard]] PairOutcome compare_files(const std::string& a, const std::string& b, const DiffInput& input);

}  // namespace effigy::app
