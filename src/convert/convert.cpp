/// Inputs to an output: a copy where the format is the same, else by way of a scene.

#include "effigy/convert.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/program_codes.hpp"

#include "convert/inputs.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy::conversion {
namespace {

/// The inputs and what is asked for, before and while something is made of them.
struct Job {
    const std::vector<InputFile>& inputs;
    const OutputFiles& output;
    const ConvertOptions& options;
    std::vector<const FormatInfo*> formats;  ///< of the inputs; null: not known
    std::vector<const FormatInfo*> shown{};  ///< of those that are inputs of their own
    const FormatInfo* target = nullptr;      ///< format to write
    const FormatInfo* via = nullptr;         ///< on the way
    std::string to = options.values.text("to"), via_name = options.values.text("via");
    std::size_t first = 0;  ///< the first input that is one of its own
    Report noticed{};       ///< before the inputs are read

    [[nodiscard]] const Registry& registry() const noexcept { return options.formats(); }
};

/// The format to write: what was asked for, that of an input with the same extension, or what the extension says.
const FormatInfo* output_format(const Job& job) {
    if (job.output.path.empty()) return stream_format(job.registry());  // where nothing is written
    if (!job.to.empty()) return find_format(job.to, job.registry());
    if (is_folder(job.output)) return folder_format(job.options.values.text("target"), job.registry());
    const std::filesystem::path extension = job.output.path.extension();
    if (extension.empty()) return nullptr;
    // A copy of what has an extension that says nothing.
    if (job.inputs.size() == 1 && job.inputs.front().path.extension() == extension) {
        const FormatInfo* format = job.formats.front();
        if (format != nullptr && format->writes) return format;
    }
    return format_of_name(job.output.path, job.registry());
}

/// Those that scenes become, and one that is only copied.
std::string writable_formats(const Registry& registry, const FormatInfo* copied = nullptr) {
    std::string list;
    for (const FormatInfo& format : registry.formats()) {
        const bool is_copied = copied != nullptr && copied->id == format.id && format.writes;
        if (format.from_scene || is_copied) list += (list.empty() ? "" : ", ") + std::string(format.id);
    }
    return list;
}

/// Games whose folders can be written.
std::string folder_targets(const Registry& registry) {
    std::string list;
    for (const FamilyRow* family : registry.families()) {
        for (const std::string_view game : family->folder_targets)
            list += (list.empty() ? "" : ", ") + std::string(game);
    }
    return list;
}

/// What names a game's folder, where one may be meant.
std::string folder_advice(const Job& job) {
    const bool may_be_folder = job.to.empty() && job.output.path.extension().empty() &&
                               folder_format(job.options.values.text("target"), job.registry()) != nullptr;
    return may_be_folder ? "; end it with / for a mod or a game's folder" : "";
}

/// ".glb or .gltf"
std::string exchange_formats(const Registry& registry) {
    std::string list;
    for (const FormatInfo& format : registry.formats()) {
        if (format.traits.is_exchange) list += (list.empty() ? "" : " or ") + extension_of(format);
    }
    return list;
}

/// Switches of a format that is written, or about the scene, which a copy would not heed.
bool asks_for_more(const Job& job) {
    for (const char* const name : {"clips", "attach", "split", "scene", "resample"}) {
        if (job.options.values.has(name)) return true;
    }
    if (job.options.values.number("lod", -1) >= 0) return true;
    return std::any_of(job.registry().options().begin(), job.registry().options().end(),
                       [&](const DeclaredOption& option) {
                           const OptionDeclaration& declaration = option.declaration;
                           const bool writes = !option.family.empty() && declaration.writes && !declaration.way_back;
                           return writes && job.options.values.has(declaration.name);
                       });
}

/// Formats that share an extension (.xml) are told apart by content, and copied by extension.
bool is_same_format(const FormatInfo& input, const Job& job) {
    if (input.id == job.target->id) return true;
    const auto has = [&](std::string_view known) {
        const auto& extensions = job.target->extensions;
        return std::find(extensions.begin(), extensions.end(), known) != extensions.end();
    };
    return job.to.empty() && input.writes && std::any_of(input.extensions.begin(), input.extensions.end(), has);
}

/// A single input of the format to write is copied, unless it names files, which only reading it tells.
bool is_copied(const FormatInfo& input, const Job& job) {
    return !is_folder(job.output) && is_same_format(input, job) && input.writes && job.via_name.empty() &&
           !asks_for_more(job) && job.shown.size() == 1;
}

/// The writer goes by the output's extension, so the two must not contradict each other.
Result<void> check_extension(const Job& job) {
    const std::filesystem::path& path = job.output.path;
    const std::string id(job.target->id);
    if (path.empty() || (is_folder(job.output) && job.to.empty())) return {};
    if (path == "-") {
        if (job.target->traits.streams) return {};
        const FormatInfo* stream = stream_format(job.registry());
        return fail(problem_at({}, codes::usage_output,
                               "." + id + " cannot go to standard output" +
                                   (stream == nullptr ? "" : "; use --to " + std::string(stream->id))));
    }
    const FormatInfo* extension = format_of_name(path, job.registry());
    if (extension != nullptr && extension->id == job.target->id) return {};
    return fail(problem_at({}, codes::usage_output,
                           "--to " + id + " wants an output that ends in " + extension_of(*job.target)));
}

Result<void> check_output(const Job& job) {
    if (job.output.take) return {};
    for (const InputFile& input : job.inputs) {
        if (is_same_file(input.path, job.output.path)) {
            return fail(
                problem_at({}, codes::usage_output,
                           "the output is one of the inputs: " + input.path.string() + "; inputs are never changed"));
        }
    }
    return {};
}

/// What speaks against a conversion that is no copy.
Result<void> check_conversion(const Job& job) {
    if (auto checked = check_extension(job); !checked) return checked;
    if (!job.via_name.empty() && (job.via == nullptr || !job.via->traits.shows_alone)) {
        return fail(problem_at({}, codes::usage_option,
                               "--via wants a game's format that scenes can be written in and that needs no model; "
                               "`effigy formats` shows which"));
    }
    return check_applies(job.formats, job.via != nullptr ? job.via : job.target, job.options);
}

/// What speaks against the job before anything is read.
Result<void> check(const Job& job) {
    // What standard input is, is not known yet.
    const FormatInfo* const input = job.shown.size() == 1 ? job.shown.front() : nullptr;
    const bool is_unknown = job.shown.size() == 1 && input == nullptr;
    const bool copies = is_unknown ? job.target->writes : input != nullptr && is_copied(*input, job);
    // A copy may be called what says nothing, but not what says another format.
    const bool says_nothing = format_of_name(job.output.path, job.registry()) == nullptr;
    if (!copies) {
        if (auto checked = check_conversion(job); !checked) return checked;
    } else if (!job.to.empty() && job.output.path != "-" && !says_nothing) {
        if (auto checked = check_extension(job); !checked) return checked;
    }
    if (auto checked = check_output(job); !checked) return checked;
    if (auto checked = check_inputs(job.inputs, job.formats, job.options); !checked) return checked;
    if (!copies && job.target->from_scene) {
        if (auto checked = check_shows(job.inputs, job.formats); !checked) return checked;
    }
    if (job.target->from_scene || job.shown.size() == 1) return {};
    return fail(problem_at({}, codes::usage_output,
                           "several inputs make one scene, which " + extension_of(*job.target) +
                               " cannot hold; write " + exchange_formats(job.registry())));
}

/// A file that is there and has to stay is compared with the copy's bytes.
Result<void> write_copy(const Document& document, const Job& job, const WriteOptions& writing) {
    const std::filesystem::path& path = job.output.path;
    const auto existing = job.options.before_file ? job.options.before_file(path) : Existing::replaced;
    if (!existing) return fail(existing.error());
    std::error_code error;
    if (*existing == Existing::replaced || !std::filesystem::exists(path, error))
        return document.write_file(path, writing);
    const auto bytes = document.write(writing);
    return bytes ? write_bytes(path, *bytes, writing.fsync, *existing) : fail(bytes.error());
}

Result<Conversion> copy(const Document& document, Report report, const Job& job) {
    Conversion conversion{std::move(report), {job.output.path.string()}, {}};
    const OptionValues& values = job.options.values;
    const WriteOptions writing{values.flag("normalize"), values.flag("fsync")};
    auto done =
        report_step(job.options, {"writing", conversion.files.front(), 0, 1})
            .and_then([&] {
                return job.options.before_output ? job.options.before_output(conversion.report) : Result<void>();
            })
            .and_then([&]() -> Result<void> {
                if (!job.output.take) return write_copy(document, job, writing);
                auto bytes = document.write(writing);
                if (!bytes) return fail(std::move(bytes.error()));
                std::vector<NewFile> files;
                files.push_back({job.output.path.filename().string(), std::move(*bytes)});
                return job.output.take(std::move(files));
            });
    if (done) return conversion;
    if (done.error().file.empty()) done.error().file = job.output.path.string();
    return stop<Conversion>(std::move(done.error()), std::move(conversion.report), job.options);
}

/// A folder below another one, as its steps are spelled there; empty if there is none.
std::filesystem::path folder_below(const std::filesystem::path& folder, std::span<const std::string> steps) {
    if (steps.empty()) return folder;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (lower(entry->path().filename().string()) != steps.front() || !entry->is_directory(ignored)) continue;
        if (auto found = folder_below(entry->path(), steps.subspan(1)); !found.empty()) return found;
    }
    return {};
}

/// Says so where the meshes that a component names would not be found from where its copy is.
void note_parts_left(const SceneSource& source, const FamilyRow& row, const Job& job, Report& report) {
    const std::filesystem::path& to = job.output.path;
    if (row.part_folders == nullptr || job.output.take || to == "-" || source.path == "-") return;
    const auto find = [&](const std::filesystem::path& file) {
        std::set<std::vector<std::string>> tried;
        for (const auto& folder : row.part_folders(source.document, {})) {
            const std::vector<std::string> steps(folder.begin(), folder.end());
            if (!tried.insert(steps).second) continue;
            if (auto found = folder_below(row.root_of(file, nullptr), steps); !found.empty()) return found;
        }
        return std::filesystem::path();
    };
    const std::filesystem::path folder = find(source.path);
    if (folder.empty() || !find(to).empty()) return;
    report.add(file_problem(to.string(), codes::copied_alone,
                            "the copy is byte for byte, and the meshes that it names are not where it looks for "
                            "them: copy their folder as well, or convert to .glb and from there, which writes all "
                            "anew",
                            folder.string()));
}

/// Says so where a file beside the input is read with it and would not be with the copy.
void note_side_left(const SceneSource& source, const FamilyRow& row, const Job& job, Report& report) {
    const std::filesystem::path& to = job.output.path;
    if (!source.document.format().traits.reads_beside || job.output.take || to == "-" || source.path == "-") return;
    for (const FormatInfo& format : row.other_formats) {
        std::error_code error;
        const std::filesystem::path beside = std::filesystem::path(source.path).replace_extension(extension_of(format));
        const std::filesystem::path copied = std::filesystem::path(to).replace_extension(extension_of(format));
        if (!is_companion(format) || !format.reads || !std::filesystem::exists(beside, error) ||
            std::filesystem::exists(copied, error))
            continue;
        report.add(file_problem(to.string(), codes::copied_alone,
                                "the copy is byte for byte, and what belongs to the input lies beside that: copy it "
                                "as well, under the name that is expected",
                                beside.string(), copied.string()));
    }
}

/// By way of a scene.
Result<Conversion> convert_scene(Sources sources, Report report, const Job& job) {
    const std::vector<std::filesystem::path> inputs = sources.inputs;
    auto loaded = load_scene(std::move(sources), job.options);
    if (!loaded) {
        if (job.options.report_of_failure != nullptr) {
            report.append(std::move(*job.options.report_of_failure));
            *job.options.report_of_failure = std::move(report);
        }
        return fail(std::move(loaded.error()));
    }
    report.append(std::move(loaded->report));
    Result<Scene> scene = std::move(loaded->value);
    if (auto done = complete_levels(*scene, job.output.path, job.options, report); !done)
        scene = fail(std::move(done.error()));
    if (scene && job.via != nullptr)
        scene = there_and_back(*scene, *job.via, job.inputs.front().path, job.options, report);
    if (!scene) return stop<Conversion>(std::move(scene.error()), std::move(report), job.options);
    if (!job.output.path.empty() && job.options.values.flag("split"))
        return save_parts(*scene, job.output, *job.target, std::move(report), inputs, job.options);
    if (!job.output.path.empty())
        return save(std::move(*scene), job.output, *job.target, std::move(report), inputs, job.options);
    name_files(report, inputs);
    if (job.options.before_output) {
        if (auto done = job.options.before_output(report); !done)
            return stop<Conversion>(std::move(done.error()), std::move(report), job.options);
    }
    return Conversion{std::move(report), {}, std::move(*scene)};
}

Result<Conversion> run(Job& job) {
    auto opened = open_sources(job.inputs, job.options);
    if (!opened) return fail(std::move(opened.error()));
    Sources& sources = opened->value;
    SceneSource& source = sources.files.front();
    const FormatInfo& input = source.document.format();
    job.shown.front() = &input;
    Report report = std::move(job.noticed);
    report.append(std::move(opened->report));
    const FamilyRow* row = job.registry().family(input.family);
    if (row->recode != nullptr && job.via_name.empty() && sources.files.size() == 1) {
        auto changed = row->recode(source.document, *job.target, job.options.values, job.output.path);
        if (!changed) {
            changed.error().file = source.path.string();
            return stop<Conversion>(std::move(changed.error()), std::move(report), job.options);
        }
        if (*changed) {
            (*changed)->report.name_file(source.path.string());
            report.append(std::move((*changed)->report));
            return copy((*changed)->value, std::move(report), job);
        }
    }
    const bool is_like = is_copied(input, job);
    const bool names_files =
        is_like && row->names_files != nullptr && row->names_files(source.document, job.options.limits);
    if (is_like && !names_files) {
        note_parts_left(source, *row, job, report);
        note_side_left(source, *row, job, report);
        return copy(source.document, std::move(report), job);
    }
    if (auto checked = check_conversion(job); !checked) {
        if (names_files)
            checked.error().message +=
                "; a copy may be called anything, but this input names files, which a copy would be without";
        return fail(std::move(checked.error()));
    }
    if (job.target->from_scene) return convert_scene(std::move(sources), std::move(report), job);
    return fail(problem_at({}, codes::usage_output,
                           job.inputs[job.first].path.string() + " is " + extension_of(input) + " and cannot become " +
                               extension_of(*job.target) + "; write " + exchange_formats(job.registry())));
}

/// Of a game's folder each file says what stays: save().
BeforeFile before_file(const OutputFiles& output, const ConvertOptions& options) {
    const bool is_decided = options.before_file || options.values.flag("overwrite") || is_folder(output);
    return is_decided ? options.before_file : keep_others(output.path);
}

}  // namespace
}  // namespace effigy::conversion

namespace effigy {

Result<Conversion> convert(const std::vector<InputFile>& named, const OutputFiles& output,
                           const ConvertOptions& given) {
    using namespace conversion;
    return without_exceptions([&]() -> Result<Conversion> {
        ConvertOptions options = given;
        const ReadFiles read;
        read.note(options);
        options.before_file = read.spare(before_file(output, given));
        if (auto checked = check_options(options.values, options.formats().options()); !checked)
            return fail(std::move(checked.error()));
        Report noticed;
        std::vector<InputFile> store;
        const auto all = with_fitting_motions(named, store, options, noticed);
        if (!all) return fail(all.error());
        const std::vector<InputFile>& inputs = **all;
        Job job{inputs, output, options, formats_of(inputs, options)};
        job.noticed = std::move(noticed);
        for (std::size_t index = inputs.size(); index-- > 0;) {
            if (job.formats[index] != nullptr && is_companion(*job.formats[index])) continue;
            job.shown.insert(job.shown.begin(), job.formats[index]);
            job.first = index;
        }
        if (output.path.empty() && job.via_name.empty())
            return fail(problem_at({}, codes::usage_output,
                                   "--output FILE is required, but with --via; `effigy convert --help` "
                                   "explains the usage"));
        job.target = output_format(job);
        if (job.target == nullptr && is_folder(output) && job.to.empty()) {
            return fail(problem_at(
                {}, codes::usage_output,
                "a folder is written for a game; say which one with --target: " + folder_targets(job.registry())));
        }
        if (job.target == nullptr || !(job.target->writes || job.target->from_scene)) {
            return fail(
                problem_at({}, codes::usage_output,
                           "what to write is not known from \"" + (job.to.empty() ? output.path.string() : job.to) +
                               "\"; use an extension or --to with one of: " +
                               writable_formats(job.registry(), job.shown.size() == 1 ? job.shown.front() : nullptr) +
                               folder_advice(job)));
        }
        const FormatInfo* via = job.via_name.empty() ? nullptr : find_format(job.via_name, job.registry());
        const FamilyRow* row = via == nullptr ? nullptr : job.registry().family(via->family);
        if (row != nullptr && via->to_scene && row->from_scene != nullptr) job.via = via->from_scene ? via : nullptr;
        if (auto checked = check(job); !checked) return fail(std::move(checked.error()));
        return run(job);
    });
}

Result<Conversion> save_scene(Scene scene, const OutputFiles& output, const ConvertOptions& given) {
    using namespace conversion;
    return without_exceptions([&]() -> Result<Conversion> {
        ConvertOptions options = given;
        options.before_file = before_file(output, given);
        if (auto checked = check_options(options.values, options.formats().options()); !checked)
            return fail(std::move(checked.error()));
        const std::string to = options.values.text("to");
        const FormatInfo* format = to.empty() && output.path == "-" ? stream_format(options.formats())
                                   : to.empty() && is_folder(output)
                                       ? folder_format(options.values.text("target"), options.formats())
                                   : to.empty() ? format_of_name(output.path, options.formats())
                                                : find_format(to, options.formats());
        if (format == nullptr || !format->from_scene) {
            return fail(problem_at({}, codes::usage_output,
                                   "no scene can be written as " + output.path.string() +
                                       "; use one of: " + writable_formats(options.formats())));
        }
        Report report;
        if (auto done = complete_levels(scene, output.path, options, report); !done)
            return stop<Conversion>(std::move(done.error()), std::move(report), options);
        return save(std::move(scene), output, *format, std::move(report), {}, options);
    });
}

}  // namespace effigy
