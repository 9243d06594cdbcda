// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A small model with every joint type and a state of it, for tests of the smooth dynamics. Numbers
// in these tests were printed by MuJoCo 3.4.0 for this model and state.
#ifndef SHEAF_TESTS_DYNAMICS_EVERY_JOINT_H_
#define SHEAF_TESTS_DYNAMICS_EVERY_JOINT_H_

#include <mujoco/mujoco.h>

#include "support/test.h"

static const char kLinks[] =
    "<mujoco>"
    "  <option gravity='0 0 -9.81'/>"
    "  <worldbody>"
    "    <body name='base' pos='0 0 1'>"
    "      <joint type='slide' axis='1 0 0'/>"
    "      <joint axis='0 1 0' pos='0 0 .1' damping='.2' stiffness='3' springref='20' armature='.05'/>"
    "      <geom type='box' size='.1 .05 .2' pos='.02 0 .03' mass='2'/>"
    "      <site name='s' pos='.1 0 .2' euler='0 90 0'/>"
    "      <body name='arm' pos='0 0 .4' euler='0 0 30'>"
    "        <joint type='ball' pos='0 0 -.1' damping='.1'/>"
    "        <geom type='capsule' size='.04 .15' mass='1'/>"
    "      </body>"
    "    </body>"
    "    <body name='loose' pos='1 0 2'>"
    "      <freejoint/>"
    "      <geom type='ellipsoid' size='.1 .2 .3' mass='1.5' pos='.01 .02 0'/>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

static inline void links_setState(const mjModel* m, mjData* d) {
  static const double qpos[] = {.3, .7, .8, .2, -.4, .4, 1.2, -.3, 2.1, .5, .5, -.1, .7};
  static const double qvel[] = {.5, -1, .3, .6, -.2, .1, .2, .3, 1, -2, .5};
  mju_copy(d->qpos, qpos, m->nq);
  mju_copy(d->qvel, qvel, m->nv);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = .1 * i;
}

// the model and its data in the state, or a failed test
static inline mjData* links_make(mjModel** m) {
  *m = test_model(kLinks);
  if (!*m) return NULL;
  mjData* d = mj_makeData(*m);
  links_setState(*m, d);
  return d;
}

static inline void links_free(mjModel* m, mjData* d) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

#endif  // SHEAF_TESTS_DYNAMICS_EVERY_JOINT_H_
