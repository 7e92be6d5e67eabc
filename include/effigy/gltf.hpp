#pragma once
/// glTF 2.0: the bridge from the scene to the world, and back. Rules: docs/gltf.md.

#include <filesystem>
#include <functional>
#include <string>

#include "effigy/bytes.hpp"
#include "effigy/gltf_file.hpp"
#include "effigy/options.hpp"
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
    /// False: without `extras.effigy`, for viewers and the web. There is no exact way back from such a file.
    bool records = true;
    /// True: no rotation keys are inserted; "clip-keys-kept" says how far readers are off then.
    bool keep_keys = false;
    /// For the web: without records, with EXT_meshopt_compression and shorter normals, tangents and texture coordinates
    /// (KHR_mesh_quantization). There is no exact way back from such a file.
    bool compact = false;
    /// Vertex colours stand in the records as text as well, for programs that drop them. Those of meshes in one colour
    /// do in any case; all others cost time and room.
    bool keep_colors = false;
    /// Memory is that for the JSON and for inserted keys, beside the scene; by default 64 MiB and 16 times its size.
    Limits limits{};
};

/// The scene as one .glb in memory. The same scene gives the same bytes on every run.
[[nodiscard]] Result<Bytes> write_glb(const Scene& scene, const WriteOptions& options = {});

/// Writes `<path>` as .glb, or as .gltf with `<stem>.bin` and images beside it, by the extension of `path`.
/// Bulk data goes from the scene straight to the file. Either all files appear or none.
/// The report is that of losses().
[[nodiscard]] Result<Report> write_file(const Scene& scene, const std::filesystem::path& path,
                                        const WriteOptions& options = {});

/// What writing the scene changes, before anything is written: rotation keys that are inserted where a clip's own
/// interpolation is by angle, and how far readers are off then; weights of vertices that are negative. Codes:
/// docs/diagnostics.md, "glTF output".
[[nodiscard]] Report losses(const Scene& scene, const WriteOptions& options = {});

struct SceneOptions {
    Limits limits{};
    int scene = -1;                  ///< which of the file's scenes is shown; -1: the default one, or else the first
    std::filesystem::path folder{};  ///< of the file: where relative URIs begin; empty: the current one
    bool allow_outside = false;      ///< also read files that are not below `folder`
    /// Instead of the disk: the bytes of a file by its path, which begins with `folder`. Fails with "file-missing".
    std::function<Result<Bytes>(const std::string& path)> read_file{};
    std::function<void(const std::filesystem::path& file)> file_seen{};  ///< told of each that is read from the disk
};

/// The scene of a file. It can be written again: validate() finds nothing. What the scene has no place for stands
/// in the report; nodes of other scenes are hidden. Fails with "gltf-..." where the file contradicts itself
/// or needs an extension that effigy does not know, and with "limit-...".
[[nodiscard]] Result<Loaded<Scene>> to_scene(const File& file, const SceneOptions& options = {});
/// The same, in less memory: the buffer of a .glb is given back bit by bit.
[[nodiscard]] Result<Loaded<Scene>> to_scene(File&& file, const SceneOptions& options = {});

/// Reads a .glb or .gltf and everything it refers to; `options.folder` is set to the file's own.
[[nodiscard]] Result<Loaded<Scene>> read_scene(const std::filesystem::path& path, SceneOptions options = {});

}  // namespace effigy::gltf
