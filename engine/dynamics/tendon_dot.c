// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Second derivatives of the lengths of tendons: how fast the moment arms change, times the velocity.

#include "lanes/lanes.h"

#include "dynamics/spatial.h"
#include "dynamics/tendon_length.h"
#include "model/plan.h"
#include "model/work.h"

// velocity of a point of the motion of its body
static void pointVelocity(V res[3], const V motion[6], const V offset[3]) {
  cross3(res, motion, offset);
  for (int k = 0; k < 3; k++) res[k] = motion[3 + k] + res[k];
}

// change of a motion s that is carried by a motion v
static void carry(V res[6], const V v[6], const V s[6]) {
  V turn[3];
  cross3(res, v, s);
  cross3(res + 3, v, s + 3);
  cross3(turn, v + 3, s);
  for (int k = 0; k < 3; k++) res[3 + k] = res[3 + k] + turn[k];
}

// is a dof one of the three axes of a ball or free joint, which turn with the body?
static int isBodyAxis(const mjModel* m, int dof) {
  int j = m->dof_jntid[dof], type = m->jnt_type[j];
  return type == mjJNT_BALL || (type == mjJNT_FREE && dof >= m->jnt_dofadr[j] + 3);
}

// velocity of a site, and its acceleration while joints do not accelerate
static void siteMotion(const mjModel* m, const mjData* d, int site, V vel[3], V acc[3]) {
  const mjiPlan* plan = mji_plan(m);
  int body = m->site_bodyid[site];
  const V *pos = CLANES(d->site_xpos) + 3 * site, *com = CLANES(d->subtree_com) + 3 * m->body_rootid[body];
  V offset[3], change[6], turn[3], bend[3];
  for (int k = 0; k < 3; k++) offset[k] = pos[k] - com[k];
  pointVelocity(vel, CLANES(d->cvel) + 6 * body, offset);

  // sums over dofs of the changes of their motions, and of their rotations
  zeroN(change, 6);
  zeroN(turn, 3);
  for (int c = 0; c < plan->chain_num[body]; c++) {
    int i = plan->chain_ind[plan->chain_adr[body] + c];
    const V *axis = CLANES(d->cdof) + 6 * i, speed = CLANES(d->qvel)[i];
    V dot[6];
    if (isBodyAxis(m, i)) carry(dot, CLANES(d->cvel) + 6 * m->dof_bodyid[i], axis);
    else copyN(dot, CLANES(d->cdof_dot) + 6 * i, 6);
    for (int k = 0; k < 6; k++) change[k] = change[k] + dot[k] * speed;
    for (int k = 0; k < 3; k++) turn[k] = turn[k] + axis[k] * speed;
  }
  pointVelocity(acc, change, offset);
  cross3(bend, turn, vel);
  for (int k = 0; k < 3; k++) acc[k] = acc[k] + bend[k];
}

// Of the segment between two sites. Its rate is direction * difference of velocities; both change.
static V segmentBias(const mjModel* m, const mjData* d, const int site[2]) {
  const V *from = CLANES(d->site_xpos) + 3 * site[0], *to = CLANES(d->site_xpos) + 3 * site[1];
  V dir[3], vel[2][3], acc[2][3], dv[3], da[3];
  for (int k = 0; k < 2; k++) siteMotion(m, d, site[k], vel[k], acc[k]);
  for (int k = 0; k < 3; k++) {
    dir[k] = to[k] - from[k];
    dv[k] = vel[1][k] - vel[0][k];
    da[k] = acc[1][k] - acc[0][k];
  }
  V length = v_sqrt(dot3(dir, dir));
  M none = v_lt(length, v_set1(mjMINVAL));
  V inverse = 1 / v_sel(none, v_set1(1), length), x[3] = {v_set1(1), v_zero(), v_zero()};
  for (int k = 0; k < 3; k++) dir[k] = v_sel(none, x[k], dir[k] * inverse);

  // the direction turns by the part of the relative velocity across it, divided by the length
  V along = dot3(dir, dv), across[3];
  for (int k = 0; k < 3; k++) across[k] = dv[k] - dir[k] * along;
  return dot3(dir, da) + v_sel(none, v_zero(), dot3(across, dv) * inverse);
}

V LANE(tendonLengthBias)(const mjModel* m, const mjData* d, int tendon) {
  int adr = m->tendon_adr[tendon], last = adr + m->tendon_num[tendon] - 1;
  mjtNum divisor = 1;
  V bias = v_zero();
  if (m->wrap_type[adr] == mjWRAP_JOINT) return bias;
  for (int w = adr; w < last; w++) {
    int type = m->wrap_type[w];
    if (type == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
    if (type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER) {
      mju_error("tendon %d: armature with geom wrapping is not supported", tendon);
    }
    const int* site = m->wrap_objid + w;
    if (type != mjWRAP_SITE || m->wrap_type[w + 1] != mjWRAP_SITE) continue;
    if (m->site_bodyid[site[0]] != m->site_bodyid[site[1]]) bias = bias + segmentBias(m, d, site) / divisor;
  }
  return bias;
}
