#pragma once
/// Of the functions that hwy/foreach_target.h has compiled for each kind of vectors, the one for this machine. (Highway
/// has a dispatcher of its own, but in a shared library that would take every program milliseconds to load.)

#include "core/machine.hpp"
#include "hwy/highway.h"

namespace effigy {

/// Null where a kind was not compiled.
template <class Function>
[[nodiscard]] Function choose_vectors(Function avx3, Function avx2, Function sse4, Function ssse3,
                                      Function other) noexcept {
    const Machine has = machine();
    if (avx3 != nullptr && has >= Machine::avx3) return avx3;
    if (avx2 != nullptr && has >= Machine::avx2) return avx2;
    if (sse4 != nullptr && has >= Machine::sse4) return sse4;
    if (ssse3 != nullptr && has >= Machine::ssse3) return ssse3;
    return other;
}

}  // namespace effigy

#define EFFIGY_CHOOSE(function)                                                                                      \
    effigy::choose_vectors<decltype(HWY_CHOOSE_FALLBACK(function))>(                                                 \
        HWY_CHOOSE_AVX3(function), HWY_CHOOSE_AVX2(function), HWY_CHOOSE_SSE4(function), HWY_CHOOSE_SSSE3(function), \
        HWY_CHOOSE_FALLBACK(function))
