/// Rules about parts that borrow the geometry of other components' parts.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effigy/egosoft_codes.hpp"

#include "egosoft/check/part.hpp"
#include "egosoft/check/targets.hpp"

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

}  // namespace

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
