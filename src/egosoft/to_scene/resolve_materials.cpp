/// What a material library says about the materials of a scene. Mappings: docs/conversion/egosoft.md, "Material
/// library".

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "effigy/egosoft_codes.hpp"
#include "effigy/hashes.hpp"
#include "effigy/material_library.hpp"

#include "core/json.hpp"
#include "core/problem.hpp"
#include "core/srgb.hpp"
#include "core/text.hpp"
#include "scene/bridge.hpp"
#include "scene/records.hpp"
#include "scene/texture_coordinates.hpp"
#include "scene/texture_files.hpp"

namespace effigy::egosoft {

namespace {

bool is_number_start(char letter) { return (letter >= '0' && letter <= '9') || letter == '-' || letter == '.'; }

/// The numbers in a text, whatever stands between them: "1.0", "200 200 200 100", "(color 1 1 2)".
std::vector<float> numbers_in(std::string_view text) {
    std::vector<float> numbers;
    for (std::size_t at = 0; at < text.size();) {
        float value = 0;
        if (is_number_start(text[at])) {
            const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
            if (error == std::errc() && std::isfinite(value)) numbers.push_back(value);
            if (error != std::errc::invalid_argument) {
                at = static_cast<std::size_t>(end - text.data());
                continue;
            }
        }
        ++at;
    }
    return numbers;
}

float unit(float value) { return std::clamp(value, 0.0f, 1.0f); }

/// From 0..255 as displays show it to 0..1 in light.
float to_linear(float value) { return srgb_to_linear(unit(value / 255.0f)); }

/// Properties by name, whatever its case. Of several, the first counts.
class Properties {
public:
    explicit Properties(const LibraryMaterial& material) {
        for (const MaterialProperty& property : material.properties) {
            properties_.try_emplace(lower(property.name), &property);
        }
    }

    [[nodiscard]] std::string texture(std::string_view name) const {
        const MaterialProperty* property = find(name, "bitmap");
        return property != nullptr ? property->value : std::string();
    }
    [[nodiscard]] std::optional<float> number(std::string_view name) const {
        const MaterialProperty* property = find(name, "float");
        const std::vector<float> numbers = property != nullptr ? numbers_in(property->value) : std::vector<float>();
        return numbers.empty() ? std::nullopt : std::optional(numbers.front());
    }
    [[nodiscard]] std::optional<Color> color(std::string_view name) const {
        const MaterialProperty* property = find(name, "color");
        const std::vector<float> numbers = property != nullptr ? numbers_in(property->value) : std::vector<float>();
        if (numbers.size() < 3) return std::nullopt;
        const float alpha = numbers.size() > 3 ? unit(numbers[3] / 255.0f) : 1.0f;
        return Color{to_linear(numbers[0]), to_linear(numbers[1]), to_linear(numbers[2]), alpha};
    }

private:
    [[nodiscard]] const MaterialProperty* find(std::string_view name, std::string_view type) const {
        const auto found = properties_.find(name);
        return found != properties_.end() && lower(found->second->type) == type ? found->second : nullptr;
    }

    std::map<std::string, const MaterialProperty*, std::less<>> properties_;
};

/// A blend mode is words: "ALPHA8_SINGLE", "TWOSIDED".
struct Blending {
    AlphaMode mode = AlphaMode::opaque;
    bool double_sided = false;
    bool lost = false;  ///< glTF has nothing like it
};

void read_word(std::string_view word, Blending& blending) {
    if (word.empty() || word == "none" || word == "single") return;
    if (word == "twosided" || word == "double") {
        blending.double_sided = true;
    } else if (word.starts_with("alpha1")) {
        blending.mode = AlphaMode::mask;
    } else if (word.starts_with("alpha")) {
        blending.mode = AlphaMode::blend;
    } else {
        blending.mode = AlphaMode::blend;
        blending.lost = true;
    }
}

Blending read_blendmode(const std::string& blendmode) {
    const std::string words = lower(blendmode);
    Blending blending;
    blending.double_sided = words == "alpha8";  // which has ALPHA8_SINGLE beside it
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t to = std::min(words.find('_', from), words.size());
        read_word(std::string_view(words).substr(from, to - from), blending);
        from = to + 1;
    }
    return blending;
}

/// The bitmaps that a glTF material has a place for.
constexpr std::array<std::string_view, 5> placed_maps{"diffuse_map", "normal_map", "metal_map", "smooth_map",
                                                      "color_glow_map"};

Json to_json(const LibraryMaterial& material) {
    Json properties = Json::array();
    for (const MaterialProperty& property : material.properties) {
        properties.push_back({{"type", json_text(property.type)},
                              {"name", json_text(property.name)},
                              {"value", json_text(property.value)}});
    }
    return {{"collection", json_text(material.collection)},
            {"name", json_text(material.name)},
            {"shader", json_text(material.shader)},
            {"blendmode", json_text(material.blendmode)},
            {"properties", std::move(properties)}};
}

class Resolver {
public:
    Resolver(Scene& scene, const MaterialLibrary& library, bool expected)
        : scene_(scene), library_(library), expected_(expected) {
        for (Index i = 0; i < scene.images.size(); ++i) {
            if (scene.images[i].channels.empty()) images_.try_emplace(texture_key(scene.images[i].name), i);
        }
    }

    Report run() {
        for (std::size_t i = 0; i < scene_.materials.size(); ++i) resolve(i);
        report_whole_scene();
        if (resolved_) report_.append(fit_texture_coordinates(scene_));
        return std::move(report_);
    }

private:
    void resolve(std::size_t number) {
        Material& material = scene_.materials[number];
        const LibraryMaterial* entry = library_.find(material.name);
        if (entry == nullptr) return add_unresolved(material.name);
        resolved_ = true;
        const Properties properties(*entry);
        set_base_color(material, properties);
        set_normal_map(material, properties);
        set_metal_and_smoothness(material, properties);
        set_emission(material, properties);
        set_blending(material, *entry, number);
        keep(material, *entry);
    }

    Index image_of(const std::string& path) {
        const auto next = static_cast<Index>(scene_.images.size());
        const auto [place, is_new] = images_.try_emplace(texture_key(path), next);
        if (is_new) scene_.images.emplace_back().name = path;
        return place->second;
    }

    void set_texture(TextureSlot& slot, const std::string& path) {
        if (path.empty()) return;
        slot = {};
        slot.image = image_of(path);
    }

    void set_base_color(Material& material, const Properties& properties) {
        const std::string map = properties.texture("diffuse_map");
        const std::optional<Color> color = properties.color("diffuse_color");
        if (color) material.base_color = *color;
        if (!color && !map.empty()) material.base_color = {1, 1, 1, 1};
        const float strength = unit(properties.number("diffusestr").value_or(1));
        material.base_color.r *= strength;
        material.base_color.g *= strength;
        material.base_color.b *= strength;
        set_texture(material.base_color_texture, map);
    }

    void set_normal_map(Material& material, const Properties& properties) {
        const std::string map = properties.texture("normal_map");
        if (map.empty()) return;
        set_texture(material.normal_texture, map);
        material.normal_texture.strength = properties.number("normalstr").value_or(1);
    }

    /// A number multiplies its map; alone, it is the value.
    void set_metal_and_smoothness(Material& material, const Properties& properties) {
        const std::string metal_map = properties.texture("metal_map");
        const std::string smooth_map = properties.texture("smooth_map");
        const std::optional<float> metal = properties.number("metallness");
        const std::optional<float> smooth = properties.number("smoothness");
        if (metal_map.empty() && smooth_map.empty()) {
            if (metal) material.metallic = unit(*metal);
            if (smooth) material.roughness = 1 - unit(*smooth);
            return;
        }
        const ChannelSource red{"", 1, false};
        const ChannelSource green{smooth_map, unit(smooth.value_or(smooth_map.empty() ? 0.0f : 1.0f)), true};
        const ChannelSource blue{metal_map, unit(metal.value_or(metal_map.empty() ? 0.0f : 1.0f)), false};
        material.metallic_roughness_texture = {};
        material.metallic_roughness_texture.image = image_of_channels({red, green, blue});
        material.metallic = material.roughness = 1;
    }

    Index image_of_channels(std::vector<ChannelSource> channels) {
        const std::string& named = channels[1].image.empty() ? channels[2].image : channels[1].image;
        const std::string key = texture_key(channels[1].image) + '|' + std::to_string(channels[1].scale) + '|' +
                                texture_key(channels[2].image) + '|' + std::to_string(channels[2].scale);
        const auto next = static_cast<Index>(scene_.images.size());
        const auto [place, is_new] = packed_.try_emplace(key, next);
        if (is_new) {
            Image& image = scene_.images.emplace_back();
            image.name = named + ".metallic_roughness";
            image.channels = std::move(channels);
        }
        return place->second;
    }

    void set_emission(Material& material, const Properties& properties) {
        const std::string map = properties.texture("color_glow_map");
        if (!map.empty()) {
            const float strength = std::max(properties.number("color_glowstr").value_or(1), 0.0f);
            if (strength > 1) ++clamped_;
            set_texture(material.emissive_texture, map);
            material.emissive = {unit(strength), unit(strength), unit(strength)};
        } else if (const std::optional<Color> color = properties.color("color_glow_color")) {
            material.emissive = {color->r, color->g, color->b};
        }
    }

    void set_blending(Material& material, const LibraryMaterial& entry, std::size_t number) {
        if (entry.blendmode.empty()) return;
        const Blending blending = read_blendmode(entry.blendmode);
        material.alpha_mode = blending.mode;
        material.double_sided = material.double_sided || blending.double_sided;
        if (!blending.lost) return;
        note(codes::blending_lost, "materials[" + std::to_string(number) + "]",
             "The material '" + material.name +
                 "' is blended in a way that glTF does not know; ordinary blending is used.",
             entry.blendmode);
    }

    void keep(Material& material, const LibraryMaterial& entry) {
        Json extras = record_of(material.extras);
        extras["material_library"] = to_json(entry);
        set_record(material.extras, std::move(extras));
        std::size_t count = 0;
        for (const MaterialProperty& property : entry.properties) {
            const bool has_place =
                std::find(placed_maps.begin(), placed_maps.end(), lower(property.name)) != placed_maps.end();
            if (lower(property.type) == "bitmap" && !property.value.empty() && !has_place) ++count;
        }
        if (count != 0) ++materials_with_kept_;
        kept_ += count;
    }

    void add_unresolved(const std::string& name) {
        if (!expected_ || name.empty() || !unresolved_.insert(lower(name)).second) return;
        // 3ds Max's own names for no material are without a collection; no library has such.
        const bool has_collection = name.find('.') != std::string::npos;
        (has_collection ? unresolved_names_ : plain_names_).add(name);
    }

    void report_whole_scene() {
        if (!unresolved_names_.empty()) {
            note(codes::material_unresolved, {},
                 "No material library has these materials, so they stay as they are: name the game's folder with "
                 "--game or a library with --materials",
                 unresolved_names_.text(),
                 library_.empty() ? "" : "one of " + std::to_string(library_.materials().size()) + " materials");
        }
        if (!plain_names_.empty()) {
            note(codes::material_unresolved.as(Severity::info), {},
                 "These materials name no collection, so no material library can have them: they stay as they are",
                 plain_names_.text());
        }
        if (kept_ != 0) {
            note(codes::texture_kept, {},
                 "The materials name textures that glTF has no place for (detail, dirt, paint, specular, environment); "
                 "they are kept in extras.",
                 std::to_string(kept_) + " textures of " + std::to_string(materials_with_kept_) + " materials");
        }
        if (clamped_ != 0) {
            note(
                codes::emission_clamped, {},
                "Materials glow stronger than a glTF material can say without an extension; they glow with strength 1.",
                std::to_string(clamped_) + " materials");
        }
    }

    void note(const Code& code, std::string path, std::string message, std::string found = {},
              std::string expected = {}) {
        report_.add(problem_at(std::move(path), code, std::move(message), std::move(found), std::move(expected)));
    }

    Scene& scene_;
    const MaterialLibrary& library_;
    bool expected_;
    bool resolved_ = false;
    std::map<std::string, Index> images_;  ///< by texture_key()
    std::map<std::string, Index> packed_;  ///< images of channels
    std::set<std::string> unresolved_;
    NameList unresolved_names_, plain_names_;
    std::size_t kept_ = 0, materials_with_kept_ = 0, clamped_ = 0;
    Report report_;
};

}  // namespace

Report resolve_materials(Scene& scene, const MaterialLibrary& library, bool expected) {
    const KeepMaterials keep(scene);
    return Resolver(scene, library, expected).run();
}

}  // namespace effigy::egosoft
