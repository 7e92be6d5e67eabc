/// Switches about levels of detail and collision meshes that are made where a scene has none.

#include "effigy/levels.hpp"

#include <algorithm>
#include <cmath>

#include "convert/inputs.hpp"
#include "core/text.hpp"
#include "registry/shared_options.hpp"

namespace effigy {
namespace {

/// Numbers between commas; nothing if one is none.
std::vector<double> numbers_in(std::string_view text) {
    std::vector<double> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const auto number = number_from<double>(text.substr(start, end - start));
        if (!number) return {};
        numbers.push_back(*number);
        start = end + 1;
    }
    return numbers;
}

std::vector<double> ratios_of(const OptionValues& values) {
    if (!values.has("lods") && !values.has("lod-ratios") && !values.has("lod-error")) return {};
    std::vector<double> ratios = numbers_in(values.text("lod-ratios"));
    for (double& ratio : ratios) ratio /= 100;
    constexpr double usual_count = 4;
    const double fallback = ratios.empty() ? usual_count : static_cast<double>(ratios.size() + 1);
    const auto count = static_cast<std::size_t>(values.number("lods", fallback));
    if (ratios.empty()) return usual_level_ratios(count);
    while (ratios.size() + 1 < count) ratios.push_back(ratios.back() / 2);
    ratios.resize(count - 1);
    return ratios;
}

}  // namespace

std::string level_ratios_problem(std::string_view text) {
    const std::vector<double> numbers = numbers_in(text);
    constexpr std::size_t most = 15;
    bool fits = !numbers.empty() && numbers.size() <= most;
    double last = 100;
    for (const double number : numbers) {
        fits = fits && std::isfinite(number) && number > 0 && number < last;
        last = number;
    }
    return fits ? "" : "numbers below 100 that fall and are above 0 are needed, such as 50,25,10";
}

namespace conversion {

Result<void> complete_levels(Scene& scene, const std::filesystem::path& file, const ConvertOptions& options,
                             Report& report) {
    const OptionValues& values = options.values;
    LevelOptions wanted;
    wanted.ratios = ratios_of(values);
    wanted.max_error = values.number("lod-error", wanted.max_error);
    wanted.collision = static_cast<CollisionShape>(values.choice("collision", collision_shapes).value_or(0));
    wanted.limits = options.limits;
    if (options.progress) {
        const std::string name = file.string();
        wanted.progress = [&options, name](std::string_view, std::size_t done, std::size_t total) {
            return options.progress({"making levels", name, done, total});
        };
    }
    if (wanted.ratios.empty() && wanted.collision == CollisionShape::none) return {};
    auto made = make_levels(scene, wanted);
    if (!made) return fail(std::move(made.error()));
    report.append(std::move(*made));
    return {};
}

}  // namespace conversion
}  // namespace effigy
