#include "emulated_x86.h"
#define SLUICE_EMULATED
#define sluice_json_kernel_avx2 sluice_json_kernel_avx2_emulated
#include "../../Sources/CSIMD/json_kernel_avx2.c"
