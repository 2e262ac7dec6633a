// Scans over the bytes of HTTP heads (RFC 9110 §5.5, §5.6.2; RFC 3986 §3.3, §3.4).
//
// Vector extensions and one builtin instead of intrinsics headers, so that the module stays importable anywhere; only
// instructions of every x86-64 (SSE2) and every arm64 (NEON) are used, so no -march flag and no dispatch are needed.
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

// Index of the first colon among the first 32 bytes, or 32; `bytes` has that many.
static inline size_t sluice_find_colon(const uint8_t *bytes) {
    for (size_t index = 0; index < 32; index += 16) {
        sluice_http_bytes lane;
        __builtin_memcpy(&lane, bytes + index, sizeof lane);
        unsigned first = sluice_http_first_hit((sluice_http_bytes)(lane == ':'));
        if (first < 16) return index + first;
    }
    return 32;
}

// Classes of characters, one bit each.
enum {
    sluice_class_token = 1,        // tchar, RFC 9110 §5.6.2
    sluice_class_path = 2,         // pchar and '/', without '%', RFC 3986 §3.3
    sluice_class_query = 4,        // query, without '%', RFC 3986 §3.4
    sluice_class_host = 8,         // the reg-name characters that host names are made of
    sluice_class_unreserved = 16,  // RFC 3986 §2.3
    sluice_class_hexadecimal = 32,
    sluice_class_target = 64,      // any of path and query, and '%'
    sluice_class_plain = 128,      // what in a path is the same to everybody: no dot, no escape, no other delimiter
};

#define SLUICE_TOKEN sluice_class_token
#define SLUICE_PATH (sluice_class_path | sluice_class_query | sluice_class_target)
#define SLUICE_QUERY (sluice_class_query | sluice_class_target)
#define SLUICE_NAME (SLUICE_TOKEN | SLUICE_PATH | sluice_class_host | sluice_class_unreserved)

// Browsers send '[', ']' and '|' as they are, in a query '{', '}', '^', '`' and '\' too (WHATWG URL, percent-encode
// sets); none of them ends anything in a target, so they pass although RFC 3986 wants them encoded.
static const uint8_t sluice_classes[256] = {
    ['!'] = SLUICE_TOKEN | SLUICE_PATH,
    ['#'] = SLUICE_TOKEN,
    ['$'] = SLUICE_TOKEN | SLUICE_PATH,
    ['%'] = SLUICE_TOKEN | sluice_class_target,
    ['&' ... '\''] = SLUICE_TOKEN | SLUICE_PATH,
    ['(' ... ')'] = SLUICE_PATH,
    ['*' ... '+'] = SLUICE_TOKEN | SLUICE_PATH,
    [','] = SLUICE_PATH,
    ['-'] = SLUICE_NAME | sluice_class_plain,
    ['.'] = SLUICE_NAME,
    ['/'] = SLUICE_PATH | sluice_class_plain,
    ['0' ... '9'] = SLUICE_NAME | sluice_class_hexadecimal | sluice_class_plain,
    [':' ... ';'] = SLUICE_PATH,
    ['='] = SLUICE_PATH,
    ['?'] = SLUICE_QUERY,
    ['@'] = SLUICE_PATH,
    ['A' ... 'F'] = SLUICE_NAME | sluice_class_hexadecimal | sluice_class_plain,
    ['G' ... 'Z'] = SLUICE_NAME | sluice_class_plain,
    ['['] = SLUICE_PATH,
    ['\\'] = SLUICE_QUERY,
    [']'] = SLUICE_PATH,
    ['^'] = SLUICE_TOKEN | SLUICE_QUERY,
    ['_'] = SLUICE_NAME | sluice_class_plain,
    ['`'] = SLUICE_TOKEN | SLUICE_QUERY,
    ['a' ... 'f'] = SLUICE_NAME | sluice_class_hexadecimal | sluice_class_plain,
    ['g' ... 'z'] = SLUICE_NAME | sluice_class_plain,
    ['{'] = SLUICE_QUERY,
    ['|'] = SLUICE_TOKEN | SLUICE_PATH,
    ['}'] = SLUICE_QUERY,
    ['~'] = SLUICE_TOKEN | SLUICE_PATH | sluice_class_unreserved | sluice_class_plain,
};

#undef SLUICE_TOKEN
#undef SLUICE_PATH
#undef SLUICE_QUERY
#undef SLUICE_NAME

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
