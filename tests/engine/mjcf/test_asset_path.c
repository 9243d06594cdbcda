// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the files of assets are found, by what names assets are known that have none, and what their content types say.
// Expected: the same files in MuJoCo 3.4.0.

#include <sheaf/strings.h>
#include <stdio.h>
#include <string.h>

#include "support/folder.h"

#define TETRAHEDRON(x) "v 0 0 0\nv " x " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#define MESH_BODY(name) "<body name='b'><geom type='mesh' mesh='" name "'/></body>"

// six times the volume of the mesh, which says which file it was; 0 if the model cannot be loaded
static double load(void) {
  char error[500] = "";
  mjModel* m = mj_loadXML(folder_in("main.xml"), NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  double volume = m ? m->body_mass[1] * 6 / 1000 : 0;
  mj_deleteModel(m);
  return volume;
}

static int dependsOn(const char* name) {
  mjStringVec* found = sheaf_makeStrings();
  mju_getXMLDependencies(folder_in("main.xml"), found);
  int there = 0;
  for (int i = 0; i < sheaf_stringsSize(found); i++) there |= !strcmp(sheaf_stringsGet(found, i), folder_in(name));
  sheaf_deleteStrings(found);
  return there;
}

TEST(an_asset_of_an_included_document_lies_in_the_main_folder_or_beside_that_document) {
  folder_make();
  folder_put("main.xml", "<mujoco><include file='sub/part.xml'/></mujoco>");
  folder_put("sub/part.xml",
             "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  folder_put("sub/m.obj", TETRAHEDRON("2"));
  CHECK_NEAR(load(), 2, 1e-12);
  CHECK(dependsOn("sub/m.obj"));
  folder_put("m.obj", TETRAHEDRON("1"));
  CHECK_NEAR(load(), 1, 1e-12);
  CHECK(dependsOn("m.obj") && !dependsOn("sub/m.obj"));

  // both are below the folder of meshes
  folder_put("main.xml", "<mujoco><compiler meshdir='as'/><include file='sub/part.xml'/></mujoco>");
  folder_put("as/sub/m.obj", TETRAHEDRON("4"));
  CHECK_NEAR(load(), 4, 1e-12);
  CHECK(dependsOn("as/sub/m.obj"));
  folder_put("as/m.obj", TETRAHEDRON("3"));
  CHECK_NEAR(load(), 3, 1e-12);
  folder_remove();
}

TEST(included_documents_that_include_others_keep_their_folders) {
  folder_make();
  folder_put("main.xml", "<mujoco><include file='sub/part.xml'/></mujoco>");
  folder_put("sub/part.xml", "<mujoco><include file='deep/part.xml'/></mujoco>");
  folder_put("sub/deep/part.xml",
             "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  folder_put("sub/deep/m.obj", TETRAHEDRON("5"));
  CHECK_NEAR(load(), 5, 1e-12);
  CHECK(dependsOn("sub/deep/part.xml") && dependsOn("sub/deep/m.obj"));
  folder_remove();
}

TEST(models_are_found_beside_an_included_document) {
  folder_make();
  folder_put(
      "main.xml",
      "<mujoco><include file='sub/part.xml'/><worldbody><attach model='p' body='b' prefix='x_'/></worldbody></mujoco>");
  folder_put("sub/part.xml", "<mujoco><asset><model name='p' file='deep/part.xml'/></asset></mujoco>");
  folder_put("sub/deep/part.xml",
             "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  folder_put("sub/deep/m.obj", TETRAHEDRON("6"));
  CHECK_NEAR(load(), 6, 1e-12);
  CHECK(dependsOn("sub/deep/part.xml") && dependsOn("sub/deep/m.obj"));
  folder_remove();
}

TEST(an_asset_known_by_its_file_has_that_name_with_a_prefix_when_it_is_attached) {
  folder_make();
  folder_put("main.xml",
             "<mujoco><asset><model name='p' file='sub/part.xml'/></asset><worldbody><attach model='p' body='b' "
             "prefix='x_'/></worldbody></mujoco>");
  folder_put("sub/part.xml",
             "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>" MESH_BODY("m") "</worldbody></mujoco>");
  folder_put("sub/m.obj", TETRAHEDRON("7"));
  char error[500] = "";
  mjModel* m = mj_loadXML(folder_in("main.xml"), NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  if (m) CHECK_TEXT(mj_id2name(m, mjOBJ_MESH, 0), "x_m");
  mj_deleteModel(m);
  folder_remove();
}

TEST(a_content_type_may_have_parameters_and_capitals) {
  static const char* const types[] = {"model/obj", "model/obj; charset=utf-8", "Model/OBJ", "model/obj;x=y"};
  folder_make();
  folder_put("m.dat", TETRAHEDRON("8"));
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh file='m.dat' content_type='%s'/></asset><worldbody>" MESH_BODY(
                 "m") "</worldbody></mujoco>",
             types[i]);
    folder_put("main.xml", text);
    CHECK_NEAR(load(), 8, 1e-12);
  }
  folder_put("main.xml", "<mujoco><asset><mesh file='m.dat' content_type='model/objx'/></asset></mujoco>");
  char error[500] = "";
  CHECK(!mj_loadXML(folder_in("main.xml"), NULL, error, sizeof error));
  CHECK_TEXT(error, "the format of mesh file 'm.dat' is not known");
  folder_remove();
}
