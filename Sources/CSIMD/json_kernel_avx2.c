#include "json_kernels.h"
#if defined(__x86_64__) || defined(SLUICE_EMULATED)
#include "kernel_text.h"

#if !defined(SLUICE_EMULATED)
#pragma clang attribute push( \
    __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,pclmul"))), apply_to = function)
#endif
#include "json_index_avx2.h"
#include "json_walk_splice.h"
#include "json_walk_tokens.h"
#include "utf8_scan_avx2.h"
#if !defined(SLUICE_EMULATED)
#pragma clang attribute pop
#endif

const sluice_json_kernel sluice_json_kernel_avx2 = {
    "avx2", false, index_avx2, walk_tokens, splice, utf8_avx2, blocks_avx2};

#endif
