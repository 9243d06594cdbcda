// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of auth/: the file of identities, who is known by what, quotas, and the delay of guesses.
#include "auth/auth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sheaf.pb-c.h"
#include "support/test.h"

#define HASH_A "sha256:0000000000000000000000000000000000000000000000000000000000000001"
#define HASH_B "sha256:00000000000000000000000000000000000000000000000000000000000000fF"

static const char* write_file(const char* text) {
  static char path[64];
  snprintf(path, sizeof path, "/tmp/sheaf-auth-%d", (int)getpid());
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
  return path;
}

static int read_list(srv_token_list* list, const char* text, srv_error* error) {
  const char* path = write_file(text);
  int err = srv_token_list_read(list, path, error);
  unlink(path);
  return err;
}

TEST(a_section_says_how_an_identity_is_known_and_what_it_may_do) {
  srv_token_list list;
  srv_error e;
  CHECK_EQ(
      read_list(&list,
                "; who\n[alice]\ntoken = " HASH_A ", " HASH_B "\nweight = 3\npriority = high\nupload = no\n"
                "max-bytes = 5\nmax-steps=4000000000\n[bob]\nuser = 12\ncertificate = bob.example.org\n[anonymous]\n"
                "max-inflight = 1\n",
                &e),
      0);
  CHECK_EQ(list.n, 3);
  const srv_token_entry* alice = &list.entry[0];
  CHECK(!strcmp(alice->name, "alice") && alice->ntoken == 2 && alice->token[1][31] == 0xff);
  CHECK(alice->may.weight == 3 && alice->may.priority == 2 && !alice->may.upload);
  CHECK(alice->may.bytes == 5 << 20 && alice->may.steps == 4000000000u);
  CHECK(list.entry[1].has_user && list.entry[1].user == 12 && list.entry[1].may.upload);
  CHECK(!strcmp(list.entry[1].certificate, "bob.example.org"));
  CHECK_EQ(list.entry[1].may.priority, 1);
  CHECK_EQ(list.entry[2].may.inflight, 1);
  srv_token_list_close(&list);
}

TEST(a_wrong_section_is_refused) {
  static const char* const bad[] = {
      "",  // a file that was cut while it was written would let in everybody
      "; nobody\n\n",
      "[a]\n",
      "token = " HASH_A "\n",
      "[a b]\ntoken = " HASH_A "\n",
      "[a]\ntoken = secret\n",
      "[a]\ntoken = sha256:00\n",
      "[a]\ntoken = sha256:000000000000000000000000000000000000000000000000000000000000000g\n",
      "[a]\ntoken = " HASH_A ", " HASH_B ", " HASH_A "\n",
      "[a]\ntoken = \n",
      "[a]\nweight = 1\n",
      "[a]\nuser = nobody-has-this-name\n",
      "[a]\nuser = 4294967295\n",
      "[a]\nuser = 1\nwieght = 1\n",
      "[a]\nuser = 1\nweight = 0\n",
      "[a]\nuser = 1\npriority = urgent\n",
      "[a]\nuser = 1\n[b]\nuser = 2\n[a]\nuser = 3\n",
      "[a]\ntoken = " HASH_A "\n[b]\ntoken = " HASH_A "\n",
      "[a]\nuser = 7\n[b]\nuser = 7\n",
      "[a]\ncertificate = x\n[b]\ncertificate = x\n",
      "[anonymous]\ntoken = " HASH_A "\n",
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    srv_token_list list;
    srv_error e = {0};
    test_check(read_list(&list, bad[i], &e) < 0 && !list.n, __FILE__, __LINE__, bad[i]);
    test_check(strstr(e.message, "/tmp/sheaf-auth-") != NULL, __FILE__, __LINE__, e.message);
  }
}

TEST(many_identities_are_read_in_time) {
  enum { COUNT = 20000 };
  srv_token_list list;
  srv_error e = {0};
  struct timespec began, ended;
  char* text = malloc(COUNT * 100);
  size_t n = 0;
  for (int i = 0; i < COUNT; i++) n += (size_t)sprintf(text + n, "[u%d]\ntoken = sha256:%064x\n", i, i);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
  CHECK_EQ(read_list(&list, text, &e), 0);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  CHECK_EQ(list.n, COUNT);
  srv_token_list_close(&list);

  // a tenth of a second; a look at all pairs took six
  CHECK((double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec) < 1.5);

  // the last is the first once more
  sprintf(text + n, "[again]\ntoken = sha256:%064x\n", 0);
  CHECK(read_list(&list, text, &e) < 0 && strstr(e.message, "[u0]") && strstr(e.message, "[again]"));
  free(text);
}

TEST(a_token_for_all_is_text) {
  static srv_auth auth;
  static const char* const bad[] = {"", "\nsecret\n", "sec\0ret\n", "\0"};
  static const size_t length[] = {0, 8, 8, 1};
  srv_error e;
  srv_proof p;
  const char* path = write_file("secret\r\nmore\n");
  CHECK_EQ(srv_auth_load(&auth, NULL, path, &e), 0);
  for (int i = 0; i < 4; i++) {
    FILE* file = fopen(path, "w");
    fwrite(bad[i], 1, length[i], file);
    fclose(file);
    test_check(srv_auth_load(&auth, NULL, path, &e) < 0, __FILE__, __LINE__, bad[i]);
  }
  // and what was known before holds
  p = (srv_proof){.place = "10.0.0.1", .has_token = true};
  CHECK(srv_token_hash(p.token, "secret", strlen("secret")));
  srv_identity* id = srv_auth_find(&auth, &p);
  CHECK(id && !strcmp(id->name, "token"));
  srv_identity_drop(&auth.all, id);
  srv_auth_close(&auth);
  unlink(path);
}

static void proof_of(srv_proof* p, const char* token) {
  *p = (srv_proof){.place = "10.0.0.1", .has_token = true};
  CHECK(srv_token_hash(p->token, token, strlen(token)));
}

static const char* name_of(srv_auth* auth, const srv_proof* p) {
  static char name[SRV_IDENTITY_NAME];
  srv_identity* id = srv_auth_find(auth, p);
  snprintf(name, sizeof name, "%s", id ? id->name : "-");
  srv_identity_drop(&auth->all, id);
  return name;
}

TEST(a_token_says_who_then_a_certificate_then_a_user) {
  static srv_auth auth;
  char token[SRV_TOKEN_TEXT], line[SRV_TOKEN_TEXT], text[512];
  srv_error e;
  srv_proof p;
  CHECK(srv_token_make(token, line));
  CHECK(strlen(token) >= 64 && !strstr(line, token + 6));
  snprintf(text, sizeof text, "[alice]\ntoken = %s\n[bob]\nuser = 12\n[carol]\ncertificate = carol\n", line);
  const char* path = write_file(text);
  CHECK_EQ(srv_auth_load(&auth, path, NULL, &e), 0);
  CHECK(!srv_auth_open(&auth));

  proof_of(&p, token);
  CHECK(!strcmp(name_of(&auth, &p), "alice"));
  token[10] ^= 1;
  proof_of(&p, token);
  p.local = true, p.user = 12;
  CHECK(!strcmp(name_of(&auth, &p), "-"));  // a wrong token is not made good by anything else
  p.has_token = false;
  CHECK(!strcmp(name_of(&auth, &p), "bob"));
  strcpy(p.certificate, "carol");
  CHECK(!strcmp(name_of(&auth, &p), "carol"));
  strcpy(p.certificate, "mallory");
  p.user = 13;
  CHECK(!strcmp(name_of(&auth, &p), "-"));
  CHECK(!auth.all.first);

  // a file that cannot be read changes nothing
  write_file("[alice]\nnonsense = 1\n");
  CHECK(srv_auth_load(&auth, path, NULL, &e) < 0);
  p.user = 12, p.certificate[0] = 0;
  CHECK(!strcmp(name_of(&auth, &p), "bob"));
  unlink(path);
  srv_auth_close(&auth);
}

TEST(without_identities_each_place_is_one) {
  static srv_auth auth;
  srv_proof p;
  proof_of(&p, "whatever");
  CHECK(srv_auth_open(&auth));
  CHECK(!strcmp(name_of(&auth, &p), "10.0.0.1"));
}

TEST(quotas_hold) {
  srv_identities all = {0};
  srv_error e = {0};
  srv_identity* id = srv_identity_get(&all, "a");
  CHECK_EQ(srv_identity_get(&all, "a"), id);
  CHECK_EQ(srv_identity_check_call(id, UINT64_MAX, &e), 0);
  id->may = (srv_permit){.connections = 1, .inflight = 2, .bytes = 100, .steps = 1000};
  CHECK_EQ(srv_identity_check_connection(id, 0, &e), 0);
  id->nconn = 1;
  CHECK(srv_identity_check_connection(id, 0, &e) < 0 && e.retriable);
  CHECK_EQ(srv_identity_check_call(id, 100, &e), 0);
  CHECK(srv_identity_check_call(id, 101, &e) < 0 && !e.retriable);
  id->bytes = 60;
  CHECK_EQ(srv_identity_check_call(id, 40, &e), 0);
  CHECK(srv_identity_check_call(id, 41, &e) < 0 && e.retriable);
  id->ncall = 2;
  CHECK(srv_identity_check_call(id, 1, &e) < 0 && e.retriable);

  // five seconds of steps at once, then as many as the rate allows; the hint is when there are some again
  uint64_t now = 1000000;
  CHECK_EQ(srv_identity_check_steps(id, now, &e), 0);
  srv_identity_use_steps(id, 5000);
  CHECK_EQ(srv_identity_check_steps(id, now, &e), 0);
  srv_identity_use_steps(id, 3000);
  CHECK(srv_identity_check_steps(id, now, &e) < 0 && e.retriable);
  CHECK(e.retry_after_us > 2990000 && e.retry_after_us < 3010000);
  CHECK_EQ(srv_identity_check_steps(id, now + e.retry_after_us, &e), 0);

  // lists of 50,000 models: three at once, then one each 50 ms
  for (int i = 0; i < 3; i++) CHECK_EQ(srv_identity_check_list(id, 50000, now, &e), 0);
  CHECK(srv_identity_check_list(id, 50000, now, &e) < 0 && e.retriable && e.retry_after_us == 50000);
  CHECK_EQ(srv_identity_check_list(id, 50000, now + 50000, &e), 0);
  CHECK(srv_identity_check_list(id, 50000, now + 50001, &e) < 0);
  CHECK_EQ(srv_identity_check_list(id, 50000, now + 9000000, &e), 0);
  srv_identity_drop(&all, id);
  srv_identity_drop(&all, id);
  CHECK(!all.first);
}

TEST(guesses_are_delayed_more_and_more) {
  static srv_guesses g;
  uint64_t now = 1000, tried = 0, last = 0;

  // somebody who tries as soon as he may, for a minute
  while (now < 61000) {
    uint64_t wait = srv_guess_wait(&g, "10.0.0.1", now);
    CHECK(wait <= 2000 && (tried < 4 || wait >= last || wait == 2000));
    last = wait;
    now += wait;
    srv_guess_wrong(&g, "10.0.0.1", now);
    tried++;
  }
  CHECK(tried > 20 && tried < 50);
  CHECK_EQ(srv_guess_wait(&g, "10.0.0.2", now), 0);

  // who errs a few times does not wait, and all is forgotten after a while
  for (int i = 0; i < 3; i++) srv_guess_wrong(&g, "10.0.0.2", now);
  CHECK_EQ(srv_guess_wait(&g, "10.0.0.2", now), 0);
  now += 100000;
  CHECK_EQ(srv_guess_wrong(&g, "10.0.0.1", now), 1);

  // more places than rows: the quiet ones are forgotten first
  for (int i = 0; i < 5 * SRV_GUESS_PLACES; i++) {
    char place[32];
    snprintf(place, sizeof place, "2001:db8:0:%x::/64", i);
    srv_guess_wrong(&g, place, ++now);
    if (i % 100 == 0) {
      for (int k = 0; k < 6; k++) srv_guess_wrong(&g, "10.0.0.3", now);
      CHECK(srv_guess_wait(&g, "10.0.0.3", now) > 0);
    }
  }
}
