/// A scene as a component: its meshes, its animations, and the XML that holds them together.

#include "egosoft/from_scene/component.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "effigy/egosoft_codes.hpp"

#include "core/text.hpp"
#include "egosoft/file/formats.hpp"
#include "egosoft/file/vertex_elements.hpp"
#include "egosoft/from_scene/motions.hpp"
#include "egosoft/from_scene/xml.hpp"

namespace effigy::egosoft::bridge {
namespace {

/// The files of a component's meshes, and what was found while they were made.
struct MeshOutput {
    Context& context;
    const ComponentPlaces& places;
    std::vector<NamedFile> files{};
    std::unordered_map<std::string, std::size_t> stems{};  ///< places in `files`
    NameList borrowed{}, empty{}, equal{}, twice{}, made_collisions{}, new_shapes{};
};

std::string class_of(Context& context, const Plan& plan, const std::string& folder) {
    std::string kind = stated_class(context, plan);
    if (!kind.empty() || text_at(plan.record, "kind") == "component") return kind;
    kind = class_by_folder(folder);
    context.note(codes::component_class, "nodes",
                 "The class of the component is a guess by its folder. A custom property \"class\" of the root node "
                 "says another one.",
                 kind);
    return kind;
}

/// In all 43 engines of X4's mods nothing hits the parts.
void tag_new_parts(const Context& context, const std::string& class_name, Plan& plan) {
    if (class_name != "engine" || context.options.target == Target::x_rebirth) return;
    for (PlannedConnection& connection : plan.connections) {
        const bool has_tags = connection.known || property_of(context.scene.nodes[connection.node], "tags");
        if (!has_tags && !connection.parts.empty()) connection.tags += " nocollision";
    }
}

/// What has become of another class is tied to the game by that: in place of the old one's tags `space` has the new
/// one's.
void retag_space(const Context& context, const std::string& class_name, Plan& plan) {
    const std::string was = text_at(plan.record, "class").value_or("");
    if (was.empty() || was == class_name) return;
    const ExpectedConnection tie = expected_connections(class_name, false).back();
    const std::string old_tags = expected_connections(was, false).back().tags;
    for (PlannedConnection& connection : plan.connections) {
        const bool is_tie = connection.known && lower(connection.name) == tie.name && has_tag(connection.tags, was);
        if (!is_tie || property_of(context.scene.nodes[connection.node], "tags")) continue;
        std::istringstream words(connection.tags);
        connection.tags = tie.tags;
        for (std::string word; words >> word;) {
            if (!has_tag(old_tags, word) && !has_tag(tie.tags, word)) connection.tags += " " + word;
        }
    }
}

// --- meshes

bool is_kept(const Context& context, const PlannedMesh& mesh) {
    const Piece& piece = mesh.pieces.front();
    return mesh.pieces.size() == 1 && context.untouched(context.scene.meshes[piece.mesh]) &&
           piece.place == glm::dmat4(1);
}

/// What the plan knows of a mesh once it is made.
void describe(const Context& context, const xmf::File& file, bool collision, PlannedMesh& mesh) {
    mesh.box = box_of(file);
    for (const xmf::Buffer& buffer : file.buffers) {
        if (xmf::is_index_buffer(buffer)) mesh.triangles += xmf::item_count(buffer) / 3;
    }
    for (const xmf::Material& material : file.materials) mesh.materials.emplace_back(xmf::name_of(material));
    const auto record = mesh_record_from(context.scene.meshes[mesh.pieces.front().mesh].extras);
    if (!record) return;
    mesh.kept = is_kept(context, mesh) && xmf::is_collision_mesh(record->file) == collision;
    const auto& old = record->file.materials;
    // What the XML lists is of the level that had the number.
    mesh.other_materials =
        mesh.has_new_number ||
        !std::equal(old.begin(), old.end(), mesh.materials.begin(), mesh.materials.end(),
                    [](const xmf::Material& one, const std::string& other) { return xmf::name_of(one) == other; });
}

/// Nothing for one without triangles, which is left out.
Result<std::optional<xmf::File>> made_file(MeshOutput& to, PlannedMesh& mesh, const std::string& stem, bool collision) {
    const Index index = mesh.pieces.front().mesh;
    const std::string path = "meshes[" + std::to_string(index) + "] " + to.context.scene.meshes[index].name;
    const std::uint64_t used = to.context.budget.used();
    auto file = make_mesh(to.context, mesh.pieces, collision, path);
    to.context.budget.give_back(to.context.budget.used() - used);  // what is written counts when it is
    if (file) {
        describe(to.context, *file, collision, mesh);
        return std::move(*file);
    }
    if (file.error().code != codes::nothing_to_show) return fail(std::move(file.error()));
    to.empty.add(stem);
    return std::nullopt;
}

Result<void> add_file(MeshOutput& to, const std::string& stem, const xmf::File& file) {
    auto bytes = xmf::write(file);
    if (!bytes) return fail(std::move(bytes.error()));
    const auto [known, is_new] = to.stems.try_emplace(lower(stem), to.files.size());
    if (!is_new) {
        // A file may have a part twice.
        if (to.files[known->second].bytes != *bytes) to.twice.add(stem);
        return {};
    }
    if (auto taken = to.context.take(bytes->size(), 1, "a mesh"); !taken) return taken;
    to.files.push_back({to.places.data + "/" + stem + ".xmf", std::move(*bytes)});
    return {};
}

struct MadeLevel {
    PlannedMesh mesh;
    xmf::File file;
};

/// Each level has fewer triangles than the one before, or it would save nothing.
std::vector<MadeLevel> in_order(std::vector<MadeLevel> levels, const std::string& name, NameList& equal) {
    std::stable_sort(levels.begin(), levels.end(),
                     [](const MadeLevel& a, const MadeLevel& b) { return a.mesh.triangles > b.mesh.triangles; });
    std::vector<MadeLevel> ordered;
    for (MadeLevel& level : levels) {
        if (!ordered.empty() && ordered.back().mesh.triangles == level.mesh.triangles) {
            equal.add(name);
            continue;
        }
        level.mesh.number = static_cast<std::uint32_t>(ordered.size());
        ordered.push_back(std::move(level));
    }
    return ordered;
}

/// Those of a known part keep their numbers.
Result<void> make_levels(MeshOutput& to, std::vector<PlannedMesh>& levels, const std::string& name, bool known) {
    std::vector<MadeLevel> made;
    for (PlannedMesh& level : levels) {
        auto file = made_file(to, level, name + "-lod" + std::to_string(level.number), false);
        if (!file) return fail(std::move(file.error()));
        if (*file) made.push_back({std::move(level), std::move(**file)});
    }
    if (!known) made = in_order(std::move(made), name, to.equal);
    levels.clear();
    for (MadeLevel& level : made) {
        if (auto added = add_file(to, name + "-lod" + std::to_string(level.mesh.number), level.file); !added)
            return added;
        levels.push_back(std::move(level.mesh));
    }
    return {};
}

/// Ships and shots pass through what has no collision mesh. The games' own tools take the finest level.
void add_collision(MeshOutput& to, const PlannedConnection& connection, PlannedPart& part) {
    if (!to.context.options.makes_collision || !part.collisions.empty() || part.levels.empty() ||
        (!part.is_new && part.levels.front().kept))
        return;
    if (is_effect(to.places.xml.class_name, part.name) || has_tag(connection.tags, "nocollision") ||
        has_tag(connection.tags, "fx"))
        return;
    part.collisions.push_back({0, part.levels.front().pieces});
    to.made_collisions.add(part.name);
}

void add_wreck_collision(MeshOutput& to, PlannedPart& part) {
    if (!to.context.options.makes_collision || !part.wreck_collisions.empty() || part.wreck_levels.empty()) return;
    if (member(part.record, "wreck") != nullptr) return;  // a wreck that had none does without
    part.wreck_collisions.push_back({0, part.wreck_levels.front().pieces});
    to.made_collisions.add(part.wreck);
}

/// Whether any of them is not as it was.
Result<bool> make_collisions(MeshOutput& to, std::vector<PlannedMesh>& meshes, const std::string& name) {
    bool changed = false;
    for (PlannedMesh& mesh : meshes) {
        const std::string stem = name + "-collision" + (mesh.number == 0 ? "" : std::to_string(mesh.number));
        auto file = made_file(to, mesh, stem, true);
        if (!file) return fail(std::move(file.error()));
        if (!*file) continue;
        changed = changed || !mesh.kept;
        if (auto added = add_file(to, stem, **file); !added) return fail(std::move(added.error()));
    }
    return changed;
}

Result<void> make_part(MeshOutput& to, const PlannedConnection& connection, PlannedPart& part) {
    if (const auto reference = text_at(part.record, "reference"); reference && !reference->empty()) {
        const bool touched = std::any_of(part.levels.begin(), part.levels.end(),
                                         [&](const PlannedMesh& level) { return !is_kept(to.context, level); });
        if (touched) to.borrowed.add(part.name);
        part.levels.clear();
        return {};
    }
    if (auto made = make_levels(to, part.levels, part.name, part.known); !made) return made;
    if (part.wreck.empty()) part.wreck_collisions.clear();
    if (auto made = make_levels(to, part.wreck_levels, part.wreck, part.known); !made) return made;
    add_collision(to, connection, part);
    const auto changed = make_collisions(to, part.collisions, part.name);
    if (!changed) return fail(changed.error());
    if (*changed) to.new_shapes.add(part.name);
    add_wreck_collision(to, part);
    const auto of_wreck = make_collisions(to, part.wreck_collisions, part.wreck);
    return of_wreck ? Result<void>() : fail(of_wreck.error());
}

void note_findings(const MeshOutput& found) {
    Context& context = found.context;
    context.note_any(
        found.borrowed, codes::component_borrowed, "parts",
        "These parts borrow their meshes from other components and go on doing so; their meshes here are not "
        "written. Take \"reference\" out of their extras to give them meshes of their own.");
    context.note_any(found.empty, codes::component_mesh_empty, "meshes",
                     "These meshes have no triangles with an area; they are left out.");
    context.note_any(found.equal, codes::component_level_equal, "parts",
                     "Levels of detail with as many triangles as the level before save nothing; they are left out.");
    context.note_any(found.twice, codes::component_file_twice, "parts",
                     "Two meshes would get these names; the first ones are written. Rename a part.");
    context.note_any(found.made_collisions, codes::component_collision_made, "parts",
                     "These parts have no collision mesh and got one, out of their finest level. Add a mesh "
                     "<part>-collision, choose another with --collision, or write a custom property \"tags\" with "
                     "\"part nocollision\" for what nothing hits.");
    if (context.options.target == Target::x_rebirth) return;
    context.note_any(
        found.new_shapes, codes::component_jcs, "parts",
        "X4 6.0 and later use baked shapes (<part>-hull.jcs, <part>-mesh.jcs) for collisions, which only the "
        "game's own tool can make, for one version of the game each. These parts have new collision meshes: "
        "delete their old .jcs files, which no longer fit, and bake new ones.");
}

// --- animations

/// What parts go through: those whose mesh is not as it was while anything moves them, others where keys are new.
void sweep_parts(const MadeAnimations& made, Plan& plan) {
    std::unordered_multimap<std::string, PlannedPart*> parts;
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) {
            if (part.moves && !part.levels.empty() && part.levels.front().box) parts.emplace(lower(part.name), &part);
        }
    }
    for (std::size_t i = 0; i < made.file.animations.size(); ++i) {
        const ani::Animation& animation = made.file.animations[i];
        const auto [first, last] = parts.equal_range(lower(text(ani::part_of(animation))));
        for (auto found = first; found != last; ++found) {
            PlannedPart& part = *found->second;
            const Box& box = *part.levels.front().box;
            const bool has_new_mesh = !part.known || !part.levels.front().kept;
            if (!has_new_mesh && !made.is_new[i]) continue;
            if (has_new_mesh && !part.swept) part.swept = box;
            sweep(part.swept, box, animation);
        }
    }
}

/// Parts of the file that move for the first time say so as new ones do. What a file moves without the tag has ranges.
void tag_new_movers(const Context& context, const MadeAnimations& made, Plan& plan) {
    std::unordered_set<std::string> with_new_keys;
    for (std::size_t i = 0; i < made.file.animations.size(); ++i) {
        if (made.is_new[i]) with_new_keys.insert(part_state(made.file.animations[i]).first);
    }
    for (PlannedConnection& connection : plan.connections) {
        if (connection.old == nullptr || !connection.old->thing->animations.empty() ||
            has_tag(connection.tags, "animation"))
            continue;
        bool has_any = false;
        for (PlannedPart& part : connection.parts) {
            part.is_new_mover = part.moves && part.old != nullptr && with_new_keys.contains(lower(part.name));
            has_any = has_any || part.is_new_mover;
        }
        const bool has_own_tags = property_of(context.scene.nodes[connection.node], "tags").has_value();
        if (has_any && !has_own_tags) connection.tags += connection.tags.empty() ? "animation" : " animation";
    }
}

/// In capitals, as the games' own tools have it; X4's mods are read from disks whose names have case, too.
std::string animation_name(std::string folder, const FromSceneOptions& options) {
    if (options.for_mod && options.target != Target::x_rebirth) return lower(folder) + ".ani";
    std::transform(folder.begin(), folder.end(), folder.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return folder + ".ANI";
}

}  // namespace

std::string stated_class(const Context& context, const Plan& plan) {
    std::string kind = context.options.class_name;
    if (kind.empty() && plan.root != no_index) {
        const auto property = property_of(context.scene.nodes[plan.root], "class");
        kind = property ? *property : text_at(plan.record, "class").value_or("");
    }
    return kind == "prop" ? "destructible" : kind;
}

Result<NativeFiles> make_component(Context& context, Plan plan) {
    if (plan.connections.empty() && plan.lights.empty() && plan.root == no_index)
        return fail(nothing_to_show("The scene has no meshes, lights, or nodes that could be connections."));
    ComponentPlaces places = places_of(context, plan, context.options.name, context.options.folder);
    places.xml.class_name = class_of(context, plan, places.folder);
    tag_new_parts(context, places.xml.class_name, plan);
    retag_space(context, places.xml.class_name, plan);
    const auto document = component_document(context, plan);
    if (!document) return fail(document.error());
    MeshOutput meshes{context, places};
    for (PlannedConnection& connection : plan.connections) {
        for (PlannedPart& part : connection.parts) {
            if (auto made = make_part(meshes, connection, part); !made) return fail(std::move(made.error()));
        }
    }
    const auto animations = make_animations(context, plan.part_of, &plan);
    if (!animations) return fail(animations.error());
    sweep_parts(*animations, plan);
    tag_new_movers(context, *animations, plan);
    const bool moves = !animations->file.animations.empty() || has_old_animations(context, &plan);
    // A component that names no folder does without one as long as it has nothing in it.
    const bool has_folder = !text_at(plan.record, "geometry").value_or("").empty();
    if (text_at(plan.record, "kind") == "component" && !has_folder && meshes.files.empty() && !moves)
        places.xml.geometry.clear();
    auto xml = component_xml(context, *document, plan, places.xml, *animations);
    if (!xml) return fail(std::move(xml.error()));
    note_findings(meshes);
    NativeFiles result{.files = std::move(meshes.files), .folder = places.folder};
    result.files.insert(result.files.begin(), {context.options.name + ".xml", std::move(*xml)});
    if (!moves) return result;
    auto bytes = ani::write(animations->file);
    if (!bytes) return fail(std::move(bytes.error()));
    result.files.push_back({animation_name(places.data, context.options), std::move(*bytes)});
    return result;
}

void add_files(Context& context, std::vector<NamedFile>& to, std::vector<NamedFile> more) {
    NameList twice;
    for (NamedFile& file : more) {
        const auto [known, is_new] = context.file_places.try_emplace(lower(file.name), to.size());
        if (!is_new && to[known->second].bytes != file.bytes) twice.add(file.name);
        if (is_new) to.push_back(std::move(file));
    }
    context.note_any(twice, codes::component_file_twice, "parts",
                     "Several components would write these meshes; the first one's are written. Rename a part.");
}

namespace {

/// Of a component whose file nobody has named.
std::string file_name_of(const Context& context, const Plan& plan) {
    const std::string& name = context.scene.nodes[plan.root].name;
    const Json* const file = member(plan.record, "file");
    const bool was_called_so = file != nullptr && text_at(*file, "name") == name;
    return plain_name(was_called_so ? name : name_of_copy(name), "component");
}

/// The file of a component that others may join.
struct XmlFile {
    std::size_t place = 0;  ///< of the component
    std::string name;
};

}  // namespace

Result<std::vector<NativeFiles>> make_components(Context& context,
                                                 const std::function<void(const Plan&, FromSceneOptions&)>& prepare) {
    std::uint64_t size = 0;
    for (const Node& node : context.scene.nodes) size += 500 + size_of(node.extras) + node.extras.other.size();
    if (auto taken = context.take(size, 8, "extras"); !taken) return fail(std::move(taken.error()));
    if (context.options.collection.empty()) context.options.collection = context.options.name;
    const FromSceneOptions options = context.options;
    std::vector<NativeFiles> made;
    UniqueNames names(UniqueNames::Case::is_ignored);
    if (!options.for_mod) names.take(options.name);
    std::map<const SourceText*, XmlFile> file_of;
    PlanNodes nodes = plan_nodes(context.scene, options.for_mod);
    const std::size_t count = std::max<std::size_t>(nodes.roots.size(), 1);
    for (std::size_t number = 0; number < count; ++number) {
        context.options = options;
        choose_component(nodes, number);
        Plan plan = make_plan(context, nodes);
        const bool joins = joins_others(context, plan);
        // A file is called as its user says, entries of a mod as they are called.
        if (joins) {
            context.options.name = file_of.at(plan.text).name;
        } else if (number > 0 || (count > 1 && options.for_mod)) {
            context.options.name = names.add(file_name_of(context, plan));
        }
        prepare(plan, context.options);
        if (!context.documents.contains(plan.text)) file_of[plan.text] = {made.size(), context.options.name};
        auto one = make_component(context, std::move(plan));
        if (!one) return fail(std::move(one.error()));
        if (joins) one->files.erase(one->files.begin());
        made.push_back(std::move(*one));
    }
    for (const auto& [text, document] : context.documents)
        made[file_of.at(text).place].files.front().bytes = document->bytes();
    context.note_once();
    return made;
}

}  // namespace effigy::egosoft::bridge
