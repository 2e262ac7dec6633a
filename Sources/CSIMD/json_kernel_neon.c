#include "json_kernels.h"
#if defined(__aarch64__) || defined(SLUICE_EMULATED)
#include "kernel_text.h"

#include "json_index_neon.h"
#include "json_walk_splice.h"
#include "json_walk_tokens.h"
#include "utf8_scan_neon.h"

const sluice_json_kernel sluice_json_kernel_neon = {
    "neon", false, index_neon, walk_tokens, splice, utf8_neon, blocks_neon};

#endif
