#pragma once
/// What is in an EMotion FX file, as the JSON that `effigy info` prints (docs/json.md, "info"), and what the formats
/// share of it.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "core/json.hpp"
#include "core/text.hpp"
#include "emfx/file/formats.hpp"

namespace effigy::emfx {

[[nodiscard]] Json info(const xac::File& file, const std::string& encoding);
[[nodiscard]] Json info(const xsm::File& file, const std::string& encoding);
[[nodiscard]] Json info(const xpm::File& file, const std::string& encoding);

/// Format, version, byte order, and how many chunks of which kind.
template <class File>
[[nodiscard]] Json info_head(const File& file, const char* format) {
    Json json;
    json["format"] = format;
    json["version"] = std::to_string(file.header.major_version) + "." + std::to_string(file.header.minor_version);
    json["endian"] = file.header.big_endian() ? "big" : "little";
    json["multiplication_order"] = file.header.multiplication_order;
    if (!file.wrapper_head.empty()) json["wrapper"] = "Risen";
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, std::size_t> counts;
    for (const auto& chunk : file.chunks) ++counts[{chunk.id, kind_of(chunk.record), chunk.version}];
    Json& chunks = json["chunks"] = Json::array();
    for (const auto& [key, count] : counts) {
        const auto& [id, kind, version] = key;
        chunks.push_back({{"id", id}, {"kind", kind}, {"version", version}, {"count", count}});
    }
    return json;
}

/// Who exported the file, from what; works for both kinds of info records.
template <class Info>
[[nodiscard]] Json producer(const Info& info, const std::string& encoding) {
    Json json;
    json["application"] = to_utf8(info.source_application, encoding);
    json["exporter"] = std::to_string(info.exporter_major) + "." + std::to_string(info.exporter_minor);
    json["date"] = to_utf8(info.export_date, encoding);
    json["original_file"] = to_utf8(info.original_file, encoding);
    return json;
}

/// The first record of a type, or null.
template <class Record, class File>
[[nodiscard]] const Record* find_record(const File& file) noexcept {
    for (const auto& chunk : file.chunks) {
        if (const auto* record = std::get_if<Record>(&chunk.record)) return record;
    }
    return nullptr;
}

/// Events of all motion event tables.
template <class File>
[[nodiscard]] std::size_t event_count(const File& file) noexcept {
    std::size_t count = 0;
    for (const auto& chunk : file.chunks) {
        const auto* events = std::get_if<MotionEvents>(&chunk.record);
        if (events == nullptr) continue;
        for (const MotionEventTrack& track : events->tracks) count += track.events.size();
    }
    return count;
}

}  // namespace effigy::emfx
