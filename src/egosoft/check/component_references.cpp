/// Rules about parts that borrow the geometry of other components' parts, which are looked up in the mod and the game.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/component.hpp"
#include "egosoft/game/changed.hpp"
#include "egosoft/game/layers.hpp"

namespace effigy::egosoft::checks {

namespace {

struct Reference {
    std::string component, part;  ///< lower case
};

std::optional<Reference> parse(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == 0 || dot == std::string_view::npos || dot + 1 == text.size()) return std::nullopt;
    return Reference{lower(text.substr(0, dot)), lower(text.substr(dot + 1))};
}

/// Whether chains of loans ever end; what one chain has shown is known for all that run into it.
class Chains {
public:
    explicit Chains(Targets& targets) : targets_(&targets) {}

    bool ends(const std::string& text) {
        std::vector<std::string> path;
        std::string at = lower(text);
        while (!at.empty() && known_.emplace(at, false).second) {
            path.push_back(at);
            at = lower(next(at));
        }
        // What is on the path itself counts as endless until the end is seen.
        const bool result = at.empty() || known_.at(at);
        for (const std::string& step : path) known_[step] = result;
        return result;
    }

private:
    std::string next(const std::string& at) {
        const std::optional<Reference> reference = parse(at);
        if (!reference) return {};
        const Target& target = targets_->find(reference->component);
        const auto part = target.parts.find(reference->part);
        return part == target.parts.end() ? std::string() : part->second;
    }

    Targets* targets_;
    std::map<std::string, bool> known_;
};

void add_components(const ComponentFile& file, std::map<std::string, Target>& targets) {
    for (const Component& component : file.components) {
        const auto [entry, is_new] = targets.try_emplace(lower(component.name));
        Target& target = entry->second;
        target.lookup = Lookup::yes;
        if (is_new) target.class_name = component.class_name;
        for (const Connection& connection : component.connections) {
            if (is_new) target.connections.insert(lower(connection.name));
            for (const Part& part : connection.parts) target.parts.try_emplace(lower(part.name), part.reference);
        }
    }
}

}  // namespace

Targets::Targets(const ComponentFile& own, const Scope& scope, const Limits& limits) : scope_(scope), limits_(limits) {
    add_components(own, known_);
}

const Target& Targets::find(const std::string& name) {
    const auto [entry, is_new] = known_.try_emplace(name);
    if (is_new) look_up(name, entry->second);
    return entry->second;
}

void Targets::look_up(const std::string& name, Target& target) {
    if (scope_.files == nullptr) return;
    std::string path = find_component(*scope_.files, name);
    if (path.empty()) return;
    const std::vector<Location> files = layered_files(*scope_.files, path);
    target.lookup = files.empty() ? Lookup::dangling : Lookup::unreadable;
    if (const auto changed = changed_file(*scope_.files, path, limits_)) {
        const auto loaded = read_changed(*scope_.files, *changed, limits_);
        Components components;
        if (loaded) add_components(loaded->value.file, components);
        if (const auto component = components.find(name); component != components.end()) {
            target = std::move(component->second);
            target.path = std::move(path);
            return;
        }
    }
    for (const Location& file : files) {
        const Components& components = read(file);
        const auto component = components.find(name);
        if (component == components.end()) continue;
        target = component->second;
        break;
    }
    target.path = std::move(path);
}

const Targets::Components& Targets::read(const Location& location) {
    // Nearly all files have one component, which is known from then on.
    constexpr std::size_t max_files = 1000;
    const std::string key = location.file.string() + ":" + std::to_string(location.offset);
    if (const auto known = files_.find(key); known != files_.end()) return known->second;
    if (files_.size() >= max_files) files_.clear();
    Components& components = files_[key];
    auto text = scope_.files->read(location);
    if (!text) return components;
    const auto loaded = read_components(std::move(*text), {limits_});
    if (loaded) add_components(loaded->value, components);
    return components;
}

void check_references(ComponentCheck& check) {
    Targets& targets = check.targets;
    Chains chains(targets);
    std::set<std::string> unresolved;
    for (const PlacedPart& part : check.parts) {
        const std::string& text = part.part->reference;
        if (text.empty()) continue;
        const std::optional<Reference> reference = parse(text);
        if (!reference) {
            check.findings.add(codes::reference_form, part.place, text, "component.part");
            continue;
        }
        const Target& target = targets.find(reference->component);
        if (target.lookup == Lookup::yes && !target.parts.contains(reference->part)) {
            check.findings.add(codes::reference_part_missing, part.place, text, "a part of " + reference->component);
        } else if (target.lookup == Lookup::dangling) {
            check.findings.add(codes::reference_component_missing, part.place, text, target.path);
        } else if (target.lookup == Lookup::outside && check.scope.game) {
            check.findings.add(codes::reference_component_missing, part.place, text, "a component that an index names");
        } else if (target.lookup == Lookup::outside) {
            unresolved.insert(text);
        } else if (!chains.ends(text)) {
            check.findings.add(codes::reference_cycle, part.place, text);
        }
    }
    if (unresolved.empty()) return;
    check.findings.add(codes::reference_unresolved, check.place,
                       listed({unresolved.begin(), unresolved.end()}, "reference"));
}

}  // namespace effigy::egosoft::checks
