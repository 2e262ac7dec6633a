// Records an object as a pattern for others. For the kernels.
#pragma once
#include "json_walk_pattern.h"

/// The slot that holds a key of `count` bytes with its quotes; NULL where none does.
ALWAYS_INLINE const sluice_json_slot *known_slot(
    const sluice_json_walk *w, const uint8_t *key, ptrdiff_t count, int32_t table) {
    int32_t known = count < SLUICE_JSON_LONG ? (int32_t)count : SLUICE_JSON_LONG;
    const int32_t *index = w->index + (ptrdiff_t)table * SLUICE_JSON_INDEX;
    uint32_t hash = sluice_json_hash(key, known);
    for (uint32_t try = 0; try < SLUICE_JSON_TRIES; try++) {
        const sluice_json_slot *slot = w->slots + index[(hash + try) % SLUICE_JSON_INDEX];
        if (slot->count == known && !(differences(key, slot->text) & slot->mask & 0x7FFFFFFF)) return slot;
    }
    return NULL;
}

/// The table of the object that begins at token number `next`, where its first key tells which it is; else
/// `SLUICE_JSON_DEFERRED`.
NEVER_INLINE int32_t choose(const sluice_json_walk *w, ptrdiff_t next, int32_t number) {
    const sluice_json_choice *choice = w->choices + number;
    // The tokens of the brace, the key, the colon and the value.
    if (next + 6 > w->count || (load64(w->kinds + next) & 0xFFFFFFFFFFFF) != 0x22223A22227Bull) {
        return SLUICE_JSON_DEFERRED;
    }
    if (differences(w->start + w->offsets[next + 1], choice->key.text) & choice->key.mask) return SLUICE_JSON_DEFERRED;
    const uint8_t *value = w->start + w->offsets[next + 4];
    int32_t table = SLUICE_JSON_DEFERRED;
    // All are compared, so that there is no branch on which it is.
    for (int32_t i = 0; i < choice->way_count; i++) {
        const sluice_json_way *way = w->ways + choice->ways + i;
        table = differences(value, way->value.text) & way->value.mask ? table : way->table;
    }
    return table;
}

/// What is being recorded.
typedef struct {
    const sluice_json_walk *walk;
    sluice_json_pattern *pattern;
    /// Number of the first key's token, of the next one, and of the one after the last.
    ptrdiff_t first, next, end;
} recorder;

enum {
    /// The node of what is skipped.
    SKIPPED_NODE = 0,
    NESTED_MOST = 4
};

static bool record_value(recorder *l, int32_t number, int nested);

/// @param seen Bits of the object's keys so far.
static bool record_key(recorder *l, int32_t table, int nested, int32_t *node, uint64_t *seen, editing *e) {
    const sluice_json_walk *w = l->walk;
    sluice_json_pattern *pattern = l->pattern;
    const uint8_t *key = w->start + w->offsets[l->next];
    const sluice_json_slot *slot = known_slot(w, key, w->offsets[l->next + 1] - w->offsets[l->next] + 1, table);
    if (!slot || slot->count == SLUICE_JSON_LONG || pattern->key_count == SLUICE_JSON_PATTERN_KEYS) return false;
    // Objects with faults come here too, where Swift has gone over them.
    if (slot->seen & *seen) return false;
    *seen |= slot->seen;
    int32_t number = pattern->key_count++;
    for (int i = 0; i < 32; i++) {
        pattern->keys[number].text[i] = slot->text[i];
        pattern->keys[number].mask[i] = slot->mask >> i & 1 ? 0xFF : 0;
    }
    pattern->key_tokens[number] = (uint8_t)(l->next - l->first);
    *node = slot->node;
    if (pattern->edit_count + 2 > SLUICE_JSON_PATTERN_EDITS) return false;
    e->count = pattern->edit_count;
    if (slot->action) edit_key(e, slot, l->next - l->first);
    pattern->edit_count = e->count;
    if (nested > 0) return true;
    pattern->seen |= slot->seen;
    pattern->slot = (int32_t)(slot - w->slots);
    pattern->last_key = (uint8_t)(l->next - l->first);
    pattern->member_count++;
    return true;
}

/// Records the end of the object that `e` belongs to, before the next token.
static bool record_end(recorder *l, editing *e) {
    sluice_json_pattern *pattern = l->pattern;
    if (pattern->edit_count == SLUICE_JSON_PATTERN_EDITS) return false;
    e->count = pattern->edit_count;
    edit_end(e, l->next - l->first);
    pattern->edit_count = e->count;
    return true;
}

/// Records an object's members, from its first key to its end.
static bool record_members(recorder *l, int32_t table, int nested) {
    const sluice_json_walk *w = l->walk;
    uint64_t seen = 0, required = table == SLUICE_JSON_SKIPPED ? 0 : w->objects[table].required;
    editing e = {.list = l->pattern->edits, .is_running = true};
    if (table != SLUICE_JSON_SKIPPED) e.slice = w->objects[table].slice;
    for (;;) {
        int32_t node = SKIPPED_NODE;
        if (l->next + 4 > l->end || (load64(w->kinds + l->next) & 0xFFFFFF) != NEXT_KEY) return false;
        if (table != SLUICE_JSON_SKIPPED && !record_key(l, table, nested, &node, &seen, &e)) return false;
        l->next += 3;
        if (!record_value(l, node, nested)) return false;
        uint8_t after = l->next < l->end ? w->kinds[l->next] : '}';
        if (after == '}' && (required & ~seen || !record_end(l, &e))) return false;
        if (l->next++ >= l->end) {
            if (e.is_emitted) l->pattern->emitted = w->objects[table].editor;
            return nested == 0;
        }
        if (after == '}') return nested > 0;
        if (after != ',') return false;
    }
}

static bool record_elements(recorder *l, int32_t node, int nested) {
    for (;;) {
        if (l->next >= l->end || !record_value(l, node, nested) || l->next >= l->end) return false;
        uint8_t after = l->walk->kinds[l->next++];
        if (after == ']') return true;
        if (after != ',') return false;
    }
}

static bool record_container(recorder *l, const sluice_json_node *node, uint8_t kind, int nested) {
    const sluice_json_walk *w = l->walk;
    int32_t table = kind == '{' ? node->object : node->array;
    // Where there is a choice, only objects with the same deciding value match: it is one of a closed set.
    if (table <= SLUICE_JSON_CHOSEN) table = choose(w, l->next, SLUICE_JSON_CHOSEN - table);
    if (nested == NESTED_MOST || node->has_ops || table == SLUICE_JSON_DEFERRED) return false;
    if (l->pattern->nested <= nested) l->pattern->nested = (uint8_t)(nested + 1);
    l->next++;
    if (l->next < l->end && w->kinds[l->next] == kind + 2) {
        l->next++;
        return node->accepts & (kind == '{' ? SLUICE_JSON_EMPTY_OBJECT : SLUICE_JSON_EMPTY_ARRAY);
    }
    if (kind == '{') {
        bool is_plain = table == SLUICE_JSON_SKIPPED || (w->objects[table].is_plain && w->objects[table].any < 0);
        return is_plain && record_members(l, table, nested + 1);
    }
    if (table == SLUICE_JSON_SKIPPED) return record_elements(l, SKIPPED_NODE, nested + 1);
    const sluice_json_array *array = w->arrays + table;
    return array->is_plain && array->ends_plainly && record_elements(l, array->element, nested + 1);
}

/// Whether the number at `p` has neither sign nor fraction.
ALWAYS_INLINE bool is_whole(const uint8_t *p) { return sluice_json_may_end(p[sluice_json_leading_digits(p)]); }

/// Records a number or a literal, whose value is checked in each object; or a string, of which the quotes may be all
/// that matters.
static bool record_value(recorder *l, int32_t number, int nested) {
    const sluice_json_walk *w = l->walk;
    const sluice_json_node *node = w->nodes + number;
    sluice_json_pattern *pattern = l->pattern;
    uint8_t kind = w->kinds[l->next];
    if (kind == '{' || kind == '[') return record_container(l, node, kind, nested);
    ptrdiff_t token = l->next - l->first;
    sluice_json_values *values = &pattern->words;
    if (kind == '"') {
        if (l->next + 1 >= l->end || w->kinds[l->next + 1] != '"') return false;
        l->next += 2;
        if (node->accepts & SLUICE_JSON_STRING) return true;
        if (!(node->accepts & (SLUICE_JSON_TEXT | SLUICE_JSON_CLOSED_SET))) return false;
        values = node->accepts & SLUICE_JSON_TEXT ? &pattern->texts : &pattern->closed_sets;
    } else {
        unsigned known = SLUICE_JSON_BOOL | SLUICE_JSON_NULL;
        if ((uint8_t)(kind - '0') < 10 || kind == '-') {
            known = SLUICE_JSON_NUMBER | SLUICE_JSON_INTEGER;
            values = is_whole(w->start + w->offsets[l->next]) ? &pattern->integers : &pattern->numbers;
        }
        if (!(node->accepts & known)) return false;
        pattern->masks[token / 32] &= ~(1u << token % 32);
        l->next++;
    }
    // Other values get here only because they are no plain integers.
    if (values == &pattern->numbers && !(node->accepts & SLUICE_JSON_NUMBER)) values = &pattern->integers;
    if (values->count == SLUICE_JSON_PATTERN_VALUES) return false;
    values->list[values->count++] = (sluice_json_value){
        .node = number, .token = (uint8_t)token,
        .digits = node->accepts & SLUICE_JSON_NUMBER ? 30 : node->digits,
        .may_be_null = node->accepts & SLUICE_JSON_NULL, .may_be_bool = node->accepts & SLUICE_JSON_BOOL};
    return true;
}

/// Records the object whose tokens run from `first`, its first key, to before `end`, as a pattern for later ones. After
/// patterns with few matches it takes longer until the next recording.
static void record(const sluice_json_walk *w, int32_t table, ptrdiff_t first, ptrdiff_t end) {
    sluice_json_pattern *pattern = pattern_of(w, table, first);
    if (is_repeated(w, pattern)) return;
    int32_t backoff = pattern->uses > 4 * pattern->backoff ? 1 : 2 * pattern->backoff;
    if (backoff > SLUICE_JSON_BACKOFF) backoff = SLUICE_JSON_BACKOFF;
    // The template's parts are not cleared.
    __builtin_memset(pattern, 0, __builtin_offsetof(sluice_json_pattern, template.parts));
    pattern->backoff = backoff ? backoff : 1;
    w->patterns[table * SLUICE_JSON_SHAPES].wait = backoff;
    ptrdiff_t count = end - first;
    if (count <= 0 || count > SLUICE_JSON_PATTERN || w->objects[table].any >= 0) return;
    if (w->keys_most < SLUICE_JSON_PATTERN) return;
    __builtin_memcpy(pattern->kinds, w->kinds + first, (size_t)count);
    pattern->masks[0] = sluice_bits_below((unsigned)count);
    pattern->masks[1] = count > 32 ? sluice_bits_below((unsigned)count - 32) : 0;
    recorder l = {w, pattern, first, first, end};
    if (record_members(&l, table, 0)) pattern->count = (int32_t)count;
    pattern->renames_only = true;
    for (int32_t i = 0; i < pattern->edit_count; i++) {
        const sluice_json_edit *edit = pattern->edits + i;
        if (edit->from == SLUICE_JSON_OPEN || edit->to == SLUICE_JSON_OPEN) pattern->has_open_edits = true;
        if (edit->slice != pattern->edits[0].slice || !renames_key(edit)) pattern->renames_only = false;
    }
}
