#pragma once
/// XXH3-64 of bytes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

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

/// As it stands in `extras.effigy.hash`.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace effigy
