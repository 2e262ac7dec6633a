// Digests of OpenSSL behind a header of their own: what its headers bring along, the corridor has no use for.
#pragma once

#include <stdint.h>

/// SHA-256 (FIPS 180-4) of `count` bytes; `digest` has room for 32.
void cdigest_sha256(const void *bytes, unsigned long count, uint8_t *digest);
