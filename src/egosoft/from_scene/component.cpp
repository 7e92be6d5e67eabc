/// A scene as a component: its meshes, its animations, and the XML that holds them together.

#include "egosoft/from_scene/component.hpp"

#include <algorithm>
#include <unordered_map>

#include "effigy/egosoft_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/text.hpp"
#include "egosoft/check/meshes.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "egosoft/to_scene/to_scene.hpp"

namespace effigy::egosoft::bridge {
namespace {

class ComponentMaker {
public:
    explicit ComponentMaker(Making& making) : making_(making) {}

    Result<NativeFiles> run() {
        if (auto taken = take_extras(); !taken) return fail(std::move(taken.error()));
        plan_ = make_plan(making_);
        if (plan_.connections.empty() && plan_.lights.empty() && plan_.root == no_index)
            return fail(nothing_to_show("The scene has no meshes, lights, or nodes that could be connections."));
        names_ = places_of(making_, plan_, making_.options.name, making_.options.folder);
        choose_class();
        for (PlannedConnection& connection : plan_.connections) {
            for (PlannedPart& part : connection.parts) {
                if (auto made = make_part(connection, part); !made) return fail(std::move(made.error()));
            }
        }
        if (auto made = make_motions(); !made) return fail(std::move(made.error()));
        auto xml = component_xml(making_, plan_, names_.xml, animations_);
        if (!xml) return fail(std::move(xml.error()));
        note();
        files_.files.insert(files_.files.begin(), {making_.options.name + ".xml", std::move(*xml)});
        files_.folder = names_.folder;
        return std::move(files_);
    }

private:
    Result<void> take_extras() {
        std::uint64_t size = 0;
        for (const Node& node : making_.scene.nodes) size += 500 + size_of(node.extras) + node.extras.other.size();
        return making_.take(size, 8, "extras");
    }

    void choose_class() {
        std::string& kind = names_.xml.class_name;
        if (plan_.root != no_index) {
            const auto property = property_of(making_.scene.nodes[plan_.root], "class");
            kind = property ? *property : text_at(plan_.record, "class").value_or("");
        }
        if (!kind.empty() || text_at(plan_.record, "kind") == "component") return;
        kind = class_by_folder(names_.folder);
        making_.note(
            codes::component_class, "nodes",
            "The class of the component is a guess by its folder. A custom property \"class\" of the root node "
            "says another one.",
            kind);
    }

    // --- meshes

    Result<void> make_part(const PlannedConnection& connection, PlannedPart& part) {
        if (const auto reference = text_at(part.record, "reference"); reference && !reference->empty()) {
            note_borrowed(part);
            part.levels.clear();
            return {};
        }
        if (auto made = make_levels(part.levels, part.name, part.known); !made) return made;
        if (part.wreck.empty()) part.wreck_collisions.clear();
        if (auto made = make_levels(part.wreck_levels, part.wreck, part.known); !made) return made;
        if (auto made = add_collision(connection, part); !made) return made;
        if (auto made = make_collisions(part.collisions, part.name, part.name); !made) return made;
        return make_collisions(part.wreck_collisions, part.wreck, std::string());
    }

    void note_borrowed(const PlannedPart& part) {
        const bool touched = std::any_of(part.levels.begin(), part.levels.end(),
                                         [&](const PlannedMesh& level) { return !is_kept(level.piece); });
        if (touched) borrowed_.add(part.name);
    }

    [[nodiscard]] bool is_kept(const Piece& piece) const {
        return making_.untouched(making_.scene.meshes[piece.mesh]) && piece.place == glm::dmat4(1);
    }

    /// Whether there is a mesh now; one without triangles is left out.
    Result<bool> make(PlannedMesh& mesh, const std::string& stem, bool collision, std::vector<xmf::File>& made) {
        const Index index = mesh.piece.mesh;
        const std::string path = "meshes[" + std::to_string(index) + "] " + making_.scene.meshes[index].name;
        auto file = make_mesh(making_, {mesh.piece}, collision, path);
        if (!file) {
            if (file.error().code != codes::nothing_to_show) return fail(std::move(file.error()));
            empty_.add(stem);
            return false;
        }
        mesh.box = checks::bounds_of(*file);
        mesh.triangles = 0;
        for (const xmf::Buffer& buffer : file->buffers) {
            if (xmf::is_index_buffer(buffer)) mesh.triangles += xmf::item_count(buffer) / 3;
        }
        for (const xmf::Material& material : file->materials) mesh.materials.emplace_back(xmf::name_of(material));
        mesh.kept = false;
        if (const auto record = mesh_record_from(making_.scene.meshes[index].extras)) {
            mesh.kept = is_kept(mesh.piece) && xmf::is_collision_mesh(record->file) == collision;
            const auto& old = record->file.materials;
            mesh.other_materials = !std::equal(
                old.begin(), old.end(), mesh.materials.begin(), mesh.materials.end(),
                [](const xmf::Material& one, const std::string& other) { return xmf::name_of(one) == other; });
        }
        made.push_back(std::move(*file));
        return true;
    }

    Result<void> make_levels(std::vector<PlannedMesh>& levels, const std::string& name, bool known) {
        std::vector<PlannedMesh> kept;
        std::vector<xmf::File> files;
        for (PlannedMesh& level : levels) {
            auto made = make(level, name + "-lod" + std::to_string(level.number), false, files);
            if (!made) return fail(std::move(made.error()));
            if (*made) kept.push_back(std::move(level));
        }
        const bool all_kept = std::all_of(kept.begin(), kept.end(), [](const PlannedMesh& one) { return one.kept; });
        if (!(known && all_kept)) put_in_order(kept, files, name, known);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (auto added = add(name + "-lod" + std::to_string(kept[i].number), files[i]); !added) return added;
        }
        levels = std::move(kept);
        return {};
    }

    /// Each level has fewer triangles than the one before, or it would save nothing.
    void put_in_order(std::vector<PlannedMesh>& levels, std::vector<xmf::File>& files, const std::string& name,
                      bool known) {
        std::vector<std::size_t> order(levels.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        if (!known) {
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return levels[a].triangles > levels[b].triangles; });
        }
        std::vector<PlannedMesh> ordered;
        std::vector<xmf::File> ordered_files;
        for (const std::size_t i : order) {
            if (!known && !ordered.empty() && ordered.back().triangles == levels[i].triangles) {
                equal_.add(name);
                continue;
            }
            const auto number = static_cast<std::uint32_t>(ordered.size());
            ordered.push_back(std::move(levels[i]));
            if (!known) ordered.back().number = number;
            ordered_files.push_back(std::move(files[i]));
        }
        levels = std::move(ordered);
        files = std::move(ordered_files);
    }

    /// Ships and shots pass through what has no collision mesh.
    void note_made(const PlannedPart& part) { made_collisions_.add(part.name); }
    Result<void> add_collision(const PlannedConnection& connection, PlannedPart& part) {
        if (!part.collisions.empty() || part.levels.empty()) return {};
        if (part.known && part.levels.front().kept) return {};
        std::string tags = property_of(making_.scene.nodes[connection.node], "tags").value_or("");
        if (const Json* list = member(connection.record, "tags"); tags.empty() && list != nullptr && list->is_array()) {
            for (const Json& tag : *list) tags += text_from_json(tag).value_or("") + " ";
        }
        if (!needs_collision(names_.xml.class_name, tags, part.name)) return {};
        part.collisions.push_back({0, part.levels.back().piece});
        note_made(part);
        return {};
    }

    Result<void> make_collisions(std::vector<PlannedMesh>& meshes, const std::string& name, const std::string& part) {
        bool changed = false;
        for (PlannedMesh& mesh : meshes) {
            const std::string stem = name + "-collision" + (mesh.number == 0 ? "" : std::to_string(mesh.number));
            std::vector<xmf::File> files;
            auto made = make(mesh, stem, true, files);
            if (!made) return fail(std::move(made.error()));
            if (!*made) continue;
            changed = changed || !mesh.kept;
            if (auto added = add(stem, files.front()); !added) return added;
        }
        if (changed && !part.empty()) new_shapes_.add(part);
        return {};
    }

    Result<void> add(const std::string& stem, const xmf::File& file) {
        auto bytes = xmf::write(file);
        if (!bytes) return fail(std::move(bytes.error()));
        const auto [known, is_new] = stems_.try_emplace(lower(stem), files_.files.size());
        if (!is_new) {
            // A file may have a part twice.
            if (files_.files[known->second].bytes != *bytes) twice_.add(stem);
            return {};
        }
        if (auto taken = making_.take(bytes->size(), 1, "a mesh"); !taken) return taken;
        files_.files.push_back({names_.data + "/" + stem + ".xmf", std::move(*bytes)});
        return {};
    }

    // --- animations

    Result<void> make_motions() {
        auto made = make_animations(making_, plan_.part_of, true);
        if (!made) return fail(std::move(made.error()));
        animations_ = std::move(*made);
        const bool had_file = !making_.scene.asset_extras.json.empty() &&
                              member(record_of(making_.scene.asset_extras), "animation_files") != nullptr;
        if (!animations_.animations.empty() || had_file) {
            auto bytes = ani::write(animations_);
            if (!bytes) return fail(std::move(bytes.error()));
            std::string name = names_.data;
            std::transform(name.begin(), name.end(), name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
            files_.files.push_back({name + ".ANI", std::move(*bytes)});
        }
        sweep();
        return {};
    }

    /// What parts go through whose mesh or whose animations are not as they were.
    void sweep() {
        const bool same_clips = std::all_of(making_.scene.clips.begin(), making_.scene.clips.end(),
                                            [&](const Clip& clip) { return making_.untouched(clip); });
        std::unordered_map<std::string, PlannedPart*> parts;
        for (PlannedConnection& connection : plan_.connections) {
            for (PlannedPart& part : connection.parts) {
                if (!part.moves || part.levels.empty()) continue;
                const bool is_new = !part.known || !part.levels.front().kept;
                if (is_new || !same_clips) parts.emplace(lower(part.name), &part);
            }
        }
        for (const ani::Animation& animation : animations_.animations) {
            const auto found = parts.find(lower(text(ani::part_of(animation))));
            if (found == parts.end() || !found->second->levels.front().box) continue;
            const Box& box = *found->second->levels.front().box;
            std::optional<Box>& swept = found->second->swept;
            if (!swept) swept = box;
            bridge::sweep(swept, box, animation);
        }
    }

    // --- the end

    void note(const Code& code, const NameList& names, const char* path, std::string message) {
        if (!names.empty()) making_.note(code, path, std::move(message), names.text());
    }

    void note() {
        note(codes::component_borrowed, borrowed_, "parts",
             "These parts borrow their meshes from other components and go on doing so; their meshes here are not "
             "written. Take \"reference\" out of their extras to give them meshes of their own.");
        note(codes::component_mesh_empty, empty_, "meshes",
             "These meshes have no triangles with an area; they are left out.");
        note(codes::component_level_equal, equal_, "parts",
             "Levels of detail with as many triangles as the level before save nothing; they are left out.");
        note(codes::component_file_twice, twice_, "parts",
             "Two meshes would get these names; the first ones are written. Rename a part.");
        note(codes::component_collision_made, made_collisions_, "parts",
             "These parts have no collision mesh and got one, out of their coarsest level. Add a mesh "
             "<part>-collision, or a custom property \"tags\" with \"part nocollision\" for what nothing hits.");
        if (making_.options.target != Target::x_rebirth) {
            note(codes::component_jcs, new_shapes_, "parts",
                 "X4 6.0 and later use baked shapes (<part>-hull.jcs, <part>-mesh.jcs) for collisions, which only the "
                 "game's own tool can make, for one version of the game each. These parts have new collision meshes: "
                 "delete their old .jcs files, which no longer fit, and bake new ones.");
        }
        making_.note_once();
    }

    Making& making_;
    Plan plan_;
    ComponentPlaces names_;
    ani::File animations_;
    NativeFiles files_;
    std::unordered_map<std::string, std::size_t> stems_;  ///< places in files_
    NameList borrowed_, empty_, equal_, twice_, made_collisions_, new_shapes_;
};

}  // namespace

Result<NativeFiles> make_component(Making& making) {
    if (making.options.collection.empty()) making.options.collection = making.options.name;
    return ComponentMaker(making).run();
}

bool needs_collision(std::string_view class_name, std::string_view tags, std::string_view part) noexcept {
    for (const std::string_view kind : {"bullet", "effectobject", "effect", "lensflare"}) {
        if (class_name == kind) return false;
    }
    for (std::size_t start = 0; start < tags.size();) {
        const std::size_t end = std::min(tags.find_first_of(" \t\r\n", start), tags.size());
        const std::string_view tag = tags.substr(start, end - start);
        if (tag == "nocollision" || tag == "fx") return false;
        start = end + 1;
    }
    return !part.starts_with("fx_");
}

}  // namespace effigy::egosoft::bridge
