#pragma once
/// From a .glb to a game's files, and from those files to a .glb again: everything that happens on the way.

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "effigy/registry.hpp"

#include "temporary_folder.hpp"

namespace trip {

/// The files that a scene became, in a folder of their own.
struct Written {
    effigy::test::TemporaryFolder folder;
    std::vector<effigy::NewFile> files;
    effigy::Report report;    ///< of make_files()
    effigy::Report findings;  ///< of `check` in each of the files, notes included
};

[[nodiscard]] effigy::Scene scene_of(std::span<const std::byte> glb);
[[nodiscard]] effigy::Bytes glb_of(const effigy::Scene& scene);

/// Makes the files, writes and checks them. `name` is that of the main file, with its extension; what fails, fails the
/// running test.
void write(const effigy::Scene& scene, const std::string& name, const effigy::ConversionContext& options,
           Written& written);

/// The same in the folders of a game; here all files lie in one folder.
void write_for(const effigy::Scene& scene, const std::string& name, const std::string& target, Written& written);

/// What the files mean, as a .glb: models, motions and textures that lie beside them.
[[nodiscard]] effigy::Bytes back(const Written& written);

/// Names that were shortened or replaced, by what they were: `names.json` beside an avatar.
struct Renamed {
    std::map<std::string, std::string> targets, bones;
    double origin[3] = {0, 0, 0};
};
[[nodiscard]] Renamed renamed(const Written& written);

/// The model and the motions that lie in a folder, as the .glb of a stranger: without records.
[[nodiscard]] effigy::Bytes example(const std::filesystem::path& folder);

/// Codes of a severity, each once, in order; "" for none.
[[nodiscard]] std::string codes(const effigy::Report& report, effigy::Severity severity);

}  // namespace trip
