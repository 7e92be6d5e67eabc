/// A changed tree as the text that it was read from, which keeps its bytes wherever both say the same.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/text.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/file/xml_places.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

using Elements = std::vector<pugi::xml_node>;

constexpr std::size_t none = ~std::size_t{0};

class Speller {
public:
    /// `unit`: what a level is indented by where nothing shows it.
    Speller(std::string_view text, std::string_view unit)
        : text_(text), unit_(unit), line_break_(line_break_of(text)) {}

    /// `now` as `was`, which the text has, is spelled.
    [[nodiscard]] std::string document(pugi::xml_node now, pugi::xml_node was) {
        const std::size_t start = place(was);
        names_ = address(now) - start - 1;
        result_ = text_.substr(0, start);
        element(now, was);
        result_ += text_.substr(end_of_element(text_, start));
        return std::move(result_);
    }

private:
    /// pugixml counts to the name, behind the bracket.
    static std::size_t place(pugi::xml_node node) { return static_cast<std::size_t>(node.offset_debug()) - 1; }

    static std::uintptr_t address(pugi::xml_node node) { return reinterpret_cast<std::uintptr_t>(node.name()); }

    /// For each element the one of `was` that it was read as, or none. They increase: none is moved among its siblings.
    /// Names stay where they were read, and copies, which stand behind, share them.
    [[nodiscard]] std::vector<std::size_t> paired(const Elements& now, const Elements& was) const {
        std::vector<std::size_t> pairs;
        auto next = was.begin();
        for (const pugi::xml_node element : now) {
            const std::size_t read = address(element) - names_ - 1;
            const auto found = std::lower_bound(next, was.end(), read,
                                                [](pugi::xml_node old, std::size_t at) { return place(old) < at; });
            const bool is_there = found != was.end() && place(*found) == read;
            pairs.push_back(is_there ? static_cast<std::size_t>(found - was.begin()) : none);
            if (is_there) next = found + 1;
        }
        return pairs;
    }

    void copy(std::size_t start, std::size_t end) { result_ += text_.substr(start, end - start); }

    void element(pugi::xml_node now, pugi::xml_node was) {  // NOLINT(misc-no-recursion): the depth was checked
        const std::size_t start = place(was), end = end_of_element(text_, start), behind = end_of_tag(text_, start);
        if (says_same(now, was)) return copy(start, end);
        const std::size_t attributes_end = attributes(now, was, start);
        const Elements parts = elements_of(now);
        if (text_[behind - 2] != '/') {
            copy(attributes_end, behind);
            return children(parts, was, behind, end);
        }
        if (parts.empty()) return copy(attributes_end, behind);
        result_ += '>';
        const std::string indent(indent_at(text_, start));
        for (const pugi::xml_node part : parts) add_line(part, indent + std::string(unit_));
        result_.append(line_break_).append(indent).append("</").append(was.name()) += '>';
    }

    /// The tag without its end; returns where the last attribute ended.
    std::size_t attributes(pugi::xml_node now, pugi::xml_node was, std::size_t start) {
        std::size_t at = start + 1 + std::string_view(was.name()).size();
        copy(start, at);
        pugi::xml_attribute next = now.first_attribute();  // where to look first: edits keep their order
        for (const pugi::xml_attribute old : was.attributes()) {
            const std::size_t quote = text_.find_first_of("\"'", at), end = text_.find(text_[quote], quote + 1) + 1;
            const pugi::xml_attribute kept = now.attribute(old.name(), next);
            const bool is_same = kept && std::string_view(kept.value()) == old.value();
            if (kept) copy(at, is_same ? end : quote);
            if (kept && !is_same) result_.append("\"").append(escaped(kept.value())) += '"';
            at = end;
        }
        next = was.first_attribute();
        for (const pugi::xml_attribute added : now.attributes()) {
            if (was.attribute(added.name(), next)) continue;
            result_.append(" ").append(added.name()).append("=\"").append(escaped(added.value())) += '"';
        }
        return at;
    }

    /// What stands between the tags of `was`, and the end tag.
    void children(const Elements& now, pugi::xml_node was,  // NOLINT(misc-no-recursion)
                  std::size_t at, std::size_t end) {
        const Elements old = elements_of(was);
        const std::vector<std::size_t> pairs = paired(now, old);
        const std::string outer(indent_at(text_, place(was)));
        const std::string indent =
            old.empty() ? outer + std::string(unit_) : std::string(indent_at(text_, place(old.front())));
        const bool has_lines = old.empty() || text_.substr(at, place(old.front()) - at).find('\n') != std::string::npos;
        std::size_t next = 0;
        const auto pass_to = [&](std::size_t stop) {  // comments stay
            for (; next < stop; at = end_of_element(text_, place(old[next++])))
                copy(at, text_.find_last_not_of(" \t\r\n", place(old[next]) - 1) + 1);
        };
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (pairs[i] == none) {
                has_lines ? add_line(now[i], indent) : add(now[i], pugi::format_raw, {});
                continue;
            }
            pass_to(pairs[i]);
            copy(at, place(old[next]));
            at = end_of_element(text_, place(old[next]));
            element(now[i], old[next++]);
        }
        pass_to(old.size());
        const std::string_view tail = text_.substr(at, text_.rfind("</", end - 1) - at);
        if (old.empty() && !now.empty() && tail.find('\n') == std::string::npos) result_.append(line_break_) += outer;
        copy(at, end);
    }

    void add_line(pugi::xml_node added, const std::string& indent) {
        result_.append(line_break_) += indent;
        add(added, pugi::format_indent, indent);
    }
    void add(pugi::xml_node added, unsigned format, std::string_view indent) {
        TextWriter writer;
        added.print(writer, unit_.c_str(), format, pugi::encoding_utf8);
        std::string_view lines = writer.text;
        lines = lines.substr(0, lines.find_last_not_of('\n') + 1);
        result_ += indented(lines, line_break_, indent);
    }

    std::string_view text_;
    std::uintptr_t names_ = 0;  ///< where the text stood that the changed tree was read from
    std::string unit_;
    std::string_view line_break_;
    std::string result_;
};

/// Whether it says so of itself, or nothing.
bool is_utf8(const pugi::xml_parse_result& read, const pugi::xml_document& document, const std::string& text) {
    const pugi::xml_node first = document.first_child();
    const std::string said = first.type() == pugi::node_declaration ? first.attribute("encoding").value() : "";
    if (!read || read.encoding != pugi::encoding_utf8) return false;
    const bool is_ascii =
        std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    return said.empty() || lower(said) == "utf-8" || lower(said) == "utf8" || (is_ascii && lower(said) == "us-ascii");
}

}  // namespace

std::optional<std::string> spelled_as_before(const pugi::xml_document& now, const std::string& text,
                                             std::string_view unit) {
    pugi::xml_document was, again;
    if (!is_utf8(was.load_buffer(text.data(), text.size(), pugi::parse_full), was, text)) return std::nullopt;
    std::string result = Speller(text, unit).document(now.document_element(), was.document_element());
    const pugi::xml_parse_result read = again.load_buffer(result.data(), result.size(), pugi::parse_full);
    const bool is_same = is_utf8(read, again, result) && says_same(again.document_element(), now.document_element());
    return is_same ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace effigy::egosoft::bridge
