// Counts what a thread allocates: in the program that links this, the C library's functions are replaced by ones that
// count and pass on.
#pragma once
#include <stdbool.h>

/// Whether anything is counted here: only with glibc and without a sanitizer, which brings functions of its own.
bool allocations_are_counted(void);
/// Allocations of this thread so far.
long allocations_of_thread(void);
