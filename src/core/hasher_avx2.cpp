/// XXH3 compiled for processors with AVX2 (CMakeLists.txt here says so to the compiler), where it takes a third of the
/// time. What this includes must not have inline functions that other sources share: they would be given these.

#include "core/hasher_avx2.hpp"

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace effigy {

void update_hash_avx2(void* state, const void* bytes, std::size_t size) noexcept {
    XXH3_64bits_update(static_cast<XXH3_state_t*>(state), bytes, size);
}

}  // namespace effigy
