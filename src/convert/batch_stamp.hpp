#pragma once
/// Whether a file is as it was.

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace effigy::batch {

/// A file as it was when something was made of it.
struct Stamp {
    std::string name;  ///< as in the plan; of what was found beside: its path, of a folder with a slash at the end
    std::uint64_t size = 0;
    std::int64_t time = 0;
    std::string hash{};  ///< "xxh3:<16 hex digits>", or as an archive has it, or empty
};

/// Without its hash, and by its whole name; none if it is not there.
[[nodiscard]] std::optional<Stamp> stamp_of(const std::filesystem::path& file);

/// By the hash that is known of it; else by its time, or, if that says nothing, by the content of `file`, if there is
/// one.
[[nodiscard]] bool is_as(const Stamp& now, const Stamp& then, const std::filesystem::path& file);

/// Which files lie in folders: where one that a model needs was not found, any other may be it. A folder is looked at
/// once in a run, by whatever thread.
class FolderNames {
public:
    /// `ending` is that of outputs, which count for nothing.
    explicit FolderNames(std::string ending) : ending_(std::move(ending)) {}

    /// The names beside `file`, but for others of its kind, hashed; the stamp's name ends with a slash.
    [[nodiscard]] Stamp beside(const std::filesystem::path& file);

private:
    std::string ending_;
    std::mutex mutex_;
    std::map<std::string, Stamp> known_;  ///< by folder and extension
};

}  // namespace effigy::batch
