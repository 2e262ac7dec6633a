// Validation of UTF-8: what the versions share.
#pragma once
#include "kernel_text.h"

// Moves back to the end of the last sequence that is certainly whole.
ALWAYS_INLINE size_t whole(const uint8_t *p, size_t at) {
    for (size_t back = 0; at > 0 && back < 4 && p[at - 1] >= 0x80; back++) {
        at--;
        if (p[at] >= 0xC0) break;
    }
    return at;
}

// UTF-8 by table look-ups on three nibbles: J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One Instruction
// Per Byte" (Software: Practice and Experience 51, 2021).
enum {
    TOO_SHORT = 1, TOO_LONG = 2, OVERLONG_3 = 4, TOO_LARGE = 8, SURROGATE = 16, OVERLONG_2 = 32, TOO_LARGE_1000 = 64,
    OVERLONG_4 = 64, TWO_CONTINUATIONS = 128, ANY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS
};

static const uint8_t first_high[16] = {
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TWO_CONTINUATIONS,
    TWO_CONTINUATIONS, TWO_CONTINUATIONS, TWO_CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
};
#define LARGE (ANY | TOO_LARGE | TOO_LARGE_1000)
static const uint8_t first_low[16] = {
    ANY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, ANY | OVERLONG_2, ANY, ANY, ANY | TOO_LARGE, LARGE, LARGE, LARGE, LARGE,
    LARGE, LARGE, LARGE, LARGE, LARGE | SURROGATE, LARGE, LARGE,
};
static const uint8_t second_high[16] = {
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
};

/// Runs `what` for each block of 64 bytes that is not ASCII or follows one that is not: it may show that one's last
/// error.
#define EACH_BLOCK(what)                                                                                         \
    uint64_t carried = 0;                                                                                        \
    for (size_t base = 0; base < count; base += 512) {                                                           \
        uint64_t listed;                                                                                         \
        __builtin_memcpy(&listed, non_ascii + base / 64, sizeof listed);                                              \
        uint64_t wanted = listed | listed << 8 | carried;                                                        \
        carried = listed >> 56;                                                                                  \
        for (; wanted; wanted &= wanted - 1) {                                                                   \
            size_t at = base + (size_t)__builtin_ctzll(wanted) / 8 * 64;                                         \
            if (at >= count) break;                                                                              \
            what;                                                                                                \
        }                                                                                                        \
    }
