/// Nodes for levels of detail, and for meshes without a component by the parts that their files' names name.

#include <algorithm>
#include <map>

#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// The meshes of one part, whatever order they came in.
struct LonePart {
    std::string name;
    std::map<std::uint32_t, std::vector<MeshInput*>> levels;
    std::vector<MeshInput*> collisions;
};

class LoneParts {
public:
    LoneParts(Build& build, bool animated) : build_(build), animated_(animated) {}

    void collect(std::vector<MeshInput>& meshes) {
        for (MeshInput& mesh : meshes) {
            MeshName name = parse_mesh_name(mesh.source.stem);
            const auto [place, is_new] = numbers_.try_emplace(lower(name.part), parts_.size());
            if (is_new) parts_.emplace_back().name = name.part;
            LonePart& part = parts_[place->second];
            if (name.kind == MeshName::Kind::collision || is_collision(mesh)) {
                part.collisions.push_back(&mesh);
            } else {
                part.levels[name.number].push_back(&mesh);
                has_levels_ = true;
            }
        }
    }

    Result<PartNodes> add() {
        // Wrecks follow the parts that they replace.
        for (const bool wrecks : {false, true}) {
            for (LonePart& part : parts_) {
                if (is_wreck(part) != wrecks) continue;
                if (auto added = wrecks ? add_wreck(part) : add_part(part); !added)
                    return fail(std::move(added.error()));
            }
        }
        return std::move(nodes_);
    }

private:
    /// Of a name that says neither, the mesh's form decides.
    static bool is_collision(const MeshInput& mesh) {
        return parse_mesh_name(mesh.source.stem).kind == MeshName::Kind::plain && xmf::is_collision_mesh(mesh.file);
    }

    static constexpr std::string_view wreck_mark = "_wreck";

    [[nodiscard]] std::string base_of(const LonePart& part) const {
        const std::string name = lower(part.name);
        return name.ends_with(wreck_mark) ? name.substr(0, name.size() - wreck_mark.size()) : std::string();
    }
    [[nodiscard]] bool is_wreck(const LonePart& part) const {
        const std::string base = base_of(part);
        return !base.empty() && numbers_.contains(base);
    }

    Result<std::vector<Level>> load_levels(LonePart& part) {
        std::vector<std::uint32_t> numbers;
        for (const auto& [number, inputs] : part.levels) numbers.push_back(number);
        std::vector<Level> levels;
        if (numbers.empty()) return levels;
        if (build_.options.lod >= 0) numbers = {numbers[choose_level(build_, text(part.name), numbers)]};
        for (const std::uint32_t number : numbers) {
            auto mesh = add_given(build_, *part.levels[number].front());
            if (!mesh) return fail(std::move(mesh.error()));
            if (*mesh != no_index) levels.push_back({number, *mesh});
        }
        return levels;
    }

    Result<void> add_part(LonePart& part) {
        auto levels = load_levels(part);
        if (!levels) return fail(std::move(levels.error()));
        const bool shows_collision = !has_levels_;
        if (levels->empty() && part.collisions.empty()) return {};
        const std::string name = text(part.name);
        const Index node = build_.add_node(name, no_index);
        if (levels->size() == 1 && !animated_) {
            build_.scene.nodes[node].mesh = levels->front().mesh;
        } else {
            (void)place_levels(build_, name, node, *levels);
        }
        nodes_[lower(part.name)].push_back(node);
        return add_collisions(part, node, shows_collision).and_then([&] { return add_twins(part); });
    }

    /// A collision mesh is seen only where there is nothing else.
    Result<void> add_collisions(LonePart& part, Index node, bool shown, bool of_wreck = false) {
        for (MeshInput* input : part.collisions) {
            auto mesh = add_given(build_, *input);
            if (!mesh) return fail(std::move(mesh.error()));
            if (*mesh == no_index) continue;
            Index place = node;
            if (!shown || build_.scene.nodes[node].mesh != no_index) {
                place = place_hidden(build_, text(input->source.stem), *mesh, node, {});
                build_.scene.nodes[place].collision = !of_wreck;
                build_.scene.nodes[place].extras.json =
                    of_wreck ? R"({"kind":"collision","wreck":true})" : R"({"kind":"collision"})";
                continue;
            }
            build_.scene.nodes[place].mesh = *mesh;
            build_.scene.nodes[place].extras.json = R"({"collision":true})";
        }
        return {};
    }

    /// Files of one name from several folders are parts of their own.
    Result<void> add_twins(LonePart& part) {
        for (auto& [number, inputs] : part.levels) {
            for (std::size_t i = 1; i < inputs.size(); ++i) {
                auto mesh = add_given(build_, *inputs[i]);
                if (!mesh) return fail(std::move(mesh.error()));
                if (*mesh == no_index) continue;
                const Index node = build_.add_node(text(part.name), no_index);
                build_.scene.nodes[node].mesh = *mesh;
            }
        }
        return {};
    }

    Result<void> add_wreck(LonePart& part) {
        const auto base = nodes_.find(base_of(part));
        if (base == nodes_.end()) return add_part(part);
        auto levels = load_levels(part);
        if (!levels) return fail(std::move(levels.error()));
        const Index node = place_levels(build_, text(part.name), no_index, *levels);
        if (node != no_index) {
            Node& wreck = build_.scene.nodes[node];
            wreck.hidden = true;
            wreck.follows = base->second.front();
            wreck.extras.json = R"({"kind":"wreck"})";
        }
        return add_collisions(part, base->second.front(), false, true);
    }

    Build& build_;
    bool animated_;
    bool has_levels_ = false;
    std::vector<LonePart> parts_;
    std::unordered_map<std::string, std::size_t> numbers_;
    PartNodes nodes_;
};

}  // namespace

Result<PartNodes> add_lone_meshes(Build& build, std::vector<MeshInput>& meshes, bool animated) {
    LoneParts parts(build, animated);
    parts.collect(meshes);
    return parts.add();
}

std::size_t choose_level(Build& build, const std::string& part, const std::vector<std::uint32_t>& levels) {
    const auto wanted = static_cast<std::uint32_t>(std::max(build.options.lod, 0));
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i] <= wanted) chosen = i;
    }
    if (levels[chosen] != wanted) build.other_levels.add(part);
    return chosen;
}

Index place_levels(Build& build, const std::string& part, Index parent, const std::vector<Level>& levels) {
    const auto name_of = [&](const Level& level) { return part + "-lod" + std::to_string(level.number); };
    Index first = no_index;
    for (const Level& level : levels) {
        if (level.mesh == no_index) continue;
        const Index node = build.add_node(name_of(level), first == no_index ? parent : no_index);
        build.scene.nodes[node].mesh = level.mesh;
        if (first == no_index) {
            first = node;
            continue;
        }
        build.scene.nodes[node].hidden = true;
        build.scene.nodes[first].lods.push_back(node);
    }
    return first;
}

Index place_hidden(Build& build, std::string name, Index mesh, Index part_node, const Transform& rest) {
    const Index index = build.add_node(std::move(name), no_index);
    Node& node = build.scene.nodes[index];
    node.mesh = mesh;
    node.hidden = true;
    node.follows = part_node;
    node.local = rest;
    return index;
}

}  // namespace effigy::egosoft::bridge
