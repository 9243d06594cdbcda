// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which files of textures a model remembers. Answers: the same models in MuJoCo 3.4.0.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

// an image of two by two pixels in the binary format: width, height, three bytes a pixel
static int addImage(mjVFS* vfs, const char* name) {
  const int32_t side[2] = {2, 2};
  char image[sizeof side + 12] = {0};
  memcpy(image, side, sizeof side);
  return mj_addBufferVFS(vfs, name, image, sizeof image);
}

static mjModel* load(const char* attributes) {
  char xml[400], error[300] = "";
  snprintf(xml, sizeof xml, "<mujoco><asset><texture name='t' %s/></asset></mujoco>", attributes);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  CHECK_EQ(mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml)), 0);
  CHECK_EQ(addImage(&vfs, "a.bin"), 0);
  CHECK_EQ(addImage(&vfs, "d/b.bin"), 0);
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof error);
  CHECK_TEXT(error, "");
  mj_deleteVFS(&vfs);
  return m;
}

TEST(files_of_faces_are_not_remembered) {
  mjModel* m = load("type='cube' fileup='a.bin' filedown='d/b.bin'");
  if (!m) return;
  CHECK_EQ(m->tex_pathadr[0], -1);
  CHECK_EQ(m->npaths, 1);
  CHECK_EQ(m->tex_height[0], 12);
  mj_deleteModel(m);
}

TEST(the_file_is_remembered_even_where_a_builtin_takes_its_place) {
  mjModel* m = load("type='2d' builtin='flat' width='4' height='4' file='./d/b.bin'");
  if (!m) return;
  CHECK_EQ(m->tex_pathadr[0], 0);
  CHECK_TEXT(m->paths, "d/b.bin");
  CHECK_EQ(m->tex_width[0], 4);
  mj_deleteModel(m);
}
