/// Text in old encodings to UTF-8 (iconv), shortened texts, numbers for messages.

#include "core/text.hpp"

#include <cerrno>
#include <charconv>
#include <iconv.h>

#include "core/json.hpp"

namespace effigy {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

class Converter {
public:
    explicit Converter(const std::string& encoding) noexcept : handle_(iconv_open("UTF-8", encoding.c_str())) {}
    ~Converter() {
        if (valid()) iconv_close(handle_);
    }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    [[nodiscard]] bool valid() const noexcept {
        return handle_ != reinterpret_cast<iconv_t>(-1);  // NOLINT(performance-no-int-to-ptr): iconv's own sign
    }

    /// Converts up to the first bytes that mean nothing; returns whether there are such bytes at `input`.
    bool convert(char*& input, std::size_t& input_left, std::string& output) const {
        for (;;) {
            std::array<char, 512> block{};
            char* place = block.data();
            std::size_t room = block.size();
            const std::size_t outcome = iconv(handle_, input_left != 0 ? &input : nullptr, &input_left, &place, &room);
            const int reason = errno;
            output.append(block.data(), block.size() - room);
            if (outcome != static_cast<std::size_t>(-1)) return false;
            if (reason != E2BIG) return true;
        }
    }

private:
    iconv_t handle_;
};

std::string ascii_only(std::string_view raw) {
    std::string text;
    for (const char byte : raw) {
        if (static_cast<unsigned char>(byte) < 0x80) {
            text += byte;
        } else {
            text += replacement;
        }
    }
    return text;
}

}  // namespace

std::string_view cut(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) return text;
    // A character has up to 3 bytes after the first.
    for (int back = 0; back < 3 && most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U; ++back)
        --most;
    return text.substr(0, most);
}

std::string shortened(std::string_view text, std::size_t most) {
    return std::string(cut(text, most)) + (text.size() > most ? "..." : "");
}

std::string number_text(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<float>(value)).ptr;
    return {digits.data(), end};
}

bool is_known_encoding(const std::string& encoding) noexcept { return Converter(encoding).valid(); }

std::string to_utf8(std::string_view raw, const std::string& encoding) {
    if (is_utf8(raw)) return std::string(raw);
    const Converter converter(encoding);
    if (!converter.valid()) return ascii_only(raw);
    std::string input(raw);
    char* place = input.data();
    std::size_t left = input.size();
    std::string text;
    while (converter.convert(place, left, text)) {
        text += replacement;
        if (left == 0) break;
        ++place;
        --left;
        if (left == 0) break;
    }
    return is_utf8(text) ? text : ascii_only(raw);
}

}  // namespace effigy
