/// A glTF file opened for reading: GLB chunks or text, checked, and what its JSON refers to.

#include "gltf/file/asset.hpp"

#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/text.hpp"
#include "gltf/file/accessors.hpp"
#include "gltf/file/asset_files.hpp"
#include "gltf/file/asset_json.hpp"
#include "gltf/file/asset_problems.hpp"
#include "gltf/file/asset_rules.hpp"
#include "gltf/file/buffers.hpp"
#include "gltf/file/draco.hpp"
#include "gltf/file/extensions.hpp"
#include "gltf/file/image_source.hpp"
#include "gltf/file/json.hpp"
#include "gltf/file/json_values.hpp"

namespace effigy::gltf {
namespace {

struct Parts {
    std::span<const std::byte> json;
    std::optional<std::span<const std::byte>> binary;
};

/// Some exporters fill up the JSON with zeros.
std::span<const std::byte> without_zeros(std::span<const std::byte> text) noexcept {
    while (!text.empty() && text.back() == std::byte{0}) text = text.first(text.size() - 1);
    return text;
}

Result<Parts> parts_of(const File& file) {
    Parts parts;
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

struct Asset::State {
    State(const File& file, const SceneOptions& options)
        : budget(options.limits, size_of(file)), files(options, budget) {}

    Budget budget;
    Value json;
    AssetFiles files;
    std::optional<Buffers> buffers;
    std::optional<Accessors> accessors;
    std::optional<DracoMeshes> draco;
};

Asset::Asset(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Asset::Asset(Asset&&) noexcept = default;
Asset& Asset::operator=(Asset&&) noexcept = default;
Asset::~Asset() = default;

Result<Asset> Asset::open(const File& file, const SceneOptions& options, Report& report) {
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
    return Asset(std::move(state));
}

const Value& Asset::json() const noexcept { return state_->json; }

const Value& Asset::array(std::string_view name) const noexcept {
    static const Value nothing = Value::array();
    const Value* const found = member(state_->json, name);
    return found != nullptr && found->is_array() ? *found : nothing;
}

Result<Accessor> Asset::accessor(std::size_t number) { return state_->accessors->read(number); }
Result<Accessor> Asset::floats(std::size_t number) { return state_->accessors->floats(number); }
Result<Accessor> Asset::whole_view(std::size_t number) { return state_->accessors->whole_view(number); }
Result<Bulk<std::uint32_t>> Asset::indices(std::size_t number) { return state_->accessors->indices(number); }

Result<std::optional<SparseElements>> Asset::sparse(std::size_t number) { return state_->accessors->sparse(number); }

std::optional<Bytes> Asset::record_view(std::uint64_t number) {
    const Value& views = array("bufferViews");
    if (number >= views.size() || text_member(views[number], "name") != record_view_name) return std::nullopt;
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
