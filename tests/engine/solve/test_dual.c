// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The dual problem: its bounded quadratic program, and noslip.

#include "engine/solve/problems.h"
#include "solve/dual.h"

static mjtNum quadratic(const mjtNum* A, const mjtNum* b, const mjtNum* x, int n) {
  mjtNum cost = 0;
  for (int i = 0; i < n; i++) {
    cost += b[i] * x[i];
    for (int j = 0; j < n; j++) cost += 0.5 * x[i] * A[n * i + j] * x[j];
  }
  return cost;
}

// a problem with a well-conditioned random A
static void randomProblem(mjtNum* A, mjtNum* b, mjtNum* scale, int n, uint64_t* seed) {
  mjtNum R[25];
  for (int i = 0; i < n * n; i++) R[i] = lanes_random(seed);
  mju_mulMatTMat(A, R, R, n, n, n);
  for (int i = 0; i < n; i++) {
    A[n * i + i] += 0.2;
    b[i] = 2 * lanes_random(seed);
    scale[i] = 0.6 + 0.5 * lanes_random(seed);
  }
}

// no point of the ellipsoid does better: random ones, and small moves from the answer
static void checkBest(const mjtNum* A, const mjtNum* b, const mjtNum* scale, mjtNum radius, int n, const mjtNum* x,
                      uint64_t* seed) {
  mjtNum best = quadratic(A, b, x, n);
  for (int k = 0; k < 4000; k++) {
    mjtNum y[5], norm = 0, reach = k % 2 ? 1 : 0.01;
    for (int i = 0; i < n; i++) {
      y[i] = (k % 2 ? 0 : x[i] / scale[i]) + reach * radius * lanes_random(seed);
      norm += y[i] * y[i];
    }
    mjtNum shrink = norm > radius * radius ? radius / sqrt(norm) : 1;
    for (int i = 0; i < n; i++) y[i] *= shrink * scale[i];
    CHECK(quadratic(A, b, y, n) >= best - 1e-9);
  }
}

TEST(bounded_quadratic_programs) {
  uint64_t seed = 3;
  int bound = 0, inside = 0;
  for (int k = 0; k < 60; k++) {
    int n = 2 + k % 4;
    mjtNum A[25], b[5], scale[5], x[5] = {0}, radius = k % 3 ? 0.7 : 40, size = 0;
    randomProblem(A, b, scale, n, &seed);
    int active = mji_boundedQP(x, A, b, scale, radius, n);
    for (int i = 0; i < n; i++) size += (x[i] / scale[i]) * (x[i] / scale[i]);
    CHECK(sqrt(size) <= radius * (1 + 1e-9));
    if (active) CHECK_NEAR(sqrt(size), radius, 1e-6);
    bound += active != 0;
    inside += !active;
    checkBest(A, b, scale, radius, n, x, &seed);
  }
  CHECK(bound > 10 && inside > 10);
}

// a box on a slope that friction can hold creeps, and creeps less with noslip
TEST(noslip_reduces_slip) {
  static const char* const xml =
      "<mujoco><option gravity='3 0 -9.81' cone='%s' noslip_iterations='%d'/><worldbody>"
      "<geom type='plane' size='3 3 .1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
      "</mujoco>";
  static const char* const cone[] = {"pyramidal", "elliptic"};
  for (int k = 0; k < 2; k++) {
    mjtNum slip[2];
    for (int on = 0; on < 2; on++) {
      char text[500];
      snprintf(text, sizeof text, xml, cone[k], on ? 20 : 0);
      mjModel* m = test_model(text);
      if (!m) return;
      mjData* d = mj_makeData(m);
      for (int i = 0; i < 300; i++) mj_step(m, d);
      slip[on] = fabs(d->qvel[0]);
      mj_deleteData(d);
      mj_deleteModel(m);
    }
    CHECK(slip[0] > 1e-4);
    CHECK(slip[1] < 0.05 * slip[0]);
  }
}

// A ball slides in the direction of a tangent, so that PGS puts its force on the cone. Programs then see a satisfied
// row, as for a ball that sticks, if rounding leaves the force exactly there.
TEST(force_exactly_on_the_cone_counts_as_satisfied) {
  mjModel* m = test_model(
      "<mujoco><option cone='elliptic' solver='PGS'/><worldbody><geom type='plane' size='3 3 .1' friction='.5'/>"
      "<body pos='0 0 .1'><freejoint/><geom size='.1' friction='.5'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qvel[0] = 3;
  int on = 0;
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
    if (d->nefc != 3 || d->efc_force[0] <= 0) continue;
    mjtNum side = d->efc_force[1] / m->geom_friction[0], other = d->efc_force[2] / m->geom_friction[0];
    if (sqrt(side * side + other * other) != d->efc_force[0]) continue;
    on++;
    for (int k = 0; k < 3; k++) CHECK(d->efc_state[k] == mjCNSTRSTATE_SATISFIED);
  }
  CHECK(on > 10);
  mj_deleteData(d);
  mj_deleteModel(m);
}
