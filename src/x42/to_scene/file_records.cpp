/// An X42 file without its bulk as a record for the way back, and read from there.

#include "x42/to_scene/file_records.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/json_fields.hpp"
#include "core/json_members.hpp"
#include "x42/file/layout_x42.hpp"
#include "x42/file/x42_format.hpp"

namespace effigy::x42::bridge {
namespace {

bool has_padding(const File& file) {
    return std::any_of(file.padding.begin(), file.padding.end(), [](const auto& bytes) {
        return std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
    });
}

/// How the morph targets are stored, which the bytes alone do not tell.
std::optional<Morphs> morph_notes(const Json& json, const Limits& limits) {
    File file;
    file.version = version_6;
    Walk walk;
    walk.from_dump = true;
    Budget budget(limits, 0);
    const bool read =
        layout::read_json_fields(json, budget, limits, [&](auto& visitor) { layout_morph_notes(visitor, file, walk); });
    return read ? std::optional(std::move(file.morphs)) : std::nullopt;
}

}  // namespace

Result<Json> file_record(BridgeState& build, const File& file) {
    Json json = Json::object();
    const auto frame = write_frame(file);
    if (!frame) return json;
    if (auto taken = build.take(frame->size() + sizeof file.padding, 4, "extras"); !taken)
        return fail(std::move(taken.error()));
    json["file"] = json_bytes(*frame);
    // Sections stand elsewhere in the frame than in the file, and need other padding.
    if (has_padding(file)) json["padding"] = json_bytes(std::as_bytes(std::span(file.padding)));
    json.update(fields_of([&](auto& visitor) { layout_morph_notes(visitor, file, Walk{}); }));
    return json;
}

std::optional<Records> records_from(const Json& asset, const Limits& limits) {
    const auto frame = bytes_at(asset, "file");
    const auto morphs = morph_notes(asset, limits);
    if (!frame || !morphs || member(asset, "parts") != nullptr) return std::nullopt;
    ByteSource source(*frame);
    auto read = read_as(source, *morphs, limits, true);
    if (!read || !read->cut_at.empty()) return std::nullopt;
    File& file = read->file;
    if (file.version != version_5 && file.version != version_6) return std::nullopt;
    if (const auto padding = bytes_at(asset, "padding")) {
        if (padding->size() != sizeof file.padding) return std::nullopt;
        std::memcpy(file.padding.data(), padding->data(), padding->size());
    } else {
        file.padding = {};
    }
    const auto clips = integer_at(asset, "clip_count").value_or(-1);
    return Records{std::move(file), read->vertex_count, read->index_count, static_cast<std::uint64_t>(clips)};
}

}  // namespace effigy::x42::bridge
