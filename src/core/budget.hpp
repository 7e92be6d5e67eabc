#pragma once
/// Memory that one input may cause to be allocated.

#include <cstddef>
#include <cstdint>

#include "effigy/options.hpp"

namespace effigy {

class Budget {
public:
    Budget(const Limits& limits, std::uint64_t input_size) noexcept
        : is_given_(limits.memory != 0), limit_(addressable(is_given_ ? limits.memory : default_limit(input_size))) {}

    /// More input turned up: a limit that nobody gave grows with it.
    void add_input(std::uint64_t bytes) noexcept {
        if (!is_given_) limit_ = addressable(bytes > (UINT64_MAX - limit_) / 16 ? UINT64_MAX : limit_ + 16 * bytes);
    }

    /// Claims `bytes`; false if the limit would be passed.
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
        if (bytes > limit_ - used_) return false;
        used_ += bytes;
        return true;
    }
    void give_back(std::uint64_t bytes) noexcept { used_ -= bytes < used_ ? bytes : used_; }
    /// Claims `count` elements of `size` bytes.
    [[nodiscard]] bool take(std::uint64_t count, std::uint64_t size) noexcept {
        return (size == 0 || count <= UINT64_MAX / size) && take(count * size);
    }

    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }
    [[nodiscard]] std::uint64_t used() const noexcept { return used_; }

private:
    /// Where addresses have 32 bits: sizes that were claimed can then be added, and put into std::size_t.
    static constexpr std::uint64_t addressable(std::uint64_t limit) noexcept {
        constexpr std::uint64_t most = SIZE_MAX < UINT64_MAX ? SIZE_MAX / 2 : UINT64_MAX;
        return limit < most ? limit : most;
    }
    static std::uint64_t default_limit(std::uint64_t input_size) noexcept {
        constexpr std::uint64_t base = std::uint64_t{64} << 20;
        return input_size > (UINT64_MAX - base) / 16 ? UINT64_MAX : base + 16 * input_size;
    }

    bool is_given_;
    std::uint64_t limit_;
    std::uint64_t used_ = 0;
};

}  // namespace effigy
