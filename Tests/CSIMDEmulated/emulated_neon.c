// On arm64 the real one is proven.
#if !defined(__aarch64__)
#include "emulated_neon.h"
#define SLUICE_EMULATED
#define sluice_json_kernel_neon sluice_json_kernel_neon_emulated
#include "../../Sources/CSIMD/json_kernel_neon.c"
#endif
