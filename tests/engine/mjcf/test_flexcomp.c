// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Where the vertices of a flexcomp are that stands in a frame, in a replica or in a model that is attached.
// The reference takes no account of a frame, and copies no flex; so a flexcomp with the same pose of its own is
// compared.

#include <stdio.h>
#include <string.h>

#include "support/test.h"

#define GRID "<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01' dim='2' material='m'"
#define CUBE \
  "<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' radius='.01' dim='3' dof='trilinear' material='m'"
#define PINNED "><contact selfcollide='none'/><pin id='0 2'/></flexcomp>"
#define BODY "<body name='p' pos='1 2 3' euler='40 50 60'><joint/><geom size='.1'/>"

static mjModel* compile(const char* world) {
  char text[4000], error[500] = "";
  snprintf(text, sizeof text, "<mujoco><asset><material name='m'/></asset><worldbody>%s</worldbody></mujoco>", world);
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (spec) CHECK_TEXT(mjs_getError(spec), "");
  mj_deleteSpec(spec);
  CHECK(m);
  return m;
}

// places of all vertices after a turn of the first joint
static int vertices(const mjModel* m, double* out) {
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.3;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  const int n = m->nflexvert;
  mju_copy(out, d->flexvert_xpos, 3 * n);
  mj_deleteData(d);
  return n;
}

static void same(const char* world, const char* other) {
  double x[300], y[300];
  mjModel *a = compile(world), *b = compile(other);
  if (a && b) {
    const int n = vertices(a, x);
    CHECK_EQ(vertices(b, y), n);
    CHECK_ARRAY(x, y, 3 * n, 1e-14);
    CHECK_ARRAY(a->flex_vert0, b->flex_vert0, 3 * n, 1e-14);
    CHECK_EQ(a->nv, b->nv);
  }
  mj_deleteModel(a);
  mj_deleteModel(b);
}

TEST(what_stays_with_the_body_is_where_the_frame_is) {
#define FRAMED(flexcomp) BODY "<frame pos='.1 0 0'><frame euler='0 0 90'>" flexcomp "</frame></frame></body>"
#define POSED(flexcomp, rest) BODY flexcomp " pos='.1 0 0' euler='0 0 90'" rest "</body>"
  same(FRAMED(GRID PINNED), POSED(GRID, PINNED));
  same(FRAMED(GRID " rigid='true'/>"), POSED(GRID, " rigid='true'/>"));
  // nodes: where nothing is turned, as the box around the vertices is that of the axes of the world
#define STRAIGHT "<body name='p' pos='1 2 3'><joint/><geom size='.1'/>"
  same(STRAIGHT "<frame pos='.1 0 0'>" CUBE PINNED "</frame></body>", STRAIGHT CUBE " pos='.1 0 0'" PINNED "</body>");
}

TEST(replicas_have_flexes_of_their_own) {
#define REPLICATED(flexcomp) \
  "<replicate count='2' offset='1 0 0'><body name='p'><joint/><geom size='.1'/>" flexcomp "</body></replicate>"
  mjModel* m = compile(REPLICATED(GRID "><pin id='0'/><edge equality='true'/></flexcomp>"));
  CHECK_EQ(m->nflex, 2);
  CHECK_EQ(m->neq, 2);
  CHECK_EQ(m->eq_obj1id[1], 1);
  CHECK_EQ(m->flex_matid[1], 0);
  CHECK_TEXT(mj_id2name(m, mjOBJ_FLEX, 0), "f0");
  CHECK_TEXT(mj_id2name(m, mjOBJ_FLEX, 1), "f1");
  CHECK_EQ(m->flex_vertbodyid[0], mj_name2id(m, mjOBJ_BODY, "p0"));
  CHECK_EQ(m->flex_vertbodyid[9], mj_name2id(m, mjOBJ_BODY, "p1"));
  CHECK_EQ(m->flex_vertbodyid[10], mj_name2id(m, mjOBJ_BODY, "f_11"));
  mj_deleteModel(m);

  // with what stays in the world: each in its replica
  m = compile("<replicate count='3' offset='0 0 1' euler='0 0 90'>" GRID PINNED "</replicate>");
  CHECK_EQ(m->nflex, 3);
  CHECK_EQ(m->nv, 3 * 3 * 7);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  CHECK_NEAR(d->flexvert_xpos[0], -0.1, 1e-15);
  CHECK_NEAR(d->flexvert_xpos[3 * 9 + 2], 1, 1e-15);  // the second is a meter higher, and turned
  CHECK_NEAR(d->flexvert_xpos[3 * 9], 0.1, 1e-15);
  CHECK_NEAR(d->flexvert_xpos[3 * 18 + 1], 0.1, 1e-15);  // the third by half a turn
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int noState(const mjModel* m, int instance) { return 0; }

static int start(const mjModel* m, mjData* d, int instance) { return 0; }

static void doNothing(const mjModel* m, mjData* d, int instance, int capability) {}

// the reference gives all bodies that it makes for a flexcomp one instance, and those that carry it none
TEST(bodies_of_a_flexcomp_have_its_plugin) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.flexcomp";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.init = start;
  plugin.compute = doNothing;
  mjp_registerPlugin(&plugin);
  static const char* const uses[] = {"plugin='test.flexcomp'", "instance='c'"};
  static const char* const shapes[] = {"<pin id='0 1'/>", "<pin id='0 2'/>"};
  for (int i = 0; i < 4; i++) {
    char text[2000], error[500] = "";
    snprintf(text, sizeof text,
             "<mujoco><extension><plugin plugin='test.flexcomp'><instance name='c'/></plugin></extension>"
             "<asset><material name='m'/></asset><worldbody>" BODY
             "%s><contact selfcollide='none'/>%s<plugin %s/>"
             "</flexcomp></body></worldbody></mujoco>",
             i % 2 ? CUBE : GRID, shapes[i % 2], uses[i / 2]);
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof error);
    CHECK_TEXT(error, "");
    mjModel* m = mj_compile(spec, NULL);
    CHECK_EQ(m->nplugin, i < 2 ? 2 : 1);
    CHECK(m->nbody == (i % 2 ? 8 : 9));
    for (int b = 0; b < m->nbody; b++) {
      const int has = i % 2 ? b == 1 : b > 1;  // with nodes the body around them has it
      CHECK_EQ(m->body_plugin[b], has ? m->nplugin - 1 : -1);
    }
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

// asked of MuJoCo 3.4.0
TEST(edges_take_nothing_from_classes_and_a_line_lies_along_x) {
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><default><equality solref='.03 .9' solimp='.8 .9 .01'/></default><worldbody><body name='b'>"
      "<flexcomp name='f' type='grid' dim='1' count='4 3 2' spacing='.1 .1 .1' radius='.01'>"
      "<edge equality='true' solref='.04 1'/></flexcomp></body></worldbody></mujoco>",
      NULL, NULL, 0);
  mjModel* m = mj_compile(spec, NULL);
  CHECK(m && m->nflexvert == 4 && m->nflexelem == 3 && m->neq == 1);
  if (m) {
    CHECK_ARRAY(m->eq_solref, ((mjtNum[]){.04, 1}), 2, 0);
    CHECK_ARRAY(m->eq_solimp, ((mjtNum[]){.9, .95, .001, .5, 2}), 5, 0);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}
