// The functions of the JSON engine that have a version for each set of vector instructions.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "json_splice.h"
#include "json_walk.h"

/// The functions for one instruction set. All sets give the same results.
typedef struct {
    /// The vendor's name of the set; `none` for the byte-by-byte version.
    const char *_Nonnull name;
    /// Whether objects that match a pattern are compared by templates (`json_template.h`).
    bool has_templates;

    /// Makes the structural index of `count` bytes at `p`: the offsets, in order, of the tokens and of all other bytes
    /// that have to be checked. The bytes begin outside of any string. NULL for the byte-by-byte version.
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

    /// Walks on until too few tokens are left, or to a token that Swift has to handle. There are 128 readable bytes
    /// behind each token. At the end of the outermost skipped container it stops with `skip_count` 0 and `at` still
    /// skipping.
    void (*_Nonnull walk_tokens)(sluice_json_walk *_Nonnull walk);

    /// Applies edits of one slice, from the next edit on, up to one behind a long run, or for which there is no room.
    /// @returns Whether any edit was applied.
    bool (*_Nonnull splice)(sluice_json_splicer *_Nonnull splicer);

    /// Number of leading bytes that are certainly whole, well-formed UTF-8 sequences; the rest has to be checked byte
    /// by byte.
    size_t (*_Nonnull utf8_prefix)(const uint8_t *_Nonnull p, size_t count);

    /// As `utf8_prefix`, where it is known already which blocks are not ASCII.
    /// @param count A multiple of 64.
    /// @param non_ascii As `index` gives it for these bytes.
    /// @returns 0 where something is wrong, or these instructions cannot tell.
    size_t (*_Nonnull utf8_blocks)(const uint8_t *_Nonnull p, size_t count, const bool *_Nonnull non_ascii);
} sluice_json_kernel;

/// The kernel with the widest vectors that this machine can run.
const sluice_json_kernel *_Nonnull sluice_json_kernel_widest(void);

/// The kernels that this machine can run, the narrowest first.
/// @param number From 0 on.
/// @returns NULL behind the last.
const sluice_json_kernel *_Nullable sluice_json_kernel_at(size_t number);
