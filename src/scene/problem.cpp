/// Diagnostics about a scene, and paths into it.

#include "scene/problem.hpp"

#include <cmath>
#include <utility>

#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"

namespace effigy {

std::string to_path(Steps steps) {
    std::string path;
    for (const Step& step : steps) {
        if (!path.empty()) path += " / ";
        path += step.name;
        if (step.number == Step::no_number) continue;
        path += '[';
        path += std::to_string(step.number);
        path += ']';
    }
    return path;
}

tl::unexpected<Diagnostic> scene_problem(Steps steps, std::string_view message, std::string found,
                                         std::string expected) {
    return fail(
        problem_at(to_path(steps), codes::scene_invalid, std::string(message), std::move(found), std::move(expected)));
}

tl::unexpected<Diagnostic> not_finite(Steps steps, std::string_view object_name, float found) {
    std::string message = "a number is not finite";
    if (!object_name.empty()) message += ", in \"" + std::string(object_name) + "\"";
    const char* shown = std::isnan(found) ? "NaN" : found > 0 ? "infinity" : "-infinity";
    return fail(problem_at(to_path(steps), codes::scene_not_finite, std::move(message), shown, "a finite number"));
}

}  // namespace effigy
