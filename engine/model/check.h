// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Consistency of a model that comes from outside: a model that passes is safe to simulate, whatever its
// numbers are. Each function returns NULL, or the name of the first array that is wrong.
#ifndef SHEAF_MODEL_CHECK_H_
#define SHEAF_MODEL_CHECK_H_

#include <stdint.h>
#include <mujoco/mujoco.h>

// All checks. A text that begins with a capital is not the name of an array but a sentence: what the model needs that
// this library does not have, or that there is no memory for the check.
const char* mji_checkModel(const mjModel* m);

// check_tree.c: bodies, joints, dofs and the structures that follow from them. The indices of the reference table,
// parents of bodies among them, must have been checked before.
const char* mji_checkTree(const mjModel* m);

// check_links.c, check_sensors.c: elements that act on others. The tree must have been checked before.
const char* mji_checkLinks(const mjModel* m);
const char* mji_checkSensors(const mjModel* m);

// check_assets.c: meshes, skins, height fields, textures, bounding volumes.
const char* mji_checkAssets(const mjModel* m);

// check_assets.c: are these nodes one tree over nleaf things? A left child follows its parent, a right child the
// subtree of the left one: so every node is in the tree once, and a walk takes linear time.
int mji_volumesOk(const mjModel* m, int adr, int num, int nleaf);

// check_flex.c: flexes. The table of references must have been checked before.
const char* mji_checkFlexes(const mjModel* m);

// ---- for all checks

// Number of objects of a type (mjtObj); 0 if objtype is not a type of object.
int mji_checkCount(const mjModel* m, int objtype);

// first <= index[i] < limit for each of n.
static inline int mji_indicesOk(const int* index, int n, int first, int limit) {
  for (int i = 0; i < n; i++) {
    if (index[i] < first || index[i] >= limit) return 0;
  }
  return 1;
}

// Does the range of num items from adr on lie within limit items?
static inline int mji_rangeOk(int adr, int num, int limit) {
  return num >= 0 && (num == 0 || (adr >= 0 && (int64_t)adr + num <= limit));
}

#endif  // SHEAF_MODEL_CHECK_H_
