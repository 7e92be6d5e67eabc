/// Finds the model, the mod and the game beside a file that is checked.

#include "check_context.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace effigy::app {

namespace {

std::vector<std::string> models_in(const std::filesystem::path& folder, std::string_view family) {
    std::vector<std::string> models;
    std::error_code error;
    const std::filesystem::path listed = folder.empty() ? "." : folder;
    for (std::filesystem::directory_iterator entry(listed, error), end; !error && entry != end;
         entry.increment(error)) {
        const FormatInfo* format = format_of_name(entry->path());
        if (format != nullptr && format->family == family && format->role == Role::model)
            models.push_back(entry->path().string());
    }
    return models;
}

}  // namespace

const Document* ModelBeside::model_of(const std::filesystem::path& file, const FormatInfo& format) {
    const std::filesystem::path folder = file.parent_path();
    if (folder_ != folder) {
        folder_ = folder;
        model_.reset();
        const std::vector<std::string> models = models_in(folder, format.family);
        if (models.size() == 1) {
            if (auto opened = open(models.front(), limits_)) model_ = std::move(opened->value);
        }
    }
    return model_ ? &*model_ : nullptr;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::path below = std::filesystem::relative(path, folder, error);
    return !error && !below.empty() && *below.begin() != "..";
}

SurroundingsCache::SurroundingsCache(OptionValues values, const Limits& limits) {
    options_.values = std::move(values);
    options_.limits = limits;
}

const Surroundings* SurroundingsCache::of(const FormatInfo& format, const std::filesystem::path& root) {
    if (root_ != root || surroundings_.family != format.family) {
        root_ = root;
        surroundings_ = {format.family, {}, {}, {}, {}};
        auto opened = open_surroundings(format, root.empty() ? "." : root, options_);
        if (!opened) {
            remember(std::move(opened.error()));
        } else if (*opened) {
            surroundings_ = std::move((*opened)->value);
        }
    }
    return &surroundings_;
}

void SurroundingsCache::remember(Diagnostic problem) {
    const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Diagnostic& other) {
        return other.code == problem.code && other.file == problem.file;
    });
    if (!known) problems_.push_back(std::move(problem));
}

}  // namespace effigy::app
