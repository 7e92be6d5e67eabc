/// The rows that glTF gives to the registry.

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/gltf.hpp"
#include "effigy/gltf_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "gltf/file/asset.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/format.hpp"
#include "registry/document_row.hpp"
#include "registry/shared_options.hpp"
#include "scene/keep_level.hpp"
#include "scene/resample.hpp"

namespace effigy::gltf {
namespace {

constexpr std::array<std::string_view, 1> glb_extensions{"glb"};
constexpr std::array<std::string_view, 1> gltf_extensions{"gltf"};

constexpr FormatInfo glb_format = faithful_format("glb", "glTF 2.0 binary", "gltf", Role::model, glb_extensions, "2.0",
                                                  {.is_exchange = true, .streams = true});
constexpr FormatInfo gltf_format = faithful_format("gltf", "glTF 2.0 with .bin and images", "gltf", Role::model,
                                                   gltf_extensions, "2.0", {.reads_beside = true, .is_exchange = true});

template <const FormatInfo& info_of_format>
struct FileFormat {
    using File = gltf::File;

    static const FormatInfo& format() { return info_of_format; }
    static constexpr Result<Loaded<File>> (*read)(ByteSource, const ReadOptions&) = gltf::read;
    static constexpr auto build = gltf::build;
    static constexpr Result<Bytes> (*write)(const File&, const effigy::WriteOptions&) = gltf::write;
    static constexpr auto write_file = write_parts;
    static constexpr auto dump = gltf::dump;
    static constexpr auto hex_map = gltf::hex_map;
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
};
using GlbFormat = FileFormat<glb_format>;
using GltfFormat = FileFormat<gltf_format>;

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
    const std::string_view text = as_text(content);
    if (text.starts_with("glTF") && content.size() == head.size()) return &operations<GlbFormat>();
    return looks_like_text(text, name) ? &operations<GltfFormat>() : nullptr;
}

constexpr std::array option_formats{gltf_format.id};
constexpr std::array<OptionDeclaration, 11> options_of_family{{
    {.name = "scene",
     .type = OptionType::integer,
     .help = "Of several scenes the one to show, counted from 0 (default: the file's own default)",
     .argument = "NUMBER",
     .max = 65535,
     .range_text = "a number between 0 and 65535 is needed",
     .reads = true},
    {.name = "allow-outside",
     .help = "Also read files that do not lie below the input's folder",
     .reads = true,
     .rare = true},
    {.name = "no-records",
     .help = "Leave out extras.effigy, which only the way back needs: smaller files for viewers and the web",
     .writes = true},
    {.name = "compact",
     .help = "For the web: meshopt compression, WebP, shorter normals and texture coordinates, no records; see also "
             "--clips",
     .writes = true},
    {.name = "keep-colors",
     .help =
         "For programs that drop vertex colours, as Blender's exporter may: keep those in the records, too, so that "
         "they come back to meshes that nobody edited",
     .writes = true},
    {.name = "keep-keys",
     .help =
         "Insert no rotation keys where the clip's own format turns otherwise between two keys than readers of glTF "
         "do; the report says by how much",
     .writes = true,
     .rare = true},
    {.name = "embed-images", .help = "Images inside the .bin", .formats = option_formats, .writes = true},
    levels_option({}),
    level_ratios_option({}),
    level_error_option({}),
    collision_option({}),
}};

WriteOptions write_options(const SceneWriteOptions& options) {
    const OptionValues& values = options.context.options;
    return {options.fsync,          values.flag("embed-images"), options.image_stem,
            options.write_images,   !values.flag("no-records"),  values.flag("keep-keys"),
            values.flag("compact"), values.flag("keep-colors"),  options.context.limits};
}

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                           FileSet& files) {
    return write_into(scene, path, write_options(options), files);
}

Report losses_of(const Scene& scene, const SceneWriteOptions& options) { return losses(scene, write_options(options)); }

/// Of one file: the registry joins several.
Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const ConversionContext& context) {
    SceneOptions options;
    options.limits = context.limits;
    options.scene = static_cast<int>(context.options.number("scene", -1));
    options.folder = sources.front().path.parent_path();
    options.allow_outside = context.options.flag("allow-outside");
    if (context.files != nullptr) options.read_file = context.files->read;
    if (context.files != nullptr) options.file_seen = context.files->seen;
    auto scene = to_scene(std::move(*sources.front().document.get_if<File>()), options);
    if (!scene) return scene;
    const double rate = context.options.number("resample");
    BridgeState memory(Budget(context.limits, sources.front().size));
    for (Clip& clip : scene->value.clips) {
        if (auto done = rate > 0 ? resample(clip, rate, memory) : Result<void>(); !done)
            return fail(std::move(done.error()));
    }
    const int level = static_cast<int>(context.options.number("lod", -1));
    if (level >= 0) scene->report.append(keep_level(scene->value, static_cast<std::size_t>(level)));
    return scene;
}

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{.name = "gltf",
                                  .title = "glTF",
                                  .formats = {&operations<GlbFormat>(), &operations<GltfFormat>()},
                                  .recognize = recognize,
                                  .to_scene = sources_to_scene,
                                  .options = options_of_family,
                                  .write = write_scene,
                                  .losses = losses_of,
                                  .names_files = [](const Document& document, const Limits& limits) {
                                      return names_files(*document.get_if<File>(), limits);
                                  }};
    return family;
}

}  // namespace effigy::gltf
