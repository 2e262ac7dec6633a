// The index with AVX-512 VBMI and VBMI2.
#pragma once
#include "json_index.h"

/// State that stays in registers from block to block.
typedef struct {
    __m512i spaces, ops, numbers, base;
    carry c;
    output out;
} wide_state;

ALWAYS_INLINE void index_wide_block(wide_state *s, const uint8_t *p, bool *non_ascii) {
    __m512i v = _mm512_loadu_si512(p);
    *non_ascii = _mm512_movepi8_mask(v) != 0;
    __m512i lower = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
    masks m;
    m.quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    m.backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    m.control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
    m.space = _mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(s->spaces, v));
    m.op = _mm512_cmpeq_epi8_mask(lower, _mm512_shuffle_epi8(s->ops, v));
    uint64_t escaped = find_escaped(m.backslash, &s->c);
    uint64_t unescaped = m.quote & ~escaped;
    __m128i sums = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)unescaped), _mm_set1_epi8(-1), 0);
    uint64_t bits = listed(m, unescaped, escaped, (uint64_t)_mm_cvtsi128_si64(sums), &s->c);
    __m512i packed = _mm512_maskz_compress_epi8(bits, s->numbers);
    int found = __builtin_popcountll(bits);
    output *out = &s->out;
    _mm512_storeu_si512(out->offsets, _mm512_add_epi16(s->base, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed))));
    if (__builtin_expect(found > 32, 0)) {
        __m256i rest = _mm512_extracti64x4_epi64(packed, 1);
        _mm512_storeu_si512(out->offsets + 32, _mm512_add_epi16(s->base, _mm512_cvtepu8_epi16(rest)));
    }
    _mm512_storeu_si512(out->kinds, _mm512_permutexvar_epi8(packed, v));
    s->base = _mm512_add_epi16(s->base, _mm512_set1_epi16(64));
    out->offsets += found;
    out->kinds += found;
}

static size_t index_avx512(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    uint8_t counting[64];
    for (int i = 0; i < 64; i++) counting[i] = (uint8_t)i;
    wide_state s = {
        .spaces = _mm512_broadcast_i32x4(_mm_setr_epi8(SPACE_TABLE)),
        .ops = _mm512_broadcast_i32x4(_mm_setr_epi8(OP_TABLE)),
        .numbers = _mm512_loadu_si512(counting),
        .base = _mm512_setzero_si512(), .c = {0, 0, 0}, .out = {offsets, kinds}};
    size_t at = 0;
    // Two at a time, so that less is moved from register to register.
    for (; at + 128 <= count; at += 128) {
        index_wide_block(&s, p + at, non_ascii + at / 64);
        index_wide_block(&s, p + at + 64, non_ascii + at / 64 + 1);
    }
    if (at < count) index_wide_block(&s, p + at, non_ascii + at / 64);
    return (size_t)(s.out.offsets - offsets);
}
