#pragma once
/// Records as JSON, member by member.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/json.hpp"
#include "diff/findings.hpp"

namespace effigy::diff {

/// Which members say nothing.
struct TreeRules {
    bool (*is_ignored)(std::string_view member) = nullptr;
    double number = 0;  ///< tolerance: part of the number
};

/// One finding for each value that differs, up to a number that a person reads; the rest is counted. Members go by
/// their names; elements of lists by their member `name`, or else `id`, if all have one, or else by their order.
void compare_trees(Findings& findings, const Code& code, const std::string& path, const Json& a, const Json& b,
                   const TreeRules& rules);

}  // namespace effigy::diff
