// The index with NEON.
//
// A byte's kind is looked up by its two halves (Langdale and Lemire, §3.1.2). Vectors hold every fourth byte, so that
// the masks of four vectors are joined by shifting one into the other: this takes fewer instructions than adding up
// weighted bits.
#pragma once
#include "json_index.h"
#include "json_index_table.h"

/// Kinds of bytes, one bit each; operators and whitespace have several.
enum {
    NEON_COMMA = 1, NEON_COLON = 2, NEON_BRACKET = 4, NEON_OP = NEON_COMMA | NEON_COLON | NEON_BRACKET,
    NEON_BREAK = 8, NEON_BLANK = 16, NEON_SPACE = NEON_BREAK | NEON_BLANK, NEON_QUOTE = 32, NEON_BACKSLASH = 64,
    NEON_CONTROL = 128, NEON_SPECIAL = NEON_BACKSLASH | NEON_CONTROL
};

/// Kinds by the byte's lower and upper four bits: a kind counts if both tables have it. Form feed goes as a comma, SUB
/// as a colon.
static const uint8_t neon_low[16] = {
    [0x0] = NEON_CONTROL | NEON_BLANK, [0x1] = NEON_CONTROL, [0x2] = NEON_CONTROL | NEON_QUOTE, [0x3] = NEON_CONTROL,
    [0x4] = NEON_CONTROL, [0x5] = NEON_CONTROL, [0x6] = NEON_CONTROL, [0x7] = NEON_CONTROL, [0x8] = NEON_CONTROL,
    [0x9] = NEON_CONTROL | NEON_BREAK, [0xA] = NEON_CONTROL | NEON_BREAK | NEON_COLON,
    [0xB] = NEON_CONTROL | NEON_BRACKET, [0xC] = NEON_CONTROL | NEON_COMMA | NEON_BACKSLASH,
    [0xD] = NEON_CONTROL | NEON_BREAK | NEON_BRACKET, [0xE] = NEON_CONTROL, [0xF] = NEON_CONTROL,
};
static const uint8_t neon_high[16] = {
    [0x0] = NEON_CONTROL | NEON_BREAK | NEON_COMMA, [0x1] = NEON_CONTROL | NEON_COLON,
    [0x2] = NEON_BLANK | NEON_QUOTE | NEON_COMMA, [0x3] = NEON_COLON, [0x5] = NEON_BRACKET | NEON_BACKSLASH,
    [0x7] = NEON_BRACKET,
};

ALWAYS_INLINE uint8x16_t kinds_of(uint8x16_t v) {
    return vandq_u8(
        vqtbl1q_u8(vld1q_u8(neon_low), vandq_u8(v, vdupq_n_u8(0x0F))),
        vqtbl1q_u8(vld1q_u8(neon_high), vshrq_n_u8(v, 4)));
}

/// A bit for each of 64 bytes that has one of the wanted kinds; `kinds` holds every fourth byte's in each vector.
ALWAYS_INLINE uint64_t mask_of(uint8x16x4_t kinds, uint8_t wanted) {
    const uint8x16_t any = vdupq_n_u8(wanted);
    uint8x16_t low = vsriq_n_u8(vtstq_u8(kinds.val[1], any), vtstq_u8(kinds.val[0], any), 1);
    uint8x16_t high = vsriq_n_u8(vtstq_u8(kinds.val[3], any), vtstq_u8(kinds.val[2], any), 1);
    uint8x16_t four = vsriq_n_u8(high, low, 2);
    four = vsriq_n_u8(four, four, 4);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(four), 4)), 0);
}

/// A bit for each token of a block. Most blocks have no backslash.
ALWAYS_INLINE uint64_t tokens_of(const uint8_t *p, carry *c, bool *non_ascii) {
    uint8x16x4_t v = vld4q_u8(p);
    uint8x16x4_t kinds = {{kinds_of(v.val[0]), kinds_of(v.val[1]), kinds_of(v.val[2]), kinds_of(v.val[3])}};
    *non_ascii = vmaxvq_u8(vorrq_u8(vorrq_u8(v.val[0], v.val[1]), vorrq_u8(v.val[2], v.val[3]))) >= 0x80;
    uint64_t special = mask_of(kinds, NEON_SPECIAL), escaped = 0;
    masks m = {
        .quote = mask_of(kinds, NEON_QUOTE), .control = special, .space = mask_of(kinds, NEON_SPACE),
        .op = mask_of(kinds, NEON_OP)};
    if ((special & ~m.space) | c->escaped) {
        m.backslash = mask_of(kinds, NEON_BACKSLASH);
        m.control = special & ~m.backslash;
        escaped = find_escaped(m.backslash, c);
    }
    uint64_t unescaped = m.quote & ~escaped;
    return listed(m, unescaped, escaped, xor_of_lower_bits(unescaped), c);
}

/// Writes the tokens of sixteen bytes, and surplus bytes behind them: there is no branch on the number of tokens.
/// @param out Of the block.
/// @param before Number of the block's tokens before these bytes.
/// @param bits A mask of the bytes.
/// @param low_count Number of tokens in the first eight bytes.
/// @param base Offset of the first byte, eight times.
ALWAYS_INLINE void write_sixteen(
    output out, uint64_t before, const uint8_t *p, uint64_t bits, uint64_t low_count, uint16x8_t base) {
    const uint8x16_t numbers = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    uint8x16_t marked = vcombine_u8(
        vld1_u8((const uint8_t *)(marked_bytes + (bits & 0xFF))),
        vld1_u8((const uint8_t *)(marked_bytes + (bits >> 8 & 0xFF))));
    marked = vqtbl1q_u8(vaddq_u8(marked, numbers), vld1q_u8(joined_halves[low_count]));
    vst1q_u8(out.kinds + before, vqtbl1q_u8(vld1q_u8(p), marked));
    vst1q_u16(out.offsets + before, vaddw_u8(base, vget_low_u8(marked)));
    vst1q_u16(out.offsets + before + 8, vaddw_high_u8(base, marked));
}

static size_t index_neon(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    carry c = {0, 0, 0};
    size_t found = 0;
    uint16x8_t base = vdupq_n_u16(0);
    for (size_t at = 0; at < count; at += 64) {
        uint64_t bits = tokens_of(p + at, &c, non_ascii + at / 64);
        // Number of tokens in each group of eight bytes, and the running totals.
        uint64_t counts = vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits))), 0);
        uint64_t sums = counts * 0x0101010101010101;
        output out = {offsets + found, kinds + found};
        write_sixteen(out, 0, p + at, bits, counts & 0xFF, base);
        base = vaddq_u16(base, vdupq_n_u16(16));
        write_sixteen(out, sums >> 8 & 0xFF, p + at + 16, bits >> 16, counts >> 16 & 0xFF, base);
        base = vaddq_u16(base, vdupq_n_u16(16));
        write_sixteen(out, sums >> 24 & 0xFF, p + at + 32, bits >> 32, counts >> 32 & 0xFF, base);
        base = vaddq_u16(base, vdupq_n_u16(16));
        write_sixteen(out, sums >> 40 & 0xFF, p + at + 48, bits >> 48, counts >> 48 & 0xFF, base);
        base = vaddq_u16(base, vdupq_n_u16(16));
        found += sums >> 56;
    }
    return found;
}
