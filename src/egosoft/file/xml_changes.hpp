#pragma once
/// The changes (<diff>) that extensions make to XML files of the game.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"

#include "core/xml.hpp"
#include "egosoft/file/xml_child_index.hpp"
#include "egosoft/file/xml_selector.hpp"

namespace effigy::egosoft {

/// pugixml's printer takes a stream; what comes out is gathered.
struct TextWriter : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

/// Comparisons that the changes to one file may take: a selector without names looks at every element.
constexpr std::uint64_t max_change_work = std::uint64_t{1} << 27;

enum class ChangeKind : std::uint8_t { add, replace, remove };
enum class ChangePosition : std::uint8_t { append, prepend, before, after };

/// One element of a <diff>.
struct XmlChange {
    ChangeKind kind = ChangeKind::add;
    ChangePosition position = ChangePosition::append;
    Selector selector;                         ///< its attribute is also the one that `type="@x"` adds
    std::optional<SelectorCondition> applies;  ///< `if`
    bool is_silent = false;                    ///< selecting nothing is meant
};

/// Nothing for a change that is not understood.
[[nodiscard]] std::optional<XmlChange> parse_change(pugi::xml_node node);

/// The finding that a change selects more than the one thing that it has to.
void note_several(XmlReader& reader, pugi::xml_node change, std::size_t count);

/// Changes for a file that was not given: one finding for all of a file.
struct ChangesWithoutBase {
    pugi::xml_node first{};
    std::size_t count = 0;

    void add(pugi::xml_node change) {
        if (count++ == 0) first = change;
    }
    /// `base`: what was not given.
    void note(XmlReader& reader, std::string_view base) const;
};

/// A file of the game that changes are applied to.
class ChangedXml {
public:
    /// Fails as XmlReader::open() does.
    [[nodiscard]] static Result<ChangedXml> open(const Bytes& text, const Limits& limits);

    /// Applies a <diff>: what cannot be applied is a finding in it, and skipped. Another file of its path that is none
    /// is united with it, as the game does with libraries, indexes and texts: elements that have a name or an id take
    /// the place of the one that has it, and go into its lists. Fails if it cannot be read, or if limits are reached;
    /// nothing is to be read from it then.
    [[nodiscard]] Result<Report> apply(const Bytes& text);
    /// How many changes had an effect.
    [[nodiscard]] std::size_t changes() const noexcept { return changes_; }
    [[nodiscard]] Bytes text() const;

private:
    [[nodiscard]] Limits limits_left() const noexcept;
    void unite(pugi::xml_node other);
    void change(XmlReader& reader, pugi::xml_node node);
    void change_elements(const XmlChange& change, pugi::xml_node node, pugi::xml_node target);
    /// The elements that a selector is for; with its attribute, if it has one and `with_attribute`.
    [[nodiscard]] std::vector<pugi::xml_node> select(const Selector& selector, bool with_attribute);
    void select_children(pugi::xml_node parent, const SelectorStep& step, std::vector<pugi::xml_node>& found);
    void select_below(pugi::xml_node top, const SelectorStep& step, std::vector<pugi::xml_node>& found);

    std::unique_ptr<pugi::xml_document> document_ = std::make_unique<pugi::xml_document>();
    ChildIndex index_;
    Limits limits_;
    std::uint64_t used_ = 0;  ///< bytes, by all that was read
    std::uint64_t work_ = 0;  ///< elements looked at
    bool is_too_deep_ = false;
    std::size_t changes_ = 0;
};

}  // namespace effigy::egosoft
