// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What comes of images, and the memory that they take.

#include <string.h>
#include <sys/resource.h>

#include "support/test.h"

// the most that this process has ever had, in MiB
static long mostMemory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// A model with a height field of this image, or NULL and an error.
static mjModel* load(const void* image, int n, char error[300]) {
  const char* xml = "<mujoco><asset><hfield name='h' size='1 1 1 1' file='f.png'/></asset></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  CHECK_EQ(mj_addBufferVFS(&vfs, "m.xml", xml, (int)strlen(xml)), 0);
  CHECK_EQ(mj_addBufferVFS(&vfs, "f.png", image, n), 0);
  error[0] = 0;
  mjModel* m = mj_loadXML("m.xml", &vfs, error, 300);
  mj_deleteVFS(&vfs);
  return m;
}

TEST(a_chunk_that_says_to_be_longer_than_its_file_takes_no_memory) {
  // 4 by 4 grey pixels, and a text of 1.6 GB of which four bytes are here
  static const unsigned char image[] =
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\4\0\0\0\4\x08\0\0\0\0\x8c\x9a\xc1\xa2\x60\xff\xff\xfftEXttext";
  char error[300];
  long before = mostMemory();
  CHECK_EQ(load(image, sizeof image, error) == NULL, 1);
  CHECK_EQ(strstr(error, "hfield") != NULL, 1);
  CHECK_EQ(mostMemory() - before < 200, 1);
}

TEST(chunks_beside_the_pixels_change_no_height) {
  // rows 0, 51 and 102, 255 after gAMA, sBIT, tEXt, tRNS and bKGD
  // clang-format off
  static const unsigned char image[] = {
      137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0,
      0, 87, 221, 82, 248, 0, 0, 0, 4, 103, 65, 77, 65, 0, 1, 134, 160, 49, 232, 150, 95, 0, 0, 0, 1, 115, 66, 73,
      84, 4, 239, 188, 23, 178, 0, 0, 0, 3, 116, 69, 88, 116, 97, 0, 98, 220, 73, 162, 59, 0, 0, 0, 2, 116, 82, 78,
      83, 0, 51, 201, 67, 172, 46, 0, 0, 0, 2, 98, 75, 71, 68, 0, 102, 14, 92, 231, 95, 0, 0, 0, 17, 73, 68, 65,
      84, 120, 1, 1, 6, 0, 249, 255, 0, 0, 51, 0, 102, 255, 2, 157, 1, 153, 15, 223, 159, 2, 0, 0, 0, 0, 73, 69,
      78, 68, 174, 66, 96, 130};
  // clang-format on
  char error[300];
  mjModel* m = load(image, sizeof image, error);
  CHECK_TEXT(error, "");
  if (!m) return;
  const float want[] = {0.4f, 1, 0, 0.2f};  // the lowest row comes first
  for (int i = 0; i < 4; i++) CHECK_NEAR(m->hfield_data[i], want[i], 1e-7);
  mj_deleteModel(m);
}
