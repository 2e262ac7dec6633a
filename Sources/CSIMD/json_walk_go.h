// The walk itself. Each file that includes this is compiled for one set of instructions.
#pragma once
#include "json_walk_members.h"

ALWAYS_INLINE void push(sluice_json_walk *w, const reader *r, int32_t table, bool is_object) {
    sluice_json_frame *frame = w->frames + w->frame_count++;
    *frame = (sluice_json_frame){
        .table = table, .member = -1, .slot = -1, .guess = is_object ? w->firsts[table] : -1,
        .offset = w->offset + r->places[r->next], .is_object = is_object};
    frame->repeats = is_object && w->frame_count > 1 && !frame[-1].is_object && w->arrays[frame[-1].table].is_plain
                     && w->objects[table].is_plain;
}

/// Whether the end of the innermost container is no more than that; `seen` is an object's.
ALWAYS_INLINE bool may_close(const sluice_json_walk *w, uint64_t seen) {
    const sluice_json_frame *frame = w->frames + w->frame_count - 1;
    if (w->frame_count < 2 || w->nodes[frame[-1].child].has_ops) return false;
    if (!frame->is_object) return w->arrays[frame->table].is_plain;
    const sluice_json_object *object = w->objects + frame->table;
    return object->is_plain && !(object->required & ~seen);
}

/// Whether at place number `next` the object ends and so does its array, and that is no more than that.
/// @param m An object that repeats.
ALWAYS_INLINE bool closes_both(const sluice_json_walk *w, const members *m, uint64_t seen, ptrdiff_t next) {
    if (w->kinds[next] != '}' || w->kinds[next + 1] != ']' || next + 2 > w->count || w->frame_count < 3) return false;
    bool have_ops = w->nodes[m->frame[-1].child].has_ops | w->nodes[m->frame[-2].child].has_ops;
    return !have_ops && !(m->object->required & ~seen);
}

/// How far objects were alike: to this place, a first key; or before the end of an object that no other follows, and
/// then `opening` is its last key. `pattern` is what the last one is like.
typedef struct {
    ptrdiff_t next;
    const uint8_t *opening;
    sluice_json_pattern *pattern;
} alike;

/// Goes over objects that are like one remembered, from the first key of one on.
ALWAYS_INLINE void go_over_alike(sluice_json_walk *w, alike *reached, sluice_json_frame *frame) {
    sluice_json_pattern *pattern = pattern_of(w, frame->table, reached->next);
    if (pattern->count == 0 || w->frame_count + pattern->nested > w->depth_most) return;
    reader r = {w->start, w->places, w->kinds, reached->next, 0};
    const ptrdiff_t count = pattern->count;
    const bool has_edits = pattern->edit_count > 0;
    int32_t uses = 0;
    const uint8_t *opening = NULL;
    // What ends the object has to be in the window.
    while (r.next + count < w->count) {
        ptrdiff_t before = r.next;
        bool is_like_it = FITTING(w, &r.next, pattern);
        ptrdiff_t fits = r.next;
        if (has_edits) r.next = edit_all_like(w, pattern, before, fits);
        if (r.next > before) uses += (int32_t)((r.next - before) / (count + 3));
        if (r.next < fits) break;
        if (!is_like_it && (r.next + count >= w->count || !IS_LIKE(w, &r, pattern))) break;
        if (has_edits && !edit_like(w, pattern, r.next, r.next + count)) break;
        uses++;
        if (!is_at_next_object(w, r.next + count)) {
            opening = r.start + r.places[r.next + pattern->last_key];
            frame->shown = pattern->shown;
            break;
        }
        r.next += count + 3;
    }
    if (r.next > reached->next) frame->offset = w->offset + r.places[r.next - 1];
    if (opening) r.next += count;
    // More would say no more.
    if (pattern->uses < 1 << 30) pattern->uses += uses;
    frame[-1].count += uses - (opening != NULL);
    *reached = (alike){r.next, opening, pattern};
}

/// The same, one shape of objects after the other.
NEVER_INLINE alike objects_alike(sluice_json_walk *w, ptrdiff_t next, sluice_json_frame *frame) {
    alike reached = {next, NULL, NULL};
    for (;;) {
        alike further = reached;
        go_over_alike(w, &further, frame);
        if (!further.opening && further.next == reached.next) return reached;
        reached = further;
        if (reached.opening) return reached;
    }
}

/// Whether the window cuts the object whose first key comes next, and others before it were taken whole: then this one
/// may be, too, in the next window. Few bytes are read twice for it.
ALWAYS_INLINE bool is_cut_off(const sluice_json_walk *w, alike reached, ptrdiff_t before) {
    return w->goes_on && !reached.opening && reached.next > before && reached.next + reached.pattern->count >= w->count
           && w->places[w->count - 1] - w->places[reached.next] < SLUICE_JSON_CUT_BYTES;
}

/// Remembers the object that ends here, if it began in this window.
RARE void learn_object(const sluice_json_walk *w, const reader *r, const sluice_json_frame *frame) {
    ptrdiff_t opening = frame->offset - w->offset;
    if (opening < 0) return;
    ptrdiff_t first = r->next;
    while (first > 0 && w->places[first - 1] > opening && r->next - first <= SLUICE_JSON_PATTERN) first--;
    learn(w, frame->table, first, r->next);
}

/// One function, so that what is at hand stays in registers from token to token.
static void go(sluice_json_walk *w) {
    reader r = {w->start, w->places, w->kinds, w->next, w->count - SLUICE_JSON_LOOK_AHEAD};
    members m;
    sluice_json_frame *frame = w->frames + w->frame_count - 1;
    int32_t node;
    uint64_t run;
    bool is_after_value;
    int at = w->at;
    if (r.next > r.last) return;
    switch (at) {
    case SLUICE_JSON_AT_KEY: load(w, &m); goto keys;
    case SLUICE_JSON_AT_VALUE: goto value;
    case SLUICE_JSON_AT_AFTER_VALUE: goto after_value;
    case SLUICE_JSON_AT_FIRST_KEY: goto first_key;
    case SLUICE_JSON_AT_FIRST_ELEMENT: goto first_element;
    case SLUICE_JSON_AT_SKIPPING: goto skipping;
    default: return;
    }

first_key:
    at = SLUICE_JSON_AT_FIRST_KEY;
    if (r.next > r.last) goto leave;
    if (r.kinds[r.next] == '}') {
        if (!may_close(w, frame->seen)) goto leave;
        goto close;
    }
    load(w, &m);
next_object:
    // As long as one object is like another, they are taken whole.
    if (m.frame->repeats && pattern_of(w, m.frame->table, r.next)->count > 0) {
        alike reached = objects_alike(w, r.next, m.frame);
        const sluice_json_pattern *pattern = reached.pattern;
        w->is_cut = is_cut_off(w, reached, r.next);
        r.next = reached.next;
        if (w->is_cut) {
            at = SLUICE_JSON_AT_FIRST_KEY;
            goto leave_keys;
        }
        if (reached.opening && closes_both(w, &m, pattern->seen, r.next)) {
            w->frame_count -= 2;
            frame = m.frame - 2;
            r.next += 2;
            goto after_value;
        }
        if (reached.opening) {
            m.seen = pattern->seen;
            m.count = pattern->member_count;
            m.slot = w->slots + pattern->slot;
            m.guess = m.slot->next;
            m.opening = reached.opening;
            is_after_value = true;
            goto members;
        }
    }
keys:
    is_after_value = false;
members:
    w->next = r.next;
    int stop = plain_members(w, &m, is_after_value);
    r.next = w->next;
    at = SLUICE_JSON_AT_KEY;
    if (stop == STOP_AT_KEY) goto leave_keys;
    if (stop == STOP_AT_VALUE) {
        store(w, &m);
        node = m.slot->node;
        frame = m.frame;
        run = load64(r.kinds + r.next);
        goto container;
    }
    at = SLUICE_JSON_AT_AFTER_VALUE;
    if (r.kinds[r.next] != '}' || m.object->required & ~m.seen) goto leave_keys;
    bool is_last = !m.frame->repeats || !is_at_next_object(w, r.next);
    if (is_last && !may_close(w, m.seen)) goto leave_keys;
    if (m.object->editor && !edit_closing(w, m.frame, r.next)) goto leave_keys;
    if (is_last) goto close;
    // An object of the same kind follows in the same array: the frame is made new.
    if (--w->patterns[m.frame->table * SLUICE_JSON_SHAPES].wait < 0) learn_object(w, &r, m.frame);
    m.frame[-1].count++;
    m.frame->offset = w->offset + r.places[r.next + 2];
    m.frame->member = -1;
    r.next += 3;
    m.seen = 0, m.count = 0, m.opening = NULL, m.slot = w->slots - 1;
    m.guess = w->firsts[m.frame->table];
    goto next_object;

leave_keys:
    store(w, &m);
    goto leave;

first_element:
    at = SLUICE_JSON_AT_FIRST_ELEMENT;
    if (r.next > r.last) goto leave;
    if (r.kinds[r.next] == ']') {
        if (!may_close(w, 0)) goto leave;
        goto close;
    }
    if (!w->arrays[frame->table].is_plain) goto leave;
    frame->child = w->arrays[frame->table].element;
    if (r.kinds[r.next] == '{') {
        node = frame->child;
        run = '{';
        goto container;
    }
value:
    at = SLUICE_JSON_AT_VALUE;
    if (r.next > r.last) goto leave;
    node = frame->child;
    run = load64(r.kinds + r.next);
    ptrdiff_t taken = quick_scalar(w, &r, run, w->nodes[node].quick, w->nodes[node].digits, node);
    if (taken == 0) goto container;
    r.next += taken;
after_value:
    at = SLUICE_JSON_AT_AFTER_VALUE;
    if (r.next > r.last) goto leave;
    if (frame->is_object) {
        load(w, &m);
        is_after_value = true;
        goto members;
    }
    if (r.kinds[r.next] == ',' && w->arrays[frame->table].is_plain) {
        frame->count++;
        r.next++;
        goto value;
    }
    if (r.kinds[r.next] != ']' || !may_close(w, 0)) goto leave;
close:
    w->frame_count--;
    frame = w->frames + w->frame_count - 1;
    r.next++;
    goto after_value;

container:
    at = SLUICE_JSON_AT_VALUE;
    uint8_t kind = (uint8_t)run;
    if (kind != '{' && kind != '[') goto leave;
    int32_t table = kind == '{' ? w->nodes[node].object : w->nodes[node].array;
    if (table == SLUICE_JSON_LEFT || w->frame_count >= w->depth_most || w->frame_count == w->frame_capacity) goto leave;
    if (table == SLUICE_JSON_SKIPPED) {
        ptrdiff_t end = kind == '[' && !w->nodes[node].has_ops ? end_of_strings(r.kinds, r.next, r.last) : 0;
        if (end > 0) {
            frame = w->frames + w->frame_count - 1;
            r.next = end;
            goto after_value;
        }
        w->skips[w->skip_count++] = kind == '{';
        w->skip_at = kind == '{' ? SLUICE_JSON_AT_FIRST_KEY : SLUICE_JSON_AT_FIRST_ELEMENT;
        r.next++;
        goto skipping;
    }
    push(w, &r, table, kind == '{');
    frame = w->frames + w->frame_count - 1;
    r.next++;
    if (kind == '{') goto first_key;
    goto first_element;

skipping:
    w->next = r.next;
    at = skip(w);
    r.next = w->next;
    if (at == SLUICE_JSON_AT_AFTER_VALUE) {
        frame = w->frames + w->frame_count - 1;
        goto after_value;
    }
    at = SLUICE_JSON_AT_SKIPPING;

leave:
    w->next = r.next;
    w->at = at;
}
