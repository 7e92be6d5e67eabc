/// Records on their way into a file as text: the same bytes as if they had been parsed and printed.

#include "gltf/write/record_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "core/json_text.hpp"
#include "gltf/file/json.hpp"

namespace effigy::test {
namespace {

using gltf::Json;
using Sorted = nlohmann::json;

std::string printed(const std::string& text, const Sorted& more) {
    auto object = Sorted::parse(text);
    object.update(more);
    return object.dump();
}

TEST(RecordText, SortsMembersOfAllObjects) {
    const std::string text = R"({"b":[{"z":1,"y":{}},[],-2],"a":0.5,"hash":"old","c":null,"d":true})";
    const Sorted more{{"hash", "new"}, {"aa", {1, 2.5}}};
    EXPECT_EQ(gltf::sorted_text(text, more),
              R"({"a":0.5,"aa":[1,2.5],"b":[{"y":{},"z":1},[],-2],"c":null,"d":true,"hash":"new"})");
    EXPECT_EQ(gltf::sorted_text(text, more), printed(text, more));
    EXPECT_EQ(gltf::sorted_text("{}", Sorted::object()), "{}");
    EXPECT_EQ(gltf::sorted_text("", more), R"({"aa":[1,2.5],"hash":"new"})");
}

TEST(RecordText, LeavesToTheParserWhatItWouldPrintOtherwise) {
    for (const char* text :
         {R"({"a" :1})", R"({"a":"\u0041"})", "{\"a\":\"\xc3\xa4\"}", R"({"a":1,"a":2})", R"({"a":-0})", R"({"a":01})",
          R"({"a":12345678901234567890})", R"({"a":1e999})", R"({"a":1)", R"({"a":})", R"({"a":1}})", R"([1])", "{,}",
          R"({"a":[1,]})", R"({"a":tru})", R"({"a":"b)", "null"})
        EXPECT_EQ(gltf::sorted_text(text, Sorted::object()), std::nullopt) << text;
    EXPECT_EQ(gltf::sorted_text(R"({"a":)" + std::string(300, '[') + std::string(300, ']') + "}", Sorted::object()),
              std::nullopt);
}

TEST(RecordText, PrintsNumbersAsTheParserDoes) {
    EXPECT_EQ(gltf::sorted_text(R"({"a":1.50,"b":1E2,"c":-0.0,"d":100000000000000000000.0})", Sorted::object()),
              printed(R"({"a":1.50,"b":1E2,"c":-0.0,"d":100000000000000000000.0})", Sorted::object()));
}

class Maker {
public:
    Json value(int depth) {
        switch (random_() % (depth > 4 ? 6 : 8)) {
            case 0:
                return static_cast<std::uint64_t>(random_()) * random_();
            case 1:
                return -static_cast<std::int64_t>(random_());
            case 2:
                return std::ldexp(static_cast<double>(random_()) - 2e9, static_cast<int>(random_() % 80) - 60);
            case 3:
                return random_() % 2 == 0;
            case 4:
                return nullptr;
            case 5:
                return texts[random_() % std::size(texts)];
            case 6: {
                Json list = Json::array();
                for (auto left = random_() % 5; left > 0; --left) list.push_back(value(depth + 1));
                return list;
            }
            default:
                return object(depth);
        }
    }
    Json object(int depth) {
        Json json = Json::object();
        for (auto left = random_() % 6; left > 0; --left)
            json[std::string(1 + random_() % 2, static_cast<char>('a' + random_() % 26))] = value(depth + 1);
        return json;
    }

private:
    static constexpr const char* texts[] = {"", "abc", "x y/z", "\x7f", "\xc3\xa4", "a\"b", "tab\t", "\\"};
    std::mt19937 random_{3};
};

TEST(RecordText, StandsInDocumentsAsIfItWereValues) {
    Maker maker;
    int copied = 0;
    for (int round = 0; round < 500; ++round) {
        const Json record = maker.object(0);
        const Sorted more{{"hash", "0x12"}};
        Json as_text = maker.object(0), as_values = as_text;
        EXPECT_EQ(to_text(as_text), as_values.dump());
        const auto text = gltf::sorted_text(to_text(record), more);
        if (!text) continue;
        ++copied;
        ASSERT_EQ(*text, printed(record.dump(), more));
        as_text["extras"]["effigy"] = as_value(*text);
        as_values["extras"]["effigy"] = Json(Sorted::parse(*text));
        ASSERT_EQ(to_text(as_text), as_values.dump());
    }
    EXPECT_GT(copied, 50);
}

TEST(RecordText, NumbersAreTheParsers) {
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
        const float value = i % 2 != 0 ? static_cast<float>(static_cast<int>(random() % 2000001) - 1000000) / 64.0f
                                       : std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (!std::isfinite(value)) continue;
        std::array<char, 64> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
        if (value == 0) continue;
        const Json expected = Json::parse(text.data(), end);
        ASSERT_EQ(gltf::number(value).dump(), expected.dump());
        ASSERT_EQ(gltf::number(value).type(), expected.type());
    }
}

}  // namespace
}  // namespace effigy::test
