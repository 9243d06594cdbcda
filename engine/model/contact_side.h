// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The sides of a contact: which bodies it acts on. Rows, wrenches, islands, sleep, sensors and adhesion ask here and
// work on the bodies of a side and their weights, not on geoms.
#ifndef SHEAF_MODEL_CONTACT_SIDE_H_
#define SHEAF_MODEL_CONTACT_SIDE_H_

#include <mujoco/mujoco.h>

// Bodies that carry the contact point, each by its weight; the weights add up to one.
typedef struct mjiSide_ {
  int n;  // number of bodies; 0 if the side belongs to nothing of the model
  const int* body;
  const mjtNum* weight;
} mjiSide;

// Side 0 or 1, from the geoms of a contact. A geom is one body with weight 1.
static inline mjiSide mji_contactSide(const mjModel* m, const int geom[2], int side) {
  static const mjtNum whole = 1;
  if (geom[side] < 0) return (mjiSide){0, NULL, NULL};
  return (mjiSide){1, m->geom_bodyid + geom[side], &whole};
}

// Nonzero if both sides belong to the model.
static inline int mji_contactHasSides(const mjModel* m, const int geom[2]) {
  return mji_contactSide(m, geom, 0).n && mji_contactSide(m, geom, 1).n;
}

// Nonzero if a body carries a side.
static inline int mji_sideHasBody(mjiSide side, int body) {
  for (int i = 0; i < side.n; i++) {
    if (side.body[i] == body) return 1;
  }
  return 0;
}

#endif  // SHEAF_MODEL_CONTACT_SIDE_H_
