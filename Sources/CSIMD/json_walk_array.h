// Arrays that are taken whole where they stand: of plain strings, of numbers, and of objects that match patterns.
// Nothing is pushed for them. For the kernels.
#pragma once
#include "json_walk_record.h"
#ifdef SLUICE_JSON_HAS_TEMPLATES
#include "json_walk_template.h"
#define MATCH_TEMPLATE(w, next, pattern, goes_on) \
    (pattern->template.count > 0 && match_template(w, next, pattern, goes_on))
#define MATCHES matches_without_template
#else
#define MATCH_TEMPLATE(w, next, pattern, goes_on) false
#define MATCHES matches
#endif

/// End of the array of strings without escapes that begins at token number `next`; 0 where it has other elements.
/// @param last The last token that leaves enough to look ahead.
ALWAYS_INLINE ptrdiff_t end_of_strings(const uint8_t *kinds, ptrdiff_t next, ptrdiff_t last) {
    next++;
    while (next <= last && (load32(kinds + next) & 0xFFFFFF) == NEXT_STRING_COMMA) next += 3;
    return next <= last && (load32(kinds + next) & 0xFFFFFF) == NEXT_STRING_END ? next + 3 : 0;
}

/// Reads elements that are numbers which their node accepts, as long as commas follow.
/// @param next Number of the first one's token.
/// @returns Number of the token of the first element that is something else, or of the last element.
ALWAYS_INLINE ptrdiff_t behind_numbers(
    const sluice_json_walk *w, ptrdiff_t next, ptrdiff_t last, const sluice_json_node *element) {
    const unsigned accepts = element->accepts;
    while (next < last) {
        const uint8_t kind = w->kinds[next];
        if (!is_number(kind) || w->kinds[next + 1] != ',') break;
        if (!is_plain_number(w->start + w->offsets[next], kind, accepts, element->digits)) break;
        next += 2;
    }
    return next;
}

/// End of the array of numbers that begins at token number `next`; 0 where a number is unusual or not accepted.
ALWAYS_INLINE ptrdiff_t end_of_numbers(
    const sluice_json_walk *w, ptrdiff_t next, ptrdiff_t last, const sluice_json_node *element) {
    next = behind_numbers(w, next + 1, last, element);
    const uint8_t kind = w->kinds[next];
    if (next > last || !is_number(kind) || w->kinds[next + 1] != ']') return 0;
    return is_plain_number(w->start + w->offsets[next], kind, element->accepts, element->digits) ? next + 2 : 0;
}

/// Node of the elements of an array, where nothing but their checks has to be done for it and in it; else NULL.
/// @param node The array's.
ALWAYS_INLINE const sluice_json_node *checked_element(const sluice_json_walk *w, const sluice_json_node *node) {
    if (node->has_ops || node->array < 0 || w->frame_count >= w->depth_most) return NULL;
    const sluice_json_array *array = w->arrays + node->array;
    const sluice_json_node *element = w->nodes + array->element;
    return array->is_plain && array->ends_plainly && !element->has_ops ? element : NULL;
}

/// Reads elements that are arrays of numbers only, as long as commas follow.
/// @param next Number of the first one's token.
/// @param number Number of the arrays' node.
/// @param count Becomes the number of arrays read.
/// @returns Number of the token of the first element that is something else, or of the last element.
NEVER_INLINE ptrdiff_t behind_arrays_of_numbers(
    const sluice_json_walk *w, ptrdiff_t next, int32_t number, int32_t *count) {
    const sluice_json_node *element = checked_element(w, w->nodes + number);
    const ptrdiff_t last = w->count - SLUICE_JSON_LOOK_AHEAD;
    *count = 0;
    while (element && next < last && w->kinds[next] == '[') {
        const ptrdiff_t end = end_of_numbers(w, next, last, element);
        if (end == 0 || end >= last || w->kinds[end] != ',') break;
        next = end + 1;
        ++*count;
    }
    return next;
}

/// Takes objects that match a pattern, and notes their edits if it has any.
/// @param r At an object's first key; becomes the first key of the first object that does not match, or is behind the
/// array.
/// @returns Whether no object follows the last of them.
ALWAYS_INLINE bool match_each(sluice_json_walk *w, reader *r, sluice_json_pattern *pattern, bool has_edits) {
    const ptrdiff_t count = pattern->count, begin = r->next;
    bool is_last = false;
    // The token that ends the object has to be in the window.
    while (!is_last && r->next + count < w->count) {
        const ptrdiff_t before = r->next;
        bool has_matched = MATCH_TEMPLATE(w, &r->next, pattern, true);
        const ptrdiff_t fits = r->next;
        if (has_edits) r->next = repeat_edits(w, pattern, begin, before, fits);
        if (r->next < fits) break;
        if (!has_matched && (r->next + count >= w->count || !MATCHES(w, r, pattern))) break;
        // Where more members follow, the object does not end here.
        if (has_edits) {
            const ptrdiff_t end = r->next + count + 3;
            if (w->kinds[r->next + count] != '}' || repeat_edits(w, pattern, begin, r->next, end) < end) break;
        }
        is_last = !is_next_object(w->kinds, r->next + count, w->count);
        r->next += count + 3;
    }
    return is_last;
}

/// A function of its own, so that slices without edits pay nothing for it.
NEVER_INLINE bool match_editing(sluice_json_walk *w, reader *r, sluice_json_pattern *pattern) {
    return match_each(w, r, pattern, true);
}

ALWAYS_INLINE bool match_to_end(sluice_json_walk *w, reader *r, sluice_json_pattern *pattern) {
    return pattern->edit_count > 0 ? match_editing(w, r, pattern) : match_each(w, r, pattern, false);
}

/// End of an array whose objects all match patterns; 0 where one does not.
/// @param next Number of the first object's first key.
ALWAYS_INLINE ptrdiff_t end_of_objects(sluice_json_walk *w, ptrdiff_t next, int32_t table) {
    reader r = {w->start, w->offsets, w->kinds, next, 0};
    for (;;) {
        sluice_json_pattern *pattern = pattern_of(w, table, r.next);
        // The array and its object add two to the depth.
        if (pattern->count == 0 || w->frame_count + 2 + pattern->nested > w->depth_most) return 0;
        const ptrdiff_t before = r.next;
        const bool is_last = match_to_end(w, &r, pattern);
        // A saturating count: it must not overflow.
        if (pattern->uses < 1 << 30) pattern->uses += (int32_t)((r.next - before) / (pattern->count + 3));
        if (is_last) return w->kinds[r.next - 3] == '}' && w->kinds[r.next - 2] == ']' ? r.next - 1 : 0;
        // Where some matched, the next object may match another pattern.
        if (r.next == before) return 0;
    }
}

/// How many tokens the array at token number `next` takes, where it is certainly valid and needs no further work; else
/// 0.
NEVER_INLINE ptrdiff_t whole_array(sluice_json_walk *w, ptrdiff_t next, int32_t number) {
    const sluice_json_node *node = w->nodes + number;
    const uint8_t kind = w->kinds[next + 1];
    const ptrdiff_t last = w->count - SLUICE_JSON_LOOK_AHEAD;
    if (node->array == SLUICE_JSON_SKIPPED) {
        if (node->has_ops || w->frame_count >= w->depth_most || kind != '"') return 0;
        const ptrdiff_t end = end_of_strings(w->kinds, next, last);
        return end > 0 ? end - next : 0;
    }
    const sluice_json_node *element = checked_element(w, node);
    if (!element) return 0;
    const int32_t edit_count = w->edit_count;
    ptrdiff_t end = 0;
    if (kind == '"' && element->accepts & SLUICE_JSON_STRING) end = end_of_strings(w->kinds, next, last);
    if (is_number(kind)) end = end_of_numbers(w, next, last, element);
    if (kind == '{' && element->object >= 0 && w->objects[element->object].is_plain) {
        end = end_of_objects(w, next + 2, element->object);
    }
    // Two tokens have to follow, as behind any value.
    if (end > 0 && end + 2 <= w->count) return end - next;
    w->edit_count = edit_count;
    return 0;
}
