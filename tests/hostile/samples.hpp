#pragma once
/// Sound and lying files of every format, and how thoroughly each of them is damaged.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "hostile/harness.hpp"

namespace effigy::harness {

struct Sample {
    std::string name;  ///< letters, digits and underscores
    Demands demands;
    Bytes bytes;
    std::size_t dense = 0;          ///< bytes from the start that take four wrong values each, those behind it two
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
