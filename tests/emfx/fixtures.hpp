#pragma once
/// One small file for every chunk and version, in either byte order, with what has to be read from it.

#include <bit>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "effigy/registry.hpp"

#include "raw.hpp"

namespace effigy::test {

struct Fixture {
    std::string name;  ///< letters, digits and underscores
    std::function<Bytes(bool big)> bytes;
    std::function<void(const Document&)> expect;  ///< GoogleTest expectations

    friend std::ostream& operator<<(std::ostream& stream, const Fixture& fixture) { return stream << fixture.name; }
};

[[nodiscard]] const std::vector<Fixture>& xac_fixtures();
[[nodiscard]] const std::vector<Fixture>& xsm_fixtures();
[[nodiscard]] const std::vector<Fixture>& xpm_fixtures();
[[nodiscard]] const std::vector<Fixture>& all_fixtures();

/// A figure that has everything that a scene is made of.
[[nodiscard]] Bytes whole_actor(bool big);
/// As Maya's exporter of July 2007 wrote it: a chunk for each node, textures in chunks of their own, no count of
/// materials, an empty list of groups, and all meshes before all skinnings.
[[nodiscard]] Bytes actor_of_2007(bool big);
/// What real exporters got wrong: weights, texture coordinates and scales that are no numbers, rotations of no length,
/// a mesh without vertices and submeshes, levels of detail whose numbers are not in the order of the file.
[[nodiscard]] Bytes broken_actor(bool big);
/// Its motion: a chunk for each node; one track of a node that is stretched begins late, one has no numbers in it.
[[nodiscard]] Bytes motion_of_2007(bool big);
/// No keys, as the games' `Static.xsm`.
[[nodiscard]] Bytes still_motion(bool big);
/// Motions for it.
[[nodiscard]] Bytes whole_motion(bool big);
[[nodiscard]] Bytes whole_weights(bool big);

/// Node record of chunk 0 in `version`; chunk 11 holds records of version 4. Values are multiples of 1/4 from `base`.
void put_node(Raw& raw, unsigned version, float base, std::uint32_t parent, std::string_view name);
/// The 28 bytes of a mesh without layers and submeshes.
void put_bare_mesh(Raw& raw, std::uint32_t node, std::uint32_t original_vertices, unsigned is_collision = 0);

/// Bytes in the code pages of the machines that exported the games' files; neither is UTF-8.
inline constexpr std::string_view korean_path = "D:\\\xb5\xf0\xc0\xda\xc0\xce\\hero.max";  // CP949
inline constexpr std::string_view umlaut_name =
    "S\xe4"
    "bel";  // CP1252
/// A signalling NaN with a payload.
inline constexpr std::uint32_t nan_bits = 0x7fa12345;
[[nodiscard]] inline std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace effigy::test
