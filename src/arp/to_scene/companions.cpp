/// XML files beside an avatar, within bounds.

#include <string>
#include <unordered_map>

#include "effigy/arp_codes.hpp"

#include "arp/file/layout_elements.hpp"
#include "arp/file/names.hpp"
#include "arp/to_scene/to_scene.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/xml.hpp"

namespace effigy::arp::bridge {
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

class CompanionReader {
public:
    CompanionReader(Build& build, const AvatarInput& input) : build_(build), input_(input) {}

    Json read() {
        Json json = Json::object();
        read_one("asd.xml", "skeleton", json, [&](pugi::xml_node root) { return skeleton_of(root); });
        read_one("nonmanuals.xml", "nonmanuals", json, [&](pugi::xml_node root) { return elements_of(root); });
        read_one("config.xml", "config", json, [&](pugi::xml_node root) { return elements_of(root); });
        add_files(json);
        return json;
    }

private:
    template <class Convert>
    void read_one(const char* name, const char* key, Json& json, Convert convert) {
        for (const auto& [file, content] : input_.companions) {
            if (lower(without_folder(file)) != name) continue;
            auto document = XmlDocument::parse(content, build_.budget);
            if (!document) {
                note(name, document.error().message, document.error().found);
                return;
            }
            full_ = false;
            Json converted = convert(document->root());
            if (full_) note(name, "the memory limit is reached", {});
            if (!converted.empty() && !full_) json[key] = std::move(converted);
            return;
        }
    }

    void note(const char* name, const std::string& why, const std::string& found) {
        build_.note(codes::arp_companion, name,
                    "The file beside the avatar cannot be used and is left out: " + why + ".", found);
    }

    /// Memory for what is made of an element.
    [[nodiscard]] bool take(pugi::xml_node node) {
        std::uint64_t size = entry_size;
        for (const pugi::xml_attribute attribute : node.attributes()) {
            // A list of numbers is mostly JSON's own making.
            size += 150 + 40 * std::string_view(attribute.value()).size();
        }
        full_ = full_ || !build_.budget.take(size);
        return !full_;
    }

    /// Their names, and a finding about those that no part of the scene was made of.
    void add_files(Json& json) {
        std::uint64_t size = 0;
        for (const auto& [name, content] : input_.companions) size += entry_size + 8 * name.size();
        if (input_.companions.empty() || !build_.budget.take(size)) return;
        NameList left_out;
        for (const auto& [name, content] : input_.companions) {
            json["files"].push_back(json_text(name));
            if (!is_used(lower(without_folder(name)))) left_out.add(build_.text(name));
        }
        build_.note_any(left_out, codes::arp_file_left_out, "container",
                        "These files of the container have no place in a scene; only their names are kept.");
    }

    [[nodiscard]] bool is_used(const std::string& name) const {
        const std::string_view texture = without_folder(up_to_nul(input_.file.texture.name));
        return name == "asd.xml" || name == "nonmanuals.xml" || name == "config.xml" ||
               (!texture.empty() && name == lower(texture) && !has_image(input_.file));
    }

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

    Build& build_;
    const AvatarInput& input_;
    bool full_ = false;
};

}  // namespace

Json companions_json(Build& build, const AvatarInput& input) { return CompanionReader(build, input).read(); }

}  // namespace effigy::arp::bridge
