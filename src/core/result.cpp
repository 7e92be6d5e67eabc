/// Diagnostics as text, and reports: counting, suppressing repetitions, joining.

#include "effigy/result.hpp"

#include <algorithm>
#include <numeric>

namespace effigy {

std::string_view to_string(Severity severity) noexcept {
    switch (severity) {
        case Severity::error:
            return "error";
        case Severity::warning:
            return "warning";
        case Severity::info:
            return "info";
    }
    return "error";
}

std::string to_string(const Diagnostic& diagnostic) {
    std::string text;
    if (!diagnostic.file.empty()) text += diagnostic.file + ": ";
    text += to_string(diagnostic.severity);
    text += ": " + diagnostic.message;
    if (!diagnostic.found.empty()) text += " (found " + diagnostic.found;
    if (!diagnostic.expected.empty())
        text += (diagnostic.found.empty() ? " (expected " : ", expected ") + diagnostic.expected;
    if (!diagnostic.found.empty() || !diagnostic.expected.empty()) text += ")";
    text += " [" + diagnostic.code + "]";
    if (!diagnostic.path.empty()) text += " at " + diagnostic.path;
    if (diagnostic.offset != no_offset) text += ", offset " + std::to_string(diagnostic.offset);
    return text;
}

Report::Tally& Report::tally_of(const std::string& code, Severity severity) {
    const auto tally = std::find_if(tallies_.begin(), tallies_.end(), [&](const Tally& other) {
        return other.code == code && other.severity == severity;
    });
    return tally != tallies_.end() ? *tally : tallies_.emplace_back(Tally{code, severity, 0});
}

void Report::add(Diagnostic diagnostic) {
    if (tally_of(diagnostic.code, diagnostic.severity).count++ < max_per_code)
        diagnostics_.push_back(std::move(diagnostic));
}

void Report::append(Report other) {
    for (Diagnostic& diagnostic : other.diagnostics_) add(std::move(diagnostic));
    for (const Tally& more : other.tallies_) {
        if (more.count > max_per_code) tally_of(more.code, more.severity).count += more.count - max_per_code;
    }
}

void Report::name_file(std::string_view file) {
    for (Diagnostic& diagnostic : diagnostics_) {
        if (diagnostic.file.empty()) diagnostic.file = file;
    }
}

std::size_t Report::count(std::string_view code) const noexcept {
    return std::accumulate(tallies_.begin(), tallies_.end(), std::size_t{0}, [&](std::size_t sum, const Tally& tally) {
        return sum + (tally.code == code ? tally.count : 0);
    });
}

std::size_t Report::count(Severity severity) const noexcept {
    return std::accumulate(tallies_.begin(), tallies_.end(), std::size_t{0}, [&](std::size_t sum, const Tally& tally) {
        return sum + (tally.severity == severity ? tally.count : 0);
    });
}

std::vector<std::pair<std::string, std::size_t>> Report::suppressed() const {
    std::vector<std::pair<std::string, std::size_t>> result;
    for (const Tally& tally : tallies_) {
        if (tally.count > max_per_code) result.emplace_back(tally.code, tally.count - max_per_code);
    }
    return result;
}

}  // namespace effigy
