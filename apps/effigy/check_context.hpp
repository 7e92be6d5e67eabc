#pragma once
/// What files are checked against: the model in their folder, and the mod and the game that they belong to.

#include <filesystem>
#include <optional>
#include <vector>

#include "effigy/convert.hpp"

#include "common.hpp"

namespace effigy::app {

/// Whether a path is a folder's own, or leads into it.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The model in a file's folder, if there is one alone.
class ModelBeside {
public:
    explicit ModelBeside(const Limits& limits) : limits_(limits) {}
    /// Null where there is none of the file's family, several, or one that cannot be read. It stays until another
    /// folder is asked for.
    [[nodiscard]] const Document* model_of(const std::filesystem::path& file, const FormatInfo& format);

private:
    Limits limits_;
    std::optional<std::filesystem::path> folder_;
    std::optional<Document> model_;
};

/// Surroundings by root; those of one root stay until another is asked for, because inputs come folder by folder.
class SurroundingsCache {
public:
    SurroundingsCache(OptionValues values, const Limits& limits);
    /// Null for formats that need none.
    [[nodiscard]] const Surroundings* of(const FormatInfo& format, const std::filesystem::path& root);
    /// Why a folder or a library is left out.
    [[nodiscard]] const std::vector<Diagnostic>& problems() const noexcept { return problems_; }

private:
    void remember(Diagnostic problem);

    ConvertOptions options_;
    std::optional<std::filesystem::path> root_;
    Surroundings surroundings_;
    std::vector<Diagnostic> problems_;
};

}  // namespace effigy::app
