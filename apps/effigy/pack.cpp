/// effigy pack: a folder into a catalog.

#include <algorithm>
#include <set>

#include "effigy/core_codes.hpp"

#include "archive_input.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

namespace fs = std::filesystem;

struct PackArguments {
    CommonOptions common;
    std::string folder;
    std::vector<std::string> patterns;
    std::vector<std::string> deletions;
    std::string output;
    bool overwrite = false;
};

struct Selection {
    std::vector<catalog::Packed> files;
    std::vector<std::string> skipped;  ///< hidden, empty, catalogs: with the reason
    std::uint64_t bytes = 0;
};

bool is_catalog_part(const fs::path& file) {
    const std::string extension = lower(file.extension().string());
    return extension == ".cat" || extension == ".dat";
}

/// Why a file is not packed, or an empty string.
std::string reason_to_skip(const fs::directory_entry& entry, const fs::path& relative, const fs::path& root) {
    std::error_code error;
    if (entry.is_symlink(error)) {
        const fs::path real = fs::canonical(entry.path(), error);
        const bool inside =
            !error && std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
        if (!inside) return "a link out of the folder";
    }
    if (!relative.has_parent_path() && is_catalog_part(relative)) return "a catalog itself";
    if (entry.file_size(error) == 0) return "empty, which in a catalog would delete it";
    return {};
}

/// The files that match, sorted by path in any case, so that the same folder gives the same catalog.
Result<Selection> select(const PackArguments& options) {
    Selection selection;
    std::error_code error;
    const fs::path root = fs::canonical(options.folder, error);
    auto entry = fs::recursive_directory_iterator(options.folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const fs::path relative = entry->path().lexically_relative(options.folder);
        const std::string path = relative.generic_string();
        std::error_code ignored;
        if (relative.filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
            selection.skipped.push_back(path + ": hidden");
            continue;
        }
        if (!matches_any(options.patterns, path)) continue;
        if (auto problem = too_long(*entry); problem && !entry->is_directory(ignored)) return fail(std::move(*problem));
        if (entry->is_symlink(ignored) && entry->is_directory(ignored))
            selection.skipped.push_back(path + ": a link to a folder");
        if (!entry->is_regular_file(ignored)) continue;
        const std::string reason = reason_to_skip(*entry, relative, root);
        if (!reason.empty()) {
            selection.skipped.push_back(std::string(path).append(": ").append(reason));
            continue;
        }
        selection.files.push_back({path, entry->path()});
        selection.bytes += entry->file_size(ignored);
    }
    if (error)
        return fail(make_finding(codes::input_open, options.folder, "the folder cannot be read: " + error.message()));
    std::sort(selection.files.begin(), selection.files.end(), [](const auto& a, const auto& b) {
        return std::pair(lower(a.path), a.path) < std::pair(lower(b.path), b.path);
    });
    std::sort(selection.skipped.begin(), selection.skipped.end());
    for (const std::string& path : options.deletions) selection.files.push_back({path, {}});
    return selection;
}

/// An older catalog may be replaced (reason_to_keep()); nothing else.
std::string reason_to_refuse(const PackArguments& options) {
    std::error_code error;
    const fs::path output = options.output, data = catalog::data_path(output);
    if (lower(output.extension().string()) != ".cat") return "a catalog's name ends in .cat: " + options.output;
    if (!fs::is_directory(options.folder, error)) return "there is no folder " + options.folder;
    const bool has_catalog = fs::exists(output, error), has_data = fs::exists(data, error);
    const FormatInfo* format = has_catalog ? format_of_file(options.output) : nullptr;
    const auto loaded = has_catalog ? open_file(output) : Result<Loaded<Document>>(fail({}));
    const bool is_catalog =
        format != nullptr && format->role == Role::archive && loaded && !loaded->report.has_errors();
    if (has_catalog && !is_catalog) return options.output + " is there and is no catalog; inputs are never changed";
    if (has_data && !has_catalog) return data.string() + " is there without a catalog; inputs are never changed";
    return {};
}

/// What an older catalog holds would be gone for good: it is replaced by one that holds all of it, or when asked to.
std::string reason_to_keep(const PackArguments& options, const Selection& selection) {
    std::error_code error;
    if (options.overwrite || !fs::exists(options.output, error)) return {};
    const auto old = catalog::read_file(options.output);
    if (!old) return options.output + " cannot be read, and is replaced with --overwrite only";
    const auto key = [](std::string path) {
        std::replace(path.begin(), path.end(), '\\', '/');
        return lower(std::move(path));
    };
    std::set<std::string> packed;
    for (const catalog::Packed& file : selection.files) packed.insert(key(file.path));
    std::set<std::string> lost;
    for (const catalog::Entry& entry : old->value.entries) {
        if (const std::string path = key(std::string(old->value.path(entry))); !packed.contains(path))
            lost.insert(path);
    }
    if (lost.empty()) return {};
    return options.output + " is there and holds what would be lost with it: " + *lost.begin() +
           (lost.size() > 1 ? " and " + std::to_string(lost.size() - 1) + " more" : "") + ". `effigy unpack " +
           options.output + " -o " + options.folder + "` makes files of them; --overwrite replaces it all the same";
}

Json result_json(const PackArguments& options, const Selection& selection) {
    return {{"catalog", options.output},
            {"files", selection.files.size() - options.deletions.size()},
            {"bytes", selection.bytes},
            {"deletions", options.deletions.size()},
            {"skipped", selection.skipped}};
}

std::string summary(const PackArguments& options, const Selection& selection) {
    std::string text = "packed " + counted(selection.files.size() - options.deletions.size(), "file") + ", " +
                       size_text(selection.bytes) + ", into " + options.output;
    if (!options.deletions.empty()) text += "; it deletes " + counted(options.deletions.size(), "path");
    return text + "\n";
}

int run_pack(const PackArguments& options) {
    const std::string refusal = reason_to_refuse(options);
    if (!refusal.empty()) return fail_usage("pack", refusal, options.common);
    const auto selection = select(options);
    if (!selection) return fail_with(selection.error(), options.common);
    if (selection->files.empty())
        return fail_usage("pack", "there is nothing to pack in " + options.folder + " that matches", options.common);
    if (const std::string reason = reason_to_keep(options, *selection); !reason.empty())
        return fail_usage("pack", reason, options.common);
    if (!options.common.quiet) {
        for (const std::string& skipped : selection->skipped) print_error("left out: " + skipped);
    }
    Progress progress("packing", selection->files.size(), options.common.quiet);
    const auto packed = catalog::pack(selection->files, options.output, false, [&](std::size_t number) {
        progress.step(number, selection->files[number].path);
        return !cancelled();
    });
    if (!packed) return fail_with(packed.error(), options.common);
    print(options.common.json ? pretty(result_json(options, *selection)) : summary(options, *selection));
    return exit_code::fine;
}

constexpr const char* pack_footer =
    "Paths in the catalog are those in the folder, sorted; the .dat is written beside the .cat. Hidden\n"
    "files, empty ones, links to folders and the folder's own catalogs are left out. The game wants\n"
    "content.xml outside.\n"
    "A catalog that is there is replaced if the new one holds all of its paths, or with --overwrite.\n"
    "\n"
    "Examples:\n"
    "  effigy pack mod -o ext_01.cat\n"
    "  effigy pack mod 'assets/**' 'index/*' -o ext_02.cat\n"
    "  effigy pack mod -o subst_01.cat --delete assets/units/gone.xml";

}  // namespace

void add_pack(CLI::App& program, Verb& chosen) {
    const auto [verb, options] =
        add_verb(program, chosen, run_pack, "pack", "Put a folder into a catalog (.cat and .dat).", pack_footer);
    verb->add_option("FOLDER", options->folder, "Folder whose files are packed")->required();
    verb->add_option("PATTERN", options->patterns, "Only files that match: * within a folder, ** over folders");
    verb->add_option("-o,--output", options->output, "The catalog to write, e.g. ext_01.cat")
        ->required()
        ->option_text("FILE");
    verb->add_option("--delete", options->deletions, "A path that the game shall no longer see; may be repeated")
        ->allow_extra_args(false)
        ->option_text("PATH");
    verb->add_flag("--overwrite", options->overwrite, "Replace a catalog that holds what the new one does not");
    options->common.add_json(*verb);
    options->common.add_quiet(*verb);
}

}  // namespace effigy::app
