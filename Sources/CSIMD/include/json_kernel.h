// The functions of the JSON engine that have a version for each set of vector instructions.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "json_splice.h"
#include "json_walk.h"

/// One set's versions. All sets give the same results.
typedef struct {
    /// The set, as its vendor calls it; `none` where everything goes byte by byte.
    const char *_Nonnull name;
    /// Whether objects that match a pattern are compared by templates (`json_template.h`).
    bool has_templates;

    /// Makes the structural index of `count` bytes at `p`: the offsets, in order, of the tokens and of all else that
    /// needs looking at. The bytes begin outside of any string. NULL where this set goes byte by byte.
    ///
    /// Listed are: outside of strings each of `{}[]:,` and the first of every run of other bytes that are not
    /// whitespace (form feed and SUB, which may not stand there, each by itself); each quote that begins or ends a
    /// string; inside of strings each backslash that begins an escape, and each control character.
    ///
    /// @param count A multiple of 64, at most 65,536.
    /// @param offsets Room for `count` + 64 offsets from `p`.
    /// @param kinds Room for as many bytes: what stands there.
    /// @param non_ascii Room for a byte for each 64 bytes, and 8 more: becomes whether they are not all ASCII.
    /// @returns How many tokens there are.
    size_t (*_Nullable index)(
        const uint8_t *_Nonnull p, size_t count, uint16_t *_Nonnull offsets, uint8_t *_Nonnull kinds,
        bool *_Nonnull non_ascii);

    /// Walks on until too few tokens are left, or to what is unusual. There are 128 readable bytes behind each token.
    /// At the end of the outermost skipped container it stops with `skip_count` 0 and `at` still skipping.
    void (*_Nonnull walk_tokens)(sluice_json_walk *_Nonnull walk);

    /// Does edits of one slice, the next one's, up to one that has a run before it that is not short, or for which
    /// there is no room.
    /// @returns Whether it has done any.
    bool (*_Nonnull splice)(sluice_json_splicer *_Nonnull splicer);

    /// How many of the first bytes are whole, well-formed UTF-8 sequences for certain; what follows has to be looked
    /// at one by one.
    size_t (*_Nonnull utf8_prefix)(const uint8_t *_Nonnull p, size_t count);

    /// As `utf8_prefix`, where it is known already which blocks are not ASCII.
    /// @param count A multiple of 64.
    /// @param non_ascii As `index` gives it for these bytes.
    /// @returns 0 where something is wrong, or these instructions cannot tell.
    size_t (*_Nonnull utf8_blocks)(const uint8_t *_Nonnull p, size_t count, const bool *_Nonnull non_ascii);
} sluice_json_kernel;

/// The widest that this machine can run.
const sluice_json_kernel *_Nonnull sluice_json_kernel_widest(void);

/// Those that this machine can run, the narrowest first.
/// @param number From 0 on.
/// @returns NULL behind the last.
const sluice_json_kernel *_Nullable sluice_json_kernel_at(size_t number);
