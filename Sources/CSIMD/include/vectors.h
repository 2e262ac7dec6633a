// Which vector instructions the functions of this module use: the widest that the machine has, found out once.
#pragma once
#include <stdbool.h>

/// Sets of instructions that there are own versions for.
enum sluice_vectors {
    /// None: byte by byte.
    SLUICE_VECTORS_NONE,
    /// Those that every machine of its kind has: SSE2, NEON.
    SLUICE_VECTORS_LEAST,
    /// AVX2, BMI, BMI2, POPCNT, LZCNT and PCLMULQDQ.
    SLUICE_VECTORS_AVX2,
    /// AVX-512 F, BW, VL, VBMI and VBMI2 besides.
    SLUICE_VECTORS_AVX512,
};

/// The widest that this machine has.
enum sluice_vectors sluice_vectors_most(void);

/// Those that are used.
enum sluice_vectors sluice_vectors_used(void);

/// Uses others from now on, so that tests see each version at work; results are the same.
/// @returns false where this machine has them not, and nothing is changed.
bool sluice_vectors_use(enum sluice_vectors vectors);
