#pragma once
/// The .mtl beside an .obj, and the images that it names.

#include <string>
#include <vector>

#include "effigy/scene.hpp"

#include "obj/text_writer.hpp"

namespace effigy::obj {

/// An image that becomes a file beside the .obj.
struct ImageFile {
    std::string name;
    const Image* image = nullptr;
};

struct MaterialFile {
    std::vector<std::string> names;        ///< of each material; empty for those that are not used
    std::vector<std::string> image_names;  ///< what stands for each image in the .mtl; empty for those not used
    std::vector<ImageFile> images;
};

/// Names for the materials marked in `used` and their images; `stem` begins the images' names.
[[nodiscard]] MaterialFile plan_materials(const Scene& scene, const std::vector<bool>& used, const std::string& stem);

void write_materials(const Scene& scene, const MaterialFile& file, TextWriter& out);

}  // namespace effigy::obj
