/// The rows that EMotion FX gives to the registry.

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "effigy/emfx_scene.hpp"

#include "emfx/container.hpp"
#include "emfx/from_scene_files.hpp"
#include "emfx/info.hpp"
#include "registry/document_row.hpp"

namespace effigy::emfx {

namespace {

constexpr std::array<std::string_view, 2> xac_extensions{"xac", "_xmac"};
constexpr std::array<std::string_view, 2> xsm_extensions{"xsm", "_xmot"};
constexpr std::array<std::string_view, 1> xpm_extensions{"xpm"};

constexpr FormatInfo xac_format{
    "xac",          "EMotion FX actor",
    "emfx",         Role::model,
    xac_extensions, "1.0, little- and big-endian; chunks 0-15, 50, 51 in every version; plain or in a Risen wrapper",
    true,           true,
    true,           true};
constexpr FormatInfo xsm_format{
    "xsm",
    "EMotion FX skeletal motion",
    "emfx",
    Role::motion,
    xsm_extensions,
    "1.0, little- and big-endian; chunks 200-202, 50, 51 in every version; 203 (wavelets) kept, not decoded",
    true,
    true,
    true,
    true};
constexpr FormatInfo xpm_format{"xpm",          "EMotion FX morph motion",
                                "emfx",         Role::motion,
                                xpm_extensions, "1.0, little- and big-endian; chunks 100-102, 50, 51",
                                true,           true,
                                true,           true};

const xac::File* actor_of(const Document* model) {
    return model != nullptr && model->format().id == xac_format.id ? &model->as<xac::File>() : nullptr;
}

/// What XAC, XSM and XPM do alike, for the registry.
template <class Format>
struct Row {
    using File = typename Format::File;

    static const FormatInfo& format();
    static Report check(const File& file, const CheckContext& context);
    static Result<Loaded<File>> read(ByteSource source, const ReadOptions& options) {
        return read_container<Format>(std::move(source), options);
    }
    static Result<File> build(const Json& nodes, bool normalize, const Limits& limits) {
        return build_container<Format>(nodes, normalize, limits);
    }
    static Result<Bytes> write(const File& file, const WriteOptions& options) { return write_container(file, options); }
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return write_container_file(file, path, options);
    }
    static Json info(const File& file, const InfoOptions& options) { return emfx::info(file, options.encoding); }
    static Result<Json> dump(const File& file, const DumpOptions& options) { return dump_nodes(file, options); }
    static Result<std::string> hex_map(const File& file, const DumpOptions& options) {
        return emfx::hex_map(file, options);
    }
};
using XacRow = Row<XacFormat>;
using XsmRow = Row<XsmFormat>;
using XpmRow = Row<XpmFormat>;

template <>
const FormatInfo& XacRow::format() {
    return xac_format;
}
template <>
const FormatInfo& XsmRow::format() {
    return xsm_format;
}
template <>
const FormatInfo& XpmRow::format() {
    return xpm_format;
}
template <>
Report XacRow::check(const xac::File& file, const CheckContext&) {
    return xac::check(file);
}
template <>
Report XsmRow::check(const xsm::File& file, const CheckContext& context) {
    return xsm::check(file, actor_of(context.model));
}
template <>
Report XpmRow::check(const xpm::File& file, const CheckContext& context) {
    return xpm::check(file, actor_of(context.model));
}

const Document::Operations* recognize_magic(std::span<const std::byte> head, std::string_view /*name*/) {
    const std::array magics{XacFormat::magic, XsmFormat::magic, XpmFormat::magic};
    const std::vector<const Document::Operations*>& rows = family_row().formats;
    for (const std::uint64_t offset : {std::uint64_t{0}, wrapper_size}) {
        for (std::size_t index = 0; index < magics.size(); ++index) {
            if (head.size() >= offset + 4 && std::memcmp(head.data() + offset, magics[index].data(), 4) == 0)
                return rows[index];
        }
    }
    return nullptr;
}

/// Times in a `.xsmtime` beside the motion; no such file is no finding.
std::vector<TimedValue> ticks_beside(const std::filesystem::path& motion, Report& report) {
    constexpr std::uint64_t most_bytes = 1 << 20;
    if (motion.empty()) return {};
    std::filesystem::path path = motion;
    path.replace_extension(".xsmtime");
    auto source = ByteSource::open(path);
    if (!source || source->size() > most_bytes) return {};
    Bytes bytes(static_cast<std::size_t>(source->size()));
    if (!source->read(bytes.data(), bytes.size())) return {};
    auto ticks = read_ticks(bytes);
    if (ticks) return std::move(*ticks);
    Diagnostic diagnostic = std::move(ticks.error());
    diagnostic.severity = Severity::warning;
    diagnostic.file = path.string();
    report.add(std::move(diagnostic));
    return {};
}

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const SceneSettings& settings) {
    SceneInput input;
    Report report;
    for (SceneSource& source : sources) {
        Source origin{source.path.stem().string(), source.size, source.hash};
        if (source.document.format().id == xac_format.id) {
            input.actors.push_back({std::move(origin), std::move(source.document.as<xac::File>())});
        } else if (source.document.format().id == xsm_format.id) {
            auto ticks = ticks_beside(source.path, report);
            input.motions.push_back({std::move(origin), std::move(source.document.as<xsm::File>()), std::move(ticks)});
        } else {
            input.morph_motions.push_back({std::move(origin), std::move(source.document.as<xpm::File>())});
        }
    }
    SceneOptions options;
    options.limits = settings.limits;
    options.encoding = settings.encoding;
    options.morph_normal_range = settings.morph_normal_range;
    options.lod = settings.lod;
    options.resample = settings.resample;
    options.retarget = settings.retarget;
    auto scene = to_scene(std::move(input), options);
    if (scene) scene->report.append(std::move(report));
    return scene;
}

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        "emfx",          {&operations<XacRow>(), &operations<XsmRow>(), &operations<XpmRow>()},
        recognize_magic, sources_to_scene,
        nullptr,         make_files};
    return family;
}

}  // namespace effigy::emfx
