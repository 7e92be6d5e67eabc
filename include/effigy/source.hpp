#pragma once
/// Where a file came from.

#include <cstdint>
#include <string>

namespace effigy {

/// For names and for `extras.effigy.source`.
struct Source {
    std::string stem;        ///< file name without folder and extension: names clips and nodes
    std::uint64_t size = 0;  ///< bytes
    std::string hash{};      ///< "xxh3:<16 hex digits>" of the bytes, or empty
    std::string file{};      ///< what findings call it; empty: by its stem, which a model and its motion may share

    [[nodiscard]] const std::string& named() const noexcept { return file.empty() ? stem : file; }
};

}  // namespace effigy
