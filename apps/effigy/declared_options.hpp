#pragma once
/// The switches that formats declare, on the command line.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "effigy/registry.hpp"

namespace effigy::app {

/// Adds those that `wanted` takes, unless the verb has its own of that name: general ones first, then a group for each
/// family, then those that are seldom needed. `values` must outlive the verb.
void add_declared_options(CLI::App& verb, OptionValues& values,
                          const std::function<bool(const DeclaredOption& option)>& wanted);

/// The words of a command line, where switches that stand without one of their values have the one that this means.
[[nodiscard]] std::vector<std::string> with_values_of_lone_switches(const CLI::App& program,
                                                                    std::vector<std::string> words);

/// Those that say how inputs are read for showing them, and `lod`, which is a number there.
void add_showing_options(CLI::App& verb, OptionValues& values);
/// The one that says how names are spelled that are not UTF-8.
void add_encoding_option(CLI::App& verb, OptionValues& values);
/// Those that say where files are found that inputs name.
void add_locating_options(CLI::App& verb, OptionValues& values);

}  // namespace effigy::app
