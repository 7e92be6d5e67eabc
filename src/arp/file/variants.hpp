#pragma once
/// Which version and layout a file may have, and what tells that it has them.

#include <span>
#include <string>
#include <vector>

#include "effigy/arp.hpp"

#include "arp/file/layout_elements.hpp"

namespace effigy::arp {

/// Layouts that share how everything up to the meshes' end is stored: where one of them fails in there, all do.
using LayoutGroup = std::vector<Layout>;

/// What a file may be that is not laid out as its version says: docs/formats/arp.md, "Variants".
[[nodiscard]] std::vector<LayoutGroup> other_layouts(std::string_view version);

/// The rule that a file read with a wrong layout breaks: the path of its first break; empty if it breaks none.
[[nodiscard]] std::string broken_rule(const File& file);

/// The layout without what makes no difference to this file.
[[nodiscard]] Layout what_matters(const File& file);

/// A length and at most so many characters of a version.
inline constexpr std::size_t max_version = 16, max_head = 4 + max_version;

/// The version that a file begins with, or why it is none that can be read.
[[nodiscard]] Result<std::string> read_version(std::span<const std::byte> head);

}  // namespace effigy::arp
