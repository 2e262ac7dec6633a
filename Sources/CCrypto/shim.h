// Two functions of libcrypto, declared here because OpenSSL's own headers bring half of the C library along, and Swift
// then takes that for OpenSSL's.
#pragma once

/// SHA-1 of `count` bytes into 20 (RFC 3174); here for RFC 6455 alone, which needs no strength of it.
unsigned char *_Nullable SHA1(const unsigned char *_Nonnull bytes, unsigned long count, unsigned char *_Nonnull digest);
/// Base64 of `count` bytes (RFC 4648 §4), and a NUL; returns the length of the text.
int EVP_EncodeBlock(unsigned char *_Nonnull text, const unsigned char *_Nonnull bytes, int count);
