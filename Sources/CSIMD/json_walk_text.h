// Quick checks of texts against their types, for the kernels; unusual texts are checked exactly elsewhere.
#pragma once
#include "json_walk_base.h"

ALWAYS_INLINE bytes32 digits_of(bytes32 v) { return sluice_within32(v, '0', '9'); }

/// Letters up to `last`, regardless of case.
ALWAYS_INLINE bytes32 letters_of(bytes32 v, uint8_t last) {
    return sluice_within32(sluice_or32(v, sluice_fill32(0x20)), 'a', last);
}

ALWAYS_INLINE bytes32 hexadecimal_of(bytes32 v) { return sluice_or32(digits_of(v), letters_of(v, 'f')); }

/// Bytes that may stand in a URL, and quotes and backslashes, which no string without escapes has.
ALWAYS_INLINE bytes32 plain_url_bytes(bytes32 v) {
    // `<` and `>` differ in a bit. Braces are those of templates (RFC 6570).
    bytes32 brackets = sluice_equal32(sluice_or32(v, sluice_fill32(2)), '>');
    return sluice_and_not32(sluice_within32(v, '!', '~'), brackets);
}

/// Whether the authority at `p` (RFC 3986 §3.2) is surely a host, and a port of up to four digits.
/// @param v The first 32 of `count` bytes.
ALWAYS_INLINE bool is_plain_authority(const uint8_t *p, bytes32 v, ptrdiff_t count) {
    // `/` and `?` differ in a bit. User information, or an address in brackets, needs a closer look.
    bytes32 ends = sluice_or32(sluice_equal32(sluice_or32(v, sluice_fill32(0x10)), '?'), sluice_equal32(v, '#'));
    bytes32 marks = sluice_or32(
        sluice_or32(sluice_equal32(v, ':'), sluice_equal32(v, '@')), sluice_within32(v, '[', ']'));
    uint32_t stops = sluice_hits32(sluice_or32(ends, marks));
    if (count < 32) stops |= 1u << count;
    if (!stops) return false;
    const int stop = __builtin_ctz(stops);
    if (stop == count || p[stop] == '/' || p[stop] == '?' || p[stop] == '#') return true;
    const int behind = stop + 1 + sluice_json_leading_digits(p + stop + 1);
    if (p[stop] != ':' || behind > stop + 5) return false;
    return behind == count || p[behind] == '/' || p[behind] == '?' || p[behind] == '#';
}

/// Whether the string is `http://` or `https://`, a host that begins with a letter or a digit, and plain URL bytes.
/// @param p A string without escapes.
ALWAYS_INLINE bool is_plain_url(const uint8_t *p, ptrdiff_t count) {
    if (count < 9 || __builtin_memcmp(p, "http", 4)) return false;
    const ptrdiff_t scheme = p[4] == 's' ? 8 : 7;
    if (__builtin_memcmp(p + scheme - 3, "://", 3)) return false;
    p += scheme, count -= scheme;
    if ((uint8_t)(p[0] - '0') >= 10 && (uint8_t)((p[0] | 0x20) - 'a') >= 26) return false;
    const bytes32 first = sluice_load32(p);
    if (!is_plain_authority(p, first, count)) return false;
    bytes32 plain = plain_url_bytes(first);
    const ptrdiff_t last = count - 32;
    if (last < 0) return !(sluice_misses32(plain) & sluice_bits_below((unsigned)count));
    // Most URLs are no longer than this, so their length is not branched on. Bytes may be checked twice.
    plain = sluice_and32(plain, plain_url_bytes(sluice_load32(p + (last < 32 ? last : 32))));
    plain = sluice_and32(plain, plain_url_bytes(sluice_load32(p + (last < 64 ? last : 64))));
    for (ptrdiff_t at = 96; at < count; at += 32) {
        plain = sluice_and32(plain, plain_url_bytes(sluice_load32(p + (last < at ? last : at))));
    }
    return sluice_misses32(plain) == 0;
}

ALWAYS_INLINE int two_digits(const uint8_t *p) { return (p[0] & 15) * 10 + (p[1] & 15); }

/// End of the time in a date-time of `count` bytes: before a `Z`, or before an offset such as `+01:00`; 0 where it has
/// neither.
ALWAYS_INLINE ptrdiff_t before_offset(const uint8_t *p, ptrdiff_t count) {
    if (p[count - 1] == 'Z') return count - 1;
    const uint8_t *offset = p + count - 6;
    bool is_right = (offset[0] == '+' || offset[0] == '-') && offset[3] == ':'
                    && (sluice_misses32(digits_of(sluice_load32(offset))) & 0x36) == 0;
    return is_right && two_digits(offset + 1) < 24 && two_digits(offset + 4) < 60 ? count - 6 : 0;
}

/// `2024-02-28T10:00:00Z`, with or without a fraction, or with an offset such as `+01:00`. Leap days and leap seconds
/// need a closer look.
ALWAYS_INLINE bool is_plain_date(const uint8_t *p, ptrdiff_t count) {
    static const uint8_t days[16] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (count < 20) return false;
    const ptrdiff_t end = before_offset(p, count);
    uint32_t digits = 0x3 << 17 | 0x3 << 14 | 0x3 << 11 | 0x3 << 8 | 0x3 << 5 | 0xF;
    if (end != 19) {
        if (end < 21 || end > 32 || p[19] != '.') return false;
        digits |= sluice_bits_below((unsigned)end) & ~0xFFFFFu;
    }
    if (sluice_misses32(digits_of(sluice_load32(p))) & digits) return false;
    if (p[4] != '-' || p[7] != '-' || p[10] != 'T' || p[13] != ':' || p[16] != ':') return false;
    // A month of two digits may be 99.
    unsigned month = (unsigned)two_digits(p + 5), day = (unsigned)two_digits(p + 8) - 1;
    return month <= 12 && day < days[month] && two_digits(p + 11) < 24 && two_digits(p + 14) < 60
           && two_digits(p + 17) < 60;
}

ALWAYS_INLINE bool is_plain_uuid(const uint8_t *p, ptrdiff_t count) {
    if (count != 36) return false;
    const uint32_t hyphens = 1 << 8 | 1 << 13 | 1 << 18 | 1 << 23;
    bytes32 v = sluice_load32(p), rest = sluice_load32(p + 4);
    return sluice_hits32(hexadecimal_of(v)) == ~hyphens && sluice_hits32(sluice_equal32(v, '-')) == hyphens
           && sluice_hits32(hexadecimal_of(rest)) >> 28 == 0xF;
}

/// Base64 of whole groups, the last of which may be padded.
ALWAYS_INLINE bool is_plain_base64(const uint8_t *p, ptrdiff_t count) {
    if (count % 4 != 0) return false;
    if (count > 0 && p[count - 1] == '=') count -= p[count - 2] == '=' ? 2 : 1;
    for (ptrdiff_t at = 0; at < count; at += 32) {
        bytes32 v = sluice_load32(p + at);
        bytes32 ok = sluice_or32(sluice_or32(letters_of(v, 'z'), digits_of(v)), sluice_equal32(v, '+'));
        ok = sluice_or32(ok, sluice_equal32(v, '/'));
        if (sluice_misses32(ok) & sluice_bits_below((unsigned)(count - at))) return false;
    }
    return true;
}

/// Whether the text without its quotes, in which nothing is escaped, is surely of this grammar. There are 72 readable
/// bytes behind its first.
ALWAYS_INLINE bool is_plain_text(int grammar, const uint8_t *p, ptrdiff_t count) {
    switch (grammar) {
    case SLUICE_JSON_URL: return is_plain_url(p, count);
    case SLUICE_JSON_DATE: return is_plain_date(p, count);
    case SLUICE_JSON_UUID: return is_plain_uuid(p, count);
    case SLUICE_JSON_BASE64: return is_plain_base64(p, count);
    default: return false;
    }
}
