#pragma once
/// A small synthetic mod that is whole, to be damaged in one place and written to a folder.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "effigy/ani.hpp"
#include "effigy/xmf.hpp"

namespace effigy::test {

/// A box with the given number of its triangles (up to 12).
[[nodiscard]] xmf::File box_mesh(float half_size, std::size_t triangles, const std::vector<std::string>& materials);
[[nodiscard]] xmf::File collision_mesh(float half_size);
/// A DDS header and as many bytes as it announces.
[[nodiscard]] std::string dds_file(std::uint32_t width, std::uint32_t height, std::uint32_t levels, bool compressed);
[[nodiscard]] std::string gzipped(const std::string& bytes);

struct ModFiles {
    std::map<std::string, std::string> texts;  ///< by path
    std::map<std::string, xmf::File> meshes;
    ani::File animations;

    /// In a text; fails the test if `from` is not there once.
    void replace(const std::string& path, std::string_view from, std::string_view to);
    void write(const std::filesystem::path& folder) const;
};

inline const std::string component_path = "assets/units/size_s/ship_test.xml";
inline const std::string data_path = "assets/units/size_s/ship_test_data/";
inline const std::string ani_path = "assets/units/size_s/SHIP_TEST_DATA.ANI";
inline const std::string library_path = "libraries/material_library.xml";
inline const std::string index_path = "index/components.xml";
inline const std::string macro_index_path = "index/macros.xml";
inline const std::string wares_path = "libraries/wares.xml";
inline const std::string texts_path = "t/0001-l044.xml";
inline const std::string macro_path = "assets/units/size_s/macros/ship_test_macro.xml";

/// A ship with two levels of detail, a wreck, a door that opens, an effect, a library and a texture. The folder that
/// it is written to may have any name; in its files the mod is called "my_mod".
[[nodiscard]] ModFiles whole_mod();

}  // namespace effigy::test
