#include "CSIMDEmulated.h"

extern const sluice_json_kernel sluice_json_kernel_sse2_emulated, sluice_json_kernel_avx2_emulated,
    sluice_json_kernel_avx512_emulated, sluice_json_kernel_neon_emulated;

const sluice_json_kernel *sluice_json_kernel_emulated_at(size_t number) {
    const sluice_json_kernel *kernels[] = {
        &sluice_json_kernel_sse2_emulated, &sluice_json_kernel_avx2_emulated, &sluice_json_kernel_avx512_emulated,
#if !defined(__aarch64__)
        &sluice_json_kernel_neon_emulated,
#endif
    };
    return number < sizeof kernels / sizeof *kernels ? kernels[number] : NULL;
}
