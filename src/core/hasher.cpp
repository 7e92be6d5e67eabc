/// XXH3-64 of bytes, by the xxHash library.

#include "core/hasher.hpp"

#include <array>
#include <cstdio>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "core/hasher_avx2.hpp"
#include "core/machine.hpp"

namespace effigy {

struct Hasher::State {
    XXH3_state_t xxh3;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh3); }
Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) {
    constexpr std::size_t worth_a_choice = 1024;
    if (bytes.size() >= worth_a_choice && machine() >= Machine::avx2) {
        update_hash_avx2(&state_->xxh3, bytes.data(), bytes.size());
    } else {
        XXH3_64bits_update(&state_->xxh3, bytes.data(), bytes.size());
    }
}
std::uint64_t Hasher::digest() const { return XXH3_64bits_digest(&state_->xxh3); }

std::string hash_text(std::uint64_t hash) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "xxh3:%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

}  // namespace effigy
