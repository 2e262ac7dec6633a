// Objects that are like one before: what stood at each of its places is written down once and then compared with, many
// places at a time. For the kernels.
#pragma once
#include "json_walk_edit.h"

/// The pattern that an object of this table may be like, by its size.
/// @param next Number of the object's first key.
ALWAYS_INLINE sluice_json_pattern *pattern_of(const sluice_json_walk *w, int32_t table, ptrdiff_t next) {
    bytes32 ends;
    __builtin_memset(&ends, '}', sizeof ends);
    const uint8_t *kinds = w->kinds + next;
    uint64_t others = differences(kinds, (const uint8_t *)&ends);
    others |= (uint64_t)differences(kinds + 32, (const uint8_t *)&ends) << 32;
    // Six places for each member, mostly.
    unsigned size = (unsigned)__builtin_ctzll(~others | 1ull << 63) * 43 >> 8;
    return w->patterns + table * SLUICE_JSON_SHAPES + size % SLUICE_JSON_SHAPES;
}

/// A bit for each point.
ALWAYS_INLINE uint32_t points_in(const uint8_t *p) {
    bytes32 v;
    __builtin_memcpy(&v, p, sizeof v);
    bits32 bits = __builtin_convertvector(v == '.', bits32);
    uint32_t mask;
    __builtin_memcpy(&mask, &bits, sizeof mask);
    return mask;
}

/// The lowest bits; all of them where the count is 32 or more.
ALWAYS_INLINE uint32_t bits_below(unsigned count) { return count < 32 ? ~(~0u << count) : ~0u; }

// All of the following is computed without a branch on what a value looks like, so that there is none to mispredict.
// A value's end is not searched for: `count` are the bytes up to the next place, and where something else but the value
// is among them, it is not taken.

/// Not 0 where what stands at `p` is no whole number of up to `most` digits without a sign.
ALWAYS_INLINE uint32_t integer_faults(const uint8_t *p, unsigned count, unsigned most) {
    // A zero stands alone (RFC 8259 §6).
    return (no_digits(p) & bits_below(count)) | (count > most) | ((*p == '0') & (count > 1));
}

/// Not 0 where what stands at `p` is no number without an exponent, or a long one.
ALWAYS_INLINE uint32_t number_faults(const uint8_t *p, unsigned count) {
    uint32_t among = bits_below(count), others = no_digits(p) & among, points = points_in(p) & among;
    unsigned sign = *p == '-';
    uint32_t last = 1u << (count - 1) % 32;
    // But for a sign, all are digits and one point, which stands between two of them.
    uint32_t faults = (others ^ points ^ sign) | (points & (points - 1)) | (points & (sign + 1)) | (others & last);
    // A zero stands before a point or alone (RFC 8259 §6).
    return faults | ((p[sign] == '0') & (~others & among) >> (sign + 1)) | (count > 31);
}

/// Whether a word as wanted stands at `p`, and nothing else.
ALWAYS_INLINE bool is_wanted_word(const uint8_t *p, unsigned count, const sluice_json_value *value) {
    uint64_t word = load64(p) & ~(~0ull << (8 * (count & 7)));
    bool is_bool = (word == 0x65757274) | (word == 0x65736C6166);
    return ((is_bool & value->may_be_bool) | ((word == 0x6C6C756E) & value->may_be_null)) & (count < 8);
}

/// Whether one of a few texts stands at `p`. All are compared, so that it does not matter which.
ALWAYS_INLINE bool is_one_of(const sluice_json_walk *w, const sluice_json_node *node, const uint8_t *p) {
    const sluice_json_text *texts = w->texts + node->texts;
    bool is_one = false;
    for (int32_t i = 0; i < node->text_count; i++) is_one |= (differences(p, texts[i].text) & texts[i].mask) == 0;
    return is_one;
}

/// The values of a pattern once more, one by one and exactly: there may be whitespace behind them.
RARE bool are_right(const sluice_json_walk *w, const reader *r, const sluice_json_values *values) {
    for (int32_t i = 0; i < values->count; i++) {
        const sluice_json_value *value = values->list + i;
        reader at = *r;
        at.next += value->place;
        const sluice_json_node *node = w->nodes + value->node;
        if (quick_scalar(w, &at, load64(at.kinds + at.next), node->quick, node->digits, value->node) != 1) return false;
    }
    return true;
}

/// Values that have been integers so far, and are something else now, are looked for as numbers from now on. Both lists
/// stay in order.
RARE void widen(const sluice_json_walk *w, const reader *r, sluice_json_pattern *pattern) {
    sluice_json_values *integers = &pattern->integers, *numbers = &pattern->numbers;
    const uint16_t *places = r->places + r->next;
    int32_t kept = 0;
    for (int32_t i = 0; i < integers->count; i++) {
        sluice_json_value value = integers->list[i];
        const uint16_t *range = places + value.place;
        bool may_widen = w->nodes[value.node].quick & SLUICE_JSON_NUMBER && numbers->count < SLUICE_JSON_PATTERN_VALUES;
        if (may_widen && integer_faults(r->start + range[0], (unsigned)range[1] - range[0], value.digits)) {
            int32_t at = numbers->count++;
            for (; at > 0 && numbers->list[at - 1].place > value.place; at--) numbers->list[at] = numbers->list[at - 1];
            numbers->list[at] = value;
        } else {
            integers->list[kept++] = value;
        }
    }
    integers->count = kept;
}

/// Whether the places from `next` on are those of an object like `pattern`, from its first key to before its end.
ALWAYS_INLINE bool is_like(const sluice_json_walk *w, const reader *r, sluice_json_pattern *pattern) {
    const uint8_t *kinds = r->kinds + r->next, *start = r->start;
    const uint16_t *places = r->places + r->next;
    if (differences(kinds, pattern->kinds) & pattern->masks[0]) return false;
    if (pattern->masks[1] && differences(kinds + 32, pattern->kinds + 32) & pattern->masks[1]) return false;
    bytes32 misses = {0};
    for (int32_t i = 0; i < pattern->key_count; i++) {
        bytes32 key, text, mask;
        __builtin_memcpy(&key, start + places[pattern->key_places[i]], sizeof key);
        __builtin_memcpy(&text, pattern->keys[i].text, sizeof text);
        __builtin_memcpy(&mask, pattern->keys[i].mask, sizeof mask);
        misses |= (key ^ text) & mask;
    }
    bool is_right = true;
    for (int32_t i = 0; i < pattern->closed_sets.count; i++) {
        const sluice_json_value *value = pattern->closed_sets.list + i;
        is_right &= is_one_of(w, w->nodes + value->node, start + places[value->place]);
    }
    if (bits_of(&misses) | !is_right) return false;
    uint32_t faults = 0;
    for (int32_t i = 0; i < pattern->integers.count; i++) {
        const sluice_json_value *value = pattern->integers.list + i;
        const uint16_t *at = places + value->place;
        faults |= integer_faults(start + at[0], (unsigned)at[1] - at[0], value->digits);
    }
    if (faults) {
        if (!are_right(w, r, &pattern->integers)) return false;
        widen(w, r, pattern);
    }
    faults = 0;
    for (int32_t i = 0; i < pattern->numbers.count; i++) {
        const uint16_t *at = places + pattern->numbers.list[i].place;
        faults |= number_faults(start + at[0], (unsigned)at[1] - at[0]);
    }
    if (faults && !are_right(w, r, &pattern->numbers)) return false;
    for (int32_t i = 0; i < pattern->words.count; i++) {
        const sluice_json_value *value = pattern->words.list + i;
        const uint16_t *at = places + value->place;
        is_right &= is_wanted_word(start + at[0], (unsigned)at[1] - at[0], value);
    }
    if (!is_right && !are_right(w, r, &pattern->words)) return false;
    for (int32_t i = 0; i < pattern->texts.count; i++) {
        const sluice_json_value *value = pattern->texts.list + i;
        if (!is_typed_text(w, r->next + value->place, value->node)) return false;
    }
    return true;
}
