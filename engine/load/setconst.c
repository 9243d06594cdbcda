// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Constants that follow from the model at its reference configuration qpos0.

#include <math.h>
#include <string.h>

#include "lanes/kernels.h"
#include "load/setconst.h"
#include "model/sleep.h"
#include "model/work.h"

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

void mji_const_masses(mjModel* m) {
  setGravcomp(m);
  setSubtreeMass(m);
  setSimpleM0(m);
}

void mji_const_M0(mjModel* m, const mjData* d, int nlane, int lane) {
  for (int i = 0; i < m->nv; i++) m->dof_M0[i] = d->M[(m->M_rowadr[i] + m->M_rownnz[i] - 1) * nlane + lane];
}

// ---- inverse weights, tendons and actuators

mjiInverseWeights mji_const_weights(const mjModel* m, mjData* d) {
  return (mjiInverseWeights){mji_stackNum(d, 2 * (size_t)m->nbody), mji_stackNum(d, (size_t)m->nv + 1),
                             mji_stackNum(d, (size_t)m->ntendon + 1), mji_stackNum(d, (size_t)m->nu + 1)};
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

static void resolveDampRatios(mjModel* m, mjData* d, int nlane, int lane) {
  mj_markStack(d);
  mjtNum* moment = mj_stackAllocNum(d, (size_t)m->nv + 1);
  for (int i = 0; i < m->nu; i++) {
    mju_zero(moment, m->nv);
    for (int k = d->moment_rowadr[i]; k < d->moment_rowadr[i] + d->moment_rownnz[i]; k++) {
      moment[d->moment_colind[k]] = d->actuator_moment[(size_t)k * (size_t)nlane + (size_t)lane];
    }
    resolveDampRatio(m, i, moment);
  }
  mj_freeStack(d);
}

void mji_const_takeWeights(mjModel* m, mjData* d, const mjiInverseWeights* w, int nlane, int lane) {
  mji_gatherLane(m->body_invweight0, w->body, 2 * (int)m->nbody, nlane, lane);
  mji_gatherLane(m->dof_invweight0, w->dof, (int)m->nv, nlane, lane);
  mji_gatherLane(m->tendon_invweight0, w->tendon, (int)m->ntendon, nlane, lane);
  mji_gatherLane(m->actuator_acc0, w->actuator, (int)m->nu, nlane, lane);
  resolveDampRatios(m, d, nlane, lane);
}

static void moveToSprings(const mjModel* m, mjData* d) {
  mju_copy(d->qpos, m->qpos_spring, m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
}

// a resting length that was not given is the length at qpos_spring
static void setSpringLengths(mjModel* m, mjData* d) {
  int missing = 0;
  for (int i = 0; i < m->ntendon; i++) missing |= mji_const_noSpring(m, i);
  if (!missing) return;
  moveToSprings(m, d);
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

void mji_const_poses(mjModel* m, mjData* d) {
  mju_copy(m->tendon_length0, d->ten_length, m->ntendon);
  mju_copy(m->actuator_length0, d->actuator_length, m->nu);
  mji_const_flexes(m, d);
  setEqualities(m, d);
  setCameras(m, d);
  setLights(m, d);
}

static void setConst(mjModel* m, mjData* d) {
  // spring lengths first: the rest is evaluated at qpos0
  setSpringLengths(m, d);

  mji_const_masses(m);
  mju_copy(d->qpos, m->qpos0, m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_crb(m, d);
  mji_const_M0(m, d, 1, 0);  // without the armature of tendons, which mj_makeM adds
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_transmission(m, d);

  mj_markStack(d);
  mjiInverseWeights w = mji_const_weights(m, d);
  LANE1(inverseWeights)(m, d, &w);
  mji_const_takeWeights(m, d, &w, 1, 0);
  mj_freeStack(d);
  mji_const_poses(m, d);
  mji_const_statistics(m, d);
}

// A user may have added a spring or damper to a tendon between trees, which keeps them awake: an error if they were
// told to sleep.
void mji_const_checkSleep(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_treenum[i] != 2 || !(m->tendon_stiffness[i] || m->tendon_damping[i])) continue;
    for (int k = 0; k < 2; k++) {
      int tree = m->tendon_treeid[2 * i + k];
      if (m->tree_sleep_policy[tree] < mjSLEEP_ALLOWED) continue;
      mju_error("mj_setConst: the spring or damper of tendon %d keeps tree %d awake, which is told to sleep", i, tree);
    }
  }
}

// Compute with all trees awake; those that slept before sleep on afterwards.
static void withAllAwake(mjModel* m, mjData* d, void (*compute)(mjModel*, mjData*)) {
  int flags = m->opt.enableflags;
  size_t size = (size_t)m->ntree * sizeof(int);
  int* asleep = mji_sleep_any(m, d) ? mju_malloc(size) : NULL;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  if (asleep) {
    memcpy(asleep, d->tree_asleep, size);
    mji_sleep_reset(m, d);
  }
  compute(m, d);
  m->opt.enableflags = flags;
  if (asleep) {
    memcpy(d->tree_asleep, asleep, size);
    mji_sleep_update(m, d);
    mju_free(asleep);
  }
  mji_const_checkSleep(m);
}

static void setConstOfReset(mjModel* m, mjData* d) {
  mj_resetData(m, d);
  setConst(m, d);
}

void mji_const_set(mjModel* m, mjData* d) { withAllAwake(m, d, setConstOfReset); }

static void setConstOfPresent(mjModel* m, mjData* d) {
  setConst(m, d);
  moveToSprings(m, d);
}

// A program may call this between two steps, so the data keep their state, but for the positions. As in the reference,
// constants follow from the present poses of mocap bodies, and positions are qpos_spring afterwards.
void mj_setConst(mjModel* m, mjData* d) { withAllAwake(m, d, setConstOfPresent); }
