/// Reading and writing motions (XSM, XPM), and how long motions take.

#include <algorithm>

#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

#include "emfx/file/container.hpp"
#include "emfx/file/for_disk.hpp"
#include "emfx/file/key_times.hpp"

namespace effigy::xsm {

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return emfx::read_container<emfx::XsmFormat>(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return emfx::read_container_file<emfx::XsmFormat>(path, options);
}

Result<Bytes> write(const File& file, const WriteOptions& options) { return emfx::write_container(file, options); }

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return emfx::write_container_file(file, path, options);
}

float duration(const File& file) noexcept {
    float longest = emfx::length_of_tracks(file, false);
    for (const Chunk& chunk : file.chunks) {
        if (const auto* wavelet = std::get_if<Wavelet>(&chunk.record)) {
            longest = std::max(longest, wavelet->maximum_time);
        }
    }
    return longest;
}

}  // namespace effigy::xsm

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

namespace effigy::emfx {

Result<NewFile> for_disk(std::string name, xsm::File file) {
    return container_for_disk(std::move(name), std::move(file));
}

Result<NewFile> for_disk(std::string name, xpm::File file) {
    return container_for_disk(std::move(name), std::move(file));
}

}  // namespace effigy::emfx
