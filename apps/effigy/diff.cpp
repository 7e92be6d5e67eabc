/// effigy diff: what two files mean differently.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "effigy/convert.hpp"
#include "effigy/diff_codes.hpp"

#include "common.hpp"
#include "declared_options.hpp"
#include "findings.hpp"
#include "scene_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct DiffInput {
    CommonOptions common;
    OptionValues values;
    DiffOptions options;
};

/// What came of a pair.
struct PairOutcome {
    std::string a, b;  ///< as the user named them; empty: there is no such file in that folder
    FileDifference difference;
    std::vector<Diagnostic> damage;  ///< what was noticed while the files were read
    int code = exit_code::fine;
};

struct DiffArguments {
    DiffInput input;
    std::string a, b;
    std::vector<std::string> tolerances;
};

constexpr std::array<std::pair<std::string_view, double DiffTolerances::*>, 9> tolerance_names{{
    {"position", &DiffTolerances::position},
    {"normal", &DiffTolerances::normal},
    {"texcoord", &DiffTolerances::texcoord},
    {"color", &DiffTolerances::color},
    {"weight", &DiffTolerances::weight},
    {"rotation", &DiffTolerances::rotation},
    {"scale", &DiffTolerances::scale},
    {"time", &DiffTolerances::time},
    {"number", &DiffTolerances::number},
}};

bool parse_amount(const std::string& text, double& amount) {
    return CLI::detail::lexical_cast(text, amount) && std::isfinite(amount) && amount >= 0 && amount <= 1e6;
}

/// "exact", "2" (times the defaults) or "position=1e-4". False if it is none of these.
bool apply(const std::string& text, DiffTolerances& tolerances) {
    const std::size_t sign = text.find('=');
    double amount = 0;
    if (sign == std::string::npos) {
        if (text != "exact" && !parse_amount(text, amount)) return false;
        for (const auto& [name, member] : tolerance_names) tolerances.*member *= amount;
        return true;
    }
    if (!parse_amount(text.substr(sign + 1), amount)) return false;
    for (const auto& [name, member] : tolerance_names) {
        if (name != std::string_view(text).substr(0, sign)) continue;
        tolerances.*member = amount;
        return true;
    }
    return false;
}

std::string tolerance_problem(const std::string& text) {
    DiffTolerances tolerances;
    if (apply(text, tolerances)) return "";
    return "exact, a factor, or NAME=NUMBER is needed, NAME being one of " +
           joined(tolerance_names, ", ", [](const auto& each) { return each.first; });
}

std::string kind_problem(const std::string& text) {
    const auto kinds = diff_kinds();
    if (std::find(kinds.begin(), kinds.end(), text) != kinds.end()) return "";
    return "there is no kind of difference called " + text + "; the kinds are " + joined(kinds);
}

bool is_folder(const std::string& path) {
    std::error_code error;
    return path != "-" && std::filesystem::is_directory(path, error);
}

std::string usage_problem(const DiffArguments& options) {
    if (options.a == "-" && options.b == "-") return "standard input can be read only once";
    for (const std::string& path : {options.a, options.b}) {
        std::error_code error;
        if (path != "-" && !std::filesystem::exists(path, error) && is_folder(options.a) != is_folder(options.b))
            return "there is no file or folder " + path;
    }
    if (is_folder(options.a) != is_folder(options.b))
        return "a folder and a file cannot be compared: name two files or two folders";
    for (const std::string& folder : options.input.values.list("textures")) {
        if (!is_folder(folder)) return "--textures wants a folder; there is none called " + folder;
    }
    return {};
}

PairOutcome compare_files(const std::string& a, const std::string& b, const DiffInput& input) {
    PairOutcome outcome;
    outcome.a = a;
    outcome.b = b;
    Report noticed;
    ConvertOptions options;
    options.values = input.values;
    options.limits = input.common.limits;
    options.report_of_failure = &noticed;
    const auto fail_pair = [&](Diagnostic failure) {
        outcome.damage = std::move(noticed.diagnostics());
        outcome.code = exit_code_of(failure);
        outcome.damage.push_back(std::move(failure));
        return outcome;
    };
    const auto files = input_files({a, b}, input.common.limits);
    if (!files) return fail_pair(files.error());
    auto difference = diff_files((*files)[0], (*files)[1], input.options, options);
    if (!difference) return fail_pair(std::move(difference.error()));
    outcome.difference = std::move(*difference);
    outcome.damage = outcome.difference.damage;
    if (outcome.difference.is_damaged || outcome.difference.report.count(Severity::warning) != 0)
        outcome.code = exit_code::findings;
    return outcome;
}

PairOutcome only_in(const std::string& path, bool in_a) {
    PairOutcome outcome;
    (in_a ? outcome.a : outcome.b) = path;
    outcome.difference.report.add(make_finding(
        codes::diff_file, {}, std::string("only the ") + (in_a ? "first" : "second") + " folder has this file",
        in_a ? "nothing" : "a file", in_a ? "a file" : "nothing"));
    outcome.code = exit_code::findings;
    return outcome;
}

/// The files of known formats in both folders, by their names in them.
std::vector<PairOutcome> compare_folders(const DiffArguments& options) {
    std::map<std::string, std::pair<std::string, std::string>> pairs;
    const auto list = [&](const std::string& folder, std::string std::pair<std::string, std::string>::*side) {
        for (const std::string& path : collect_inputs({folder}).paths)
            pairs[std::filesystem::path(path).lexically_relative(folder).generic_string()].*side = path;
    };
    list(options.a, &std::pair<std::string, std::string>::first);
    list(options.b, &std::pair<std::string, std::string>::second);
    std::vector<PairOutcome> outcomes;
    Progress progress("comparing", pairs.size(), options.input.common.quiet);
    for (const auto& [name, files] : pairs) {
        progress.step(outcomes.size(), name);
        if (cancelled()) break;
        const auto& [a, b] = files;
        outcomes.push_back(a.empty() || b.empty() ? only_in(a.empty() ? b : a, b.empty())
                                                  : compare_files(a, b, options.input));
    }
    return outcomes;
}

/// Differences and how many more of them are not listed.
std::size_t count_differences(const Report& report) { return report.count(Severity::warning); }

void print_differences(const Report& report) {
    std::string object = "\n";  // none is called so
    for (const Diagnostic& finding : report.diagnostics()) {
        if (finding.severity != Severity::warning) continue;
        const std::size_t end = std::min(finding.path.find(" / "), finding.path.size());
        if (finding.path.substr(0, end) != object) {
            object = finding.path.substr(0, end);
            print((object.empty() ? "the file" : object) + "\n");
        }
        std::string line = "  ";
        if (end < finding.path.size()) line += finding.path.substr(end + 3) + ": ";
        line += finding.message;
        if (!finding.expected.empty() || !finding.found.empty())
            line += ": " + finding.expected + " -> " + finding.found;
        print(line + " [" + finding.code + "]\n");
    }
    for (const auto& [code, count] : report.suppressed())
        print("  and " + std::to_string(count) + " more [" + code + "]\n");
}

void print_outcome(const PairOutcome& outcome, const CommonOptions& common) {
    Report damage;
    for (const Diagnostic& finding : outcome.damage) damage.add(finding);
    print_report(damage, common);
    const bool was_compared = outcome.a.empty() || outcome.b.empty() || !outcome.difference.format_b.empty();
    const bool failed = outcome.code > exit_code::findings || !was_compared;
    if (common.quiet || failed) return;
    print_differences(outcome.difference.report);
    for (const Diagnostic& finding : outcome.difference.report.diagnostics()) {
        if (finding.severity == Severity::info) print_error(to_string(finding));
    }
    const std::string names = outcome.a.empty()   ? outcome.b
                              : outcome.b.empty() ? outcome.a
                                                  : outcome.a + " and " + outcome.b;
    const std::size_t count = count_differences(outcome.difference.report);
    print(names + ": " +
          (outcome.difference.identical && count == 0 ? "the files are identical"
           : count == 0                               ? "no difference in meaning"
                                                      : counted(count, "difference")) +
          "\n");
}

Json pair_json(const PairOutcome& outcome) {
    const auto side = [](const std::string& path, const std::string& format) {
        return path.empty() ? Json() : Json{{"file", path}, {"format", format.empty() ? Json() : Json(format)}};
    };
    Json differences = Json::array(), notes = Json::array();
    for (const Diagnostic& finding : outcome.damage) notes.push_back(to_json(finding));
    for (const Diagnostic& finding : outcome.difference.report.diagnostics())
        (finding.severity == Severity::warning ? differences : notes).push_back(to_json(finding));
    return {{"a", side(outcome.a, outcome.difference.format_a)},
            {"b", side(outcome.b, outcome.difference.format_b)},
            {"identical", outcome.difference.identical},
            {"differences", std::move(differences)},
            {"suppressed", suppressed_json(outcome.difference.report)},
            {"notes", std::move(notes)}};
}

int run_diff(DiffArguments& options) {
    if (const std::string problem = usage_problem(options); !problem.empty())
        return fail_usage("diff", problem, options.input.common);
    DiffInput& input = options.input;
    for (const std::string& text : options.tolerances) static_cast<void>(apply(text, input.options.tolerances));
    input.options.images = input.values.has("textures");
    input.options.limits = input.common.limits;
    const std::vector<PairOutcome> outcomes =
        is_folder(options.a) ? compare_folders(options) : std::vector{compare_files(options.a, options.b, input)};
    int code = cancelled() ? exit_code::limit : exit_code::fine;
    Json pairs = Json::array();
    for (const PairOutcome& outcome : outcomes) {
        code = std::max(code, outcome.code);
        if (input.common.json) {
            pairs.push_back(pair_json(outcome));
        } else {
            print_outcome(outcome, input.common);
        }
    }
    if (input.common.json) print(pretty({{"effigy_diff", 1}, {"pairs", std::move(pairs)}}));
    return code;
}

constexpr const char* diff_footer =
    "What is compared is what the files mean: the order of vertices, triangles, nodes and influences,\n"
    "packing and padding are no difference. Numbers are the same if they lie within one step of the\n"
    "coarsest packing that a format has for them; --tolerance exact wants them equal. Files of different\n"
    "families, and glTF, are compared as the scenes that they make. Of two folders, files of one name\n"
    "are compared. The exit code is 1 if anything differs.\n"
    "\n"
    "Examples:\n"
    "  effigy diff soldier.xac body.xac\n"
    "  effigy diff walk.xsm walk.xsm --tolerance exact --tolerance time=0.001\n"
    "  effigy diff models models --ignore extras --json";

}  // namespace

void add_diff(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_diff, "diff",
                                          "Show what two files mean differently, whatever their bytes.", diff_footer);
    DiffInput& input = options->input;
    verb->add_option("A", options->a, "A file or a folder; - is standard input")->required();
    verb->add_option("B", options->b, "What it is compared with")->required();
    verb->add_option(
            "--tolerance", options->tolerances,
            "How far numbers may lie apart: exact; a factor for all defaults (2); or one of them as NAME=NUMBER "
            "(position=1e-4, a part of the model's size); may be repeated")
        ->allow_extra_args(false)
        ->check(tolerance_problem)
        ->option_text("HOW");
    verb->add_option("--ignore", input.options.ignore,
                     "A kind of difference that does not count, as it stands in its code behind diff- (extras, name, "
                     "normal ...); may be repeated")
        ->allow_extra_args(false)
        ->check(kind_problem, word_list(joined(diff_kinds(), ",")))
        ->option_text("KIND");
    verb->add_option_function<std::vector<std::string>>(
            "--textures",
            [&input](const std::vector<std::string>& folders) {
                for (const std::string& folder : folders) input.values.add("textures", folder);
            },
            "Compare pictures too, and search this folder for textures; may be repeated")
        ->allow_extra_args(false)
        ->option_text("DIR");
    input.common.add(*verb);
    add_declared_options(*verb, input.values, [](const DeclaredOption& option) {
        return option.declaration.locates || option.declaration.name == "encoding";
    });
}

}  // namespace effigy::app
