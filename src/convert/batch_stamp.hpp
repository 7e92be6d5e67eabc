#pragma once
/// Whether a file is as it was.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace effigy::batch {

/// A file as it was when something was made of it.
struct Stamp {
    std::string name;  ///< as in the plan; of what was found beside: its path
    std::uint64_t size = 0;
    std::int64_t time = 0;
    std::string hash{};  ///< "xxh3:<16 hex digits>", or empty
};

/// Without its hash, and by its whole name; none if it is not there.
[[nodiscard]] std::optional<Stamp> stamp_of(const std::filesystem::path& file);

/// By its time, or, if that says nothing, by the content of `file`, if there is one.
[[nodiscard]] bool is_as(const Stamp& now, const Stamp& then, const std::filesystem::path& file);

}  // namespace effigy::batch
