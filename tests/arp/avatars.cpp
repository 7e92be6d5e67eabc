/// Finds the real avatars.

#include "avatars.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

#include "effigy/arp_container.hpp"

#include "arp/file/formats.hpp"

namespace avatars {
namespace {

std::vector<Avatar> load() {
    std::vector<Avatar> found;
    std::vector<std::pair<std::string, effigy::Bytes>> archives;
    for (const std::filesystem::path& path : corpus::paths()) {
        const effigy::Bytes head = corpus::head_of(path);
        const bool archive = head.size() > 1 && head[0] == std::byte{'P'} && head[1] == std::byte{'K'};
        if (!archive && !effigy::arp::looks_like_avatar(head)) continue;
        effigy::Bytes bytes = corpus::bytes_of(path);
        std::string name = corpus::name_of(path);
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
