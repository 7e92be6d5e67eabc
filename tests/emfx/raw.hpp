#pragma once
/// Writes files by hand, field by field as docs/formats/emfx.md lists them and in either byte order. It shares nothing
/// with the library, so that a mistake in the library's layouts cannot hide here.

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "effigy/bytes.hpp"

namespace effigy::test {

class Raw {
public:
    explicit Raw(bool big) : big_(big) {}

    Raw& u8(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }
    Raw& u16(unsigned value) { return number(value, 2); }
    Raw& u32(std::uint32_t value) { return number(value, 4); }
    Raw& f32(float value) { return number(std::bit_cast<std::uint32_t>(value), 4); }

    Raw& u16s(std::initializer_list<unsigned> values) {
        for (const unsigned value : values) u16(value);
        return *this;
    }
    Raw& u32s(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values) u32(value);
        return *this;
    }
    Raw& f32s(std::initializer_list<float> values) {
        for (const float value : values) f32(value);
        return *this;
    }
    /// Bytes that no byte order turns round: padding, flags, opaque data.
    Raw& raw(std::initializer_list<unsigned> values) {
        for (const unsigned value : values) u8(value);
        return *this;
    }
    Raw& raw(const Bytes& bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    Raw& letters(std::string_view text) {
        for (const char letter : text) u8(static_cast<unsigned char>(letter));
        return *this;
    }
    Raw& text(std::string_view text) { return u32(static_cast<std::uint32_t>(text.size())).letters(text); }

    Raw& header(std::string_view magic, unsigned order = 0) {
        return letters(magic).u8(1).u8(0).u8(big_ ? 1 : 0).u8(order);
    }
    /// A chunk with its true size.
    template <class Content>
    Raw& chunk(std::uint32_t id, std::uint32_t version, Content&& content) {
        Raw inside(big_);
        content(inside);
        return chunk_of_size(id, static_cast<std::uint32_t>(inside.bytes_.size()), version).raw(inside.bytes_);
    }
    /// A chunk that declares another size than it has.
    template <class Content>
    Raw& lying_chunk(std::uint32_t id, std::uint32_t size, std::uint32_t version, Content&& content) {
        chunk_of_size(id, size, version);
        content(*this);
        return *this;
    }

    [[nodiscard]] bool big() const { return big_; }
    [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
    [[nodiscard]] const Bytes& bytes() const { return bytes_; }

private:
    Raw& number(std::uint32_t value, unsigned width) {
        for (unsigned place = 0; place < width; ++place) u8((value >> 8 * (big_ ? width - 1 - place : place)) & 255u);
        return *this;
    }
    Raw& chunk_of_size(std::uint32_t id, std::uint32_t size, std::uint32_t version) {
        return u32(id).u32(size).u32(version);
    }

    bool big_;
    Bytes bytes_;
};

}  // namespace effigy::test
