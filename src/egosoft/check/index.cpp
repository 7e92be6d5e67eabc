/// A game's index/components.xml: where the component of a name is.

#include "egosoft/check/index.hpp"

#include <utility>

#include "effigy/component.hpp"

#include "egosoft/check/rules.hpp"

namespace effigy::egosoft::checks {

std::string ComponentIndex::path_of(std::string_view name) {
    if (!std::exchange(is_read_, true)) read();
    const auto value = values_.find(lower(name));
    if (value == values_.end()) return {};
    const auto path = normal_path(value->second);
    return path && !path->empty() ? *path + ".xml" : std::string();
}

void ComponentIndex::read() {
    if (files_ == nullptr) return;
    for (const Listed& layer : files_->layers("index/components.xml")) {
        auto text = files_->read(layer.location);
        if (!text) continue;
        const auto index = read_index(std::move(*text), {limits_});
        if (!index) continue;
        for (const IndexEntry& entry : index->value.entries) values_.insert_or_assign(lower(entry.name), entry.value);
    }
}

}  // namespace effigy::egosoft::checks
