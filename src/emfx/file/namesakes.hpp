#pragma once
/// Nodes by their names, of which a list may have several that are equal.

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace effigy::emfx {

/// A name, and how many equal ones come before it in its list.
using NumberedName = std::pair<std::string_view, std::size_t>;

/// Numbers the names of a list, one after the other. It does not own them.
class Namesakes {
public:
    NumberedName add(std::string_view name) { return {name, counts_[name]++}; }

private:
    std::unordered_map<std::string_view, std::size_t> counts_;
};

}  // namespace effigy::emfx
