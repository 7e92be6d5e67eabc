#pragma once
/// The real files of Egosoft's family in the corpus. What a file is, its content says.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"

#include "corpus/corpus.hpp"

namespace corpus {

enum class EgosoftKind { xmf, ani, component };

struct EgosoftFile {
    std::filesystem::path path;  ///< whole
    std::string name;            ///< from the corpus' folder
    EgosoftKind kind = EgosoftKind::xmf;
    effigy::Bytes bytes;
};

/// In the order of their paths; read once.
[[nodiscard]] const std::vector<EgosoftFile>& egosoft_files();
[[nodiscard]] std::vector<const EgosoftFile*> egosoft_files(EgosoftKind kind);

}  // namespace corpus

/// Ends a test that needs them where there are none.
#define EFFIGY_NEEDS_EGOSOFT_CORPUS() \
    if (corpus::egosoft_files().empty()) GTEST_SKIP() << corpus::has_no("XMF, ANI or component")
