/// Records of extras: bulk parts out of the JSON, and back into it.

#include "scene/records.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace effigy {
namespace {

constexpr const char* reference = "bulk";

constexpr const char* table = "table";
constexpr std::size_t few_records = 4;  // of which a table is no shorter

std::optional<std::uint32_t> whole(const Json& json) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
    return json.get<std::uint32_t>();
}

// A number that comes back from its 32 bits as it was.
std::optional<std::uint32_t> real(const Json& json) {
    const bool is_real = json.is_number_float() || json.is_object();
    const auto value = is_real ? float_from_json(json) : std::nullopt;
    if (!value || json_number(*value) != json) return std::nullopt;
    return std::bit_cast<std::uint32_t>(*value);
}

// One member of all records as numbers of 32 bits, `width` for each record; nothing if they are not all of that kind.
template <class Take>
std::optional<Bytes> packed(const Json& records, const std::string& name, std::size_t width, bool in_lists,
                            Take&& take) {
    Bytes bytes;
    bytes.reserve(records.size() * width * sizeof(std::uint32_t));
    for (const Json& record : records) {
        const Json& value = record[name];
        if (in_lists != value.is_array() || (in_lists && value.size() != width)) return std::nullopt;
        for (std::size_t i = 0; i < width; ++i) {
            const auto bits = take(in_lists ? value[i] : value);
            if (!bits) return std::nullopt;
            const auto raw = std::as_bytes(std::span(&*bits, 1));
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        }
    }
    return bytes;
}

Json column_of(const Json& records, const std::string& name) {
    const Json& first = records.front()[name];
    const bool in_lists = first.is_array();
    const std::size_t width = in_lists ? first.size() : 1;
    if (width != 0) {
        auto numbers = packed(records, name, width, in_lists, whole);
        const bool are_whole = numbers.has_value();
        if (!are_whole) numbers = packed(records, name, width, in_lists, real);
        if (numbers) {
            Json column{{are_whole ? "u32" : "f32", json_binary(*numbers)}};
            if (in_lists) column["width"] = width;
            return column;
        }
    }
    Json column = Json::array();
    for (const Json& record : records) column.push_back(record[name]);
    return column;
}

bool are_alike(const Json& records) {
    const Json& first = records.front();
    return first.is_object() && !first.empty() && std::all_of(records.begin(), records.end(), [&](const Json& record) {
               return record.is_object() && record.size() == first.size() &&
                      std::equal(record.items().begin(), record.items().end(), first.items().begin(),
                                 [](const auto& a, const auto& b) { return a.key() == b.key(); });
           });
}

void take_out(Json& json, Bytes& bulk) {
    if (json.is_binary()) {
        const auto& bytes = json.get_binary();
        Json place = Json::array({bulk.size(), bytes.size()});
        const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
        bulk.insert(bulk.end(), from, from + bytes.size());
        json = Json{{reference, std::move(place)}};
    } else if (json.is_structured()) {
        for (Json& part : json) take_out(part, bulk);
    }
}

// Place and size, if it is such a reference.
const Json* place_in(const Json& json) {
    if (!json.is_object() || json.size() != 1) return nullptr;
    const Json* const place = member(json, reference);
    const bool fits = place != nullptr && place->is_array() && place->size() == 2 && (*place)[0].is_number_unsigned() &&
                      (*place)[1].is_number_unsigned();
    return fits ? place : nullptr;
}

void put_in(Json& json, const Bytes& bulk, std::uint64_t& left) {
    if (const Json* const place = place_in(json)) {
        const auto offset = (*place)[0].get<std::uint64_t>(), size = (*place)[1].get<std::uint64_t>();
        const bool fits = size <= left && offset <= bulk.size() && size <= bulk.size() - offset;
        if (fits) left -= size;
        json = fits ? json_binary(std::span(bulk).subspan(offset, size)) : Json();
    } else if (json.is_structured()) {
        for (Json& part : json) put_in(part, bulk, left);
    }
}

// Null if the columns do not go together.
Json records_of(const Json& columns) {
    Json records = Json::array();
    for (const auto& [name, column] : columns.items()) {
        const Json* const whole_numbers = member(column, "u32");
        const Json* const numbers = whole_numbers != nullptr ? whole_numbers : member(column, "f32");
        const auto bytes = numbers == nullptr ? std::nullopt : bytes_from_json(*numbers);
        const Json* const width_json = member(column, "width");
        const std::size_t width = width_json == nullptr ? 1 : whole(*width_json).value_or(0);
        if (!column.is_array() && (!bytes || width == 0 || bytes->size() % (width * 4) != 0)) return {};
        const std::size_t count = column.is_array() ? column.size() : bytes->size() / (width * 4);
        if (records.empty()) records = Json(count, Json::object());
        if (records.size() != count) return {};
        for (std::size_t i = 0; i < count; ++i) {
            if (column.is_array()) {
                records[i][name] = column[i];
                continue;
            }
            const auto value = [&](std::size_t place) {
                std::uint32_t bits = 0;
                std::memcpy(&bits, bytes->data() + 4 * place, sizeof bits);
                return whole_numbers != nullptr ? Json(bits) : json_number(std::bit_cast<float>(bits));
            };
            Json& member = records[i][name];
            if (width_json == nullptr) {
                member = value(i);
                continue;
            }
            for (std::size_t k = 0; k < width; ++k) member.push_back(value(i * width + k));
        }
    }
    return records;
}

void make_records(Json& json) {
    if (!json.is_structured()) return;
    for (Json& part : json) make_records(part);
    const Json* const columns = json.is_object() && json.size() == 1 ? member(json, table) : nullptr;
    if (columns == nullptr || !columns->is_object()) return;
    Json records = records_of(*columns);
    json = std::move(records);
}

void make_tables(Json& json) {
    if (!json.is_structured()) return;
    for (Json& part : json) make_tables(part);
    if (!json.is_array() || json.size() < few_records || !are_alike(json)) return;
    Json columns = Json::object();
    for (const auto& [name, value] : json.front().items()) columns[name] = column_of(json, name);
    json = Json{{table, std::move(columns)}};
}

}  // namespace

void set_record(Extras& extras, Json record) {
    extras.bulk.clear();
    take_out(record, extras.bulk);
    extras.json = to_text(record);
}

void set_record_with_tables(Extras& extras, Json record) {
    make_tables(record);
    set_record(extras, std::move(record));
}

Json record_of(const Extras& extras) {
    Json record = object_of(extras.json);
    std::uint64_t left = extras.bulk.size();
    put_in(record, extras.bulk, left);
    make_records(record);
    return record.is_object() ? std::move(record) : Json::object();
}

Json source_json(const Source& source, std::string_view format, Json version) {
    Json json{{"format", format}};
    if (!version.is_null()) json["version"] = std::move(version);
    json["name"] = json_text(source.stem);
    json["size"] = source.size;
    if (!source.hash.empty()) json["hash"] = json_text(source.hash);
    return json;
}

}  // namespace effigy
