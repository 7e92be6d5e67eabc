#include <array>
#include <string_view>

#include "effigy/gltf.hpp"
#include "effigy/obj.hpp"
#include "effigy/ply.hpp"
#include "effigy/registry.hpp"

namespace effigy {
namespace {

/// What can be done with a scene in one format.
struct SceneWriter {
    std::string_view format;
    Result<Report> (*write)(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options);
    Report (*losses)(const Scene& scene);
};

Result<Report> write_gltf(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options) {
    return gltf::write_file(scene, path,
                            {options.fsync, options.embed_images, options.image_stem, options.write_images});
}

constexpr std::array<SceneWriter, 4> writers{{
    {"glb", write_gltf, gltf::losses},
    {"gltf", write_gltf, gltf::losses},
    {"obj",
     [](const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options) {
         return obj::write_file(scene, path, {options.fsync, options.image_stem, options.write_images});
     },
     obj::losses},
    {"ply",
     [](const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options) {
         return ply::write_file(scene, path, {options.fsync});
     },
     ply::losses},
}};

const SceneWriter* writer_of(const std::filesystem::path& path) {
    const FormatInfo* format = find_format(path == "-" ? "glb" : path.extension().string());
    if (format == nullptr) return nullptr;
    for (const SceneWriter& writer : writers) {
        if (writer.format == format->id) return &writer;
    }
    return nullptr;
}

}  // namespace

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options) {
    if (const SceneWriter* writer = writer_of(path)) return writer->write(scene, path, options);
    Diagnostic diagnostic;
    diagnostic.code = "unknown-format";
    diagnostic.file = path.string();
    diagnostic.message = "no scene can be written in a format of this extension; `effigy formats` lists the formats";
    diagnostic.found = path.extension().string();
    return fail(std::move(diagnostic));
}

Report scene_losses(const Scene& scene, const std::filesystem::path& path) {
    const SceneWriter* writer = writer_of(path);
    return writer == nullptr ? Report() : writer->losses(scene);
}

}  // namespace effigy
