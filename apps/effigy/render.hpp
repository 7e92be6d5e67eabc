#pragma once
/// The parts of `effigy render` that see to different kinds of outputs.

#include <optional>
#include <string>
#include <vector>

#include "render_options.hpp"

namespace effigy::app {

/// What was written, for people and programs.
struct RenderOutcome {
    std::vector<std::string> outputs;
    Size size;  ///< of each output
    std::optional<std::string> clip;
    std::vector<Shot> shots;
};

/// Says what was written; returns the exit code.
[[nodiscard]] int finish_render(const RenderOutcome& outcome, const Report& report, const RenderOptions& options);

/// A sheet of all models in folders, one picture each.
[[nodiscard]] int draw_contacts(const RenderOptions& options);

/// A picture of each model in folders; returns the exit code.
[[nodiscard]] int draw_run(const RenderOptions& options);

/// Fails if one of the outputs exists and is one of the textures that the scene's materials name.
[[nodiscard]] Result<void> spare_textures(const Scene& scene, const SceneInput& input,
                                          const std::vector<std::string>& outputs);

}  // namespace effigy::app
