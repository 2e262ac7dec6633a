// The index with AVX2 and PCLMULQDQ.
#pragma once
#include "json_index.h"
#include "json_index_table.h"

enum {
    /// Blocks whose tokens are found before they are written, so that either loop has the registers to itself.
    AVX2_BLOCKS = 64
};

ALWAYS_INLINE __m256i load256(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

/// A bit for each of 64 bytes that is hit.
ALWAYS_INLINE uint64_t hits_of(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/// Each bit becomes the sum, without carry, of it and all lower ones.
ALWAYS_INLINE uint64_t sums_of(uint64_t bits) {
    __m128i sums = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8(-1), 0);
    return (uint64_t)_mm_cvtsi128_si64(sums);
}

/// A bit for each token of a block.
ALWAYS_INLINE uint64_t tokens_of(const uint8_t *p, carry *c, bool *non_ascii) {
    const __m256i spaces = _mm256_setr_epi8(SPACE_TABLE, SPACE_TABLE);
    const __m256i ops = _mm256_setr_epi8(OP_TABLE, OP_TABLE);
    const __m256i letter = _mm256_set1_epi8(0x20), control = _mm256_set1_epi8(0x1F);
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
    __m256i v = load256(p), u = load256(p + 32);
    *non_ascii = _mm256_movemask_epi8(_mm256_or_si256(v, u)) != 0;
    masks m = {
        .quote = hits_of(_mm256_cmpeq_epi8(v, quote), _mm256_cmpeq_epi8(u, quote)),
        .control = hits_of(
            _mm256_cmpeq_epi8(_mm256_min_epu8(v, control), v), _mm256_cmpeq_epi8(_mm256_min_epu8(u, control), u)),
        .space = hits_of(
            _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(spaces, v)), _mm256_cmpeq_epi8(u, _mm256_shuffle_epi8(spaces, u))),
        .op = hits_of(
            _mm256_cmpeq_epi8(_mm256_or_si256(v, letter), _mm256_shuffle_epi8(ops, v)),
            _mm256_cmpeq_epi8(_mm256_or_si256(u, letter), _mm256_shuffle_epi8(ops, u)))};
    __m256i low = _mm256_cmpeq_epi8(v, backslash), high = _mm256_cmpeq_epi8(u, backslash);
    // Most blocks have no backslash, so they take a copy of the code without the handling of escapes.
    if ((uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(low, high)) | c->escaped) {
        m.backslash = hits_of(low, high);
        uint64_t escaped = find_escaped(m.backslash, c);
        return listed(m, m.quote & ~escaped, escaped, sums_of(m.quote & ~escaped), c);
    }
    return listed(m, m.quote, 0, sums_of(m.quote), c);
}

/// Numbers of the marked bytes, in one half for each eight bytes.
ALWAYS_INLINE __m128i marked_halves(const uint8_t *bits) {
    __m128i low = _mm_loadl_epi64((const __m128i *)(marked_bytes + bits[0]));
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(marked_bytes + bits[1])));
}

/// Writes the tokens of sixteen bytes, and surplus bytes behind them: there is no branch on the number of tokens.
/// @param bits A mask of the block's bytes.
/// @param number Number of the first byte in the block.
/// @param base Offset of the block, sixteen times.
/// @returns How many tokens there are.
ALWAYS_INLINE size_t write_sixteen(
    uint16_t *offsets, uint8_t *kinds, const uint8_t *bits, const uint8_t *p, int number, __m256i base) {
    const long long each = 0x0101010101010101;
    uint16_t all;
    __builtin_memcpy(&all, bits + number / 8, sizeof all);
    const uint8_t *join = joined_halves[__builtin_popcount(bits[number / 8])];
    __m128i marked = _mm_add_epi8(marked_halves(bits + number / 8), _mm_set_epi64x(each * (number + 8), each * number));
    marked = _mm_shuffle_epi8(marked, _mm_loadu_si128((const __m128i *)join));
    // The shuffle looks at the lower four bits of a byte's number in the block.
    __m128i found = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + number)), marked);
    _mm_storeu_si128((__m128i *)kinds, found);
    _mm256_storeu_si256((__m256i *)offsets, _mm256_add_epi16(base, _mm256_cvtepu8_epi16(marked)));
    return (size_t)__builtin_popcount(all);
}

static size_t index_avx2(const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    carry c = {0, 0, 0};
    size_t found = 0;
    __m256i base = _mm256_setzero_si256();
    for (size_t at = 0; at < count;) {
        uint64_t tokens[AVX2_BLOCKS];
        size_t blocks = (count - at) / 64 < AVX2_BLOCKS ? (count - at) / 64 : AVX2_BLOCKS;
        for (size_t i = 0; i < blocks; i++) tokens[i] = tokens_of(p + at + 64 * i, &c, non_ascii + at / 64 + i);
        for (size_t i = 0; i < blocks; i++, at += 64) {
            const uint8_t *bits = (const uint8_t *)(tokens + i);
            found += write_sixteen(offsets + found, kinds + found, bits, p + at, 0, base);
            found += write_sixteen(offsets + found, kinds + found, bits, p + at, 16, base);
            found += write_sixteen(offsets + found, kinds + found, bits, p + at, 32, base);
            found += write_sixteen(offsets + found, kinds + found, bits, p + at, 48, base);
            base = _mm256_add_epi16(base, _mm256_set1_epi16(64));
        }
    }
    return found;
}
