#include "json_kernels.h"
#if defined(__x86_64__) || defined(SLUICE_EMULATED)
#include "kernel_text.h"

#if !defined(SLUICE_EMULATED)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,popcnt,lzcnt,pclmul"))), \
    apply_to = function)
#endif
#define SLUICE_JSON_HAS_TEMPLATES
#include "json_index_avx512.h"
#include "json_walk_splice.h"
#include "json_walk_tokens.h"
#include "utf8_scan_avx512.h"
#if !defined(SLUICE_EMULATED)
#pragma clang attribute pop
#endif

const sluice_json_kernel sluice_json_kernel_avx512 = {
    "avx512", true, index_avx512, walk_tokens, splice, utf8_avx512, blocks_avx512};

#endif
