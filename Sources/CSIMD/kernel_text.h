// Common beginning of every kernel's source. A file that includes it is compiled for one instruction set; tests compile
// the same source again over intrinsics written in plain C (`SLUICE_EMULATED`), so that a machine also tests the sets
// it lacks.
#pragma once
#if !defined(SLUICE_EMULATED)
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#endif
#include "CSIMD.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
