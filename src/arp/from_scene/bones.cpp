/// The skeleton of an avatar: the bone ROOT, names of four characters, order. Rules: docs/conversion/arp.md, "From a
/// scene".

#include <algorithm>
#include <cmath>

#include "effigy/arp_codes.hpp"

#include "arp/file/layout_arp.hpp"
#include "arp/file/names.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/json_fields.hpp"
#include "core/problem.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::arp::native {
namespace {

/// Bones, parents first, and codes of those that are recognised by what they are called elsewhere.
struct BoneList {
    std::vector<BoneDraft> bones;
    std::vector<std::string> codes;
};

/// Names of bones, by what becomes of them.
struct BoneFindings {
    NameList added, joined, beside, meshes, renamed;
};

Diagnostic too_many_bones(std::size_t count) {
    return problem_at("bones", codes::arp_too_many_bones,
                      "the figure has more bones than there are names of four characters for; remove those that "
                      "hold nothing",
                      std::to_string(count), "at most " + std::to_string(max_names));
}

std::string name_of(const Scene& scene, const BoneDraft& bone) {
    return bone.node == no_index ? bone.code : scene.nodes[bone.node].name;
}

/// As the bone stood in its file.
void store(Build& build, const Json& record, BoneDraft& bone) {
    Bone stored;
    const bool is_read = layout::read_json_fields(record, build.budget, build.options.limits,
                                                  [&](auto& visitor) { layout_rest(visitor, stored); });
    if (!is_read) return;
    stored.name = text_at(record, "name").value_or("");
    bone.recorded = std::move(stored);
    if (build.untouched(build.source.nodes[bone.node])) bone.stored = bone.recorded;
}

std::vector<BoneDraft> list_bones(Build& build, const Tree& tree, const BoneNodes& nodes) {
    const Scene& scene = build.source;
    std::vector<BoneDraft> bones;
    std::vector<std::size_t> bone_of_node(scene.nodes.size(), none);  // the node's own or the nearest above it
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        std::size_t& own = bone_of_node[node];
        own = parent < bone_of_node.size() ? bone_of_node[parent] : none;
        if (!nodes.is_bone[node]) continue;
        BoneDraft bone;
        bone.node = node;
        bone.parent = own;
        own = bones.size();
        bones.push_back(std::move(bone));
    }
    for (const RecordedBone& found : nodes.recorded) {
        BoneDraft& bone = bones[bone_of_node[found.node]];
        bone.is_known = true;
        bone.number = *whole_in(found.record, "bone");
        bone.old_code = text_at(found.record, "code").value_or("");
        if (bone.old_code == scene.nodes[found.node].name) bone.old_code.clear();
        store(build, found.record, bone);
    }
    return bones;
}

std::vector<std::string> codes_elsewhere(const Build& build, const std::vector<BoneDraft>& bones,
                                         const std::vector<bool>& moves) {
    NamedBones named;
    for (const BoneDraft& bone : bones) {
        named.names.push_back(name_of(build.source, bone));
        named.parents.push_back(bone.parent);
        named.moves.push_back(moves[bone.node]);
    }
    return human_codes(build, named);
}

/// The bone that is ROOT; where none can be, one is added.
std::size_t find_root(const Tree& tree, BoneList& list, NameList& added) {
    const auto found = std::find(list.codes.begin(), list.codes.end(), "ROOT");
    if (found != list.codes.end()) return static_cast<std::size_t>(found - list.codes.begin());
    glm::dvec3 sum(0);
    double tops = 0;
    for (const BoneDraft& bone : list.bones) {
        if (bone.parent != none) continue;
        sum += glm::dvec3(tree.worlds[bone.node][3]);
        ++tops;
    }
    if (tops == 1) return 0;  // the first one is above all others
    BoneDraft root;
    if (tops > 0 && is_finite(sum)) root.rest.translation = sum / tops;
    root.rest.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};  // x up, z ahead
    list.bones.push_back(std::move(root));
    list.codes.emplace_back();
    added.add("ROOT");
    return list.bones.size() - 1;
}

/// What is above ROOT becomes part of it; what is beside it hangs on it.
BoneList hang_on(std::size_t root, BoneList all, const Scene& scene, BoneFindings& findings) {
    std::vector<bool> dropped(all.bones.size());
    for (std::size_t i = all.bones[root].parent; i != none; i = all.bones[i].parent) {
        dropped[i] = true;
        findings.joined.add(name_of(scene, all.bones[i]));
    }
    BoneList kept;
    kept.bones.push_back(std::move(all.bones[root]));
    kept.bones.front().parent = none;
    kept.codes.emplace_back("ROOT");
    std::vector<std::size_t> places(all.bones.size(), 0);
    for (std::size_t i = 0; i < all.bones.size(); ++i) {
        if (dropped[i] || i == root) continue;
        places[i] = kept.bones.size();
        BoneDraft& bone = kept.bones.emplace_back(std::move(all.bones[i]));
        kept.codes.push_back(std::move(all.codes[i]));
        const bool is_beside = bone.parent == none || dropped[bone.parent];
        if (is_beside) {
            findings.beside.add(name_of(scene, bone));
            bone.stored.reset();
        }
        bone.parent = is_beside ? 0 : places[bone.parent];
    }
    return kept;
}

/// Meshes that are on no bone and below none, beside a figure that has some.
NameList meshes_beside(const Scene& scene, const Tree& tree, const BoneNodes& nodes,
                       const std::vector<DrawnMesh>& drawn) {
    NameList beside;
    std::vector<bool> held = nodes.is_bone;
    if (std::find(held.begin(), held.end(), true) == held.end()) return beside;
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        if (parent < held.size() && held[parent]) held[node] = true;
    }
    for (const DrawnMesh& one : drawn) {
        if (one.skin != no_index || held[one.node]) continue;
        const std::string& name = scene.nodes[one.node].name;
        beside.add(name.empty() ? scene.meshes[one.mesh].name : name);
    }
    return beside;
}

std::size_t place_of(const std::vector<BoneDraft>& bones, std::string_view code) {
    for (std::size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].code == code) return i;
    }
    return none;
}

/// Of the bones in the middle that nobody has named (above a head's joint are brows, ears, hair); ROOT if there are
/// none.
std::size_t highest(const Scene& scene, const Tree& tree, const BoneList& list) {
    std::size_t best = 0;
    const auto height = [&](std::size_t i) { return tree.worlds[list.bones[i].node][3].y; };
    for (std::size_t i = 1; i < list.bones.size(); ++i) {
        if (!list.codes[i].empty() || list.bones[i].node == no_index || has_side(name_of(scene, list.bones[i])))
            continue;
        if (best == 0 || height(i) > height(best)) best = i;
    }
    return best;
}

std::vector<BoneDraft> with_codes(BoneList list, const Scene& scene, const Tree& tree, bool is_avatar,
                                  NameList& renamed) {
    std::vector<BoneDraft>& bones = list.bones;
    Codes codes(Codes::Kind::bones);
    const auto give = [&](std::size_t i, const std::string& code) {
        if (!code.empty() && bones[i].code.empty() && codes.take(code)) bones[i].code = code;
    };
    give(0, "ROOT");
    // One that players ask for keeps its name in the file, whatever it is called now, unless another is called so.
    const auto is_name = [&](const std::string& code) {
        return std::ranges::any_of(bones, [&](const BoneDraft& bone) { return name_of(scene, bone) == code; });
    };
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const std::string& old = bones[i].old_code;
        if ((old == "HEAD" || is_twisted_arm(old)) && !is_name(old)) give(i, old);
    }
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const BoneDraft& bone = bones[i];
        if (bone.is_known && Codes::fits(name_of(scene, bone))) give(i, name_of(scene, bone));
    }
    for (std::size_t i = 0; i < bones.size(); ++i) give(i, list.codes[i]);
    if (!is_avatar && place_of(bones, "HEAD") == none) give(highest(scene, tree, list), "HEAD");
    for (BoneDraft& bone : bones) {
        if (bone.code.empty()) bone.code = codes.of(name_of(scene, bone));
        if (bone.code != name_of(scene, bone)) renamed.add(name_of(scene, bone));
    }
    return std::move(list.bones);
}

/// Bones that players ask for by name.
void add_needed(std::vector<BoneDraft>& bones, NameList& added) {
    const auto add = [&](std::string_view code, std::size_t parent) {
        if (place_of(bones, code) != none) return;
        BoneDraft& bone = bones.emplace_back();
        bone.code = code;
        bone.parent = parent;
        added.add(bone.code);
    };
    const auto first_of = [&](std::initializer_list<std::string_view> wanted) {
        for (const std::string_view code : wanted) {
            if (const std::size_t place = place_of(bones, code); place != none) return place;
        }
        return std::size_t{0};
    };
    add("HEAD", first_of({"NEC1", "SPI3", "SPI2", "SPI1"}));
    for (const std::string side : {"L", "R"}) {
        add(side + "UPA", first_of({side + "CLR", "SPI3", "SPI2", "SPI1"}));
        add(side + "LRA", place_of(bones, side + "UPA"));
    }
}

/// As the avatar had them, new ones behind; nothing if that is not parents first.
std::vector<std::size_t> order_by_number(const std::vector<BoneDraft>& bones) {
    std::vector<std::size_t> order(bones.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto number = [&](std::size_t i) { return bones[i].is_known ? std::uint64_t{bones[i].number} : UINT64_MAX; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return number(a) < number(b); });
    std::vector<bool> seen(order.size());
    for (const std::size_t i : order) {
        if (bones[i].parent != none && !seen[bones[i].parent]) return {};
        seen[i] = true;
    }
    return bones[order.front()].parent == none ? order : std::vector<std::size_t>{};
}

/// Each bone followed by all below it.
std::vector<std::size_t> order_by_tree(const std::vector<BoneDraft>& bones) {
    std::vector<std::vector<std::size_t>> children(bones.size());
    for (std::size_t i = bones.size(); i-- > 0;) {
        if (bones[i].parent != none) children[bones[i].parent].push_back(i);
    }
    std::vector<std::size_t> order, open{0};
    while (!open.empty()) {
        const std::size_t bone = open.back();
        open.pop_back();
        order.push_back(bone);
        open.insert(open.end(), children[bone].begin(), children[bone].end());
    }
    return order;
}

std::vector<BoneDraft> in_order(std::vector<BoneDraft> bones) {
    std::vector<std::size_t> order = order_by_number(bones);
    if (order.empty()) order = order_by_tree(bones);
    std::vector<std::size_t> places(bones.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[order[i]] = i;
    std::vector<BoneDraft> sorted;
    for (const std::size_t i : order) {
        BoneDraft& bone = sorted.emplace_back(std::move(bones[i]));
        if (bone.parent != none) bone.parent = places[bone.parent];
    }
    return sorted;
}

std::vector<std::size_t> bones_of_nodes(const Scene& scene, const Tree& tree, const std::vector<BoneDraft>& bones) {
    std::vector<std::size_t> bone_of_node(scene.nodes.size(), 0), own(scene.nodes.size(), none);
    for (std::size_t i = 0; i < bones.size(); ++i) {
        if (bones[i].node != no_index) own[bones[i].node] = i;
    }
    for (const Index node : tree.order) {
        const Index parent = scene.nodes[node].parent;
        const std::size_t above = parent < own.size() ? bone_of_node[parent] : 0;
        bone_of_node[node] = own[node] != none ? own[node] : above;
    }
    return bone_of_node;
}

bool is_in_place(const Scene& scene, const Tree& tree, const std::vector<BoneDraft>& bones, const BoneDraft& bone) {
    constexpr double rounding = 1e-6;
    const Transform& local = scene.nodes[bone.node].local;
    const Frame above = bone.parent == none ? Frame{} : bones[bone.parent].rest;
    const Frame expected = above * Frame{wide(local.translation), glm::normalize(usable_rotation(local.rotation))};
    const glm::dmat4& world = tree.worlds[bone.node];
    const double size = 1 + largest(wide(local.translation));
    return largest(glm::dvec3(world[3]) - expected.translation) <= rounding * size &&
           largest(glm::dmat3(world) - glm::mat3_cast(expected.rotation)) <= rounding;
}

void report_bones(Build& build, const BoneFindings& findings) {
    build.note_any(findings.added, codes::arp_bone_added, "bones",
                   "Players ask for these bones by name, and the figure has none of them: they are added and hold "
                   "nothing.");
    build.note_any(findings.joined, codes::arp_bone_joined, "bones",
                   "These bones are above the pelvis, where an avatar begins: what hangs on them hangs on ROOT.");
    build.note_any(findings.beside, codes::arp_bone_beside, "bones",
                   "An avatar has one tree of bones: these, which were beside the pelvis, hang on ROOT and follow it.");
    build.note_any(findings.meshes, codes::arp_mesh_beside, "meshes",
                   "All of an avatar hangs on its bones: these meshes, which hang on none, hang on ROOT and follow it. "
                   "Make each a child of the bone that is to move it, before the export.");
    build.note_any(
        findings.renamed, codes::arp_renamed, "bones",
        "Bones have names of four characters; what they were called stands in names.json beside the avatar.");
}

}  // namespace

Result<Skeleton> make_skeleton(Build& build, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels) {
    const Scene& scene = build.source;
    auto taken = build.take(scene.nodes.size() + 8, sizeof(BoneDraft) + sizeof(glm::dmat4) + 512, "bones");
    if (!taken) return fail(std::move(taken.error()));
    const BoneNodes nodes = find_bone_nodes(scene, tree, levels);
    const bool is_avatar = !nodes.recorded.empty();
    BoneFindings findings;
    if (!levels.empty()) findings.meshes = meshes_beside(scene, tree, nodes, levels.front());
    BoneList list{list_bones(build, tree, nodes), {}};
    if (list.bones.size() > max_names) return fail(too_many_bones(list.bones.size()));
    const std::vector<bool> moves =
        nodes_that_move(scene, nodes.is_bone, levels.empty() ? std::vector<DrawnMesh>() : levels.front());
    list.codes = codes_elsewhere(build, list.bones, moves);
    const std::size_t root = find_root(tree, list, findings.added);
    list = hang_on(root, std::move(list), scene, findings);
    Skeleton made;
    made.bones = with_codes(std::move(list), scene, tree, is_avatar, findings.renamed);
    if (!is_avatar) add_needed(made.bones, findings.added);  // an avatar has what it has
    made.bones = in_order(std::move(made.bones));
    made.head = place_of(made.bones, "HEAD");
    made.bone_of_node = bones_of_nodes(scene, tree, made.bones);
    align_bones(made, tree);
    // A node that nobody touched stands elsewhere if one above it was scaled, turned or moved.
    for (BoneDraft& bone : made.bones) {
        if (bone.stored && !is_in_place(scene, tree, made.bones, bone)) bone.stored.reset();
    }
    report_bones(build, findings);
    return made;
}

}  // namespace effigy::arp::native
