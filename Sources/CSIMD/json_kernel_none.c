#include "json_kernels.h"
#include "utf8_scan_ascii.h"

/// There is no list of places to go over.
static void go_nowhere(sluice_json_walk *walk) { (void)walk; }

const sluice_json_kernel sluice_json_kernel_none = {"none", false, NULL, go_nowhere, utf8_ascii, blocks_ascii};
