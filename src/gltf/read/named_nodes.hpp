#pragma once
/// The nodes that hints of others name.

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "gltf/read/context.hpp"

namespace effigy::gltf {

/// Made before any node is taken off another one. Names are those of the scene's nodes, which must stay.
class NamedNodes {
public:
    explicit NamedNodes(const Reading& reading);

    /// The node of that name that a hint of `from` means; none if there is no such node. Of several it is the one that
    /// hangs where the hint says. A copy that a modelling program made goes with the copy of the same number:
    /// "wing-lod1.001" with "wing-lod0.001".
    [[nodiscard]] Index find(std::string_view name, const Node& from, const Value& hint) const;

private:
    /// What a node hangs on, without numbers of copies; empty: whatever that is.
    struct Place {
        std::string_view root, parent;
    };

    void find_places(const Scene& scene);
    [[nodiscard]] Index at(std::string_view name, const Place& place) const;
    [[nodiscard]] bool is_at(Index node, const Place& place) const;

    const std::vector<Node>& nodes_;
    std::vector<Place> places_;  ///< of each node, or none if no hint says any
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Index> by_name_;  ///< and by place
};

}  // namespace effigy::gltf
