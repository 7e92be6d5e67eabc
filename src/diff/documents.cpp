/// Files that make no scenes.

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/cas.hpp"
#include "effigy/catalog.hpp"
#include "effigy/diff_codes.hpp"

#include "core/budget.hpp"
#include "core/guard.hpp"
#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"
#include "diff/findings.hpp"

namespace effigy {

namespace diff {

namespace {

constexpr std::uint64_t memory_for_byte = 256;  ///< of a text as a tree

/// Numbers that are written otherwise are the same; names that consist of digits stay names.
Json word_value(std::string_view word) {
    if (word.find('.') != std::string_view::npos) {
        if (const auto number = parse_number(word)) return json_number(*number);
    }
    return json_text(word);
}

// XML: attributes and elements as lists of what has names.

std::string element_name(pugi::xml_node node) {
    for (const char* attribute : {"name", "id", "ref", "sel"}) {
        if (const char* const value = node.attribute(attribute).value(); *value != 0)
            return std::string(node.name()) + " " + value;
    }
    return node.name();
}

Json element_tree(pugi::xml_node node) {
    Json attributes = Json::array(), elements = Json::array();
    for (const pugi::xml_attribute& attribute : node.attributes())
        attributes.push_back({{"name", json_text(attribute.name())}, {"value", word_value(attribute.value())}});
    for (const pugi::xml_node& child : node.children()) {
        if (child.type() == pugi::node_element) elements.push_back(element_tree(child));  // at most max_xml_levels
    }
    Json tree{{"name", json_text(element_name(node))}};
    if (!attributes.empty()) tree["attributes"] = std::move(attributes);
    if (!elements.empty()) tree["elements"] = std::move(elements);
    if (const char* const text = node.text().get(); *text != 0) tree["text"] = word_value(text);
    return tree;
}

bool looks_like_xml(std::string_view text) {
    const std::size_t start = text.find_first_not_of(std::string_view("\xEF\xBB\xBF\xFF\xFE \t\r\n\0", 10));
    return start != std::string_view::npos && text[start] == '<';
}

// Other text: lines that are called by their first word.

Json line_tree(std::string_view line) {
    Json words = Json::array();
    constexpr std::string_view gaps = " \t\r,";
    for (std::size_t start = line.find_first_not_of(gaps); start != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(gaps, start), line.size());
        words.push_back(word_value(line.substr(start, end - start)));
        start = line.find_first_not_of(gaps, end);
    }
    if (words.empty()) return {};
    const Json name = words.front().is_string() ? words.front() : Json(to_text(words.front()));
    words.erase(words.begin());
    return {{"name", name}, {"words", std::move(words)}};
}

Json lines_tree(std::string_view text) {
    Json lines = Json::array();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        line = line.substr(0, line.find("//"));
        if (Json tree = line_tree(line); !tree.is_null()) lines.push_back(std::move(tree));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Formats whose files say more when they are read.

Json catalog_tree(const catalog::Index& index) {
    Json entries = Json::array();
    for (const catalog::Entry& entry : index.entries) {
        entries.push_back(
            {{"name", json_text(index.path(entry))}, {"bytes", entry.size}, {"md5", catalog::to_hex(entry.md5)}});
    }
    return entries;
}

Json motion_tree(const cas::File& file) {
    Json frames = Json::array(), signs = Json::array();
    for (const cas::Frame& frame : file.frames) {
        Json bones = Json::array(), morphs = Json::array();
        for (const cas::BoneKey& key : frame.bones) {
            Json bone{{"name", json_text(key.name)}};
            if (const auto& at = key.translation) bone["translation"] = {at->x, at->y, at->z};
            if (const auto& turn = key.rotation) bone["rotation"] = {turn->x, turn->y, turn->z, turn->w};
            bones.push_back(std::move(bone));
        }
        for (const cas::MorphKey& key : frame.morphs)
            morphs.push_back({{"name", json_text(key.name)}, {"amount", key.amount}});
        frames.push_back({{"time", frame.time},
                          {"duration", frame.duration},
                          {"bones", std::move(bones)},
                          {"morphs", std::move(morphs)}});
    }
    for (const cas::Sign& sign : file.signs)
        signs.push_back({{"name", json_text(sign.gloss)}, {"first_frame", sign.first_frame}});
    return {{"avatar", json_text(file.avatar)}, {"signs", std::move(signs)}, {"frames", std::move(frames)}};
}

// All others: their dumps.

/// A dump's list of nodes without offsets, sizes and types.
Json field_tree(const Json& nodes) {
    Json fields = Json::array();
    for (const Json& node : nodes) {
        const bool is_record = node.is_object() && node.contains("type") && node["type"] == "record";
        if (!node.is_object() || !node.contains("name") || !node.contains("value")) continue;
        fields.push_back({{"name", node["name"]}, {"value", is_record ? field_tree(node["value"]) : node["value"]}});
    }
    return fields;
}

Result<Json> dump_tree(const Document& document, const Limits& limits) {
    const auto dump = document.dump({true, limits});
    if (!dump) return fail(dump.error());
    const Json json = Json::parse(*dump, nullptr, false);
    return json.is_object() && json.contains("value") ? field_tree(json["value"]) : Json::array();
}

Result<Json> tree_of(const Document& document, Budget& budget, const Limits& limits) {
    if (const auto* index = document.get_if<catalog::Index>()) return catalog_tree(*index);
    if (const auto* motion = document.get_if<cas::File>()) return motion_tree(*motion);
    const auto bytes = document.write();
    if (!bytes) return fail(bytes.error());
    const std::string_view text = as_text(*bytes);
    const bool is_xml = looks_like_xml(text);
    if (!is_xml && text.find('\0') != std::string_view::npos) return dump_tree(document, limits);
    if (!budget.take(text.size(), memory_for_byte))
        return fail(problem_at("", codes::limit_memory, "comparing the files needs more memory than the limit allows"));
    if (!is_xml) return lines_tree(text);
    const auto xml = XmlDocument::parse(*bytes, budget);
    return xml ? element_tree(xml->root()) : Result<Json>(fail(xml.error()));
}

/// Padding and what says how long something is.
bool is_arrangement(std::string_view member) { return member == "padding" || member == "offset"; }

Result<Report> compare(const Document& a, const Document& b, const DiffOptions& options) {
    Findings findings(options);
    if (a.format().id != b.format().id) {
        return fail(problem_at("", codes::diff_formats, "files of these two formats have nothing in common to compare",
                               std::string(b.format().id), std::string(a.format().id)));
    }
    Limits limits = options.limits;
    Budget budget(limits, 0);
    if (limits.memory == 0) budget.add_input(std::uint64_t{1} << 27);  // as dumps have
    const auto tree_a = tree_of(a, budget, limits);
    if (!tree_a) return fail(tree_a.error());
    const auto tree_b = tree_of(b, budget, limits);
    if (!tree_b) return fail(tree_b.error());
    compare_trees(findings, codes::diff_content, "", *tree_a, *tree_b, {is_arrangement, options.tolerances.number});
    return findings.take();
}

}  // namespace

}  // namespace diff

Result<Report> diff_documents(const Document& a, const Document& b, const DiffOptions& options) {
    return without_exceptions([&] { return diff::compare(a, b, options); });
}

}  // namespace effigy
