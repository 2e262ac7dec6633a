// The x86 vector intrinsics that the JSON kernels use, in plain C: so every machine can prove the text that is written
// for vectors it lacks. Named and defined as in Intel's Intrinsics Guide; bytes are counted from the lowest.
#pragma once
#include <stdint.h>
#include <string.h>

#define EMULATED static inline __attribute__((always_inline, unused))

typedef struct { uint8_t byte[16]; } __m128i;
typedef struct { uint8_t byte[32]; } __m256i;
typedef struct { uint8_t byte[64]; } __m512i;
typedef uint8_t __mmask8;
typedef uint64_t __mmask64;

#define EACH_BYTE(count, expression)                                                                             \
    for (int i = 0; i < (count); i++) r.byte[i] = (uint8_t)(expression);                                         \
    return r
#define EACH_BIT(count, condition)                                                                               \
    uint64_t r = 0;                                                                                              \
    for (int i = 0; i < (count); i++) r |= (uint64_t)(condition) << i;                                           \
    return r

/// Words of 16 bits, of which a vector of so many bytes has half as many.
#define EACH_WORD(count, expression)                                                                             \
    for (int i = 0; i < (count) / 2; i++) {                                                                      \
        uint16_t x, y = 0;                                                                                       \
        memcpy(&x, a.byte + 2 * i, 2);                                                                           \
        (void)y;                                                                                                 \
        x = (uint16_t)(expression);                                                                              \
        memcpy(r.byte + 2 * i, &x, 2);                                                                           \
    }                                                                                                            \
    return r

EMULATED uint8_t saturated_difference(uint8_t a, uint8_t b) { return a > b ? (uint8_t)(a - b) : 0; }

/// What all three widths have in common.
#define EVERY_WIDTH(vector, prefix, suffix, count)                                                               \
    EMULATED vector prefix##_set1_epi8(char a) { vector r; EACH_BYTE(count, a); }                                \
    EMULATED vector prefix##_setzero_##suffix(void) { vector r; EACH_BYTE(count, 0); }                           \
    EMULATED vector prefix##_or_##suffix(vector a, vector b) { vector r; EACH_BYTE(count, a.byte[i] | b.byte[i]); }   \
    EMULATED vector prefix##_and_##suffix(vector a, vector b) { vector r; EACH_BYTE(count, a.byte[i] & b.byte[i]); }  \
    EMULATED vector prefix##_xor_##suffix(vector a, vector b) { vector r; EACH_BYTE(count, a.byte[i] ^ b.byte[i]); }  \
    EMULATED vector prefix##_subs_epu8(vector a, vector b) {                                                     \
        vector r;                                                                                                \
        EACH_BYTE(count, saturated_difference(a.byte[i], b.byte[i]));                                            \
    }                                                                                                            \
    EMULATED vector prefix##_min_epu8(vector a, vector b) {                                                      \
        vector r;                                                                                                \
        EACH_BYTE(count, a.byte[i] < b.byte[i] ? a.byte[i] : b.byte[i]);                                         \
    }                                                                                                            \
    /* Each sixteen bytes look into their own sixteen. */                                                        \
    EMULATED vector prefix##_shuffle_epi8(vector a, vector b) {                                                  \
        vector r;                                                                                                \
        EACH_BYTE(count, b.byte[i] & 0x80 ? 0 : a.byte[(i & ~15) | (b.byte[i] & 15)]);                           \
    }                                                                                                            \
    EMULATED vector prefix##_srli_epi16(vector a, unsigned bits) { vector r; EACH_WORD(count, x >> bits); }

EVERY_WIDTH(__m128i, _mm, si128, 16)
EVERY_WIDTH(__m256i, _mm256, si256, 32)
EVERY_WIDTH(__m512i, _mm512, si512, 64)

/// What the two narrower ones have in common.
#define BOTH_WIDTHS(vector, prefix, suffix, count)                                                               \
    EMULATED vector prefix##_loadu_##suffix(const vector *p) { vector r; memcpy(&r, p, count); return r; }       \
    EMULATED void prefix##_storeu_##suffix(vector *p, vector a) { memcpy(p, &a, count); }                        \
    EMULATED vector prefix##_cmpeq_epi8(vector a, vector b) {                                                    \
        vector r;                                                                                                \
        EACH_BYTE(count, a.byte[i] == b.byte[i] ? 0xFF : 0);                                                     \
    }                                                                                                            \
    EMULATED uint64_t prefix##_bits(vector a) { EACH_BIT(count, a.byte[i] >> 7); }                               \
    EMULATED int prefix##_movemask_epi8(vector a) { return (int)(uint32_t)prefix##_bits(a); }

/// What the two wider ones have in common.
#define WIDER(vector, prefix, half, count)                                                                       \
    EMULATED vector prefix##_set1_epi16(short a) { vector r; EACH_BYTE(count, (uint16_t)a >> 8 * (i & 1)); }     \
    EMULATED vector prefix##_add_epi16(vector a, vector b) {                                                     \
        vector r;                                                                                                \
        EACH_WORD(count, (memcpy(&y, b.byte + 2 * i, 2), x + y));                                                \
    }                                                                                                            \
    EMULATED vector prefix##_cvtepu8_epi16(half a) { vector r; EACH_BYTE(count, i & 1 ? 0 : a.byte[i / 2]); }

WIDER(__m256i, _mm256, __m128i, 32)
WIDER(__m512i, _mm512, __m256i, 64)

BOTH_WIDTHS(__m128i, _mm, si128, 16)
BOTH_WIDTHS(__m256i, _mm256, si256, 32)

#define _mm_setr_epi8(...) ((__m128i){{__VA_ARGS__}})
#define _mm256_setr_epi8(...) ((__m256i){{__VA_ARGS__}})

EMULATED __m128i _mm_set_epi64x(long long high, long long low) {
    __m128i r;
    memcpy(r.byte, &low, 8), memcpy(r.byte + 8, &high, 8);
    return r;
}

EMULATED __m128i _mm_loadl_epi64(const __m128i *p) {
    __m128i r = {{0}};
    memcpy(&r, p, 8);
    return r;
}

// A load of the upper half is one of floating-point vectors, to which the others are cast.
typedef __m128i __m128;
typedef uint64_t __m64;
EMULATED __m128 _mm_castsi128_ps(__m128i a) { return a; }
EMULATED __m128i _mm_castps_si128(__m128 a) { return a; }
EMULATED __m128 _mm_loadh_pi(__m128 a, const __m64 *p) {
    memcpy(a.byte + 8, p, 8);
    return a;
}

EMULATED __m128i _mm_add_epi8(__m128i a, __m128i b) { __m128i r; EACH_BYTE(16, a.byte[i] + b.byte[i]); }

EMULATED long long _mm_cvtsi128_si64(__m128i a) {
    long long low;
    memcpy(&low, a.byte, 8);
    return low;
}

/// The lower half of the product without carries of the two lower halves, which is all that is asked for.
EMULATED __m128i emulated_clmul(__m128i a, __m128i b) {
    uint64_t x = (uint64_t)_mm_cvtsi128_si64(a), y = (uint64_t)_mm_cvtsi128_si64(b), product = 0;
    for (int i = 0; i < 64; i++) product ^= (y >> i & 1) ? x << i : 0;
    return _mm_set_epi64x(0, (long long)product);
}
#define _mm_clmulepi64_si128(a, b, halves) \
    ({ _Static_assert((halves) == 0, "only the lower halves"); emulated_clmul(a, b); })

EMULATED __m256i _mm256_broadcastsi128_si256(__m128i a) { __m256i r; EACH_BYTE(32, a.byte[i & 15]); }

EMULATED int _mm256_testz_si256(__m256i a, __m256i b) {
    uint8_t any = 0;
    for (int i = 0; i < 32; i++) any |= a.byte[i] & b.byte[i];
    return any == 0;
}

/// The upper half of `a` before the lower half of `b`.
EMULATED __m256i emulated_middle(__m256i a, __m256i b) {
    __m256i r;
    memcpy(r.byte, a.byte + 16, 16), memcpy(r.byte + 16, b.byte, 16);
    return r;
}
#define _mm256_permute2x128_si256(a, b, halves) \
    ({ _Static_assert((halves) == 0x21, "only the middle"); emulated_middle(a, b); })

/// In each sixteen bytes: those of `b` and behind them those of `a`, from byte number `from` on.
EMULATED __m256i _mm256_alignr_epi8(__m256i a, __m256i b, int from) {
    __m256i r;
    EACH_BYTE(32, (i & 15) + from < 16 ? b.byte[i + from] : a.byte[i + from - 16]);
}

EMULATED __m512i _mm512_loadu_si512(const void *p) {
    __m512i r;
    memcpy(&r, p, 64);
    return r;
}

EMULATED void _mm512_storeu_si512(void *p, __m512i a) { memcpy(p, &a, 64); }

/// Bytes that the mask leaves out are not touched.
EMULATED __m512i _mm512_maskz_loadu_epi8(__mmask64 mask, const void *p) {
    __m512i r;
    EACH_BYTE(64, mask >> i & 1 ? ((const uint8_t *)p)[i] : 0);
}

EMULATED __m512i _mm512_broadcast_i32x4(__m128i a) { __m512i r; EACH_BYTE(64, a.byte[i & 15]); }
EMULATED __m512i _mm512_add_epi8(__m512i a, __m512i b) { __m512i r; EACH_BYTE(64, a.byte[i] + b.byte[i]); }
EMULATED __m512i _mm512_sub_epi8(__m512i a, __m512i b) { __m512i r; EACH_BYTE(64, a.byte[i] - b.byte[i]); }
EMULATED __m512i _mm512_sub_epi16(__m512i a, __m512i b) {
    __m512i r;
    EACH_WORD(64, (memcpy(&y, b.byte + 2 * i, 2), x - y));
}

EMULATED __m256i _mm512_castsi512_si256(__m512i a) { __m256i r; EACH_BYTE(32, a.byte[i]); }
EMULATED __m256i _mm512_extracti64x4_epi64(__m512i a, int half) { __m256i r; EACH_BYTE(32, a.byte[32 * half + i]); }

EMULATED __m512i _mm512_maskz_mov_epi8(__mmask64 mask, __m512i a) {
    __m512i r;
    EACH_BYTE(64, mask >> i & 1 ? a.byte[i] : 0);
}

EMULATED __m512i _mm512_maskz_compress_epi8(__mmask64 mask, __m512i a) {
    __m512i r = {{0}};
    for (int i = 0, count = 0; i < 64; i++) {
        if (mask >> i & 1) r.byte[count++] = a.byte[i];
    }
    return r;
}

EMULATED __m512i _mm512_permutexvar_epi8(__m512i places, __m512i a) {
    __m512i r;
    EACH_BYTE(64, a.byte[places.byte[i] & 63]);
}

EMULATED __m512i _mm512_permutex2var_epi8(__m512i a, __m512i places, __m512i b) {
    __m512i r;
    EACH_BYTE(64, (places.byte[i] & 64 ? b : a).byte[places.byte[i] & 63]);
}

EMULATED __mmask64 _mm512_movepi8_mask(__m512i a) { EACH_BIT(64, a.byte[i] >> 7); }
EMULATED __mmask64 _mm512_cmpeq_epi8_mask(__m512i a, __m512i b) { EACH_BIT(64, a.byte[i] == b.byte[i]); }
EMULATED __mmask64 _mm512_cmpneq_epi8_mask(__m512i a, __m512i b) { EACH_BIT(64, a.byte[i] != b.byte[i]); }
EMULATED __mmask64 _mm512_cmplt_epu8_mask(__m512i a, __m512i b) { EACH_BIT(64, a.byte[i] < b.byte[i]); }
EMULATED __mmask64 _mm512_cmpgt_epu8_mask(__m512i a, __m512i b) { EACH_BIT(64, a.byte[i] > b.byte[i]); }
EMULATED __mmask64 _mm512_test_epi8_mask(__m512i a, __m512i b) { EACH_BIT(64, (a.byte[i] & b.byte[i]) != 0); }
EMULATED __mmask64 _mm512_testn_epi8_mask(__m512i a, __m512i b) { EACH_BIT(64, (a.byte[i] & b.byte[i]) == 0); }

EMULATED __mmask8 _mm512_cmpeq_epi64_mask(__m512i a, __m512i b) {
    uint8_t r = 0;
    for (int i = 0; i < 8; i++) r |= (uint8_t)((memcmp(a.byte + 8 * i, b.byte + 8 * i, 8) == 0) << i);
    return r;
}
EMULATED __mmask8 _mm512_cmpneq_epi64_mask(__m512i a, __m512i b) { return (__mmask8)~_mm512_cmpeq_epi64_mask(a, b); }
EMULATED __mmask8 _mm512_mask_cmpneq_epi64_mask(__mmask8 mask, __m512i a, __m512i b) {
    return mask & _mm512_cmpneq_epi64_mask(a, b);
}

/// BMI2: the lowest bits of `a`, one for each bit of `mask`.
EMULATED uint64_t _pdep_u64(uint64_t a, uint64_t mask) {
    uint64_t r = 0;
    for (; mask; mask &= mask - 1, a >>= 1) r |= a & 1 ? mask & -mask : 0;
    return r;
}
