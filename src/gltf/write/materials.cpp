/// Materials, textures, samplers and images as glTF.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "effigy/image.hpp"

#include "core/file_set.hpp"
#include "core/json_members.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/write/document.hpp"
#include "scene/texture_names.hpp"
#include "scene/validate.hpp"

namespace effigy::gltf {

namespace {

/// What becomes part of the file, or another file, keeps the name of its own.
std::string name_of(const Image& image) { return image.name.empty() ? picture_stem(image.uri) : image.name; }

std::string file_name_of(const Image& image, std::size_t number, const std::string& stem, FileNames& names) {
    std::string name = name_of(image);
    if (name.empty()) name = "image" + std::to_string(number);
    return names.add(stem, name, image.mime_type == "image/jpeg" ? ".jpg" : ".png");
}

// Textures and samplers that are alike are written once.
class Textures {
public:
    explicit Textures(Document& document) : document_(document) {}

    Index number_of(const TextureSlot& slot) {
        const Index image = document_.image_numbers[slot.image];
        const auto [known, is_new] = textures_.try_emplace({image, slot.wrap_u, slot.wrap_v}, next(document_.textures));
        if (is_new) {
            Json texture = Json::object();
            const Index sampler = sampler_of(slot);
            if (sampler != no_index) texture["sampler"] = sampler;
            set_source(texture, image);
            document_.textures.push_back(texture);
        }
        return known->second;
    }

private:
    void set_source(Json& texture, Index image) {
        if (!document_.webp_images.contains(image)) {
            texture["source"] = image;
            return;
        }
        constexpr const char* webp = "EXT_texture_webp";
        texture["extensions"][webp]["source"] = image;
        document_.extensions.insert(webp);
        document_.required.insert(webp);
    }

    static Index next(const ArrayText& array) { return static_cast<Index>(array.size()); }

    Index sampler_of(const TextureSlot& slot) {
        if (slot.wrap_u == Wrap::repeat && slot.wrap_v == Wrap::repeat) return no_index;
        const auto [known, is_new] = samplers_.try_emplace({slot.wrap_u, slot.wrap_v}, next(document_.samplers));
        if (is_new) {
            Json sampler = Json::object();
            if (slot.wrap_u != Wrap::repeat) sampler["wrapS"] = static_cast<std::uint16_t>(slot.wrap_u);
            if (slot.wrap_v != Wrap::repeat) sampler["wrapT"] = static_cast<std::uint16_t>(slot.wrap_v);
            document_.samplers.push_back(sampler);
        }
        return known->second;
    }

    Document& document_;
    std::map<std::tuple<Index, Wrap, Wrap>, Index> textures_;
    std::map<std::pair<Wrap, Wrap>, Index> samplers_;
};

Json transform_json(const TextureSlot& slot) {
    Json transform = Json::object();
    if (slot.offset != Vec2{}) transform["offset"] = {number(slot.offset.x), number(slot.offset.y)};
    if (slot.rotation != 0) transform["rotation"] = number(slot.rotation);
    if (slot.scale != Vec2{1, 1}) transform["scale"] = {number(slot.scale.x), number(slot.scale.y)};
    return transform;
}

class MaterialWriter {
public:
    MaterialWriter(Document& document, const Scene& scene) : document_(document), scene_(scene), textures_(document) {}

    Json write(const Material& material) {
        Json json = Json::object();
        if (!material.name.empty()) json["name"] = material.name;
        if (Json surface = surface_json(material); !surface.empty()) {
            json["pbrMetallicRoughness"] = std::move(surface);
        }
        add_slot(json, "normalTexture", material.normal_texture, "scale");
        add_slot(json, "occlusionTexture", material.occlusion_texture, "strength");
        add_slot(json, "emissiveTexture", material.emissive_texture);
        add_emission(json, material.emissive);
        if (material.alpha_mode == AlphaMode::mask) json["alphaMode"] = "MASK";
        if (material.alpha_mode == AlphaMode::mask && material.alpha_cutoff != 0.5f) {
            json["alphaCutoff"] = number(material.alpha_cutoff);
        }
        if (material.alpha_mode == AlphaMode::blend) json["alphaMode"] = "BLEND";
        if (material.double_sided) json["doubleSided"] = true;
        if (material.unlit) extension(json, "KHR_materials_unlit") = Json::object();
        add_reflection(json, material);
        return json;
    }

private:
    Json& extension(Json& object, const char* name) {
        document_.extensions.insert(name);
        return object["extensions"][name];
    }

    Json surface_json(const Material& material) {
        Json surface = Json::object();
        const Color& color = material.base_color;
        if (color != Color{1, 1, 1, 1}) {
            surface["baseColorFactor"] = numbers(std::array<float, 4>{color.r, color.g, color.b, color.a});
        }
        add_slot(surface, "baseColorTexture", material.base_color_texture);
        if (material.metallic != 1) surface["metallicFactor"] = number(material.metallic);
        if (material.roughness != 1) surface["roughnessFactor"] = number(material.roughness);
        add_slot(surface, "metallicRoughnessTexture", material.metallic_roughness_texture);
        return surface;
    }

    void add_slot(Json& object, const char* name, const TextureSlot& slot, const char* strength_name = nullptr) {
        if (!is_written(scene_, slot)) return;
        Json info = {{"index", textures_.number_of(slot)}};
        if (slot.texcoord != 0) info["texCoord"] = slot.texcoord;
        if (strength_name != nullptr && slot.strength != 1) info[strength_name] = number(slot.strength);
        if (Json transform = transform_json(slot); !transform.empty()) {
            extension(info, "KHR_texture_transform") = std::move(transform);
        }
        object[name] = std::move(info);
    }

    // glTF's factor ends at 1; what shines more has a strength.
    void add_emission(Json& json, const Vec3& emissive) {
        if (emissive == Vec3{}) return;
        const float strength = std::max({emissive.x, emissive.y, emissive.z, 1.0f});
        json["emissiveFactor"] =
            numbers(std::array<float, 3>{emissive.x / strength, emissive.y / strength, emissive.z / strength});
        if (strength > 1) {
            extension(json, "KHR_materials_emissive_strength") = {{"emissiveStrength", number(strength)}};
        }
    }

    void add_reflection(Json& json, const Material& material) {
        const Material usual;
        if (material.ior != usual.ior) extension(json, "KHR_materials_ior") = {{"ior", number(material.ior)}};
        const Vec3& tint = material.specular_color;
        if (material.specular == usual.specular && tint == usual.specular_color) return;
        Json& specular = extension(json, "KHR_materials_specular") = Json::object();
        if (material.specular != usual.specular) specular["specularFactor"] = number(material.specular);
        if (tint != usual.specular_color) specular["specularColorFactor"] = numbers(std::array{tint.x, tint.y, tint.z});
    }

    Document& document_;
    const Scene& scene_;
    Textures textures_;
};

/// The same pixels in fewer bytes. JPEG has lost already what makes it small.
std::optional<Bytes> smaller_webp(const Image& image) {
    if (image.mime_type != "image/png") return std::nullopt;
    const auto picture = image::decode(bytes_of(image.bytes));
    if (!picture) return std::nullopt;
    auto webp = image::encode_webp(*picture);
    if (!webp || webp->size() >= image.bytes.size()) return std::nullopt;
    return std::move(*webp);
}

}  // namespace

void add_images(Document& document, const Scene& scene, const std::optional<std::string>& image_stem) {
    document.image_numbers.assign(scene.images.size(), no_index);
    FileNames names;
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        const Image& image = scene.images[i];
        if (!is_written(image)) continue;
        Json json = Json::object();
        const std::string name = image.bytes.empty() ? image.name : name_of(image);
        if (!name.empty()) json["name"] = name;
        if (image.bytes.empty()) {
            json["uri"] = escape_uri(image.uri);
        } else if (image_stem) {
            document.image_files.push_back({file_name_of(image, i, *image_stem, names), &image});
            json["uri"] = escape_file_name(document.image_files.back().name);
        } else {
            const auto webp = document.is_compact ? smaller_webp(image) : std::nullopt;
            if (webp) document.webp_images.insert(static_cast<Index>(document.images.size()));
            json["mimeType"] = webp ? "image/webp" : image.mime_type;
            const auto bytes = webp ? document.buffer.keep(*webp) : bytes_of(image.bytes);
            const auto offset = document.buffer.add(bytes);
            json["bufferView"] = document.add_view(offset, bytes.size(), ViewTarget::none);
        }
        document.image_numbers[i] = static_cast<Index>(document.images.size());
        document.images.push_back(json);
    }
}

namespace {

// Of a picture that has been edited since, the record keeps what it was.
nlohmann::json pictures_record(const Pictures& pictures, const Material& material) {
    auto record = nlohmann::json::object();
    if (material.extras.json.empty() || object_of(material.extras.json).contains(pictures_key)) return record;
    if (const std::string hashes = pictures.hashes(material); !hashes.empty()) record[pictures_key] = hashes;
    return record;
}

}  // namespace

Result<void> add_materials(Document& document, const Scene& scene) {
    MaterialWriter writer(document, scene);
    const Pictures pictures(scene);
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const Extras& extras = scene.materials[i].extras;
        Json json = writer.write(scene.materials[i]);
        const bool is_hashed = extras.hash != 0 || extras.json.empty();
        const std::uint64_t hash = is_hashed ? extras.hash : hash_of(scene, scene.materials[i]);
        auto more = nlohmann::json::object();
        if (document.with_records) more = pictures_record(pictures, scene.materials[i]);
        if (auto added = add_extras(document, json, extras, hash, {{"materials", i}}, more); !added) return added;
        document.materials.push_back(json);
    }
    return {};
}

namespace {

const char* type_name(LightKind kind) {
    switch (kind) {
        case LightKind::directional:
            return "directional";
        case LightKind::point:
            return "point";
        case LightKind::spot:
            return "spot";
    }
    return "";
}

Result<Json> light_json(Document& document, const Light& light, std::size_t number) {
    Json json = Json::object();
    if (!light.name.empty()) json["name"] = light.name;
    if (light.color != Vec3{1, 1, 1}) json["color"] = numbers(std::array{light.color.x, light.color.y, light.color.z});
    if (light.intensity != 1) json["intensity"] = gltf::number(light.intensity);
    json["type"] = type_name(light.kind);
    if (light.range != 0 && light.kind != LightKind::directional) json["range"] = gltf::number(light.range);
    if (light.kind == LightKind::spot) {
        json["spot"]["innerConeAngle"] = gltf::number(light.inner_cone);
        json["spot"]["outerConeAngle"] = gltf::number(light.outer_cone);
    }
    if (auto added = add_extras(document, json, light.extras, hash_to_write(light, !light.extras.json.empty()),
                                {{"lights", number}});
        !added) {
        return fail(std::move(added.error()));
    }
    return json;
}

}  // namespace

Result<void> add_lights(Document& document, const Scene& scene) {
    for (std::size_t i = 0; i < scene.lights.size(); ++i) {
        auto json = light_json(document, scene.lights[i], i);
        if (!json) return fail(std::move(json.error()));
        document.lights.push_back(*json);
    }
    if (!document.lights.empty()) document.extensions.insert(lights_extension);
    return {};
}

}  // namespace effigy::gltf
