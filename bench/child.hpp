#pragma once
/// Running a program to its end: how long it took and how much memory it used at most.

#include <cstdint>
#include <string>
#include <vector>

namespace effigy::bench {

struct ChildRun {
    bool succeeded = false;
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
};

/// Standard output and error go to /dev/null.
[[nodiscard]] ChildRun run_child(const std::vector<std::string>& command);

}  // namespace effigy::bench
