// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Statistics of the model at qpos0: sizes for scaling forces, tolerances and cameras.

#include "load/setconst.h"

static void addPoint(mjtNum box[6], const mjtNum pos[3], mjtNum radius) {
  for (int k = 0; k < 3; k++) {
    box[k] = mju_min(box[k], pos[k] - radius);
    box[3 + k] = mju_max(box[3 + k], pos[k] + radius);
  }
}

// the radius with which a geom counts: of its bounding sphere, or else a tenth of its size
static mjtNum visibleRadius(const mjModel* m, int geom) {
  if (m->geom_rbound[geom] > 0) return m->geom_rbound[geom];
  const mjtNum* size = m->geom_size + 3 * geom;
  if (m->geom_type[geom] == mjGEOM_PLANE) {
    return size[0] || size[1] ? 0.1 * mju_max(size[0], size[1]) : 1;
  }
  return 0.1 * mju_max(size[0], size[1]);
}

// box around bodies, joints, sites and geoms
static void setExtent(mjModel* m, const mjData* d) {
  mjtNum box[6] = {1e10, 1e10, 1e10, -1e10, -1e10, -1e10};
  for (int i = 1; i < m->nbody; i++) {
    addPoint(box, d->xpos + 3 * i, 0);
    addPoint(box, d->xipos + 3 * i, 0);
  }
  for (int i = 0; i < m->njnt; i++) addPoint(box, d->xanchor + 3 * i, 0);
  for (int i = 0; i < m->nsite; i++) addPoint(box, d->site_xpos + 3 * i, 0);
  for (int i = 0; i < m->ngeom; i++) addPoint(box, d->geom_xpos + 3 * i, visibleRadius(m, i));

  m->stat.extent = 2;
  if (box[3] < box[0]) {
    mju_zero3(m->stat.center);
    return;
  }
  for (int k = 0; k < 3; k++) m->stat.center[k] = (box[k] + box[3 + k]) / 2;
  mjtNum side = mju_max(box[3] - box[0], mju_max(box[4] - box[1], box[5] - box[2]));
  if (box[3] > box[0]) m->stat.extent = mju_max(1e-5, side);
}

static void reach(mjtNum* size, mjtNum far) { *size = mju_max(*size, far); }

// a body of a control node reaches as far as the bodies of the other nodes
static void measureNodes(const mjModel* m, const mjData* d, int f, mjtNum* size) {
  const int adr = m->flex_nodeadr[f], n = m->flex_nodenum[f];
  for (int i = adr; i < adr + n; i++) {
    for (int k = adr; k < adr + n; k++) {
      const int a = m->flex_nodebodyid[i], b = m->flex_nodebodyid[k];
      reach(size + a, mju_dist3(d->xpos + 3 * a, d->xpos + 3 * b));
    }
  }
}

// a body of a vertex reaches as far as the edges of the vertex
static void measureFlexes(const mjModel* m, const mjData* d, mjtNum* size) {
  for (int f = 0; f < m->nflex; f++) {
    const int adr = m->flex_edgeadr[f], *body = m->flex_vertbodyid + m->flex_vertadr[f];
    for (int e = adr; e < adr + m->flex_edgenum[f] && !m->flex_interp[f]; e++) {
      for (int i = 0; i < 2; i++) reach(size + body[m->flex_edge[2 * e + i]], m->flexedge_length0[e]);
    }
    measureNodes(m, d, f, size);
  }
}

// the size of a body: how far from its center of mass its geoms are, and the joints of it and of its children
static void measureBodies(const mjModel* m, const mjData* d, mjtNum* size) {
  mju_zero(size, m->nbody);
  for (int j = 0; j < m->njnt; j++) {
    int body = m->jnt_bodyid[j], parent = m->body_parentid[body];
    const mjtNum* anchor = d->xanchor + 3 * j;
    size[body] = mju_max(size[body], mju_dist3(d->xipos + 3 * body, anchor));
    size[parent] = mju_max(size[parent], mju_dist3(d->xipos + 3 * parent, anchor));
  }
  for (int g = 0; g < m->ngeom; g++) {
    int body = m->geom_bodyid[g];
    if (m->geom_rbound[g] <= 0) continue;
    mjtNum far = m->geom_rbound[g] + mju_dist3(d->xipos + 3 * body, d->geom_xpos + 3 * g);
    size[body] = mju_max(size[body], far);
  }
  measureFlexes(m, d, size);
  for (int i = 0; i < m->nbody; i++) size[i] = mju_max(size[i], 1e-5);
}

// dof_length: a rotation moves points by the size of their body; a translation is a length already
static void setDofLengths(mjModel* m, const mjtNum* size) {
  for (int i = 0; i < m->nv; i++) {
    int joint = m->dof_jntid[i];
    mjtJoint type = m->jnt_type[joint];
    int translates = type == mjJNT_SLIDE || (type == mjJNT_FREE && i < m->jnt_dofadr[joint] + 3);
    m->dof_length[i] = translates ? 1 : size[m->dof_bodyid[i]];
  }
}

static void setMeanInertia(mjModel* m, const mjData* d) {
  mjtNum sum = 0;
  for (int i = 0; i < m->nv; i++) sum += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  m->stat.meaninertia = m->nv ? sum / m->nv : 1;
}

void mji_const_sizes(mjModel* m, mjData* d) {
  mj_markStack(d);
  mjtNum* size = mj_stackAllocNum(d, (size_t)m->nbody);
  measureBodies(m, d, size);
  setDofLengths(m, size);
  setMeanInertia(m, d);
  m->stat.meansize = m->nbody > 1 ? 0 : 0.2;
  for (int i = 1; i < m->nbody; i++) m->stat.meansize += size[i] / ((int)m->nbody - 1);
  mj_freeStack(d);
}

void mji_const_statistics(mjModel* m, mjData* d) {
  mji_const_sizes(m, d);
  setExtent(m, d);
  int n = (int)m->nbody - 1;
  m->stat.meanmass = n > 0 ? mju_sum(m->body_mass + 1, n) / n : 1;
  m->stat.extent = mju_max(m->stat.extent, 2 * m->stat.meansize);
}
