#pragma once
/// Other programs, and this one again, as processes of their own.

#include <string>
#include <vector>

namespace effigy::app {

/// Starts a program that the user then has to do with, and does not wait for it; false if there is none of that name.
[[nodiscard]] bool start_apart(const std::string& program, const std::vector<std::string>& arguments);

/// Runs this program with other arguments, without input and output; its exit code, or -1 if it was stopped: because
/// it took longer than so many seconds, or the user cancelled. What it says on standard error goes to `errors`.
[[nodiscard]] int run_self(const std::vector<std::string>& arguments, int seconds,
                           const std::string& errors = "/dev/null");

}  // namespace effigy::app
