#include "json_kernels.h"

const sluice_json_kernel *sluice_json_kernel_at(size_t number) {
    const sluice_json_kernel *kernels[4] = {&sluice_json_kernel_none};
#if defined(__x86_64__)
    kernels[1] = &sluice_json_kernel_sse2;
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
                    && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt")
                    && __builtin_cpu_supports("pclmul");
    bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
                      && __builtin_cpu_supports("avx512vbmi2");
    if (has_avx2) kernels[2] = &sluice_json_kernel_avx2;
    if (has_avx512) kernels[3] = &sluice_json_kernel_avx512;
#elif defined(__aarch64__)
    kernels[1] = &sluice_json_kernel_neon;
#endif
    return number < 4 ? kernels[number] : NULL;
}

const sluice_json_kernel *sluice_json_kernel_widest(void) {
    const sluice_json_kernel *widest = &sluice_json_kernel_none, *next;
    for (size_t number = 1; (next = sluice_json_kernel_at(number)); number++) widest = next;
    return widest;
}
