/// The skeleton of an avatar: the bone ROOT, names of four characters, order, units. Rules: docs/conversion/arp.md,
/// "From a scene".

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "effigy/arp_codes.hpp"

#include "arp/file/layout_arp.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/json_fields.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"
#include "scene/worlds.hpp"

namespace effigy::arp::native {
namespace {

constexpr double usual_units = 25;  ///< of a metre, where no avatar says another number

class SkeletonMaker {
public:
    SkeletonMaker(Build& build, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels)
        : build_(build), tree_(tree), levels_(levels), scene_(build.source) {}

    Result<Skeleton> make() {
        auto taken = build_.take(scene_.nodes.size() + 8, sizeof(BoneDraft) + sizeof(glm::dmat4) + 256, "bones");
        if (!taken) return fail(std::move(taken.error()));
        nodes_ = find_bone_nodes(scene_, tree_, levels_);
        list_bones();
        if (made_.bones.size() > max_names) return fail(too_many());
        hang_on_root();
        name_bones();
        add_needed();
        put_in_order();
        assign_nodes();
        align_bones(made_, tree_);
        drop_moved();
        report();
        return std::move(made_);
    }

private:
    [[nodiscard]] Diagnostic too_many() const {
        return problem_at("bones", codes::arp_too_many_bones,
                          "the figure has more bones than there are names of four characters for; remove those that "
                          "hold nothing",
                          std::to_string(made_.bones.size()), "at most " + std::to_string(max_names));
    }

    void list_bones() {
        made_.bone_of_node.assign(scene_.nodes.size(), none);
        for (const Index node : tree_.order) {
            const Index parent = scene_.nodes[node].parent;
            std::size_t& own = made_.bone_of_node[node];
            own = parent < made_.bone_of_node.size() ? made_.bone_of_node[parent] : none;
            if (!nodes_.is_bone[node]) continue;
            BoneDraft bone;
            bone.node = node;
            bone.parent = own;
            own = made_.bones.size();
            made_.bones.push_back(std::move(bone));
        }
        for (const RecordedBone& found : nodes_.recorded) {
            BoneDraft& bone = made_.bones[made_.bone_of_node[found.node]];
            bone.is_known = true;
            bone.number = *whole_in(found.record, "bone");
            bone.old_code = text_at(found.record, "code").value_or("");
            if (bone.old_code == scene_.nodes[found.node].name) bone.old_code.clear();
            store(bone, found.record);
        }
    }

    /// As the bone stood in its file.
    void store(BoneDraft& bone, const Json& record) {
        Bone stored;
        const bool is_read = layout::read_json_fields(record, build_.budget, build_.options.limits,
                                                      [&](auto& visitor) { layout_rest(visitor, stored); });
        if (!is_read) return;
        stored.name = text_at(record, "name").value_or("");
        bone.recorded = std::move(stored);
        if (build_.untouched(scene_.nodes[bone.node])) bone.stored = bone.recorded;
    }

    // The bone ROOT

    [[nodiscard]] std::string name_of(const BoneDraft& bone) const {
        return bone.node == no_index ? bone.code : scene_.nodes[bone.node].name;
    }

    void hang_on_root() {
        std::vector<std::string> names;
        std::vector<std::size_t> parents;
        for (const BoneDraft& bone : made_.bones) {
            names.push_back(name_of(bone));
            parents.push_back(bone.parent);
        }
        codes_ = human_codes(build_, names, parents);
        auto found = std::find(codes_.begin(), codes_.end(), "ROOT");
        std::size_t root = found == codes_.end() ? none : static_cast<std::size_t>(found - codes_.begin());
        const auto tops = std::count_if(made_.bones.begin(), made_.bones.end(),
                                        [](const BoneDraft& bone) { return bone.parent == none; });
        if (root == none && tops == 1) root = 0;  // the first one is above all others
        if (root == none) root = add_root();
        codes_[root] = "ROOT";
        drop_above(root);
    }

    std::size_t add_root() {
        BoneDraft root;
        glm::dvec3 sum(0);
        double count = 0;
        for (const BoneDraft& bone : made_.bones) {
            if (bone.parent != none) continue;
            sum += glm::dvec3(tree_.worlds[bone.node][3]);
            ++count;
        }
        if (count > 0 && is_finite(sum)) root.rest.translation = sum / count;
        root.rest.rotation = upright();
        made_.bones.push_back(root);
        codes_.emplace_back();
        added_.add("ROOT");
        return made_.bones.size() - 1;
    }

    /// x up, z ahead.
    static glm::dquat upright() noexcept { return {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}; }

    /// What is above ROOT becomes part of it; what is beside it hangs on it.
    void drop_above(std::size_t root) {
        std::vector<bool> dropped(made_.bones.size());
        for (std::size_t i = made_.bones[root].parent; i != none; i = made_.bones[i].parent) {
            dropped[i] = true;
            joined_.add(name_of(made_.bones[i]));
        }
        std::vector<BoneDraft> kept{made_.bones[root]};
        std::vector<std::string> codes{"ROOT"};
        std::vector<std::size_t> places(made_.bones.size(), 0);
        kept.front().parent = none;
        for (std::size_t i = 0; i < made_.bones.size(); ++i) {
            if (dropped[i] || i == root) continue;
            places[i] = kept.size();
            const std::size_t parent = made_.bones[i].parent;
            kept.push_back(made_.bones[i]);
            if (parent == none || (dropped[parent] && parent != root)) {
                beside_.add(name_of(made_.bones[i]));
                kept.back().stored.reset();
            }
            codes.push_back(codes_[i]);
        }
        for (std::size_t i = 1; i < kept.size(); ++i) {
            const std::size_t parent = kept[i].parent;
            kept[i].parent = parent == none || dropped[parent] ? 0 : places[parent];
        }
        made_.bones = std::move(kept);
        codes_ = std::move(codes);
    }

    // Names

    [[nodiscard]] std::size_t place_of(std::string_view code) const {
        for (std::size_t i = 0; i < made_.bones.size(); ++i) {
            if (made_.bones[i].code == code) return i;
        }
        return none;
    }

    void name_bones() {
        Codes codes(Codes::Kind::bones);
        const auto give = [&](std::size_t i, const std::string& code) {
            if (!code.empty() && made_.bones[i].code.empty() && codes.take(code)) made_.bones[i].code = code;
        };
        give(0, "ROOT");
        for (std::size_t i = 0; i < made_.bones.size(); ++i) {
            const BoneDraft& bone = made_.bones[i];
            if (bone.is_known && Codes::fits(name_of(bone))) give(i, name_of(bone));
        }
        for (std::size_t i = 0; i < made_.bones.size(); ++i) give(i, codes_[i]);
        if (nodes_.recorded.empty() && place_of("HEAD") == none) give(highest(), "HEAD");
        for (BoneDraft& bone : made_.bones) {
            if (bone.code.empty()) bone.code = codes.of(name_of(bone));
            if (bone.code != name_of(bone)) renamed_.add(name_of(bone));
        }
    }

    /// Of the bones that nobody has named; ROOT if there are none.
    [[nodiscard]] std::size_t highest() const {
        std::size_t best = 0;
        const auto height = [&](std::size_t i) { return tree_.worlds[made_.bones[i].node][3].y; };
        for (std::size_t i = 1; i < made_.bones.size(); ++i) {
            if (!codes_[i].empty() || made_.bones[i].node == no_index) continue;
            if (best == 0 || height(i) > height(best)) best = i;
        }
        return best;
    }

    /// Bones that players ask for by name.
    void add_needed() {
        if (!nodes_.recorded.empty()) return;  // an avatar has what it has
        const auto add = [&](std::string_view code, std::size_t parent) {
            if (place_of(code) != none) return;
            BoneDraft bone;
            bone.code = code;
            bone.parent = parent;
            made_.bones.push_back(std::move(bone));
            added_.add(std::string(code));
        };
        const auto first_of = [&](std::initializer_list<std::string_view> wanted) {
            for (const std::string_view code : wanted) {
                if (place_of(code) != none) return place_of(code);
            }
            return std::size_t{0};
        };
        add("HEAD", first_of({"NEC1", "SPI3", "SPI2", "SPI1"}));
        for (const std::string side : {"L", "R"}) {
            add(side + "UPA", first_of({side + "CLR", "SPI3", "SPI2", "SPI1"}));
            add(side + "LRA", place_of(side + "UPA"));
        }
    }

    // Order

    void put_in_order() {
        const std::size_t count = made_.bones.size();
        std::vector<std::size_t> order = by_number();
        if (order.empty()) order = by_tree();
        std::vector<std::size_t> places(count);
        for (std::size_t i = 0; i < count; ++i) places[order[i]] = i;
        std::vector<BoneDraft> sorted;
        for (const std::size_t i : order) {
            sorted.push_back(std::move(made_.bones[i]));
            if (sorted.back().parent != none) sorted.back().parent = places[sorted.back().parent];
        }
        made_.bones = std::move(sorted);
        made_.head = place_of("HEAD");
    }

    /// As the avatar had them, new ones behind; nothing if that is not parents first.
    [[nodiscard]] std::vector<std::size_t> by_number() const {
        std::vector<std::size_t> order(made_.bones.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto number = [&](std::size_t i) {
            return made_.bones[i].is_known ? std::uint64_t{made_.bones[i].number} : UINT64_MAX;
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return number(a) < number(b); });
        std::vector<bool> seen(order.size());
        for (const std::size_t i : order) {
            if (made_.bones[i].parent != none && !seen[made_.bones[i].parent]) return {};
            seen[i] = true;
        }
        return made_.bones[order.front()].parent == none ? order : std::vector<std::size_t>{};
    }

    /// Each bone followed by all below it.
    [[nodiscard]] std::vector<std::size_t> by_tree() const {
        std::vector<std::vector<std::size_t>> children(made_.bones.size());
        for (std::size_t i = made_.bones.size(); i-- > 0;) {
            if (made_.bones[i].parent != none) children[made_.bones[i].parent].push_back(i);
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

    void assign_nodes() {
        made_.bone_of_node.assign(scene_.nodes.size(), 0);
        std::vector<std::size_t> own(scene_.nodes.size(), none);
        for (std::size_t i = 0; i < made_.bones.size(); ++i) {
            if (made_.bones[i].node != no_index) own[made_.bones[i].node] = i;
        }
        for (const Index node : tree_.order) {
            const Index parent = scene_.nodes[node].parent;
            const std::size_t above = parent < own.size() ? made_.bone_of_node[parent] : 0;
            made_.bone_of_node[node] = own[node] != none ? own[node] : above;
        }
    }

    /// A node that nobody touched stands elsewhere if one above it was scaled, turned or moved.
    void drop_moved() {
        for (BoneDraft& bone : made_.bones) {
            if (bone.stored && !is_in_place(bone)) bone.stored.reset();
        }
    }

    [[nodiscard]] bool is_in_place(const BoneDraft& bone) const {
        constexpr double rounding = 1e-6;
        const Transform& local = scene_.nodes[bone.node].local;
        const Frame above = bone.parent == none ? Frame{} : made_.bones[bone.parent].rest;
        const Frame expected = above * Frame{wide(local.translation), glm::normalize(usable_rotation(local.rotation))};
        const glm::dmat4& world = tree_.worlds[bone.node];
        const double size = 1 + largest(wide(local.translation));
        return largest(glm::dvec3(world[3]) - expected.translation) <= rounding * size &&
               largest(glm::dmat3(world) - glm::mat3_cast(expected.rotation)) <= rounding;
    }

    void report() {
        build_.note_any(added_, codes::arp_bone_added, "bones",
                        "Players ask for these bones by name, and the figure has none of them: they are added and "
                        "hold nothing.");
        build_.note_any(joined_, codes::arp_bone_joined, "bones",
                        "These bones are above the pelvis, where an avatar begins: what hangs on them hangs on ROOT.");
        build_.note_any(beside_, codes::arp_bone_beside, "bones",
                        "An avatar has one tree of bones: these, which were beside the pelvis, hang on ROOT and follow "
                        "it.");
        build_.note_any(renamed_, codes::arp_renamed, "bones",
                        "Bones have names of four characters; what they were called stands in names.json beside the "
                        "avatar.");
    }

    Build& build_;
    const Tree& tree_;
    const std::vector<std::vector<DrawnMesh>>& levels_;
    const Scene& scene_;
    BoneNodes nodes_;
    Skeleton made_;
    std::vector<std::string> codes_;
    NameList added_, joined_, beside_, renamed_;
};

/// Units of a metre, as the avatar had them that the scene was made of.
std::optional<double> known_units(const Build& build, const Skeleton& skeleton) {
    const auto metres = number_at(build.record, "metres");
    if (metres && *metres > 1e-9 && *metres < 1e9) return 1 / *metres;
    double longest = 0, units = 0;
    for (const BoneDraft& bone : skeleton.bones) {
        if (!bone.stored) continue;
        const double here = glm::length(wide(build.source.nodes[bone.node].local.translation));
        if (here <= longest) continue;
        longest = here;
        units = glm::length(wide(bone.stored->translation)) / here;
    }
    const bool is_sound = units > 1e-9 && units < 1e9;
    return is_sound ? std::optional(units) : std::nullopt;
}

/// Where the avatar had ROOT, in metres.
glm::dvec3 recorded_place(const Build& build, const BoneDraft& root, double units_of_metre) {
    const Json record = record_of(build.source.nodes[root.node].extras);
    const Json* stored = member(record, "translation");
    Vec3 place;
    if (stored == nullptr ||
        !element_from_json(layout::element_type<Vec3>, *stored, reinterpret_cast<std::byte*>(&place)))
        return root.rest.translation;
    if (build.stored) place.y += build.stored->skeleton_offset;
    return is_finite(wide(place)) ? wide(place) / units_of_metre : root.rest.translation;
}

Quat inverse_twist_of(const Quat& rest) noexcept {
    const double size = std::hypot(double{rest.x}, double{rest.w});
    if (!(size > 1e-3)) return {};
    return {narrow(-rest.x / size), 0, 0, narrow(rest.w / size)};
}

}  // namespace

Result<Skeleton> make_skeleton(Build& build, const Tree& tree, const std::vector<std::vector<DrawnMesh>>& levels) {
    return SkeletonMaker(build, tree, levels).make();
}

void set_units(Build& build, Skeleton& skeleton, double low, double high) {
    const auto known = known_units(build, skeleton);
    const double height = high - low;
    double factor = 1;
    if (build.options.height > 0 && height > 1e-9) factor = build.options.height / height;
    skeleton.units_of_metre = known.value_or(usual_units);
    skeleton.units = skeleton.units_of_metre * factor;
    skeleton.is_kept = known && skeleton.bones.front().is_known;
    const BoneDraft& root = skeleton.bones.front();
    if (!skeleton.is_kept) {
        skeleton.origin = root.rest.translation;
    } else if (!root.stored) {
        skeleton.origin = root.rest.translation - recorded_place(build, root, skeleton.units_of_metre);
    }
    if (glm::length(skeleton.origin) < no_distance) skeleton.origin = glm::dvec3(0);
    if (!skeleton.is_kept || factor != 1) {
        for (BoneDraft& bone : skeleton.bones) bone.stored.reset();
    }
    if (skeleton.origin != glm::dvec3(0)) {
        const auto text = [](double value) { return number_text(std::round(value * 1e6) / 1e6 + 0.0); };
        build.note(codes::arp_origin, "bones",
                   skeleton.is_kept ? "The pelvis stays where the avatar had it: the figure is moved there."
                                    : "An avatar's pelvis is at the origin: the figure is moved there.",
                   text(skeleton.origin.x) + ", " + text(skeleton.origin.y) + ", " + text(skeleton.origin.z),
                   "0, 0, 0");
    }
}

void add_bones(const Skeleton& skeleton, File& file) {
    const auto as_code = [&](std::string name) {
        if (!file.layout.bone_name_lengths) name.resize(4, '\0');
        return name;
    };
    for (const BoneDraft& draft : skeleton.bones) {
        const Frame* parent = draft.parent == none ? nullptr : &skeleton.bones[draft.parent].rest;
        Bone bone;
        const glm::dquat back = parent == nullptr ? glm::dquat(1, 0, 0, 0) : glm::conjugate(parent->rotation);
        const glm::dvec3 from = parent == nullptr ? skeleton.origin : parent->translation;
        bone.translation = narrow(back * (draft.rest.translation - from) * skeleton.units);
        bone.rotation = narrow(glm::normalize(back * draft.rest.rotation));
        if (bone.rotation.w < 0)
            bone.rotation = {-bone.rotation.x, -bone.rotation.y, -bone.rotation.z, -bone.rotation.w};
        bone.inverse_twist = inverse_twist_of(bone.rotation);
        bone.length = narrow(draft.length * skeleton.units);
        if (parent == nullptr) bone.translation.y -= file.skeleton_offset;
        if (draft.stored) bone = *draft.stored;
        bone.name = as_code(draft.stored && !draft.stored->name.empty() ? draft.stored->name : draft.code);
        bone.parent = parent == nullptr ? as_code("") : file.bones[draft.parent].name;
        file.bones.push_back(std::move(bone));
    }
}

std::unordered_map<std::string, std::size_t> bones_by_old_code(const Skeleton& skeleton, const File& file) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const std::string& old = skeleton.bones[i].old_code;
        places.try_emplace(old.empty() ? std::string(up_to_nul(file.bones[i].name)) : old, i);
    }
    return places;
}

}  // namespace effigy::arp::native
