// What the JSON engine's C does, asked for by a program without Swift: on machines, and under emulators, that have none.
#pragma once
#include "CSIMD.h"

/// Asks a kernel what a record says (`CSIMDReplay.h`).
/// @returns 0 where all answers are the same; 1 where one differs, which is printed.
int replay(const sluice_json_kernel *kernel, const char *path);

// The functions of a kernel, between marks from where to where instructions are counted.
size_t counted_index(
    const sluice_json_kernel *kernel, const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds,
    bool *non_ascii);
size_t counted_prefix(const sluice_json_kernel *kernel, const uint8_t *p, size_t count);
size_t counted_blocks(const sluice_json_kernel *kernel, const uint8_t *p, size_t count, const bool *non_ascii);
void counted_walk(const sluice_json_kernel *kernel, sluice_json_walk *walk);
