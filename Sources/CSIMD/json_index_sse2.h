// The index with SSE2.
#pragma once
#include "json_index.h"

#define SSE2_EQUAL(v, byte) _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(byte)))

static size_t index_sse2(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    carry c = {0, 0, 0};
    output out = {offsets, kinds};
    for (size_t at = 0; at < count; at += 64) {
        masks m = {0, 0, 0, 0, 0};
        __m128i any = _mm_setzero_si128();
        for (int part = 0; part < 4; part++) {
            __m128i v = _mm_loadu_si128((const __m128i *)(p + at + part * 16));
            any = _mm_or_si128(any, v);
            __m128i lower = _mm_or_si128(v, _mm_set1_epi8(0x20));
            int shift = part * 16;
            m.quote |= (uint64_t)(uint32_t)SSE2_EQUAL(v, '"') << shift;
            m.backslash |= (uint64_t)(uint32_t)SSE2_EQUAL(v, '\\') << shift;
            __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
            m.control |= (uint64_t)(uint32_t)_mm_movemask_epi8(low) << shift;
            m.space |= (uint64_t)(uint32_t)(SSE2_EQUAL(v, ' ') | SSE2_EQUAL(v, '\n') | SSE2_EQUAL(v, '\r')
                                            | SSE2_EQUAL(v, '\t')) << shift;
            m.op |= (uint64_t)(uint32_t)(SSE2_EQUAL(lower, '{') | SSE2_EQUAL(lower, '}') | SSE2_EQUAL(lower, ',')
                                         | SSE2_EQUAL(lower, ':')) << shift;
        }
        uint64_t escaped = find_escaped(m.backslash, &c);
        uint64_t unescaped = m.quote & ~escaped;
        write_block(&out, listed(m, unescaped, escaped, xor_of_lower_bits(unescaped), &c), p, at);
        non_ascii[at / 64] = _mm_movemask_epi8(any) != 0;
    }
    return (size_t)(out.offsets - offsets);
}
