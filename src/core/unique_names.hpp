#pragma once
/// Names that nobody else has: "arm", "arm_2", ...

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/text.hpp"

namespace effigy {

class UniqueNames {
public:
    /// Whether names that differ in nothing but the case of letters are one name, as on some systems.
    enum class Case : bool { counts, is_ignored };

    explicit UniqueNames(Case letters = Case::counts, std::string_view separator = "_")
        : letters_(letters), separator_(separator) {}

    /// `wish` and `ending`, or with a number between them if somebody has that name.
    [[nodiscard]] std::string add(const std::string& wish, std::string_view ending = {}) {
        std::string name = std::string(wish).append(ending);
        std::size_t& number = numbers_.try_emplace(key_of(name), 1).first->second;
        while (!take(name)) name = std::string(wish).append(separator_).append(std::to_string(++number)).append(ending);
        return name;
    }

    /// Whether nobody had the very name.
    bool take(const std::string& name) { return taken_.insert(key_of(name)).second; }

private:
    [[nodiscard]] std::string key_of(const std::string& name) const {
        return letters_ == Case::counts ? name : lower(name);
    }

    Case letters_;
    std::string_view separator_;
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> numbers_;  // the last one tried, so that many alike cost no more
};

}  // namespace effigy
