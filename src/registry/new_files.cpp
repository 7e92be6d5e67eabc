/// Images beside the files that a scene becomes: names, green channels flipped, problems.

#include "registry/new_files.hpp"

#include <map>
#include <set>
#include <utility>

#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "scene/bridge.hpp"
#include "scene/texture_names.hpp"

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
    std::map<Index, float> cutoffs;  ///< of tested alpha

    explicit Uses(const Scene& scene) {
        std::set<Index> colors;
        for (const Material& material : scene.materials) {
            normals.insert(material.normal_texture.image);
            numbers.insert(material.metallic_roughness_texture.image);
            numbers.insert(material.occlusion_texture.image);
            colors.insert(material.base_color_texture.image);
            colors.insert(material.emissive_texture.image);
            if (material.alpha_mode == AlphaMode::mask)
                cutoffs.try_emplace(material.base_color_texture.image, material.alpha_cutoff);
        }
        std::erase_if(normals, [&](Index image) { return colors.contains(image) || numbers.contains(image); });
        std::erase_if(numbers, [&](Index image) { return colors.contains(image); });
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

Diagnostic image_problem(Index index, const Image& image, const char* message) {
    return problem_at("images[" + std::to_string(index) + "] " + image.name, codes::image_kind, message,
                      image.mime_type, "image/png, image/jpeg or image/webp");
}

}  // namespace

std::optional<Bytes> read_beside(const std::filesystem::path& path, const Files* files, std::uint64_t max_bytes) {
    if (files != nullptr && files->read) {
        auto bytes = files->read(path.generic_string());
        return bytes && bytes->size() <= max_bytes ? std::optional(std::move(*bytes)) : std::nullopt;
    }
    auto source = ByteSource::open(path);
    if (!source || source->size() > max_bytes) return std::nullopt;
    Bytes bytes(static_cast<std::size_t>(source->size()));
    return source->read(bytes.data(), bytes.size()) ? std::optional(std::move(bytes)) : std::nullopt;
}

TextureForm texture_form(const OptionValues& options) {
    const std::string form = options.text("textures-as", options.has("target") ? "dds" : "keep");
    return form == "dds" ? TextureForm::dds : form == "png" ? TextureForm::png : TextureForm::keep;
}

namespace {

class ImageWriter {
public:
    ImageWriter(const Scene& scene, const ImageWriting& writing, std::vector<NewFile>& files)
        : scene_(scene), writing_(writing), files_(files), uses_(scene), names_(texture_names(scene)) {}

    Report run() {
        for (const Index index : new_images(scene_, writing_.mark)) add(index);
        if (!resized_.empty()) {
            report_.add(problem_at("images", codes::image_resized,
                                   "Games want sides that are powers of two: these textures were resized.",
                                   resized_.text()));
        }
        return std::move(report_);
    }

private:
    void add(Index index) {
        const Image& image = scene_.images[index];
        const std::string_view extension = extension_of(image);
        if (extension.empty()) {
            return report_.add(image_problem(index, image,
                                             "The image is neither PNG, JPEG nor WebP; it is not written. Convert it "
                                             "with an image editor and put it beside the model."));
        }
        const bool flips = writing_.green == GreenChannel::flip && uses_.normals.contains(index);
        const bool is_kept = writing_.form == TextureForm::keep
                                 ? extension != ".webp"
                                 : writing_.form == TextureForm::png && extension == ".png";
        if (is_kept && !flips) return files_.push_back({names_[index] + std::string(extension), image.bytes});
        auto picture = image::decode(image.bytes, writing_.limits);
        if (!picture) return report_.add(image_problem(index, image, "The image is damaged; it is not written."));
        if (flips) image::flip_green(*picture);
        bool is_resized = false;
        auto bytes = writing_.form == TextureForm::dds
                         ? encoded_dds(std::move(*picture), uses_.filtering(index), writing_.limits, is_resized)
                         : image::encode_png(*picture);
        if (!bytes) return report_.add(std::move(bytes.error()));
        if (is_resized) resized_.add(names_[index]);
        files_.push_back({names_[index] + (writing_.form == TextureForm::dds ? ".dds" : ".png"), std::move(*bytes)});
    }

    const Scene& scene_;
    const ImageWriting& writing_;
    std::vector<NewFile>& files_;
    const Uses uses_;
    const std::vector<std::string> names_;
    NameList resized_;
    Report report_;
};

}  // namespace

Report append_images(const Scene& scene, const ImageWriting& writing, std::vector<NewFile>& files) {
    return ImageWriter(scene, writing, files).run();
}

}  // namespace effigy
