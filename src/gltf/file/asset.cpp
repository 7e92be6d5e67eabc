/// A glTF file opened for reading: GLB chunks or text, its JSON parsed within the limit of memory, checked, and what it
/// refers to, images included.

#include "gltf/file/asset.hpp"

#include <utility>

#include "effigy/gltf_codes.hpp"
#include "effigy/image.hpp"

#include "core/text.hpp"
#include "gltf/file/accessors.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/buffers.hpp"
#include "gltf/file/draco.hpp"
#include "gltf/file/json.hpp"
#include "gltf/file/spent_views.hpp"

namespace effigy::gltf {
namespace {

using Tree = nlohmann::json;

constexpr std::size_t max_levels = 256;

/// Adds up what a tree of the text would take, and stops where that is too much. What the sizes stand for: a value in
/// an array that may have grown to twice its length; the node of a map with its name; the blocks of containers and
/// texts.
class Measurer : public nlohmann::json_sax<Tree> {
public:
    explicit Measurer(Budget& budget) noexcept : budget_(budget) {}

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t& text) override { return value(48 + text.size()); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool key(string_t& name) override { return take(112 + name.size()); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_ = position;
        return false;
    }

    [[nodiscard]] bool too_deep() const noexcept { return depth_ > max_levels; }
    [[nodiscard]] bool too_large() const noexcept { return too_large_; }
    [[nodiscard]] std::size_t error() const noexcept { return error_; }

private:
    bool take(std::uint64_t bytes) noexcept {
        too_large_ = !budget_.take(bytes);
        return !too_large_;
    }
    bool value(std::uint64_t more = 0) noexcept { return take(2 * sizeof(Tree) + more); }
    bool enter() noexcept { return ++depth_ <= max_levels && value(64); }
    bool leave() noexcept {
        --depth_;
        return true;
    }

    Budget& budget_;
    std::size_t depth_ = 0;
    std::size_t error_ = 0;
    bool too_large_ = false;
};

Result<Tree> parse_asset(std::span<const std::byte> text, Budget& budget) {
    const std::string_view json = as_text(text);
    Measurer measurer(budget);
    if (!Tree::sax_parse(json, &measurer)) {
        if (measurer.too_large()) return out_of_budget("JSON", budget);
        if (measurer.too_deep())
            return refuse("JSON", codes::gltf_json, "the JSON is nested deeper than any glTF file is",
                          "more than " + std::to_string(max_levels) + " levels");
        return refuse("JSON", codes::gltf_json, "the text is not valid JSON, so that nothing of the file can be read",
                      "an error at byte " + std::to_string(measurer.error()) + " of the JSON");
    }
    Tree tree = Tree::parse(json, nullptr, false);
    if (!tree.is_object())
        return refuse("JSON", codes::gltf_json, "the JSON is not an object, so this is no glTF file");
    return tree;
}

/// By content: what is neither PNG, JPEG nor WebP is not what it may be called, either.
std::string mime_type(std::span<const std::byte> bytes, std::string_view said) {
    const image::Kind kind = image::is_gzip(bytes) ? image::Kind::unknown : image::probe(bytes);
    if (kind == image::Kind::png) return "image/png";
    if (kind == image::Kind::webp) return "image/webp";
    if (kind == image::Kind::jpeg) return "image/jpeg";
    return said == "image/png" || said == "image/jpeg" ? "application/octet-stream" : std::string(said);
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

Result<EncodedImage> read_image(const nlohmann::json& root, std::uint64_t number, Buffers& buffers, AssetFiles& files,
                                Budget& budget) {
    const std::string path = element_path("images", number);
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

struct FileParts {
    std::span<const std::byte> json;
    std::optional<std::span<const std::byte>> binary;
};

/// Some exporters fill up the JSON with zeros.
std::span<const std::byte> without_zeros(std::span<const std::byte> text) noexcept {
    while (!text.empty() && text.back() == std::byte{0}) text = text.first(text.size() - 1);
    return text;
}

Result<FileParts> parts_of(const File& file) {
    FileParts parts;
    if (!file.is_binary) {
        parts.json = without_mark(file.text);
        return parts;
    }
    if (file.version != 2)
        return refuse("version", codes::gltf_version, "only version 2 of .glb is known", std::to_string(file.version),
                      "2");
    if (file.chunks.empty() || file.chunks.front().type != json_chunk)
        return refuse("chunk[0]", codes::gltf_json,
                      "the .glb does not begin with a chunk of JSON, and so says nothing");
    parts.json = without_zeros(bytes_of(file.chunks.front().bytes));
    if (file.chunks.size() > 1 && file.chunks[1].type == binary_chunk) parts.binary = bytes_of(file.chunks[1].bytes);
    return parts;
}

}  // namespace

std::uint64_t size_of(const File& file) noexcept {
    if (!file.is_binary) return file.text.size();
    std::uint64_t size = 12 + file.trailing.size();
    for (const Chunk& chunk : file.chunks) size += 8 + chunk.bytes.size();
    return size;
}

bool names_files(const File& file, const Limits& limits) {
    const auto parts = parts_of(file);
    if (!parts) return false;
    const std::string_view text = as_text(parts->json);
    if (text.find("\"uri\"") == std::string_view::npos) return false;
    Budget budget(limits, size_of(file));
    const auto json = parse_asset(parts->json, budget);
    if (!json) return false;
    for (const char* const list : {"buffers", "images"}) {
        const Value* const objects = member(*json, list);
        if (objects == nullptr || !objects->is_array()) continue;
        for (const Value& object : *objects) {
            const std::string_view uri = text_member(object, "uri");
            if (is_relative(uri)) return true;
        }
    }
    return false;
}

struct Asset::State {
    State(const File& file, const SceneOptions& options)
        : budget(options.limits, size_of(file)), files(options, budget) {}

    Budget budget;
    Value json;
    AssetFiles files;
    std::optional<Buffers> buffers;
    std::optional<Accessors> accessors;
    std::optional<DracoMeshes> draco;
    SpentViews spent;
};

Asset::Asset(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Asset::Asset(Asset&&) noexcept = default;
Asset& Asset::operator=(Asset&&) noexcept = default;
Asset::~Asset() = default;

Result<Asset> Asset::open(const File& file, const SceneOptions& options, Report& report, File* spent) {
    const auto parts = parts_of(file);
    if (!parts) return fail(parts.error());
    auto state = std::make_unique<State>(file, options);
    auto json = parse_asset(parts->json, state->budget);
    if (!json) return fail(std::move(json.error()));
    state->json = std::move(*json);
    if (auto checked = check_version(state->json); !checked) return fail(std::move(checked.error()));
    if (auto checked = check_extensions(state->json, report); !checked) return fail(std::move(checked.error()));
    check_alignment(state->json, report);
    state->buffers.emplace(state->json, parts->binary, state->files, state->budget);
    state->accessors.emplace(state->json, *state->buffers, state->budget);
    state->draco.emplace(*state->buffers, *state->accessors, state->budget);
    if (spent != nullptr && parts->binary) state->spent = SpentViews(state->json, spent->chunks[1].bytes);
    return Asset(std::move(state));
}

const Value& Asset::json() const noexcept { return state_->json; }

const Value& Asset::array(std::string_view name) const noexcept { return list_member(state_->json, name); }

Result<Accessor> Asset::accessor(std::size_t number) { return state_->accessors->read(number); }
Result<Accessor> Asset::floats(std::size_t number) { return state_->accessors->floats(number); }
Result<Accessor> Asset::whole_view(std::size_t number) { return state_->accessors->whole_view(number); }
Result<Bulk<std::uint32_t>> Asset::indices(std::size_t number) { return state_->accessors->indices(number); }

Result<std::optional<SparseElements>> Asset::sparse(std::size_t number) { return state_->accessors->sparse(number); }

void Asset::spend(std::size_t number) { state_->spent.read_from(number); }

std::optional<Bytes> Asset::record_view(std::uint64_t number) {
    const Value& views = array("bufferViews");
    if (number >= views.size() || text_member(views[static_cast<std::size_t>(number)], "name") != record_view_name)
        return std::nullopt;
    const auto view = state_->buffers->view(number);
    if (!view || !take(view->bytes.size())) return std::nullopt;
    return Bytes(view->bytes.begin(), view->bytes.end());
}

Result<EncodedImage> Asset::image(std::size_t number) {
    return read_image(state_->json, number, *state_->buffers, state_->files, state_->budget);
}

Result<std::optional<DecodedPrimitive>> Asset::draco(const Value& primitive) {
    return state_->draco->decode(primitive);
}

bool Asset::take(std::uint64_t bytes) noexcept { return state_->budget.take(bytes); }

}  // namespace effigy::gltf
