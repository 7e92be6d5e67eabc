/// Recognises and reads the inputs of a conversion, on disk or in memory.

#include "convert/inputs.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <system_error>

#include "effigy/program_codes.hpp"

#include "convert/shared.hpp"
#include "core/guard.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "registry/rows.hpp"

namespace effigy::conversion {
namespace {

namespace fs = std::filesystem;

bool is_in_memory(const ConvertOptions& options) { return static_cast<bool>(options.files.read); }
bool is_on_disk(const InputFile& input, const ConvertOptions& options) {
    return !input.bytes && !is_in_memory(options);
}

Result<SceneSource> read_bytes(std::span<const std::byte> bytes, const InputFile& input, const std::string& name,
                               const ConvertOptions& options, Report& report) {
    auto loaded = open_bytes(bytes, name, {options.limits}, options.formats());
    if (!loaded) return fail(std::move(loaded.error()));
    report.append(std::move(loaded->report));
    SceneSource source{std::move(loaded->value), input.path, bytes.size(), {}, {}};
    if (!source.document.format().traits.is_exchange) source.hash = content_hash(bytes);
    if (input.path == "-") source.name = standard_input_name;
    return source;
}

Result<SceneSource> read_from_disk(const InputFile& input, const ConvertOptions& options, Report& report) {
    auto opened = open_scene_file(input.path, {options.limits}, options.formats());
    if (!opened) return fail(std::move(opened.error()));
    report.append(std::move(opened->report));
    return std::move(opened->value);
}

bool is_closed(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator inside(folder, error);
    return error == std::errc::permission_denied;
}

constexpr const char* open_it = "; `chmod u+rx` gives its owner the right to";

Result<void> check_folders(const ConvertOptions& options) {
    if (is_in_memory(options)) return {};
    for (const std::string name : {"textures", "motions"}) {
        for (const std::string& folder : options.values.list(name)) {
            std::error_code error;
            if (is_closed(folder))
                return fail(problem_at({}, codes::usage_option,
                                       "--" + name + " names a folder that may not be read: " + folder + open_it));
            if (!fs::is_directory(folder, error))
                return fail(problem_at({}, codes::usage_option,
                                       "--" + name + " wants a folder; there is none called " + folder));
        }
    }
    return {};
}

}  // namespace

void note_closed(const fs::path& folder, Report& report) {
    constexpr std::size_t most = 100'000;
    const auto note = [&](const fs::path& path) {
        if (!is_closed(path)) return;
        report.add(problem_at({}, codes::folder_closed,
                              "the folder may not be read and was passed over: " + path.string() + open_it));
    };
    note(folder);
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (std::size_t seen = 0; !error && entry != fs::recursive_directory_iterator() && seen < most; ++seen) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) note(entry->path());
        entry.increment(error);
    }
}

Result<void> report_step(const ConvertOptions& options, const Step& step) {
    if (!options.progress || options.progress(step)) return {};
    return fail(problem_at({}, codes::limit_cancelled, "cancelled; nothing was written"));
}

bool is_folder(const OutputFiles& output) {
    std::error_code error;
    if (output.path.empty() || !output.path.has_filename()) return !output.path.empty();
    return !output.take && output.path.extension().empty() && fs::is_directory(output.path, error);
}

std::optional<FileId> id_of(const fs::path& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 ? std::optional<FileId>({status.st_dev, status.st_ino}) : std::nullopt;
}

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return a != "-" && b != "-" && fs::equivalent(a, b, error);
}

const FormatInfo* format_of(const InputFile& input, const ConvertOptions& options) {
    if (is_on_disk(input, options)) return recognize_file(input.path, options.formats()).format;
    Result<Bytes> read;
    if (!input.bytes) read = options.files.read(input.path.generic_string());
    if (!input.bytes && !read)
        return options.from_game ? recognize_file(input.path, options.formats()).format : nullptr;
    const Bytes& bytes = input.bytes ? *input.bytes : *read;
    const std::span<const std::byte> head(bytes);
    return recognize(head.first(std::min<std::size_t>(head.size(), 4096)), input.path.string(), options.formats())
        .format;
}

std::vector<const FormatInfo*> formats_of(const std::vector<InputFile>& inputs, const ConvertOptions& options) {
    std::vector<const FormatInfo*> formats;
    for (const InputFile& input : inputs) formats.push_back(format_of(input, options));
    return formats;
}

Result<void> check_inputs(const std::vector<InputFile>& inputs, const std::vector<const FormatInfo*>& formats,
                          const ConvertOptions& options) {
    if (auto checked = check_options(options.values, options.formats().options()); !checked) return checked;
    if (inputs.empty()) return fail(problem_at({}, codes::usage_input, "there are no inputs; name a file to convert"));
    for (std::size_t index = 0; index < inputs.size(); ++index) {
        const fs::path& path = inputs[index].path;
        if (path.empty() && !inputs[index].bytes)
            return fail(problem_at({}, codes::usage_input, "an input has no name: is a variable of a script empty?"));
        std::error_code error;
        if (is_on_disk(inputs[index], options) && fs::is_directory(path, error))
            return fail(problem_at({}, codes::usage_input, path.string() + " is a folder; name the files to convert"));
        const auto end = inputs.begin() + static_cast<std::ptrdiff_t>(index);
        const bool twice = std::any_of(inputs.begin(), end, [&](const InputFile& other) {
            return path == other.path || (is_on_disk(inputs[index], options) && is_same_file(path, other.path));
        });
        if (twice) return fail(problem_at({}, codes::usage_input, "this input is named twice: " + path.string()));
    }
    if (auto checked = check_folders(options); !checked) return checked;
    const bool only_companions = std::all_of(formats.begin(), formats.end(), [](const FormatInfo* format) {
        return format != nullptr && is_companion(*format);
    });
    if (only_companions) {
        const std::string_view instead = formats.empty() ? "" : formats.front()->traits.instead;
        return fail(problem_at({}, codes::usage_input,
                               "these files only go with others; name a model or a motion too" +
                                   (instead.empty() ? "" : " (" + std::string(instead) + ")")));
    }
    return {};
}

Result<void> check_shows(const std::vector<InputFile>& inputs, const std::vector<const FormatInfo*>& formats) {
    for (std::size_t index = 0; index < inputs.size(); ++index) {
        const FormatInfo* format = formats[index];
        if (format == nullptr) continue;
        if (format->role != Role::archive && format->role != Role::library) continue;
        const std::string_view instead = format->traits.instead;
        return fail(
            problem_at({}, codes::usage_input,
                       inputs[index].path.string() + " (" + std::string(format->name) +
                           ") has nothing to show: " + std::string(instead.empty() ? "name a model" : instead)));
    }
    return {};
}

Result<void> check_applies(const std::vector<const FormatInfo*>& inputs, const FormatInfo* output,
                           const ConvertOptions& options) {
    if (options.pass_over_switches) return {};
    const bool all_known =
        std::all_of(inputs.begin(), inputs.end(), [](const auto* format) { return format != nullptr; });
    for (const auto& [name, texts] : options.values.all()) {
        bool fits = false, is_general = false, reads = false;
        std::string choices;
        for (const DeclaredOption& option : options.formats().options()) {
            const OptionDeclaration& declaration = option.declaration;
            if (declaration.name != name) continue;
            is_general = is_general || option.family.empty() || declaration.locates;
            reads = reads || declaration.reads;
            const bool takes = std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
                return option_problem(declaration, text).empty();
            });
            const auto says = [&](const FormatInfo* format) { return format != nullptr && applies(option, *format); };
            const bool about_input = declaration.reads && std::any_of(inputs.begin(), inputs.end(), says);
            const bool about_output = declaration.writes && says(output);
            if (about_output && !takes) choices = extension_of(*output);
            fits = fits || ((about_input || about_output) && takes);
        }
        if (fits || is_general || (reads && !all_known)) continue;
        if (!choices.empty())
            return fail(problem_at({}, codes::usage_option,
                                   "--" + name + " " + texts.back() + " has no " + choices + " files"));
        std::set<std::string> extensions;
        if (output != nullptr) extensions.insert(extension_of(*output));
        for (const FormatInfo* format : inputs) {
            if (reads && format != nullptr) extensions.insert(extension_of(*format));
        }
        return fail(problem_at({}, codes::usage_option, "--" + name + " says nothing about " + joined(extensions)));
    }
    return {};
}

namespace {

/// Tells of what is read in games, by names below the root that the first of the family's files would have in memory.
std::function<void(const std::string& path, std::span<const std::byte> bytes)> teller(
    const FamilyRow& family, const std::vector<InputFile>& inputs, const std::vector<const FormatInfo*>& formats,
    const ConvertOptions& options) {
    if (!options.from_game) return {};
    fs::path root;
    for (std::size_t index = inputs.size(); index-- > 0;) {
        if (formats[index] == nullptr || formats[index]->family == family.name)
            root = family.root_of(inputs[index].path, &options.files);
    }
    return [root, tell = options.from_game](const std::string& path, std::span<const std::byte> bytes) {
        tell((root / path).generic_string(), bytes);
    };
}

}  // namespace

Result<std::vector<Surroundings>> open_all_surroundings(const std::vector<InputFile>& inputs,
                                                        const std::vector<const FormatInfo*>& formats,
                                                        const ConvertOptions& options, Report& report) {
    std::vector<Surroundings> all;
    for (const FamilyRow* family : options.formats().families()) {
        if (family->open_surroundings == nullptr) continue;
        const Files* files = is_in_memory(options) && !options.from_game ? &options.files : nullptr;
        SurroundingsRequest request{
            options.values, {}, files, options.limits, teller(*family, inputs, formats, options)};
        for (std::size_t index = 0; index < inputs.size(); ++index) {
            std::error_code error;
            const bool is_given = !inputs[index].roots.empty();
            if (!is_given && (formats[index] == nullptr || formats[index]->family != family->name)) continue;
            if (!is_given && files == nullptr && !fs::exists(inputs[index].path, error)) continue;
            const auto roots =
                is_given ? inputs[index].roots : std::vector<fs::path>{family->root_of(inputs[index].path, files)};
            for (const fs::path& root : roots) {
                if (std::find(request.roots.begin(), request.roots.end(), root) == request.roots.end())
                    request.roots.push_back(root);
            }
        }
        auto opened = options.shared ? options.shared->open(*family, request) : family->open_surroundings(request);
        if (!opened) return fail(std::move(opened.error()));
        report.append(std::move(opened->report));
        all.push_back(std::move(opened->value));
    }
    return all;
}

Result<SceneSource> read_source(const InputFile& input, const std::vector<Surroundings>& surroundings,
                                const ConvertOptions& options, Report& report) {
    const std::string name = input.path.string();
    if (input.bytes) return read_bytes(*input.bytes, input, name, options, report);
    if (is_in_memory(options)) {
        const auto bytes = options.files.read(input.path.generic_string());
        if (bytes) return read_bytes(*bytes, input, name, options, report);
        if (!options.from_game || bytes.error().code != codes::file_missing) return fail(bytes.error());
    }
    std::error_code error;
    if (fs::exists(input.path, error)) return read_from_disk(input, options, report);
    // A path that is none on the disk may be one in the game, where it may be in a catalog.
    bool has_game = false;
    for (const Surroundings& around : surroundings) {
        if (!around.file) continue;
        has_game = true;
        const auto found = around.file(name);
        if (found && options.from_game) options.from_game(input.path.generic_string(), found->bytes);
        if (found) return read_bytes(found->bytes, input, found->name, options, report);
        if (found.error().code != codes::file_missing) return fail(found.error());
    }
    auto missing = read_from_disk(input, options, report);
    if (!missing && has_game && error != std::errc::permission_denied)
        missing.error().message =
            "there is no such file, neither here nor in the games and mods; `effigy ls` shows theirs";
    return missing;
}

}  // namespace effigy::conversion

namespace effigy {

Result<Loaded<Sources>> open_sources(const std::vector<InputFile>& inputs, const ConvertOptions& options) {
    using namespace conversion;
    return without_exceptions([&]() -> Result<Loaded<Sources>> {
        Report report;
        const std::vector<const FormatInfo*> formats = formats_of(inputs, options);
        if (auto checked = check_inputs(inputs, formats, options); !checked) return fail(std::move(checked.error()));
        auto around = open_all_surroundings(inputs, formats, options, report);
        if (!around) return stop<Loaded<Sources>>(std::move(around.error()), std::move(report), options);
        Sources sources{{}, std::move(*around), {}};
        const auto goes_along = [](const FormatInfo* format) { return format != nullptr && is_companion(*format); };
        const auto companions = std::count_if(formats.begin(), formats.end(), goes_along);
        const std::size_t total = inputs.size() - static_cast<std::size_t>(companions);
        for (std::size_t index = 0; index < inputs.size(); ++index) {
            sources.inputs.push_back(inputs[index].path);
            if (goes_along(formats[index])) continue;
            const std::string name = inputs[index].path.string();
            auto source = report_step(options, {"reading", name, sources.files.size(), total}).and_then([&] {
                return read_source(inputs[index], sources.surroundings, options, report);
            });
            if (!source) return stop<Loaded<Sources>>(std::move(source.error()), std::move(report), options);
            if (options.on_input) options.on_input(index, source->hash);
            sources.files.push_back(std::move(*source));
        }
        if (report.has_errors() && !options.values.flag("allow-damaged")) {
            return stop<Loaded<Sources>>(
                problem_at(
                    {}, codes::damaged_input,
                    "nothing was written because an input is damaged; --allow-damaged converts what can be read"),
                std::move(report), options);
        }
        return Loaded<Sources>{std::move(sources), std::move(report)};
    });
}

Result<std::optional<Loaded<Surroundings>>> open_surroundings(const FormatInfo& format,
                                                              const std::filesystem::path& root,
                                                              const ConvertOptions& options) {
    return open_surroundings(format, std::vector<std::filesystem::path>{root}, options);
}

Result<std::optional<Loaded<Surroundings>>> open_surroundings(const FormatInfo& format,
                                                              const std::vector<std::filesystem::path>& roots,
                                                              const ConvertOptions& options) {
    return without_exceptions([&]() -> Result<std::optional<Loaded<Surroundings>>> {
        const FamilyRow* family = options.formats().family(format.family);
        if (family == nullptr || family->open_surroundings == nullptr) return std::nullopt;
        const Files* files = options.files.read ? &options.files : nullptr;
        const SurroundingsRequest request{options.values, roots, files, options.limits};
        auto opened = options.shared ? options.shared->open(*family, request) : family->open_surroundings(request);
        if (!opened) return fail(std::move(opened.error()));
        return std::optional(std::move(*opened));
    });
}

std::optional<std::filesystem::path> root_of(const FormatInfo& format, const std::filesystem::path& file,
                                             const Registry& registry) {
    const FamilyRow* family = registry.family(format.family);
    if (family == nullptr || family->root_of == nullptr) return std::nullopt;
    return family->root_of(file, nullptr);
}

}  // namespace effigy
