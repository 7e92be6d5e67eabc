/// effigy check: what would surprise an engine or a tool.

#include <algorithm>
#include <cctype>
#include <map>

#include "common.hpp"
#include "text.hpp"

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
    std::string format;  ///< empty if the file cannot be read
    std::vector<Diagnostic> findings;
    Json suppressed = Json::object();  ///< {code: findings that are not listed}
};

Severity severity_of(const std::string& name) {
    return name == "error" ? Severity::error : name == "warning" ? Severity::warning : Severity::info;
}

/// Findings of reading come first; the check's own word on the same place adds nothing to them.
std::vector<Diagnostic> merge(Report read, Report checked, Severity least) {
    std::vector<Diagnostic> all = std::move(read.diagnostics());
    const std::size_t read_count = all.size();
    for (Diagnostic& finding : checked.diagnostics()) {
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(read_count);
        const bool known =
            std::any_of(all.begin(), end, [&](const Diagnostic& other) { return other.path == finding.path; });
        if (!known || finding.severity == Severity::error) all.push_back(std::move(finding));
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
             {{"files", files.size()},
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

void print_text(const std::vector<Checked>& files) {
    std::string text;
    for (const Checked& file : files) {
        if (file.format.empty()) continue;  // said on standard error
        for (const Diagnostic& finding : file.findings) text += to_string(finding) + "\n";
        for (const auto& [code, more] : file.suppressed.items()) {
            text += file.file + ": ... and " + more.dump() + " more findings [" + code + "]\n";
        }
    }
    text += counted(files.size(), "file") + ": " + counted(count(files, Severity::error), "error") + ", " +
            counted(count(files, Severity::warning), "warning") + ", " + counted(count(files, Severity::info), "note") +
            "\n";
    print(text);
}

void print_result(const std::vector<Checked>& files, const Options& options) {
    if (options.sarif) {
        print(pretty(sarif_document(files)));
    } else if (options.common.json) {
        print(pretty(json_document(files)));
    } else {
        print_text(files);
    }
}

Checked check_file(const std::string& path, const Document* actor, const Options& options, int& worst) {
    auto loaded = open(path, options.common.limits);
    if (!loaded) {
        worst = std::max(worst, fail_with(loaded.error()));
        return {path, "", {std::move(loaded.error())}};
    }
    Report checked = loaded->value.check(actor);
    checked.name_file(path);
    if (loaded->report.has_errors() || checked.has_errors()) worst = std::max(worst, exit_code::findings);
    const Severity least = severity_of(options.least);
    Json suppressed = suppressed_json(loaded->report, least);
    suppressed.update(suppressed_json(checked, least));
    return {path, std::string(loaded->value.format().id), merge(std::move(loaded->report), std::move(checked), least),
            std::move(suppressed)};
}

int check_files(const Document* actor, const Options& options) {
    const InputList inputs = collect_inputs(options.paths);
    int worst = exit_code::fine;
    std::vector<Checked> files;
    for (const Diagnostic& problem : inputs.problems) {
        worst = std::max(worst, fail_with(problem));
        files.push_back({problem.file, "", {problem}});
    }
    Progress progress("checking", inputs.paths.size(), options.common.quiet);
    for (std::size_t index = 0; index < inputs.paths.size() && !cancelled(); ++index) {
        progress.step(index, inputs.paths[index]);
        if (!is_companion(inputs.paths[index])) files.push_back(check_file(inputs.paths[index], actor, options, worst));
    }
    print_result(files, options);
    return cancelled() ? exit_code::limit : worst;
}

int run(const Options& options) {
    if (options.actor.empty()) return check_files(nullptr, options);
    const auto actor = open(options.actor, options.common.limits);
    if (!actor) return fail_with(actor.error());
    const FormatInfo& format = actor->value.format();
    if (format.role != Role::model)
        return fail_usage("check", "--actor wants a model; " + options.actor + " is an " + std::string(format.name));
    return check_files(&actor->value, options);
}

constexpr const char* footer =
    "docs/diagnostics.md explains every code. Exit code 1 if there is a finding of severity error.\n"
    "\n"
    "Examples:\n"
    "  effigy check models\n"
    "  effigy check walk.xsm --actor soldier.xac\n"
    "  effigy check models --severity warning --sarif > findings.sarif";

}  // namespace

void add_check(CLI::App& program, Verb& chosen) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = add_verb(program, "check", "Find what would break or surprise in a game or a tool.", footer);
    verb->add_option("PATH", options->paths, "Files or folders; - is standard input")->required();
    verb->add_option("--actor", options->actor, "The model that motions are meant for: names are compared")
        ->option_text("FILE");
    verb->add_option("--severity", options->least, "Least severity to show: error, warning or info")
        ->check(CLI::IsMember({"error", "warning", "info"}))
        ->capture_default_str()
        ->option_text("LEVEL");
    options->common.add_json(*verb);
    verb->add_flag("--sarif", options->sarif, "Print SARIF 2.1.0, for code-scanning tools")->excludes("--json");
    options->common.add_limit(*verb);
    options->common.add_quiet(*verb);
    verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace effigy::app
