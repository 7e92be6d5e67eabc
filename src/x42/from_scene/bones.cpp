/// Bones, animation groups and tags.

#include <algorithm>

#include "core/text.hpp"
#include "scene/wide_math.hpp"
#include "x42/file/x42_format.hpp"
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
    explicit BoneMaker(FileBuild& build)
        : build_(build), plan_(build.nodes), kept_(build.records ? &build.records->file : nullptr) {}

    Result<void> run() {
        if (auto taken = build_.take(plan_.bones.size() + plan_.tags.size(), 400, "bones and tags"); !taken)
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
    [[nodiscard]] const Node& node(Index index) const { return build_.scene.nodes[index]; }

    /// The bytes of its record where they say the node's name, else that name. `kept`: the record in the file that the
    /// scene comes from, which is called `kind` and its number where it has no name; or null.
    template <class Record>
    [[nodiscard]] std::string raw_name(Index index, const Record* kept, const std::string& kind) const {
        const std::string& name = node(index).name;
        if (kept == nullptr && !plan_.records[index].name) return name;
        const std::string raw(kept != nullptr ? name_of(*kept_, kept->name) : *plan_.records[index].name);
        const bool is_same = kept != nullptr && raw.empty() ? kind == name : means(raw, name, build_.encodings);
        return is_same ? raw : name;
    }

    /// The record that the file has, or null.
    template <class Record>
    [[nodiscard]] const Record* kept_record(const Bulk<Record> File::*all, std::optional<std::uint32_t> number) const {
        return kept_ != nullptr && number && *number < (kept_->*all).size() ? &(kept_->*all)[*number] : nullptr;
    }

    /// Where a name stands: names that a file had stay where they were, even if it had them twice.
    [[nodiscard]] std::uint16_t placed(UniqueNames& names, const std::string& name, bool has_record,
                                       std::uint16_t place) {
        const std::string once = names.add(name);
        return has_record && name_of(*kept_, place) == name ? place : build_.names.add(once);
    }

    void add_bone(std::size_t number) {
        const Index index = plan_.bones[number];
        const auto record = plan_.records[index].bone;
        const Bone* const kept = kept_record(&File::bones, record);
        Bone bone = kept != nullptr ? *kept : Bone();
        const std::string name = raw_name(index, kept, "bone" + std::to_string(record.value_or(0)));
        bone.name = placed(names_, name, kept != nullptr, bone.name);
        const Index parent = plan_.parents[index];
        bone.parent = parent == no_index ? no_bone : plan_.bone_of[parent];
        build_.file.bones.push_back(bone);
    }

    void add_groups() {
        auto& groups = build_.file.animation_groups;
        if (plan_.bones_kept) {
            groups = kept_->animation_groups;
        } else if (kept_ == nullptr || kept_->animation_groups.empty()) {
            if (!plan_.bones.empty())
                groups.push_back({build_.names.add("all"), 0, static_cast<std::uint16_t>(plan_.bones.size())});
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
            build_.file.animation_groups.push_back(group);
        }
    }

    /// Lines of a .skin name tags as well, and blanks part their words; what the file itself called so stays.
    [[nodiscard]] std::string tag_name(Index index, const Tag* kept) const {
        const auto number = plan_.records[index].tag.value_or(0);
        std::string name = raw_name(index, kept, "tag" + std::to_string(number));
        const bool is_old = kept != nullptr && name_of(*kept_, kept->name) == name;
        return is_old || build_.options.shader_folder.empty() ? name : plain_text(name, "-_.");
    }

    void add_tag(Index index) {
        const auto record = plan_.records[index].tag;
        const Tag* const kept = kept_record(&File::tags, record);
        Tag tag = kept != nullptr ? *kept : Tag();
        const std::string name = tag_name(index, kept);
        tag.name = placed(tag_names_, name, kept != nullptr, tag.name);
        if (kept == nullptr || !stands_as_it_was(index) || !is_finite(tag.matrix))
            tag.matrix = matrix_of(plan_.within[index]);
        tag.bone = plan_.bone_of[index];
        build_.file.tags.push_back(tag);
    }

    /// In its bone, or in the model.
    [[nodiscard]] bool stands_as_it_was(Index index) const {
        if (plan_.rotated || !build_.untouched(node(index))) return false;
        Index parent = plan_.parents[index];
        if (parent != no_index && plan_.records[parent].helper && node(parent).name == node(index).name + ".scale") {
            if (!build_.untouched(node(parent))) return false;
            parent = plan_.parents[parent];
        }
        return parent == no_index || plan_.within[parent] == glm::dmat4(1);
    }

    FileBuild& build_;
    const NodePlan& plan_;
    const File* kept_;
    UniqueNames names_{UniqueNames::Case::counts, "."}, tag_names_{UniqueNames::Case::is_ignored, "."};
};

}  // namespace

Result<void> make_bones(FileBuild& build) { return BoneMaker(build).run(); }

}  // namespace effigy::x42::bridge
