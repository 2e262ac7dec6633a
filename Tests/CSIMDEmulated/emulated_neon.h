// The NEON intrinsics that the JSON kernels use, in plain C; see emulated_x86.h. Named and defined as in Arm's C
// Language Extensions.
#pragma once
#include <stdint.h>
#include <string.h>

#define EMULATED static inline __attribute__((always_inline, unused))

typedef uint8_t uint8x16_t __attribute__((vector_size(16)));
typedef uint16_t uint16x8_t __attribute__((vector_size(16)));
typedef uint8_t uint8x8_t __attribute__((vector_size(8)));
typedef uint64_t uint64x1_t __attribute__((vector_size(8)));
typedef struct {
    uint8x16_t val[4];
} uint8x16x4_t;

EMULATED uint8x16_t vld1q_u8(const uint8_t *p) {
    uint8x16_t r;
    memcpy(&r, p, 16);
    return r;
}

EMULATED uint8x16_t vdupq_n_u8(uint8_t a) { return (uint8x16_t){} + a; }
EMULATED uint8x16_t vandq_u8(uint8x16_t a, uint8x16_t b) { return a & b; }
EMULATED uint8x16_t vorrq_u8(uint8x16_t a, uint8x16_t b) { return a | b; }
EMULATED uint8x16_t veorq_u8(uint8x16_t a, uint8x16_t b) { return a ^ b; }
EMULATED uint8x16_t vaddq_u8(uint8x16_t a, uint8x16_t b) { return a + b; }
EMULATED uint16x8_t vaddq_u16(uint16x8_t a, uint16x8_t b) { return a + b; }
EMULATED uint8x16_t vtstq_u8(uint8x16_t a, uint8x16_t b) { return (uint8x16_t)((a & b) != 0); }
EMULATED uint8x16_t vqsubq_u8(uint8x16_t a, uint8x16_t b) { return (a - b) & (uint8x16_t)(a > b); }
EMULATED uint8x16_t vshrq_n_u8(uint8x16_t a, int bits) { return a >> (uint8_t)bits; }
EMULATED uint16x8_t vdupq_n_u16(uint16_t a) { return (uint16x8_t){} + a; }
EMULATED uint16x8_t vreinterpretq_u16_u8(uint8x16_t a) { return (uint16x8_t)a; }
EMULATED uint64x1_t vreinterpret_u64_u8(uint8x8_t a) { return (uint64x1_t)a; }
EMULATED uint64_t vget_lane_u64(uint64x1_t a, int lane) { return a[lane]; }
EMULATED uint8x8_t vcreate_u8(uint64_t a) { return (uint8x8_t)(uint64x1_t){a}; }
EMULATED void vst1q_u8(uint8_t *p, uint8x16_t a) { memcpy(p, &a, 16); }
EMULATED void vst1q_u16(uint16_t *p, uint16x8_t a) { memcpy(p, &a, 16); }

EMULATED uint8x8_t vld1_u8(const uint8_t *p) {
    uint8x8_t r;
    memcpy(&r, p, 8);
    return r;
}

/// Every fourth byte, from each of the first four on.
EMULATED uint8x16x4_t vld4q_u8(const uint8_t *p) {
    uint8x16x4_t r;
    for (int i = 0; i < 64; i++) r.val[i % 4][i / 4] = p[i];
    return r;
}

EMULATED uint8x16_t vcombine_u8(uint8x8_t low, uint8x8_t high) {
    uint8x16_t r;
    memcpy(&r, &low, 8);
    memcpy((uint8_t *)&r + 8, &high, 8);
    return r;
}

EMULATED uint8x8_t vget_low_u8(uint8x16_t a) {
    uint8x8_t r;
    memcpy(&r, &a, 8);
    return r;
}

EMULATED uint16x8_t vaddw_u8(uint16x8_t a, uint8x8_t b) { return a + __builtin_convertvector(b, uint16x8_t); }

EMULATED uint16x8_t vaddw_high_u8(uint16x8_t a, uint8x16_t b) {
    uint8x8_t high;
    memcpy(&high, (const uint8_t *)&b + 8, 8);
    return vaddw_u8(a, high);
}

/// The upper bits of `a`, behind them `b`.
EMULATED uint8x16_t vsriq_n_u8(uint8x16_t a, uint8x16_t b, int bits) {
    return (a & (uint8_t)~(0xFF >> bits)) | b >> (uint8_t)bits;
}

EMULATED uint8x8_t vshrn_n_u16(uint16x8_t a, int bits) {
    return __builtin_convertvector(a >> (uint16_t)bits, uint8x8_t);
}

EMULATED uint8x8_t vcnt_u8(uint8x8_t a) {
    uint8x8_t r;
    for (int i = 0; i < 8; i++) r[i] = (uint8_t)__builtin_popcount(a[i]);
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
