// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names and hashes of model files, and the registry that compiles them.
#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "manifest.h"
#include "models/registry.h"
#include "sheaf.pb-c.h"

TEST(plain_relative_names_are_allowed) {
  const char* good[] = {"a", "a.xml", "assets/b.stl", "a/b/c", "..a", "a..", "\xc3\xa9.xml"};
  const char* bad[] = {"",     "/",      "/a",    "a/",   "a//b", ".",    "..",   "./a",
                       "../a", "a/../b", "a/./b", "a\\b", "c:a",  "a\nb", "\x7f", "http://x"};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) CHECK(!sheaf_manifest_check_name(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) CHECK(sheaf_manifest_check_name(bad[i]));
  char name[258];
  memset(name, 'a', 257);
  name[255] = 0;
  CHECK(!sheaf_manifest_check_name(name));
  name[255] = 'a', name[256] = 0;
  CHECK(sheaf_manifest_check_name(name));
}

TEST(hash_is_that_of_the_documented_manifest) {
  // computed with Python's hashlib from the text in proto/README.md
  sheaf_file files[] = {{"b/c.stl", "12345", 5}, {"a.xml", "<mujoco/>", 9}};
  uint8_t hash[SHEAF_HASH_BYTES];
  char hex[2 * SHEAF_HASH_BYTES + 1];
  CHECK_EQ(sheaf_manifest_hash("a.xml", files, 2, hash), 0);
  sheaf_manifest_hex(hex, hash);
  CHECK(!strcmp(hex, "a5589fcac11a9afd30ca0af9b626d366d8e4d38e84ff469b734794f639637b28"));
  CHECK(!strcmp(files[0].name, "a.xml"));
  sheaf_file empty = {"e", NULL, 0};
  CHECK_EQ(sheaf_manifest_hash("e", &empty, 1, hash), 0);
  sheaf_manifest_hex(hex, hash);
  CHECK(!strcmp(hex, "049d6b2bd074924f1169bd4639bc97f09d40f3e2de68a8bf729e4e39599a0ea6"));
}

// ---- registry, with the real helper

typedef struct {
  srv_waiter waiter;
  srv_model* model;
  srv_error error;
  int called;
} waiting;

static void on_ready(srv_waiter* waiter, srv_model* model, const srv_error* error) {
  waiting* w = (waiting*)waiter;
  w->called++;
  w->model = model;
  if (error) w->error = *error;
}

typedef struct {
  uv_loop_t loop;
  srv_limits limits;
  srv_ledger ledger;
  srv_registry registry;
} house;

static void open_house_with(house* h, const char* executable) {
  uv_loop_init(&h->loop);
  h->limits = srv_limits_default();
  h->limits.compile_cpu_s = 2;
  h->ledger = (srv_ledger){.limit = 1 << 30};
  srv_registry_init(&h->registry, &h->loop, &h->limits, &h->ledger, executable);
}

static void open_house(house* h) { open_house_with(h, SHEAF_EXECUTABLE); }

static void close_house(house* h) {
  srv_registry_close(&h->registry);
  uv_run(&h->loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&h->loop), 0);
  CHECK_EQ(h->ledger.request, 0);
  CHECK_EQ(h->registry.compiling, 0);
  CHECK(!h->registry.shelf.first);
}

static int put(house* h, waiting* w, const char* xml, uint8_t hash[SHEAF_HASH_BYTES]) {
  sheaf_file file = {"m.xml", xml, strlen(xml)};
  *w = (waiting){.waiter.ready = on_ready};
  sheaf_manifest_hash("m.xml", &file, 1, hash);
  int input = srv_compile_pack("m.xml", &file, 1);
  return srv_registry_put(&h->registry, hash, input, file.size, &w->waiter, &w->error);
}

static const char pendulum[] =
    "<mujoco><worldbody><body><joint name='j' type='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body>"
    "</worldbody></mujoco>";

// more bodies than the limit of processor time lets through
static const char slow[] =
    "<mujoco><worldbody><replicate count='255'><replicate count='255'><body><joint/><geom size='1'/></body></replicate>"
    "</replicate></worldbody></mujoco>";

TEST(one_compilation_serves_all_who_wait) {
  house h;
  waiting a, b, c;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, pendulum, hash), 0);
  CHECK_EQ(put(&h, &b, pendulum, hash), 0);
  CHECK(!srv_registry_find(&h.registry, hash));
  CHECK_EQ(h.registry.compiling, 1);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && b.called == 1 && a.model && a.model == b.model);
  CHECK(srv_registry_find(&h.registry, hash) == a.model);
  CHECK(a.model && a.model->loaded.m->nq == 1 && a.model->loaded.nstate == 3);

  // a third finds it at once
  CHECK_EQ(put(&h, &c, pendulum, hash), 0);
  CHECK(c.called == 1 && c.model == a.model);
  close_house(&h);
}

TEST(a_compilation_ends_when_the_last_who_waits_leaves) {
  house h;
  waiting a, b;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, pendulum, hash), 0);
  CHECK_EQ(put(&h, &b, pendulum, hash), 0);
  srv_registry_leave(&a.waiter);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 0 && b.called == 1 && b.model);

  // one that takes two seconds of processor time, left by all: at once there is a new one, which is not ended
  CHECK_EQ(put(&h, &a, slow, hash), 0);
  uint64_t began = uv_hrtime();
  srv_registry_leave(&a.waiter);
  CHECK_EQ(put(&h, &b, slow, hash), 0);
  CHECK_EQ(h.registry.compiling, 2);
  srv_registry_leave(&b.waiter);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 0 && b.called == 0 && h.registry.compiling == 0);
  CHECK(!srv_registry_find(&h.registry, hash));
  CHECK(uv_hrtime() - began < 1500000000);
  close_house(&h);
}

TEST(a_model_that_does_not_compile_tells_why) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, "<mujoco><worldbody><gem/></worldbody></mujoco>", hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && !a.model);
  CHECK_EQ(a.error.code, SHEAF__CODE__CODE_FAILED_PRECONDITION);
  CHECK_TEXT(a.error.message, "gem");
  CHECK(!srv_registry_find(&h.registry, hash));
  close_house(&h);
}

TEST(files_on_disk_are_out_of_reach) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, "<mujoco><include file='/etc/hostname'/></mujoco>", hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && !a.model);
  CHECK_EQ(a.error.code, SHEAF__CODE__CODE_FAILED_PRECONDITION);
  close_house(&h);
}

TEST(options_that_would_hang_a_worker_are_refused) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, "<mujoco><option iterations='2000000000'/></mujoco>", hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(!a.model);
  CHECK_TEXT(a.error.message, "iterations");
  close_house(&h);
}

TEST(unused_models_are_forgotten_when_the_cache_is_full) {
  house h;
  waiting a, b;
  uint8_t first[SHEAF_HASH_BYTES], second[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, pendulum, first), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.model);
  if (a.model) {
    // room for one: a model in use stays, and goes when it is released
    h.limits.cache_bytes = a.model->loaded.bytes + a.model->loaded.bytes / 2;
    srv_model_ref(a.model);
    CHECK_EQ(put(&h, &b, "<mujoco model='other'/>", second), 0);
    uv_run(&h.loop, UV_RUN_DEFAULT);
    CHECK(srv_registry_find(&h.registry, first) == a.model);
    CHECK(h.registry.bytes <= h.limits.cache_bytes || h.registry.count == 1);
    h.limits.cache_bytes = 0;
    srv_model_unref(a.model);
    CHECK(!srv_registry_find(&h.registry, first));
  }
  CHECK_EQ(h.registry.bytes, 0);
  close_house(&h);
}

TEST(models_in_use_are_not_added_to_without_end) {
  house h;
  waiting a, b;
  uint8_t first[SHEAF_HASH_BYTES], second[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, pendulum, first), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.model);
  if (a.model) {
    srv_model_ref(a.model);
    h.limits.cache_bytes = a.model->loaded.bytes - 1;
    CHECK_EQ(put(&h, &b, "<mujoco model='other'/>", second), -SHEAF__CODE__CODE_RESOURCE_EXHAUSTED);
    CHECK_EQ(h.registry.compiling, 0);

    // the one that is there is still found; when it is released, there is room for another
    CHECK_EQ(put(&h, &b, pendulum, first), 0);
    CHECK(b.called == 1 && b.model == a.model);
    srv_model_unref(a.model);
    CHECK_EQ(put(&h, &b, "<mujoco model='other'/>", second), 0);
    uv_run(&h.loop, UV_RUN_DEFAULT);
    CHECK(b.model && h.registry.count <= 1);
  }
  close_house(&h);
}

TEST(a_spawner_that_cannot_start_is_an_error) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house_with(&h, "/nonexistent/sheaf");
  h.registry.compiler.started = 0;
  CHECK_EQ(put(&h, &a, pendulum, hash), 0);
  CHECK(a.called == 1 && !a.model && a.error.code == SHEAF__CODE__CODE_INTERNAL);

  // nobody hammers at the door
  CHECK_EQ(put(&h, &a, pendulum, hash), 0);
  CHECK(a.called == 1 && a.error.code == SHEAF__CODE__CODE_UNAVAILABLE && a.error.retry_after_us <= 1000000);
  close_house(&h);
}

// wait until the helper of the only compilation runs, and give its number
static pid_t find_helper(house* h) {
  char path[64], text[32] = "";
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", srv_compiler_pid(&h->registry.compiler),
           srv_compiler_pid(&h->registry.compiler));
  for (int i = 0; i < 2000 && !atoi(text); i++) {
    FILE* file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file)) text[0] = 0;
    if (file) fclose(file);
    usleep(1000);
  }
  return atoi(text);
}

TEST(a_helper_killed_from_outside_is_not_said_to_be_slow) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(h.registry.compiler.layers);
  CHECK_EQ(put(&h, &a, slow, hash), 0);
  pid_t helper = find_helper(&h);
  CHECK(helper > 0);
  if (helper > 0) kill(helper, SIGKILL);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && a.error.code == SHEAF__CODE__CODE_UNAVAILABLE && a.error.retriable);
  CHECK_TEXT(a.error.message, "killed from outside");
  close_house(&h);
}

TEST(a_helper_that_takes_too_long_is_said_to) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  h.limits.compile_cpu_s = 1;
  h.limits.compile_bytes = 64ull << 30;
  CHECK_EQ(put(&h, &a, slow, hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && !a.error.retriable);
  CHECK_EQ(a.error.code, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED);
  // "1 s of processor time", or a longer time of the clock where others leave it hardly any processor
  CHECK_TEXT(a.error.message, "compiling the model took more than ");
  close_house(&h);
}

TEST(a_spawner_that_dies_is_noticed_and_started_again) {
  house h;
  waiting a, b;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(h.registry.compiler.layers);
  CHECK_EQ(put(&h, &a, slow, hash), 0);
  pid_t first = srv_compiler_pid(&h.registry.compiler), helper = find_helper(&h);
  h.registry.compiler.started = 0;  // long ago
  kill(first, SIGKILL);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && a.error.code == SHEAF__CODE__CODE_UNAVAILABLE && a.error.retriable);
  CHECK_EQ(h.registry.compiler.losses, 1);

  // its helper went with it, and the next one works
  int waits = 0;
  while (!kill(helper, 0) && waits++ < 2000) usleep(1000);
  CHECK(kill(helper, 0) && errno == ESRCH);
  CHECK(srv_compiler_pid(&h.registry.compiler) != first);
  CHECK_EQ(put(&h, &b, pendulum, hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(b.model);
  close_house(&h);
}

// the layouts of these meshes, for the search of contacts, are much larger than their arrays
static const char meshes[] =
    "<mujoco><asset><mesh name='a' builtin='sphere' params='2'/><mesh name='b' builtin='sphere' params='2'/>"
    "<mesh name='c' builtin='sphere' params='2'/><mesh name='d' builtin='sphere' params='2'/></asset><worldbody>"
    "<body><freejoint/><geom type='mesh' mesh='a'/></body><body><freejoint/><geom type='mesh' mesh='b'/></body>"
    "<body><freejoint/><geom type='mesh' mesh='c'/></body><body><freejoint/><geom type='mesh' mesh='d'/></body>"
    "</worldbody></mujoco>";

TEST(what_is_worked_out_from_a_model_counts_as_its_memory) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  CHECK_EQ(put(&h, &a, meshes, hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.model);
  if (a.model) {
    uint64_t file = (uint64_t)mj_sizeModel(a.model->loaded.m), bytes = a.model->loaded.bytes;
    CHECK(bytes > 3 * file);
    CHECK_EQ(h.registry.bytes, bytes);
    srv_registry_forget(a.model);
    h.limits.cache_bytes = bytes / 2;  // the file alone would fit
    CHECK_EQ(put(&h, &a, meshes, hash), 0);
    uv_run(&h.loop, UV_RUN_DEFAULT);
    CHECK(!a.model);
    CHECK_TEXT(a.error.message, "the compiled model has");
  }
  CHECK(h.registry.bytes == 0 && h.registry.making == 0);
  close_house(&h);
}

TEST(a_model_that_does_not_fit_gets_no_memory) {
  house h;
  waiting a;
  uint8_t hash[SHEAF_HASH_BYTES];
  open_house(&h);
  h.limits.cache_bytes = 1 << 20;
  const char* large =
      "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='1024' height='1024'/></asset></mujoco>";
  CHECK_EQ(put(&h, &a, large, hash), 0);
  uv_run(&h.loop, UV_RUN_DEFAULT);
  CHECK(a.called == 1 && !a.model);
  CHECK_TEXT(a.error.message, "the compiled model has");
  CHECK(h.registry.bytes == 0 && h.registry.making == 0);
  close_house(&h);
}
