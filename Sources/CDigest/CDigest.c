#include "CDigest.h"

#include <openssl/sha.h>

void cdigest_sha256(const void *bytes, unsigned long count, uint8_t *digest) {
    SHA256(bytes, count, digest);
}
