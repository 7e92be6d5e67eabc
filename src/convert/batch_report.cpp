#include "convert/batch_report.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/program_codes.hpp"

#include "core/guard.hpp"
#include "core/json.hpp"
#include "core/output.hpp"
#include "core/problem.hpp"

namespace effigy::batch {
namespace {

constexpr std::array<std::string_view, 4> statuses{"done", "warned", "failed", "unchanged"};

Severity severity_of(const std::string& name) {
    return name == "error" ? Severity::error : name == "warning" ? Severity::warning : Severity::info;
}

Json finding_json(const Diagnostic& finding) {
    Json json{{"code", finding.code}, {"severity", to_string(finding.severity)}, {"message", finding.message}};
    if (!finding.file.empty()) json["file"] = json_text(finding.file);
    if (!finding.path.empty()) json["path"] = json_text(finding.path);
    if (finding.offset != no_offset) json["offset"] = finding.offset;
    if (finding.length != 0) json["length"] = finding.length;
    if (!finding.found.empty()) json["found"] = json_text(finding.found);
    if (!finding.expected.empty()) json["expected"] = json_text(finding.expected);
    return json;
}

Json texts_json(const std::vector<std::string>& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) list.push_back(json_text(text));
    return list;
}

/// A line of a report, as far as it counts.
struct Line {
    std::string name, text;
    std::size_t number = 0;
};

void count_line(const Json& json, Summary& summary) {
    const std::string status = json.at("status").get<std::string>();
    const auto codes = codes_from(json.at("codes"));
    Totals& totals = summary.totals;
    ++totals.jobs;
    ++totals.jobs_ended;
    totals.bytes += json.at("bytes").get<std::uint64_t>();
    totals.done += status == "done";
    totals.warned += status == "warned";
    totals.failed += status == "failed";
    totals.unchanged += status == "unchanged";
    totals.has_errors = totals.has_errors || status_of(codes) == Status::failed;
    add_codes(codes, summary.codes);
}

}  // namespace

std::string_view to_string(Status status) noexcept { return statuses[static_cast<std::size_t>(status)]; }

std::map<std::string, CodeCount> count_codes(const Report& report) {
    std::map<std::string, CodeCount> codes;
    for (const Diagnostic& finding : report.diagnostics()) {
        CodeCount& count = codes.try_emplace(finding.code, CodeCount{finding.severity, 0, 1}).first->second;
        count.severity = std::min(count.severity, finding.severity);  // errors come first
        ++count.findings;
    }
    for (const auto& [code, more] : report.suppressed()) codes[code].findings += more;
    return codes;
}

void add_codes(const std::map<std::string, CodeCount>& of_job, std::map<std::string, CodeCount>& all) {
    for (const auto& [code, count] : of_job) {
        CodeCount& sum = all.try_emplace(code, CodeCount{count.severity, 0, 0}).first->second;
        sum.severity = std::min(sum.severity, count.severity);
        sum.findings += count.findings;
        sum.jobs += count.jobs;
    }
}

Status status_of(const std::map<std::string, CodeCount>& codes) noexcept {
    Severity worst = Severity::info;
    for (const auto& [code, count] : codes) worst = std::min(worst, count.severity);
    return worst == Severity::error ? Status::failed : worst == Severity::warning ? Status::warned : Status::done;
}

Json codes_json(const std::map<std::string, CodeCount>& codes) {
    Json json = Json::object();
    for (const auto& [code, count] : codes) json[code] = {to_string(count.severity), count.findings};
    return json;
}

std::map<std::string, CodeCount> codes_from(const Json& json) {
    std::map<std::string, CodeCount> codes;
    for (const auto& [code, count] : json.items())
        codes[code] = {severity_of(count.at(0).get<std::string>()), count.at(1).get<std::uint64_t>(), 1};
    return codes;
}

std::string report_line(const Event& event, std::uint64_t bytes, const std::vector<std::string>& inputs) {
    Json json{
        {"file", json_text(event.name)}, {"status", to_string(event.status)},    {"bytes", bytes},
        {"inputs", texts_json(inputs)},  {"outputs", texts_json(event.outputs)}, {"codes", codes_json(event.codes)}};
    if (event.report == nullptr) return to_text(json);
    Json findings = Json::array();
    for (const Diagnostic& finding : event.report->diagnostics()) findings.push_back(finding_json(finding));
    json["findings"] = std::move(findings);
    return to_text(json);
}

Result<Summary> merge_reports(const std::vector<std::filesystem::path>& reports, const std::filesystem::path& merged) {
    return without_exceptions([&]() -> Result<Summary> {
        Summary summary;
        std::vector<Line> lines;
        for (const std::filesystem::path& report : reports) {
            std::error_code error;
            if (!merged.empty() && std::filesystem::equivalent(report, merged, error))
                return fail(problem_at({}, codes::usage_output,
                                       "the output is one of the reports: " + report.string() + "; name another one"));
            std::ifstream stream(report, std::ios::binary);
            const auto problem = [&](const Code& code, std::string message) {
                return file_problem(report.string(), code, std::move(message));
            };
            if (!stream) return fail(problem(codes::input_open, "the report cannot be opened"));
            std::size_t number = 0;
            for (std::string text; std::getline(stream, text);) {
                ++number;
                if (text.empty()) continue;
                const auto json = parse_json(text);
                const auto name = json && json->is_object() && json->contains("file") ? text_from_json((*json)["file"])
                                                                                      : std::nullopt;
                if (!name && stream.eof() && number > 1) {  // what a killed run has left of its last line
                    ++summary.torn;
                    break;
                }
                if (!name)
                    return fail(problem(codes::unknown_format, "line " + std::to_string(number) +
                                                                   " is none of a report that --report has written"));
                lines.push_back({*name, std::move(text), lines.size()});
            }
        }
        std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
            return std::pair(a.name, a.number) < std::pair(b.name, b.number);
        });
        std::string text;
        for (std::size_t index = 0; index < lines.size(); ++index) {
            const bool is_repeated = index + 1 < lines.size() && lines[index + 1].name == lines[index].name;
            summary.repeated += is_repeated;
            if (is_repeated) continue;
            try {
                count_line(*parse_json(lines[index].text), summary);
            } catch (const nlohmann::json::exception&) {
                return fail(problem_at({}, codes::unknown_format, "a line is none of a report", lines[index].name));
            }
            text += lines[index].text + "\n";
        }
        if (merged.empty()) return summary;
        if (auto written = write_bytes(merged, std::as_bytes(std::span(text))); !written)
            return fail(std::move(written.error()));
        return summary;
    });
}

}  // namespace effigy::batch
