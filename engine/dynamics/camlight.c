// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// World frames of cameras and lights, which may be fixed to a body, follow it or aim at it.

#include "lanes/lanes.h"
#include "lanes/kernels.h"

#include "dynamics/spatial.h"
#include "model/number.h"

// scale to unit length; a vector of no length becomes the x axis
static void unit3(V* r) {
  V norm = v_sqrt(dot3(r, r));
  M none = v_lt(norm, v_set1(mjMINVAL));
  V scale = 1.0 / v_sel(none, v_set1(1), norm);
  for (int k = 0; k < 3; k++) r[k] = v_sel(none, v_set1(k == 0), r[k] * scale);
}

// point that is fixed in body b
static void bodyPoint(const mjData* d, int b, const N* local, V* pos) {
  if (!b) {  // the world
    for (int k = 0; k < 3; k++) pos[k] = v_num(local[k]);
    return;
  }
  mulMat3S(pos, CLANES(d->xmat) + 9 * b, local);
  for (int k = 0; k < 3; k++) pos[k] = pos[k] + CLANES(d->xpos)[3 * b + k];
}

// center of a body, or of its subtree
static const V* bodyCenter(const mjData* d, int b, int com) {
  return (com ? CLANES(d->subtree_com) : CLANES(d->xpos)) + 3 * b;
}

// point with a constant offset in the world from a body's center
static void trackPoint(const mjData* d, int b, int com, const N* offset, V* pos) {
  const V* center = bodyCenter(d, b, com);
  for (int k = 0; k < 3; k++) pos[k] = center[k] + offset[k];
}

// camera axes in the columns of mat: z away from the target, x horizontal
static void lookAt(V* mat, const V* pos, const V* target) {
  V x[3], y[3], z[3];
  for (int k = 0; k < 3; k++) z[k] = pos[k] - target[k];
  unit3(z);
  V up[3] = {v_zero(), v_zero(), v_set1(1)};
  cross3(x, up, z);
  unit3(x);
  cross3(y, z, x);
  unit3(y);
  for (int k = 0; k < 3; k++) {
    mat[3 * k] = x[k];
    mat[3 * k + 1] = y[k];
    mat[3 * k + 2] = z[k];
  }
}

static void placeCamera(const mjModel* m, mjData* d, int i) {
  int b = m->cam_bodyid[i], target = m->cam_targetbodyid[i], mode = m->cam_mode[i];
  V* pos = LANES(d->cam_xpos) + 3 * i;
  V* mat = LANES(d->cam_xmat) + 9 * i;

  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    int com = mode == mjCAMLIGHT_TRACKCOM;
    trackPoint(d, b, com, (com ? NUM(cam_poscom0) : NUM(cam_pos0)) + 3 * i, pos);
    for (int k = 0; k < 9; k++) mat[k] = v_num(NUM(cam_mat0)[9 * i + k]);
    return;
  }

  // fixed in the body; a camera that aims at a target gets its orientation from lookAt instead
  V quat[4];
  bodyPoint(d, b, NUM(cam_pos) + 3 * i, pos);
  if (b) {
    mulQuatS(quat, CLANES(d->xquat) + 4 * b, NUM(cam_quat) + 4 * i);
  } else {
    for (int k = 0; k < 4; k++) quat[k] = v_num(NUM(cam_quat)[4 * i + k]);
  }
  quatToMat(mat, quat);
  if (mode != mjCAMLIGHT_FIXED && target >= 0) {
    lookAt(mat, pos, bodyCenter(d, target, mode == mjCAMLIGHT_TARGETBODYCOM));
  }
}

static void placeLight(const mjModel* m, mjData* d, int i) {
  int b = m->light_bodyid[i], target = m->light_targetbodyid[i], mode = m->light_mode[i];
  V* pos = LANES(d->light_xpos) + 3 * i;
  V* dir = LANES(d->light_xdir) + 3 * i;

  if (mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM) {
    int com = mode == mjCAMLIGHT_TRACKCOM;
    trackPoint(d, b, com, (com ? NUM(light_poscom0) : NUM(light_pos0)) + 3 * i, pos);
    for (int k = 0; k < 3; k++) dir[k] = v_num(NUM(light_dir0)[3 * i + k]);
  } else {
    bodyPoint(d, b, NUM(light_pos) + 3 * i, pos);
    mulMat3S(dir, CLANES(d->xmat) + 9 * b, NUM(light_dir) + 3 * i);
    if (mode != mjCAMLIGHT_FIXED && target >= 0) {
      const V* center = bodyCenter(d, target, mode == mjCAMLIGHT_TARGETBODYCOM);
      for (int k = 0; k < 3; k++) dir[k] = center[k] - pos[k];
    }
  }
  unit3(dir);
}

void LANE(camlight)(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->ncam; i++) placeCamera(m, d, i);
  for (int i = 0; i < m->nlight; i++) placeLight(m, d, i);
}
