#include "check_context.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "effigy/game_files.hpp"
#include "effigy/material_library.hpp"

namespace effigy::app {

struct Surroundings::World {
    std::filesystem::path root;
    egosoft::GameFiles files;
    egosoft::MaterialLibrary materials;
};

bool needs_surroundings(const FormatInfo& format) noexcept { return format.family == "egosoft"; }

bool goes_with_model(const FormatInfo& format) noexcept {
    return format.family == "x42" && format.role == Role::companion;
}

namespace {

std::vector<std::string> models_in(const std::filesystem::path& folder) {
    std::vector<std::string> models;
    std::error_code error;
    const std::filesystem::path listed = folder.empty() ? "." : folder;
    for (std::filesystem::directory_iterator entry(listed, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string path = entry->path().string();
        const FormatInfo* format = find_format(entry->path().extension().string());
        if (format != nullptr && format->id == "x42") models.push_back(path);
    }
    return models;
}

}  // namespace

const Document* ModelBeside::model_of(const std::filesystem::path& file) {
    const std::filesystem::path folder = file.parent_path();
    if (folder_ != folder) {
        folder_ = folder;
        model_.reset();
        const std::vector<std::string> models = models_in(folder);
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

Surroundings::Surroundings(std::vector<std::filesystem::path> game, std::vector<std::filesystem::path> materials,
                           const Limits& limits)
    : game_(std::move(game)), materials_(std::move(materials)), limits_(limits) {}

Surroundings::~Surroundings() = default;

void Surroundings::describe(const std::filesystem::path& root, CheckContext& context) {
    if (world_ == nullptr || world_->root != root) world_ = open_world(root);
    context.files = &world_->files;
    context.materials = world_->materials.empty() ? nullptr : &world_->materials;
}

std::unique_ptr<Surroundings::World> Surroundings::open_world(const std::filesystem::path& root) {
    auto world = std::make_unique<World>();
    world->root = root;
    std::vector<std::filesystem::path> roots = game_;
    roots.push_back(root.empty() ? "." : root);
    auto files = egosoft::GameFiles::open(roots, limits_);
    if (!files) {
        remember(std::move(files.error()));
        return world;
    }
    world->files = std::move(files->value);
    auto materials = egosoft::load_material_library(world->files, materials_, limits_);
    if (materials) {
        world->materials = std::move(materials->value);
    } else {
        remember(std::move(materials.error()));
    }
    return world;
}

void Surroundings::remember(Diagnostic problem) {
    const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Diagnostic& other) {
        return other.code == problem.code && other.file == problem.file;
    });
    if (!known) problems_.push_back(std::move(problem));
}

}  // namespace effigy::app
