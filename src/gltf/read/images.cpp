/// Images of glTF: bytes, names, formats.

#include <string>
#include <string_view>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/image.hpp"

#include "gltf/read/context.hpp"

namespace effigy::gltf {
namespace {

bool is_for_gltf(std::string_view mime_type) { return mime_type == "image/png" || mime_type == "image/jpeg"; }

// Images that glTF does not know (DDS, TGA) become PNG.
void decode(Reading& reading, Image& image, EncodedImage encoded, const std::string& path) {
    auto picture = image::decode(encoded.bytes);
    auto png = picture ? image::encode_png(*picture) : Result<Bytes>(fail(picture.error()));
    if (!png) {
        reading.note(
            codes::gltf_image_lost, path,
            "this image is neither PNG, JPEG, DDS nor TGA, or damaged, and is left out: " + png.error().message,
            encoded.mime_type);
        return;
    }
    image.bytes = std::move(*png);
    image.mime_type = "image/png";
}

Result<Image> read_image(Reading& reading, const Value& json, std::size_t number) {
    const std::string path = "images[" + std::to_string(number) + "]";
    Image image;
    image.name = name_of(json);
    auto encoded = reading.asset.image(number);
    if (!encoded) return fail(std::move(encoded.error()));
    image.uri = std::move(encoded->uri);
    image.mime_type = encoded->mime_type;
    if (encoded->bytes.empty()) {
        image.mime_type.clear();
        reading.note(codes::gltf_image_missing, path, "the image is not there; only its name is known", image.uri);
    } else if (is_for_gltf(encoded->mime_type)) {
        image.bytes = std::move(encoded->bytes);
    } else {
        decode(reading, image, std::move(*encoded), path);
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
