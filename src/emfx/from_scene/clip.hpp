#pragma once
/// One clip on its way into motions.

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/budget.hpp"
#include "core/json_fwd.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "emfx/to_scene/keys.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {

/// A node of the actor and the scene's nodes that it is made of.
struct MovedNode {
    Index node = no_index;  ///< carries name, rotation and, without a link, all else
    Index link = no_index;  ///< `<node>.scale` above it, or none
    std::string_view raw_name;
    const xac::Node* bind = nullptr;
    bool rests_elsewhere = false;  ///< than where the actor has it

    /// The one that carries translation and scale.
    [[nodiscard]] Index first() const noexcept { return link == no_index ? node : link; }
};

/// What targets are called now, by their old names. Several: meshes have given one target different names.
using TargetNames = std::map<std::string_view, std::set<std::string_view>>;

struct MotionBuild {
    MotionBuild(const Scene& from, const Untouched& known, const NodeMap& node_map,
                const FromSceneOptions& from_options, const Encodings& read_in, const xac::File& actor, Report& to);

    const Scene& scene;
    const Untouched& untouched;
    const NodeMap& map;
    const FromSceneOptions& options;
    const Encodings& encodings;  ///< of names in the old files
    Report& report;
    Budget budget;
    Order order;
    std::vector<MovedNode> nodes;                               ///< in the order of the actor's
    std::unordered_map<std::string_view, std::size_t> by_text;  ///< the same by the scene's names
    std::unordered_map<std::string_view, std::size_t> by_name;  ///< of `nodes`
    std::vector<bool> is_moved;                                 ///< for each node of the scene: a part of `nodes`
    TargetNames target_names;
    const Clip* clip = nullptr;
    bool is_shortened = false;                               ///< the clip is shorter than its file was
    std::string path;                                        ///< of the clip, for the report
    std::unordered_map<std::uint64_t, const Track*> tracks;  ///< of the clip

    void open(std::size_t clip_number);
    void close();
    /// The node of a name in a file, or null.
    [[nodiscard]] const MovedNode* find_node(std::string_view raw_name) const;
    [[nodiscard]] const Track* find(Index node, TrackPath path) const noexcept;
    void note(const Code& code, std::string message, std::string found = {}, std::string expected = {});
};

/// How many numbers a value of a track has: one for each target where it moves weights.
[[nodiscard]] std::size_t components_of(const Scene& scene, const Track& track) noexcept;

// from_scene/channels.cpp
/// Tracks as channels that the engine reads: linear, from 0 on, rotations by normalised interpolation.
class ChannelMaker {
public:
    ChannelMaker(const Clip& clip, double max_error) : clip_(clip), max_error_(max_error) {}

    /// Without a track, or where it never changes, only the pose.
    [[nodiscard]] Channel make(const Track* track, TrackPath path, std::span<const float> rest);
    /// One for each target; weights outside of 0 to 1 are taken as they are.
    [[nodiscard]] std::vector<Channel> make_weights(const Track& track, std::size_t targets);
    /// What was done to the keys.
    void note(MotionBuild& build) const;

private:
    [[nodiscard]] Channel linear(const Track& track, std::size_t components);
    void thin(Channel& channel, TrackPath path);

    const Clip& clip_;
    double max_error_;
    std::size_t resampled_ = 0, rough_ = 0, left_out_ = 0;
    std::uint64_t unordered_ = 0, not_finite_ = 0;
    double error_ = 0, rough_error_ = 0;
};

/// Its last value once more at `time`, if it ends earlier; a channel without keys gets two.
void hold_until(Channel& channel, float time);

// from_scene/records.cpp
/// The file that a record in extras describes, with its keys from the record or the clip's tracks; nothing if they are
/// not all there.
[[nodiscard]] std::optional<xsm::File> restored_motion(MotionBuild& build, const Json& record);
[[nodiscard]] std::optional<xpm::File> restored_morph_motion(MotionBuild& build, const Json& record);
/// What of the file stays when its tracks are made anew: all but the submotions. Null: there is no record. `others`
/// gets the submotions of the file that move what the actor lacks: other actors may have it.
[[nodiscard]] xsm::File motion_frame(MotionBuild& build, const Json* record, std::vector<xsm::Submotion>& others);
[[nodiscard]] xsm::File motion_frame(MotionBuild& build, const Json* record, std::vector<xsm::PackedSubmotion>& others);
/// `phoneme_sets` gets those that the file says, by its names of targets.
[[nodiscard]] xpm::File morph_motion_frame(MotionBuild& build, const Json* record, std::vector<xpm::Submotion>& others,
                                           std::map<std::string, std::uint32_t>& phoneme_sets);
/// Adds what moves to a frame: behind the info, and so before events, where exporters have it.
template <class File>
void insert_submotions(File& frame, typename decltype(File::chunks)::value_type chunk) {
    const auto info = std::find_if(frame.chunks.begin(), frame.chunks.end(),
                                   [](const auto& one) { return std::holds_alternative<MotionInfo>(one.record); });
    frame.chunks.insert(info == frame.chunks.end() ? info : std::next(info), std::move(chunk));
}
/// Which version of the chunk of submotions the record had; 0: none.
[[nodiscard]] std::uint32_t submotions_version(const Json* record) noexcept;

// from_scene/tracks.cpp
[[nodiscard]] std::optional<xsm::File> new_motion(MotionBuild& build, const Json* record);

// from_scene/weights.cpp
/// Tells of targets that the clip moves on one mesh and not on another that is seen: in the files both move.
void note_still_weights(MotionBuild& build);
[[nodiscard]] std::optional<xpm::File> new_morph_motion(MotionBuild& build, const Json* record);

}  // namespace effigy::emfx::bridge
