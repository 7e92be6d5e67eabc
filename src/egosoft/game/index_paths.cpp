/// Indices of the game and its extensions laid over one another.

#include "egosoft/game/index_paths.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "effigy/component.hpp"

#include "core/text.hpp"

namespace effigy::egosoft {
namespace {

/// Lays a file of the index over those before it. A condition is asked once for all that is in its change.
void lay_over(IndexPaths& paths, const std::vector<IndexEntry>& entries) {
    std::uint64_t change = 0;
    bool applies = true;
    for (const IndexEntry& entry : entries) {
        if (entry.change != change) {
            change = entry.change;
            const auto there = entry.condition ? paths.find(lower(entry.condition->entry)) : paths.end();
            const bool is_there = there != paths.end() && !there->second.empty();
            applies = !entry.condition || is_there != entry.condition->is_negated;
        }
        if (applies) paths.insert_or_assign(lower(entry.name), entry.value);
    }
}

}  // namespace

IndexPaths read_paths(const GameFiles& files, std::string_view path, const Limits& limits) {
    IndexPaths paths;
    for (const Listed& layer : files.layers(path)) {
        auto bytes = files.read(layer.location);
        const auto index =
            bytes ? read_index(std::move(*bytes), {limits}) : Result<Loaded<IndexFile>>(fail(std::move(bytes.error())));
        if (index) lay_over(paths, index->value.entries);
    }
    return paths;
}

std::string path_in(const IndexPaths& paths, std::string_view name) {
    const auto found = paths.find(lower(name));
    const auto path = found != paths.end() ? normal_path(found->second) : std::nullopt;
    return !path || path->empty() ? std::string() : *path + ".xml";
}

}  // namespace effigy::egosoft
