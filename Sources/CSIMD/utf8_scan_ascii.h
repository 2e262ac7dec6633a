// Validation of pure ASCII only: for instruction sets without table look-ups.
#pragma once
#include "utf8_scan.h"

static size_t utf8_ascii(const uint8_t *p, size_t count) {
    (void)p, (void)count;
    return 0;
}

static size_t blocks_ascii(const uint8_t *p, size_t count, const bool *non_ascii) {
    (void)p;
    bool any = false;
    for (size_t i = 0; i < count / 64; i++) any |= non_ascii[i];
    return any ? 0 : count;
}
