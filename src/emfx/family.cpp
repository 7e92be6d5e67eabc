/// The rows that EMotion FX gives to the registry.

#include <array>
#include <cstring>
#include <utility>

#include "effigy/emfx_scene.hpp"

#include "emfx/container.hpp"
#include "emfx/info.hpp"
#include "registry/rows.hpp"

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
    true,           false};
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
    false};
constexpr FormatInfo xpm_format{"xpm",          "EMotion FX morph motion",
                                "emfx",         Role::motion,
                                xpm_extensions, "1.0, little- and big-endian; chunks 100-102, 50, 51",
                                true,           true,
                                true,           false};

const xac::File* actor_of(const Document* model) {
    return model != nullptr && model->format().id == xac_format.id ? &model->as<xac::File>() : nullptr;
}

template <class Format>
Report check_file(const void* file, const Document* model);
template <>
Report check_file<XacFormat>(const void* file, const Document*) {
    return xac::check(*static_cast<const xac::File*>(file));
}
template <>
Report check_file<XsmFormat>(const void* file, const Document* model) {
    return xsm::check(*static_cast<const xsm::File*>(file), actor_of(model));
}
template <>
Report check_file<XpmFormat>(const void* file, const Document* model) {
    return xpm::check(*static_cast<const xpm::File*>(file), actor_of(model));
}

template <class Format>
const Document::Operations& row() noexcept;

template <class Format>
struct Row {
    using File = typename Format::File;

    static Result<Loaded<Document>> read(ByteSource source, const ReadOptions& options) {
        auto loaded = read_container<Format>(std::move(source), options);
        if (!loaded) return fail(std::move(loaded.error()));
        return Loaded<Document>{Document(row<Format>(), std::make_shared<File>(std::move(loaded->value))),
                                std::move(loaded->report)};
    }
    static Result<Document> build(const Json& nodes, bool normalize, const Limits& limits) {
        auto file = build_container<Format>(nodes, normalize, limits);
        if (!file) return fail(std::move(file.error()));
        return Document(row<Format>(), std::make_shared<File>(std::move(*file)));
    }
    static Result<Bytes> write(const void* file, const WriteOptions& options) {
        return write_container(*static_cast<const File*>(file), options);
    }
    static Result<void> write_file(const void* file, const std::filesystem::path& path, const WriteOptions& options) {
        return write_container_file(*static_cast<const File*>(file), path, options);
    }
    static Json info(const void* file, const InfoOptions& options) {
        return emfx::info(*static_cast<const File*>(file), options.encoding);
    }
    static Json dump(const void* file, bool expand) { return dump_nodes(*static_cast<const File*>(file), expand); }
    static std::string hex(const void* file) { return hex_map(*static_cast<const File*>(file)); }

    static constexpr Document::Operations operations(const FormatInfo& info_row) {
        return {&info_row, read, build, write, write_file, check_file<Format>, info, dump, hex};
    }
};

constexpr std::array<Document::Operations, 3> rows{Row<XacFormat>::operations(xac_format),
                                                   Row<XsmFormat>::operations(xsm_format),
                                                   Row<XpmFormat>::operations(xpm_format)};
template <>
const Document::Operations& row<XacFormat>() noexcept {
    return rows[0];
}
template <>
const Document::Operations& row<XsmFormat>() noexcept {
    return rows[1];
}
template <>
const Document::Operations& row<XpmFormat>() noexcept {
    return rows[2];
}

const Document::Operations* recognize_magic(std::span<const std::byte> head) {
    const std::array magics{XacFormat::magic, XsmFormat::magic, XpmFormat::magic};
    for (const std::uint64_t offset : {std::uint64_t{0}, wrapper_size}) {
        for (std::size_t index = 0; index < magics.size(); ++index) {
            if (head.size() >= offset + 4 && std::memcmp(head.data() + offset, magics[index].data(), 4) == 0)
                return &rows[index];
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
    static constexpr FamilyRow family{"emfx", rows, recognize_magic, sources_to_scene};
    return family;
}

}  // namespace effigy::emfx
