#pragma once
/// Egosoft's material libraries, and giving a scene's materials what they say.
/// Facts: docs/formats/component.md, "Material library".

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/game_files.hpp"
#include "effigy/options.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::egosoft {

struct MaterialProperty {
    std::string type;   ///< "BitMap", "Float", "Color"
    std::string name;   ///< "diffuse_map"
    std::string value;  ///< a path without extension, or numbers: of a colour, "r g b a" in 0..255
};

struct LibraryMaterial {
    std::string collection, name;
    std::string shader, blendmode;
    std::vector<MaterialProperty> properties;
    std::uint64_t place = 0;  ///< byte in the XML that it was last taken from
};

/// One file: a library, or changes to one (<diff>), which are applied to an empty one here.
struct MaterialLibraryFile {
    Bytes text;
    bool is_diff = false;
    std::vector<LibraryMaterial> materials;
};
/// As read_components().
[[nodiscard]] Result<Loaded<MaterialLibraryFile>> read_material_library(Bytes text, const ReadOptions& options = {});

/// Libraries laid over one another.
class MaterialLibrary {
public:
    /// A library adds to or replaces what is there; a <diff> is applied to it. Selectors that are not understood are
    /// findings.
    [[nodiscard]] Result<Report> add(Bytes text, const ReadOptions& options = {});
    /// One material, which lies on top.
    void add(LibraryMaterial material);
    /// "collection.material" in any case, or null.
    [[nodiscard]] const LibraryMaterial* find(std::string_view name) const;
    [[nodiscard]] bool empty() const noexcept { return materials_.empty(); }
    [[nodiscard]] const std::vector<LibraryMaterial>& materials() const noexcept { return materials_; }

private:
    std::vector<LibraryMaterial> materials_;
    std::map<std::string, std::size_t, std::less<>> names_;  ///< lower case
    std::set<std::string, std::less<>> collections_;         ///< empty ones, too
    bool has_base_ = false;                                  ///< a whole library was added, not only changes to one
};

/// libraries/material_library.xml of the game and all its extensions, then `more`, which lie on top.
[[nodiscard]] Result<Loaded<MaterialLibrary>> load_material_library(const GameFiles& files,
                                                                    const std::vector<std::filesystem::path>& more,
                                                                    const Limits& limits = {});

/// Gives the materials whose name is in the library its properties: base colour, normal map, metal and smoothness
/// packed into one image, emission, alpha. Images are named, not loaded. Properties that glTF has no place for go to
/// extras. `expected`: names that are not in the library are findings.
[[nodiscard]] Report resolve_materials(Scene& scene, const MaterialLibrary& library, bool expected);

}  // namespace effigy::egosoft
