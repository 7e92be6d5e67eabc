/// JSON values of on-disk numbers (NaN and infinity included), texts that are no UTF-8, base64, and bounded parsing.

#include "json.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/text.hpp"
#include "half.hpp"
#include "json_text.hpp"

namespace effigy {

namespace {

using layout::Kind;
using layout::Part;

/// What JSON has no number for, as {"bits": "0x7fc00001"} with all digits of `Bits`.
template <class Bits>
Json json_bits(Bits bits) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(2 + 2 * sizeof(Bits), '0');
    text[1] = 'x';
    std::uint64_t left = bits;
    for (std::size_t at = text.size() - 1; at > 1; --at, left >>= 4) text[at] = digits[left & 15u];
    return {{"bits", text}};
}

template <class Bits>
std::optional<Bits> bits_from_json(const Json& json) {
    const auto bits = json.is_object() ? json.find("bits") : json.end();
    if (bits == json.end() || !bits->is_string()) return std::nullopt;
    const auto& text = bits->get_ref<const std::string&>();
    Bits number = 0;
    if (text.size() != 2 + 2 * sizeof(Bits) || !text.starts_with("0x")) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

template <class T>
T load(const std::byte* data) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
}

Json json_half(std::uint16_t half) {
    const float value = half_to_float(half);
    return std::isfinite(value) ? json_number(value) : json_bits(half);
}

Json json_value(const Part& part, const std::byte* data) {
    if (part.kind == Kind::real) {
        if (part.width == 2) return json_half(load<std::uint16_t>(data));
        if (part.width == 8) return json_number(load<double>(data));
        return json_number(load<float>(data));
    }
    if (part.kind == Kind::signed_integer) {
        if (part.width == 1) return load<std::int8_t>(data);
        if (part.width == 2) return load<std::int16_t>(data);
        return load<std::int32_t>(data);
    }
    if (part.width == 1) return load<std::uint8_t>(data);
    if (part.width == 2) return load<std::uint16_t>(data);
    return load<std::uint32_t>(data);
}

/// Zeros at the end are left out; the field's width brings them back.
Json json_characters(std::string_view characters) {
    const std::string_view text = characters.substr(0, characters.find_last_not_of('\0') + 1);
    return json_text(text.find('\0') == std::string_view::npos ? text : characters);
}

Json json_part(const Part& part, const std::byte* data) {
    if (part.kind == Kind::character) return json_characters({reinterpret_cast<const char*>(data), part.count});
    if (part.count == 1) return json_value(part, data);
    Json values = Json::array();
    for (unsigned index = 0; index < part.count; ++index) values.push_back(json_value(part, data + index * part.width));
    return values;
}

template <class T>
bool store_integer(const Json& json, std::byte* destination) {
    if (!json.is_number_integer()) return false;
    const bool large = json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    const std::int64_t value = large ? 0 : json.get<std::int64_t>();
    if (large || value < std::int64_t{std::numeric_limits<T>::min()} ||
        value > std::int64_t{std::numeric_limits<T>::max()}) {
        return false;
    }
    const T narrow = static_cast<T>(value);
    std::memcpy(destination, &narrow, sizeof(T));
    return true;
}

std::optional<std::uint16_t> half_from_json(const Json& json) {
    if (!json.is_number()) return bits_from_json<std::uint16_t>(json);
    const std::uint16_t half = half_from_float(static_cast<float>(json.get<double>()));
    return std::isfinite(half_to_float(half)) ? std::optional(half) : std::nullopt;
}

template <class T>
bool store_real(std::optional<T> value, std::byte* destination) {
    if (value) std::memcpy(destination, &*value, sizeof(T));
    return value.has_value();
}

bool store_value(const Part& part, const Json& json, std::byte* destination) {
    if (part.kind == Kind::real) {
        if (part.width == 2) return store_real(half_from_json(json), destination);
        if (part.width == 8) return store_real(double_from_json(json), destination);
        return store_real(float_from_json(json), destination);
    }
    if (part.kind == Kind::signed_integer) {
        if (part.width == 1) return store_integer<std::int8_t>(json, destination);
        if (part.width == 2) return store_integer<std::int16_t>(json, destination);
        return store_integer<std::int32_t>(json, destination);
    }
    if (part.width == 1) return store_integer<std::uint8_t>(json, destination);
    if (part.width == 2) return store_integer<std::uint16_t>(json, destination);
    return store_integer<std::uint32_t>(json, destination);
}

bool store_part(const Part& part, const Json& json, std::byte* destination) {
    if (part.kind == Kind::character) {
        const std::optional<std::string> text = text_from_json(json);
        if (!text || text->size() > part.count) return false;
        std::memset(destination, 0, part.count);
        if (!text->empty()) std::memcpy(destination, text->data(), text->size());
        return true;
    }
    if (part.count == 1) return store_value(part, json, destination);
    if (!json.is_array() || json.size() != part.count) return false;
    for (unsigned index = 0; index < part.count; ++index) {
        if (!store_value(part, json[index], destination + index * part.width)) return false;
    }
    return true;
}

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_value(char digit) noexcept {
    if (digit >= 'A' && digit <= 'Z') return digit - 'A';
    if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9') return digit - '0' + 52;
    if (digit == '+') return 62;
    return digit == '/' ? 63 : -1;
}

/// Stops at text that is no JSON, or that is nested or has members beyond what any known file has: objects look their
/// members up one after the other.
class Bounds final : public nlohmann::json_sax<Json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return ++members_.back() <= max_members; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        bad_ = position - 1;
        return false;
    }
    /// The last byte that was read of what is no JSON.
    [[nodiscard]] std::optional<std::uint64_t> bad() const noexcept { return bad_; }

private:
    static constexpr std::size_t max_members = 256, max_depth = 256;

    bool enter() {
        members_.push_back(0);
        return members_.size() <= max_depth;
    }
    bool leave() {
        members_.pop_back();
        return true;
    }

    std::vector<std::size_t> members_;  ///< of each level that is open
    std::optional<std::uint64_t> bad_;
};

}  // namespace

Json json_object(std::size_t members) {
    Json object = Json::object();
    object.get_ref<Json::object_t&>().reserve(members);
    return object;
}

Json json_number(float value) {
    if (!std::isfinite(value)) return json_bits(std::bit_cast<std::uint32_t>(value));
    // nlohmann writes the shortest form of a double, so hand it the double nearest to the float's shortest form.
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    double wide = 0;
    std::from_chars(digits, end.ptr, wide);
    return static_cast<float>(wide) == value ? wide : static_cast<double>(value);
}

Json json_numbers(const Vec3& v) { return Json::array({json_number(v.x), json_number(v.y), json_number(v.z)}); }
Json json_numbers(const Quat& q) {
    return Json::array({json_number(q.x), json_number(q.y), json_number(q.z), json_number(q.w)});
}

Json json_numbers_unsigned_zeros(const Vec3& v) {
    const auto plain = [](float number) { return number == 0 ? 0.0f : number; };
    return json_numbers(Vec3{plain(v.x), plain(v.y), plain(v.z)});
}

std::optional<float> float_from_json(const Json& json) {
    if (json.is_number()) {
        const auto wide = json.get<double>();
        const auto value = static_cast<float>(wide);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    const auto bits = bits_from_json<std::uint32_t>(json);
    return bits ? std::optional(std::bit_cast<float>(*bits)) : std::nullopt;
}

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : json_bits(std::bit_cast<std::uint64_t>(value));
}

std::optional<double> double_from_json(const Json& json) {
    if (json.is_number()) {
        const auto value = json.get<double>();
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    const auto bits = bits_from_json<std::uint64_t>(json);
    return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
}

bool is_utf8(std::string_view bytes) noexcept {
    for (std::size_t at = 0; at < bytes.size();) {
        const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(bytes[index]); };
        const unsigned lead = byte(at);
        const std::size_t length = lead < 0x80   ? 1
                                   : lead < 0xc2 ? 0
                                   : lead < 0xe0 ? 2
                                   : lead < 0xf0 ? 3
                                   : lead < 0xf5 ? 4
                                                 : 0;
        if (length == 0 || length > bytes.size() - at) return false;
        for (std::size_t index = 1; index < length; ++index) {
            if ((byte(at + index) & 0xc0) != 0x80) return false;
        }
        const unsigned next = length > 1 ? byte(at + 1) : 0;
        if ((lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f)) return false;
        if ((lead == 0xf0 && next < 0x90) || (lead == 0xf4 && next > 0x8f)) return false;
        at += length;
    }
    return true;
}

Json json_text(std::string_view bytes) {
    const bool control = bytes.find('\0') != std::string_view::npos;
    if (!control && is_utf8(bytes)) return bytes;
    return {{"bytes", to_base64(std::as_bytes(std::span(bytes)))}};
}

std::optional<std::string> text_from_json(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    const auto coded = json.is_object() ? json.find("bytes") : json.end();
    if (coded == json.end() || !coded->is_string()) return std::nullopt;
    const std::optional<Bytes> bytes = from_base64(coded->get_ref<const std::string&>());
    if (!bytes) return std::nullopt;
    return std::string(as_text(*bytes));
}

std::string to_base64(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = bytes.size() - at;
        std::uint32_t group = static_cast<std::uint32_t>(bytes[at]) << 16;
        if (left > 1) group |= static_cast<std::uint32_t>(bytes[at + 1]) << 8;
        if (left > 2) group |= static_cast<std::uint32_t>(bytes[at + 2]);
        text += base64_digits[group >> 18];
        text += base64_digits[(group >> 12) & 63u];
        text += left > 1 ? base64_digits[(group >> 6) & 63u] : '=';
        text += left > 2 ? base64_digits[group & 63u] : '=';
    }
    return text;
}

Json json_bytes(std::span<const std::byte> bytes) {
    constexpr std::size_t few = 24;  // a reference is no shorter
    return bytes.size() <= few ? Json(to_base64(bytes)) : json_binary(bytes);
}

Json json_binary(std::span<const std::byte> bytes) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return Json::binary({from, from + bytes.size()});
}

std::optional<Bytes> bytes_from_json(const Json& json) {
    if (json.is_string()) return from_base64(json.get_ref<const std::string&>());
    if (!json.is_binary()) return std::nullopt;
    const auto bytes = std::as_bytes(std::span(json.get_binary()));
    return Bytes(bytes.begin(), bytes.end());
}

std::optional<Bytes> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    Bytes bytes;
    bytes.reserve(text.size() / 4 * 3);
    while (!text.empty()) {
        const bool last = text.size() == 4;
        const std::size_t digits = last && text[3] == '=' ? (text[2] == '=' ? 2 : 3) : 4;
        std::uint32_t group = 0;
        for (std::size_t index = 0; index < 4; ++index) {
            const int value = index < digits ? base64_value(text[index]) : 0;
            if (value < 0) return std::nullopt;
            group = group << 6 | static_cast<std::uint32_t>(value);
        }
        for (std::size_t index = 1; index < digits; ++index) {
            bytes.push_back(static_cast<std::byte>(group >> (24 - 8 * index)));
        }
        text.remove_prefix(4);
    }
    return bytes;
}

Json json_element(const layout::ElementType& type, const std::byte* data) {
    if (type.parts.size() == 1) return json_part(type.parts.front(), data);
    Json parts = Json::array();
    for (const Part& part : type.parts) {
        parts.push_back(json_part(part, data));
        data += std::size_t{part.width} * part.count;
    }
    return parts;
}

bool element_from_json(const layout::ElementType& type, const Json& json, std::byte* destination) {
    if (type.parts.size() == 1) return store_part(type.parts.front(), json, destination);
    if (!json.is_array() || json.size() != type.parts.size()) return false;
    for (std::size_t index = 0; index < type.parts.size(); ++index) {
        const Part& part = type.parts[index];
        if (!store_part(part, json[index], destination)) return false;
        destination += std::size_t{part.width} * part.count;
    }
    return true;
}

std::optional<Json> parse_json(std::string_view text, std::uint64_t* bad) {
    // Looked at beforehand: a parser that asks for each value whether it is wanted takes quadratic time for arrays.
    Bounds bounds;
    if (!Json::sax_parse(text, &bounds)) {
        if (bad != nullptr) *bad = bounds.bad().value_or(no_offset);
        return std::nullopt;
    }
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

std::string to_text(const Json& json, int indent) {
    if (indent < 0) {
        std::string text;
        add_text(text, json);
        return text;
    }
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace effigy
