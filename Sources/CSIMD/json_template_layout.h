// How an object that matches a pattern is laid out as a template. For the kernel of AVX-512.
#pragma once
#include "json_walk_pattern.h"

/// State of the layout: the offsets of an object's tokens, its pattern, and the part that is being filled.
typedef struct {
    const sluice_json_walk *walk;
    const uint16_t *offsets;
    sluice_json_pattern *pattern;
    sluice_json_part *part;
    /// Bytes of keys and of lanes that the part has.
    unsigned key_bytes, lane_bytes;
} layout;

/// A part with room for these bytes from the token on; NULL where there is none.
/// @param token Not the first one of the part.
static sluice_json_part *part_with_room(layout *l, unsigned token, unsigned key_bytes, unsigned lane_bytes) {
    sluice_json_template *template = &l->pattern->template;
    // Some bytes stay free, because other objects may be longer.
    const unsigned bytes_most = SLUICE_JSON_PART_BYTES - 16;
    unsigned reach = key_bytes + lane_bytes + 1;
    sluice_json_part *part = l->part;
    if (!part || token - part->first > SLUICE_JSON_PART_TOKENS || l->key_bytes + key_bytes > 64
        || l->lane_bytes + lane_bytes > 64
        || (unsigned)l->offsets[token] - l->offsets[part->first] + reach > bytes_most) {
        if (template->count == SLUICE_JSON_PARTS) return NULL;
        part = template->parts + template->count++;
        __builtin_memset(part, 0, sizeof *part);
        // 0xFF stands in no document.
        __builtin_memset(part->choices, 0xFF, sizeof part->choices);
        part->first = (uint8_t)(token - 1);
        l->part = part;
        l->key_bytes = l->lane_bytes = 0;
    }
    part->last = (uint8_t)(token - part->first);
    if (part->reach < reach) part->reach = (uint8_t)reach;
    return part;
}

static void move(sluice_json_moves *moves, unsigned at, const sluice_json_part *part, unsigned token, int offset) {
    moves->tokens[at] = (uint8_t)(2 * (token - part->first - 1));
    moves->deltas[at] = (uint8_t)offset;
}

/// A key is compared from its opening quote on. The object's first key has no token before it: it is compared backwards
/// from its closing quote.
static bool lay_out_key(layout *l, int32_t number) {
    const uint8_t *text = l->pattern->keys[number].text;
    const unsigned opening = l->pattern->key_tokens[number];
    unsigned count = 0;
    while (count < 32 && l->pattern->keys[number].mask[count]) count++;
    sluice_json_part *part = part_with_room(l, opening + (opening == 0), count, 0);
    if (!part) return false;
    for (unsigned i = opening == 0 ? 0 : 1; i < count; i++, l->key_bytes++) {
        if (opening == 0) move(&part->keys, l->key_bytes, part, 1, (int)(i + 1 - count));
        if (opening > 0) move(&part->keys, l->key_bytes, part, opening, (int)i);
        part->key_text[l->key_bytes] = text[i];
        part->key_bytes |= 1ull << l->key_bytes;
    }
    return true;
}

/// Adds a lane to the part for a value that is followed by `end`.
/// @returns Number of the lane's first byte.
static unsigned add_lane(layout *l, const sluice_json_value *value, uint8_t end, bool may_be_number) {
    sluice_json_part *part = l->part;
    const unsigned first = l->lane_bytes, count = value->lane;
    unsigned accepts = l->walk->nodes[value->node].accepts;
    l->lane_bytes += count;
    for (unsigned i = 0; i < count; i++) {
        uint64_t bit = 1ull << (first + i);
        bool is_special = i > 0 ? accepts & SLUICE_JSON_NUMBER : accepts & (SLUICE_JSON_NUMBER | SLUICE_JSON_NEGATIVE);
        move(&part->values, first + i, part, value->token, (int)i + (end == '"'));
        part->ends[first + i] = end;
        part->specials[first + i] = !is_special ? end : i > 0 ? '.' : '-';
        part->lanes |= bit;
        if (may_be_number) part->numbers |= bit;
        if (!may_be_number) part->text_words |= (uint8_t)(1u << (first + i) / 8);
        if (may_be_number && i >= value->digits) part->excess |= bit;
    }
    part->firsts |= 1ull << first;
    part->lasts |= 1ull << (first + count - 1);
    if (count == 16) part->pairs |= (uint8_t)(1u << first / 8);
    return first;
}

static void add_choice(sluice_json_part *part, int32_t number, unsigned first, unsigned lane,
                       const void *text, unsigned count, uint8_t end) {
    uint8_t *choice = part->choices[number] + first;
    __builtin_memset(choice, 0, lane);
    __builtin_memcpy(choice, text, count);
    choice[count] = end;
    if (part->choice_count <= number) part->choice_count = number + 1;
}

/// Lays out a number or a literal, for every value that its node accepts.
static bool lay_out_scalar(layout *l, sluice_json_value *value) {
    const uint8_t *p = l->walk->start + l->offsets[value->token];
    unsigned count = (unsigned)(sluice_json_scalar_run(p, p + 32) - p);
    if (count > 31 || !sluice_json_may_end(p[count])) return false;
    // The value may be longer in other objects.
    uint8_t lane = count < 6 ? 8 : count < 14 ? 16 : 32;
    if (value->lane < lane) value->lane = lane;
    sluice_json_part *part = part_with_room(l, value->token, 0, value->lane);
    if (!part) return false;
    unsigned accepts = l->walk->nodes[value->node].accepts;
    unsigned first = add_lane(l, value, p[count], accepts & (SLUICE_JSON_NUMBER | SLUICE_JSON_INTEGER));
    if (value->lane == 32) return true;
    int32_t choices = 0;
    if (accepts & SLUICE_JSON_NULL) add_choice(part, choices++, first, value->lane, "null", 4, p[count]);
    if (accepts & SLUICE_JSON_BOOL) {
        add_choice(part, choices++, first, value->lane, "true", 4, p[count]);
        add_choice(part, choices++, first, value->lane, "false", 5, p[count]);
    }
    return true;
}

static bool lay_out_closed_set(layout *l, sluice_json_value *value) {
    const sluice_json_node *node = l->walk->nodes + value->node;
    const sluice_json_text *texts = l->walk->texts + node->texts;
    value->lane = 0;
    unsigned longest = 0;
    for (int32_t i = 0; i < node->text_count; i++) {
        unsigned count = (unsigned)__builtin_popcount(texts[i].mask) - 1;
        if (longest < count) longest = count;
    }
    if (longest > 16 || node->text_count > SLUICE_JSON_CHOICES) {
        l->pattern->template.apart_count++;
        return true;
    }
    value->lane = longest > 8 ? 16 : 8;
    sluice_json_part *part = part_with_room(l, value->token, 0, value->lane);
    if (!part) return false;
    unsigned first = add_lane(l, value, '"', false);
    for (int32_t i = 0; i < node->text_count; i++) {
        unsigned count = (unsigned)__builtin_popcount(texts[i].mask) - 1;
        add_choice(part, i, first, value->lane, texts[i].text + 1, count - 1, '"');
    }
    return true;
}

/// Lays out a matching object's tokens as the template that others are compared with.
static void lay_out(const sluice_json_walk *w, const uint16_t *offsets, sluice_json_pattern *pattern) {
    sluice_json_template *template = &pattern->template;
    template->count = 0, template->apart_count = 0, template->misses = 0, template->since = pattern->uses;
    template->backoff = template->backoff < 4 ? 4 : template->backoff < 4096 ? 2 * template->backoff : 4096;
    if (pattern->count + 4 > 64) return;
    uint64_t mask = pattern->masks[0] | (uint64_t)pattern->masks[1] << 32;
    template->kind_mask = mask | 0xFull << pattern->count;
    __builtin_memcpy(template->kinds, pattern->kinds, 64);
    __builtin_memcpy(template->kinds + pattern->count, "},{\"", 4);
    layout l = {w, offsets, pattern, NULL, 0, 0};
    sluice_json_values *scalars[] = {&pattern->integers, &pattern->numbers, &pattern->words};
    int32_t key = 0, set = 0, next[3] = {0, 0, 0};
    bool is_right = true;
    for (int32_t token = 0; token < pattern->count && is_right; token++) {
        if (key < pattern->key_count && pattern->key_tokens[key] == token) is_right = lay_out_key(&l, key++);
        for (int i = 0; i < 3 && is_right; i++) {
            if (next[i] == scalars[i]->count || scalars[i]->list[next[i]].token != token) continue;
            is_right = lay_out_scalar(&l, scalars[i]->list + next[i]++);
        }
        if (!is_right || set == pattern->closed_sets.count || pattern->closed_sets.list[set].token != token) continue;
        is_right = lay_out_closed_set(&l, pattern->closed_sets.list + set++);
    }
    bool is_whole = next[0] == scalars[0]->count && next[1] == scalars[1]->count && next[2] == scalars[2]->count;
    if (!is_right || !is_whole || set < pattern->closed_sets.count) template->count = 0;
}
