#pragma once
/// Bytes written by hand in either byte order. Shares nothing with the library's layouts, so that a mistake in them
/// cannot hide here.

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "effigy/bytes.hpp"

namespace effigy::test {

class RawBytes {
public:
    explicit RawBytes(bool big = false) : big_(big) {}

    RawBytes& u8(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }
    RawBytes& u16(unsigned value) { return number(value, 2); }
    RawBytes& u32(std::uint64_t value) { return number(value, 4); }
    RawBytes& f32(float value) { return number(std::bit_cast<std::uint32_t>(value), 4); }
    RawBytes& f64(double value) { return number(std::bit_cast<std::uint64_t>(value), 8); }

    RawBytes& u16s(std::initializer_list<unsigned> values) {
        for (const unsigned value : values) u16(value);
        return *this;
    }
    RawBytes& u32s(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values) u32(value);
        return *this;
    }
    RawBytes& f32s(std::initializer_list<float> values) {
        for (const float value : values) f32(value);
        return *this;
    }
    /// Bytes that no byte order turns round: padding, flags, opaque data.
    RawBytes& raw(std::initializer_list<unsigned> values) {
        for (const unsigned value : values) u8(value);
        return *this;
    }
    RawBytes& raw(const Bytes& bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    RawBytes& letters(std::string_view text) { return this->text(text, text.size()); }
    /// Behind its length.
    RawBytes& text(std::string_view text) { return u32(text.size()).letters(text); }
    /// `text` in a field of `width` bytes, filled up with `filling`.
    RawBytes& text(std::string_view text, std::size_t width, unsigned filling = 0) {
        for (std::size_t at = 0; at < width; ++at)
            u8(at < text.size() ? static_cast<unsigned char>(text[at]) : filling);
        return *this;
    }
    RawBytes& repeat(unsigned value, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at) u8(value);
        return *this;
    }
    /// Cuts or fills up with `filling`.
    RawBytes& resize(std::size_t size, unsigned filling) {
        while (bytes_.size() < size) u8(filling);
        bytes_.resize(size);
        return *this;
    }

    [[nodiscard]] bool big() const { return big_; }
    [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
    [[nodiscard]] const Bytes& bytes() const { return bytes_; }

private:
    RawBytes& number(std::uint64_t value, unsigned width) {
        for (unsigned place = 0; place < width; ++place)
            u8(static_cast<unsigned>(value >> 8 * (big_ ? width - 1 - place : place)) & 255u);
        return *this;
    }

    bool big_;
    Bytes bytes_;
};

}  // namespace effigy::test
