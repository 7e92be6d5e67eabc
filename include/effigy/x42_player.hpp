#pragma once
/// Playing an X42 model as its game does: frames instead of seconds, animation groups apart from one another.
/// Rules: docs/formats/x42.md, "Play". For scenes of any format there is effigy/poser.hpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "effigy/playback.hpp"
#include "effigy/result.hpp"
#include "effigy/x42.hpp"

namespace effigy::x42 {

/// Where one animation group is: `fraction` of the way from one frame to another, as the artist counts frames (the
/// header's base frame is the first one of the key stream). A frame and the one behind it are a moment between them;
/// frames that lie apart, or go back, are two poses that are mixed.
struct GroupFrame {
    std::int32_t from = 0;
    std::int32_t to = 0;
    float fraction = 0;  ///< 0..1
};

/// What happens beyond the last frame; before the first one, the first one holds.
enum class Beyond : std::uint8_t { hold, wrap };

/// Something that a program does to a bone before its children follow.
struct BoneOffset {
    Index bone = no_index;
    Vec3 translation;     ///< added
    Quat rotation;        ///< turns after the pose's own rotation, in the parent's space
    Vec3 scale{0, 0, 0};  ///< added
};

/// Remembers where it was, so that time going forward costs no search: one player for each thread, and best one for
/// each animation that plays at once. What it is given wrongly it refuses ("playback-..." codes) without changing
/// anything.
class Player {
public:
    /// Fails ("x42-not-playable") if the key stream leads nowhere (bones, palettes, the tracks' first two keys), if a
    /// bone does not come after its parent, and for animation groups beyond 32 or beyond the bones. Nothing of `file`
    /// is kept.
    [[nodiscard]] static Result<Player> make(const File& file);
    Player(Player&&) noexcept;
    Player& operator=(Player&&) noexcept;
    ~Player();

    /// Local transforms of all bones. One frame for each animation group; bones in no group follow the first one. A
    /// file without groups has one. Allocates nothing.
    [[nodiscard]] Result<void> sample(std::span<const GroupFrame> frames, Beyond beyond,
                                      const playback::PoseSpan& pose);
    /// Mixes two poses in place by one weight, 0..1, for each animation group: 0 is `pose`, 1 is `other`.
    [[nodiscard]] Result<void> blend(const playback::PoseSpan& pose, const playback::PoseView& other,
                                     std::span<const float> weights) const;
    [[nodiscard]] static Result<void> apply(std::span<const BoneOffset> offsets, const playback::PoseSpan& pose);
    /// Matrices of all bones in file space, parents first; playback's jobs skin with them.
    [[nodiscard]] Result<void> models(const playback::PoseView& pose, std::span<Mat4> out) const;

    [[nodiscard]] std::size_t bone_count() const noexcept;
    [[nodiscard]] std::size_t group_count() const noexcept;  ///< at least 1

private:
    struct State;
    explicit Player(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

}  // namespace effigy::x42
