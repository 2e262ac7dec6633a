#include "CSIMD.h"
#if defined(__x86_64__)
#include "json_walk_versions.h"
#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi,bmi2,popcnt,lzcnt"))), apply_to = function)
#define SLUICE_JSON_STENCILS
#include "json_walk_go.h"

void sluice_json_go_avx512(sluice_json_walk *walk) { go(walk); }
#pragma clang attribute pop

#endif
