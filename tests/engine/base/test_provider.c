// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Resource providers: what tests/programs/stores.c does not ask of the reference.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sheaf/batch.h>
#include <sheaf/providers.h>

#include "base/bytes.h"
#include "base/path.h"
#include "support/test.h"

// A store of two texts. It frees in close what open allocated, found or not.
static char asked[500];
static int alive;

static int openText(mjResource* r) {
  snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s ", r->name);
  r->data = malloc(100);
  alive++;
  if (strstr(r->name, "main.xml")) strcpy(r->data, "<mujoco><include file='../part.xml'/></mujoco>");
  else if (strstr(r->name, "part.xml")) strcpy(r->data, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  else return 0;
  return 1;
}

static int readText(mjResource* r, const void** buffer) {
  *buffer = r->data;
  return strstr(r->name, "/unread/") ? -1 : (int)strlen(r->data);
}

static void closeText(mjResource* r) {
  free(r->data);
  alive--;
}

static void dirOfText(mjResource* r, const char** dir, int* ndir) {
  *dir = r->name;
  *ndir = strstr(r->name, "/endless/") ? 1 << 20 : (int)(strrchr(r->name, '/') + 1 - r->name);
}

static void registerTexts(void) {
  mjpResourceProvider p = {"texts", openText, readText, closeText, dirOfText, NULL, NULL};
  CHECK(mjp_registerResourceProvider(&p) > 0);
  *asked = 0;
}

TEST(names_of_a_provider_are_absolute_and_keep_their_scheme) {
  char path[100];
  CHECK(mji_pathJoin(path, sizeof path, "d", "texts:a") && !strcmp(path, "d/texts:a"));
  registerTexts();
  CHECK(mji_pathJoin(path, sizeof path, "d", "Texts:a") && !strcmp(path, "Texts:a"));
  mji_pathSimplify(path, "texts:a/../../b");
  CHECK_TEXT(path, "texts:../b");
  mji_pathSimplify(path, "texts:a/./b/../c");
  CHECK_TEXT(path, "texts:a/c");
}

TEST(documents_of_a_provider_include_from_the_folder_above) {
  char error[300] = "";
  registerTexts();
  mjModel* m = mj_loadXML("texts:x/y/main.xml", NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  CHECK(m && m->ngeom == 1);
  CHECK(!alive && strstr(asked, "texts:x/part.xml "));
  mj_deleteModel(m);
}

TEST(what_a_provider_fails_to_do_is_an_error_with_the_name) {
  static const struct {
    const char *name, *error;
  } cases[] = {
      {"texts:x/nothing.xml", "texts:x/nothing.xml: cannot open: its resource provider cannot open it"},
      {"texts:x/unread/main.xml", "texts:x/unread/main.xml: cannot open: its resource provider cannot read it"},
      {"texts:x/endless/main.xml",
       "texts:x/endless/main.xml:1: include: cannot open file '../part.xml': No such file or directory"},
  };
  registerTexts();
  for (int i = 0; i < 3; i++) {
    char error[300] = "";
    CHECK(!mj_loadXML(cases[i].name, NULL, error, sizeof error));
    CHECK_TEXT(error, cases[i].error);
    CHECK(!sheaf_loadModel(cases[i].name, NULL, error, sizeof error));
  }
  CHECK(!alive);
}

TEST(an_empty_resource_has_data) {
  mjVFS vfs;
  mjiBytes bytes;
  char dir[20];
  mj_defaultVFS(&vfs);
  CHECK(!mj_addBufferVFS(&vfs, "d/empty", "", 0));
  CHECK(mji_bytesOpen(&bytes, &vfs, "d/empty", 0) && bytes.data && !bytes.size);
  mji_bytesDir(dir, sizeof dir, &bytes, "d/empty");
  CHECK_TEXT(dir, "d/");
  CHECK(mji_bytesExist(&vfs, "d/empty") && !mji_bytesExist(&vfs, "texts:x/empty"));
  mji_bytesFree(&bytes);
  mj_deleteVFS(&vfs);
  CHECK(!mji_bytesOpen(&bytes, NULL, "/dev", 100) && strstr(bytes.why, "directory"));
  CHECK(!mji_bytesOpen(&bytes, NULL, "/dev/null", 100) && strstr(bytes.why, "not supported"));
}

static void ignore(const char* text) { (void)text; }

// forbidding lasts as long as the process, so another one does it
TEST(a_program_can_forbid_providers) {
  registerTexts();
  pid_t child = fork();
  if (!child) {
    char error[300];
    mjpResourceProvider more = {"more", openText, readText, closeText, dirOfText, NULL, NULL};
    mju_user_warning = ignore;
    sheaf_forbidProviders();
    int reached = mjp_registerResourceProvider(&more) > 0 || mjp_resourceProviderCount() ||
                  mjp_getResourceProvider("texts:a") || mjp_getResourceProviderAtSlot(1) ||
                  mj_loadXML("texts:x/main.xml", NULL, error, sizeof error) || *asked;
    _exit(reached);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}
