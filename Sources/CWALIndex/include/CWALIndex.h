// A way for SQLite to its files that is the system's own but for one thing: what several connections have to agree upon
// (the index of the write-ahead log) stands on the heap and not in a mapped file, which somebody could cut under us:
// that would be a signal, and the end of the process. Only connections of this process find each other by it, so the
// files have to belong to one process at a time. No other file is mapped either.
#pragma once

/// Registers it; safe to call again.
/// @return Its name for sqlite3_open_v2, or NULL where SQLite does not take it.
const char *cwalindex_register(void);
