/// Gathers inputs and all that converting them asks for, as files of a page.

#include "page_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <system_error>

#include "effigy/core_codes.hpp"

#include "common.hpp"
#include "text.hpp"

namespace effigy::app {

namespace {

namespace fs = std::filesystem;

constexpr int deepest = 12;
constexpr std::size_t max_listed = 200'000;

/// As the search for textures goes: links to folders are not followed.
std::vector<std::string> files_below(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error, ignored;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator() && names.size() < max_listed; entry.increment(error)) {
        if (entry.depth() >= deepest) entry.disable_recursion_pending();
        if (entry->is_regular_file(ignored)) names.push_back(entry->path().generic_string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string stem_of_texture(const std::string& name) {
    const std::string file = lower(fs::path(name).filename().string());
    return file.substr(0, file.find('.'));
}

bool is_picture(const std::string& name) {
    constexpr std::array<std::string_view, 7> extensions{".png", ".dds", ".gz", ".tga", ".jpg", ".jpeg", ".webp"};
    return std::find(extensions.begin(), extensions.end(), lower(fs::path(name).extension().string())) !=
           extensions.end();
}

fs::path whole_path(const std::string& name) {
    std::error_code error;
    return fs::absolute(name, error).lexically_normal();
}

fs::path shared_folder(const fs::path& a, const fs::path& b) {
    fs::path shared;
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end() && *left == *right;
         ++left, ++right)
        shared /= *left;
    return shared;
}

std::string free_name(const std::string& name, const std::set<std::string>& taken) {
    std::string unused = name;
    for (int number = 2; taken.contains(unused); ++number) {
        const fs::path path(name);
        unused =
            (path.parent_path() / (path.stem().string() + "-" + std::to_string(number) + path.extension().string()))
                .generic_string();
    }
    return unused;
}

Diagnostic no_file(const std::string& name, const char* message) {
    return make_finding(codes::file_missing, name, message);
}

}  // namespace

bool lies_in(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

FileRecorder::FileRecorder(std::vector<fs::path> searched, std::vector<fs::path> roots, fs::path within)
    : folders_(std::move(searched)), roots_(std::move(roots)), within_(std::move(within)) {}

void FileRecorder::give_to(ConvertOptions& options) {
    options.files.read = [this](const std::string& name) { return read(name); };
    options.files.list = [this] { return list(); };
    options.from_game = [this](const std::string& place, std::span<const std::byte> bytes) {
        from_game_.push_back(place);
        keep(place, Bytes(bytes.begin(), bytes.end()));
    };
}

void FileRecorder::keep(const std::string& name, Bytes bytes) {
    const auto [kept, is_new] = files_.try_emplace(name);
    if (!is_new) return;
    size_ += bytes.size();
    if (size_ > max_page_files && too_much_.empty()) too_much_ = name;
    if (too_much_.empty()) kept->second = std::move(bytes);
}

Result<Bytes> FileRecorder::read(const std::string& name) {
    if (const auto kept = files_.find(name); kept != files_.end()) return kept->second;
    std::error_code error;
    if (!fs::is_regular_file(name, error)) return fail(no_file(name, "there is no such file"));
    const fs::path real = within_.empty() ? fs::path(name) : fs::canonical(name, error);
    if (error || (!within_.empty() && !lies_in(real, within_)))
        return fail(make_finding(codes::input_open, name, "this file does not lie in the folder that is shown"));
    const std::uint64_t size = fs::file_size(name, error);
    if (error || size > max_page_files - std::min(size_, max_page_files)) {
        if (too_much_.empty()) too_much_ = name;
        return fail(make_finding(codes::limit_memory, name, "this file is too large for a page"));
    }
    Bytes bytes(static_cast<std::size_t>(size));
    std::ifstream stream(real, std::ios::binary);
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
        return fail(make_finding(codes::input_open, name, "the file cannot be read"));
    keep(name, bytes);
    return bytes;
}

std::vector<std::string> FileRecorder::list() const {
    std::vector<std::string> names;
    std::set<std::string> seen, known;
    for (const fs::path& folder : folders_) {
        std::set<std::string> stems;
        for (std::string& name : files_below(folder)) {
            const std::string stem = stem_of_texture(name);
            // Of textures that are called alike, those of the first folder count.
            if ((is_picture(name) && seen.contains(stem)) || !known.insert(whole_path(name).string()).second) continue;
            if (is_picture(name)) stems.insert(stem);
            names.push_back(std::move(name));
        }
        seen.merge(stems);
    }
    for (const fs::path& root : roots_) {
        for (std::string& name : files_below(root)) {
            if (known.insert(whole_path(name).string()).second) names.push_back(std::move(name));
        }
    }
    return names;
}

bool FileRecorder::has_read(const std::string& file) const {
    return std::any_of(files_.begin(), files_.end(), [&](const auto& kept) { return is_same_file(kept.first, file); });
}

std::vector<PageFile> FileRecorder::take(const std::vector<std::string>& inputs, bool keeps_places) {
    fs::path base;
    const auto widen = [&](const std::string& name) {
        const fs::path folder = whole_path(name).parent_path();
        base = base.empty() ? folder : shared_folder(base, folder);
    };
    for (const std::string& name : inputs) widen(name);
    for (const std::string& name : from_game_) widen(name);
    for (const auto& [name, bytes] : files_) {
        if (keeps_places) widen(name);
    }
    std::set<std::string> taken;
    std::vector<PageFile> files;
    const auto add = [&](const std::string& name, bool is_input) {
        const auto kept = files_.find(name);
        if (kept == files_.end() || names_.contains(name)) return;
        const fs::path path = whole_path(name);
        std::string called = lies_in(path, base) ? path.lexically_relative(base).generic_string()
                                                 : "beside/" + path.filename().generic_string();
        called = free_name(called, taken);
        taken.insert(called);
        names_.emplace(name, called);
        files.push_back({called, std::move(kept->second), is_input});
    };
    names_.clear();
    for (const std::string& name : inputs) add(name, true);
    for (const auto& [name, bytes] : files_) add(name, false);
    files_.clear();
    return files;
}

std::string FileRecorder::name_in_page(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
}

}  // namespace effigy::app
