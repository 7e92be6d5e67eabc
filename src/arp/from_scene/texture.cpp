/// The texture of an avatar: the image of its one material, or an atlas of all. Rules: docs/formats/arp.md, "From a
/// scene".

#include "arp/from_scene/texture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "effigy/arp_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "scene/wide_math.hpp"

namespace effigy::arp::native {
namespace {

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
        draft_.name = build_.options.name + ".png";
        set_tiles();
        keep_stored();
        file_.texture.name = draft_.name;
        auto decoded = decode_images();
        if (!decoded) return fail(std::move(decoded.error()));
        report_lost();
        move_texcoords();
        const bool is_single = tiles_.list.size() == 1;
        if (is_single && (is_own_ || fits_one())) {
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
        if (!is_own_) return;
        const Texture& stored = build_.stored->texture;
        const bool has_name = !up_to_nul(stored.name).empty() || tiles_.list.front().image == no_index;
        if (has_name && stored.name.size() < 256) draft_.name = stored.name;
        if (stored.flags[0] == 0 && build_.untouched(material)) file_.texture.flags = stored.flags;
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
            const bool shines = figure_.materials[i] != no_index && (material.roughness < 1 || material.double_sided);
            if (has_more || shines) maps.add(shortened(material.name));
            is_seen |= has_more;
        }
        note_names(build_, maps, is_seen ? codes::arp_material_lost : codes::arp_material_lost.as(Severity::info),
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
    bool is_own_ = false;
};

}  // namespace

Result<TextureDraft> add_texture(Build& build, Figure& figure, File& file) {
    return TextureMaker(build, figure, file).make();
}

}  // namespace effigy::arp::native
