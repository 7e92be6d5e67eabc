#pragma once
/// The real avatars of the corpus.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/arp.hpp"

#include "corpus/corpus.hpp"

namespace avatars {

struct Avatar {
    std::string name;  ///< path from the corpus' folder
    effigy::Bytes bytes;
    effigy::arp::File file;
    effigy::Report report;  ///< of reading

    [[nodiscard]] std::filesystem::path folder() const { return (corpus::folder() / name).parent_path(); }
};

/// Avatars as files, whatever their names; those of containers where no file is the same. Read once; what cannot be
/// read fails the test that asks first.
[[nodiscard]] const std::vector<Avatar>& all();

}  // namespace avatars

/// Ends a test that needs them where there are none.
#define EFFIGY_NEEDS_AVATARS() \
    if (avatars::all().empty()) GTEST_SKIP() << corpus::has_no("avatar")
