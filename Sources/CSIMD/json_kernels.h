// The kernels by name; each has a file of its own.
#pragma once
#include "json_kernel.h"

/// No vectors: one byte at a time.
extern const sluice_json_kernel sluice_json_kernel_none;
/// The instructions that every x86-64 has.
extern const sluice_json_kernel sluice_json_kernel_sse2;
/// AVX2, BMI, BMI2, POPCNT, LZCNT and PCLMULQDQ.
extern const sluice_json_kernel sluice_json_kernel_avx2;
/// All of these, and AVX-512 F, BW, VL, VBMI and VBMI2.
extern const sluice_json_kernel sluice_json_kernel_avx512;
/// The instructions that every arm64 has.
extern const sluice_json_kernel sluice_json_kernel_neon;
