#include "CSIMD.h"

// The scheme is that of G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28, 2019):
// masks of one bit per byte, escapes found by carries, strings by a prefix sum without carry.

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/// One bit per byte of a block of 64.
typedef struct {
    uint64_t quote, backslash, control, space, op;
} masks;

/// What one block leaves to the next.
typedef struct {
    uint64_t in_string;   // all ones inside of a string
    uint64_t escaped;     // 1 where the first byte is escaped
    uint64_t in_scalar;   // 1 where the byte before belongs to a scalar
} carry;

// Bytes that an odd run of backslashes stands before.
ALWAYS_INLINE uint64_t find_escaped(uint64_t backslash, carry *c) {
    const uint64_t even = 0x5555555555555555ull;
    if (!backslash) {
        uint64_t escaped = c->escaped;
        c->escaped = 0;
        return escaped;
    }
    backslash &= ~c->escaped;
    uint64_t follows = backslash << 1 | c->escaped;
    uint64_t odd_starts = backslash & ~even & ~follows;
    uint64_t from_even;
    c->escaped = __builtin_add_overflow(odd_starts, backslash, &from_even);
    return (even ^ from_even << 1) & follows;
}

ALWAYS_INLINE uint64_t xor_of_lower_bits(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/// @param unescaped The quotes that begin or end a string.
/// @param strings Bits from each opening quote up to before the closing one, had the block begun outside.
ALWAYS_INLINE uint64_t listed(masks m, uint64_t unescaped, uint64_t escaped, uint64_t strings, carry *c) {
    uint64_t in_string = strings ^ c->in_string;
    c->in_string = (uint64_t)((int64_t)in_string >> 63);
    uint64_t scalar = ~(m.op | m.space | unescaped);
    uint64_t starts = scalar & ~(scalar << 1 | c->in_scalar);
    c->in_scalar = scalar >> 63;
    return unescaped | ((m.op | starts) & ~in_string) | (((m.backslash & ~escaped) | m.control) & in_string);
}

/// What is written: places, and the bytes that stand there.
typedef struct {
    uint16_t *places;
    uint8_t *kinds;
} output;

ALWAYS_INLINE void write_block(output *out, uint64_t bits, const uint8_t *p, size_t at) {
    size_t count = (size_t)__builtin_popcountll(bits);
    uint16_t *places = out->places;
    uint8_t *kinds = out->kinds;
    while (bits) {
        // Four at a time, so that the loop's end is mispredicted less; what is written too much is written over.
        for (int i = 0; i < 4; i++) {
            size_t place = at + (size_t)__builtin_ctzll(bits | 1ull << 63);
            places[i] = (uint16_t)place;
            kinds[i] = p[place];
            bits &= bits - 1;
        }
        places += 4;
        kinds += 4;
    }
    out->places += count;
    out->kinds += count;
}

#if defined(__x86_64__)

#define SSE2_EQUAL(v, byte) _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(byte)))

static size_t index_sse2(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    carry c = {0, 0, 0};
    output out = {places, kinds};
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
        wide[at / 64] = _mm_movemask_epi8(any) != 0;
    }
    return (size_t)(out.places - places);
}

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,pclmul")))
#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,popcnt,lzcnt,pclmul")))

// Whitespace and operators by their low four bits: a byte is one where it equals what the table has for it.
#define SPACE_TABLE ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100
#define OP_TABLE 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0

AVX2 static size_t index_avx2(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    carry c = {0, 0, 0};
    output out = {places, kinds};
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
        wide[at / 64] = _mm256_movemask_epi8(any) != 0;
    }
    return (size_t)(out.places - places);
}

/// What stays in registers from block to block.
typedef struct {
    __m512i spaces, ops, numbers, base;
    carry c;
    output out;
} wide_state;

AVX512 ALWAYS_INLINE void index_wide_block(wide_state *s, const uint8_t *p, bool *wide) {
    __m512i v = _mm512_loadu_si512(p);
    *wide = _mm512_movepi8_mask(v) != 0;
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
    _mm512_storeu_si512(out->places, _mm512_add_epi16(s->base, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed))));
    if (__builtin_expect(found > 32, 0)) {
        __m256i rest = _mm512_extracti64x4_epi64(packed, 1);
        _mm512_storeu_si512(out->places + 32, _mm512_add_epi16(s->base, _mm512_cvtepu8_epi16(rest)));
    }
    _mm512_storeu_si512(out->kinds, _mm512_permutexvar_epi8(packed, v));
    s->base = _mm512_add_epi16(s->base, _mm512_set1_epi16(64));
    out->places += found;
    out->kinds += found;
}

AVX512 static size_t index_avx512(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    uint8_t counting[64];
    for (int i = 0; i < 64; i++) counting[i] = (uint8_t)i;
    wide_state s = {
        .spaces = _mm512_broadcast_i32x4(_mm_setr_epi8(SPACE_TABLE)),
        .ops = _mm512_broadcast_i32x4(_mm_setr_epi8(OP_TABLE)),
        .numbers = _mm512_loadu_si512(counting),
        .base = _mm512_setzero_si512(), .c = {0, 0, 0}, .out = {places, kinds}};
    size_t at = 0;
    // Two at a time, so that less is moved from register to register.
    for (; at + 128 <= count; at += 128) {
        index_wide_block(&s, p + at, wide + at / 64);
        index_wide_block(&s, p + at + 64, wide + at / 64 + 1);
    }
    if (at < count) index_wide_block(&s, p + at, wide + at / 64);
    return (size_t)(s.out.places - places);
}

ptrdiff_t sluice_json_index_by(
    enum sluice_vectors vectors, const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    if (vectors == SLUICE_VECTORS_NONE || vectors > sluice_vectors_most()) return -1;
    switch (vectors) {
    case SLUICE_VECTORS_AVX512: return (ptrdiff_t)index_avx512(p, count, places, kinds, wide);
    case SLUICE_VECTORS_AVX2: return (ptrdiff_t)index_avx2(p, count, places, kinds, wide);
    default: return (ptrdiff_t)index_sse2(p, count, places, kinds, wide);
    }
}

size_t sluice_json_index(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    switch (sluice_vectors_used()) {
    case SLUICE_VECTORS_AVX512: return index_avx512(p, count, places, kinds, wide);
    case SLUICE_VECTORS_AVX2: return index_avx2(p, count, places, kinds, wide);
    default: return index_sse2(p, count, places, kinds, wide);
    }
}

#elif defined(__aarch64__)

ALWAYS_INLINE uint64_t bits_of(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
    uint8x16_t sums = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#define EACH(expression)                                                                                        \
    ({                                                                                                          \
        uint8x16_t each[4];                                                                                     \
        for (int part = 0; part < 4; part++) {                                                                  \
            uint8x16_t v = parts[part], lower = vorrq_u8(v, vdupq_n_u8(0x20));                                  \
            (void)lower;                                                                                        \
            each[part] = (expression);                                                                          \
        }                                                                                                       \
        bits_of(each[0], each[1], each[2], each[3]);                                                            \
    })
#define EQUAL(v, byte) vceqq_u8(v, vdupq_n_u8(byte))

size_t sluice_json_index(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    carry c = {0, 0, 0};
    output out = {places, kinds};
    for (size_t at = 0; at < count; at += 64) {
        uint8x16_t parts[4];
        for (int part = 0; part < 4; part++) parts[part] = vld1q_u8(p + at + part * 16);
        wide[at / 64] = vmaxvq_u8(vorrq_u8(vorrq_u8(parts[0], parts[1]), vorrq_u8(parts[2], parts[3]))) >= 0x80;
        masks m;
        m.quote = EACH(EQUAL(v, '"'));
        m.backslash = EACH(EQUAL(v, '\\'));
        m.control = EACH(vcltq_u8(v, vdupq_n_u8(0x20)));
        m.space = EACH(vorrq_u8(vorrq_u8(EQUAL(v, ' '), EQUAL(v, '\n')), vorrq_u8(EQUAL(v, '\r'), EQUAL(v, '\t'))));
        m.op = EACH(vorrq_u8(vorrq_u8(EQUAL(lower, '{'), EQUAL(lower, '}')),
                             vorrq_u8(EQUAL(lower, ','), EQUAL(lower, ':'))));
        uint64_t escaped = find_escaped(m.backslash, &c);
        uint64_t unescaped = m.quote & ~escaped;
        write_block(&out, listed(m, unescaped, escaped, xor_of_lower_bits(unescaped), &c), p, at);
    }
    return (size_t)(out.places - places);
}

ptrdiff_t sluice_json_index_by(
    enum sluice_vectors vectors, const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    return vectors == SLUICE_VECTORS_LEAST ? (ptrdiff_t)sluice_json_index(p, count, places, kinds, wide) : -1;
}

#else

ptrdiff_t sluice_json_index_by(
    enum sluice_vectors vectors, const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    (void)vectors, (void)p, (void)count, (void)places, (void)kinds, (void)wide;
    return -1;
}

size_t sluice_json_index(const uint8_t *p, size_t count, uint16_t *places, uint8_t *kinds, bool *wide) {
    (void)p, (void)count, (void)places, (void)kinds, (void)wide;
    return 0;
}

#endif
