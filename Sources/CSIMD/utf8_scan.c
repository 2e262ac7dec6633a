#include "CSIMD.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Back to where the last whole sequence ends for certain.
ALWAYS_INLINE size_t whole(const uint8_t *p, size_t at) {
    for (size_t back = 0; at > 0 && back < 4 && p[at - 1] >= 0x80; back++) {
        at--;
        if (p[at] >= 0xC0) break;
    }
    return at;
}

#if !defined(__aarch64__)
static bool is_ascii(const bool *wide, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) any |= wide[i];
    return !any;
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)

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

/// Does so for each block of 64 bytes that is not ASCII, or comes after one that is not, and may show its last error.
#define EACH_BLOCK(what)                                                                                         \
    uint64_t carried = 0;                                                                                        \
    for (size_t base = 0; base < count; base += 512) {                                                           \
        uint64_t listed;                                                                                         \
        __builtin_memcpy(&listed, wide + base / 64, sizeof listed);                                              \
        uint64_t wanted = listed | listed << 8 | carried;                                                        \
        carried = listed >> 56;                                                                                  \
        for (; wanted; wanted &= wanted - 1) {                                                                   \
            size_t at = base + (size_t)__builtin_ctzll(wanted) / 8 * 64;                                         \
            if (at >= count) break;                                                                              \
            what;                                                                                                \
        }                                                                                                        \
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

AVX2 static bool blocks_avx2(const uint8_t *p, size_t count, const bool *wide) {
    __m256i errors = _mm256_setzero_si256();
    EACH_BLOCK(({
        __m256i earlier = at ? _mm256_loadu_si256((const __m256i *)(p + at - 32)) : _mm256_setzero_si256();
        __m256i a = _mm256_loadu_si256((const __m256i *)(p + at));
        __m256i b = _mm256_loadu_si256((const __m256i *)(p + at + 32));
        errors = _mm256_or_si256(errors, _mm256_or_si256(utf8_errors(a, earlier), utf8_errors(b, a)));
    }));
    return _mm256_testz_si256(errors, errors);
}

AVX512 ALWAYS_INLINE __m512i wide_table(const uint8_t *bytes) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)bytes));
}

/// The tables, in registers.
typedef struct {
    __m512i first_high, first_low, second_high;
} wide_tables;

AVX512 ALWAYS_INLINE wide_tables make_wide_tables(void) {
    return (wide_tables){wide_table(first_high), wide_table(first_low), wide_table(second_high)};
}

/// Not zero where one of the 64 bytes at `at` has an error, or shows one of the bytes before.
AVX512 ALWAYS_INLINE __m512i wide_errors(const uint8_t *p, size_t at, const wide_tables *by) {
    const __m512i low = _mm512_set1_epi8(0x0F), top = _mm512_set1_epi8((char)0x80);
    __m512i v = _mm512_loadu_si512(p + at), last, third, fourth;
    // The bytes one, two and three before each: of the block before only its last three may matter.
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
            _mm512_shuffle_epi8(by->first_high, _mm512_and_si512(_mm512_srli_epi16(last, 4), low)),
            _mm512_shuffle_epi8(by->first_low, _mm512_and_si512(last, low))),
        _mm512_shuffle_epi8(by->second_high, _mm512_and_si512(_mm512_srli_epi16(v, 4), low)));
    __m512i long_third = _mm512_subs_epu8(third, _mm512_set1_epi8((char)(0xE0 - 0x80)));
    __m512i long_fourth = _mm512_subs_epu8(fourth, _mm512_set1_epi8((char)(0xF0 - 0x80)));
    return _mm512_xor_si512(_mm512_and_si512(_mm512_or_si512(long_third, long_fourth), top), special);
}

AVX512 static size_t utf8_avx512(const uint8_t *p, size_t count) {
    const wide_tables by = make_wide_tables();
    size_t at = 0;
    uint64_t open = 0;
    for (; count - at >= 64; at += 64) {
        uint64_t high = _mm512_movepi8_mask(_mm512_loadu_si512(p + at));
        if (!(high | open)) continue;
        __m512i errors = wide_errors(p, at, &by);
        if (_mm512_test_epi8_mask(errors, errors)) break;
        open = high >> 61;
    }
    return whole(p, at);
}

AVX512 static bool blocks_avx512(const uint8_t *p, size_t count, const bool *wide) {
    const wide_tables by = make_wide_tables();
    __m512i errors = _mm512_setzero_si512();
    EACH_BLOCK(errors = _mm512_or_si512(errors, wide_errors(p, at, &by)));
    return _mm512_test_epi8_mask(errors, errors) == 0;
}

size_t sluice_utf8_prefix(const uint8_t *p, size_t count) {
    switch (sluice_vectors_used()) {
    case SLUICE_VECTORS_AVX512: return utf8_avx512(p, count);
    case SLUICE_VECTORS_AVX2: return utf8_avx2(p, count);
    default: return 0;
    }
}

static bool blocks(const uint8_t *p, size_t count, const bool *wide) {
    switch (sluice_vectors_used()) {
    case SLUICE_VECTORS_AVX512: return blocks_avx512(p, count, wide);
    case SLUICE_VECTORS_AVX2: return blocks_avx2(p, count, wide);
    default: return is_ascii(wide, count / 64);
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

static bool blocks(const uint8_t *p, size_t count, const bool *wide) {
    uint8x16_t errors = vdupq_n_u8(0);
    EACH_BLOCK(({
        uint8x16_t earlier = at ? vld1q_u8(p + at - 16) : vdupq_n_u8(0);
        for (size_t part = 0; part < 64; part += 16) {
            uint8x16_t v = vld1q_u8(p + at + part);
            errors = vorrq_u8(errors, utf8_errors(v, earlier));
            earlier = v;
        }
    }));
    return vmaxvq_u8(errors) == 0;
}

#else

size_t sluice_utf8_prefix(const uint8_t *p, size_t count) {
    (void)p, (void)count;
    return 0;
}

static bool blocks(const uint8_t *p, size_t count, const bool *wide) {
    (void)p;
    return is_ascii(wide, count / 64);
}

#endif

size_t sluice_utf8_blocks(const uint8_t *p, size_t count, const bool *wide) {
    return blocks(p, count, wide) ? whole(p, count) : 0;
}
