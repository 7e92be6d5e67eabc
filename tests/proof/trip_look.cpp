/// Colours, textures and states of a triangle of a .glb.

#include "proof/trip_look.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>

namespace trip {
namespace {

using Json = nlohmann::json;

constexpr int repeat = 10497, clamp = 33071, mirror = 33648;

const Json& part(const Json& object, const char* name) {
    static const Json nothing = Json::object();
    return object.contains(name) ? object.at(name) : nothing;
}

void read_texture(const Json& slot, const Json& document, Look& look) {
    const Json& texture = document.at("textures").at(slot.at("index").get<std::size_t>());
    look.texture = texture.value("source", glb::none);
    if (texture.contains("sampler")) {
        const Json& sampler = document.at("samplers").at(texture.at("sampler").get<std::size_t>());
        look.wraps = {sampler.value("wrapS", repeat), sampler.value("wrapT", repeat)};
    }
    look.set = slot.value("texCoord", std::size_t{0});
    const Json& transform = part(part(slot, "extensions"), "KHR_texture_transform");
    look.set = transform.value("texCoord", look.set);
    look.rotation = transform.value("rotation", 0.0);
    const auto pair = [&](const char* name, glb::Vec2 value) {
        const auto numbers = transform.value(name, std::vector<double>{value.x, value.y});
        return glb::Vec2(numbers.at(0), numbers.at(1));
    };
    look.offset = pair("offset", {0, 0});
    look.scale = pair("scale", {1, 1});
}

Look read_look(const Json& json, const Json& document) {
    Look look;
    look.name = json.value("name", "");
    const Json& surface = part(json, "pbrMetallicRoughness");
    const auto color = surface.value("baseColorFactor", std::vector<double>{1, 1, 1, 1});
    look.color = {color.at(0), color.at(1), color.at(2), color.at(3)};
    look.metallic = surface.value("metallicFactor", 1.0);
    look.roughness = surface.value("roughnessFactor", 1.0);
    look.has_metal_map = surface.contains("metallicRoughnessTexture");
    if (surface.contains("baseColorTexture")) read_texture(surface.at("baseColorTexture"), document, look);
    look.alpha = json.value("alphaMode", "OPAQUE");
    look.cutoff = look.alpha == "MASK" ? json.value("alphaCutoff", 0.5) : 0.5;
    look.is_double_sided = json.value("doubleSided", false);
    look.has_relief = json.contains("normalTexture");
    look.relief = part(json, "normalTexture").value("scale", 1.0);
    look.has_occlusion = json.contains("occlusionTexture");
    look.has_glow_map = json.contains("emissiveTexture");
    look.glow_set = part(json, "emissiveTexture").value("texCoord", std::size_t{0});
    const auto glow = json.value("emissiveFactor", std::vector<double>{0, 0, 0});
    const Json& extensions = part(json, "extensions");
    look.glow = glb::Vec3(glow.at(0), glow.at(1), glow.at(2)) *
                part(extensions, "KHR_materials_emissive_strength").value("emissiveStrength", 1.0);
    look.is_unlit = extensions.contains("KHR_materials_unlit");
    return look;
}

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double to_srgb(double c) { return c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

/// From 0 to 1.
double wrapped(double coordinate, int wrap) {
    if (wrap == clamp) return std::min(std::max(coordinate, 0.0), 1 - 1e-9);
    const double part = coordinate - std::floor(coordinate);
    const bool is_odd = std::fmod(std::abs(std::floor(coordinate)), 2) == 1;
    return wrap == mirror && is_odd ? 1 - 1e-9 - part : part;
}

/// The number of the pixel, or none near its edge.
std::optional<std::size_t> pixel(double coordinate, std::uint32_t size, int wrap) {
    constexpr double edge = 0.05;
    const double place = wrapped(coordinate, wrap) * size;
    if (wrap == clamp && (coordinate < 0 || coordinate > 1)) return static_cast<std::size_t>(place);
    const double rest = place - std::floor(place);
    if (rest < edge || rest > 1 - edge) return std::nullopt;
    return static_cast<std::size_t>(place);
}

}  // namespace

Looks::Looks(const glb::Document& document) {
    default_.metallic = 0;  // who gives a mesh no material means no metal, whatever the specification's default is
    const Json& materials = part(document.json, "materials");
    for (const Json& json : materials) looks_.push_back(read_look(json, document.json));
    for (const auto& bytes : document.images) {
        auto picture = bytes.empty() ? effigy::Result<effigy::image::Picture>() : effigy::image::decode(bytes);
        EXPECT_TRUE(picture) << "a picture that cannot be decoded";
        pictures_.push_back(picture ? std::move(*picture) : effigy::image::Picture{});
    }
}

const Look& Looks::of(const Triangle& triangle) const {
    const int number = triangle.primitive->material;
    return number == glb::none ? default_ : looks_.at(static_cast<std::size_t>(number));
}

std::optional<glb::Vec2> Looks::coordinates(const Triangle& triangle, std::size_t corner) const {
    const Look& look = of(triangle);
    if (triangle.primitive->uvs.size() <= look.set) return std::nullopt;
    const glb::Vec2 stretched = triangle.primitive->uvs[look.set].at(triangle.corners.at(corner)) * look.scale;
    const double sine = std::sin(look.rotation), cosine = std::cos(look.rotation);
    return look.offset +
           glb::Vec2(cosine * stretched.x + sine * stretched.y, cosine * stretched.y - sine * stretched.x);
}

std::optional<glb::Vec4> Looks::shown(const Triangle& triangle, const glb::Vec3& weights) const {
    const Look& look = of(triangle);
    glb::Vec4 linear = look.color;
    if (look.texture != glb::none) {
        glb::Vec2 at{0};
        for (std::size_t c = 0; c < 3; ++c) {
            const auto corner = coordinates(triangle, c);
            if (corner) at += weights[static_cast<int>(c)] * *corner;
        }
        const auto& picture = pictures_.at(static_cast<std::size_t>(look.texture));
        const auto column = pixel(at.x, picture.width, look.wraps[0]);
        const auto row = pixel(at.y, picture.height, look.wraps[1]);
        if (!column || !row) return std::nullopt;
        const std::size_t first = (*row * picture.width + *column) * 4;
        for (std::size_t c = 0; c < 4; ++c) {
            const double value = std::to_integer<int>(picture.rgba.at(first + c)) / 255.0;
            linear[static_cast<int>(c)] *= c == 3 ? value : to_linear(value);
        }
    }
    return glb::Vec4(to_srgb(linear.r), to_srgb(linear.g), to_srgb(linear.b), linear.a);
}

}  // namespace trip
