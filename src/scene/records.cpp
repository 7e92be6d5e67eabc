/// Records of extras: bulk parts out of the JSON, and back into it.

#include "scene/records.hpp"

#include <algorithm>
#include <array>
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

std::optional<std::uint32_t> negative(const Json& json) {
    if (!json.is_number_integer() || json.get<std::int64_t>() < INT32_MIN || json.get<std::int64_t>() > INT32_MAX)
        return std::nullopt;
    return static_cast<std::uint32_t>(json.get<std::int64_t>());
}

using Take = std::optional<std::uint32_t> (*)(const Json&);
constexpr std::array<std::pair<const char*, Take>, 3> number_kinds{{{"u32", whole}, {"i32", negative}, {"f32", real}}};

using Values = std::vector<Json*>;

// Numbers of 32 bits, `width` for each value; nothing if they are not all of that kind.
std::optional<Bytes> packed(const Values& values, std::size_t width, bool in_lists, Take take) {
    Bytes bytes;
    bytes.reserve(values.size() * width * sizeof(std::uint32_t));
    for (const Json* const value : values) {
        if (in_lists != value->is_array() || (in_lists && value->size() != width)) return std::nullopt;
        for (std::size_t i = 0; i < width; ++i) {
            const auto bits = take(in_lists ? (*value)[i] : *value);
            if (!bits) return std::nullopt;
            const auto raw = std::as_bytes(std::span(&*bits, 1));
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        }
    }
    return bytes;
}

// Texts, each with a 0 behind it; nothing if there is anything else, or a 0 in one.
std::optional<Bytes> packed_texts(const Values& values) {
    std::string all;
    for (const Json* const value : values) {
        if (!value->is_string() || value->get_ref<const std::string&>().find('\0') != std::string::npos)
            return std::nullopt;
        all += value->get_ref<const std::string&>();
        all += '\0';
    }
    const auto raw = std::as_bytes(std::span(all));
    return Bytes(raw.begin(), raw.end());
}

// The values that a member has, where they stand, and in which records.
struct Column {
    Values values;
    std::vector<std::uint32_t> rows;
};

using Columns = std::vector<std::pair<std::string, Column>>;  // in the order in which members are seen first

// The values are moved: they may be as long as a motion.
Json list_of(const Values& values) {
    Json list = Json::array();
    for (Json* const value : values) list.push_back(std::move(*value));
    return list;
}

Json json_of(const Column& column, std::size_t record_count) {
    const Json& first = *column.values.front();
    const bool in_lists = first.is_array();
    const std::size_t width = in_lists ? first.size() : 1;
    Json json = Json::object();
    for (const auto& [kind, take] : number_kinds) {
        const auto numbers = width == 0 ? std::nullopt : packed(column.values, width, in_lists, take);
        if (!numbers) continue;
        json[kind] = json_binary(*numbers);
        if (in_lists) json["width"] = width;
        break;
    }
    if (json.empty()) {
        if (const auto texts = packed_texts(column.values)) json["text"] = json_binary(*texts);
    }
    const bool in_all = column.rows.size() == record_count;
    if (json.empty() && in_all) return list_of(column.values);
    if (json.empty()) json["values"] = list_of(column.values);
    if (!in_all) json["rows"] = json_binary(std::as_bytes(std::span(column.rows)));
    return json;
}

// Nothing if they are not alike: objects with at least one member that all have, and each with half of all members.
std::optional<Columns> columns_of(Json& records) {
    Columns columns;
    for (std::uint32_t row = 0; row < records.size(); ++row) {
        if (!records[row].is_object()) return std::nullopt;
        for (auto& [name, value] : records[row].get_ref<Json::object_t&>()) {
            const auto found = std::find_if(columns.begin(), columns.end(),
                                            [&, &key = name](const auto& column) { return column.first == key; });
            Column& column = found != columns.end() ? found->second : columns.emplace_back(name, Column()).second;
            column.values.push_back(&value);
            column.rows.push_back(row);
        }
    }
    const bool one_in_all = std::any_of(columns.begin(), columns.end(),
                                        [&](const auto& one) { return one.second.rows.size() == records.size(); });
    const bool alike = one_in_all && std::all_of(records.begin(), records.end(), [&](const Json& record) {
                           return 2 * record.size() >= columns.size();
                       });
    return alike ? std::optional(std::move(columns)) : std::nullopt;
}

std::size_t bulk_size(const Json& json) {
    if (json.is_binary()) return json.get_binary().size();
    std::size_t size = 0;
    if (json.is_structured()) {
        for (const Json& part : json) size += bulk_size(part);
    }
    return size;
}

// `bulk` has room for all.
void take_out(Json& json, Bytes& bulk) {
    if (json.is_binary()) {
        const auto bytes = std::as_bytes(std::span(json.get_binary()));
        const std::size_t offset = bulk.size();
        bulk.resize(offset + bytes.size());
        if (!bytes.empty()) std::memcpy(bulk.data() + offset, bytes.data(), bytes.size());
        json = Json::object();
        Json& place = json[reference];
        place.push_back(offset);
        place.push_back(bytes.size());
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
        json =
            fits
                ? json_binary(std::span(bulk).subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)))
                : Json();
    } else if (json.is_structured()) {
        for (Json& part : json) put_in(part, bulk, left);
    }
}

std::vector<std::uint32_t> numbers_in(const Bytes& bytes) {
    std::vector<std::uint32_t> numbers(bytes.size() / sizeof(std::uint32_t));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::uint32_t));
    return numbers;
}

Json numbers_of(const std::string& kind, const std::vector<std::uint32_t>& bits, const Json* width) {
    const auto number = [&](std::uint32_t value) {
        if (kind == "f32") return json_number(std::bit_cast<float>(value));
        const bool is_negative = kind == "i32" && value > INT32_MAX;
        return is_negative ? Json(static_cast<std::int32_t>(value)) : Json(value);
    };
    Json values = Json::array();
    const std::size_t count = width == nullptr ? 1 : whole(*width).value_or(0);
    if (count == 0 || bits.size() % count != 0) return values;
    for (std::size_t i = 0; i < bits.size(); i += width == nullptr ? 1 : count) {
        Json& value = values.emplace_back();
        if (width == nullptr) {
            value = number(bits[i]);
            continue;
        }
        for (std::size_t k = 0; k < count; ++k) value.push_back(number(bits[i + k]));
    }
    return values;
}

Json texts_of(const Bytes& bytes) {
    Json values = Json::array();
    std::string text;
    for (const std::byte byte : bytes) {
        if (byte != std::byte{}) {
            text += static_cast<char>(byte);
            continue;
        }
        values.push_back(std::move(text));
        text.clear();
    }
    return values;
}

Json values_of(const Json& column) {
    if (column.is_array()) return column;
    for (const char* const kind : {"u32", "i32", "f32"}) {
        if (const auto bytes = bytes_at(column, kind))
            return numbers_of(kind, numbers_in(*bytes), member(column, "width"));
    }
    if (const auto bytes = bytes_at(column, "text")) return texts_of(*bytes);
    const Json* const values = member(column, "values");
    return values != nullptr && values->is_array() ? *values : Json::array();
}

// Null if the columns do not go together.
Json records_of(const Json& columns) {
    Json records = Json::array();
    for (const bool in_all : {true, false}) {
        for (const auto& [name, column] : columns.items()) {
            if (in_all == (member(column, "rows") != nullptr)) continue;
            Json values = values_of(column);
            if (in_all && records.empty()) records = Json(values.size(), Json::object());
            const auto rows =
                in_all ? std::vector<std::uint32_t>() : numbers_in(bytes_at(column, "rows").value_or(Bytes()));
            if (values.size() != (in_all ? records.size() : rows.size())) return {};
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t row = in_all ? i : rows[i];
                if (row >= records.size()) return {};
                records[row][name] = std::move(values[i]);
            }
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
    const auto columns = json.is_array() && json.size() >= few_records ? columns_of(json) : std::nullopt;
    if (!columns) return;
    Json table_json = Json::object();
    for (const auto& [name, column] : *columns) table_json[name] = json_of(column, json.size());
    json = Json{{table, std::move(table_json)}};
}

}  // namespace

void set_record(Extras& extras, Json record) {
    extras.bulk.clear();
    extras.bulk.reserve(bulk_size(record));
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
