// Scans of JSON bytes, sixteen at a time. Every function reads only within [p, end).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "json_grammar.h"
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef uint8_t sluice_v16 __attribute__((vector_size(16)));

static inline sluice_v16 sluice_v16_load(const uint8_t *_Nonnull p) {
    sluice_v16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

// One bit per byte on x86-64, four per byte on arm64; the index of the first hit is ctz / SLUICE_BITS_PER_BYTE.
#if defined(__x86_64__)
#define SLUICE_BITS_PER_BYTE 1
typedef char sluice_c16 __attribute__((vector_size(16)));
static inline uint64_t sluice_v16_hits(sluice_v16 v) {
    return (uint32_t)__builtin_ia32_pmovmskb128((sluice_c16)v);
}
#elif defined(__aarch64__)
#define SLUICE_BITS_PER_BYTE 4
static inline uint64_t sluice_v16_hits(sluice_v16 v) {
    uint8x8_t narrowed = vshrn_n_u16(vreinterpretq_u16_u8((uint8x16_t)v), 4);
    return vget_lane_u64(vreinterpret_u64_u8(narrowed), 0);
}
#else
#define SLUICE_BITS_PER_BYTE 8
static inline uint64_t sluice_v16_hits(sluice_v16 v) {
    uint64_t halves[2];
    memcpy(halves, &v, sizeof halves);
    return halves[0];
}
#endif

// Bytes that end a run of plain string bytes: a quote, a backslash or a control character (RFC 8259 §7).
static inline sluice_v16 sluice_v16_special(sluice_v16 v) {
    return (sluice_v16)(v == '"') | (sluice_v16)(v == '\\') | (sluice_v16)(v < 0x20);
}

/// First byte that is a quote, a backslash or a control character; `end` where there is none.
static inline const uint8_t *_Nonnull sluice_json_plain(const uint8_t *_Nonnull p, const uint8_t *_Nonnull end) {
#if SLUICE_BITS_PER_BYTE < 8
    while (end - p >= 16) {
        uint64_t hits = sluice_v16_hits(sluice_v16_special(sluice_v16_load(p)));
        if (hits) return p + __builtin_ctzll(hits) / SLUICE_BITS_PER_BYTE;
        p += 16;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && *p >= 0x20) p++;
    return p;
}

/// First byte that is not JSON whitespace (RFC 8259 §2); `end` where there is none.
static inline const uint8_t *_Nonnull sluice_json_space(const uint8_t *_Nonnull p, const uint8_t *_Nonnull end) {
#if SLUICE_BITS_PER_BYTE < 8
    while (end - p >= 16) {
        sluice_v16 v = sluice_v16_load(p);
        sluice_v16 space = (sluice_v16)(v == ' ') | (sluice_v16)(v == '\n') | (sluice_v16)(v == '\r')
                           | (sluice_v16)(v == '\t');
        uint64_t hits = sluice_v16_hits(~space);
        if (hits) return p + __builtin_ctzll(hits) / SLUICE_BITS_PER_BYTE;
        p += 16;
    }
#endif
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
    return p;
}

/// First byte that no number and no literal has; `end` where there is none.
static inline const uint8_t *_Nonnull sluice_json_scalar_run(const uint8_t *_Nonnull p, const uint8_t *_Nonnull end) {
    for (; p < end; p++) {
        if ((uint8_t)(*p - '0') < 10 || (uint8_t)((*p | 0x20) - 'a') < 26) continue;
        if (*p != '-' && *p != '+' && *p != '.') break;
    }
    return p;
}

/// Whether two runs of `count` bytes are the same.
static inline _Bool sluice_json_same(const uint8_t *_Nonnull a, const uint8_t *_Nonnull b, ptrdiff_t count) {
    if (count > 16) return memcmp(a, b, (size_t)count) == 0;
    if (count >= 8) {
        uint64_t a1, a2, b1, b2;
        memcpy(&a1, a, 8), memcpy(&a2, a + count - 8, 8), memcpy(&b1, b, 8), memcpy(&b2, b + count - 8, 8);
        return ((a1 ^ b1) | (a2 ^ b2)) == 0;
    }
    if (count >= 4) {
        uint32_t a1, a2, b1, b2;
        memcpy(&a1, a, 4), memcpy(&a2, a + count - 4, 4), memcpy(&b1, b, 4), memcpy(&b2, b + count - 4, 4);
        return ((a1 ^ b1) | (a2 ^ b2)) == 0;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
        if (a[i] != b[i]) return 0;
    }
    return 1;
}

/// How many tokens a string with escapes takes; 0 where one of them is broken, or where fewer than four tokens follow
/// the string in the index.
/// @param kinds What stands at `offsets`, as the index gives them, from the string's opening quote on.
/// @param left How many tokens there are.
static inline ptrdiff_t sluice_json_escaped(
    const uint8_t *_Nonnull start, const uint16_t *_Nonnull offsets, const uint8_t *_Nonnull kinds, ptrdiff_t left) {
    for (ptrdiff_t i = 1; i + 5 <= left; i++) {
        if (kinds[i] == '"') return i + 1;
        if (kinds[i] != '\\') return 0;
        int count = sluice_json_escape_length(start + offsets[i]);
        if (count == 0) return 0;
        // The backslash of a low surrogate is a token of its own.
        if (count > 6) i++;
    }
    return 0;
}

/// Sets of bytes that may stand in the parts of a URL (RFC 3986 §3): its scheme, an IPv6 address between brackets, a
/// host, all of the authority, and anywhere.
enum sluice_uri_part {
    SLUICE_URI_SCHEME = 1,
    SLUICE_URI_ADDRESS = 2,
    SLUICE_URI_HOST = 4,
    SLUICE_URI_AUTHORITY = 8,
    SLUICE_URI_ANY = 16,
};

/// First byte that may not stand in a part of a URL; `end` where there is none.
const uint8_t *_Nonnull sluice_uri_run(
    const uint8_t *_Nonnull p, const uint8_t *_Nonnull end, enum sluice_uri_part part);
