/// Records and arrays written as bytes in a file's byte order.

#include "encoder.hpp"

#include <algorithm>
#include <cstring>

namespace effigy::layout {

void Encoder::leaf(const char*, const ElementType& type, const std::byte* data, std::uint64_t count, Shape) {
    if (swapped_) return put_swapped(type, data, count);
    put({data, static_cast<std::size_t>(count * type.size)});
}

void Encoder::text(const char* name, const std::string& text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    leaf(name, element_type<std::uint32_t>, reinterpret_cast<const std::byte*>(&length), 1, Shape::single);
    put(std::as_bytes(std::span(text)));
}

void Encoder::put_swapped(const ElementType& type, const std::byte* data, std::uint64_t count) {
    const std::uint64_t most = std::max<std::uint64_t>(1, buffer_size / 2 / type.size);
    while (count != 0) {
        const std::uint64_t now = std::min(count, most);
        const auto size = static_cast<std::size_t>(now * type.size);
        if (buffer_.size() + size > buffer_size) flush();
        const std::size_t start = buffer_.size();
        buffer_.resize(start + size);
        std::memcpy(buffer_.data() + start, data, size);
        swap_bytes(type, buffer_.data() + start, now);
        data += size;
        count -= now;
    }
}

void Encoder::put(std::span<const std::byte> bytes) {
    if (bytes.size() >= buffer_size / 2) {
        flush();
        if (failure_) return;
        if (auto done = sink_(bytes); !done) failure_ = std::move(done.error());
        return;
    }
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    const std::size_t start = buffer_.size();
    buffer_.resize(start + bytes.size());
    if (!bytes.empty()) std::memcpy(buffer_.data() + start, bytes.data(), bytes.size());
}

void Encoder::flush() {
    if (!failure_ && !buffer_.empty()) {
        if (auto done = sink_(buffer_); !done) failure_ = std::move(done.error());
    }
    buffer_.clear();
}

Result<void> Encoder::finish() {
    flush();
    if (failure_) return fail(*failure_);
    return {};
}

}  // namespace effigy::layout
