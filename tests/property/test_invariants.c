// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What must hold for any model and state, whatever the reference says: conservation laws, inverses,
// symmetry.

#include "property/golden_models.h"

static mjtNum largest(const mjtNum* x, int n) {
  mjtNum most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// ---- inverses

static void checkInverseUndoesForward(const mjModel* m, mjData* d) {
  int nv = (int)m->nv;
  mj_forward(m, d);
  mj_inverse(m, d);
  mjtNum* applied = numbers(nv);

  // total of what was applied: actuators, user's forces
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* force = d->xfrc_applied + 6 * b;
    mj_applyFT(m, d, force, force + 3, d->xipos + 3 * b, b, applied);
  }
  for (int i = 0; i < nv; i++) applied[i] += d->qfrc_applied[i] + d->qfrc_actuator[i];
  CHECK_ARRAY(d->qfrc_inverse, applied, nv, 1e-6);
  free(applied);
}

TEST(inverse_undoes_forward) {
  for (int i = 0; i < NGOLDEN; i++) {
    mjModel* m = goldenModel(i);
    if (!m) continue;
    mjData* d = mj_makeData(m);
    for (int cone = 0; cone < 2; cone++) {
      m->opt.cone = cone;
      for (int k = 0; k < 3; k++) {
        lanes_state(m, d, k);
        for (int b = 6; b < 6 * m->nbody; b++) d->xfrc_applied[b] = 0.1 * (b % 7 - 3);
        checkInverseUndoesForward(m, d);
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(difference_undoes_integration) {
  mjModel* m = test_model(kFloating);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  mjtNum *move = numbers(nv), *back = numbers(nv), *from = numbers((int)m->nq);
  for (int k = 0; k < 20; k++) {
    uint64_t seed = k + 100;
    lanes_state(m, d, k);
    mju_copy(from, d->qpos, (int)m->nq);
    for (int i = 0; i < nv; i++) move[i] = 3 * lanes_random(&seed);
    mj_integratePos(m, d->qpos, move, 0.25);
    mj_differentiatePos(m, back, 0.25, from, d->qpos);
    CHECK_ARRAY(back, move, nv, 1e-12);
    CHECK_NEAR(mju_norm(d->qpos + 3, 4), 1, 1e-14);
  }
  free(move);
  free(back);
  free(from);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---- inertia and Jacobians

static mjtNum kineticEnergy(const mjModel* m, mjData* d) {
  mj_energyVel(m, d);
  return d->energy[1];
}

// kinetic energy is quadratic in velocity, so its second differences are M to rounding
TEST(inertia_is_the_curvature_of_kinetic_energy) {
  mjModel* m = test_model(kFloating);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv;
  mjtNum *M = numbers(nv * nv), *L = numbers(nv * nv), *e = numbers(nv);
  lanes_state(m, d, 5);
  mj_forward(m, d);
  mj_fullM(m, M, d->qM);
  for (int i = 0; i < nv; i++) {
    mju_zero(d->qvel, nv);
    d->qvel[i] = 1;
    mj_fwdVelocity(m, d);
    e[i] = kineticEnergy(m, d);
  }
  for (int i = 0; i < nv; i++) {
    CHECK_NEAR(M[i * nv + i], 2 * e[i], 1e-12);
    for (int j = 0; j < i; j++) {
      mju_zero(d->qvel, nv);
      d->qvel[i] = d->qvel[j] = 1;
      mj_fwdVelocity(m, d);
      CHECK_NEAR(M[i * nv + j], kineticEnergy(m, d) - e[i] - e[j], 1e-12);
      CHECK_EQ(M[i * nv + j], M[j * nv + i]);
    }
  }
  mju_copy(L, M, nv * nv);
  CHECK_EQ(mju_cholFactor(L, nv, 0), nv);
  free(M);
  free(L);
  free(e);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// d(point)/d(dof) by central differences along each dof
TEST(jacobian_is_the_derivative_of_position) {
  mjModel* m = test_model(kFloating);
  if (!m) return;
  mjData* d = mj_makeData(m);
  int nv = (int)m->nv, nq = (int)m->nq, last = (int)m->nbody - 2;
  mjtNum *jac = numbers(3 * nv), *qpos = numbers(nq), *move = numbers(nv);
  lanes_state(m, d, 3);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mju_copy(qpos, d->qpos, nq);
  mj_jac(m, d, jac, NULL, d->xpos + 3 * last, last);
  for (int i = 0; i < nv; i++) {
    mjtNum ends[2][3], eps = 1e-6;
    for (int side = 0; side < 2; side++) {
      mju_copy(d->qpos, qpos, nq);
      move[i] = side ? -1 : 1;
      mj_integratePos(m, d->qpos, move, eps);
      mj_kinematics(m, d);
      mju_copy3(ends[side], d->xpos + 3 * last);
    }
    move[i] = 0;
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(jac[k * nv + i], (ends[0][k] - ends[1][k]) / (2 * eps), 1e-8);
    }
  }
  free(jac);
  free(qpos);
  free(move);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---- conservation

static mjtNum energyNow(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return d->energy[0] + d->energy[1];
}

TEST(energy_is_conserved_without_losses) {
  mjModel* m = test_model(kFloating);
  if (!m) return;
  mjData* d = mj_makeData(m);
  lanes_state(m, d, 2);
  mju_zero(d->qfrc_applied, (int)m->nv);
  mjtNum before = energyNow(m, d);
  for (int i = 0; i < 500; i++) mj_step(m, d);
  CHECK_NEAR(energyNow(m, d), before, 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// momentum of the whole tree grows by weight, angular momentum about its center stays
TEST(momentum_of_a_floating_tree) {
  mjModel* m = test_model(kFloating);
  if (!m) return;
  mjData* d = mj_makeData(m);
  lanes_state(m, d, 4);
  mju_zero(d->qfrc_applied, (int)m->nv);
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  mjtNum linear[3], angular[3];
  mju_copy3(linear, d->subtree_linvel);
  mju_copy3(angular, d->subtree_angmom);
  CHECK(mju_norm3(angular) > 1e-3);
  m->opt.timestep = 2e-4;
  for (int i = 0; i < 1000; i++) mj_step(m, d);
  mj_forward(m, d);
  mj_subtreeVel(m, d);
  linear[2] += m->opt.gravity[2] * d->time;
  CHECK_ARRAY(d->subtree_linvel, linear, 3, 1e-9);
  CHECK_ARRAY(d->subtree_angmom, angular, 3, 1e-9);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(quaternions_stay_normal) {
  for (int i = 0; i < NGOLDEN; i++) {
    mjModel* m = goldenModel(i);
    if (!m) continue;
    mjData* d = mj_makeData(m);
    lanes_state(m, d, 1);
    for (int k = 0; k < 100; k++) mj_step(m, d);
    for (int j = 0; j < m->njnt; j++) {
      int adr = m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
      if (m->jnt_type[j] <= mjJNT_BALL) CHECK_NEAR(mju_norm(d->qpos + adr, 4), 1, 1e-12);
    }
    for (int b = 0; b < m->nbody; b++) CHECK_NEAR(mju_norm(d->xquat + 4 * b, 4), 1, 1e-12);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// ---- symmetry

// two mirrored legs: mirrored inputs give mirrored motion
TEST(mirrored_models_move_mirrored) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='2 2 .1'/>"
      "<body pos='0 0 .5'><joint type='slide' axis='0 0 1'/><geom type='sphere' size='.1'/>"
      "<body pos='0 .1 0'><joint axis='1 0 0'/><joint axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 .1 .3 -.42' size='.05'/></body>"
      "<body pos='0 -.1 0'><joint axis='-1 0 0'/><joint axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 .1 -.3 -.42' size='.05'/></body>"
      "</body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qvel[1] = d->qvel[3] = 0.3;
  d->qvel[2] = d->qvel[4] = -0.8;
  int touched = 0;
  for (int i = 0; i < 400; i++) {
    mj_step(m, d);
    touched |= d->ncon;
  }
  CHECK(touched);
  CHECK(largest(d->qvel, 5) > 1e-3 || largest(d->qpos, 5) > 1e-2);
  CHECK_ARRAY(d->qpos + 3, d->qpos + 1, 2, 1e-7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---- stages

TEST(skipped_stages_change_nothing_that_is_fresh) {
  for (int i = 0; i < NGOLDEN; i++) {
    mjModel* m = goldenModel(i);
    if (!m) continue;
    int nv = (int)m->nv;
    mjData *d = mj_makeData(m), *full = mj_makeData(m);
    lanes_state(m, d, 6);
    lanes_state(m, full, 6);
    mj_forward(m, full);
    for (int stage = mjSTAGE_NONE; stage <= mjSTAGE_VEL; stage++) {
      mju_zero(d->qacc_warmstart, nv);
      mj_forwardSkip(m, d, stage, 0);
      CHECK_ARRAY(d->qacc, full->qacc, nv, 0);
      CHECK_ARRAY(d->sensordata, full->sensordata, (int)m->nsensordata, 0);
    }
    mj_inverse(m, full);
    mju_copy(d->qacc, full->qacc, nv);
    for (int stage = mjSTAGE_NONE; stage <= mjSTAGE_VEL; stage++) {
      mj_inverseSkip(m, d, stage, 0);
      CHECK_ARRAY(d->qfrc_inverse, full->qfrc_inverse, nv, 0);
    }
    mj_deleteData(d);
    mj_deleteData(full);
    mj_deleteModel(m);
  }
}
