/// effigy view: models in a browser, as one page with everything inside, or a folder of them as a gallery.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"
#include "effigy/match.hpp"
#include "effigy/program_codes.hpp"

#include "child.hpp"
#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "gallery.hpp"
#include "page.hpp"
#include "page_files.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct ViewArguments {
    SceneInput input;
    bool no_open = false;
    std::string serve;   ///< folder, or empty
    std::string within;  ///< nothing outside of it is read; empty: all may be
    unsigned port = 0;   ///< 0: any that is free
};

int fail_view(const std::string& message, const ViewArguments& view) {
    return failed("view", make_finding(codes::usage_option, {}, message), {}, view.input);
}

Result<std::string> read_page() {
    const auto path = find_page();
    if (!path) return fail(path.error());
    std::string text;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(*path, error);
    if (!error && size < max_page_files) text.resize(static_cast<std::size_t>(size));
    std::FILE* const file = std::fopen(path->c_str(), "rb");
    const bool is_read = file != nullptr && std::fread(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr) std::fclose(file);
    if (!is_read || text.empty()) return fail(make_finding(codes::view_page, *path, "the page cannot be read"));
    return text;
}

/// Folders stand for what is in them, but for what shows nothing.
InputList listed_inputs(const std::vector<std::string>& arguments) {
    InputList list = collect_inputs(arguments);
    std::erase_if(list.paths, [&](const std::string& path) {
        if (std::find(arguments.begin(), arguments.end(), path) != arguments.end()) return false;
        const FormatInfo* format = format_of_file(path);
        return format == nullptr || format->role == Role::archive || format->role == Role::library;
    });
    return list;
}

/// The places of games and mods, as far as they may be read. Without --within the conversion opens them by itself.
std::vector<std::filesystem::path> game_roots(const std::vector<InputFile>& files,
                                              const std::filesystem::path& within) {
    std::vector<std::filesystem::path> roots;
    for (const InputFile& file : files) {
        const FormatInfo* format = within.empty() ? nullptr : format_of_file(file.path.string());
        const auto root = format == nullptr ? std::nullopt : root_of(*format, file.path);
        std::error_code error;
        if (root) roots.push_back(lies_in(std::filesystem::canonical(*root, error), within) ? *root : within);
    }
    return roots;
}

std::vector<std::filesystem::path> searched_folders(const ViewArguments& view, const std::vector<InputFile>& files) {
    std::vector<std::filesystem::path> searched;
    for (const std::string& folder : view.input.values.list("textures")) searched.emplace_back(folder);
    for (const InputFile& file : files) {
        const std::filesystem::path folder = file.path.has_parent_path() ? file.path.parent_path() : ".";
        if (std::find(searched.begin(), searched.end(), folder) == searched.end()) searched.push_back(folder);
    }
    return searched;
}

/// What came from standard input has a name in the page.
void name_standard_input(InputFile& file, FileRecorder& recorder) {
    if (!file.bytes) return;
    const std::span<const std::byte> head(*file.bytes);
    const FormatInfo* format = recognize(head.first(std::min<std::size_t>(head.size(), 4096)), "-").format;
    file.path = "stdin" + (format == nullptr ? "" : "." + std::string(format->extensions.front()));
    recorder.keep(file.path.string(), *file.bytes);
}

bool shows_model(const InputFile& file) {
    const FormatInfo* format = format_of_file(file.path.string());
    return format != nullptr && format->role == Role::model;
}

/// Whether there is nothing to show, so that there is no page to be made either.
bool is_hopeless(const Diagnostic& failure) {
    return codes::is_usage(failure.code) || codes::is_limit(failure.code) || is_unreadable(failure);
}

/// A model with what may be its companions, and its motions if `has_motions`.
std::vector<InputFile> with_its_own(const InputFile& model, const std::vector<InputFile>& files, bool has_motions) {
    const FormatInfo* const format = format_of_file(model.path.string());
    std::vector<InputFile> inputs{model};
    for (const InputFile& file : files) {
        const FormatInfo* const other = format_of_file(file.path.string());
        if (other == nullptr || other->family != format->family) continue;
        if (other->role == Role::companion || (has_motions && other->role != Role::model)) inputs.push_back(file);
    }
    return inputs;
}

/// The page shows each model for itself: so what each asks for is recorded, first of all from its own folder.
Result<void> record_each(const ViewArguments& view, const std::vector<InputFile>& files, const ConvertOptions& options,
                         FileRecorder& recorder, Report& report) {
    std::set<std::string_view> families;  // motions are loaded with the first model of each
    for (const InputFile& model : files) {
        if (!shows_model(model)) {
            if (!model.bytes) static_cast<void>(options.files.read(model.path.generic_string()));
            continue;
        }
        std::vector<InputFile> model_first{model};
        model_first.insert(model_first.end(), files.begin(), files.end());
        recorder.search(searched_folders(view, model_first));
        const bool is_first = families.insert(format_of_file(model.path.string())->family).second;
        auto loaded = load_scene(with_its_own(model, files, is_first), options);
        if (!loaded && !codes::is_limit(loaded.error().code)) loaded = load_scene({model}, options);
        if (loaded)
            report.append(std::move(loaded->report));
        else if (is_hopeless(loaded.error()))
            return fail(std::move(loaded.error()));
        else
            report.add(std::move(loaded.error()));
    }
    return {};
}

/// Converts as the page will, so that all that is asked for is with the recorder.
Result<void> record(const ViewArguments& view, const std::vector<InputFile>& files, const ConvertOptions& options,
                    FileRecorder& recorder, Report& report) {
    const bool are_several = std::count_if(files.begin(), files.end(), shows_model) > 1;
    auto loaded = load_scene(files, options);
    if (loaded) {
        report.append(std::move(loaded->report));
        Report said_already;
        if (are_several) static_cast<void>(record_each(view, files, options, recorder, said_already));
        return {};
    }
    if (is_hopeless(loaded.error()) && loaded.error().code != codes::families_differ) return fail(loaded.error());
    if (are_several) return record_each(view, files, options, recorder, report);
    report.add(std::move(loaded.error()));
    return {};
}

/// The switches that the page gets: those about files on this machine have been heeded already.
OptionValues page_options(const OptionValues& values, const FileRecorder& recorder) {
    OptionValues options = values;
    for (const DeclaredOption& option : Registry::standard().options()) {
        if (option.declaration.type == OptionType::path) options.erase(option.declaration.name);
    }
    options.erase("attach");
    for (const std::string& wish : values.list("attach")) {
        const std::size_t at = wish.rfind('@');
        const std::string file = std::filesystem::path(wish.substr(0, at)).generic_string();
        options.add("attach", recorder.name_in_page(file) + wish.substr(std::min(at, wish.size())));
    }
    return options;
}

struct Page {
    std::string html;
    std::vector<std::pair<std::string, std::uint64_t>> inputs, sides;  ///< names and sizes
};

Result<Page> make_page(const ViewArguments& view, const std::vector<std::string>& paths, Report& report) {
    auto page = read_page();
    if (!page) return fail(std::move(page.error()));
    ConvertOptions options = view.input.convert_options(report);
    options.pass_over_switches = !view.within.empty();
    auto files = input_files(paths, options.limits);
    if (files) {  // looks at the folders of the switches, too
        auto all = add_fitting_motions(*files, options);
        if (!all) return fail(std::move(all.error()));
        report.append(std::move(all->report));
        files = std::move(all->value);
    }
    if (!files) return fail(std::move(files.error()));
    options.values.erase("motions");
    FileRecorder recorder(searched_folders(view, *files), game_roots(*files, view.within), view.within);
    recorder.give_to(options);
    if (!view.within.empty()) options.from_game = nullptr;  // games are opened where they lie
    std::vector<std::string> inputs;
    for (InputFile& file : *files) {
        name_standard_input(file, recorder);
        inputs.push_back(file.path.generic_string());
    }
    const OptionValues shown = options.values;
    options.values.set("allow-damaged");  // the page says what is wrong
    auto recorded = record(view, *files, options, recorder, report);
    if (!recorder.too_much().empty())
        return fail(make_finding(codes::limit_memory, recorder.too_much(),
                                 "this is more than a page can hold, which is " + size_text(max_page_files) +
                                     "; name fewer files, or leave out textures with --no-textures"));
    if (!recorded) return fail(std::move(recorded.error()));
    const std::string& output = view.input.output;
    if (recorder.has_read(output))
        return fail(make_finding(codes::usage_output, output, "the inputs refer to this file; write another one"));
    std::vector<PageFile> contents = recorder.take(inputs, !view.within.empty() || shown.flag("allow-outside"));
    Page made;
    for (const PageFile& file : contents)
        (file.is_input ? made.inputs : made.sides).emplace_back(file.name, file.bytes.size());
    if (made.inputs.size() != inputs.size())
        return fail(make_finding(codes::input_read, {}, "only plain files can be put into a page, and standard input"));
    auto html = page_with(std::move(*page), contents, page_options(shown, recorder));
    if (!html) return fail(std::move(html.error()));
    made.html = std::move(*html);
    return made;
}

/// A file that nobody else can read, called as what it shows.
Result<std::string> temporary_page(const std::string& input) {
    std::error_code error;
    std::string folder = (std::filesystem::temp_directory_path(error) / "effigy-XXXXXX").string();
    if (error || ::mkdtemp(folder.data()) == nullptr)
        return fail(make_finding(codes::output_create, folder,
                                 std::string("no temporary folder can be made: ") + std::strerror(errno)));
    const std::string stem = std::filesystem::path(input).stem().string();
    return folder + "/" + (stem.empty() || stem == "-" ? "model" : stem) + ".html";
}

Json files_json(const Page& page) {
    Json files = Json::array();
    for (const auto* list : {&page.inputs, &page.sides}) {
        for (const auto& [name, size] : *list)
            files.push_back({{"name", name}, {"size", size}, {"role", list == &page.inputs ? "input" : "side"}});
    }
    return files;
}

/// "wrote soldier.html (1.9 MB): 2 inputs, 3 files that go with them"
std::string summary_line(const std::string& output, const Page& page) {
    std::string line =
        "wrote " + output + " (" + size_text(page.html.size()) + "): " + counted(page.inputs.size(), "input");
    if (!page.sides.empty()) line += ", " + counted(page.sides.size(), "file") + " beside";
    return line;
}

int finish_view(const ViewArguments& view, const std::string& output, const Page& page, const Report& report) {
    const CommonOptions& common = view.input.common;
    print_report(report, common);
    const bool wants_browser = view.input.output.empty() && !view.no_open;
    const bool is_open = wants_browser && start_apart("xdg-open", {output});
    if (output != "-" && common.json) {
        Json result{{"output", output}, {"size", page.html.size()}, {"opened", is_open}, {"files", files_json(page)}};
        result.update(report_json(report));
        print(pretty(result));
    } else if (output != "-" && (!common.quiet || (wants_browser && !is_open))) {
        print(summary_line(output, page) + "\n");
        if (wants_browser && !is_open) print("There is no xdg-open here: open that file in a browser.\n");
    }
    return report.has_errors() ? exit_code::findings : exit_code::fine;
}

/// A folder as it is without links, or what speaks against it.
Result<std::string> real_folder(const std::string& folder) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(folder, error);
    if (!error && std::filesystem::is_directory(real, error)) return real.string();
    return fail(make_finding(codes::usage_option, {}, "--within wants a folder; there is none called " + folder));
}

/// Of a name that a browser, or whoever double-clicks on it, takes for something else.
bool is_no_page(const std::string& output) {
    const std::string extension = lower(std::filesystem::path(output).extension().string());
    return !extension.empty() && extension != ".html" && extension != ".htm";
}

int show(ViewArguments view) {
    if (view.input.inputs.empty())
        return fail_view("INPUT is required, or --serve FOLDER; try `effigy view --help`", view);
    if (std::string problem = output_problem(view.input.output, view.input); !problem.empty())
        return fail_view(problem, view);
    if (is_no_page(view.input.output))
        return fail_view("-o writes a page, whose name ends in .html; `effigy render` draws pictures", view);
    if (!view.within.empty()) {
        const auto folder = real_folder(view.within);
        if (!folder) return fail_view(folder.error().message, view);
        view.within = *folder;
    }
    const InputList list = listed_inputs(view.input.inputs);
    Report report;
    for (const Diagnostic& problem : list.problems) {
        if (list.paths.empty()) return failed(problem, {}, view.input);
        report.add(problem);
    }
    const auto page = make_page(view, list.paths, report);
    if (!page) return failed("view", page.error(), std::move(report), view.input);
    auto output =
        view.input.output.empty() ? temporary_page(list.paths.front()) : Result<std::string>(view.input.output);
    if (!output) return failed(output.error(), std::move(report), view.input);
    if (const auto written = write_text(*output, page->html); !written)
        return failed(written.error(), std::move(report), view.input);
    return finish_view(view, *output, *page, report);
}

int run_view(const ViewArguments& view) {
    if (view.serve.empty()) return show(view);
    if (!view.input.inputs.empty() || !view.input.output.empty())
        return fail_view("--serve takes a folder, and no other inputs and outputs", view);
    return serve_gallery({view.serve, view.port, !view.no_open, view.input.common});
}

constexpr const char* view_footer =
    "The page holds the files themselves, all textures and side files that they ask for, and what\n"
    "reads them; it opens from the disk in any browser, needs no network, and holds up to 320 MB of\n"
    "files. Without -o it is written to a temporary folder and opened.\n"
    "`effigy view --serve FOLDER` shows all models of a folder in a browser, until Ctrl-C; nobody but\n"
    "this machine can reach it.\n"
    "\n"
    "Examples:\n"
    "  effigy view soldier.xac walk.xsm -o soldier.html --textures gfx\n"
    "  effigy view soldier.xac --motions models --no-open\n"
    "  effigy view signer.jar hello.cas.xml -o hello.html --json";

void add_options(CLI::App& verb, ViewArguments& view) {
    SceneInput& input = view.input;
    input.quick_textures = true;
    verb.add_option("INPUT", input.inputs, "Models, their motions, or folders; - is standard input");
    verb.add_option("-o,--output", input.output, "The page to write, instead of opening it; - is standard output")
        ->option_text("FILE");
    verb.add_flag("--no-open", view.no_open, "Open no browser; say where the page is");
    auto* const serve =
        verb.add_option("--serve", view.serve, "Show all models of this folder, as a gallery")->option_text("FOLDER");
    verb.add_option("--port", view.port, "Where the gallery is to be reached (default: any port that is free)")
        ->check(CLI::Range(1, 65535))
        ->needs(serve)
        ->option_text("PORT");
    verb.add_option("--within", view.within, "Read no files outside of this folder")->option_text("FOLDER");
    input.common.add(verb);
    add_declared_options(verb, input.values, [](const DeclaredOption& option) {
        return option.declaration.reads && option.declaration.name != "embed-source";
    });
}

}  // namespace

void add_view(CLI::App& program, Verb& chosen) {
    const auto [verb, view] =
        add_verb(program, chosen, run_view, "view", "Show models in a browser, or make a page of them.", view_footer);
    add_options(*verb, *view);
}

}  // namespace effigy::app
