// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/check.h"

static const char* const XML =
    "<mujoco model='pole'><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "  <body name='cart'><joint name='slide' type='slide'/><geom name='box' type='box' size='.1 .2 .3'/>"
    "    <body name='pole'><joint name='hinge' axis='0 1 0'/><geom type='capsule' size='.1 .2'/></body></body>"
    "</worldbody><actuator><motor name='push' joint='slide'/></actuator>"
    "<sensor><jointpos name='angle' joint='hinge'/></sensor></mujoco>";

TEST(names_and_ids) {
  mjModel* m = test_model(XML);
  if (!m) return;
  CHECK_EQ(mj_name2id(m, mjOBJ_BODY, "pole"), 2);
  CHECK_EQ(mj_name2id(m, mjOBJ_XBODY, "pole"), 2);
  CHECK_EQ(mj_name2id(m, mjOBJ_GEOM, "pole"), -1);
  CHECK_EQ(mj_name2id(m, mjOBJ_SENSOR, "angle"), 0);
  CHECK_EQ(mj_name2id(m, mjOBJ_DOF, "slide"), -1);
  CHECK_EQ(mj_name2id(m, mjOBJ_JOINT, ""), -1);
  CHECK_TEXT(mj_id2name(m, mjOBJ_ACTUATOR, 0), "push");
  CHECK(!mj_id2name(m, mjOBJ_GEOM, 2));  // it has no name
  CHECK(!mj_id2name(m, mjOBJ_GEOM, 3) && !mj_id2name(m, mjOBJ_GEOM, -1));
  mj_deleteModel(m);
}

static char lastWarning[300];

static void keepWarning(const char* text) { strncpy(lastWarning, text, sizeof lastWarning - 1); }

static jmp_buf back;

static void leave(const char* text) {
  (void)text;
  longjmp(back, 1);
}

static int saveFails(const mjModel* m, void* data, int size) {
  mju_user_error = leave;
  int left = setjmp(back);
  if (!left) mj_saveModel(m, NULL, data, size);
  mju_user_error = NULL;
  return left;
}

// load from memory; the warning is kept
static mjModel* load(const void* data, int size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", data, size);
  lastWarning[0] = 0;
  mju_user_warning = keepWarning;
  mjModel* m = mj_loadModel("m.mjb", &vfs);
  mju_user_warning = NULL;
  mj_deleteVFS(&vfs);
  return m;
}

// what loads again from the model's bytes, and saves to the same bytes; NULL if it is refused
static mjModel* roundTrip(const mjModel* m) {
  int size = (int)mj_sizeModel(m);
  char *data = malloc((size_t)size), *again = malloc((size_t)size);
  mj_saveModel(m, NULL, data, size);
  mjModel* loaded = load(data, size);
  if (!loaded) test_check(0, __FILE__, __LINE__, lastWarning);
  if (loaded) {
    mj_saveModel(loaded, NULL, again, size);
    CHECK_EQ(memcmp(data, again, (size_t)size), 0);
  }
  free(again);
  free(data);
  return loaded;
}

TEST(save_and_load) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjModel* loaded = roundTrip(m);
  if (loaded) {
    CHECK_EQ(mj_name2id(loaded, mjOBJ_BODY, "pole"), 2);
    CHECK_ARRAY(loaded->body_inertia, m->body_inertia, 3 * m->nbody, 0);
    CHECK_EQ(memcmp(&loaded->opt, &m->opt, sizeof m->opt), 0);
  }
  mj_deleteModel(loaded);
  mj_deleteModel(m);
}

// ball joints in a fixed tendon, paths around geoms with a side and without, cameras and lights that look at nothing
TEST(models_with_uncommon_links_save_and_load) {
  mjModel* m = test_model(
      "<mujoco><worldbody><camera mode='targetbodycom'/><camera mode='targetbody'/><camera mode='targetbody' "
      "target='b'/><light mode='targetbody'/><light mode='targetbodycom' target='b'/><site name='s'/>"
      "<geom name='ball' size='.1'/><geom name='rod' type='cylinder' size='.1 .1'/>"
      "<body name='b' pos='0 0 1'><joint name='j' type='ball'/><joint name='k' type='slide'/><geom size='.1'/>"
      "<site name='t'/></body></worldbody><tendon><fixed><joint joint='k' coef='1'/><joint joint='j' coef='2'/></fixed>"
      "<spatial><site site='s'/><geom geom='ball' sidesite='s'/><site site='t'/><geom geom='rod'/><site site='s'/>"
      "<pulley divisor='2'/><site site='s'/><site site='t'/></spatial></tendon></mujoco>");
  if (!m) return;
  CHECK(m->cam_targetbodyid[0] == -1 && m->cam_targetbodyid[1] == -1 && m->light_targetbodyid[0] == -1);
  CHECK_EQ(m->jnt_type[m->wrap_objid[1]], mjJNT_BALL);
  mjModel* loaded = roundTrip(m);
  if (loaded) {
    for (int i = 0; i < m->ncam; i++) CHECK_EQ(loaded->cam_targetbodyid[i], m->cam_targetbodyid[i]);
    for (int i = 0; i < m->nwrap; i++) CHECK_EQ(loaded->wrap_objid[i], m->wrap_objid[i]);
  }
  mj_deleteModel(loaded);
  mj_deleteModel(m);
}

TEST(save_to_a_file) {
  mjModel* m = test_model(XML);
  if (!m) return;
  char path[] = "/tmp/sheafXXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  close(fd);
  mj_saveModel(m, path, NULL, 0);
  mjModel* loaded = mj_loadModel(path, NULL);
  CHECK(loaded && loaded->nq == m->nq);
  mj_deleteModel(loaded);
  unlink(path);
  mj_deleteModel(m);
}

TEST(damaged_files_are_refused) {
  mjModel* m = test_model(XML);
  if (!m) return;
  int size = (int)mj_sizeModel(m);
  char* data = malloc((size_t)size);
  mj_saveModel(m, NULL, data, size);

  // cut, changed, foreign
  for (int n = 0; n < size; n += 97) CHECK(!load(data, n));
  for (int i = 0; i < size; i += 53) {
    data[i] ^= 0x40;
    CHECK(!load(data, size));
    data[i] ^= 0x40;
  }
  CHECK(!load("<mujoco/>", 9));
  CHECK_TEXT(lastWarning, "m.mjb");
  CHECK(!saveFails(m, data, size));
  CHECK(saveFails(m, data, size - 1) && saveFails(m, data, -1));
  free(data);
  mj_deleteModel(m);
}

TEST(check_finds_indices_out_of_range) {
  mjModel* m = test_model(XML);
  if (!m) return;
  CHECK(!mji_checkModel(m));
  m->geom_bodyid[1] = 3;
  CHECK_TEXT(mji_checkModel(m), "geom_bodyid");
  m->geom_bodyid[1] = 1;
  m->body_parentid[1] = 2;
  CHECK_TEXT(mji_checkModel(m), "body_parentid");
  m->body_parentid[1] = 0;
  m->actuator_trnid[0] = 2;
  CHECK_TEXT(mji_checkModel(m), "actuator_trnid");
  mj_deleteModel(m);
}

// nonzero if the file contains the text
static int contains(const char* path, const char* text) {
  static char data[100000];
  FILE* file = fopen(path, "rb");
  size_t n = file ? fread(data, 1, sizeof data - 1, file) : 0;
  data[n] = 0;
  if (file) fclose(file);
  return strstr(data, text) != NULL;
}

TEST(printing) {
  mjModel* m = test_model(XML);
  if (!m) return;
  mjData* d = mj_makeData(m);
  char path[] = "/tmp/sheafXXXXXX";
  close(mkstemp(path));
  d->qpos[1] = 0.123456;
  mj_printModel(m, path);
  CHECK(contains(path, "pole") && contains(path, "body_inertia") && contains(path, "timestep"));
  mj_printFormattedData(m, d, path, "%.4f");
  CHECK(contains(path, "qpos") && contains(path, " 0.1235"));

  // a format that is not for one number is not used
  mju_user_warning = keepWarning;
  mj_printFormattedData(m, d, path, "%s");
  mju_user_warning = NULL;
  CHECK_TEXT(lastWarning, "%s");
  unlink(path);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(printing_a_mesh_says_how_much_there_is) {
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='ball' builtin='sphere' params='4'/></asset><worldbody>"
      "<body><joint/><geom type='mesh' mesh='ball'/></body></worldbody></mujoco>");
  if (!m) return;
  char path[] = "/tmp/sheafXXXXXX";
  close(mkstemp(path));
  mj_printModel(m, path);
  char line[100];
  snprintf(line, sizeof line, "%-24s %d x 3 numbers", "mesh_vert", m->nmeshvert);
  CHECK(contains(path, line) && contains(path, "mesh_vertnum") && contains(path, "body_inertia"));
  FILE* file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  CHECK(ftell(file) < 40000);
  fclose(file);
  unlink(path);
  mj_deleteModel(m);
}
