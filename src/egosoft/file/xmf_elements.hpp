#pragma once
/// One vertex or index as the parts that it consists of: for byte order, dumps and builds.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "effigy/xmf.hpp"

#include "core/element.hpp"

namespace effigy::egosoft {

/// What `content` consists of. The declaration decides, as far as item_size agrees with it; bytes that belong to no
/// element are bytes. Content that is no whole number of items is bytes throughout.
class ItemType {
public:
    explicit ItemType(const xmf::Buffer& buffer);

    /// Valid as long as this is.
    [[nodiscard]] layout::ElementType type() const noexcept { return {name_, size_, parts_}; }

private:
    void add_bytes(std::uint32_t count);
    void add_elements(const xmf::Buffer& buffer);

    const char* name_ = "bytes";
    std::uint32_t size_ = 1;
    std::vector<layout::Part> parts_;
};

/// Turns the bytes of content round that a big-endian file stores the other way.
void swap_content(const xmf::Buffer& buffer, std::span<std::byte> content);

}  // namespace effigy::egosoft
