// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_copyBack. What is copied, and when it fails: asked of MuJoCo 3.4.0, whose saved text shows it.

#include <string.h>

#include <mujoco/mjxmacro.h>

#include "compile/reals.h"
#include "spec/element.h"
#include "support/test.h"

static const char* rich =
    "<mujoco><size nuser_body='2' nuser_geom='2'/><asset>"
    "<mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='.2 .3 .4'/>"
    "<hfield name='hills' nrow='2' ncol='2' size='1 1 .2 .1' elevation='1 2 3 5'/>"
    "<material name='paint' rgba='.1 .2 .3 1'/></asset><worldbody><light/><camera name='c'/>"
    "<geom name='floor' type='plane' size='1 1 1'/><geom type='hfield' hfield='hills' pos='0 0 -3'/>"
    "<body name='a' pos='0 0 1' user='1 2'><freejoint/><geom name='mesh' type='mesh' mesh='tet'"
    " pos='.1 .2 .3' quat='.8 .6 0 0'/><site name='s'/>"
    "<body name='b' pos='.3 0 0'><joint name='h' ref='20' springref='10' range='-50 60'"
    " damping='.3' springdamper='.1 1'/><geom name='ball' size='.1'/><site name='t'/></body></body>"
    "<body name='m' mocap='true'/></worldbody><contact><pair geom1='floor' geom2='ball'/></contact>"
    "<equality><weld body1='a' body2='b'/></equality>"
    "<tendon><spatial name='r' range='0 2'><site site='s'/><site site='t'/></spatial></tendon>"
    "<actuator><position joint='h' kp='3' dampratio='1'/></actuator>"
    "<sensor><jointpos joint='h' cutoff='2' noise='.1'/></sensor>"
    "<custom><numeric name='n' data='1 2' size='3'/>"
    "<tuple name='u'><element objtype='body' objname='a' prm='.3'/></tuple></custom>"
    "<keyframe><key name='k' qvel='1 2 3 4 5 6 7'/></keyframe></mujoco>";

typedef struct {
  mjSpec* s;
  mjModel* m;
} Pair;

static Pair compileText(const char* xml) {
  char error[300] = "";
  Pair p = {mj_parseXMLString(xml, NULL, error, sizeof error), NULL};
  if (p.s) p.m = mj_compile(p.s, NULL);
  test_check(p.m != NULL, __FILE__, __LINE__, p.s ? mjs_getError(p.s) : error);
  return p;
}

static void freePair(Pair p) {
  mj_deleteModel(p.m);
  mj_deleteSpec(p.s);
}

// element of the compiled specification
static mjiElem* compiled(const mjSpec* s, mjtObj type, int id) {
  return mji_elem_at(mji_spec(s)->compiled->list + type, id);
}

static void shiftReals(mjModel* m) {
  enum { NUM, FLOAT, OTHER };
#define KIND(type) _Generic((type*)0, mjtNum * : NUM, float* : FLOAT, default : OTHER)
#define X(type, name, nr, nc)                                                           \
  for (size_t i = 0; i < (size_t)m->nr * (size_t)(nc); i++) {                           \
    if (KIND(type) == NUM) ((mjtNum*)(void*)m->name)[i] += 0.01 * (double)(1 + i % 7);  \
    if (KIND(type) == FLOAT) ((float*)(void*)m->name)[i] += 0.01f * (float)(1 + i % 7); \
  }
  MJMODEL_POINTERS_PREAMBLE(m)
  MJMODEL_POINTERS
#undef X
}

TEST(what_is_copied_back_packs_to_the_same_numbers) {
  Pair p = compileText(rich);
  if (!p.m) return;
  mjModel* again = mj_copyModel(NULL, p.m);
  shiftReals(p.m);
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  mji_reals_pack(again, mji_spec(p.s)->compiled);

#define SAME(array, n) CHECK_ARRAY(again->array, p.m->array, n, 0)
  SAME(body_pos, 3 * p.m->nbody);
  SAME(body_inertia, 3 * p.m->nbody);
  SAME(body_user, 2 * p.m->nbody);
  SAME(jnt_range, 2 * p.m->njnt);
  SAME(geom_size, 3 * p.m->ngeom);
  SAME(geom_friction, 3 * p.m->ngeom);
  SAME(geom_user, 2 * p.m->ngeom);
  SAME(site_quat, 4 * p.m->nsite);
  SAME(cam_fovy, p.m->ncam);
  SAME(light_dir, 3 * p.m->nlight);
  SAME(pair_friction, 5 * p.m->npair);
  SAME(eq_data, mjNEQDATA * p.m->neq);
  SAME(tendon_range, 2 * p.m->ntendon);
  SAME(actuator_biasprm, mjNBIAS * p.m->nu);
  SAME(sensor_noise, p.m->nsensor);
#undef SAME
  CHECK(!memcmp(again->mat_rgba, p.m->mat_rgba, 4 * sizeof(float)));
  CHECK(!memcmp(again->geom_rgba, p.m->geom_rgba, 4 * (size_t)p.m->ngeom * sizeof(float)));
  mj_deleteModel(again);
  freePair(p);
}

TEST(numbers_with_another_place_in_the_model_are_copied_back_too) {
  Pair p = compileText(rich);
  if (!p.m) return;
  shiftReals(p.m);
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);

  // joint 1: position 7, dof 6
  const mjsJoint* joint = &compiled(p.s, mjOBJ_JOINT, 1)->as.joint;
  CHECK_EQ(joint->ref, p.m->qpos0[7]);
  CHECK_EQ(joint->springref, p.m->qpos_spring[7]);
  CHECK_EQ(joint->damping, p.m->dof_damping[6]);
  CHECK_EQ(joint->armature, p.m->dof_armature[6]);

  int n;
  const double* data = mjs_getDouble(compiled(p.s, mjOBJ_NUMERIC, 0)->as.numeric.data, &n);
  CHECK_EQ(n, 3);
  CHECK_ARRAY(data, p.m->numeric_data, 3, 0);
  data = mjs_getDouble(compiled(p.s, mjOBJ_TUPLE, 0)->as.tuple.objprm, &n);
  CHECK_ARRAY(data, p.m->tuple_objprm, 1, 0);
  const mjsKey* key = &compiled(p.s, mjOBJ_KEY, 0)->as.key;
  CHECK_ARRAY(mjs_getDouble(key->qpos, &n), p.m->key_qpos, 8, 0);
  CHECK_EQ(n, 8);
  const mjiVec* heights = compiled(p.s, mjOBJ_HFIELD, 0)->as.hfield.userdata;
  CHECK(heights->num == 4 && !memcmp(heights->data, p.m->hfield_data, 4 * sizeof(float)));
  freePair(p);
}

TEST(some_numbers_are_not_copied_back) {
  Pair p = compileText(rich);
  if (!p.m) return;
  double gravcomp = compiled(p.s, mjOBJ_BODY, 1)->as.body.gravcomp;
  double range = compiled(p.s, mjOBJ_JOINT, 1)->as.joint.actfrcrange[0];
  shiftReals(p.m);
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  CHECK_EQ(compiled(p.s, mjOBJ_BODY, 1)->as.body.gravcomp, gravcomp);
  CHECK_EQ(compiled(p.s, mjOBJ_JOINT, 1)->as.joint.actfrcrange[0], range);
  CHECK_EQ(compiled(p.s, mjOBJ_TENDON, 0)->as.tendon.springlength[0], -1);
  CHECK_EQ(compiled(p.s, mjOBJ_HFIELD, 0)->as.hfield.size[0], 1);
  freePair(p);
}

TEST(settings_are_copied_back_and_statistics_if_they_changed) {
  Pair p = compileText(rich);
  if (!p.m) return;
  const mjSpec* w = &mji_spec(p.s)->compiled->pub;
  p.m->opt.timestep = 0.25;
  p.m->vis.map.znear = 0.5f;
  p.m->stat.extent += 1;
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  CHECK_EQ(w->option.timestep, 0.25);
  CHECK_EQ(w->visual.map.znear, 0.5f);
  CHECK_EQ(w->stat.extent, p.m->stat.extent);
  CHECK(isnan(w->stat.meanmass) && isnan(w->stat.center[0]));
  freePair(p);
}

TEST(the_users_elements_and_the_next_compilation_do_not_change) {
  Pair p = compileText(rich);
  if (!p.m) return;
  mjModel* before = mj_copyModel(NULL, p.m);
  shiftReals(p.m);
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  CHECK_EQ(mjs_findBody(p.s, "b")->pos[0], 0.3);
  mjModel* after = mj_compile(p.s, NULL);
  CHECK(after != NULL);
  CHECK(!memcmp(after->buffer, before->buffer, (size_t)before->nbuffer));
  mj_deleteModel(after);
  mj_deleteModel(before);
  freePair(p);
}

TEST(a_compiled_mesh_geom_is_in_the_frame_of_its_file) {
  Pair p = compileText(rich);
  if (!p.m) return;
  const double pos[3] = {0.1, 0.2, 0.3}, quat[4] = {0.8, 0.6, 0, 0};
  const mjsGeom* geom = mjs_asGeom(&compiled(p.s, mjOBJ_GEOM, 2)->head);
  CHECK_ARRAY(geom->pos, pos, 3, 1e-14);
  CHECK_ARRAY(geom->quat, quat, 4, 1e-14);

  // moved in the model, moved here
  p.m->geom_pos[6] += 0.5;
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  CHECK_NEAR(geom->pos[0], 0.6, 1e-14);
  freePair(p);
}

TEST(springs_given_by_time_constant_are_settled) {
  Pair p = compileText(rich);
  if (!p.m) return;
  const mjsJoint* joint = &compiled(p.s, mjOBJ_JOINT, 1)->as.joint;
  CHECK_EQ(joint->stiffness, p.m->jnt_stiffness[1]);
  CHECK_EQ(joint->damping, p.m->dof_damping[6]);
  CHECK_EQ(joint->springdamper[0], 0);
  CHECK_EQ(mjs_asJoint(mjs_findElement(p.s, mjOBJ_JOINT, "h"))->springdamper[0], 0.1);
  freePair(p);
}

TEST(copying_back_fails_without_a_matching_model) {
  Pair p = compileText(rich);
  if (!p.m) return;
  mjSpec* fresh = mj_parseXMLString(rich, NULL, NULL, 0);
  CHECK_EQ(mj_copyBack(fresh, p.m), 0);
  CHECK_TEXT(mjs_getError(fresh), "not been compiled");
  CHECK_EQ(mj_copyBack(p.s, NULL), 0);

  p.m->signature++;
  CHECK_EQ(mj_copyBack(p.s, p.m), 0);
  CHECK_TEXT(mjs_getError(p.s), "other elements");
  p.m->signature--;
  p.m->nwrap--;
  CHECK_EQ(mj_copyBack(p.s, p.m), 0);
  CHECK_TEXT(mjs_getError(p.s), "differs in size");
  p.m->nwrap++;
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);

  // names do not matter, elements do
  mjs_setName(mjs_findElement(p.s, mjOBJ_SITE, "s"), "other");
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);
  mjsElement* site = mjs_addSite(mjs_findBody(p.s, "b"), NULL)->element;
  CHECK_EQ(mj_copyBack(p.s, p.m), 0);
  mjs_delete(p.s, site);
  CHECK_EQ(mj_copyBack(p.s, p.m), 1);

  // the name is missed by the tendon now
  CHECK(mj_compile(p.s, NULL) == NULL);
  CHECK_EQ(mj_copyBack(p.s, p.m), 0);
  CHECK_TEXT(mjs_getError(p.s), "not been compiled");
  mj_deleteSpec(fresh);
  freePair(p);
}
