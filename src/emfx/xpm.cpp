#include "effigy/xpm.hpp"

#include "emfx/container.hpp"

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

namespace {

float last_time(const Submotion& submotion, float latest) noexcept {
    for (const WeightKey& key : submotion.keys) latest = key.time > latest ? key.time : latest;
    return latest;
}

}  // namespace

float duration(const File& file) noexcept {
    float latest = 0;
    for (const Chunk& chunk : file.chunks) {
        if (const auto* single = std::get_if<Submotion>(&chunk.record)) latest = last_time(*single, latest);
        if (const auto* list = std::get_if<Submotions>(&chunk.record)) {
            for (const Submotion& submotion : list->submotions) latest = last_time(submotion, latest);
        }
    }
    return latest;
}

}  // namespace effigy::xpm
