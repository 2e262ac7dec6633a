// The files of the console's page, as they stand in Page.
#pragma once

#include <stddef.h>

typedef struct {
    const char *name;
    const char *type;
    const unsigned char *bytes;
    size_t count;
} cconsole_file;

/// How many there are.
size_t cconsole_file_count(void);

/// One of them, by its place from 0 on.
cconsole_file cconsole_file_at(size_t index);
