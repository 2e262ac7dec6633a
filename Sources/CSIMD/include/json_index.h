// Where the tokens of JSON stand, found 64 bytes at a time; and whether bytes are UTF-8. The widest vectors that the
// machine has are chosen once.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "vectors.h"

/// Lists, in order, the places in `count` bytes at `p` where something begins or needs looking at. The bytes begin
/// outside of any string.
///
/// Listed are: outside of strings each of `{}[]:,` and the first of every run of other bytes that are not whitespace
/// (form feed and SUB, which may not stand there, each by itself); each quote that begins or ends a string; inside of
/// strings each backslash that begins an escape, and each control character.
///
/// @param count A multiple of 64, at most 65,536.
/// @param places Room for `count` + 64 places, seen from `p`.
/// @param kinds Room for as many bytes: what stands there.
/// @param wide Room for a byte for each 64 bytes, and 8 more: becomes whether they are not all ASCII.
/// @returns How many places there are.
size_t sluice_json_index(
    const uint8_t *_Nonnull p, size_t count, uint16_t *_Nonnull places, uint8_t *_Nonnull kinds,
    bool *_Nonnull wide);

/// As `sluice_json_index`, by a given version: for tests.
/// @returns How many places there are; -1 where this machine cannot run it.
ptrdiff_t sluice_json_index_by(
    enum sluice_vectors vectors, const uint8_t *_Nonnull p, size_t count, uint16_t *_Nonnull places,
    uint8_t *_Nonnull kinds, bool *_Nonnull wide);

/// Whether `sluice_json_index` is any use on this machine.
static inline bool sluice_json_index_is_fast(void) { return sluice_vectors_used() != SLUICE_VECTORS_NONE; }

/// How many of the first bytes are whole, well-formed UTF-8 sequences for certain; what follows has to be looked at
/// one by one.
size_t sluice_utf8_prefix(const uint8_t *_Nonnull p, size_t count);

/// As `sluice_utf8_prefix`, where it is known already which blocks are not ASCII.
/// @param count A multiple of 64.
/// @param wide As `sluice_json_index` gives it for these bytes.
/// @returns 0 where something is wrong, or these instructions cannot tell.
size_t sluice_utf8_blocks(const uint8_t *_Nonnull p, size_t count, const bool *_Nonnull wide);
