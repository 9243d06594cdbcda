// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: TLS. The first byte of the input chooses: NOISE from somebody who knows no key, or a real client
// behind somebody who changes, drops, repeats or cuts bytes of both directions (records of four bytes each). What
// arrives must be what the other side sent, or nothing.
#include <string.h>

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "fuzz_file.h"
#include "net/tls.h"

enum { NOISE = 1, ASK = 2, REQUIRE = 4, SHOW = 8 };  // ask for a certificate, require one, the client shows one
enum { MESSAGE = 20000, ROUNDS = 64, CHUNK = 1500, MOST = 1 << 18 };
enum { FLIP, DROP, REPEAT, CUT, KINDS };

typedef struct {
  uint8_t kind;  // and in its upper half the direction
  uint8_t value;
  uint8_t at[2];
} change;

// bytes on their way to one side
typedef struct {
  const change* changes;
  size_t nchange;
  int direction;
  size_t seen;  // bytes so far
  bool changed, cut;
  uint8_t bytes[MOST];
  size_t n;
} wire;

static srv_tls* servers[3];  // no client certificates, asked for, required
static SSL_CTX* clients[2];  // without and with a certificate

// ---- once

static void write_pem(fuzz_file* file, X509* certificate, EVP_PKEY* key) {
  BIO* bio = BIO_new(BIO_s_mem());
  if (certificate) PEM_write_bio_X509(bio, certificate);
  if (key) PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
  char* bytes;
  long n = BIO_get_mem_data(bio, &bytes);
  fuzz_file_write(file, bytes, (size_t)n);
  BIO_free(bio);
}

// signed by itself, so that it is its own authority
static X509* make_certificate(EVP_PKEY* key) {
  X509* x = X509_new();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 86400);
  X509_set_pubkey(x, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, (const uint8_t*)"fuzz", -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  if (!X509_sign(x, key, EVP_sha256())) abort();
  return x;
}

static void make_sides(void) {
  static fuzz_file certificate, key;
  EVP_PKEY* pair = EVP_EC_gen("P-256");
  X509* x = make_certificate(pair);
  write_pem(&certificate, x, NULL);
  write_pem(&key, NULL, pair);
  for (int i = 0; i < 3; i++) {
    srv_config c = srv_config_default();
    srv_error error;
    c.tls_certificate = certificate.path;
    c.tls_key = key.path;
    c.tls_client_ca = i ? certificate.path : NULL;
    c.tls_require_certificate = i == 2;
    servers[i] = srv_tls_make(&c, &error);
    if (!servers[i]) abort();
  }
  for (int i = 0; i < 2; i++) {
    clients[i] = SSL_CTX_new(TLS_client_method());
    if (i) SSL_CTX_use_certificate(clients[i], x), SSL_CTX_use_PrivateKey(clients[i], pair);
  }
  X509_free(x);
  EVP_PKEY_free(pair);
}

// ---- somebody in between

static void put(wire* w, uint8_t byte) {
  if (w->n < MOST) w->bytes[w->n++] = byte;
}

static void pass(wire* w, const uint8_t* bytes, size_t n) {
  for (size_t i = 0; i < n && !w->cut; i++, w->seen++) {
    uint8_t byte = bytes[i];
    int copies = 1;
    for (size_t k = 0; k < w->nchange; k++) {
      const change* c = &w->changes[k];
      if ((c->kind >> 4 & 1) != w->direction || (size_t)(c->at[0] | c->at[1] << 8) != w->seen) continue;
      w->changed = true;
      switch (c->kind % KINDS) {
        case FLIP: byte ^= (uint8_t)(c->value | 1); break;
        case DROP: copies = 0; break;
        case REPEAT: copies = 1 + c->value; break;
        default: w->cut = true;
      }
    }
    for (int k = 0; k < copies && !w->cut; k++) put(w, byte);
  }
}

// ---- two sides

typedef struct {
  srv_secure* server;
  SSL* client;
  BIO *in, *out;  // of the client
  wire up, down;
  size_t sent, got, echoed;  // of the message: given to the client, read by the server, read by the client
  bool over;
} talk;

static uint8_t letter(size_t i) { return (uint8_t)(i * 7 + i / 251); }

static void check_letters(const uint8_t* bytes, size_t n, size_t from) {
  for (size_t i = 0; i < n; i++) {
    if (bytes[i] != letter(from + i)) abort();
  }
}

// bytes come to the server in pieces; what it reads it sends back
static void serve(talk* t) {
  static uint8_t plain[SRV_TLS_RECORD];
  srv_error error;
  for (size_t at = 0; at < t->up.n && !t->over; at += CHUNK) {
    size_t n = t->up.n - at < CHUNK ? t->up.n - at : CHUNK;
    uint8_t* piece = malloc(n);
    if (!piece) abort();
    memcpy(piece, t->up.bytes + at, n);
    srv_secure_feed(t->server, piece, n);
    int got;
    while ((got = srv_secure_read(t->server, plain, sizeof plain, &error)) > 0) {
      check_letters(plain, (size_t)got, t->got);
      t->got += (size_t)got;
      for (size_t k = 0, took; k < (size_t)got && !t->over; k += took) {
        took = srv_secure_write(t->server, plain + k, (size_t)got - k);
        t->over |= !took;
      }
    }
    t->over |= got < 0;
    free(piece);
  }
  t->up.n = 0;
  if (t->over) srv_secure_end(t->server);
  for (uv_buf_t b; (b = srv_secure_out(t->server)).len; srv_secure_sent(t->server, b.len)) {
    pass(&t->down, (uint8_t*)b.base, b.len);
  }
}

static void ask(talk* t) {
  static uint8_t plain[SRV_TLS_RECORD], message[MESSAGE];
  int n;
  for (size_t at = 0; at < t->down.n; at += (size_t)n) {
    n = BIO_write(t->in, t->down.bytes + at, (int)(t->down.n - at));
    if (n <= 0) break;
  }
  t->down.n = 0;
  SSL_do_handshake(t->client);
  while (SSL_is_init_finished(t->client) && (n = SSL_read(t->client, plain, sizeof plain)) > 0) {
    check_letters(plain, (size_t)n, t->echoed);
    t->echoed += (size_t)n;
  }
  if (SSL_is_init_finished(t->client) && t->sent < MESSAGE) {
    for (size_t i = 0; i < MESSAGE; i++) message[i] = letter(i);
    n = SSL_write(t->client, message + t->sent, (int)(MESSAGE - t->sent));
    if (n > 0) t->sent += (size_t)n;
  }
  while ((n = BIO_read(t->out, plain, sizeof plain)) > 0) pass(&t->up, plain, (size_t)n);
}

static bool take_name(void* user, const char* name) {
  (void)user;
  return strlen(name) == 0;
}

static void talk_to(int settings, const uint8_t* bytes, size_t n) {
  static talk t;
  int certificates = settings & REQUIRE ? 2 : settings & ASK ? 1 : 0;
  t = (talk){.server = srv_secure_make(servers[certificates]), .client = SSL_new(clients[settings & SHOW ? 1 : 0])};
  t.up = t.down = (wire){.changes = (const change*)bytes, .nchange = n / sizeof(change)};
  t.down.direction = 1;
  t.in = BIO_new(BIO_s_mem());
  t.out = BIO_new(BIO_s_mem());
  if (!t.server || !t.client || !t.in || !t.out) abort();
  SSL_set_bio(t.client, t.in, t.out);
  SSL_set_connect_state(t.client);
  for (int i = 0; i < ROUNDS && !t.over && t.echoed < MESSAGE; i++) {
    ask(&t);
    serve(&t);
  }
  srv_secure_names(t.server, take_name, NULL);
  bool untouched = !t.up.changed && !t.down.changed, welcome = !(settings & REQUIRE) || settings & SHOW;
  if (untouched && welcome && t.echoed != MESSAGE) abort();
  if (!welcome && t.got) abort();
  SSL_free(t.client);
  srv_secure_free(t.server);
}

static void talk_raw(int settings, const uint8_t* bytes, size_t n) {
  srv_secure* s = srv_secure_make(servers[settings & ASK ? 1 : 0]);
  uint8_t plain[64];
  srv_error error;
  if (!s) abort();
  srv_secure_feed(s, bytes, n);
  if (srv_secure_read(s, plain, sizeof plain, &error) > 0 || srv_secure_ready(s)) abort();
  while (srv_secure_out(s).len) srv_secure_sent(s, srv_secure_out(s).len);
  srv_secure_end(s);
  srv_secure_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  if (!servers[0]) make_sides();
  if (!n) return 0;
  if (bytes[0] & NOISE) {
    talk_raw(bytes[0], bytes + 1, n - 1);
  } else {
    talk_to(bytes[0], bytes + 1, n - 1);
  }
  return 0;
}
