#pragma once
/// Files that belong together: their names, and their appearing together.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/core_codes.hpp"
#include "effigy/files.hpp"

#include "core/guard.hpp"
#include "core/output.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/unique_names.hpp"

namespace effigy {

/// All are complete on the disk before the first gets its name, in the order in which they were added.
class FileSet {
public:
    /// `before` may be empty, or refuse a file before anything of it is written, or say that another one stays.
    explicit FileSet(bool fsync, BeforeFile before = {}) : fsync_(fsync), before_(std::move(before)) {}
    /// Not on the disk: they are put into `memory`.
    explicit FileSet(std::vector<NewFile>& memory) : fsync_(false), memory_(&memory) {}

    /// `write` gets a Sink. `size` makes room, 0 if it is not known.
    template <class Write>
    [[nodiscard]] Result<void> add(const std::filesystem::path& path, std::uint64_t size, Write&& write) {
        if (memory_ != nullptr) {
            NewFile& file = memory_->emplace_back();
            file.name = path.generic_string();
            file.bytes.reserve(static_cast<std::size_t>(size));
            return write(memory_sink(file.bytes));
        }
        const Result<Existing> existing = before_ ? before_(path) : Existing::replaced;
        if (!existing) return fail(existing.error());
        auto file = OutputFile::create(path, *existing);
        if (!file) return fail(no_folder_ ? *no_folder_ : std::move(file.error()));
        auto complete = file->reserve(size).and_then([&] { return write(file->sink()); }).and_then([&] {
            return file->close(fsync_);
        });
        if (!complete) return complete;
        files_.push_back(std::move(*file));
        return {};
    }

    [[nodiscard]] Result<void> add(const std::filesystem::path& path, const Bytes& bytes) {
        return add(path, bytes.size(), [&](const Sink& sink) { return sink(bytes_of(bytes)); });
    }

    [[nodiscard]] Result<void> commit() {
        for (OutputFile& file : files_) {
            if (auto committed = file.commit(fsync_); !committed) {
                for (OutputFile& earlier : files_) earlier.retract();
                return committed;
            }
        }
        return {};
    }

    /// For files that are added later; it does not stay without them.
    void make_folder(const std::filesystem::path& folder) {
        if (memory_ != nullptr) return;
        // What keeps one from being made keeps its files from it, too.
        if (const std::error_code error = folders_.make(folder); error && !no_folder_)
            no_folder_ =
                file_problem(folder.string(), codes::output_create, "the folder cannot be made: " + error.message());
    }

private:
    bool fsync_;
    BeforeFile before_;
    std::vector<NewFile>* memory_ = nullptr;
    std::optional<Diagnostic> no_folder_;
    NewFolders folders_;  // outlives the files that are taken back
    std::vector<OutputFile> files_;
};

/// All that `write` puts into the set that it is given; what it reports.
template <class Write>
[[nodiscard]] Result<Report> write_together(bool fsync, Write&& write, const BeforeFile& before = {}) {
    return without_exceptions([&]() -> Result<Report> {
        FileSet files(fsync, before);
        Result<Report> report = write(files);
        if (!report) return report;
        return files.commit().map([&] { return std::move(*report); });
    });
}

/// Names for files beside another: plain on every system, none of them twice.
class FileNames {
public:
    /// "<stem>_<name><extension>", or with a number at the end if that name is taken.
    [[nodiscard]] std::string add(const std::string& stem, std::string_view name, const std::string& extension) {
        return names_.add(stem + "_" + plain(name), extension);
    }

    /// Letters, digits and "-"; "_" for all else. Cannot leave the folder.
    [[nodiscard]] static std::string plain(std::string_view name) {
        constexpr std::size_t longest = 96;
        return plain_text(name.substr(0, longest), "-");
    }

private:
    UniqueNames names_{UniqueNames::Case::is_ignored};
};

}  // namespace effigy
