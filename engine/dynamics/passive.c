// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Passive forces: springs, dampers, gravity compensation, fluid.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/passive.h"
#include "dynamics/spatial.h"
#include "dynamics/tendon.h"
#include "model/work.h"

void LANE(springDeflection)(const mjModel* m, const mjData* d, int j, V* dif) {
  const V* qpos = CLANES(d->qpos) + m->jnt_qposadr[j];
  const mjtNum* rest = m->qpos_spring + m->jnt_qposadr[j];
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
    case mjJNT_HINGE:
      dif[0] = qpos[0] - rest[0];
      break;
  }
}

static void jointSprings(const mjModel* m, mjData* d) {
  static const int ndof[4] = {6, 3, 1, 1};    // by mjtJoint
  V* force = LANES(d->qfrc_spring);
  for (int j = 0; j < m->njnt; j++) {
    double stiffness = m->jnt_stiffness[j];
    if (stiffness == 0) continue;
    V dif[6];
    LANE(springDeflection)(m, d, j, dif);
    V* out = force + m->jnt_dofadr[j];
    for (int k = 0; k < ndof[m->jnt_type[j]]; k++) out[k] = -stiffness * dif[k];
  }
}

static void jointDampers(const mjModel* m, mjData* d) {
  V* restrict force = LANES(d->qfrc_damper);
  const V* restrict qvel = CLANES(d->qvel);
  for (int i = 0; i < m->nv; i++) force[i] = -m->dof_damping[i] * qvel[i];
}

// force at each dof from one at the center of mass of a body: the dof's velocity there times the
// force
static void pushBody(const mjModel* m, mjData* d, int b, const V* force, V* qfrc) {
  const mjiPlan* plan = mji_plan(m);
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V arm[3], moment[3];
  for (int k = 0; k < 3; k++) arm[k] = CLANES(d->xipos)[3*b + k] - com[k];
  cross3(moment, arm, force);

  const int* chain = plan->chain_ind + plan->chain_adr[b];
  for (int c = 0; c < plan->chain_num[b]; c++) {
    const V* cdof = CLANES(d->cdof) + 6 * chain[c];
    qfrc[chain[c]] = qfrc[chain[c]] + (dot3(cdof, moment) + dot3(cdof + 3, force));
  }
}

// forces against gravity, as a share of each body's weight; nonzero if there are any
static int gravcomp(const mjModel* m, mjData* d) {
  const mjtNum* gravity = m->opt.gravity;
  if (!m->ngravcomp || (m->opt.disableflags & mjDSBL_GRAVITY)) return 0;
  if (gravity[0] == 0 && gravity[1] == 0 && gravity[2] == 0) return 0;

  for (int b = 1; b < m->nbody; b++) {
    double share = m->body_gravcomp[b] * m->body_mass[b];
    if (m->body_gravcomp[b] == 0) continue;
    V force[3];
    for (int k = 0; k < 3; k++) force[k] = v_set1(-gravity[k] * share);
    pushBody(m, d, b, force, LANES(d->qfrc_gravcomp));
  }
  return 1;
}

// gravity compensation counts as passive unless actuators are asked to deliver it, and only at
// joints of bodies that are compensated themselves
static void addGravcomp(const mjModel* m, mjData* d) {
  V* passive = LANES(d->qfrc_passive);
  for (int i = 0; i < m->nv; i++) {
    if (m->body_gravcomp[m->dof_bodyid[i]] == 0 || m->jnt_actgravcomp[m->dof_jntid[i]]) continue;
    passive[i] = passive[i] + CLANES(d->qfrc_gravcomp)[i];
  }
}

void LANE(passive)(const mjModel* m, mjData* d) {
  int nv = m->nv;
  V* passive = LANES(d->qfrc_passive);
  int spring = !(m->opt.disableflags & mjDSBL_SPRING);
  int damper = !(m->opt.disableflags & mjDSBL_DAMPER);

  zeroN(LANES(d->qfrc_spring), nv);
  zeroN(LANES(d->qfrc_gravcomp), nv);
  zeroN(LANES(d->qfrc_fluid), nv);
  if (!damper) zeroN(LANES(d->qfrc_damper), nv);
  if (!spring && !damper) {
    zeroN(passive, nv);
    return;
  }

  // springs and dampers
  if (spring) jointSprings(m, d);
  if (damper) jointDampers(m, d);
#if SHEAF_LANES == 1
  if (m->ntendon) mji_tendon_passive(m, d);
#endif
  for (int i = 0; i < nv; i++) passive[i] = CLANES(d->qfrc_spring)[i] + CLANES(d->qfrc_damper)[i];

  // gravity compensation
  if (gravcomp(m, d)) addGravcomp(m, d);

  // fluid
  if (m->opt.density > 0 || m->opt.viscosity > 0) {
    LANE(fluid)(m, d);
    for (int i = 0; i < nv; i++) passive[i] = passive[i] + CLANES(d->qfrc_fluid)[i];
  }

#if SHEAF_LANES == 1
  if (mjcb_passive) mjcb_passive(m, d);
#endif
}
