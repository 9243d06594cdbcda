// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which models have derivatives without differences of whole steps.

#include <mujoco/mujoco.h>

#include "collide/pair.h"
#include "derive/derive.h"
#include "derive/regressor.h"
#include "model/sleep.h"
#include "pipeline/pipeline.h"

static int hasPlugin(const mjModel* m, int capability) {
  for (int i = 0; i < m->nplugin; i++) {
    if (mjp_getPluginAtSlot(m->plugin[i])->capabilityflags & capability) return 1;
  }
  return 0;
}

int mji_pushesByCode(const mjModel* m) { return mjcb_passive || hasPlugin(m, mjPLUGIN_PASSIVE); }

static int ratesOf(const mjModel* m, int i) {
  if (m->actuator_actadr[i] < 0) return 0;
  return m->actuator_plugin[i] >= 0 || (mjcb_act_dyn && m->actuator_dyntype[i] == mjDYN_USER);
}

int mji_ratesByCode(const mjModel* m) {
  for (int i = 0; i < m->nu && (m->nplugin || mjcb_act_dyn); i++) {
    if (ratesOf(m, i)) return 1;
  }
  return 0;
}

// the force follows the rate where its input is the activation after the step
static int forceOf(const mjModel* m, int i) {
  return m->actuator_plugin[i] >= 0 || (m->actuator_actearly[i] && ratesOf(m, i)) ||
         (mjcb_act_gain && m->actuator_gaintype[i] == mjGAIN_USER) ||
         (mjcb_act_bias && m->actuator_biastype[i] == mjBIAS_USER);
}

int mji_actuatesByCode(const mjModel* m) {
  if (!m->nplugin && !mjcb_act_gain && !mjcb_act_bias && !mjcb_act_dyn) return 0;
  for (int i = 0; i < m->nu; i++) {
    if (forceOf(m, i)) return 1;
  }
  return 0;
}

int mji_flexesDamp(const mjModel* m) {
  for (int f = 0; f < m->nflex && !mjDISABLED(mjDSBL_DAMPER); f++) {
    if (m->flex_damping[f] != 0 || m->flex_edgedamping[f] != 0) return 1;
  }
  return 0;
}

// Trees that are awake at the start of a step do not fall asleep in it. Of those that sleep from the start, differences
// wake the ones whose inputs they move.
static const char* const kSleepers = "trees that sleep from the start";

// Forces and rates of code are differences. But a plugin with a state may change it where it computes a force, a
// callback for controls any input of the step, and other functions for pairs of geoms have other formulas.
static const char* obstacle(const mjModel* m) {
  if (mji_sleep_startsAlone(m)) return kSleepers;
  if (mjcb_control || mji_pair_anyReplaced()) return "callbacks";
  for (int i = 0; i < m->nu; i++) {
    int plugin = m->actuator_plugin[i];
    if (plugin >= 0 && m->plugin_statenum[plugin]) return "plugins of actuators that have a state";
  }
  return NULL;
}

// regressors have formulas for numbers of actuators, which code may read
static const char* regressorObstacle(const mjModel* m) {
  if (mji_sleep_startsAlone(m)) return kSleepers;
  if (hasPlugin(m, mjPLUGIN_ACTUATOR)) return "plugins of actuators";
  return mji_hasUserCode() ? "callbacks" : NULL;
}

const char* mji_stepObstacle(const mjModel* m) { return obstacle(m); }

// the noslip pass does not minimize what the solver does, so its result has other derivatives
const char* mji_stepRegressorObstacle(const mjModel* m) {
  return m->opt.noslip_iterations > 0 ? "noslip" : regressorObstacle(m);
}

// with Runge-Kutta, such dynamics are an error
const char* mji_inverseObstacle(const mjModel* m) {
  int refused = mjENABLED(mjENBL_INVDISCRETE) && m->opt.integrator == mjINT_RK4;
  return refused ? "discrete-time inverse dynamics and RK4" : obstacle(m);
}

const char* mji_inverseRegressorObstacle(const mjModel* m) {
  return mjENABLED(mjENBL_INVDISCRETE) ? "discrete-time inverse dynamics" : regressorObstacle(m);
}

size_t mji_stepDerivativeSize(const mjModel* m, const mjiStepDerivative* r) {
  size_t nv = (size_t)m->nv, ndx = 2 * nv + (size_t)m->na, ns = r->sensors ? (size_t)m->nsensordata : 0;
  size_t stages = m->opt.integrator == mjINT_RK4 ? ndx + nv : 0, all = r->column ? (ndx + (size_t)m->nu) * nv : 0;
  size_t ncol = r->column && stages ? ndx + (size_t)m->nu : (size_t)r->ncol;
  size_t before = mji_needsMain(m, r) ? (ncol + 1) * nv : 0;  // noslip
  return (size_t)r->ncol * (ndx + 2 * nv + ns + stages + (size_t)r->nout) + all + before;
}
