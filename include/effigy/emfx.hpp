#pragma once
/// What XAC, XSM and XPM share: the container of chunks. Facts: docs/formats/emfx.md.
///
/// Each file type has the same shape: `File{header, chunks, trailing}`, where a chunk holds its id, its version and
/// one record. The id and the version say which record and which of its fields exist; fields that a version lacks
/// are ignored on writing.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "effigy/bytes.hpp"
#include "effigy/math.hpp"

namespace effigy::emfx {

/// The 8 bytes at the start.
struct Header {
    std::array<char, 4> magic{};  ///< "XAC ", "XSM " or "XPM "
    std::uint8_t major_version = 1;
    std::uint8_t minor_version = 0;
    std::uint8_t endian = 0;                ///< 0 little, otherwise big
    std::uint8_t multiplication_order = 0;  ///< 0 scale, rotate, translate (as glTF); 1 rotate, scale, translate

    [[nodiscard]] bool big_endian() const noexcept { return endian != 0; }
};

/// A chunk: `size` is what the file declares, which some exporters get wrong; a chunk that is made anew has none and
/// gets its true one.
template <class RecordType>
struct Chunk {
    std::uint32_t id = 0;
    std::uint32_t version = 1;
    std::optional<std::uint32_t> size;
    RecordType record;
    Bytes trailing;  ///< bytes that the size covers and the layout does not explain
};

/// A chunk that is not understood (unknown id or version, or damaged), kept as it stands.
struct Opaque {
    Bytes bytes;
};

/// Chunk 51 v1: when the file was exported.
struct Timestamp {
    std::uint16_t year = 0;
    std::int8_t month = 0, day = 0, hours = 0, minutes = 0, seconds = 0;
    std::array<std::uint8_t, 1> padding{};
};

/// One event of a motion. Indices refer to the table's strings.
struct MotionEvent {
    float start_time = 0;  ///< seconds
    float end_time = 0;    ///< seconds, v2 and later
    std::uint32_t type = 0;
    std::uint32_t parameter = 0;            ///< 16 bits in v3 and later
    std::array<std::uint8_t, 2> padding{};  ///< v3 and later, unless packed
};

struct MotionEventTrack {
    std::uint8_t enabled = 1;               ///< v4
    std::array<std::uint8_t, 3> padding{};  ///< v4
    std::string name;                       ///< v4
    std::vector<std::string> types;
    std::vector<std::string> parameters;
    std::vector<MotionEvent> events;
};

/// Chunk 50 v1-v4: events. v1 to v3 hold exactly one track. Kept opaque where the bytes do not fit the layout.
struct MotionEvents {
    bool packed = false;  ///< v3, v4: events without padding (not stored; found by the size)
    std::vector<MotionEventTrack> tracks;
};

/// XSM and XPM info: chunks 201 and 101.
struct MotionInfo {
    float importance_factor = 1;               ///< XSM v2 and later
    float maximum_error = 0;                   ///< XSM v2 and later
    std::uint32_t frames_per_second = 30;      ///< informational, key times are seconds
    std::uint32_t motion_extraction_mask = 0;  ///< XSM v3
    std::uint8_t exporter_major = 0, exporter_minor = 0;
    std::array<std::uint8_t, 2> padding{};
    std::string source_application, original_file, export_date, motion_name;  ///< raw bytes
};

}  // namespace effigy::emfx
