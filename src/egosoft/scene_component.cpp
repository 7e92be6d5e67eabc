#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "egosoft/scene_extras.hpp"
#include "egosoft/scene_store.hpp"
#include "egosoft/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// A part that stands in the scene.
struct PlacedPart {
    const Part* part = nullptr;
    std::string name;  ///< lower case
    Index node = no_index;
    bool moves = false;
    std::vector<std::uint32_t> absent{};  ///< levels that the XML names and the scene lacks
};

std::string numbers(const Vec3& v) {
    std::array<char, 64> text{};
    // Adding 0 makes a zero of minus zero.
    std::snprintf(text.data(), text.size(), "(%.4g, %.4g, %.4g)", v.x + 0.0, v.y + 0.0, v.z + 0.0);
    return text.data();
}

std::string box_text(const Box& box) {
    return "centre " + numbers(box.center) + ", half size " + numbers(box.half_size);
}

bool alike(const Box& a, const Box& b) {
    const float size =
        std::max({a.half_size.x, a.half_size.y, a.half_size.z, b.half_size.x, b.half_size.y, b.half_size.z});
    const float tolerance = 0.01f * size + 1e-4f;
    const auto near = [&](float one, float other) { return std::fabs(one - other) <= tolerance; };
    return near(a.center.x, b.center.x) && near(a.center.y, b.center.y) && near(a.center.z, b.center.z) &&
           near(a.half_size.x, b.half_size.x) && near(a.half_size.y, b.half_size.y) &&
           near(a.half_size.z, b.half_size.z);
}

class ComponentBuilder {
public:
    ComponentBuilder(Context& context, Store& store, const ComponentInput& input, const Component& component,
                     bool is_only)
        : context_(context),
          store_(store),
          input_(input),
          component_(component),
          folder_(component.geometry),
          is_only_(is_only) {}

    Result<void> run() {
        context_.file = text(input_.source.stem);
        auto animations = store_.animations(folder_, is_only_);
        if (!animations) return fail(std::move(animations.error()));
        for (const AnimationInput* one : *animations) moving_.merge(moving_parts(one->file));
        if (auto taken = take_nodes(); !taken) return taken;
        if (auto added = add_root(); !added) return added;
        for (const Connection& connection : component_.connections) add_connection(connection);
        attach();
        find_rest();
        for (PlacedPart& placed : parts_) {
            if (auto added = add_meshes(placed); !added) return added;
            Json record = part_record(*placed.part);
            if (!placed.absent.empty()) record["absent_levels"] = placed.absent;
            context_.scene.nodes[placed.node].extras.json = to_text(record);
        }
        context_.file = text(input_.source.stem);
        note_findings();
        for (const AnimationInput* one : *animations) {
            if (auto added = add_motions(context_, *one, part_nodes_, ranges_); !added) return added;
        }
        return {};
    }

private:
    void note(std::string_view code, Severity severity, std::string path, std::string message, std::string found = {},
              std::string expected = {}) {
        context_.note(code, severity, std::move(path), std::move(message), std::move(found), std::move(expected));
    }

    Result<void> take_nodes() {
        std::uint64_t nodes = 1 + component_.lights.size();
        for (const Connection& connection : component_.connections) {
            nodes += 1 + 3 * connection.parts.size();
            for (const Part& part : connection.parts) nodes += part.lights.size();
        }
        return context_.take(nodes, sizeof(Node), "nodes");
    }

    Transform place(const Offset& offset) { return to_scene(offset, not_finite_); }

    Result<void> add_root() {
        root_ = context_.add_node(text(component_.name), no_index);
        const auto index = static_cast<std::size_t>(&component_ - input_.file.components.data());
        Json record = component_record(component_);
        record["file"] = {{"name", text(input_.source.stem)}, {"component", index}};
        const Bytes& xml = input_.file.text;
        if (index == 0 && !xml.empty()) {
            if (auto taken = context_.take(xml.size(), 3, "extras"); !taken) return taken;
            record["file"]["xml"] = json_text({reinterpret_cast<const char*>(xml.data()), xml.size()});
        }
        context_.scene.nodes[root_].extras.json = to_text(record);
        add_lights(context_, component_.lights, root_);
        return {};
    }

    void add_connection(const Connection& connection) {
        const Index node = context_.add_node(text(connection.name), no_index);
        context_.scene.nodes[node].local = place(connection.offset);
        context_.scene.nodes[node].extras.json = to_text(connection_record(connection));
        const std::size_t number = connection_nodes_.size();
        connection_nodes_.push_back(node);
        for (const Part& part : connection.parts) {
            add_part(part, node);
            connection_of_.try_emplace(lower(part.name), number);
            for (const AnimationRange& range : connection.animations) ranges_.push_back({lower(part.name), range});
            if (!part.wreck.empty()) wrecks_.insert(lower(part.wreck));
        }
    }

    void add_part(const Part& part, Index parent) {
        PlacedPart placed{&part, lower(part.name), no_index, false};
        placed.moves = moving_.contains(placed.name);
        const std::string name = text(part.name);
        if (part.offset && placed.moves) {
            // Tracks take the place of the part's own transform.
            parent = context_.add_node(name + ".offset", parent);
            context_.scene.nodes[parent].local = place(*part.offset);
            context_.scene.nodes[parent].extras.json = R"({"helper":true})";
        }
        placed.node = context_.add_node(name, parent);
        Node& node = context_.scene.nodes[placed.node];
        if (part.offset && !placed.moves) node.local = place(*part.offset);
        part_nodes_[placed.name].push_back(placed.node);
        add_lights(context_, part.lights, placed.node);
        parts_.push_back(std::move(placed));
    }

    /// Hangs each connection under the part that it names.
    void attach() {
        constexpr std::size_t none = ~std::size_t{0};
        NameList unknown, circles;
        std::vector<std::size_t> above(connection_nodes_.size(), none);
        for (std::size_t i = 0; i < above.size(); ++i) {
            const std::string& parent = component_.connections[i].parent;
            if (parent.empty() || lower(parent) == lower(component_.name)) continue;
            if (const auto found = connection_of_.find(lower(parent)); found != connection_of_.end()) {
                above[i] = found->second;
            } else {
                unknown.add(text(component_.connections[i].name) + " (" + text(parent) + ")");
            }
        }
        enum class State : std::uint8_t { untouched, open, done };
        std::vector<State> states(above.size(), State::untouched);
        for (std::size_t i = 0; i < above.size(); ++i) {
            std::vector<std::size_t> way;
            std::size_t here = i;
            for (; here != none && states[here] == State::untouched; here = above[here]) {
                states[here] = State::open;
                way.push_back(here);
            }
            if (here != none && states[here] == State::open) {
                circles.add(text(component_.connections[here].name));
                above[here] = none;
            }
            for (const std::size_t step : way) states[step] = State::done;
        }
        for (std::size_t i = 0; i < above.size(); ++i) {
            const Index parent =
                above[i] == none ? root_ : part_nodes_.at(lower(component_.connections[i].parent)).front();
            add_child(context_.scene, parent, connection_nodes_[i]);
        }
        if (!unknown.empty()) {
            note("connection-parent", Severity::warning, "connections",
                 "Connections name parents that are no parts; they hang at the component itself.", unknown.text());
        }
        if (!circles.empty()) {
            note(
                "connection-cycle", Severity::warning, "connections",
                "The parents of connections lead round in a circle; it is cut, and these hang at the component itself.",
                circles.text());
        }
    }

    /// Where each node of the component rests in the scene.
    void find_rest() {
        const Scene& scene = context_.scene;
        rest_.assign(scene.nodes.size() - root_, {});
        std::vector<Index> open{root_};
        while (!open.empty()) {
            const Node& node = scene.nodes[open.back()];
            const Transform above = node.parent == no_index ? Transform() : rest_[node.parent - root_];
            rest_[open.back() - root_] = combined(above, node.local);
            open.pop_back();
            open.insert(open.end(), node.children.begin(), node.children.end());
        }
    }
    [[nodiscard]] const Transform& rest_of(Index node) const { return rest_[node - root_]; }

    // Meshes.

    Result<void> add_meshes(PlacedPart& placed) {
        const Part& part = *placed.part;
        if (part.reference.empty()) return add_meshes(placed, part, folder_);
        auto borrowed = store_.borrow(part.reference);
        if (!borrowed) return fail(std::move(borrowed.error()));
        if (borrowed->part == nullptr) {
            unborrowed_[borrowed->problem].add(text(part.name));
            return {};
        }
        const MeshFolder folder(borrowed->component->geometry);
        return add_meshes(placed, *borrowed->part, folder);
    }

    /// `source` is the part itself, or the one it borrows from.
    Result<void> add_meshes(PlacedPart& placed, const Part& source, const MeshFolder& folder) {
        const bool is_wreck = wrecks_.contains(placed.name);
        auto levels = add_levels(placed, source, folder, is_wreck);
        if (!levels) return fail(std::move(levels.error()));
        auto collisions = add_collisions(placed, source.name, folder, is_wreck);
        if (!collisions) return fail(std::move(collisions.error()));
        if (!*levels && !*collisions) context_.nothing_there.add(text(placed.part->name));
        return source.wreck.empty() ? Result<void>() : add_wreck(placed, source, folder);
    }

    struct FoundLevel {
        std::uint32_t number = 0;
        std::size_t mesh = 0;
    };

    /// The levels that the XML names and those that are there without being named, in order.
    std::vector<FoundLevel> find_levels(const Part& source, const MeshFolder& folder, bool may_lack) {
        std::set<std::uint32_t> listed;
        for (const Lod& lod : source.lods) listed.insert(lod.index);
        std::vector<FoundLevel> found;
        const auto look = [&](std::uint32_t number) {
            const auto mesh = store_.find(folder, source.name + "-lod" + std::to_string(number));
            if (mesh) found.push_back({number, *mesh});
            return mesh.has_value();
        };
        for (const std::uint32_t number : listed) {
            if (!look(number) && !may_lack) missing_.add(text(source.name) + "-lod" + std::to_string(number));
        }
        for (std::uint32_t number = 0; listed.contains(number) || look(number); ++number) continue;
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
        return found;
    }

    Result<std::vector<Level>> load_levels(std::vector<FoundLevel> found, const std::string& part) {
        if (context_.options.lod >= 0 && !found.empty()) {
            std::vector<std::uint32_t> numbers;
            numbers.reserve(found.size());
            for (const FoundLevel& level : found) numbers.push_back(level.number);
            found = {found[choose_level(context_, part, numbers)]};
        }
        std::vector<Level> levels;
        for (const FoundLevel& level : found) {
            auto mesh = store_.load(level.mesh);
            if (!mesh) return fail(std::move(mesh.error()));
            if (*mesh != no_index) levels.push_back({level.number, *mesh});
        }
        // Parts may borrow the same many levels again and again.
        if (auto taken = context_.take(levels.size(), sizeof(Node), "nodes"); !taken)
            return fail(std::move(taken.error()));
        return levels;
    }

    /// Whether there are any.
    Result<bool> add_levels(PlacedPart& placed, const Part& source, const MeshFolder& folder, bool is_wreck) {
        const std::vector<FoundLevel> found = find_levels(source, folder, false);
        auto levels = load_levels(found, text(placed.part->name));
        if (!levels) return fail(std::move(levels.error()));
        context_.file = text(input_.source.stem);
        compare(placed, source, found, *levels);
        for (const Lod& lod : source.lods) {
            const bool here = std::any_of(levels->begin(), levels->end(),
                                          [&](const Level& level) { return level.number == lod.index; });
            if (!here) placed.absent.push_back(lod.index);
        }
        if (is_wreck) {
            place_wreck(*levels, placed, text(placed.part->name));
        } else {
            (void)place_levels(context_, text(placed.part->name), placed.node, *levels);
        }
        return !found.empty();
    }

    void place_wreck(const std::vector<Level>& levels, const PlacedPart& placed, const std::string& name) {
        const Index node = place_levels(context_, name, no_index, levels);
        if (node == no_index) return;
        Node& wreck = context_.scene.nodes[node];
        wreck.hidden = true;
        wreck.follows = placed.node;
        wreck.local = rest_of(placed.node);
        wreck.extras.json = to_text(Json{{"kind", "wreck"}, {"part", text(placed.part->name)}});
        // A level stands where the node stands that it replaces.
        for (const Index level : wreck.lods) {
            context_.scene.nodes[level].local = wreck.local;
            context_.scene.nodes[level].follows = wreck.follows;
        }
    }

    Result<bool> add_collisions(const PlacedPart& placed, const std::string& part, const MeshFolder& folder,
                                bool of_wreck) {
        bool any = false;
        for (int number = 0;; ++number) {
            const std::string stem = part + "-collision" + (number == 0 ? "" : std::to_string(number));
            const auto found = store_.find(folder, stem);
            // Only the first one may be missing where there are others.
            if (!found && number > 0) return any;
            if (!found) continue;
            any = true;
            auto mesh = store_.load(*found);
            if (!mesh) return fail(std::move(mesh.error()));
            if (*mesh == no_index) continue;
            if (auto taken = context_.take(1, sizeof(Node), "nodes"); !taken) return fail(std::move(taken.error()));
            const Index node = place_hidden(context_, text(stem), *mesh, placed.node, rest_of(placed.node));
            context_.scene.nodes[node].collision = !of_wreck;  // a wreck is not there yet, and nothing hits it
            Json extras{{"kind", "collision"}, {"part", text(placed.part->name)}};
            if (of_wreck) extras["wreck"] = true;
            context_.scene.nodes[node].extras.json = to_text(extras);
        }
    }

    Result<void> add_wreck(const PlacedPart& placed, const Part& source, const MeshFolder& folder) {
        // A wreck that is a part of its own has its meshes there.
        if (connection_of_.contains(lower(source.wreck))) return {};
        Part wreck;
        wreck.name = source.wreck;
        const std::vector<FoundLevel> found = find_levels(wreck, folder, true);
        if (found.empty()) missing_.add(text(source.wreck) + "-lod0");
        auto levels = load_levels(found, text(source.wreck));
        if (!levels) return fail(std::move(levels.error()));
        place_wreck(*levels, placed, text(source.wreck));
        auto collisions = add_collisions(placed, source.wreck, folder, true);
        if (!collisions) return fail(std::move(collisions.error()));
        return {};
    }

    // What the XML says about meshes, and what they are.

    void compare(const PlacedPart& placed, const Part& source, const std::vector<FoundLevel>& found,
                 const std::vector<Level>& levels) {
        for (const FoundLevel& level : found) compare_materials(source, level);
        const auto first = std::find_if(levels.begin(), levels.end(), [](const Level& one) { return one.number == 0; });
        if (first != levels.end()) compare_size(placed, context_.scene.meshes[first->mesh]);
    }

    void compare_materials(const Part& source, const FoundLevel& level) {
        const auto listed = std::find_if(source.lods.begin(), source.lods.end(),
                                         [&](const Lod& lod) { return lod.index == level.number; });
        const std::vector<std::string>& held = store_.materials(level.mesh);
        if (listed == source.lods.end() || held.empty()) return;
        std::vector<MaterialReference> references = listed->materials;
        std::stable_sort(references.begin(), references.end(),
                         [](const auto& a, const auto& b) { return a.id < b.id; });
        const bool same =
            std::equal(references.begin(), references.end(), held.begin(), held.end(),
                       [](const MaterialReference& one, const std::string& other) { return one.name == other; });
        if (same) return;
        other_materials_.add(text(source.name) + "-lod" + std::to_string(level.number));
    }

    /// Boxes of parts that move hold all of their movement, and those of effects say little.
    void compare_size(const PlacedPart& placed, const Mesh& mesh) {
        const Part& part = *placed.part;
        const bool is_effect = placed.name.starts_with("fx_") || placed.name.starts_with("anim_");
        if (!part.size || placed.moves || is_effect || !part.reference.empty()) return;
        const auto bounds = bounds_of(mesh);
        if (!bounds || alike(*bounds, *part.size)) return;
        note("size-differs", Severity::warning, "part " + text(part.name) + " / size",
             "The stated size is not that of the finest mesh.", box_text(*part.size), box_text(*bounds));
    }

    void note_findings() {
        for (const auto& [problem, names] : unborrowed_) {
            note("reference-missing", Severity::warning, "parts",
                 "Parts borrow their meshes, and " + problem +
                     "; they have none here. Meshes of the game are found with --game.",
                 names.text());
        }
        if (!other_materials_.empty()) {
            note("material-list-differs", Severity::info, "parts",
                 "The component lists other materials than these meshes have; the meshes decide what is drawn.",
                 other_materials_.text());
        }
        if (not_finite_ != 0) {
            note("not-finite-replaced", Severity::warning, "offsets", "Numbers that are not finite become 0.",
                 std::to_string(not_finite_) + " numbers");
        }
        if (!missing_.empty()) {
            note("mesh-missing", Severity::warning, "parts", "Meshes that the component names are not there.",
                 missing_.text(), component_.geometry.empty() ? "" : "in " + text(component_.geometry));
        }
        store_.remember(folder_);
    }

    Context& context_;
    Store& store_;
    const ComponentInput& input_;
    const Component& component_;
    MeshFolder folder_;
    bool is_only_;
    Index root_ = no_index;
    std::vector<Index> connection_nodes_;
    std::unordered_map<std::string, std::size_t> connection_of_;  ///< by the lower-case name of a part
    std::vector<PlacedPart> parts_;
    PartNodes part_nodes_;
    std::unordered_set<std::string> moving_, wrecks_;
    std::vector<NamedRange> ranges_;
    std::vector<Transform> rest_;  ///< in the scene, of the nodes from the root on
    NameList missing_, other_materials_;
    std::map<std::string, NameList> unborrowed_;  ///< parts by what is wrong with what they borrow
    std::uint64_t not_finite_ = 0;
};

}  // namespace

Result<void> add_components(Context& context, SceneInput& input) {
    Store store(context, input);
    std::size_t count = 0;
    for (const ComponentInput& one : input.components) count += one.file.components.size();
    for (const ComponentInput& one : input.components) {
        for (const Component& component : one.file.components) {
            ComponentBuilder builder(context, store, one, component, count == 1);
            if (auto added = builder.run(); !added) return added;
        }
    }
    context.file.clear();
    store.note_strays();
    store.note_unused_inputs();
    return {};
}

}  // namespace effigy::egosoft::bridge
