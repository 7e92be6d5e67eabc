/// Writes EMFXActorType entries, and changes what stands in them and nothing else.

#include "emfx/from_scene/definition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/text.hpp"
#include "emfx/file/definitions.hpp"

namespace effigy::emfx {
namespace {

constexpr std::string_view anims_folder = "gfx\\anims\\";
constexpr std::array<std::string_view, 3> roles{"idle", "move", "attack"};
/// Have no word of their own but a block `animation`, and none at all in Europa Universalis III.
constexpr std::array<std::string_view, 3> states{"attackmove", "retreat", "rotate"};

bool is_state(std::string_view role) { return std::ranges::find(states, role) != states.end(); }

std::string quoted(const std::string& file) { return "\"" + std::string(anims_folder) + file + "\""; }

/// Whether an entry's file is the model's: one of that name in a folder of its own is another one.
bool is_actor_of(const Definition& definition, std::string_view value) {
    const std::string path = path_of(value);
    return path == path_of(quoted(definition.actor())) || path == lower(definition.actor());
}

/// What a motion's name says that it is for; empty if nothing.
std::string_view role_of(const std::string& motion) {
    const std::string name = lower(motion);
    std::string together = name;
    std::erase_if(together, [](char c) { return c == '_' || c == '-' || c == ' '; });
    for (const std::string_view state : states) {
        if (together.find(state) != std::string::npos) return state;
    }
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"idle", "idle"},  {"mov", "move"}, {"walk", "move"},    {"wlk", "move"},
        {"march", "move"}, {"run", "move"}, {"attack", "attack"}};
    for (const auto& [word, role] : words) {
        const std::size_t at = name.find(word);
        const bool begins = at != std::string::npos && (at == 0 || !is_alphanumeric(name[at - 1]));
        if (at != std::string::npos && (word != "run" || begins)) return role;  // no trunk
    }
    return {};
}

std::map<std::string_view, std::string> motions_by_role(const Definition& definition) {
    std::map<std::string_view, std::string> motions;
    for (const std::string& motion : definition.motions) {
        const std::string stem = motion.substr(0, motion.rfind('.'));
        // The model's own name says nothing about the motion.
        motions.try_emplace(role_of(stem.starts_with(definition.name) ? stem.substr(definition.name.size()) : stem),
                            motion);
    }
    return motions;
}

/// Infantry is so high in the games' own files, whatever the units of the model.
std::string scale_text(const Definition& definition) {
    if (!(definition.height > 0)) return "1.0";
    const double scale = (definition.target == Target::eu3 ? 12.4 : 9.0) / definition.height;
    const double unit = std::pow(10, std::floor(std::log10(scale)) - 2);
    return number_text(static_cast<double>(static_cast<float>(std::round(scale / unit) * unit)));
}

/// Without defaultAnimationTime: how fast smoke and tracks scroll meanwhile is the modder's choice.
std::string block_of(std::string_view state, const std::string& motion) {
    return "{ name = \"" + std::string(state) + "\" file = " + quoted(motion) + " }";
}

std::vector<std::pair<std::string, std::string>> members_of(const Definition& definition) {
    std::vector<std::pair<std::string, std::string>> members{{"name", "\"" + definition.name + "\""},
                                                             {"actorfile", quoted(definition.actor())}};
    const auto motions = motions_by_role(definition);
    const bool is_still = definition.motions.empty();
    // The games' own files repeat the idle motion where another one is missing.
    const auto idle = motions.find("idle");
    const std::string fallback = is_still                ? "Static.xsm"
                                 : idle != motions.end() ? idle->second
                                                         : definition.motions.front();
    for (const std::string_view role : roles) {
        const auto motion = motions.find(role);
        members.emplace_back(role, quoted(motion != motions.end() ? motion->second : fallback));
    }
    const bool has_states = definition.target != Target::eu3;
    for (const std::string_view state : states) {
        const auto motion = motions.find(state);
        if (has_states && motion != motions.end()) members.emplace_back("animation", block_of(state, motion->second));
    }
    if (has_states && definition.retargeting) members.emplace_back("retargeting", "yes");
    if (is_still && definition.target == Target::eu3) members.emplace_back("use_animation", "no");
    members.emplace_back("scale", scale_text(definition));
    std::size_t slot = 0;
    for (const auto& [name, node] : definition.attachments) {
        if (definition.target == Target::eu3 || node.empty()) continue;  // which has none
        members.emplace_back(
            "attach", "{ name = \"" + name + "\" node = \"" + node + "\" attachId = " + std::to_string(++slot) + " }");
    }
    return members;
}

/// A text with some places replaced.
class Edit {
public:
    explicit Edit(std::string_view text) : text_(text) {}

    void put(std::size_t begin, std::size_t end, std::string words) { places_[{begin, end}] = std::move(words); }

    [[nodiscard]] std::string text() const {
        std::string result(text_);
        for (auto place = places_.rbegin(); place != places_.rend(); ++place) {
            const auto [begin, end] = place->first;
            result.replace(begin, end - begin, place->second);
        }
        return result;
    }

private:
    std::string_view text_;
    std::map<std::pair<std::size_t, std::size_t>, std::string> places_;  ///< by begin and end
};

/// Blanks in front of a place, from the start of its line.
std::string indent_at(std::string_view text, std::size_t place) {
    const std::size_t line = text.find_last_of('\n', place) + 1;  // npos + 1 is 0
    const std::size_t word = text.find_first_not_of(" \t", line);
    return std::string(text.substr(line, std::min(word, place) - line));
}

std::string line_end_of(std::string_view text) { return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n"; }

/// Takes a member out, with its line where nothing else stands there.
void remove(const DefinitionMember& member, std::string_view text, Edit& edit) {
    const auto behind_blanks = [&](std::size_t at) { return std::min(text.find_first_not_of(" \t", at), text.size()); };
    const std::size_t line = text.find_last_of('\n', member.key_begin) + 1;  // npos + 1 is 0
    const std::size_t end = behind_blanks(member.end);
    const std::size_t line_end = text.find_first_not_of('\r', end);
    const bool is_alone = behind_blanks(line) == member.key_begin && line_end < text.size() && text[line_end] == '\n';
    is_alone ? edit.put(line, line_end + 1, {}) : edit.put(member.key_begin, end, {});
}

/// What the model says of itself; its scale, and motions for which there is no word here, are the modder's.
void change(const DefinitionEntry& entry, const Definition& definition, std::string_view text, Edit& edit) {
    const DefinitionMember* const actor = entry.find("actorfile");
    std::string added;
    const auto add = [&](std::string_view key, const std::string& value) {
        added += line_end_of(text) + indent_at(text, actor == nullptr ? entry.begin : actor->begin) + std::string(key) +
                 " = " + value;
    };
    const auto replace = [&](const DefinitionMember& old, const std::string& value) {
        if (lower(value_of(text, &old)) != lower(value)) edit.put(old.begin, old.end, value);
    };
    const auto set = [&](std::string_view key, const std::string& value) {
        const DefinitionMember* const old = entry.find(key);
        old != nullptr ? replace(*old, value) : add(key, value);
    };
    if (!is_actor_of(definition, value_of(text, actor))) set("actorfile", quoted(definition.actor()));
    for (const auto& [role, motion] : motions_by_role(definition)) {
        if (role.empty()) continue;
        const DefinitionMember* const block = entry.find_animation(text, role);
        const DefinitionMember* const file = block == nullptr ? nullptr : find_member(block->members, "file");
        if (file != nullptr) {
            replace(*file, quoted(motion));
        } else if (is_state(role)) {
            if (definition.target != Target::eu3) add("animation", block_of(role, motion));
        } else {
            set(role, quoted(motion));
        }
    }
    if (definition.retargeting && definition.target != Target::eu3) set("retargeting", "yes");
    // The games' own entries say "no" or nothing.
    const DefinitionMember* const animated = entry.find("use_animation");
    if (!definition.motions.empty() && animated != nullptr) remove(*animated, text, edit);
    if (!added.empty() && actor != nullptr) edit.put(actor->end, actor->end, added);
}

/// The entry in lines, each with `indent` in front.
std::string entry_lines(const Definition& definition, const std::string& indent, const std::string& line_end) {
    std::string text = indent + "EMFXActorType = {" + line_end;
    for (const auto& [key, value] : members_of(definition)) text += indent + "\t" + key + " = " + value + line_end;
    return text + indent + "}";
}

}  // namespace

std::string entry_text(const Definition& definition) {
    std::string text = "EMFXActorType = {";
    for (const auto& [key, value] : members_of(definition)) text += " " + key + " = " + value;
    return text + " }";
}

std::string new_definitions(const Definition& definition) {
    return "# Which name the game looks for depends on what the model is for: a unit of a culture, a ship, a "
           "building.\r\nobjectTypes = {\r\n" +
           entry_lines(definition, "\t", "\r\n") + "\r\n}\r\n";
}

std::optional<std::string> with_definition(std::string_view text, const Definition& definition, EntryPlace place) {
    const std::vector<DefinitionEntry> entries = definition_entries(text);
    if (entries.empty()) return std::nullopt;
    Edit edit(text);
    if (place == EntryPlace::added) {
        const DefinitionEntry& last = entries.back();
        const std::string line_end = line_end_of(text);
        edit.put(last.end, last.end, line_end + entry_lines(definition, indent_at(text, last.begin), line_end));
        return edit.text();
    }
    bool is_there = false;
    for (const DefinitionEntry& entry : entries) {
        const bool fits = place == EntryPlace::of_actor
                              ? is_actor_of(definition, value_of(text, entry.find("actorfile")))
                              : file_of(value_of(text, entry.find("name"))) == lower(definition.name);
        if (fits) change(entry, definition, text, edit);
        is_there = is_there || fits;
    }
    return is_there ? std::optional(edit.text()) : std::nullopt;
}

}  // namespace effigy::emfx
