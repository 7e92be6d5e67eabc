/// An X42 file without its bulk as JSON for the way back, and read from there.

#include "x42/to_scene/file_records.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/json_members.hpp"

namespace effigy::x42::bridge {
namespace {

// What is kept are the bytes in memory: they have no gaps whose values nobody sets.
static_assert(sizeof(Header) == 48 && sizeof(PackHeader) == 96 && sizeof(Bone) == 12 && sizeof(AnimationGroup) == 6 &&
              sizeof(Animation) == 12 && sizeof(Tag) == 52 && sizeof(Influence) == 52 && sizeof(Lod) == 6 &&
              sizeof(Group) == 148 && sizeof(MorphTarget) == 12);

template <class T>
Json bytes_json(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return json_bytes(std::as_bytes(std::span<const T, 1>(&value, 1)));
}

template <class T>
bool read_value(const Json& json, std::string_view name, T& value) {
    const auto bytes = bytes_at(json, name);
    if (!bytes || bytes->size() != sizeof(T)) return false;
    std::memcpy(&value, bytes->data(), sizeof(T));
    return true;
}

/// Arrays that are not there are empty.
template <class T>
bool read_array(const Json& json, std::string_view name, Bulk<T>& values) {
    if (member(json, name) == nullptr) return true;
    const auto bytes = bytes_at(json, name);
    if (!bytes || bytes->size() % sizeof(T) != 0) return false;
    values.resize(bytes->size() / sizeof(T));
    if (!bytes->empty()) std::memcpy(values.data(), bytes->data(), bytes->size());
    return true;
}

std::uint64_t whole_at(const Json& json, std::string_view name) {
    const Json* number = member(json, name);
    return number != nullptr && number->is_number_unsigned() ? number->get<std::uint64_t>() : 0;
}

bool has_padding(const File& file) {
    return std::any_of(file.padding.begin(), file.padding.end(), [](const auto& bytes) {
        return std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
    });
}

}  // namespace

std::uint64_t size_of_records(const File& file) noexcept {
    std::uint64_t bytes = 1024;
    each_kept_array(file,
                    [&](const char*, const auto& values) { bytes += 64 + 2 * std::uint64_t{bytes_of(values).size()}; });
    return bytes;
}

Json records_json(const File& file, std::uint64_t clip_count) {
    Json json{{"version", file.version},
              {"big_endian", file.big_endian},
              {"vertex_count", file.vertices.size()},
              {"index_count", file.indices.size()},
              {"clip_count", clip_count},
              {"header", bytes_json(file.header)},
              {"pack", bytes_json(file.pack)}};
    each_kept_array(file, [&](const char* name, const auto& values) {
        if (!values.empty()) json[name] = json_bytes(bytes_of(values));
    });
    if (has_padding(file)) json["padding"] = bytes_json(file.padding);
    if (file.version == version_5) return json;
    json["morph_layout"] = static_cast<unsigned>(file.morphs.layout);
    json["wide_counts"] = file.morphs.wide_counts;
    json["plain_header"] = file.morphs.plain_header;
    json["stored_target_count"] = file.morphs.stored_target_count;
    json["stored_delta_count"] = file.morphs.stored_delta_count;
    return json;
}

std::optional<Records> records_from(const Json& asset) {
    const Json* const found = member(asset, "records");
    if (found == nullptr) return std::nullopt;
    const Json& json = *found;
    Records records;
    File& file = records.file;
    file.version = static_cast<std::uint32_t>(whole_at(json, "version"));
    if (file.version != version_5 && file.version != version_6) return std::nullopt;
    file.big_endian = flag_at(json, "big_endian");
    records.vertex_count = whole_at(json, "vertex_count");
    records.index_count = whole_at(json, "index_count");
    records.clip_count = whole_at(json, "clip_count");
    if (!read_value(json, "header", file.header) || !read_value(json, "pack", file.pack)) return std::nullopt;
    bool sound = true;
    each_kept_array(file, [&](const char* name, auto& values) { sound = sound && read_array(json, name, values); });
    if (member(json, "padding") != nullptr) sound = sound && read_value(json, "padding", file.padding);
    if (const Json* rest = member(asset, "file"); rest != nullptr) {
        sound = sound && read_array(*rest, "trailing", file.trailing);
        const Json* const morphs = member(*rest, "morphs");
        if (morphs != nullptr) sound = sound && read_array(*morphs, "opaque", file.morphs.opaque);
    }
    const std::uint64_t layout = whole_at(json, "morph_layout");
    if (!sound || layout > static_cast<unsigned>(MorphLayout::undetermined)) return std::nullopt;
    file.morphs.layout = static_cast<MorphLayout>(layout);
    file.morphs.wide_counts = flag_at(json, "wide_counts");
    file.morphs.plain_header = flag_at(json, "plain_header");
    file.morphs.stored_target_count = static_cast<std::uint32_t>(whole_at(json, "stored_target_count"));
    file.morphs.stored_delta_count = static_cast<std::uint32_t>(whole_at(json, "stored_delta_count"));
    return records;
}

}  // namespace effigy::x42::bridge
