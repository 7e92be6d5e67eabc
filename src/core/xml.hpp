#pragma once
/// XML that anybody may have written, read by pugixml within bounds, and what the readers of such files share.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>

#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/budget.hpp"
#include "core/text.hpp"

namespace effigy {

/// Elements inside one another; known files have about a dozen.
inline constexpr std::size_t max_xml_levels = 256;

class XmlDocument {
public:
    /// Fails with "xml-syntax", "xml-entity", "limit-depth" or "limit-memory".
    [[nodiscard]] static Result<XmlDocument> parse(std::span<const std::byte> bytes, Budget& budget);

    [[nodiscard]] pugi::xml_node root() const noexcept { return document_->document_element(); }
    /// The byte at which an element starts, or no_offset: in text that is not UTF-8 places are not known.
    [[nodiscard]] std::uint64_t place(pugi::xml_node node) const noexcept;

private:
    std::unique_ptr<pugi::xml_document> document_ = std::make_unique<pugi::xml_document>();
    bool has_places_ = false;
};

/// One file that is being read: its elements, what may still be allocated for it, and what was noticed.
class XmlReader {
public:
    [[nodiscard]] static Result<XmlReader> open(std::span<const std::byte> bytes, const ReadOptions& options);

    [[nodiscard]] pugi::xml_node root() const noexcept { return document_.root(); }
    [[nodiscard]] std::uint64_t place(pugi::xml_node node) const noexcept { return document_.place(node); }

    [[nodiscard]] std::string_view name(pugi::xml_node node) const noexcept { return node.name(); }
    /// An attribute's text, empty if it is not there.
    [[nodiscard]] std::string text(pugi::xml_node node, const char* attribute);
    /// An attribute's number. What is none, or is not finite, is the finding "xml-number".
    [[nodiscard]] float number(pugi::xml_node node, const char* attribute, float fallback);
    [[nodiscard]] std::int32_t integer(pugi::xml_node node, const char* attribute, std::int32_t fallback);
    /// The only child of that name; more of them are the finding "xml-duplicate".
    [[nodiscard]] pugi::xml_node only_child(pugi::xml_node node, const char* child);

    void add(const Code& code, pugi::xml_node node, std::string message, std::string found = {},
             std::string expected = {});
    /// Claims memory for a record; once false, reading ends with failure().
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
    /// Claims a record of a list, which grows by doubling.
    template <class Record>
    [[nodiscard]] bool take_record() noexcept {
        return ++records_ <= max_records_ ? take(2 * sizeof(Record)) : false;
    }
    [[nodiscard]] bool ok() const noexcept { return !out_of_memory_ && records_ <= max_records_; }
    /// Why it is not ok().
    [[nodiscard]] Diagnostic failure() const;
    [[nodiscard]] Report& report() noexcept { return report_; }

private:
    XmlReader(XmlDocument document, Budget budget, std::uint64_t max_records);
    void note_repeated_attributes();
    void bad_number(pugi::xml_node node, const char* attribute, const char* text);

    XmlDocument document_;
    Budget budget_;
    Report report_;
    std::uint64_t records_ = 0;
    std::uint64_t max_records_;
    bool out_of_memory_ = false;
};

/// A finite number, whatever the locale; spaces around it and a plus are allowed. Nothing for all else.
[[nodiscard]] std::optional<float> parse_number(std::string_view text) noexcept;
[[nodiscard]] std::optional<std::int32_t> parse_integer(std::string_view text) noexcept;

/// "not-this-format" for a file whose root is not the one that is expected.
[[nodiscard]] Diagnostic unexpected_root(const XmlReader& reader, std::string_view expected);

/// The element after `node` in document order, without any recursion: children, then what follows.
[[nodiscard]] pugi::xml_node next_in_document(pugi::xml_node node) noexcept;

}  // namespace effigy
