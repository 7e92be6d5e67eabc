#pragma once
/// Codes of findings that any format has: reading, limits, writing, building from a dump.

#include "effigy/code.hpp"

// clang-format off
#define EFFIGY_CORE_CODES(SECTION, CODE) \
    SECTION(reading) \
    CODE(input_open, "input-open", error, "all", "The file or folder cannot be opened.") \
    CODE(input_none, "input-none", error, "all", "A folder holds no file that effigy reads.") \
    CODE(input_read, "input-read", error, "all", "The system failed to deliver bytes that the file should have.") \
    CODE(unknown_format, "unknown-format", error, "all", "The content is of no format that effigy reads.") \
    CODE(foreign_format, "foreign-format", error, "all", "The content is of a known relative that effigy does not read; the message says which, and what opens it.") \
    CODE(not_this_format, "not-this-format", error, "all", "The file is read as one format and is another: its magic is not there.") \
    CODE(truncated, "truncated", error, "all", "The file ends inside a field, an array, a chunk or an embedded actor; the rest is kept as bytes. Where the tables that say what is in it are cut off (XMF, ANI, X42), nothing can be read.") \
    CODE(xml_syntax, "xml-syntax", error, "all", "The file is no well-formed XML; the offset is where the parser gave up.") \
    CODE(xml_entity, "xml-entity", error, "all", "The file declares XML entities, which can expand without end; it is refused.") \
    CODE(xml_number, "xml-number", warning, "all", "An attribute that should be a number is none, or is not finite; it is read as if it were not there.") \
    CODE(xml_duplicate, "xml-duplicate", warning, "all", "An attribute, element or name stands twice where one is meant; the message says which one is used.") \
    CODE(file_missing, "file-missing", error, "all", "No layer of the game has such a file, or a catalog deletes it.") \
    CODE(input_version, "input-version", error, "all", "The file is of a version that cannot be read: X42 before version 5 or an avatar before version 2.0, whose layouts were never published, or a later X42 that is laid out like none that is known. The number is given.") \
    SECTION(limits) \
    CODE(limit_memory, "limit-memory", error_or_warning, "all", "More memory would be needed than the limit allows, or than there is; `--limit-memory` sets it. Where only a texture passes a limit, the texture is left out (warning).") \
    CODE(limit_count, "limit-count", error, "all", "An array has more records, a file more chunks, or a container more entries, than the limit allows; a container may have 65535.") \
    CODE(limit_string, "limit-string", error, "all", "A string is longer than the limit allows.") \
    CODE(limit_depth, "limit-depth", error, "all", "Actors are embedded in one another deeper than the limit allows, or elements of an XML file deeper than 256 levels.") \
    CODE(limit_scans, "limit-scans", error, "all", "A progressive JPEG has so many scans that decoding it would take without end.") \
    CODE(limit_cancelled, "limit-cancelled", error, "all", "The user cancelled; nothing was written.") \
    CODE(limit_changes, "limit-changes", error, "all", "The changes need more comparisons than is reasonable.") \
    SECTION(writing) \
    CODE(write_too_large, "write-too-large", error, "all", "An array or a chunk is too long for the field on disk that counts it, or a number or a name too large for its own.") \
    CODE(write_contradiction, "write-contradiction", error, "all", "An array does not have the length that other fields give it; a reader could not find its end.") \
    CODE(output_create, "output-create", error, "all", "No file can be made at the place of the output.") \
    CODE(output_write, "output-write", error, "all", "The output cannot be written, flushed or closed: the disk is full, or the device failed.") \
    CODE(output_rename, "output-rename", error, "all", "The finished output cannot be given its name.") \
    CODE(output_kept, "output-kept", error, "all", "A file with the name of an output is there that what is converted refers to, that was there before the output it would go with, or that no run over folders remembers having made (a run that was killed may have), or that was changed since, and what would be written is something else: it stays. Write to another folder or move it away; `--overwrite` replaces what no input refers to.") \
    CODE(output_scene, "output-scene", error, "all", "The scene contradicts itself (.obj, .ply); the path says where.") \
    CODE(output_not_finite, "output-not-finite", error, "all", "A number that is not finite cannot be written (.obj, .ply).") \
    CODE(out_of_memory, "out-of-memory", error, "all", "There is not enough memory for what is asked.") \
    SECTION(building) \
    CODE(build_json, "build-json", error, "dumps", "The input is not JSON, no dump, or a dump of an unknown version or format.") \
    CODE(build_kind, "build-kind", error, "dumps", "A chunk's id and version do not go with what the dump calls it.") \
    CODE(build_missing, "build-missing", error, "dumps", "The dump lacks a field or a record that the format has at this place.") \
    CODE(build_unexpected, "build-unexpected", error, "dumps", "The dump holds a field that the format does not have at this place.") \
    CODE(build_value, "build-value", error, "dumps", "A value does not fit its type: a number out of range, a list of the wrong length, broken base64.") \
    CODE(build_count, "build-count", error, "dumps", "A stored count does not match the elements that follow; correct it, or let `--normalize` do so.")
// clang-format on

namespace effigy::codes {
EFFIGY_CORE_CODES(EFFIGY_NO_SECTION, EFFIGY_CODE_CONSTANT)

/// Whether a limit was reached, the memory has ended or the user cancelled: nothing else need be tried then.
[[nodiscard]] constexpr bool is_limit(std::string_view code) noexcept {
    return code == limit_memory || code == limit_count || code == limit_string || code == limit_depth ||
           code == limit_scans || code == limit_cancelled || code == limit_changes || code == out_of_memory;
}
}  // namespace effigy::codes
