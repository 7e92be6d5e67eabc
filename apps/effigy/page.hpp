#pragma once
/// The page that shows models in a browser, with files put into it: one HTML file that needs nothing else.

#include <filesystem>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/option_values.hpp"
#include "effigy/result.hpp"

namespace effigy::app {

/// A file as the page gets it.
struct PageFile {
    std::string name;  ///< a path with slashes, below what was shown
    Bytes bytes;
    bool is_input = false;  ///< else one that inputs ask for by name
};

/// Where the program finds the page: what EFFIGY_PAGE names, beside an installed program, beside a build. Fails with
/// "view-page", and says what to do.
[[nodiscard]] Result<std::filesystem::path> find_page();

/// The page with the files in the place of its own examples, and the switches that are about them. Fails with
/// "view-page" if it has no place for files.
[[nodiscard]] Result<std::string> page_with(std::string page, const std::vector<PageFile>& files,
                                            const OptionValues& options);

}  // namespace effigy::app
