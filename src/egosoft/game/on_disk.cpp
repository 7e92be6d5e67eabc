/// Catalogs and extensions found in folders.

#include "egosoft/game/on_disk.hpp"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "effigy/core_codes.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "core/whole_file.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft {

namespace fs = std::filesystem;

namespace {

template <class Take>
void for_each_entry(const fs::path& folder, Take&& take) {
    std::error_code error;
    auto entry = fs::directory_iterator(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) take(*entry);
}

}  // namespace

std::vector<fs::path> catalogs_in(const fs::path& folder, std::string_view start) {
    std::vector<std::pair<std::uint64_t, fs::path>> found;
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        const std::string name = lower(entry.path().filename().string());
        if (!name.starts_with(start) || !name.ends_with(".cat")) return;
        const std::string_view digits = std::string_view(name).substr(start.size(), name.size() - 4 - start.size());
        const auto number = number_from<std::uint64_t>(digits);
        std::error_code ignored;
        if (number && entry.is_regular_file(ignored)) found.emplace_back(*number, entry.path());
    });
    std::sort(found.begin(), found.end());
    std::vector<fs::path> paths;
    paths.reserve(found.size());
    for (auto& [number, path] : found) paths.push_back(std::move(path));
    return paths;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        std::error_code ignored;
        if (entry.is_directory(ignored)) found.push_back(entry.path());
    });
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        const std::string left = lower(a.filename().string()), right = lower(b.filename().string());
        return left != right ? left < right : a < b;
    });
    return found;
}

fs::path entry_named(const fs::path& folder, std::string_view name) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
    fs::path found;
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        if (found.empty() && lower(entry.path().filename().string()) == name) found = entry.path();
    });
    return found;
}

ExtensionContent content_of(const fs::path& extension, const Limits& limits) {
    const fs::path content = entry_named(extension, "content.xml");
    const auto bytes = content.empty() ? Result<Bytes>(Bytes()) : read_plain(content, limits);
    return bytes && !bytes->empty() ? read_extension_content(*bytes, limits) : ExtensionContent();
}

std::vector<ExtensionFolder> in_load_order(std::vector<ExtensionFolder> folders) {
    std::vector<LoadedExtension> extensions;
    for (const ExtensionFolder& one : folders)
        extensions.push_back({{lower(one.folder.filename().string()), one.content.id}, one.content.dependencies});
    std::vector<ExtensionFolder> ordered;
    for (const std::size_t number : load_order(extensions)) ordered.push_back(std::move(folders[number]));
    return ordered;
}

bool is_extension(const fs::path& folder) {
    return !entry_named(folder, "content.xml").empty() || !catalogs_in(folder, "ext_").empty();
}

Result<Bytes> read_plain(const fs::path& path, const Limits& limits) {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return fail(file_problem(path.string(), codes::input_read, "this is no plain file, and is not read"));
    auto source = ByteSource::open(path);
    if (!source) return fail(std::move(source.error()));
    auto bytes = layout::read_all(*source, limits);
    if (!bytes) bytes.error().file = path.string();
    return bytes;
}

}  // namespace effigy::egosoft
