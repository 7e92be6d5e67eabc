/// The bytes of a glTF image: from a buffer view, a data URI or a file beside it.

#include "gltf/file/image_source.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/image.hpp"

#include "gltf/file/asset_problems.hpp"
#include "gltf/file/json_values.hpp"

namespace effigy::gltf {
namespace {

std::string mime_type(std::span<const std::byte> bytes, std::string_view otherwise) {
    const image::Kind kind = image::is_gzip(bytes) ? image::Kind::unknown : image::probe(bytes);
    if (kind == image::Kind::png) return "image/png";
    return kind == image::Kind::jpeg ? "image/jpeg" : std::string(otherwise);
}

Result<Bytes> copy(std::span<const std::byte> bytes, Budget& budget) {
    if (!budget.take(bytes.size())) return out_of_budget({}, budget);
    return Bytes(bytes.begin(), bytes.end());
}

Result<EncodedImage> from_uri(const std::string& uri, AssetFiles& files, Budget& budget) {
    EncodedImage image;
    if (is_data_uri(uri)) {
        auto data = decode_data_uri(uri, budget);
        if (!data) return fail(std::move(data.error()));
        image.bytes = std::move(data->bytes);
        image.mime_type = std::move(data->mime_type);
        return image;
    }
    image.uri = unescape_uri(uri);
    const auto bytes = files.read(uri);
    if (!bytes && bytes.error().code == codes::gltf_file_missing) return image;
    if (!bytes) return fail(bytes.error());
    auto copied = copy(*bytes, budget);
    if (!copied) return fail(std::move(copied.error()));
    image.bytes = std::move(*copied);
    return image;
}

Result<EncodedImage> from_view(std::uint64_t view, Buffers& buffers, Budget& budget) {
    const auto bytes = buffers.view(view);
    if (!bytes) return fail(bytes.error());
    auto copied = copy(bytes->bytes, budget);
    if (!copied) return fail(std::move(copied.error()));
    return EncodedImage{std::move(*copied), {}, {}};
}

}  // namespace

Result<EncodedImage> read_image(const nlohmann::json& root, std::uint64_t number, Buffers& buffers, AssetFiles& files,
                                Budget& budget) {
    const std::string path = place("images", number);
    const auto json = element_of(root, "images", number, path);
    if (!json) return fail(json.error());
    const auto view = whole_member(**json, "bufferView");
    const nlohmann::json* const uri = member(**json, "uri");
    if (!view && (uri == nullptr || !uri->is_string())) return refuse(path, codes::gltf_image);
    auto image = view ? from_view(*view, buffers, budget) : from_uri(uri->get_ref<const std::string&>(), files, budget);
    if (!image) {
        if (image.error().path.empty()) image.error().path = path;
        return image;
    }
    const std::string_view said = text_member(**json, "mimeType");
    image->mime_type = mime_type(bytes_of(image->bytes), said.empty() ? image->mime_type : said);
    return image;
}

}  // namespace effigy::gltf
