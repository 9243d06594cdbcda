// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives by finite differences: known systems, lanes against one state at a time.
#include <stdlib.h>
#include <string.h>

#include "lanes/kernels.h"
#include "support/test.h"

TEST(mass_on_a_spring) {
  // x' = v, v' = (u - 8 x - .5 v) / 2, Euler with implicit damping
  mjModel* m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>"
      "  <body><joint name='j' type='slide' axis='1 0 0' stiffness='8' damping='.5'/>"
      "    <geom size='.1' mass='2'/></body>"
      "</worldbody><actuator><motor name='u' joint='j'/></actuator>"
      "<sensor><jointpos joint='j'/><actuatorfrc actuator='u'/></sensor></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[0] = .3;
  mjtNum A[4], B[2], C[4], D[2];
  double h = .01, inertia = 2 + h * .5;
  double dv = h / inertia;  // change of velocity by force
  const mjtNum wantA[] = {1 - h * 8 * dv, h * (1 - .5 * dv), -8 * dv, 1 - .5 * dv};
  const mjtNum wantB[] = {h * dv, dv}, wantC[] = {1, 0, 0, 0};
  for (int centered = 0; centered < 2; centered++) {
    mjd_transitionFD(m, d, 1e-6, (mjtByte)centered, A, B, C, D);
    CHECK_ARRAY(A, wantA, 4, 1e-9);
    CHECK_ARRAY(B, wantB, 2, 1e-9);
    CHECK_ARRAY(C, wantC, 4, 1e-9);
    CHECK_NEAR(D[0], 0, 1e-9);
    CHECK_NEAR(D[1], 1, 1e-9);
  }
  CHECK_EQ(d->qpos[0], .3);

  // inverse: f = 2 a + .5 v + 8 x
  mjtNum Dq, Dv, Da, Dm;
  mjd_inverseFD(m, d, 1e-6, 0, &Dq, &Dv, &Da, NULL, NULL, NULL, &Dm);
  CHECK_NEAR(Dq, 8, 1e-8);
  CHECK_NEAR(Dv, .5, 1e-8);
  CHECK_NEAR(Da, 2, 1e-8);
  CHECK_NEAR(Dm, 0, 1e-8);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Sensors of actuator forces: constant in inverse dynamics, derivatives of the force where actuation is asked for.
// Lanes and one state at a time agree, whatever was computed in the lanes before.
TEST(inverse_derivatives_of_actuator_sensors) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j' type='slide' axis='1 0 0' stiffness='8' damping='.5'/>"
      "    <geom size='.1' mass='2'/></body></worldbody>"
      "<actuator><position name='u' joint='j' kp='30' kv='2'/></actuator>"
      "<sensor><jointpos joint='j'/><actuatorfrc actuator='u'/><jointactuatorfrc joint='j'/></sensor></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[0] = .1;
  d->ctrl[0] = .3;
  for (int actuation = 0; actuation < 2; actuation++) {
    for (int one = 0; one < 2; one++) {
      mjtNum A[4], D[3], Dq[3], Dv[3], Da[3], Dm;
      const mjtNum wantq[] = {1, actuation ? -30 : 0, actuation ? -30 : 0};
      const mjtNum wantv[] = {0, actuation ? -2 : 0, actuation ? -2 : 0}, zero[3] = {0};
      mjd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, D);
      mjd_inverseFD(m, d, 1e-6, (mjtByte)actuation, NULL, NULL, NULL, Dq, Dv, Da, one ? &Dm : NULL);
      CHECK_ARRAY(Dq, wantq, 3, 1e-7);
      CHECK_ARRAY(Dv, wantv, 3, 1e-7);
      CHECK_ARRAY(Da, zero, 3, 1e-7);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a walking machine on a floor, whose features all have lanes
static const char kWalker[] =
    "<mujoco>"
    "  <option timestep='.004'/>"
    "  <default><joint damping='.1' armature='.01'/><geom friction='.7 .1 .1' condim='3'/></default>"
    "  <worldbody>"
    "    <geom type='plane' size='5 5 1'/>"
    "    <body pos='0 0 .48'><freejoint/><geom type='capsule' size='.07' fromto='-.2 0 0 .2 0 0'/>"
    "      <body pos='.2 0 0'><joint name='a' axis='0 1 0' range='-60 60'/>"
    "        <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.25'/>"
    "        <body pos='0 0 -.25'><joint name='b' axis='0 1 0' range='-100 0'/>"
    "          <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.2'/></body></body>"
    "      <body pos='-.2 0 0'><joint name='c' type='ball'/>"
    "        <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.42'/></body>"
    "    </body>"
    "  </worldbody>"
    "  <actuator>"
    "    <motor joint='a' gear='5' ctrlrange='-1 1'/>"
    "    <position joint='b' kp='20'/>"
    "    <general joint='a' dyntype='filter' dynprm='.05' gainprm='2'/>"
    "  </actuator>"
    "</mujoco>";

enum { NV = 11, NU = 3, NDX = 2 * NV + 1 };

typedef struct {
  mjtNum A[NDX * NDX], B[NDX * NU], inverse[3 * NV * NV];
} Derivatives;

static void doNothing(const mjModel* m, mjData* d) {}

static void derive(const mjModel* m, mjData* d, int centered, Derivatives* out) {
  memset(out, 0, sizeof(*out));
  mjd_transitionFD(m, d, 1e-6, (mjtByte)centered, out->A, out->B, NULL, NULL);
  mj_forward(m, d);
  mjd_inverseFD(m, d, 1e-6, 1, out->inverse, out->inverse + NV * NV, out->inverse + 2 * NV * NV, NULL, NULL, NULL,
                NULL);
}

TEST(lanes_give_the_same_bits) {
  mjModel* m = test_model(kWalker);
  if (!m) return;
  mjData* d = mj_makeData(m);
  static Derivatives lanes, scalar;
  CHECK_EQ(m->nv, NV);
  if (!mji_kernels(4)) test_skip("this CPU has no lanes");

  for (int integrator = 0; integrator < 4; integrator++) {
    if (integrator == mjINT_RK4) continue;
    m->opt.integrator = integrator;
    mj_resetData(m, d);
    for (int i = 0; i < 60; i++) {
      d->ctrl[0] = i % 7 - 3;
      d->ctrl[1] = -.5;
      d->ctrl[2] = .3;
      mj_step(m, d);
    }
    d->ctrl[0] = 1;  // at the limit of its range

    for (int centered = 0; centered < 2; centered++) {
      derive(m, d, centered, &lanes);

      // a callback needs one state at a time
      mjcb_passive = doNothing;
      derive(m, d, centered, &scalar);
      mjcb_passive = NULL;
      CHECK(d->ncon > 0);
      CHECK(!memcmp(&lanes, &scalar, sizeof(lanes)));
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(outputs_may_be_left_out) {
  mjModel* m = test_model(kWalker);
  if (!m) return;
  mjData* d = mj_makeData(m);
  static mjtNum A[NDX * NDX], again[NDX * NDX], B[NDX * NU];
  for (int i = 0; i < 40; i++) mj_step(m, d);
  mjd_transitionFD(m, d, 1e-6, 0, A, B, NULL, NULL);
  mjd_transitionFD(m, d, 1e-6, 0, again, NULL, NULL, NULL);
  mjd_transitionFD(m, d, 1e-6, 0, NULL, NULL, NULL, NULL);
  CHECK(!memcmp(A, again, sizeof(A)));
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(models_take_turns_in_one_thread) {
  // lane data is kept with the data it serves; another model in between must not disturb it
  mjModel* one = test_model(kWalker);
  mjModel* two = test_model(
      "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>");
  if (!one || !two) return;
  mjData* d1 = mj_makeData(one);
  mjData* d2 = mj_makeData(two);
  static mjtNum A[NDX * NDX], again[NDX * NDX];
  mjtNum small[4], smaller[4];
  mjd_transitionFD(one, d1, 1e-6, 0, A, NULL, NULL, NULL);
  mjd_transitionFD(two, d2, 1e-6, 0, small, NULL, NULL, NULL);
  mjd_transitionFD(one, d1, 1e-6, 0, again, NULL, NULL, NULL);
  mjd_transitionFD(two, d2, 1e-6, 0, smaller, NULL, NULL, NULL);
  CHECK(!memcmp(A, again, sizeof(A)));
  CHECK(!memcmp(small, smaller, sizeof(small)));
  mj_deleteData(d2);
  mj_deleteData(d1);
  mj_deleteModel(two);
  mj_deleteModel(one);
}

static int nlive;  // blocks that are allocated

static void* countedMalloc(size_t size) {
  nlive++;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void countedFree(void* p) {
  nlive -= p != NULL;
  free(p);
}

TEST(lane_data_is_freed_with_the_data_it_serves) {
  mju_user_malloc = countedMalloc;
  mju_user_free = countedFree;
  mjModel* m = test_model(kWalker);
  mjData* d = mj_makeData(m);
  static mjtNum A[NDX * NDX];
  int before = nlive;
  mjd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL);
  int after = nlive;
  mjd_transitionFD(m, d, 1e-6, 0, A, NULL, NULL, NULL);
  if (mji_kernels(4)) CHECK(after > before);
  CHECK_EQ(nlive, after);
  mj_deleteData(d);
  mj_deleteModel(m);
  CHECK_EQ(nlive, 0);
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

static void idle(const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
}

// a step from a bad state resets it; the scratch of the derivative must survive that
TEST(derivatives_of_a_diverging_state_are_defined) {
  mjModel* m = test_model(
      "<mujoco><option timestep='0.5'/><worldbody><geom type='plane' size='1 1 .1'/>"
      "<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  d->qpos[2] = 2e10;
  int n = 2 * (int)m->nv;
  mjtNum* A = mju_malloc(sizeof(mjtNum) * (size_t)(n * n));
  mj_markStack(d);
  size_t pstack = d->pstack, pbase = d->pbase;
  mjcb_control = idle;  // one state at a time
  mjd_transitionFD(m, d, 1e-6, 1, A, NULL, NULL, NULL);
  mjcb_control = NULL;
  CHECK(d->warning[mjWARN_BADQPOS].number > 0);
  CHECK_EQ(d->pstack, pstack);
  CHECK_EQ(d->pbase, pbase);
  mj_freeStack(d);

  // and the data is as good as new afterwards
  mj_resetData(m, d);
  mj_step(m, d);
  CHECK_NEAR(d->qvel[2], -9.81 * 0.5, 1e-12);
  mju_free(A);
  mj_deleteData(d);
  mj_deleteModel(m);
}
