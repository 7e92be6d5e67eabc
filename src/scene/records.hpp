#pragma once
/// Records in extras: their JSON, and their bulk parts (binary values in memory), which are kept beside the text.

#include "effigy/scene.hpp"
#include "effigy/source.hpp"

#include "core/json_members.hpp"

namespace effigy {

/// Makes `record` that of an object; binary values of it become parts of Extras::bulk.
void set_record(Extras& extras, Json record);

/// The same, with lists of like records as tables: their numbers in columns of 32 bits, which are bulk. Not for what
/// modelling programs keep, because they drop bulk.
void set_record_with_tables(Extras& extras, Json record);

/// The record, with its bulk parts as binary values; an empty object if there is none. Nothing in it is trusted: parts
/// that `bulk` does not have are null, and all together are no larger than it.
[[nodiscard]] Json record_of(const Extras& extras);

/// Where a file came from: what a record has as its `source`. Without a version where that is null.
[[nodiscard]] Json source_json(const Source& source, std::string_view format, Json version = {});

/// Bytes of the record as text and as bulk.
[[nodiscard]] inline std::uint64_t size_of(const Extras& extras) noexcept {
    return std::uint64_t{extras.json.size()} + extras.bulk.size();
}

}  // namespace effigy
