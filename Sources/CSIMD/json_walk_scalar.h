// One scalar that a plan looks at, for the kernels.
#pragma once
#include "json_walk_text.h"

ALWAYS_INLINE bool is_literal(const sluice_json_walk *w, const sluice_json_node *node, const uint8_t *p) {
    uint32_t misses = ~0u;
    const sluice_json_text *texts = w->texts + node->texts;
    for (int32_t i = 0; i < node->text_count && misses; i++) misses = differences(p, texts[i].text) & texts[i].mask;
    return misses == 0;
}

/// Whether the string without escapes at place number `next` is of its node's grammar.
RARE bool is_typed_text(const sluice_json_walk *w, ptrdiff_t next, int32_t node) {
    const uint8_t *p = w->start + w->places[next] + 1;
    return is_plain_text(w->nodes[node].grammar, p, w->start + w->places[next + 1] - p);
}

/// How many places the scalar takes that `run` begins with, where it is surely as its node wants it; else 0.
ALWAYS_INLINE ptrdiff_t quick_scalar(
    const sluice_json_walk *w, const reader *r, uint64_t run, unsigned quick, int most, int32_t node) {
    uint8_t kind = (uint8_t)run;
    const uint8_t *p = r->start + r->places[r->next];
    if (kind == '"') {
        if ((run & 0xFFFF) != RUN_STRING) return quick & SLUICE_JSON_STRING ? escaped_string(w, r->next) : 0;
        if (quick & SLUICE_JSON_STRING) return taken_if(true, 2);
        if (quick & SLUICE_JSON_TEXT) return taken_if(is_typed_text(w, r->next, node), 2);
        return taken_if(quick & SLUICE_JSON_CLOSED_SET && is_literal(w, w->nodes + node, p), 2);
    }
    if ((uint8_t)(kind - '-') < 13) {
        bool is_integer;
        int digits = number_digits(p, kind, &is_integer);
        if (digits == 0) return 0;
        if (quick & SLUICE_JSON_NUMBER) return taken_if(true, 1);
        bool is_small = is_integer && quick & SLUICE_JSON_INTEGER && digits <= most;
        return taken_if(is_small && (kind != '-' || quick & SLUICE_JSON_NEGATIVE), 1);
    }
    if (kind == 'n') return taken_if(quick & SLUICE_JSON_NULL && is_word(p, kind), 1);
    if (kind == 't' || kind == 'f') return taken_if(quick & SLUICE_JSON_BOOL && is_word(p, kind), 1);
    if ((uint8_t)(run >> 8) != kind + 2 || w->frame_count >= w->depth_most) return 0;
    if (kind == '[') return taken_if(quick & SLUICE_JSON_EMPTY_ARRAY, 2);
    return taken_if(kind == '{' && quick & SLUICE_JSON_EMPTY_OBJECT, 2);
}
