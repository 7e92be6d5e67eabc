/// Files by their size, time and content.

#include "convert/batch_stamp.hpp"

#include <sys/stat.h>

#include "effigy/registry.hpp"

namespace effigy::batch {

namespace fs = std::filesystem;

std::optional<Stamp> stamp_of(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    constexpr std::int64_t second = 1'000'000'000;
    return Stamp{file.string(), static_cast<std::uint64_t>(status.st_size),
                 status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec};
}

bool is_as(const Stamp& now, const Stamp& then, const fs::path& file) {
    if (now.size != then.size) return false;
    if (now.time == then.time) return true;
    if (then.hash.empty() || file.empty()) return false;
    const auto hash = content_hash(file);
    return hash && *hash == then.hash;
}

}  // namespace effigy::batch
