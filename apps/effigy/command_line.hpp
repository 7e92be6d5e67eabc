#pragma once
/// How the command line explains itself: the shape of --help, and what is said about a wrong one.

#include <CLI/CLI.hpp>
#include <string>

namespace effigy::app {

/// Usage with all that must be given, then arguments and options in two columns, within 100 characters.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override;
    std::string make_subcommand(const CLI::App* verb) const override;
};

/// Prints help or version as asked, or what is wrong and what to do about it. Returns the exit code.
[[nodiscard]] int finish_parse(const CLI::App& program, const CLI::ParseError& error);

/// The word of `known` that `typed` was probably meant to be, or nothing.
[[nodiscard]] std::string closest(const std::string& typed, const std::vector<std::string>& known);

}  // namespace effigy::app
