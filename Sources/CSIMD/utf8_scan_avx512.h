// UTF-8 with AVX-512 VBMI.
#pragma once
#include "utf8_scan.h"

ALWAYS_INLINE __m512i wide_table(const uint8_t *bytes) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)bytes));
}

/// The tables, in registers.
typedef struct {
    __m512i first_high, first_low, second_high;
} wide_tables;

ALWAYS_INLINE wide_tables make_wide_tables(void) {
    return (wide_tables){wide_table(first_high), wide_table(first_low), wide_table(second_high)};
}

/// Not zero where one of the 64 bytes at `at` has an error, or shows one of the bytes before.
ALWAYS_INLINE __m512i wide_errors(const uint8_t *p, size_t at, const wide_tables *by) {
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

static size_t utf8_avx512(const uint8_t *p, size_t count) {
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

static size_t blocks_avx512(const uint8_t *p, size_t count, const bool *non_ascii) {
    const wide_tables by = make_wide_tables();
    __m512i errors = _mm512_setzero_si512();
    EACH_BLOCK(errors = _mm512_or_si512(errors, wide_errors(p, at, &by)));
    return _mm512_test_epi8_mask(errors, errors) == 0 ? whole(p, count) : 0;
}
