/// Rules of `check` for morph motions (XPM), alone and against the actor that they are meant for.

#include "effigy/xpm.hpp"

#include <algorithm>

#include "effigy/emfx_codes.hpp"
#include "effigy/xac.hpp"

#include "emfx/check/check.hpp"
#include "emfx/check/keys.hpp"
#include "emfx/file/locate.hpp"

namespace effigy::emfx::checks {

namespace {

struct WeightTrack {
    std::size_t chunk;
    std::uint64_t element;  ///< no_index in a chunk of its own
    const xpm::Submotion* submotion;
};

class WeightCheck {
public:
    WeightCheck(const xpm::File& file, Findings& findings) : file_(file), findings_(findings) {}

    void run() {
        check_container<MotionInfo>(file_, findings_);
        for (std::size_t index = 0; index < file_.chunks.size(); ++index) check_chunk(index);
        if (tracks_.empty() && !has_opaque_)
            findings_.collect(codes::motion_empty, findings_.file(), "0 tracks", "1 track or more");
        std::vector<std::string_view> names;
        for (const WeightTrack& track : tracks_) {
            names.push_back(track.submotion->name);
            with_place(track, [&](const Where& place) { check_submotion(*track.submotion, place); });
        }
        check_track_names(
            names, "name", [&](std::size_t index, auto use) { with_place(tracks_[index], use); }, findings_);
    }

    void compare(const xac::File& actor) {
        const std::vector<const xac::MorphTarget*> targets = targets_by_name(actor);
        for (const WeightTrack& track : tracks_)
            with_place(track, [&](const Where& place) { compare(*track.submotion, targets, place); });
    }

private:
    template <class Use>
    void with_place(const WeightTrack& track, Use use) const {
        const Where chunk = chunk_place(file_, track.chunk, findings_);
        if (track.element == Where::no_index)
            use(chunk);
        else
            use(Where{&chunk, "submotion", track.element});
    }

    void check_chunk(std::size_t index) {
        const xpm::Chunk& chunk = file_.chunks[index];
        const Where place = chunk_place(file_, index, findings_);
        if (std::holds_alternative<Opaque>(chunk.record)) has_opaque_ = true;
        if (const auto* info = std::get_if<MotionInfo>(&chunk.record)) check_motion_info(*info, place, findings_);
        if (const auto* events = std::get_if<MotionEvents>(&chunk.record))
            check_events(*events, chunk.version, place, findings_);
        if (const auto* timestamp = std::get_if<Timestamp>(&chunk.record))
            check_timestamp(*timestamp, place, findings_);
        if (const auto* single = std::get_if<xpm::Submotion>(&chunk.record))
            tracks_.push_back({index, Where::no_index, single});
        if (const auto* list = std::get_if<xpm::Submotions>(&chunk.record))
            for (std::size_t element = 0; element < list->submotions.size(); ++element)
                tracks_.push_back({index, element, &list->submotions[element]});
    }

    void check_submotion(const xpm::Submotion& submotion, const Where& place) {
        findings_.text(submotion.name, {&place, "name"});
        check_finite(submotion.pose_weight, {&place, "pose_weight"}, findings_);
        check_finite(submotion.min_weight, {&place, "min_weight"}, findings_);
        check_finite(submotion.max_weight, {&place, "max_weight"}, findings_);
        const float low = submotion.min_weight, high = submotion.max_weight;
        if (low > high)
            findings_.add(codes::weight_range, {&place, "min_weight"}, number(low), "at most " + number(high));
        else if (submotion.pose_weight < low || submotion.pose_weight > high)
            findings_.add(codes::weight_pose, {&place, "pose_weight"}, number(submotion.pose_weight),
                          number(low) + " to " + number(high));
        check_times(std::span<const xpm::WeightKey>(submotion.keys), "keys", place, findings_);
    }

    static std::vector<const xac::MorphTarget*> targets_by_name(const xac::File& actor) {
        std::vector<const xac::MorphTarget*> targets;
        for (const xac::Chunk& chunk : actor.chunks) {
            if (const auto* single = std::get_if<xac::MorphTarget>(&chunk.record)) targets.push_back(single);
            if (const auto* list = std::get_if<xac::MorphTargets>(&chunk.record))
                for (const xac::MorphTarget& target : list->targets) targets.push_back(&target);
        }
        std::stable_sort(targets.begin(), targets.end(),
                         [](const auto* left, const auto* right) { return left->name < right->name; });
        return targets;
    }

    void compare(const xpm::Submotion& submotion, const std::vector<const xac::MorphTarget*>& targets,
                 const Where& place) {
        const auto found = std::lower_bound(targets.begin(), targets.end(), submotion.name,
                                            [](const auto* target, const auto& name) { return target->name < name; });
        if (found == targets.end() || (*found)->name != submotion.name) {
            findings_.add(codes::motion_target_unknown, {&place, "name"}, in_quotes(submotion.name),
                          "a name of one of the actor's " + number(targets.size()) + " morph targets");
            return;
        }
        const xac::MorphTarget& target = **found;
        if (submotion.min_weight < target.range_min || submotion.max_weight > target.range_max)
            findings_.add(codes::weight_target_range,
                          {&place, submotion.min_weight < target.range_min ? "min_weight" : "max_weight"},
                          number(submotion.min_weight) + " to " + number(submotion.max_weight),
                          "within " + number(target.range_min) + " to " + number(target.range_max));
    }

    const xpm::File& file_;
    Findings& findings_;
    std::vector<WeightTrack> tracks_;
    bool has_opaque_ = false;
};

}  // namespace

}  // namespace effigy::emfx::checks

namespace effigy::xpm {

Report check(const File& file, const xac::File* actor) {
    Report report;
    emfx::checks::Findings findings(report);
    emfx::checks::WeightCheck weights(file, findings);
    weights.run();
    if (actor != nullptr) weights.compare(*actor);
    findings.finish();
    emfx::locate(file, report);
    return report;
}

}  // namespace effigy::xpm
