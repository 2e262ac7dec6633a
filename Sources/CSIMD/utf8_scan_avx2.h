// UTF-8 with AVX2.
#pragma once
#include "utf8_scan.h"

ALWAYS_INLINE __m256i table(const uint8_t *bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

ALWAYS_INLINE __m256i before(__m256i v, __m256i earlier, const int n) {
    __m256i middle = _mm256_permute2x128_si256(earlier, v, 0x21);
    return n == 1 ? _mm256_alignr_epi8(v, middle, 15)
                  : n == 2 ? _mm256_alignr_epi8(v, middle, 14) : _mm256_alignr_epi8(v, middle, 13);
}

ALWAYS_INLINE __m256i high_nibbles(__m256i v) {
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

/// Not zero where a byte of `v` has an error, or shows one of the bytes before.
/// @param last The bytes one before each; `second` two and `third` three before.
ALWAYS_INLINE __m256i errors_among(__m256i v, __m256i last, __m256i second, __m256i third) {
    __m256i special = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(table(first_high), high_nibbles(last)),
            _mm256_shuffle_epi8(table(first_low), _mm256_and_si256(last, _mm256_set1_epi8(0x0F)))),
        _mm256_shuffle_epi8(table(second_high), high_nibbles(v)));
    // The third and fourth bytes of long sequences have to be continuations, and no others may be.
    __m256i is_third = _mm256_subs_epu8(second, _mm256_set1_epi8((char)(0xE0 - 0x80)));
    __m256i is_fourth = _mm256_subs_epu8(third, _mm256_set1_epi8((char)(0xF0 - 0x80)));
    __m256i must = _mm256_and_si256(_mm256_or_si256(is_third, is_fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(must, special);
}

ALWAYS_INLINE __m256i utf8_errors(__m256i v, __m256i earlier) {
    return errors_among(v, before(v, earlier, 1), before(v, earlier, 2), before(v, earlier, 3));
}

ALWAYS_INLINE __m256i bytes_at(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

/// The errors of the bytes at `p`, before which three bytes are readable: loading costs less than moving across lanes.
ALWAYS_INLINE __m256i utf8_errors_at(const uint8_t *p) {
    return errors_among(bytes_at(p), bytes_at(p - 1), bytes_at(p - 2), bytes_at(p - 3));
}

static size_t utf8_avx2(const uint8_t *p, size_t count) {
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

static size_t blocks_avx2(const uint8_t *p, size_t count, const bool *non_ascii) {
    __m256i errors = _mm256_setzero_si256();
    EACH_BLOCK(({
        __m256i first = at ? utf8_errors_at(p + at) : utf8_errors(bytes_at(p), _mm256_setzero_si256());
        errors = _mm256_or_si256(errors, _mm256_or_si256(first, utf8_errors_at(p + at + 32)));
    }));
    return _mm256_testz_si256(errors, errors) ? whole(p, count) : 0;
}
