// Arrays that are gone over whole where they stand, as values of members: of plain strings, and of objects like one
// before. Nothing is pushed for them. For the kernels.
#pragma once
#include "json_walk_learn.h"
#ifdef SLUICE_JSON_STENCILS
#include "json_walk_stencil.h"
#define FITTING(w, next, pattern) (pattern->stencil.count > 0 && fitting(w, next, pattern))
#define IS_LIKE is_like_otherwise
#else
#define FITTING(w, next, pattern) false
#define IS_LIKE is_like
#endif

/// Whether `},{"` stands at place number `next`, wholly in the window.
ALWAYS_INLINE bool is_at_next_object(const sluice_json_walk *w, ptrdiff_t next) {
    return (uint32_t)load64(w->kinds + next) == RUN_NEXT_OBJECT && next + 4 <= w->count;
}

/// Where an array of nothing but strings without escapes ends that begins at place number `next`; 0 where it has
/// others.
/// @param last The last place that leaves enough to look ahead.
ALWAYS_INLINE ptrdiff_t end_of_strings(const uint8_t *kinds, ptrdiff_t next, ptrdiff_t last) {
    next++;
    while (next <= last && (load32(kinds + next) & 0xFFFFFF) == RUN_STRING_COMMA) next += 3;
    return next <= last && (load32(kinds + next) & 0xFFFFFF) == RUN_STRING_END ? next + 3 : 0;
}

/// Where an array ends whose objects are all like ones remembered; 0 where one is not.
/// @param next Number of the first object's first key.
/// @param table Of an object that nobody edits.
ALWAYS_INLINE ptrdiff_t end_of_objects(const sluice_json_walk *w, ptrdiff_t next, int32_t table) {
    reader r = {w->start, w->places, w->kinds, next, 0};
    for (;;) {
        sluice_json_pattern *pattern = pattern_of(w, table, r.next);
        const ptrdiff_t count = pattern->count;
        // The array and its object are two more; an object inside may be edited.
        if (count == 0 || w->frame_count + 2 + pattern->nested > w->depth_most || pattern->edit_count > 0) return 0;
        // What ends the object has to be in the window.
        if (r.next + count >= w->count) return 0;
        const ptrdiff_t before = r.next;
        bool is_like_it = FITTING(w, &r.next, pattern);
        // More would say no more.
        if (pattern->uses < 1 << 30) pattern->uses += (int32_t)((r.next - before) / (count + 3)) + is_like_it;
        // Where some are, the next one may be like another.
        if (!is_like_it && r.next > before) continue;
        if (!is_like_it && !IS_LIKE(w, &r, pattern)) return 0;
        if (!is_like_it && pattern->uses < 1 << 30) pattern->uses++;
        ptrdiff_t end = r.next + count;
        if (!is_at_next_object(w, end)) return w->kinds[end] == '}' && w->kinds[end + 1] == ']' ? end + 2 : 0;
        r.next = end + 3;
    }
}

/// How many places the array takes that begins at place number `next`, where it is surely as its node wants it and
/// nothing has to be done about it; else 0.
NEVER_INLINE ptrdiff_t whole_array(const sluice_json_walk *w, ptrdiff_t next, int32_t number) {
    const sluice_json_node *node = w->nodes + number;
    const uint8_t kind = w->kinds[next + 1];
    const ptrdiff_t last = w->count - SLUICE_JSON_LOOK_AHEAD;
    if (node->has_ops || node->array == SLUICE_JSON_LEFT || w->frame_count >= w->depth_most) return 0;
    if (node->array == SLUICE_JSON_SKIPPED) {
        ptrdiff_t end = kind == '"' ? end_of_strings(w->kinds, next, last) : 0;
        return end > 0 ? end - next : 0;
    }
    const sluice_json_array *array = w->arrays + node->array;
    const sluice_json_node *element = w->nodes + array->element;
    if (!array->is_plain || element->has_ops) return 0;
    ptrdiff_t end = 0;
    if (kind == '"' && element->quick & SLUICE_JSON_STRING) end = end_of_strings(w->kinds, next, last);
    if (kind == '{' && element->object >= 0) {
        const sluice_json_object *object = w->objects + element->object;
        if (object->is_plain && !object->editor) end = end_of_objects(w, next + 2, element->object);
    }
    // As behind any value, two places are left.
    return end > 0 && end + 2 <= w->count ? end - next : 0;
}
