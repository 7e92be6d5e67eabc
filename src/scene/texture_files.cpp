/// Files of textures, found, read and decoded.

#include "texture_files.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy {
namespace {

/// Larger than a 16384 x 16384 texture with all its levels; keeps a file that is no texture out of memory.
constexpr std::uint64_t default_file_limit = std::uint64_t{512} * 1024 * 1024;

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const auto failure = [](const Code& code, std::string message) {
        return fail(problem_at({}, code, std::move(message)));
    };
    std::error_code error;
    // Opening a pipe or a device could wait for ever.
    if (!std::filesystem::is_regular_file(path, error))
        return failure(codes::texture_damaged, "it is not a readable file");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return failure(codes::texture_damaged, "its size cannot be read: " + error.message());
    if (size > limit) {
        return failure(codes::limit_memory,
                       "its " + std::to_string(size) + " bytes exceed the limit of " + std::to_string(limit));
    }
    std::ifstream stream(path, std::ios::binary);
    Bytes bytes(static_cast<std::size_t>(size));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        return failure(codes::texture_damaged, "it cannot be read");
    }
    return bytes;
}

}  // namespace

std::string texture_key(std::string_view name) {
    std::string key = lower(name);
    std::replace(key.begin(), key.end(), '/', '\\');
    return key;
}

std::string path_text(const std::filesystem::path& path) {
    const std::u8string utf8 = path.u8string();
    return {utf8.begin(), utf8.end()};
}

std::optional<TextureFile> TextureFiles::from_source(const std::string& name) const {
    if (!options_.source || name.empty()) return std::nullopt;
    Result<FoundTexture> found = options_.source(name);
    if (found) return TextureFile{std::move(found->name), std::move(found->bytes)};
    if (found.error().code == codes::file_missing) return std::nullopt;
    return TextureFile{found.error().file, fail(std::move(found.error()))};
}

std::filesystem::path TextureFiles::in_folders(std::string_view name) const {
    return options_.find ? options_.find(name) : library_.find(name);
}

TextureFile TextureFiles::read(const std::filesystem::path& path) const {
    const std::uint64_t limit = options_.limits.memory;
    return {path_text(path), read_file(path, limit != 0 ? limit : default_file_limit)};
}

std::optional<TextureFile> TextureFiles::find(const std::string& name) const {
    if (std::optional<TextureFile> found = from_source(name)) {
        if (!found->bytes) found->name = name;
        return found;
    }
    const std::filesystem::path path = in_folders(name);
    if (path.empty()) return std::nullopt;
    return read(path);
}

Result<image::Picture> TextureFiles::decode(Bytes& file) const {
    if (image::is_gzip(file)) {
        Result<Bytes> plain = image::gunzip(file, options_.limits);
        if (!plain) return fail(std::move(plain.error()));
        file = std::move(*plain);
    }
    return image::decode(file, options_.limits);
}

}  // namespace effigy
