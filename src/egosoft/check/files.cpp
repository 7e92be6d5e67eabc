/// The files that the rules over a mod look at: those of its folder, and those in its catalogs, each by its own rules.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "egosoft/check/mod.hpp"
#include "egosoft/file/formats.hpp"

namespace effigy::egosoft::checks {

namespace {

namespace fs = std::filesystem;

template <class Format>
Report check_as(std::span<const std::byte> bytes, const CheckContext& context) {
    auto loaded = Format::read(ByteSource(bytes), {context.limits});
    Report report;
    if (!loaded) {
        report.add(std::move(loaded.error()));
        return report;
    }
    report = std::move(loaded->report);
    CheckContext own = context;
    own.noticed = &report;
    Report checked = Format::check(loaded->value, own);
    report.append(std::move(checked));
    return report;
}

Report check_bytes(std::span<const std::byte> bytes, const std::string& path, const CheckContext& context) {
    if (path.ends_with(".xmf")) return check_as<XmfFormat>(bytes, context);
    if (path.ends_with(".ani")) return check_as<AniFormat>(bytes, context);
    switch (xml_kind(bytes)) {
        case XmlKind::component:
            return check_as<ComponentFormat>(bytes, context);
        case XmlKind::material_library:
            return check_as<LibraryFormat>(bytes, context);
        case XmlKind::index:
            return check_as<IndexFormat>(bytes, context);
        case XmlKind::macros:
            return check_as<MacroFormat>(bytes, context);
        case XmlKind::none:
            break;
    }
    return {};
}

bool has_rules(const std::string& path) {
    return path.ends_with(".xmf") || path.ends_with(".ani") || path.ends_with(".xml");
}

}  // namespace

std::string name_in_catalog(const Listed& file) {
    return (file.location.file.filename().replace_extension(".cat") / file.path).string();
}

Report check_packed(const fs::path& folder, const GameFiles& mod, CheckContext context) {
    Report report;
    for (const Listed& file : mod.list()) {
        const std::string path = lower(file.path);
        if (!file.location.in_catalog || !has_rules(path)) continue;
        auto bytes = mod.read(file.location);
        Report found;
        if (bytes) {
            context.path = folder / file.path;
            found = check_bytes(*bytes, path, context);
        } else {
            found.add(std::move(bytes.error()));
        }
        for (Diagnostic& finding : found.diagnostics()) finding.file.clear();
        found.name_file((folder / name_in_catalog(file)).string());
        report.append(std::move(found));
    }
    return report;
}

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

Bytes head_of(const fs::path& path, std::size_t max_size) {
    Bytes bytes(max_size);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(max_size));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return bytes;
}

}  // namespace effigy::egosoft::checks
