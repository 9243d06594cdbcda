// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of steps with code of users: callbacks, and plugins. What code computes has no formula.

#include "engine/derive/derive_models.h"
#include "engine/derive/feature_models.h"
#include "engine/derive/step_difference.h"

// forces of callbacks that follow everything
static void pushByCode(const mjModel* m, mjData* d) {
  mjtNum* f = d->qfrc_passive;
  for (int i = 0; i < m->nv; i++) f[i] = 1.2 * f[i] - 0.3 * d->qvel[i] * mju_abs(d->qvel[i]) + mju_sin(d->xpos[5]);
}

static mjtNum gainByCode(const mjModel* m, const mjData* d, int i) {
  return 2 + 0.1 * i + d->actuator_length[i] * d->qvel[m->nv - 1];
}

static mjtNum biasByCode(const mjModel* m, const mjData* d, int i) {
  return -3 * mju_sin(d->actuator_length[i]) - 0.4 * d->actuator_velocity[i] + d->xpos[4];
}

// two activations: the first follows the transmission, the second the first
static mjtNum rateByCode(const mjModel* m, const mjData* d, int i) {
  int adr = m->actuator_actadr[i];
  mjtNum rate = 20 * d->ctrl[i] - 9 * d->act[adr] + 40 * d->actuator_length[i] * d->actuator_velocity[i];
  if (m->actuator_actnum[i] == 1) return rate;
  d->act_dot[adr] = rate;
  d->act_dot[adr + 1] = 60 * mju_sin(d->act[adr]) - 20 * d->act[adr + 1];
  return 0;
}

TEST(rates_of_callbacks_are_differences) {
  static const char* const xml =
      MODEL(POST,
            "<actuator><general joint='b' dyntype='user' actdim='2' gear='1.5' gainprm='6' actlimited='true' "
            "actrange='-3 3'/>"
            "<general site='s2' refsite='s3' gear='1 -2 .5 .3 .2 -.1' dyntype='user' actdim='1' actlimited='true' "
            "actrange='-3 3' actearly='true' gaintype='affine' gainprm='5 1 -.4'/><general joint='e' dyntype='filter' "
            "dynprm='.1'/></actuator>");
  mjcb_act_dyn = rateByCode;
  Case c = openCase(xml, mjINT_EULER, 0);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0], SHEAF_FALLBACK_FORCE);
  closeCase(&c);
  checkIntegrators(xml, 0);
  mjcb_act_dyn = NULL;
}

TEST(forces_of_callbacks_are_differences) {
  static const char* const xml = MODEL(
      POST,
      "<tendon><spatial name='t' actuatorfrcrange='-2 1.5' stiffness='9'><site site='s1'/><site site='s3'/></spatial>"
      "</tendon><actuator><general tendon='t' gaintype='user' biastype='user'/><motor tendon='t' gear='5'/>"
      "<general joint='b' gaintype='user' gear='1.5' dyntype='filter' dynprm='.1'/>"
      "<general site='s2' refsite='s3' gear='1 -2 .5 .3 .2 -.1' biastype='user' forcerange='-2 2'/></actuator>");
  mjcb_passive = pushByCode;
  mjcb_act_gain = gainByCode;
  mjcb_act_bias = biasByCode;
  Case c = openCase(xml, mjINT_EULER, 0);
  compute(&c, 0, 1);
  CHECK_EQ(c.fallback[0], SHEAF_FALLBACK_FORCE);
  closeCase(&c);
  checkIntegrators(xml, 0);
  mjcb_passive = NULL;
  checkCase(xml, mjINT_IMPLICITFAST, 0);
  mjcb_act_gain = mjcb_act_bias = NULL;
}

// Differences of the whole step are there only where nobody asks for formulas, or for what only they give.
static void checkWholeStep(Case* c, const char* obstacle) {
  sheafPoolConfig cfg = sheaf_defaultPoolConfig();
  sheafPool* pool = sheaf_openPool(&cfg, NULL);
  sheafTransitionDerivatives r = {.size = sizeof r, .nbatch = B, .state = c->state, .A = c->A, .fallback = c->fallback};
  sheafStatus status;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), 0);
  CHECK_EQ(c->fallback[0], SHEAF_FALLBACK_STEP);
  r.mode = 1;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), SHEAF_FAILED_PRECONDITION);
  CHECK_TEXT(status.message, obstacle);
  r.mode = 0;
  r.qacc_x = c->qacc_x;
  CHECK_EQ(sheaf_transitionDerivatives(pool, c->m, &r, &status), SHEAF_FAILED_PRECONDITION);
  sheaf_closePool(pool);
}

static void doNothing(const mjModel* m, mjData* d) { (void)m, (void)d; }

TEST(auto_takes_differences_where_nothing_else_is_there) {
  Case c = openCase(kBallChain, mjINT_EULER, 0);
  compute(&c, 0, 0);
  CHECK(!(c.fallback[0] & SHEAF_FALLBACK_STEP));
  mjcb_control = doNothing;
  checkWholeStep(&c, "callbacks");
  mjcb_control = NULL;
  closeCase(&c);
}

static int oneNumber(const mjModel* m, int instance) { return 1; }

static int doesNothing(const mjModel* m, mjData* d, int instance) { return 0; }

static void nothingMore(const mjModel* m, mjData* d, int instance, int capability) {}

static void noMore(mjData* d, int instance) {}

// it may change its state where it computes a force
TEST(actuators_of_plugins_with_a_state_make_whole_steps_differences) {
  mjpPlugin p;
  mjp_defaultPlugin(&p);
  p.name = "test.remembering";
  p.capabilityflags = mjPLUGIN_ACTUATOR;
  p.nstate = oneNumber;
  p.init = doesNothing;
  p.destroy = noMore;
  p.compute = nothingMore;
  mjp_registerPlugin(&p);
  Case c = openCase(
      "<mujoco><extension><plugin plugin='test.remembering'/></extension><worldbody><body><joint name='j'/>"
      "<geom size='.1'/></body></worldbody><actuator><plugin joint='j' plugin='test.remembering'/></actuator></mujoco>",
      mjINT_EULER, 0);
  checkWholeStep(&c, "plugins of actuators that have a state");
  closeCase(&c);
}
