// A pattern laid out for vectors of 64 bytes: the bytes of an object that are to be compared are moved side by side and
// compared at once. For json_walk.h.
#pragma once
#include <stdint.h>

enum {
    /// The most parts of an object, which are compared one after the other; objects with more parts have no template.
    SLUICE_JSON_PARTS = 4,
    /// Bytes that a part may reach over, and tokens behind its first one.
    SLUICE_JSON_PART_BYTES = 128,
    SLUICE_JSON_PART_TOKENS = 32,
    /// The most texts that a value may be one of.
    SLUICE_JSON_CHOICES = 8,
};

/// The 64 bytes that are moved side by side, each given by its distance from the start of a token.
typedef struct {
    /// Twice the number of the token, seen from the one after the part's first; and how far behind it, or before.
    uint8_t tokens[64], deltas[64];
} sluice_json_moves;

/// Some keys and values of an object that stand near each other.
typedef struct {
    /// Keys with their quotes.
    sluice_json_moves keys;
    uint8_t key_text[64];
    uint64_t key_bytes;
    /// Values, each in a lane of 8, 16 or 32 bytes, strings without their first quotes.
    sluice_json_moves values;
    /// The byte that ends the lane's value; what a number may have besides digits, or else that byte.
    uint8_t ends[64], specials[64];
    /// The values that are accepted besides numbers, with the bytes that end them.
    uint8_t choices[SLUICE_JSON_CHOICES][64];
    int32_t choice_count;
    /// All bytes of lanes, their first ones and their last ones.
    uint64_t lanes, firsts, lasts;
    /// All bytes of lanes that may be numbers, and those of them where a number has too many digits.
    uint64_t numbers, excess;
    /// Words of eight bytes that are the first half of a lane of sixteen, and those of lanes that may not be numbers.
    uint8_t pairs, text_words;
    /// Number of the first token, seen from the object's first; of the last one that is looked at, seen from that.
    uint8_t first, last;
    /// Bytes that are looked at behind the last token, at most.
    uint8_t reach;
} sluice_json_part;

typedef struct {
    /// Number of parts; 0 for no template.
    int32_t count;
    /// Closed sets whose texts are too long or too many for the template.
    int32_t apart_count;
    /// Objects that match the pattern although the template did not match, since it was laid out; how many are
    /// tolerated until a new one is laid out; and `uses` of the pattern at that time.
    int32_t misses, backoff, since;
    /// Kinds of the tokens up to the first key of the next object, and a bit for each that matters.
    uint8_t kinds[64];
    uint64_t kind_mask;
    sluice_json_part parts[SLUICE_JSON_PARTS];
} sluice_json_template;

_Static_assert(SLUICE_JSON_PART_BYTES == 2 * 64, "a part is looked at in two vectors");
_Static_assert(2 * SLUICE_JSON_PART_TOKENS == 64, "the offsets of a part are 16 bits each, in one vector");
