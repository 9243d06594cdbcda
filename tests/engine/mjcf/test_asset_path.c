// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the files of assets are found, by what names assets are known that have none, and what their content types say.
// Expected: the same files in MuJoCo 3.4.0.

#include <sheaf/strings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

#define TETRAHEDRON(x) "v 0 0 0\nv " x " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#define MESH_BODY(name) "<body name='b'><geom type='mesh' mesh='" name "'/></body>"

static char folder[100];

static const char* in(const char* name) {
  static char path[4][300];
  static int next;
  char* out = path[next++ % 4];
  snprintf(out, sizeof path[0], "%s/%s", folder, name);
  return out;
}

static void put(const char* name, const char* text) {
  FILE* file = fopen(in(name), "w");
  CHECK(file != NULL);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

static const char* const dirs[] = {"sub", "sub/deep", "as", "as/sub"};
static const char* const files[] = {"main.xml",       "sub/part.xml", "sub/deep/part.xml", "m.obj", "sub/m.obj",
                                    "sub/deep/m.obj", "as/m.obj",     "as/sub/m.obj",      "m.dat"};

static void makeFolder(void) {
  snprintf(folder, sizeof folder, "/tmp/sheaf_test_asset_path_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) mkdir(in(dirs[i]), 0700);
}

static void removeFolder(void) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(in(files[i]));
  for (size_t i = sizeof dirs / sizeof *dirs; i-- > 0;) rmdir(in(dirs[i]));
  CHECK_EQ(rmdir(folder), 0);
}

// six times the volume of the mesh, which says which file it was; 0 if the model cannot be loaded
static double load(void) {
  char error[500] = "";
  mjModel* m = mj_loadXML(in("main.xml"), NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  double volume = m ? m->body_mass[1] * 6 / 1000 : 0;
  mj_deleteModel(m);
  return volume;
}

static int dependsOn(const char* name) {
  mjStringVec* found = sheaf_makeStrings();
  mju_getXMLDependencies(in("main.xml"), found);
  int there = 0;
  for (int i = 0; i < sheaf_stringsSize(found); i++) there |= !strcmp(sheaf_stringsGet(found, i), in(name));
  sheaf_deleteStrings(found);
  return there;
}

TEST(an_asset_of_an_included_document_lies_in_the_main_folder_or_beside_that_document) {
  makeFolder();
  put("main.xml", "<mujoco><include file='sub/part.xml'/></mujoco>");
  put("sub/part.xml", "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  put("sub/m.obj", TETRAHEDRON("2"));
  CHECK_NEAR(load(), 2, 1e-12);
  CHECK(dependsOn("sub/m.obj"));
  put("m.obj", TETRAHEDRON("1"));
  CHECK_NEAR(load(), 1, 1e-12);
  CHECK(dependsOn("m.obj") && !dependsOn("sub/m.obj"));

  // both are below the folder of meshes
  put("main.xml", "<mujoco><compiler meshdir='as'/><include file='sub/part.xml'/></mujoco>");
  put("as/sub/m.obj", TETRAHEDRON("4"));
  CHECK_NEAR(load(), 4, 1e-12);
  CHECK(dependsOn("as/sub/m.obj"));
  put("as/m.obj", TETRAHEDRON("3"));
  CHECK_NEAR(load(), 3, 1e-12);
  removeFolder();
}

TEST(included_documents_that_include_others_keep_their_folders) {
  makeFolder();
  put("main.xml", "<mujoco><include file='sub/part.xml'/></mujoco>");
  put("sub/part.xml", "<mujoco><include file='deep/part.xml'/></mujoco>");
  put("sub/deep/part.xml",
      "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  put("sub/deep/m.obj", TETRAHEDRON("5"));
  CHECK_NEAR(load(), 5, 1e-12);
  CHECK(dependsOn("sub/deep/part.xml") && dependsOn("sub/deep/m.obj"));
  removeFolder();
}

TEST(models_are_found_beside_an_included_document) {
  makeFolder();
  put("main.xml",
      "<mujoco><include file='sub/part.xml'/><worldbody><attach model='p' body='b' prefix='x_'/></worldbody></mujoco>");
  put("sub/part.xml", "<mujoco><asset><model name='p' file='deep/part.xml'/></asset></mujoco>");
  put("sub/deep/part.xml",
      "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  put("sub/deep/m.obj", TETRAHEDRON("6"));
  CHECK_NEAR(load(), 6, 1e-12);
  CHECK(dependsOn("sub/deep/part.xml") && dependsOn("sub/deep/m.obj"));
  removeFolder();
}

TEST(an_asset_known_by_its_file_has_that_name_with_a_prefix_when_it_is_attached) {
  makeFolder();
  put("main.xml",
      "<mujoco><asset><model name='p' file='sub/part.xml'/></asset><worldbody><attach model='p' body='b' "
      "prefix='x_'/></worldbody></mujoco>");
  put("sub/part.xml", "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  put("sub/m.obj", TETRAHEDRON("7"));
  char error[500] = "";
  mjModel* m = mj_loadXML(in("main.xml"), NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  if (m) CHECK_TEXT(mj_id2name(m, mjOBJ_MESH, 0), "x_m");
  mj_deleteModel(m);
  removeFolder();
}

TEST(a_content_type_may_have_parameters_and_capitals) {
  static const char* const types[] = {"model/obj", "model/obj; charset=utf-8", "Model/OBJ", "model/obj;x=y"};
  makeFolder();
  put("m.dat", TETRAHEDRON("8"));
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh file='m.dat' content_type='%s'/></asset><worldbody>" MESH_BODY(
                 "m") "</worldbody></mujoco>",
             types[i]);
    put("main.xml", text);
    CHECK_NEAR(load(), 8, 1e-12);
  }
  put("main.xml", "<mujoco><asset><mesh file='m.dat' content_type='model/objx'/></asset></mujoco>");
  char error[500] = "";
  CHECK(!mj_loadXML(in("main.xml"), NULL, error, sizeof error));
  CHECK_TEXT(error, "the format of mesh file 'm.dat' is not known");
  removeFolder();
}
