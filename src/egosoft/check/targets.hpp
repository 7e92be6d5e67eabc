#pragma once
/// The components that parts borrow from.

#include <cstdint>
#include <map>
#include <string>

#include "effigy/component.hpp"
#include "effigy/options.hpp"

#include "egosoft/check/index.hpp"
#include "egosoft/check/scope.hpp"

namespace effigy::egosoft::checks {

enum class Lookup : std::uint8_t {
    yes,
    unreadable,  ///< there, and nothing is known of its parts
    outside,     ///< no index among the files names it
    dangling,    ///< an index names a file that is not there
};

struct Target {
    Lookup lookup = Lookup::outside;
    std::string path;
    std::map<std::string, std::string> parts;  ///< what each part, in lower case, borrows
};

/// Components by name; each is looked up once, and each file read once.
class Targets {
public:
    Targets(const ComponentFile& own, const Scope& scope, ComponentIndex& index, const Limits& limits);

    /// `name`: in lower case.
    [[nodiscard]] const Target& find(const std::string& name);

private:
    using Components = std::map<std::string, Target>;  ///< by name in lower case

    void look_up(const std::string& name, Target& target);
    [[nodiscard]] const Components& read(const std::string& path);

    const Scope& scope_;
    ComponentIndex& index_;
    Limits limits_;
    Components known_;
    std::map<std::string, Components> files_;  ///< by path
};

}  // namespace effigy::egosoft::checks
