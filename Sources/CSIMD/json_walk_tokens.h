// The walk over the tokens of a window. Each file that includes this is compiled for one set of instructions.
#pragma once
#include "json_walk_match.h"
#include "json_walk_skip.h"

/// Which step of the walk comes next.
enum step {
    STEP_FIRST_KEY, STEP_NEXT_OBJECT, STEP_MEMBERS, STEP_FIRST_ELEMENT, STEP_VALUE, STEP_AFTER_VALUE, STEP_CONTAINER,
    STEP_CLOSE,
    /// Swift takes over: in the middle of an object's members, or elsewhere.
    STEP_LEAVE_MEMBERS, STEP_LEAVE,
};

/// Where the walk stands, in registers: no function that is not inlined gets its address.
typedef struct {
    reader r;
    sluice_json_frame *frame;
    /// Of a value: its node, and the kinds of the tokens from it on.
    int32_t node;
    uint64_t ahead;
    /// `sluice_json_position` at which Swift takes over.
    int at;
    /// Of members: whether a value has just ended.
    bool is_after_value;
} walker;

/// @param choice What an object was chosen by; -1 is nothing.
ALWAYS_INLINE void push(sluice_json_walk *w, const reader *r, int32_t table, bool is_object, int32_t choice) {
    sluice_json_frame *frame = w->frames + w->frame_count++;
    *frame = (sluice_json_frame){
        .table = table, .member = -1, .slot = -1, .predicted = is_object ? w->first_slots[table] : -1,
        .offset = w->offset + r->offsets[r->next], .is_object = is_object, .choice = choice};
    frame->repeats = is_object && w->frame_count > 1 && !frame[-1].is_object && w->arrays[frame[-1].table].is_plain
                     && w->objects[table].is_plain;
}

/// Whether nothing has to be done when the innermost container ends; `seen` is that of an object.
ALWAYS_INLINE bool may_close(const sluice_json_walk *w, uint64_t seen) {
    const sluice_json_frame *frame = w->frames + w->frame_count - 1;
    if (w->frame_count < 2 || w->nodes[frame[-1].child].has_ops) return false;
    if (!frame->is_object) return w->arrays[frame->table].is_plain && w->arrays[frame->table].ends_plainly;
    const sluice_json_object *object = w->objects + frame->table;
    return object->is_plain && !(object->required & ~seen);
}

/// Whether the object and its array both end at token number `next`, and nothing has to be done at either end.
/// @param m An object that repeats.
ALWAYS_INLINE bool closes_both(const sluice_json_walk *w, const members *m, uint64_t seen, ptrdiff_t next) {
    if (w->kinds[next] != '}' || w->kinds[next + 1] != ']' || next + 2 > w->count || w->frame_count < 3) return false;
    if (!w->arrays[m->frame[-1].table].ends_plainly) return false;
    bool have_ops = w->nodes[m->frame[-1].child].has_ops | w->nodes[m->frame[-2].child].has_ops;
    return !have_ops && !(m->object->required & ~seen);
}

ALWAYS_INLINE enum step first_key(sluice_json_walk *w, walker *k, members *m) {
    k->at = SLUICE_JSON_AT_FIRST_KEY;
    if (k->r.next > k->r.last) return STEP_LEAVE;
    if (k->r.kinds[k->r.next] == '}') return may_close(w, k->frame->seen) ? STEP_CLOSE : STEP_LEAVE;
    load(w, m);
    return STEP_NEXT_OBJECT;
}

/// Switches to the table of the array's next object.
ALWAYS_INLINE void change_table(const sluice_json_walk *w, members *m, int32_t table) {
    m->frame->table = table;
    m->frame->repeats = w->objects[table].is_plain;
    m->object = w->objects + table;
    m->predicted = w->first_slots[table];
}

/// Takes objects whole as long as they match recorded patterns.
ALWAYS_INLINE enum step next_object(sluice_json_walk *w, walker *k, members *m) {
    k->is_after_value = false;
    const int32_t table = m->frame->table;
    if (!m->frame->repeats || pattern_of(w, table, k->r.next)->count == 0) return STEP_MEMBERS;
    match reached = match_objects(w, k->r.next, m->frame);
    if (reached.table < 0) {
        // The next object is of another kind, and its first key's value does not tell which: Swift reads it.
        k->r.next = reached.next - 1;
        k->at = SLUICE_JSON_AT_VALUE;
        w->frame_count--;
        return STEP_LEAVE;
    }
    if (m->frame->table != table) change_table(w, m, m->frame->table);
    const sluice_json_pattern *pattern = reached.pattern;
    w->is_cut = is_cut_off(w, reached, k->r.next);
    k->r.next = reached.next;
    k->at = SLUICE_JSON_AT_FIRST_KEY;
    if (w->is_cut) return STEP_LEAVE_MEMBERS;
    if (!reached.opening) return STEP_MEMBERS;
    if (closes_both(w, m, pattern->seen, k->r.next)) {
        w->frame_count -= 2;
        k->frame = m->frame - 2;
        k->r.next += 2;
        return STEP_AFTER_VALUE;
    }
    m->seen = pattern->seen;
    m->count = pattern->member_count;
    m->slot = w->slots + pattern->slot;
    m->predicted = m->slot->next;
    m->opening = reached.opening;
    k->is_after_value = true;
    return STEP_MEMBERS;
}

/// The object ends: all its members have been read.
ALWAYS_INLINE enum step end_object(sluice_json_walk *w, walker *k, members *m) {
    reader *r = &k->r;
    k->at = SLUICE_JSON_AT_AFTER_VALUE;
    if (r->kinds[r->next] != '}' || m->object->required & ~m->seen) return STEP_LEAVE_MEMBERS;
    bool is_last = !m->frame->repeats || !is_next_object(r->kinds, r->next, w->count);
    int32_t table = m->frame->table;
    if (!is_last && m->frame->choice >= 0) {
        table = choose(w, r->next + 2, m->frame->choice);
        is_last = table < 0;
    }
    if (is_last && !may_close(w, m->seen)) return STEP_LEAVE_MEMBERS;
    if (m->object->editor && !edit_closing(w, m->frame, m->object->editor, r->next)) return STEP_LEAVE_MEMBERS;
    if (is_last) return STEP_CLOSE;
    // An object of the same kind follows in the same array: the frame is reused.
    if (--w->patterns[m->frame->table * SLUICE_JSON_SHAPES].wait < 0) record_object(w, r->next, m->frame);
    m->frame[-1].count++;
    m->frame->offset = w->offset + r->offsets[r->next + 2];
    m->frame->member = -1;
    r->next += 3;
    m->seen = 0, m->count = 0, m->opening = NULL, m->slot = w->slots - 1;
    if (table != m->frame->table) change_table(w, m, table);
    m->predicted = w->first_slots[table];
    return STEP_NEXT_OBJECT;
}

ALWAYS_INLINE enum step object_members(sluice_json_walk *w, walker *k, members *m) {
    w->next = k->r.next;
    int stop = plain_members(w, m, k->is_after_value);
    k->r.next = w->next;
    k->at = SLUICE_JSON_AT_KEY;
    if (stop == STOP_AT_KEY) return STEP_LEAVE_MEMBERS;
    if (stop == STOP_AFTER_VALUE) return end_object(w, k, m);
    store(w, m);
    k->node = m->slot->node;
    k->frame = m->frame;
    k->ahead = load64(k->r.kinds + k->r.next);
    return STEP_CONTAINER;
}

ALWAYS_INLINE enum step first_element(sluice_json_walk *w, walker *k) {
    k->at = SLUICE_JSON_AT_FIRST_ELEMENT;
    if (k->r.next > k->r.last) return STEP_LEAVE;
    if (k->r.kinds[k->r.next] == ']') return may_close(w, 0) ? STEP_CLOSE : STEP_LEAVE;
    if (!w->arrays[k->frame->table].is_plain) return STEP_LEAVE;
    k->frame->child = w->arrays[k->frame->table].element;
    if (k->r.kinds[k->r.next] != '{') return STEP_VALUE;
    k->node = k->frame->child;
    k->ahead = '{';
    return STEP_CONTAINER;
}

/// Reads long arrays of numbers, or of arrays of numbers, in one loop, up to the last element in the window.
ALWAYS_INLINE void numbers(const sluice_json_walk *w, walker *k) {
    sluice_json_frame *frame = k->frame;
    if (frame->is_object || !w->arrays[frame->table].is_plain) return;
    const ptrdiff_t next = k->r.next;
    const uint8_t kind = k->r.kinds[next];
    if (is_number(kind)) {
        k->r.next = behind_numbers(w, next, k->r.last, w->nodes + frame->child);
        frame->count += (int32_t)((k->r.next - next) / 2);
    } else if (kind == '[' && is_number(k->r.kinds[next + 1])) {
        int32_t count;
        k->r.next = behind_arrays_of_numbers(w, next, frame->child, &count);
        frame->count += count;
    }
}

ALWAYS_INLINE enum step value(sluice_json_walk *w, walker *k) {
    k->at = SLUICE_JSON_AT_VALUE;
    if (k->r.next > k->r.last) return STEP_LEAVE;
    numbers(w, k);
    k->node = k->frame->child;
    k->ahead = load64(k->r.kinds + k->r.next);
    const sluice_json_node *node = w->nodes + k->node;
    ptrdiff_t taken = (uint8_t)k->ahead == '[' ? whole_array(w, k->r.next, k->node) : 0;
    if (taken == 0) taken = plain_scalar(w, &k->r, k->ahead, node->accepts, node->digits, k->node);
    if (taken == 0) return STEP_CONTAINER;
    k->r.next += taken;
    return STEP_AFTER_VALUE;
}

ALWAYS_INLINE enum step after_value(sluice_json_walk *w, walker *k, members *m) {
    reader *r = &k->r;
    k->at = SLUICE_JSON_AT_AFTER_VALUE;
    if (r->next > r->last) return STEP_LEAVE;
    if (k->frame->is_object) {
        load(w, m);
        k->is_after_value = true;
        return STEP_MEMBERS;
    }
    if (r->kinds[r->next] == ',' && w->arrays[k->frame->table].is_plain) {
        k->frame->count++;
        r->next++;
        return STEP_VALUE;
    }
    return r->kinds[r->next] == ']' && may_close(w, 0) ? STEP_CLOSE : STEP_LEAVE;
}

ALWAYS_INLINE enum step skip_container(sluice_json_walk *w, walker *k) {
    w->next = k->r.next;
    bool has_ended = w->skip_at != SLUICE_JSON_AT_COLON && skip(w);
    k->r.next = w->next;
    k->at = SLUICE_JSON_AT_SKIPPING;
    if (!has_ended) return STEP_LEAVE;
    k->frame = w->frames + w->frame_count - 1;
    return STEP_AFTER_VALUE;
}

ALWAYS_INLINE enum step container(sluice_json_walk *w, walker *k) {
    reader *r = &k->r;
    uint8_t kind = (uint8_t)k->ahead;
    k->at = SLUICE_JSON_AT_VALUE;
    if (kind != '{' && kind != '[') return STEP_LEAVE;
    const sluice_json_node *node = w->nodes + k->node;
    int32_t table = kind == '{' ? node->object : node->array;
    int32_t choice = table <= SLUICE_JSON_CHOSEN ? SLUICE_JSON_CHOSEN - table : -1;
    if (choice >= 0) table = choose(w, r->next, choice);
    if (table == SLUICE_JSON_DEFERRED || w->frame_count >= w->depth_most || w->frame_count == w->frame_capacity) {
        return STEP_LEAVE;
    }
    if (table != SLUICE_JSON_SKIPPED) {
        push(w, r, table, kind == '{', choice);
        k->frame = w->frames + w->frame_count - 1;
        r->next++;
        return kind == '{' ? STEP_FIRST_KEY : STEP_FIRST_ELEMENT;
    }
    ptrdiff_t end = kind == '[' && !node->has_ops ? end_of_strings(r->kinds, r->next, r->last) : 0;
    if (end > 0) {
        k->frame = w->frames + w->frame_count - 1;
        r->next = end;
        return STEP_AFTER_VALUE;
    }
    w->skips[w->skip_count++] = kind == '{';
    w->skip_at = kind == '{' ? SLUICE_JSON_AT_FIRST_KEY : SLUICE_JSON_AT_FIRST_ELEMENT;
    r->next++;
    return skip_container(w, k);
}

/// One function, so that the state stays in registers from token to token. Each step names only the labels that may
/// follow it, so that it jumps there directly.
static void walk_tokens(sluice_json_walk *w) {
    walker k = {
        .r = {w->start, w->offsets, w->kinds, w->next, w->count - SLUICE_JSON_LOOK_AHEAD},
        .frame = w->frames + w->frame_count - 1, .at = w->at};
    members m;
    if (k.r.next > k.r.last) return;
    switch (k.at) {
    case SLUICE_JSON_AT_KEY: load(w, &m); goto members;
    case SLUICE_JSON_AT_VALUE: goto value;
    case SLUICE_JSON_AT_AFTER_VALUE: goto after_value;
    case SLUICE_JSON_AT_FIRST_KEY: goto first_key;
    case SLUICE_JSON_AT_FIRST_ELEMENT: goto first_element;
    case SLUICE_JSON_AT_SKIPPING: if (skip_container(w, &k) == STEP_AFTER_VALUE) goto after_value; goto leave;
    default: return;
    }
first_key:
    switch (first_key(w, &k, &m)) {
    case STEP_CLOSE: goto close;
    case STEP_NEXT_OBJECT: break;
    default: goto leave;
    }
next_object:
    switch (next_object(w, &k, &m)) {
    case STEP_MEMBERS: break;
    case STEP_AFTER_VALUE: goto after_value;
    case STEP_LEAVE: goto leave;
    default: goto leave_members;
    }
members:
    switch (object_members(w, &k, &m)) {
    case STEP_NEXT_OBJECT: goto next_object;
    case STEP_CLOSE: goto close;
    case STEP_CONTAINER: goto container;
    default: goto leave_members;
    }
first_element:
    switch (first_element(w, &k)) {
    case STEP_CLOSE: goto close;
    case STEP_CONTAINER: goto container;
    case STEP_VALUE: break;
    default: goto leave;
    }
value:
    switch (value(w, &k)) {
    case STEP_CONTAINER: goto container;
    case STEP_AFTER_VALUE: break;
    default: goto leave;
    }
after_value:
    switch (after_value(w, &k, &m)) {
    case STEP_VALUE: goto value;
    case STEP_MEMBERS: goto members;
    case STEP_CLOSE: break;
    default: goto leave;
    }
close:
    k.frame = w->frames + --w->frame_count - 1, k.r.next++;
    goto after_value;
container:
    switch (container(w, &k)) {
    case STEP_FIRST_KEY: goto first_key;
    case STEP_FIRST_ELEMENT: goto first_element;
    case STEP_AFTER_VALUE: goto after_value;
    default: goto leave;
    }
leave_members:
    store(w, &m);
leave:
    w->next = k.r.next, w->at = k.at;
}
