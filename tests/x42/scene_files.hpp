#pragma once
/// Small X42 models made in memory, and ways of looking at the scenes that they become.

#include <glm/mat4x4.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "effigy/x42_scene.hpp"

#include "core/json.hpp"

namespace effigy::test::x42 {

using effigy::x42::File;
using effigy::x42::Matrix;

/// A model without anything. Codes say whole numbers: 32765 is 0.
class FileBuilder {
public:
    FileBuilder();

    std::uint16_t name(const std::string& text);
    /// A bone that stays at an offset from its parent.
    std::uint16_t bone(const std::string& text, std::uint16_t parent, Vec3 offset = {});
    std::uint16_t influence(std::uint16_t bone, const Matrix& mesh_to_bone);
    /// A vertex of all sections that the model has so far or will have.
    std::uint16_t vertex(Vec3 position);
    /// A group of the vertices from `first` on, with indices. Weights: see blend().
    effigy::x42::Group& group(const std::string& surface, std::uint32_t first, std::uint32_t count,
                              std::initializer_list<int> indices = {});
    /// A group of three vertices at (0,0,z) (1,0,z) (0,1,z), which is seen from below if it is clockwise.
    effigy::x42::Group& triangle(const std::string& surface, float z = 0);
    void blend(std::initializer_list<int> bytes);
    void lod(const std::string& text, int first, int count);

    [[nodiscard]] File build() const;  ///< with the keys of the bones

    File file;

private:
    std::vector<Vec3> offsets_;
};

[[nodiscard]] Matrix moved(Vec3 by);

/// Converts, and fails the test if that fails.
[[nodiscard]] Loaded<Scene> convert(File file, const effigy::x42::SceneOptions& options = {});
[[nodiscard]] Loaded<Scene> convert(effigy::x42::SceneInput input, const effigy::x42::SceneOptions& options = {});
[[nodiscard]] effigy::x42::ModelInput model(std::string stem, File file);

/// The file in a record of the asset, or of one of its parts; fails the test if there is none.
[[nodiscard]] File kept_file(const Scene& scene);
[[nodiscard]] File kept_file(Json record);

/// The node of that name; fails the test if there is none.
[[nodiscard]] Index find(const Scene& scene, const std::string& name);
[[nodiscard]] const Attribute* find(const Mesh& mesh, Semantic semantic);
[[nodiscard]] glm::dmat4 world(const Scene& scene, Index node);
[[nodiscard]] glm::dvec3 place(const Scene& scene, const std::string& name);
/// A finding of that code, or an empty one.
[[nodiscard]] Diagnostic finding(const Report& report, const std::string& code);

}  // namespace effigy::test::x42
