#pragma once
/// Animations of a model as clips of the scene, one at a time. Rules: docs/conversion/x42.md, "Animations".

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/json.hpp"
#include "x42/to_scene/clip_tracks.hpp"
#include "x42/to_scene/to_scene.hpp"

namespace effigy::x42::bridge {

/// What an animation is before it has tracks.
struct ClipDraft {
    std::string_view name;             ///< raw bytes
    std::int64_t first = 0, last = 0;  ///< frames of the key stream, as in FrameRange
    double rate = 0;                   ///< as the file says it; it need not be credible
    Json extras = Json::object();
};

/// Names that something is wrong with, by what it is.
struct DraftFindings {
    NameList beyond, rates, frameless, lost;
};

[[nodiscard]] inline std::int64_t frames_in(const File& file) noexcept {
    return std::max<std::int64_t>(1, file.header.frame_count);
}

class ClipMaker {
public:
    /// The curves stay where they are. `rate` takes the place of all those that files say.
    ClipMaker(Build& build, const Model& model, std::span<const Curve> curves, std::optional<double> rate)
        : build_(build), model_(model), curves_(curves), given_rate_(rate) {}

    [[nodiscard]] Result<void> add(ClipDraft draft, DraftFindings& findings);
    /// What was found in all of them.
    void note_tracks();

private:
    [[nodiscard]] FrameRange range_of(const ClipDraft& draft, DraftFindings& findings) const;
    [[nodiscard]] Track rest_track() const;
    /// Keys whose rotations scale what they turn, by more than packing does.
    void note_lengths();
    [[nodiscard]] Json finished_extras(ClipDraft& draft, const FrameRange& range) const;

    Build& build_;
    const Model& model_;
    std::span<const Curve> curves_;
    std::optional<double> given_rate_;
    TrackFindings tracks_;
};

}  // namespace effigy::x42::bridge
