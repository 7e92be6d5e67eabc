#pragma once
/// Handler of a WriteVisitor that writes bytes to a Sink.

#include <optional>
#include <string>

#include "effigy/bytes.hpp"
#include "effigy/result.hpp"

#include "element.hpp"
#include "layout_write.hpp"
#include "output.hpp"
#include "path.hpp"

namespace effigy::layout {

class Encoder {
public:
    explicit Encoder(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(buffer_size); }

    void leaf(const char* name, const ElementType& type, const std::byte* data, std::uint64_t count, Shape shape);
    void text(const char* name, const std::string& text);
    void enter(const Path&) const noexcept {}
    void leave(const Path&) const noexcept {}
    void note(const char*, bool) const noexcept {}
    /// Byte order of what follows: nested files have their own.
    void set_swapped(bool swapped) noexcept { swapped_ = swapped; }
    [[nodiscard]] bool swapped() const noexcept { return swapped_; }

    /// Hands over what is still gathered; the first failure of all writes.
    [[nodiscard]] Result<void> finish();

private:
    static constexpr std::size_t buffer_size = 64 * 1024;
    void put(std::span<const std::byte> bytes);
    void put_swapped(const ElementType& type, const std::byte* data, std::uint64_t count);
    void flush();

    Sink sink_;
    Bytes buffer_;
    bool swapped_ = false;
    std::optional<Diagnostic> failure_;
};

}  // namespace effigy::layout
