#pragma once
/// A second opinion on written glTF: parsed and decoded from the specification, without the writer's code.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"

#include "contents.hpp"
#include "temporary_folder.hpp"

namespace effigy::test {

struct Gltf {
    nlohmann::json json;
    Bytes binary;

    /// The elements of an accessor, one after another, as numbers. Sparse and empty accessors are filled in.
    [[nodiscard]] std::vector<double> read(std::size_t accessor) const;
    [[nodiscard]] const nlohmann::json& accessor(std::size_t number) const { return json["accessors"][number]; }
};

/// Fails the running test, and returns something empty, if the container is not as the specification wants it.
[[nodiscard]] Gltf parse_glb(std::span<const std::byte> bytes);

}  // namespace effigy::test
