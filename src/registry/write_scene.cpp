/// Scenes to files, on the disk or in memory, whatever the format.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/registry.hpp"
#include "effigy/scene_codes.hpp"

#include "core/file_set.hpp"
#include "core/guard.hpp"
#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/rows.hpp"
#include "scene/bridge.hpp"

namespace effigy {
namespace {

/// The format of an output, and the family that writes it.
struct Writer {
    const FormatInfo* format = nullptr;
    const FamilyRow* family = nullptr;
};

Writer writer_of(const std::filesystem::path& path, const Registry& registry) {
    const FormatInfo* format = path == "-" ? stream_format(registry) : format_of_name(path, registry);
    if (format == nullptr || !format->from_scene) return {};
    return {format, registry.family(format->family)};
}

Diagnostic unknown_output(const std::filesystem::path& path) {
    return file_problem(path.string(), codes::unknown_format,
                        "no scene can be written in a format of this extension; `effigy formats` lists the formats",
                        path.extension().string());
}

Result<void> add_all(const std::vector<NewFile>& files, const std::filesystem::path& folder, FileSet& set) {
    for (const NewFile& file : files) {
        const std::filesystem::path name = std::filesystem::path(file.name).lexically_normal();
        if (name.empty() || name.is_absolute() || *name.begin() == "..")
            return fail(problem_at({}, codes::output_create, "the name of a file leads out of the folder", file.name));
        const std::filesystem::path path = folder / file.name;
        set.make_folder(path.parent_path());
        auto added = file.write ? set.add(path, file.size, file.write) : set.add(path, file.bytes);
        if (!added) return added;
    }
    return {};
}

void note_model(const Scene& scene, Report& report) {
    const auto shown = std::count_if(scene.meshes.begin(), scene.meshes.end(),
                                     [](const Mesh& mesh) { return mesh.vertex_count != 0; });
    if (shown != 0) report.add(problem_at("meshes", codes::model_left, {}, std::to_string(shown)));
}

/// The custom properties of an object that nobody reads. Those of unusual size are not looked into.
void add_lost(NameList& lost, const std::string& name, const Extras& extras, std::span<const std::string_view> known) {
    constexpr std::size_t most = std::size_t{1} << 20;
    if (extras.other.size() > most) return lost.add(name);
    const auto json = extras.other.empty() ? std::nullopt : parse_json(extras.other);
    if (!json || !json->is_object()) return;
    for (const auto& [property, value] : json->items()) {
        if (property == "effigy" || std::find(known.begin(), known.end(), property) != known.end()) continue;
        lost.add(name + " / " + property);
    }
}

/// A file of motions says nothing of anything else (codes::model_left). To be asked for before a scene is used up.
NameList lost_properties(const Scene& scene, const FormatInfo& format, const FamilyRow& family) {
    NameList lost;
    if (format.traits.is_exchange) return lost;
    const auto add_each = [&](const char* list, const auto& objects, std::span<const std::string_view> known = {}) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const std::string& name = objects[i].name;
            const Extras& extras = objects[i].extras;
            if (!extras.other.empty()) add_lost(lost, name.empty() ? element_path(list, i) : name, extras, known);
        }
    };
    if (format.role != Role::motion) {
        add_lost(lost, "asset", scene.asset_extras, {});
        add_each("nodes", scene.nodes, family.known_properties);
        add_each("meshes", scene.meshes);
        add_each("skins", scene.skins);
        add_each("materials", scene.materials);
        add_each("lights", scene.lights);
    }
    add_each("clips", scene.clips);
    return lost;
}

void note_lost(const NameList& lost, Report& report) {
    if (!lost.empty()) report.add(problem_at("extras", codes::properties_lost, {}, lost.text()));
}

Result<Report> write_into(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                          const Registry& registry, FileSet& set) {
    const Writer writer = writer_of(path, registry);
    if (writer.family != nullptr && writer.family->write != nullptr) {
        auto report = writer.family->write(scene, path, options, set);
        if (report) note_lost(lost_properties(scene, *writer.format, *writer.family), *report);
        return report;
    }
    ConversionContext context = options.context;
    context.for_disk = true;  // in memory, too, one copy is enough
    auto files = make_files(scene, path, context, registry);
    if (!files) return fail(std::move(files.error()));
    if (auto added = add_all(files->value, path.parent_path(), set); !added) return fail(std::move(added.error()));
    return std::move(files->report);
}

}  // namespace

Result<NewFiles> make_files(const Scene& scene, const std::filesystem::path& path, const ConversionContext& context,
                            const Registry& registry) {
    const Writer writer = writer_of(path, registry);
    if (writer.family == nullptr || writer.family->from_scene == nullptr) return fail(unknown_output(path));
    return without_exceptions([&]() -> Result<NewFiles> {
        const NameList lost = lost_properties(scene, *writer.format, *writer.family);
        auto files = writer.family->from_scene(scene, *writer.format, path, context);
        if (files) note_lost(lost, files->report);
        if (files && writer.format->role == Role::motion) note_model(scene, files->report);
        return files;
    });
}

namespace {

const FamilyRow* folder_family(std::string_view target, const Registry& registry) noexcept {
    for (const FamilyRow* family : registry.families()) {
        const auto& names = family->folder_targets;
        if (std::find(names.begin(), names.end(), target) != names.end()) return family;
    }
    return nullptr;
}

}  // namespace

const FormatInfo* folder_format(std::string_view target, const Registry& registry) noexcept {
    const FamilyRow* family = folder_family(target, registry);
    return family == nullptr ? nullptr : find_format(family->folder_format, registry);
}

Result<NewFiles> make_folder(const Scene& scene, const std::filesystem::path& path, const ConversionContext& context,
                             const Registry& registry) {
    const FamilyRow* family = folder_family(context.options.text("target"), registry);
    if (family == nullptr) return fail(unknown_output(path));
    const FormatInfo* format = find_format(family->folder_format, registry);
    return without_exceptions([&] {
        const NameList lost = format == nullptr ? NameList() : lost_properties(scene, *format, *family);
        auto files = family->to_folder(scene, path, context);
        if (files) note_lost(lost, files->report);
        return files;
    });
}

Result<Report> write_scene(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                           const Registry& registry) {
    return write_together(
        options.fsync, [&](FileSet& set) { return write_into(scene, path, options, registry, set); },
        options.before_file);
}

Result<NewFiles> write_scene_to_memory(const Scene& scene, const std::filesystem::path& path,
                                       const SceneWriteOptions& options, const Registry& registry) {
    return without_exceptions([&]() -> Result<NewFiles> {
        NewFiles made;
        FileSet set(made.value);
        auto report = write_into(scene, path.filename(), options, registry, set);
        if (!report) return fail(std::move(report.error()));
        const auto is_first = [&](const NewFile& file) { return file.name == path.filename().string(); };
        std::stable_partition(made.value.begin(), made.value.end(), is_first);
        made.report = std::move(*report);
        return made;
    });
}

Report scene_losses(const Scene& scene, const std::filesystem::path& path, const SceneWriteOptions& options,
                    const Registry& registry) {
    const Writer writer = writer_of(path, registry);
    if (writer.family == nullptr || writer.family->losses == nullptr) return {};
    return without_exceptions([&] {
        Report report = writer.family->losses(scene, options);
        note_lost(lost_properties(scene, *writer.format, *writer.family), report);
        return report;
    });
}

Result<void> write_files(const std::vector<NewFile>& files, const std::filesystem::path& folder, bool fsync,
                         const BeforeFile& before) {
    return without_exceptions([&] {
        FileSet set(fsync, before);
        return add_all(files, folder, set).and_then([&] { return set.commit(); });
    });
}

}  // namespace effigy
