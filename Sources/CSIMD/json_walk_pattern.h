// Objects that look like an earlier one: its tokens are recorded once, and later objects are compared with them, many
// tokens at a time. For the kernels.
#pragma once
#include "json_walk_edit.h"

/// The pattern that an object of this table may match, chosen by the object's size.
/// @param next Number of the object's first key.
ALWAYS_INLINE sluice_json_pattern *pattern_of(const sluice_json_walk *w, int32_t table, ptrdiff_t next) {
    const uint8_t *kinds = w->kinds + next;
    uint64_t ends = sluice_hits32(sluice_equal32(sluice_load32(kinds), '}'));
    ends |= (uint64_t)sluice_hits32(sluice_equal32(sluice_load32(kinds + 32), '}')) << 32;
    // Most members have six tokens.
    unsigned size = (unsigned)__builtin_ctzll(ends | 1ull << 63) * 43 >> 8;
    return w->patterns + table * SLUICE_JSON_SHAPES + size % SLUICE_JSON_SHAPES;
}

/// Checks the values of a pattern again, one by one and exactly.
COLD bool are_right(const sluice_json_walk *w, const reader *r, const sluice_json_values *values) {
    for (int32_t i = 0; i < values->count; i++) {
        const sluice_json_value *value = values->list + i;
        reader at = *r;
        at.next += value->token;
        const sluice_json_node *node = w->nodes + value->node;
        uint64_t ahead = load64(at.kinds + at.next);
        if (plain_scalar(w, &at, ahead, node->accepts, node->digits, value->node) != 1) return false;
    }
    return true;
}

/// Treats values that were integers so far, and are something else now, as numbers from now on. Both lists stay in
/// order.
COLD void widen(const sluice_json_walk *w, const reader *r, sluice_json_pattern *pattern) {
    sluice_json_values *integers = &pattern->integers, *numbers = &pattern->numbers;
    const uint16_t *offsets = r->offsets + r->next;
    int32_t kept = 0;
    for (int32_t i = 0; i < integers->count; i++) {
        sluice_json_value value = integers->list[i];
        bool may_widen =
            w->nodes[value.node].accepts & SLUICE_JSON_NUMBER && numbers->count < SLUICE_JSON_PATTERN_VALUES;
        if (may_widen && sluice_json_integer_faults(r->start + offsets[value.token], value.digits)) {
            int32_t at = numbers->count++;
            for (; at > 0 && numbers->list[at - 1].token > value.token; at--) numbers->list[at] = numbers->list[at - 1];
            numbers->list[at] = value;
        } else {
            integers->list[kept++] = value;
        }
    }
    integers->count = kept;
}

/// Whether the tokens from `next` on are those of an object that matches, from its first key to before its end.
ALWAYS_INLINE bool matches(const sluice_json_walk *w, const reader *r, sluice_json_pattern *pattern) {
    const uint8_t *kinds = r->kinds + r->next, *start = r->start;
    const uint16_t *offsets = r->offsets + r->next;
    if (differences(kinds, pattern->kinds) & pattern->masks[0]) return false;
    if (pattern->masks[1] && differences(kinds + 32, pattern->kinds + 32) & pattern->masks[1]) return false;
    bytes32 misses = sluice_fill32(0);
    AS_FEW for (int32_t i = 0; i < pattern->key_count; i++) {
        bytes32 key = sluice_load32(start + offsets[pattern->key_tokens[i]]);
        bytes32 others = sluice_xor32(key, sluice_load32(pattern->keys[i].text));
        misses = sluice_or32(misses, sluice_and32(others, sluice_load32(pattern->keys[i].mask)));
    }
    bool is_right = true;
    AS_FEW for (int32_t i = 0; i < pattern->closed_sets.count; i++) {
        const sluice_json_value *value = pattern->closed_sets.list + i;
        is_right &= is_one_of(w, w->nodes + value->node, start + offsets[value->token]);
    }
    if (sluice_any32(misses) | !is_right) return false;
    uint32_t faults = 0;
    AS_FEW for (int32_t i = 0; i < pattern->integers.count; i++) {
        const sluice_json_value *value = pattern->integers.list + i;
        faults |= sluice_json_integer_faults(start + offsets[value->token], value->digits);
    }
    if (faults) {
        if (!are_right(w, r, &pattern->integers)) return false;
        widen(w, r, pattern);
    }
    faults = 0;
    AS_FEW for (int32_t i = 0; i < pattern->numbers.count; i++) {
        faults |= sluice_json_number_faults(start + offsets[pattern->numbers.list[i].token]);
    }
    if (faults && !are_right(w, r, &pattern->numbers)) return false;
    AS_FEW for (int32_t i = 0; i < pattern->words.count; i++) {
        const sluice_json_value *value = pattern->words.list + i;
        is_right &= sluice_json_is_literal(start + offsets[value->token], value->may_be_bool, value->may_be_null);
    }
    if (!is_right && !are_right(w, r, &pattern->words)) return false;
    AS_FEW for (int32_t i = 0; i < pattern->texts.count; i++) {
        const sluice_json_value *value = pattern->texts.list + i;
        if (!is_typed_text(w, r->next + value->token, value->node)) return false;
    }
    return true;
}
