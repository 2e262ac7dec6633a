// OpenSSL with the macros that Swift cannot import given names it can.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline void copenssl_ctx_harden(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    // Release: an idle connection keeps no record buffers. Moving: what is written again may stand elsewhere.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline void copenssl_ctx_prefer_server_ciphers(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline void copenssl_ctx_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline STACK_OF(X509) *copenssl_ctx_chain(SSL_CTX *context) {
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(context, &chain);
    return chain;
}

typedef int (*copenssl_ticket_callback)(SSL *ssl, unsigned char *name, unsigned char *vector, EVP_CIPHER_CTX *cipher,
                                        EVP_MAC_CTX *mac, int is_new);

static inline void copenssl_ctx_set_ticket_keys(SSL_CTX *context, copenssl_ticket_callback callback) {
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}

static inline int copenssl_ticket_mac(EVP_MAC_CTX *mac, const unsigned char *key, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, count),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}

static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int copenssl_error_is_system(unsigned long code) {
    return ERR_SYSTEM_ERROR(code) ? 1 : 0;
}

static inline int copenssl_error_reason(unsigned long code) {
    return ERR_GET_REASON(code);
}

static inline int copenssl_bio_type(void) {
    return BIO_get_new_index() | BIO_TYPE_SOURCE_SINK;
}

static inline void copenssl_bio_set_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

static inline void copenssl_bio_clear_retry(BIO *bio) {
    BIO_clear_retry_flags(bio);
}
