// The walk over the structural index of a window. It handles plain tokens only and stops at unusual ones. The plan is
// made in Swift and handed over in the tables below, which refer to each other by number.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "json_template.h"

/// Values that are accepted as they are, without further work.
enum sluice_json_accept {
    SLUICE_JSON_STRING = 1,
    /// A string of the node's closed set.
    SLUICE_JSON_CLOSED_SET = 2,
    /// Any number.
    SLUICE_JSON_NUMBER = 4,
    /// An integer of up to `digits` digits.
    SLUICE_JSON_INTEGER = 8,
    SLUICE_JSON_BOOL = 16,
    SLUICE_JSON_NULL = 32,
    SLUICE_JSON_EMPTY_ARRAY = 64,
    SLUICE_JSON_EMPTY_OBJECT = 128,
    /// Integers may be negative.
    SLUICE_JSON_NEGATIVE = 256,
    /// A string of the node's grammar.
    SLUICE_JSON_TEXT = 512,
};

enum sluice_json_grammar {
    SLUICE_JSON_NO_GRAMMAR, SLUICE_JSON_URL, SLUICE_JSON_DATE, SLUICE_JSON_UUID, SLUICE_JSON_BASE64
};

/// What a node's `object` and `array` may be instead of the number of a table.
enum {
    /// The container is skipped: only its grammar is checked.
    SLUICE_JSON_SKIPPED = -1,
    /// The container is left to Swift.
    SLUICE_JSON_DEFERRED = -2,
    /// One of several object tables; the number of the choice is subtracted.
    SLUICE_JSON_CHOSEN = -3,
};

/// What the plan says about one value.
typedef struct {
    uint16_t accepts;
    uint8_t digits;
    /// `sluice_json_grammar`, where strings have to follow one.
    uint8_t grammar;
    /// Whether something has to be done at the value's end.
    bool has_ops;
    int32_t object;
    int32_t array;
    /// The closed set, part of the texts.
    int32_t texts, text_count;
} sluice_json_node;

/// What the slice that edits an object does at a key. If it leaves keys of the object out, it keeps the others.
enum sluice_json_action { SLUICE_JSON_KEEP = 1, SLUICE_JSON_LEAVE_OUT = 2, SLUICE_JSON_RENAME = 4 };

enum { SLUICE_JSON_LONG = 31 };

/// A text of up to 32 bytes to compare with.
typedef struct {
    uint8_t text[32];
    /// A bit for each byte of the text.
    uint32_t mask;
} sluice_json_text;

/// Objects that the value of their first key tells apart.
typedef struct {
    /// The key with its quotes.
    sluice_json_text key;
    /// Its values, part of the ways. Without any, Swift decides.
    int32_t ways, way_count;
} sluice_json_choice;

typedef struct {
    /// With its quotes.
    sluice_json_text value;
    /// Of the object.
    int32_t table;
} sluice_json_way;

/// A key as it stands in documents, with the key that followed it last time. Slot -1 is like no key at all.
typedef struct {
    /// The key with its quotes, and a byte that no key has.
    uint8_t text[32];
    /// A bit for each byte of the key; where it is not to be found, for the byte behind it, too.
    uint32_t mask;
    /// Bytes of the key with its quotes; 0 where they are not kept. `SLUICE_JSON_LONG` means that the key begins
    /// with so many bytes of the text, and that no declared key does.
    int16_t count;
    /// Number of the latest element or member (its lower bits) where the prediction was wrong.
    uint16_t mispredicted;
    /// Slot of the key that followed; -1 is unknown.
    int32_t next;
    int32_t member;
    int32_t node;
    /// The node's.
    uint16_t accepts;
    uint8_t digits;
    /// `sluice_json_action`; 0 where no slice has to do with the key.
    uint8_t action;
    /// The bit that says that the key has been seen; 0 where it may stand twice.
    uint64_t seen;
} sluice_json_slot;

enum {
    /// Tokens of an object that is recorded, at most; its keys, and its values of one sort that are looked at.
    SLUICE_JSON_PATTERN = 64,
    SLUICE_JSON_PATTERN_KEYS = 20,
    SLUICE_JSON_PATTERN_VALUES = 16,
    /// Patterns for objects of one table, by their size.
    SLUICE_JSON_SHAPES = 4,
    /// The most mismatching objects until another one is recorded.
    SLUICE_JSON_BACKOFF = 256,
};

/// A value of a recorded object; its token is counted from the object's first key.
typedef struct {
    int32_t node;
    uint8_t token;
    /// Of an integer, at most.
    uint8_t digits;
    /// Of a word.
    bool may_be_null, may_be_bool;
    /// Bytes of its lane in the template; 0 where it has none.
    uint8_t lane;
} sluice_json_value;

typedef struct {
    int32_t count;
    sluice_json_value list[SLUICE_JSON_PATTERN_VALUES];
} sluice_json_values;

/// Where an edit begins or ends: four times the number of a token, and which side of it.
enum sluice_json_boundary {
    SLUICE_JSON_BEFORE,
    /// Behind the token's first byte.
    SLUICE_JSON_BEHIND,
    /// Behind the value that ends before the token: between them is whitespace.
    SLUICE_JSON_VALUE_END,
    SLUICE_JSON_BOUNDARIES = 4,
    /// An edit that continues beyond this one.
    SLUICE_JSON_OPEN = 0xFFFF,
};

/// A slice leaves out the bytes between two boundaries. If the first is open, an earlier edit has begun to leave out;
/// if the second is open, the slice goes on leaving out.
///
/// With the bits of `slice` inverted, the edit stands for all new keys of consecutive objects that matched a pattern:
/// `from` is before the first object's first key, `to` the number of objects, and `renamed` the pattern's number.
typedef struct {
    uint16_t from, to;
    int32_t slice;
    /// The member whose new name is put in; -1 is none.
    int32_t renamed;
} sluice_json_edit;

enum {
    /// Edits of one walk, at most, and of an object that is recorded.
    SLUICE_JSON_EDITS = 1024,
    SLUICE_JSON_PATTERN_EDITS = 24,
};

/// The recorded tokens of an object of a table in an array, from its first key to before its end.
typedef struct sluice_json_pattern {
    /// The kinds of its tokens, and a bit for each that has to be the same.
    uint8_t kinds[SLUICE_JSON_PATTERN];
    uint32_t masks[2];
    /// How many tokens; 0 where nothing is recorded.
    int32_t count;
    int32_t key_count;
    /// Keys with their quotes, and the bits that count.
    struct {
        uint8_t text[32], mask[32];
    } keys[SLUICE_JSON_PATTERN_KEYS];
    uint8_t key_tokens[SLUICE_JSON_PATTERN_KEYS];
    sluice_json_values integers, numbers, words, closed_sets, texts;
    /// The frame's values at the object's end.
    uint64_t seen;
    int32_t slot, member_count;
    /// Number of the last key's token.
    uint8_t last_key;
    /// Containers inside each other, at most.
    uint8_t nested;
    /// Number of objects that matched; number of mismatches until another object is recorded: the remaining one, kept
    /// in the first shape, and the initial one.
    int32_t uses, wait, backoff;
    /// The pattern that the following object matched last, and how often in a row it was the same, 3 at most.
    struct sluice_json_pattern *_Nullable follower;
    int32_t steady;
    /// Seen from the object's first key, up to its end.
    sluice_json_edit edits[SLUICE_JSON_PATTERN_EDITS];
    int32_t edit_count;
    /// Whether an edit has an open boundary, because another slice's edits stand between. Whether all edits are one
    /// slice's and only replace keys: then the edits of several objects are noted as one.
    bool has_open_edits, renames_only;
    /// The frame's slices that have emitted a member, at the object's end.
    uint64_t emitted;
    /// Last, because its parts are not cleared when another object is recorded.
    sluice_json_template template;
} sluice_json_pattern;

/// Initializes patterns in fresh memory: their other members are written when objects are recorded.
static inline void sluice_json_clear_patterns(sluice_json_pattern *_Nonnull patterns, ptrdiff_t count) {
    for (sluice_json_pattern *next = patterns; next < patterns + count; next++) {
        next->count = next->uses = next->wait = next->backoff = 0;
    }
}

typedef struct {
    /// Bits of the keys whose absence has to be handled.
    uint64_t required;
    /// The bit of the slice that leaves keys out or renames them, and its number; 0 where there is none.
    uint64_t editor;
    int32_t slice;
    /// Slot for every key of a dictionary; -1 where keys have to be told apart.
    int32_t any;
    /// Whether nothing has to be done at the object's end but a check of `required`.
    bool is_plain;
} sluice_json_object;

typedef struct {
    /// Node of the elements.
    int32_t element;
    /// Whether all elements have one node and no slice begins with the array.
    bool is_plain;
    /// Whether nothing has to be done at the array's end.
    bool ends_plainly;
} sluice_json_array;

/// One open container that the plan does not skip.
typedef struct {
    /// Object or array table.
    int32_t table;
    /// Node of the member or element that is being read.
    int32_t child;
    /// Keys so far, or index of the element.
    int32_t count;
    /// The key that is being read, for objects; -1 is none.
    int32_t member;
    /// Slot of that key, and of the one that should follow.
    int32_t slot, predicted;
    /// First of the seen words of an object with more than 64 keys.
    int32_t seen_words;
    /// Bytes of the undeclared key that is being read, cut to `SLUICE_JSON_KEY_BYTES`.
    int32_t key_count;
    const uint8_t *_Nullable key;
    /// Bits of the declared keys that have been seen, of an object with at most 64.
    uint64_t seen;
    /// Where the container begins in the document.
    ptrdiff_t offset;
    /// Slices that have emitted a member of this object.
    uint64_t emitted;
    bool is_object;
    /// Whether the next object may reuse this frame: nothing has to be done between two elements of its array.
    bool repeats;
    /// Number of the choice that gave an array's object its table; -1 where there is none, or Swift has made it.
    int32_t choice;
} sluice_json_frame;

/// Bytes of an undeclared key that faults show, and that are kept: one character more, which tells that it goes on.
#define SLUICE_JSON_KEY_SHOWN_BYTES 64
#define SLUICE_JSON_KEY_BYTES 68

/// The position of the walk: what comes next.
enum sluice_json_position {
    SLUICE_JSON_AT_VALUE,
    SLUICE_JSON_AT_FIRST_ELEMENT,
    SLUICE_JSON_AT_FIRST_KEY,
    SLUICE_JSON_AT_KEY,
    SLUICE_JSON_AT_COLON,
    SLUICE_JSON_AT_AFTER_VALUE,
    SLUICE_JSON_AT_SKIPPING,
};

/// Slots that a key's hash leads to, and how many of them are tried.
enum { SLUICE_JSON_INDEX = 256, SLUICE_JSON_TRIES = 4 };

typedef struct {
    // The plan.
    const sluice_json_node *_Nonnull nodes;
    const sluice_json_object *_Nonnull objects;
    const sluice_json_array *_Nonnull arrays;
    const sluice_json_text *_Nonnull texts;
    ptrdiff_t depth_most, keys_most;
    // Known keys: slots, the first slot of each object table, and for each table `SLUICE_JSON_INDEX` numbers of slots.
    sluice_json_slot *_Nonnull slots;
    int32_t *_Nonnull first_slots;
    const int32_t *_Nonnull index;
    /// `SLUICE_JSON_SHAPES` for each object table.
    sluice_json_pattern *_Nonnull patterns;
    const sluice_json_choice *_Nonnull choices;
    const sluice_json_way *_Nonnull ways;
    // Open containers; skipped ones have one word each: twice the keys so far, and 1 in an object.
    sluice_json_frame *_Nonnull frames;
    uint32_t *_Nonnull skips;
    ptrdiff_t frame_count, frame_capacity, skip_count, skip_capacity;
    /// What comes next, and what inside a skipped part.
    int32_t at, skip_at;
    // Edits of slices, up to `SLUICE_JSON_EDITS`, and a bit for each slice that passes bytes on.
    sluice_json_edit *_Nonnull edits;
    int32_t edit_count;
    uint64_t running;
    // The window.
    const uint8_t *_Nonnull start;
    const uint16_t *_Nonnull offsets;
    const uint8_t *_Nonnull kinds;
    /// How many tokens there are, and the number of the next.
    ptrdiff_t count, next;
    /// Whether the document goes on behind the window; whether the next window should begin at the next token, because
    /// this window cuts an object that may be taken whole.
    bool goes_on, is_cut;
    /// Offset in the document of `start`.
    ptrdiff_t offset;
} sluice_json_walk;

/// Bytes of a window: an answer of 10 KB is one, and its index fits the first-level cache beside it.
enum { SLUICE_JSON_WINDOW = 12288 };

/// Tokens that have to follow before a token is handled: a key takes two and its colon one, a string two, the token
/// behind it one.
enum { SLUICE_JSON_LOOK_AHEAD = 8 };

// A boundary is the number of a token, of which there may be one for each byte and 64 written too much, and its side.
_Static_assert(
    (SLUICE_JSON_WINDOW + 64) * SLUICE_JSON_BOUNDARIES <= SLUICE_JSON_OPEN, "a boundary is a number of 16 bits");
_Static_assert(SLUICE_JSON_WINDOW % 64 == 0, "the index goes by blocks of 64 bytes");
_Static_assert(
    SLUICE_JSON_BEHIND == 1 && SLUICE_JSON_VALUE_END == 2 && SLUICE_JSON_BOUNDARIES == 4,
    "a boundary's sides are bits");
_Static_assert(SLUICE_JSON_PATTERN <= 64, "a pattern's offsets are bits of two words of 32");
_Static_assert(SLUICE_JSON_LONG < 32, "a key and its colon are compared as 32 bytes");

/// The most bytes that the next window may read again in order not to cut an object.
enum { SLUICE_JSON_CUT_BYTES = 1024 };

/// Where a key is looked for first: a hash of its length and of its first and last eight bytes.
/// @param key The key with its quotes.
/// @param count Its bytes with the quotes.
static inline uint32_t sluice_json_hash(const uint8_t *_Nonnull key, ptrdiff_t count) {
    uint64_t first, last;
    uint64_t mask = count < 8 ? (1ull << 8 * count) - 1 : ~0ull;
    __builtin_memcpy(&first, key, 8);
    __builtin_memcpy(&last, key + (count < 8 ? 0 : count - 8), 8);
    uint64_t mixed = (first & mask) + (last & mask) * 0x9E3779B97F4A7C15ull;
    return (uint32_t)(((mixed ^ (uint64_t)count) * 0xD6E8FEB86659FD93ull) >> 32);
}
