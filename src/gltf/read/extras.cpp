/// Custom properties of glTF objects: extras.effigy and its hashes taken out, the rest kept; Python literals, as
/// Blender writes lists of them, turned into JSON.

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "effigy/gltf_codes.hpp"

#include "core/hasher.hpp"
#include "gltf/file/json.hpp"
#include "gltf/read/context.hpp"

namespace effigy::gltf {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";

class Translator {
public:
    explicit Translator(std::string_view text) : text_(text) { json_.reserve(text.size() + text.size() / 8); }

    std::string run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\'' || c == '"') {
                string(c);
            } else if (!word()) {
                json_ += c;
                ++at_;
            }
        }
        return std::move(json_);
    }

private:
    bool word() {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
            {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
        for (const auto& [python, json] : words) {
            if (!text_.substr(at_).starts_with(python)) continue;
            json_ += json;
            at_ += python.size();
            return true;
        }
        return false;
    }

    void string(char quote) {
        json_ += '"';
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\\') {
                escape();
            } else if (text_[at_] == '"') {
                json_ += "\\\"";
            } else {
                json_ += text_[at_];
            }
        }
        ++at_;
        json_ += '"';
    }

    /// Stops at the last character of the escape.
    void escape() {
        if (++at_ >= text_.size()) return;
        const char c = text_[at_];
        if (c == '\'') {
            json_ += '\'';
        } else if (c == 'x') {
            code(2);
        } else if (c == 'U') {
            code(8);
        } else {
            json_ += '\\';  // \n, \\, \uXXXX and the like mean the same in both
            json_ += c;
        }
    }

    /// \x41 and \U0001f600, which JSON does not have. Python prints letters as they are, so that only what cannot be
    /// printed comes here; beyond 16 bits U+FFFD stands for it.
    void code(std::size_t length) {
        const std::string_view digits = text_.substr(at_ + 1, length);
        if (digits.size() != length || digits.find_first_not_of(hex_digits) != std::string_view::npos) return;
        at_ += length;
        const bool fits = length == 2 || digits.starts_with("0000");
        json_ += "\\u";
        json_ += length == 2 ? "00" : "";
        json_ += fits ? digits.substr(length == 2 ? 0 : 4) : std::string_view("fffd");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string json_;
};

}  // namespace

std::string json_of_python(std::string_view text) { return Translator(text).run(); }

namespace {

std::string text_of(const Value& value) { return value.dump(-1, ' ', false, Value::error_handler_t::replace); }

// What the writer could not write again is left out here.
std::string safe_text(Reading& reading, const Value& value, const std::string& path) {
    std::string text = text_of(value);
    if (!nested_too_deep(text)) return text;
    reading.note(codes::gltf_extras_lost, path, "these custom properties are nested too deeply and are left out");
    return {};
}

// An object that a program has turned into text; null for any other text.
Value object_in(Reading& reading, const std::string& text) {
    constexpr std::uint64_t max_for_each = 48;  // bytes of a tree for each character
    if (text.empty() || text.front() != '{' || !reading.asset.take(max_for_each * text.size())) return {};
    const std::string json = json_of_python(text);
    if (nested_too_deep(json)) return {};
    Value value = Value::parse(json, nullptr, false);
    return value.is_object() ? std::move(value) : Value();
}

// 0 for anything that is no hash.
std::uint64_t hash_in(std::string_view text) {
    std::uint64_t hash = 0;
    constexpr std::string_view kind = "xxh3:";
    if (!text.starts_with(kind)) return 0;
    std::from_chars(text.data() + kind.size(), text.data() + text.size(), hash, 16);
    return hash_text(hash) == text ? hash : 0;
}

void read_bulk(Reading& reading, const Value& effigy, Bytes& bulk, const std::string& path) {
    const Value* const number = member(effigy, "view");
    if (number == nullptr) return;
    const auto view = whole_number(*number);
    auto bytes = view ? reading.asset.record_view(*view) : std::nullopt;
    if (bytes) {
        bulk = std::move(*bytes);
        return;
    }
    reading.note(codes::gltf_record_bulk_lost, path, "bulk data of a record is gone; what needs it is made anew",
                 shown(*number), std::string("the number of a buffer view named ") + record_view_name);
}

/// `extras.effigy` of an object, also where a program has turned it into text; null if there is none.
Value effigy_of(Reading& reading, const Value& object) {
    const Value* const extras = member(object, "extras");
    const Value* const effigy = extras == nullptr ? nullptr : member(*extras, "effigy");
    if (effigy == nullptr) return {};
    if (effigy->is_string()) return object_in(reading, effigy->get_ref<const std::string&>());
    return effigy->is_object() ? *effigy : Value();
}

}  // namespace

ReadExtras read_extras(Reading& reading, const Value& object, const std::string& path,
                       std::initializer_list<const char*> known, std::initializer_list<const char*> known_of_effigy) {
    ReadExtras result;
    result.known = Value::object();
    const Value* const all = member(object, "extras");
    if (all == nullptr || all->is_null()) return result;
    const std::string here = path + " / extras";
    if (!all->is_object()) {
        reading.note(codes::gltf_extras_lost, here,
                     "custom properties that are no object have no place and are left out", shown(*all), "an object");
        return result;
    }
    Value other = *all;
    for (const char* const name : known) other.erase(name);
    if (Value effigy = effigy_of(reading, object); effigy.is_object()) {
        other.erase("effigy");
        result.effigy = std::move(effigy);
        result.extras.hash = hash_in(text_member(result.effigy, "hash"));
        read_bulk(reading, result.effigy, result.extras.bulk, here);
        result.effigy.erase("hash");
        result.effigy.erase("view");
        for (const char* const name : known_of_effigy) {
            const auto found = result.effigy.find(name);
            if (found == result.effigy.end()) continue;
            result.known[name] = std::move(*found);
            result.effigy.erase(found);
        }
        if (result.known.empty() || !result.effigy.empty())
            result.extras.json = safe_text(reading, result.effigy, here);
    }
    if (!other.empty()) result.extras.other = safe_text(reading, other, here);
    return result;
}

}  // namespace effigy::gltf
