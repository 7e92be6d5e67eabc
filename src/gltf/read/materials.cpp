/// Materials and images from glTF: textures with their transforms, extensions of exporters, bytes, formats.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/core_codes.hpp"
#include "effigy/gltf_codes.hpp"
#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/content.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"
#include "scene/bridge.hpp"
#include "scene/texture_names.hpp"

namespace effigy::gltf {
namespace {

constexpr const char* specular_glossiness = "KHR_materials_pbrSpecularGlossiness";
constexpr const char* specular_reflection = "KHR_materials_specular";
constexpr std::array<std::string_view, 5> understood{specular_glossiness, specular_reflection, "KHR_materials_ior",
                                                     "KHR_materials_unlit", "KHR_materials_emissive_strength"};

struct Wraps {
    Wrap u = Wrap::repeat, v = Wrap::repeat;
};

class MaterialReader {
public:
    MaterialReader(Reading& reading, const Value& json, std::size_t number)
        : reading_(reading), json_(json), path_("materials[" + std::to_string(number) + "]") {}

    Result<Material> read() {
        material_.name = name_of(json_);
        return read_surface()
            .and_then([&] { return read_slot(material_.normal_texture, json_, "normalTexture", "scale"); })
            .and_then([&] { return read_slot(material_.occlusion_texture, json_, "occlusionTexture", "strength"); })
            .and_then([&] { return read_slot(material_.emissive_texture, json_, "emissiveTexture"); })
            .map([&] {
                read_rest();
                material_.extras = read_extras(reading_, json_, path_).extras;
                note_lost_extensions();
                return std::move(material_);
            });
    }

private:
    Result<void> read_surface() {
        if (const Value* const older = extension_of(json_, specular_glossiness)) return read_older(*older);
        const Value& surface = reading_.object(json_, "pbrMetallicRoughness", path_);
        const std::string path = path_ + " / pbrMetallicRoughness";
        set_color(reading_.numbers<4>(surface, "baseColorFactor", {1, 1, 1, 1}, path));
        material_.metallic = fraction(reading_.number(surface, "metallicFactor", 1, path), path + " / metallicFactor");
        material_.roughness =
            fraction(reading_.number(surface, "roughnessFactor", 1, path), path + " / roughnessFactor");
        return read_slot(material_.base_color_texture, surface, "baseColorTexture").and_then([&] {
            return read_slot(material_.metallic_roughness_texture, surface, "metallicRoughnessTexture");
        });
    }

    // The older model of surfaces. A specular colour that stands in a texture cannot be joined with the diffuse one.
    Result<void> read_older(const Value& older) {
        const std::string path = path_ + " / extensions / " + specular_glossiness;
        const auto diffuse = reading_.numbers<4>(older, "diffuseFactor", {1, 1, 1, 1}, path);
        const auto specular = reading_.numbers<3>(older, "specularFactor", {1, 1, 1}, path);
        const bool has_texture = member(older, "specularGlossinessTexture") != nullptr;
        material_.roughness = 1 - fraction(reading_.number(older, "glossinessFactor", 1, path), path);
        set_color(diffuse);
        if (!has_texture) turn_to_metal(diffuse, specular);
        reading_.note(
            has_texture ? codes::gltf_material_converted.as(Severity::warning) : codes::gltf_material_converted, path,
            has_texture ? "specular and glossiness became metal and roughness; their texture is left out"
                        : "specular and glossiness became metal and roughness");
        return read_slot(material_.base_color_texture, older, "diffuseTexture");
    }

    // Of a surface that reflects 4 % where it is no metal: the share of metal m for which a base colour exists that
    // gives both brightnesses, d = b (1 - m) (1 - 0.04) / (1 - s) and s = 0.04 (1 - m) + b m.
    void turn_to_metal(const std::array<float, 4>& diffuse, const std::array<float, 3>& specular) {
        constexpr double plain = 0.04;
        const auto brightness = [](auto color) {
            return std::sqrt(0.299 * color[0] * color[0] + 0.587 * color[1] * color[1] + 0.114 * color[2] * color[2]);
        };
        const double rest = 1 - std::clamp(double{*std::max_element(specular.begin(), specular.end())}, 0.0, 1.0);
        const double d = brightness(diffuse), s = brightness(specular);
        if (s < plain) return;
        const double b = d * rest / (1 - plain) + s - 2 * plain;
        const double root = std::max(0.0, b * b - 4 * plain * (plain - s));
        const double metallic = std::clamp((-b + std::sqrt(root)) / (2 * plain), 0.0, 1.0);
        material_.metallic = static_cast<float>(metallic);
        std::array<float, 4> color = diffuse;
        for (std::size_t i = 0; i < 3; ++i) {
            const double of_diffuse = diffuse[i] * rest / (1 - plain) / std::max(1 - metallic, 1e-4);
            const double of_specular = (specular[i] - plain * (1 - metallic)) / std::max(metallic, 1e-4);
            const double mixed = of_diffuse + (of_specular - of_diffuse) * metallic * metallic;
            color[i] = static_cast<float>(std::clamp(mixed, 0.0, 1.0));
        }
        set_color(color);
    }

    void set_color(const std::array<float, 4>& color) {
        const std::string path = path_ + " / colour";
        material_.base_color = {fraction(color[0], path), fraction(color[1], path), fraction(color[2], path),
                                fraction(color[3], path)};
    }

    float fraction(float value, const std::string& path) {
        const float clamped = std::clamp(value, 0.0f, 1.0f);
        if (clamped != value) {
            reading_.note(codes::gltf_range, path, "the number lies outside of its range and is cut off",
                          number_text(value), "0 to 1");
        }
        return clamped;
    }

    void read_rest() {
        read_emission();
        const std::string_view mode = text_member(json_, "alphaMode");
        if (mode == "MASK") material_.alpha_mode = AlphaMode::mask;
        if (mode == "BLEND") material_.alpha_mode = AlphaMode::blend;
        material_.alpha_cutoff = std::max(0.0f, reading_.number(json_, "alphaCutoff", 0.5f, path_));
        material_.double_sided = reading_.flag(json_, "doubleSided", path_);
        material_.unlit = extension_of(json_, "KHR_materials_unlit") != nullptr;
        read_reflection();
        float& occlusion = material_.occlusion_texture.strength;
        occlusion = fraction(occlusion, path_ + " / occlusionTexture / strength");
    }

    void read_emission() {
        const auto factor = reading_.numbers<3>(json_, "emissiveFactor", {0, 0, 0}, path_);
        float strength = 1;
        if (const Value* const extension = extension_of(json_, "KHR_materials_emissive_strength")) {
            strength = reading_.number(*extension, "emissiveStrength", 1, path_);
        }
        const auto part = [&](std::size_t i) { return emission(std::max(0.0f, factor[i]), std::max(0.0f, strength)); };
        material_.emissive = {part(0), part(1), part(2)};
    }

    void read_reflection() {
        if (const Value* const extension = extension_of(json_, "KHR_materials_ior")) {
            const float ior = reading_.number(*extension, "ior", material_.ior, path_);
            material_.ior = ior == 0 ? 0 : std::max(1.0f, ior);
        }
        const Value* const extension = extension_of(json_, specular_reflection);
        if (extension == nullptr) return;
        const std::string path = path_ + " / extensions / " + specular_reflection;
        material_.specular = fraction(reading_.number(*extension, "specularFactor", 1, path), path);
        const auto tint = reading_.numbers<3>(*extension, "specularColorFactor", {1, 1, 1}, path);
        material_.specular_color = {std::max(0.0f, tint[0]), std::max(0.0f, tint[1]), std::max(0.0f, tint[2])};
    }

    // The product; of the floats that come near it the one that the writer divides into the same factor again.
    static float emission(float factor, float strength) {
        const double exact = std::min(double{factor} * double{strength}, 3e38);
        const auto product = static_cast<float>(exact);
        if (!(strength > 1)) return product;
        const float below = std::nextafter(product, 0.0f), above = std::nextafter(product, 3e38f);
        for (const float candidate : {product, below, above, std::nextafter(below, 0.0f)}) {
            if (candidate / strength == factor) return candidate;
        }
        return product;
    }

    Result<void> read_slot(TextureSlot& slot, const Value& object, const char* name,
                           const char* strength_name = nullptr) {
        const Value& info = reading_.object(object, name, path_);
        const std::string path = path_ + " / " + name;
        const auto texture = reading_.reference(info, "index", "textures", path);
        if (!texture) return fail(texture.error());
        if (*texture == no_index) return {};
        if (auto read = read_texture(slot, *texture); !read) return read;
        slot.texcoord = coordinate_set(info, path);
        if (strength_name != nullptr) slot.strength = reading_.number(info, strength_name, 1, path);
        if (const Value* const transform = extension_of(info, "KHR_texture_transform")) {
            read_transform(slot, *transform, path + " / extensions / KHR_texture_transform");
        }
        return {};
    }

    std::uint32_t coordinate_set(const Value& object, const std::string& path) {
        const auto set = whole_member_or(object, "texCoord", 0);
        if (set && *set < 0xffffffffu) return static_cast<std::uint32_t>(*set);
        reading_.note(codes::gltf_value, path + " / texCoord",
                      "this is no set of texture coordinates; the first is used");
        return 0;
    }

    void read_transform(TextureSlot& slot, const Value& transform, const std::string& path) {
        const auto offset = reading_.numbers<2>(transform, "offset", {0, 0}, path);
        const auto scale = reading_.numbers<2>(transform, "scale", {1, 1}, path);
        slot.offset = {offset[0], offset[1]};
        slot.scale = {scale[0], scale[1]};
        slot.rotation = reading_.number(transform, "rotation", 0, path);
        if (member(transform, "texCoord") != nullptr) slot.texcoord = coordinate_set(transform, path);
    }

    // PNG and JPEG come first where a texture has several images.
    Result<void> read_texture(TextureSlot& slot, Index number) {
        const Value& texture = reading_.asset.array("textures")[number];
        const std::string path = "textures[" + std::to_string(number) + "]";
        auto image = reading_.reference(texture, "source", "images", path);
        for (const char* const name : {"MSFT_texture_dds", "EXT_texture_webp", "KHR_texture_basisu"}) {
            const Value* const extension = extension_of(texture, name);
            if (!image || *image != no_index || extension == nullptr) continue;
            image = reading_.reference(*extension, "source", "images", path + " / extensions / " + name);
        }
        if (!image) return fail(std::move(image.error()));
        if (*image == no_index) {
            reading_.note(codes::gltf_texture_empty, path, "the texture has no image and is left out");
            return {};
        }
        const auto sampler = reading_.reference(texture, "sampler", "samplers", path);
        if (!sampler) return fail(sampler.error());
        slot.image = *image;
        if (*sampler == no_index) return {};
        slot.wrap_u = wrap_of(*sampler, "wrapS");
        slot.wrap_v = wrap_of(*sampler, "wrapT");
        return {};
    }

    Wrap wrap_of(Index sampler, const char* name) {
        const auto wrap = whole_member_or(reading_.asset.array("samplers")[sampler], name, 10497);
        for (const Wrap known : {Wrap::repeat, Wrap::clamp_to_edge, Wrap::mirrored_repeat}) {
            if (wrap == static_cast<std::uint16_t>(known)) return known;
        }
        reading_.note(codes::gltf_value, "samplers[" + std::to_string(sampler) + "] / " + name,
                      "there is no such way to wrap; the texture repeats");
        return Wrap::repeat;
    }

    void note_lost_extensions() {
        const Value* const extensions = member(json_, "extensions");
        if (extensions == nullptr || !extensions->is_object()) return;
        std::string names;
        for (const auto& [name, value] : extensions->items()) {
            const bool is_known = std::find(understood.begin(), understood.end(), name) != understood.end();
            const bool has_textures = name == specular_reflection && (member(value, "specularTexture") != nullptr ||
                                                                      member(value, "specularColorTexture") != nullptr);
            if (is_known && !has_textures) continue;
            const std::string lost = (has_textures ? "textures of " : "") + name.substr(0, 80);
            if (names.size() < 200) names += (names.empty() ? "" : ", ") + lost;
        }
        if (names.empty()) return;
        reading_.note(codes::gltf_material_lost, path_, "the scene has no place for these properties of the material",
                      names);
    }

    Reading& reading_;
    const Value& json_;
    std::string path_;
    Material material_;
};

void note_variants(Reading& reading) {
    const Value* const extension = extension_of(reading.asset.json(), "KHR_materials_variants");
    if (extension == nullptr) return;
    NameList names;
    for (const Value& variant : list_member(*extension, "variants")) names.add(shortened(name_of(variant)));
    if (names.empty()) return;
    reading.note(codes::gltf_variants_lost, "extensions / KHR_materials_variants",
                 "a mesh has one look in the scene: the first materials are kept, those of variants change nothing",
                 names.text());
}

}  // namespace

Result<void> read_materials(Reading& reading) {
    note_variants(reading);
    return read_objects<MaterialReader>(reading, "materials", reading.scene.materials);
}

namespace {

bool is_for_gltf(std::string_view mime_type) { return mime_type == "image/png" || mime_type == "image/jpeg"; }

// Without its file, so that materials lose it, too.
void leave_out(Reading& reading, Image& image, std::string path, const Diagnostic& why) {
    if (image.name.empty()) image.name = picture_stem(image.uri);
    const bool is_limit = why.code == codes::limit_memory;
    reading.note(is_limit ? codes::limit_memory.as(Severity::warning) : codes::gltf_image_lost, std::move(path),
                 is_limit ? "Reading the image needs more memory than the limit allows; it is left out. Raise it with "
                            "--limit-memory."
                          : why.message + " The image is left out; repair it or replace it.",
                 (image.name.empty() ? "" : image.name + ": ") + why.found, why.expected);
    image.uri.clear();
    image.mime_type.clear();
}

// Images that the scene does not hold (WebP, DDS, TGA) become PNG.
void decode(Reading& reading, Image& image, const EncodedImage& encoded, const std::string& path) {
    auto picture = image::decode(encoded.bytes, reading.limits);
    auto png = picture ? image::encode_png(*picture) : Result<Bytes>(fail(picture.error()));
    if (!png) return leave_out(reading, image, path, png.error());
    for (Diagnostic& one : picture->report.diagnostics()) one.path = path;
    reading.report.append(std::move(picture->report));
    image.bytes = std::move(*png);
    image.mime_type = "image/png";
}

// A model is whole without them; what no folder can have keeps its last name only.
void refuse_uri(Reading& reading, Image& image, const std::string& path, std::string_view uri, const Diagnostic& why) {
    if (is_data_uri(uri)) return leave_out(reading, image, path, why);
    image.uri = unescape_uri(uri);
    image.uri.erase(0, image.uri.find_last_of("/\\:") + 1);
    if (image.uri == "." || image.uri == "..") image.uri.clear();
    reading.note(codes::gltf_uri.as(Severity::warning), path, why.message + "; of the image only its name is known",
                 why.found, why.expected);
}

Result<Image> read_image(Reading& reading, const Value& json, std::size_t number) {
    const std::string path = "images[" + std::to_string(number) + "]";
    Image image;
    image.name = name_of(json);
    auto encoded = reading.asset.image(number);
    const std::string_view uri = text_member(json, "uri");
    if (!encoded && encoded.error().code == codes::gltf_uri && !uri.empty()) {
        refuse_uri(reading, image, path, uri, encoded.error());
        return image;
    }
    if (!encoded) return fail(std::move(encoded.error()));
    image.uri = std::move(encoded->uri);
    image.mime_type = encoded->mime_type;
    if (encoded->bytes.empty()) {
        image.mime_type.clear();
        reading.note(codes::gltf_image_missing, path, "the image is not there; only its name is known", image.uri);
    } else if (is_for_gltf(encoded->mime_type)) {
        if (image::is_cut_off(encoded->bytes))
            reading.note(codes::image_truncated.as(Severity::warning), path,
                         "The image ends before its last pixel: programs show a part of it, or nothing. Replace it.",
                         image.name.empty() ? image.uri : image.name);
        image.bytes = std::move(encoded->bytes);
    } else {
        decode(reading, image, *encoded, path);
    }
    return image;
}

}  // namespace

Result<void> read_images(Reading& reading) {
    const Value& images = reading.asset.array("images");
    for (std::size_t i = 0; i < images.size(); ++i) {
        auto image = read_image(reading, images[i], i);
        if (!image) return fail(std::move(image.error()));
        reading.scene.images.push_back(std::move(*image));
    }
    return {};
}

}  // namespace effigy::gltf
