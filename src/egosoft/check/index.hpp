#pragma once
/// The components that the game and its extensions know by name.

#include <map>
#include <string>
#include <string_view>

#include "effigy/game_files.hpp"
#include "effigy/options.hpp"

namespace effigy::egosoft::checks {

/// As find_component(), for many names: the indexes are read once, when the first name is asked for.
class ComponentIndex {
public:
    ComponentIndex(const GameFiles* files, const Limits& limits) : files_(files), limits_(limits) {}
    /// The path of the component's file, or nothing.
    [[nodiscard]] std::string path_of(std::string_view name);

private:
    void read();

    const GameFiles* files_;
    Limits limits_;
    bool is_read_ = false;
    std::map<std::string, std::string> values_;  ///< by name in lower case
};

}  // namespace effigy::egosoft::checks
