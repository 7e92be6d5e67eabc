#pragma once
/// Stanford PLY (binary, little-endian), written only: what a scene shows in its rest pose, as one mesh.

#include <filesystem>

#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::ply {

struct WriteOptions {
    bool fsync = false;
};

/// Positions, normals, texture coordinates (s, t with t upwards), vertex colours and triangles; a property stands in
/// the file if any mesh has it; meshes without normals get those of their faces then. The report says what PLY cannot
/// hold: nodes, joints, materials, clips.
[[nodiscard]] Result<Report> write_file(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options = {});

/// The report that write_file() will give, before anything is written.
[[nodiscard]] Report losses(const Scene& scene);

}  // namespace effigy::ply
