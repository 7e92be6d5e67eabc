#pragma once
/// Names as OBJ can hold them.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace effigy::obj {

/// The name as one word that stays in its line: spaces, control characters, "#" (a comment) and "\" (the line goes on)
/// become "_".
[[nodiscard]] inline std::string one_word(std::string_view name) {
    std::string word(name);
    for (char& c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte == 0x7f || c == '#' || c == '\\') c = '_';
    }
    return word;
}

/// Gives each a name of its own: "arm", "arm_2", ...
class UniqueWords {
public:
    [[nodiscard]] std::string add(std::string_view name, std::string_view otherwise) {
        const std::string wanted = one_word(name.empty() ? otherwise : name);
        std::string word = wanted;
        std::size_t& number = numbers_.try_emplace(wanted, 1).first->second;
        while (!taken_.insert(word).second) word = wanted + "_" + std::to_string(++number);
        return word;
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::size_t> numbers_;  // the last one tried, so that many alike cost no more than others
};

}  // namespace effigy::obj
