// The loop over skipped containers, which checks grammar and limits only. For the kernels.
#pragma once
#include "json_walk_base.h"

/// Whether a number or a literal stands at token number `next`, which is of this kind and not a string or a bracket.
ALWAYS_INLINE bool is_plain_token(const reader *r, ptrdiff_t next, uint8_t kind) {
    const uint8_t *p = r->start + r->offsets[next];
    bool is_integer;
    if (is_number(kind)) return sluice_json_plain_number(p, kind, &is_integer) != 0;
    return sluice_json_is_any_literal(p, kind);
}

/// How many tokens the scalar or empty container takes that `ahead` begins with; 0 where it is neither, or unusual.
ALWAYS_INLINE ptrdiff_t skip_scalar(const sluice_json_walk *w, const reader *r, uint64_t ahead) {
    uint8_t kind = (uint8_t)ahead;
    if (kind == '"') {
        return (ahead & 0xFFFF) == NEXT_STRING ? taken_if(true, 2) : escaped_string(w, r->next);
    }
    if (kind != '{' && kind != '[') return taken_if(is_plain_token(r, r->next, kind), 1);
    return taken_if((uint8_t)(ahead >> 8) == kind + 2 && w->frame_count + w->skip_count < w->depth_most, 2);
}

/// Whether nothing has to be done at the end of the outermost skipped container.
ALWAYS_INLINE bool is_skipped_end_plain(const sluice_json_walk *w) {
    return w->frame_count > 0 && !w->nodes[w->frames[w->frame_count - 1].child].has_ops;
}

/// Whether another object of the same array follows at the end of a skipped object.
ALWAYS_INLINE bool repeats(const sluice_json_walk *w, const reader *r) {
    return is_next_object(r->kinds, r->next, w->count) && w->skip_count >= 2 && !(w->skips[w->skip_count - 2] & 1);
}

ALWAYS_INLINE bool took_comma(reader *r) {
    if (r->kinds[r->next] != ',') return false;
    r->next++;
    return true;
}

/// Enters the container that begins here. Empty containers get here only at the depth limit.
/// @param word The word of the outer container; becomes that of the new one.
/// @returns false where Swift has to do it.
ALWAYS_INLINE bool open_skipped(sluice_json_walk *w, reader *r, uint8_t kind, uint32_t *word) {
    if (kind != '{' && kind != '[') return false;
    if (w->frame_count + w->skip_count >= w->depth_most || w->skip_count == w->skip_capacity) return false;
    w->skips[w->skip_count - 1] = *word;
    w->skips[w->skip_count++] = *word = kind == '{';
    r->next++;
    return true;
}

/// Continues inside of a skipped container, but not before a colon, to the end of the outermost one. `word` is that of
/// the innermost container: twice the keys so far, and 1 in an object.
/// @returns Whether that end has been reached, and nothing has to be done there.
NEVER_INLINE bool skip(sluice_json_walk *w) {
    reader r = {w->start, w->offsets, w->kinds, w->next, w->count - SLUICE_JSON_LOOK_AHEAD};
    uint32_t word = w->skips[w->skip_count - 1];
    const uint32_t word_most = w->keys_most < 0x3FFFFFFF ? 2 * (uint32_t)w->keys_most : 0x7FFFFFFE;
    uint64_t ahead = load64(r.kinds + r.next);
    int at = w->skip_at;
    ptrdiff_t taken;
    bool is_first = at == SLUICE_JSON_AT_FIRST_KEY || at == SLUICE_JSON_AT_FIRST_ELEMENT;
    if (is_first && (uint8_t)ahead == (word & 1 ? '}' : ']')) goto close;
    if (at == SLUICE_JSON_AT_AFTER_VALUE) goto after_value;
    if (!(word & 1)) goto elements;
    if (at == SLUICE_JSON_AT_VALUE) goto member_value;
members:
    AT_LINE while (r.next <= r.last) {
        ahead = load64(r.kinds + r.next);
        at = SLUICE_JSON_AT_KEY;
        if (word >= word_most) goto leave;
        const bool is_string = ahead << 16 == NEXT_STRING_MEMBER << 16;
        if (!is_string && (ahead & 0xFFFFFF) != NEXT_KEY) goto leave;
        word += 2;
        r.next += is_string ? 6 : 3;
        if (is_string) continue;
        ahead >>= 24;
    member_value:
        if ((taken = skip_scalar(w, &r, ahead)) == 0) goto open;
        r.next += taken;
    after_member:
        if (took_comma(&r)) continue;
        at = SLUICE_JSON_AT_AFTER_VALUE;
        if (r.kinds[r.next] != '}') goto leave;
        if (!repeats(w, &r)) goto close;
        r.next += 3;
        word = 1;
    }
    at = SLUICE_JSON_AT_KEY;
    goto leave;
elements:
    AT_LINE while (r.next <= r.last) {
        ahead = load64(r.kinds + r.next);
        taken = (ahead & 0xFFFFFF) == NEXT_STRING_COMMA ? 2 : skip_scalar(w, &r, ahead);
        if (taken == 0) goto open;
        r.next += taken;
    after_element:
        if (took_comma(&r)) continue;
        at = SLUICE_JSON_AT_AFTER_VALUE;
        if (r.kinds[r.next] != ']') goto leave;
        goto close;
    }
    at = SLUICE_JSON_AT_VALUE;
    goto leave;
open:
    at = SLUICE_JSON_AT_VALUE;
    if (!open_skipped(w, &r, (uint8_t)ahead, &word)) goto leave;
    if (word) goto members;
    goto elements;
close:
    at = SLUICE_JSON_AT_AFTER_VALUE;
    w->next = ++r.next;
    if (--w->skip_count == 0) return is_skipped_end_plain(w);
    word = w->skips[w->skip_count - 1];
    if (r.next > r.last) goto leave;
after_value:
    if (word & 1) goto after_member;
    goto after_element;
leave:
    w->next = r.next, w->skip_at = at;
    w->skips[w->skip_count - 1] = word;
    return false;
}
