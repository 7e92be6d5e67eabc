#pragma once
/// One damage for each rule over several files.

#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "egosoft/check_mod_folder.hpp"

namespace effigy::test {

struct Case {
    std::string code;
    std::function<void(ModFiles&)> damage;
    bool game = false;             ///< with a game whose folder holds nothing that matters
    std::set<std::string> also{};  ///< what the damage cannot help but cause as well
    std::function<void(const std::filesystem::path&)> damage_folder{};
    std::string folder = "unpacked";  ///< that the mod is written to

    /// With a second damage.
    [[nodiscard]] Case with(std::function<void(ModFiles&)> more) &&;
    [[nodiscard]] Case causing(std::set<std::string> more) &&;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.code; }
};

[[nodiscard]] std::vector<Case> check_cases();

}  // namespace effigy::test
