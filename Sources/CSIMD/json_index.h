// The structural index of a window: what its versions share.
//
// The scheme is that of G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28, 2019):
// masks of one bit per byte, escapes found by carries, strings by a prefix sum without carry.

#pragma once
#include "kernel_text.h"

/// One bit per byte of a block of 64.
typedef struct {
    uint64_t quote, backslash, control, space, op;
} masks;

/// State carried from one block to the next.
typedef struct {
    uint64_t in_string;   // all ones inside of a string
    uint64_t escaped;     // 1 where the first byte is escaped
    uint64_t in_scalar;   // 1 where the byte before belongs to a scalar
} carry;

// Bytes that follow an odd number of backslashes.
ALWAYS_INLINE uint64_t find_escaped(uint64_t backslash, carry *c) {
    const uint64_t even = 0x5555555555555555ull;
    if (!backslash) {
        uint64_t escaped = c->escaped;
        c->escaped = 0;
        return escaped;
    }
    backslash &= ~c->escaped;
    uint64_t follows = backslash << 1 | c->escaped;
    uint64_t odd_starts = backslash & ~even & ~follows;
    uint64_t from_even;
    c->escaped = __builtin_add_overflow(odd_starts, backslash, &from_even);
    return (even ^ from_even << 1) & follows;
}

ALWAYS_INLINE uint64_t xor_of_lower_bits(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/// @param unescaped The quotes that begin or end a string.
/// @param strings Bits from each opening quote up to before the closing one, had the block begun outside.
ALWAYS_INLINE uint64_t listed(masks m, uint64_t unescaped, uint64_t escaped, uint64_t strings, carry *c) {
    uint64_t in_string = strings ^ c->in_string;
    c->in_string = (uint64_t)((int64_t)in_string >> 63);
    uint64_t scalar = ~(m.op | m.space | unescaped);
    uint64_t starts = scalar & ~(scalar << 1 | c->in_scalar);
    c->in_scalar = scalar >> 63;
    uint64_t outside = m.op | starts, inside = (m.backslash & ~escaped) | m.control;
    return unescaped | (outside ^ ((outside ^ inside) & in_string));
}

/// The output: offsets, and the bytes at them.
typedef struct {
    uint16_t *offsets;
    uint8_t *kinds;
} output;

ALWAYS_INLINE void write_block(output *out, uint64_t bits, const uint8_t *p, size_t at) {
    size_t count = (size_t)__builtin_popcountll(bits);
    uint16_t *offsets = out->offsets;
    uint8_t *kinds = out->kinds;
    while (bits) {
        // Four at a time, so that the loop's end is mispredicted less; surplus tokens are overwritten later.
        for (int i = 0; i < 4; i++) {
            size_t token = at + (size_t)__builtin_ctzll(bits | 1ull << 63);
            offsets[i] = (uint16_t)token;
            kinds[i] = p[token];
            bits &= bits - 1;
        }
        offsets += 4;
        kinds += 4;
    }
    out->offsets += count;
    out->kinds += count;
}

// Whitespace and operators by their low four bits: a byte is one where it equals what the table has for it.
#define SPACE_TABLE ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100
#define OP_TABLE 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0
