#pragma once
/// Small readers of OBJ, MTL and PLY, from their descriptions, without the writers' code.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace effigy::test {

struct ObjCorner {
    int position = 0, texcoord = 0, normal = 0;  ///< from 1; 0: not given
};
struct ObjFace {
    std::string object, material;
    std::vector<ObjCorner> corners;
};
struct Obj {
    std::vector<std::array<double, 3>> positions, normals;
    std::vector<std::array<double, 2>> texcoords;
    std::vector<std::string> objects, libraries;
    std::vector<ObjFace> faces;
    std::vector<std::vector<int>> lines, points;  ///< positions

    [[nodiscard]] std::vector<ObjFace> faces_of(const std::string& object) const;
};
/// Fails the running test where a line is not understood or a face names what is not there.
[[nodiscard]] Obj read_obj(const std::filesystem::path& path);

/// Of each material what follows each keyword.
using Mtl = std::map<std::string, std::map<std::string, std::string>>;
[[nodiscard]] Mtl read_mtl(const std::filesystem::path& path);

struct Ply {
    std::vector<std::string> properties;
    std::vector<std::vector<double>> vertices;  ///< a number for each property
    std::vector<std::array<std::int32_t, 3>> faces;

    [[nodiscard]] bool has(const std::string& property) const;
    [[nodiscard]] double at(std::size_t vertex, const std::string& property) const;
};
[[nodiscard]] Ply read_ply(const std::filesystem::path& path);

}  // namespace effigy::test
