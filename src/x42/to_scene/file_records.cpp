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

/// Calls `visit(number or bytes)` for all padding: between sections, of the header, and of its records.
template <class SomeFile, class Visit>
void each_padding(SomeFile& file, Visit&& visit) {
    for (auto& bytes : file.padding) visit(bytes);
    visit(file.header.padding);
    for (auto& bone : file.bones) visit(bone.padding);
    for (auto& influence : file.influences) visit(influence.padding);
    for (auto& group : file.groups) visit(group.padding);
    for (auto& target : file.morphs.targets) visit(target.padding);
}

/// As far as the last byte that is not 0.
Bytes padding_of(const File& file) {
    Bytes all;
    each_padding(file, [&](const auto& padding) {
        const auto bytes = std::as_bytes(std::span(&padding, 1));
        all.insert(all.end(), bytes.begin(), bytes.end());
    });
    while (!all.empty() && all.back() == std::byte{}) all.pop_back();
    return all;
}

/// What lies beyond `bytes` stays as it is; false if there are more bytes than padding.
bool put_padding(std::span<const std::byte> bytes, File& file) {
    each_padding(file, [&](auto& padding) {
        const std::size_t count = std::min(bytes.size(), sizeof padding);
        if (count != 0) std::memcpy(&padding, bytes.data(), count);
        bytes = bytes.subspan(count);
    });
    return bytes.empty();
}

/// In one byte order, without padding and trailing bytes.
File plain_file(File file) {
    file.big_endian = false;
    file.trailing.clear();
    each_padding(file, [](auto& padding) { padding = {}; });
    return file;
}

Result<void> take_copy(BridgeState& build, const File& file) {
    std::uint64_t size = std::uint64_t{file.morphs.opaque.size()} + file.trailing.size();
    each_section(file, [&](Section, const auto& array) { size += std::uint64_t{array.size()} * sizeof array[0]; });
    return build.take(size, 1, "extras");
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
    const Bytes padding = padding_of(file);
    // What says nothing stands beside the frame, so that files of one meaning have equal frames.
    const bool is_plain = !file.big_endian && padding.empty() && file.trailing.empty();
    if (auto taken = is_plain ? Result<void>() : take_copy(build, file); !taken) return fail(std::move(taken.error()));
    const auto frame = is_plain ? write_frame(file) : write_frame(plain_file(file));
    if (!frame) return json;
    if (auto taken = build.take(frame->size() + padding.size() + file.trailing.size(), 4, "extras"); !taken)
        return fail(std::move(taken.error()));
    json["file"] = json_bytes(*frame);
    if (file.big_endian) json["big_endian"] = true;
    if (!padding.empty()) json["padding"] = json_bytes(padding);
    if (!file.trailing.empty()) json["trailing"] = json_bytes(file.trailing);
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
    file.padding = {};
    if (const auto padding = bytes_at(asset, "padding"); padding && !put_padding(*padding, file)) return std::nullopt;
    file.big_endian = file.big_endian || flag_at(asset, "big_endian");
    if (auto trailing = bytes_at(asset, "trailing")) file.trailing = std::move(*trailing);
    const auto clips = integer_at(asset, "clip_count").value_or(-1);
    Records records{std::move(file), read->vertex_count, read->index_count, static_cast<std::uint64_t>(clips)};
    if (const auto loose = bytes_at(asset, "loose_indices"); loose && !loose->empty()) {
        records.loose_indices.resize(loose->size() / sizeof(std::uint16_t));
        std::memcpy(records.loose_indices.data(), loose->data(), records.loose_indices.size() * sizeof(std::uint16_t));
    }
    return records;
}

}  // namespace effigy::x42::bridge
