// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Decoders, flexes and the like: questions about them are answered, requests fail.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/test.h"

static char said[500];

static void note(const char* text) { snprintf(said, sizeof said, "%s", text); }

TEST(there_are_none) {
  CHECK_EQ(mjp_resourceProviderCount(), 0);
  CHECK(!mjp_getResourceProvider("http://x") && !mjp_getResourceProviderAtSlot(1));
  CHECK(!mjp_findDecoder(NULL, "model/obj"));
  CHECK(!mj_getCacheSize(mj_getCache()) && !mj_getCacheCapacity(mj_getCache()) &&
        !mj_setCacheCapacity(mj_getCache(), 9));
}

TEST(requests_fail_and_say_why) {
  mjpResourceProvider provider;
  mjpDecoder decoder;
  mjp_defaultResourceProvider(&provider);
  mjp_defaultDecoder(&decoder);
  provider.prefix = decoder.content_type = "mine";

  mju_user_warning = note;
  CHECK_EQ(mjp_registerResourceProvider(&provider), -1);
  CHECK_TEXT(said, "resource provider 'mine'");
  mjp_registerDecoder(&decoder);
  CHECK_TEXT(said, "decoder of 'mine'");
  mju_user_warning = NULL;
}
