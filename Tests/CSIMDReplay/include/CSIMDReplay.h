// Records what the JSON engine asks of its kernel and what it gets, so that a kernel of another machine can be asked the
// same (`Driver/replay.c`): the same windows, and walks over the same plans, as they stood.
#pragma once
#include "CSIMD.h"

/// Records what is asked of this thread's recording kernel from now on.
/// @param reference Gives the answers.
/// @returns Whether the file could be opened.
bool sluice_replay_begin(const char *_Nonnull path, const sluice_json_kernel *_Nonnull reference);

/// For extractors of the thread that records.
sluice_json_kernel sluice_replay_kernel(void);

/// @returns Whether all has been written.
bool sluice_replay_end(void);

/// Makes a line of a digest of what each function that goes byte by byte, or sixteen at a time, says of all places in a
/// file.
/// @returns Whether the file could be read.
bool sluice_scan(const char *_Nonnull path, char *_Nonnull line, size_t room);
