/// effigy ls: what is in catalogs, games and mods.

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>

#include "archive_input.hpp"
#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

struct LsArguments {
    CommonOptions common;
    std::vector<std::string> arguments;
    bool all = false;
};

bool is_shown(const egosoft::LayerEntry& entry, const LsArguments& options) {
    return options.all || (!entry.overridden && !entry.deletes);
}

/// In UTC, as far as a calendar reaches.
std::string date_text(std::int64_t seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    std::array<char, 32> text{};
    constexpr std::int64_t year_9999 = 253'402'300'799;
    if (seconds < 0 || seconds > year_9999 || gmtime_r(&time, &parts) == nullptr) return "-";
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
    return text.data();
}

std::string state_text(const egosoft::LayerEntry& entry) {
    return entry.overridden ? "overridden" : entry.deletes ? "deleted" : "";
}

std::string right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}
std::string left(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

/// Given out in pieces: a game has half a million files.
class Printer {
public:
    ~Printer() { flush(); }
    Printer() = default;
    Printer(const Printer&) = delete;
    Printer& operator=(const Printer&) = delete;
    void add(std::string_view text) {
        constexpr std::size_t piece = std::size_t{1} << 18;
        pending_ += text;
        if (pending_.size() >= piece) flush();
    }

private:
    void flush() {
        print(pending_);
        pending_.clear();
    }
    std::string pending_;
};

Json entry_json(const egosoft::LayerEntry& entry) {
    Json json{{"path", entry.listed.path}, {"size", entry.listed.location.size}, {"time", entry.time}};
    if (entry.md5) json["md5"] = catalog::to_hex(*entry.md5);
    if (!entry.catalog.empty()) json["catalog"] = entry.catalog.string();
    json["deleted"] = entry.deletes;
    json["overridden"] = entry.overridden;
    return json;
}

using ShowEntry = std::function<void(const egosoft::LayerEntry& entry)>;

void for_each_shown(const ArchiveContents& contents, const LsArguments& options, const ShowEntry& show) {
    contents.visit([&](const egosoft::LayerEntry& entry) {
        if (is_shown(entry, options)) show(entry);
    });
}

void print_json(const ArchiveContents& contents, const LsArguments& options) {
    Printer printer;
    const char* before = "[\n  ";
    for_each_shown(contents, options, [&](const egosoft::LayerEntry& entry) {
        printer.add(before + entry_json(entry).dump(-1, ' ', false, Json::error_handler_t::replace));
        before = ",\n  ";
    });
    printer.add(before[0] == '[' ? "[]\n" : "\n]\n");
}

void print_table(const ArchiveContents& contents, const LsArguments& options) {
    std::uint64_t largest = 0;
    for_each_shown(contents, options,
                   [&](const egosoft::LayerEntry& entry) { largest = std::max(largest, entry.listed.location.size); });
    const std::size_t size_width = std::to_string(largest).size();
    Printer printer;
    for_each_shown(contents, options, [&](const egosoft::LayerEntry& entry) {
        std::string line = right(std::to_string(entry.listed.location.size), size_width) + "  " +
                           left(date_text(entry.time), 16) + "  ";
        if (options.all) line += left(state_text(entry), 10) + "  ";
        line += entry.listed.path;
        if (options.all && !entry.catalog.empty()) line += "  (" + entry.catalog.string() + ")";
        std::replace(line.begin(), line.end(), '\n', '?');
        printer.add(line + "\n");
    });
}

int run_ls(const LsArguments& options) {
    const auto contents = open_archives(options.arguments, options.common.limits);
    if (!contents) return fail_with(contents.error(), options.common);
    print_report(contents->report, options.common);
    options.common.json ? print_json(*contents, options) : print_table(*contents, options);
    return contents->report.has_errors() ? exit_code::findings : exit_code::fine;
}

constexpr const char* ls_footer =
    "Sources are .cat files, in the order in which the game reads them, and folders of games or mods.\n"
    "Later ones override earlier ones; what is named and does not exist is a pattern: * is within a\n"
    "folder, ** over folders, ? one letter, in any case. Shown are size, date (UTC) and path.\n"
    "\n"
    "Examples:\n"
    "  effigy ls 01.cat 02.cat\n"
    "  effigy ls 01.cat 'assets/units/**' --json\n"
    "  effigy ls mod --all";

}  // namespace

void add_ls(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_ls, "ls", "List the files in catalogs (.cat), games and mods.", ls_footer);
    verb->add_option("SOURCE", options->arguments, "Catalogs and folders, then patterns")->required();
    verb->add_flag("--all", options->all, "Also show what is overridden or deleted");
    options->common.add(*verb);
}

}  // namespace effigy::app
