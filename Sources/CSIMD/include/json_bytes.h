// Operations on 32 bytes at once: one vector, or two halves where vectors have 16 bytes at most and compilers make poor
// code of longer ones.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#define SLUICE_ALWAYS_INLINE static inline __attribute__((always_inline))

#if defined(__aarch64__)

typedef struct {
    uint8x16_t low, high;
} sluice_bytes32;

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_load32(const uint8_t *_Nonnull p) {
    return (sluice_bytes32){vld1q_u8(p), vld1q_u8(p + 16)};
}

// Bytes that match become all ones, all others 0.

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_same32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){vceqq_u8(a.low, b.low), vceqq_u8(a.high, b.high)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_equal32(sluice_bytes32 v, uint8_t byte) {
    return (sluice_bytes32){vceqq_u8(v.low, vdupq_n_u8(byte)), vceqq_u8(v.high, vdupq_n_u8(byte))};
}

/// Bytes from one up to another.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_within32(sluice_bytes32 v, uint8_t first, uint8_t last) {
    const uint8x16_t lowest = vdupq_n_u8(first), most = vdupq_n_u8(last - first);
    return (sluice_bytes32){vcleq_u8(vsubq_u8(v.low, lowest), most), vcleq_u8(vsubq_u8(v.high, lowest), most)};
}

/// Bytes outside of the range.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_beyond32(sluice_bytes32 v, uint8_t first, uint8_t last) {
    const uint8x16_t lowest = vdupq_n_u8(first), most = vdupq_n_u8(last - first);
    return (sluice_bytes32){vcgtq_u8(vsubq_u8(v.low, lowest), most), vcgtq_u8(vsubq_u8(v.high, lowest), most)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_or32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){vorrq_u8(a.low, b.low), vorrq_u8(a.high, b.high)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_and32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){vandq_u8(a.low, b.low), vandq_u8(a.high, b.high)};
}

/// Bits that are set in the first and not in the second.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_and_not32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){vbicq_u8(a.low, b.low), vbicq_u8(a.high, b.high)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_xor32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){veorq_u8(a.low, b.low), veorq_u8(a.high, b.high)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_fill32(uint8_t byte) {
    return (sluice_bytes32){vdupq_n_u8(byte), vdupq_n_u8(byte)};
}

/// Whether there is a byte that is not 0.
SLUICE_ALWAYS_INLINE bool sluice_any32(sluice_bytes32 v) { return vmaxvq_u8(vorrq_u8(v.low, v.high)) != 0; }

/// Each byte keeps a bit of its own, and neighbours are added up.
SLUICE_ALWAYS_INLINE uint32_t sluice_sums32(uint8x16_t low, uint8x16_t high) {
    uint8x16_t sums = vpaddq_u8(low, high);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(sums, sums)), 0);
}

#define SLUICE_WEIGHTS ((const uint8x16_t){1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128})

/// A bit for each byte that matches.
SLUICE_ALWAYS_INLINE uint32_t sluice_hits32(sluice_bytes32 v) {
    return sluice_sums32(vandq_u8(v.low, SLUICE_WEIGHTS), vandq_u8(v.high, SLUICE_WEIGHTS));
}

/// A bit for each byte that does not match.
SLUICE_ALWAYS_INLINE uint32_t sluice_misses32(sluice_bytes32 v) {
    return sluice_sums32(vbicq_u8(SLUICE_WEIGHTS, v.low), vbicq_u8(SLUICE_WEIGHTS, v.high));
}

#else

typedef uint8_t sluice_vector32 __attribute__((vector_size(32)));
typedef bool sluice_bits32 __attribute__((ext_vector_type(32)));

/// A structure, because vectors of 32 bytes are passed in other ways where there is AVX.
typedef struct {
    sluice_vector32 all;
} sluice_bytes32;

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_load32(const uint8_t *_Nonnull p) {
    sluice_bytes32 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

// Bytes that match become all ones, all others 0.

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_same32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){(sluice_vector32)(a.all == b.all)};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_equal32(sluice_bytes32 v, uint8_t byte) {
    return (sluice_bytes32){(sluice_vector32)(v.all == byte)};
}

/// Bytes from one up to another.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_within32(sluice_bytes32 v, uint8_t first, uint8_t last) {
    return (sluice_bytes32){(sluice_vector32)((sluice_vector32)(v.all - first) <= (uint8_t)(last - first))};
}

/// Bytes outside of the range.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_beyond32(sluice_bytes32 v, uint8_t first, uint8_t last) {
    return (sluice_bytes32){(sluice_vector32)((sluice_vector32)(v.all - first) > (uint8_t)(last - first))};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_or32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){a.all | b.all};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_and32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){a.all & b.all};
}

/// Bits that are set in the first and not in the second.
SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_and_not32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){a.all & ~b.all};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_xor32(sluice_bytes32 a, sluice_bytes32 b) {
    return (sluice_bytes32){a.all ^ b.all};
}

SLUICE_ALWAYS_INLINE sluice_bytes32 sluice_fill32(uint8_t byte) {
    return (sluice_bytes32){(sluice_vector32){0} + byte};
}

/// A bit for each byte that matches.
SLUICE_ALWAYS_INLINE uint32_t sluice_hits32(sluice_bytes32 v) {
    sluice_bits32 bits = __builtin_convertvector(v.all != 0, sluice_bits32);
    uint32_t mask;
    __builtin_memcpy(&mask, &bits, sizeof mask);
    return mask;
}

/// A bit for each byte that does not match.
SLUICE_ALWAYS_INLINE uint32_t sluice_misses32(sluice_bytes32 v) { return ~sluice_hits32(v); }

/// Whether there is a byte that is not 0.
SLUICE_ALWAYS_INLINE bool sluice_any32(sluice_bytes32 v) { return sluice_hits32(v) != 0; }

#endif
