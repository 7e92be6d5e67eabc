#pragma once
/// XML lists that people write and games unite (indexes, libraries): an entry is added or replaced, and all else keeps
/// its bytes.

#include <cstddef>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/xml.hpp"
#include "egosoft/file/xml_places.hpp"

namespace effigy::egosoft::mod {

/// The text is read once: changes wait, each at its place, and their elements are in the tree at once.
class XmlText {
public:
    /// Fails as XmlDocument::parse(), and with "xml-encoding" for what is not UTF-8.
    [[nodiscard]] static Result<XmlText> open(std::string text, const Limits& limits);

    [[nodiscard]] pugi::xml_node root() const noexcept { return document_.root(); }
    /// With all changes.
    [[nodiscard]] std::string text() const;

    // Elements that were asked for before do not hold afterwards. `element` has no line break around it and is indented
    // by two spaces a level.
    [[nodiscard]] Result<void> replace(pugi::xml_node old, std::string_view element);
    /// The last one in `parent`.
    [[nodiscard]] Result<void> append(pugi::xml_node parent, std::string_view element);

private:
    /// What stands instead of the bytes from its place to `end`.
    struct Change {
        std::size_t end = 0;
        std::string text;
        std::string indent{};  ///< of elements that are appended
        std::string tail{};    ///< behind all of them
    };

    XmlText(std::string text, XmlDocument document, const Limits& limits);

    [[nodiscard]] std::size_t place(pugi::xml_node node) const noexcept;
    [[nodiscard]] bool is_new(pugi::xml_node node) const noexcept { return document_.place(node) == no_offset; }
    [[nodiscard]] Change start_of_appended(pugi::xml_node parent, std::size_t& start) const;
    /// Reads the text with all changes anew, for what is to be changed in them; the node's successor.
    [[nodiscard]] Result<pugi::xml_node> settled(pugi::xml_node node);

    std::string text_;
    XmlDocument document_;
    Limits limits_;
    std::string_view line_break_;
    std::map<std::size_t, Change> changes_{};                             ///< by their places
    std::unordered_map<pugi::xml_node_struct*, std::size_t> appended_{};  ///< places of changes, by parents
};

/// A list of that name, or a file of changes to it. Fails as XmlText::open(), and with "mod-list-root" for others.
[[nodiscard]] Result<XmlText> open_list(std::string text, std::string_view list, const std::string& path,
                                        const Limits& limits);
/// The last one in the list of that name, which is the file's root or what a mod adds to it whatever else is installed.
[[nodiscard]] Result<void> append_to_list(XmlText& file, std::string_view list, std::string_view element);

}  // namespace effigy::egosoft::mod
