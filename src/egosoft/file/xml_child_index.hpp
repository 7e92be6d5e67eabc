#pragma once
/// Elements by their parent, name and the value of an attribute: changes to a list of thousands need not look at all of
/// it for each of them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "egosoft/file/xml_selector.hpp"

namespace effigy::egosoft {

/// Must be told of each change. `work` grows by the elements that were looked at. Takes memory for long lists only, and
/// for so few attributes of each that it is no more than the elements themselves take.
class ChildIndex {
public:
    /// Children among which all are that have the step's name and meet its first condition, in any order.
    [[nodiscard]] std::vector<pugi::xml_node> find(pugi::xml_node parent, const SelectorStep& step,
                                                   std::uint64_t& work);
    /// An element that is new, or has got other attributes.
    void add(pugi::xml_node element);
    /// An element that is going, or is getting other attributes.
    void remove(pugi::xml_node element, std::uint64_t& work);
    /// What is known of the children of an element and of all below it, which are going.
    void forget_below(pugi::xml_node element);
    void clear() noexcept { parents_.clear(); }

private:
    using Elements = std::unordered_multimap<std::size_t, pugi::xml_node>;  ///< by a hash of name and value
    using Attributes = std::map<std::string, Elements>;                     ///< those that were asked for

    /// Null where looking at all children is better.
    [[nodiscard]] const Elements* index_of(pugi::xml_node parent, const std::string& attribute, std::uint64_t& work);

    std::unordered_map<const void*, Attributes> parents_;
};

}  // namespace effigy::egosoft
