// UTF-8 with NEON.
#pragma once
#include "utf8_scan.h"

/// Not zero where a byte of `v` has an error, or shows one of the bytes before.
ALWAYS_INLINE uint8x16_t utf8_errors(uint8x16_t v, uint8x16_t earlier) {
    uint8x16_t last = vextq_u8(earlier, v, 15);
    uint8x16_t special = vandq_u8(
        vandq_u8(
            vqtbl1q_u8(vld1q_u8(first_high), vshrq_n_u8(last, 4)),
            vqtbl1q_u8(vld1q_u8(first_low), vandq_u8(last, vdupq_n_u8(0x0F)))),
        vqtbl1q_u8(vld1q_u8(second_high), vshrq_n_u8(v, 4)));
    // The third and fourth bytes of long sequences have to be continuations, and no others may be.
    uint8x16_t third = vqsubq_u8(vextq_u8(earlier, v, 14), vdupq_n_u8(0xE0 - 0x80));
    uint8x16_t fourth = vqsubq_u8(vextq_u8(earlier, v, 13), vdupq_n_u8(0xF0 - 0x80));
    return veorq_u8(vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)), special);
}

static size_t utf8_neon(const uint8_t *p, size_t count) {
    size_t at = 0;
    uint8x16_t earlier = vdupq_n_u8(0);
    while (count - at >= 64) {
        uint8x16_t a = vld1q_u8(p + at), b = vld1q_u8(p + at + 16);
        uint8x16_t c = vld1q_u8(p + at + 32), d = vld1q_u8(p + at + 48);
        // A sequence that the last block has left open shows in `earlier`.
        uint8x16_t any = vorrq_u8(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)), earlier);
        if (vmaxvq_u8(any) >= 0x80) {
            uint8x16_t errors = vorrq_u8(
                vorrq_u8(utf8_errors(a, earlier), utf8_errors(b, a)), vorrq_u8(utf8_errors(c, b), utf8_errors(d, c)));
            if (vmaxvq_u8(errors) != 0) break;
        }
        earlier = d;
        at += 64;
    }
    return whole(p, at);
}

static size_t blocks_neon(const uint8_t *p, size_t count, const bool *non_ascii) {
    uint8x16_t errors = vdupq_n_u8(0);
    EACH_BLOCK(({
        uint8x16_t earlier = at ? vld1q_u8(p + at - 16) : vdupq_n_u8(0);
        for (size_t part = 0; part < 64; part += 16) {
            uint8x16_t v = vld1q_u8(p + at + part);
            errors = vorrq_u8(errors, utf8_errors(v, earlier));
            earlier = v;
        }
    }));
    return vmaxvq_u8(errors) == 0 ? whole(p, count) : 0;
}
