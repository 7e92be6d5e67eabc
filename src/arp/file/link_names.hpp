#pragma once
/// The names of bones that points hang on, each once: hundreds of thousands of links have the same few.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace effigy::arp {

class LinkNames {
public:
    /// In memory, besides its text: in the list, which grows by doubling, and to be found again.
    static constexpr std::uint64_t size_of_name = 4 * sizeof(std::string) + 64;

    std::string text;  ///< the name that was read last

    /// The place of `text` in `names`, to which it is added if it is new.
    [[nodiscard]] std::uint32_t place(std::vector<std::string>& names) {
        if (text.size() != 4) return look_up(names);
        std::uint32_t letters = 0;
        std::memcpy(&letters, text.data(), 4);
        Recent& recent = recent_[letters * 2654435761u >> 24];
        if (!recent.known || recent.letters != letters) recent = {letters, look_up(names), true};
        return recent.place;
    }

private:
    struct Recent {
        std::uint32_t letters, place;
        bool known;
    };

    [[nodiscard]] std::uint32_t look_up(std::vector<std::string>& names) {
        const auto [found, is_new] = places_.try_emplace(text, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(text);
        return found->second;
    }

    std::array<Recent, 256> recent_{};
    std::unordered_map<std::string, std::uint32_t> places_;
};

}  // namespace effigy::arp
