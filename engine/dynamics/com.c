// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Quantities in the com frame: subtree centers of mass, body inertias and motion axes of the dofs.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/each_span.h"
#include "model/number.h"

// centers of mass of all subtrees, leaves first
static void subtreeCom(const mjModel* m, mjData* d) {
  V* com = LANES(d->subtree_com);
  const V* xipos = CLANES(d->xipos);

  for (int b = 0; b < m->nbody; b++) {
    for (int k = 0; k < 3; k++) com[3 * b + k] = xipos[3 * b + k] * NUM(body_mass)[b];
  }
  for (int b = m->nbody - 1; b >= 0; b--) {
    // children are done: pass the moment on, then divide by the mass
    if (b) {
      V* parent = com + 3 * m->body_parentid[b];
      for (int k = 0; k < 3; k++) parent[k] = parent[k] + com[3 * b + k];
    }
    N mass = NUM(body_subtreemass)[b];
    M none = v_lt(v_num(mass), v_set1(mjMINVAL));
    if (m_all(none)) {
      copy3(com + 3 * b, xipos + 3 * b);
      continue;
    }
    N scale = 1 / mass;
    for (int k = 0; k < 3; k++) com[3 * b + k] = v_sel(none, xipos[3 * b + k], com[3 * b + k] * scale);
  }
}

// inertia of a body, of given principal moments along the axes of mat, at an offset from the origin
static inline void comInert(V* I, const V* mat, const N* moment, N mass, const V* offset) {
  V t[9];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) t[3 * i + k] = mat[3 * i + k] * moment[k];
  }
  V x = offset[0], y = offset[1], z = offset[2];
  V mx = mass * x, my = mass * y, mz = mass * z;

  // R * diag * R' + mass * (offset'*offset*1 - offset*offset')
  I[0] = dot3(t, mat) + (my * y + mz * z);
  I[1] = dot3(t + 3, mat + 3) + (mx * x + mz * z);
  I[2] = dot3(t + 6, mat + 6) + (mx * x + my * y);
  I[3] = dot3(t, mat + 3) - mx * y;
  I[4] = dot3(t, mat + 6) - mx * z;
  I[5] = dot3(t + 3, mat + 6) - my * z;
  I[6] = mx;
  I[7] = my;
  I[8] = mz;
  I[9] = v_num(mass);
}

// rotation about an axis through a point: offset is from the point to the origin
static inline void rotationDof(V* cdof, const V* axis, const V* offset) {
  copy3(cdof, axis);
  cross3(cdof + 3, axis, offset);
}

// motion axes of one joint
static inline void jointDofs(const mjModel* m, mjData* d, int j) {
  int b = m->jnt_bodyid[j];
  V* cdof = LANES(d->cdof) + 6 * m->jnt_dofadr[j];
  const V* axis = CLANES(d->xaxis) + 3 * j;
  const V* anchor = CLANES(d->xanchor) + 3 * j;
  const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
  V offset[3];
  for (int k = 0; k < 3; k++) offset[k] = com[k] - anchor[k];

  switch ((mjtJoint)m->jnt_type[j]) {
    case mjJNT_FREE:
      // translations along the axes of the world, then rotations as for a ball joint
      zeroN(cdof, 18);
      for (int k = 0; k < 3; k++) cdof[7 * k + 3] = v_set1(1);
      cdof += 18;
      // fall through
    case mjJNT_BALL:
      for (int i = 0; i < 3; i++) {
        V column[3];
        for (int k = 0; k < 3; k++) column[k] = CLANES(d->xmat)[9 * b + 3 * k + i];
        rotationDof(cdof + 6 * i, column, offset);
      }
      break;
    case mjJNT_SLIDE:
      zeroN(cdof, 3);
      copy3(cdof + 3, axis);
      break;
    case mjJNT_HINGE: rotationDof(cdof, axis, offset); break;
  }
}

static inline __attribute__((always_inline)) void inertiasAndDofs(const mjModel* m, mjData* d, mjiSpan s, V* x) {
  for (int b = s.body; b < s.body_end; b++) {
    const V* com = CLANES(d->subtree_com) + 3 * m->body_rootid[b];
    V offset[3];
    for (int k = 0; k < 3; k++) offset[k] = CLANES(d->xipos)[3 * b + k] - com[k];
    comInert(LANES(d->cinert) + 10 * b, CLANES(d->ximat) + 9 * b, NUM(body_inertia) + 3 * b, NUM(body_mass)[b], offset);
  }
  for (int j = s.joint; j < s.joint_end; j++) jointDofs(m, d, j);
}

void LANE(comPos)(const mjModel* m, mjData* d) {
  subtreeCom(m, d);

  zeroN(LANES(d->cinert), 10);
  mji_eachSpan(m, d, inertiasAndDofs, NULL);
}
