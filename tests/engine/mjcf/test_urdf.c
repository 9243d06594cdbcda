// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the reader of URDF makes of right documents. tests/reject/urdf.txt has the wrong ones, tests/golden the numbers
// of a whole robot, the live tests compare with the reference.

#define _GNU_SOURCE  // open_memstream
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static char error[1000];

static mjModel* load(const char* text) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  static const char tet[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  mj_addBufferVFS(&vfs, "robot.urdf", text, (int)strlen(text));
  mj_addBufferVFS(&vfs, "tet.obj", tet, (int)sizeof tet - 1);
  mj_addBufferVFS(&vfs, "meshes/tet.obj", tet, (int)sizeof tet - 1);
  error[0] = 0;
  mjModel* m = mj_loadXML("robot.urdf", &vfs, error, sizeof error);
  mj_deleteVFS(&vfs);
  if (!m) test_check(0, __FILE__, __LINE__, error);
  return m;
}

static const char* nameOf(const mjModel* m, mjtObj type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name ? name : "";
}

#define INERTIAL "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
#define JOINT(name, type, parent, child) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"

TEST(links_hang_on_each_other_in_the_order_of_joints) {
  mjModel* m = load(
      "<robot name='r'><mujoco><compiler fusestatic='false'/></mujoco><link name='d'/><link name='c'/><link name='b'/>"
      "<link name='a'/><link name='e'/>" JOINT("1", "fixed", "a", "b") "</joint>" JOINT(
          "2", "fixed", "a", "d") "</joint>" JOINT("3", "fixed", "b", "e") "</joint></robot>");
  if (!m) return;
  static const char* const names[] = {"world", "c", "a", "b", "e", "d"};
  static const int parents[] = {0, 0, 0, 2, 3, 2};
  CHECK_EQ(m->nbody, 6);
  for (int i = 0; i < m->nbody; i++) {
    CHECK_TEXT(nameOf(m, mjOBJ_BODY, i), names[i]);
    CHECK_EQ(m->body_parentid[i], parents[i]);
  }
  CHECK_TEXT(m->names, "r");
  mj_deleteModel(m);
}

TEST(joints_by_type) {
  mjModel* m = load("<robot><link name='world'/><link name='a'>" INERTIAL "</link><link name='b'>" INERTIAL "</link>"
                    "<link name='c'>" INERTIAL
                    "</link><link name='d'>" INERTIAL "</link><link name='e'>" INERTIAL "</link>"
                    "<link name='f'>" INERTIAL "</link>"
                    JOINT("revolute", "revolute", "world", "a") "<limit lower='-1' upper='2' effort='3'/></joint>"
                    JOINT("continuous", "continuous", "world", "b") "<axis xyz='0 0 2'/><limit upper='1'/></joint>"
                    JOINT("prismatic", "prismatic", "world", "c") "<dynamics damping='4' friction='5'/></joint>"
                    JOINT("spherical", "spherical", "world", "d") "</joint>"
                    JOINT("floating", "floating", "world", "e") "</joint>"
                    JOINT("planar", "planar", "world", "f")
                    "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/><dynamics damping='6'/></joint></robot>");
  if (!m) return;
  static const char* const names[] = {"revolute", "continuous", "prismatic", "spherical",
                                      "floating", "planar_TX",  "planar_TY", "planar_RZ"};
  static const int types[] = {mjJNT_HINGE, mjJNT_HINGE, mjJNT_SLIDE, mjJNT_BALL,
                              mjJNT_FREE,  mjJNT_SLIDE, mjJNT_SLIDE, mjJNT_HINGE};
  static const int limited[] = {1, 0, 0, 0, 0, 1, 0, 0};
  CHECK_EQ(m->njnt, 8);
  for (int i = 0; i < m->njnt; i++) {
    CHECK_TEXT(nameOf(m, mjOBJ_JOINT, i), names[i]);
    CHECK_EQ(m->jnt_type[i], types[i]);
    CHECK_EQ(m->jnt_limited[i], limited[i]);
  }
  CHECK_EQ(m->jnt_range[1], 2);
  CHECK_EQ(m->jnt_actfrcrange[0], -3);
  CHECK_EQ(m->jnt_axis[0], 1);
  CHECK_EQ(m->jnt_axis[5], 1);
  CHECK_EQ(m->dof_damping[2], 4);
  CHECK_EQ(m->dof_frictionloss[2], 5);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(m->jnt_axis[3 * (5 + i) + i], 1);
    CHECK_EQ(m->dof_damping[m->jnt_dofadr[5 + i]], 6);
  }
  mj_deleteModel(m);
}

TEST(what_is_touched_has_the_color_of_what_was_seen_before) {
  mjModel* m = load(
      "<robot><mujoco><compiler discardvisual='false'/></mujoco><material name='green'><color rgba='0 1 0 "
      "1'/></material>"
      "<link name='a'><collision><geometry><box size='1 2 3'/></geometry></collision>"
      "<visual name='seen'><geometry><sphere radius='1'/></geometry><material name='green'/></visual>"
      "<collision name='seen'><origin xyz='1 0 0' rpy='0 0 3.14159265358979'/><geometry><cylinder radius='1' "
      "length='4'/></geometry>"
      "</collision></link></robot>");
  if (!m) return;
  static const double size[] = {0.5, 1, 1.5, 1, 0, 0, 1, 2, 0};
  static const int touched[] = {1, 0, 1};
  static const float red[] = {0.5f, 0, 0};
  CHECK_EQ(m->ngeom, 3);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) CHECK_EQ(m->geom_size[3 * i + k], size[3 * i + k]);
    CHECK_EQ(m->geom_contype[i], touched[i]);
    CHECK_EQ(m->geom_group[i], !touched[i]);
    CHECK_NEAR(m->geom_rgba[4 * i], red[i], 0);
  }
  CHECK_TEXT(nameOf(m, mjOBJ_GEOM, 1), "seen");
  CHECK_EQ((int)strlen(nameOf(m, mjOBJ_GEOM, 2)), 0);
  CHECK_NEAR(m->geom_quat[11], 1, 1e-12);
  mj_deleteModel(m);
}

TEST(a_mesh_is_made_for_each_name_and_scale) {
  mjModel* m = load(
      "<robot><link name='a'>"
      "<collision><geometry><mesh filename='package://r/tet.obj'/></geometry></collision>"
      "<collision><geometry><mesh filename='other/tet.obj' scale='1 1 2'/></geometry></collision>"
      "<collision><geometry><mesh filename='tet.stl'/></geometry></collision>"
      "<collision><geometry><mesh filename='tet.obj' scale='1 1 2'/></geometry></collision>"
      "<collision><geometry><mesh filename='tet.obj' scale='3 1 1'/></geometry></collision></link></robot>");
  if (!m) return;
  // the fourth comes back to a scale, and gets the first mesh as in the reference
  static const int mesh[] = {0, 1, 0, 0, 2};
  CHECK_EQ(m->nmesh, 3);
  CHECK_TEXT(nameOf(m, mjOBJ_MESH, 0), "tet");
  CHECK_TEXT(nameOf(m, mjOBJ_MESH, 1), "tet1");
  CHECK_TEXT(nameOf(m, mjOBJ_MESH, 2), "tet2");
  for (int i = 0; i < m->ngeom; i++) CHECK_EQ(m->geom_dataid[i], mesh[i]);
  mj_deleteModel(m);
}

TEST(inertia_of_zero_says_nothing_and_the_world_may_have_one) {
  mjModel* m =
      load("<robot><mujoco><compiler boundinertia='0.5' settotalmass='8'/></mujoco><link name='world'>" INERTIAL
           "</link>"
           "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 3.14159265358979'/><mass value='2'/>"
           "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial></link>" JOINT(
               "j", "revolute", "world", "a") "</joint></robot>");
  if (!m) return;
  CHECK_EQ(m->nbody, 2);
  CHECK_EQ(m->body_mass[0], 1);
  CHECK_EQ(m->body_inertia[0], 1);
  CHECK_EQ(m->body_mass[1], 8);
  CHECK_EQ(m->body_inertia[3], 2);
  CHECK_EQ(m->body_ipos[5], 3);
  CHECK_NEAR(m->body_iquat[7], 1, 1e-12);
  CHECK_EQ(mj_getTotalmass(m), 8);
  mj_deleteModel(m);
}

TEST(what_is_read_is_written_as_mjcf) {
  mjModel* m = load(
      "<robot name='arm'><link name='a'><collision><geometry><mesh filename='tet.obj'/></geometry></collision></link>"
      "<link name='b'>" INERTIAL
      "</link>" JOINT("j", "revolute", "a", "b") "<limit lower='-1' upper='1'/></joint></robot>");
  if (!m) return;
  char path[] = "/tmp/sheaf_test_urdf_XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  CHECK(mj_saveLastXML(path, m, error, sizeof error));
  char text[4000] = "";
  FILE* file = fdopen(fd, "r");
  size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = 0;
  fclose(file);
  remove(path);
  CHECK_TEXT(text, "<mujoco model=\"arm\"");
  CHECK_TEXT(text, "file=\"tet.obj\"");
  CHECK_TEXT(text, "range=\"-1 1\"");
  mj_deleteModel(m);
}

// ---- limits

// n links, each on the one before
static char* chainOf(int n) {
  char* text = NULL;
  size_t size;
  FILE* out = open_memstream(&text, &size);
  fputs("<robot>", out);
  for (int i = 0; i < n; i++) fprintf(out, "<link name='%d'/>", i);
  for (int i = 1; i < n; i++)
    fprintf(out, "<joint name='j' type='fixed'><parent link='%d'/><child link='%d'/></joint>", i - 1, i);
  fputs("</robot>", out);
  fclose(out);
  return text;
}

TEST(a_chain_of_links_may_not_be_endless) {
  static const int lengths[] = {1023, 1024, 100000};
  for (int i = 0; i < 3; i++) {
    char* text = chainOf(lengths[i]);
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
    CHECK_EQ(spec != NULL, i == 0);
    if (i) CHECK_TEXT(error, "string:1: link: more than 1023 links hang on each other");
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    CHECK_EQ(m != NULL, i == 0);
    mj_deleteModel(m);
    if (spec) mj_deleteSpec(spec);
    free(text);
  }
}

// with a search through lists, this would take minutes
TEST(many_links_materials_and_meshes_are_read) {
  char* text = NULL;
  size_t size;
  FILE* out = open_memstream(&text, &size);
  int n = 50000;
  fputs("<robot><link name='all'/>", out);
  for (int i = 0; i < n; i++) {
    fprintf(out,
            "<link name='%d'><visual><material name='m%d'><color rgba='1 1 1 1'/></material></visual>"
            "<collision name='%d'><geometry><mesh filename='m.obj' scale='1 1 %d'/></geometry></collision></link>"
            "<joint name='%d' type='revolute'><parent link='all'/><child link='%d'/></joint>",
            i, i, i, i, i, i);
  }
  fputs("</robot>", out);
  fclose(out);
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
  CHECK(spec && mjs_findBody(spec, "49999"));
  if (spec) mj_deleteSpec(spec);
  free(text);
}
