/// The files of a folder as the mod check looks at them: names, first bytes, contents.

#include "egosoft/check/folder.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "egosoft/check/rules.hpp"

namespace effigy::egosoft::checks {

namespace fs = std::filesystem;

std::vector<FolderFile> files_in(const fs::path& folder) {
    constexpr std::size_t max_files = 500'000;
    constexpr int max_levels = 32;
    std::vector<FolderFile> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator() && files.size() < max_files; entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_symlink(ignored)) continue;
        if (entry->is_directory(ignored)) {
            const bool is_other = fs::exists(entry->path() / "content.xml", ignored);
            if (is_other || entry.depth() >= max_levels) entry.disable_recursion_pending();
        } else if (entry->is_regular_file(ignored)) {
            std::string path = entry->path().lexically_relative(folder).generic_string();
            std::string normal = lower(path);
            const std::uintmax_t size = entry->file_size(ignored);
            files.push_back({std::move(path), std::move(normal), ignored ? 0 : size});
        }
    }
    std::sort(files.begin(), files.end(), [](const FolderFile& a, const FolderFile& b) { return a.path < b.path; });
    return files;
}

Bytes head_of(const fs::path& path, std::size_t most) {
    Bytes bytes(most);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(most));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return bytes;
}

Result<Bytes> content_of(const fs::path& path, const Limits& limits) {
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    constexpr std::uint64_t usual = 1U << 30;
    if (source->size() > (limits.memory != 0 ? limits.memory : usual))
        return fail(problem_at("", codes::limit_memory, "the file is larger than the limit"));
    Bytes bytes(source->size());
    if (!source->read(bytes.data(), bytes.size()))
        return fail(problem_at("", codes::input_read, "the file cannot be read"));
    return bytes;
}

}  // namespace effigy::egosoft::checks
