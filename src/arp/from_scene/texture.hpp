#pragma once
/// One texture for all materials of an avatar: tiles, each with an image or a colour, and the atlas of several.

#include <array>
#include <glm/vec2.hpp>
#include <vector>

#include "effigy/image.hpp"

#include "arp/from_scene/from_scene.hpp"

namespace effigy::arp::native {

inline constexpr double texcoord_tolerance = 1e-3;  ///< that texture coordinates may lie outside of the image

using TileColor = std::array<float, 4>;
inline constexpr TileColor white{1, 1, 1, 1};

/// What one or several materials show.
struct Tile {
    Index image = no_index;  ///< none: one colour
    TileColor color = white;
    Wrap wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
    glm::dvec2 min{0}, max{1};            ///< texture coordinates in use
    glm::dvec2 first{0}, count{1};        ///< whole images: where they begin, how many
    std::uint32_t width = 0, height = 0;  ///< pixels in the atlas
    std::uint32_t x = 0, y = 0;
};

/// The tiles of a figure's materials.
struct Tiles {
    std::vector<Tile> list{};
    std::vector<std::size_t> of_material{};  ///< in use
    std::vector<image::Picture> pictures{};  ///< by image; those that are needed
};

/// All tiles side by side in one picture, and the figure's texture coordinates moved there.
[[nodiscard]] Result<image::Picture> make_atlas(Build& build, Tiles& tiles, Figure& figure);
/// Multiplies all colours, which stand for light by the sRGB curve.
void paint(image::Picture& picture, const TileColor& color);

}  // namespace effigy::arp::native
