#pragma once
/// The layout of what the EMotion FX formats share: docs/formats/emfx.md.

#include <cstdint>

#include "effigy/emfx.hpp"

#include "core/access.hpp"
#include "core/path.hpp"

namespace effigy::emfx {

using layout::Access;

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Header>& header) {
    v.record("header", layout::Path::no_index, [&] {
        v.field("magic", header.magic);
        v.field("major_version", header.major_version);
        v.field("minor_version", header.minor_version);
        v.field("endian", header.endian);
        v.field("multiplication_order", header.multiplication_order);
    });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, Timestamp>& timestamp, std::uint32_t /*version*/) {
    v.field("year", timestamp.year);
    v.field("month", timestamp.month);
    v.field("day", timestamp.day);
    v.field("hours", timestamp.hours);
    v.field("minutes", timestamp.minutes);
    v.field("seconds", timestamp.seconds);
    v.field("padding", timestamp.padding);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MotionEvent>& event, std::uint32_t version, bool packed) {
    v.field("start_time", event.start_time);
    if (version >= 2) v.field("end_time", event.end_time);
    v.field("type", event.type);
    if (version <= 2) return v.field("parameter", event.parameter);
    auto parameter = static_cast<std::uint16_t>(event.parameter);
    v.field("parameter", parameter);
    if constexpr (Visitor::reading) event.parameter = parameter;
    if (!packed) v.field("padding", event.padding);
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MotionEventTrack>& track, std::uint32_t version, bool packed) {
    const std::uint64_t event_size = version == 1 ? 12 : version == 2 ? 16 : packed ? 14 : 16;
    v.count("event_count", "event", track.events, event_size);
    v.count("type_count", "type_name", track.types, 4);
    v.count("parameter_count", "parameter_name", track.parameters, 4);
    if (version >= 4) {
        v.field("enabled", track.enabled);
        v.field("padding", track.padding);
        v.field("name", track.name);
    }
    v.each("type_name", track.types, [&](auto& text) { v.field("text", text); });
    v.each("parameter_name", track.parameters, [&](auto& text) { v.field("text", text); });
    v.each("event", track.events, [&](auto& event) { layout(v, event, version, packed); });
}

template <class Visitor>
void layout(Visitor& v, Access<Visitor, MotionEvents>& events, std::uint32_t version) {
    if (version >= 3) v.note("packed", events.packed);
    if (version >= 4) {
        v.count("track_count", "track", events.tracks, 20);
        v.each("track", events.tracks, [&](auto& track) { layout(v, track, version, events.packed); });
    } else {
        v.each("track", events.tracks, 1, 12, [&](auto& track) { layout(v, track, version, events.packed); });
    }
}

/// Chunk 201 v1-v3 of XSM; chunk 101 v1 of XPM has the shape of v1.
template <class Visitor>
void layout(Visitor& v, Access<Visitor, MotionInfo>& info, std::uint32_t version) {
    if (version >= 2) {
        v.field("importance_factor", info.importance_factor);
        v.field("maximum_error", info.maximum_error);
    }
    v.field("frames_per_second", info.frames_per_second);
    if (version >= 3) v.field("motion_extraction_mask", info.motion_extraction_mask);
    v.field("exporter_major", info.exporter_major);
    v.field("exporter_minor", info.exporter_minor);
    v.field("padding", info.padding);
    v.field("source_application", info.source_application);
    v.field("original_file", info.original_file);
    v.field("export_date", info.export_date);
    v.field("motion_name", info.motion_name);
}

}  // namespace effigy::emfx
