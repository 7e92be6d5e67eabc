/// A scene that was put together from several models, as the files that it was made of.

#include <utility>

#include "effigy/parts.hpp"
#include "effigy/program_codes.hpp"

#include "convert/inputs.hpp"
#include "core/problem.hpp"
#include "core/unique_names.hpp"

namespace effigy::conversion {

Result<Conversion> save_parts(const Scene& scene, const OutputFiles& output, const FormatInfo& format, Report report,
                              const std::vector<std::filesystem::path>& inputs, const ConvertOptions& options) {
    std::vector<NamedScene> parts = split_scene(scene);
    if (parts.size() == 1 || output.path == "-") {
        return stop<Conversion>(
            problem_at({}, codes::usage_option,
                       output.path == "-" ? "--split writes several files, which cannot go to standard output"
                                          : "--split: nothing says that the model was put together from several"),
            std::move(report), options);
    }
    const bool to_folder = is_folder(output);
    ConvertOptions silent = options;  // what is to happen before the output happens once
    silent.before_output = {};
    UniqueNames names(UniqueNames::Case::is_ignored);
    static_cast<void>(names.add(output.path.stem().string()));
    std::vector<std::string> files;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        OutputFiles place = output;
        parts[i].scene.name = names.add(parts[i].name);
        if (!to_folder) place.path.replace_filename(parts[i].scene.name + output.path.extension().string());
        auto saved = save(std::move(parts[i].scene), place, format, {},
                          to_folder ? std::vector<std::filesystem::path>() : inputs, silent);
        if (!saved) return stop<Conversion>(std::move(saved.error()), std::move(report), options);
        report.append(std::move(saved->report));
        files.insert(files.end(), saved->files.begin(), saved->files.end());
    }
    auto saved = save(std::move(parts.front().scene), output, format, std::move(report), inputs, options);
    if (saved) saved->files.insert(saved->files.end(), files.begin(), files.end());
    return saved;
}

}  // namespace effigy::conversion
