#include "gltf/problem.hpp"

#include <cmath>
#include <utility>

namespace effigy::gltf {

std::string to_path(Steps steps) {
    std::string path;
    for (const Step& step : steps) {
        if (!path.empty()) path += " / ";
        path += step.name;
        if (step.number == no_number) continue;
        path += '[';
        path += std::to_string(step.number);
        path += ']';
    }
    return path;
}

tl::unexpected<Diagnostic> scene_problem(Steps steps, std::string_view message, std::string found,
                                         std::string expected) {
    Diagnostic diagnostic;
    diagnostic.code = "gltf-scene";
    diagnostic.path = to_path(steps);
    diagnostic.message = message;
    diagnostic.found = std::move(found);
    diagnostic.expected = std::move(expected);
    return fail(std::move(diagnostic));
}

tl::unexpected<Diagnostic> not_finite(Steps steps, std::string_view object_name, float found) {
    Diagnostic diagnostic;
    diagnostic.code = "gltf-not-finite";
    diagnostic.path = to_path(steps);
    diagnostic.message = "a number that is not finite cannot be written to glTF";
    if (!object_name.empty()) diagnostic.message += ", in \"" + std::string(object_name) + "\"";
    diagnostic.found = std::isnan(found) ? "NaN" : found > 0 ? "infinity" : "-infinity";
    diagnostic.expected = "a finite number";
    return fail(std::move(diagnostic));
}

}  // namespace effigy::gltf
