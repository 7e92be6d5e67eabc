#pragma once
/// The bind pose of a signing avatar, which its file does not store: recovered from points that hang on several bones.
/// Rules: docs/conversion/arp.md, "Bind pose".

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "effigy/arp.hpp"
#include "effigy/math.hpp"
#include "effigy/result.hpp"

namespace effigy::arp {

/// Where a bone was when points were bound to it, in the model's space: no scale.
struct BoneFrame {
    std::array<double, 3> translation{};         ///< in units of the file
    std::array<double, 4> rotation{0, 0, 0, 1};  ///< x y z w, of unit length
};

/// How a bone was found.
enum class BindSource : std::uint8_t {
    stored,    ///< the rest of the file's skeleton, put on the parent's bind: nothing else was known
    rotation,  ///< turned about the stored joint
    rigid,     ///< turned and moved
};

struct Bind {
    std::vector<BoneFrame> bones;     ///< of File::bones
    std::vector<BindSource> sources;  ///< likewise
    /// Distances between the links of points with several, in units of the file.
    double worst_residual = 0, median_residual = 0;
    std::uint32_t worst_point = 0;
    std::size_t shared_points = 0;  ///< with more than one link of some weight
    double height = 0;              ///< of the file's volume; of the points at the bind where that has none
    bool fits = false;              ///< false: the rest pose is used, because no bind explains the points
};

/// Of one mesh. Never fails: what cannot be told stays as the file's rest pose has it.
[[nodiscard]] Bind recover_bind(const File& file, std::size_t mesh);

}  // namespace effigy::arp
