// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attaching by reference: asked of MuJoCo 3.4.0.

#include <string.h>

#include "support/test.h"

static const char* host =
    "<mujoco model='host'><worldbody><frame name='f' pos='1 0 0'/><frame name='g' pos='2 0 0'/>"
    "<body name='b'><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>";

static const char* guest =
    "<mujoco model='guest'><default><default class='k'><geom size='.3'/></default></default>"
    "<worldbody><body name='a' childclass='k'><joint name='ja'/><geom name='ga'/><site name='s'/>"
    "<body name='c' pos='0 0 1'><joint name='jc' axis='1 0 0'/><geom name='gc'/><site name='t'/>"
    "</body></body><body name='d'><joint name='jd'/><geom size='.1'/></body></worldbody>"
    "<tendon><spatial name='rope'><site site='s'/><site site='t'/></spatial></tendon>"
    "<actuator><motor name='m' joint='ja'/></actuator>"
    "<sensor><tendonpos name='r' tendon='rope'/></sensor>"
    "<keyframe><key name='k' qpos='.1 .2 .3'/></keyframe></mujoco>";

typedef struct {
  mjSpec *host, *guest;
  mjsBody* body;
} Pair;

static Pair parse(void) {
  Pair p = {.host = mj_parseXMLString(host, NULL, NULL, 0), .guest = mj_parseXMLString(guest, NULL, NULL, 0)};
  p.body = mjs_findBody(p.guest, "a");
  return p;
}

static mjsElement* attach(Pair p, const char* frame, const char* prefix) {
  return mjs_attach(mjs_findFrame(p.host, frame)->element, p.body->element, prefix, "");
}

static void release(Pair p) {
  mj_deleteSpec(p.host);
  mj_deleteSpec(p.guest);
}

TEST(attached_elements_are_the_ones_that_the_user_has) {
  Pair p = parse();
  mjsActuator* motor = mjs_asActuator(mjs_findElement(p.guest, mjOBJ_ACTUATOR, "m"));
  mjsTendon* rope = mjs_asTendon(mjs_findElement(p.guest, mjOBJ_TENDON, "rope"));
  static int value;
  mjs_setUserValue(p.body->element, "key", &value);

  CHECK_EQ(attach(p, "f", "x_"), p.body->element);
  CHECK_EQ(mjs_getSpec(p.body->element), p.host);
  CHECK_EQ(mjs_findBody(p.host, "x_a"), p.body);
  CHECK_EQ(mjs_getParent(p.body->element), mjs_findBody(p.host, "world"));
  CHECK_EQ(mjs_getFrame(p.body->element), mjs_findFrame(p.host, "f"));
  CHECK_EQ(mjs_getUserValue(p.body->element, "key"), &value);
  CHECK_EQ(mjs_findElement(p.host, mjOBJ_ACTUATOR, "x_m"), motor->element);
  CHECK_EQ(mjs_findElement(p.host, mjOBJ_TENDON, "x_rope"), rope->element);
  CHECK_EQ(mjs_getSpec(mjs_getWrap(rope, 1)->element), p.host);
  CHECK_EQ(mjs_getWrapTarget(mjs_getWrap(rope, 1)), mjs_findElement(p.host, mjOBJ_SITE, "x_t"));
  CHECK_EQ(mjs_findSpec(p.host, "guest"), p.guest);

  // changes go where the element is
  p.body->pos[0] = 4;
  motor->gear[0] = 7;
  mjs_addGeom(p.body, NULL)->size[0] = 0.7;
  mjModel* m = mj_compile(p.host, NULL);
  CHECK(m != NULL);
  if (m) {
    CHECK_EQ(m->nbody, 4);
    CHECK_EQ(m->ngeom, 4);
    CHECK_EQ(m->body_pos[3 * mj_name2id(m, mjOBJ_BODY, "x_a")], 5);
    CHECK_EQ(m->actuator_gear[0], 7);
    CHECK_EQ(m->ntendon, 1);
    CHECK_EQ(m->nsensor, 1);
    CHECK_EQ(m->key_qpos[mj_name2id(m, mjOBJ_KEY, "x_k") * 3 + 1], 0.1);
  }
  mj_deleteModel(m);
  release(p);
}

TEST(a_specification_of_which_a_part_was_taken_cannot_be_compiled) {
  Pair p = parse();
  attach(p, "f", "x_");
  CHECK(mj_compile(p.guest, NULL) == NULL);
  CHECK_TEXT(mjs_getError(p.guest), "belongs to another");

  // it still has copies, and can be a source again
  CHECK(mjs_findBody(p.guest, "a") != p.body);
  p.body = mjs_findBody(p.guest, "a");
  CHECK(attach(p, "g", "y_") != NULL);
  mjModel* m = mj_compile(p.host, NULL);
  CHECK(m && m->nbody == 6 && m->nu == 2);
  mj_deleteModel(m);
  release(p);
}

TEST(deep_copies_leave_the_source_alone) {
  Pair p = parse();
  mjs_setDeepCopy(p.host, 1);
  mjsElement* copy = attach(p, "f", "x_");
  CHECK(copy != p.body->element);
  p.body->pos[0] = 4;
  mjModel *m = mj_compile(p.host, NULL), *own = mj_compile(p.guest, NULL);
  CHECK(m && m->body_pos[3 * mj_name2id(m, mjOBJ_BODY, "x_a")] == 1);
  CHECK(own && own->body_pos[3 * mj_name2id(own, mjOBJ_BODY, "a")] == 4);
  mj_deleteModel(m);
  mj_deleteModel(own);
  release(p);
}

TEST(either_specification_may_be_deleted_first) {
  Pair p = parse();
  attach(p, "f", "x_");
  mj_deleteSpec(p.guest);
  CHECK(!mjs_findSpec(p.host, "guest"));
  p.body->pos[0] = 2;
  mjModel* m = mj_compile(p.host, NULL);
  CHECK(m && m->nbody == 4);
  mj_deleteModel(m);
  mj_deleteSpec(p.host);

  p = parse();
  attach(p, "f", "x_");
  mj_deleteSpec(p.host);
  CHECK(mjs_findBody(p.guest, "c") != NULL);
  mj_deleteSpec(p.guest);
}

TEST(what_was_taken_can_be_deleted_and_copied) {
  Pair p = parse();
  attach(p, "f", "x_");
  mjSpec* copy = mj_copySpec(p.host);
  mjs_delete(p.host, p.body->element);
  mjModel *m = mj_compile(p.host, NULL), *full = mj_compile(copy, NULL);
  CHECK(m && m->nbody == 2 && m->nu == 0 && m->ntendon == 0);
  CHECK(full && full->nbody == 4 && full->nu == 1);
  mj_deleteModel(m);
  mj_deleteModel(full);
  mj_deleteSpec(copy);
  release(p);
}

// an attachment to a copy exchanges elements with the guest, not with what the host was copied from
TEST(attachment_to_a_copy_leaves_the_original_alone) {
  Pair p = parse();
  attach(p, "f", "x_");
  Pair copy = {.host = mj_copySpec(p.host), .guest = mj_parseXMLString(guest, NULL, NULL, 0)};
  copy.body = mjs_findBody(copy.guest, "a");
  CHECK(attach(copy, "g", "y_"));
  mjSpec* specs[2] = {p.host, copy.host};
  for (int i = 0; i < 2; i++) {
    mjsTendon* rope = mjs_asTendon(mjs_findElement(specs[i], mjOBJ_TENDON, "x_rope"));
    CHECK_EQ(mjs_getSpec(mjs_getWrap(rope, 0)->element), specs[i]);
    CHECK_EQ(mjs_getWrapTarget(mjs_getWrap(rope, 0)), mjs_findElement(specs[i], mjOBJ_SITE, "x_s"));
  }
  release(p);
  mjModel* m = mj_compile(copy.host, NULL);
  CHECK(m && m->ntendon == 2 && m->nwrap == 4);
  mj_deleteModel(m);
  release(copy);
}

TEST(state_is_kept_when_something_is_attached) {
  Pair p = parse();
  mjModel* m = mj_compile(p.host, NULL);
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.4;
  attach(p, "f", "x_");
  CHECK_EQ(mj_recompile(p.host, NULL, m, d), 0);
  CHECK_EQ(m->nq, 3);
  CHECK_EQ(d->qpos[0], 0.4);
  CHECK_EQ(d->qpos[1], 0);
  mj_deleteData(d);
  mj_deleteModel(m);
  release(p);
}
