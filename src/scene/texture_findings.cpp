/// Messages about textures that are missing or damaged.

#include "texture_findings.hpp"

#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "texture_files.hpp"

namespace effigy {
namespace {

/// Lists in messages are cut after this many names.
constexpr std::size_t max_names = 5;

template <class Range, class ToText>
std::string list(const Range& range, ToText&& to_text) {
    std::string result;
    std::size_t count = 0;
    for (const auto& item : range) {
        if (count++ >= max_names) continue;
        if (!result.empty()) result += ", ";
        result += in_quotes(to_text(item));
    }
    if (count > max_names) result += " and " + std::to_string(count - max_names) + " more";
    return result;
}

std::string about(const Scene& scene, std::string_view name, const std::vector<Index>& materials) {
    return "the texture " + in_quotes(name) + " of the material" + (materials.size() > 1 ? "s " : " ") +
           list(materials, [&](Index m) -> const std::string& { return scene.materials[m].name; });
}

std::string where_looked_for(const TextureOptions& options) {
    const bool asked_game = options.source && options.source_is_game;
    if (options.folders.empty()) {
        return asked_game ? " is not among the game's files and is left out: name the game's folder with --game "
                            "DIR, or a folder with textures with --textures DIR"
               : options.source
                   ? " is not among the files at hand and is left out: add its file, or name a folder with "
                     "textures with --textures DIR"
                   : " was not looked for and is left out: name the folder with the game's textures "
                     "with --textures DIR";
    }
    const std::string folders = list(options.folders, path_text) + " or the folders in them, and is left out: name ";
    return asked_game ? " was found neither among the game's files nor in " + folders +
                            "the game's folder with --game DIR, or its own with --textures DIR"
                      : " was not found in " + folders + "its folder with --textures DIR";
}

}  // namespace

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

Diagnostic missing_texture(const Scene& scene, const TextureOptions& options, std::string_view name, Index image,
                           const std::vector<Index>& materials) {
    return problem_at(element_path("images", image), codes::texture_missing,
                      about(scene, name, materials) + where_looked_for(options));
}

Diagnostic damaged_texture(const Scene& scene, std::string_view name, Index image, const std::vector<Index>& materials,
                           const std::string& file, const Diagnostic& cause) {
    Diagnostic diagnostic = passed_on(cause, codes::texture_damaged);
    diagnostic.path = element_path("images", image);
    diagnostic.file = file;
    diagnostic.message = about(scene, name, materials) + " cannot be used and is left out (" + cause.message +
                         "): " + (is_limit(cause) ? "raise the limit, or " : "") +
                         "name a folder with a good copy before the others with --textures DIR";
    return diagnostic;
}

Report noticed_in_texture(Report noticed, const std::string& file, Index image) {
    noticed.name_file(file);
    for (Diagnostic& diagnostic : noticed.diagnostics()) diagnostic.path = element_path("images", image);
    return noticed;
}

}  // namespace effigy
