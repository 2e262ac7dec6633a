#include "json_splice.h"

/// Copies `count` bytes, 32 at a time: so many more may be read and written behind the last.
static inline uint8_t *copy(uint8_t *out, const uint8_t *p, ptrdiff_t count) {
    // Most are not longer.
    __builtin_memcpy(out, p, 32);
    if (count > 32) {
        for (ptrdiff_t done = 32; done < count; done += 32) __builtin_memcpy(out + done, p + done, 32);
    }
    return out + count;
}

ptrdiff_t sluice_json_splice(sluice_json_splicer *splicer, const sluice_json_edit *edits, ptrdiff_t count) {
    const sluice_json_splicer s = *splicer;
    const uint8_t *run = s.run;
    uint8_t *out = s.out;
    const sluice_json_edit *next = edits, *const last = edits + count;
    // What is left of the chunk and of the room may be less than what is copied at a time.
    const ptrdiff_t readable = SLUICE_JSON_COPIED + 32, writable = SLUICE_JSON_COPIED + SLUICE_JSON_SPLICE_SPARE;
    for (; next < last && next->slice == edits->slice; next++) {
        const sluice_json_name name = s.names[next->renamed];
        if (s.out_end - out < writable + name.count) break;
        if (run) {
            const uint8_t *end = sluice_json_boundary_at(&s, next->from);
            if (!end || (size_t)(end - run) > SLUICE_JSON_COPIED || s.end - run < readable) break;
            out = copy(out, run, end - run);
        }
        // The plan's text has readable bytes behind it.
        out = copy(out, s.text + name.start, name.count);
        run = sluice_json_boundary_at(&s, next->to);
    }
    splicer->run = run;
    splicer->out = out;
    return next - edits;
}
