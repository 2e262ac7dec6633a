#include "CSIMD.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__x86_64__) || defined(__aarch64__)

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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

// Back to where the last whole sequence ends for certain.
ALWAYS_INLINE size_t whole(const uint8_t *p, size_t at) {
    for (size_t back = 0; at > 0 && back < 4 && p[at - 1] >= 0x80; back++) {
        at--;
        if (p[at] >= 0xC0) break;
    }
    return at;
}

#endif

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

AVX2 ALWAYS_INLINE __m256i table(const uint8_t *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

AVX2 ALWAYS_INLINE __m256i before(__m256i v, __m256i earlier, const int n) {
    __m256i middle = _mm256_permute2x128_si256(earlier, v, 0x21);
    return n == 1 ? _mm256_alignr_epi8(v, middle, 15)
                  : n == 2 ? _mm256_alignr_epi8(v, middle, 14) : _mm256_alignr_epi8(v, middle, 13);
}

AVX2 ALWAYS_INLINE __m256i high_nibbles(__m256i v) {
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

AVX2 ALWAYS_INLINE __m256i utf8_errors(__m256i v, __m256i earlier) {
    __m256i last = before(v, earlier, 1);
    __m256i special = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(table(first_high), high_nibbles(last)),
            _mm256_shuffle_epi8(table(first_low), _mm256_and_si256(last, _mm256_set1_epi8(0x0F)))),
        _mm256_shuffle_epi8(table(second_high), high_nibbles(v)));
    // The third and fourth bytes of long sequences have to be continuations, and no others may be.
    __m256i third = _mm256_subs_epu8(before(v, earlier, 2), _mm256_set1_epi8((char)(0xE0 - 0x80)));
    __m256i fourth = _mm256_subs_epu8(before(v, earlier, 3), _mm256_set1_epi8((char)(0xF0 - 0x80)));
    __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(must, special);
}

AVX2 static size_t utf8_avx2(const uint8_t *p, size_t count) {
    size_t at = 0;
    __m256i earlier = _mm256_setzero_si256();
    while (count - at >= 64) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(p + at));
        __m256i b = _mm256_loadu_si256((const __m256i *)(p + at + 32));
        // A sequence that the last block has left open shows in `earlier`.
        if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), earlier))) {
            __m256i errors = _mm256_or_si256(utf8_errors(a, earlier), utf8_errors(b, a));
            if (!_mm256_testz_si256(errors, errors)) break;
        }
        earlier = b;
        at += 64;
    }
    return whole(p, at);
}

AVX512 ALWAYS_INLINE __m512i wide_table(const uint8_t *bytes) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)bytes));
}

AVX512 static size_t utf8_avx512(const uint8_t *p, size_t count) {
    size_t at = 0;
    const __m512i low = _mm512_set1_epi8(0x0F), top = _mm512_set1_epi8((char)0x80);
    const __m512i by_first_high = wide_table(first_high), by_first_low = wide_table(first_low);
    const __m512i by_second_high = wide_table(second_high);
    uint64_t open = 0;
    for (; count - at >= 64; at += 64) {
        __m512i v = _mm512_loadu_si512(p + at);
        uint64_t high = _mm512_movepi8_mask(v);
        if (!(high | open)) continue;
        // The bytes one, two and three before each: of the block before only its last three may matter.
        __m512i last, third, fourth;
        if (at == 0) {
            last = _mm512_maskz_loadu_epi8(~0ull << 1, p - 1);
            third = _mm512_maskz_loadu_epi8(~0ull << 2, p - 2);
            fourth = _mm512_maskz_loadu_epi8(~0ull << 3, p - 3);
        } else {
            last = _mm512_loadu_si512(p + at - 1);
            third = _mm512_loadu_si512(p + at - 2);
            fourth = _mm512_loadu_si512(p + at - 3);
        }
        __m512i special = _mm512_and_si512(
            _mm512_and_si512(
                _mm512_shuffle_epi8(by_first_high, _mm512_and_si512(_mm512_srli_epi16(last, 4), low)),
                _mm512_shuffle_epi8(by_first_low, _mm512_and_si512(last, low))),
            _mm512_shuffle_epi8(by_second_high, _mm512_and_si512(_mm512_srli_epi16(v, 4), low)));
        __m512i long_third = _mm512_subs_epu8(third, _mm512_set1_epi8((char)(0xE0 - 0x80)));
        __m512i long_fourth = _mm512_subs_epu8(fourth, _mm512_set1_epi8((char)(0xF0 - 0x80)));
        __m512i must = _mm512_and_si512(_mm512_or_si512(long_third, long_fourth), top);
        if (_mm512_cmpneq_epi8_mask(must, special)) break;
        open = high >> 61;
    }
    return whole(p, at);
}

size_t sluice_utf8_prefix(const uint8_t *p, size_t count) {
    switch (sluice_vectors_used()) {
    case SLUICE_VECTORS_AVX512: return utf8_avx512(p, count);
    case SLUICE_VECTORS_AVX2: return utf8_avx2(p, count);
    default: return 0;
    }
}

#elif defined(__aarch64__)

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

size_t sluice_utf8_prefix(const uint8_t *p, size_t count) {
    return sluice_vectors_used() == SLUICE_VECTORS_NONE ? 0 : utf8_neon(p, count);
}

#else

size_t sluice_utf8_prefix(const uint8_t *p, size_t count) {
    (void)p, (void)count;
    return 0;
}

#endif
