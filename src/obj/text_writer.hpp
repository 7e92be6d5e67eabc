#pragma once
/// Words and numbers on lines, gathered into large pieces.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/output.hpp"

namespace effigy::obj {

class TextWriter {
public:
    explicit TextWriter(Sink sink);

    TextWriter& text(std::string_view words);
    TextWriter& number(std::uint64_t value);
    /// The shortest decimal that gives the same float again.
    TextWriter& number(float value);
    /// "v 1 2.5 -3": a line of a keyword and numbers.
    TextWriter& line(std::string_view keyword, std::span<const float> values);

    /// Hands on what is gathered; says whether all went well since the beginning.
    [[nodiscard]] Result<void> finish();

private:
    void make_room(std::size_t size);

    Sink sink_;
    std::string buffer_;
    Result<void> state_;
};

}  // namespace effigy::obj
