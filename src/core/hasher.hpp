#pragma once
/// XXH3-64 of bytes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace effigy {

/// XXH3-64 over everything it is given.
class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void add(std::span<const std::byte> bytes);
    [[nodiscard]] std::uint64_t digest() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace effigy
