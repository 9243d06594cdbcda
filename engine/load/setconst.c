// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants that follow from the model at its reference configuration qpos0.

#include <math.h>
#include <string.h>

#include "load/setconst.h"
#include "model/plan.h"
#include "model/work.h"
#include "model/sleep.h"

// ---- inertia

// If no body is compensated, steps do not look for such bodies. A user may have changed body_gravcomp.
static void setGravcomp(mjModel* m) {
  m->ngravcomp = 0;
  for (int i = 0; i < m->nbody; i++) m->ngravcomp += m->body_gravcomp[i] > 0;
}

static void setSubtreeMass(mjModel* m) {
  mju_copy(m->body_subtreemass, m->body_mass, m->nbody);
  for (int i = m->nbody - 1; i > 0; i--) {
    m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
  }
}

// The diagonal of M for simple dofs does not depend on the configuration, so mj_makeM takes it from the model.
static void setSimpleM0(mjModel* m) {
  for (int i = 0; i < m->nv; i++) {
    if (!m->dof_simplenum[i]) continue;
    int body = m->dof_bodyid[i], joint = m->dof_jntid[i];
    const mjtNum* inertia = m->body_inertia + 3 * body;
    int k = i - m->jnt_dofadr[joint];
    mjtNum mass = m->body_mass[body];
    switch (m->jnt_type[joint]) {
      case mjJNT_FREE: m->dof_M0[i] = k < 3 ? mass : inertia[k - 3]; break;
      case mjJNT_BALL: m->dof_M0[i] = inertia[k]; break;
      case mjJNT_SLIDE: m->dof_M0[i] = mass; break;
      default:
        m->dof_M0[i] = mju_dot3(inertia, (mjtNum[3]){m->jnt_axis[3 * joint] * m->jnt_axis[3 * joint],
                                                     m->jnt_axis[3 * joint + 1] * m->jnt_axis[3 * joint + 1],
                                                     m->jnt_axis[3 * joint + 2] * m->jnt_axis[3 * joint + 2]});
    }
    m->dof_M0[i] += m->dof_armature[i];
  }
}

static void setM0(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nv; i++) m->dof_M0[i] = d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
}

// ---- inverse weights

// Dofs that move something, from the root on: the only columns in which its Jacobian is not zero.
typedef struct {
  const int* dof;
  int n;
} Chain;

enum { MOST = 6 };  // right-hand sides that are solved side by side

// x <- inv(M) x for n vectors, element by element side by side, in the columns of the chain; they are zero elsewhere.
// These are the operations of mj_solveM, in its order and with its two sums, but for those with zeros and for results
// that the chain does not need.
static inline __attribute__((always_inline)) void solveChain(const mjModel* m, const mjData* d, Chain c,
                                                             mjtNum* restrict x, int n) {
  for (int b = c.n - 1; b >= 0; b--) {
    mjtNum even[MOST], odd[MOST] = {0};
    for (int r = 0; r < n; r++) even[r] = x[b * n + r];
    for (int a = b + 1; a < c.n; a++) {
      int k = c.dof[a];
      if (m->M_rownnz[k] != a + 1) continue;  // a simple dof has a row of its own
      mjtNum l = d->qLD[m->M_rowadr[k] + b], other = (k - c.dof[b]) & 1 ? 0 : l;
      l -= other;
      for (int r = 0; r < n; r++) even[r] -= l * x[a * n + r];
      for (int r = 0; r < n; r++) odd[r] += other * x[a * n + r];
    }
    for (int r = 0; r < n; r++) x[b * n + r] = even[r] - odd[r];
  }
  for (int a = 0; a < c.n; a++) {
    int i = c.dof[a], nnz = m->M_rownnz[i] - 1, k = 0;
    const mjtNum* row = d->qLD + m->M_rowadr[i];
    mjtNum even[MOST], odd[MOST] = {0};
    for (int r = 0; r < n; r++) even[r] = x[a * n + r] * d->qLDiagInv[i];
    for (; k + 1 < nnz; k += 2) {
      for (int r = 0; r < n; r++) even[r] -= row[k] * x[k * n + r];
      for (int r = 0; r < n; r++) odd[r] += row[k + 1] * x[(k + 1) * n + r];
    }
    for (int r = 0; r < n && k < nnz; r++) even[r] -= row[k] * x[k * n + r];
    for (int r = 0; r < n; r++) x[a * n + r] = even[r] - odd[r];
  }
}

// J, nrow rows that are zero outside of the chain, becomes J * inv(M) in the chain
static void solveRows(const mjModel* m, mjData* d, Chain c, const mjtNum* J, mjtNum* to, int nrow) {
  int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* x = mj_stackAllocNum(d, (size_t)c.n * (size_t)nrow + 1);
  for (int a = 0; a < c.n; a++) {
    for (int r = 0; r < nrow; r++) x[a * nrow + r] = J[r * nv + c.dof[a]];
  }
  if (nrow == 6) solveChain(m, d, c, x, 6);
  else if (nrow == 3) solveChain(m, d, c, x, 3);
  else solveChain(m, d, c, x, 1);
  mju_zero(to, nrow * nv);
  for (int a = 0; a < c.n; a++) {
    for (int r = 0; r < nrow; r++) to[r * nv + c.dof[a]] = x[a * nrow + r];
  }
  mj_freeStack(d);
}

// body_invweight0: how bodies respond to forces and torques at their center of mass, the means of the diagonal of
// J * inv(M) * J' for three translations and three rotations
static void setBodyInvWeight(mjModel* m, mjData* d) {
  const mjiPlan* plan = mji_plan(m);
  mj_markStack(d);
  mjtNum *J = mj_stackAllocNum(d, 12 * (size_t)m->nv), *x = J + 6 * m->nv;
  for (int i = 0; i < m->nbody; i++) {
    mjtNum* weight = m->body_invweight0 + 2 * i;
    weight[0] = weight[1] = 0;
    if (!m->body_weldid[i]) continue;
    if (m->body_simple[i] == 2) {
      weight[0] = 1 / mju_max(mjMINVAL, m->body_mass[i]);
      continue;
    }
    mj_jacBodyCom(m, d, J, J + 3 * m->nv, i);
    solveRows(m, d, (Chain){plan->chain_ind + plan->chain_adr[i], plan->chain_num[i]}, J, x, 6);
    for (int k = 0; k < 2; k++) weight[k] = mju_dot(x + 3 * k * m->nv, J + 3 * k * m->nv, 3 * (int)m->nv) / 3;
  }
  mj_freeStack(d);
}

// dof_invweight0: averaged over the dofs of a joint that have the same unit
static void setDofInvWeight(mjModel* m, mjData* d) {
  const mjiPlan* plan = mji_plan(m);
  mj_markStack(d);
  mjtNum *unit = mj_stackAllocNum(d, 6 * (size_t)m->nv), *x = unit + 3 * m->nv;
  for (int j = 0; j < m->njnt; j++) {
    int adr = m->jnt_dofadr[j], body = m->jnt_bodyid[j];
    mjtJoint type = m->jnt_type[j];
    int size = type == mjJNT_FREE || type == mjJNT_BALL ? 3 : 1;
    int kinds = type == mjJNT_FREE ? 2 : 1;  // translations and rotations
    for (int kind = 0; kind < kinds; kind++, adr += size) {
      mju_zero(unit, size * m->nv);
      for (int k = 0; k < size; k++) unit[k * m->nv + adr + k] = 1;
      mjtNum weight = 1 / mju_max(mjMINVAL, m->body_mass[body]);
      if (m->body_simple[body] != 2) {
        solveRows(m, d, (Chain){plan->chain_ind + plan->chain_adr[body], plan->dof_depth[adr + size - 1]}, unit, x,
                  size);
        weight = mju_dot(x, unit, size * (int)m->nv) / size;
      }
      for (int k = 0; k < size; k++) m->dof_invweight0[adr + k] = weight;
    }
  }
  mj_freeStack(d);
}

// ---- tendons and actuators

static void setTendons(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum *J = mj_stackAllocNum(d, 2 * (size_t)m->nv), *x = J + m->nv;
  for (int i = 0; i < m->ntendon; i++) {
    m->tendon_length0[i] = d->ten_length[i];
    int adr = d->ten_J_rowadr[i];
    mju_zero(J, m->nv);
    if (mj_isSparse(m)) {
      for (int k = 0; k < d->ten_J_rownnz[i]; k++) J[d->ten_J_colind[adr + k]] = d->ten_J[adr + k];
    } else {
      mju_copy(J, d->ten_J + (size_t)i * m->nv, m->nv);
    }
    if (m->nv) mj_solveM(m, d, x, J, 1);
    m->tendon_invweight0[i] = m->nv ? mju_dot(x, J, m->nv) : 0;
  }
  mj_freeStack(d);
}

// kv = ratio * 2 * sqrt(kp * mass): a ratio is a positive number in the place of -kv
static void resolveDampRatio(mjModel* m, int i, const mjtNum* moment) {
  mjtNum* prm = m->actuator_biasprm + mjNBIAS * i;
  mjtNum kp = m->actuator_gainprm[mjNGAIN * i];
  if (kp != -prm[1] || prm[2] <= 0) return;
  mjtNum mass = 0;
  for (int k = 0; k < m->nv; k++) {
    mjtNum trn = fabs(moment[k]);
    if (trn > mjMINVAL) mass += m->dof_M0[k] / (trn * trn);
  }
  prm[2] *= -2 * sqrt(kp * mass);
}

static void momentRow(const mjModel* m, const mjData* d, int i, mjtNum* moment) {
  mju_zero(moment, m->nv);
  for (int k = 0; k < d->moment_rownnz[i]; k++) {
    int at = d->moment_rowadr[i] + k;
    moment[d->moment_colind[at]] = d->actuator_moment[at];
  }
}

enum { TOGETHER = 3 };  // vectors that mj_solveM takes at a time

static void setActuators(mjModel* m, mjData* d) {
  if (!m->nu) return;
  mj_markStack(d);
  mjtNum* moment = mj_stackAllocNum(d, 2 * TOGETHER * (size_t)m->nv + 1);
  mjtNum* acc = moment + TOGETHER * m->nv;
  for (int first = 0; first < m->nu; first += TOGETHER) {
    int n = mjMIN(TOGETHER, (int)m->nu - first);
    for (int k = 0; k < n; k++) momentRow(m, d, first + k, moment + k * m->nv);
    if (m->nv) mj_solveM(m, d, acc, moment, n);
    for (int k = 0; k < n; k++) {
      int i = first + k;
      m->actuator_length0[i] = d->actuator_length[i];
      m->actuator_acc0[i] = mju_norm(acc + k * m->nv, m->nv);
      resolveDampRatio(m, i, moment + k * m->nv);
    }
  }
  mj_freeStack(d);
}

// a resting length that was not given is the length at qpos_spring
static void setSpringLengths(mjModel* m, mjData* d) {
  int missing = 0;
  for (int i = 0; i < m->ntendon; i++) missing |= mji_const_noSpring(m, i);
  if (!missing) return;
  mju_copy(d->qpos, m->qpos_spring, m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  for (int i = 0; i < m->ntendon; i++) {
    if (!mji_const_noSpring(m, i)) continue;
    m->tendon_lengthspring[2 * i] = m->tendon_lengthspring[2 * i + 1] = d->ten_length[i];
  }
}

// ---- equalities

// the second anchor of a connect and the relative pose of a weld follow from the present poses of bodies
static void setEqualities(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->neq; i++) {
    mjtNum* data = m->eq_data + mjNEQDATA * i;
    int id1 = m->eq_obj1id[i], id2 = m->eq_obj2id[i];
    int bodies = m->eq_objtype[i] != mjOBJ_SITE;
    mjtNum point[3];
    if (m->eq_type[i] == mjEQ_CONNECT && bodies) {
      mju_trnVecPose(point, d->xpos + 3 * id1, d->xquat + 4 * id1, data);
      mju_subFrom3(point, d->xpos + 3 * id2);
      mju_mulMatTVec3(data + 3, d->xmat + 9 * id2, point);
    } else if (m->eq_type[i] == mjEQ_CONNECT) {
      mju_zero(data, mjNEQDATA);
    } else if (m->eq_type[i] == mjEQ_WELD && bodies && mju_isZero(data + 6, 4)) {
      mju_trnVecPose(point, d->xpos + 3 * id2, d->xquat + 4 * id2, data);
      mju_subFrom3(point, d->xpos + 3 * id1);
      mju_mulMatTVec3(data + 3, d->xmat + 9 * id1, point);
      mjtNum neg[4];
      mju_negQuat(neg, d->xquat + 4 * id1);
      mju_mulQuat(data + 6, neg, d->xquat + 4 * id2);
    } else if (m->eq_type[i] == mjEQ_WELD && bodies) {
      mju_normalize4(data + 6);
    }
  }
}

// ---- cameras and lights that follow something keep the pose they have here

static void setCameras(mjModel* m, mjData* d) {
  for (int i = 0; i < m->ncam; i++) {
    int body = m->cam_bodyid[i];
    mjtNum pos[3];
    mj_local2Global(d, pos, m->cam_mat0 + 9 * i, m->cam_pos + 3 * i, m->cam_quat + 4 * i, body, 0);
    mju_sub3(m->cam_pos0 + 3 * i, pos, d->xpos + 3 * body);
    int com = m->cam_targetbodyid[i] >= 0 ? m->cam_targetbodyid[i] : body;
    mju_sub3(m->cam_poscom0 + 3 * i, pos, d->subtree_com + 3 * com);
  }
}

static void setLights(mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nlight; i++) {
    int body = m->light_bodyid[i];
    mjtNum pos[3];
    mju_trnVecPose(pos, d->xpos + 3 * body, d->xquat + 4 * body, m->light_pos + 3 * i);
    mju_sub3(m->light_pos0 + 3 * i, pos, d->xpos + 3 * body);
    int com = m->light_targetbodyid[i] >= 0 ? m->light_targetbodyid[i] : body;
    mju_sub3(m->light_poscom0 + 3 * i, pos, d->subtree_com + 3 * com);
    mju_mulMatVec3(m->light_dir0 + 3 * i, d->xmat + 9 * body, m->light_dir + 3 * i);
  }
}

static void setConst(mjModel* m, mjData* d) {
  // spring lengths first: the rest is evaluated at qpos0
  mj_resetData(m, d);
  setSpringLengths(m, d);

  setGravcomp(m);
  setSubtreeMass(m);
  setSimpleM0(m);
  mju_copy(d->qpos, m->qpos0, m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_crb(m, d);
  setM0(m, d);  // without the armature of tendons, which mj_makeM adds
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);

  setBodyInvWeight(m, d);
  setDofInvWeight(m, d);
  setTendons(m, d);
  setActuators(m, d);
  mji_const_flexes(m, d);
  setEqualities(m, d);
  setCameras(m, d);
  setLights(m, d);
  mji_const_statistics(m, d);
}

// A user may have added a spring or damper to a tendon between trees, which keeps them awake: an error if they were
// told to sleep.
static void checkSleep(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_treenum[i] != 2 || !(m->tendon_stiffness[i] || m->tendon_damping[i])) continue;
    for (int k = 0; k < 2; k++) {
      int tree = m->tendon_treeid[2 * i + k];
      if (m->tree_sleep_policy[tree] < mjSLEEP_ALLOWED) continue;
      mju_error("mj_setConst: the spring or damper of tendon %d keeps tree %d awake, which is told to sleep", i, tree);
    }
  }
}

// Constants are computed with all trees awake; those that slept before sleep on afterwards.
void mj_setConst(mjModel* m, mjData* d) {
  int flags = m->opt.enableflags;
  size_t size = (size_t)m->ntree * sizeof(int);
  int* asleep = mji_sleep_any(m, d) ? mju_malloc(size) : NULL;
  if (asleep) memcpy(asleep, d->tree_asleep, size);
  m->opt.enableflags &= ~mjENBL_SLEEP;
  setConst(m, d);
  m->opt.enableflags = flags;
  if (asleep) {
    memcpy(d->tree_asleep, asleep, size);
    mji_sleep_update(m, d);
    mju_free(asleep);
  }
  checkSleep(m);
}
