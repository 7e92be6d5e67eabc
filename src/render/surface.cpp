/// Images and materials as the renderer shades them: textures decoded within a limit and sampled bilinearly.

#include "surface.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <new>
#include <string>

#include "effigy/core_codes.hpp"
#include "effigy/scene_codes.hpp"

#include "core/problem.hpp"
#include "problem.hpp"
#include "scene/material_slots.hpp"
#include "threads.hpp"
#include "vectors.hpp"

namespace effigy::render {

namespace {

/// Memory for all decoded images together, where the caller sets no limit.
constexpr std::uint64_t default_memory = std::uint64_t{4} << 30;
constexpr std::size_t batch_size = 4;

using Table = std::array<float, 256>;

const Table& table_of(Encoding encoding) noexcept {
    static const Table srgb = [] {
        Table table{};
        for (std::size_t i = 0; i < table.size(); ++i) table[i] = srgb_to_linear(static_cast<float>(i) / 255.0f);
        return table;
    }();
    static const Table plain = [] {
        Table table{};
        for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i) / 255.0f;
        return table;
    }();
    return encoding == Encoding::srgb ? srgb : plain;
}

/// Two neighbouring texels on one axis, and how far it is from the first to the second.
struct Neighbours {
    std::size_t first, second;
    float part;
};

/// A coordinate to 0..1.
float wrapped(float value, Wrap wrap) noexcept {
    if (!(std::abs(value) < 1e6f)) return 0;  // nothing is left of its fraction
    switch (wrap) {
        case Wrap::clamp_to_edge:
            return std::clamp(value, 0.0f, 1.0f);
        case Wrap::mirrored_repeat: {
            const float folded = value - 2 * std::floor(value / 2);
            return folded > 1 ? 2 - folded : folded;
        }
        case Wrap::repeat:
            break;
    }
    return value - std::floor(value);
}

Neighbours neighbours(float value, Wrap wrap, std::uint32_t size) noexcept {
    const float place = wrapped(value, wrap) * static_cast<float>(size) - 0.5f;
    const float floor = std::floor(place);
    const auto last = static_cast<std::int64_t>(size) - 1;
    const auto first = static_cast<std::int64_t>(floor);
    // Beyond the edge stands the opposite edge, or the edge itself: a mirror shows it twice.
    const auto inside = [&](std::int64_t i) {
        if (wrap == Wrap::repeat) return i < 0 ? last : (i > last ? std::int64_t{0} : i);
        return std::clamp(i, std::int64_t{0}, last);
    };
    return {static_cast<std::size_t>(inside(first)), static_cast<std::size_t>(inside(first + 1)), place - floor};
}

struct Texels {
    const std::byte* pixels;
    std::size_t width;
    const Table& colors;
    const Table& alphas;

    [[nodiscard]] glm::vec4 at(std::size_t x, std::size_t y) const noexcept {
        const std::byte* texel = pixels + (y * width + x) * 4;
        const auto number = [texel](std::size_t i) { return std::to_integer<std::size_t>(texel[i]); };
        return {colors[number(0)], colors[number(1)], colors[number(2)], alphas[number(3)]};
    }
};

std::vector<std::size_t> used_images(const Scene& scene) {
    const std::vector<bool> is_unused = find_unused_images(scene);
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < is_unused.size(); ++i) {
        if (!is_unused[i] && !scene.images[i].bytes.empty()) used.push_back(i);
    }
    return used;
}

Diagnostic left_out(const Scene& scene, std::size_t image, const Diagnostic& cause) {
    Diagnostic diagnostic = passed_on(cause, codes::texture_damaged);
    diagnostic.path = "images[" + std::to_string(image) + "]";
    diagnostic.message = "the texture '" + scene.images[image].name +
                         "' cannot be used and is left out of the picture: " + cause.message;
    return diagnostic;
}

std::vector<Result<image::Picture>> decode_batch(const Scene& scene, std::span<const std::size_t> images,
                                                 const Limits& limits) {
    std::vector<Result<image::Picture>> decoded(images.size());
    std::atomic<std::size_t> next{0};
    const bool is_complete = run_on_threads(thread_count(0, images.size()), [&] {
        for (std::size_t i = next++; i < images.size(); i = next++) {
            decoded[i] = image::decode(scene.images[images[i]].bytes, limits);
        }
    });
    if (!is_complete) throw std::bad_alloc();
    return decoded;
}

}  // namespace

glm::vec4 sample(const image::Picture& picture, glm::vec2 uv, Wrap wrap_u, Wrap wrap_v, Encoding encoding) noexcept {
    const Neighbours x = neighbours(uv.x, wrap_u, picture.width);
    const Neighbours y = neighbours(uv.y, wrap_v, picture.height);
    const Texels texels{picture.rgba.data(), picture.width, table_of(encoding), table_of(Encoding::plain)};
    const glm::vec4 top = glm::mix(texels.at(x.first, y.first), texels.at(x.second, y.first), x.part);
    const glm::vec4 bottom = glm::mix(texels.at(x.first, y.second), texels.at(x.second, y.second), x.part);
    return glm::mix(top, bottom, y.part);
}

Loaded<std::vector<image::Picture>> decode_images(const Scene& scene, const Limits& limits) {
    const std::vector<std::size_t> used = used_images(scene);
    Loaded<std::vector<image::Picture>> loaded;
    loaded.value.resize(scene.images.size());
    std::uint64_t left = limits.memory != 0 ? limits.memory : default_memory;
    // A few at once, so that the limit is looked at before there is much beyond it.
    for (std::size_t begin = 0; begin < used.size(); begin += batch_size) {
        const std::size_t end = std::min(begin + batch_size, used.size());
        Limits rest = limits;
        if (limits.memory != 0) rest.memory = std::max(left, std::uint64_t{1});
        std::vector<Result<image::Picture>> decoded =
            decode_batch(scene, std::span(used).subspan(begin, end - begin), rest);
        for (std::size_t i = 0; i < decoded.size(); ++i) {
            const std::size_t image = used[begin + i];
            if (decoded[i] && decoded[i]->rgba.size() > left) {
                decoded[i] = fail(problem(codes::limit_memory, "there is not enough memory for it"));
            }
            if (!decoded[i]) {
                loaded.report.add(left_out(scene, image, decoded[i].error()));
                continue;
            }
            left -= decoded[i]->rgba.size();
            loaded.value[image] = std::move(*decoded[i]);
        }
    }
    return loaded;
}

namespace {

/// Sets of texture coordinates beyond are left out, with the textures that ask for them.
constexpr std::uint32_t max_texcoord_sets = 8;

constexpr glm::vec4 collision_color{1.0f, 0.35f, 0.05f, 0.2f};

float finite_or(float value, float fallback) noexcept { return std::isfinite(value) ? value : fallback; }

/// Colours beyond any sense would only spoil sums.
float light_value(float value) noexcept { return std::clamp(finite_or(value, 0), 0.0f, 1000.0f); }

Map make_map(const TextureSlot& slot, std::span<const image::Picture> images) {
    Map map;
    if (slot.image >= images.size() || images[slot.image].rgba.empty() || slot.texcoord >= max_texcoord_sets) {
        return map;
    }
    map.picture = &images[slot.image];
    map.texcoord = slot.texcoord;
    map.wrap_u = slot.wrap_u;
    map.wrap_v = slot.wrap_v;
    // Scaled, then turned counter-clockwise as seen on the image, then moved.
    const float sine = std::sin(finite_or(slot.rotation, 0));
    const float cosine = std::cos(finite_or(slot.rotation, 0));
    map.turn = glm::mat2(cosine * slot.scale.x, -sine * slot.scale.x, sine * slot.scale.y, cosine * slot.scale.y);
    map.offset = to_glm(slot.offset);
    map.strength = finite_or(slot.strength, 1);
    return map;
}

Surface make_surface(const Material& material, std::span<const image::Picture> images) {
    Surface surface;
    surface.base = {light_value(material.base_color.r), light_value(material.base_color.g),
                    light_value(material.base_color.b), std::clamp(finite_or(material.base_color.a, 1), 0.0f, 1.0f)};
    surface.emissive = {light_value(material.emissive.x), light_value(material.emissive.y),
                        light_value(material.emissive.z)};
    surface.metallic = std::clamp(finite_or(material.metallic, 0), 0.0f, 1.0f);
    surface.roughness = std::clamp(finite_or(material.roughness, 1), 0.0f, 1.0f);
    surface.cutoff = finite_or(material.alpha_cutoff, 0.5f);
    surface.alpha_mode = material.alpha_mode;
    surface.double_sided = material.double_sided;
    surface.unlit = material.unlit;
    surface.base_map = make_map(material.base_color_texture, images);
    surface.metallic_roughness_map = make_map(material.metallic_roughness_texture, images);
    surface.normal_map = make_map(material.normal_texture, images);
    surface.occlusion_map = make_map(material.occlusion_texture, images);
    surface.emissive_map = make_map(material.emissive_texture, images);
    return surface;
}

Surface collision_surface() {
    Surface surface;
    surface.base = collision_color;
    surface.alpha_mode = AlphaMode::blend;
    surface.double_sided = true;
    surface.collision = true;
    return surface;
}

std::uint32_t sets_of(const Surface& surface) {
    std::uint32_t sets = 0;
    for (const Map* map : {&surface.base_map, &surface.metallic_roughness_map, &surface.normal_map,
                           &surface.occlusion_map, &surface.emissive_map}) {
        if (map->used()) sets = std::max(sets, map->texcoord + 1);
    }
    return sets;
}

}  // namespace

Surfaces make_surfaces(const Scene& scene, std::span<const image::Picture> images) {
    Surfaces surfaces;
    surfaces.all.reserve(scene.materials.size() + 2);
    for (const Material& material : scene.materials) {
        surfaces.all.push_back(make_surface(material, images));
        surfaces.texcoord_sets = std::max(surfaces.texcoord_sets, sets_of(surfaces.all.back()));
    }
    surfaces.all.push_back(make_surface(Material{}, images));
    surfaces.all.push_back(collision_surface());
    return surfaces;
}

}  // namespace effigy::render
