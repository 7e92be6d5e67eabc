#pragma once
/// Sound and lying files of every format, and how thoroughly each of them is damaged.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hostile/harness.hpp"

namespace effigy::harness {

/// A wrong value of a byte: this one, or its own with these bits turned over.
struct Wrong {
    std::uint8_t bits = 0;
    bool flips = false;
    [[nodiscard]] std::byte of(std::byte right) const noexcept {
        return flips ? right ^ std::byte{bits} : std::byte{bits};
    }
};

struct Sample {
    std::string name;  ///< letters, digits and underscores
    Demands demands;
    Bytes bytes;
    std::vector<Wrong> wrongs{{0xff}, {1, true}, {0}, {0x80, true}};
    std::size_t wrong_scenes = 2;   ///< how many of these, from the first, become a scene; the first one is dumped
    std::size_t dense = 0;          ///< bytes from the start that take all of these, those behind it the first two
    std::size_t dump_every = 1;     ///< of how many places that a file is cut or damaged at one is dumped as well
    std::size_t scene_every = 1;    ///< and of how many one becomes a scene; 0: none
    std::size_t readable_from = 0;  ///< sizes below cannot be read, all others can; 0: nothing is known
    std::size_t slack = 96 * 1024;  ///< of memory beyond the limit: for the report, and tables of fixed size

    std::size_t min_scenes = 0;  ///< that become of damaged files; and none becomes of one that is cut off, if not 0

    friend std::ostream& operator<<(std::ostream& stream, const Sample& sample) { return stream << sample.name; }
};

[[nodiscard]] std::vector<Sample> emfx_samples();
[[nodiscard]] std::vector<Sample> egosoft_samples();
[[nodiscard]] std::vector<Sample> x42_samples();
[[nodiscard]] std::vector<Sample> arp_samples();
[[nodiscard]] std::vector<Sample> gltf_samples();

}  // namespace effigy::harness
