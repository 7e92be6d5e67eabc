/// Rules of `check` for skeletal motions (XSM), alone and against the actor that they are meant for.

#include "effigy/xsm.hpp"

#include <algorithm>

#include "effigy/emfx_codes.hpp"
#include "effigy/xac.hpp"

#include "emfx/check/check.hpp"
#include "emfx/check/keys.hpp"
#include "emfx/file/locate.hpp"

namespace effigy::emfx::checks {

namespace {

/// A submotion's place and name.
struct MotionTrack {
    std::size_t chunk;
    std::uint64_t element;  ///< no_index in a chunk of its own
    std::string_view name;
    bool moves;
};

class MotionCheck {
public:
    MotionCheck(const xsm::File& file, Findings& findings) : file_(file), findings_(findings) {}

    void run() {
        check_container<MotionInfo>(file_, findings_);
        for (std::size_t index = 0; index < file_.chunks.size(); ++index) check_chunk(index);
        if (tracks_.empty() && !has_opaque_)
            findings_.collect(codes::motion_empty, findings_.file(), "0 tracks", "1 track or more");
        std::vector<std::string_view> names;
        for (const MotionTrack& track : tracks_) names.push_back(track.name);
        check_track_names(
            names, "node_name", [&](std::size_t index, auto use) { with_place(tracks_[index], use); }, findings_);
    }

    void compare(const xac::File& actor) {
        check_orders(actor);
        std::vector<std::string_view> nodes;
        for (const xac::Node* node : xac::nodes(actor)) nodes.push_back(node->name);
        check_known(sorted(nodes));
        check_unmoved(nodes);
    }

private:
    static std::vector<std::string_view> sorted(std::vector<std::string_view> names) {
        std::sort(names.begin(), names.end());
        return names;
    }

    template <class Use>
    void with_place(const MotionTrack& track, Use use) const {
        const Where chunk = chunk_place(file_, track.chunk, findings_);
        if (track.element == Where::no_index)
            use(chunk);
        else
            use(Where{&chunk, "submotion", track.element});
    }

    void check_chunk(std::size_t index) {
        const xsm::Chunk& chunk = file_.chunks[index];
        const Where place = chunk_place(file_, index, findings_);
        if (std::holds_alternative<Opaque>(chunk.record)) has_opaque_ = true;
        if (const auto* info = std::get_if<MotionInfo>(&chunk.record)) check_motion_info(*info, place, findings_);
        if (const auto* events = std::get_if<MotionEvents>(&chunk.record))
            check_events(*events, chunk.version, place, findings_);
        if (const auto* timestamp = std::get_if<Timestamp>(&chunk.record))
            check_timestamp(*timestamp, place, findings_);
        if (const auto* single = std::get_if<xsm::Submotion>(&chunk.record)) check_single(*single, index, place);
        if (const auto* single = std::get_if<xsm::PackedSubmotion>(&chunk.record)) check_single(*single, index, place);
        if (const auto* list = std::get_if<xsm::Submotions>(&chunk.record)) check_list(*list, index, place);
        if (const auto* list = std::get_if<xsm::PackedSubmotions>(&chunk.record)) check_list(*list, index, place);
        if (const auto* wavelet = std::get_if<xsm::Wavelet>(&chunk.record)) check_wavelet(*wavelet, index, place);
    }

    template <class Submotion>
    static bool moves(const Submotion& submotion) noexcept {
        return !submotion.position_keys.empty() || !submotion.rotation_keys.empty() || !submotion.scale_keys.empty() ||
               !submotion.scale_rotation_keys.empty();
    }

    template <class Submotion>
    void check_single(const Submotion& submotion, std::size_t chunk, const Where& place) {
        tracks_.push_back({chunk, Where::no_index, submotion.node_name, moves(submotion)});
        check_submotion(submotion, place);
    }

    template <class List>
    void check_list(const List& list, std::size_t chunk, const Where& place) {
        for (std::size_t index = 0; index < list.submotions.size(); ++index) {
            tracks_.push_back({chunk, index, list.submotions[index].node_name, moves(list.submotions[index])});
            check_submotion(list.submotions[index], {&place, "submotion", index});
        }
    }

    void check_wavelet(const xsm::Wavelet& wavelet, std::size_t chunk, const Where& place) {
        findings_.add(codes::motion_wavelet, place, number(wavelet.chunks.size()) + " compressed chunks", "keys");
        if (wavelet.mappings.size() != wavelet.submotions.size())
            findings_.add(codes::wavelet_mapping, {&place, "mappings"}, number(wavelet.mappings.size()),
                          number(wavelet.submotions.size()));
        for (std::size_t index = 0; index < wavelet.submotions.size(); ++index) {
            tracks_.push_back({chunk, index, wavelet.submotions[index].node_name, true});
            const Where submotion{&place, "submotion", index};
            findings_.text(wavelet.submotions[index].node_name, {&submotion, "node_name"});
            check_poses(wavelet.submotions[index], submotion);
        }
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
            findings_.add(codes::not_finite, {&track, name, bad.first}, numbers(keys[bad.first].value),
                          "finite numbers", bad.count);
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
            findings_.add(codes::not_finite, {&track, name, bad.first}, numbers(value(bad.first)), "finite numbers",
                          bad.count);
        if (const Tally bad = tally(keys.size(), [&](std::size_t i) { return not_unit(value(i)); }))
            findings_.add(codes::rotation_norm, {&track, name, bad.first}, numbers(value(bad.first)), "length 1",
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

    void check_known(const std::vector<std::string_view>& nodes) {
        for (const MotionTrack& track : tracks_) {
            if (std::binary_search(nodes.begin(), nodes.end(), track.name)) continue;
            with_place(track, [&](const Where& place) {
                const Where name{&place, "node_name"};
                const std::string expected = "a name of one of the actor's " + number(nodes.size()) + " nodes";
                if (track.moves)
                    findings_.add(codes::motion_node_unknown, name, in_quotes(track.name), expected);
                else
                    findings_.collect(codes::motion_node_absent, name, in_quotes(track.name), expected);
            });
        }
    }

    void check_unmoved(const std::vector<std::string_view>& nodes) {
        std::vector<std::string_view> moved;
        for (const MotionTrack& track : tracks_) moved.push_back(track.name);
        moved = sorted(std::move(moved));
        const Where file = findings_.file();
        for (const std::string_view node : nodes)
            if (!std::binary_search(moved.begin(), moved.end(), node))
                findings_.collect(codes::motion_node_unmoved, file, "no track for " + in_quotes(node),
                                  "a track for each node that moves");
    }

    const xsm::File& file_;
    Findings& findings_;
    std::vector<MotionTrack> tracks_;
    bool has_opaque_ = false;
};

}  // namespace

}  // namespace effigy::emfx::checks

namespace effigy::xsm {

Report check(const File& file, const xac::File* actor) {
    Report report;
    emfx::checks::Findings findings(report);
    emfx::checks::MotionCheck motion(file, findings);
    motion.run();
    if (actor != nullptr) motion.compare(*actor);
    findings.finish();
    emfx::locate(file, report);
    return report;
}

}  // namespace effigy::xsm
