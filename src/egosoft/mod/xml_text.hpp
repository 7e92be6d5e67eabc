#pragma once
/// XML lists that people write and games unite (indexes, libraries): an entry is added or replaced, and all else keeps
/// its bytes.

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/xml.hpp"

namespace effigy::egosoft::mod {

class XmlText {
public:
    /// Fails as XmlDocument::parse(), and with "xml-encoding" for what is not UTF-8.
    [[nodiscard]] static Result<XmlText> open(std::string text, const Limits& limits);

    [[nodiscard]] pugi::xml_node root() const noexcept { return document_.root(); }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    // Elements that were asked for before do not hold afterwards. `element` has no line break around it and is indented
    // by two spaces a level.
    [[nodiscard]] Result<void> replace(pugi::xml_node old, std::string_view element);
    /// The last one in `parent`.
    [[nodiscard]] Result<void> append(pugi::xml_node parent, std::string_view element);

private:
    XmlText(std::string text, XmlDocument document, const Limits& limits)
        : text_(std::move(text)), document_(std::move(document)), limits_(limits) {}

    [[nodiscard]] Result<void> change(std::size_t start, std::size_t end, std::string_view replacement);
    [[nodiscard]] std::size_t place(pugi::xml_node node) const noexcept;
    [[nodiscard]] std::string indented(std::string_view element, std::string_view indent) const;

    std::string text_;
    XmlDocument document_;
    Limits limits_;
};

/// Where the element that starts at `start` ends: behind its end tag. The text is well-formed.
[[nodiscard]] std::size_t end_of_element(std::string_view text, std::size_t start) noexcept;

/// What stands in quotes.
[[nodiscard]] std::string escaped(std::string_view value);

}  // namespace effigy::egosoft::mod
