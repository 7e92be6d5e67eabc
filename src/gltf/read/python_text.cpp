/// Python literals, as Blender writes lists of custom properties, turned into JSON.

#include "gltf/read/python_text.hpp"

#include <array>
#include <cstddef>
#include <utility>

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

}  // namespace effigy::gltf
