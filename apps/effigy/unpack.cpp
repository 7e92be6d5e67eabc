/// effigy unpack: files out of catalogs.

#include <algorithm>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/stat.h>

#include "effigy/core_codes.hpp"
#include "effigy/egosoft_codes.hpp"
#include "effigy/files.hpp"

#include "archive_input.hpp"
#include "findings.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

namespace fs = std::filesystem;

struct UnpackArguments {
    CommonOptions common;
    std::vector<std::string> arguments;
    std::string output;
    bool overwrite = false;
    bool allow_damaged = false;
};

bool starts_with(const fs::path& path, const fs::path& start) {
    return std::mismatch(start.begin(), start.end(), path.begin(), path.end()).first == start.end();
}

/// Places below one folder, and nowhere else, whatever links stand in it.
class Target {
public:
    [[nodiscard]] static Result<Target> make(const std::string& folder) {
        Target target;
        std::error_code error = target.folders_.make(folder);
        if (!error) target.folder_ = fs::canonical(folder, error);
        if (error || !fs::is_directory(target.folder_, error))
            return fail(make_finding(codes::output_create, folder, "the folder cannot be made: " + error.message()));
        return target;
    }

    /// Where a file of this path goes, in a folder that is there. Folders that differ in case only become one.
    [[nodiscard]] Result<fs::path> place(const std::string& path) {
        const fs::path relative = fs::path(path).lexically_normal();
        if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") return fail(outside(path));
        // Each folder above a file is remembered: a small catalog of deep paths would ask for gigabytes.
        constexpr std::ptrdiff_t max_folders = 100;
        if (std::count(path.begin(), path.end(), '/') > max_folders)
            return fail(make_finding(codes::output_create, path, "this path has more than 100 folders"));
        fs::path folder;
        for (const fs::path& step : relative.parent_path()) {
            folder = spelled_.try_emplace(lower((folder / step).generic_string()), folder / step).first->second;
        }
        if (!safe_.contains(folder)) {
            std::error_code error;
            if (!starts_with(fs::weakly_canonical(folder_ / folder, error), folder_) || error)
                return fail(outside(path));
            error = folders_.make(folder_ / folder);
            if (error)
                return fail(make_finding(codes::output_create, (folder_ / folder).string(),
                                         "the folder cannot be made: " + error.message()));
            safe_.insert(folder);
        }
        const fs::path file = folder_ / folder / relative.filename();
        std::error_code error;
        if (fs::is_symlink(file, error) && !starts_with(fs::weakly_canonical(file, error), folder_))
            return fail(outside(path));
        return file;
    }

private:
    static Diagnostic outside(const std::string& path) {
        return make_finding(egosoft::codes::path_outside, path,
                            "this path leads out of the output's folder; the file is not written");
    }

    NewFolders folders_;
    fs::path folder_;
    std::map<std::string, fs::path> spelled_;  // by name in lower case
    std::set<fs::path> safe_;
};

void set_time(const fs::path& file, std::int64_t seconds) {
    struct timespec times[2]{};
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = static_cast<std::time_t>(seconds);
    // A file without its date is still the file.
    static_cast<void>(::utimensat(AT_FDCWD, file.c_str(), times, 0));
}

class Unpacking {
public:
    Unpacking(const ArchiveContents& contents, Target target, const UnpackArguments& options)
        : contents_(contents), target_(std::move(target)), options_(options), report_(contents.report) {
        contents.visit([&](egosoft::LayerEntry entry) {
            if (!entry.overridden && !entry.deletes) wanted_.push_back(std::move(entry));
        });
    }

    int run() {
        Progress progress("unpacking", wanted_.size(), options_.common.quiet);
        std::size_t index = 0;
        for (; index < wanted_.size() && !cancelled(); ++index) {
            progress.step(index, wanted_[index].listed.path);
            unpack(wanted_[index]);
        }
        print_report(report_, options_.common);
        options_.common.json ? print_json() : print_summary();
        if (cancelled()) return exit_code::limit;
        return std::max(worst_, report_.has_errors() ? exit_code::findings : exit_code::fine);
    }

private:
    void add(Diagnostic problem) {
        if (problem.severity == Severity::error) worst_ = std::max(worst_, exit_code_of(problem));
        report_.add(std::move(problem));
    }

    void unpack(const egosoft::LayerEntry& entry) {
        const auto place = target_.place(entry.listed.path);
        if (!place) return add(place.error());
        std::error_code error;
        if (!options_.overwrite && fs::exists(fs::symlink_status(*place, error))) {
            ++kept_;
            return;
        }
        const auto bytes = read(entry);
        if (!bytes) return;
        if (auto written = write_bytes(*place, *bytes); !written) return add(written.error());
        set_time(*place, entry.time);
        ++files_;
        bytes_ += bytes->size();
    }

    /// Nothing, and a finding, if the bytes are not there or damaged.
    std::optional<Bytes> read(const egosoft::LayerEntry& entry) {
        const egosoft::Location& location = entry.listed.location;
        auto bytes = contents_.files.read(location);
        if (bytes) return std::move(*bytes);
        Diagnostic problem = std::move(bytes.error());
        const bool damaged = problem.code == egosoft::codes::catalog_md5;
        problem.path = entry.listed.path;
        if (damaged) {
            ++damaged_;
            problem.message += options_.allow_damaged ? ". It is written as it is"
                                                      : ". It is not written; --allow-damaged writes it as it is";
        }
        add(std::move(problem));
        if (!damaged || !options_.allow_damaged) return std::nullopt;
        catalog::Entry raw;
        raw.offset = location.offset;
        raw.size = location.size;
        auto unverified = catalog::extract(location.file, raw, false, options_.common.limits);
        return unverified ? std::optional(std::move(*unverified)) : std::nullopt;
    }

    void print_summary() const {
        std::string text = "unpacked " + counted(files_, "file") + ", " + size_text(bytes_) + ", to " + options_.output;
        if (kept_ != 0) text += "; kept " + counted(kept_, "file") + " there before (--overwrite replaces)";
        if (damaged_ != 0) text += "; " + std::to_string(damaged_) + " damaged";
        print(text + "\n");
    }

    void print_json() const {
        print(pretty({{"files", files_},
                      {"bytes", bytes_},
                      {"kept", kept_},
                      {"damaged", damaged_},
                      {"findings", to_json(report_)},
                      {"suppressed", suppressed_json(report_)}}));
    }

    const ArchiveContents& contents_;
    Target target_;
    const UnpackArguments& options_;
    Report report_;
    std::vector<egosoft::LayerEntry> wanted_;
    std::uint64_t files_ = 0, bytes_ = 0, kept_ = 0, damaged_ = 0;
    int worst_ = exit_code::fine;
};

int run_unpack(const UnpackArguments& options) {
    const auto contents = open_archives(options.arguments, options.common.limits);
    if (!contents) return fail_with(contents.error(), options.common);
    auto target = Target::make(options.output);
    if (!target) return fail_with(target.error(), options.common);
    return Unpacking(*contents, std::move(*target), options).run();
}

constexpr const char* unpack_footer =
    "Sources and patterns are as for `effigy ls`: later sources override earlier ones, and what they\n"
    "delete is left out. Each file appears whole or not at all, only below the output's folder, with\n"
    "its date, and only if its MD5 sum is right.\n"
    "\n"
    "Examples:\n"
    "  effigy unpack 01.cat 02.cat -o out\n"
    "  effigy unpack 01.cat 'assets/units/size_m/**' -o out\n"
    "  effigy unpack mod '**.xml' -o texts --overwrite";

}  // namespace

void add_unpack(CLI::App& program, Verb& chosen) {
    const auto [verb, options] = add_verb(program, chosen, run_unpack, "unpack",
                                          "Take files out of catalogs (.cat), games and mods.", unpack_footer);
    verb->add_option("SOURCE", options->arguments, "Catalogs and folders, then patterns")->required();
    verb->add_option("-o,--output", options->output, "Folder to write to; it is made if need be")
        ->required()
        ->option_text("DIR");
    verb->add_flag("--overwrite", options->overwrite, "Replace files that are there; else they are kept");
    verb->add_flag("--allow-damaged", options->allow_damaged, "Also write files whose MD5 sum is wrong");
    options->common.add(*verb);
}

}  // namespace effigy::app
