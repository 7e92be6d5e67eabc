/// What a run is about: folders, patterns, lists and archives as one list of files.

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

#include "effigy/program_codes.hpp"

#include "convert/batch_manifest.hpp"
#include "convert/batch_plan.hpp"
#include "convert/inputs.hpp"
#include "convert/shared.hpp"
#include "core/pattern.hpp"
#include "core/problem.hpp"
#include "core/unique_names.hpp"

namespace effigy::batch {
namespace {

namespace fs = std::filesystem;

constexpr int most_folders_deep = 128;

bool is_archive(const FormatInfo* format) { return format != nullptr && format->role == Role::archive; }

/// What is beside an archive may begin like a file of any format.
bool is_content_of_archive(const fs::path& file) {
    std::error_code error;
    if (file.extension() != ".dat") return false;
    return fs::exists(fs::path(file).replace_extension(".cat"), error);
}

/// A path as it is mirrored: what leads upwards, or to the top, is above its name.
struct MirroredPath {
    fs::path above, name;
};

MirroredPath mirrored(const fs::path& path) {
    MirroredPath split;
    for (const fs::path& step : path.lexically_normal()) {
        const bool leads_away = step == ".." || step == path.root_name() || step == path.root_directory();
        (split.name.empty() && leads_away ? split.above : split.name) /= step;
    }
    return split;
}

/// Lines of "@list.txt".
Result<std::vector<std::string>> lines_of(const std::string& list) {
    std::ifstream stream(list, std::ios::binary);
    if (!stream) return fail(file_problem(list, codes::input_open, "the list of inputs cannot be opened"));
    std::vector<std::string> lines;
    constexpr std::string_view mark = "\xef\xbb\xbf";  // that some editors put before UTF-8
    for (std::string line; std::getline(stream, line);) {
        if (lines.empty() && line.starts_with(mark)) line.erase(0, mark.size());
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

class Gatherer {
public:
    Gatherer(const Options& options, Plan& plan) : options_(options), plan_(plan) {
        std::error_code ignored;
        output_ = fs::weakly_canonical(options.output, ignored);
    }

    Result<void> gather(const std::vector<std::string>& inputs) {
        std::vector<std::string> all;
        for (const std::string& input : inputs) {
            std::error_code error;
            if (!input.starts_with('@') || fs::exists(input, error)) {
                all.push_back(input);
                continue;
            }
            plan_.lists.push_back(input.substr(1));
            auto lines = lines_of(plan_.lists.back());
            if (!lines) return fail(std::move(lines.error()));
            all.insert(all.end(), lines->begin(), lines->end());
        }
        std::set<fs::path> folders;  // what is named twice counts once
        for (const std::string& input : all) {
            std::error_code error;
            if (fs::is_directory(input, error)) folders.insert(fs::weakly_canonical(input, error));
        }
        for (const std::string& input : all) {
            if (is_catalog(input)) add_once(catalogs_[folder_of(input)], fs::path(input).lexically_normal());
        }
        has_prefixes_ = folders.size() + catalogs_.size() > 1;
        for (const std::string& input : all) {
            if (auto added = add(input); !added) return added;
        }
        if (all.size() > 1) drop_repeats();
        std::sort(plan_.files.begin(), plan_.files.end(),
                  [&](const File& a, const File& b) { return plan_.name(a) < plan_.name(b); });
        return {};
    }

private:
    Result<void> add(const std::string& input) {
        if (is_cancelled(options_)) return fail(cancelled_finding());
        std::error_code error;
        if (fs::is_directory(input, error)) return add_folder(input);
        if (fs::exists(input, error)) {
            if (is_catalog(input)) return add_catalogs(folder_of(input));
            add_named(input);
        } else if (input.find_first_of("*?") != std::string::npos) {
            return add_pattern(input);
        } else {
            plan_.problems.push_back(file_problem(input, codes::input_open, "there is no such file or folder"));
        }
        return {};
    }

    [[nodiscard]] static bool is_catalog(const std::string& input) {
        std::error_code error;
        return is_archive(find_format(fs::path(input).extension().string())) && fs::is_regular_file(input, error);
    }

    static fs::path folder_of(const std::string& input) {
        std::error_code error;
        return fs::absolute(input, error).lexically_normal().parent_path();
    }

    static void add_once(std::vector<fs::path>& files, fs::path file) {
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
    }

    /// All of a folder that are inputs, when the first one's turn comes: they lie over one another, as in the game.
    Result<void> add_catalogs(const fs::path& folder) {
        const std::vector<fs::path> catalogs = std::exchange(catalogs_[folder], {});
        if (catalogs.empty()) return {};
        if (options_.kind == Kind::files) {
            for (const fs::path& catalog : catalogs) add_named(catalog.string());
        }
        const fs::path name = catalogs_.size() > 1 ? folder.filename() : catalogs.front().stem();
        Root root{catalogs.front(), prefix_of(name), true};
        root.above.assign(catalogs.begin() + 1, catalogs.end());
        return add_archive(root);
    }

    std::string prefix_of(const fs::path& name) {
        return has_prefixes_ ? prefixes_.add(name.string()) + "/" : std::string();
    }

    Result<void> add_folder(const std::string& folder) {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (real == output_)
            return fail(problem_at({}, codes::usage_output,
                                   "the output folder is one of the inputs: " + folder + "; name another one"));
        add_searched(fs::path(folder) / "**");
        const std::uint32_t root = add_root({folder, prefix_of(real.filename()), false});
        return look_in(folder, root, "", 0, false);
    }

    void add_named(const std::string& input) {
        const MirroredPath path = mirrored(input);
        take({path.above, {}, false}, path.name.generic_string(), fs::path(input).lexically_normal(), true);
    }

    Result<void> add_pattern(const std::string& pattern) {
        fs::path folder;
        for (const fs::path& step : fs::path(pattern).parent_path()) {
            if (step.string().find_first_of("*?") != std::string::npos) break;
            folder /= step;
        }
        std::error_code error;
        if (!fs::is_directory(folder.empty() ? "." : folder, error)) {
            plan_.problems.push_back(file_problem(pattern, codes::input_open, "nothing matches this pattern"));
            return {};
        }
        const std::size_t files_before = plan_.files.size(), problems_before = plan_.problems.size();
        pattern_ = fs::path(pattern).lexically_normal().string();
        add_searched(pattern);
        auto looked = look_in(folder.empty() ? "." : folder, 0, "", 0, false);
        pattern_.clear();
        if (looked && plan_.files.size() == files_before && plan_.problems.size() == problems_before)
            plan_.problems.push_back(file_problem(pattern, codes::input_open, "nothing matches this pattern"));
        return looked;
    }

    void add_searched(const fs::path& pattern) {
        std::error_code ignored;
        plan_.searched.push_back(fs::absolute(pattern, ignored).lexically_normal().string());
    }

    std::uint32_t add_root(Root root) {
        const auto known = std::find_if(plan_.roots.begin(), plan_.roots.end(), [&](const Root& one) {
            return one.path == root.path && one.prefix == root.prefix && one.is_archive == root.is_archive;
        });
        const auto place = static_cast<std::uint32_t>(known - plan_.roots.begin());
        if (known == plan_.roots.end()) plan_.roots.push_back(std::move(root));
        return place;
    }

    /// What is in the catalogs of a folder. `in_game`: they are opened with all that is below the folder, as a game
    /// does; of a pattern, only where it takes all of that.
    Result<void> add_catalogs_in(const fs::path& folder, std::vector<fs::path> catalogs, const std::string& prefix,
                                 bool& in_game) {
        in_game = pattern_.empty() || (pattern_.ends_with("**") && is_matched(folder / ""));
        if (in_game) return add_archive({pattern_.empty() ? folder : folder.lexically_normal(), prefix, true});
        std::erase_if(catalogs, [&](const fs::path& catalog) { return !is_matched(catalog); });
        if (catalogs.empty()) return {};
        Root root{catalogs.front(), prefix, true};
        root.above.assign(catalogs.begin() + 1, catalogs.end());
        return add_archive(root);
    }

    [[nodiscard]] bool is_matched(const fs::path& path) const {
        return matches_pattern(pattern_, path.lexically_normal().string(), PatternCase::counts);
    }

    /// `name` is the folder's own below the root.
    Result<void> look_in(const fs::path& folder, std::uint32_t root, const std::string& name, int depth, bool in_game) {
        if (is_cancelled(options_)) return fail(cancelled_finding());
        std::error_code error;
        std::vector<fs::directory_entry> entries;
        fs::directory_iterator entry(folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) entries.push_back(*entry);
        if (error)
            plan_.problems.push_back(
                file_problem(folder.string(), codes::input_open, "the folder cannot be read: " + error.message()));
        std::sort(entries.begin(), entries.end());
        std::vector<fs::path> catalogs;
        for (const fs::directory_entry& one : entries) {
            if (!in_game && is_catalog(one.path().string())) catalogs.push_back(one.path().lexically_normal());
        }
        if (!catalogs.empty()) {
            const fs::path as_named = mirrored(catalogs.front()).name.parent_path() / "";
            const std::string prefix = pattern_.empty() ? plan_.roots[root].prefix + name : as_named.generic_string();
            if (auto added = add_catalogs_in(folder, std::move(catalogs), prefix, in_game); !added) return added;
        }
        for (const fs::directory_entry& one : entries) {
            std::error_code ignored;
            const std::string here = name + one.path().filename().string();
            // Links to folders are not followed: they lead around in circles, or out.
            if (one.is_directory(ignored) && !one.is_symlink(ignored)) {
                if (one.path().filename() == state_folder) continue;
                if (depth > most_folders_deep) {
                    plan_.problems.push_back(file_problem(one.path().string(), codes::input_open,
                                                          "folders in folders this deep are not looked into"));
                    continue;
                }
                if (!output_.empty() && fs::equivalent(one.path(), output_, ignored)) continue;
                if (auto looked = look_in(one.path(), root, here + "/", depth + 1, in_game); !looked) return looked;
            } else if (is_made(one.path())) {
                continue;
            } else if (pattern_.empty()) {
                take(root, here, one.path(), false);
            } else {
                if (is_matched(one.path()) && is_wanted_file(one.path())) add_named(one.path().string());
            }
        }
        return {};
    }

    /// By an earlier run of this kind, where outputs stand among the inputs.
    [[nodiscard]] bool is_made(const fs::path& path) {
        if (output_.empty() || !path.string().ends_with(options_.ending)) return false;
        std::error_code error;
        const fs::path name = fs::weakly_canonical(path, error).lexically_relative(output_);
        if (error || name.empty() || *name.begin() == "..") return false;
        if (!made_) made_ = outputs_made(output_, options_.ending);
        return made_->contains(name.generic_string());
    }

    [[nodiscard]] bool is_wanted_file(const fs::path& path) const {
        return is_wanted(recognize_file(path, options_.convert.formats()).format, path);
    }

    [[nodiscard]] bool is_wanted(const FormatInfo* format, const fs::path& path) const {
        if (format == nullptr || !format->reads) return false;
        if (options_.kind == Kind::files ? is_companion(*format) : !format->to_scene) return false;
        if (is_content_of_archive(path)) return false;
        if (format->traits.foreign_code.empty()) return true;
        // Files of other programs may be called and begin like a known format.
        const auto loaded = open_file(path, {}, options_.convert.formats());
        return loaded || loaded.error().code != format->traits.foreign_code;
    }

    void take(const Root& root, std::string name, const fs::path& path, bool is_named) {
        take(add_root(root), std::move(name), path, is_named);
    }
    void take(std::uint32_t root, std::string name, const fs::path& path, bool is_named) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) return add_closed(path, {errno, std::generic_category()});
        if (!S_ISREG(status.st_mode)) return;
        const FormatInfo* format = recognize_file(path, options_.convert.formats()).format;
        if (!is_named && !is_wanted(format, path)) return;
        constexpr std::int64_t second = 1'000'000'000;
        plan_.files.push_back({root, std::move(name), static_cast<std::uint64_t>(status.st_size),
                               status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec, format});
    }

    /// What cannot even be looked at is known by its name alone. What a link led to may have vanished.
    void add_closed(const fs::path& path, const std::error_code& error) {
        if (error == std::errc::no_such_file_or_directory) return;
        if (is_wanted(find_format(path.extension().string(), options_.convert.formats()), path))
            plan_.problems.push_back(
                file_problem(path.string(), codes::input_open, "the file cannot be read: " + error.message()));
    }

    Result<void> add_archive(const Root& root) {
        Report report;
        auto opened = open_archive(root, options_.convert, &report);
        if (!opened) {
            plan_.problems.push_back(std::move(opened.error()));
            return {};
        }
        // What a damaged archive does not name any more may only seem to be gone.
        const auto& findings = report.diagnostics();
        const auto damage = std::find_if(findings.begin(), findings.end(),
                                         [](const Diagnostic& one) { return one.severity == Severity::error; });
        if (damage != findings.end()) plan_.problems.push_back(*damage);
        if (!opened->archived) return {};
        const std::uint32_t place = add_root(root);
        for (ArchivedFile& file : opened->archived()) {
            const FormatInfo* format =
                find_format(fs::path(file.path).extension().string(), options_.convert.formats());
            if (format == nullptr) continue;
            // Many formats are called so: a look inside tells.
            const bool is_shared =
                format->role == Role::library || format->traits.shares_extension || file.path.ends_with(".xml");
            if (is_shared) {
                auto found = opened->file(file.path);
                if (!found) continue;
                const std::span<const std::byte> head(found->bytes);
                format = recognize(head.first(std::min<std::size_t>(head.size(), 4096)), file.path,
                                   options_.convert.formats())
                             .format;
            }
            if (is_wanted(format, file.path))
                plan_.files.push_back(
                    {place, std::move(file.path), file.size, file.time * 1'000'000'000, format, std::move(file.hash)});
        }
        return {};
    }

    /// A file that was named twice, in whatever way, counts as it was named first.
    void drop_repeats() {
        std::set<std::string> seen;
        std::erase_if(plan_.files, [&](const File& file) {
            std::error_code ignored;
            const Root& root = plan_.roots[file.root];
            fs::path path = fs::absolute(plan_.path(file), ignored).lexically_normal();
            if (root.is_archive) path = root.path.string() + "\n" + file.name;
            return !seen.insert(path.string()).second;
        });
    }

    const Options& options_;
    Plan& plan_;
    fs::path output_;
    std::optional<std::set<std::string>> made_;  ///< read when it is asked for
    std::string pattern_;
    UniqueNames prefixes_{UniqueNames::Case::is_ignored};
    bool has_prefixes_ = false;
    std::map<fs::path, std::vector<fs::path>> catalogs_;  ///< inputs that are to be added, by folder
};

}  // namespace

Result<void> gather(const std::vector<std::string>& inputs, const Options& options, Plan& plan) {
    return Gatherer(options, plan).gather(inputs);
}

namespace {

std::vector<fs::path> roots_of(const Root& root) {
    std::vector<fs::path> roots{root.path};
    roots.insert(roots.end(), root.above.begin(), root.above.end());
    return roots;
}

}  // namespace

Result<Surroundings> open_archive(const Root& root, const ConvertOptions& options, Report* report) {
    for (const FamilyRow* family : options.formats().families()) {
        if (family->open_surroundings == nullptr) continue;
        const SurroundingsRequest request{options.values, roots_of(root), nullptr, options.limits};
        auto opened = options.shared ? options.shared->open(*family, request) : family->open_surroundings(request);
        if (!opened) return fail(std::move(opened.error()));
        if (report != nullptr) *report = std::move(opened->report);
        return std::move(opened->value);
    }
    return Surroundings();
}

std::filesystem::path path_on_disk(const Plan& plan, const File& file) {
    const Root& root = plan.roots[file.root];
    return root.is_archive ? root.path : plan.path(file);
}

Result<InputFile> input_of(const Plan& plan, const File& file, const ConvertOptions& options) {
    const Root& root = plan.roots[file.root];
    if (!root.is_archive) return InputFile(plan.path(file));
    auto opened = open_archive(root, options);
    if (!opened) return fail(std::move(opened.error()));
    if (!opened->file) return fail(file_problem(file.name, codes::file_missing, "the archive is not there any more"));
    auto found = opened->file(file.name);
    if (!found) return fail(std::move(found.error()));
    InputFile input(file.name, std::move(found->bytes));
    input.roots = roots_of(root);
    return input;
}

std::filesystem::path Plan::path(const File& file) const {
    const Root& root = roots[file.root];
    return root.is_archive ? fs::path(file.name) : root.path / file.name;
}

Diagnostic cancelled_finding() {
    return problem_at({}, codes::limit_cancelled, "cancelled; start the same again to go on");
}

}  // namespace effigy::batch
