/// Names of levels, collision meshes and wrecks: those of `scene/level_names`, `<name>.mesh`, `<name>_wreck`.

#include "levels/names.hpp"

#include "core/json.hpp"
#include "core/json_members.hpp"
#include "core/text.hpp"
#include "scene/level_names.hpp"
#include "scene/records.hpp"

namespace effigy::levels {
namespace {

enum class Kind : std::uint8_t { plain, finest, level, collision, wreck };

struct Name {
    Kind kind = Kind::plain;
    std::string stem;
};

Name parse(std::string_view whole) {
    LevelName parsed = parse_level_name(whole);
    if (parsed.kind == LevelName::Kind::level)
        return {parsed.number == 0 ? Kind::finest : Kind::level, std::move(parsed.part)};
    if (parsed.kind == LevelName::Kind::collision) return {Kind::collision, std::move(parsed.part)};
    const std::string_view name = without_copy_number(whole);
    const std::string text = lower(name);
    const auto before = [&](std::string_view mark) { return std::string(name.substr(0, name.size() - mark.size())); };
    for (const std::string_view mark : {"-wreck", "_wreck", ".wreck"}) {
        if (text.size() > mark.size() && text.ends_with(mark)) return {Kind::wreck, before(mark)};
    }
    constexpr std::string_view mesh = ".mesh";
    if (text.size() > mesh.size() && text.ends_with(mesh)) return {Kind::finest, before(mesh)};
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
    std::vector<Index> levels, collisions;
    PartFinder parts(scene);
    for (Index i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (node.mesh == no_index) continue;
        const Name name = parse(node.name);
        const Kind recorded = kind_by_record(node);
        if (recorded == Kind::collision || name.kind == Kind::collision) {
            // A wreck's collision mesh is not that of the part that it stands for.
            if (flag_at(record_of(node.extras), "wreck")) continue;
            collisions.push_back(i);
            if (node.follows != no_index) collided_.insert(node.follows);
        } else if (name.kind == Kind::level) {
            levels.push_back(i);
        } else if (recorded == Kind::plain && name.kind != Kind::wreck && !is_level[i]) {
            Index above = i;
            while (above != no_index && !scene.nodes[above].hidden) above = scene.nodes[above].parent;
            if (above == no_index) {
                nodes_.push_back(i);
                parts.add(i, part_name_of_mesh(node.name));
            }
        }
    }
    for (const Index level : levels) with_levels_.insert(parts.find(part_name_of_mesh(scene.nodes[level].name), level));
    for (const Index one : collisions)
        with_collision_.insert(parts.find(part_name_of_mesh(scene.nodes[one].name), one));
}

bool VisibleMeshes::has_levels(Index node) const {
    const Node& one = scene_.nodes[node];
    return !one.lods.empty() || with_levels_.contains(node);
}

bool VisibleMeshes::has_collision(Index node) const {
    const Node& one = scene_.nodes[node];
    return collided_.contains(node) || (one.parent != no_index && collided_.contains(one.parent)) ||
           with_collision_.contains(node);
}

}  // namespace effigy::levels
