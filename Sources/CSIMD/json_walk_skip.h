// What both parts of the walk need, and the loop over what nobody looks at: grammar and limits alone. For the kernels.
#pragma once
#include "kernel_text.h"

#define NEVER_INLINE static __attribute__((noinline))
/// Before a loop that begins at a line of the cache: how quick it is does not hang on how much code stands before it.
#define AT_LINE [[clang::code_align(64)]]
/// A function for what is rare: it keeps all registers, so that loops that call it may use them.
#define RARE static __attribute__((noinline, preserve_most))

/// A position that is left to others.
enum { LEAVE = 256 };

// Kinds of several places in a row, the first in the lowest byte: `""`, `"":`, `"",`, `""]` and `},{"`.
#define RUN_STRING 0x2222u
#define RUN_KEY 0x3A2222u
#define RUN_STRING_COMMA 0x2C2222u
#define RUN_STRING_END 0x5D2222u
#define RUN_NEXT_OBJECT 0x227B2C7Du

/// The window, in registers.
typedef struct {
    const uint8_t *start;
    const uint16_t *places;
    const uint8_t *kinds;
    /// The next place, and the last one that leaves enough to look ahead.
    ptrdiff_t next, last;
} reader;

ALWAYS_INLINE uint64_t load64(const uint8_t *p) {
    uint64_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return word;
}

ALWAYS_INLINE uint32_t load32(const uint8_t *p) {
    uint32_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return word;
}

typedef uint8_t bytes32 __attribute__((vector_size(32)));
typedef bool bits32 __attribute__((ext_vector_type(32)));

/// A bit for each of 32 bytes that are not the same.
ALWAYS_INLINE uint32_t differences(const uint8_t *p, const uint8_t *q) {
    bytes32 a, b;
    __builtin_memcpy(&a, p, sizeof a);
    __builtin_memcpy(&b, q, sizeof b);
    bits32 bits = __builtin_convertvector(a != b, bits32);
    uint32_t mask;
    __builtin_memcpy(&mask, &bits, sizeof mask);
    return mask;
}

/// A bit for each of the 32 bytes at `p` that is no decimal digit.
ALWAYS_INLINE uint32_t no_digits(const uint8_t *p) {
    bytes32 v;
    __builtin_memcpy(&v, p, sizeof v);
    bits32 bits = __builtin_convertvector((bytes32)(v - '0') > 9, bits32);
    uint32_t mask;
    __builtin_memcpy(&mask, &bits, sizeof mask);
    return mask;
}

/// How many of the 32 bytes at `p` are decimal digits before the first that is none; at most 31.
ALWAYS_INLINE int leading_digits(const uint8_t *p) { return __builtin_ctz(no_digits(p) | 1u << 31); }

/// Whether a scalar may end before this byte.
static const bool may_end[256] = {
    [','] = true, ['}'] = true, [']'] = true, [' '] = true, ['\n'] = true, ['\r'] = true, ['\t'] = true,
};

/// Digits before the point of the number at `p` (RFC 8259 §6); 0 where it is none, has an exponent, or more than 30
/// digits on one side of its point.
ALWAYS_INLINE int number_digits(const uint8_t *p, uint8_t first, bool *is_integer) {
    p += first == '-';
    int digits = leading_digits(p);
    if (digits == 31 || (*p == '0' && digits > 1)) return 0;
    uint8_t after = p[digits];
    *is_integer = true;
    if (may_end[after]) return digits;
    if (after != '.') return 0;
    *is_integer = false;
    p += digits + 1;
    int fraction = leading_digits(p);
    return fraction > 0 && fraction < 31 && may_end[p[fraction]] ? digits : 0;
}

/// Whether the word at `p` is whole that begins with this letter.
ALWAYS_INLINE bool is_word(const uint8_t *p, uint8_t first) {
    switch (first) {
    case 't': return !__builtin_memcmp(p, "true", 4) && may_end[p[4]];
    case 'f': return !__builtin_memcmp(p + 1, "alse", 4) && may_end[p[5]];
    case 'n': return !__builtin_memcmp(p, "null", 4) && may_end[p[4]];
    default: return false;
    }
}

/// How many places the string takes that begins at place number `next` and has escapes; 0 where it is unusual.
RARE ptrdiff_t escaped_string(const sluice_json_walk *w, ptrdiff_t next) {
    return sluice_json_escaped(w->start, w->places + next, w->kinds + next, w->count - next);
}

/// `taken` if a token is as it should be; else 0. It has to be a branch, which is foreseen: computed, it would make
/// each token wait for the one before to be read.
ALWAYS_INLINE ptrdiff_t taken_if(bool is_right, ptrdiff_t taken) {
    if (!is_right) return 0;
    __asm__ volatile("" : "+r"(taken));
    return taken;
}

/// How many places the scalar or empty container takes that `run` begins with; 0 where it is neither, or unusual.
ALWAYS_INLINE ptrdiff_t skip_scalar(const sluice_json_walk *w, const reader *r, uint64_t run) {
    uint8_t kind = (uint8_t)run;
    const uint8_t *p = r->start + r->places[r->next];
    if (kind == '"') {
        return (run & 0xFFFF) == RUN_STRING ? taken_if(true, 2) : escaped_string(w, r->next);
    }
    if ((uint8_t)(kind - '-') < 13) {
        bool is_integer;
        return taken_if(number_digits(p, kind, &is_integer) != 0, 1);
    }
    if (kind != '{' && kind != '[') return taken_if(is_word(p, kind), 1);
    return taken_if((uint8_t)(run >> 8) == kind + 2 && w->frame_count + w->skip_count < w->depth_most, 2);
}

/// Goes on inside of what nobody looks at, to the end of its outermost container.
NEVER_INLINE int skip(sluice_json_walk *w) {
    reader r = {w->start, w->places, w->kinds, w->next, w->count - SLUICE_JSON_LOOK_AHEAD};
    uint32_t word = w->skips[w->skip_count - 1];
    const uint32_t word_most = w->keys_most < 0x3FFFFFFF ? 2 * (uint32_t)w->keys_most : 0x7FFFFFFE;
    uint64_t run;
    int at = w->skip_at;
    switch (at) {
    case SLUICE_JSON_AT_KEY: goto members;
    case SLUICE_JSON_AT_FIRST_KEY:
        if (r.kinds[r.next] == '}') goto close;
        goto members;
    case SLUICE_JSON_AT_FIRST_ELEMENT:
        if (r.kinds[r.next] == ']') goto close;
        goto elements;
    case SLUICE_JSON_AT_AFTER_VALUE:
        if (word & 1) goto after_member;
        goto after_element;
    case SLUICE_JSON_AT_VALUE:
        if (!(word & 1)) goto elements;
        run = load64(r.kinds + r.next);
        goto member_value;
    default: goto leave;
    }

members:
    AT_LINE while (r.next <= r.last) {
        run = load64(r.kinds + r.next);
        at = SLUICE_JSON_AT_KEY;
        if ((run & 0xFFFFFF) != RUN_KEY || word >= word_most) goto leave;
        word += 2;
        run >>= 24;
        if ((run & 0xFFFFFF) == RUN_STRING_COMMA) {
            r.next += 6;
            continue;
        }
        r.next += 3;
    member_value:;
        ptrdiff_t taken = skip_scalar(w, &r, run);
        if (taken == 0) goto open;
        r.next += taken;
    after_member:
        if (r.kinds[r.next] == ',') {
            r.next++;
            continue;
        }
        at = SLUICE_JSON_AT_AFTER_VALUE;
        if (r.kinds[r.next] != '}') goto leave;
        // The next object of the same array takes the place of this one.
        bool is_next = (uint32_t)load64(r.kinds + r.next) == RUN_NEXT_OBJECT && r.next + 4 <= w->count;
        if (!is_next || w->skip_count < 2 || w->skips[w->skip_count - 2] & 1) goto close;
        r.next += 3;
        word = 1;
    }
    at = SLUICE_JSON_AT_KEY;
    goto leave;

elements:
    AT_LINE while (r.next <= r.last) {
        run = load64(r.kinds + r.next);
        if ((run & 0xFFFFFF) == RUN_STRING_COMMA) {
            r.next += 3;
            continue;
        }
        ptrdiff_t taken = skip_scalar(w, &r, run);
        if (taken == 0) goto open;
        r.next += taken;
    after_element:
        if (r.kinds[r.next] == ',') {
            r.next++;
            continue;
        }
        at = SLUICE_JSON_AT_AFTER_VALUE;
        if (r.kinds[r.next] != ']') goto leave;
        goto close;
    }
    at = SLUICE_JSON_AT_VALUE;
    goto leave;

open:
    // Empty ones do not come here, but where the depth's limit has been reached.
    at = SLUICE_JSON_AT_VALUE;
    if ((uint8_t)run != '{' && (uint8_t)run != '[') goto leave;
    if (w->frame_count + w->skip_count >= w->depth_most || w->skip_count == w->skip_capacity) goto leave;
    w->skips[w->skip_count - 1] = word;
    word = (uint8_t)run == '{';
    w->skips[w->skip_count++] = word;
    r.next++;
    if (word) goto members;
    goto elements;

close:
    r.next++;
    if (--w->skip_count == 0) {
        w->next = r.next;
        bool has_ops = w->frame_count == 0 || w->nodes[w->frames[w->frame_count - 1].child].has_ops;
        return has_ops ? SLUICE_JSON_AT_SKIPPING | LEAVE : SLUICE_JSON_AT_AFTER_VALUE;
    }
    word = w->skips[w->skip_count - 1];
    if (r.next <= r.last) {
        if (word & 1) goto after_member;
        goto after_element;
    }
    at = SLUICE_JSON_AT_AFTER_VALUE;

leave:
    w->next = r.next;
    w->skips[w->skip_count - 1] = word;
    w->skip_at = at;
    return SLUICE_JSON_AT_SKIPPING | LEAVE;
}
