// Notes what slices do at keys, for the kernels. In an object that is walked, at most one slice leaves keys out or
// renames them: the object's editor. Its changes are noted as edits, which are applied after the walk.
// A member that is left out takes one comma with it. If a member of the object has been emitted already, it is the
// comma before: the edit runs from the end of the previous value to the end of the member's value. Otherwise it is the
// comma behind: the edit runs from the object's first key to the first key that is kept, or to the object's end.
// Consecutive members that are left out are one edit.
#pragma once
#include "json_walk_scalar.h"

/// The list of edits, and the editor's state in the innermost object.
typedef struct {
    sluice_json_edit *list;
    int32_t count;
    int32_t slice;
    /// Whether the editor passes bytes on, and whether a member of the object has been emitted.
    bool is_running, is_emitted;
} editing;

ALWAYS_INLINE uint16_t boundary(ptrdiff_t token, int kind) { return (uint16_t)(SLUICE_JSON_BOUNDARIES * token + kind); }

ALWAYS_INLINE void add_edit(editing *e, uint16_t from, uint16_t to, int32_t renamed) {
    e->list[e->count++] = (sluice_json_edit){from, to, e->slice, renamed};
}

/// The last edit, if it is the editor's.
ALWAYS_INLINE sluice_json_edit *last_edit(const editing *e) {
    return e->count > 0 && e->list[e->count - 1].slice == e->slice ? e->list + e->count - 1 : NULL;
}

/// Ends the open edit at `to`: the bytes from there on are kept.
ALWAYS_INLINE void end_edit(editing *e, uint16_t to) {
    sluice_json_edit *last = last_edit(e);
    if (last && last->to == SLUICE_JSON_OPEN) {
        last->to = to;
    } else {
        add_edit(e, SLUICE_JSON_OPEN, to, -1);
    }
    e->is_running = true;
}

/// Notes the edits at a key; two tokens in the window, or one in the object, come before it. Adds two edits at most.
ALWAYS_INLINE void edit_key(editing *e, const sluice_json_slot *slot, ptrdiff_t token) {
    uint16_t start = boundary(token, SLUICE_JSON_BEFORE);
    uint16_t gap = e->is_emitted ? boundary(token - 1, SLUICE_JSON_VALUE_END) : start;
    if (slot->action & SLUICE_JSON_LEAVE_OUT) {
        if (e->is_running) add_edit(e, gap, SLUICE_JSON_OPEN, -1);
        e->is_running = false;
        return;
    }
    if (slot->action & SLUICE_JSON_KEEP) {
        if (!e->is_running) end_edit(e, gap);
        e->is_emitted = true;
    }
    if (!(slot->action & SLUICE_JSON_RENAME)) return;
    sluice_json_edit *last = last_edit(e);
    if (last && last->to == start && last->renamed < 0) {
        last->to = boundary(token + 1, SLUICE_JSON_BEHIND);
        last->renamed = slot->member;
    } else {
        add_edit(e, start, boundary(token + 1, SLUICE_JSON_BEHIND), slot->member);
    }
}

/// Ends the open edit, if any: the object ends before this token.
ALWAYS_INLINE void edit_end(editing *e, ptrdiff_t token) {
    if (!e->is_running) end_edit(e, boundary(token, e->is_emitted ? SLUICE_JSON_VALUE_END : SLUICE_JSON_BEFORE));
}

// MARK: In the walk

/// The actions that need an edit in the object's current state.
ALWAYS_INLINE unsigned actions_at(const sluice_json_walk *w, const sluice_json_frame *frame) {
    bool is_running = w->running & w->objects[frame->table].editor;
    return SLUICE_JSON_RENAME | (is_running ? SLUICE_JSON_LEAVE_OUT : 0)
           | (is_running && frame->emitted ? 0 : SLUICE_JSON_KEEP);
}

ALWAYS_INLINE editing editing_in(const sluice_json_walk *w, const sluice_json_frame *frame) {
    const sluice_json_object *object = w->objects + frame->table;
    return (editing){
        w->edits, w->edit_count, object->slice, (w->running & object->editor) != 0, frame->emitted != 0};
}

ALWAYS_INLINE void note(sluice_json_walk *w, sluice_json_frame *frame, const editing *e) {
    uint64_t editor = w->objects[frame->table].editor;
    w->edit_count = e->count;
    w->running = e->is_running ? w->running | editor : w->running & ~editor;
    if (e->is_emitted) frame->emitted = editor;
}

/// Whether edits at this token can be noted.
ALWAYS_INLINE bool may_edit(const sluice_json_walk *w, ptrdiff_t token) {
    return token >= 2 && w->edit_count + 2 <= SLUICE_JSON_EDITS;
}

/// `edit_member` for objects that keys are left out of.
COLD unsigned keep_or_leave_out(
    sluice_json_walk *w, sluice_json_frame *frame, const sluice_json_slot *slot, ptrdiff_t token) {
    unsigned actions = actions_at(w, frame);
    if (!(slot->action & actions)) return actions;
    if (!may_edit(w, token)) return 0;
    editing e = editing_in(w, frame);
    edit_key(&e, slot, token);
    note(w, frame, &e);
    return actions_at(w, frame);
}

/// Notes the edits that a key needs.
/// @return the actions that need an edit behind the key, which is never 0; 0 where Swift has to take the key.
COLD unsigned edit_member(
    sluice_json_walk *w, sluice_json_frame *frame, const sluice_json_slot *slot, ptrdiff_t token) {
    if (slot->action != SLUICE_JSON_RENAME) return keep_or_leave_out(w, frame, slot, token);
    // The object loses no member, so no earlier edit ends at this key.
    if (w->edit_count == SLUICE_JSON_EDITS) return 0;
    w->edits[w->edit_count++] = (sluice_json_edit){
        boundary(token, SLUICE_JSON_BEFORE), boundary(token + 1, SLUICE_JSON_BEHIND), w->objects[frame->table].slice,
        slot->member};
    return SLUICE_JSON_RENAME;
}

/// Lets the editor pass bytes on again from the end of the object.
/// @return false where Swift has to do it.
COLD bool resume_editor(sluice_json_walk *w, sluice_json_frame *frame, ptrdiff_t token) {
    if (!may_edit(w, token)) return false;
    editing e = editing_in(w, frame);
    edit_end(&e, token);
    note(w, frame, &e);
    return true;
}

/// Ends an object that has an editor.
/// @return false where Swift has to do it.
ALWAYS_INLINE bool edit_closing(sluice_json_walk *w, sluice_json_frame *frame, uint64_t editor, ptrdiff_t token) {
    if (!(w->running & editor) && !resume_editor(w, frame, token)) return false;
    frame->emitted = 0;
    return true;
}

/// Copies the edits of a recorded object for another one; `base` is the boundary of its first key.
COLD void repeat_open_edits(sluice_json_edit *next, const sluice_json_pattern *pattern, uint16_t base) {
    for (int32_t i = 0; i < pattern->edit_count; i++, next++) {
        *next = pattern->edits[i];
        if (next->from != SLUICE_JSON_OPEN) next->from += base;
        if (next->to != SLUICE_JSON_OPEN) next->to += base;
    }
}

/// The same, where no boundary is open: both are moved by one addition, because neither sum has more than 16 bits.
ALWAYS_INLINE void repeat_closed_edits(sluice_json_edit *next, const sluice_json_pattern *pattern, uint16_t base) {
    const uint32_t both_bases = base * 0x10001u;
    AS_FEW for (int32_t i = 0; i < pattern->edit_count; i++) {
        uint32_t both;
        __builtin_memcpy(&both, pattern->edits + i, sizeof both);
        both += both_bases;
        next[i] = pattern->edits[i];
        __builtin_memcpy(next + i, &both, sizeof both);
    }
}

/// Copies the recorded object's edits for consecutive matching objects.
/// @param first Number of the first object's first key.
/// @param end Number of the key behind the objects, if there is one.
/// @returns Number of the first key of the first object whose edits do not fit; else `end`.
ALWAYS_INLINE ptrdiff_t repeat_edits_apart(
    sluice_json_walk *w, const sluice_json_pattern *pattern, ptrdiff_t first, ptrdiff_t end) {
    for (; first < end && w->edit_count + pattern->edit_count <= SLUICE_JSON_EDITS; first += pattern->count + 3) {
        const uint16_t base = boundary(first, SLUICE_JSON_BEFORE);
        if (pattern->has_open_edits) {
            repeat_open_edits(w->edits + w->edit_count, pattern, base);
        } else {
            repeat_closed_edits(w->edits + w->edit_count, pattern, base);
        }
        w->edit_count += pattern->edit_count;
    }
    return first;
}

/// Whether the edit only replaces the key that begins with its token.
ALWAYS_INLINE bool renames_key(const sluice_json_edit *edit) {
    const ptrdiff_t token = edit->from / SLUICE_JSON_BOUNDARIES;
    return edit->renamed >= 0 && edit->from == boundary(token, SLUICE_JSON_BEFORE)
           && edit->to == boundary(token + 1, SLUICE_JSON_BEHIND);
}

/// From this number of objects on, one edit stands for all; fewer have edits of their own.
enum { OBJECTS_WORTH_ONE_EDIT = 3 };

/// As `repeat_edits_apart`, with one edit for all objects where possible.
/// @param begin First key of the first object of this run.
ALWAYS_INLINE ptrdiff_t repeat_edits(
    sluice_json_walk *w, const sluice_json_pattern *pattern, ptrdiff_t begin, ptrdiff_t first, ptrdiff_t end) {
    const ptrdiff_t step = pattern->count + 3;
    if (!pattern->renames_only || end - begin < OBJECTS_WORTH_ONE_EDIT * step) {
        return repeat_edits_apart(w, pattern, first, end);
    }
    if (first == end) return end;
    const int32_t slice = ~pattern->edits[0].slice, number = (int32_t)(pattern - w->patterns);
    sluice_json_edit *last = w->edits + w->edit_count - 1;
    // Extends the edit of the objects before.
    if (w->edit_count > 0 && last->slice == slice && last->renamed == number
        && last->from == boundary(first - last->to * step, SLUICE_JSON_BEFORE)) {
        last->to += (uint16_t)((end - first) / step);
        return end;
    }
    if (w->edit_count == SLUICE_JSON_EDITS) return first;
    w->edits[w->edit_count++] = (sluice_json_edit){
        boundary(first, SLUICE_JSON_BEFORE), (uint16_t)((end - first) / step), slice, number};
    return end;
}

/// Whether a noted edit refers to the pattern, which then must not change.
COLD bool is_repeated(const sluice_json_walk *w, const sluice_json_pattern *pattern) {
    for (int32_t i = 0; i < w->edit_count; i++) {
        if (w->edits[i].slice < 0 && w->edits[i].renamed == pattern - w->patterns) return true;
    }
    return false;
}
