#pragma once
/// Diagnostics about a scene that contradicts itself, with paths into it.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "effigy/result.hpp"

namespace effigy {

/// One step of a path: "meshes[3]", or "indices" without a number.
struct Step {
    static constexpr std::size_t no_number = ~std::size_t{0};
    std::string_view name;
    std::size_t number = no_number;
};
using Steps = std::initializer_list<Step>;

/// "meshes[3] / primitives[0] / indices"
[[nodiscard]] std::string to_path(Steps steps);

/// "scene-invalid"
[[nodiscard]] tl::unexpected<Diagnostic> scene_problem(Steps steps, std::string_view message, std::string found = {},
                                                       std::string expected = {});

/// "scene-not-finite"
[[nodiscard]] tl::unexpected<Diagnostic> not_finite(Steps steps, std::string_view object_name, float found);

}  // namespace effigy
