/// Components that parts and connections refer to, looked up in the mod and the game.

#include "egosoft/check/targets.hpp"

#include <cstddef>
#include <utility>

#include "effigy/game_files.hpp"

#include "egosoft/check/rules.hpp"

namespace effigy::egosoft::checks {

namespace {

void add_components(const ComponentFile& file, std::map<std::string, Target>& targets) {
    for (const Component& component : file.components) {
        Target& target = targets[lower(component.name)];
        target.lookup = Lookup::yes;
        for (const Connection& connection : component.connections) {
            for (const Part& part : connection.parts) target.parts.try_emplace(lower(part.name), part.reference);
        }
    }
}

}  // namespace

Targets::Targets(const ComponentFile& own, const Scope& scope, ComponentIndex& index, const Limits& limits)
    : scope_(scope), index_(index), limits_(limits) {
    add_components(own, known_);
}

const Target& Targets::find(const std::string& name) {
    const auto [entry, is_new] = known_.try_emplace(name);
    if (is_new) look_up(name, entry->second);
    return entry->second;
}

void Targets::look_up(const std::string& name, Target& target) {
    constexpr std::size_t most = 10'000;
    if (scope_.files == nullptr || files_.size() > most) return;
    std::string path = index_.path_of(name);
    if (path.empty()) return;
    if (!scope_.files->find(path)) {
        target.lookup = Lookup::dangling;
    } else {
        const Components& components = read(path);
        const auto component = components.find(name);
        if (component != components.end()) target = component->second;
        if (component == components.end()) target.lookup = Lookup::unreadable;
    }
    target.path = std::move(path);
}

const Targets::Components& Targets::read(const std::string& path) {
    const auto [file, is_new] = files_.try_emplace(path);
    if (!is_new) return file->second;
    auto text = scope_.files->read(path);
    if (!text) return file->second;
    const auto loaded = read_components(std::move(*text), {limits_});
    if (loaded) add_components(loaded->value, file->second);
    return file->second;
}

}  // namespace effigy::egosoft::checks
