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
