#pragma once
/// What the rules for one actor look up.

#include <optional>
#include <utility>
#include <vector>

#include "effigy/xac.hpp"

#include "emfx/check/check.hpp"

namespace effigy::emfx::checks {

struct NodePlace {
    const xac::Node* node;
    std::size_t chunk;
    std::uint64_t element;  ///< no_index in a chunk of its own
    bool counts_children;
};

/// What ties a mesh and its skinning together.
struct MeshKey {
    std::uint32_t node, lod;
    bool is_collision;

    friend auto operator<=>(const MeshKey&, const MeshKey&) = default;  // NOLINT(modernize-use-nullptr)
};
[[nodiscard]] MeshKey key_of(const xac::Mesh& mesh, std::uint32_t version) noexcept;
[[nodiscard]] MeshKey key_of(const xac::Skinning& skinning, std::uint32_t version) noexcept;

/// A mesh or a skinning.
template <class Record>
struct Keyed {
    MeshKey key;
    std::size_t chunk;
    const Record* record;
};

struct Actor {
    Actor(const xac::File& actor_file, Findings& actor_findings);

    const xac::File& file;
    Findings& findings;
    std::vector<NodePlace> nodes;
    std::vector<Keyed<xac::Mesh>> meshes;                             ///< sorted by key, then place
    std::vector<Keyed<xac::Skinning>> skinnings;                      ///< likewise
    std::vector<std::pair<std::uint32_t, std::uint32_t>> mesh_nodes;  ///< nodes with meshes, most vertices; sorted
    std::uint64_t standard_materials = 0, fx_materials = 0;

    [[nodiscard]] Where place(std::size_t chunk) const noexcept { return chunk_place(file, chunk, findings); }
    [[nodiscard]] std::uint64_t materials() const noexcept { return standard_materials + fx_materials; }

    template <class Use>
    void with_node(std::size_t index, Use use) const {
        const NodePlace& node = nodes[index];
        with_element(file, node.chunk, "node", node.element, findings, use);
    }
    void add_at_node(const Code& code, std::size_t index, std::string_view field, std::string found,
                     std::string expected) const {
        with_node(index, [&](const Where& node) {
            findings.add(code, {&node, field}, std::move(found), std::move(expected));
        });
    }
    /// node-range
    void check_node(std::uint32_t node, const Where& where) const;
    /// The first record with `key`, or null.
    [[nodiscard]] const Keyed<xac::Mesh>* mesh_of(const MeshKey& key) const noexcept;
    [[nodiscard]] const Keyed<xac::Skinning>* skinning_of(const MeshKey& key) const noexcept;
    /// Vertices of the largest mesh on a node, or nothing if it has none.
    [[nodiscard]] std::optional<std::uint32_t> vertices_on(std::uint32_t node) const noexcept;
};

void check_nodes(const Actor& actor);
void check_meshes(const Actor& actor);

}  // namespace effigy::emfx::checks
