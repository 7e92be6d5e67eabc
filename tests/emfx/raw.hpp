#pragma once
/// Writes files by hand, field by field as docs/formats/emfx.md lists them and in either byte order.

#include "egosoft/raw_bytes.hpp"

namespace effigy::test {

class Raw : public RawBytes {
public:
    using RawBytes::RawBytes;

    Raw& header(std::string_view magic, unsigned order = 0) {
        letters(magic).u8(1).u8(0).u8(big() ? 1 : 0).u8(order);
        return *this;
    }
    /// A chunk with its true size.
    template <class Content>
    Raw& chunk(std::uint32_t id, std::uint32_t version, Content&& content) {
        Raw inside(big());
        content(inside);
        u32(id).u32(inside.size()).u32(version).raw(inside.bytes());
        return *this;
    }
    /// A chunk that declares another size than it has.
    template <class Content>
    Raw& lying_chunk(std::uint32_t id, std::uint32_t size, std::uint32_t version, Content&& content) {
        u32(id).u32(size).u32(version);
        content(*this);
        return *this;
    }
};

}  // namespace effigy::test
