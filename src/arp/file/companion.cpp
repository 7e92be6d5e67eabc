/// XML files beside an avatar as JSON, within bounds.

#include "arp/file/companion.hpp"

#include <string>
#include <unordered_map>

#include "effigy/arp_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"

namespace effigy::arp {
namespace {

constexpr std::uint64_t entry_size = 600;  ///< a small object in memory, and its text

Json numbers_of(std::string_view text) {
    Json json = Json::array();
    while (!text.empty()) {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos) break;
        text.remove_prefix(start);
        const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n"));
        text.remove_prefix(word.size());
        const auto number = parse_number(word);
        json.push_back(number ? json_number(*number) : json_text(word));
    }
    return json;
}

class CompanionParser {
public:
    explicit CompanionParser(Budget& budget) : budget_(budget) {}

    [[nodiscard]] bool is_full() const noexcept { return full_; }

    /// Joints by name, each with its parent's place in the list, its own place in it and the places on the skin.
    Json skeleton_of(pugi::xml_node root) {
        Json json = Json::object();
        std::unordered_map<std::size_t, std::size_t> places;  // of joints in the list
        for (pugi::xml_node node = root; node && !full_; node = next_in_document(node)) {
            const std::string_view name = node.name();
            if (name == "avatar" && take(node)) json["avatar"] = json_text(node.attribute("name").value());
            if (name == "skeleton" && node.attribute("scale")) {
                json["scale"] = numbers_of(node.attribute("scale").value());
            }
            if ((name != "joint" && name != "feature") || !take(node)) continue;
            const auto parent = places.find(node.parent().hash_value());
            Json entry{{"name", json_text(node.attribute("name").value())},
                       {"position", numbers_of(node.attribute("position").value())}};
            if (name == "feature") {
                if (parent != places.end()) json["joints"][parent->second]["features"].push_back(std::move(entry));
                continue;
            }
            entry["rotation"] = numbers_of(node.attribute("rotation").value());
            if (parent != places.end()) entry["parent"] = parent->second;
            places.emplace(node.hash_value(), json["joints"].size());
            json["joints"].push_back(std::move(entry));
        }
        return json;
    }

    /// Each by its kind and attributes, with the elements in it as they are nested.
    Json elements_of(pugi::xml_node root) {
        Json json = Json::array();
        for (const pugi::xml_node node : root.children()) {
            if (node.type() == pugi::node_element) json.push_back(element_of(node));
        }
        return json;
    }

private:
    /// Memory for what is made of an element.
    [[nodiscard]] bool take(pugi::xml_node node) {
        std::uint64_t size = entry_size;
        for (const pugi::xml_attribute attribute : node.attributes()) {
            // A list of numbers is mostly JSON's own making.
            size += 150 + 40 * std::string_view(attribute.value()).size();
        }
        full_ = full_ || !budget_.take(size);
        return !full_;
    }

    /// XmlDocument bounds the depth.
    Json element_of(pugi::xml_node node) {  // NOLINT(misc-no-recursion)
        Json json;
        if (!take(node)) return json;
        json["element"] = json_text(node.name());
        // Members are looked up by name: a swarm of attributes would be slow.
        std::size_t left = 32;
        for (const pugi::xml_attribute attribute : node.attributes()) {
            if (left-- == 0) break;
            const std::string_view name = attribute.name();
            if (name == "element" || name == "parts") continue;
            json[std::string(name)] = json_text(attribute.value());
        }
        for (const pugi::xml_node child : node.children()) {
            if (child.type() == pugi::node_element && !full_) json["parts"].push_back(element_of(child));
        }
        return json;
    }

    Budget& budget_;
    bool full_ = false;
};

}  // namespace

Result<Json> companion_json(std::string_view name, std::span<const std::byte> content, Budget& budget) {
    return XmlDocument::parse(content, budget).and_then([&](const XmlDocument& document) -> Result<Json> {
        CompanionParser parser(budget);
        Json json = name == "asd.xml" ? parser.skeleton_of(document.root()) : parser.elements_of(document.root());
        if (!parser.is_full()) return json;
        return fail(problem_at({}, codes::limit_memory, "the memory limit is reached"));
    });
}

std::string companion_message(const Diagnostic& why) {
    return "The file beside the avatar cannot be used; conversions leave it out: " + why.message + ".";
}

}  // namespace effigy::arp
