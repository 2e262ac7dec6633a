#include "CDigest.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

void cdigest_sha256(const void *bytes, unsigned long count, uint8_t *digest) {
    SHA256(bytes, count, digest);
}

void cdigest_sha1(const void *bytes, unsigned long count, uint8_t *digest) {
    SHA1(bytes, count, digest);
}

int cdigest_base64(const uint8_t *bytes, int count, uint8_t *text) {
    return EVP_EncodeBlock(text, bytes, count);
}
