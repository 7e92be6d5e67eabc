/// `.xsmtime`: the times beside a motion, read and written.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "effigy/emfx_codes.hpp"
#include "effigy/emfx_scene.hpp"

#include "core/problem.hpp"

namespace effigy::emfx {
namespace {

std::uint32_t little_endian(std::span<const std::byte> bytes) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

Diagnostic not_ticks(std::string message, std::string found, std::string expected) {
    Diagnostic diagnostic = problem_at({}, codes::ticks_format.as(Severity::error), std::move(message),
                                       std::move(found), std::move(expected));
    diagnostic.offset = 0;
    return diagnostic;
}

}  // namespace

Result<std::vector<TimedValue>> read_ticks(std::span<const std::byte> bytes) {
    constexpr std::size_t head = 8;
    constexpr std::size_t entry = 6;
    if (bytes.size() < head || little_endian(bytes.first(4)) != 0xffffffffu) {
        return fail(not_ticks("This is no file of ticks beside a motion.", std::to_string(bytes.size()) + " bytes",
                              "-1, a count and 6 bytes for each tick"));
    }
    const std::uint64_t count = little_endian(bytes.subspan(4, 4));
    if (bytes.size() - head != count * entry) {
        return fail(not_ticks("The number of ticks does not fit the size of the file.",
                              std::to_string(bytes.size()) + " bytes",
                              std::to_string(head + count * entry) + " bytes"));
    }
    std::vector<TimedValue> ticks(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const auto at = bytes.subspan(head + entry * i, entry);
        ticks[i].time = std::bit_cast<float>(little_endian(at.first(4)));
        ticks[i].value = static_cast<std::uint16_t>(little_endian(at.subspan(4, 2)));
    }
    return ticks;
}

Bytes write_ticks(std::span<const TimedValue> ticks) {
    Bytes bytes;
    bytes.reserve(8 + 6 * ticks.size());
    const auto put = [&](std::uint32_t value, int size) {
        for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffu));
    };
    put(0xffffffffu, 4);
    put(static_cast<std::uint32_t>(ticks.size()), 4);
    for (const TimedValue& tick : ticks) {
        put(std::bit_cast<std::uint32_t>(tick.time), 4);
        put(tick.value, 2);
    }
    return bytes;
}

}  // namespace effigy::emfx
