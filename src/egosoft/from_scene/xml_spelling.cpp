/// A changed tree as the text that it was read from, which keeps its bytes wherever both say the same.

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/text.hpp"
#include "egosoft/file/xml_changes.hpp"
#include "egosoft/file/xml_places.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

using Elements = std::vector<pugi::xml_node>;

constexpr std::size_t none = ~std::size_t{0};

std::string identity(pugi::xml_node element) {
    return std::string(element.name()) + '\n' + element.attribute("name").value();
}

/// For each element the one of `was` that it is by its name, or none. They increase: what was there is never moved
/// among its siblings.
std::vector<std::size_t> named_pairs(const Elements& now, const Elements& was) {
    std::unordered_map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < was.size(); ++i) places[identity(was[i])].push_back(i);
    std::vector<std::size_t> pairs;
    std::size_t next = 0;
    for (const pugi::xml_node element : now) {
        const auto found = places.find(identity(element));
        pairs.push_back(none);
        if (found == places.end()) continue;
        const auto place = std::lower_bound(found->second.begin(), found->second.end(), next);
        if (place == found->second.end()) continue;
        pairs.back() = *place;
        next = *place + 1;
    }
    return pairs;
}

/// The same, and what got another name is what stood in its place.
std::vector<std::size_t> paired(const Elements& now, const Elements& was) {
    std::vector<std::size_t> pairs = named_pairs(now, was);
    std::size_t end = was.size();
    std::vector<std::size_t> ends(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
        ends[i] = end;
        if (pairs[i] != none) end = pairs[i];
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const bool is_there = next < ends[i] && std::string_view(now[i].name()) == was[next].name();
        if (pairs[i] == none && is_there) pairs[i] = next;
        if (pairs[i] != none) next = pairs[i] + 1;
    }
    return pairs;
}

class Speller {
public:
    /// `unit`: what a level is indented by where nothing shows it.
    Speller(std::string_view text, std::string_view unit)
        : text_(text), unit_(unit), line_break_(line_break_of(text)) {}

    /// `now` as `was`, which the text has, is spelled.
    [[nodiscard]] std::string document(pugi::xml_node now, pugi::xml_node was) {
        const std::size_t start = place(was);
        result_ = text_.substr(0, start);
        element(now, was);
        result_ += text_.substr(end_of_element(text_, start));
        return std::move(result_);
    }

private:
    /// pugixml counts to the name, behind the bracket.
    static std::size_t place(pugi::xml_node node) { return static_cast<std::size_t>(node.offset_debug()) - 1; }

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
        for (const pugi::xml_attribute old : was.attributes()) {
            const std::size_t quote = text_.find_first_of("\"'", at), end = text_.find(text_[quote], quote + 1) + 1;
            const pugi::xml_attribute kept = now.attribute(old.name());
            const bool is_same = kept && std::string_view(kept.value()) == old.value();
            if (kept) copy(at, is_same ? end : quote);
            if (kept && !is_same) result_.append("\"").append(escaped(kept.value())) += '"';
            at = end;
        }
        for (const pugi::xml_attribute added : now.attributes()) {
            if (was.attribute(added.name())) continue;
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
    std::string unit_;
    std::string_view line_break_;
    std::string result_;
};

bool is_utf8(const pugi::xml_parse_result& read, const pugi::xml_document& document) {
    const pugi::xml_node first = document.first_child();
    const std::string said = first.type() == pugi::node_declaration ? first.attribute("encoding").value() : "";
    return read && read.encoding == pugi::encoding_utf8 && (said.empty() || lower(said) == "utf-8");
}

}  // namespace

std::optional<std::string> spelled_as_before(const pugi::xml_document& now, const std::string& text,
                                             std::string_view unit) {
    pugi::xml_document was, again;
    if (!is_utf8(was.load_buffer(text.data(), text.size(), pugi::parse_full), was)) return std::nullopt;
    std::string result = Speller(text, unit).document(now.document_element(), was.document_element());
    const bool is_read = !!again.load_buffer(result.data(), result.size(), pugi::parse_full);
    if (!is_read || !says_same(again.document_element(), now.document_element())) return std::nullopt;
    return result;
}

}  // namespace effigy::egosoft::bridge
