// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "mjcf/source.h"

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

TEST(paths_keep_what_only_looks_like_dots) {
  CHECK_TEXT(simple("d//b.obj"), "d//b.obj");
  CHECK_TEXT(simple("d/..b.obj"), "d/..b.obj");
  CHECK_TEXT(simple("a/.../b"), "a/.../b");
  CHECK_TEXT(simple(""), "");
  CHECK_TEXT(simple(".."), "..");
}

TEST(backslashes_of_paths_are_slashes) {
  CHECK_TEXT(simple("d\\..\\e\\b.obj"), "e/b.obj");
}
