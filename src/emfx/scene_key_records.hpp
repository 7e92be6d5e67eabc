#pragma once
/// Keys that a clip's tracks would not give back bit by bit, kept as they stand: base64 of the file's own numbers under
/// the name of the field, in the submotion's record.

#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/json.hpp"
#include "emfx/key_codes.hpp"

namespace effigy::emfx::bridge {

template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys) {
    if (!keys.empty()) record[name] = to_base64(std::as_bytes(std::span(keys)));
}

/// Unless `again` is the same.
template <class Key>
void keep_keys(Json& record, const char* name, const Bulk<Key>& keys, const Bulk<Key>& again) {
    const bool same = keys.size() == again.size() &&
                      (keys.empty() || std::memcmp(keys.data(), again.data(), keys.size() * sizeof(Key)) == 0);
    if (!same) keep_keys(record, name, keys);
}

template <class Rotation>
void keep_all_keys(Json& record, const xsm::BasicSubmotion<Rotation>& submotion) {
    record["unmatched"] = true;
    keep_keys(record, "position_keys", submotion.position_keys);
    keep_keys(record, "rotation_keys", submotion.rotation_keys);
    keep_keys(record, "scale_keys", submotion.scale_keys);
    keep_keys(record, "scale_rotation_keys", submotion.scale_rotation_keys);
}

/// Puts the records of motions that move nothing into the asset's extras.
void add_idle_motions(std::string& asset_extras, const std::vector<std::string>& motions);

/// The submotions in the record of a motion's chunks, in the order of the file.
[[nodiscard]] std::vector<Json*> submotion_records(Json& chunks);

}  // namespace effigy::emfx::bridge
