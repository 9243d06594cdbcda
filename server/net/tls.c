// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "net/tls.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "net/tls_sight.h"
#include "sheaf.pb-c.h"

enum { HANDSHAKE = 0x16, NAME = 192 };

struct srv_tls {
  SSL_CTX* context;
};

typedef struct {
  uint8_t* bytes;
  size_t n, room;
} buffer;

struct srv_secure {
  SSL* ssl;
  const uint8_t* in;  // bytes of the peer that OpenSSL has not read yet
  size_t in_left;
  buffer out;      // bytes that OpenSSL has written
  buffer sending;  // earlier bytes, which libuv may be sending
  size_t sent;     // how many of them were sent
  bool over;       // the connection failed, or close_notify was sent
  srv_tls_sight sight;
  bool too_large;  // a message of the handshake announces more than is allowed
};

// ---- how bytes get into OpenSSL and out of it

static int bio_read(BIO* bio, char* to, int n) {
  srv_secure* s = BIO_get_data(bio);
  size_t take = s->in_left < (size_t)n ? s->in_left : (size_t)n;
  BIO_clear_retry_flags(bio);
  if (!take) {
    BIO_set_retry_read(bio);
    return -1;
  }
  memcpy(to, s->in, take);
  s->in += take;
  s->in_left -= take;
  return (int)take;
}

// limited, because a peer may cause messages of TLS and not read them
static int bio_write(BIO* bio, const char* from, int n) {
  srv_secure* s = BIO_get_data(bio);
  buffer* b = &s->out;
  BIO_clear_retry_flags(bio);
  if (b->n + (size_t)n > SRV_SECURE_ROOM) return -1;
  if (b->n + (size_t)n > b->room) {
    size_t room = b->n + (size_t)n < 4096 ? 4096 : 2 * (b->n + (size_t)n);
    uint8_t* bytes = realloc(b->bytes, room);
    if (!bytes) return -1;
    b->bytes = bytes;
    b->room = room;
  }
  memcpy(b->bytes + b->n, from, (size_t)n);
  b->n += (size_t)n;
  return n;
}

static long bio_ctrl(BIO* bio, int command, long number, void* pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

// One method for all connections. It is never freed, because connections may outlive the srv_tls that they began with.
static BIO_METHOD* find_method(void) {
  static BIO_METHOD* m;
  if (m) return m;
  m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "sheaf connection");
  if (!m) return NULL;
  BIO_meth_set_read(m, bio_read);
  BIO_meth_set_write(m, bio_write);
  BIO_meth_set_ctrl(m, bio_ctrl);
  return m;
}

// ---- the server

static int fail(srv_error* error, const char* what, const char* path) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s %s: %s", what, path, reason ? reason : "cannot be used");
  ERR_clear_error();
  return -error->code;
}

// a key with a password is refused, not asked about
static int no_password(char* to, int n, int writing, void* user) {
  (void)to, (void)n, (void)writing, (void)user;
  return 0;
}

static int read_clients(SSL_CTX* context, const srv_config* c, srv_error* error) {
  if (!c->tls_client_ca) return 0;
  STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(c->tls_client_ca);
  if (!names || !SSL_CTX_load_verify_file(context, c->tls_client_ca)) {
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    return fail(error, "tls-client-ca", c->tls_client_ca);
  }
  SSL_CTX_set_client_CA_list(context, names);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (c->tls_require_certificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                     NULL);
  if (!c->tls_client_crl) return 0;
  if (!SSL_CTX_load_verify_file(context, c->tls_client_crl)) return fail(error, "tls-client-crl", c->tls_client_crl);
  X509_STORE_set_flags(SSL_CTX_get_cert_store(context), X509_V_FLAG_CRL_CHECK);
  return 0;
}

static int read_files(SSL_CTX* context, const srv_config* c, srv_error* error) {
  SSL_CTX_set_default_passwd_cb(context, no_password);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context, c->tls_certificate) != 1) {
    return fail(error, "tls-certificate", c->tls_certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context, c->tls_key, SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return fail(error, "tls-key", c->tls_key);
  }
  return read_clients(context, c, error);
}

static void set_rules(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_max_cert_list(context, SRV_TLS_HELLO_BYTES);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context,
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

srv_tls* srv_tls_make(const srv_config* c, srv_error* error) {
  srv_tls* tls = calloc(1, sizeof *tls);
  if (tls) tls->context = SSL_CTX_new(TLS_server_method());
  if (!tls || !tls->context || !find_method()) {
    srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
    srv_tls_free(tls);
    return NULL;
  }
  set_rules(tls->context);
  if (!read_files(tls->context, c, error)) return tls;
  srv_tls_free(tls);
  return NULL;
}

void srv_tls_free(srv_tls* tls) {
  if (!tls) return;
  SSL_CTX_free(tls->context);
  free(tls);
}

int64_t srv_tls_valid_s(const srv_tls* tls) {
  int days = 0, seconds = 0;
  const X509* certificate = SSL_CTX_get0_certificate(tls->context);
  if (!certificate || !ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate))) return 0;
  return (int64_t)days * 86400 + seconds;
}

// ---- a connection

srv_secure* srv_secure_make(const srv_tls* tls) {
  srv_secure* s = calloc(1, sizeof *s);
  BIO* bio = BIO_new(find_method());
  if (s && bio) s->ssl = SSL_new(tls->context);
  if (!s || !s->ssl) {
    ERR_clear_error();
    BIO_free(bio);
    free(s);
    return NULL;
  }
  BIO_set_data(bio, s);
  BIO_set_init(bio, 1);
  SSL_set_bio(s->ssl, bio, bio);
  SSL_set_accept_state(s->ssl);
  return s;
}

void srv_secure_free(srv_secure* s) {
  if (!s) return;
  SSL_free(s->ssl);
  free(s->out.bytes);
  free(s->sending.bytes);
  free(s);
}

bool srv_secure_begins(uint8_t first) { return first == HANDSHAKE; }

bool srv_secure_ready(const srv_secure* s) { return SSL_is_init_finished(s->ssl); }

void srv_secure_feed(srv_secure* s, const uint8_t* bytes, size_t n) {
  s->in = bytes;
  s->in_left = n;
  if (!srv_secure_ready(s) && !srv_tls_sight_fits(&s->sight, bytes, n)) s->too_large = true;
}

// result of an operation that did not succeed: 0 if it waits for bytes
static int judge(srv_secure* s, int result, srv_error* error) {
  int kind = SSL_get_error(s->ssl, result);
  if (kind == SSL_ERROR_WANT_READ) return 0;
  s->over = true;
  if (kind == SSL_ERROR_ZERO_RETURN) return SRV_SECURE_END;
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  long verified = SSL_get_verify_result(s->ssl);
  if (verified != X509_V_OK) reason = X509_verify_cert_error_string(verified);
  srv_error_set(error, SHEAF__CODE__CODE_UNAUTHENTICATED, "TLS: %s", reason ? reason : "broken");
  ERR_clear_error();
  return -error->code;
}

int srv_secure_read(srv_secure* s, uint8_t* out, size_t n, srv_error* error) {
  if (s->over) return SRV_SECURE_END;
  if (s->too_large) {
    s->over = true;
    return srv_error_set(error, SHEAF__CODE__CODE_UNAUTHENTICATED,
                         "TLS: a message of the handshake of more than %d bytes", SRV_TLS_HELLO_BYTES);
  }
  ERR_clear_error();
  int got = SSL_read(s->ssl, out, n < INT32_MAX ? (int)n : INT32_MAX);
  return got > 0 ? got : judge(s, got, error);
}

size_t srv_secure_write(srv_secure* s, const uint8_t* bytes, size_t n) {
  if (s->over) return 0;
  ERR_clear_error();
  int took = SSL_write(s->ssl, bytes, n < SRV_TLS_RECORD ? (int)n : SRV_TLS_RECORD);
  if (took > 0) return (size_t)took;
  s->over = true;
  ERR_clear_error();
  return 0;
}

void srv_secure_end(srv_secure* s) {
  if (s->over || !srv_secure_ready(s)) return;
  s->over = true;
  ERR_clear_error();
  SSL_shutdown(s->ssl);
  ERR_clear_error();
}

uv_buf_t srv_secure_out(srv_secure* s) {
  if (s->sent == s->sending.n) {
    free(s->sending.bytes);
    s->sending = s->out;
    s->out = (buffer){0};
    s->sent = 0;
  }
  size_t left = s->sending.n - s->sent;
  return (uv_buf_t){.base = left ? (char*)s->sending.bytes + s->sent : NULL, .len = left};
}

void srv_secure_sent(srv_secure* s, size_t n) { s->sent += n; }

// ---- the peer's certificate

// hand on a name, unless it contains a zero byte, which would cut it
static bool take_string(const ASN1_STRING* text, bool (*take)(void* user, const char* name), void* user) {
  char name[NAME];
  uint8_t* utf8 = NULL;
  int n = text ? ASN1_STRING_to_UTF8(&utf8, text) : -1;
  bool fits = n > 0 && n < NAME && !memchr(utf8, 0, (size_t)n);
  if (fits) memcpy(name, utf8, (size_t)n);
  if (fits) name[n] = 0;
  OPENSSL_free(utf8);
  return fits && take(user, name);
}

void srv_secure_names(const srv_secure* s, bool (*take)(void* user, const char* name), void* user) {
  X509* peer = SSL_get0_peer_certificate(s->ssl);
  if (!peer) return;
  GENERAL_NAMES* names = X509_get_ext_d2i(peer, NID_subject_alt_name, NULL, NULL);
  bool done = false;
  for (int i = 0; i < sk_GENERAL_NAME_num(names) && !done; i++) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type == GEN_DNS) done = take_string(name->d.dNSName, take, user);
  }
  GENERAL_NAMES_free(names);
  const X509_NAME* subject = X509_get_subject_name(peer);
  int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (!done && at >= 0) take_string(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)), take, user);
  ERR_clear_error();
}
