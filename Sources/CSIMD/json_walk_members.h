// The innermost object and the loop over its members, for the kernels.
#pragma once
#include "json_walk_array.h"

/// The innermost object.
typedef struct {
    sluice_json_frame *frame;
    const sluice_json_object *object;
    /// Slot of the last key, and where it began; the latter is NULL where none has been read.
    const sluice_json_slot *slot;
    const uint8_t *opening;
    uint64_t seen;
    ptrdiff_t count;
    int32_t predicted;
} members;

ALWAYS_INLINE void load(const sluice_json_walk *w, members *m) {
    m->frame = w->frames + w->frame_count - 1;
    m->object = w->objects + m->frame->table;
    m->slot = w->slots + m->frame->slot;
    m->opening = NULL;
    m->seen = m->frame->seen;
    m->count = m->frame->count;
    m->predicted = m->frame->predicted;
}

ALWAYS_INLINE void store(const sluice_json_walk *w, const members *m) {
    sluice_json_frame *frame = m->frame;
    frame->seen = m->seen;
    frame->count = (int32_t)m->count;
    frame->predicted = m->predicted;
    frame->slot = (int32_t)(m->slot - w->slots);
    if (!m->opening) return;
    frame->member = m->slot->member;
    frame->child = m->slot->node;
    // Other keys were kept when they were read.
    if (m->slot->count == 0 || m->slot->count == SLUICE_JSON_LONG) return;
    frame->key = m->opening + 1;
    frame->key_count = m->slot->count - 2;
}

/// Keeps a key that no slot holds whole, for fault messages.
ALWAYS_INLINE void keep_key(sluice_json_frame *frame, const uint8_t *text, ptrdiff_t count) {
    if (count > SLUICE_JSON_KEY_BYTES) {
        count = SLUICE_JSON_KEY_BYTES;
        while (count > 0 && (text[count] & 0xC0) == 0x80) count--;
    }
    frame->key = text;
    frame->key_count = (int32_t)count;
}

/// Notes that another key followed than was predicted, in this element of an array. A single exception, for a key that
/// may be absent, does not change the prediction.
ALWAYS_INLINE void predict(sluice_json_slot *slot, int32_t next, int32_t number) {
    bool is_again = (uint16_t)((uint16_t)number - slot->mispredicted) <= 1;
    if (slot->next < 0 || is_again) slot->next = next;
    slot->mispredicted = (uint16_t)number;
}

/// The slot of a key that was not predicted, at token number `next`; NULL where none holds it.
/// @param before Number of the slot of the key before.
COLD const sluice_json_slot *find_slot(
    const sluice_json_walk *w, ptrdiff_t next, sluice_json_frame *frame, ptrdiff_t before) {
    if ((load64(w->kinds + next) & 0xFFFFFF) != NEXT_KEY) return NULL;
    const uint8_t *key = w->start + w->offsets[next];
    ptrdiff_t count = w->offsets[next + 1] - w->offsets[next] + 1;
    if (w->objects[frame->table].any >= 0) {
        keep_key(frame, key + 1, count - 2);
        return w->slots + w->objects[frame->table].any;
    }
    const sluice_json_slot *slot = known_slot(w, key, count, frame->table);
    if (!slot) return NULL;
    if (slot->count == SLUICE_JSON_LONG) keep_key(frame, key + 1, count - 2);
    if (before < 0) {
        w->first_slots[frame->table] = (int32_t)(slot - w->slots);
    } else {
        predict(w->slots + before, (int32_t)(slot - w->slots), w->frame_count > 1 ? frame[-1].count : 0);
    }
    return slot;
}

/// Where the loop over members stops.
enum {
    /// Before a key.
    STOP_AT_KEY,
    /// Before a value that is no plain scalar.
    STOP_AT_VALUE,
    /// Behind a value that no comma follows.
    STOP_AFTER_VALUE,
};

/// Reads members that are plain scalars, from token number `w->next` on: before a key, or behind a value.
NEVER_INLINE int plain_members(sluice_json_walk *w, members *m, bool is_after_value) {
    reader r = {w->start, w->offsets, w->kinds, w->next, w->count - SLUICE_JSON_LOOK_AHEAD};
    const sluice_json_slot *slots = w->slots, *slot = m->slot;
    ptrdiff_t opening = -1;
    ptrdiff_t count = m->count;
    const ptrdiff_t count_most = w->keys_most;
    uint64_t seen = m->seen;
    int32_t predicted = m->predicted;
    unsigned actions = ~0u;
    int stop;
    if (is_after_value) goto after_value;
    AT_LINE while (r.next <= r.last) {
        const sluice_json_slot *found = slots + predicted;
        // Whitespace may stand before the colon.
        const uint32_t behind = load32(r.kinds + r.next + 2);
        if ((differences(r.start + r.offsets[r.next], found->text) & found->mask) | ((uint8_t)behind ^ ':')) {
            found = find_slot(w, r.next, m->frame, slot - slots);
            if (!found) break;
        }
        if (seen & found->seen || count >= count_most) break;
        if (found->action & actions) {
            unsigned next = edit_member(w, m->frame, found, r.next);
            if (!next) break;
            actions = next;
        }
        slot = found;
        seen |= slot->seen;
        count++;
        opening = r.next;
        predicted = slot->next;
        if (behind == NEXT_COLON_STRING_COMMA && slot->accepts & SLUICE_JSON_STRING) {
            r.next += 6;
            continue;
        }
        r.next += 3;
        ptrdiff_t taken = plain_scalar(w, &r, load64(r.kinds + r.next), slot->accepts, slot->digits, slot->node);
        if (taken == 0 && r.kinds[r.next] == '[') taken = whole_array(w, r.next, slot->node);
        stop = STOP_AT_VALUE;
        if (taken == 0) goto leave;
        r.next += taken;
    after_value:
        stop = STOP_AFTER_VALUE;
        if (r.kinds[r.next] != ',') goto leave;
        r.next++;
    }
    stop = STOP_AT_KEY;
leave:
    w->next = r.next;
    m->slot = slot;
    if (opening >= 0) m->opening = r.start + r.offsets[opening];
    m->seen = seen;
    m->count = count;
    m->predicted = predicted;
    return stop;
}
