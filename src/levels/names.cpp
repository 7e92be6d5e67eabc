/// Names of levels, collision meshes and wrecks: `<name>-lod1`, `<name>.lod1`, `<name>-collision`, `<name>_wreck`.

#include "levels/names.hpp"

#include <algorithm>
#include <array>

#include "core/json.hpp"
#include "core/json_members.hpp"
#include "core/text.hpp"
#include "scene/records.hpp"

namespace effigy::levels {
namespace {

enum class Kind : std::uint8_t { plain, finest, level, collision, wreck };

struct Name {
    Kind kind = Kind::plain;
    std::string stem;
};

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Modelling programs put ".001" behind names that are there already.
std::string_view without_copy_number(std::string_view name) {
    constexpr std::size_t digits = 3;
    const bool has_number = name.size() > digits + 1 && name[name.size() - digits - 1] == '.' &&
                            is_number(name.substr(name.size() - digits));
    return has_number ? name.substr(0, name.size() - digits - 1) : name;
}

Name parse(std::string_view whole) {
    const std::string_view name = without_copy_number(whole);
    const std::string text = lower(name);
    const auto behind = [&](std::string_view word) -> std::size_t {
        const std::size_t at = text.rfind(word);
        const bool marked = at != std::string::npos && at > 0 && std::string_view("-._").find(text[at - 1]) < 3;
        return marked ? at : std::string::npos;
    };
    if (const std::size_t at = behind("lod"); at != std::string::npos && is_number(text.substr(at + 3))) {
        const bool finest = text.find_first_not_of('0', at + 3) == std::string::npos;
        return {finest ? Kind::finest : Kind::level, std::string(name.substr(0, at - 1))};
    }
    // Games have parts that are called "anim_ladder_collision" and are seen.
    if (const std::size_t at = behind("collision"); at != std::string::npos && text[at - 1] != '_') {
        const std::string rest = text.substr(at + 9);
        if (rest.empty() || is_number(rest)) return {Kind::collision, std::string(name.substr(0, at - 1))};
    }
    if (const std::size_t at = behind("wreck"); at != std::string::npos && text.size() == at + 5)
        return {Kind::wreck, std::string(name.substr(0, at - 1))};
    if (const std::size_t at = behind("mesh"); at != std::string::npos && text[at - 1] == '.' && text.size() == at + 4)
        return {Kind::finest, std::string(name.substr(0, at - 1))};
    return {Kind::plain, std::string(whole)};
}

Kind kind_by_record(const Node& node) {
    const Json record = record_of(node.extras);
    const std::string kind = text_at(record, "kind").value_or("");
    if (node.collision || kind == "collision" || flag_at(record, "collision")) return Kind::collision;
    return kind == "wreck" ? Kind::wreck : Kind::plain;
}

/// As Egosoft's parts have them: in a record, or as a custom property.
std::optional<std::string> tags_of(const Node& node) {
    if (!node.extras.other.empty()) {
        const auto other = parse_json(node.extras.other);
        if (auto tags = other ? text_at(*other, "tags") : std::nullopt) return tags;
    }
    const Json record = record_of(node.extras);
    const Json* const list = member(record, "tags");
    if (list == nullptr || !list->is_array()) return std::nullopt;
    std::string tags;
    for (const Json& tag : *list) tags += text_from_json(tag).value_or("") + " ";
    return tags;
}

bool has_detail_word(std::string text) {
    for (char& c : text) c = c == '_' ? ' ' : c;
    text = " " + text + " ";
    for (const char* size : {"xs", "s", "m", "l", "xl", "xxl"}) {
        if (text.find(std::string(" detail ") + size + " ") != std::string::npos) return true;
    }
    return false;
}

}  // namespace

bool is_detail(const Scene& scene, Index node) {
    const std::string name = lower(stem_of(scene.nodes[node].name));
    if (name.starts_with("detail_") && has_detail_word(name)) return true;
    // Mesh, part, offset, connection.
    Index above = node;
    for (int steps = 0; steps < 4 && above != no_index; ++steps, above = scene.nodes[above].parent) {
        if (above != node && scene.nodes[above].mesh != no_index) return false;
        if (const auto tags = tags_of(scene.nodes[above])) return has_detail_word(lower(*tags));
    }
    return false;
}

std::string stem_of(std::string_view name) {
    Name parsed = parse(name);
    return parsed.kind == Kind::plain || parsed.kind == Kind::wreck ? std::string(name) : std::move(parsed.stem);
}

VisibleMeshes::VisibleMeshes(const Scene& scene) : scene_(scene) {
    std::vector<bool> is_level(scene.nodes.size());
    for (const Node& node : scene.nodes) {
        for (const Index level : node.lods) is_level[level] = true;
    }
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh == no_index) continue;
        const Name name = parse(node.name);
        const Kind recorded = kind_by_record(node);
        if (recorded == Kind::collision || name.kind == Kind::collision) {
            with_collision_.insert(lower(name.stem));
            if (node.follows != no_index) collided_.insert(node.follows);
        } else if (name.kind == Kind::level) {
            with_levels_.insert(lower(name.stem));
        } else if (recorded == Kind::plain && name.kind != Kind::wreck && !is_level[i]) {
            Index above = i;
            while (above != no_index && !scene.nodes[above].hidden) above = scene.nodes[above].parent;
            if (above == no_index) nodes_.push_back(i);
        }
    }
}

bool VisibleMeshes::has_levels(Index node) const {
    const Node& one = scene_.nodes[node];
    return !one.lods.empty() || with_levels_.contains(lower(stem_of(one.name)));
}

bool VisibleMeshes::has_collision(Index node) const {
    const Node& one = scene_.nodes[node];
    return collided_.contains(node) || (one.parent != no_index && collided_.contains(one.parent)) ||
           with_collision_.contains(lower(stem_of(one.name)));
}

}  // namespace effigy::levels
