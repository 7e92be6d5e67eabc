#pragma once
/// The files of a folder, as far as rules look at them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

namespace effigy::egosoft::checks {

struct FolderFile {
    std::string path;    ///< below the folder, with slashes, as it is spelled
    std::string normal;  ///< below the mod's root, in lower case
    std::uint64_t size = 0;
};

/// In order of their paths. Neither links nor the folders of other mods inside this one are entered.
[[nodiscard]] std::vector<FolderFile> files_in(const std::filesystem::path& folder);

/// The first bytes of a file; empty if it cannot be read.
[[nodiscard]] Bytes head_of(const std::filesystem::path& path, std::size_t most);
/// All of it; fails as GameFiles::read() does.
[[nodiscard]] Result<Bytes> content_of(const std::filesystem::path& path, const Limits& limits);

}  // namespace effigy::egosoft::checks
