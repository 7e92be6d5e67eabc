#pragma once
/// Colours by place in the modelled pose (sRGB, 0..1), and the textures that they make.

#include "effigy/image.hpp"

#include "body.hpp"

namespace trader {

[[nodiscard]] vec3 paint_plain(vec3 p);
[[nodiscard]] vec3 paint_accent(vec3 p);
[[nodiscard]] vec3 paint_head(vec3 p);
[[nodiscard]] vec3 paint_visor(vec3 p);
[[nodiscard]] vec3 paint_hose(vec3 p);
[[nodiscard]] vec3 paint_coat(vec3 p);
[[nodiscard]] vec3 paint_lining(vec3 p);
[[nodiscard]] vec3 paint_sleeve(vec3 p);
[[nodiscard]] vec3 paint_vest(vec3 p);
[[nodiscard]] vec3 paint_hat(vec3 p);
[[nodiscard]] vec3 paint_scarf(vec3 p);
[[nodiscard]] vec3 paint_belt(vec3 p);
[[nodiscard]] vec3 paint_boot(vec3 p);
[[nodiscard]] vec3 paint_pack(vec3 p);
[[nodiscard]] vec3 paint_roll(vec3 p);
[[nodiscard]] vec3 paint_satchel(vec3 p);

[[nodiscard]] effigy::image::Picture paint(Texture texture);

}  // namespace trader
