// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/source.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

static const char* simple(const char* path) {
  static char out[64];
  mji_pathSimplify(out, path);
  return out;
}

TEST(paths_lose_dots_where_they_can) {
  CHECK_TEXT(simple("a.obj"), "a.obj");
  CHECK_TEXT(simple("./a.obj"), "a.obj");
  CHECK_TEXT(simple("no/../a.obj"), "a.obj");
  CHECK_TEXT(simple("x/y/../../a.obj"), "a.obj");
  CHECK_TEXT(simple("../a/../b.obj"), "../b.obj");
  CHECK_TEXT(simple("../../b.obj"), "../../b.obj");
  CHECK_TEXT(simple("/w/no/../b.obj"), "/w/b.obj");
  CHECK_TEXT(simple("/../b.obj"), "/../b.obj");
}

TEST(a_scheme_or_a_drive_makes_a_path_absolute) {
  static const char* const absolute[] = {"/a.obj", "package://p/a.obj", "C:/a.obj", "x/b:/a.obj"};
  static const char* const relative[] = {"a.obj", "package:p/a.obj", "a:b.obj"};
  char path[64], want[64];
  for (int i = 0; i < 4; i++) {
    CHECK(mji_pathJoin(path, sizeof path, "d", absolute[i]));
    CHECK(!strcmp(path, absolute[i]));
  }
  for (int i = 0; i < 3; i++) {
    snprintf(want, sizeof want, "d/%s", relative[i]);
    CHECK(mji_pathJoin(path, sizeof path, "d", relative[i]));
    CHECK(!strcmp(path, want));
  }
}

TEST(paths_keep_what_only_looks_like_dots) {
  CHECK_TEXT(simple("d//b.obj"), "d//b.obj");
  CHECK_TEXT(simple("d/..b.obj"), "d/..b.obj");
  CHECK_TEXT(simple("a/.../b"), "a/.../b");
  CHECK_TEXT(simple(""), "");
  CHECK_TEXT(simple(".."), "..");
}

TEST(backslashes_of_paths_are_slashes) { CHECK_TEXT(simple("d\\..\\e\\b.obj"), "e/b.obj"); }
