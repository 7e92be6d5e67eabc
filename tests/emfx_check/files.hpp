#pragma once
/// Small files in which nothing is wrong, and changes to them that break exactly one rule each.

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "effigy/xac.hpp"
#include "effigy/xpm.hpp"
#include "effigy/xsm.hpp"

namespace effigy::test {

/// A change and what check() has to say about it.
template <class File>
struct Case {
    std::string code;
    std::string path;
    std::function<void(File&)> change;
    std::string found = {};  ///< any, if empty

    friend std::ostream& operator<<(std::ostream& stream, const Case& tested) { return stream << tested.code; }
};

[[nodiscard]] const std::vector<Case<xac::File>>& xac_cases();
[[nodiscard]] const std::vector<Case<xsm::File>>& xsm_cases();
[[nodiscard]] const std::vector<Case<xsm::File>>& xsm_cases_with_actor();
[[nodiscard]] const std::vector<Case<xpm::File>>& xpm_cases();
[[nodiscard]] const std::vector<Case<xpm::File>>& xpm_cases_with_actor();

/// Chunks of good_actor().
enum ActorChunk : std::size_t {
    info_chunk,
    nodes_chunk,
    limit_chunk,
    material_info_chunk,
    standard_material_chunk,
    fx_material_chunk,
    material_layer_chunk,
    skinned_mesh_chunk,
    skinning_chunk,
    rigid_mesh_chunk,
    morph_targets_chunk,
    node_group_chunk,
    mirror_chunk,
    attachment_chunk,
    events_chunk,
    timestamp_chunk,
    lod_chunk,
};

/// Four nodes (root, arm, body, prop), a skinned body of two submeshes, a rigid prop with morph targets, a level of
/// detail, and one chunk of each other kind.
[[nodiscard]] xac::File good_actor();
/// Two float submotions in one list, and a packed one alone.
[[nodiscard]] xsm::File good_motion();
/// Two submotions in one list.
[[nodiscard]] xpm::File good_weights();

/// "code at path" of each finding.
[[nodiscard]] std::vector<std::string> summary(const Report& report);

template <class Record, class File>
[[nodiscard]] Record& record(File& file, std::size_t chunk) {
    return std::get<Record>(file.chunks.at(chunk).record);
}

template <class T>
[[nodiscard]] Bytes raw(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

/// One element of a vertex layer.
template <class T>
[[nodiscard]] T& element(xac::Mesh& mesh, std::size_t layer, std::size_t vertex) {
    return reinterpret_cast<T*>(mesh.layers.at(layer).data.data())[vertex];
}

}  // namespace effigy::test
