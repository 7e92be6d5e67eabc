#pragma once
/// The loop of XXH3 for processors with AVX2.

#include <cstddef>

namespace effigy {

/// XXH3_64bits_update() for a processor that has AVX2; the state is the same as the plain one's.
void update_hash_avx2(void* state, const void* bytes, std::size_t size) noexcept;

}  // namespace effigy
