// What the text of every kernel begins with. A file that includes it is compiled for one set of instructions; tests
// compile the same text once more over intrinsics written in plain C (`SLUICE_EMULATED`), so that a machine proves the
// sets that it lacks, too.
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
