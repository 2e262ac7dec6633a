#include "CSIMD.h"

// The parts that each byte may stand in, as `enum sluice_uri_part`.
static const uint8_t parts[256] = {
    // Sub-delimiters: all but the scheme; of them only `+` there too.
    ['!'] = 14, ['$'] = 14, ['&'] = 14, ['\''] = 14, ['('] = 14, [')'] = 14, ['*'] = 14, [','] = 14, [';'] = 14,
    ['='] = 14, ['+'] = 15,
    // Unreserved.
    ['-'] = 15, ['.'] = 15, ['_'] = 14, ['~'] = 14, ['0' ... '9'] = 15, ['A' ... 'Z'] = 15, ['a' ... 'z'] = 15,
    // What else may stand in user information, and in a path, query or fragment.
    [':'] = 10, ['@'] = 8, ['/'] = 8, ['?'] = 8,
};

const uint8_t *sluice_uri_run(const uint8_t *p, const uint8_t *end, enum sluice_uri_part part) {
    while (p < end && parts[*p] & part) p++;
    return p;
}
