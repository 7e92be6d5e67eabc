/// Which vector instructions this machine has.

#include "core/machine.hpp"

#if defined(__x86_64__)
#if __has_include(<sys/platform/x86.h>)
// The C library has found it out already, and lets users switch features off (GLIBC_TUNABLES).
#if defined(__clang__)
// The header is written for C and for g++, which knows this word in C++, too.
#define _Bool bool  // NOLINT(bugprone-reserved-identifier)
#endif
#include <sys/platform/x86.h>
#undef _Bool
#define EFFIGY_HAS(glibc, compiler) (CPU_FEATURE_ACTIVE(glibc) != 0)
#else
#define EFFIGY_HAS(glibc, compiler) (__builtin_cpu_supports(compiler) != 0)
#endif
#endif

namespace effigy {
namespace {

Machine find_out() noexcept {
#if defined(EFFIGY_HAS)
    if (!EFFIGY_HAS(SSSE3, "ssse3")) return Machine::other;
    if (!EFFIGY_HAS(SSE4_1, "sse4.1") || !EFFIGY_HAS(SSE4_2, "sse4.2") || !EFFIGY_HAS(AES, "aes") ||
        !EFFIGY_HAS(PCLMULQDQ, "pclmul")) {
        return Machine::ssse3;
    }
    if (!EFFIGY_HAS(AVX2, "avx2") || !EFFIGY_HAS(FMA, "fma") || !EFFIGY_HAS(BMI1, "bmi") || !EFFIGY_HAS(BMI2, "bmi2") ||
        !EFFIGY_HAS(F16C, "f16c")) {
        return Machine::sse4;
    }
    if (!EFFIGY_HAS(AVX512F, "avx512f") || !EFFIGY_HAS(AVX512VL, "avx512vl") || !EFFIGY_HAS(AVX512DQ, "avx512dq") ||
        !EFFIGY_HAS(AVX512BW, "avx512bw")) {
        return Machine::avx2;
    }
    return Machine::avx3;
#else
    return Machine::other;
#endif
}

}  // namespace

Machine machine() noexcept {
    static const Machine found = find_out();
    return found;
}

}  // namespace effigy
