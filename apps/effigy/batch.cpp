#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sys/ioctl.h>
#include <unistd.h>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

using Clock = std::chrono::steady_clock;

std::optional<batch::Shard> parse_shard(std::string_view text) {
    batch::Shard shard;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto number = [](std::string_view digits, std::uint32_t& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    constexpr std::uint32_t most = 1'000'000;
    if (!number(text.substr(0, slash), shard.number) || !number(text.substr(slash + 1), shard.count) ||
        shard.number < 1 || shard.number > shard.count || shard.count > most)
        return std::nullopt;
    return shard;
}

/// "3 min 20 s"
std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

/// Of the terminal, which may change its size at any time.
std::size_t terminal_columns() {
    struct winsize size {};
    constexpr std::size_t usual = 80;
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

Json codes_json(const std::map<std::string, batch::CodeCount>& codes) {
    Json json = Json::object();
    for (const auto& [code, count] : codes) json[code] = {to_string(count.severity), count.findings};
    return json;
}

/// Where a run stands: a bar on a terminal, a line for each job elsewhere, or events for programs.
class RunDisplay {
public:
    explicit RunDisplay(const CommonOptions& common)
        : common_(common), has_bar_(!common.quiet && ::isatty(STDERR_FILENO) != 0), start_(Clock::now()) {}

    void show(const batch::Event& event) {
        if (common_.json) return print_event(event);
        if (common_.quiet) return;
        if (is_told(event)) tell(event);
        if (has_bar_) draw(event);
    }

    void clear() {
        if (is_shown_) std::fputs("\r\x1b[K", stderr);
        is_shown_ = false;
    }

    /// Nobody reads the events any more.
    [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    static std::string counter(const batch::Totals& totals) {
        return std::to_string(totals.jobs_ended) + "/" + std::to_string(totals.jobs);
    }

    void print_event(const batch::Event& event) {
        Json json{{"event", event.begins ? "begin" : "end"}, {"file", event.name}};
        if (!event.begins) {
            json["status"] = to_string(event.status);
            json["outputs"] = event.outputs;
            json["codes"] = codes_json(event.codes);
            json["jobs_ended"] = event.totals.jobs_ended;
            json["bytes_ended"] = event.totals.bytes_ended;
        }
        if (!try_print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n")) is_closed_ = true;
    }

    /// Above the bar only what is to be read.
    [[nodiscard]] bool is_told(const batch::Event& event) const {
        if (event.begins || event.status == batch::Status::unchanged) return false;
        return !has_bar_ || event.status == batch::Status::failed || (common_.verbose && !event.codes.empty());
    }

    void tell(const batch::Event& event) {
        clear();
        print_error(counter(event.totals) + ": " + std::string(to_string(event.status)) + " " + event.name);
        if (event.report == nullptr) return;
        for (const Diagnostic& finding : event.report->diagnostics()) {
            if (finding.severity == Severity::error || common_.verbose) print_error("  " + to_string(finding));
        }
        if (!common_.verbose) return;
        for (const auto& [code, count] : event.report->suppressed())
            print_error("  ... and " + std::to_string(count) + " more findings [" + code + "]");
    }

    void draw(const batch::Event& event) {
        const double now = seconds();
        if (now - last_ < 0.1) return;
        last_ = now;
        const batch::Totals& totals = event.totals;
        constexpr std::size_t width = 20;
        const double share =
            totals.bytes == 0 ? 0 : static_cast<double>(totals.bytes_ended) / static_cast<double>(totals.bytes);
        const auto full = std::min(width, static_cast<std::size_t>(share * width));
        std::string line = "[" + std::string(full, '#') + std::string(width - full, '.') + "] " + counter(totals) +
                           ", " + size_text(totals.bytes_ended) + " of " + size_text(totals.bytes);
        if (totals.bytes_made != 0 && now > 1) {
            const double rate = static_cast<double>(totals.bytes_made) / now;
            line += ", " + size_text(static_cast<std::uint64_t>(rate)) + "/s, " +
                    duration_text(static_cast<double>(totals.bytes - totals.bytes_ended) / rate) + " left";
        }
        if (totals.failed != 0) line += ", " + std::to_string(totals.failed) + " failed";
        line += ": " + on_one_line(event.name);
        std::fprintf(stderr, "\r\x1b[K%s", fitting(line, terminal_columns() - 1).c_str());
        std::fflush(stderr);
        is_shown_ = true;
    }

    const CommonOptions& common_;
    const bool has_bar_;
    bool is_shown_ = false;
    std::atomic<bool> is_closed_ = false;
    Clock::time_point start_;
    double last_ = 0;
};

/// "3 done, 1 with warnings, 1 failed, 5 unchanged"
std::string totals_text(const batch::Totals& totals) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count != 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(totals.done, "done");
    add(totals.warned, "with warnings");
    add(totals.failed, "failed");
    add(totals.unchanged, "unchanged");
    return text.empty() ? "nothing done" : text;
}

void print_codes(const std::map<std::string, batch::CodeCount>& codes) {
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
        for (const auto& [code, count] : codes) {
            if (count.severity == severity)
                print(std::string(to_string(severity)) + ": " + counted(count.findings, "time") + " in " +
                      counted(count.jobs, "file") + " [" + code + "]\n");
        }
    }
}

/// "a.glb, ..."
std::string first_of(const std::vector<std::string>& names) {
    return on_one_line(names.front()) + (names.size() > 1 ? ", ..." : "");
}

}  // namespace

std::string with_content(const std::string& text) {
    std::error_code error;
    if (text.empty() || !std::filesystem::exists(text, error)) return text;
    const std::string path = std::filesystem::absolute(text, error).lexically_normal().string();
    return path + (std::filesystem::is_regular_file(path, error) ? " " + content_hash(path).value_or("") : "");
}

void BatchArguments::add(CLI::App& verb, bool pairs) {
    constexpr const char* group = "Whole folders";
    verb.add_option("-j,--jobs", jobs, "How many files are worked on at once (default: one for each core)")
        ->check([](const std::string& text) {
            unsigned number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool fits = error == std::errc() && *end == '\0' && number >= 1 && number <= 1024;
            return fits ? "" : "a number between 1 and 1024 is needed";
        })
        ->option_text("N")
        ->group(group);
    if (pairs)
        verb.add_option("--pair", pairing,
                        "Motions that become animations of a model: those that fit, those in its folder, or none")
            ->check(CLI::IsMember({"fit", "folder", "none"}))
            ->capture_default_str()
            ->option_text("HOW")
            ->group(group);
    verb.add_option("--shard", shard, "Only this share of the work, e.g. 3/8: what one machine of eight does")
        ->check([](const std::string& text) {
            return parse_shard(text) ? "" : "a share such as 3/8 is needed: the third of eight";
        })
        ->option_text("I/N")
        ->group(group);
    verb.add_flag("--fail-fast", fail_fast, "Stop at the first file that fails")->group(group);
    verb.add_flag("--prune", prune, "Remove outputs of earlier runs whose inputs are gone")->group(group);
    if (!pairs)
        verb.add_flag("--overwrite", overwrite,
                      "Replace files that no run has made, or that somebody has changed since")
            ->group(group);
}

bool stands_for_many(const std::string& input) {
    std::error_code error;
    if (input == "-" || input.empty()) return false;
    if (std::filesystem::exists(input, error)) {
        if (std::filesystem::is_directory(input, error)) return true;
        const FormatInfo* format = find_format(std::filesystem::path(input).extension().string());
        return format != nullptr && format->role == Role::archive;
    }
    return input.front() == '@' || input.find_first_of("*?") != std::string::npos;
}

std::string run_only_problem(const BatchArguments& arguments) {
    const char* const given = !arguments.shard.empty() ? "--shard"
                              : arguments.prune        ? "--prune"
                              : arguments.fail_fast    ? "--fail-fast"
                              : arguments.overwrite    ? "--overwrite"
                                                       : nullptr;
    if (given == nullptr) return {};
    return std::string(given) + " is for whole folders: the output has to be a folder, -o out/";
}

bool is_run(const std::vector<std::string>& inputs, const std::string& output) {
    std::error_code error;
    if (output.empty() || output == "-") return false;
    if (output.ends_with('/') || std::filesystem::is_directory(output, error)) return true;
    return std::filesystem::path(output).extension().empty() &&
           std::any_of(inputs.begin(), inputs.end(), stands_for_many);
}

Json summary_json(const batch::Summary& summary) {
    const batch::Totals& totals = summary.totals;
    return {{"jobs", totals.jobs},           {"done", totals.done},
            {"warned", totals.warned},       {"failed", totals.failed},
            {"unchanged", totals.unchanged}, {"not_done", totals.jobs - totals.jobs_ended},
            {"bytes", totals.bytes},         {"codes", codes_json(summary.codes)},
            {"vanished", summary.vanished},  {"pruned", summary.pruned},
            {"repeated", summary.repeated},  {"torn", summary.torn}};
}

int fail_run(const char* verb, const Diagnostic& failure, const CommonOptions& common) {
    const Json json{{"event", "error"}, {"error", to_json(failure)}};
    if (common.json) print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    const bool is_usage = codes::is_usage(failure.code) && failure.file.empty();
    return is_usage ? fail_usage(verb, failure.message) : fail_with(failure);
}

void print_summary(const batch::Summary& summary, const CommonOptions& common, bool prunes) {
    if (common.json) {
        Json json{{"event", "summary"}};
        json.update(summary_json(summary));
        return print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (common.quiet) return;
    print_codes(summary.codes);
    print(counted(summary.totals.jobs, "file") + ": " + totals_text(summary.totals) + "\n");
    if (!summary.vanished.empty()) {
        std::string text = counted(summary.vanished.size(), "output") + " of earlier runs " +
                           (summary.vanished.size() == 1 ? "has" : "have") + " no input any more";
        if (!prunes) text += "; --prune removes what nobody has changed since: " + first_of(summary.vanished);
        std::vector<std::string> kept;
        std::set_difference(summary.vanished.begin(), summary.vanished.end(), summary.pruned.begin(),
                            summary.pruned.end(), std::back_inserter(kept));
        if (!summary.pruned.empty())
            text += "; " + std::to_string(summary.pruned.size()) + " removed: " + first_of(summary.pruned);
        if (prunes && !kept.empty())
            text += "; " + std::to_string(kept.size()) + " changed since, which stays: " + first_of(kept);
        print(text + "\n");
    }
    if (summary.cancelled)
        print(std::to_string(summary.totals.jobs - summary.totals.jobs_ended) +
              " not done; the same command goes on where this one ended\n");
}

int run_batch(const char* verb, const std::vector<std::string>& inputs, const CommonOptions& common,
              const BatchArguments& arguments, batch::Options options, const batch::Work& work) {
    options.pairing = arguments.pairing == "fit"      ? batch::Pairing::fit
                      : arguments.pairing == "folder" ? batch::Pairing::folder
                                                      : batch::Pairing::none;
    if (const auto shard = parse_shard(arguments.shard)) options.shard = *shard;
    options.threads = arguments.jobs;
    options.fail_fast = arguments.fail_fast;
    options.prune = arguments.prune;
    options.overwrite = arguments.overwrite || options.convert.values.flag("overwrite");
    options.memory = common.limits.memory;
    options.convert.pass_over_switches = true;
    options.convert.limits = {};
    options.convert.shared = make_shared_lookups(common.limits);
    options.purpose = std::string(verb) + " " EFFIGY_VERSION " " + options.ending + options.purpose;
    for (const auto& [name, texts] : options.convert.values.all()) {
        if (name == "overwrite") continue;  // the outputs are the same
        for (const std::string& text : texts) options.purpose += "\n" + name + "=" + with_content(text);
    }
    RunDisplay display(common);
    options.event = [&](const batch::Event& event) { display.show(event); };
    options.cancelled = [&] { return cancelled() || display.is_closed(); };
    // A report of an earlier run may be there, and scripts would take it for this one's.
    const auto nothing_done = [&](int failure) {
        if (!options.report.empty()) print_error("no report is written, as nothing was worked on");
        return failure;
    };
    const auto plan = batch::make_plan(inputs, options);
    if (!plan) return nothing_done(fail_run(verb, plan.error(), common));
    int code = exit_code::fine;
    const bool is_empty = plan->jobs.empty();
    for (const Diagnostic& problem : plan->problems)
        code = std::max(code, is_empty ? fail_run(verb, problem, common) : fail_with(problem));
    Report left;
    for (const std::uint32_t place : plan->left) left.add(batch::left_finding(*plan, plan->files[place]));
    if (is_empty || !common.verbose) print_report(left, common);  // else the run lists each
    if (is_empty && code != exit_code::fine) return nothing_done(code);
    if (is_empty) {
        const Diagnostic none =
            make_finding(codes::input_none, inputs.front(), "there is nothing in the inputs that can be worked on");
        return nothing_done(fail_run(verb, none, common));
    }
    const Json planned{
        {"event", "plan"}, {"jobs", plan->jobs.size() + plan->left.size()}, {"files", plan->files.size()}};
    if (common.json && !try_print(planned.dump() + "\n")) return exit_code::limit;
    const auto summary = batch::run(*plan, options, work);
    display.clear();
    if (!summary) {
        code = std::max(code, fail_run(verb, summary.error(), common));
        return codes::is_usage(summary.error().code) ? nothing_done(code) : code;
    }
    if (display.is_closed()) return exit_code::limit;
    print_summary(*summary, common, arguments.prune);
    if (arguments.prune && summary->is_unsure) print_error("nothing was pruned: not all inputs could be looked into");
    if (cancelled()) return exit_code::limit;
    return std::max(code, summary->totals.has_errors ? exit_code::findings : exit_code::fine);
}

// --- effigy report ---

namespace {

struct ReportArguments {
    CommonOptions common;
    std::string action, output;
    std::vector<std::string> reports;
};

constexpr const char* report_footer =
    "What stands in several reports counts as in the last one. Exit code 1 if a file has failed.\n"
    "\n"
    "Examples:\n"
    "  effigy report merge shard1.jsonl shard2.jsonl -o all.jsonl";

int run_report(const ReportArguments& options) {
    const std::vector<std::filesystem::path> reports(options.reports.begin(), options.reports.end());
    const auto summary = batch::merge_reports(reports, options.output);
    if (!summary) return fail_with(summary.error(), options.common);
    if (summary->repeated != 0 && !options.common.quiet)
        print_error(counted(summary->repeated, "line") +
                    " passed over: later ones are about a file of the same name; of different files, merge the reports "
                    "apart");
    if (summary->torn != 0 && !options.common.quiet)
        print_error(
            "warning: " + counted(summary->torn, "last line") +
            " cut off and passed over, as where a run was killed: the same command as then goes on, and makes a "
            "whole report");
    print_summary(*summary, options.common, false);
    return summary->totals.has_errors ? exit_code::findings : exit_code::fine;
}

}  // namespace

void add_report(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_report, "report", "Join the reports of several shards.", report_footer);
    verb->add_option("ACTION", options->action, "merge: one report of all, sorted by name")
        ->required()
        ->check(CLI::IsMember({"merge"}));
    verb->add_option("REPORT", options->reports, "What --report has written in runs over folders")->required();
    verb->add_option("-o,--output", options->output, "The file to write; without it only the summary is shown")
        ->option_text("FILE");
    options->common.add_json(*verb);
    options->common.add_quiet(*verb);
}

}  // namespace effigy::app
