#include <array>
#include <string_view>

#include "effigy/gltf.hpp"
#include "effigy/obj.hpp"
#include "effigy/ply.hpp"
#include "effigy/registry.hpp"

#include "core/file_set.hpp"
#include "core/guard.hpp"

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

Result<void> write_all(const std::vector<NewFile>& files, const std::filesystem::path& folder, bool fsync) {
    FileSet set(fsync);
    for (const NewFile& file : files) {
        const std::filesystem::path path = folder / file.name;
        std::error_code error;  // a folder that cannot be made is found when the file is
        if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
        auto added = set.add(path, file.bytes.size(), [&](const Sink& sink) { return sink(bytes_of(file.bytes)); });
        if (!added) return added;
    }
    return set.commit();
}

}  // namespace

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options) {
    if (const SceneWriter* writer = writer_of(path)) return writer->write(scene, path, options);
    auto files = make_files(scene, path, options.native);
    if (!files) return fail(std::move(files.error()));
    if (auto written = write_files(files->value, path.parent_path(), options.fsync); !written)
        return fail(std::move(written.error()));
    return std::move(files->report);
}

Report scene_losses(const Scene& scene, const std::filesystem::path& path) {
    const SceneWriter* writer = writer_of(path);
    return writer == nullptr ? Report() : writer->losses(scene);
}

Result<void> write_files(const std::vector<NewFile>& files, const std::filesystem::path& folder, bool fsync) {
    return without_exceptions([&] { return write_all(files, folder, fsync); });
}

}  // namespace effigy
