// The grammar of JSON's scalars: numbers (RFC 8259 §6), escapes (§7) and literals (§3), for every tier of the engine.
//
// There are three readers of the grammar of numbers. The exact one takes any number, also one that a chunk cuts. The
// plain one and the branchless one refuse unusual numbers (exponents, more than 30 digits), which are then read
// exactly; see docs/decisions/json-tiers.md for what each is worth.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "json_bytes.h"

// Bytes that end a scalar.
static const bool sluice_json_scalar_ends[256] = {
    [','] = true, ['}'] = true, [']'] = true, [' '] = true, ['\n'] = true, ['\r'] = true, ['\t'] = true,
};

/// Whether a scalar may end before this byte.
SLUICE_ALWAYS_INLINE bool sluice_json_may_end(uint8_t byte) { return sluice_json_scalar_ends[byte]; }

SLUICE_ALWAYS_INLINE bool sluice_json_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

// MARK: Numbers, exactly

enum sluice_json_number_state {
    /// A number, which ends here.
    SLUICE_JSON_NUMBER_ENDED,
    /// The bytes are over, and the number may go on.
    SLUICE_JSON_NUMBER_CUT,
    /// A byte that should have been a digit.
    SLUICE_JSON_NUMBER_BROKEN,
};

typedef struct {
    const uint8_t *_Nonnull end;
    enum sluice_json_number_state state;
} sluice_json_number;

static inline const uint8_t *_Nonnull sluice_json_digits(const uint8_t *_Nonnull p, const uint8_t *_Nonnull end) {
    while (p < end && sluice_json_is_digit(*p)) p++;
    return p;
}

/// The number at `p`, which begins with a sign or a digit; there is one byte at least.
/// @param is_whole Whether the document ends at `end`.
static inline sluice_json_number sluice_json_number_at(
    const uint8_t *_Nonnull p, const uint8_t *_Nonnull end, bool is_whole) {
    // The result if the bytes end where a digit has to follow.
    const enum sluice_json_number_state cut = is_whole ? SLUICE_JSON_NUMBER_BROKEN : SLUICE_JSON_NUMBER_CUT;
    if (*p == '-') p++;
    const uint8_t *digits = p;
    p = p < end && *p == '0' ? p + 1 : sluice_json_digits(p, end);
    if (p == digits) return (sluice_json_number){p, p == end ? cut : SLUICE_JSON_NUMBER_BROKEN};
    if (p < end && *p == '.') {
        digits = ++p;
        p = sluice_json_digits(p, end);
        if (p == digits) return (sluice_json_number){p, p == end ? cut : SLUICE_JSON_NUMBER_BROKEN};
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        digits = p;
        p = sluice_json_digits(p, end);
        if (p == digits) return (sluice_json_number){p, p == end ? cut : SLUICE_JSON_NUMBER_BROKEN};
    }
    return (sluice_json_number){p, p == end && !is_whole ? SLUICE_JSON_NUMBER_CUT : SLUICE_JSON_NUMBER_ENDED};
}

// MARK: Numbers without exponent, of up to 30 digits on either side of their point

/// The lowest bits; all of them where the count is 32 or more.
SLUICE_ALWAYS_INLINE uint32_t sluice_bits_below(unsigned count) { return count < 32 ? ~(~0u << count) : ~0u; }

/// A bit for each of the 32 bytes at `p` that is no decimal digit.
SLUICE_ALWAYS_INLINE uint32_t sluice_json_no_digits(const uint8_t *_Nonnull p) {
    return sluice_hits32(sluice_beyond32(sluice_load32(p), '0', '9'));
}

/// A bit for each of the 32 bytes at `p` that is a point.
SLUICE_ALWAYS_INLINE uint32_t sluice_json_points(const uint8_t *_Nonnull p) {
    return sluice_hits32(sluice_equal32(sluice_load32(p), '.'));
}

/// How many of the 32 bytes at `p` are decimal digits before the first that is none; at most 31.
SLUICE_ALWAYS_INLINE int sluice_json_leading_digits(const uint8_t *_Nonnull p) {
    return __builtin_ctz(sluice_json_no_digits(p) | 1u << 31);
}

/// Digits before the point of the number at `p`; 0 where there is none, or an unusual one. 96 bytes are readable.
SLUICE_ALWAYS_INLINE int sluice_json_plain_number(
    const uint8_t *_Nonnull p, uint8_t first, bool *_Nonnull is_integer) {
    p += first == '-';
    uint32_t others = sluice_json_no_digits(p);
    int digits = __builtin_ctz(others | 1u << 31);
    if (digits == 31 || (*p == '0' && digits > 1)) return 0;
    uint8_t after = p[digits];
    *is_integer = true;
    if (sluice_json_may_end(after)) return digits;
    if (after != '.') return 0;
    *is_integer = false;
    int end = __builtin_ctz((others & (others - 1)) | 1u << 31);
    if (end < 31) return end > digits + 1 && sluice_json_may_end(p[end]) ? digits : 0;
    p += digits + 1;
    int fraction = sluice_json_leading_digits(p);
    return fraction > 0 && fraction < 31 && sluice_json_may_end(p[fraction]) ? digits : 0;
}

// The same checks without branches on the value, so that none is mispredicted. 32 bytes are readable.

/// Not 0 unless an integer without a sign, of up to `most` digits, stands at `p`; `most` is 30 at most.
SLUICE_ALWAYS_INLINE uint32_t sluice_json_integer_faults(const uint8_t *_Nonnull p, unsigned most) {
    unsigned count = (unsigned)sluice_json_leading_digits(p);
    // No leading zero.
    return (count - 1 >= most) | ((*p == '0') & (count > 1)) | !sluice_json_may_end(p[count]);
}

/// Not 0 unless a plain number of 30 bytes at most stands at `p`.
SLUICE_ALWAYS_INLINE uint32_t sluice_json_number_faults(const uint8_t *_Nonnull p) {
    uint32_t others = sluice_json_no_digits(p), points = sluice_json_points(p);
    unsigned sign = *p == '-';
    // After a sign, only digits and at most one point between two of them.
    unsigned count = (unsigned)__builtin_ctz((others & ~points & ~sign) | 1u << 31);
    uint32_t among = ~(~0u << count), last = among ^ among >> 1;
    points &= among;
    uint32_t faults = (points & (points - 1)) | (points & (sign + 1)) | (others & last) | (count - 1 >= 30);
    // A leading zero has to be followed by a point or the end.
    faults |= (p[sign] == '0') & (~others & among) >> (sign + 1);
    return faults | !sluice_json_may_end(p[count]);
}

// MARK: Literals

/// Length of the `true`, `false` or `null` at `p`; 0 where there is none. Five bytes are readable.
/// @param first The byte at `p`.
SLUICE_ALWAYS_INLINE int sluice_json_word(const uint8_t *_Nonnull p, uint8_t first) {
    switch (first) {
    case 't': return __builtin_memcmp(p, "true", 4) ? 0 : 4;
    case 'f': return __builtin_memcmp(p + 1, "alse", 4) ? 0 : 5;
    case 'n': return __builtin_memcmp(p, "null", 4) ? 0 : 4;
    default: return 0;
    }
}

// Literals by the lower half of their first byte. `false` lacks its first letter, so that all are compared as four
// bytes.
static const uint8_t sluice_json_literals[16][4] = {
    [0x4] = {'t', 'r', 'u', 'e'}, [0x6] = {'a', 'l', 's', 'e'}, [0xE] = {'n', 'u', 'l', 'l'},
};

/// Whether a literal stands at `p`, and nothing follows it: without a branch on which it is. Eight bytes are readable.
/// @param first The byte at `p`.
SLUICE_ALWAYS_INLINE bool sluice_json_is_any_literal(const uint8_t *_Nonnull p, uint8_t first) {
    uint32_t text, wanted;
    p += first == 'f';
    __builtin_memcpy(&text, p, sizeof text);
    __builtin_memcpy(&wanted, sluice_json_literals[first % 16], sizeof wanted);
    return (text == wanted) & sluice_json_may_end(p[4]);
}

/// Whether an accepted literal stands at `p`, and nothing follows it.
SLUICE_ALWAYS_INLINE bool sluice_json_is_literal(const uint8_t *_Nonnull p, bool may_be_bool, bool may_be_null) {
    const uint8_t first = *p;
    return sluice_json_is_any_literal(p, first) & (first == 'n' ? may_be_null : may_be_bool);
}

// MARK: Escapes

/// Value of a hexadecimal digit; negative where the byte is none.
SLUICE_ALWAYS_INLINE int sluice_json_hex_digit(uint8_t byte) {
    return sluice_json_is_digit(byte) ? byte - '0' : (uint8_t)((byte | 0x20) - 'a') < 6 ? (byte & 7) + 9 : -1;
}

/// Whether a backslash and this byte are an escape.
SLUICE_ALWAYS_INLINE bool sluice_json_is_escaped_letter(uint8_t byte) {
    switch (byte) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return true;
    default: return false;
    }
}

/// The state of an escape.
enum sluice_json_escape_state {
    /// The escape is whole, or none has begun.
    SLUICE_JSON_ESCAPE_NONE,
    /// The byte behind the backslash comes next.
    SLUICE_JSON_ESCAPE_BEGUN,
    SLUICE_JSON_ESCAPE_DIGIT_1, SLUICE_JSON_ESCAPE_DIGIT_2, SLUICE_JSON_ESCAPE_DIGIT_3, SLUICE_JSON_ESCAPE_DIGIT_4,
    /// After a high surrogate: the backslash, and the `u`, of the low one.
    SLUICE_JSON_ESCAPE_LOW, SLUICE_JSON_ESCAPE_LOW_BEGUN,
};

enum sluice_json_escape_fault {
    SLUICE_JSON_ESCAPE_RIGHT,
    SLUICE_JSON_ESCAPE_BROKEN,
    /// Surrogates have to come in pairs: RFC 8259 §8.2 leaves it open.
    SLUICE_JSON_ESCAPE_LONE_SURROGATE,
};

/// An escape that is being read, which may go on in another chunk.
typedef struct {
    enum sluice_json_escape_state state;
    bool is_after_high;
    uint16_t unit;
} sluice_json_escape;

static inline enum sluice_json_escape_fault sluice_json_end_unit(sluice_json_escape *_Nonnull escape) {
    bool is_high = (escape->unit & 0xFC00) == 0xD800, is_low = (escape->unit & 0xFC00) == 0xDC00;
    if (escape->is_after_high != is_low) return SLUICE_JSON_ESCAPE_LONE_SURROGATE;
    escape->is_after_high = is_high;
    escape->state = is_high ? SLUICE_JSON_ESCAPE_LOW : SLUICE_JSON_ESCAPE_NONE;
    return SLUICE_JSON_ESCAPE_RIGHT;
}

/// Takes the next byte of an escape that has begun.
static inline enum sluice_json_escape_fault sluice_json_take_escape(
    sluice_json_escape *_Nonnull escape, uint8_t byte) {
    switch (escape->state) {
    case SLUICE_JSON_ESCAPE_NONE: return SLUICE_JSON_ESCAPE_RIGHT;
    case SLUICE_JSON_ESCAPE_BEGUN:
        escape->unit = 0;
        escape->state = byte == 'u' ? SLUICE_JSON_ESCAPE_DIGIT_1 : SLUICE_JSON_ESCAPE_NONE;
        if (byte == 'u' || sluice_json_is_escaped_letter(byte)) return SLUICE_JSON_ESCAPE_RIGHT;
        return SLUICE_JSON_ESCAPE_BROKEN;
    case SLUICE_JSON_ESCAPE_LOW:
        escape->state = SLUICE_JSON_ESCAPE_LOW_BEGUN;
        return byte == '\\' ? SLUICE_JSON_ESCAPE_RIGHT : SLUICE_JSON_ESCAPE_LONE_SURROGATE;
    case SLUICE_JSON_ESCAPE_LOW_BEGUN:
        escape->unit = 0;
        escape->state = SLUICE_JSON_ESCAPE_DIGIT_1;
        return byte == 'u' ? SLUICE_JSON_ESCAPE_RIGHT : SLUICE_JSON_ESCAPE_LONE_SURROGATE;
    default: {
        int digit = sluice_json_hex_digit(byte);
        if (digit < 0) return SLUICE_JSON_ESCAPE_BROKEN;
        escape->unit = (uint16_t)(escape->unit << 4 | digit);
        if (escape->state == SLUICE_JSON_ESCAPE_DIGIT_4) return sluice_json_end_unit(escape);
        escape->state++;
        return SLUICE_JSON_ESCAPE_RIGHT;
    }
    }
}

/// Bytes of the escape at `p`, a pair of surrogates being one; 0 where it is broken. Twelve bytes are readable.
static inline int sluice_json_escape_length(const uint8_t *_Nonnull p) {
    if (p[1] != 'u') return sluice_json_is_escaped_letter(p[1]) ? 2 : 0;
    sluice_json_escape escape = {.state = SLUICE_JSON_ESCAPE_DIGIT_1};
    int count = 2;
    while (escape.state != SLUICE_JSON_ESCAPE_NONE) {
        if (sluice_json_take_escape(&escape, p[count++]) != SLUICE_JSON_ESCAPE_RIGHT) return 0;
    }
    return count;
}
