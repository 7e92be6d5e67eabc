/// One layer of a game's files: a folder whose names have any case, or a catalog.

#include "egosoft/game/layers.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <system_error>
#include <xxhash.h>

#include "effigy/egosoft_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"

namespace effigy::egosoft {

namespace {

constexpr std::size_t max_folder_depth = 64;

std::string with_slashes(std::string_view path) {
    std::string text(path);
    std::replace(text.begin(), text.end(), '\\', '/');
    return text;
}

}  // namespace

std::uint64_t hash_of_path(std::string_view path) noexcept { return XXH3_64bits(path.data(), path.size()); }

// --- folders ---

FolderLayer::FolderLayer(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code ignored;
    real_folder_ = std::filesystem::canonical(folder_, ignored);
}

const FolderLayer::Items& FolderLayer::items(const std::filesystem::path& relative) {
    const auto [cached, is_new] = cache_.try_emplace(relative);
    if (!is_new) return cached->second;
    std::error_code error;
    std::vector<Item> found;
    auto entry = std::filesystem::directory_iterator(folder_ / relative, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const bool is_folder = entry->is_directory(ignored);
        if (is_folder || entry->is_regular_file(ignored))
            found.push_back({entry->path().filename(), is_folder, entry->is_symlink(ignored)});
    }
    std::sort(found.begin(), found.end(), [](const Item& a, const Item& b) { return a.name < b.name; });
    for (Item& item : found) {
        std::string name = lower(item.name.string());
        cached->second.emplace(std::move(name), std::move(item));
    }
    return cached->second;
}

Answer FolderLayer::find(std::string_view path) {
    tried_.clear();
    return path.empty() ? Answer{} : find_below({}, path, false);
}

bool FolderLayer::is_untried(const std::filesystem::path& link, std::size_t left) {
    std::error_code error;
    std::filesystem::path real = std::filesystem::canonical(folder_ / link, error);
    return !error && tried_.emplace(std::move(real), left).second;
}

Answer FolderLayer::find_below(const std::filesystem::path& relative, std::string_view path, bool by_link) {
    const std::size_t slash = path.find('/');
    const bool is_last = slash == std::string_view::npos;
    Answer best;
    const auto [first, last] = items(relative).equal_range(path.substr(0, slash));
    for (auto item = first; item != last && best.presence != Presence::found; ++item) {
        const bool linked = by_link || item->second.is_link;
        if (item->second.is_folder == is_last) continue;
        if (!is_last && item->second.is_link && !is_untried(relative / item->second.name, path.size())) continue;
        Answer found = is_last ? answer(relative / item->second.name, linked)
                               : find_below(relative / item->second.name, path.substr(slash + 1), linked);
        if (found.presence != Presence::absent) best = std::move(found);
    }
    return best;
}

bool FolderLayer::is_inside(const std::filesystem::path& file) const {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(file, error);
    if (error || real_folder_.empty()) return false;
    return std::mismatch(real_folder_.begin(), real_folder_.end(), real.begin(), real.end()).first ==
           real_folder_.end();
}

Answer FolderLayer::answer(const std::filesystem::path& relative, bool by_link) const {
    const std::filesystem::path file = folder_ / relative;
    if (by_link && !is_inside(file)) return {Presence::outside, {}, 0, nullptr};
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return {};
    const auto size = static_cast<std::uint64_t>(status.st_size);
    return {Presence::found,
            {relative.generic_string(), {file, file.generic_string(), 0, size, false}},
            static_cast<std::int64_t>(status.st_mtime),
            nullptr};
}

void FolderLayer::list(const ListVisitor& visit) {
    linked_.clear();
    list_below({}, "", 0, visit);
}

void FolderLayer::list_below(const std::filesystem::path& relative, const std::string& normal, std::size_t depth,
                             const ListVisitor& visit) {
    if (depth > max_folder_depth) return;
    for (const auto& [name, item] : items(relative)) {
        const std::filesystem::path here = relative / item.name;
        if (!item.is_folder) {
            visit(normal + name, answer(here, item.is_link));
            continue;
        }
        if (item.is_link) {
            std::error_code error;
            const auto real = std::filesystem::canonical(folder_ / here, error);
            // Links can make rings, and lead out.
            if (error || !is_inside(folder_ / here) || !linked_.insert(real).second) continue;
        }
        list_below(here, normal + name + "/", depth + 1, visit);
    }
}

// --- catalogs ---

Result<Loaded<std::unique_ptr<CatalogLayer>>> CatalogLayer::open(const std::filesystem::path& file,
                                                                 const Limits& limits) {
    auto index = catalog::read_file(file, {limits});
    if (!index) return fail(std::move(index.error()));
    Loaded<std::unique_ptr<CatalogLayer>> loaded{std::make_unique<CatalogLayer>(), std::move(index->report)};
    CatalogLayer& layer = *loaded.value;
    layer.file_ = file;
    layer.data_ = catalog::data_path(file);
    layer.index_ = std::move(index->value);
    Report report;
    layer.index_paths(report);
    layer.check_data(report);
    report.name_file(file.string());
    loaded.report.append(std::move(report));
    return loaded;
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): what a moved std::unique_ptr held is not lost

void CatalogLayer::index_paths(Report& report) {
    std::string normal;
    hashes_.reserve(index_.entries.size());
    for (std::size_t number = 0; number < index_.entries.size(); ++number) {
        const catalog::Entry& entry = index_.entries[number];
        if (normalize_path(index_.path(entry), normal) && !normal.empty()) {
            hashes_.emplace_back(hash_of_path(normal), static_cast<std::uint32_t>(number));
            continue;
        }
        Diagnostic diagnostic = problem_at(
            {}, codes::path_outside, "this entry's path is absolute or leads out of the folder; the entry is left out",
            std::string(index_.path(entry).substr(0, 100)), "a relative path without steps \"..\"");
        diagnostic.offset = entry.path_offset;
        diagnostic.length = entry.path_size;
        report.add(std::move(diagnostic));
    }
    std::sort(hashes_.begin(), hashes_.end());
    note_duplicates(report);
}

void CatalogLayer::note_duplicates(Report& report) const {
    for (std::size_t place = 1; place < hashes_.size(); ++place) {
        if (hashes_[place - 1].first != hashes_[place].first) continue;
        const catalog::Entry& entry = index_.entries[hashes_[place].second];
        Diagnostic diagnostic = problem_at(std::string(index_.path(entry).substr(0, 200)), codes::catalog_duplicate);
        diagnostic.offset = entry.path_offset;
        diagnostic.length = entry.path_size;
        report.add(std::move(diagnostic));
    }
}

void CatalogLayer::check_data(Report& report) const {
    const std::uint64_t needed = index_.entries.empty() ? 0 : index_.entries.back().offset + index_.entries.back().size;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(data_, error);
    if (needed == 0 || (!error && size >= needed)) return;
    report.add(problem_at({}, codes::catalog_data,
                          error ? "the .dat that belongs to this catalog is not there"
                                : "the .dat that belongs to this catalog is too short; files at its end are missing",
                          error ? data_.string() : std::to_string(size) + " bytes", std::to_string(needed) + " bytes"));
}

Answer CatalogLayer::answer(std::uint32_t number) const {
    const catalog::Entry& entry = index_.entries[number];
    std::string path = with_slashes(index_.path(entry));
    if (entry.size == 0) return {Presence::deleted, {std::move(path), {}}, entry.time, nullptr};
    return {Presence::found,
            {path, {data_, path + " in " + file_.filename().string(), entry.offset, entry.size, true}},
            entry.time,
            &entry.md5};
}

Answer CatalogLayer::find(std::string_view path) const {
    const std::uint64_t hash = hash_of_path(path);
    auto place = std::upper_bound(hashes_.begin(), hashes_.end(), std::pair(hash, UINT32_MAX));
    // Of entries with one path, the last one counts.
    while (place != hashes_.begin() && (--place)->first == hash) {
        if (Answer found = answer_if(place->second, path); found.presence != Presence::absent) return found;
    }
    return {};
}

Answer CatalogLayer::answer_if(std::uint32_t entry, std::string_view path) const {
    std::string normal;
    const bool is_it = normalize_path(index_.path(index_.entries[entry]), normal) && normal == path;
    return is_it ? answer(entry) : Answer{};
}

void CatalogLayer::list(const std::function<void(const std::string& normal, std::uint32_t entry)>& visit) const {
    std::string normal;
    for (std::uint32_t number = 0; number < index_.entries.size(); ++number) {
        if (normalize_path(index_.path(index_.entries[number]), normal) && !normal.empty()) visit(normal, number);
    }
}

const catalog::Entry* CatalogLayer::entry_at(std::uint64_t offset, std::uint64_t size) const noexcept {
    // Offsets rise: they are sums.
    auto entry = std::lower_bound(index_.entries.begin(), index_.entries.end(), offset,
                                  [](const catalog::Entry& one, std::uint64_t wanted) { return one.offset < wanted; });
    for (; entry != index_.entries.end() && entry->offset == offset; ++entry) {
        if (entry->size == size) return &*entry;
    }
    return nullptr;
}

}  // namespace effigy::egosoft
