// Digests of OpenSSL behind a header of their own: what its headers bring along, the corridor has no use for.
#pragma once

#include <stdint.h>

/// SHA-1 (RFC 3174) of `count` bytes; `digest` has room for 20. Here for RFC 6455, which needs no strength of it.
void cdigest_sha1(const void *bytes, unsigned long count, uint8_t *digest);

/// Base64 (RFC 4648 §4) of `count` bytes, and a NUL behind it.
/// @return The length of the text.
int cdigest_base64(const uint8_t *bytes, int count, uint8_t *text);

/// SHA-256 (FIPS 180-4) of `count` bytes; `digest` has room for 32.
void cdigest_sha256(const void *bytes, unsigned long count, uint8_t *digest);
