#include "avatars.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <span>
#include <utility>

#include "effigy/arp_container.hpp"

#include "arp/formats.hpp"

namespace avatars {
namespace {

std::vector<Avatar> load() {
    std::vector<Avatar> found;
    std::vector<std::pair<std::string, effigy::Bytes>> archives;
    std::error_code failed;
    const auto options = std::filesystem::directory_options::follow_directory_symlink |
                         std::filesystem::directory_options::skip_permission_denied;
    for (auto entry = std::filesystem::recursive_directory_iterator(corpus::folder(), options, failed);
         !failed && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failed)) {
        if (!entry->is_regular_file()) continue;
        std::ifstream stream(entry->path(), std::ios::binary);
        std::string text(64, '\0');
        stream.read(text.data(), 64);
        text.resize(static_cast<std::size_t>(stream.gcount()));
        const bool archive = text.starts_with("PK");
        if (!archive && !effigy::arp::looks_like_avatar(std::as_bytes(std::span<const char>(text)))) continue;
        stream.clear();
        stream.seekg(0);
        text.assign(std::istreambuf_iterator<char>(stream), {});
        const auto read = std::as_bytes(std::span<const char>(text));
        effigy::Bytes bytes(read.begin(), read.end());
        std::string name = entry->path().lexically_relative(corpus::folder()).string();
        if (archive) {
            archives.emplace_back(std::move(name), std::move(bytes));
            continue;
        }
        auto loaded = effigy::arp::read(bytes);
        EXPECT_TRUE(loaded) << name << ": " << to_string(loaded.error());
        if (!loaded) continue;
        found.push_back({std::move(name), std::move(bytes), std::move(loaded->value), std::move(loaded->report)});
    }
    for (auto& [name, archive] : archives) {
        auto loaded = effigy::arp::read_container(std::move(archive));
        if (!loaded) continue;  // any ZIP
        effigy::arp::Container& container = loaded->value;
        effigy::Bytes& bytes = container.entries[container.definition].content;
        const auto is_same = [&](const Avatar& avatar) { return avatar.bytes == bytes; };
        if (std::any_of(found.begin(), found.end(), is_same)) continue;
        found.push_back({name, std::move(bytes), std::move(container.avatar), std::move(loaded->report)});
    }
    std::sort(found.begin(), found.end(), [](const Avatar& a, const Avatar& b) { return a.name < b.name; });
    return found;
}

}  // namespace

const std::vector<Avatar>& all() {
    static const std::vector<Avatar> found = load();
    return found;
}

}  // namespace avatars
