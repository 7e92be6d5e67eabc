#pragma once
/// What `effigy view` has put into a page, and what a page does with it.

#include <string>
#include <vector>

#include "cli/workspace.hpp"

namespace effigy::test {

struct ShownFile {
    std::string name, bytes;
    bool is_input = false;
};

struct ShownPage {
    std::vector<ShownFile> files;
    Json options;

    [[nodiscard]] std::vector<std::string> inputs() const;
    [[nodiscard]] std::vector<std::string> sides() const;
    [[nodiscard]] const ShownFile* find(const std::string& name) const;
    /// The inputs converted with nothing but these files.
    [[nodiscard]] std::string glb() const;
};

/// Fails the test if the text is no page with files in it.
[[nodiscard]] ShownPage shown_page(const std::string& html);

}  // namespace effigy::test
