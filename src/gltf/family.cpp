/// The rows that glTF gives to the registry.

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"

#include "core/text.hpp"
#include "gltf/asset_rules.hpp"
#include "gltf/file_format.hpp"
#include "gltf/file_info.hpp"
#include "registry/document_row.hpp"

namespace effigy::gltf {
namespace {

constexpr std::array<std::string_view, 1> glb_extensions{"glb"};
constexpr std::array<std::string_view, 1> gltf_extensions{"gltf"};

constexpr FormatInfo glb_format{"glb", "glTF 2.0 binary", "gltf", Role::model, glb_extensions, "2.0", true, true, true,
                                true};
constexpr FormatInfo gltf_format{
    "gltf", "glTF 2.0 with .bin and images", "gltf", Role::model, gltf_extensions, "2.0", true, true, true, true};

template <const FormatInfo& info_of_format>
struct FileFormat {
    using File = gltf::File;

    static const FormatInfo& format() { return info_of_format; }
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return gltf::read(std::move(source), options);
    }
    static Result<File> build(const effigy::Json& nodes, bool normalized, const Limits& limits) {
        return gltf::build(nodes, normalized, limits);
    }
    static Result<Bytes> write(const File& file, const effigy::WriteOptions& options) {
        return gltf::write(file, options);
    }
    static Result<void> write_file(const File& file, const std::filesystem::path& path,
                                   const effigy::WriteOptions& options) {
        return write_parts(file, path, options);
    }
    static Report check(const File& file, const CheckContext& context) {
        SceneOptions options;
        options.limits = context.limits;
        options.folder = context.path.parent_path();
        auto scene = to_scene(file, options);
        if (scene) return std::move(scene->report);
        Report report;
        report.add(std::move(scene.error()));
        return report;
    }
    static effigy::Json info(const File& file, const InfoOptions& /*options*/) { return file_info(file, format().id); }
    static Result<effigy::Json> dump(const File& file, const DumpOptions& options) { return gltf::dump(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return gltf::hex_map(file, options);
    }
};
using GlbFormat = FileFormat<glb_format>;
using GltfFormat = FileFormat<gltf_format>;

bool contains(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

/// JSON that is called .gltf, or that has an asset among other things that only glTF has.
bool looks_like_text(std::string_view text, std::string_view name) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{') return false;
    if (name.size() > 5 && lower(name.substr(name.size() - 5)) == ".gltf") return true;
    if (!contains(text, "\"asset\"") || contains(text, "\"effigy_dump\"")) return false;
    for (const std::string_view part : {"\"generator\"", "\"extensionsUsed\"", "\"scenes\"", "\"nodes\"", "\"meshes\"",
                                        "\"accessors\"", "\"bufferViews\"", "\"buffers\""}) {
        if (contains(text, part)) return true;
    }
    return false;
}

const effigy::Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    const std::span<const std::byte> content = without_mark(head);
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    if (text.starts_with("glTF") && content.size() == head.size()) return &operations<GlbFormat>();
    return looks_like_text(text, name) ? &operations<GltfFormat>() : nullptr;
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    if (sources.size() != 1) {
        Diagnostic diagnostic;
        diagnostic.code = "gltf-several";
        diagnostic.message = "several glTF files cannot be joined into one scene; name one of them";
        diagnostic.found = std::to_string(sources.size());
        diagnostic.expected = "1";
        diagnostic.file = sources[1].path.string();
        return fail(std::move(diagnostic));
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.scene = settings.gltf_scene;
    options.folder = sources.front().path.parent_path();
    options.allow_outside = settings.allow_outside;
    return to_scene(sources.front().document.as<File>(), options);
}

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        "gltf", {&operations<GlbFormat>(), &operations<GltfFormat>()}, recognize, sources_to_scene};
    return family;
}

}  // namespace effigy::gltf
