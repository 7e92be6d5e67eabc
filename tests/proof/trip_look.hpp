#pragma once
/// How a triangle of a .glb looks: its material, as far as formats of games know materials.

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "effigy/image.hpp"

#include "proof/glb.hpp"
#include "proof/trip_surface.hpp"

namespace trip {

struct Look {
    std::string name;
    glb::Vec4 color{1};  ///< linear
    double metallic = 1, roughness = 1;
    std::string alpha = "OPAQUE";
    double cutoff = 0.5;
    bool is_double_sided = false, is_unlit = false;
    bool has_relief = false, has_metal_map = false, has_occlusion = false, has_glow_map = false;
    double relief = 1;
    glb::Vec3 glow{0};
    int texture = glb::none;  ///< of the base colour: number of the image
    std::size_t set = 0;      ///< of texture coordinates
    std::size_t glow_set = 0;
    glb::Vec2 offset{0}, scale{1};
    double rotation = 0;
    std::array<int, 2> wraps{10497, 10497};
};

class Looks {
public:
    explicit Looks(const glb::Document& document);
    [[nodiscard]] const Look& of(const Triangle& triangle) const;
    /// Where in the texture a corner of the triangle is; in its first coordinates where it has no texture.
    [[nodiscard]] std::optional<glb::Vec2> coordinates(const Triangle& triangle, std::size_t corner) const;
    /// The shown base colour at a place of the triangle, as sRGB with alpha; none at the edge of a pixel.
    [[nodiscard]] std::optional<glb::Vec4> shown(const Triangle& triangle, const glb::Vec3& weights) const;

private:
    Look default_;
    std::vector<Look> looks_;
    std::vector<effigy::image::Picture> pictures_;
};

}  // namespace trip
