// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "secure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

enum { RECORD = 16384 };

struct sheafc_secure_rules {
  SSL_CTX* context;
};

struct sheafc_secure {
  SSL* ssl;
};

// ---- a socket that neither waits nor raises SIGPIPE

static int bio_read(BIO* bio, char* to, int n) {
  const sheafc* c = BIO_get_data(bio);
  ssize_t got = recv(c->fd, to, (size_t)n, MSG_DONTWAIT);
  BIO_clear_retry_flags(bio);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) BIO_set_retry_read(bio);
  return (int)got;
}

static int bio_write(BIO* bio, const char* from, int n) {
  const sheafc* c = BIO_get_data(bio);
  ssize_t sent = send(c->fd, from, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
  BIO_clear_retry_flags(bio);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) BIO_set_retry_write(bio);
  return (int)sent;
}

static long bio_ctrl(BIO* bio, int command, long number, void* pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD* methods;
static pthread_once_t methods_once = PTHREAD_ONCE_INIT;

static void make_methods(void) {
  methods = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "sheaf client");
  if (!methods) return;
  BIO_meth_set_read(methods, bio_read);
  BIO_meth_set_write(methods, bio_write);
  BIO_meth_set_ctrl(methods, bio_ctrl);
}

// ---- rules

static const char* reason(void) {
  const char* text = ERR_reason_error_string(ERR_peek_last_error());
  return text ? text : "the handshake failed";
}

static int read_files(SSL_CTX* context, const sheafc_options* o, sheafc_status* st) {
  ERR_clear_error();
  int ok = o->tls_ca ? SSL_CTX_load_verify_file(context, o->tls_ca) : SSL_CTX_set_default_verify_paths(context);
  if (!ok) return sheafc_fail_field(st, "tls_ca", "a file of certificates (PEM)", "%s: %s", o->tls_ca, reason());
  if (!o->tls_certificate) return 0;
  const char* key = o->tls_key ? o->tls_key : o->tls_certificate;
  if (SSL_CTX_use_certificate_chain_file(context, o->tls_certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    return sheafc_fail_field(st, "tls_certificate", "a certificate and its key (PEM)", "%s: %s", o->tls_certificate,
                             reason());
  }
  return 0;
}

sheafc_secure_rules* sheafc_secure_make_rules(const sheafc_options* o, sheafc_status* st) {
  pthread_once(&methods_once, make_methods);
  sheafc_secure_rules* rules = calloc(1, sizeof *rules);
  if (rules) rules->context = SSL_CTX_new(TLS_client_method());
  if (!rules || !rules->context || !methods) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    sheafc_secure_free_rules(rules);
    return NULL;
  }
  SSL_CTX_set_min_proto_version(rules->context, TLS1_3_VERSION);
  SSL_CTX_set_verify(rules->context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_mode(rules->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (!read_files(rules->context, o, st)) return rules;
  ERR_clear_error();
  sheafc_secure_free_rules(rules);
  return NULL;
}

void sheafc_secure_free_rules(sheafc_secure_rules* rules) {
  if (!rules) return;
  SSL_CTX_free(rules->context);
  free(rules);
}

// ---- a connection

// the server's certificate has to be for this name or address
static int expect_name(SSL* ssl, const char* host) {
  unsigned char address[16];
  bool number = inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
  if (number) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host);
  return SSL_set1_host(ssl, host) && SSL_set_tlsext_host_name(ssl, host);
}

static SSL* make_ssl(sheafc* c, const char* host) {
  SSL* ssl = SSL_new(c->rules->context);
  BIO* bio = BIO_new(methods);
  if (!ssl || !bio || !expect_name(ssl, host)) {
    SSL_free(ssl);
    BIO_free(bio);
    return NULL;
  }
  BIO_set_data(bio, c);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
  return ssl;
}

static int shake(sheafc* c, int timeout_ms, sheafc_status* st) {
  int64_t end = sheafc_now_ms() + timeout_ms;
  for (;;) {
    ERR_clear_error();
    int done = SSL_connect(c->secure->ssl);
    if (done == 1) return 0;
    int kind = SSL_get_error(c->secure->ssl, done);
    int64_t left = end - sheafc_now_ms();
    if (kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE) {
      struct pollfd p = {c->fd, kind == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, 0};
      if (left > 0 && (poll(&p, 1, (int)left) > 0 || errno == EINTR)) continue;
      return sheafc_fail(st, SHEAFC_UNAVAILABLE, "no TLS handshake within the time for connecting");
    }
    long verified = SSL_get_verify_result(c->secure->ssl);
    if (verified != X509_V_OK) {
      return sheafc_fail(st, SHEAFC_UNAUTHENTICATED, "the server's certificate: %s",
                         X509_verify_cert_error_string(verified));
    }
    return sheafc_fail(st, SHEAFC_UNAVAILABLE, "TLS: %s", kind == SSL_ERROR_SSL ? reason() : "the server hung up");
  }
}

int sheafc_secure_open(sheafc* c, const char* host, int timeout_ms, sheafc_status* st) {
  SSL* ssl = make_ssl(c, host);
  c->secure = ssl ? calloc(1, sizeof *c->secure) : NULL;
  if (!c->secure) {
    SSL_free(ssl);
    return sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  }
  c->secure->ssl = ssl;
  int err = shake(c, timeout_ms, st);
  ERR_clear_error();
  if (err) sheafc_secure_close(c);
  return err;
}

void sheafc_secure_close(sheafc* c) {
  if (!c->secure) return;
  SSL_free(c->secure->ssl);
  free(c->secure);
  c->secure = NULL;
}

// -1 with errno, or 0 at the end of the stream
static ssize_t judge(sheafc* c, int result) {
  int kind = SSL_get_error(c->secure->ssl, result);
  ERR_clear_error();
  if (kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE) {
    errno = EAGAIN;
    return -1;
  }
  if (kind == SSL_ERROR_ZERO_RETURN) return 0;
  if (kind != SSL_ERROR_SYSCALL || !errno) errno = EPROTO;
  return -1;
}

ssize_t sheafc_secure_receive(sheafc* c, void* to, size_t n) {
  ERR_clear_error();
  errno = 0;
  int got = SSL_read(c->secure->ssl, to, n < RECORD ? (int)n : RECORD);
  return got > 0 ? got : judge(c, got);
}

// send one record with the bytes of several buffers; after EAGAIN call it again with the same bytes
ssize_t sheafc_secure_send(sheafc* c, const struct iovec* from, int n) {
  char record[RECORD];
  size_t length = 0;
  for (int i = 0; i < n && length < RECORD; i++) {
    size_t take = from[i].iov_len < RECORD - length ? from[i].iov_len : RECORD - length;
    memcpy(record + length, from[i].iov_base, take);
    length += take;
  }
  ERR_clear_error();
  errno = 0;
  int sent = SSL_write(c->secure->ssl, record, (int)length);
  return sent > 0 ? sent : judge(c, sent);
}
