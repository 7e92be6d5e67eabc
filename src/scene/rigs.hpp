#pragma once
/// A model's names, ready to be compared with many motions.

#include <string_view>
#include <unordered_map>

#include "effigy/rig.hpp"

namespace effigy {

/// The model must outlive it.
class RigNames {
public:
    explicit RigNames(const Rig& model);

    /// What a track is to the model.
    struct Track {
        bool is_found = false;
        std::optional<double> distance{};  ///< as Fit::bind_distance, of this track
        /// A twentieth, which the places of a skeleton that was changed a little still keep.
        [[nodiscard]] bool differs() const noexcept { return distance && *distance > 0.05; }
    };
    [[nodiscard]] Track node_track(const RigPart& track) const;
    [[nodiscard]] Track target_track(const RigPart& track) const;
    [[nodiscard]] Fit fit(const Rig& motion) const;

private:
    const Rig& model_;
    std::unordered_map<std::string_view, const RigPart*> nodes_, targets_;  ///< the first of a name counts
};

}  // namespace effigy
