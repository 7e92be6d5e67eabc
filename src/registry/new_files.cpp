/// Images beside the files that a scene becomes: names, green channels flipped, problems.

#include "registry/new_files.hpp"

#include <set>
#include <utility>

#include "effigy/image.hpp"
#include "effigy/image_codes.hpp"

#include "core/byte_source.hpp"
#include "core/problem.hpp"
#include "scene/material_slots.hpp"
#include "scene/texture_names.hpp"

namespace effigy {
namespace {

std::string_view extension_of(const Image& image) {
    if (image.mime_type == "image/png") return ".png";
    if (image.mime_type == "image/jpeg") return ".jpg";
    return {};
}

/// Images that are normal maps and nothing else.
std::set<Index> normal_maps(const Scene& scene) {
    std::set<Index> maps;
    for (const Material& material : scene.materials) maps.insert(material.normal_texture.image);
    for (const Material& material : scene.materials) {
        for (const auto& named : slots_of(material)) {
            if (!named.is_normal_map) maps.erase(named.slot->image);
        }
    }
    return maps;
}

Result<Bytes> with_green_flipped(const Image& image) {
    auto picture = image::decode(image.bytes);
    if (!picture) return fail(std::move(picture.error()));
    image::flip_green(*picture);
    return image::encode_png(*picture);
}

Diagnostic image_problem(Index index, const Image& image, const char* message) {
    return problem_at("images[" + std::to_string(index) + "] " + image.name, codes::image_kind, message,
                      image.mime_type, "image/png or image/jpeg");
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

Report append_images(const Scene& scene, std::string_view mark, GreenChannel green, std::vector<NewFile>& files) {
    Report report;
    const std::vector<std::string> names = texture_names(scene);
    const std::set<Index> maps = green == GreenChannel::flip ? normal_maps(scene) : std::set<Index>();
    for (const Index index : new_images(scene, mark)) {
        const Image& image = scene.images[index];
        const std::string_view extension = extension_of(image);
        if (extension.empty()) {
            report.add(image_problem(index, image,
                                     "The image is neither PNG nor JPEG; it is not written. Convert it with an image "
                                     "editor and put it beside the model."));
        } else if (!maps.contains(index)) {
            files.push_back({names[index] + std::string(extension), image.bytes});
        } else if (auto flipped = with_green_flipped(image)) {
            files.push_back({names[index] + ".png", std::move(*flipped)});
        } else {
            report.add(image_problem(index, image, "The normal map is damaged; it is not written."));
        }
    }
    return report;
}

}  // namespace effigy
