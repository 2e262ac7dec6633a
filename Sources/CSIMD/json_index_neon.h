// The index with NEON.
#pragma once
#include "json_index.h"

ALWAYS_INLINE uint64_t mask_of(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
    uint8x16_t sums = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#define EACH(expression)                                                                                        \
    ({                                                                                                          \
        uint8x16_t each[4];                                                                                     \
        for (int part = 0; part < 4; part++) {                                                                  \
            uint8x16_t v = parts[part], lower = vorrq_u8(v, vdupq_n_u8(0x20));                                  \
            (void)lower;                                                                                        \
            each[part] = (expression);                                                                          \
        }                                                                                                       \
        mask_of(each[0], each[1], each[2], each[3]);                                                            \
    })
#define EQUAL(v, byte) vceqq_u8(v, vdupq_n_u8(byte))

static size_t index_neon(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    carry c = {0, 0, 0};
    output out = {offsets, kinds};
    for (size_t at = 0; at < count; at += 64) {
        uint8x16_t parts[4];
        for (int part = 0; part < 4; part++) parts[part] = vld1q_u8(p + at + part * 16);
        non_ascii[at / 64] = vmaxvq_u8(vorrq_u8(vorrq_u8(parts[0], parts[1]), vorrq_u8(parts[2], parts[3]))) >= 0x80;
        masks m;
        m.quote = EACH(EQUAL(v, '"'));
        m.backslash = EACH(EQUAL(v, '\\'));
        m.control = EACH(vcltq_u8(v, vdupq_n_u8(0x20)));
        m.space = EACH(vorrq_u8(vorrq_u8(EQUAL(v, ' '), EQUAL(v, '\n')), vorrq_u8(EQUAL(v, '\r'), EQUAL(v, '\t'))));
        m.op = EACH(vorrq_u8(vorrq_u8(EQUAL(lower, '{'), EQUAL(lower, '}')),
                             vorrq_u8(EQUAL(lower, ','), EQUAL(lower, ':'))));
        uint64_t escaped = find_escaped(m.backslash, &c);
        uint64_t unescaped = m.quote & ~escaped;
        write_block(&out, listed(m, unescaped, escaped, xor_of_lower_bits(unescaped), &c), p, at);
    }
    return (size_t)(out.offsets - offsets);
}
