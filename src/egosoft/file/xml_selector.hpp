#pragma once
/// The part of XPath that changes to the game's files (<diff>) use: steps of names with attributes that must have a
/// value, and an attribute at the end. Anything else is not understood, and said to be.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace effigy::egosoft {

struct SelectorStep {
    struct Condition {
        std::string attribute, value;
    };
    bool any_depth = false;  ///< "//": anywhere below
    std::string name;
    std::vector<Condition> conditions;  ///< all of them hold

    /// The value that an attribute must have, or null.
    [[nodiscard]] const std::string* wanted(std::string_view attribute) const noexcept;
};

/// "//material[@name='x'][@shader='y']/@shader"
struct Selector {
    std::vector<SelectorStep> steps;  ///< at least one
    std::string attribute;            ///< of the last step, or empty
};

/// "//material[@name='x']", or "not(//material[@name='x'])"
struct SelectorCondition {
    Selector selector;
    bool is_negated = false;  ///< it holds where nothing is selected
};

[[nodiscard]] std::optional<Selector> parse_selector(std::string_view text);
[[nodiscard]] std::optional<SelectorCondition> parse_selector_condition(std::string_view text);

}  // namespace effigy::egosoft
