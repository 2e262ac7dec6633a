// Scans over the bytes of HTTP heads (RFC 9110 §5.5, §5.6.2; RFC 3986 §3.3, §3.4).
//
// Vector extensions and one builtin instead of intrinsics headers, so that the module stays importable anywhere; only
// what every x86-64 (SSE2) and every arm64 (NEON) has is used, so no -march flag and no dispatch are needed.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef uint8_t sluice_http_bytes __attribute__((vector_size(16)));
typedef char sluice_http_chars __attribute__((vector_size(16)));
typedef uint16_t sluice_http_words __attribute__((vector_size(16)));
typedef uint8_t sluice_http_half __attribute__((vector_size(8)));

// Index of the first lane of `hits` that is 0xff, or 16.
static inline unsigned sluice_http_first_hit(sluice_http_bytes hits) {
#if defined(__SSE2__)
    unsigned mask = (unsigned)__builtin_ia32_pmovmskb128((sluice_http_chars)hits);
    return mask != 0 ? (unsigned)__builtin_ctz(mask) : 16;
#elif defined(__aarch64__)
    // The narrowing shift leaves four bits for each lane: NEON's stand-in for a movemask.
    sluice_http_half nibbles = __builtin_convertvector((sluice_http_words)hits >> 4, sluice_http_half);
    uint64_t mask;
    __builtin_memcpy(&mask, &nibbles, sizeof mask);
    return mask != 0 ? (unsigned)__builtin_ctzll(mask) >> 2 : 16;
#else
    for (unsigned lane = 0; lane < 16; lane++) {
        if (hits[lane] != 0) return lane;
    }
    return 16;
#endif
}

// Index of the first byte that a field value may not hold, or `count`: controls and DEL, but not tab (RFC 9110 §5.5).
static inline size_t sluice_scan_field_value(const uint8_t *bytes, size_t count) {
    size_t index = 0;
    for (; index + 16 <= count; index += 16) {
        sluice_http_bytes lane;
        __builtin_memcpy(&lane, bytes + index, sizeof lane);
        sluice_http_bytes hits =
            (sluice_http_bytes)(((lane < 0x20) & (lane != '\t')) | (lane == 0x7f));
        unsigned first = sluice_http_first_hit(hits);
        if (first < 16) return index + first;
    }
    for (; index < count; index++) {
        uint8_t byte = bytes[index];
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f) return index;
    }
    return count;
}

enum {
    sluice_class_token = 1,  // tchar, RFC 9110 §5.6.2
    sluice_class_path = 2,   // pchar and '/', without '%', RFC 3986 §3.3
    sluice_class_query = 4,  // query, without '%', RFC 3986 §3.4
    sluice_class_host = 8,   // the reg-name characters that host names are made of
    sluice_class_unreserved = 16, // RFC 3986 §2.3
    sluice_class_hex = 32,
    sluice_class_target = 64,  // any of the above that a request target may hold, and '%'
};

// Browsers send '[', ']' and '|' as they are, in a query '{', '}', '^', '`' and '\' too (WHATWG URL, percent-encode
// sets); none of them can be read in two ways, so they pass although RFC 3986 wants them encoded.
static const uint8_t sluice_classes[256] = {
    ['!'] = 71, ['#'] = 1, ['$'] = 71, ['%'] = 65, ['&'] = 71, ['\''] = 71, ['('] = 70, [')'] = 70, ['*'] = 71, ['+'] = 71,
    [','] = 70, ['-'] = 95, ['.'] = 95, ['/'] = 70, ['0' ... '9'] = 127, [':'] = 70, [';'] = 70, ['='] = 70, ['?'] = 68,
    ['@'] = 70, ['A' ... 'F'] = 127, ['G' ... 'Z'] = 95, ['['] = 70, ['\\'] = 68, [']'] = 70, ['^'] = 69, ['_'] = 95,
    ['`'] = 69, ['a' ... 'f'] = 127, ['g' ... 'z'] = 95, ['{'] = 68, ['|'] = 71, ['}'] = 68, ['~'] = 87,
};

// Index of the first byte outside of `characterClass`, or `count`.
static inline size_t sluice_scan_class(const uint8_t *bytes, size_t count, uint8_t characterClass) {
    size_t index = 0;
    while (index < count && (sluice_classes[bytes[index]] & characterClass) != 0) index++;
    return index;
}

// Index of the first byte that a token may not hold, or `count` (RFC 9110 §5.6.2).
static inline size_t sluice_scan_token(const uint8_t *bytes, size_t count) {
    return sluice_scan_class(bytes, count, sluice_class_token);
}
