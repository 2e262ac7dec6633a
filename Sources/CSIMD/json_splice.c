#include "json_splice.h"

/// Copies up to `SLUICE_JSON_COPIED` bytes, and some behind them.
static inline uint8_t *copy(uint8_t *out, const uint8_t *p, ptrdiff_t count, const uint8_t *end) {
    if (end - p < SLUICE_JSON_COPIED + 32) {
        __builtin_memcpy(out, p, (size_t)count);
        return out + count;
    }
    ptrdiff_t done = 0;
    do {
        __builtin_memcpy(out + done, p + done, 32);
        done += 32;
    } while (done < count);
    return out + count;
}

ptrdiff_t sluice_json_splice(sluice_json_splicer *splicer, const sluice_json_edit *edits, ptrdiff_t count) {
    sluice_json_splicer s = *splicer;
    ptrdiff_t number = 0;
    for (; number < count && edits[number].slice == edits[0].slice; number++) {
        sluice_json_edit edit = edits[number];
        sluice_json_name name = {0, 0};
        if (edit.renamed >= 0) name = s.names[edit.renamed];
        if (s.out_end - s.out < SLUICE_JSON_COPIED + SLUICE_JSON_SPLICE_SPARE + name.count) break;
        if (edit.from != SLUICE_JSON_OPEN && s.run) {
            ptrdiff_t kept = sluice_json_boundary_at(&s, edit.from) - s.run;
            if (kept < 0 || kept > SLUICE_JSON_COPIED) break;
            s.out = copy(s.out, s.run, kept, s.end);
        }
        // The plan's text has readable bytes behind it.
        if (name.count > 32) {
            __builtin_memcpy(s.out, s.text + name.start, (size_t)name.count);
        } else {
            __builtin_memcpy(s.out, s.text + name.start, 32);
        }
        s.out += name.count;
        s.run = edit.to == SLUICE_JSON_OPEN ? NULL : sluice_json_boundary_at(&s, edit.to);
    }
    splicer->run = s.run;
    splicer->out = s.out;
    return number;
}
