/// Files by their size, time and content.

#include "convert/batch_stamp.hpp"

#include <set>
#include <span>
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
    if (!now.hash.empty()) return now.hash == then.hash;
    if (now.time == then.time) return true;
    if (then.hash.empty() || file.empty()) return false;
    const auto hash = content_hash(file);
    return hash && *hash == then.hash;
}

Stamp FolderNames::beside(const fs::path& file) {
    std::error_code error;
    const fs::path folder = fs::absolute(file, error).lexically_normal().parent_path() / "";
    const std::string extension = file.extension().string();
    const std::lock_guard guard(mutex_);
    const auto [found, is_new] = known_.try_emplace(folder.string() + extension);
    if (!is_new) return found->second;
    std::set<std::string> names;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path name = entry->path().filename();
        const bool counts = name.extension() != extension && !name.string().ends_with(ending_);
        if (counts && !name.string().starts_with(".effigy-")) names.insert(name.string());
    }
    std::string all;
    for (const std::string& name : names) all += name + '/';
    return found->second = {folder.string(), names.size(), 0, content_hash(std::as_bytes(std::span(all)))};
}

}  // namespace effigy::batch
