/// Lines of numbers written fast.

#include "obj/text_writer.hpp"

#include <charconv>

namespace effigy::obj {
namespace {

constexpr std::size_t capacity = std::size_t{1} << 18;
constexpr std::size_t longest_number = 32;

template <class Value>
void append(std::string& buffer, Value value) {
    char digits[longest_number];
    const auto [end, error] = std::to_chars(digits, digits + longest_number, value);
    if (error == std::errc()) buffer.append(digits, end);
}

}  // namespace

TextWriter::TextWriter(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(capacity); }

void TextWriter::make_room(std::size_t size) {
    if (buffer_.size() + size <= capacity) return;
    if (state_) state_ = sink_(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
}

TextWriter& TextWriter::text(std::string_view words) {
    make_room(words.size());
    buffer_.append(words);
    return *this;
}

TextWriter& TextWriter::number(std::uint64_t value) {
    make_room(longest_number);
    append(buffer_, value);
    return *this;
}

TextWriter& TextWriter::number(float value) {
    make_room(longest_number);
    append(buffer_, value == 0 ? 0.0f : value);  // "-0" says nothing
    return *this;
}

TextWriter& TextWriter::line(std::string_view keyword, std::span<const float> values) {
    text(keyword);
    for (const float value : values) text(" ").number(value);
    return text("\n");
}

Result<void> TextWriter::finish() {
    if (state_ && !buffer_.empty()) state_ = sink_(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
    return state_;
}

}  // namespace effigy::obj
