#pragma once
/// Names of bones, morph targets and files.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "effigy/arp.hpp"

#include "core/text.hpp"

namespace effigy::arp {

/// Those that every known avatar has.
inline constexpr auto common_morphs = std::to_array<std::string_view>(
    {"th",   "fv",   "aaa",  "eee",  "ooo",  "mbp",  "smlc", "smlo", "eylc", "eyrc", "eyls", "eyrs",
     "eywl", "eywr", "llpc", "llpd", "ulpu", "ulpd", "ulpl", "ulpr", "lbrd", "lbru", "rbrd", "rbru",
     "jawd", "jawf", "jawl", "jawr", "jsch", "puff", "lpuf", "pufr", "cgng", "nsfl", "nsps", "nswr",
     "tngl", "tngo", "tngr", "tchn", "dtnl", "tllp", "tulp", "chkr", "kiss", "pout"});

/// Arms, which players twist: they divide by their lengths.
inline constexpr std::array<std::string_view, 4> twisted_arms{"LUPA", "RUPA", "LLRA", "RLRA"};
[[nodiscard]] inline bool is_twisted_arm(std::string_view bone) noexcept {
    return std::ranges::find(twisted_arms, bone) != twisted_arms.end();
}
[[nodiscard]] inline bool is_forearm(std::string_view bone) noexcept { return bone == "LLRA" || bone == "RLRA"; }

using BonesByName = std::unordered_map<std::string_view, std::uint32_t>;

/// Of bones that share a name, the first.
[[nodiscard]] inline BonesByName bones_by_name(const File& file) {
    BonesByName names;
    names.reserve(file.bones.size());
    for (std::size_t k = 0; k < file.bones.size(); ++k)
        names.emplace(up_to_nul(file.bones[k].name), static_cast<std::uint32_t>(k));
    return names;
}

[[nodiscard]] inline std::string_view without_folder(std::string_view name) noexcept {
    return name.substr(name.find_last_of("/\\") + 1);
}

/// Of the folder in an archive, which is called as the archive, and of the texture in it: ASCII, as the format has it.
[[nodiscard]] inline std::string folder_name(std::string_view name) {
    std::string whole(name);  // with a byte for each character
    std::erase_if(whole, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
    std::string folder = plain_text(std::string_view(whole).substr(0, 64), "-_. ");
    folder.erase(0, folder.find_first_not_of('.'));
    while (folder.ends_with('.')) folder.pop_back();
    return folder.empty() ? "avatar" : folder;
}

}  // namespace effigy::arp
