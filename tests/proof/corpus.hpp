#pragma once
/// The real files that the proof is made on: the folder named by EFFIGY_CORPUS, else ../shared/samples beside the
/// project. What a file is, its first bytes say.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace corpus {

struct File {
    std::filesystem::path path;  ///< from the folder
    std::string magic;           ///< "XAC ", "XSM " or "XPM "
    std::vector<std::byte> bytes;
};

[[nodiscard]] std::filesystem::path folder();

/// Every file of that kind, in the order of their paths; read once.
[[nodiscard]] const std::vector<File>& files();
[[nodiscard]] std::vector<const File*> files_of(const std::string& magic);

/// Empty, or why the corpus cannot be used.
[[nodiscard]] std::string missing();

}  // namespace corpus

/// Ends a test that needs the corpus where there is none.
#define EFFIGY_NEEDS_CORPUS() \
    if (const std::string why_not = corpus::missing(); !why_not.empty()) GTEST_SKIP() << why_not
