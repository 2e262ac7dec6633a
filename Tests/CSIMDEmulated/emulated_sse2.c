#include "emulated_x86.h"
#define SLUICE_EMULATED
#define sluice_json_kernel_sse2 sluice_json_kernel_sse2_emulated
#include "../../Sources/CSIMD/json_kernel_sse2.c"
