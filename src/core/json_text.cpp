/// JSON printed on one line: the text that nlohmann::json prints, without a visit for each letter.

#include "json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace effigy {
namespace {

constexpr std::uint64_t text_subtype = 0xeff1;

std::string printed(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void add_string(std::string& out, const std::string& text) {
    if (std::all_of(text.begin(), text.end(), is_plain_letter)) {
        ((out += '"') += text) += '"';
    } else {
        out += printed(text);
    }
}

}  // namespace

Json::binary_t as_value(std::string_view text) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return {std::vector<std::uint8_t>(bytes, bytes + text.size()), text_subtype};
}

// NOLINTNEXTLINE(misc-no-recursion): as nlohmann::json's own; whoever parses bounds the depth
void add_text(std::string& out, const Json& json) {
    switch (json.type()) {
        case Json::value_t::object: {
            char before = '{';
            for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) {
                out += std::exchange(before, ',');
                add_string(out, name);
                out += ':';
                add_text(out, value);
            }
            if (json.empty()) out += '{';
            out += '}';
            break;
        }
        case Json::value_t::array: {
            char before = '[';
            for (const Json& value : json) {
                out += std::exchange(before, ',');
                add_text(out, value);
            }
            if (json.empty()) out += '[';
            out += ']';
            break;
        }
        case Json::value_t::string:
            add_string(out, json.get_ref<const std::string&>());
            break;
        case Json::value_t::number_unsigned:
            add_integer(out, json.get<std::uint64_t>());
            break;
        case Json::value_t::number_integer:
            add_integer(out, json.get<std::int64_t>());
            break;
        case Json::value_t::boolean:
            out += json.get<bool>() ? "true" : "false";
            break;
        case Json::value_t::binary:
            if (const auto& bytes = json.get_binary(); bytes.subtype() == text_subtype) {
                out.append(bytes.begin(), bytes.end());
                break;
            }
            [[fallthrough]];
        default:
            out += printed(json);
    }
}

}  // namespace effigy
