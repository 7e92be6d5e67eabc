#pragma once
/// What XAC, XSM and XPM do alike, for their public functions to call.

#include <filesystem>
#include <memory>
#include <string>

#include "effigy/files.hpp"

#include "core/guard.hpp"
#include "core/json_fwd.hpp"
#include "core/whole_file.hpp"
#include "emfx/file/container_build.hpp"
#include "emfx/file/container_read.hpp"
#include "emfx/file/container_write.hpp"

namespace effigy::emfx {

template <class Format>
[[nodiscard]] Result<Loaded<typename Format::File>> read_container(ByteSource source, const ReadOptions& options) {
    return without_exceptions([&]() -> Result<Loaded<typename Format::File>> {
        Loaded<typename Format::File> loaded;
        Budget budget(options.limits, source.size());
        layout::Path path;
        auto file = ContainerReader<Format>(source, budget, options.limits, loaded.report, path).read_wrapped();
        if (!file) return fail(std::move(file.error()));
        loaded.value = std::move(*file);
        return loaded;
    });
}

template <class Format>
[[nodiscard]] Result<Loaded<typename Format::File>> read_container_file(const std::filesystem::path& path,
                                                                        const ReadOptions& options) {
    return layout::read_file(path,
                             [&](ByteSource source) { return read_container<Format>(std::move(source), options); });
}

template <class File>
[[nodiscard]] auto walk_of(const File& file, bool normalize) {
    return [&file, normalize](auto& visitor) { layout_wrapped(visitor, file, normalize); };
}

template <class File>
[[nodiscard]] Result<Bytes> write_container(const File& file, const WriteOptions& options) {
    return layout::to_bytes(walk_of(file, options.normalize));
}

/// Fails at once if the file cannot be written.
template <class File>
[[nodiscard]] Result<NewFile> container_for_disk(std::string name, File file) {
    auto kept = std::make_shared<const File>(std::move(file));
    const auto size = layout::measure(walk_of(*kept, false));
    if (!size) return fail(size.error());
    const auto write = [kept = std::move(kept)](const Sink& sink) {
        return without_exceptions([&] { return layout::encode(walk_of(*kept, false), sink); });
    };
    return NewFile{std::move(name), {}, false, write, *size};
}

template <class File>
[[nodiscard]] Result<void> write_container_file(const File& file, const std::filesystem::path& path,
                                                const WriteOptions& options) {
    return layout::to_file(walk_of(file, options.normalize), path, options.fsync);
}

template <class File>
[[nodiscard]] Result<Json> dump_nodes(const File& file, const DumpOptions& options) {
    return layout::dump_nodes(walk_of(file, false), options);
}

template <class File>
[[nodiscard]] Result<std::string> hex_map(const File& file, const DumpOptions& options) {
    return layout::hex_map(walk_of(file, false), options);
}

template <class Format>
[[nodiscard]] Result<typename Format::File> build_container(const Json& nodes, bool normalize, const Limits& limits) {
    typename Format::File file;
    auto built = layout::from_dump(nodes, normalize, limits, [&](auto& visitor, layout::Path& path) {
        ContainerBuilder<Format>(visitor, path, normalize).build_wrapped(file);
    });
    if (!built) return fail(std::move(built.error()));
    return file;
}

}  // namespace effigy::emfx
