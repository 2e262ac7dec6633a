// The kernels of the JSON engine over intrinsics in plain C, for tests: every set's text runs on every machine.
#pragma once
#include "CSIMD.h"

/// All of them but those that are this kind of machine's least.
/// @param number From 0 on.
/// @returns NULL behind the last.
const sluice_json_kernel *_Nullable sluice_json_kernel_emulated_at(size_t number);
