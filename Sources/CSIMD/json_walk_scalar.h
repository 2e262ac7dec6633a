// Checks of one scalar value, for the kernels.
#pragma once
#include "json_walk_text.h"

/// Whether a text of the node's closed set stands at `p`. All texts are compared, so that there is no branch on which
/// one it is.
ALWAYS_INLINE bool is_one_of(const sluice_json_walk *w, const sluice_json_node *node, const uint8_t *p) {
    const sluice_json_text *texts = w->texts + node->texts;
    bool is_one = false;
    for (int32_t i = 0; i < node->text_count; i++) is_one |= (differences(p, texts[i].text) & texts[i].mask) == 0;
    return is_one;
}

/// Whether the string without escapes at token number `next` is of its node's grammar.
COLD bool is_typed_text(const sluice_json_walk *w, ptrdiff_t next, int32_t node) {
    const uint8_t *p = w->start + w->offsets[next] + 1;
    return is_plain_text(w->nodes[node].grammar, p, w->start + w->offsets[next + 1] - p);
}

/// Whether its node certainly accepts the number at `p`.
ALWAYS_INLINE bool is_plain_number(const uint8_t *p, uint8_t kind, unsigned accepts, int most) {
    bool is_integer;
    int digits = sluice_json_plain_number(p, kind, &is_integer);
    if (digits == 0 || accepts & SLUICE_JSON_NUMBER) return digits != 0;
    bool is_small = is_integer && accepts & SLUICE_JSON_INTEGER && digits <= most;
    return is_small && (kind != '-' || accepts & SLUICE_JSON_NEGATIVE);
}

/// How many tokens the scalar at the start of `ahead` takes, where its node certainly accepts it; else 0.
ALWAYS_INLINE ptrdiff_t plain_scalar(
    const sluice_json_walk *w, const reader *r, uint64_t ahead, unsigned accepts, int most, int32_t node) {
    uint8_t kind = (uint8_t)ahead;
    const uint8_t *p = r->start + r->offsets[r->next];
    if (kind == '"') {
        if ((ahead & 0xFFFF) != NEXT_STRING) return accepts & SLUICE_JSON_STRING ? escaped_string(w, r->next) : 0;
        if (accepts & SLUICE_JSON_STRING) return taken_if(true, 2);
        if (accepts & SLUICE_JSON_TEXT) return taken_if(is_typed_text(w, r->next, node), 2);
        return taken_if(accepts & SLUICE_JSON_CLOSED_SET && is_one_of(w, w->nodes + node, p), 2);
    }
    if (is_number(kind)) return taken_if(is_plain_number(p, kind, accepts, most), 1);
    if (kind != '{' && kind != '[') {
        return taken_if(sluice_json_is_literal(p, accepts & SLUICE_JSON_BOOL, accepts & SLUICE_JSON_NULL), 1);
    }
    if ((uint8_t)(ahead >> 8) != kind + 2 || w->frame_count >= w->depth_most) return 0;
    return taken_if(accepts & (kind == '[' ? SLUICE_JSON_EMPTY_ARRAY : SLUICE_JSON_EMPTY_OBJECT), 2);
}
