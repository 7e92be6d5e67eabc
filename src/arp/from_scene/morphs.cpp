/// Morph targets in the frame of the head. Rules: docs/conversion/arp.md, "From a scene".

#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>

#include "effigy/arp_bind.hpp"
#include "effigy/arp_codes.hpp"

#include "arp/file/names.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

glm::dquat rotation_of(const BoneFrame& frame) noexcept {
    const auto& [x, y, z, w] = frame.rotation;
    const glm::dquat rotation(w, x, y, z);
    const double length = glm::length(rotation);
    return std::isfinite(length) && length > 1e-6 ? rotation / length : glm::dquat(1, 0, 0, 0);
}

/// The records of targets of an untouched mesh, by their numbers.
std::unordered_map<std::size_t, const Json*> target_records(const LevelDraft& level) {
    std::unordered_map<std::size_t, const Json*> records;
    const Json* targets = member(level.record, "targets");
    if (targets == nullptr || !targets->is_array()) return records;
    for (const Json& target : *targets) {
        if (const auto number = whole_in(target, "target")) records.try_emplace(*number, &target);
    }
    return records;
}

class TargetMaker {
public:
    TargetMaker(Build& build, const Skeleton& skeleton, Figure& figure, std::size_t level, File& file)
        : build_(build), skeleton_(skeleton), figure_(figure), number_(level), file_(file) {}

    Result<void> make() {
        const LevelDraft& level = figure_.levels[number_];
        std::uint64_t moves = 0;
        for (const std::uint32_t source : level.sources) moves += level.vertices[source].moves.size();
        auto taken = build_.take(moves, 2 * sizeof(MorphSet), "morph targets");
        if (!taken) return taken;
        set_frames();
        file_.meshes[number_].morph_targets.resize(figure_.targets.size());
        for (std::uint32_t point = 0; point < level.sources.size(); ++point) {
            const VertexDraft& vertex = level.vertices[level.sources[point]];
            for (const MovedPoint& move : vertex.moves) add_set(point, vertex.links.front(), move);
        }
        finish(level);
        return {};
    }

private:
    void set_frames() {
        const Bind bind = recover_bind(file_, number_);
        for (const BoneFrame& frame : bind.bones) rotations_.push_back(rotation_of(frame));
        rotations_.resize(skeleton_.bones.size(), glm::dquat(1, 0, 0, 0));
        if (skeleton_.head == none) return;                                   // then the model's frame counts
        const glm::dquat quarter_turn(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // by 90 degrees about z
        to_head_ = quarter_turn * glm::conjugate(rotations_[skeleton_.head]);
    }

    void add_set(std::uint32_t point, const LinkDraft& link, const MovedPoint& move) {
        auto& sets = file_.meshes[number_].morph_targets[move.target].sets;
        if (!sets.empty() && sets.back().point == point) return;
        const glm::dquat rotation = to_head_ * rotations_[link.bone];
        const double scale = skeleton_.units / (file_.scale > 0 ? double{file_.scale} : 1.0);
        const glm::dvec3 normal = move.normal == glm::dvec3(0) ? link.normal : move.normal;
        MorphSet set;
        set.point = point;
        set.weight = 1;
        set.offset = narrow(rotation * move.offset * scale);
        set.normal = narrow(rotation * normal);
        sets.push_back(set);
    }

    /// Places of the level's targets in their order. Players look for all of them in the first mesh, but avatars have
    /// theirs where they have them.
    [[nodiscard]] std::vector<std::size_t> own_targets() const {
        std::vector<std::size_t> own;
        std::vector<bool> has(figure_.targets.size());
        const auto add = [&](std::size_t place) {
            if (!has[place]) own.push_back(place);
            has[place] = true;
        };
        for (const DrawnTargets& drawn : figure_.targets_of[number_]) {
            for (const std::size_t place : drawn.places) add(place);
        }
        for (std::size_t i = 0; number_ == 0 && !build_.stored && i < has.size(); ++i) add(i);
        return own;
    }

    /// Names, without targets that are of other levels.
    void finish(const LevelDraft& level) {
        auto& targets = file_.meshes[number_].morph_targets;
        const auto records = target_records(level);
        std::vector<effigy::arp::MorphTarget> kept;
        for (const std::size_t i : own_targets()) {
            targets[i].name = figure_.targets[i].code;
            if (const auto record = records.find(kept.size()); record != records.end()) {
                if (const auto name = text_at(*record->second, "name")) targets[i].name = *name;
                set_weights(*record->second, targets[i].sets);
            }
            kept.push_back(std::move(targets[i]));
        }
        targets = std::move(kept);
    }

    void set_weights(const Json& record, Bulk<MorphSet>& sets) {
        const Json* weights = member(record, "weights");
        if (weights == nullptr) return;
        if (const auto same = float_from_json(*weights)) {
            for (MorphSet& set : sets) set.weight = *same;
            return;
        }
        const auto stored = bytes_from_json(*weights);
        const auto bytes = stored ? unpacked(*stored, build_.budget) : std::nullopt;
        if (!bytes || bytes->size() != sets.size() * sizeof(float)) return;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            float weight = 0;
            std::memcpy(&weight, bytes->data() + i * sizeof weight, sizeof weight);
            if (std::isfinite(weight)) sets[i].weight = weight;
        }
    }

    Build& build_;
    const Skeleton& skeleton_;
    Figure& figure_;
    std::size_t number_;
    File& file_;
    std::vector<glm::dquat> rotations_;
    glm::dquat to_head_{1, 0, 0, 0};
};

}  // namespace

void name_targets(Build& build, Figure& figure) {
    Codes codes(Codes::Kind::targets);
    NameList renamed;
    const bool untouched = !figure.levels.front().record.empty();
    // Those that keep their name come first: a renamed one may have been called as one of them.
    for (TargetDraft& target : figure.targets) {
        if (!untouched || !target.old_code.empty()) continue;
        codes.take(target.name);
        target.code = target.name;
    }
    for (TargetDraft& target : figure.targets) {
        if (target.code.empty() && Codes::fits(target.name) && codes.take(target.name)) target.code = target.name;
    }
    for (TargetDraft& target : figure.targets) {
        if (!target.code.empty()) continue;
        target.code = codes.of(target.name);
        if (target.code != target.name) renamed.add(target.name);
    }
    build.note_any(renamed, codes::arp_renamed, "meshes",
                   "Morph targets have names of four characters; what they were called stands in names.json beside the "
                   "avatar.");
    if (untouched || build.stored || build.options.only_motions) return;  // avatars have the targets that they have
    NameList added;
    for (const std::string_view common : common_morphs) {
        if (!codes.take(std::string(common))) continue;
        added.add(std::string(common));
        figure.targets.push_back({std::string(common), std::string(common), {}});
    }
    build.note_any(added, codes::arp_target_added, "meshes",
                   "Signs use morph targets of these names, and the figure has none of them: they are added and move "
                   "nothing, so that the face stays still there.");
}

Result<void> add_targets(Build& build, const Skeleton& skeleton, Figure& figure, File& file) {
    for (std::size_t level = 0; level < file.meshes.size(); ++level) {
        if (auto made = TargetMaker(build, skeleton, figure, level, file).make(); !made) return made;
    }
    return {};
}

}  // namespace effigy::arp::native
