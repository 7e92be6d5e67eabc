#pragma once
/// Names as OBJ can hold them.

#include <string>
#include <string_view>

#include "core/unique_names.hpp"

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
    [[nodiscard]] std::string add(std::string_view name, std::string_view fallback) {
        return names_.add(one_word(name.empty() ? fallback : name));
    }

private:
    UniqueNames names_;
};

}  // namespace effigy::obj
