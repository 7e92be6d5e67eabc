#pragma once
/// Files made by the tests, with what real files have not shown: all kinds of transforms, influences, motions and
/// morphs, in both byte orders. The same seed gives the same file.

#include <cstddef>
#include <vector>

#include "proof/oracle.hpp"

namespace synthetic {

enum class Scales {
    uniform,    ///< one factor for each node, some of them negative
    stretched,  ///< three factors
    turned,     ///< three factors along turned axes
};

struct ActorOptions {
    unsigned seed = 1;
    bool big_endian = false;
    int multiplication_order = 0;
    Scales scales = Scales::uniform;
    bool morphs = false;
    bool embedded_level = false;  ///< chunk 8
    bool older_versions = false;  ///< chunk 0 for each node, skinning v1, chunk 9 for each morph target
    bool later_versions = false;  ///< mesh v2, skinning v4, material v3: levels of detail by their own fields
};

[[nodiscard]] std::vector<std::byte> actor(const ActorOptions& options);

struct MotionOptions {
    unsigned seed = 1;
    bool big_endian = false;
    int multiplication_order = 0;
    bool packed = false;         ///< 16-bit quaternions
    bool single_chunks = false;  ///< chunk 200 for each submotion
    Scales scales = Scales::uniform;
    bool late_start = false;  ///< some tracks begin after 0
    double step = 0.1;        ///< seconds between keys
    double swing = 0.5;       ///< radians between keys, at most
};

/// Moves most nodes of the actor, and one that it does not have.
[[nodiscard]] std::vector<std::byte> motion(const oracle::Actor& actor, const MotionOptions& options);

/// Moves the actor's morph targets, and one that it does not have.
[[nodiscard]] std::vector<std::byte> morph_motion(const oracle::Actor& actor, unsigned seed, bool big_endian);

}  // namespace synthetic
