// Takes objects of an array whole where they match a pattern. For the kernels.
#pragma once
#include "json_walk_members.h"

/// How far objects have matched. `next` is the first key of the next object, or the end of an object that no other
/// follows; in that case `opening` is its last key. `pattern` is that of the last object; `table` is that of the object
/// at `next`, or `SLUICE_JSON_DEFERRED`.
typedef struct {
    ptrdiff_t next;
    const uint8_t *opening;
    sluice_json_pattern *pattern;
    int32_t table;
} match;

/// Whether the object behind one that matches the pattern is expected to match its follower.
ALWAYS_INLINE bool is_steady(const sluice_json_pattern *pattern) { return pattern->steady >= 2; }

/// Takes objects that match one pattern, from an object's first key on. Where there is a choice, a matching object
/// belongs to the pattern's table: the deciding value is one of the table's.
ALWAYS_INLINE void match_shape(
    sluice_json_walk *w, match *reached, sluice_json_frame *frame, sluice_json_pattern *pattern) {
    if (pattern->count == 0 || w->frame_count + pattern->nested > w->depth_most) return;
    reader r = {w->start, w->offsets, w->kinds, reached->next, 0};
    const ptrdiff_t count = pattern->count;
    const bool has_edits = pattern->edit_count > 0;
    const bool goes_on = frame->choice < 0 || (is_steady(pattern) && pattern->follower == pattern);
    int32_t uses = 0;
    const uint8_t *opening = NULL;
    // The token that ends the object has to be in the window.
    while (r.next + count < w->count) {
        ptrdiff_t before = r.next;
        bool has_matched = MATCH_TEMPLATE(w, &r.next, pattern, goes_on);
        ptrdiff_t fits = r.next;
        if (has_edits) r.next = repeat_edits(w, pattern, reached->next, before, fits);
        if (r.next > before) uses += (int32_t)((r.next - before) / (count + 3));
        if (r.next < fits || (r.next > before && !goes_on)) break;
        if (!has_matched && (r.next + count >= w->count || !MATCHES(w, &r, pattern))) break;
        // Where more members follow, the object does not end here.
        if (has_edits) {
            const ptrdiff_t end = r.next + count + 3;
            if (w->kinds[r.next + count] != '}' || repeat_edits(w, pattern, reached->next, r.next, end) < end) break;
        }
        uses++;
        if (!is_next_object(r.kinds, r.next + count, w->count)) {
            opening = r.start + r.offsets[r.next + pattern->last_key];
            frame->emitted = pattern->emitted;
            break;
        }
        r.next += count + 3;
        if (!goes_on) break;
    }
    if (r.next > reached->next) frame->offset = w->offset + r.offsets[r.next - 1];
    if (opening) r.next += count;
    // A saturating count: it must not overflow.
    if (pattern->uses < 1 << 30) pattern->uses += uses;
    frame[-1].count += uses - (opening != NULL);
    *reached = (match){r.next, opening, pattern, frame->table};
}

/// Notes that an object that matched `follower` came directly behind one that matched `pattern`.
ALWAYS_INLINE void note_follower(sluice_json_pattern *pattern, sluice_json_pattern *follower) {
    pattern->steady = pattern->follower != follower ? 0 : pattern->steady < 3 ? pattern->steady + 1 : 3;
    pattern->follower = follower;
}

/// As `match_shape`, with changing patterns and, where there is a choice, changing tables. The next pattern is mostly
/// predicted from the previous one; else the first key's value tells it.
NEVER_INLINE match match_objects(sluice_json_walk *w, ptrdiff_t next, sluice_json_frame *frame) {
    match reached = {next, NULL, NULL, frame->table};
    sluice_json_pattern *pattern = pattern_of(w, frame->table, next);
    bool is_told = true;
    for (;;) {
        match further = reached;
        match_shape(w, &further, frame, pattern);
        if (further.opening || further.next > reached.next) {
            if (frame->choice >= 0 && reached.pattern) note_follower(reached.pattern, pattern);
            reached = further;
            if (reached.opening) return reached;
            is_told = frame->choice < 0;
            sluice_json_pattern *follower = pattern->follower;
            if (!is_told && is_steady(pattern) && follower != pattern) {
                pattern = follower;
                frame->table = (int32_t)((pattern - w->patterns) / SLUICE_JSON_SHAPES);
                continue;
            }
        } else if (is_told) {
            return reached;
        }
        if (frame->choice >= 0) {
            reached.table = choose(w, reached.next - 1, frame->choice);
            if (reached.table < 0) return reached;
            frame->table = reached.table;
            frame->repeats = w->objects[reached.table].is_plain;
            if (!frame->repeats) return reached;
            is_told = true;
        }
        pattern = pattern_of(w, frame->table, reached.next);
    }
}

/// Whether the window cuts the next object, behind others that were taken whole: then the next window begins at it, so
/// that it may be taken whole, too. Few bytes are read twice for this.
ALWAYS_INLINE bool is_cut_off(const sluice_json_walk *w, match reached, ptrdiff_t before) {
    return w->goes_on && !reached.opening && reached.next > before && reached.next + reached.pattern->count >= w->count
           && w->offsets[w->count - 1] - w->offsets[reached.next] < SLUICE_JSON_CUT_BYTES;
}

/// Records the object that ends before token number `end`, if it began in this window.
COLD void record_object(const sluice_json_walk *w, ptrdiff_t end, const sluice_json_frame *frame) {
    ptrdiff_t opening = frame->offset - w->offset;
    if (opening < 0) return;
    ptrdiff_t first = end;
    while (first > 0 && w->offsets[first - 1] > opening && end - first <= SLUICE_JSON_PATTERN) first--;
    record(w, frame->table, first, end);
}
