#pragma once
/// What files are checked against: the mod that they belong to, the game, the library of materials.

#include <filesystem>
#include <memory>
#include <vector>

#include "effigy/registry.hpp"

#include "common.hpp"

namespace effigy::app {

/// Files of the format name others by paths that start at a game's or a mod's folder.
[[nodiscard]] bool needs_surroundings(const FormatInfo& format) noexcept;
/// Whether a path is a folder's own, or leads into it.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

class Surroundings {
public:
    /// `game` lies below every mod, `materials` above its library.
    Surroundings(std::vector<std::filesystem::path> game, std::vector<std::filesystem::path> materials,
                 const Limits& limits);
    ~Surroundings();
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;

    /// Sets the files and materials that go with a mod's folder. They stay until another one is asked for.
    void describe(const std::filesystem::path& root, CheckContext& context);
    /// Why a folder or a library is left out.
    [[nodiscard]] const std::vector<Diagnostic>& problems() const noexcept { return problems_; }

private:
    struct World;
    [[nodiscard]] std::unique_ptr<World> open_world(const std::filesystem::path& root);
    void remember(Diagnostic problem);

    std::vector<std::filesystem::path> game_, materials_;
    Limits limits_;
    std::unique_ptr<World> world_;  ///< the last one: inputs come folder by folder
    std::vector<Diagnostic> problems_;
};

}  // namespace effigy::app
