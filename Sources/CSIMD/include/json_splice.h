// Copies the bytes of a window that its edits keep, where the runs are short.
#pragma once
#include "json_walk.h"

/// A member's new key, part of the plan's text.
typedef struct {
    int32_t start, count;
} sluice_json_name;

enum {
    /// Longer runs are not copied.
    SLUICE_JSON_COPIED = 256,
    /// Bytes that may be written behind what has been copied.
    SLUICE_JSON_SPLICE_SPARE = 64,
};

typedef struct {
    /// The window in the chunk, the offsets of its tokens, and where the chunk ends.
    const uint8_t *_Nonnull start;
    const uint16_t *_Nonnull offsets;
    const uint8_t *_Nonnull end;
    /// New keys by member, with an empty one for number -1, and the plan's text.
    const sluice_json_name *_Nonnull names;
    const uint8_t *_Nonnull text;
    /// What to do.
    const sluice_json_pattern *_Nonnull patterns;
    const sluice_json_edit *_Nonnull edits;
    int32_t edit_count;
    /// The next edit; for an edit of matched objects, the next object and its next edit.
    int32_t next, object, inner;
    /// Start of the slice's bytes that are not emitted yet; NULL while it leaves bytes out.
    const uint8_t *_Nullable run;
    /// Where to copy to, and the end of the room there.
    uint8_t *_Nonnull out;
    const uint8_t *_Nonnull out_end;
} sluice_json_splicer;

/// Where in the chunk a boundary is; NULL where it is open.
/// @param offsets Of the token that the boundary is counted from.
static inline const uint8_t *_Nullable sluice_json_boundary_from(
    const uint8_t *_Nonnull start, const uint16_t *_Nonnull offsets, uint16_t boundary) {
    const ptrdiff_t side = boundary & SLUICE_JSON_BEHIND;
    if (!(boundary & SLUICE_JSON_VALUE_END)) return start + offsets[boundary / SLUICE_JSON_BOUNDARIES] + side;
    // There is no such token, so its offset must not be read.
    if (boundary == SLUICE_JSON_OPEN) return NULL;
    const uint8_t *end = start + offsets[boundary / SLUICE_JSON_BOUNDARIES];
    while (end[-1] <= ' ') end--;
    return end;
}

static inline const uint8_t *_Nullable sluice_json_boundary_at(
    const sluice_json_splicer *_Nonnull s, uint16_t boundary) {
    return sluice_json_boundary_from(s->start, s->offsets, boundary);
}

/// The pattern, if the edit stands for the edits of objects that matched it; NULL for a plain edit.
static inline const sluice_json_pattern *_Nullable sluice_json_matched(
    const sluice_json_splicer *_Nonnull s, const sluice_json_edit *_Nonnull edit) {
    return edit->slice < 0 ? s->patterns + edit->renamed : NULL;
}

/// The next single edit.
static inline sluice_json_edit sluice_json_next_edit(const sluice_json_splicer *_Nonnull s) {
    const sluice_json_edit *edit = s->edits + s->next;
    const sluice_json_pattern *pattern = sluice_json_matched(s, edit);
    if (!pattern) return *edit;
    sluice_json_edit inner = pattern->edits[s->inner];
    uint16_t base = (uint16_t)(edit->from + s->object * (pattern->count + 3) * SLUICE_JSON_BOUNDARIES);
    inner.from += base;
    inner.to += base;
    return inner;
}

/// Moves on to the following edit.
static inline void sluice_json_edit_done(sluice_json_splicer *_Nonnull s) {
    const sluice_json_edit *edit = s->edits + s->next;
    const sluice_json_pattern *pattern = sluice_json_matched(s, edit);
    if (pattern && ++s->inner < pattern->edit_count) return;
    s->inner = 0;
    if (pattern && ++s->object < edit->to) return;
    s->object = 0;
    s->next++;
}
