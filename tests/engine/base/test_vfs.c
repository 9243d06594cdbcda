// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Results and rules of lookup were recorded from MuJoCo 3.4.0.
#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/vfs.h"

static int add(mjVFS* vfs, const char* name, const char* text) {
  return mj_addBufferVFS(vfs, name, text, (int)strlen(text));
}

static int holds(const mjVFS* vfs, const char* name, const char* text) {
  size_t size;
  const void* data = mji_vfsFind(vfs, name, &size);
  return data && size == strlen(text) && !memcmp(data, text, size);
}

TEST(buffers_by_name) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  CHECK_EQ(add(&vfs, "a.xml", "one"), 0);
  CHECK_EQ(add(&vfs, "a.xml", "two"), 2);
  CHECK_EQ(add(&vfs, "A.XML", "three"), 0);
  CHECK(holds(&vfs, "a.xml", "one") && holds(&vfs, "A.XML", "three"));
  CHECK_EQ(mj_deleteFileVFS(&vfs, "a.xml"), 0);
  CHECK_EQ(mj_deleteFileVFS(&vfs, "a.xml"), -1);
  mj_deleteVFS(&vfs);
}

TEST(paths_are_resolved) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add(&vfs, "dir/x.xml", "x");
  add(&vfs, "./y.xml", "y");
  add(&vfs, "../u", "u");
  CHECK(holds(&vfs, "./dir/x.xml", "x") && holds(&vfs, "foo/../dir/x.xml", "x"));
  CHECK(holds(&vfs, "dir\\x.xml", "x") && holds(&vfs, "y.xml", "y") && holds(&vfs, "../u", "u"));
  CHECK(!holds(&vfs, "x.xml", "x") && !holds(&vfs, "/dir/x.xml", "x") && !holds(&vfs, "u", "u"));
  mj_deleteVFS(&vfs);
}

TEST(bare_lower_case_name_is_the_second_choice) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add(&vfs, "low.bin", "l");
  add(&vfs, "UP.bin", "u");
  CHECK(holds(&vfs, "some/where/LOW.bin", "l"));
  CHECK(!holds(&vfs, "up.bin", "u") && !holds(&vfs, "x/UP.bin", "u"));
  mj_deleteVFS(&vfs);
}

TEST(empty_buffer_has_content) {
  mjVFS vfs;
  size_t size = 5;
  mj_defaultVFS(&vfs);
  CHECK_EQ(mj_addBufferVFS(&vfs, "e", "", 0), 0);
  CHECK(mji_vfsFind(&vfs, "e", &size) && size == 0);
  CHECK(!mji_vfsFind(NULL, "e", &size));
  mj_deleteVFS(&vfs);
}

TEST(files_are_known_by_their_bare_name) {
  char dir[] = "/tmp/sheafXXXXXX", path[64];
  CHECK(mkdtemp(dir) != NULL);
  snprintf(path, sizeof path, "%s/Model.XML", dir);
  FILE* file = fopen(path, "wb");
  fputs("content", file);
  fclose(file);

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  CHECK_EQ(mj_addFileVFS(&vfs, dir, "Model.XML"), 0);
  CHECK_EQ(mj_addFileVFS(&vfs, NULL, path), 2);
  CHECK_EQ(mj_addFileVFS(&vfs, dir, "missing"), -1);
  CHECK_EQ(mj_addFileVFS(&vfs, "nowhere", "model.xml"), 2);
  CHECK(holds(&vfs, "model.xml", "content") && holds(&vfs, "any/Model.XML", "content"));
  mj_deleteVFS(&vfs);
  unlink(path);
  rmdir(dir);
}
