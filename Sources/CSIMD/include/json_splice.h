// Copies what edits leave of a window, where the runs are short.
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
    /// Where the slice's bytes begin that have not been emitted; NULL while it leaves out.
    const uint8_t *_Nullable run;
    /// Where to copy to, and the end of the room there.
    uint8_t *_Nonnull out;
    const uint8_t *_Nonnull out_end;
} sluice_json_splicer;

/// Where in the chunk a boundary is; NULL where it is open.
static inline const uint8_t *_Nullable sluice_json_boundary_at(
    const sluice_json_splicer *_Nonnull s, uint16_t boundary) {
    const ptrdiff_t side = boundary & SLUICE_JSON_BEHIND;
    if (!(boundary & SLUICE_JSON_VALUE_END)) return s->start + s->offsets[boundary / SLUICE_JSON_BOUNDARIES] + side;
    if (boundary == SLUICE_JSON_OPEN) return NULL;
    const uint8_t *end = s->start + s->offsets[boundary / SLUICE_JSON_BOUNDARIES];
    while (end[-1] <= ' ') end--;
    return end;
}

/// Does edits of one slice, the first one's, up to a run that is not short or for which there is no room.
/// @return how many have been done.
ptrdiff_t sluice_json_splice(
    sluice_json_splicer *_Nonnull splicer, const sluice_json_edit *_Nonnull edits, ptrdiff_t count);
