// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The files of a model, and the printed schema.

#include <setjmp.h>
#include <sheaf/strings.h>
#include <stdio.h>
#include <string.h>

#include "support/folder.h"

static void makeFiles(void) {
  folder_make();
  folder_put("main.xml",
             "<mujoco><compiler meshdir='as' texturedir='tx'/><include file='sub/b.xml'/><asset><mesh file='m.obj'/>"
             "<mesh file='m.obj' name='twice'/><mesh file='/abs/m.stl'/><mesh name='none' vertex='0 0 0'/>"
             "<texture file='t.png'/><texture fileright='r.png'/><hfield file='h.png'/><model file='sub/m.xml'/>"
             "</asset><worldbody/></mujoco>");
  folder_put("sub/b.xml", "<mujoco><asset><mesh file='inb.obj'/></asset></mujoco>");
  folder_put("sub/m.xml",
             "<mujoco><compiler assetdir='zz'/><asset><mesh file='kid.obj'/></asset><worldbody><include "
             "file='n.xml'/></worldbody></mujoco>");
  folder_put("sub/n.xml", "<x><geom/></x>");
  folder_put("loop.xml", "<mujoco><asset><model file='loop.xml'/></asset></mujoco>");
  folder_put(
      "robot.urdf",
      "<robot><mujoco><compiler meshdir='as'/></mujoco><include file='none.xml'/><link name='a'><visual><geometry>"
      "<mesh filename='seen.obj'/></geometry></visual><collision><geometry><mesh filename='package://r/m.obj'/>"
      "</geometry></collision></link></robot>");
  folder_put("asset.xml", "<mujoco><asset><model file='robot.urdf' content_type='text/xml'/></asset></mujoco>");
  folder_put("bad.urdf", "<robot><link/></robot>");
  folder_put("bad.xml", "<mujoco><asset>");
}

static jmp_buf escape;
static char message[500];

static void keep(const char* text) {
  snprintf(message, sizeof message, "%s", text);
  longjmp(escape, 1);
}

// 1 if the file could be searched
static int search(const char* name, mjStringVec* found) {
  mju_user_error = keep;
  int failed = setjmp(escape);
  if (!failed) mju_getXMLDependencies(folder_in(name), found);
  mju_user_error = NULL;
  return !failed;
}

TEST(dependencies_are_what_loading_would_open_each_once) {
  makeFiles();
  mjStringVec* found = sheaf_makeStrings();
  mjs_appendString(found, "before");
  CHECK(search("main.xml", found));
  static const char* const want[] = {"main.xml", "sub/b.xml", "as/inb.obj", "as/m.obj",  "tx/t.png",
                                     "tx/r.png", "as/h.png",  "sub/m.xml",  "sub/n.xml", "sub/zz/kid.obj"};
  int n = (int)(sizeof want / sizeof *want);
  CHECK_EQ(sheaf_stringsSize(found), n + 1);
  for (int i = 0; i < n; i++) {
    int times = 0;
    for (int k = 0; k < sheaf_stringsSize(found); k++) times += !strcmp(sheaf_stringsGet(found, k), folder_in(want[i]));
    if (times != 1) printf("  %s: %d times\n", want[i], times);
    CHECK_EQ(times, 1);
  }
  CHECK(!sheaf_stringsGet(found, n + 1) && !sheaf_stringsGet(found, -1));

  // a model that names itself ends
  CHECK(search("loop.xml", found));
  CHECK_EQ(sheaf_stringsSize(found), 1);

  // a robot includes nothing, and what is only seen is not loaded
  CHECK(search("robot.urdf", found));
  CHECK_EQ(sheaf_stringsSize(found), 2);
  CHECK_TEXT(sheaf_stringsGet(found, 1), folder_in("as/m.obj"));
  CHECK(search("asset.xml", found));
  CHECK_EQ(sheaf_stringsSize(found), 3);

  CHECK(!search("bad.urdf", found));
  CHECK_TEXT(message, "bad.urdf:1: link: name must be given");
  CHECK(!search("missing.xml", found));
  CHECK_TEXT(message, "missing.xml");
  CHECK_TEXT(message, "cannot open");
  CHECK(!search("bad.xml", found));
  CHECK_TEXT(message, "bad.xml:1");
  sheaf_deleteStrings(found);
  folder_remove();
}

// ---- schema

TEST(the_schema_is_as_long_as_it_says) {
  int n = mj_printSchema(NULL, NULL, 0, 0, 0);
  CHECK(n > 20000);
  char* text = malloc((size_t)n + 1);
  CHECK_EQ(mj_printSchema(NULL, text, n + 1, 0, 0), n);
  CHECK_EQ((int)strlen(text), n);
  CHECK_TEXT(text, "mujoco (!)                    model \n   compiler (*)               alignfree angle ");
  CHECK_TEXT(text, "   (world)body (R)            axisangle childclass ");

  // a small buffer gets its part, ended by a zero
  char part[11] = "..........";
  CHECK_EQ(mj_printSchema(NULL, part, 10, 0, 0), n);
  CHECK_EQ(strncmp(part, text, 9), 0);
  CHECK_EQ(part[9], 0);
  CHECK_EQ(mj_printSchema("/nonexistent/folder/schema.txt", text, n + 1, 0, 0), n);

  snprintf(folder_path, sizeof folder_path, "/tmp");
  char name[100];
  snprintf(name, sizeof name, "/tmp/sheaf_test_schema_%d", (int)getpid());
  CHECK_EQ(mj_printSchema(name, NULL, 0, 0, 0), n);
  struct stat st;
  CHECK(!stat(name, &st) && st.st_size == n);
  remove(name);
  free(text);
}

TEST(the_schema_has_two_forms_of_html) {
  int n = mj_printSchema(NULL, NULL, 0, 1, 1);
  char* text = malloc((size_t)n + 1);
  mj_printSchema(NULL, text, n + 1, 1, 1);
  CHECK_TEXT(text, "<td style=\"padding-left:20\" bgcolor=\"#EEEEEE\" class=\"el\">compiler</td>");
  mj_printSchema(NULL, text, n + 1, 1, 0);
  CHECK_TEXT(text, "class=\"el\">&nbsp;&nbsp;&nbsp;&nbsp;compiler</td>");
  free(text);
}
