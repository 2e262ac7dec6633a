// Compares objects with a pattern by its template. For the kernel of AVX-512.
#pragma once
#include "json_template_layout.h"

/// Moves the bytes of a part that are compared side by side.
ALWAYS_INLINE __m512i moved(const sluice_json_moves *moves, __m512i offsets, __m512i low, __m512i high) {
    __m512i from = _mm512_permutexvar_epi8(_mm512_loadu_si512(moves->tokens), offsets);
    from = _mm512_add_epi8(from, _mm512_loadu_si512(moves->deltas));
    return _mm512_permutex2var_epi8(low, from, high);
}

/// A bit for each word of eight bytes whose lane's value is none of the part's choices.
ALWAYS_INLINE uint32_t unknown_words(const sluice_json_part *part, __m512i values) {
    const int32_t count = part->choice_count;
    if (part->pairs == 0) {
        __mmask8 unknown = _mm512_cmpneq_epi64_mask(values, _mm512_loadu_si512(part->choices[0]));
        unknown = _mm512_mask_cmpneq_epi64_mask(unknown, values, _mm512_loadu_si512(part->choices[1]));
        if (count > 2) unknown = _mm512_mask_cmpneq_epi64_mask(unknown, values, _mm512_loadu_si512(part->choices[2]));
        for (int32_t i = 3; i < count; i++) {
            unknown = _mm512_mask_cmpneq_epi64_mask(unknown, values, _mm512_loadu_si512(part->choices[i]));
        }
        return unknown;
    }
    uint32_t known = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t same = _mm512_cmpeq_epi64_mask(values, _mm512_loadu_si512(part->choices[i]));
        uint32_t both = same & same >> 1 & part->pairs;
        known |= (same & ~(part->pairs * 3u)) | both | both << 1;
    }
    return ~known & 0xFF;
}

/// Whether the values are certainly valid. The only branch on the values is for literals where numbers are expected.
ALWAYS_INLINE bool values_match(const sluice_json_part *part, __m512i v) {
    const uint64_t firsts = part->firsts;
    uint64_t ends = _mm512_cmpeq_epi8_mask(v, _mm512_loadu_si512(part->ends)) & part->lanes;
    // Up to the first end in each lane. A lane without one has all its bits, the last one among them.
    uint64_t whole = ends ^ (ends - firsts), before = whole & ~ends;
    uint32_t unknown = unknown_words(part, _mm512_maskz_mov_epi8(whole, v));
    __m512i digits = _mm512_sub_epi8(v, _mm512_set1_epi8('0'));
    uint64_t others = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9));
    uint64_t zeros = _mm512_testn_epi8_mask(digits, digits);
    // A sign at the beginning, points elsewhere: at most one, and a digit before and behind it (RFC 8259 §6).
    uint64_t specials = before & _mm512_cmpeq_epi8_mask(v, _mm512_loadu_si512(part->specials));
    uint64_t points = specials & ~firsts, signs = specials & firsts;
    uint64_t faults = ((others & before) ^ specials) | ((specials << 1) & (specials | ends));
    faults |= (points & ((points | part->lasts) - firsts)) | (ends & firsts);
    // A zero stands before a point or alone.
    uint64_t leading = zeros & (firsts | signs << 1);
    faults |= ((leading << 1) & before & ~others) | (before & part->excess);
    faults = (faults & part->numbers) | (before & part->lasts);
    if (__builtin_expect((faults != 0) | ((unknown & part->text_words) != 0), 0)) {
        uint64_t right = _pdep_u64(~unknown & 0xFF, 0x0101010101010101) * 0xFF;
        return ((faults | (part->lanes & ~part->numbers)) & ~right) == 0;
    }
    return true;
}

/// @param offsets From the part's first token on.
ALWAYS_INLINE bool part_matches(const sluice_json_part *part, const uint16_t *offsets, const uint8_t *start) {
    const uint8_t *p = start + offsets[0];
    if (offsets[part->last] - offsets[0] + part->reach > SLUICE_JSON_PART_BYTES) return false;
    __m512i seen = _mm512_sub_epi16(_mm512_loadu_si512(offsets + 1), _mm512_set1_epi16((short)offsets[0]));
    __m512i low = _mm512_loadu_si512(p), high = _mm512_loadu_si512(p + 64);
    __m512i keys = moved(&part->keys, seen, low, high);
    if (_mm512_cmpneq_epi8_mask(keys, _mm512_loadu_si512(part->key_text)) & part->key_bytes) return false;
    return part->lanes == 0 || values_match(part, moved(&part->values, seen, low, high));
}

/// Whether the template's other parts match, and the values that the template does not cover.
NEVER_INLINE bool rest_matches(const sluice_json_walk *w, ptrdiff_t next, const sluice_json_pattern *pattern) {
    for (int32_t i = 1; i < pattern->template.count; i++) {
        const sluice_json_part *part = pattern->template.parts + i;
        if (!part_matches(part, w->offsets + next + part->first, w->start)) return false;
    }
    for (int32_t i = 0; i < pattern->closed_sets.count; i++) {
        const sluice_json_value *value = pattern->closed_sets.list + i;
        const uint8_t *p = w->start + w->offsets[next + value->token];
        if (value->lane == 0 && !is_one_of(w, w->nodes + value->node, p)) return false;
    }
    for (int32_t i = 0; i < pattern->texts.count; i++) {
        const sluice_json_value *value = pattern->texts.list + i;
        if (!is_typed_text(w, next + value->token, value->node)) return false;
    }
    return true;
}

/// Takes objects that match the pattern's template: all in a row, or one only.
/// @param next Number of the first object's first key; becomes that of the first object that does not match or that no
/// other follows or, where only one is taken, that of the object behind it.
/// @returns Whether the object at `next` matches and no other follows it.
NEVER_INLINE bool match_template(
    const sluice_json_walk *w, ptrdiff_t *next, const sluice_json_pattern *pattern, bool goes_on) {
    const sluice_json_template *template = &pattern->template;
    const uint8_t *kinds = w->kinds, *start = w->start;
    const uint16_t *offsets = w->offsets;
    const ptrdiff_t count = pattern->count, step = count + 3, last = w->count - step;
    const bool has_more = (template->count > 1) | (template->apart_count > 0) | (pattern->texts.count > 0);
    const __m512i wanted = _mm512_loadu_si512(template->kinds);
    const uint64_t mask = template->kind_mask;
    ptrdiff_t at = *next;
    bool is_last, is_right;
    AT_LINE for (;; at += step) {
        uint64_t misses = _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(kinds + at), wanted) & mask;
        // The next object's quote is in the window, too.
        is_last = (misses != 0) | (at >= last);
        is_right = false;
        if (is_last && ((misses & ~(~0ull << count)) || at + count >= w->count)) break;
        is_right = part_matches(template->parts, offsets + at, start) && (!has_more || rest_matches(w, at, pattern));
        if (is_last | !is_right | !goes_on) break;
    }
    *next = (is_right & !is_last) ? at + step : at;
    return is_last & is_right;
}

/// Runs `matches` where the template did not match; where that succeeds often, a new template is laid out.
COLD bool matches_without_template(const sluice_json_walk *w, const reader *r, sluice_json_pattern *pattern) {
    if (!matches(w, r, pattern)) return false;
    sluice_json_template *template = &pattern->template;
    template->misses++;
    if (template->misses > template->backoff && template->misses > (pattern->uses - template->since) / 4) {
        lay_out(w, w->offsets + r->next, pattern);
    }
    return true;
}
