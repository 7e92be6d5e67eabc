/// In which order a game lays its extensions over its own files: by name, but behind their dependencies.

#include "egosoft/game/load_order.hpp"

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "effigy/game_files.hpp"

#include "core/text.hpp"
#include "core/xml.hpp"

namespace effigy::egosoft {

ExtensionContent read_extension_content(const Bytes& text, const Limits& limits) {
    auto reader = XmlReader::open(text, {limits});
    if (!reader || reader->name(reader->root()) != "content") return {};
    ExtensionContent content;
    const auto id = normal_path(reader->root().attribute("id").value());
    if (id && id->find('/') == std::string::npos) content.id = *id;
    for (const pugi::xml_node dependency : reader->root().children("dependency")) {
        std::string other = lower(reader->text(dependency, "id"));
        if (!reader->take_record<std::string>()) break;
        // Without an id it is for the game itself.
        if (!other.empty()) content.dependencies.push_back(std::move(other));
    }
    return content;
}

std::vector<std::size_t> load_order(const std::vector<LoadedExtension>& extensions) {
    std::map<std::string_view, std::size_t> numbers;
    for (std::size_t number = 0; number < extensions.size(); ++number) {
        for (const std::string& name : extensions[number].names) numbers.try_emplace(name, number);
    }
    std::vector<std::set<std::size_t>> waiting_for(extensions.size()), awaited_by(extensions.size());
    std::set<std::size_t> ready, waiting;
    for (std::size_t number = 0; number < extensions.size(); ++number) {
        for (const std::string& name : extensions[number].dependencies) {
            const auto other = numbers.find(name);
            if (other == numbers.end() || other->second == number) continue;
            waiting_for[number].insert(other->second);
            awaited_by[other->second].insert(number);
        }
        (waiting_for[number].empty() ? ready : waiting).insert(number);
    }
    std::vector<std::size_t> order;
    while (!ready.empty() || !waiting.empty()) {
        std::set<std::size_t>& from = ready.empty() ? waiting : ready;
        const std::size_t next = *from.begin();
        from.erase(from.begin());
        order.push_back(next);
        for (const std::size_t other : awaited_by[next]) {
            waiting_for[other].erase(next);
            if (waiting_for[other].empty() && waiting.erase(other) > 0) ready.insert(other);
        }
    }
    return order;
}

}  // namespace effigy::egosoft
