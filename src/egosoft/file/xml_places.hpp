#pragma once
/// Where elements stand in well-formed XML, so that what nobody changes keeps its bytes.

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace effigy::egosoft {

/// Behind the ">" of the tag that starts at `at`: one in quotes is no end.
[[nodiscard]] std::size_t end_of_tag(std::string_view text, std::size_t at) noexcept;
/// Where the element that starts at `start` ends: behind its end tag.
[[nodiscard]] std::size_t end_of_element(std::string_view text, std::size_t start) noexcept;

[[nodiscard]] std::string_view line_break_of(std::string_view text) noexcept;
/// What stands before a place on its line, if it is nothing but blanks.
[[nodiscard]] std::string_view indent_at(std::string_view text, std::size_t at) noexcept;
/// Lines behind the first one.
[[nodiscard]] std::string indented(std::string_view lines, std::string_view line_break, std::string_view indent);

[[nodiscard]] std::vector<pugi::xml_node> elements_of(pugi::xml_node parent);
/// Whether two elements have the same names, attributes and elements, however they are laid out.
[[nodiscard]] bool says_same(pugi::xml_node a, pugi::xml_node b);

/// What stands in quotes.
[[nodiscard]] std::string escaped(std::string_view value);

}  // namespace effigy::egosoft
