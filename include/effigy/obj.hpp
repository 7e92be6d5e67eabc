#pragma once
/// Wavefront OBJ, written only: what a scene shows in its rest pose.

#include <filesystem>
#include <string>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::obj {

struct WriteOptions {
    bool fsync = false;
    /// Images are called `<image_stem>_<name>`, or `<stem>_<name>` if this is empty.
    std::string image_stem{};
    /// False where another file's images of that stem are there already.
    bool write_images = true;
};

/// Writes `<path>`, `<stem>.mtl` and the images beside it; either all files appear or none. The report says what OBJ
/// cannot hold: joints, morph targets, clips, further texture coordinates, vertex colours.
[[nodiscard]] Result<Report> write_file(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options = {});

/// The report that write_file() will give, before anything is written.
[[nodiscard]] Report losses(const Scene& scene);

}  // namespace effigy::obj
