/// effigy check: what would surprise an engine or a tool.

#include <algorithm>
#include <map>
#include <optional>

#include "common.hpp"

namespace effigy::app {

namespace {

struct Options {
    CommonOptions common;
    std::vector<std::string> paths;
    std::string actor;
    std::string least = "info";
    bool sarif = false;
};

struct Checked {
    std::string file;
    std::string format;
    std::vector<Diagnostic> findings;
};

int rank(Severity severity) { return severity == Severity::error ? 2 : severity == Severity::warning ? 1 : 0; }

int least_rank(const std::string& name) { return name == "error" ? 2 : name == "warning" ? 1 : 0; }

/// Findings of reading come first; the check's own word on the same place adds nothing to them.
std::vector<Diagnostic> merge(Report read, Report checked, int least) {
    std::vector<Diagnostic> all = std::move(read.diagnostics());
    const std::size_t read_count = all.size();
    for (Diagnostic& finding : checked.diagnostics()) {
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(read_count);
        const bool known = std::any_of(all.begin(), end, [&](const Diagnostic& other) { return other.path == finding.path; });
        if (!known || finding.severity == Severity::error) all.push_back(std::move(finding));
    }
    std::erase_if(all, [&](const Diagnostic& finding) { return rank(finding.severity) < least; });
    return all;
}

std::size_t count(const std::vector<Checked>& files, Severity severity) {
    std::size_t total = 0;
    for (const Checked& file : files) {
        total += static_cast<std::size_t>(std::count_if(file.findings.begin(), file.findings.end(),
                                                        [&](const Diagnostic& finding) { return finding.severity == severity; }));
    }
    return total;
}

Json json_document(const std::vector<Checked>& files) {
    Json list = Json::array();
    for (const Checked& file : files) {
        Json findings = Json::array();
        for (const Diagnostic& finding : file.findings) findings.push_back(to_json(finding));
        list.push_back({{"file", file.file}, {"format", file.format}, {"findings", std::move(findings)}});
    }
    return {{"effigy_check", 1},
            {"files", std::move(list)},
            {"counts",
             {{"files", files.size()},
              {"errors", count(files, Severity::error)},
              {"warnings", count(files, Severity::warning)},
              {"infos", count(files, Severity::info)}}}};
}

const char* sarif_level(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

Json sarif_result(const Diagnostic& finding) {
    Json location{{"physicalLocation", {{"artifactLocation", {{"uri", finding.file}}}}}};
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
    for (const auto& [code, message] : codes) rules.push_back({{"id", code}, {"shortDescription", {{"text", message}}}});
    Json driver{{"name", "effigy"}, {"version", EFFIGY_VERSION}, {"rules", std::move(rules)}};
    Json run{{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
}

void print_text(const std::vector<Checked>& files) {
    std::string text;
    for (const Checked& file : files) {
        for (const Diagnostic& finding : file.findings) text += to_string(finding) + "\n";
    }
    text += std::to_string(files.size()) + (files.size() == 1 ? " file: " : " files: ") + std::to_string(count(files, Severity::error)) +
            " errors, " + std::to_string(count(files, Severity::warning)) + " warnings, " + std::to_string(count(files, Severity::info)) +
            " notes\n";
    print(text);
}

int run(const Options& options) {
    std::optional<Loaded<Document>> actor;
    if (!options.actor.empty()) {
        auto loaded = open(options.actor, options.common.limits);
        if (!loaded) {
            print_error(to_string(loaded.error()));
            return exit_code_of(loaded.error());
        }
        if (loaded->value.format().role != Role::model) {
            print_error(options.actor + ": error: --actor wants a model, this is: " + std::string(loaded->value.format().name));
            return exit_code::usage;
        }
        actor = std::move(*loaded);
    }
    const Result<std::vector<Input>> inputs = collect_inputs(options.paths);
    if (!inputs) {
        print_error(to_string(inputs.error()));
        return exit_code_of(inputs.error());
    }
    int worst = exit_code::fine;
    std::vector<Checked> files;
    Progress progress("checking", inputs->size(), options.common.quiet);
    for (std::size_t index = 0; index < inputs->size() && !cancelled(); ++index) {
        const Input& input = (*inputs)[index];
        progress.step(index, input.path);
        if ((!input.named && !is_readable_format(input.path)) || is_companion(input.path)) continue;
        auto loaded = open(input.path, options.common.limits);
        if (!loaded) {
            print_error(to_string(loaded.error()));
            worst = std::max(worst, exit_code_of(loaded.error()));
            continue;
        }
        Report checked = loaded->value.check(actor ? &actor->value : nullptr);
        checked.name_file(input.path);
        if (loaded->report.has_errors() || checked.has_errors()) worst = std::max(worst, exit_code::findings);
        files.push_back({input.path, std::string(loaded->value.format().id),
                         merge(std::move(loaded->report), std::move(checked), least_rank(options.least))});
    }
    if (options.sarif) {
        print(sarif_document(files).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else if (options.common.json) {
        print(json_document(files).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
        print_text(files);
    }
    return cancelled() ? exit_code::limit : worst;
}

}  // namespace

void add_check(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = program.add_subcommand("check", "Find what would break or surprise in a game or a tool");
    verb->add_option("PATH", options->paths, "Files or folders; - is standard input")->required();
    verb->add_option("--actor", options->actor, "The model that motions are meant for: names are compared");
    verb->add_option("--severity", options->least, "Least severity to show")
        ->check(CLI::IsMember({"error", "warning", "info"}))
        ->capture_default_str();
    options->common.add_to(*verb);
    verb->add_flag("--sarif", options->sarif, "Print SARIF 2.1.0")->excludes(verb->get_option("--json"));
    verb->footer("docs/diagnostics.md explains every code. Exit code 1 if there is a finding of severity error.\n"
                 "Example: effigy check walk.xsm --actor soldier.xac");
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
