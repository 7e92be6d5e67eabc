#pragma once
/// glTF 2.0: the bridge from the scene to the world.

#include <filesystem>
#include <functional>
#include <string>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"
#include "effigy/scene.hpp"

namespace effigy::gltf {

struct WriteOptions {
    bool fsync = false;
    /// .gltf only: keep images inside the .bin instead of files beside it.
    bool embed_images = false;
    /// .gltf only: images are called `<image_stem>_<name>`, or `<stem>_<name>` if this is empty.
    std::string image_stem{};
    /// .gltf only: false where another file's images of that stem are there already.
    bool write_images = true;
};

/// The scene as one .glb in memory. The same scene gives the same bytes on every run.
[[nodiscard]] Result<Bytes> write_glb(const Scene& scene, const WriteOptions& options = {});

/// Writes `<path>` as .glb, or as .gltf with `<stem>.bin` and images beside it, by the extension of `path`.
/// Bulk data goes from the scene straight to the file. Either all files appear or none.
/// The report is that of losses().
[[nodiscard]] Result<Report> write_file(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options = {});

/// What writing the scene changes, before anything is written: rotation keys that are inserted where a clip's own
/// interpolation is by angle, and how far readers are off then. Codes: docs/diagnostics.md, "glTF output".
[[nodiscard]] Report losses(const Scene& scene);

}  // namespace effigy::gltf
