/// The texture of an avatar: the image of its one material, or an atlas of all, tiles that each have an image or a
/// colour. Rules: docs/conversion/arp.md, "From a scene".

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/vec2.hpp>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "effigy/arp_codes.hpp"
#include "effigy/image.hpp"

#include "arp/file/layout_elements.hpp"
#include "arp/file/names.hpp"
#include "arp/file/texture_image.hpp"
#include "arp/file/zip.hpp"
#include "arp/from_scene/from_scene.hpp"
#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/material_slots.hpp"
#include "scene/texture_names.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {

namespace {

constexpr double texcoord_tolerance = 1e-3;  ///< that texture coordinates may lie outside of the image

using TileColor = std::array<float, 4>;
constexpr TileColor white{1, 1, 1, 1};

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

constexpr std::uint32_t max_pixels = 4096;  ///< of a side
constexpr std::uint32_t gutter = 2;         ///< pixels around each tile that repeat its edge
constexpr std::uint32_t plain_size = 4;     ///< pixels of a side, of a tile of one colour
constexpr double max_repeats = 16;

double to_linear(double value) noexcept {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
double to_srgb(double value) noexcept {
    value = std::clamp(value, 0.0, 1.0);
    return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}
std::uint8_t to_byte(double value) noexcept {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

std::int64_t wrapped(std::int64_t at, std::int64_t size, Wrap wrap) noexcept {
    if (wrap == Wrap::clamp_to_edge) return std::clamp<std::int64_t>(at, 0, size - 1);
    const std::int64_t period = wrap == Wrap::mirrored_repeat ? 2 * size : size;
    at = (at % period + period) % period;
    return at < size ? at : period - 1 - at;
}

/// How often the images of a tile stand side by side in it, so that coordinates beyond 0..1 find theirs.
void set_repeats(Build& build, std::vector<Tile>& tiles) {
    NameList repeated;
    std::uint64_t beyond = 0;
    for (Tile& tile : tiles) {
        if (tile.image == no_index) continue;
        for (int axis = 0; axis < 2; ++axis) {
            double low = std::floor(tile.min[axis] + texcoord_tolerance),
                   high = std::ceil(tile.max[axis] - texcoord_tolerance);
            if (high <= low) high = low + 1;
            if (high - low > max_repeats) {
                ++beyond;
                high = low + max_repeats;
            }
            tile.first[axis] = low;
            tile.count[axis] = high - low;
        }
        if (tile.count != glm::dvec2(1)) repeated.add(shortened(build.source.images[tile.image].name));
    }
    build.note_any(repeated, codes::arp_texture_repeated, "materials",
                   "Textures are used beyond their edges: they stand in the avatar's texture as often as they are "
                   "seen.");
    build.note_any(beyond, codes::arp_texture_beyond, "materials",
                   "Textures are repeated more than 16 times: texture coordinates beyond that are held at the "
                   "edge; bake these textures.",
                   {}, "at most 16 times");
}

void set_sizes(Tiles& tiles, double factor) {
    for (Tile& tile : tiles.list) {
        if (tile.image == no_index) {
            tile.width = tile.height = plain_size;
            continue;
        }
        const image::Picture& picture = tiles.pictures[tile.image];
        const auto size = [&](std::uint32_t pixels, double count) {
            return static_cast<std::uint32_t>(std::max(1.0, std::round(pixels * count * factor)));
        };
        tile.width = size(picture.width, tile.count.x);
        tile.height = size(picture.height, tile.count.y);
    }
}

std::uint32_t power_of_two(std::uint32_t least) noexcept {
    std::uint32_t size = 8;
    while (size < least && size < 1U << 30U) size *= 2;
    return size;
}

std::uint32_t place_rows(std::vector<Tile>& tiles, const std::vector<std::size_t>& order, std::uint32_t width) {
    std::uint32_t x = 0, y = 0, row = 0;
    for (const std::size_t i : order) {
        Tile& tile = tiles[i];
        const std::uint32_t wide = tile.width + 2 * gutter, high = tile.height + 2 * gutter;
        if (x + wide > width) {
            x = 0;
            y += row;
            row = 0;
        }
        tile.x = x + gutter;
        tile.y = y + gutter;
        x += wide;
        row = std::max(row, high);
        if (y > 1U << 28U) return y;  // too high whatever follows
    }
    return y + row;
}

/// In rows, the highest tiles first; of all widths the one that gives the smallest picture.
std::pair<std::uint32_t, std::uint32_t> place_tiles(std::vector<Tile>& tiles) {
    std::vector<std::size_t> order(tiles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return tiles[a].height > tiles[b].height; });
    std::uint32_t widest = 0;
    for (const Tile& tile : tiles) widest = std::max(widest, tile.width + 2 * gutter);
    std::uint32_t best_width = 0, best_height = 0;
    for (std::uint32_t width = power_of_two(widest); width <= std::max(max_pixels, power_of_two(widest)); width *= 2) {
        const std::uint32_t height = power_of_two(place_rows(tiles, order, width));
        const bool is_better = best_width == 0 || std::max(width, height) < std::max(best_width, best_height);
        if (is_better) std::tie(best_width, best_height) = std::pair(width, height);
    }
    place_rows(tiles, order, best_width);
    return {best_width, best_height};
}

void report_atlas(Build& build, const std::vector<Tile>& tiles, std::uint32_t width, std::uint32_t height,
                  double factor) {
    std::string found =
        std::to_string(tiles.size()) + " in " + std::to_string(width) + " x " + std::to_string(height) + " pixels";
    if (factor < 1) found += ", reduced to 1/" + std::to_string(std::lround(1 / factor));
    const bool is_one_color = tiles.size() == 1 && tiles.front().image == no_index;
    build.note(factor < 1 ? codes::arp_atlas.as(Severity::warning) : codes::arp_atlas, "materials",
               is_one_color ? "An avatar needs a texture: one of the material's colour is made."
                            : "An avatar has one texture: the textures and colours of all materials stand side by "
                              "side in it.",
               std::move(found));
}

std::array<std::byte, 4> colored(const std::array<double, 4>& sum, double count, const TileColor& color) {
    std::array<std::byte, 4> pixel{};
    for (std::size_t channel = 0; channel < 4; ++channel) {
        double value = sum[channel] / count / 255;
        if (channel == 3) {
            value *= double{color[3]};
        } else if (color[channel] < 1) {
            value = to_srgb(to_linear(value) * double{color[channel]});
        }
        pixel[channel] = std::byte{to_byte(value)};
    }
    return pixel;
}

/// The mean of what lies under a pixel of the tile, in its material's colour.
std::array<std::byte, 4> pixel_of(const Tile& tile, const std::vector<image::Picture>& pictures, std::uint32_t x,
                                  std::uint32_t y) {
    std::array<double, 4> sum{};
    if (tile.image == no_index) {
        std::array<std::byte, 4> pixel{};
        for (std::size_t channel = 0; channel < 4; ++channel)
            pixel[channel] =
                std::byte{to_byte(channel == 3 ? double{tile.color[3]} : to_srgb(double{tile.color[channel]}))};
        return pixel;
    }
    const image::Picture& picture = pictures[tile.image];
    const double all_x = picture.width * tile.count.x, all_y = picture.height * tile.count.y;
    const auto range = [](double all, std::uint32_t at, std::uint32_t size) {
        const auto low = static_cast<std::int64_t>(std::floor(all * at / size + 1e-9));
        const auto high = static_cast<std::int64_t>(std::ceil(all * (at + 1.0) / size - 1e-9));
        return std::pair(low, std::max(high, low + 1));
    };
    const auto [left, right] = range(all_x, x, tile.width);
    const auto [top, bottom] = range(all_y, y, tile.height);
    const auto first_x = static_cast<std::int64_t>(tile.first.x * picture.width),
               first_y = static_cast<std::int64_t>(tile.first.y * picture.height);
    for (std::int64_t row = top; row < bottom; ++row) {
        for (std::int64_t column = left; column < right; ++column) {
            const auto at_x = static_cast<std::size_t>(wrapped(first_x + column, picture.width, tile.wrap_u));
            const auto at_y = static_cast<std::size_t>(wrapped(first_y + row, picture.height, tile.wrap_v));
            const std::byte* source = picture.rgba.data() + (at_y * picture.width + at_x) * 4;
            for (std::size_t channel = 0; channel < 4; ++channel)
                sum[channel] += static_cast<double>(std::to_integer<unsigned>(source[channel]));
        }
    }
    return colored(sum, static_cast<double>((right - left) * (bottom - top)), tile.color);
}

void draw(const Tile& tile, const std::vector<image::Picture>& pictures, image::Picture& atlas) {
    const std::uint32_t wide = tile.width + 2 * gutter, high = tile.height + 2 * gutter;
    for (std::uint32_t row = 0; row < high; ++row) {
        for (std::uint32_t column = 0; column < wide; ++column) {
            const std::uint32_t x = std::clamp(column, gutter, gutter + tile.width - 1) - gutter;
            const std::uint32_t y = std::clamp(row, gutter, gutter + tile.height - 1) - gutter;
            const std::array<std::byte, 4> pixel = pixel_of(tile, pictures, x, y);
            const std::size_t place =
                (std::size_t{tile.y - gutter + row} * atlas.width + (tile.x - gutter + column)) * 4;
            std::copy(pixel.begin(), pixel.end(), atlas.rgba.begin() + static_cast<std::ptrdiff_t>(place));
            if (pixel[3] != std::byte{255}) atlas.has_alpha = true;
        }
    }
}

void set_texcoords(const Tiles& tiles, Figure& figure, std::uint32_t width, std::uint32_t height) {
    for (LevelDraft& level : figure.levels) {
        for (VertexDraft& vertex : level.vertices) {
            const Tile& tile = tiles.list[tiles.of_material[vertex.material]];
            glm::dvec2 place(0.5);
            if (tile.image != no_index) {
                place = (glm::dvec2(vertex.texcoord.x, vertex.texcoord.y) - tile.first) / tile.count;
                place = glm::clamp(place, glm::dvec2(0), glm::dvec2(1));
            }
            vertex.texcoord = {narrow((tile.x + place.x * tile.width) / width),
                               narrow((tile.y + place.y * tile.height) / height)};
        }
    }
}

void paint(image::Picture& picture, const TileColor& color) {
    if (color == white) return;
    std::array<std::array<std::byte, 256>, 4> table{};
    for (std::size_t channel = 0; channel < 4; ++channel) {
        for (std::size_t value = 0; value < 256; ++value) {
            const double from = static_cast<double>(value) / 255;
            const double result =
                channel == 3 ? from * double{color[channel]} : to_srgb(to_linear(from) * double{color[channel]});
            table[channel][value] = std::byte{to_byte(result)};
        }
    }
    for (std::size_t i = 0; i < picture.rgba.size(); ++i)
        picture.rgba[i] = table[i % 4][std::to_integer<std::size_t>(picture.rgba[i])];
    if (color[3] < 1) picture.has_alpha = true;
}

/// All tiles side by side in one picture, and the figure's texture coordinates moved there.
Result<image::Picture> make_atlas(Build& build, Tiles& tiles, Figure& figure) {
    set_repeats(build, tiles.list);
    double factor = 1;
    std::uint32_t width = 0, height = 0;
    for (int halved = 0;; ++halved, factor /= 2) {
        set_sizes(tiles, factor);
        std::tie(width, height) = place_tiles(tiles.list);
        if (std::max(width, height) <= max_pixels) break;
        if (halved < 12) continue;
        return fail(problem_at("materials", codes::arp_too_many_materials,
                               "the colours of all materials do not fit into one texture; join materials",
                               std::to_string(tiles.list.size()) + " textures and colours",
                               "what fits into 4096 x 4096 pixels"));
    }
    report_atlas(build, tiles.list, width, height, factor);
    image::Picture atlas;
    atlas.width = width;
    atlas.height = height;
    atlas.rgba.assign(std::size_t{width} * height * 4, std::byte{0});
    for (std::size_t i = 3; i < atlas.rgba.size(); i += 4) atlas.rgba[i] = std::byte{255};
    for (const Tile& tile : tiles.list) draw(tile, tiles.pictures, atlas);
    set_texcoords(tiles, figure, width, height);
    return atlas;
}

float finite(float value, float fallback) noexcept { return std::isfinite(value) ? value : fallback; }

TileColor color_of(const Material& material) noexcept {
    const auto& [r, g, b, a] = material.base_color;
    TileColor color{finite(r, 1), finite(g, 1), finite(b, 1), finite(a, 1)};
    for (float& channel : color) channel = std::clamp(channel, 0.0F, 1.0F);
    return color;
}

class TextureMaker {
public:
    TextureMaker(Build& build, Figure& figure, File& file) : build_(build), figure_(figure), file_(file) {}

    Result<TextureDraft> make() {
        file_.texture.flags[2] = 1;
        draft_.name = folder_name(build_.options.name) + ".png";
        set_tiles();
        if (build_.keeps_image) {
            move_texcoords();
            return std::move(draft_);
        }
        keep_stored();
        file_.texture.name = draft_.name;
        auto decoded = decode_images();
        if (!decoded) return fail(std::move(decoded.error()));
        report_lost();
        move_texcoords();
        const bool is_single = tiles_.list.size() == 1;
        if (is_removed_) {
            if (auto done = use_color(); !done) return fail(std::move(done.error()));
        } else if (is_single && (is_own_ || fits_one())) {
            if (auto done = use_one(); !done) return fail(std::move(done.error()));
        } else {
            const auto atlas = make_atlas(build_, tiles_, figure_);
            if (!atlas) return fail(atlas.error());
            if (auto done = encode(*atlas); !done) return fail(std::move(done.error()));
        }
        return std::move(draft_);
    }

private:
    // What there is

    [[nodiscard]] const Material& material_of(std::size_t place) const {
        static const Material plain;
        const Index index = figure_.materials[place];
        return index < build_.source.materials.size() ? build_.source.materials[index] : plain;
    }

    void set_tiles() {
        std::map<std::tuple<Index, TileColor, Wrap, Wrap>, std::size_t> known;
        for (std::size_t i = 0; i < figure_.materials.size(); ++i) {
            const Material& material = material_of(i);
            const TextureSlot& slot = material.base_color_texture;
            Tile tile;
            tile.color = color_of(material);
            if (slot.image < build_.source.images.size()) {
                tile.image = slot.image;
                tile.wrap_u = slot.wrap_u;
                tile.wrap_v = slot.wrap_v;
            }
            const auto key = std::tuple(tile.image, tile.color, tile.wrap_u, tile.wrap_v);
            const auto [found, is_new] = known.try_emplace(key, tiles_.list.size());
            if (is_new) tiles_.list.push_back(tile);
            tiles_.of_material.push_back(found->second);
        }
    }

    /// Where the avatar's own material is all that is in use.
    void keep_stored() {
        if (!build_.stored || tiles_.list.size() != 1) return;
        const Material& material = material_of(0);
        is_own_ = member(record_of(material.extras), "reflectance") != nullptr;
        is_removed_ = is_own_ && was_removed(material);
        if (!is_own_ || is_removed_) return;
        if (has_image(*build_.stored) && tiles_.list.front().image == no_index && !build_.only_avatar)
            note_missing({}, "the one that the avatar had in itself is not in the scene");
        const Texture& stored = build_.stored->texture;
        const bool has_name = !up_to_nul(stored.name).empty() || tiles_.list.front().image == no_index;
        if (has_name && stored.name.size() < 256) draft_.name = stored.name;
        // 2.0 and 2.1 have none, which must not become flags that say nothing.
        const bool has_flags = build_.stored->layout.texture == TextureForm::named;
        if (has_flags && stored.flags[0] == 0 && build_.untouched(material)) file_.texture.flags = stored.flags;
    }

    /// Whether somebody took the avatar's texture away. That it was not found when the avatar was read is no edit.
    [[nodiscard]] bool was_removed(const Material& material) const {
        if (material.base_color_texture.used() || build_.only_avatar || build_.untouched(material)) return false;
        const bool had_one = has_image(*build_.stored) || !up_to_nul(build_.stored->texture.name).empty();
        return had_one && !is_left_out(record_of(material.extras), "base_color_texture");
    }

    Result<void> decode_images() {
        tiles_.pictures.resize(build_.source.images.size());
        if (build_.only_avatar) return {};
        const std::uint64_t given = build_.options.limits.memory;
        std::uint64_t left = given != 0 ? given : std::uint64_t{1} << 30U;
        for (Tile& tile : tiles_.list) {
            if (tile.image == no_index) continue;
            const Image& image = build_.source.images[tile.image];
            if (image.bytes.empty()) {
                note_missing(image, "its bytes are not in the scene");
                if (!is_own_) tile.image = no_index;
                continue;
            }
            if (tiles_.pictures[tile.image].width != 0) continue;
            Limits limits = build_.options.limits;
            limits.memory = left;
            auto picture = image::decode(image.bytes, limits);
            if (!picture) {
                if (is_limit(picture.error())) return fail(std::move(picture.error()));
                note_missing(image, picture.error().message);
                tile.image = no_index;
                continue;
            }
            left -= std::min<std::uint64_t>(left - 1, picture->rgba.size());
            tiles_.pictures[tile.image] = std::move(*picture);
            if (is_own_ && has_image(*build_.stored)) {
                build_.note(codes::arp_texture_embedded, "texture",
                            "The avatar had its image embedded: now it names a PNG beside it, where players look for "
                            "it.");
            }
        }
        return {};
    }

    void note_missing(const Image& image, const std::string& why) {
        build_.note(codes::arp_texture_left_out, "images",
                    "A texture cannot be put beside the avatar: " + why +
                        ". Put it there under the name that the avatar has for it, or convert again with the texture.",
                    shortened(image.name.empty() ? image.uri : image.name));
    }

    void report_lost() {
        NameList maps;
        bool is_seen = false;
        for (std::size_t i = 0; i < figure_.materials.size(); ++i) {
            const Material& material = material_of(i);
            const bool has_more = material.metallic_roughness_texture.used() || material.normal_texture.used() ||
                                  material.occlusion_texture.used() || material.emissive_texture.used() ||
                                  material.metallic > 0 || material.alpha_mode != AlphaMode::opaque ||
                                  material.emissive != Vec3{};
            const bool shines = figure_.materials[i] != no_index &&
                                (material.roughness < 1 || material.double_sided || !reflects_as_usual(material));
            if (has_more || shines) maps.add(shortened(material.name));
            is_seen |= has_more;
        }
        build_.note_any(maps, is_seen ? codes::arp_material_lost : codes::arp_material_lost.as(Severity::info),
                        "materials",
                        "An avatar has colours only: metal, shine, relief, light of its own, shadows, transparency and "
                        "second sides of these materials are lost.");
    }

    // Texture coordinates

    /// As the material turns them; and which of each tile's are in use.
    void move_texcoords() {
        std::vector<bool> seen(tiles_.list.size());
        for (LevelDraft& level : figure_.levels) {
            for (VertexDraft& vertex : level.vertices) {
                const TextureSlot& slot = material_of(vertex.material).base_color_texture;
                Tile& tile = tiles_.list[tiles_.of_material[vertex.material]];
                vertex.texcoord = transformed(slot, vertex.texcoord);
                const glm::dvec2 place(vertex.texcoord.x, vertex.texcoord.y);
                const bool first = !seen[tiles_.of_material[vertex.material]];
                tile.min = first ? place : glm::min(tile.min, place);
                tile.max = first ? place : glm::max(tile.max, place);
                seen[tiles_.of_material[vertex.material]] = true;
            }
        }
    }

    static Vec2 transformed(const TextureSlot& slot, const Vec2& place) noexcept {
        if (slot.scale == Vec2{1, 1} && slot.rotation == 0 && slot.offset == Vec2{}) return place;
        const double sine = std::sin(double{finite(slot.rotation, 0)}),
                     cosine = std::cos(double{finite(slot.rotation, 0)});
        const double u = double{place.x} * double{slot.scale.x}, v = double{place.y} * double{slot.scale.y};
        return {narrow(cosine * u + sine * v + double{slot.offset.x}),
                narrow(cosine * v - sine * u + double{slot.offset.y})};
    }

    [[nodiscard]] bool fits_one() const {
        const Tile& tile = tiles_.list.front();
        if (tile.image == no_index) return false;
        return tile.min.x >= -texcoord_tolerance && tile.min.y >= -texcoord_tolerance &&
               tile.max.x <= 1 + texcoord_tolerance && tile.max.y <= 1 + texcoord_tolerance;
    }

    // One picture as it is

    Result<void> use_one() {
        const Tile& tile = tiles_.list.front();
        if (tile.image == no_index || tiles_.pictures[tile.image].width == 0) {
            return {};
        }
        const Image& image = build_.source.images[tile.image];
        const bool is_white = tile.color == white;
        if (is_white && image::probe(image.bytes) == image::Kind::png && !image::is_gzip(image.bytes)) {
            draft_.png = image.bytes;
            return {};
        }
        image::Picture picture = std::move(tiles_.pictures[tile.image]);
        paint(picture, tile.color);
        return encode(picture);
    }

    /// All places of it are alike, so that texture coordinates stay those of the avatar.
    Result<void> use_color() {
        Tile& tile = tiles_.list.front();
        tile.width = tile.height = plain_size;
        report_atlas(build_, tiles_.list, plain_size, plain_size, 1);
        image::Picture picture{plain_size, plain_size, {}, tile.color[3] < 1, {}};
        const std::array<std::byte, 4> pixel = pixel_of(tile, tiles_.pictures, 0, 0);
        for (std::uint32_t i = 0; i < plain_size * plain_size; ++i)
            picture.rgba.insert(picture.rgba.end(), pixel.begin(), pixel.end());
        return encode(picture);
    }

    Result<void> encode(const image::Picture& picture) {
        auto png = image::encode_png(picture);
        if (!png) return fail(std::move(png.error()));
        draft_.png = std::move(*png);
        return {};
    }

    Build& build_;
    Figure& figure_;
    File& file_;
    TextureDraft draft_;
    Tiles tiles_;
    bool is_own_ = false, is_removed_ = false;
};

/// An image of 2.0 and 2.1 is as long as it says itself, one of other versions as the number before it says.
bool has_own_size(const Texture& texture, TextureForm form) {
    if (form == TextureForm::named) return texture.stored_size == texture.image.size();
    ByteSource source(texture.image);
    return old_image_size(source, texture.stored_size) == texture.image.size();
}

}  // namespace

bool keep_image(Build& build, const Figure& figure) {
    const Json* file = member(build.record, "file");
    const Json* record = file == nullptr ? nullptr : member(*file, "image");
    if (!build.stored || record == nullptr || !has_image(*build.stored) || figure.materials.size() != 1) return false;
    const Index material = figure.materials.front();
    if (material >= build.source.materials.size() || !build.untouched(build.source.materials[material])) return false;
    const Index image = build.source.materials[material].base_color_texture.image;
    const Bytes nothing;
    const Bytes& shown = image < build.source.images.size() ? build.source.images[image].bytes : nothing;
    if (text_at(*record, "shown") != image_hash(shown)) return false;
    Texture& texture = build.stored->texture;
    texture.stored_size = whole_in(*record, "size").value_or(0);
    if (member(*record, "bytes") == nullptr) {
        if (!build.budget.take(shown.size())) return false;
        texture.image = shown;
    } else {
        const auto packed = bytes_at(*record, "bytes");
        auto bytes = packed ? unpacked(*packed, build.budget) : std::nullopt;
        if (!bytes) return false;
        texture.image = std::move(*bytes);
    }
    return has_own_size(texture, build.stored->layout.texture);
}

Result<TextureDraft> add_texture(Build& build, Figure& figure, File& file) {
    return TextureMaker(build, figure, file).make();
}

}  // namespace effigy::arp::native
