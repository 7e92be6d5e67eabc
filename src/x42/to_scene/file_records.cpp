/// An X42 file without its bulk as a record for the way back, and read from there.

#include "x42/to_scene/file_records.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

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

/// Indices that no group draws. Quick for groups that all draw all indices, too.
Bulk<std::uint16_t> loose_indices(const File& file) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (const Group& group : file.groups) {
        if (group.first_index == no_indices) continue;
        runs.emplace_back(group.first_index, std::uint64_t{group.first_index} + group.element_count);
    }
    const std::uint64_t all = file.indices.size();
    runs.emplace_back(all, all);
    std::sort(runs.begin(), runs.end());
    Bulk<std::uint16_t> loose;
    std::uint64_t reached = 0;
    for (const auto& [begin, end] : runs) {
        for (; reached < std::min(begin, all); ++reached)
            loose.push_back(file.indices[static_cast<std::size_t>(reached)]);
        reached = std::max(reached, end);
    }
    return loose;
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
    const auto loose = loose_indices(file);
    if (auto taken = build.take(loose.size(), 4 * sizeof(std::uint16_t), "extras"); !taken)
        return fail(std::move(taken.error()));
    if (!loose.empty()) json["loose_indices"] = json_bytes(bytes_of(loose));
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
    Records records{std::move(file), read->vertex_count, read->index_count, static_cast<std::uint64_t>(clips)};
    if (const auto loose = bytes_at(asset, "loose_indices"); loose && !loose->empty()) {
        records.loose_indices.resize(loose->size() / sizeof(std::uint16_t));
        std::memcpy(records.loose_indices.data(), loose->data(), records.loose_indices.size() * sizeof(std::uint16_t));
    }
    return records;
}

}  // namespace effigy::x42::bridge
