/// Images beside the files that a scene becomes: names, green channels flipped, problems.

#include "registry/new_files.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"
#include "effigy/scene_access.hpp"

#include "core/byte_source.hpp"
#include "core/json_members.hpp"
#include "core/problem.hpp"
#include "core/srgb.hpp"
#include "core/text.hpp"
#include "image/dds_header.hpp"
#include "scene/attributes.hpp"
#include "scene/bridge.hpp"

namespace effigy {
namespace {

std::string_view extension_of(const Image& image) {
    if (image.mime_type == "image/png") return ".png";
    if (image.mime_type == "image/jpeg") return ".jpg";
    return image.mime_type == "image/webp" ? ".webp" : std::string_view();
}

/// What images are used for, where they are used for one thing only.
struct Uses {
    std::set<Index> normals, numbers;
    std::map<Index, float> cutoffs;    ///< of tested alpha
    std::map<Index, float> roughness;  ///< factors

    explicit Uses(const Scene& scene) {
        std::set<Index> colors;
        for (const Material& material : scene.materials) {
            normals.insert(material.normal_texture.image);
            numbers.insert(material.metallic_roughness_texture.image);
            numbers.insert(material.occlusion_texture.image);
            colors.insert(material.base_color_texture.image);
            colors.insert(material.emissive_texture.image);
            roughness.try_emplace(material.metallic_roughness_texture.image, material.roughness);
            if (material.alpha_mode == AlphaMode::mask)
                cutoffs.try_emplace(material.base_color_texture.image, material.alpha_cutoff);
        }
        std::erase_if(normals, [&](Index image) { return colors.contains(image) || numbers.contains(image); });
        std::erase_if(numbers, [&](Index image) { return colors.contains(image); });
    }

    [[nodiscard]] float factor(Index index) const {
        const auto found = roughness.find(index);
        return found == roughness.end() ? 1 : found->second;
    }

    [[nodiscard]] image::Filtering filtering(Index index) const {
        if (normals.contains(index)) return {image::Role::normal};
        if (numbers.contains(index)) return {image::Role::linear};
        image::Filtering filtering;
        if (const auto cutoff = cutoffs.find(index); cutoff != cutoffs.end()) filtering.alpha_cutoff = cutoff->second;
        return filtering;
    }
};

Result<Bytes> encoded_dds(image::Picture picture, const image::Filtering& filtering, const Limits& limits,
                          bool& is_resized) {
    const auto fitted = image::resize_to_powers_of_two(picture, filtering, limits);
    if (!fitted) return fail(fitted.error());
    is_resized = *fitted;
    const image::DdsCoding coding = picture.has_alpha ? image::DdsCoding::bc3 : image::DdsCoding::bc1;
    return image::encode_dds(picture, {coding, true, filtering, false}, limits);
}

Diagnostic image_problem(Index index, const Image& image, std::string message) {
    return problem_at("images[" + std::to_string(index) + "] " + image.name, codes::image_kind, std::move(message),
                      image.mime_type, "image/png, image/jpeg or image/webp");
}

}  // namespace

Diagnostic unusable_image(Index index, const Image& image, const Diagnostic& why) {
    Diagnostic problem =
        image_problem(index, image,
                      is_limit(why) ? "Reading the image needs more memory than the limit allows; it is not written. "
                                      "Raise it with --limit-memory."
                                    : why.message + " The image is not written; repair it or replace it.");
    problem.found = why.found;
    problem.expected = why.expected;
    problem.offset = why.offset;
    return problem;
}

std::optional<Bytes> read_beside(const std::filesystem::path& path, const Files* files, std::uint64_t max_bytes) {
    if (files != nullptr && files->read) {
        auto bytes = files->read(path.generic_string());
        return bytes && bytes->size() <= max_bytes ? std::optional(std::move(*bytes)) : std::nullopt;
    }
    auto source = ByteSource::open(path);
    if (!source || source->size() > max_bytes) return std::nullopt;
    Bytes bytes(static_cast<std::size_t>(source->size()));
    if (!source->read(bytes.data(), bytes.size())) return std::nullopt;
    if (files != nullptr && files->seen) files->seen(path);
    return bytes;
}

std::string spelled(const std::filesystem::path& folder, const std::string& name, Listings& listings) {
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) {
        const std::string first = spelled(folder, name.substr(0, slash), listings);
        return first + "/" + spelled(folder / first, name.substr(slash + 1), listings);
    }
    const auto [listing, is_new] = listings.try_emplace(folder.string());
    if (is_new) {
        std::error_code error;
        const std::filesystem::path place = folder.empty() ? std::filesystem::path(".") : folder;
        constexpr std::size_t max_names = 100'000;
        for (std::filesystem::directory_iterator entry(place, error), end;
             !error && entry != end && listing->second.size() < max_names; entry.increment(error)) {
            const std::string there = entry->path().filename().string();
            listing->second[lower(there)].insert(there);
        }
    }
    const auto found = listing->second.find(lower(name));
    const bool stays = found == listing->second.end() || found->second.contains(name);
    return stays ? name : *found->second.begin();
}

std::optional<OriginalTexture> original_dds(const image::Library& textures, std::string_view name) {
    constexpr std::uint64_t max_bytes = std::uint64_t{256} << 20;
    OriginalTexture original{textures.find(name), {}};
    if (original.path.empty()) return std::nullopt;
    auto bytes = read_beside(original.path, nullptr, max_bytes);
    if (bytes && image::is_gzip(*bytes)) {
        auto unpacked = image::gunzip(*bytes);
        bytes = unpacked ? std::optional(std::move(*unpacked)) : std::nullopt;
    }
    if (!bytes || image::probe(*bytes) != image::Kind::dds) return std::nullopt;
    original.bytes = std::move(*bytes);
    return original;
}

std::optional<Bytes> unedited_original(const image::Library* textures, std::string_view name,
                                       const image::Picture& picture, const Limits& limits) {
    auto original = textures != nullptr ? original_dds(*textures, name) : std::nullopt;
    const auto header = original ? image::read_dds_header(original->bytes) : std::nullopt;
    if (!header || !header->suits_old_games()) return std::nullopt;
    auto pixels = image::decode(original->bytes, limits);
    if (!pixels || pixels->width != picture.width) return std::nullopt;
    if (!picture.has_alpha) image::drop_alpha(*pixels);
    if (pixels->rgba != picture.rgba) return std::nullopt;
    return std::move(original->bytes);
}

image::Picture flat_picture(const Color& color, std::uint32_t size) {
    image::Picture picture{size, size, Bytes(std::size_t{4} * size * size), color.a < 1, {}};
    const std::array pixel{byte_of(linear_to_srgb(color.r)), byte_of(linear_to_srgb(color.g)),
                           byte_of(linear_to_srgb(color.b)), byte_of(color.a)};
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) std::memcpy(&picture.rgba[i], pixel.data(), 4);
    return picture;
}

namespace {

/// Of a picture of one colour all places are alike.
void give_coordinates(Scene& scene, const std::set<Index>& materials) {
    for (Mesh& mesh : scene.meshes) {
        const bool is_meant = std::ranges::any_of(
            mesh.primitives, [&](const Primitive& primitive) { return materials.contains(primitive.material); });
        if (!is_meant || find_attribute(mesh, Semantic::texcoord, 0) != nullptr) continue;
        const auto places = add_attribute<Vec2>(mesh, Semantic::texcoord, ElementType::vec2, ComponentType::f32);
        std::fill(places.begin(), places.end(), Vec2{});
    }
}

}  // namespace

std::optional<Scene> with_flat_textures(const Scene& scene, std::string_view mark) {
    std::optional<Scene> result;
    const Untouched untouched(scene);
    std::set<Index> flattened;
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const Material& material = scene.materials[i];
        if (material.base_color_texture.used() || is_known(untouched, material, mark)) continue;
        if (is_left_out(object_of(material.extras.json), "base_color_texture")) continue;
        auto picture = image::encode_png(flat_picture(material.base_color, 4));  // as small as games' may be
        if (!picture) continue;
        if (!result) result = scene;
        Material& flat = result->materials[i];
        flat.base_color = {1, 1, 1, 1};
        flat.base_color_texture.image = static_cast<Index>(result->images.size());
        result->images.push_back({material.name, "image/png", std::move(*picture), {}, {}});
        flattened.insert(static_cast<Index>(i));
    }
    if (result) give_coordinates(*result, flattened);
    return result;
}

TextureForm texture_form(const OptionValues& options) {
    const std::string form = options.text("textures-as", options.has("target") ? "dds" : "keep");
    return form == "dds" ? TextureForm::dds : form == "png" ? TextureForm::png : TextureForm::keep;
}

namespace {

class ImageWriter {
public:
    ImageWriter(const Scene& scene, const ImageWriting& writing, std::vector<NewFile>& files)
        : scene_(scene), writing_(writing), files_(files), uses_(scene), names_(texture_names(scene, writing.marks)) {
        if (writing.mask) masks_ = mask_images(scene);
    }

    Report run() {
        const std::vector<Index> added = new_images(scene_, writing_.mark, writing_.slots);
        for (const Index index : added) add(index);
        for (Index index = 0; index < scene_.images.size() && !writing_.folder.empty(); ++index) {
            const bool is_new = std::find(added.begin(), added.end(), index) != added.end();
            if (!is_new && !scene_.images[index].bytes.empty() && !is_there(index)) add(index);
        }
        if (!resized_.empty()) {
            report_.add(problem_at("images", codes::image_resized,
                                   "Games want sides that are powers of two: these textures were resized.",
                                   resized_.text()));
        }
        return std::move(report_);
    }

private:
    [[nodiscard]] bool is_there(Index index) const {
        std::error_code error;
        return std::filesystem::exists(writing_.folder / (names_[index] + ".dds"), error);
    }

    void add(Index index) {
        const Image& image = scene_.images[index];
        const std::string_view extension = extension_of(image);
        if (extension.empty()) {
            return report_.add(image_problem(index, image,
                                             "The image is neither PNG, JPEG nor WebP; it is not written. Convert it "
                                             "with an image editor and put it beside the model."));
        }
        const bool is_mask = std::find(masks_.begin(), masks_.end(), index) != masks_.end();
        if (is_mask && *writing_.mask == image::MaskUse::colors) return;
        const bool flips = writing_.green == GreenChannel::flip && uses_.normals.contains(index);
        const bool is_kept = writing_.form == TextureForm::keep
                                 ? extension != ".webp"
                                 : writing_.form == TextureForm::png && extension == ".png";
        if (is_kept && !flips && !is_mask)
            return files_.push_back({names_[index] + std::string(extension), image.bytes});
        auto picture = image::decode(image.bytes, writing_.limits);
        if (!picture) return report_.add(unusable_image(index, image, picture.error()));
        if (flips) image::flip_green(*picture);
        if (is_mask) *picture = image::paradox_mask(*writing_.mask, *picture, uses_.factor(index));
        const std::string name = names_[index] + (writing_.form == TextureForm::dds ? ".dds" : ".png");
        if (writing_.form == TextureForm::dds) {
            if (auto original = unedited_original(writing_.textures, name, *picture, writing_.limits))
                return files_.push_back({name, std::move(*original), true});
        }
        bool is_resized = false;
        auto bytes = writing_.form == TextureForm::dds
                         ? encoded_dds(std::move(*picture), uses_.filtering(index), writing_.limits, is_resized)
                         : image::encode_png(*picture);
        if (!bytes) return report_.add(unusable_image(index, image, bytes.error()));
        if (is_resized) resized_.add(names_[index]);
        files_.push_back({name, std::move(*bytes)});
    }

    const Scene& scene_;
    const ImageWriting& writing_;
    std::vector<NewFile>& files_;
    const Uses uses_;
    const std::vector<std::string> names_;
    std::vector<Index> masks_;
    NameList resized_;
    Report report_;
};

}  // namespace

Report append_images(const Scene& scene, const ImageWriting& writing, std::vector<NewFile>& files) {
    return ImageWriter(scene, writing, files).run();
}

}  // namespace effigy
