#pragma once
/// What files are checked against: the mod that they belong to, the game, the library of materials.

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "effigy/registry.hpp"

#include "common.hpp"

namespace effigy::app {

/// Files of the format name others by paths that start at a game's or a mod's folder.
[[nodiscard]] bool needs_surroundings(const FormatInfo& format) noexcept;
/// Whether a path is a folder's own, or leads into it.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Files of the format say something about the model in their folder.
[[nodiscard]] bool goes_with_model(const FormatInfo& format) noexcept;

/// The model in a file's folder, if there is one alone.
class ModelBeside {
public:
    explicit ModelBeside(const Limits& limits) : limits_(limits) {}
    /// Null where there is none, several, or one that cannot be read. It stays until another folder is asked for.
    [[nodiscard]] const Document* model_of(const std::filesystem::path& file);

private:
    Limits limits_;
    std::optional<std::filesystem::path> folder_;
    std::optional<Document> model_;
};

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
