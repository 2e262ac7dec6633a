// What a binary was built from, and the libraries that it runs with.
#pragma once

/// The commit, with `-dirty` behind it where files were changed; empty where a build was not told.
const char *crelease_commit(void);

/// The system that it was built for, as compilers name it: `x86_64-unknown-linux-gnu`.
const char *crelease_target(void);

/// A library that the system's loader has found.
struct crelease_library {
    const char *name;
    /// Of the one that runs, which may be newer than the one that was built against.
    const char *version;
};

enum { CRELEASE_LIBRARY_COUNT = 8 };

/// - Parameter index: below `CRELEASE_LIBRARY_COUNT`.
struct crelease_library crelease_library_at(int index);
