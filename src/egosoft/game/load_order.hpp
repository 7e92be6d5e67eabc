#pragma once
/// In which order a game lays its extensions over its own files.

#include <cstddef>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"

namespace effigy::egosoft {

/// What content.xml says of an extension, in lower case.
struct ExtensionContent {
    std::string id;                         ///< empty if there is none, or none that a path can have
    std::vector<std::string> dependencies;  ///< ids of other extensions, optional ones too
};

/// Nothing is known of an extension whose content.xml is damaged.
[[nodiscard]] ExtensionContent read_extension_content(const Bytes& text, const Limits& limits);

struct LoadedExtension {
    std::vector<std::string> names;  ///< in lower case: of the folder, and the id
    std::vector<std::string> dependencies;
};

/// The numbers of `extensions`, lowest layer first: in their own order, but each behind what it depends on. Where
/// dependencies lead round in a circle, it begins with the first.
[[nodiscard]] std::vector<std::size_t> load_order(const std::vector<LoadedExtension>& extensions);

}  // namespace effigy::egosoft
