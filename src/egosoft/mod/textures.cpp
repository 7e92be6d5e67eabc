#include "egosoft/mod/textures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "effigy/egosoft_codes.hpp"
#include "effigy/image_codes.hpp"

#include "core/problem.hpp"
#include "core/text.hpp"
#include "image/dds_header.hpp"
#include "registry/new_files.hpp"
#include "scene/texture_names.hpp"

namespace effigy::egosoft::mod {
namespace {

/// The game has refused a texture of 16 x 16, as palettes are.
constexpr std::uint32_t smallest_side = 64;

bool is_too_small(std::uint32_t width, std::uint32_t height) { return std::min(width, height) < smallest_side; }

/// Where nothing is left of a map because it counted nothing, black stays.
void divide(image::Picture& grey, float scale) {
    if (scale >= 1 || scale <= 0) return;
    for (std::size_t i = 0; i < grey.rgba.size(); ++i) {
        if (i % 4 == 3) continue;
        const float value = static_cast<float>(grey.rgba[i]) / scale;
        grey.rgba[i] = static_cast<std::byte>(std::lround(std::min(value, 255.0F)));
    }
}

}  // namespace

Textures::Textures(Output& output, const Plan& plan, const Scene& scene)
    : output_(output),
      plan_(plan),
      scene_(scene),
      folder_("assets/textures/" + plan.collection + "/"),
      names_(texture_names(scene)) {}

Result<image::Picture> Textures::picture(const TextureSlot& slot) const {
    auto decoded = image::decode(scene_.images[slot.image].bytes, output_.limits);
    if (!decoded) decoded.error().path = "images[" + std::to_string(slot.image) + "] " + scene_.images[slot.image].name;
    return decoded;
}

bool Textures::has(const TextureSlot& slot) const {
    return slot.used() && slot.image < scene_.images.size() && !scene_.images[slot.image].bytes.empty() &&
           !is_left_out(slot);
}

bool Textures::leave_out(Index image, const Diagnostic& why) {
    if (is_limit(why) && why.code != codes::limit_memory) return false;
    if (!left_out_.insert(image).second) return true;
    output_.report.add(unusable_image(image, scene_.images[image], why));
    return true;
}

Result<std::string> Textures::add(const std::string& key, const std::string& wish, std::string_view use,
                                  image::Picture picture, const image::Filtering& filtering) {
    std::string& known = values_[key];
    if (!known.empty()) return known;
    const std::string ending = "_" + std::string(use);
    std::string stem = plain_text(lower(wish), "_");
    if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
    const std::string name = unique_.add(stem.empty() ? "map" : stem, ending);
    auto file = packed(name, wish, std::move(picture), filtering);
    if (!file) return fail(std::move(file.error()));
    output_.files.push_back({folder_ + name + ".gz", std::move(*file)});
    return known = game_path(plan_, folder_ + name);
}

Result<void> Textures::keep(const MaterialProperty& property, const OldMaterial& old, const Material& material) {
    const auto path = lower(property.type) == "bitmap" ? own_path(plan_.folder, property.value) : std::nullopt;
    if (!path || path->empty() || path->ends_with('/')) return {};
    reserve(*path);
    if (is_there(*path)) return {};
    missing_.try_emplace(lower(*path), property.value);
    auto map = kept_map(property.name, old, material);
    if (!map) return {};
    const std::string name = picture_stem(*path);
    auto file = packed(name, name, std::move(map->picture), map->filtering);
    if (!file) return leave_out(map->image, file.error()) ? Result<void>() : fail(std::move(file.error()));
    output_.files.push_back({*path + ".gz", std::move(*file)});
    missing_.erase(lower(*path));
    return {};
}

void Textures::note() {
    if (!resized_.empty()) {
        output_.report.add(problem_at(
            "images", codes::image_resized,
            "The game wants sides that are powers of two, and has refused small textures: these were resized.",
            resized_.text()));
    }
    NameList missing;
    for (const auto& [path, value] : missing_) missing.add(value);
    if (missing.empty()) return;
    output_.report.add(problem_at("materials", codes::mod_texture_missing,
                                  "Materials name these textures, which are to be in this mod, and neither it nor the "
                                  "scene has them: put them there, as .gz or .dds.",
                                  missing.text()));
}

/// In one of the forms that the game loads.
bool Textures::is_there(const std::string& path) const {
    const auto is_made = [&](const NamedFile& file) { return lower(file.name) == lower(path) + ".gz"; };
    return std::any_of(output_.files.begin(), output_.files.end(), is_made) || output_.text(path + ".gz") ||
           output_.text(path + ".dds");
}

/// New ones get other names.
void Textures::reserve(const std::string& path) {
    if (lower(path).starts_with(folder_)) unique_.take(path.substr(folder_.size()));
}

/// What reading made of the map, backwards; nothing where glTF has no place for it or the scene no picture.
std::optional<Textures::Map> Textures::kept_map(std::string_view property, const OldMaterial& old,
                                                const Material& material) {
    const std::string name = lower(property);
    const bool is_smooth = name == "smooth_map", is_metal = name == "metal_map";
    const bool is_normal = name == "normal_map", is_glow = name == "color_glow_map";
    if (group_of(name) == Group::none) return std::nullopt;
    const TextureSlot& slot = is_smooth || is_metal ? material.metallic_roughness_texture
                              : is_normal           ? material.normal_texture
                              : is_glow             ? material.emissive_texture
                                                    : material.base_color_texture;
    if (!has(slot)) return std::nullopt;
    auto picture = this->picture(slot);
    if (!picture) {
        static_cast<void>(leave_out(slot.image, picture.error()));
        return std::nullopt;
    }
    Map map{slot.image, std::move(*picture)};
    map.filtering.alpha_is_opacity = !is_glow;
    if (is_smooth || is_metal) {
        map.picture = is_smooth ? image::smoothness_map(map.picture) : image::metalness_map(map.picture);
        map.filtering.role = image::Role::linear;
        divide(map.picture, is_smooth ? old.smoothness() : old.metalness());
    } else if (is_normal) {
        if (flips_green()) image::flip_green(map.picture);
        image::drop_alpha(map.picture);
        map.filtering.role = image::Role::normal;
    } else if (!is_glow && material.alpha_mode == AlphaMode::mask) {
        map.filtering.alpha_cutoff = material.alpha_cutoff;
    }
    return map;
}

/// The very file that the game has; of what an editor saved in a form that it does not load well, another one.
Result<Bytes> Textures::packed(const std::string& name, const std::string& image_name, image::Picture picture,
                               const image::Filtering& filtering) {
    const auto original = unedited_original(output_.originals, image_name + ".dds", picture, output_.limits);
    const auto header = original ? image::read_dds_header(*original) : std::nullopt;
    const bool is_large_enough = header && !is_too_small(header->width, header->height);
    if (is_large_enough && header->is_compressed && header->has_all_levels()) return image::gzip(*original);
    const auto fitted = image::resize_to_powers_of_two(picture, filtering, output_.limits);
    if (!fitted) return fail(fitted.error());
    const auto enlarged = enlarge(picture, filtering);
    if (!enlarged) return fail(enlarged.error());
    if (*fitted || *enlarged) resized_.add(name);
    return image::encode_dds(picture, {image::DdsCoding::bc3, true, filtering, true}, output_.limits);
}

/// Whether this was a small one.
Result<bool> Textures::enlarge(image::Picture& picture, const image::Filtering& filtering) const {
    if (!is_too_small(picture.width, picture.height)) return false;
    constexpr std::uint32_t large = 512;
    const std::uint32_t times = std::max(large / std::max(picture.width, picture.height), 1U);
    auto larger = image::resized(picture, std::max(picture.width * times, smallest_side),
                                 std::max(picture.height * times, smallest_side), filtering, output_.limits);
    if (!larger) return fail(std::move(larger.error()));
    picture = std::move(*larger);
    return true;
}

}  // namespace effigy::egosoft::mod
