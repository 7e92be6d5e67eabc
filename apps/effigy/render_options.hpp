#pragma once
/// What `effigy render` was asked for, and what it makes of it.

#include <optional>
#include <string>
#include <vector>

#include "effigy/render.hpp"

#include "batch.hpp"
#include "clip_choice.hpp"
#include "picture_options.hpp"
#include "scene_input.hpp"
#include "studio.hpp"

namespace effigy::app {

struct RenderOptions {
    SceneInput input;
    BatchArguments batch;
    bool sheet = false;
    bool animate = false;
    bool turntable = false;
    bool png = false;   ///< whatever the output is called
    std::string turns;  ///< how many pictures the turntable takes, or empty
    unsigned frames = 0;
    double frames_per_second = 0;  ///< 0: not given
    ClipChoice clip;
    std::optional<double> time;
    std::string size;
    std::string view;
    std::string background = "none";
    std::string letters = "auto";
    bool wireframe = false, skeleton = false, normals = false, texcoords = false, collision = false;
    std::uint32_t samples = 16;
    unsigned threads = 0;

    [[nodiscard]] bool has_plain_letters() const { return letters == "plain"; }
    [[nodiscard]] const std::string& output() const { return input.output; }
};

enum class Form : std::uint8_t {
    picture,
    sheet,      ///< several in one file, with labels
    files,      ///< numbered files
    animation,  ///< .webp or .gif
    contacts,   ///< a sheet of everything in a folder
};

/// Whether the inputs are to be looked at one by one.
[[nodiscard]] bool has_folder(const SceneInput& input);
[[nodiscard]] Form form_of(const RenderOptions& options);
[[nodiscard]] image::AnimationKind animation_kind(const RenderOptions& options);
/// What speaks against the command line before anything is read; empty if nothing does.
[[nodiscard]] std::string render_usage_problem(const RenderOptions& options);

/// Of each picture, or of each cell.
[[nodiscard]] Size picture_size(const RenderOptions& options, Form form);
[[nodiscard]] render::Options drawing_options(const RenderOptions& options, Size size);
/// What speaks against so many pictures, or cells, of one size in one file; empty if nothing does.
[[nodiscard]] std::string amount_problem(Form form, std::size_t count, Size size);

struct ShotList {
    std::vector<Shot> shots;
    Framing framing = Framing::together;
    double picture_time = 0;  ///< seconds that each stays in an animation
};
/// What speaks against showing pictures of an animation for so short a time; empty if nothing does.
[[nodiscard]] std::string pace_problem(const RenderOptions& options, Form form, const ShotList& list);
/// `duration` is that of the clip to show, if there is one. Fails with words for the user.
[[nodiscard]] tl::expected<ShotList, std::string> list_shots(const RenderOptions& options, Form form,
                                                             std::optional<double> duration);

/// The shot for a contact sheet.
[[nodiscard]] Shot portrait(const RenderOptions& options, const std::string& label);

}  // namespace effigy::app
