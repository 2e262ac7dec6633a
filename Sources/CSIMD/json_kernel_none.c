#include "json_kernels.h"
#include "utf8_scan_ascii.h"

/// Without an index there is nothing to walk.
static void walk_nothing(sluice_json_walk *walk) { (void)walk; }

static bool splice_nothing(sluice_json_splicer *splicer) {
    (void)splicer;
    return false;
}

const sluice_json_kernel sluice_json_kernel_none = {
    "none", false, NULL, walk_nothing, splice_nothing, utf8_ascii, blocks_ascii};
