/// Rules of `check` for skeletal motions (XSM) and morph motions (XPM), alone and against the actor that they are meant
/// for.

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "effigy/emfx_codes.hpp"
#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/check/check.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/file/wavelets.hpp"
#include "scene/rigs.hpp"

namespace effigy::emfx::checks {

namespace {

/// Times: finite, from 0 on, rising. `name` is the member that holds the keys.
template <class Key>
void check_times(std::span<const Key> keys, std::string_view name, const Where& track, Findings& findings) {
    if (keys.empty()) return;
    const auto place = [&](std::uint64_t index) { return Where{&track, name, index}; };
    const auto pair_text = [&](std::size_t index) {
        return number(keys[index].time) + " after " + number(keys[index - 1].time);
    };
    if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return not_finite(keys[i].time); }))
        findings.add(codes::not_finite, place(bad.first), number(keys[bad.at()].time), "a finite time", bad.count);
    if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return keys[i].time < 0; }))
        findings.add(codes::key_time_negative, place(bad.first), number(keys[bad.at()].time), "0 or later", bad.count);
    if (keys[0].time > 0) findings.collect(codes::key_time_first, place(0), number(keys[0].time), "0");
    if (keys.size() == 1) findings.collect(codes::key_single, place(0), "1 key", "no keys, or 2 and more");

    const auto later = [&](std::size_t i) { return keys[i + 1].time < keys[i].time; };
    if (const Tally bad = tally(keys.size() - 1, later))
        findings.add(codes::key_time_order, place(bad.first + 1), pair_text(bad.at() + 1), "rising times", bad.count);
    const auto same = [&](std::size_t i) { return keys[i + 1].time == keys[i].time; };
    if (const Tally bad = tally(keys.size() - 1, same))
        findings.add(codes::key_time_duplicate, place(bad.first + 1), pair_text(bad.at() + 1), "rising times",
                     bad.count);
}

/// A submotion's place and name.
struct MotionTrack {
    std::size_t chunk;
    std::uint64_t element;  ///< no_index in a chunk of its own
    std::string_view name;
};

/// What is said of such a motion is said once, not of each track.
bool names_nothing(const Fit& fit) noexcept { return fit.tracks != 0 && fit.tracks_found == 0; }

/// The tracks of a motion of either kind, and the chunks that both kinds have.
template <class File>
class MotionTracks {
public:
    MotionTracks(const File& file, Findings& findings) : file_(file), findings_(findings) {}

    void add(MotionTrack track) { tracks_.push_back(track); }
    [[nodiscard]] const std::vector<MotionTrack>& all() const noexcept { return tracks_; }

    template <class Use>
    void with_place(const MotionTrack& track, Use use) const {
        with_element(file_, track.chunk, "submotion", track.element, findings_, use);
    }

    /// `check_record` takes each chunk's record, number and place, and adds the tracks.
    template <class CheckRecord>
    void check_chunks(CheckRecord check_record) {
        check_container<MotionInfo>(file_, findings_);
        bool has_opaque = false;
        for (std::size_t index = 0; index < file_.chunks.size(); ++index) {
            const auto& chunk = file_.chunks[index];
            const Where place = chunk_place(file_, index, findings_);
            if (std::holds_alternative<Opaque>(chunk.record)) has_opaque = true;
            if (const auto* info = std::get_if<MotionInfo>(&chunk.record)) check_motion_info(*info, place, findings_);
            if (const auto* events = std::get_if<MotionEvents>(&chunk.record))
                check_events(*events, chunk.version, place, findings_);
            if (const auto* timestamp = std::get_if<Timestamp>(&chunk.record))
                check_timestamp(*timestamp, place, findings_);
            std::visit([&](const auto& record) { check_record(record, index, place); }, chunk.record);
        }
        if (tracks_.empty() && !has_opaque) {
            // Morph motions without any are common.
            constexpr bool is_usual = std::is_same_v<File, xpm::File>;
            findings_.collect(is_usual ? codes::motion_empty.as(Severity::info) : codes::motion_empty, findings_.file(),
                              "0 tracks", "1 track or more");
        }
    }

    void add_names_nothing(std::string expected) const {
        std::string names;
        for (std::size_t i = 0; i < tracks_.size() && i < 5; ++i)
            names += (i == 0 ? "" : ", ") + in_quotes(tracks_[i].name);
        findings_.add(codes::motion_names_nothing, findings_.file(), names + (tracks_.size() > 5 ? ", ..." : ""),
                      std::move(expected));
    }

    /// Names: there, and each once. `member` holds them.
    void check_names(std::string_view member) const {
        std::vector<std::string_view> names;
        for (const MotionTrack& track : tracks_) {
            names.push_back(track.name);
            if (!track.name.empty()) continue;
            with_place(track, [&](const Where& place) {
                findings_.add(codes::submotion_name_empty, {&place, member}, in_quotes(track.name), "a name");
            });
        }
        for (const Duplicate& duplicate : duplicates(names)) {
            if (names[duplicate.index].empty()) continue;
            with_place(tracks_[duplicate.index], [&](const Where& place) {
                findings_.add(codes::submotion_name_duplicate, {&place, member}, in_quotes(names[duplicate.index]),
                              "a name that no earlier track has");
            });
        }
    }

private:
    const File& file_;
    Findings& findings_;
    std::vector<MotionTrack> tracks_;
};

class MotionCheck {
public:
    MotionCheck(const xsm::File& file, Findings& findings)
        : file_(file), findings_(findings), tracks_(file, findings) {}

    void run() {
        tracks_.check_chunks([&](const auto& record, std::size_t chunk, const Where& place) {
            if constexpr (requires { record.mappings; })
                check_wavelet(record, chunk, place);
            else if constexpr (requires { record.submotions; })
                check_list(record, chunk, place);
            else if constexpr (requires { record.node_name; })
                check_single(record, chunk, place);
        });
        tracks_.check_names("node_name");
    }

    void compare(const xac::File& actor) {
        check_orders(actor);
        const Rig model = rig_of(actor), motion = rig_of(file_);
        const RigNames names(model);
        if (names_nothing(names.fit(motion))) return tracks_.add_names_nothing(name_of_nodes(model.nodes.size()));
        check_known(names, motion, model.nodes.size());
        check_unmoved(model, motion);
        check_skeleton(names, motion);
    }

private:
    static std::string name_of_nodes(std::size_t count) {
        return "a name of one of the actor's " + number(count) + " nodes";
    }

    template <class Submotion>
    void check_single(const Submotion& submotion, std::size_t chunk, const Where& place) {
        tracks_.add({chunk, Where::no_index, submotion.node_name});
        check_submotion(submotion, place);
    }

    template <class List>
    void check_list(const List& list, std::size_t chunk, const Where& place) {
        for (std::size_t index = 0; index < list.submotions.size(); ++index) {
            const auto& submotion = list.submotions[index];
            tracks_.add({chunk, index, submotion.node_name});
            check_submotion(submotion, {&place, "submotion", index});
        }
    }

    void check_wavelet(const xsm::Wavelet& wavelet, std::size_t chunk, const Where& place) {
        for (const xsm::WaveletProblem& problem : problems_in(wavelet)) {
            const bool is_sound_file = problem.code == codes::wavelet_rice;
            findings_.add(is_sound_file ? codes::wavelet_rice.as(Severity::warning) : problem.code,
                          {&place, problem.path}, problem.found, problem.expected);
        }
        for (std::size_t index = 0; index < wavelet.submotions.size(); ++index) {
            const auto& submotion = wavelet.submotions[index];
            tracks_.add({chunk, index, submotion.node_name});
            const Where where{&place, "submotion", index};
            findings_.text(submotion.node_name, {&where, "node_name"});
            check_poses(submotion, where);
        }
    }

    /// Decodes all of it, and keeps nothing.
    [[nodiscard]] std::vector<xsm::WaveletProblem> problems_in(const xsm::Wavelet& wavelet) const {
        std::vector<xsm::WaveletProblem> problems = xsm::problems_of(wavelet);
        if (xsm::has_error(problems)) return problems;
        xsm::WaveletReader reader(wavelet, file_.header.big_endian());
        std::uint64_t lost = 0;
        for (std::size_t chunk = 0; chunk < wavelet.chunks.size(); ++chunk) {
            if (auto problem = reader.open(chunk)) {
                problems.push_back(std::move(*problem));
                return problems;
            }
            const std::size_t rotations =
                std::size_t{wavelet.rotation_track_count} + wavelet.scale_rotation_track_count;
            for (std::size_t track = 0; track < rotations; ++track) {
                for (const xsm::SampleRow& row : reader.samples(xsm::WaveletBlock::rotations, track))
                    lost += xsm::unit_sample(row) ? 0u : 1u;
            }
        }
        if (lost != 0)
            problems.push_back({codes::wavelet_values, "wavelet_chunk[0] / rotations", number(lost) + " rotations",
                                "rotations that have a length"});
        return problems;
    }

    template <class Submotion>
    void check_poses(const Submotion& submotion, const Where& place) {
        using xsm::decode;
        check_rotation(decode(submotion.pose_rotation), {&place, "pose_rotation"}, findings_);
        check_rotation(decode(submotion.bind_pose_rotation), {&place, "bind_pose_rotation"}, findings_);
        check_rotation(decode(submotion.pose_scale_rotation), {&place, "pose_scale_rotation"}, findings_);
        check_rotation(decode(submotion.bind_pose_scale_rotation), {&place, "bind_pose_scale_rotation"}, findings_);
        check_finite(submotion.pose_position, {&place, "pose_position"}, findings_);
        check_finite(submotion.pose_scale, {&place, "pose_scale"}, findings_);
        check_finite(submotion.bind_pose_position, {&place, "bind_pose_position"}, findings_);
        check_finite(submotion.bind_pose_scale, {&place, "bind_pose_scale"}, findings_);
    }

    template <class Rotation>
    void check_submotion(const xsm::BasicSubmotion<Rotation>& submotion, const Where& place) {
        findings_.text(submotion.node_name, {&place, "node_name"});
        check_poses(submotion, place);
        check_vectors(submotion.position_keys, submotion.pose_position, "position_keys", place);
        check_rotations(submotion.rotation_keys, submotion.pose_rotation, "rotation_keys", place);
        check_vectors(submotion.scale_keys, submotion.pose_scale, "scale_keys", place);
        check_rotations(submotion.scale_rotation_keys, submotion.pose_scale_rotation, "scale_rotation_keys", place);
    }

    void check_vectors(std::span<const xsm::VectorKey> keys, const Vec3& pose, std::string_view name,
                       const Where& track) {
        check_times(keys, name, track, findings_);
        const auto infinite = [&](std::size_t i) { return not_finite(keys[i].value); };
        if (const Tally bad = tally(keys.size(), infinite))
            findings_.add(codes::not_finite, {&track, name, bad.first}, numbers(keys[bad.at()].value), "finite numbers",
                          bad.count);
        if (!keys.empty() && differ(keys[0].value, pose))
            findings_.collect(codes::key_pose, {&track, name, 0}, numbers(keys[0].value), numbers(pose));
    }

    template <class Rotation>
    void check_rotations(const Bulk<xsm::RotationKey<Rotation>>& keys, Rotation pose, std::string_view name,
                         const Where& track) {
        using xsm::decode;
        using Key = xsm::RotationKey<Rotation>;
        check_times(std::span<const Key>(keys), name, track, findings_);
        const auto value = [&](std::size_t i) { return decode(keys[i].value); };
        if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return not_finite(value(i)); }))
            findings_.add(codes::not_finite, {&track, name, bad.first}, numbers(value(bad.at())), "finite numbers",
                          bad.count);
        if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return not_unit(value(i)); }))
            findings_.add(codes::rotation_norm, {&track, name, bad.first}, numbers(value(bad.at())), "length 1",
                          bad.count);
        for (std::size_t index = 1; index < keys.size(); ++index) {
            const float cosine = dot(value(index - 1), value(index));
            if (cosine < 0)
                findings_.collect(codes::key_sign_flip, {&track, name, index}, "dot product " + number(cosine),
                                  "0 or more");
        }
        if (!keys.empty() && std::fabs(dot(value(0), decode(pose))) < 1 - square_tolerance)
            findings_.collect(codes::key_pose, {&track, name, 0}, numbers(value(0)), numbers(decode(pose)));
    }

    static float dot(const Quat& a, const Quat& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

    static bool differ(const Vec3& a, const Vec3& b) noexcept {
        const auto apart = [](float left, float right) {
            return std::fabs(left - right) > 1e-3f * std::max(1.0f, std::fabs(left));
        };
        return apart(a.x, b.x) || apart(a.y, b.y) || apart(a.z, b.z);
    }

    void check_orders(const xac::File& actor) {
        if (actor.header.multiplication_order == file_.header.multiplication_order) return;
        const Where header{findings_.base(), "header"};
        findings_.add(codes::motion_order_mismatch, {&header, "multiplication_order"},
                      number(file_.header.multiplication_order), number(actor.header.multiplication_order));
    }

    void check_known(const RigNames& names, const Rig& motion, std::size_t nodes) {
        const std::string expected = name_of_nodes(nodes);
        for (std::size_t i = 0; i < motion.nodes.size(); ++i) {
            if (names.node_track(motion.nodes[i]).is_found) continue;
            tracks_.with_place(tracks_.all()[i], [&](const Where& place) {
                const Where name{&place, "node_name"};
                if (motion.nodes[i].moves)
                    findings_.add(codes::motion_node_unknown, name, in_quotes(motion.nodes[i].name), expected);
                else
                    findings_.collect(codes::motion_node_absent, name, in_quotes(motion.nodes[i].name), expected);
            });
        }
    }

    void check_unmoved(const Rig& model, const Rig& motion) {
        std::unordered_set<std::string_view> moved;
        for (const RigPart& track : motion.nodes) moved.insert(track.name);
        const Where file = findings_.file();
        for (const RigPart& node : model.nodes)
            if (!moved.contains(node.name))
                findings_.collect(codes::motion_node_unmoved, file, "no track for " + in_quotes(node.name),
                                  "a track for each node that moves");
    }

    void check_skeleton(const RigNames& names, const Rig& motion) {
        const Fit fit = names.fit(motion);
        if (!fit.has_other_skeleton()) return;
        std::string differing;
        std::size_t shown = 0;
        for (const RigPart& track : motion.nodes) {
            if (!names.node_track(track).differs()) continue;
            if (shown == 5) break;
            differing += (shown++ == 0 ? "" : ", ") + in_quotes(track.name);
        }
        findings_.add(codes::motion_skeleton_differs, findings_.file(),
                      number(fit.positions_differing) + " of " + number(fit.positions) + " nodes: " + differing +
                          (fit.positions_differing > 5 ? ", ..." : ""),
                      "at least half of them where the motion's bind pose has them");
    }

    const xsm::File& file_;
    Findings& findings_;
    MotionTracks<xsm::File> tracks_;
};

class WeightCheck {
public:
    WeightCheck(const xpm::File& file, Findings& findings)
        : file_(file), findings_(findings), tracks_(file, findings) {}

    void run() {
        tracks_.check_chunks([&](const auto& record, std::size_t chunk, const Where&) {
            if constexpr (requires { record.submotions; }) {
                for (std::size_t i = 0; i < record.submotions.size(); ++i) add(record.submotions[i], chunk, i);
            } else if constexpr (requires { record.keys; }) {
                add(record, chunk, Where::no_index);
            }
        });
        for (std::size_t i = 0; i < submotions_.size(); ++i)
            tracks_.with_place(tracks_.all()[i], [&](const Where& place) { check_submotion(*submotions_[i], place); });
        tracks_.check_names("name");
    }

    void compare(const xac::File& actor) {
        const std::vector<const xac::MorphTarget*> targets = targets_by_name(actor);
        if (names_nothing(fit_of(rig_of(actor), rig_of(file_))))
            return tracks_.add_names_nothing(name_of_targets(targets.size()));
        for (std::size_t i = 0; i < submotions_.size(); ++i)
            tracks_.with_place(tracks_.all()[i], [&](const Where& place) { compare(*submotions_[i], targets, place); });
    }

private:
    static std::string name_of_targets(std::size_t count) {
        return "a name of one of the actor's " + number(count) + " morph targets";
    }

    void add(const xpm::Submotion& submotion, std::size_t chunk, std::uint64_t element) {
        submotions_.push_back(&submotion);
        tracks_.add({chunk, element, submotion.name});
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
            for (const xac::MorphTarget& target : records_in(chunk.record, &xac::MorphTargets::targets))
                targets.push_back(&target);
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
                          name_of_targets(targets.size()));
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
    MotionTracks<xpm::File> tracks_;
    std::vector<const xpm::Submotion*> submotions_;
};

template <class Check, class File>
Report report_of(const File& file, const xac::File* actor) {
    Report report;
    Findings findings(report);
    Check check(file, findings);
    check.run();
    if (actor != nullptr) check.compare(*actor);
    findings.finish();
    layout::locate(walk_of(file, false), report);
    return report;
}

}  // namespace

}  // namespace effigy::emfx::checks

namespace effigy {

Report xsm::check(const File& file, const xac::File* actor) {
    return emfx::checks::report_of<emfx::checks::MotionCheck>(file, actor);
}

Report xpm::check(const File& file, const xac::File* actor) {
    return emfx::checks::report_of<emfx::checks::WeightCheck>(file, actor);
}

}  // namespace effigy
