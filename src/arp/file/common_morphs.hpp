#pragma once
/// Morph targets that every known avatar has.

#include <array>
#include <string_view>

namespace effigy::arp {

inline constexpr auto common_morphs = std::to_array<std::string_view>(
    {"th",   "fv",   "aaa",  "eee",  "ooo",  "mbp",  "smlc", "smlo", "eylc", "eyrc", "eyls", "eyrs",
     "eywl", "eywr", "llpc", "llpd", "ulpu", "ulpd", "ulpl", "ulpr", "lbrd", "lbru", "rbrd", "rbru",
     "jawd", "jawf", "jawl", "jawr", "jsch", "puff", "lpuf", "pufr", "cgng", "nsfl", "nsps", "nswr",
     "tngl", "tngo", "tngr", "tchn", "dtnl", "tllp", "tulp", "chkr", "kiss", "pout"});

}  // namespace effigy::arp
