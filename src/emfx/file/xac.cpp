/// Reading and writing actors (XAC), and looking up their nodes and influences.

#include "effigy/xac.hpp"

#include "emfx/file/container.hpp"
#include "emfx/file/for_disk.hpp"

namespace effigy::xac {

Result<Loaded<File>> read(std::span<const std::byte> bytes, const ReadOptions& options) {
    return emfx::read_container<emfx::XacFormat>(ByteSource(bytes), options);
}

Result<Loaded<File>> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    return emfx::read_container_file<emfx::XacFormat>(path, options);
}

Result<Bytes> write(const File& file, const WriteOptions& options) { return emfx::write_container(file, options); }

Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
    return emfx::write_container_file(file, path, options);
}

std::vector<const Node*> nodes(const File& file) {
    std::vector<const Node*> result;
    for (const Chunk& chunk : file.chunks) {
        for (const Node& node : emfx::records_in(chunk.record, &Nodes::nodes)) result.push_back(&node);
    }
    return result;
}

std::span<const Influence> influences(const Skinning& skinning, std::uint32_t vertex) noexcept {
    if (vertex < skinning.vertices.size()) return skinning.vertices[vertex].influences;
    if (vertex >= skinning.ranges.size()) return {};
    const auto [first, count] = skinning.ranges[vertex];
    const std::size_t size = skinning.influences.size();
    if (first > size || count > size - first) return {};
    return std::span(skinning.influences).subspan(first, count);
}

const Skinning* find_skinning(const File& file, const Mesh& mesh) noexcept {
    for (const Chunk& chunk : file.chunks) {
        const auto* skinning = std::get_if<Skinning>(&chunk.record);
        if (skinning != nullptr && emfx::key_of(*skinning) == emfx::key_of(mesh)) return skinning;
    }
    return nullptr;
}

}  // namespace effigy::xac

namespace effigy::emfx {

Result<NewFile> for_disk(std::string name, xac::File file) {
    return container_for_disk(std::move(name), std::move(file));
}

}  // namespace effigy::emfx
