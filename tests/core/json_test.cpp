// Values survive the way through JSON bit by bit.

#include "core/json.hpp"

#include <array>
#include <bit>
#include <gtest/gtest.h>

#include "core/half.hpp"

namespace effigy {
namespace {

std::uint32_t through_text(std::uint32_t bits) {
    const std::string text = to_text(json_number(std::bit_cast<float>(bits)));
    const std::optional<Json> json = parse_json(text);
    EXPECT_TRUE(json) << text;
    const std::optional<float> value = float_from_json(*json);
    EXPECT_TRUE(value) << text;
    return std::bit_cast<std::uint32_t>(value.value_or(0));
}

TEST(JsonNumber, EveryKindOfFloatSurvives) {
    const std::uint32_t special[]{0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
                                  0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa12345,
                                  0xffffffff, 0x7f800001, 0x3f800000, 0x3dcccccd, 0x4b800001};
    for (const std::uint32_t bits : special) EXPECT_EQ(through_text(bits), bits) << std::hex << bits;
    std::uint32_t state = 1;
    for (int time = 0; time < 20'000; ++time) {
        state = state * 1664525u + 1013904223u;
        ASSERT_EQ(through_text(state), state) << std::hex << state;
    }
}

/// Every 16-bit float through JSON, and as many doubles.
TEST(JsonNumber, HalvesAndDoublesSurvive) {
    using layout::Kind;
    using layout::Part;
    const std::array<Part, 1> half_part{{{"", Kind::real, 2, 1}}}, double_part{{{"", Kind::real, 8, 1}}};
    const layout::ElementType half_type{"half", 2, half_part}, double_type{"f64", 8, double_part};
    std::uint64_t state = 1;
    for (unsigned half = 0; half < 0x10000; ++half) {
        std::uint16_t stored = static_cast<std::uint16_t>(half), back = 0;
        const auto json = parse_json(to_text(json_element(half_type, reinterpret_cast<const std::byte*>(&stored))));
        ASSERT_TRUE(element_from_json(half_type, *json, reinterpret_cast<std::byte*>(&back))) << to_text(*json);
        ASSERT_EQ(back, stored) << to_text(*json);

        state =
            half < 16 ? std::uint64_t{0x7ff0000000000000} + half : state * 6364136223846793005u + 1442695040888963407u;
        std::uint64_t wide = state, wide_back = 0;
        const auto number = parse_json(to_text(json_element(double_type, reinterpret_cast<const std::byte*>(&wide))));
        ASSERT_TRUE(element_from_json(double_type, *number, reinterpret_cast<std::byte*>(&wide_back)));
        ASSERT_EQ(wide_back, wide) << to_text(*number);
    }
    EXPECT_EQ(to_text(json_number(std::bit_cast<double>(0xfff0000000000000u))), R"({"bits":"0xfff0000000000000"})");
}

TEST(JsonNumber, HalvesAreRounded) {
    EXPECT_EQ(half_from_float(1.0f + 1.0f / 2048), 0x3c00) << "to even";
    EXPECT_EQ(half_from_float(1.0f + 3.0f / 2048), 0x3c02) << "to even";
    EXPECT_EQ(half_from_float(1.0f + 1.1f / 2048), 0x3c01);
    EXPECT_EQ(half_from_float(65519.0f), 0x7bff);
    EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
    EXPECT_EQ(half_from_float(-5.9604645e-8f), 0x8001) << "the smallest";
    EXPECT_EQ(half_from_float(2.9802322e-8f), 0x0000) << "half of that";
    EXPECT_EQ(half_from_float(8.9406967e-8f), 0x0002) << "and half more";
}

TEST(JsonCharacters, LeaveOutZerosAtTheEnd) {
    using Name = std::array<char, 6>;
    const auto& type = layout::element_type<Name>;
    for (const Name& name :
         {Name{}, Name{'a', 'b'}, Name{'a', 'b', 'c', 'd', 'e', 'f'}, Name{'a', 0, 'c'}, Name{0, 'b'}}) {
        const Json json = json_element(type, reinterpret_cast<const std::byte*>(name.data()));
        Name back{'x', 'x', 'x', 'x', 'x', 'x'};
        ASSERT_TRUE(element_from_json(type, json, reinterpret_cast<std::byte*>(back.data()))) << to_text(json);
        EXPECT_EQ(back, name);
    }
    const Name short_name{'a', 'b'};
    EXPECT_EQ(json_element(type, reinterpret_cast<const std::byte*>(short_name.data())), "ab");
    Name ignored;
    EXPECT_FALSE(element_from_json(type, "too long", reinterpret_cast<std::byte*>(ignored.data())));
}

TEST(JsonNumber, IsShort) {
    EXPECT_EQ(to_text(json_number(0.1f)), "0.1");
    EXPECT_EQ(to_text(json_number(-2.5f)), "-2.5");
    EXPECT_EQ(to_text(json_number(std::bit_cast<float>(0x7fc00001u))), R"({"bits":"0x7fc00001"})");
}

TEST(JsonText, AnyBytesSurvive) {
    for (int length = 0; length < 4; ++length) {
        for (int first = 0; first < 256; ++first) {
            std::string bytes(static_cast<std::size_t>(length), static_cast<char>(first));
            if (length > 1) bytes[1] = static_cast<char>(255 - first);
            const std::optional<Json> json = parse_json(to_text(json_text(bytes)));
            ASSERT_TRUE(json);
            EXPECT_EQ(text_from_json(*json), bytes);
        }
    }
    EXPECT_TRUE(json_text("plain \xc3\xa4").is_string());
    EXPECT_TRUE(json_text("S\xe4"
                          "bel")
                    .is_object());
    EXPECT_TRUE(json_text(std::string("a\0b", 3)).is_object());
}

TEST(Base64, ThereAndBack) {
    Bytes bytes;
    for (unsigned length = 0; length < 70; ++length) {
        const std::string text = to_base64(bytes);
        EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
        EXPECT_EQ(from_base64(text), bytes);
        bytes.push_back(static_cast<std::byte>(length * 37));
    }
    EXPECT_EQ(to_base64(std::as_bytes(std::span("Man", 3))), "TWFu");
    EXPECT_EQ(to_base64(std::as_bytes(std::span("Ma", 2))), "TWE=");
    EXPECT_EQ(to_base64(std::as_bytes(std::span("M", 1))), "TQ==");
}

TEST(Base64, WhatIsNoneIsRefused) {
    for (const char* text : {"A", "AA", "AAA", "A===", "====", "AA=A", "=AAA", "AA==AAAA", "AAA\n", "AA A", "AA-_"}) {
        EXPECT_FALSE(from_base64(text)) << text;
    }
}

TEST(Utf8, IsTold) {
    for (const char* text : {"", "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const char* text : {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                             "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe2\x82",
                             "S\xe4"
                             "bel"}) {
        EXPECT_FALSE(is_utf8(text)) << text;
    }
}

TEST(ParseJson, RefusesWhatNoDocumentIs) {
    EXPECT_TRUE(parse_json("[1, {\"a\": [2]}]"));
    for (const char* text : {"", "{", "[1,]", "nul", "\"\xff\"", "1 2"}) EXPECT_FALSE(parse_json(text)) << text;
    std::uint64_t bad = 0;
    EXPECT_FALSE(parse_json("[1, x]", &bad));
    EXPECT_EQ(bad, 4u);
    EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']')));
    EXPECT_FALSE(parse_json(std::string(300, '[') + std::string(300, ']')));
    std::string wide = "{";
    for (int member = 0; member < 256; ++member) wide += "\"" + std::to_string(member) + "\": 0,";
    EXPECT_FALSE(parse_json(wide + "\"last\": 0}"));
}

/// Motions and dumps have arrays of many objects: with a parser that looks at all of them for each this takes minutes.
TEST(Json, LongArraysAreReadInLinearTime) {
    constexpr std::size_t many = 500'000;
    std::string text = "[{}";
    for (std::size_t index = 1; index < many; ++index) text += ",{}";
    const std::optional<Json> json = parse_json(text + "]");
    ASSERT_TRUE(json);
    EXPECT_EQ(json->size(), many);
}

}  // namespace
}  // namespace effigy
