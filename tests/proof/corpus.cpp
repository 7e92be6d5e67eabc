#include "proof/corpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace corpus {
namespace {

std::vector<File> load() {
    std::vector<File> found;
    std::error_code failed;
    const auto options = std::filesystem::directory_options::follow_directory_symlink |
                         std::filesystem::directory_options::skip_permission_denied;
    for (auto entry = std::filesystem::recursive_directory_iterator(folder(), options, failed);
         !failed && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failed)) {
        if (!entry->is_regular_file()) continue;
        std::ifstream stream(entry->path(), std::ios::binary);
        std::string magic(4, '\0');
        if (!stream.read(magic.data(), 4) || (magic != "XAC " && magic != "XSM " && magic != "XPM ")) continue;
        stream.seekg(0);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        File& file = found.emplace_back();
        file.path = entry->path().lexically_relative(folder());
        file.magic = magic;
        file.bytes.resize(text.size());
        std::ranges::transform(text, file.bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    }
    std::ranges::sort(found, {}, &File::path);
    return found;
}

}  // namespace

std::filesystem::path folder() {
    const char* named = std::getenv("EFFIGY_CORPUS");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named)
                                              : std::filesystem::path(EFFIGY_SOURCE_DIR) / "../shared/samples";
}

const std::vector<File>& files() {
    static const std::vector<File> all = load();
    return all;
}

std::vector<const File*> files_of(const std::string& magic) {
    std::vector<const File*> some;
    for (const File& file : files())
        if (file.magic == magic) some.push_back(&file);
    return some;
}

std::string missing() {
    if (!files().empty()) return {};
    return "no XAC, XSM or XPM file in " + folder().string() + " (EFFIGY_CORPUS names another folder)";
}

}  // namespace corpus
