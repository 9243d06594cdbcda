// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Points inside the volumes of sites.
#ifndef SHEAF_SENSE_INSIDE_H_
#define SHEAF_SENSE_INSIDE_H_

#include <mujoco/mujoco.h>

#include "lanes/lanes.h"

#include "dynamics/spatial.h"

// is a point, in the frame of a shape, inside?
static inline M insideShape(int type, const mjtNum* size, const V* p) {
  V sqrxy = p[0] * p[0] + p[1] * p[1];
  switch (type) {
    case mjGEOM_SPHERE: return v_lt(sqrxy + p[2] * p[2], v_set1(size[0] * size[0]));
    case mjGEOM_CAPSULE: {
      V beyond = v_max(v_abs(p[2]) - size[1], v_zero());
      return v_lt(sqrxy + beyond * beyond, v_set1(size[0] * size[0]));
    }
    case mjGEOM_ELLIPSOID: {
      V sum = v_zero();
      for (int k = 0; k < 3; k++) sum = sum + p[k] * p[k] / (size[k] * size[k]);
      return v_lt(sum, v_set1(1));
    }
    case mjGEOM_CYLINDER: return v_lt(v_abs(p[2]), v_set1(size[1])) & v_lt(sqrxy, v_set1(size[0] * size[0]));
    case mjGEOM_BOX:
      return v_lt(v_abs(p[0]), v_set1(size[0])) & v_lt(v_abs(p[1]), v_set1(size[1])) &
             v_lt(v_abs(p[2]), v_set1(size[2]));
    default: return m_none();
  }
}

// is a point of the world inside the volume of a site?
static inline M insideSite(const mjModel* m, const mjData* d, int site, const V* point) {
  const V* xpos = CLANES(d->site_xpos) + 3 * site;
  V offset[3], p[3];
  for (int k = 0; k < 3; k++) offset[k] = point[k] - xpos[k];
  mulMatT3(p, CLANES(d->site_xmat) + 9 * site, offset);
  return insideShape(m->site_type[site], m->site_size + 3 * site, p);
}

#endif  // SHEAF_SENSE_INSIDE_H_
