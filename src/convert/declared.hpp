#pragma once
/// Which motions a model has by the text files of its game, as far as these lie around it.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "effigy/convert.hpp"

#include "registry/rows.hpp"

namespace effigy::conversion {

/// By a motion's file name in lower case: the name of the text file that names it with the model.
using DeclaredNames = std::map<std::string, std::string>;

/// Such files are looked for in the model's folder, and in the folder that the games have for them there and in each
/// of the three folders above.
class DeclaredFiles {
public:
    explicit DeclaredFiles(const ConvertOptions& options) : options_(options) {}
    [[nodiscard]] DeclaredNames of(const std::filesystem::path& model, const FamilyRow& family);

private:
    struct TextFile {
        std::string name;
        std::vector<DeclaredMotions> declared;
    };
    [[nodiscard]] std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder) const;
    [[nodiscard]] std::vector<TextFile> around(const std::filesystem::path& folder, const Declarations& kind) const;
    void read_in(const std::filesystem::path& folder, const Declarations& kind, std::vector<TextFile>& files) const;

    const ConvertOptions& options_;
    std::map<std::pair<const FamilyRow*, std::filesystem::path>, std::vector<TextFile>> known_;  ///< by folder
};

}  // namespace effigy::conversion
