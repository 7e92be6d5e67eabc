/// effigy check: what would surprise an engine or a tool.

#include <algorithm>
#include <cctype>
#include <map>
#include <unistd.h>

#include "effigy/program_codes.hpp"

#include "batch.hpp"
#include "check_context.hpp"
#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct CheckArguments {
    CommonOptions common;
    std::vector<std::string> paths;
    std::string actor;
    OptionValues values;
    std::string least = "info";
    bool sarif = false;
    std::string output, report;  ///< folder and file of a run
    BatchArguments batch;
};

struct Checked {
    std::string file;
    std::string format;  ///< empty if the file was not read: it cannot be, or only a folder's rules speak of it
    std::vector<Diagnostic> findings;
    Json suppressed = Json::object();  ///< {code: findings that are not listed}
    bool is_input = true;              ///< false: a folder, or a file that is no input, with findings about the folder
};

Severity severity_of(const std::string& name) {
    return name == "error" ? Severity::error : name == "warning" ? Severity::warning : Severity::info;
}

/// Findings of reading come first; the check's own word on the same place adds nothing to them unless it is another
/// error.
std::vector<Diagnostic> merge(Report read, Report checked, Severity least) {
    std::vector<Diagnostic> all = std::move(read.diagnostics());
    const std::size_t read_count = all.size();
    for (Diagnostic& finding : checked.diagnostics()) {
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(read_count);
        const bool known = std::any_of(all.begin(), end, [&](const Diagnostic& other) {
            if (other.path != finding.path) return false;
            const bool same = other.code == finding.code && other.offset == finding.offset;
            return same || (!finding.path.empty() && finding.severity != Severity::error);
        });
        if (!known) all.push_back(std::move(finding));
    }
    std::erase_if(all, [&](const Diagnostic& finding) { return rank(finding.severity) < rank(least); });
    return all;
}

std::size_t count(const std::vector<Checked>& files, Severity severity) {
    std::size_t total = 0;
    for (const Checked& file : files) {
        total += static_cast<std::size_t>(
            std::count_if(file.findings.begin(), file.findings.end(),
                          [&](const Diagnostic& finding) { return finding.severity == severity; }));
    }
    return total;
}

std::size_t count_inputs(const std::vector<Checked>& files) {
    return static_cast<std::size_t>(
        std::count_if(files.begin(), files.end(), [](const Checked& file) { return file.is_input; }));
}

Json json_document(const std::vector<Checked>& files) {
    Json list = Json::array();
    for (const Checked& file : files) {
        Json findings = Json::array();
        for (const Diagnostic& finding : file.findings) findings.push_back(to_json(finding));
        const Json format = file.format.empty() ? Json() : Json(file.format);
        list.push_back({{"file", file.file},
                        {"format", format},
                        {"findings", std::move(findings)},
                        {"suppressed", file.suppressed}});
    }
    return {{"effigy_check", 1},
            {"files", std::move(list)},
            {"counts",
             {{"files", count_inputs(files)},
              {"errors", count(files, Severity::error)},
              {"warnings", count(files, Severity::warning)},
              {"infos", count(files, Severity::info)}}}};
}

const char* sarif_level(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// A path as a relative or file URI.
std::string uri_of(const std::string& path) {
    static constexpr char digits[] = "0123456789ABCDEF";
    constexpr std::string_view plain = "-._~/";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char letter : path) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool alphanumeric = byte < 0x80 && std::isalnum(byte) != 0;
        if (alphanumeric || plain.find(letter) != std::string_view::npos) {
            uri += letter;
        } else {
            uri += {'%', digits[byte >> 4], digits[byte & 15u]};
        }
    }
    return uri;
}

Json sarif_result(const Diagnostic& finding) {
    Json location{{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(finding.file)}}}}}};
    if (finding.offset != no_offset) {
        Json region{{"byteOffset", finding.offset}};
        if (finding.length != 0) region["byteLength"] = finding.length;
        location["physicalLocation"]["region"] = std::move(region);
    }
    if (!finding.path.empty()) location["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.path}}});
    std::string text = finding.message;
    if (!finding.found.empty()) text += " Found: " + finding.found + ".";
    if (!finding.expected.empty()) text += " Expected: " + finding.expected + ".";
    return {{"ruleId", finding.code},
            {"level", sarif_level(finding.severity)},
            {"message", {{"text", text}}},
            {"locations", Json::array({std::move(location)})}};
}

Json sarif_document(const std::vector<Checked>& files) {
    Json results = Json::array();
    std::map<std::string, std::string> codes;
    for (const Checked& file : files) {
        for (const Diagnostic& finding : file.findings) {
            results.push_back(sarif_result(finding));
            codes.emplace(finding.code, finding.message);
        }
    }
    Json rules = Json::array();
    for (const auto& [code, message] : codes)
        rules.push_back({{"id", code}, {"shortDescription", {{"text", message}}}});
    Json driver{{"name", "effigy"}, {"version", EFFIGY_VERSION}, {"rules", std::move(rules)}};
    Json run{{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
}

/// Each finding, file by file.
std::string all_findings(const std::vector<Checked>& files) {
    std::string text;
    for (const Checked& file : files) {
        if (file.is_input && file.format.empty()) continue;  // said on standard error
        for (const Diagnostic& finding : file.findings) text += on_one_line(to_string(finding)) + "\n";
        for (const auto& [code, more] : file.suppressed.items()) {
            text += on_one_line(file.file) + ": ... and " + more.dump() + " more findings [" + code + "]\n";
        }
    }
    return text;
}

/// One line a code, whatever the number of files.
void print_summary(const std::vector<Checked>& files) {
    FindingSummary summary;
    for (const Checked& file : files) {
        if (file.is_input && file.format.empty()) continue;  // said on standard error
        for (const Diagnostic& finding : file.findings) summary.add(finding);
        for (const auto& [code, more] : file.suppressed.items()) summary.add_more(code, more.get<std::size_t>());
    }
    for (const std::string& line : summary.lines(Severity::info, wants_colors(STDOUT_FILENO)))
        print_painted(line + "\n");
}

void print_text(const std::vector<Checked>& files, const CommonOptions& common) {
    if (common.quiet) return;
    common.verbose ? print(all_findings(files)) : print_summary(files);
    std::string text = counted(count_inputs(files), "file") + ": " + counted(count(files, Severity::error), "error") +
                       ", " + counted(count(files, Severity::warning), "warning") + ", " +
                       counted(count(files, Severity::info), "note") + "\n";
    print(text);
}

void print_result(const std::vector<Checked>& files, const CheckArguments& options) {
    if (options.sarif) {
        print(pretty(sarif_document(files)));
    } else if (options.common.json) {
        print(pretty(json_document(files)));
    } else {
        print_text(files, options.common);
    }
}

/// All that is checked, and the exit code that it asks for.
class Checks {
public:
    Checks(const Document* actor, const CheckArguments& options)
        : actor_(actor), options_(&options), surroundings_(options.values, options.common.limits) {}

    void add_problem(const Diagnostic& problem) {
        worst_ = std::max(worst_, fail_with(problem));
        files_.push_back({problem.file, "", {problem}});
    }

    void add_file(const std::string& path) {
        std::error_code error;
        const bool may_be_in_game = path != "-" && !options_->values.list("game").empty();
        if (may_be_in_game && !std::filesystem::exists(path, error)) return add_file_of_game(path);
        auto loaded = open(path, options_->common.limits);
        if (!loaded) return add_problem_of(path, std::move(loaded.error()));
        const CheckContext context = context_of(path, loaded->value.format());
        add_checked(path, loaded->value, std::move(loaded->report), context);
    }

    /// What its files say about each other: for each mod in the folder, or for the folder.
    void add_folder(const std::string& folder) {
        CheckContext context;
        context.limits = options_->common.limits;
        const std::vector<Root> roots = roots_in(folder);
        if (roots.empty()) add_findings(folder, check_folder(folder, context));
        for (const auto& [root, format] : roots) {
            context.surroundings = surroundings_.of(*format, root);
            const std::string part = as_named(root, folder);
            add_findings(part, check_folder(part, context));
        }
    }

    /// Says what kept the surroundings from being read, and prints all.
    int finish() {
        for (const Diagnostic& problem : surroundings_.problems()) worst_ = std::max(worst_, fail_with(problem));
        print_result(files_, *options_);
        return cancelled() ? exit_code::limit : worst_;
    }

private:
    /// What is no path on the disk may be one in a game, as it may for conversions.
    void add_file_of_game(const std::string& path) {
        const Limits& limits = options_->common.limits;
        const FormatInfo* const format = format_of_name(path);
        const Surroundings* const around = format == nullptr ? nullptr : surroundings_.of(*format, ".");
        if (around == nullptr || !around->file) return add_problem_of(path, open(path, limits).error());
        const auto found = around->file(path);
        if (!found) {
            Diagnostic missing = open(path, limits).error();
            missing.message = found.error().message + ", and it is not on the disk either";
            return add_problem_of(path, std::move(missing));
        }
        auto loaded = open_bytes(found->bytes, path, {limits});
        if (!loaded) return add_problem_of(path, std::move(loaded.error()));
        add_checked(path, loaded->value, std::move(loaded->report), {actor_, path, around, limits});
    }

    void add_checked(const std::string& path, const Document& document, Report read, CheckContext context) {
        context.noticed = &read;
        Report checked = document.check(context);
        checked.name_file(path);
        if (read.has_errors() || checked.has_errors()) worst_ = std::max(worst_, exit_code::findings);
        const Severity least = severity_of(options_->least);
        Json suppressed = suppressed_json(read, least);
        suppressed.update(suppressed_json(checked, least));
        files_.push_back({path, std::string(document.format().id), merge(std::move(read), std::move(checked), least),
                          std::move(suppressed)});
    }

    void add_problem_of(const std::string& path, Diagnostic problem) {
        worst_ = std::max(worst_, fail_with(problem));
        files_.push_back({path, "", {std::move(problem)}});
    }

    CheckContext context_of(const std::string& path, const FormatInfo& format) {
        CheckContext context;
        context.model = actor_;
        context.limits = options_->common.limits;
        if (path == "-") return context;
        context.path = path;
        if (actor_ == nullptr && format.traits.goes_with_model) context.model = beside_.model_of(path, format);
        if (const auto root = root_of(format, path)) context.surroundings = surroundings_.of(format, *root);
        return context;
    }

    /// The mods in a folder, or the one that it is a part of, as its files tell.
    using Root = std::pair<std::filesystem::path, const FormatInfo*>;
    std::vector<Root> roots_in(const std::filesystem::path& folder) const {
        std::vector<Root> roots;
        for (const Checked& file : files_) {
            const FormatInfo* format = file.format.empty() ? nullptr : find_format(file.format);
            const auto root = format == nullptr ? std::nullopt : root_of(*format, file.file);
            if (!root || !is_below(file.file, folder)) continue;
            const auto is_root = [&](const Root& known) { return known.first == *root; };
            if (std::none_of(roots.begin(), roots.end(), is_root)) roots.emplace_back(*root, format);
        }
        return roots;
    }

    /// A mod's folder as the user would name it: below the folder that was named, or that folder itself.
    static std::string as_named(const std::filesystem::path& root, const std::string& folder) {
        std::error_code error;
        const std::filesystem::path below = std::filesystem::relative(root, folder, error);
        if (error || below.empty() || below == "." || *below.begin() == "..") return folder;
        return (std::filesystem::path(folder) / below).string();
    }

    Checked& entry_of(const std::string& file) {
        const auto found =
            std::find_if(files_.begin(), files_.end(), [&](const Checked& entry) { return entry.file == file; });
        if (found != files_.end()) return *found;
        files_.push_back({file, "", {}, Json::object(), false});
        return files_.back();
    }

    void add_findings(const std::string& folder, Report report) {
        report.name_file(folder);
        if (report.has_errors()) worst_ = std::max(worst_, exit_code::findings);
        const Severity least = severity_of(options_->least);
        if (Json suppressed = suppressed_json(report, least); !suppressed.empty())
            entry_of(folder).suppressed.update(suppressed);
        for (Diagnostic& finding : report.diagnostics()) {
            if (rank(finding.severity) < rank(least)) continue;
            Checked& entry = entry_of(finding.file);
            entry.findings.push_back(std::move(finding));
        }
    }

    const Document* actor_;
    const CheckArguments* options_;
    ModelBeside beside_{options_->common.limits};
    SurroundingsCache surroundings_;
    std::vector<Checked> files_;
    int worst_ = exit_code::fine;
};

int check_files(const Document* actor, const CheckArguments& options) {
    const auto goes_along = [](const std::string& path) { return is_companion(path); };
    if (std::all_of(options.paths.begin(), options.paths.end(), goes_along))
        return fail_usage("check", "these files only go with others; name a model or a motion too", options.common);
    const InputList inputs = collect_inputs(options.paths);
    Checks checks(actor, options);
    for (const Diagnostic& problem : inputs.problems) checks.add_problem(problem);
    Progress progress("checking", inputs.paths.size(), options.common.quiet);
    for (std::size_t index = 0; index < inputs.paths.size() && !cancelled(); ++index) {
        progress.step(index, inputs.paths[index]);
        if (!is_companion(inputs.paths[index])) checks.add_file(inputs.paths[index]);
    }
    for (const std::string& path : options.paths) {
        std::error_code error;
        if (!cancelled() && std::filesystem::is_directory(path, error)) checks.add_folder(path);
    }
    return checks.finish();
}

/// One file of a run: what is found in it goes to a file of its own.
Result<batch::Outcome> check_job(const batch::Task& task, const Document* actor, const CheckArguments& options) {
    const InputFile& input = task.inputs.front();
    const std::string path = input.path.string();
    const ReadOptions reading{task.options.limits};
    auto loaded = input.bytes ? open_bytes(*input.bytes, path, reading) : open_file(input.path, reading);
    if (!loaded) return fail(std::move(loaded.error()));
    const FormatInfo& format = loaded->value.format();
    CheckContext context;
    context.model = actor;
    context.limits = task.options.limits;
    context.noticed = &loaded->report;
    ModelBeside beside(context.limits);
    std::optional<Loaded<Surroundings>> around;
    if (!input.bytes) {
        context.path = input.path;
        if (actor == nullptr && format.traits.goes_with_model) context.model = beside.model_of(path, format);
    }
    const auto root = root_of(format, input.path);
    if (!input.roots.empty() || root) {
        const auto roots = input.roots.empty() ? std::vector<std::filesystem::path>{*root} : input.roots;
        auto opened = open_surroundings(format, roots, task.options);
        if (!opened) return fail(std::move(opened.error()));
        around = std::move(*opened);
        if (around) context.surroundings = &around->value;
    }
    Report checked = loaded->value.check(context);
    checked.name_file(path);
    const Severity least = severity_of(options.least);
    Json suppressed = suppressed_json(loaded->report, least);
    suppressed.update(suppressed_json(checked, least));
    const Checked file{path, std::string(format.id), merge(std::move(loaded->report), std::move(checked), least),
                       std::move(suppressed)};
    batch::Outcome outcome{{}, {task.output.string()}};
    for (const Diagnostic& finding : file.findings) outcome.report.add(finding);
    const std::string text = pretty(json_document({file}));
    if (auto written = batch::write_output(task, std::as_bytes(std::span(text))); !written)
        return fail(std::move(written.error()));
    return outcome;
}

int check_run(const Document* actor, const CheckArguments& options) {
    batch::Options run;
    run.kind = batch::Kind::files;
    run.convert.values = options.values;
    run.output = options.output;
    run.ending = ".json";
    run.purpose = "\n" + options.least + "\n" + with_content(options.actor);
    run.report = options.report;
    return run_batch("check", options.paths, options.common, options.batch, std::move(run),
                     [&](const batch::Task& task) { return check_job(task, actor, options); });
}

int run_check(const CheckArguments& options) {
    const bool to_folder = !options.output.empty();
    const auto check = to_folder ? check_run : check_files;
    const auto refuse = [&](const std::string& message) {
        return to_folder ? fail_run("check", make_finding(codes::usage_option, {}, message), options.common)
                         : fail_usage("check", message, options.common);
    };
    if (!to_folder && !options.report.empty()) return refuse("--report goes with --output");
    if (const std::string problem = run_only_problem(options.batch); !to_folder && !problem.empty())
        return refuse(problem);
    if (options.actor.empty()) return check(nullptr, options);
    const auto actor = open(options.actor, options.common.limits);
    if (!actor)
        return to_folder ? fail_run("check", actor.error(), options.common) : fail_with(actor.error(), options.common);
    const FormatInfo& format = actor->value.format();
    if (format.role != Role::model)
        return refuse("--actor wants a model; " + options.actor + " is none: " + std::string(format.name));
    return check(&actor->value, options);
}

constexpr const char* check_footer =
    "docs/diagnostics.md explains every code. Exit code 1 if there is a finding of severity error.\n"
    "\n"
    "Examples:\n"
    "  effigy check models\n"
    "  effigy check walk.xsm --actor soldier.xac\n"
    "  effigy check my_mod --game 'X4 Foundations'\n"
    "  effigy check models --severity warning --sarif > findings.sarif\n"
    "  effigy check models -o findings/ --report findings.jsonl";

}  // namespace

void add_check(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_check, "check",
                                          "Find what would break or surprise in a game or a tool.", check_footer);
    verb->add_option("PATH", options->paths, "Files or folders; - is standard input")->required();
    verb->add_option("--actor", options->actor, "The model that motions are meant for: names are compared")
        ->option_text("FILE");
    verb->add_option("--severity", options->least, "Least severity to show: error, warning or info")
        ->check(CLI::IsMember({"error", "warning", "info"}))
        ->capture_default_str()
        ->option_text("LEVEL");
    options->common.add_json(*verb);
    verb->add_flag("--sarif", options->sarif, "Print SARIF 2.1.0, for code-scanning tools")->excludes("--json");
    verb->add_option("-o,--output", options->output,
                     "A run (docs/batch.md): a folder for a JSON file of findings for each file")
        ->option_text("FOLDER/")
        ->excludes("--sarif");
    verb->add_option("--report", options->report, "With --output: write a line of JSON for each file to this file")
        ->option_text("FILE");
    options->batch.add(*verb, false);
    options->common.add_limit(*verb);
    options->common.add_quiet(*verb, "Only the exit code and what cannot be read");
    add_locating_options(*verb, options->values);
}

}  // namespace effigy::app
