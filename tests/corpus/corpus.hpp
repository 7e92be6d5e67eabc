#pragma once
/// The folder of real files that corpus tests run over, and the files in it. What a file is, its first bytes say.
///
/// Every test that wants real files asks here, and skips where there are none. Its name has "Corpus" in it, so that all
/// of them can be run once where there are none: one whose name has not fails.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"

namespace corpus {

/// What EFFIGY_CORPUS names, nothing if it is empty; if it is not set, ../shared/samples beside the project.
[[nodiscard]] std::filesystem::path folder();

/// Every regular file below the folder, in the order of their paths; none if there is no folder. Found once.
[[nodiscard]] const std::vector<std::filesystem::path>& paths();

[[nodiscard]] effigy::Bytes bytes_of(const std::filesystem::path& path);
/// The file's first 4096 bytes, or all.
[[nodiscard]] effigy::Bytes head_of(const std::filesystem::path& path);

/// Whether readers in other languages, which take a hundred times as long, are to read a file of this size too: all if
/// EFFIGY_CORPUS_WHOLE is set, as `./dev test all` does.
[[nodiscard]] bool is_for_slow_readers(std::uintmax_t bytes);

/// From the folder.
[[nodiscard]] std::string name_of(const std::filesystem::path& path);

/// Why a test skips that found none of these.
[[nodiscard]] std::string has_no(const std::string& files);

/// A file of EMotion FX.
struct File {
    std::filesystem::path path;  ///< from the folder
    std::string magic;           ///< "XAC ", "XSM " or "XPM "
    effigy::Bytes bytes;
};

/// Every file of that kind, in the order of their paths; read once.
[[nodiscard]] const std::vector<File>& files();
[[nodiscard]] std::vector<const File*> files_of(const std::string& magic);

}  // namespace corpus

/// Ends a test that needs files of EMotion FX where there are none.
#define EFFIGY_NEEDS_CORPUS() \
    if (corpus::files().empty()) GTEST_SKIP() << corpus::has_no("XAC, XSM or XPM file")
