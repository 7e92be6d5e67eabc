/// XML files beside an avatar, within bounds.

#include <string>

#include "effigy/arp_codes.hpp"

#include "arp/file/companion.hpp"
#include "arp/file/layout_elements.hpp"
#include "arp/file/names.hpp"
#include "arp/file/zip.hpp"
#include "arp/to_scene/to_scene.hpp"
#include "core/json_members.hpp"
#include "core/text.hpp"

namespace effigy::arp::bridge {
namespace {

constexpr std::uint64_t entry_size = 600;  ///< a small object in memory, and its text

class CompanionReader {
public:
    CompanionReader(Build& build, const AvatarInput& input) : build_(build), input_(input) {}

    Json read() {
        Json json = Json::object();
        read_one("asd.xml", "skeleton", json);
        read_one("nonmanuals.xml", "nonmanuals", json);
        read_one("config.xml", "config", json);
        read_names(json);
        add_files(json);
        return json;
    }

private:
    void read_one(const char* name, const char* key, Json& json) {
        for (const auto& [file, content] : input_.companions) {
            if (lower(without_folder(file)) != name) continue;
            auto made = companion_json(name, content, build_.budget);
            if (!made) {
                build_.note(codes::arp_companion, name, companion_message(made.error()), made.error().found);
                return;
            }
            if (!made->empty()) json[key] = std::move(*made);
            // With its comments, for the way back.
            if (build_.budget.take(2 * content.size())) json["texts"][key] = json_bytes(packed(content));
            return;
        }
    }

    /// What bones and targets were called before they were an avatar's, for the way back.
    void read_names(Json& json) {
        for (const auto& [file, content] : input_.companions) {
            if (lower(without_folder(file)) != "names.json") continue;
            // Of what is parsed, a value takes a few bytes of text at least.
            if (!build_.budget.take(32 * content.size())) return;
            const std::string_view text = as_text(content);
            auto names = parse_json(text);
            if (names && member(*names, "effigy_names") != nullptr) json["names"] = std::move(*names);
            return;
        }
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
        return name == "asd.xml" || name == "nonmanuals.xml" || name == "config.xml" || name == "names.json" ||
               (!texture.empty() && name == lower(texture) && !has_image(input_.file));
    }

    Build& build_;
    const AvatarInput& input_;
};

}  // namespace

Json companions_json(Build& build, const AvatarInput& input) { return CompanionReader(build, input).read(); }

}  // namespace effigy::arp::bridge
