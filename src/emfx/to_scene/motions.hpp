#pragma once
/// What skeletal and morph motions share on their way into clips.

#include <variant>
#include <vector>

#include "emfx/to_scene/keys.hpp"
#include "emfx/to_scene/to_scene.hpp"

namespace effigy::emfx::bridge {

/// The chunk of compressed motions; where its record is a list of submotions, keys have taken their place.
inline constexpr std::uint32_t wavelet_id = 203;

using AnySubmotion = std::variant<xsm::Submotion*, xsm::PackedSubmotion*>;

struct Match {
    Index node;  ///< in the skeleton
    AnySubmotion submotion;
    std::size_t number;  ///< in the file
    bool is_packed;      ///< the file has samples in the place of these keys
};

/// The submotions that move nodes, and what is left over. A name that stands there twice counts once.
struct Matches {
    std::vector<Match> matched;
    std::vector<Match> idle;
    NameList unmatched;        ///< all that name no node
    NameList unknown, absent;  ///< of these, with keys and without: what is lost, and what is not
    NameList repeated;

    Matches(const Context& context, xsm::File& file);
};

/// Adapts a motion's positions and scales to the actor that it is played on.
void retarget(Context& context, SkeletalMotion& motion);
/// The times at which every track is sampled: none unless the caller asks for resampling.
[[nodiscard]] Result<Bulk<float>> sample_times(Context& context, float duration);
/// Names that stand there twice.
void note_repeated(Context& context, const std::string& kind, const NameList& repeated);
/// The submotions in the record of a motion's chunks, in the order of the file.
[[nodiscard]] std::vector<Json*> submotion_records(Json& chunks);
/// A motion that is left out: it has no tracks (`empty`), none of them names anything of the scene, or what they name
/// cannot move.
void note_left_out(Context& context, const Code& empty, std::size_t tracks, const NameList& unmatched);
/// What was found in the keys of one motion.
void note_keys(Context& context, const KeyFindings& findings);

}  // namespace effigy::emfx::bridge
