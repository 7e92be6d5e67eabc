#pragma once
/// Chunks of a file in the making: those of the old file as they are now, and new ones.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emfx/from_scene/build.hpp"

namespace effigy::emfx::bridge {

// from_scene/old_chunks.cpp
[[nodiscard]] bool are_meshes_raw(const FileParts& parts);
/// What becomes of a chunk of the old file: it is about nothing any more, says something else, or what it said.
enum class Fate : std::uint8_t { gone, changed, same };
/// Where parts of a file stood in the old one.
struct OldPlaces {
    std::map<std::size_t, std::size_t> materials, meshes, skinnings;  ///< numbers in FileParts, by chunk
    std::vector<std::size_t> old_materials;                           ///< chunks of those that the old file had
};
/// Materials that do not stand where they stood get all their layers, also those from chunks of their own.
void settle_layers(FileParts& parts);
/// What cannot stand where it stood becomes new.
[[nodiscard]] OldPlaces find_old_places(FileParts& parts);
/// Whether what bytes of a chunk say is still true: they may name nodes, and vertices, by their numbers.
[[nodiscard]] bool is_still_true(const FileParts& parts, const OldPlaces& places, const xac::Chunk& chunk);
/// `next`: the first of the file's nodes that no chunk has yet.
[[nodiscard]] Fate fill_nodes(const FileParts& parts, const Json& json, std::size_t& next, xac::Chunk& chunk);
/// `index`: of the chunk in the old file.
[[nodiscard]] Fate fill_material(const FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk);
[[nodiscard]] Fate fill_mesh(FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk);
[[nodiscard]] Fate fill_skinning(FileParts& parts, const OldPlaces& places, std::size_t index, xac::Chunk& chunk);
/// Node and material numbers of today in what was read.
[[nodiscard]] Fate update_record(const FileParts& parts, const OldPlaces& places, bool is_ported, xac::Chunk& chunk);

// from_scene/new_chunks.cpp
[[nodiscard]] std::uint32_t count_roots(const xac::Nodes& list);
[[nodiscard]] xac::Chunk nodes_chunk(const FileParts& parts);
[[nodiscard]] xac::Chunk material_chunk(const NativeMaterial& material);
/// These take the contents of the mesh.
[[nodiscard]] xac::Chunk mesh_chunk(NativeMesh& native);
[[nodiscard]] xac::Chunk skinning_chunk(NativeMesh& native);
/// Those of one level of detail, or all.
[[nodiscard]] xac::MaterialInfo count_materials(const FileParts& parts, std::optional<std::uint32_t> lod);
/// What nodes say about limits, groups, attachments and mirroring where nothing else is left of the old file.
void add_notes(Build& build, std::vector<xac::Chunk>& chunks);
/// Each kind behind the last chunk that comes before it in the order in which engines want them.
void insert_new(std::vector<xac::Chunk>& chunks, std::vector<xac::Chunk> added);

}  // namespace effigy::emfx::bridge
