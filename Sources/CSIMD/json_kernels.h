// The kernels by name; each has a file of its own.
#pragma once
#include "json_kernel.h"

/// No vectors: every byte by itself.
extern const sluice_json_kernel sluice_json_kernel_none;
/// What every x86-64 has.
extern const sluice_json_kernel sluice_json_kernel_sse2;
/// AVX2, BMI, BMI2, POPCNT, LZCNT and PCLMULQDQ.
extern const sluice_json_kernel sluice_json_kernel_avx2;
/// AVX-512 F, BW, VL, VBMI and VBMI2 besides.
extern const sluice_json_kernel sluice_json_kernel_avx512;
/// What every arm64 has.
extern const sluice_json_kernel sluice_json_kernel_neon;
