#pragma once
/// A comment at the end of XML that was written by effigy, which tells later whether anybody has changed it since.

#include <string>
#include <string_view>

namespace effigy::egosoft {

/// With a mark in the place of an older one.
[[nodiscard]] std::string with_mark(std::string text);
/// Whether it ends with a mark that fits all before it. Line ends do not count: programs for versions change them.
[[nodiscard]] bool has_valid_mark(std::string_view text);

}  // namespace effigy::egosoft
