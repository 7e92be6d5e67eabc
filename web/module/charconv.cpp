/// Numbers with a point, to and from text, where the C++ library cannot: as the standard wants them, and as others write
/// them to the last digit.

#include <charconv>

#if !defined(__cpp_lib_to_chars)

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <double-conversion/double-conversion.h>
#include <string>
#include <string_view>

namespace {

using double_conversion::DoubleToStringConverter;
using double_conversion::StringToDoubleConverter;

std::to_chars_result put(char* first, char* last, std::string_view text) {
    if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
    return {std::copy(text.begin(), text.end(), first), {}};
}

std::string not_finite(double value) {
    return std::string(std::signbit(value) ? "-" : "") + (std::isnan(value) ? "nan" : "inf");
}

/// "1.25e+03": the exponent has two digits at least.
std::string scientific(std::string_view digits, int exponent) {
    std::string text(digits.substr(0, 1));
    if (digits.size() > 1) text.append(".").append(digits.substr(1));
    const std::string number = std::to_string(std::abs(exponent));
    return text + (exponent < 0 ? "e-" : "e+") + (number.size() < 2 ? "0" : "") + number;
}

/// `point` is how many digits stand before it.
std::string fixed(std::string_view digits, int point) {
    const auto before = static_cast<std::size_t>(std::max(point, 0));
    if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + std::string(digits);
    if (before >= digits.size()) return std::string(digits) + std::string(before - digits.size(), '0');
    return std::string(digits.substr(0, before)) + "." + std::string(digits.substr(before));
}

/// All digits of a whole number, which are more than are needed to tell it.
std::string whole(double value) {
    std::array<char, 330> text{};
    double_conversion::StringBuilder builder(text.data(), static_cast<int>(text.size()));
    DoubleToStringConverter(DoubleToStringConverter::NO_FLAGS, "inf", "nan", 'e', 0, 0, 0, 0).ToFixed(value, 0, &builder);
    return builder.Finalize();
}

/// The shorter one of both ways to write the shortest digits; of equals, the one without an exponent.
template <class Value>
std::to_chars_result shortest(char* first, char* last, Value value, DoubleToStringConverter::DtoaMode mode) {
    if (!std::isfinite(value)) return put(first, last, not_finite(value));
    std::array<char, 20> buffer{};
    bool negative = false;
    int length = 0, point = 0;
    DoubleToStringConverter::DoubleToAscii(value, mode, 0, buffer.data(), buffer.size(), &negative, &length, &point);
    const std::string_view digits(buffer.data(), static_cast<std::size_t>(length));
    const std::string sign = negative ? "-" : "";
    if (value == 0) return put(first, last, sign + "0");
    const std::string with_exponent = scientific(digits, point - 1);
    const auto plain_size = static_cast<std::size_t>(point <= 0 ? 2 - point + length : std::max(point, length + (point < length ? 1 : 0)));
    if (plain_size > with_exponent.size()) return put(first, last, sign + with_exponent);
    return put(first, last, sign + (point > length ? whole(std::abs(double{value})) : fixed(digits, point)));
}

/// How much of the text is a number as from_chars takes it: no space, no plus, no hexadecimal digits.
std::size_t length_of_number(std::string_view text) {
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const auto digits = [&] {
        const std::size_t start = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
        return at - start;
    };
    const auto word = [&](std::string_view name) {
        return text.size() - at >= name.size() && std::equal(name.begin(), name.end(), text.begin() + at,
                                                             [](char a, char b) { return a == (b | 0x20); });
    };
    for (const std::string_view name : {"infinity", "inf", "nan"}) {
        if (word(name)) return at + name.size();
    }
    std::size_t count = digits();
    if (at < text.size() && text[at] == '.') {
        ++at;
        count += digits();
    }
    if (count == 0) return 0;
    const std::size_t mantissa = at;
    if (at < text.size() && (text[at] | 0x20) == 'e') {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        if (digits() == 0) at = mantissa;
    }
    return at;
}

bool has_digit_but_zero(std::string_view text) {
    return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
}

template <class Value, class Convert>
std::from_chars_result parse(const char* first, const char* last, Value& value, Convert convert) {
    const std::size_t length = length_of_number({first, static_cast<std::size_t>(last - first)});
    if (length == 0) return {first, std::errc::invalid_argument};
    const std::string_view text(first, length);
    const char initial = static_cast<char>(text[text[0] == '-' ? 1 : 0] | 0x20);
    if (initial == 'i' || initial == 'n') {
        const Value made = initial == 'i' ? HUGE_VALF : NAN;
        value = text[0] == '-' ? -made : made;
        return {first + length, {}};
    }
    int used = 0;
    const Value made = convert(first, static_cast<int>(length), &used);
    if (std::isinf(made) || (made == 0 && has_digit_but_zero(text)))
        return {first + length, std::errc::result_out_of_range};
    value = made;
    return {first + length, {}};
}

const StringToDoubleConverter& reader() {
    static const StringToDoubleConverter converter(StringToDoubleConverter::NO_FLAGS, 0, 0, nullptr, nullptr);
    return converter;
}

}  // namespace

namespace std {

to_chars_result to_chars(char* first, char* last, float value) {
    return shortest(first, last, value, DoubleToStringConverter::SHORTEST_SINGLE);
}

to_chars_result to_chars(char* first, char* last, double value) {
    return shortest(first, last, value, DoubleToStringConverter::SHORTEST);
}

/// Only `fixed` is used.
to_chars_result to_chars(char* first, char* last, double value, chars_format, int precision) {
    std::array<char, 400> text{};
    double_conversion::StringBuilder builder(text.data(), static_cast<int>(text.size()));
    const DoubleToStringConverter converter(DoubleToStringConverter::NO_FLAGS, "inf", "nan", 'e', 0, 0, 0, 0);
    if (!converter.ToFixed(value, precision, &builder)) return {last, errc::value_too_large};
    return put(first, last, builder.Finalize());
}

from_chars_result from_chars(const char* first, const char* last, float& value) {
    return parse(first, last, value, [](auto... text) { return reader().StringToFloat(text...); });
}

from_chars_result from_chars(const char* first, const char* last, double& value) {
    return parse(first, last, value, [](auto... text) { return reader().StringToDouble(text...); });
}

}  // namespace std

#endif
