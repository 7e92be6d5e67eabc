#pragma once
/// Wavefront OBJ, written only: what a scene shows in its rest pose.

#include <filesystem>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::obj {

struct WriteOptions {
    bool fsync = false;
};

/// Writes `<path>`, `<stem>.mtl` and the images beside it; either all files appear or none. The report says what OBJ
/// cannot hold: joints, morph targets, clips, further texture coordinates, vertex colours.
[[nodiscard]] Result<Report> write_file(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options = {});

/// The report that write_file() will give, before anything is written.
[[nodiscard]] Report losses(const Scene& scene);

}  // namespace effigy::obj
