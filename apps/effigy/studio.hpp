#pragma once
/// A scene in front of a camera: one place for all pictures of it.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "effigy/poser.hpp"
#include "effigy/render.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::app {

/// One picture of a scene.
struct Shot {
    render::View view;
    double time = 0;  ///< seconds
    std::string label;
};

/// How the cameras of several shots go together.
enum class Framing : std::uint8_t {
    together,   ///< from one distance, with all that any of the shots shows in every picture
    turntable,  ///< likewise, on a circle around the scene: the shots differ in yaw and time only
};

class Studio {
public:
    /// What was noticed goes to `report`.
    [[nodiscard]] static Result<Studio> open(Scene scene, const playback::PoserOptions& options, const Limits& limits,
                                             Report& report);

    [[nodiscard]] const Scene& scene() const noexcept { return *scene_; }
    /// A scene that draws nothing shows its joints at least.
    [[nodiscard]] bool is_bare() const noexcept { return poser_.meshes().empty(); }

    /// Places a camera for each shot. `clip` is a number of the scene's clips, or no_index for the rest pose.
    [[nodiscard]] Result<void> arrange(std::vector<Shot> shots, Index clip, Framing framing, float aspect);
    [[nodiscard]] Result<image::Picture> draw(std::size_t shot, const render::Options& options);
    /// Notes how many of the pictures drawn show nothing but the background; whether there are any.
    bool note_blank(Report& report) const;

private:
    Studio(std::unique_ptr<Scene> scene, playback::Poser poser, render::Renderer renderer) noexcept
        : scene_(std::move(scene)), poser_(std::move(poser)), renderer_(std::move(renderer)) {}

    template <class Look>
    [[nodiscard]] Result<void> for_each_pose(Look&& look);

    std::unique_ptr<Scene> scene_;  // poser and renderer refer to it
    playback::Poser poser_;
    render::Renderer renderer_;
    std::vector<Shot> shots_;
    std::vector<render::Camera> cameras_;
    Index clip_ = no_index;
    bool is_loaded_ = false;
    double loaded_time_ = 0;
    std::size_t blank_pictures_ = 0;
};

}  // namespace effigy::app
