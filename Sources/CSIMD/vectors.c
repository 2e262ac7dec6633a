#include "CSIMD.h"

// One more than the set that is used; 0 is unknown.
static int chosen;

enum sluice_vectors sluice_vectors_most(void) {
#if defined(__x86_64__)
    bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
                    && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt")
                    && __builtin_cpu_supports("pclmul");
    if (!has_avx2) return SLUICE_VECTORS_LEAST;
    bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
                      && __builtin_cpu_supports("avx512vbmi2");
    return has_avx512 ? SLUICE_VECTORS_AVX512 : SLUICE_VECTORS_AVX2;
#elif defined(__aarch64__)
    return SLUICE_VECTORS_LEAST;
#else
    return SLUICE_VECTORS_NONE;
#endif
}

enum sluice_vectors sluice_vectors_used(void) {
    int known = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (__builtin_expect(known == 0, 0)) {
        known = 1 + (int)sluice_vectors_most();
        __atomic_store_n(&chosen, known, __ATOMIC_RELAXED);
    }
    return (enum sluice_vectors)(known - 1);
}

bool sluice_vectors_use(enum sluice_vectors vectors) {
    if (vectors > sluice_vectors_most()) return false;
    __atomic_store_n(&chosen, 1 + (int)vectors, __ATOMIC_RELAXED);
    return true;
}
