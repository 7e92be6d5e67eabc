/// Texture files by the names that materials use.

#include <algorithm>
#include <array>
#include <system_error>
#include <tuple>
#include <utility>

#include "effigy/image.hpp"

#include "core/text.hpp"

namespace effigy::image {

namespace {

namespace fs = std::filesystem;

// A folder of textures, not a whole disk.
constexpr std::size_t max_files = 1'000'000;
constexpr int deepest_folder = 32;

// In the order of preference.
constexpr std::array<std::string_view, 7> readable{"png", "dds", "gz", "tga", "jpg", "jpeg", "webp"};
// Materials also name the artist's own file, from which the game's one was made.
constexpr std::array<std::string_view, 6> others{"bmp", "psd", "tif", "tiff", "gif", "xcf"};

template <std::size_t size>
std::size_t rank_in(const std::array<std::string_view, size>& extensions, std::string_view extension) noexcept {
    return static_cast<std::size_t>(std::find(extensions.begin(), extensions.end(), extension) - extensions.begin());
}

struct Name {
    std::string stem;
    std::string extension;
};

// "x.tga" becomes "x" and "tga" is returned; nothing happens to "a.b", since no image has that extension.
std::string cut_extension(std::string& name) {
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string::npos) return {};
    std::string extension = name.substr(dot + 1);
    if (rank_in(readable, extension) == readable.size() && rank_in(others, extension) == others.size()) return {};
    name.resize(dot);
    return extension;
}

// "gfx\Anims\X.TGA" is "x" and "tga", "x.dds.gz" is "x" and "gz"; "a.b" has no extension, since no image has that one.
Name split(std::string_view text) {
    const std::size_t slash = text.find_last_of("/\\");
    if (slash != std::string_view::npos) text.remove_prefix(slash + 1);
    Name name{lower(text), {}};
    name.extension = cut_extension(name.stem);
    if (name.extension == "gz") cut_extension(name.stem);
    return name;
}

std::string utf8_of(const fs::path& path) {
    const std::u8string text = path.generic_u8string();
    return {text.begin(), text.end()};
}

struct Folder {
    fs::path path;
    int depth;
};

std::vector<fs::directory_entry> list(const fs::path& folder, std::size_t most) {
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && entry != fs::directory_iterator() && entries.size() < most) {
        entries.push_back(*entry);
        entry.increment(error);
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& left, const auto& right) { return left.path() < right.path(); });
    return entries;
}

// Links to folders are not followed, so that none leads around in a circle.
std::vector<fs::path> files_below(const fs::path& root) {
    std::vector<fs::path> files;
    std::vector<Folder> open{{root, 0}};
    std::size_t seen = 0;
    while (!open.empty() && seen < max_files) {
        const Folder folder = std::move(open.back());
        open.pop_back();
        for (const fs::directory_entry& entry : list(folder.path, max_files - seen)) {
            ++seen;
            std::error_code error;
            if (fs::is_directory(entry.symlink_status(error))) {
                if (folder.depth < deepest_folder) open.push_back({entry.path(), folder.depth + 1});
            } else if (entry.is_regular_file(error)) {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Takes the last part off a path with slashes; empty where there is none.
std::string_view cut_last(std::string_view& path) noexcept {
    while (path.ends_with('/')) path.remove_suffix(1);
    const std::size_t slash = path.find_last_of('/');
    const std::string_view part = slash == std::string_view::npos ? path : path.substr(slash + 1);
    path.remove_suffix(part.size());
    return part;
}

// How many folders of a file are as in the name that was asked for, from the file outwards.
std::size_t folders_alike(std::string_view path, std::string_view wanted) noexcept {
    cut_last(path);
    cut_last(wanted);
    std::size_t alike = 0;
    for (std::string_view folder = cut_last(path); !folder.empty() && folder == cut_last(wanted);
         folder = cut_last(path))
        ++alike;
    return alike;
}

// In lower case, with slashes, without "." and "..".
std::string place_of(const std::string& path) {
    return lower(utf8_of(fs::path(path_with_slashes(path)).lexically_normal()));
}

struct ByStem {
    template <class Entry>
    bool operator()(const Entry& entry, const std::string& stem) const noexcept {
        return entry.stem < stem;
    }
    template <class Entry>
    bool operator()(const std::string& stem, const Entry& entry) const noexcept {
        return stem < entry.stem;
    }
};

}  // namespace

Library::Library(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

Library Library::of_names(const std::vector<std::string>& names) {
    Library library({});
    for (const std::string& name : names) library.add(name, 0, 0, {});
    library.sort();
    return library;
}

void Library::add(fs::path path, std::size_t folder, std::size_t root, const std::string& root_place) const {
    Name name = split(utf8_of(path.filename()));
    if (rank_in(readable, name.extension) == readable.size()) return;
    const std::string below = lower(path_with_slashes(utf8_of(path).substr(root)));
    const auto depth = static_cast<std::size_t>(std::count(below.begin(), below.end(), '/'));
    entries_.push_back(
        {std::move(name.stem), std::move(name.extension), std::move(path), folder, root_place + below, depth});
}

void Library::scan() const {
    for (std::size_t folder = 0; folder < folders_.size(); ++folder) {
        std::error_code error;
        const std::size_t root = utf8_of(folders_[folder]).size();
        const std::string root_place = place_of(utf8_of(fs::absolute(folders_[folder], error))) + "/";
        for (fs::path& path : files_below(folders_[folder])) add(std::move(path), folder, root, root_place);
    }
    sort();
}

void Library::sort() const {
    // Stable: among files of one stem, the order of folders and paths stays.
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& left, const Entry& right) { return left.stem < right.stem; });
    scanned_ = true;
}

std::filesystem::path Library::find(std::string_view text) const {
    const Name name = split(text);
    if (name.stem.empty()) return {};
    if (!scanned_) scan();
    const auto [begin, end] = std::equal_range(entries_.begin(), entries_.end(), name.stem, ByStem{});
    if (begin == end) return {};
    const std::size_t folder = begin->folder;
    const auto last = std::find_if(begin, end, [&](const Entry& entry) { return entry.folder != folder; });
    if (last - begin == 1) return begin->path;

    const std::string wanted = place_of(std::string(text));
    const std::size_t most = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), '/'));
    const auto rank = [&](const Entry& entry) {
        const std::size_t kind = entry.extension == name.extension ? 0 : 1 + rank_in(readable, entry.extension);
        return std::tuple(most - folders_alike(entry.place, wanted), entry.depth, kind);
    };
    return std::min_element(begin, last, [&](const Entry& one, const Entry& other) { return rank(one) < rank(other); })
        ->path;
}

}  // namespace effigy::image
