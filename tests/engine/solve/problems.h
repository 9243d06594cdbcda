// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constraint problems for the tests of the solvers.
#ifndef SHEAF_TESTS_SOLVE_PROBLEMS_H_
#define SHEAF_TESTS_SOLVE_PROBLEMS_H_

#include <math.h>
#include <stdlib.h>

#include "support/lanes_check.h"
#include "support/test.h"

// contacts of every dimension, limits, dry friction, equality; branches that touch each other
static const char* const kMixed =
    "<mujoco><option timestep='.004' tolerance='1e-14' iterations='500' ls_tolerance='1e-8'"
    "  ls_iterations='100'/>"
    "<default><geom friction='.6 .02 .005'/></default><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .098'><freejoint/><geom type='box' size='.2 .1 .1' condim='4'/>"
    "  <body pos='.3 0 0'><joint axis='0 1 0' limited='true' range='-5 20' frictionloss='.3'/>"
    "    <geom type='sphere' size='.1' condim='6'/></body>"
    "  <body pos='0 .25 0'><joint axis='1 0 0' frictionloss='.2'/>"
    "<geom type='capsule' size='.1 .1' euler='0 90 0'/></body></body>"
    "<body pos='.05 .2 .28'><freejoint/><geom type='sphere' size='.1' condim='1'/></body>"
    "<body pos='.28 .05 .27'><joint name='j' type='slide' axis='0 0 1'/>"
    "<joint name='k' type='slide' axis='1 0 0'/>"
    "  <geom type='sphere' size='.1'/></body></worldbody>"
    "<equality><joint joint1='j' joint2='k' polycoef='0 .5 0 0 0'/></equality></mujoco>";

static inline mjtNum* numbers(int n) { return calloc(n > 0 ? n : 1, sizeof(mjtNum)); }

// a state that presses and shears the contacts
static inline void pressed(const mjModel* m, mjData* d, uint64_t seed) {
  mj_resetData(m, d);
  for (int i = 0; i < 4; i++) lanes_random(&seed);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = 0.2 * lanes_random(&seed);
    d->qfrc_applied[i] = 5 * lanes_random(&seed);
  }
}

// residual of the equations of motion: M qacc - qfrc_smooth - J' f, with f of the penalty at qacc
static inline mjtNum residual(const mjModel* m, mjData* d) {
  int nv = (int)m->nv, nefc = d->nefc;
  mjtNum *jar = numbers(nefc), *left = numbers(nv), *right = numbers(nv);
  mj_mulJacVec(m, d, jar, d->qacc);
  mju_subFrom(jar, d->efc_aref, nefc);
  mj_constraintUpdate(m, d, jar, NULL, 0);
  mj_mulM(m, d, left, d->qacc);
  mj_mulJacTVec(m, d, right, d->efc_force);
  mjtNum most = 0;
  for (int i = 0; i < nv; i++) most = fmax(most, fabs(left[i] - right[i] - d->qfrc_smooth[i]));
  free(jar);
  free(left);
  free(right);
  return most;
}

#endif  // SHEAF_TESTS_SOLVE_PROBLEMS_H_
