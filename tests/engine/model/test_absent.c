// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Plugins, decoders, flexes and the like: questions about them are answered, requests fail.

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mujoco/mujoco.h>

#include "support/test.h"

static jmp_buf failed;
static char said[500];

static void fail(const char* text) {
  snprintf(said, sizeof said, "%s", text);
  longjmp(failed, 1);
}

static void note(const char* text) { snprintf(said, sizeof said, "%s", text); }

TEST(there_are_none) {
  int slot = 7;
  CHECK_EQ(mjp_pluginCount(), 0);
  CHECK(!mjp_getPlugin("pid", &slot));
  CHECK_EQ(slot, 7);
  CHECK(!mjp_getPluginAtSlot(0));
  CHECK_EQ(mjp_resourceProviderCount(), 0);
  CHECK(!mjp_getResourceProvider("http://x") && !mjp_getResourceProviderAtSlot(1));
  CHECK(!mjp_findDecoder(NULL, "model/obj"));
  CHECK(!mj_getPluginConfig(NULL, 0, "a"));
  CHECK(!mj_getCacheSize(mj_getCache()) && !mj_getCacheCapacity(mj_getCache()) &&
        !mj_setCacheCapacity(mj_getCache(), 9));
}

TEST(requests_fail_and_say_why) {
  mjpPlugin plugin;
  mjpResourceProvider provider;
  mjpDecoder decoder;
  mjp_defaultPlugin(&plugin);
  mjp_defaultResourceProvider(&provider);
  mjp_defaultDecoder(&decoder);
  plugin.name = provider.prefix = decoder.content_type = "mine";
  mjtNum point[3] = {0};
  int vertid;

  mju_user_error = fail;
  if (!setjmp(failed)) mjp_registerPlugin(&plugin);
  CHECK_TEXT(said, "plugin 'mine': plugins are not supported");
  if (!setjmp(failed)) mj_loadPluginLibrary("some.so");
  CHECK_TEXT(said, "plugin library 'some.so'");
  if (!setjmp(failed)) mju_rayFlex(NULL, NULL, 0, 1, 1, 1, 1, 3, point, point, &vertid);
  CHECK_TEXT(said, "flex 3: rays do not see flexible bodies");
  if (!setjmp(failed)) mjc_getSDF(NULL, 2);
  CHECK_TEXT(said, "geom 2 has no signed distance field");
  if (!setjmp(failed)) mjc_distance(NULL, NULL, NULL, point);
  CHECK_TEXT(said, "not supported");
  said[0] = 0;
  if (!setjmp(failed)) mjc_gradient(NULL, NULL, NULL, point, point);
  CHECK_TEXT(said, "not supported");
  mju_user_error = NULL;

  mju_user_warning = note;
  CHECK_EQ(mjp_registerResourceProvider(&provider), -1);
  CHECK_TEXT(said, "resource provider 'mine'");
  mjp_registerDecoder(&decoder);
  CHECK_TEXT(said, "decoder of 'mine'");

  // folders: not there, without a library, with one
  char folder[] = "/tmp/sheafXXXXXX", library[40];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(library, sizeof library, "%s/some.so", folder);
  said[0] = 0;
  mj_loadAllPluginLibraries("nowhere", NULL);
  mj_loadAllPluginLibraries(folder, NULL);
  CHECK(!said[0]);
  fclose(fopen(library, "w"));
  mj_loadAllPluginLibraries(folder, NULL);
  CHECK_TEXT(said, "plugin libraries of");
  mju_user_warning = NULL;
  unlink(library);
  rmdir(folder);
}

TEST(attributes_of_plugins_are_an_error_of_their_specification) {
  mjSpec* s = mj_makeSpec();
  mjs_setPluginAttributes(mjs_addPlugin(s), NULL);
  CHECK_TEXT(mjs_getError(s), "plugins are not supported");
  CHECK(!mj_compile(s, NULL));
  mj_deleteSpec(s);
}
