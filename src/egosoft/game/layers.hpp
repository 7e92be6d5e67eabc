#pragma once
/// One layer of a game's files: a folder or a catalog, seen under some prefixes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/catalog.hpp"
#include "effigy/game_files.hpp"

namespace effigy::egosoft {

enum class Presence : std::uint8_t {
    absent,
    found,
    deleted,  ///< and layers below do not count
    outside,  ///< there, but behind a link that leaves the root
};

struct Answer {
    Presence presence = Presence::absent;
    Listed listed{};
    std::int64_t time = 0;
    const catalog::Md5* md5 = nullptr;  ///< as long as the layer lives
};

using ListVisitor = std::function<void(const std::string& normal, Answer answer)>;

/// The files in a folder. Folders are read when they are first asked for.
class FolderLayer {
public:
    explicit FolderLayer(std::filesystem::path folder);

    /// `path` is normal.
    [[nodiscard]] Answer find(std::string_view path);
    /// Every file, in the order of their normal paths.
    void list(const ListVisitor& visit);

private:
    struct Item {
        std::filesystem::path name;
        bool is_folder = false;
        bool is_link = false;
    };
    using Items = std::multimap<std::string, Item, std::less<>>;  ///< by name in lower case, then in order of names

    [[nodiscard]] const Items& items(const std::filesystem::path& relative);
    [[nodiscard]] Answer find_below(const std::filesystem::path& relative, std::string_view path, bool by_link);
    /// False if another link has led to the same folder with as much of the path left: many links to one folder, under
    /// names that differ in case only, are as many ways as there are paths through them.
    [[nodiscard]] bool is_untried(const std::filesystem::path& link, std::size_t left);
    void list_below(const std::filesystem::path& relative, const std::string& normal, std::size_t depth,
                    const ListVisitor& visit);
    [[nodiscard]] Answer answer(const std::filesystem::path& relative, bool by_link) const;
    [[nodiscard]] bool is_inside(const std::filesystem::path& file) const;

    std::filesystem::path folder_, real_folder_;
    std::map<std::filesystem::path, Items> cache_;
    std::set<std::pair<std::filesystem::path, std::size_t>> tried_;  ///< by links while finding
    std::set<std::filesystem::path> linked_;                         ///< folders that links led to while listing
};

/// The files in a catalog.
class CatalogLayer {
public:
    /// Findings are odd lines, unsafe paths, a .dat that is missing or too short.
    [[nodiscard]] static Result<Loaded<std::unique_ptr<CatalogLayer>>> open(const std::filesystem::path& file,
                                                                            const Limits& limits);

    [[nodiscard]] Answer find(std::string_view path) const;
    /// Of all entries with safe paths: hash_of_path() of the normal path, and the entry's number. Sorted.
    [[nodiscard]] const std::vector<std::pair<std::uint64_t, std::uint32_t>>& hashes() const noexcept {
        return hashes_;
    }
    [[nodiscard]] std::string_view path(std::uint32_t entry) const noexcept {
        return index_.path(index_.entries[entry]);
    }
    [[nodiscard]] Answer answer(std::uint32_t entry) const;
    /// Nothing where the entry has another path.
    [[nodiscard]] Answer answer_if(std::uint32_t entry, std::string_view path) const;
    /// The numbers of all entries with safe paths.
    void list(const std::function<void(const std::string& normal, std::uint32_t entry)>& visit) const;
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
    [[nodiscard]] const std::filesystem::path& data() const noexcept { return data_; }
    /// The entry whose bytes stand there, or null.
    [[nodiscard]] const catalog::Entry* entry_at(std::uint64_t offset, std::uint64_t size) const noexcept;

private:
    void index_paths(Report& report);
    void note_duplicates(Report& report) const;
    void check_data(Report& report) const;

    std::filesystem::path file_, data_;
    catalog::Index index_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes_;  ///< of normal paths, with the entry
};

inline constexpr std::size_t max_path_size = 4096;

[[nodiscard]] std::uint64_t hash_of_path(std::string_view path) noexcept;

/// The files that may hold what an index or a user looks for under one path, the one that counts first: a mod's own in
/// place of the game's, below it the game's, as a mod's may hold only changes to that.
[[nodiscard]] std::vector<Location> layered_files(const GameFiles& files, std::string_view path);
/// A plain file as a whole.
[[nodiscard]] Result<Bytes> read_plain(const std::filesystem::path& path, const Limits& limits);
/// As normal_path(), into a string that is used again for many paths.
[[nodiscard]] bool normalize_path(std::string_view path, std::string& normal);

inline constexpr std::string_view extensions_folder = "extensions/";
/// "mod" of "extensions/mod/assets/x/y", or nothing. `path` is a normal one.
[[nodiscard]] std::string_view extension_of(std::string_view path) noexcept;
/// "assets/x" of "assets/x/y"; nothing of a path without a folder.
[[nodiscard]] constexpr std::string_view folder_of(std::string_view path) noexcept {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}
/// "assets/x/y" of "extensions/mod/assets/x/y"; other paths as they are.
[[nodiscard]] std::string_view without_extension_folder(std::string_view path) noexcept;

}  // namespace effigy::egosoft
