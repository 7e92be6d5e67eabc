/// The rows that EMotion FX gives to the registry.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "effigy/emfx_codes.hpp"
#include "effigy/emfx_scene.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "emfx/file/container.hpp"
#include "emfx/file/definitions.hpp"
#include "emfx/file/info.hpp"
#include "emfx/file/rig.hpp"
#include "emfx/file/wrapper.hpp"
#include "emfx/from_scene/files.hpp"
#include "emfx/from_scene/from_scene.hpp"
#include "registry/document_row.hpp"
#include "registry/new_files.hpp"
#include "registry/shared_options.hpp"

namespace effigy::emfx {

namespace {

constexpr std::array<std::string_view, 2> xac_extensions{"xac", "_xmac"};
constexpr std::array<std::string_view, 2> xsm_extensions{"xsm", "_xmot"};
constexpr std::array<std::string_view, 1> xpm_extensions{"xpm"};
constexpr std::array<std::string_view, 1> ticks_extensions{"xsmtime"};

constexpr FormatInfo xac_format =
    faithful_format("xac", "EMotion FX actor", "emfx", Role::model, xac_extensions,
                    "1.0, little- and big-endian; chunks 0-15, 50, 51 in every version; plain or in a Risen wrapper");
constexpr FormatInfo xsm_format = faithful_format(
    "xsm", "EMotion FX skeletal motion", "emfx", Role::motion, xsm_extensions,
    "1.0, little- and big-endian; chunks 200-203, 50, 51 in every version; 203 (wavelets) with Huffman's code, with "
    "Rice's kept only",
    {.reads_beside = true});
constexpr FormatInfo xpm_format =
    faithful_format("xpm", "EMotion FX morph motion", "emfx", Role::motion, xpm_extensions,
                    "1.0, little- and big-endian; chunks 100-102, 50, 51", {.shows_alone = false});

constexpr FormatInfo companions[] = {{"xsmtime", "times beside an EMotion FX motion", "emfx", Role::companion,
                                      ticks_extensions, "Tree of Savior", true, false, false, false}};

constexpr Relative relatives[] = {
    {"ACTR",
     "this is a Lumberyard or O3DE actor (.actor), a later EMotion FX format that effigy does not read; O3DE's editor "
     "opens it"},
    {"MOT ",
     "this is a Lumberyard or O3DE motion (.motion), a later EMotion FX format that effigy does not read; O3DE's "
     "editor opens it"},
    {"MOTW", "this is a Lumberyard wavelet motion (.motion), a later EMotion FX format that effigy does not read"},
    {"FXA ", "this is a Gothic 3 actor, an older EMotion FX format (FXA) that effigy does not read"},
    {"LMA ", "this is a Gothic 3 motion, an older EMotion FX format (LMA) that effigy does not read"},
    {"GENOMFLE", "this is a Gothic 3 container (GENOMFLE); the older EMotion FX formats in it are not supported"},
};

/// Times in a `.xsmtime` beside the motion; no such file is no finding.
std::vector<TimedValue> ticks_beside(const std::filesystem::path& motion, const Files* files, Report& report) {
    constexpr std::uint64_t max_bytes = 1 << 20;
    if (motion.empty()) return {};
    std::filesystem::path path = motion;
    path.replace_extension(".xsmtime");
    const auto bytes = read_beside(path, files, max_bytes);
    if (!bytes) return {};
    auto ticks = read_ticks(*bytes);
    if (ticks) return std::move(*ticks);
    Diagnostic diagnostic = passed_on(std::move(ticks.error()), codes::ticks_format);
    diagnostic.file = path.string();
    report.add(std::move(diagnostic));
    return {};
}

template <class File>
Report check_file(const File& file, const CheckContext& context) {
    return check(file, context.model != nullptr ? context.model->get_if<xac::File>() : nullptr);
}
Report check_file(const xac::File& file, const CheckContext& /*context*/) { return xac::check(file); }
Report check_file(const xsm::File& file, const CheckContext& context) {
    Report report = check_file<xsm::File>(file, context);
    (void)ticks_beside(context.path, nullptr, report);
    return report;
}

/// What XAC, XSM and XPM do alike, for the registry.
template <class Format, const FormatInfo& info_of_format>
struct Row {
    using File = typename Format::File;

    static const FormatInfo& format() { return info_of_format; }
    static constexpr auto read = &read_container<Format>;
    static constexpr auto build = &build_container<Format>;
    static constexpr auto write = &write_container<File>;
    static Result<void> write_file(const File& file, const std::filesystem::path& path, const WriteOptions& options) {
        return check_wrapper(path, !file.wrapper_head.empty()).and_then([&] {
            return write_container_file(file, path, options);
        });
    }
    static constexpr auto dump = &dump_nodes<File>;
    static constexpr auto hex_map = &emfx::hex_map<File>;
    static Report check(const File& file, const CheckContext& context) { return check_file(file, context); }
    static Json info(const File& file, const InfoOptions& options) { return emfx::info(file, options.encoding); }
};
using XacRow = Row<XacFormat, xac_format>;
using XsmRow = Row<XsmFormat, xsm_format>;
using XpmRow = Row<XpmFormat, xpm_format>;

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

bool looks_like_ticks(std::span<const std::byte> head) noexcept {
    constexpr std::size_t header_size = 8, tick_size = 6;
    std::int32_t marker = 0;
    std::uint32_t count = 0;
    if (head.size() < header_size) return false;
    std::memcpy(&marker, head.data(), sizeof marker);
    std::memcpy(&count, head.data() + sizeof marker, sizeof count);
    const std::uint64_t size = header_size + std::uint64_t{count} * tick_size;
    // The head may be cut off, so a long list is only known to start like one.
    return marker == -1 && (size == head.size() || (head.size() == 4096 && size > head.size()));
}

Recognition recognize_relative(std::span<const std::byte> head, std::string_view /*name*/) {
    if (looks_like_ticks(head)) {
        return {companions, "these are the times beside a motion; name the motion, and they are read with it", {}};
    }
    const std::string_view text = as_text(head).substr(0, 1024);
    if (text.find("FXA ") == std::string_view::npos) return {};
    return {
        nullptr, "this looks like a Gothic 3 actor: an older EMotion FX format (FXA) that effigy does not read", {}};
}

std::optional<Rig> rig(const Document& document) {
    if (const auto* actor = document.get_if<xac::File>()) return rig_of(*actor);
    if (const auto* motion = document.get_if<xsm::File>()) return rig_of(*motion);
    if (const auto* motion = document.get_if<xpm::File>()) return rig_of(*motion);
    return std::nullopt;
}

constexpr std::array<std::string_view, 2> range_choices{"1", "2"};

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const ConversionContext& context) {
    SceneInput input;
    Report report;
    for (SceneSource& source : sources) {
        Source origin{source.named().stem().string(), source.size, source.hash, source.named().string()};
        if (source.document.format().id == xac_format.id) {
            input.actors.push_back({std::move(origin), std::move(*source.document.get_if<xac::File>())});
        } else if (source.document.format().id == xsm_format.id) {
            auto ticks = ticks_beside(source.path, context.files, report);
            input.motions.push_back(
                {std::move(origin), std::move(*source.document.get_if<xsm::File>()), std::move(ticks)});
        } else {
            input.morph_motions.push_back({std::move(origin), std::move(*source.document.get_if<xpm::File>())});
        }
    }
    SceneOptions options;
    options.limits = context.limits;
    options.encoding = context.options.text("encoding", options.encoding);
    options.morph_normal_range = static_cast<float>(context.options.number("morph-normal-range", 1));
    options.lod = static_cast<int>(context.options.number("lod", -1));
    options.resample = context.options.number("resample");
    options.retarget = context.options.flag("retarget");
    options.keep_key_times = context.options.flag("keep-key-times");
    auto scene = to_scene(std::move(input), options);
    if (scene) scene->report.append(std::move(report));
    return scene;
}

/// A motion with keys instead of wavelets, or the other way round. Other wishes of games take a scene.
Result<std::optional<Loaded<Document>>> recode(Document& document, const FormatInfo& format,
                                               const OptionValues& options, const std::filesystem::path& /*output*/) {
    auto* const motion = document.get_if<xsm::File>();
    const MotionCoding coding = coding_of(options);
    const bool is_asked_for = coding != MotionCoding::kept && !bridge::has_known_files(target_of(options));
    if (motion == nullptr || format.id != xsm_format.id || !is_asked_for) return std::nullopt;
    auto coded = coding == MotionCoding::keys ? xsm::with_keys(std::move(*motion))
                                              : xsm::with_wavelets(std::move(*motion), wavelets_of(options));
    if (!coded) return fail(std::move(coded.error()));
    return Loaded<Document>{document_of<XsmRow>(std::move(coded->value)), std::move(coded->report)};
}

constexpr std::array actor_formats{xac_format.id};
constexpr std::array motion_formats{xac_format.id, xsm_format.id};
constexpr std::array options_of_family{
    target_option(target_names),
    OptionDeclaration{.name = "levels",
                      .type = OptionType::choice,
                      .help = "Levels of detail as whole actors (embedded) or by number (fields)",
                      .argument = "HOW",
                      .choices = level_names,
                      .writes = true},
    levels_option(actor_formats),
    level_ratios_option(actor_formats),
    level_error_option(actor_formats),
    collision_option(actor_formats),
    max_bones_option,
    max_error_option,
    OptionDeclaration{.name = "wavelets",
                      .type = OptionType::choice,
                      .help = "Skeletal motions compressed with this wavelet (XSM chunk 203), or with keys (off), "
                              "instead of as they were",
                      .argument = "HOW",
                      .choices = wavelet_names,
                      .formats = motion_formats,
                      .writes = true},
    OptionDeclaration{.name = "quality",
                      .type = OptionType::number,
                      .help = "With --wavelets: how fine numbers are, 1 to 100; 1 is 40 times as coarse as 100",
                      .argument = "QUALITY",
                      .default_value = "100",
                      .min = 1,
                      .max = 100,
                      .range_text = "a number between 1 and 100 is needed",
                      .formats = motion_formats,
                      .writes = true,
                      .needs = "wavelets"},
    OptionDeclaration{.name = "wavelet-rate",
                      .type = OptionType::number,
                      .help = "With --wavelets: samples a second; 12 is what the exporter took, which is rough",
                      .argument = "RATE",
                      .default_value = "12",
                      .min = 1,
                      .max = 1000,
                      .range_text = "a number between 1 and 1000 is needed",
                      .formats = motion_formats,
                      .writes = true,
                      .rare = true,
                      .needs = "wavelets"},
    OptionDeclaration{.name = "retarget",
                      .help = "Adapt motions that were made for another model to this one's proportions, as the engine "
                              "does",
                      .reads = true},
    OptionDeclaration{.name = "keep-key-times",
                      .help = "Leave the times of motions' keys as they stand, instead of beginning every track at 0",
                      .reads = true,
                      .rare = true},
    OptionDeclaration{.name = "morph-normal-range",
                      .type = OptionType::choice,
                      .help = "Morph normal offsets span -1..1 (1) or -2..2 (2)",
                      .argument = "1|2",
                      .default_value = "1",
                      .choices = range_choices,
                      .reads = true,
                      .writes = true,
                      .rare = true,
                      .way_back = true},
};

}  // namespace

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{.name = "emfx",
                                  .title = "EMotion FX",
                                  .formats = {&operations<XacRow>(), &operations<XsmRow>(), &operations<XpmRow>()},
                                  .recognize = recognize_magic,
                                  .to_scene = sources_to_scene,
                                  .from_scene = make_files,
                                  .to_folder = make_folder,
                                  .folder_format = xac_format.id,
                                  .folder_targets = folder_targets,
                                  .other_formats = companions,
                                  .relatives = relatives,
                                  .recognize_relative = recognize_relative,
                                  .options = options_of_family,
                                  .recode = recode,
                                  .rig = rig,
                                  .declarations = Declarations{".gfx", "interface", declared_motions},
                                  .figure_ending = figure_ending,
                                  .texture_folder = "gfx/anims"};
    return family;
}

}  // namespace effigy::emfx
