// The index with AVX2 and PCLMULQDQ.
#pragma once
#include "json_index.h"

static size_t index_avx2(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    carry c = {0, 0, 0};
    output out = {offsets, kinds};
    const __m256i spaces = _mm256_setr_epi8(SPACE_TABLE, SPACE_TABLE);
    const __m256i ops = _mm256_setr_epi8(OP_TABLE, OP_TABLE);
    for (size_t at = 0; at < count; at += 64) {
        masks m = {0, 0, 0, 0, 0};
        __m256i any = _mm256_setzero_si256();
        for (int part = 0; part < 2; part++) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(p + at + part * 32));
            any = _mm256_or_si256(any, v);
            __m256i lower = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
            int shift = part * 32;
#define MASK(hits) (uint64_t)(uint32_t)_mm256_movemask_epi8(hits) << shift
            m.quote |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')));
            m.backslash |= MASK(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));
            m.control |= MASK(_mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v));
            m.space |= MASK(_mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(spaces, v)));
            m.op |= MASK(_mm256_cmpeq_epi8(lower, _mm256_shuffle_epi8(ops, v)));
#undef MASK
        }
        uint64_t escaped = find_escaped(m.backslash, &c);
        uint64_t unescaped = m.quote & ~escaped;
        __m128i sums = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)unescaped), _mm_set1_epi8(-1), 0);
        write_block(&out, listed(m, unescaped, escaped, (uint64_t)_mm_cvtsi128_si64(sums), &c), p, at);
        non_ascii[at / 64] = _mm256_movemask_epi8(any) != 0;
    }
    return (size_t)(out.offsets - offsets);
}
