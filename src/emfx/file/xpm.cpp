/// Reading and writing morph motions (XPM), and their duration.

#include "effigy/xpm.hpp"

#include "emfx/file/container.hpp"
#include "emfx/file/key_times.hpp"

namespace effigy::xpm {

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return emfx::read_container<emfx::XpmFormat>(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return emfx::read_container_file<emfx::XpmFormat>(path, options);
}

Result<Bytes> write(const File& file, const WriteOptions& options) { return emfx::write_container(file, options); }

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return emfx::write_container_file(file, path, options);
}

float duration(const File& file) noexcept { return emfx::length_of_tracks(file, false); }

}  // namespace effigy::xpm
