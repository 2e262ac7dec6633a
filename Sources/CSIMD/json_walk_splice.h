// Copies the bytes of a window that its edits keep. For the kernels.
#pragma once
#include "json_walk_base.h"

// Near the end of the chunk or the output, fewer bytes may be left than are copied at a time.
enum { COPIED_AT_ONCE = 32, READABLE = SLUICE_JSON_COPIED + COPIED_AT_ONCE };

/// Copies `count` bytes, 32 at a time: up to 32 bytes behind the last must be readable and writable.
ALWAYS_INLINE uint8_t *copy_run(uint8_t *out, const uint8_t *p, ptrdiff_t count) {
    // Most runs are not longer.
    __builtin_memcpy(out, p, COPIED_AT_ONCE);
    if (__builtin_expect(count > COPIED_AT_ONCE, 0)) {
        for (ptrdiff_t done = COPIED_AT_ONCE; done < count; done += COPIED_AT_ONCE) {
            __builtin_memcpy(out + done, p + done, COPIED_AT_ONCE);
        }
    }
    return out + count;
}

/// Applies the plain edits of one slice, up to one near the end of the chunk or of the output, or behind a long run.
static void splice_plain(sluice_json_splicer *splicer) {
    const sluice_json_splicer s = *splicer;
    const sluice_json_edit *edit = s.edits + s.next, *const last = s.edits + s.edit_count;
    const int32_t slice = edit->slice;
    const uint8_t *run = s.run;
    uint8_t *out = s.out;
    for (; edit < last && edit->slice == slice; edit++) {
        const sluice_json_name name = s.names[edit->renamed];
        if (s.out_end - out < SLUICE_JSON_COPIED + SLUICE_JSON_SPLICE_SPARE + name.count) break;
        if (run) {
            const uint8_t *end = sluice_json_boundary_from(s.start, s.offsets, edit->from);
            if (!end || (size_t)(end - run) > SLUICE_JSON_COPIED || s.end - run < READABLE) break;
            out = copy_run(out, run, end - run);
        }
        // The plan's text has readable bytes behind it.
        out = copy_run(out, s.text + name.start, name.count);
        run = sluice_json_boundary_from(s.start, s.offsets, edit->to);
    }
    splicer->next = (int32_t)(edit - s.edits);
    splicer->run = run;
    splicer->out = out;
}

/// A new key that is put in the place of another, whose tokens are this one and the next.
typedef struct {
    const uint8_t *text;
    int32_t count, token;
} new_key;

/// Lists the new keys of objects that matched a pattern.
/// @returns Total bytes of the new keys.
static ptrdiff_t list_new_keys(const sluice_json_splicer *s, const sluice_json_pattern *pattern, new_key *keys) {
    ptrdiff_t bytes = 0;
    for (int32_t i = 0; i < pattern->edit_count; i++) {
        const sluice_json_edit *edit = pattern->edits + i;
        const sluice_json_name name = s->names[edit->renamed];
        keys[i] = (new_key){s->text + name.start, name.count, edit->from / SLUICE_JSON_BOUNDARIES};
        bytes += name.count;
    }
    return bytes;
}

/// Writes the new keys of objects that matched a pattern, up to an object near the end of the chunk or of the output,
/// or a key behind a long run.
static void splice_objects(sluice_json_splicer *splicer, const sluice_json_pattern *pattern) {
    const sluice_json_splicer s = *splicer;
    const int32_t key_count = pattern->edit_count, step = pattern->count + 3, count = s.edits[s.next].to;
    new_key keys[SLUICE_JSON_PATTERN_EDITS];
    const ptrdiff_t added = list_new_keys(splicer, pattern, keys) + SLUICE_JSON_SPLICE_SPARE;
    const uint8_t *run = s.run;
    uint8_t *out = s.out;
    const uint16_t *offsets = s.offsets + s.edits[s.next].from / SLUICE_JSON_BOUNDARIES + s.object * step;
    int32_t object = s.object, i = s.inner;
    for (; run && object < count; object++, offsets += step) {
        const uint8_t *end = s.start + offsets[pattern->count];
        if (s.end - end < READABLE || s.out_end - out < end - run + added) break;
        for (; i < key_count; i++) {
            const new_key *key = keys + i;
            const size_t kept = (size_t)(s.start + offsets[key->token] - run);
            __builtin_memcpy(out, run, COPIED_AT_ONCE);
            if (__builtin_expect(kept > COPIED_AT_ONCE, 0)) {
                if (kept > SLUICE_JSON_COPIED) goto stopped;
                copy_run(out, run, (ptrdiff_t)kept);
            }
            out = copy_run(out + kept, key->text, key->count);
            run = s.start + 1 + offsets[key->token + 1];
        }
        i = 0;
    }
stopped:
    splicer->next = object == count ? s.next + 1 : s.next;
    splicer->object = object == count ? 0 : object;
    splicer->inner = i;
    splicer->run = run;
    splicer->out = out;
}

static bool splice(sluice_json_splicer *s) {
    const int32_t slice = sluice_json_next_edit(s).slice;
    bool is_any_done = false;
    while (s->next < s->edit_count && sluice_json_next_edit(s).slice == slice) {
        const int32_t next = s->next, object = s->object, inner = s->inner;
        const sluice_json_pattern *pattern = sluice_json_matched(s, s->edits + next);
        if (pattern) {
            splice_objects(s, pattern);
        } else {
            splice_plain(s);
        }
        if (s->next == next && s->object == object && s->inner == inner) break;
        is_any_done = true;
    }
    return is_any_done;
}
