/// What layers have, listed.

#include "egosoft/game/placed_layer.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace effigy::egosoft {
namespace {

bool is_catalog(FolderLayer& folder, const std::string& path) {
    if (path.ends_with(".cat")) return true;
    if (!path.ends_with(".dat")) return false;
    return folder.find(path.substr(0, path.size() - 3) + "cat").presence == Presence::found;
}

/// What layers have under paths that match, without the strings that say where it is: of half a million files, these
/// would take half a gigabyte.
class LayerMatches {
public:
    LayerMatches(const std::vector<PlacedLayer>& layers, std::string_view pattern)
        : layers_(layers), pattern_(pattern) {
        for (std::uint32_t number = 0; number < layers.size(); ++number) add_layer(number);
        std::sort(found_.begin(), found_.end(), [&](const Match& a, const Match& b) {
            if (const int order = a.path.compare(b.path); order != 0) return order < 0;
            return std::tuple(a.layer, a.counts, a.entry) < std::tuple(b.layer, b.counts, b.entry);
        });
    }

    void visit(const std::function<void(LayerEntry entry)>& visit) {
        for (std::size_t index = 0; index < found_.size(); ++index) {
            const bool is_last = index + 1 == found_.size() || found_[index + 1].path != found_[index].path;
            LayerEntry entry = entry_of(found_[index]);
            entry.overridden = !is_last;
            visit(std::move(entry));
        }
    }

private:
    struct Match {
        std::string_view path;  ///< in the catalog's text where that has it as it is, or in paths_
        std::uint32_t layer;
        std::uint32_t entry;  ///< of the catalog, or in loose_
        bool counts;          ///< of names that differ in case only, one does
    };

    void add_layer(std::uint32_t number) {
        const PlacedLayer& layer = layers_[number];
        if (layer.catalog != nullptr)
            return layer.catalog->list([&](const std::string& normal, std::uint32_t entry) {
                if (matches_below(layer.prefixes.front(), normal)) add_entry(number, entry);
            });
        std::set<std::string> seen;
        layer.list_loose([&](const std::string& normal, Answer answer) {
            if (!is_final(answer) || !matches_below(layer.prefixes.front(), normal)) return;
            const bool counts = layer.folder == nullptr || seen.insert(path_).second;
            found_.push_back({keep_path(), number, static_cast<std::uint32_t>(loose_.size()), counts});
            loose_.push_back(std::move(answer));
        });
    }

    bool matches_below(const std::string& prefix, const std::string& normal) {
        path_.assign(prefix).append(normal);
        return matches(pattern_, path_);
    }

    void add_entry(std::uint32_t layer, std::uint32_t number) {
        const std::string_view path = layers_[layer].catalog->path(number);
        found_.push_back({path == path_ ? path : keep_path(), layer, number, true});
    }

    /// In blocks that stay where they are.
    std::string_view keep_path() {
        constexpr std::size_t block_size = 1 << 16;
        if (paths_.empty() || paths_.back().capacity() - paths_.back().size() < path_.size())
            paths_.emplace_back().reserve(std::max(block_size, path_.size()));
        std::string& block = paths_.back().append(path_);
        return std::string_view(block).substr(block.size() - path_.size());
    }

    LayerEntry entry_of(const Match& match) {
        const PlacedLayer& layer = layers_[match.layer];
        Answer answer = layer.catalog != nullptr ? layer.catalog->answer(match.entry) : std::move(loose_[match.entry]);
        answer.listed.path = layer.prefixes.front() + answer.listed.path;
        LayerEntry entry{std::move(answer.listed), answer.time, {}, {}, answer.presence == Presence::deleted, false};
        if (layer.catalog != nullptr) entry.catalog = layer.catalog->file();
        if (answer.md5 != nullptr) entry.md5 = *answer.md5;
        return entry;
    }

    const std::vector<PlacedLayer>& layers_;
    std::string_view pattern_;
    std::string path_;
    std::deque<std::string> paths_;
    std::vector<Match> found_;
    std::vector<Answer> loose_;
};

}  // namespace

void PlacedLayer::list_loose(const ListVisitor& visit) const {
    for (const auto& [path, listed] : memory) visit(path, {Presence::found, listed, 0, nullptr});
    if (folder == nullptr) return;
    const bool is_game = prefixes.front().empty() && prefixes.size() == 1;
    folder->list([&](const std::string& normal, Answer answer) {
        const bool is_top = normal.find('/') == std::string::npos;
        if (is_top && is_catalog(*folder, normal)) return;
        if (!is_game || extension_of(normal).empty()) visit(normal, std::move(answer));
    });
}

void visit_matches(const std::vector<PlacedLayer>& layers, std::string_view pattern,
                   const std::function<void(LayerEntry entry)>& visit) {
    LayerMatches(layers, pattern).visit(visit);
}

}  // namespace effigy::egosoft
