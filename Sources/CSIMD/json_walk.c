#include "CSIMD.h"
#include "json_walk_versions.h"
#include "json_walk_go.h"

#if defined(__x86_64__)

void sluice_json_go(sluice_json_walk *walk) {
    switch (sluice_vectors_used()) {
    case SLUICE_VECTORS_AVX512: return sluice_json_go_avx512(walk);
    case SLUICE_VECTORS_AVX2: return sluice_json_go_avx2(walk);
    default: return go(walk);
    }
}

#else

void sluice_json_go(sluice_json_walk *walk) { go(walk); }

#endif
