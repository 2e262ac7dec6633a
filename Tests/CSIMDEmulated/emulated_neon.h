// The NEON intrinsics that the JSON kernels use, in plain C; see emulated_x86.h. Named and defined as in Arm's C
// Language Extensions.
#pragma once
#include <stdint.h>
#include <string.h>

#define EMULATED static inline __attribute__((always_inline, unused))

typedef uint8_t uint8x16_t __attribute__((vector_size(16)));
typedef uint64_t uint64x2_t __attribute__((vector_size(16)));

EMULATED uint8x16_t vld1q_u8(const uint8_t *p) {
    uint8x16_t r;
    memcpy(&r, p, 16);
    return r;
}

EMULATED uint8x16_t vdupq_n_u8(uint8_t a) { return (uint8x16_t){} + a; }
EMULATED uint8x16_t vandq_u8(uint8x16_t a, uint8x16_t b) { return a & b; }
EMULATED uint8x16_t vorrq_u8(uint8x16_t a, uint8x16_t b) { return a | b; }
EMULATED uint8x16_t veorq_u8(uint8x16_t a, uint8x16_t b) { return a ^ b; }
EMULATED uint8x16_t vceqq_u8(uint8x16_t a, uint8x16_t b) { return (uint8x16_t)(a == b); }
EMULATED uint8x16_t vcltq_u8(uint8x16_t a, uint8x16_t b) { return (uint8x16_t)(a < b); }
EMULATED uint8x16_t vqsubq_u8(uint8x16_t a, uint8x16_t b) { return (a - b) & (uint8x16_t)(a > b); }
EMULATED uint8x16_t vshrq_n_u8(uint8x16_t a, int bits) { return a >> (uint8_t)bits; }
EMULATED uint64x2_t vreinterpretq_u64_u8(uint8x16_t a) { return (uint64x2_t)a; }
EMULATED uint64_t vgetq_lane_u64(uint64x2_t a, int lane) { return a[lane]; }

/// Sums of neighbours: those of `a`, then those of `b`.
EMULATED uint8x16_t vpaddq_u8(uint8x16_t a, uint8x16_t b) {
    uint8x16_t r;
    for (int i = 0; i < 8; i++) {
        r[i] = (uint8_t)(a[2 * i] + a[2 * i + 1]);
        r[8 + i] = (uint8_t)(b[2 * i] + b[2 * i + 1]);
    }
    return r;
}

EMULATED uint8_t vmaxvq_u8(uint8x16_t a) {
    uint8_t most = 0;
    for (int i = 0; i < 16; i++) most = a[i] > most ? a[i] : most;
    return most;
}

/// From byte number `from` of `a` on, and behind it `b`.
EMULATED uint8x16_t vextq_u8(uint8x16_t a, uint8x16_t b, int from) {
    uint8x16_t r;
    for (int i = 0; i < 16; i++) r[i] = i + from < 16 ? a[i + from] : b[i + from - 16];
    return r;
}

EMULATED uint8x16_t vqtbl1q_u8(uint8x16_t table, uint8x16_t places) {
    uint8x16_t r;
    for (int i = 0; i < 16; i++) r[i] = places[i] < 16 ? table[places[i]] : 0;
    return r;
}
