// What all parts of a kernel's walk over the structural index need.
#pragma once
#include "kernel_text.h"

#define NEVER_INLINE static __attribute__((noinline))
/// Aligns a loop to a cache line: otherwise its speed would change by a tenth with the code before it.
#define AT_LINE [[clang::code_align(64)]]
/// For a loop of few rounds: vectorizing or unrolling it would cost more than it saves.
#define AS_FEW _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
/// For rarely called functions: they preserve all registers, so that loops that call them may use them.
#define COLD static __attribute__((noinline, preserve_most))

// Kinds of the next tokens, the first in the lowest byte: `""`, `"":`, `"",`, `:"",`, `"":"",`, `""]` and `},{"`.
#define NEXT_STRING 0x2222u
#define NEXT_KEY 0x3A2222u
#define NEXT_STRING_COMMA 0x2C2222u
#define NEXT_COLON_STRING_COMMA 0x2C22223Au
#define NEXT_STRING_MEMBER 0x2C22223A2222ull
#define NEXT_STRING_END 0x5D2222u
#define NEXT_OBJECT 0x227B2C7Du

/// The window, in registers.
typedef struct {
    const uint8_t *start;
    const uint16_t *offsets;
    const uint8_t *kinds;
    /// The next token, and the last one that leaves enough to look ahead.
    ptrdiff_t next, last;
} reader;

/// Whether a token of this kind may begin a number: `-` and digits, and the two bytes between them, which none begins
/// with.
ALWAYS_INLINE bool is_number(uint8_t kind) { return (uint8_t)(kind - '-') < 13; }

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

typedef sluice_bytes32 bytes32;

/// A bit for each of 32 bytes that differs.
ALWAYS_INLINE uint32_t differences(const uint8_t *p, const uint8_t *q) {
    return sluice_misses32(sluice_same32(sluice_load32(p), sluice_load32(q)));
}

/// Whether `},{"` stands from token number `next` on, wholly in the window's `count` tokens.
ALWAYS_INLINE bool is_next_object(const uint8_t *kinds, ptrdiff_t next, ptrdiff_t count) {
    return load32(kinds + next) == NEXT_OBJECT && next + 4 <= count;
}

/// How many tokens the string with escapes at token number `next` takes; 0 where it is unusual.
COLD ptrdiff_t escaped_string(const sluice_json_walk *w, ptrdiff_t next) {
    return sluice_json_escaped(w->start, w->offsets + next, w->kinds + next, w->count - next);
}

/// `taken` if the token is valid; else 0. This has to be a predicted branch: if it were computed, each token would wait
/// until the one before is read.
ALWAYS_INLINE ptrdiff_t taken_if(bool is_right, ptrdiff_t taken) {
    if (!is_right) return 0;
    __asm__ volatile("" : "+r"(taken));
    return taken;
}
