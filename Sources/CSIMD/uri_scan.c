#include "CSIMD.h"

enum {
    SCHEME = SLUICE_URI_SCHEME, ADDRESS = SLUICE_URI_ADDRESS, HOST = SLUICE_URI_HOST,
    AUTHORITY = SLUICE_URI_AUTHORITY, ANY = SLUICE_URI_ANY, NAME = HOST | AUTHORITY | ANY
};

// The parts that each byte may stand in, as `enum sluice_uri_part`.
static const uint8_t parts[256] = {
    ['0' ... '9'] = SCHEME | ADDRESS | NAME, ['.'] = SCHEME | ADDRESS | NAME, ['+'] = SCHEME | NAME,
    ['-'] = SCHEME | NAME, ['A' ... 'F'] = SCHEME | ADDRESS | NAME, ['a' ... 'f'] = SCHEME | ADDRESS | NAME,
    ['G' ... 'Z'] = SCHEME | NAME, ['g' ... 'z'] = SCHEME | NAME,
    // User information, an address in brackets and a port stand around a host, but not in it.
    [':'] = ADDRESS | AUTHORITY | ANY, ['@'] = AUTHORITY | ANY, ['['] = AUTHORITY | ANY, [']'] = AUTHORITY | ANY,
    // These end an authority (RFC 3986 §3.2).
    ['/'] = ANY, ['?'] = ANY, ['#'] = ANY,
    ['!'] = NAME, ['$' ... '*'] = NAME, [','] = NAME, [';'] = NAME, ['='] = NAME, ['^' ... '`'] = NAME,
    ['{' ... '~'] = NAME, [0x80 ... 0xff] = NAME,
};

const uint8_t *sluice_uri_run(const uint8_t *p, const uint8_t *end, enum sluice_uri_part part) {
    while (p < end && parts[*p] & part) p++;
    return p;
}
