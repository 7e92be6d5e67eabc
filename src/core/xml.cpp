/// XML by pugixml within limits of memory and depth, without entities; attributes as numbers with findings.

#include "core/xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "effigy/core_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy {

namespace {

constexpr unsigned parse_flags = pugi::parse_default | pugi::parse_doctype;

Diagnostic memory_failure() {
    return problem_at({}, codes::limit_memory,
                      "reading this file needs more memory than the limit allows; raise it with --limit-memory");
}

/// What pugixml allocates at most: a copy of the text, an attribute for each "=", an element for each "<" but those of
/// end tags, and a text before each.
std::uint64_t parsed_size(std::span<const std::byte> bytes) {
    constexpr std::uint64_t node_size = 64, attribute_size = 40, page = 64 * 1024;
    std::uint64_t brackets = 0, end_tags = 0, equals = 0;
    std::byte before{};
    for (const std::byte byte : bytes) {
        brackets += byte == std::byte{'<'} ? 1 : 0;
        end_tags += before == std::byte{'<'} && byte == std::byte{'/'} ? 1 : 0;
        equals += byte == std::byte{'='} ? 1 : 0;
        before = byte;
    }
    return 2 * std::uint64_t{bytes.size()} + node_size * (2 * brackets - end_tags) + attribute_size * equals + page;
}

Diagnostic syntax_failure(std::uint64_t offset, std::string message) {
    Diagnostic diagnostic = problem_at({}, codes::xml_syntax, std::move(message));
    diagnostic.offset = offset;
    return diagnostic;
}

bool is_deeper_than_allowed(pugi::xml_node root) {
    std::size_t level = 1;
    for (pugi::xml_node node = root; node;) {
        if (level > max_xml_levels) return true;
        if (const pugi::xml_node child = node.first_child()) {
            node = child;
            ++level;
            continue;
        }
        while (node != root && !node.next_sibling()) {
            node = node.parent();
            --level;
        }
        if (node == root) return false;
        node = node.next_sibling();
    }
    return false;
}

bool declares_entities(const pugi::xml_document& document) {
    for (const pugi::xml_node node : document.children()) {
        if (node.type() == pugi::node_doctype && std::strstr(node.value(), "<!ENTITY") != nullptr) return true;
    }
    return false;
}

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view spaces = " \t\r\n";
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return {};
    text = text.substr(first, text.find_last_not_of(spaces) - first + 1);
    const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
    return has_plus ? text.substr(1) : text;
}

/// "part[part_main]", for paths.
std::string step_of(pugi::xml_node node) {
    constexpr std::size_t max_shown = 64;
    const std::string_view name = node.attribute("name").value();
    std::string step = shortened(node.name(), max_shown);
    return name.empty() ? step : step + "[" + shortened(name, max_shown) + "]";
}

std::string path_of(pugi::xml_node node) {
    constexpr std::size_t max_steps = 12;
    std::string path;
    for (std::size_t steps = 0; steps < max_steps && node.type() == pugi::node_element; ++steps) {
        path.insert(0, path.empty() ? step_of(node) : step_of(node) + " / ");
        node = node.parent();
    }
    return path;
}

bool has_repeated_attribute(pugi::xml_node node, std::vector<std::string_view>& names) {
    names.clear();
    for (const pugi::xml_attribute attribute : node.attributes()) names.emplace_back(attribute.name());
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
}

}  // namespace

Result<XmlDocument> XmlDocument::parse(std::span<const std::byte> bytes, Budget& budget) {
    if (!budget.take(parsed_size(bytes))) return fail(memory_failure());
    XmlDocument parsed;
    const pugi::xml_parse_result result = parsed.document_->load_buffer(bytes.data(), bytes.size(), parse_flags);
    parsed.has_places_ = result.encoding == pugi::encoding_utf8;
    if (result.status == pugi::status_out_of_memory) return fail(memory_failure());
    if (!result) {
        const bool known = parsed.has_places_ && result.offset >= 0;
        return fail(syntax_failure(known ? static_cast<std::uint64_t>(result.offset) : no_offset,
                                   std::string("this is no well-formed XML: ") + result.description()));
    }
    if (parsed.has_places_) {
        // pugixml ends at a NUL and says nothing.
        const auto nul = std::find(bytes.begin(), bytes.end(), std::byte{0});
        if (nul != bytes.end()) {
            return fail(syntax_failure(static_cast<std::uint64_t>(nul - bytes.begin()),
                                       "this is no well-formed XML: there is a zero byte in it"));
        }
    }
    if (declares_entities(*parsed.document_)) {
        return fail(problem_at({}, codes::xml_entity,
                               "the file declares XML entities, which no file does and which can be made "
                               "to expand without end; it is refused"));
    }
    if (is_deeper_than_allowed(parsed.root())) {
        return fail(problem_at({}, codes::limit_depth, "elements are nested deeper than any file nests them", {},
                               "at most " + std::to_string(max_xml_levels) + " levels"));
    }
    return parsed;
}

std::uint64_t XmlDocument::place(pugi::xml_node node) const noexcept {
    const std::ptrdiff_t offset = has_places_ ? node.offset_debug() : -1;
    // pugixml counts to the name, behind the bracket.
    return offset < 1 ? no_offset : static_cast<std::uint64_t>(offset) - 1;
}

Result<XmlReader> XmlReader::open(std::span<const std::byte> bytes, const ReadOptions& options) {
    Budget budget(options.limits, bytes.size());
    // The caller's copy of the bytes counts, too.
    if (!budget.take(bytes.size())) return fail(memory_failure());
    auto document = XmlDocument::parse(bytes, budget);
    if (!document) return fail(std::move(document.error()));
    XmlReader reader(std::move(*document), budget, options.limits.count);
    reader.note_repeated_attributes();
    return reader;
}

XmlReader::XmlReader(XmlDocument document, Budget budget, std::uint64_t max_records)
    : document_(std::move(document)), budget_(budget), max_records_(max_records) {}

void XmlReader::note_repeated_attributes() {
    std::vector<std::string_view> names;
    for (pugi::xml_node node = root(); node; node = next_in_document(node)) {
        if (!has_repeated_attribute(node, names)) continue;
        add(codes::xml_duplicate, node, "an attribute stands twice in one element; the first one is used");
    }
}

std::string XmlReader::text(pugi::xml_node node, const char* attribute) {
    const std::string_view value = node.attribute(attribute).value();
    return take(value.size()) ? std::string(value) : std::string();
}

void XmlReader::bad_number(pugi::xml_node node, const char* attribute, const char* text) {
    add(codes::xml_number, node,
        std::string("the attribute ") + attribute + " is no finite number; it is read as if it were not there",
        shortened(text), "a number");
}

float XmlReader::number(pugi::xml_node node, const char* attribute, float fallback) {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (!found) return fallback;
    const std::optional<float> value = parse_number(found.value());
    if (!value) bad_number(node, attribute, found.value());
    return value.value_or(fallback);
}

std::int32_t XmlReader::integer(pugi::xml_node node, const char* attribute, std::int32_t fallback) {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (!found) return fallback;
    const std::optional<std::int32_t> value = parse_integer(found.value());
    if (!value) bad_number(node, attribute, found.value());
    return value.value_or(fallback);
}

pugi::xml_node XmlReader::only_child(pugi::xml_node node, const char* child) {
    const pugi::xml_node first = node.child(child);
    if (first && first.next_sibling(child)) {
        add(codes::xml_duplicate, first.next_sibling(child),
            std::string("there is more than one <") + child + ">; the first one is used");
    }
    return first;
}

void XmlReader::add(const Code& code, pugi::xml_node node, std::string message, std::string found,
                    std::string expected) {
    Diagnostic diagnostic = problem_at(path_of(node), code, std::move(message), std::move(found), std::move(expected));
    diagnostic.offset = place(node);
    report_.add(std::move(diagnostic));
}

bool XmlReader::take(std::uint64_t bytes) noexcept {
    out_of_memory_ = out_of_memory_ || !budget_.take(bytes);
    return !out_of_memory_;
}

Diagnostic XmlReader::failure() const {
    if (out_of_memory_) return memory_failure();
    return problem_at({}, codes::limit_count, "the file has more elements than the limits allow", {},
                      "at most " + std::to_string(max_records_));
}

std::optional<float> parse_number(std::string_view text) noexcept {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // Too small is as good as zero; too large is nothing.
        const bool tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
        return tiny ? std::optional<float>(0.0F) : std::nullopt;
    }
    if (error != std::errc()) return std::nullopt;
    // As a float rounds it: the shortest text of the largest one is a little above it.
    constexpr double beyond = 3.4028235677973366e38;
    return std::abs(value) < beyond ? std::optional(static_cast<float>(value)) : std::nullopt;
}

std::optional<std::int32_t> parse_integer(std::string_view text) noexcept {
    return number_from<std::int32_t>(trimmed(text));
}

Diagnostic unexpected_root(const XmlReader& reader, std::string_view expected) {
    Diagnostic diagnostic = problem_at({}, codes::not_this_format, "the root element is not the one of such a file",
                                       "<" + shortened(reader.root().name()) + ">", std::string(expected));
    diagnostic.offset = reader.place(reader.root());
    return diagnostic;
}

pugi::xml_node next_in_document(pugi::xml_node node) noexcept {
    if (const pugi::xml_node child = node.first_child()) return child;
    while (node && !node.next_sibling()) node = node.parent();
    return node.next_sibling();
}

}  // namespace effigy
