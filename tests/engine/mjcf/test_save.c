// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The functions that save: results, buffers, files, the last model.

#include <unistd.h>

#include "support/saved.h"

static const char* const one =
    "<mujoco model='one'><worldbody><body name='b'><joint range='-10 10'/>"
    "<geom name='g' size='1'/></body></worldbody></mujoco>";

static mjModel* loadText(const char* name, const char* xml, char* error, int nerror) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, name, xml, (int)strlen(xml));
  mjModel* m = mj_loadXML(name, &vfs, error, nerror);
  mj_deleteVFS(&vfs);
  return m;
}

// file in the folder for temporary files, one per process
static const char* tempFile(void) {
  static char path[200];
  snprintf(path, sizeof path, "/tmp/sheaf_test_save_%d.xml", (int)getpid());
  return path;
}

static char* content(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = calloc(1, 1 << 16);
  size_t n = fread(text, 1, (1 << 16) - 1, file);
  text[n] = 0;
  fclose(file);
  return text;
}

TEST(only_what_is_compiled_can_be_saved) {
  char error[200], text[4000];
  mjSpec* s = mj_makeSpec();
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), -1);
  CHECK_TEXT(error, "only a compiled specification can be written");
  CHECK_EQ(mj_saveXML(s, tempFile(), NULL, 0), -1);

  mjModel* m = mj_compile(s, NULL);
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, NULL, 0), 0);
  mj_deleteModel(m);

  // a copy is not compiled, and neither is what failed to compile since
  mjSpec* copy = mj_copySpec(s);
  CHECK_EQ(mj_saveXMLString(copy, text, sizeof text, NULL, 0), -1);
  mj_deleteSpec(copy);
  mjs_addGeom(mjs_findBody(s, "world"), NULL);
  CHECK(!mj_compile(s, NULL));
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, NULL, 0), -1);
  mj_deleteSpec(s);
}

TEST(no_specification_and_one_with_another_structure_are_errors) {
  char error[500] = "", text[2000];
  CHECK_EQ(mj_saveXMLString(NULL, text, sizeof text, error, sizeof error), -1);
  CHECK_TEXT(error, "there is no specification");
  CHECK_EQ(mj_saveXML(NULL, "nothing.xml", error, sizeof error), -1);

  // 3.4.0 saves what was never compiled; 4.0.0 refuses
  mjSpec* s =
      mj_parseXMLString("<mujoco><worldbody><geom name='a' size='1'/><geom name='b' size='1'/></worldbody></mujoco>",
                        NULL, error, sizeof error);
  CHECK(s);
  for (int deleted = 0; deleted < 2; deleted++) {
    mj_deleteModel(mj_compile(s, NULL));
    CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), 0);
    if (deleted) CHECK_EQ(mjs_delete(s, mjs_findElement(s, mjOBJ_GEOM, "b")), 0);
    else mjs_addGeom(mjs_findBody(s, "world"), NULL)->size[0] = 1;
    CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), -1);
    CHECK_TEXT(error, "it must be compiled again");
  }
  mj_deleteSpec(s);
}

TEST(a_buffer_gets_all_or_nothing) {
  mjSpec* s = saved_compile("<mujoco/>", NULL);
  char text[1000], error[200];
  int size = mj_saveXMLString(s, NULL, 0, error, sizeof error);
  CHECK(size > 0);
  CHECK_TEXT(error, "the buffer is too small");

  text[0] = 'x';
  CHECK_EQ(mj_saveXMLString(s, text, size, error, sizeof error), size);
  CHECK_EQ(text[0], 'x');
  CHECK_EQ(mj_saveXMLString(s, text, size + 1, error, sizeof error), 0);
  CHECK_EQ((int)strlen(text), size);
  CHECK_EQ(error[0], 0);
  mj_deleteSpec(s);
}

TEST(a_material_may_have_a_list_of_textures_of_any_length) {
  char text[4000], error[500];
  mjSpec* s = mj_parseXMLString(
      "<mujoco><default><material><layer role='rgb' texture='t'/><layer role='normal' "
      "texture='t'/></material></default>"
      "<asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/><material name='m'/></asset></mujoco>",
      NULL, error, sizeof error);
  CHECK(s);
  mjsMaterial* material = mjs_asMaterial(mjs_firstElement(s, mjOBJ_MATERIAL));

  // shorter than that of its class: no document says this, and nothing behind the end is read
  mjs_setStringVec(material->textures, "t");
  mj_deleteModel(mj_compile(s, NULL));
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), -1);
  CHECK_TEXT(error, "material 'm': a texture of the default class cannot be taken back");

  // the role of programs has no word, and neither has what follows the last role
  for (int i = 0; i <= mjNTEXROLE; i++) mjs_appendString(material->textures, i == mjTEXROLE_NORMAL - 1 ? "t" : "");
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "t");
  mj_deleteModel(mj_compile(s, NULL));
  CHECK_EQ(mj_saveXMLString(s, text, sizeof text, error, sizeof error), 0);
  CHECK_TEXT(text, "<material name=\"m\"/>");
  mj_deleteSpec(s);
}

TEST(a_file_gets_the_same_text) {
  mjSpec* s = saved_compile(one, NULL);
  char error[200];
  CHECK_EQ(mj_saveXML(s, tempFile(), error, sizeof error), 0);
  char *text = saved_spec(s), *file = content(tempFile());
  CHECK(text && file && !strcmp(text, file));
  CHECK_EQ(mj_saveXML(s, "/nonexistent/folder/x.xml", error, sizeof error), -1);
  CHECK_TEXT(error, "/nonexistent/folder/x.xml: cannot write");
  CHECK_EQ(mj_saveXML(s, NULL, error, sizeof error), -1);
  CHECK_TEXT(error, "no file name");
  free(text);
  free(file);
  remove(tempFile());
  mj_deleteSpec(s);
}

TEST(the_last_model_is_saved_with_the_numbers_of_a_model) {
  char error[300];
  mj_freeLastXML();
  CHECK_EQ(mj_saveLastXML(tempFile(), NULL, error, sizeof error), 0);
  CHECK_TEXT(error, "no model was loaded from XML");

  mjModel* m = loadText("one.xml", one, error, sizeof error);
  if (!m) return;
  m->opt.timestep = 0.25;
  m->jnt_range[0] = -0.125;
  m->geom_rgba[0] = 0.75f;
  CHECK_EQ(mj_saveLastXML(tempFile(), m, error, sizeof error), 1);
  char* text = content(tempFile());
  CHECK_TEXT(text, "timestep=\"0.25\"");
  CHECK_TEXT(text, "<joint range=\"-0.125 0.17453292519943295\"/>");
  CHECK_TEXT(text, "rgba=\"0.75 0.5 0.5 1\"");
  free(text);

  // without a model, as it is by now; what failed to load does not take its place
  CHECK(!loadText("bad.xml", "<mujoco><wrong/></mujoco>", error, sizeof error));
  CHECK(!loadText("bad.xml", "<mujoco><worldbody><geom/></worldbody></mujoco>", error, sizeof error));
  CHECK_EQ(mj_saveLastXML(tempFile(), NULL, error, sizeof error), 1);
  text = content(tempFile());
  CHECK_TEXT(text, "mujoco model=\"one\"");
  CHECK_TEXT(text, "timestep=\"0.25\"");
  free(text);

  CHECK_EQ(mj_saveLastXML("/nonexistent/folder/x.xml", m, error, sizeof error), 0);
  CHECK_TEXT(error, "cannot write");
  mj_freeLastXML();
  CHECK_EQ(mj_saveLastXML(tempFile(), m, error, sizeof error), 0);
  remove(tempFile());
  mj_deleteModel(m);
}

TEST(edits_show_once_they_are_compiled) {
  mjModel* m;
  mjSpec* s = saved_compile(one, &m);
  mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"))->pos[0] = 5;
  char* before = saved_spec(s);
  CHECK(before && !strstr(before, "pos"));
  mj_deleteModel(m);
  m = mj_compile(s, NULL);
  char* after = saved_spec(s);
  CHECK_TEXT(after, "<geom name=\"g\" pos=\"5 0 0\" size=\"1\"/>");
  saved_rounds(s, m);
  free(before);
  free(after);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
