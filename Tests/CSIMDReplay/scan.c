#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "CSIMDReplay.h"
#include "replay_state.h"

/// Readable bytes behind a file's last.
enum { BEHIND = 256 };

enum { SCAN_RUNS, SCAN_NUMBERS, SCAN_WORDS, SCAN_ESCAPES, SCAN_URLS, SCAN_SAME, SCANS };

static uint64_t runs(uint64_t d, const uint8_t *p, const uint8_t *end) {
    d = mixed(d, (uint64_t)(sluice_json_plain(p, end) - p));
    d = mixed(d, (uint64_t)(sluice_json_space(p, end) - p));
    return mixed(d, (uint64_t)(sluice_json_scalar_run(p, end) - p));
}

static uint64_t numbers(uint64_t d, const uint8_t *p, const uint8_t *end) {
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        sluice_json_number number = sluice_json_number_at(p, end, is_whole);
        d = mixed(mixed(d, (uint64_t)(number.end - p)), number.state);
    }
    bool is_integer = false;
    d = mixed(d, (uint64_t)sluice_json_plain_number(p, *p, &is_integer));
    d = mixed(d, is_integer);
    d = mixed(d, sluice_json_number_faults(p) != 0);
    for (unsigned most = 1; most <= 30; most += 7) d = mixed(d, sluice_json_integer_faults(p, most) != 0);
    d = mixed(d, sluice_json_no_digits(p));
    d = mixed(d, sluice_json_points(p));
    return mixed(d, (uint64_t)sluice_json_leading_digits(p));
}

static uint64_t words(uint64_t d, const uint8_t *p) {
    d = mixed(d, (uint64_t)sluice_json_word(p, *p));
    for (int way = 0; way < 4; way++) d = mixed(d, sluice_json_is_literal(p, way & 1, way & 2));
    return mixed(d, sluice_json_may_end(*p));
}

static uint64_t escapes(uint64_t d, const uint8_t *p) {
    d = mixed(d, (uint64_t)sluice_json_escape_length(p));
    sluice_json_escape escape = {.state = SLUICE_JSON_ESCAPE_BEGUN};
    for (int i = 0; i < 12; i++) d = mixed(mixed(d, sluice_json_take_escape(&escape, p[i])), escape.state);
    return mixed(d, escape.unit);
}

static uint64_t same(uint64_t d, const uint8_t *p, const uint8_t *other) {
    for (ptrdiff_t count = 0; count < 40; count += 3) d = mixed(d, sluice_json_same(p, other, count));
    for (ptrdiff_t count = 2; count < 32; count += 5) d = mixed(d, sluice_json_hash(p, count));
    return d;
}

bool sluice_scan(const char *path, char *line, size_t room) {
    static const char *const names[SCANS] = {"runs", "numbers", "words", "escapes", "urls", "same"};
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    size_t count = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(count + BEHIND);
    if (!bytes || fread(bytes, 1, count, file) != count) abort();
    memset(bytes + count, ' ', BEHIND);
    fclose(file);
    uint64_t d[SCANS] = {0};
    for (size_t at = 0; at < count; at++) {
        const uint8_t *p = bytes + at, *end = bytes + (count - at < 300 ? count : at + 300);
        d[SCAN_RUNS] = runs(d[SCAN_RUNS], p, end);
        d[SCAN_NUMBERS] = numbers(d[SCAN_NUMBERS], p, end);
        d[SCAN_WORDS] = words(d[SCAN_WORDS], p);
        d[SCAN_ESCAPES] = escapes(d[SCAN_ESCAPES], p);
        for (int part = SLUICE_URI_SCHEME; part <= SLUICE_URI_ANY; part *= 2) {
            d[SCAN_URLS] = mixed(d[SCAN_URLS], (uint64_t)(sluice_uri_run(p, end, part) - p));
        }
        d[SCAN_SAME] = same(d[SCAN_SAME], p, bytes + at / 2);
    }
    free(bytes);
    size_t length = 0;
    for (int i = 0; i < SCANS && length < room; i++) {
        length += (size_t)snprintf(line + length, room - length, "%s %016llx ", names[i], (unsigned long long)d[i]);
    }
    if (length < room) snprintf(line + length, room - length, "%s", path);
    return true;
}
