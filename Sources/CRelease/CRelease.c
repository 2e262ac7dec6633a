#include "CRelease.h"

#include <brotli/decode.h>
#include <gnu/libc-version.h>
#include <nghttp2/nghttp2.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

// scripts/setup-lib links an object with another one, which the linker prefers: a new commit compiles nothing anew.
__attribute__((weak)) const char *crelease_commit(void) { return ""; }

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#else
#define ARCHITECTURE "unknown"
#endif

const char *crelease_target(void) { return ARCHITECTURE "-unknown-linux-gnu"; }

/// `0x01000009` is 1.0.9 (brotli/decode.h: BrotliDecoderVersion).
static const char *brotli_version(void) {
    static _Thread_local char text[24];
    const uint32_t version = BrotliDecoderVersion();
    snprintf(text, sizeof text, "%u.%u.%u", version >> 24, version >> 12 & 0xfff, version & 0xfff);
    return text;
}

struct crelease_library crelease_library_at(int index) {
    switch (index) {
        case 0: return (struct crelease_library){"glibc", gnu_get_libc_version()};
        case 1: return (struct crelease_library){"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)};
        case 2: return (struct crelease_library){"nghttp2", nghttp2_version(0)->version_str};
        case 3: return (struct crelease_library){"SQLite", sqlite3_libversion()};
        case 4: return (struct crelease_library){"libyaml", yaml_get_version_string()};
        case 5: return (struct crelease_library){"zlib", zlibVersion()};
        case 6: return (struct crelease_library){"brotli", brotli_version()};
        case 7: return (struct crelease_library){"zstd", ZSTD_versionString()};
        default: __builtin_trap();
    }
}
