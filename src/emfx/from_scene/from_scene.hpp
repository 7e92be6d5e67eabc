#pragma once
/// From the scene to EMotion FX files: what the parts of the way back share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "effigy/emfx_scene.hpp"
#include "effigy/hashes.hpp"

#include "scene/bridge.hpp"

namespace effigy::emfx::bridge {

/// Games whose own files say what is written for them: no other version of the header, little-endian, no wrapper.
[[nodiscard]] constexpr bool has_known_files(Target target) noexcept {
    return is_paradox(target) || target == Target::tree_of_savior;
}

/// What one scene node is in the files.
struct MappedNode {
    std::uint32_t number = no_index;  ///< of the actor's node that it stands for; no_index: none
    std::string raw_name;             ///< that node's name as the files spell it
    Index helper_of = no_index;       ///< `<node>.scale`: the scene node that is the other half of the chain
    Index helper = no_index;          ///< of that other half: its `<node>.scale`, which stands above it
    /// The actor has the node where its skin was bound, and the scene rests elsewhere: a motion that does not move the
    /// node has to say its pose.
    bool is_moved = false;
};

/// A morph target of a mesh as the files know it.
struct MappedTarget {
    std::string raw_name;
    float range_min = 0, range_max = 1;
    std::uint32_t phoneme_sets = 0;
    std::optional<std::string> old_name{};  ///< what its file calls it, if only that is another name
};

struct NodeMap {
    std::vector<MappedNode> nodes;                   ///< one for each node of the scene
    std::vector<std::vector<MappedTarget>> targets;  ///< for each mesh of the scene, one for each of its targets
    std::uint8_t multiplication_order = 0;           ///< of the actor, and so of its motions
    /// The scene's materials are those of another engine than the target's: its files are made anew as the target has
    /// them.
    bool is_ported = false;
};

/// Widens the ranges of the map's targets to all weights that clips and meshes give them; those of meshes that are
/// untouched stay. To be called before targets are written.
void cover_weights(const Scene& scene, const Untouched& untouched, NodeMap& map);

/// For each clip an XSM if it moves nodes and an XPM if it moves weights, and its ticks. `files.actor` is finished.
void add_motions(const Scene& scene, const Untouched& untouched, const NodeMap& map, const FromSceneOptions& options,
                 const Encodings& encodings, NativeFiles& files, Report& report);

// from_scene/target_chunks.cpp
/// For games of which files are known: as far as a file can have it.
void make_little_endian(xsm::File& file);
/// Gives a finished file the byte order, and its chunks the versions, that the target's own files have, where these say
/// the same, and tells which others are left. Without memory for that, they stay.
void fit_target(Target target, xac::File& file, const std::string& path, Report& report);
void fit_target(Target target, Budget& budget, xsm::File& file, const std::string& path, Report& report);
void fit_target(Target target, xpm::File& file, const std::string& path, Report& report);

/// UTF-8 as bytes of a file: as it stands where it is ASCII, or in `encoding` (UTF-8 where that cannot say it).
[[nodiscard]] std::string to_raw(const std::string& text, const std::string& encoding);

}  // namespace effigy::emfx::bridge
