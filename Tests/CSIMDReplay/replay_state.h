// What a record holds of a walk, for the recorder and for the driver that asks again. Pointers are written as numbers,
// so that two machines have the same.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "CSIMD.h"

/// What a record begins with: `sluice_json_kernel`'s functions.
enum { RECORD_INDEX = 'I', RECORD_PREFIX = 'P', RECORD_BLOCKS = 'B', RECORD_WALK = 'W' };

enum {
    /// Readable bytes behind a window.
    SPARE_BYTES = 128,
    /// Kinds behind the last token that a kernel may read, and that say nothing.
    SPARE_KINDS = 64,
    /// Memory is compared, and written where it has changed, in units of so many bytes.
    UNIT_BYTES = 64,
    /// Bytes of a pattern without its template, which few kernels have.
    PATTERN_BYTES = offsetof(sluice_json_pattern, template)
};

/// The tables that a walk reads or writes.
enum region {
    REGION_NODES, REGION_OBJECTS, REGION_ARRAYS, REGION_TEXTS, REGION_CHOICES, REGION_WAYS, REGION_INDEX, REGION_SLOTS,
    REGION_FIRST_SLOTS, REGION_PATTERNS, REGION_FRAMES, REGION_SKIPS, REGIONS
};

/// A copy of a region, in whole units.
typedef struct {
    uint8_t *bytes;
    uint32_t count;
} copy;

static inline size_t units_of(uint32_t count) { return (count + UNIT_BYTES - 1) / UNIT_BYTES; }

static inline void resize(copy *copy, uint32_t count) {
    if (copy->bytes && copy->count == count) return;
    free(copy->bytes);
    copy->bytes = calloc(units_of(count) + 1, UNIT_BYTES);
    if (!copy->bytes) abort();
    copy->count = count;
}

/// What of a walk is no table.
typedef struct {
    int64_t depth_most, keys_most, frame_count, frame_capacity, skip_count, skip_capacity, at, skip_at, count, next,
        goes_on, is_cut, offset;
    uint64_t running;
} scalars;

static inline scalars scalars_of(const sluice_json_walk *w) {
    return (scalars){
        w->depth_most, w->keys_most, w->frame_count, w->frame_capacity, w->skip_count, w->skip_capacity, w->at,
        w->skip_at, w->count, w->next, w->goes_on, w->is_cut, w->offset, w->running};
}

// MARK: Digests

static inline uint64_t mixed(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * 0x9E3779B97F4A7C15ull;
    return digest ^ digest >> 29;
}

static inline uint64_t digest_of(uint64_t digest, const void *bytes, size_t count) {
    const uint8_t *p = bytes;
    for (; count >= 8; p += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        digest = mixed(digest, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, p, count);
    return mixed(digest, rest + (count << 56));
}

/// A key stands in the window, or elsewhere.
static inline uint64_t key_number(const sluice_json_walk *w, const uint8_t *key) {
    if (!key) return 0;
    return key >= w->start && key < w->start + SLUICE_JSON_WINDOW + SPARE_BYTES ? 2 + (uint64_t)(key - w->start) : 1;
}

static inline uint64_t pattern_number(const sluice_json_walk *w, const sluice_json_pattern *pattern, size_t count) {
    ptrdiff_t bytes = (const char *)pattern - (const char *)w->patterns;
    return bytes >= 0 && (size_t)bytes < count * sizeof *pattern ? 1 + (uint64_t)bytes / sizeof *pattern : 0;
}

static inline uint64_t frame_digest(uint64_t d, const sluice_json_walk *w, const sluice_json_frame *f) {
    const int32_t numbers[] = {
        f->table, f->child, f->count, f->member, f->slot, f->predicted, f->seen_words, f->key_count, f->is_object,
        f->repeats, f->choice};
    d = digest_of(d, numbers, sizeof numbers);
    const uint64_t words[] = {key_number(w, f->key), f->seen, (uint64_t)f->offset, f->emitted};
    return digest_of(d, words, sizeof words);
}

static inline uint64_t values_digest(uint64_t d, const sluice_json_values *values) {
    d = mixed(d, (uint64_t)values->count);
    for (int32_t i = 0; i < values->count; i++) {
        const sluice_json_value *v = values->list + i;
        const int32_t numbers[] = {v->node, v->token, v->digits, v->may_be_null, v->may_be_bool};
        d = digest_of(d, numbers, sizeof numbers);
    }
    return d;
}

static inline uint64_t pattern_digest(
    uint64_t d, const sluice_json_walk *w, const sluice_json_pattern *p, size_t pattern_count) {
    const int32_t said[] = {p->count, p->uses, p->wait, p->backoff};
    d = digest_of(d, said, sizeof said);
    if (p->count == 0) return d;
    d = digest_of(d, p->kinds, (size_t)p->count);
    d = digest_of(d, p->masks, sizeof p->masks);
    d = digest_of(d, p->keys, (size_t)p->key_count * sizeof *p->keys);
    d = digest_of(d, p->key_tokens, (size_t)p->key_count);
    const sluice_json_values *lists[] = {&p->integers, &p->numbers, &p->words, &p->closed_sets, &p->texts};
    for (int i = 0; i < 5; i++) d = values_digest(d, lists[i]);
    const int64_t rest[] = {
        (int64_t)p->seen, p->slot, p->member_count, p->last_key, p->nested, p->steady, p->edit_count,
        (int64_t)p->emitted, (int64_t)pattern_number(w, p->follower, pattern_count)};
    d = digest_of(d, rest, sizeof rest);
    return digest_of(d, p->edits, (size_t)p->edit_count * sizeof *p->edits);
}

/// What a walk has made, part by part.
enum { WALK_SCALARS, WALK_FRAMES, WALK_SKIPS, WALK_EDITS, WALK_COPIED, WALK_KEYS, WALK_PATTERNS, WALK_PARTS };

typedef struct {
    uint64_t parts[WALK_PARTS];
} walk_digest;

/// What the edits leave of the window, with a new key for each member that they rename.
/// @param running Slices whose bytes passed before the walk.
static inline uint64_t copied_digest(
    const sluice_json_kernel *kernel, const sluice_json_walk *w, uint64_t running, size_t slot_count, size_t bytes) {
    static const uint8_t text[] = "\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
                                  "abcdefghijklmnopqrstuvwxyz\":";
    if (w->edit_count == 0) return 0;
    sluice_json_name *names = calloc(slot_count + 1, sizeof *names);
    for (size_t i = 0; i < slot_count; i++) names[i + 1] = (sluice_json_name){(int32_t)i % 5, 3 + (int32_t)i % 40};
    uint8_t out[4 * SLUICE_JSON_COPIED];
    sluice_json_splicer s = {
        .start = w->start, .offsets = w->offsets, .end = w->start + bytes, .names = names + 1, .text = text,
        .patterns = w->patterns, .edits = w->edits, .edit_count = w->edit_count,
        .out = out, .out_end = out + sizeof out};
    s.run = running >> sluice_json_next_edit(&s).slice & 1 ? w->start : NULL;
    uint64_t digest = 0;
    while (s.next < s.edit_count) {
        s.out = out;
        bool is_any_done = kernel->splice(&s);
        digest = digest_of(digest, out, (size_t)(s.out - out));
        digest = mixed(digest, s.run ? (uint64_t)(s.run - s.start) : 1ull << 40);
        if (is_any_done) continue;
        // A long run is not copied.
        s.run = sluice_json_boundary_at(&s, sluice_json_next_edit(&s).to);
        sluice_json_edit_done(&s);
    }
    free(names);
    return digest;
}

/// @param counts Of each region, its elements.
/// @param bytes Readable ones of the window.
static inline walk_digest digest_walk(
    const sluice_json_kernel *kernel, const sluice_json_walk *w, uint64_t running, const size_t counts[REGIONS],
    size_t bytes) {
    walk_digest d = {{0}};
    const int64_t all[] = {
        w->frame_count, w->skip_count, w->at, w->skip_at, w->edit_count, w->next, w->is_cut, (int64_t)w->running};
    d.parts[WALK_SCALARS] = digest_of(0, all, sizeof all);
    for (ptrdiff_t i = 0; i < w->frame_count; i++) {
        d.parts[WALK_FRAMES] = frame_digest(d.parts[WALK_FRAMES], w, w->frames + i);
    }
    d.parts[WALK_SKIPS] = digest_of(0, w->skips, (size_t)w->skip_count * sizeof *w->skips);
    d.parts[WALK_EDITS] = digest_of(0, w->edits, (size_t)w->edit_count * sizeof *w->edits);
    d.parts[WALK_COPIED] = copied_digest(kernel, w, running, counts[REGION_SLOTS], bytes);
    d.parts[WALK_KEYS] = digest_of(0, w->first_slots, counts[REGION_FIRST_SLOTS] * sizeof *w->first_slots);
    for (size_t i = 0; i < counts[REGION_SLOTS]; i++) {
        const sluice_json_slot *slot = w->slots - 1 + i;
        d.parts[WALK_KEYS] = mixed(d.parts[WALK_KEYS], (uint64_t)slot->next << 32 | slot->mispredicted);
    }
    for (size_t i = 0; i < counts[REGION_PATTERNS]; i++) {
        d.parts[WALK_PATTERNS] =
            pattern_digest(d.parts[WALK_PATTERNS], w, w->patterns + i, counts[REGION_PATTERNS]);
    }
    return d;
}

/// @param found Tokens.
static inline uint64_t digest_index(
    const uint16_t *offsets, const uint8_t *kinds, const bool *non_ascii, size_t found, size_t count) {
    uint64_t d = digest_of(found, offsets, found * sizeof *offsets);
    return digest_of(digest_of(d, kinds, found), non_ascii, count / 64);
}
