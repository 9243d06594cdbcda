// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models of several files, in memory.

#include <stdio.h>
#include <string.h>

#include "support/test.h"

static char error[1000];

// load main.xml with up to three more files, name and text in turn
static mjModel* load(const char* main, const char* const* files) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "main.xml", main, (int)strlen(main));
  for (; *files; files += 2) mj_addBufferVFS(&vfs, files[0], files[1], (int)strlen(files[1]));
  error[0] = 0;
  mjModel* m = mj_loadXML("main.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  return m;
}

TEST(an_include_is_replaced_by_the_children_of_its_root) {
  const char* files[] = {"part.xml", "<mujocoinclude><geom size='2'/><geom size='3'/></mujocoinclude>", NULL};
  mjModel* m = load(
      "<mujoco><worldbody><geom size='1'/><include file='part.xml'/><geom size='4'/>"
      "</worldbody></mujoco>",
      files);
  CHECK(m);
  if (!m) return;
  double sizes[] = {1, 2, 3, 4};
  CHECK_EQ(m->ngeom, 4);
  for (int i = 0; i < 4; i++) CHECK_EQ(m->geom_size[3 * i], sizes[i]);
  mj_deleteModel(m);
}

// as in the reference under the name of the asset, whether attached or not, and in copies, too
TEST(models_among_the_assets_are_found_as_specifications) {
  const char *main =
                 "<mujoco><asset><model name='used' file='a.xml'/><model file='b.xml'/></asset><worldbody>"
                 "<attach model='used' body='k' prefix='x_'/></worldbody></mujoco>",
             *part = "<mujoco model='own'><worldbody><body name='k'><geom size='1'/></body></worldbody></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "main.xml", main, (int)strlen(main));
  mj_addBufferVFS(&vfs, "a.xml", part, (int)strlen(part));
  mj_addBufferVFS(&vfs, "b.xml", part, (int)strlen(part));
  mjSpec* s = mj_parseXML("main.xml", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  CHECK(s);
  mjSpec* copy = mj_copySpec(s);
  mjSpec* part1 = mjs_findSpec(copy, "used");
  CHECK(part1 && part1 != mjs_findSpec(s, "used") && mjs_findBody(part1, "k"));
  mj_deleteSpec(copy);
  CHECK(!mjs_findSpec(s, "a"));

  // one that was not attached yet
  mjSpec* part2 = mjs_findSpec(s, "own");
  CHECK(part2);
  mjsElement* place = mjs_addFrame(mjs_findBody(s, "world"), NULL)->element;
  if (part2) CHECK(mjs_attach(place, mjs_findBody(part2, "k")->element, "y_", ""));
  mjModel* m = mj_compile(s, NULL);
  CHECK(m && mj_name2id(m, mjOBJ_BODY, "y_k") > 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(included_files_include_others) {
  const char* files[] = {"a.xml", "<x><geom size='1'/><include file='b.xml'/></x>", "b.xml", "<x><geom size='2'/></x>",
                         NULL};
  mjModel* m = load("<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>", files);
  CHECK(m && m->ngeom == 2);
  mj_deleteModel(m);
}

TEST(an_error_in_an_included_file_names_it) {
  const char* read[] = {"part.xml", "<x>\n<geom size='z'/></x>", NULL};
  CHECK(!load("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>", read));
  CHECK_TEXT(error, "part.xml:2: geom: size: ");

  const char* compiled[] = {"part.xml", "<x>\n\n<geom type='box' size='1'/></x>", NULL};
  CHECK(!load("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>", compiled));
  CHECK_TEXT(error, "part.xml:3: geom");
}

TEST(includes_do_not_repeat_or_cycle) {
  const char* files[] = {"a.xml", "<x>\n<include file='b.xml'/></x>", "b.xml", "<x>\n\n<include file='a.xml'/></x>",
                         NULL};
  CHECK(!load("<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>", files));
  CHECK_TEXT(error, "b.xml:3: include: file 'a.xml' was included before");
  CHECK(!load("<mujoco><include file='none.xml'/></mujoco>", files));
  CHECK_TEXT(error, "main.xml:1: include: cannot open file 'none.xml'");
  CHECK(!load("<mujoco><include/></mujoco>", files));
  CHECK_TEXT(error, "include: file must be given");
}

TEST(depth_counts_through_includes) {
  // each file nests 200 deep and includes the next one inside
  char text[3][8000];
  const char* files[7] = {"f0.xml", text[0], "f1.xml", text[1], "f2.xml", text[2], NULL};
  for (int i = 0; i < 3; i++) {
    strcpy(text[i], "<x>");
    for (int k = 0; k < 200; k++) strcat(text[i], "<body>");
    if (i < 2) sprintf(text[i] + strlen(text[i]), "<include file='f%d.xml'/>", i + 1);
    for (int k = 0; k < 200; k++) strcat(text[i], "</body>");
    strcat(text[i], "</x>");
  }
  CHECK(!load("<mujoco><worldbody><include file='f0.xml'/></worldbody></mujoco>", files));
  CHECK_TEXT(error, "nested deeper than 498");
}

TEST(bodies_of_other_models_are_attached) {
  const char* files[] = {"arm.xml",
                         "<mujoco model='arm'><worldbody><body name='base' pos='0 0 1'><joint name='j'/>"
                         "<geom size='1'/></body></worldbody></mujoco>",
                         NULL};
  mjModel* m = load(
      "<mujoco><asset><model name='A' file='arm.xml'/></asset><worldbody>"
      "<frame pos='1 0 0'><attach model='A' body='base' prefix='left_'/></frame>"
      "<frame pos='2 0 0'><attach model='A' body='base' prefix='right_'/></frame>"
      "</worldbody></mujoco>",
      files);
  CHECK(m);
  if (!m) {
    printf("  %s\n", error);
    return;
  }
  CHECK_EQ(m->nbody, 3);
  CHECK_EQ(mj_name2id(m, mjOBJ_JOINT, "right_j"), 1);
  double pos[] = {1, 0, 1, 2, 0, 1};
  CHECK_ARRAY(m->body_pos + 3, pos, 6, 0);
  mj_deleteModel(m);
}

// numbers recorded from the reference
TEST(the_host_says_how_geoms_of_attached_models_fit_their_meshes) {
  static const mjtNum size[2][3] = {{.054513786217741764, .07408903336096333, .0948683312186997},
                                    {.0812478499502492, .1149018113132966, .14142135834465236}};
  for (int host = 0; host < 2; host++) {
    for (int guest = 0; guest < 2; guest++) {
      char arm[500], main[500];
      snprintf(
          arm, sizeof arm,
          "<mujoco><compiler fitaabb='%s'/><asset><mesh name='p' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .1 .2 0 .1 0 .2 .1 "
          ".1 .1 .2'/></asset><worldbody><body name='b'><geom type='box' mesh='p'/></body></worldbody></mujoco>",
          guest ? "true" : "false");
      snprintf(
          main, sizeof main,
          "<mujoco><compiler fitaabb='%s'/><asset><model name='A' file='arm.xml'/></asset><worldbody><frame><attach "
          "model='A' body='b' prefix='x_'/></frame></worldbody></mujoco>",
          host ? "true" : "false");
      const char* files[] = {"arm.xml", arm, NULL};
      mjModel* m = load(main, files);
      CHECK(m);
      if (m) CHECK_ARRAY(m->geom_size, size[host], 3, 1e-7);
      mj_deleteModel(m);
    }
  }
}
