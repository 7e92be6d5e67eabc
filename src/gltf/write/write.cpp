/// A scene written as .glb or as .gltf with its files.

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "effigy/gltf.hpp"
#include "effigy/gltf_codes.hpp"

#include "core/file_set.hpp"
#include "core/guard.hpp"
#include "core/output.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/format.hpp"
#include "gltf/write/compact.hpp"
#include "gltf/write/document.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {
namespace {

constexpr std::uint64_t max_glb = 0xffffffffu;

// What a .glb consists of. The sizes leave padding out.
struct Glb {
    std::string json;
    Buffer buffer;
    Report report;
};

std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

std::uint64_t size_of(const Glb& glb) {
    constexpr std::uint64_t header = 12;
    constexpr std::uint64_t chunk_header = 8;
    const std::uint64_t binary = glb.buffer.size() == 0 ? 0 : chunk_header + padded(glb.buffer.size());
    return header + chunk_header + padded(glb.json.size()) + binary;
}

/// A copy of the scene with fewer bits, which lives as long as its parts are referred to.
Result<Document> lay_out_compact(const Scene& scene, const std::optional<std::string>& image_stem,
                                 const WriteOptions& options) {
    if (auto checked = check_structure(scene); !checked) return fail(std::move(checked.error()));
    Scene shortened = scene;
    const bool is_quantized = quantize(shortened);
    auto document = lay_out_checked(shortened, image_stem, options);
    if (!document) return document;
    for (ImageFile& image : document->image_files)
        image.image = scene.images.data() + (image.image - shortened.images.data());
    if (is_quantized) {
        document->extensions.insert(quantization_extension_name);
        document->required.insert(quantization_extension_name);
    }
    if (auto compressed = compress(*document); !compressed) return fail(std::move(compressed.error()));
    return document;
}

Result<Document> lay_out_as_asked(const Scene& scene, const std::optional<std::string>& image_stem,
                                  const WriteOptions& options) {
    return options.compact ? lay_out_compact(scene, image_stem, options) : lay_out(scene, image_stem, options);
}

Result<Glb> make_glb(const Scene& scene, const WriteOptions& options) {
    auto document = lay_out_as_asked(scene, std::nullopt, options);
    if (!document) return fail(std::move(document.error()));
    Glb glb;
    auto json = to_text(*document, scene, {});
    if (!json) return fail(std::move(json.error()));
    glb.json = std::move(*json);
    glb.buffer = std::move(document->buffer);
    glb.report = std::move(document->report);
    if (size_of(glb) <= max_glb) return glb;
    return fail(problem_at({}, codes::gltf_too_large, {}, std::to_string(size_of(glb)) + " bytes",
                           "at most " + std::to_string(max_glb) + " bytes"));
}

Result<void> write_words(std::initializer_list<std::uint64_t> words, const Sink& sink) {
    std::array<std::uint32_t, 4> fields{};
    std::size_t count = 0;
    for (const std::uint64_t word : words) fields[count++] = static_cast<std::uint32_t>(word);
    return sink(std::as_bytes(std::span(fields).first(count)));
}

Result<void> write_padding(std::uint64_t size, char filler, const Sink& sink) {
    const std::array<char, 3> padding{filler, filler, filler};
    return sink(std::as_bytes(std::span(padding).first(static_cast<std::size_t>(padded(size) - size))));
}

Result<void> write_text(const std::string& text, const Sink& sink) { return sink(std::as_bytes(std::span(text))); }

Result<void> write_glb(const Glb& glb, const Sink& sink) {
    constexpr std::uint32_t magic = 0x46546c67;         // "glTF"
    constexpr std::uint32_t json_chunk = 0x4e4f534a;    // "JSON"
    constexpr std::uint32_t binary_chunk = 0x004e4942;  // "BIN\0"
    constexpr std::uint32_t version = 2;
    auto written = write_words({magic, version, size_of(glb)}, sink)
                       .and_then([&] {
                           return write_words({padded(glb.json.size()), json_chunk}, sink);
                       })
                       .and_then([&] { return write_text(glb.json, sink); })
                       .and_then([&] { return write_padding(glb.json.size(), ' ', sink); });
    if (!written || glb.buffer.size() == 0) return written;
    return write_words({padded(glb.buffer.size()), binary_chunk}, sink)
        .and_then([&] { return glb.buffer.write(sink); })
        .and_then([&] { return write_padding(glb.buffer.size(), '\0', sink); });
}

Result<Report> write_glb_file(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options,
                              FileSet& files) {
    auto glb = make_glb(scene, options);
    if (!glb) return fail(std::move(glb.error()));
    const auto write = [&](const Sink& sink) { return write_glb(*glb, sink); };
    return files.add(path, size_of(*glb), write).map([&] { return std::move(glb->report); });
}

Result<Report> write_gltf_files(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options,
                                FileSet& files) {
    const std::string stem = path.stem().string();
    const std::string buffer_name = stem + ".bin";
    const std::string image_stem = options.image_stem.empty() ? stem : options.image_stem;
    auto document = lay_out_as_asked(scene, options.embed_images ? std::nullopt : std::optional(image_stem), options);
    if (!document) return fail(std::move(document.error()));
    auto json = to_text(*document, scene, escape_file_name(buffer_name));
    if (!json) return fail(std::move(json.error()));

    // The file that refers to the others comes last.
    for (const ImageFile& image : document->image_files) {
        if (!options.write_images) break;
        if (auto added = files.add(path.parent_path() / image.name, image.image->bytes); !added)
            return fail(std::move(added.error()));
    }
    if (document->buffer.size() != 0) {
        const auto write = [&](const Sink& sink) { return document->buffer.write(sink); };
        if (auto added = files.add(path.parent_path() / buffer_name, document->buffer.size(), write); !added)
            return fail(std::move(added.error()));
    }
    const std::string text = to_text(Json::parse(*json, nullptr, false), 2) + "\n";
    const auto write = [&](const Sink& sink) { return write_text(text, sink); };
    return files.add(path, text.size(), write).map([&] { return std::move(document->report); });
}

bool is_gltf(const std::filesystem::path& path) { return lower(path.extension().string()) == ".gltf"; }

}  // namespace

Result<Bytes> write_glb(const Scene& scene, const WriteOptions& options) {
    return without_exceptions([&]() -> Result<Bytes> {
        auto glb = make_glb(scene, options);
        if (!glb) return fail(std::move(glb.error()));
        Bytes bytes;
        bytes.reserve(static_cast<std::size_t>(size_of(*glb)));
        if (auto written = write_glb(*glb, memory_sink(bytes)); !written) return fail(std::move(written.error()));
        return bytes;
    });
}

Result<Report> write_file(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options) {
    return write_together(options.fsync, [&](FileSet& files) { return write_into(scene, path, options, files); });
}

Result<Report> write_into(const Scene& scene, const std::filesystem::path& path, const WriteOptions& options,
                          FileSet& files) {
    return is_gltf(path) ? write_gltf_files(scene, path, options, files) : write_glb_file(scene, path, options, files);
}

}  // namespace effigy::gltf
