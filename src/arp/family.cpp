/// The rows that signing avatars give to the registry.

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "effigy/arp_codes.hpp"
#include "effigy/arp_scene.hpp"

#include "arp/file/cas_writer.hpp"
#include "arp/file/formats.hpp"
#include "arp/file/names.hpp"
#include "core/file_names.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"
#include "registry/document_row.hpp"
#include "registry/new_files.hpp"
#include "registry/shared_options.hpp"

namespace effigy::arp {

namespace {

constexpr std::array<std::string_view, 2> avatar_extensions{"jarp", "arp"};
constexpr std::array<std::string_view, 1> container_extensions{"jar"};
constexpr std::array<std::string_view, 3> cas_extensions{"cas", "cas.xml", "cas.json"};

constexpr FormatInfo avatar_format =
    faithful_format("jarp", "signing avatar (ARP)", "arp", Role::model, avatar_extensions,
                    "2.0 to 3.1, and what the public description reads like", {.reads_beside = true});
constexpr FormatInfo container_format =
    faithful_format("jar", "container of a signing avatar", "arp", Role::model, container_extensions,
                    "ZIP with avatardef.jarp or .arp", {.foreign_code = codes::container_no_avatar.name});
constexpr FormatInfo cas_format = faithful_format("cas", "motion of a signing avatar", "arp", Role::motion,
                                                  cas_extensions, "CAS XML 2.1, CAS JSON", {.shows_alone = false});

const Document::Operations* recognize(std::span<const std::byte> head, std::string_view name) {
    if (looks_like_container(head, name)) return &operations<ContainerFormat>();
    if (looks_like_cas(head)) return &operations<CasFormat>();
    if (looks_like_avatar(head)) return &operations<AvatarFormat>();
    return nullptr;
}

/// What belongs to signing avatars without being one.
Recognition recognize_relative(std::span<const std::byte> head, std::string_view /*name*/) {
    const std::string_view text = as_text(head).substr(0, 1024);
    const auto has_one = [&](std::initializer_list<std::string_view> parts) {
        return std::any_of(parts.begin(), parts.end(),
                           [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
    };
    const auto foreign = [](const char* answer) { return Recognition{nullptr, answer, {}}; };
    if (has_one({"<sigml", "<hamgestural_sign"}))
        return foreign(
            "this is SiGML, which says what signs there are and not how an avatar moves; a signing player such as "
            "CWASA or JASigning computes CAS from it, and that effigy converts");
    if (has_one({"<avatarStaticData", "<nonmanuals", "animgen config"}))
        return foreign(
            "this file goes with a signing avatar and is read with it: name the avatar's .jar, or the "
            "avatardef.jarp beside this file");
    if (has_one({"\"skelBones\"", "\"meshPoints\""}))
        return foreign("this is a signing avatar as JSON, which effigy does not read; take the avatar's .jar or .jarp");
    return {};
}

/// "anna/avatardef.jarp", taken out of its container.
bool is_unpacked(const std::filesystem::path& avatar) { return lower(avatar.stem().string()) == "avatardef"; }

/// What was in the container of an avatar that was unpacked, and what effigy writes beside one that is alone.
std::vector<std::pair<std::string, Bytes>> companions_beside(const std::filesystem::path& avatar, const Files* files) {
    constexpr std::uint64_t max_bytes = 16 << 20;
    std::vector<std::pair<std::string, Bytes>> companions;
    const auto add = [&](const char* name, const std::string& file) {
        if (auto content = read_beside(avatar.parent_path() / file, files, max_bytes))
            companions.emplace_back(name, std::move(*content));
    };
    add("names.json", avatar.stem().string() + ".names.json");
    if (!is_unpacked(avatar)) return companions;
    for (const char* name : {"config.xml", "asd.xml", "nonmanuals.xml", "names.json"}) add(name, name);
    return companions;
}

/// "hello" for hello.cas.xml, too.
std::string stem_of_motion(const std::filesystem::path& path) {
    const std::filesystem::path stem = path.stem();
    return (stem.extension() == ".cas" ? stem.stem() : stem).string();
}

constexpr std::array<std::string_view, 3> twist_names{"none", "joints", "bake"};

Result<Loaded<Scene>> sources_to_scene(std::vector<SceneSource> sources, const ConversionContext& context) {
    SceneInput input;
    for (SceneSource& source : sources) {
        Source origin{source.named().stem().string(), source.size, source.hash, source.named().string()};
        const std::string_view id = source.document.format().id;
        if (id == avatar_format.id) {
            AvatarInput avatar{std::move(origin), std::move(*source.document.get_if<File>()), {}, {}};
            avatar.companions = companions_beside(source.path, context.files);
            if (is_unpacked(source.path)) avatar.name = source.named().parent_path().filename().string();
            input.avatars.push_back(std::move(avatar));
        } else if (id == container_format.id) {
            input.avatars.push_back(avatar_from(std::move(origin), std::move(*source.document.get_if<Container>())));
        } else {
            origin.stem = stem_of_motion(source.named());
            input.motions.push_back({std::move(origin), std::move(*source.document.get_if<cas::File>())});
        }
    }
    SceneOptions options;
    options.limits = context.limits;
    options.encoding = context.options.text("encoding", "CP1252");
    options.lod = static_cast<int>(context.options.number("lod", -1));
    options.resample = context.options.number("resample");
    if (const auto twist = context.options.choice("arp-twist", twist_names))
        options.arm_twist = static_cast<ArmTwist>(*twist);
    return to_scene(std::move(input), options);
}

/// A file for each motion, none called as another.
void add_motions(const NativeFiles& native, const std::string& stem, std::vector<NewFile>& files) {
    UniqueNames names(UniqueNames::Case::is_ignored);
    for (const auto& [clip, motion] : native.motions) {
        const char* const extension = motion.is_json ? ".cas.json" : ".cas.xml";
        files.push_back({names.add(motion_stem(stem, clip), extension), motion.text});
    }
}

/// The avatar alone, with the texture that it names and the names that it has changed.
Result<void> add_alone(const NativeFiles& native, const std::filesystem::path& path, bool with_texture,
                       std::vector<NewFile>& files) {
    auto bytes = write(native.container.avatar);
    if (!bytes) return fail(std::move(bytes.error()));
    files.push_back({path.filename().string(), std::move(*bytes)});
    for (const Entry& entry : native.container.entries) {
        const std::string name = entry.name.substr(entry.name.rfind('/') + 1);
        if (name == "names.json") files.push_back({path.stem().string() + ".names.json", entry.content});
        const bool is_text = name.empty() || name.ends_with(".xml") || name.ends_with(".jarp") || name == "names.json";
        if (!is_text && with_texture) files.push_back({name, entry.content});
    }
    return {};
}

Result<void> add_packed(const NativeFiles& native, const std::filesystem::path& path, std::vector<NewFile>& files) {
    auto bytes = write_container(native.container);
    if (!bytes) return fail(std::move(bytes.error()));
    files.push_back({path.filename().string(), std::move(*bytes)});
    return {};
}

/// JSON (true) or XML, if the name says which.
std::optional<bool> form_of(const std::filesystem::path& path) {
    if (lower(path.stem().extension().string()) != ".cas") return std::nullopt;
    const std::string extension = lower(path.extension().string());
    return extension == ".json" || extension == ".xml" ? std::optional(extension == ".json") : std::nullopt;
}

/// `own_name`: what motions are given that name no avatar.
void note_form(const cas::File& motion, Report& report, std::string_view own_name = {}) {
    if (motion.camera) {
        report.add(problem_at("motion", codes::arp_clip_form,
                              "JSON does not say where the signer is looked at from: camera_location is lost."));
    }
    if (motion.avatar.empty() || motion.avatar == own_name) return;
    report.add(problem_at("motion", codes::arp_clip_form.as(Severity::info),
                          "JSON does not say for which avatar a motion was made: its name is lost.",
                          shortened(motion.avatar)));
}

/// The clip that is called as the file is, or the only one.
Result<void> add_motion(const NativeFiles& native, const std::filesystem::path& path, std::string_view own_name,
                        Report& report, std::vector<NewFile>& files) {
    std::string names;
    const cas::File* chosen = native.motions.size() == 1 ? &native.motions.front().second : nullptr;
    const std::string stem = stem_of_motion(path);
    for (const auto& [clip, motion] : native.motions) {
        if (lower(clip) == lower(stem) && chosen == nullptr) chosen = &motion;
        if (names.size() < 200) names += (names.empty() ? "" : ", ") + shortened(clip);
    }
    if (chosen == nullptr) {
        return fail(
            problem_at("clips", codes::arp_clip_choice,
                       native.motions.empty()
                           ? "the scene has no clip but the ambient motion, which stands in the avatar"
                           : "the scene has several clips: call the file as the one that is meant, or write the "
                             "avatar, beside which all of them are put",
                       names.empty() ? "no clip" : names, "a clip called " + shortened(stem)));
    }
    const auto form = form_of(path);
    if (!form || *form == chosen->is_json) {
        files.push_back({path.filename().string(), chosen->text});
        return {};
    }
    note_form(*chosen, report, own_name);
    const std::string text = cas::text_of(*chosen, *form);
    const auto bytes = std::as_bytes(std::span(text));
    files.push_back({path.filename().string(), {bytes.begin(), bytes.end()}});
    return {};
}

Result<Loaded<std::vector<NewFile>>> files_of_scene(const Scene& scene, const FormatInfo& format,
                                                    const std::filesystem::path& path,
                                                    const ConversionContext& context) {
    FromSceneOptions settings;
    settings.limits = context.limits;
    settings.height = context.options.number("height");
    settings.max_error = context.options.number("max-error");
    settings.name = (is_unpacked(path) ? path.parent_path().filename() : path.stem()).string();
    if (settings.name.empty()) settings.name = "avatar";
    settings.only_motions = format.id == cas_format.id;
    auto native = from_scene(scene, settings);
    if (!native) return fail(std::move(native.error()));
    Loaded<std::vector<NewFile>> made{{}, std::move(native->report)};
    Result<void> added;
    if (format.id == cas_format.id) {
        added = add_motion(native->value, path, settings.name, made.report, made.value);
    } else if (format.id == container_format.id) {
        added = add_packed(native->value, path, made.value);
    } else {
        added = add_alone(native->value, path, !context.options.flag("no-textures"), made.value);
    }
    if (!added) return fail(std::move(added.error()));
    if (format.id != cas_format.id) add_motions(native->value, path.stem().string(), made.value);
    return made;
}

/// A motion alone, in the form that the output's name says.
Result<std::optional<Loaded<Document>>> recode_motion(const cas::File& motion, const std::filesystem::path& output) {
    const auto form = form_of(output);
    if (!form || *form == motion.is_json) return std::nullopt;
    const std::string text = cas::text_of(motion, *form);
    const auto bytes = std::as_bytes(std::span(text));
    auto read = cas::read({bytes.begin(), bytes.end()});
    if (!read) return fail(std::move(read.error()));
    Report report;
    note_form(motion, report);
    return Loaded<Document>{document_of<CasFormat>(std::move(read->value)), std::move(report)};
}

/// The avatar of a container, without what lies beside it.
Result<std::optional<Loaded<Document>>> recode(Document& document, const FormatInfo& format,
                                               const OptionValues& /*options*/, const std::filesystem::path& output) {
    const auto* motion = document.get_if<cas::File>();
    if (motion != nullptr && format.id == cas_format.id) return recode_motion(*motion, output);
    Container* container = document.get_if<Container>();
    if (container == nullptr || format.id != avatar_format.id) return std::nullopt;
    Report report;
    if (container->entries.size() > 1) {
        report.add(problem_at({}, codes::arp_file_left_out,
                              "Only the avatar is taken out of its container; the other entries stay there.",
                              std::to_string(container->entries.size() - 1)));
    }
    return Loaded<Document>{document_of<AvatarFormat>(std::move(container->avatar)), std::move(report)};
}

constexpr std::array avatar_formats{avatar_format.id, container_format.id};
constexpr std::array options_of_family{
    OptionDeclaration{.name = "arp-twist",
                      .type = OptionType::choice,
                      .help = "Arms twist by helper joints in clips (joints), with a key at each frame (bake), or not "
                              "(none)",
                      .argument = "HOW",
                      .default_value = "joints",
                      .choices = twist_names,
                      .reads = true,
                      .way_back = true},
    OptionDeclaration{.name = "height",
                      .type = OptionType::number,
                      .help = "Metres from the avatar's lowest point to its highest",
                      .argument = "METRES",
                      .min = 0.01,
                      .max = 1000,
                      .range_text = "metres between 0.01 and 1000 are needed",
                      .writes = true},
    levels_option(avatar_formats),
    level_ratios_option(avatar_formats),
    level_error_option(avatar_formats),
    max_error_option,
};

}  // namespace

const FormatInfo& AvatarFormat::format() { return avatar_format; }
const FormatInfo& ContainerFormat::format() { return container_format; }
const FormatInfo& CasFormat::format() { return cas_format; }

const FamilyRow& family_row() noexcept {
    static const FamilyRow family{
        .name = "arp",
        .title = "Signing avatars",
        .formats = {&operations<AvatarFormat>(), &operations<ContainerFormat>(), &operations<CasFormat>()},
        .recognize = recognize,
        .to_scene = sources_to_scene,
        .from_scene = files_of_scene,
        .recognize_relative = recognize_relative,
        .options = options_of_family,
        .recode = recode};
    return family;
}

}  // namespace effigy::arp
