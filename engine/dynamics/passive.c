// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Passive forces: springs, dampers, gravity compensation, fluid.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/flex.h"
#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "model/each_span.h"
#include "model/number.h"
#include "model/plugin.h"
#include "model/work.h"

void LANE(springDeflection)(const mjModel* m, const mjData* d, int j, V* dif) {
  const V* qpos = CLANES(d->qpos) + m->jnt_qposadr[j];
  const N* rest = NUM(qpos_spring) + m->jnt_qposadr[j];
  V quat[4];

  switch ((mjtJoint)m->jnt_type[j]) {
    case mjJNT_FREE:
      for (int k = 0; k < 3; k++) dif[k] = qpos[k] - rest[k];
      dif += 3;
      qpos += 3;
      rest += 3;
      // fall through
    case mjJNT_BALL:
      copyN(quat, qpos, 4);
      unitQuat(quat);
      subQuatS(dif, quat, rest);
      break;
    case mjJNT_SLIDE:
    case mjJNT_HINGE: dif[0] = qpos[0] - rest[0]; break;
  }
}

static inline void jointSprings(const mjModel* m, mjData* d, mjiSpan s) {
  static const int ndof[4] = {6, 3, 1, 1};  // by mjtJoint
  V* force = LANES(d->qfrc_spring);
  for (int j = s.joint; j < s.joint_end; j++) {
    if (m->jnt_stiffness[j] == 0) continue;
    N stiffness = NUM(jnt_stiffness)[j];
    V dif[6];
    LANE(springDeflection)(m, d, j, dif);
    V* out = force + m->jnt_dofadr[j];
    for (int k = 0; k < ndof[m->jnt_type[j]]; k++) out[k] = -stiffness * dif[k];
  }
}

static inline void jointDampers(const mjModel* m, mjData* d, mjiSpan s) {
  V* restrict force = LANES(d->qfrc_damper);
  const V* restrict qvel = CLANES(d->qvel);
  for (int i = s.dof; i < s.dof_end; i++) force[i] = -NUM(dof_damping)[i] * qvel[i];
}

// add to each dof the force that a force at the center of mass of a body makes: the velocity that the dof gives this
// center, times the force
static void pushBody(const mjModel* m, mjData* d, int b, const V* force, V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V arm[3], moment[3];
  for (int k = 0; k < 3; k++) arm[k] = CLANES(d->xipos)[3 * b + k] - com[k];
  cross3(moment, arm, force);

  const int* chain = plan->chain_ind + plan->chain_adr[b];
  for (int c = 0; c < plan->chain_num[b]; c++) {
    const V* cdof = CLANES(d->cdof) + 6 * chain[c];
    qfrc[chain[c]] = qfrc[chain[c]] + (dot3(cdof, moment) + dot3(cdof + 3, force));
  }
}

static inline void lift(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  for (int b = s.body; b < s.body_end; b++) {
    if (m->body_gravcomp[b] == 0) continue;
    N share = NUM(body_gravcomp)[b] * NUM(body_mass)[b];
    V force[3];
    for (int k = 0; k < 3; k++) force[k] = v_num(-OPT(gravity)[k] * share);
    pushBody(m, d, b, force, LANES(d->qfrc_gravcomp));
  }
}

// compute forces against gravity, as a share of each body's weight; nonzero if there are any
static int gravcomp(const mjModel* m, mjData* d) {
  const N* gravity = OPT(gravity);
  if (!m->ngravcomp || (m->opt.disableflags & mjDSBL_GRAVITY)) return 0;
  if (n_is(gravity[0], 0) && n_is(gravity[1], 0) && n_is(gravity[2], 0)) return 0;

  mji_eachSpan(m, d, lift, NULL);
  return 1;
}

// gravity compensation counts as passive unless actuators are asked to deliver it
static inline void addGravcomp(const mjModel* m, mjData* d, mjiSpan s, V* passive) {
  for (int i = s.dof; i < s.dof_end; i++) {
    if (m->jnt_actgravcomp[m->dof_jntid[i]]) continue;
    passive[i] = passive[i] + CLANES(d->qfrc_gravcomp)[i];
  }
}

// springs and dampers of joints, zeros for the others
static inline __attribute__((always_inline)) void jointForces(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  int n = s.dof_end - s.dof;
  zeroN(LANES(d->qfrc_spring) + s.dof, n);
  zeroN(LANES(d->qfrc_gravcomp) + s.dof, n);
  zeroN(LANES(d->qfrc_fluid) + s.dof, n);
  if (!mjDISABLED(mjDSBL_SPRING)) jointSprings(m, d, s);
  if (!mjDISABLED(mjDSBL_DAMPER)) jointDampers(m, d, s);
  else zeroN(LANES(d->qfrc_damper) + s.dof, n);
}

static inline __attribute__((always_inline)) void sumForces(const mjModel* m, mjData* d, mjiSpan s, V* passive) {
  for (int i = s.dof; i < s.dof_end; i++) passive[i] = CLANES(d->qfrc_spring)[i] + CLANES(d->qfrc_damper)[i];
}

static inline __attribute__((always_inline)) void addFluid(const mjModel* m, mjData* d, mjiSpan s, V* passive) {
  for (int i = s.dof; i < s.dof_end; i++) passive[i] = passive[i] + CLANES(d->qfrc_fluid)[i];
}

int LANE(passiveOfModel)(const mjModel* m, mjData* d) {
  // springs and dampers; if both are disabled, all passive forces are
  mji_eachSpan(m, d, jointForces, NULL);
  if (m->nflex) LANE(flexPassive)(m, d);
  if (m->ntendon) LANE(tendonPassive)(m, d);
  mji_eachSpan(m, d, sumForces, LANES(d->qfrc_passive));
  if (mjDISABLED(mjDSBL_SPRING) && mjDISABLED(mjDSBL_DAMPER)) return 0;

  // gravity compensation
  if (gravcomp(m, d)) mji_eachSpan(m, d, addGravcomp, LANES(d->qfrc_passive));

  // fluid
  if (m->opt.density > 0 || m->opt.viscosity > 0) {
    LANE(fluid)(m, d);
    mji_eachSpan(m, d, addFluid, LANES(d->qfrc_passive));
  }
  return 1;
}

void LANE(passive)(const mjModel* m, mjData* d) {
  if (!LANE(passiveOfModel)(m, d)) return;
  if (ONE_STATE && mjcb_passive) mjcb_passive(m, d);
  if (ONE_STATE && m->nplugin) mji_plugin_compute(m, d, mjPLUGIN_PASSIVE, mjSTAGE_VEL);
}
