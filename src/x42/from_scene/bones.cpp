/// Bones, animation groups and tags.

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "scene/wide_math.hpp"
#include "x42/file/finite.hpp"
#include "x42/from_scene/from_scene.hpp"

namespace effigy::x42::bridge {
namespace {

Matrix matrix_of(const glm::dmat4& matrix) noexcept {
    Matrix result{};
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = narrow(matrix[static_cast<int>(i / 3)][static_cast<int>(i % 3)]);
    return result;
}

class BoneMaker {
public:
    explicit BoneMaker(Making& making)
        : making_(making), plan_(making.nodes), kept_(making.records ? &making.records->file : nullptr) {}

    Result<void> run() {
        if (auto taken = making_.take(plan_.bones.size() + plan_.tags.size(), 400, "bones and tags"); !taken)
            return taken;
        if (plan_.tags.size() > 0xffff) {
            return fail(too_many("nodes", plan_.tags.size(), 0xffff,
                                 "The scene has more tags than the format can "
                                 "count. Remove some."));
        }
        for (std::size_t i = 0; i < plan_.bones.size(); ++i) add_bone(i);
        add_groups();
        for (const Index node : plan_.tags) add_tag(node);
        return {};
    }

private:
    [[nodiscard]] const Node& node(Index index) const { return making_.scene.nodes[index]; }

    /// The record's own bytes where they say the node's name, else that name.
    [[nodiscard]] std::string raw_name(Index index, std::string_view record, const std::string& if_empty) const {
        const std::string shown = record.empty() ? if_empty : to_utf8(record, making_.options.encoding);
        return shown == node(index).name ? std::string(record) : node(index).name;
    }

    /// Where a name stands: names that a file had stay where they were, even if it had them twice.
    [[nodiscard]] std::uint16_t placed(UniqueNames& names, const std::string& name, bool has_record,
                                       std::uint16_t place) {
        const std::string once = names.make(name);
        return has_record && name_of(*kept_, place) == name ? place : making_.names.add(once);
    }

    void add_bone(std::size_t number) {
        const Index index = plan_.bones[number];
        const auto record = plan_.records[index].bone;
        Bone bone;
        std::string name = node(index).name;
        const bool has_record = kept_ != nullptr && record && *record < kept_->bones.size();
        if (has_record) {
            bone = kept_->bones[*record];
            name = raw_name(index, name_of(*kept_, bone.name), "bone" + std::to_string(*record));
        } else if (plan_.records[index].name) {
            name = raw_name(index, *plan_.records[index].name, {});
        }
        bone.name = placed(names_, name, has_record, bone.name);
        const Index parent = plan_.parents[index];
        bone.parent = parent == no_index ? no_bone : plan_.bone_of[parent];
        making_.file.bones.push_back(bone);
    }

    void add_groups() {
        auto& groups = making_.file.animation_groups;
        if (plan_.bones_kept) {
            groups = kept_->animation_groups;
        } else if (kept_ == nullptr || kept_->animation_groups.empty()) {
            if (!plan_.bones.empty())
                groups.push_back({making_.names.add("all"), 0, static_cast<std::uint16_t>(plan_.bones.size())});
        } else {
            add_old_groups();
        }
    }

    /// The groups of the file that the scene comes from, with the bones that they have now.
    void add_old_groups() {
        Bulk<AnimationGroup> old = kept_->animation_groups;
        std::stable_sort(old.begin(), old.end(), [](auto& a, auto& b) { return a.end_bone < b.end_bone; });
        if (old.size() > max_animation_groups) old.resize(max_animation_groups);
        std::size_t bone = 0;
        for (std::size_t rank = 0; rank < old.size(); ++rank) {
            AnimationGroup group = old[rank];
            group.begin_bone = static_cast<std::uint16_t>(bone);
            const bool is_last = rank + 1 == old.size();
            while (bone < plan_.bones.size() && (is_last || plan_.ranks[plan_.bones[bone]] <= rank)) ++bone;
            group.end_bone = static_cast<std::uint16_t>(bone);
            making_.file.animation_groups.push_back(group);
        }
    }

    void add_tag(Index index) {
        const auto record = plan_.records[index].tag;
        const bool has_record = kept_ != nullptr && record && *record < kept_->tags.size();
        Tag tag;
        std::string name = node(index).name;
        if (has_record) {
            tag = kept_->tags[*record];
            name = raw_name(index, name_of(*kept_, tag.name), "tag" + std::to_string(*record));
        } else if (plan_.records[index].name) {
            name = raw_name(index, *plan_.records[index].name, {});
        }
        tag.name = placed(tag_names_, name, has_record, tag.name);
        if (!has_record || !stands_as_it_was(index) || !is_finite(tag.matrix))
            tag.matrix = matrix_of(plan_.within[index]);
        tag.bone = plan_.bone_of[index];
        making_.file.tags.push_back(tag);
    }

    /// In its bone, or in the model.
    [[nodiscard]] bool stands_as_it_was(Index index) const {
        if (plan_.turned || !making_.untouched(node(index))) return false;
        Index parent = plan_.parents[index];
        if (parent != no_index && plan_.records[parent].helper && node(parent).name == node(index).name + ".scale") {
            if (!making_.untouched(node(parent))) return false;
            parent = plan_.parents[parent];
        }
        return parent == no_index || plan_.within[parent] == glm::dmat4(1);
    }

    Making& making_;
    const NodePlan& plan_;
    const File* kept_;
    UniqueNames names_{false}, tag_names_{true};
};

}  // namespace

Result<void> make_bones(Making& making) { return BoneMaker(making).run(); }

}  // namespace effigy::x42::bridge
