// OpenSSL with the macros that Swift cannot import given names it can.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
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

typedef void (*copenssl_name_callback)(void *context, int type, const unsigned char *text, size_t count);

static inline void copenssl_tell(ASN1_STRING *text, int type, copenssl_name_callback tell, void *context) {
    unsigned char *bytes = NULL;
    int count = ASN1_STRING_to_UTF8(&bytes, text);
    if (count >= 0) tell(context, type, bytes, (size_t)count);
    OPENSSL_free(bytes);
}

// Tells the names in a certificate: the common names of its subject as type -1, alternative names by their GEN_ type.
static inline void copenssl_names(X509 *certificate, copenssl_name_callback tell, void *context) {
    X509_NAME *subject = X509_get_subject_name(certificate);
    int place = -1;
    while ((place = X509_NAME_get_index_by_NID(subject, NID_commonName, place)) >= 0)
        copenssl_tell(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place)), -1, tell, context);
    GENERAL_NAMES *names = (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        int type = 0;
        ASN1_STRING *text = (ASN1_STRING *)GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &type);
        if (type == GEN_EMAIL || type == GEN_DNS || type == GEN_URI) copenssl_tell(text, type, tell, context);
    }
    GENERAL_NAMES_free(names);
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
