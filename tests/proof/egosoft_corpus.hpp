#pragma once
/// The real files of Egosoft's family in the corpus. What a file is, its content says.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace corpus {

enum class EgosoftKind { xmf, ani, component };

struct EgosoftFile {
    std::filesystem::path path;  ///< whole
    std::string name;            ///< from the corpus' folder
    EgosoftKind kind = EgosoftKind::xmf;
    std::vector<std::byte> bytes;
};

/// In the order of their paths; read once.
[[nodiscard]] const std::vector<EgosoftFile>& egosoft_files();
[[nodiscard]] std::vector<const EgosoftFile*> egosoft_files(EgosoftKind kind);

/// Empty, or why there are none.
[[nodiscard]] std::string egosoft_missing();

}  // namespace corpus

/// Ends a test that needs them where there are none.
#define EFFIGY_NEEDS_EGOSOFT_CORPUS() \
    if (const std::string why_not = corpus::egosoft_missing(); !why_not.empty()) GTEST_SKIP() << why_not
