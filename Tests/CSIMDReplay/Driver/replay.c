// Asks a kernel of this machine what another machine's was asked (`CSIMDReplay.h`), and compares the answers.
#include <stdlib.h>
#include "../replay_state.h"
#include "driver.h"

static struct {
    FILE *file;
    sluice_json_kernel kernel;
    copy regions[REGIONS];
    sluice_json_pattern *patterns;
    uint8_t *window, *kinds;
    uint16_t *offsets;
    bool *non_ascii;
    size_t window_bytes, tokens;
    unsigned long windows, walks, edits, proofs;
} player;

static void get(void *bytes, size_t count) {
    if (fread(bytes, 1, count, player.file) == count) return;
    fprintf(stderr, "the record ends too early\n");
    exit(2);
}

static uint32_t get_32(void) {
    uint32_t word;
    get(&word, sizeof word);
    return word;
}

static uint64_t get_64(void) {
    uint64_t word;
    get(&word, sizeof word);
    return word;
}

static bool is_same(const char *what, uint64_t found, uint64_t expected) {
    if (found == expected) return true;
    printf("%s: %s differs in window %lu, walk %lu: %llx, not %llx\n", player.kernel.name, what, player.windows,
           player.walks, (unsigned long long)found, (unsigned long long)expected);
    return false;
}

static bool play_index(void) {
    size_t count = get_32();
    player.windows++;
    player.window_bytes = count + SPARE_BYTES;
    get(player.window, player.window_bytes);
    uint32_t expected = get_32();
    uint64_t expected_digest = get_64();
    uint8_t spare[SPARE_KINDS];
    get(spare, sizeof spare);
    size_t found = counted_index(
        &player.kernel, player.window, count, player.offsets, player.kinds, player.non_ascii);
    if (!is_same("the number of tokens", found, expected)) return false;
    uint64_t digest = digest_index(player.offsets, player.kinds, player.non_ascii, found, count);
    if (!is_same("the index", digest, expected_digest)) return false;
    // What stands there says nothing, and looking at it does no harm.
    memcpy(player.kinds + found, spare, sizeof spare);
    player.tokens = found;
    return true;
}

static bool play_prefix(void) {
    size_t count = get_32();
    uint8_t *bytes = malloc(count + 1);
    if (!bytes) abort();
    get(bytes, count);
    size_t proven = counted_prefix(&player.kernel, bytes, count);
    free(bytes);
    player.proofs++;
    return is_same("a UTF-8 prefix", proven, get_32());
}

static bool play_blocks(void) {
    size_t count = player.window_bytes - SPARE_BYTES;
    size_t proven = counted_blocks(&player.kernel, player.window, count, player.non_ascii);
    player.proofs++;
    return is_same("a window's UTF-8", proven, get_32());
}

static void get_changes(copy *region) {
    resize(region, get_32());
    for (uint32_t unit; (unit = get_32()) != ~0u;) get(region->bytes + unit * UNIT_BYTES, UNIT_BYTES);
}

/// Puts pointers in the place of numbers, or numbers in that of pointers.
static void exchange_pointers(sluice_json_walk *w, bool are_numbers, size_t pattern_count) {
    copy *frames = player.regions + REGION_FRAMES, *patterns = player.regions + REGION_PATTERNS;
    for (size_t i = 0; i < frames->count / sizeof(sluice_json_frame); i++) {
        uint64_t number;
        const uint8_t **key = &w->frames[i].key;
        memcpy(&number, key, sizeof number);
        if (are_numbers) {
            // Elsewhere is nowhere that is read.
            *key = number == 0 ? NULL : number == 1 ? (const uint8_t *)player.offsets : w->start + (number - 2);
        } else {
            number = key_number(w, *key);
            memcpy(key, &number, sizeof number);
        }
    }
    for (size_t i = 0; i < pattern_count; i++) {
        uint8_t *bytes = patterns->bytes + i * PATTERN_BYTES;
        const size_t follower = offsetof(sluice_json_pattern, follower);
        uint64_t number;
        if (are_numbers) {
            memcpy(w->patterns + i, bytes, PATTERN_BYTES);
            memcpy(&number, bytes + follower, sizeof number);
            w->patterns[i].follower = number ? w->patterns + (number - 1) : NULL;
        } else {
            number = pattern_number(w, w->patterns[i].follower, pattern_count);
            memcpy(bytes, w->patterns + i, PATTERN_BYTES);
            memcpy(bytes + follower, &number, sizeof number);
        }
    }
}

static void *region(enum region number) { return player.regions[number].bytes; }

static bool play_walk(void) {
    static const char *const names[WALK_PARTS] = {
        "where the walk stands", "a frame", "a skipped container", "an edit", "what edits leave",
        "what is known of keys", "a pattern"};
    static sluice_json_edit edits[SLUICE_JSON_EDITS];
    scalars s;
    get(&s, sizeof s);
    for (int i = 0; i < REGIONS; i++) get_changes(player.regions + i);
    const size_t counts[REGIONS] = {
        [REGION_SLOTS] = player.regions[REGION_SLOTS].count / sizeof(sluice_json_slot),
        [REGION_FIRST_SLOTS] = player.regions[REGION_FIRST_SLOTS].count / sizeof(int32_t),
        [REGION_PATTERNS] = player.regions[REGION_PATTERNS].count / PATTERN_BYTES};
    player.patterns = realloc(player.patterns, (counts[REGION_PATTERNS] + 1) * sizeof *player.patterns);
    if (!player.patterns) abort();
    sluice_json_walk w = {
        .nodes = region(REGION_NODES), .objects = region(REGION_OBJECTS), .arrays = region(REGION_ARRAYS),
        .texts = region(REGION_TEXTS), .depth_most = s.depth_most, .keys_most = s.keys_most,
        .slots = (sluice_json_slot *)region(REGION_SLOTS) + 1, .first_slots = region(REGION_FIRST_SLOTS),
        .index = region(REGION_INDEX), .patterns = player.patterns, .choices = region(REGION_CHOICES),
        .ways = region(REGION_WAYS), .frames = region(REGION_FRAMES), .skips = region(REGION_SKIPS),
        .frame_count = s.frame_count, .frame_capacity = s.frame_capacity, .skip_count = s.skip_count,
        .skip_capacity = s.skip_capacity, .at = (int32_t)s.at, .skip_at = (int32_t)s.skip_at, .edits = edits,
        .running = s.running, .start = player.window, .offsets = player.offsets, .kinds = player.kinds,
        .count = s.count, .next = s.next, .goes_on = s.goes_on, .is_cut = s.is_cut, .offset = s.offset};
    exchange_pointers(&w, true, counts[REGION_PATTERNS]);
    counted_walk(&player.kernel, &w);
    player.walks++;
    player.edits += (unsigned long)w.edit_count;
    walk_digest found = digest_walk(&player.kernel, &w, s.running, counts, player.window_bytes), expected;
    exchange_pointers(&w, false, counts[REGION_PATTERNS]);
    get(&expected, sizeof expected);
    for (int part = 0; part < WALK_PARTS; part++) {
        if (!is_same(names[part], found.parts[part], expected.parts[part])) return false;
    }
    return true;
}

int replay(const sluice_json_kernel *kernel, const char *path) {
    player.kernel = *kernel;
    player.file = fopen(path, "rb");
    if (!player.file) return perror(path), 2;
    const size_t room = SLUICE_JSON_WINDOW + SPARE_BYTES;
    player.window = malloc(room);
    player.offsets = malloc(2 * (room + 64));
    player.kinds = malloc(room + 64);
    player.non_ascii = malloc(room / 64 + 8);
    if (!player.window || !player.offsets || !player.kinds || !player.non_ascii) abort();
    bool is_right = true;
    for (int record; is_right && (record = getc(player.file)) != EOF;) {
        switch (record) {
        case RECORD_INDEX: is_right = play_index(); break;
        case RECORD_PREFIX: is_right = play_prefix(); break;
        case RECORD_BLOCKS: is_right = play_blocks(); break;
        case RECORD_WALK: is_right = play_walk(); break;
        default: fprintf(stderr, "no record begins with %d\n", record); return 2;
        }
    }
    if (!is_right) return 1;
    printf("%s: %lu windows, %lu proofs of UTF-8, %lu walks and %lu edits are the same\n", kernel->name, player.windows,
           player.proofs, player.walks, player.edits);
    return 0;
}
