#include <malloc.h>
#include "CSIMDReplay.h"
#include "replay_state.h"

/// Of the thread that records.
static _Thread_local struct {
    FILE *file;
    const sluice_json_kernel *reference;
    /// The last window that was indexed.
    const uint8_t *window;
    size_t window_bytes;
    /// What the driver has of each region, and room for what there is now.
    copy shown[REGIONS], now[REGIONS];
} recorder;

static void put(const void *bytes, size_t count) { fwrite(bytes, 1, count, recorder.file); }
static void put_byte(uint8_t byte) { put(&byte, 1); }
static void put_32(uint32_t word) { put(&word, sizeof word); }
static void put_64(uint64_t word) { put(&word, sizeof word); }

static size_t recorded_index(
    const uint8_t *p, size_t count, uint16_t *offsets, uint8_t *kinds, bool *non_ascii) {
    size_t found = recorder.reference->index(p, count, offsets, kinds, non_ascii);
    recorder.window = p;
    recorder.window_bytes = count + SPARE_BYTES;
    put_byte(RECORD_INDEX);
    put_32((uint32_t)count);
    put(p, recorder.window_bytes);
    put_32((uint32_t)found);
    put_64(digest_index(offsets, kinds, non_ascii, found, count));
    put(kinds + found, SPARE_KINDS);
    return found;
}

static size_t recorded_prefix(const uint8_t *p, size_t count) {
    size_t proven = recorder.reference->utf8_prefix(p, count);
    put_byte(RECORD_PREFIX);
    put_32((uint32_t)count);
    put(p, count);
    put_32((uint32_t)proven);
    return proven;
}

static size_t recorded_blocks(const uint8_t *p, size_t count, const bool *non_ascii) {
    size_t proven = recorder.reference->utf8_blocks(p, count, non_ascii);
    if (p != recorder.window || count + SPARE_BYTES != recorder.window_bytes) abort();
    put_byte(RECORD_BLOCKS);
    put_32((uint32_t)proven);
    return proven;
}

/// Where a region begins; each has been allocated by itself.
static void *region_base(const sluice_json_walk *w, enum region region) {
    switch (region) {
    case REGION_NODES: return (void *)w->nodes;
    case REGION_OBJECTS: return (void *)w->objects;
    case REGION_ARRAYS: return (void *)w->arrays;
    case REGION_TEXTS: return (void *)w->texts;
    case REGION_CHOICES: return (void *)w->choices;
    case REGION_WAYS: return (void *)w->ways;
    case REGION_INDEX: return (void *)w->index;
    case REGION_SLOTS: return w->slots - 1;
    case REGION_FIRST_SLOTS: return w->first_slots;
    case REGION_PATTERNS: return w->patterns;
    case REGION_FRAMES: return w->frames;
    default: return w->skips;
    }
}

/// Copies all regions, with numbers for pointers.
static void copy_regions(const sluice_json_walk *w) {
    for (int region = 0; region < REGIONS; region++) {
        void *base = region_base(w, region);
        uint32_t count = (uint32_t)malloc_usable_size(base);
        copy *now = recorder.now + region;
        if (region != REGION_PATTERNS) {
            resize(now, count);
            memcpy(now->bytes, base, count);
            continue;
        }
        size_t patterns = count / sizeof(sluice_json_pattern);
        resize(now, (uint32_t)patterns * PATTERN_BYTES);
        for (size_t i = 0; i < patterns; i++) {
            uint8_t *bytes = now->bytes + i * PATTERN_BYTES;
            memcpy(bytes, w->patterns + i, PATTERN_BYTES);
            uint64_t number = pattern_number(w, w->patterns[i].follower, patterns);
            memcpy(bytes + offsetof(sluice_json_pattern, follower), &number, sizeof number);
        }
    }
    copy *frames = recorder.now + REGION_FRAMES;
    for (size_t i = 0; i < frames->count / sizeof(sluice_json_frame); i++) {
        uint64_t number = key_number(w, w->frames[i].key);
        memcpy(frames->bytes + i * sizeof(sluice_json_frame) + offsetof(sluice_json_frame, key), &number, 8);
    }
}

/// Writes what the driver does not know yet.
static void put_changes(copy *shown, const copy *now) {
    resize(shown, now->count);
    put_32(now->count);
    const size_t units = units_of(now->count);
    for (uint32_t unit = 0; unit < units; unit++) {
        uint8_t *old = shown->bytes + unit * UNIT_BYTES, *new = now->bytes + unit * UNIT_BYTES;
        if (memcmp(old, new, UNIT_BYTES) == 0) continue;
        put_32(unit);
        put(new, UNIT_BYTES);
    }
    put_32(~0u);
}

static void recorded_walk(sluice_json_walk *w) {
    if (w->start != recorder.window) abort();
    const scalars before = scalars_of(w);
    put_byte(RECORD_WALK);
    put(&before, sizeof before);
    copy_regions(w);
    for (int region = 0; region < REGIONS; region++) put_changes(recorder.shown + region, recorder.now + region);
    recorder.reference->walk_tokens(w);
    copy_regions(w);
    for (int region = 0; region < REGIONS; region++) {
        memcpy(recorder.shown[region].bytes, recorder.now[region].bytes, recorder.now[region].count);
    }
    const size_t counts[REGIONS] = {
        [REGION_SLOTS] = recorder.now[REGION_SLOTS].count / sizeof(sluice_json_slot),
        [REGION_FIRST_SLOTS] = recorder.now[REGION_FIRST_SLOTS].count / sizeof(int32_t),
        [REGION_PATTERNS] = recorder.now[REGION_PATTERNS].count / PATTERN_BYTES};
    walk_digest digest = digest_walk(recorder.reference, w, before.running, counts, recorder.window_bytes);
    put(&digest, sizeof digest);
}

/// What the edits leave is part of what each walk has made.
static bool recorded_splice(sluice_json_splicer *splicer) { return recorder.reference->splice(splicer); }

bool sluice_replay_begin(const char *path, const sluice_json_kernel *reference) {
    memset(&recorder, 0, sizeof recorder);
    recorder.reference = reference;
    recorder.file = fopen(path, "wb");
    return recorder.file != NULL;
}

sluice_json_kernel sluice_replay_kernel(void) {
    return (sluice_json_kernel){
        "recording", false, recorded_index, recorded_walk, recorded_splice, recorded_prefix, recorded_blocks};
}

bool sluice_replay_end(void) {
    for (int region = 0; region < REGIONS; region++) {
        free(recorder.shown[region].bytes);
        free(recorder.now[region].bytes);
    }
    bool is_whole = !ferror(recorder.file);
    return fclose(recorder.file) == 0 && is_whole;
}
