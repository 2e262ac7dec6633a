#include "json_kernels.h"
#if defined(__x86_64__) || defined(SLUICE_EMULATED)
#include "kernel_text.h"

#include "json_index_sse2.h"
#include "json_walk_splice.h"
#include "json_walk_tokens.h"
#include "utf8_scan_ascii.h"

const sluice_json_kernel sluice_json_kernel_sse2 = {
    "sse2", false, index_sse2, walk_tokens, splice, utf8_ascii, blocks_ascii};

#endif
