/// Paints the ship's textures and compresses them as DXT5.

#include "texture.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>
#include <squish.h>
#include <vector>
#include <zlib.h>

namespace ship {

namespace {

using glm::vec3;
using glm::vec4;

constexpr int largest = 256;

/// A number in 0..1 for a cell of the pattern.
float chance(int x, int y) {
    auto mixed = static_cast<std::uint32_t>(x * 73856093) ^ static_cast<std::uint32_t>(y * 19349663);
    mixed = (mixed ^ (mixed >> 13u)) * 1274126177u;
    return static_cast<float>((mixed >> 8u) & 0xffffu) / 65535.0f;
}

/// Where a point lies among the plates of the hull.
struct Plate {
    int column = 0, row = 0;
    float edge = 0;  // distance to the nearest seam, in plates
    glm::vec2 inside{0, 0};
};

Plate plate_at(float u, float v) {
    Plate plate;
    const float y = v * 12;
    plate.row = static_cast<int>(std::floor(y));
    const float x = u * 8 + 0.5f * static_cast<float>(plate.row % 2);
    plate.column = static_cast<int>(std::floor(x));
    plate.inside = {x - static_cast<float>(plate.column), y - static_cast<float>(plate.row)};
    const glm::vec2 near = glm::min(plate.inside, 1.0f - plate.inside);
    plate.edge = std::min(near.x, near.y);
    return plate;
}

bool is_striped(float v) { return (v > 0.16f && v < 0.19f) || (v > 0.62f && v < 0.65f); }

vec4 diffuse(float u, float v) {
    const Plate plate = plate_at(u, v);
    vec3 color = is_striped(v)
                     ? vec3(0.85f, 0.42f, 0.1f)
                     : glm::mix(vec3(0.36f, 0.42f, 0.5f), vec3(0.55f, 0.6f, 0.66f), chance(plate.column, plate.row));
    if (plate.edge < 0.03f) color *= 0.45f;
    return {color, 1};
}

/// Seams are grooves; green down, as the games have it.
vec4 normal(float u, float v) {
    const Plate plate = plate_at(u, v);
    vec3 slope(0, 0, 1);
    if (plate.edge < 0.06f) {
        const glm::vec2 near = glm::min(plate.inside, 1.0f - plate.inside);
        if (near.x < near.y)
            slope.x = plate.inside.x < 0.5f ? -0.6f : 0.6f;
        else
            slope.y = plate.inside.y < 0.5f ? -0.6f : 0.6f;
    }
    return {glm::normalize(slope) * 0.5f + 0.5f, 1};
}

vec4 metal(float u, float v) { return vec4(vec3(is_striped(v) ? 0.0f : 0.7f * chance(static_cast<int>(u * 8), 3)), 1); }

vec4 smooth(float u, float v) {
    const Plate plate = plate_at(u, v);
    return vec4(vec3(plate.edge < 0.03f ? 0.2f : 0.45f + 0.3f * chance(plate.row, plate.column)), 1);
}

vec4 glow(float, float v) { return {0.3f * v, 0.6f + 0.4f * v, 1, 1}; }

vec4 color_of(Map map, float u, float v) {
    switch (map) {
        case Map::diffuse:
            return diffuse(u, v);
        case Map::normal:
            return normal(u, v);
        case Map::metal:
            return metal(u, v);
        case Map::smooth:
            return smooth(u, v);
        case Map::glow:
            return glow(u, v);
    }
    return {};
}

std::vector<std::uint8_t> pixels_of(Map map, int size) {
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const float unit = 1.0f / static_cast<float>(size);
            const vec4 color =
                color_of(map, (static_cast<float>(x) + 0.5f) * unit, (static_cast<float>(y) + 0.5f) * unit);
            for (int channel = 0; channel < 4; ++channel) {
                pixels.push_back(static_cast<std::uint8_t>(std::lround(glm::clamp(color[channel], 0.0f, 1.0f) * 255)));
            }
        }
    }
    return pixels;
}

std::array<std::uint32_t, 32> dds_header(std::uint32_t levels) {
    std::array<std::uint32_t, 32> header{};
    std::memcpy(header.data(), "DDS ", 4);
    header[1] = 124;
    header[2] = 0xa1007;  // caps, height, width, pixel format, levels, size
    header[3] = header[4] = largest;
    header[5] = largest * largest;
    header[7] = levels;
    header[19] = 32;
    header[20] = 4;  // a four-letter code
    std::memcpy(&header[21], "DXT5", 4);
    header[27] = 0x401008;  // a texture of several levels
    return header;
}

std::vector<std::uint8_t> dds_file(Map map) {
    std::uint32_t levels = 0;
    for (int size = largest; size > 0; size /= 2) ++levels;
    const auto header = dds_header(levels);
    std::vector<std::uint8_t> bytes(sizeof header);
    std::memcpy(bytes.data(), header.data(), sizeof header);
    for (int size = largest; size > 0; size /= 2) {
        const auto blocks = static_cast<std::size_t>(squish::GetStorageRequirements(size, size, squish::kDxt5));
        const std::vector<std::uint8_t> pixels = pixels_of(map, size);
        bytes.resize(bytes.size() + blocks);
        squish::CompressImage(pixels.data(), size, size, bytes.data() + bytes.size() - blocks,
                              squish::kDxt5 | squish::kColourRangeFit);
    }
    return bytes;
}

}  // namespace

effigy::Bytes texture_file(Map map) {
    std::vector<std::uint8_t> plain = dds_file(map);
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;
    if (deflateInit2(&stream, 9, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    effigy::Bytes packed(deflateBound(&stream, static_cast<uLong>(plain.size())));
    stream.next_in = plain.data();
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(done ? stream.total_out : 0);
    deflateEnd(&stream);
    return packed;
}

}  // namespace ship
