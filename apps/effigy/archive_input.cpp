/// Opens catalogs, games and mods, and matches patterns with what is in them.

#include "archive_input.hpp"

#include <algorithm>
#include <filesystem>

#include "effigy/program_codes.hpp"

namespace effigy::app {

namespace {

Result<std::filesystem::path> source_of(const std::string& argument) {
    std::error_code error;
    if (std::filesystem::is_directory(argument, error)) return argument;
    const FormatInfo* format = format_of_file(argument);
    if (format != nullptr && format->role == Role::archive) return argument;
    return fail(make_finding(codes::usage_no_archive, argument, "this is neither a catalog (.cat) nor a folder"));
}

Diagnostic no_match(const std::string& pattern, const egosoft::GameFiles& files) {
    std::string hint = "`effigy ls` without a pattern lists what is there";
    for (const std::string& wider : {pattern + "/**", "**/" + pattern, "**/" + pattern + "/**", pattern + "*"}) {
        if (files.list_layers(wider).empty()) continue;
        hint = "did you mean '" + wider + "'?";
        break;
    }
    return make_finding(codes::usage_no_match, pattern,
                        "this is no file or folder, and nothing in the sources matches it; " + hint);
}

}  // namespace

bool matches_any(const std::vector<std::string>& patterns, std::string_view path) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const std::string& pattern) { return egosoft::matches(pattern, path); });
}

void ArchiveContents::visit(const std::function<void(egosoft::LayerEntry entry)>& visit) const {
    files.visit_layers(patterns.size() == 1 ? patterns.front() : "**", [&](egosoft::LayerEntry entry) {
        if (matches_any(patterns, entry.listed.path)) visit(std::move(entry));
    });
}

Result<ArchiveContents> open_archives(const std::vector<std::string>& arguments, const Limits& limits) {
    std::vector<std::filesystem::path> sources;
    std::vector<std::string> patterns;
    for (const std::string& argument : arguments) {
        std::error_code error;
        if (!std::filesystem::exists(argument, error)) {
            patterns.push_back(argument);
        } else if (auto source = source_of(argument)) {
            sources.push_back(std::move(*source));
        } else {
            return fail(std::move(source.error()));
        }
    }
    if (sources.empty())
        return fail(make_finding(codes::usage_no_archive, arguments.empty() ? "" : arguments.front(),
                                 "there is no such catalog or folder; name one before the patterns"));
    auto opened = egosoft::GameFiles::open(sources, limits);
    if (!opened) return fail(std::move(opened.error()));
    ArchiveContents contents{std::move(opened->value), std::move(opened->report), std::move(patterns)};
    for (const std::string& pattern : contents.patterns) {
        bool found = false;
        contents.files.visit_layers(pattern, [&](const egosoft::LayerEntry&) { found = true; });
        if (!found) return fail(no_match(pattern, contents.files));
    }
    return contents;
}

}  // namespace effigy::app
